/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A run on a device: open it safely, let the phases fill in the evidence, judge, deliver. Whatever
 * happens in between, a certificate of what was seen so far comes out.
 */
#include "session.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int check_target(struct ca_session *session)
{
	const char *target = session->options->targets[0];
	struct ca_error error = {0};
	int r = ca_target_kind(target, &session->kind, &error);

	if (r < 0)
		return ca_report_error(&error, r);
	if (session->kind == CA_TARGET_BLOCK || session->kind == CA_TARGET_IMAGE ||
	    session->kind == CA_TARGET_SIMULATED)
		return 0;
	if (session->kind == CA_TARGET_NVME_CHAR)
		ca_report("%s is the controller, not its storage: name the namespace, e.g. %sn1.",
			  target, target);
	else
		ca_report("%s holds recorded registers, not a device: use 'cardassay inspect %s'.",
			  target, target);
	return CA_EXIT_USAGE;
}

/* Secrets and ids. A simulated run draws them from its seed, so that it can be repeated exactly. */
static int draw_entropy(struct ca_session *session, uint8_t certificate_id[16],
			struct ca_error *error)
{
	uint8_t pool[sizeof(session->secret) + 16 * 2 + 8];
	int r = 0;

	if (session->kind == CA_TARGET_SIMULATED) {
		struct ca_sim_spec spec;
		uint64_t state;

		r = ca_sim_parse(session->options->targets[0] + strlen("sim:"), &spec, error);
		if (r < 0)
			return r;
		state = spec.seed;
		for (size_t i = 0; i < sizeof(pool) / 8; i++)
			ca_put_le64(pool + 8 * i, ca_rng_next(&state));
	} else {
		r = ca_host_entropy(pool, sizeof(pool));
		if (r < 0)
			return ca_error_set(error, r, "the kernel gave no random numbers: %s.",
					    strerror(-r));
	}
	memcpy(session->secret, pool, 32);
	memcpy(session->run_id, pool + 32, 16);
	memcpy(certificate_id, pool + 48, 16);
	session->seed = ca_le64(pool + 64);
	return 0;
}

static void mix_in(uint64_t state[2], const void *data, size_t bytes)
{
	const uint8_t *p = data;

	for (size_t i = 0; i < bytes; i++) {
		state[0] ^= p[i];
		state[1] += ca_rng_next(&state[0]);
	}
}

/*
 * The same card in the same slot has the same id in every run, so that data of an earlier run is
 * recognised as old and not taken for another device's. Where registers are hidden, the slot stands
 * for the card.
 */
static void derive_device_id(struct ca_session *session)
{
	const struct ca_evidence *evidence = &session->certificate.evidence;
	const struct ca_device_facts *device = &evidence->device;
	uint64_t state[2] = {device->bytes, 0};

	if (evidence->registers.has[CA_REGISTER_CID] && !device->registers_lent) {
		mix_in(state, evidence->registers.cid, sizeof(evidence->registers.cid));
	} else {
		mix_in(state, device->serial, strlen(device->serial));
		mix_in(state, device->model, strlen(device->model));
		mix_in(state, device->host_path, strlen(device->host_path));
	}
	ca_put_le64(session->device_id, state[0]);
	ca_put_le64(session->device_id + 8, state[1]);
}

/* The word that was given: a probe puts back what it writes over, and has an option of its own. */
static const char *given_word(const struct ca_session *session)
{
	return session->keeps_data ? session->options->confirm : session->options->erase;
}

/* Reads the confirm word from the terminal. */
static int ask_word(const struct ca_session *session, const char *target, const char *confirm)
{
	struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
	char line[256];

	if (session->keeps_data)
		(void)fprintf(stderr, "Type %s to write to %s, and have it put back: ", confirm,
			      target);
	else
		(void)fprintf(stderr, "Type %s to erase everything on %s: ", confirm, target);
	(void)fflush(stderr);
	/* Ctrl-C ends the waiting of poll, not that of fgets. */
	if (poll(&input, 1, -1) < 0 && ca_interrupted()) {
		(void)fputc('\n', stderr);
		ca_report("interrupted: nothing was written.");
		return CA_EXIT_INTERRUPTED;
	}
	if (!fgets(line, sizeof(line), stdin))
		line[0] = '\0';
	line[strcspn(line, "\r\n")] = '\0';
	if (strcmp(line, confirm) != 0) {
		ca_report("that is not the confirm word: nothing was written.");
		return CA_EXIT_REFUSED;
	}
	return 0;
}

/* May it be erased at all? Said before the plan; gives the confirm word. */
static int ask_guard(struct ca_session *session, char *ret_confirm, size_t size)
{
	const struct ca_options *options = session->options;
	const char *target = options->targets[0];
	struct ca_error error = {0};
	const char *word = given_word(session);
	int r = ca_guard_check(NULL, target, word, ret_confirm, size, &error);

	/* In the way are only volumes that may go, and the word was right: unmount, ask again. */
	if (r == -EBUSY && options->unmount && word && session->kind == CA_TARGET_BLOCK) {
		struct ca_error unmount_error = {0};

		r = ca_guard_unmount(target, &unmount_error);
		if (r == 0) {
			memset(&error, 0, sizeof(error));
			r = ca_guard_check(NULL, target, word, ret_confirm, size, &error);
		} else {
			error = unmount_error;
		}
	}
	if (r == 0)
		return 0;
	(void)ca_report_error(&error, r);
	return r == -EACCES || r == -EPERM ? CA_EXIT_NO_PERMISSION
	       : r == -ENOENT		   ? CA_EXIT_NO_INPUT
					   : CA_EXIT_REFUSED;
}

static int confirm_erase(struct ca_session *session, enum ca_profile profile)
{
	const char *target = session->options->targets[0];
	char confirm[160] = "";
	int r = 0;

	/* on a simulated card is nothing of anyone's */
	if (session->kind != CA_TARGET_SIMULATED)
		r = ask_guard(session, confirm, sizeof(confirm));
	if (r)
		return r;
	if (session->kind == CA_TARGET_BLOCK && access(target, R_OK | W_OK) < 0) {
		ca_report("no permission to write %s: run it with sudo.", target);
		return CA_EXIT_NO_PERMISSION;
	}
	r = ca_session_check_reinit(session);
	if (!r)
		r = ca_session_check_replug(session);
	if (!r)
		r = ca_session_look(session);
	if (r)
		return r;
	ca_plan_print(session, profile);
	if (session->kind == CA_TARGET_SIMULATED || given_word(session))
		return 0;
	if (isatty(STDIN_FILENO) && isatty(STDERR_FILENO))
		return ask_word(session, target, confirm);
	if (session->keeps_data)
		ca_report("this writes to %s and puts its own data back: confirm with "
			  "--confirm=%s. Nothing was written.",
			  target, confirm);
	else
		ca_report("this erases everything on %s: confirm with --erase=%s. Nothing was "
			  "written.",
			  target, confirm);
	return CA_EXIT_REFUSED;
}

static int open_device(struct ca_session *session)
{
	struct ca_error error = {0};
	struct ca_certificate *certificate = &session->certificate;
	int r = ca_host_open(session->options->targets[0],
			     session->writes ? CA_OPEN_WRITE : CA_OPEN_READ, &session->device,
			     &error);

	if (r < 0)
		return ca_report_error(&error, r);
	certificate->evidence.device.bytes = session->device->geometry.bytes;
	certificate->evidence.device.sector_bytes = session->device->geometry.sector_bytes;
	return 0;
}

static int collect(struct ca_session *session, enum ca_profile profile)
{
	struct ca_certificate *certificate = &session->certificate;
	const char *target = session->options->targets[0];
	struct ca_error error = {0};
	uint8_t id[16];
	int r = draw_entropy(session, id, &error);

	if (r == 0)
		r = ca_certificate_prepare(session->options, profile, id, certificate, &error);
	if (r == 0)
		r = ca_host_collect(NULL, target, &certificate->evidence, &error);
	if (r == 0)
		r = ca_certificate_lend_registers(session->options, &certificate->evidence, &error);
	derive_device_id(session);
	if (r == 0 && session->kind == CA_TARGET_SIMULATED && !session->options->label) {
		struct ca_sim_spec spec;

		/* a named card comes in its package */
		r = ca_sim_parse(target + strlen("sim:"), &spec, &error);
		if (r == 0 && spec.named)
			(void)ca_string_copy(certificate->label, sizeof(certificate->label),
					     spec.named->label); /* our own table, fits */
	}
	return r < 0 ? ca_report_error(&error, r) : 0;
}

int ca_session_open(const struct ca_options *options, enum ca_profile profile, bool writes,
		    struct ca_session **ret_session)
{
	struct ca_session *session = calloc(1, sizeof(*session));
	struct ca_error error = {0};
	int r;

	if (!session)
		return ca_report_error(&error, -ENOMEM);
	session->options = options;
	session->writes = writes;
	session->keeps_data = profile == CA_PROFILE_QUICK;
	ca_progress_init(&session->progress, options->progress,
			 ca_stream_has_colour(options, stderr));
	ca_watchdog_start(&session->progress);
	r = check_target(session);
	if (!r)
		r = collect(session, profile);
	if (!r && ca_delivery_begin(options, &session->certificate.evidence, &session->delivery,
				    &error) < 0)
		r = ca_report_error(&error, error.code);
	if (!r && writes)
		r = confirm_erase(session, profile);
	if (!r)
		r = open_device(session);
	if (!r && writes)
		r = ca_session_keep_head(session);
	if (r) {
		ca_session_close(session);
		return r;
	}
	*ret_session = session;
	return 0;
}

int ca_session_attend(struct ca_session *session, struct ca_device **ret_attended)
{
	int r = ca_host_attend(session->device, ret_attended);

	if (r == 0)
		ca_watchdog_attend(&session->progress, *ret_attended);
	return r;
}

void ca_session_unattend(struct ca_session *session, struct ca_device *attended, int r)
{
	ca_watchdog_attend(&session->progress, NULL);
	if (r < 0 && attended->failure.code)
		session->device->failure = attended->failure;
	ca_device_close(attended);
}

int ca_session_recheck(struct ca_session *session)
{
	struct ca_io_fault fault = {0};
	struct ca_capacity_evidence *capacity = &session->certificate.evidence.capacity;
	int r = ca_device_check(session->device, &fault);

	if (r == 0 && fault.status == CA_IO_OK)
		return 0;
	if (capacity->end == CA_FILL_NOT_RUN || capacity->end == CA_FILL_COMPLETE)
		capacity->end = fault.status == CA_IO_ERROR ? CA_FILL_CHANGED : CA_FILL_LOST;
	ca_report("%s is no longer the device that was confirmed: nothing more is written to it.",
		  session->options->targets[0]);
	return CA_EXIT_DEVICE_LOST;
}

void ca_session_report_failure(const struct ca_session *session, const char *what, int code)
{
	const struct ca_error *failure = &session->device->failure;
	const char *why = failure->code ? failure->text : strerror(-code);

	if (!failure->code && (code == -ENOSPC || code == -EDQUOT || code == -EFBIG))
		why = "there is no room left for it on this machine's disk";
	ca_report("%s stopped: %s. The certificate holds what was seen so far.", what, why);
}

bool ca_session_is_nvme(const struct ca_session *session)
{
	return session->certificate.evidence.device.media == CA_MEDIA_NVME;
}

bool ca_session_is_sound(const struct ca_session *session)
{
	const struct ca_capacity_evidence *capacity = &session->certificate.evidence.capacity;

	return capacity->end == CA_FILL_COMPLETE &&
	       (capacity->kind == CA_CAPACITY_KIND_SOUND ||
		capacity->kind == CA_CAPACITY_KIND_TRANSPORT) &&
	       capacity->good_bytes == capacity->announced_bytes;
}

/* Where the host took the card anew its counters began again: those from before are added. */
static void carry_errors(const struct ca_session *session, struct ca_fact *after)
{
	struct ca_text text;

	if (!after->present)
		return;
	after->number += session->errors_carried;
	if (session->errors_carried <= 0)
		return;
	ca_text_init(&text, after->text, sizeof(after->text));
	ca_text_i64(&text, after->number);
	ca_text_add(&text, " in all, ");
	ca_text_i64(&text, after->number - session->errors_carried);
	ca_text_add(&text, " of them since the host took the card anew");
}

/* Facts that the run may have changed: SMART counters, host state. Absence is no error. */
static void collect_after(struct ca_session *session)
{
	struct ca_evidence *evidence = &session->certificate.evidence;
	const char *target = session->options->targets[0];
	struct ca_fact *engine = &evidence->host[CA_HOST_IO_ENGINE];

	if (evidence->device.media == CA_MEDIA_NVME && evidence->capacity.end != CA_FILL_LOST &&
	    evidence->probe.end != CA_FILL_LOST) {
		struct ca_evidence *after = calloc(1, sizeof(*after));

		if (after && ca_host_collect(NULL, target, after, NULL) == 0 &&
		    after->registers.has[CA_REGISTER_NVME_SMART]) {
			memcpy(evidence->nvme_smart_after, after->registers.nvme_smart,
			       sizeof(evidence->nvme_smart_after));
			evidence->has_smart_after = true;
		}
		if (after)
			ca_evidence_done(after);
		free(after);
	}
	ca_host_collect_after(NULL, target, evidence);
	carry_errors(session, &evidence->host[CA_HOST_ERR_STATS_AFTER]);
	engine->present = true;
	(void)ca_string_copy(engine->text, sizeof(engine->text),
			     ca_host_io_engine(session->device)); /* our own words, fit */
}

static int render_sarif(const struct ca_session *session, char **ret_text)
{
	int code = ca_exit_of_certificate(&session->certificate);
	bool whole = ca_exit_is_success(code);
	struct ca_sarif_end end = {
		.exit_code = code,
		.successful = whole,
		.level = "error",
		.notice = whole ? NULL
				: "The run ended early: the results are of what was seen so far.",
	};

	return ca_certificate_to_sarif(&session->certificate, session->options->targets[0],
				       CARDASSAY_VERSION, &end, ret_text);
}

/* What the card holds now is of use to whoever has it at hand, and no part of the certificate. */
static int say_left(const struct ca_session *session, struct ca_error *error)
{
	char line[300];
	int len;

	if (!session->left[0])
		return 0;
	if (session->options->format != CA_FORMAT_TEXT) {
		ca_report("left on the card: %s.", session->left);
		return 0;
	}
	len = snprintf(line, sizeof(line), "\nLeft on the card: %s.\n", session->left);
	return ca_stdout_write(line, (size_t)len, error);
}

/* The screen first: if the disk is full, what was found is not lost. */
static int show(const struct ca_session *session, struct ca_error *error)
{
	const struct ca_options *options = session->options;
	struct ca_view_options view = {.colour = ca_stream_has_colour(options, stdout),
				       .all = options->all};
	CA_CLEANUP_FREE char *text = NULL;
	size_t len;
	int r;

	if (options->format == CA_FORMAT_JSON)
		r = ca_certificate_to_json(&session->certificate, true, &text, &len);
	else if (options->format == CA_FORMAT_SARIF)
		r = render_sarif(session, &text);
	else
		r = ca_certificate_to_text(&session->certificate, &view, &text);
	if (r < 0)
		return ca_error_set(error, r, "the certificate could not be shown: %s.",
				    strerror(-r));
	r = ca_stdout_write(text, strlen(text), error);
	return r < 0 ? r : say_left(session, error);
}

int ca_session_finish(struct ca_session *session)
{
	struct ca_error error = {0};
	int r;

	ca_progress_done(&session->progress);
	ca_session_leave(session);
	collect_after(session);
	if (session->options->mask)
		ca_evidence_mask(&session->certificate.evidence);
	r = ca_certificate_judge(&session->certificate, &error);
	if (r == 0) {
		int shown = show(session, &error);

		r = ca_delivery_finish(&session->delivery, &session->certificate, &error);
		r = r < 0 ? r : shown;
	}
	if (r < 0)
		return ca_report_error(&error, r);
	return ca_exit_of_certificate(&session->certificate);
}

void ca_session_close(struct ca_session *session)
{
	if (!session)
		return;
	if (session->stuck) {
		/* somebody still waits for the device with all of this: the end of the program
		 * frees it */
		ca_watchdog_stop(&session->progress);
		ca_delivery_abandon(&session->delivery);
		return;
	}
	ca_watchdog_stop(&session->progress);
	ca_progress_done(&session->progress);
	ca_device_close(session->device);
	ca_head_journal_close(session, false);
	ca_head_free(session->head);
	ca_delivery_abandon(&session->delivery);
	ca_certificate_done(&session->certificate);
	free(session);
}
