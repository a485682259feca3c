/* SPDX-License-Identifier: BSD-2-Clause */
/* After a crash, a loss of power, or a card pulled out in the midst of a probe. */
#include "session.h"

#include "cardassay/fill.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

struct restoration {
	const struct ca_options *options;
	const char *path, *target;
	int fd;
	struct ca_journal *journal;
	struct ca_device *device;
	struct ca_progress progress;
};

static int open_journal(struct restoration *job, struct ca_error *error)
{
	int r;

	job->fd = open(job->path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (job->fd < 0)
		return ca_error_set(error, -errno, "cannot read %s: %s.", job->path,
				    strerror(errno));
	if (flock(job->fd, LOCK_EX | LOCK_NB) < 0 && errno == EWOULDBLOCK)
		return ca_error_set(error, -EBUSY,
				    "refused: a probe is still at work with %s: let it end.",
				    job->path);
	r = ca_journal_open(job->fd, &job->journal, error);
	return r < 0 ? ca_error_set(error, r, "cannot read %s: %s.", job->path, strerror(-r)) : 0;
}

/* A different number in a register is another card, whatever it holds. */
static int check_identity(const struct restoration *job, struct ca_error *error)
{
	const struct ca_journal_card *card = ca_journal_card_of(job->journal);
	struct ca_evidence *evidence = calloc(1, sizeof(*evidence));
	bool other = false;
	int r = evidence ? ca_host_collect(NULL, job->target, evidence, error) : -ENOMEM;

	if (r == 0 && card->has_cid && evidence->registers.has[CA_REGISTER_CID])
		other = memcmp(card->cid, evidence->registers.cid, sizeof(card->cid)) != 0;
	/* the serial number of a reader is not the card's, but that of a drive is the drive's */
	if (r == 0 && evidence->device.media == CA_MEDIA_NVME && card->serial[0])
		other = strncmp(card->serial, evidence->device.serial, strlen(card->serial)) != 0;
	if (evidence)
		ca_evidence_done(evidence);
	free(evidence);
	if (r < 0)
		return r;
	return other ? ca_error_set(error, -EBUSY,
				    "refused: %s is another card than the one of this journal; "
				    "nothing was written.",
				    job->target)
		     : 0;
}

static int open_device(struct restoration *job, struct ca_error *error)
{
	const struct ca_journal_card *card = ca_journal_card_of(job->journal);
	enum ca_target_kind kind;
	int r;

	job->target = job->options->target_count > 1 ? job->options->targets[1] : card->node;
	r = ca_target_kind(job->target, &kind, error);
	if (r == 0 && kind != CA_TARGET_BLOCK && kind != CA_TARGET_IMAGE)
		r = ca_error_set(error, -EINVAL, "%s is no device that data can be put back on.",
				 job->target);
	if (r == 0)
		r = ca_guard_check(NULL, job->target, NULL, NULL, 0, error);
	if (r == 0)
		r = check_identity(job, error);
	if (r == 0)
		r = ca_host_open(job->target, CA_OPEN_WRITE, &job->device, error);
	if (r == 0 && (job->device->geometry.bytes != card->announced_bytes ||
		       job->device->geometry.sector_bytes != card->sector_bytes))
		r = ca_error_set(error, -EBUSY,
				 "refused: %s has %" PRIu64
				 " bytes, the card of this journal has %" PRIu64
				 "; nothing was written.",
				 job->target, job->device->geometry.bytes, card->announced_bytes);
	return r;
}

static void on_progress(void *context, const struct ca_probe_progress *progress)
{
	struct restoration *job = context;

	ca_progress_show(&job->progress, ca_probe_phase_name(progress->phase), progress->done_bytes,
			 progress->total_bytes, progress->elapsed_ns, progress->done_bytes, 0,
			 false, 0);
}

static int say_result(const struct restoration *job, const struct ca_restore_result *result)
{
	uint64_t damaged = ca_journal_damaged(job->journal);

	if (result->refused) {
		ca_report("refused: %s holds neither the test data of this journal nor what was "
			  "saved: it is another card, or it was written since. Nothing was "
			  "written.",
			  job->target);
		return CA_EXIT_REFUSED;
	}
	if (result->lost) {
		ca_report("%s went away before all was put back: run this again when it is there.",
			  job->target);
		return CA_EXIT_DEVICE_LOST;
	}
	(void)printf("%s: %" PRIu64 " sectors were as saved, %" PRIu64 " were put back.\n",
		     job->target, result->same_sectors, result->put_back_sectors);
	if (result->failed_sectors)
		(void)printf("%" PRIu64 " sectors could NOT be put back: the card fails there.\n",
			     result->failed_sectors);
	if (result->other_sectors)
		(void)printf("%" PRIu64 " sectors hold neither test data nor what was saved: "
			     "written since, or\nlost with the power. They were left alone.\n",
			     result->other_sectors);
	if (damaged)
		(void)printf("%" PRIu64 " records of the journal are damaged: what they held is "
			     "not put back.\n",
			     damaged);
	if (result->failed_sectors || damaged)
		return CA_EXIT_FAIL;
	return result->other_sectors ? CA_EXIT_INCONCLUSIVE : CA_EXIT_PASS;
}

static int finish(const struct restoration *job, int code)
{
	int written;

	if (code == CA_EXIT_PASS && unlink(job->path) == 0)
		(void)printf("The journal is removed.\n");
	else if (code == CA_EXIT_PASS)
		ca_report("cannot remove %s, which is not needed any more: %s.", job->path,
			  strerror(errno));
	else
		(void)printf("The journal is kept: %s\n", job->path);
	written = ca_stdout_finish();
	return code == CA_EXIT_PASS ? written : code;
}

static int restore(struct restoration *job)
{
	struct ca_restore_result result = {0};
	struct ca_error error = {0};
	int code;
	int r = open_journal(job, &error);

	if (r == 0)
		r = open_device(job, &error);
	if (r < 0)
		return ca_report_error(&error, r);
	ca_progress_init(&job->progress, job->options->progress,
			 ca_stream_has_colour(job->options, stderr));
	r = ca_restore_run(job->device, job->journal, on_progress, job, &result);
	ca_progress_done(&job->progress);
	if (r < 0) {
		ca_report("the restore stopped: %s. The journal is kept: run it again.",
			  job->device->failure.code ? job->device->failure.text : strerror(-r));
		return CA_EXIT_HOST_IO;
	}
	code = say_result(job, &result);
	return code == CA_EXIT_REFUSED || code == CA_EXIT_DEVICE_LOST ? code : finish(job, code);
}

int ca_cmd_restore(const struct ca_options *options)
{
	struct restoration job = {.options = options, .path = options->targets[0], .fd = -1};
	int code = restore(&job);

	ca_device_close(job.device);
	ca_journal_free(job.journal);
	if (job.fd >= 0)
		ca_close_fd(&job.fd);
	return code;
}
