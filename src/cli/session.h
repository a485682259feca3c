/* SPDX-License-Identifier: BSD-2-Clause */
/* The inside of struct ca_session, shared by session.c, session_fill.c, session_speed.c, plan.c. */
#ifndef CARDASSAY_CLI_SESSION_H
#define CARDASSAY_CLI_SESSION_H

#include "cli.h"

struct ca_session {
	const struct ca_options *options;
	enum ca_target_kind kind;
	struct ca_certificate certificate;
	struct ca_device *device; /* NULL until everything is confirmed */
	bool writes;
	bool keeps_data; /* a probe: what it writes over is put back */
	struct ca_progress progress;
	struct ca_delivery delivery;
	uint8_t secret[32], run_id[16], device_id[16];
	uint64_t seed;
	/* what CA_HOST_ERR_STATS_AFTER lacks: the host counts from 0 again once the card was taken
	 * anew */
	int64_t errors_carried;
	struct ca_content content;	      /* before anything was written */
	struct ca_head *head;		      /* to be put back; NULL = none */
	struct ca_head_journal *head_journal; /* the same on a disk; NULL = in memory alone */
	enum ca_cipher cipher;		      /* of the fill; AUTO until it matters */
	char left[240];			      /* what is on the card now; "" = nothing to tell */
	uint64_t filled_bytes;		      /* of the fill, so far */
	bool replugged;			      /* the card was taken out and put back */
	/* it does not answer, and a thread still waits for it (session_phase.c): nothing of this
	 * is freed or closed any more */
	atomic_bool stuck;
};

/* Says on stderr what is about to happen, before anything is erased. */
void ca_plan_print(struct ca_session *session, enum ca_profile profile);

/* What measuring the speed will cost on a card of A2's rates: bytes outside the timed parts, and
 * the timed parts. */
struct ca_speed_cost {
	uint64_t moved_bytes, written_bytes, seconds;
};
void ca_session_speed_cost(struct ca_session *session, struct ca_speed_cost *ret_cost);

/* session_speed.c, for session_survey.c */
struct ca_speed_options ca_session_speed_options(struct ca_session *session);
void ca_session_note_conditions(struct ca_session *session);
/* Says what ended the phase; an exit code. */
int ca_session_speed_end(struct ca_session *session, int r, bool gone);

/* session_survey.c: all runs of the matrix */
uint64_t ca_session_survey_seconds(const struct ca_session *session);

/*
 * session_phase.c: runs `run` in a thread of its own, for a transfer that the device does not
 * answer cannot be called off. -ETIMEDOUT: it did not answer for half a minute, or not after
 * Ctrl-C; the loss is noted in the evidence, and the thread may still use `context`, which has to
 * stay.
 */
int ca_session_run_phase(struct ca_session *session, int (*run)(void *context), void *context);

/* The session's device for one run, with the watchdog looking at what it waits for. Negative errno.
 * _unattend ends that; `r` is what the run came to: what failed then is the session's to report. */
int ca_session_attend(struct ca_session *session, struct ca_device **ret_attended);
void ca_session_unattend(struct ca_session *session, struct ca_device *attended, int r);
/* Before every destructive phase: is it still the same card? 0, or an exit code, with the loss
 * noted in the evidence. */
int ca_session_recheck(struct ca_session *session);

/* --reinit where the host cannot: the reason on stderr and an exit code; else 0. */
int ca_session_check_reinit(const struct ca_session *session);

/* --replug=ask where it cannot be heard: the reason on stderr and an exit code; else 0. */
int ca_session_check_replug(const struct ca_session *session);

/* Has the card taken out and put back, and says what came of it. Results as those of
 * ca_host_replug. */
int ca_session_replug(struct ca_session *session, struct ca_io_fault *ret_fault);

/* session_leave.c: looks at what is on the card; refuses files, and what --leave asks in vain. 0 or
 * an exit code. */
int ca_session_look(struct ca_session *session);
void ca_session_plan_leave(const struct ca_session *session);
/* Once it is open: keeps what is to be put back. 0 or an exit code. */
int ca_session_keep_head(struct ca_session *session);
/* session_head.c: the head also in a journal, which outlives this program; without one where there
 * is no place for it. Not kept: it is removed. */
void ca_head_journal_open(struct ca_session *session);
void ca_head_journal_close(struct ca_session *session, bool keep);
/* After all phases, whatever ended them. Says in `left` what is on the card. */
void ca_session_leave(struct ca_session *session);

/* A failure of this machine, not of the card: what stopped and why. */
void ca_session_report_failure(const struct ca_session *session, const char *what, int code);

#endif
