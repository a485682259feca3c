/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli: the command line. The only room that opens devices, writes to stdout and exits.
 */
#ifndef CARDASSAY_CLI_H
#define CARDASSAY_CLI_H

#include "progress.h"

#include "cardassay/base.h"
#include "cardassay/certificate.h"
#include "cardassay/evidence.h"
#include "cardassay/fill.h"
#include "cardassay/host.h"
#include "cardassay/judge.h"
#include "cardassay/speed.h"

#include <stdio.h>

/* Exit codes, as docs/cardassay.1 lists them. */
enum ca_exit {
	CA_EXIT_PASS = 0,
	CA_EXIT_FAIL = 1,
	CA_EXIT_INCONCLUSIVE = 2,
	CA_EXIT_REFUSED = 3,
	CA_EXIT_INTERRUPTED = 4,
	CA_EXIT_DEVICE_LOST = 5,
	CA_EXIT_SCREENED = 6,
	CA_EXIT_UNSIGNED = 10,
	CA_EXIT_BAD_SIGNATURE = 11,
	CA_EXIT_JUDGED_DIFFERENTLY = 12,
	CA_EXIT_USAGE = 64,
	CA_EXIT_DATA = 65,
	CA_EXIT_NO_INPUT = 66,
	CA_EXIT_INTERNAL = 70,
	CA_EXIT_HOST_IO = 74,
	CA_EXIT_NO_PERMISSION = 77,
};

enum ca_format {
	CA_FORMAT_TEXT,
	CA_FORMAT_JSON,
	CA_FORMAT_SARIF,
};

/* What --leave wants on the card; as found: its empty file system, else the test pattern. */
enum ca_leave {
	CA_LEAVE_AS_FOUND,
	CA_LEAVE_ERASED,
	CA_LEAVE_PATTERN,
	CA_LEAVE_FORMAT,
};

/* What was asked, filled in by ca_options_parse. Strings point into argv or the config file. */
struct ca_options {
	enum ca_format format;
	enum ca_progress_mode progress;
	int colour; /* -1 auto, 0 never, 1 always */
	bool mask, all, unmount, map_all, reinit, replug, erase_files, inspect, fields,
		vendor_health, matrix, help;
	enum ca_profile profile;
	enum ca_leave leave;
	const char *like; /* NULL = not given; the tool of that name */
	enum ca_like_tool like_tool;
	bool deep;
	const char *confirm, *journal;
	const char *label, *erase, *output, *registers, *sign, *pubkey, *only, *root;
	const char *operator_name, *organisation, *reference;
	uint64_t seconds;
	bool cmd20, full_erase;
	uint32_t windows;		   /* 0 = not given */
	uint32_t queue_depth, buffers_mib; /* 0 = not given */
	const char *claims[CA_REQUIRE_MAX];
	size_t claim_count;
	const char *require[CA_REQUIRE_MAX];
	size_t require_count;
	char **targets; /* into argv */
	size_t target_count;
};

/* One row a command. `targets`: "" none, "TARGET", "TARGET..." as the usage line shows them. */
struct ca_command {
	const char *name;
	const char *targets;
	const char *summary;
	unsigned int bit; /* which options apply */
	size_t targets_min, targets_max;
	int (*run)(const struct ca_options *options);
};

enum ca_command_bit {
	CA_CMD_LIST = 1 << 0,
	CA_CMD_INSPECT = 1 << 1,
	CA_CMD_CAPTURE = 1 << 2,
	CA_CMD_FILL = 1 << 3,
	CA_CMD_SPEED = 1 << 4,
	CA_CMD_CERTIFY = 1 << 5,
	CA_CMD_VERIFY = 1 << 6,
	CA_CMD_EXPLAIN = 1 << 7,
	CA_CMD_RULES = 1 << 8,
	CA_CMD_KEYGEN = 1 << 9,
	CA_CMD_STATION = 1 << 10,
	CA_CMD_SELFCHECK = 1 << 11,
	CA_CMD_PROBE = 1 << 12,
	CA_CMD_RESTORE = 1 << 13,
};

int ca_cmd_list(const struct ca_options *options);
int ca_cmd_inspect(const struct ca_options *options);
int ca_cmd_capture(const struct ca_options *options);
int ca_cmd_fill(const struct ca_options *options);
int ca_cmd_probe(const struct ca_options *options);
int ca_cmd_restore(const struct ca_options *options);
int ca_cmd_speed(const struct ca_options *options);
int ca_cmd_certify(const struct ca_options *options);
int ca_cmd_verify(const struct ca_options *options);
int ca_cmd_explain(const struct ca_options *options);
int ca_cmd_rules(const struct ca_options *options);
int ca_cmd_keygen(const struct ca_options *options);
int ca_cmd_station(const struct ca_options *options);
int ca_cmd_selfcheck(const struct ca_options *options);

/* ---- options.c ------------------------------------------------------------------------------- */

/* Parses argv[2..]. Returns 0 or an exit code after printing one clear sentence. argv is reordered:
 * the targets come first. */
int ca_options_parse(const struct ca_command *command, int argc, char **argv,
		     struct ca_options *ret_options);
void ca_options_print(FILE *out, const struct ca_command *command);

/* ---- config.c: operator, organisation and reference from a file ---------------------------- */

/* $CARDASSAY_CONFIG, else $XDG_CONFIG_HOME/cardassay/config, else ~/.config/cardassay/config:
 * lines `operator = NAME`. Fills what the command line left open. 0 or an exit code. */
int ca_config_apply(struct ca_options *options);

/* ---- report.c: messages and exit codes ----------------------------------------------------- */

/* "cardassay: TEXT" on stderr, escaped for the terminal. */
void ca_report(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Prints the error and returns its exit code (EACCES 77, ENOENT 66, EBUSY 3, EBADMSG 65 ...). */
int ca_report_error(const struct ca_error *error, int code);
/* Of a finished run: fail before lost or interrupted, those before the rest. */
int ca_exit_of_certificate(const struct ca_certificate *certificate);
/* For a SARIF log: the program did what it was asked to, whatever it found. */
bool ca_exit_is_success(int code);
/* A proved fault first, then what ended a phase early (0 = nothing), then the verdict. */
int ca_exit_of_run(int code, int ended);
bool ca_stream_has_colour(const struct ca_options *options, FILE *stream);

/* ---- files.c ------------------------------------------------------------------------------- */

/* A file that appears under its name only when it is whole, and is known to be writable early. */
struct ca_output_file {
	char path[4096];
	char temporary[4200];
	int fd;
};
/* At most so much of the disk is set aside for a certificate before anything is erased. */
#define CA_OUTPUT_RESERVE_BYTES (1024 * 1024)
int ca_output_begin(struct ca_output_file *file, const char *path, unsigned int mode,
		    struct ca_error *error);
int ca_output_commit(struct ca_output_file *file, const void *data, size_t bytes,
		     struct ca_error *error);
void ca_output_abandon(struct ca_output_file *file);
/* Reads a whole file ("-" = stdin) of at most max bytes; *ret_data is malloc'ed, NUL added. */
int ca_file_read(const char *path, size_t max, char **ret_data, size_t *ret_len,
		 struct ca_error *error);
/* Writes all of stdout and notices a full disk or a closed pipe. */
int ca_stdout_write(const char *data, size_t bytes, struct ca_error *error);
/* The same of what printf wrote, at the end: CA_EXIT_PASS, or an exit code and the reason said. */
int ca_stdout_finish(void);

/* ---- deliver.c ----------------------------------------------------------------------------- */

/* -o FILE and --sign KEY: opened before anything is erased, written when all is known. */
struct ca_delivery {
	struct ca_output_file file;
	struct ca_secret_key key;
	bool has_file, has_key;
};
int ca_delivery_begin(const struct ca_options *options, const struct ca_evidence *evidence,
		      struct ca_delivery *delivery, struct ca_error *error);
int ca_delivery_finish(struct ca_delivery *delivery, const struct ca_certificate *certificate,
		       struct ca_error *error);
void ca_delivery_abandon(struct ca_delivery *delivery);

/* ---- interrupt.c (progress has a header of its own) ------------------------------------------ */

void ca_interrupt_install(void); /* SIGINT, SIGTERM, SIGHUP set a flag; SIGPIPE is ignored */
bool ca_interrupted(void);

/* ---- session.c: what fill, speed and certify share ----------------------------------------- */

struct ca_session;
/* Target, registers, guard, confirmation, plan, open. 0 or an exit code, everything said. */
int ca_session_open(const struct ca_options *options, enum ca_profile profile, bool writes,
		    struct ca_session **ret_session);
int ca_session_fill(struct ca_session *session);
/* *ret_begun: there is a journal, and what came of the probe is in the evidence. */
int ca_session_probe(struct ca_session *session, bool *ret_begun);
const char *ca_probe_phase_name(enum ca_probe_phase phase);
int ca_session_speed_classes(struct ca_session *session);
/* Of the full profile: before the fill, the whole device; an erase it cannot do is noted. */
int ca_session_erase(struct ca_session *session);
/* Of an NVMe drive, before it is filled: its fast blocks are free. */
int ca_session_speed_fresh(struct ca_session *session);
int ca_session_speed_only(struct ca_session *session);
int ca_session_survey(struct ca_session *session); /* --matrix, --like */
/* Judges, prints, writes, signs; returns the exit code of the run. */
int ca_session_finish(struct ca_session *session);
void ca_session_close(struct ca_session *session);
bool ca_session_is_nvme(const struct ca_session *session);
/* True when the capacity evidence so far lets speed be measured (everything good). */
bool ca_session_is_sound(const struct ca_session *session);

/* ---- make.c: the beginnings of a certificate ----------------------------------------------- */

/* Header fields of a new certificate from options and entropy; evidence is collected separately. */
int ca_certificate_prepare(const struct ca_options *options, enum ca_profile profile,
			   const uint8_t id[16], struct ca_certificate *certificate,
			   struct ca_error *error);
/* --registers DIR: only for a device that hides its own; a real register is never replaced. */
int ca_certificate_lend_registers(const struct ca_options *options, struct ca_evidence *evidence,
				  struct ca_error *error);

#endif
