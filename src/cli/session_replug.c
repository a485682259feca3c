/* SPDX-License-Identifier: BSD-2-Clause */
/* --replug=ask: a person takes the card out and puts it back between the writing and the read back.
 */
#include "session.h"

#include "cardassay/fill.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* How many sectors are looked at to know a card again that shows no registers. */
#define LOOK_SECTORS 64U
#define ANSWER_MS    60000

struct hands {
	struct ca_session *session;
	bool told, out; /* said what to do; the card was taken out */
	uint64_t told_ns;
};

static const char *what_to_do(enum ca_replug_step step)
{
	switch (step) {
	case CA_REPLUG_TAKE_OUT:
		return "all is written. Take the card out now (a USB reader may stay plugged in)";
	case CA_REPLUG_PUT_BACK:
		return "the card is out. Put it back into the same slot";
	}
	return "";
}

static const char *step_name(enum ca_replug_step step)
{
	switch (step) {
	case CA_REPLUG_TAKE_OUT:
		return "take-out";
	case CA_REPLUG_PUT_BACK:
		return "put-back";
	}
	return "";
}

static int tell(void *context, enum ca_replug_step step, uint64_t left_ns)
{
	struct hands *hands = context;
	struct ca_progress *progress = &hands->session->progress;
	bool is_new = !hands->told || hands->out != (step == CA_REPLUG_PUT_BACK);

	if (ca_interrupted())
		return 1;
	hands->told = true;
	hands->out = step == CA_REPLUG_PUT_BACK;
	if (is_new && progress->mode != CA_PROGRESS_JSON)
		ca_report("%s. Waiting for up to %" PRIu64 " minutes (Ctrl-C ends it).",
			  what_to_do(step), (left_ns / CA_NS_PER_SECOND + 30) / 60);
	ca_progress_ask(progress, step_name(step), what_to_do(step), left_ns / CA_NS_PER_SECOND,
			is_new);
	return 0;
}

/* Of a card that stays away: is it back in its slot, or did nobody put it there? */
static bool is_in_slot(const struct ca_session *session)
{
	struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
	char line[64] = "";

	if (session->kind == CA_TARGET_SIMULATED)
		return true;
	if (!isatty(STDIN_FILENO) || !isatty(STDERR_FILENO))
		return false;
	(void)fprintf(stderr, "Is the card back in its slot? Type yes, or press Enter: ");
	(void)fflush(stderr);
	if (poll(&input, 1, ANSWER_MS) <= 0 || !fgets(line, sizeof(line), stdin)) {
		(void)fputc('\n', stderr);
		return false;
	}
	return strncmp(line, "yes", 3) == 0;
}

/*
 * A card whose registers are hidden is only known by its size. Holds it anything of this run? One
 * that does not is another card, or has lost everything; nobody can tell which. 1 = yes.
 */
static int holds_this_run(struct ca_session *session)
{
	struct ca_device *device = session->device;
	uint64_t seed = session->seed ^ device->geometry.bytes;
	uint32_t sector_bytes = device->geometry.sector_bytes;
	struct ca_pattern_header header;
	CA_CLEANUP_FREE uint8_t *data = NULL;

	if (posix_memalign((void **)&data, CA_BUFFER_ALIGN, sector_bytes) != 0)
		return -ENOMEM;
	for (unsigned int i = 0; i < LOOK_SECTORS; i++) {
		uint64_t sectors = device->geometry.bytes / sector_bytes;
		struct ca_io_fault fault = {.status = CA_IO_OK};
		uint64_t at = i == 0 ? 0 : ca_rng_next(&seed) % sectors;
		int r = ca_device_read(device, at * sector_bytes, sector_bytes, data, &fault);

		if (r < 0)
			return r;
		if (fault.status == CA_IO_OK && ca_pattern_read_header(data, &header) &&
		    header.run == ca_le32(session->run_id) &&
		    header.device == ca_le32(session->device_id))
			return 1;
	}
	return 0;
}

static int know_again(struct ca_session *session, struct ca_io_fault *fault)
{
	const struct ca_evidence *evidence = &session->certificate.evidence;
	int r;

	if (evidence->registers.has[CA_REGISTER_CID] && !evidence->device.registers_lent)
		return 0; /* compared already */
	r = holds_this_run(session);
	if (r != 0)
		return r < 0 ? r : 0;
	fault->status = CA_IO_ERROR;
	fault->error = ESTALE;
	return ca_error_set(&session->device->failure, 0,
			    "what came back has the size of the card that was there, and holds "
			    "nothing of this run: another card, or one that lost everything; the "
			    "slot does not show which. Nothing more is written to it");
}

int ca_session_check_replug(const struct ca_session *session)
{
	const char *target = session->options->targets[0];
	char why[400];

	if (!session->options->replug || ca_host_can_replug(target, why, sizeof(why)))
		return 0;
	ca_report("refused: --replug=ask, and it cannot be heard when the card in %s is taken out: "
		  "%s. Nothing was written.",
		  target, why);
	return CA_EXIT_REFUSED;
}

int ca_session_replug(struct ca_session *session, struct ca_io_fault *ret_fault)
{
	struct hands hands = {.session = session};
	struct ca_device *device = session->device;
	struct ca_io_fault fault = {.status = CA_IO_OK};
	int r = ca_host_replug(device, tell, &hands, &fault);

	ca_progress_done(&session->progress);
	if (r == -EOPNOTSUPP) {
		if (!ca_interrupted())
			ca_report("%s: it is read back as it is, and whether the data outlives a "
				  "loss of power stays open.",
				  device->failure.text);
		return r;
	}
	if (r == 0 && fault.status == CA_IO_OK)
		r = know_again(session, &fault);
	if (r < 0)
		return r;
	if (fault.status != CA_IO_OK)
		ca_report("%s.", device->failure.text[0] ? device->failure.text
				 : fault.status == CA_IO_GONE
					 ? "the card does not answer after it was put back"
					 : "what came back is not the card that was there");
	session->replugged = fault.status == CA_IO_OK || (fault.status == CA_IO_GONE &&
							  !ca_interrupted() && is_in_slot(session));
	*ret_fault = fault;
	return 0;
}
