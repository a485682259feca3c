/* SPDX-License-Identifier: BSD-2-Clause */
#include "session.h"

#include "cardassay/speed.h"

#include <errno.h>
#include <string.h>

#define RANDOM_UNIT_BYTES	  (256 * CA_MIB)  /* S 4.16.2: the random performance test unit */
#define RULE_SECONDS		  UINT64_C(600)	  /* S 4.16.2: ten minutes */
#define STANDARD_SECONDS	  UINT64_C(10)	  /* standard screens */
#define RULE_SEQUENTIAL		  (1024 * CA_MIB) /* S 4.16.2: 1024 MB in 4 MB units */
#define STANDARD_SEQUENTIAL	  (256 * CA_MIB)
#define USUAL_AU_MULTIPLE	  (192 * CA_MIB) /* of every AU of S 4.10.2, 12 and 24 MiB too */
#define A2_WRITE_BYTES_PER_SECOND (2000 * UINT64_C(4096))
#define RULE_RATE		  UINT64_C(10000000) /* of a class 10 card */
#define NVME_DEPTH		  32U
#define A2_DEPTH_MAX		  32U /* S 4.16.1.2: the most that a card may ask for */

static int on_progress(void *context, const struct ca_speed_progress *progress)
{
	struct ca_session *session = context;
	struct ca_progress_report report = {
		.what = progress->what,
		.done = progress->done,
		.total = progress->total,
		.elapsed_ns = progress->elapsed_ns,
		.bytes = progress->bytes,
		.operations = progress->operations,
		.timed = progress->timed,
		.patient = progress->patient,
	};

	/* on a virtual clock saying something takes no time */
	if (progress->finished || progress->patient || session->kind == CA_TARGET_SIMULATED)
		ca_progress_tell(&session->progress, &report);
	else
		ca_progress_note(&session->progress, &report);
	return ca_interrupted() || session->stuck;
}

struct ca_speed_options ca_session_speed_options(struct ca_session *session)
{
	struct ca_speed_options options = {
		.progress = on_progress,
		.progress_context = session,
		.seed = session->seed,
	};

	memcpy(options.fill_key, session->secret, sizeof(options.fill_key));
	return options;
}

/* What is known of the state in which figures are taken; the judge weighs it. */
void ca_session_note_conditions(struct ca_session *session)
{
	struct ca_evidence *evidence = &session->certificate.evidence;
	const struct ca_fact *cache = &evidence->host[CA_HOST_CACHE];
	const struct ca_fact *queue = &evidence->host[CA_HOST_COMMAND_QUEUE];
	bool simulated = session->kind == CA_TARGET_SIMULATED;
	struct ca_sim_spec spec = {.queue_depth = 1};

	if (simulated) /* parsed before, when it was opened */
		(void)ca_sim_parse(session->options->targets[0] + strlen("sim:"), &spec, NULL);
	if (evidence->speed.erased_before == CA_UNKNOWN)
		evidence->speed.erased_before = CA_NO;
	evidence->speed.cache_on = simulated	     ? CA_NO
				   : !cache->present ? CA_UNKNOWN
				   : cache->number   ? CA_YES
						     : CA_NO;
	evidence->speed.command_queue_on = simulated ? (spec.queue_depth > 1 ? CA_YES : CA_NO)
					   : !queue->present ? CA_UNKNOWN
					   : queue->number   ? CA_YES
							     : CA_NO;
	evidence->speed.bypass_page_cache = session->kind == CA_TARGET_IMAGE ? CA_UNKNOWN : CA_YES;
}

/* What label, options and card claim; a buffer of its own, large. */
static const struct ca_claims *read_claims(const struct ca_session *session,
					   const struct ca_registers *registers)
{
	static struct ca_claims claims;
	const struct ca_options *options = session->options;

	memset(&claims, 0, sizeof(claims));
	ca_claims_parse_label(session->certificate.label, &claims);
	for (size_t i = 0; i < options->claim_count; i++)
		(void)ca_claims_parse_option(options->claims[i], &claims); /* checked long ago */
	ca_claims_from_registers(registers, 0, &claims);
	return &claims;
}

/*
 * Random figures are taken one request at a time, and once more in a queue where one was asked for:
 * by the user, by a label that names its depth, by NVMe (a label's IOPS mean a queue), and by A2
 * where the queue runs. The card itself names the depth it needs for A2 (S 4.16.1.2).
 */
static uint32_t deep_queue(const struct ca_session *session, const struct ca_registers *registers)
{
	const struct ca_evidence *evidence = &session->certificate.evidence;
	const struct ca_claims *claims = read_claims(session, registers);
	bool queue_runs = evidence->speed.command_queue_on == CA_YES ||
			  (evidence->speed.command_queue_on == CA_UNKNOWN &&
			   evidence->origin != CA_ORIGIN_LIVE);
	uint32_t depth = evidence->device.media == CA_MEDIA_NVME ? NVME_DEPTH : 0;

	if (session->options->queue_depth)
		return session->options->queue_depth;
	for (size_t i = 0; i < claims->count; i++) {
		const struct ca_claim *claim = &claims->claims[i];

		if (claim->queue_depth > 1)
			return claim->queue_depth;
		if (claim->kind == CA_CLAIM_APP_CLASS && claim->value == 2 && queue_runs)
			depth = registers->has[CA_REGISTER_SSR] && registers->ssr.cq_depth
					? registers->ssr.cq_depth
					: A2_DEPTH_MAX;
	}
	return depth;
}

static void plan_windows(const struct ca_registers *registers, struct ca_speed_class_plan *plan)
{
	const struct ca_ssr *ssr = &registers->ssr;
	bool has_ssr = registers->has[CA_REGISTER_SSR] && !ssr->all_zero;
	uint64_t au = 0, vsc_au = 0;

	if (has_ssr) {
		au = ssr->uhs_au_bytes ? ssr->uhs_au_bytes : ssr->au_bytes;
		vsc_au = ssr->vsc_au_mib * CA_MIB;
		plan->su_bytes = ssr->vsc_su_mib * CA_MIB;
	}
	/* the least multiple of both */
	plan->align_bytes = vsc_au ? USUAL_AU_MULTIPLE / ca_gcd(USUAL_AU_MULTIPLE, vsc_au) * vsc_au
				   : USUAL_AU_MULTIPLE;
	plan->lead_bytes = au > vsc_au ? au : vsc_au;
	if (!plan->lead_bytes)
		plan->lead_bytes = 4 * CA_MIB;
	/* S 4.13.1: larger AUs are measured by 4 MB sub-units */
	plan->au_bytes = au && au < 4 * CA_MIB ? au : 4 * CA_MIB;
}

/* A command goes to no card that does not say it knows it. A simulated one needs no registers. */
static bool can_be_told(const struct ca_session *session, const struct ca_registers *registers)
{
	return session->kind == CA_TARGET_SIMULATED ||
	       (registers->has[CA_REGISTER_SCR] && registers->scr.cmd20);
}

static bool can_erase_in_full(const struct ca_session *session,
			      const struct ca_registers *registers)
{
	return session->options->full_erase &&
	       (session->kind == CA_TARGET_SIMULATED ||
		(registers->has[CA_REGISTER_SSR] && registers->ssr.fule_support));
}

static void plan_classes(const struct ca_session *session, const struct ca_registers *registers,
			 struct ca_speed_class_plan *ret_plan)
{
	bool full = session->certificate.profile == CA_PROFILE_FULL;
	uint64_t seconds = session->options->seconds ? session->options->seconds
			   : full		     ? RULE_SECONDS
						     : STANDARD_SECONDS;

	*ret_plan = (struct ca_speed_class_plan){
		.random_ns = seconds * CA_NS_PER_SECOND,
		.sequential_bytes = full ? RULE_SEQUENTIAL : STANDARD_SEQUENTIAL,
		.deep_queue = deep_queue(session, registers),
		.preconditioned_ppm = session->certificate.evidence.capacity.end == CA_FILL_COMPLETE
					      ? 1000000
					      : 0,
		.by_rule = full,
		.windows = session->options->windows,
		.announce = session->options->cmd20 && can_be_told(session, registers),
		.full_erase = can_erase_in_full(session, registers),
	};
	plan_windows(registers, ret_plan);
}

/* The random unit is written in full, and the sequential part too, where they fit. */
static uint64_t fitting(const struct ca_session *session, uint64_t bytes)
{
	uint64_t device_bytes = session->certificate.evidence.device.bytes;

	return bytes < device_bytes ? bytes : device_bytes;
}

/* Half of the runs of the matrix write; 256 MiB before, and as much twice over the addresses. */
static void survey_cost(const struct ca_session *session, struct ca_speed_cost *ret_cost)
{
	uint64_t range = fitting(session, RANDOM_UNIT_BYTES);

	*ret_cost = (struct ca_speed_cost){.moved_bytes = 3 * range, .written_bytes = 2 * range};
	if (!session->options->matrix)
		return;
	ret_cost->seconds = ca_session_survey_seconds(session);
	ret_cost->written_bytes += ret_cost->seconds / 2 * RULE_RATE;
}

void ca_session_speed_cost(struct ca_session *session, struct ca_speed_cost *ret_cost)
{
	static struct ca_registers registers; /* large; one run a process */
	const char *only = session->options->only;
	struct ca_speed_class_plan plan;
	struct ca_speed_cost cost = {0};
	uint64_t sequential, unit = fitting(session, RANDOM_UNIT_BYTES);

	if (session->options->matrix || session->options->like) {
		survey_cost(session, ret_cost);
		return;
	}
	ca_registers_decode(&session->certificate.evidence.registers, &registers);
	ca_session_note_conditions(session); /* a queue takes its own time */
	plan_classes(session, &registers, &plan);
	cost.seconds = plan.random_ns / CA_NS_PER_SECOND;
	sequential = fitting(session, only ? RULE_SEQUENTIAL : plan.sequential_bytes);
	if (!only && plan.by_rule) {
		uint64_t windows = plan.windows ? plan.windows : 1;
		uint64_t device = session->certificate.evidence.device.bytes;
		uint64_t recorded = fitting(session, 2 * sequential) < device / 4
					    ? fitting(session, 2 * sequential)
					    : device / 4;

		cost.written_bytes = windows * sequential + device / 4 * 3 + unit + recorded;
		cost.moved_bytes = cost.written_bytes + sequential;
		cost.seconds *= plan.deep_queue > 1 ? 4 : 2;
	} else if (!only) {
		cost.moved_bytes = 3 * sequential + unit;
		cost.written_bytes = 2 * sequential + unit;
		cost.seconds *= plan.deep_queue > 1 ? 4 : 2;
	} else if (strncmp(only, "random", 6) == 0) {
		cost.moved_bytes = cost.written_bytes = unit;
	} else {
		cost.moved_bytes = cost.written_bytes = sequential;
		cost.seconds = 0;
	}
	if (unit >= 4096)
		cost.written_bytes += cost.seconds * A2_WRITE_BYTES_PER_SECOND / (only ? 1 : 2);
	*ret_cost = cost;
}

int ca_session_speed_end(struct ca_session *session, int r, bool gone)
{
	struct ca_evidence *evidence = &session->certificate.evidence;

	ca_progress_done(&session->progress);
	evidence->speed.interrupted = ca_interrupted();
	if (gone) {
		evidence->capacity.end = CA_FILL_LOST;
		return CA_EXIT_DEVICE_LOST;
	}
	if (r == -ETIMEDOUT) /* said and noted */
		return CA_EXIT_DEVICE_LOST;
	if (r < 0) {
		ca_session_report_failure(session, "the speed measurement", r);
		return CA_EXIT_HOST_IO;
	}
	return 0;
}

/* What the thread of the phase works on: it may outlive the phase, and has its own results. */
static struct speed_phase {
	struct ca_session *session;
	struct ca_speed_options options;
	struct ca_speed_class_plan plan;
	struct ca_speed_evidence speed;
	bool gone;
} phase;

static int run_phase(struct ca_session *session, int (*run)(void *context))
{
	int r;

	phase.session = session;
	phase.options = ca_session_speed_options(session);
	phase.speed = session->certificate.evidence.speed;
	phase.gone = false;
	r = ca_session_run_phase(session, run, &phase);
	session->certificate.evidence.speed = phase.speed;
	return ca_session_speed_end(session, r, phase.gone);
}

static int run_classes(void *context)
{
	struct speed_phase *classes = context;

	return ca_speed_run_classes(classes->session->device, &classes->plan, &classes->options,
				    &classes->speed, &classes->gone);
}

static int run_erase(void *context)
{
	struct speed_phase *erase = context;

	return ca_speed_erase(erase->session->device, erase->plan.full_erase, &erase->options,
			      &erase->speed, &erase->gone);
}

int ca_session_erase(struct ca_session *session)
{
	static struct ca_registers registers; /* large; one run a process */
	int r = ca_session_recheck(session);

	if (r)
		return r;
	ca_registers_decode(&session->certificate.evidence.registers, &registers);
	phase.plan.full_erase = can_erase_in_full(session, &registers);
	return run_phase(session, run_erase);
}

int ca_session_speed_fresh(struct ca_session *session)
{
	static struct ca_registers registers; /* large; one run a process */
	int r = ca_session_recheck(session);

	if (r)
		return r;
	ca_registers_decode(&session->certificate.evidence.registers, &registers);
	ca_session_note_conditions(session);
	plan_classes(session, &registers, &phase.plan);
	phase.plan.by_rule = false;
	phase.plan.random_ns = STANDARD_SECONDS * CA_NS_PER_SECOND;
	return run_phase(session, run_classes);
}

int ca_session_speed_classes(struct ca_session *session)
{
	static struct ca_registers registers; /* large; one run a process */
	int r = ca_session_recheck(session);

	if (r)
		return r;
	ca_registers_decode(&session->certificate.evidence.registers, &registers);
	ca_session_note_conditions(session);
	plan_classes(session, &registers, &phase.plan);
	return run_phase(session, run_classes);
}

/* The random unit is written first: random writes are measured on what is in use. */
static int write_unit(struct ca_session *session, const struct ca_speed_options *options,
		      uint64_t bytes, bool *ret_written, bool *ret_gone)
{
	struct ca_speed_sequential_plan plan = {
		.write = true,
		.bytes = bytes,
		.request_bytes = 1 << 20,
		.queue_depth = 1,
	};
	struct ca_speed_sequential measured;
	int r;

	if (bytes < plan.request_bytes)
		plan.request_bytes = (uint32_t)bytes;
	r = ca_speed_sequential(session->device, &plan, options, &measured, ret_gone);
	if (r == 0)
		*ret_written = measured.errors == 0 && measured.total_bytes == bytes;
	return r;
}

static int only_random(struct ca_session *session, const struct ca_speed_options *options,
		       bool write, struct ca_speed_evidence *speed, bool *ret_gone)
{
	struct ca_speed_random_plan plan = {
		.write = write,
		.range_bytes = RANDOM_UNIT_BYTES,
		.block_bytes = 4096,
		.queue_depth = session->options->queue_depth ? session->options->queue_depth : 1,
		.duration_ns =
			(session->options->seconds ? session->options->seconds : STANDARD_SECONDS) *
			CA_NS_PER_SECOND,
	};
	bool written = false;
	int r = 0;

	if (plan.range_bytes > session->device->geometry.bytes)
		plan.range_bytes = session->device->geometry.bytes & ~(CA_MIB - 1);
	if (write)
		r = write_unit(session, options, plan.range_bytes, &written, ret_gone);
	if (r < 0 || *ret_gone)
		return r;
	r = ca_speed_random(session->device, &plan, options, &speed->random[0], ret_gone);
	if (r < 0)
		return r;
	speed->random[0].range_written = written;
	speed->random_count = 1;
	return 0;
}

static int only_sequential(struct ca_session *session, const struct ca_speed_options *options,
			   bool write, struct ca_speed_evidence *speed, bool *ret_gone)
{
	struct ca_speed_sequential_plan plan = {
		.write = write,
		.bytes = RULE_SEQUENTIAL,
		.request_bytes = 4 << 20,
		.queue_depth = session->options->queue_depth ? session->options->queue_depth : 1,
		.window_bytes = 4 * CA_MIB,
	};
	int r;

	if (plan.bytes > session->device->geometry.bytes)
		plan.bytes = session->device->geometry.bytes & ~(4 * CA_MIB - 1);
	r = ca_speed_sequential(session->device, &plan, options, &speed->sequential[0], ret_gone);
	speed->sequential_count = r == 0;
	return r;
}

static int run_only(void *context)
{
	struct speed_phase *only = context;
	const char *what = only->session->options->only;
	bool write = strstr(what, "write") != NULL;

	return strncmp(what, "random", 6) == 0 ? only_random(only->session, &only->options, write,
							     &only->speed, &only->gone)
					       : only_sequential(only->session, &only->options,
								 write, &only->speed, &only->gone);
}

int ca_session_speed_only(struct ca_session *session)
{
	int r = ca_session_recheck(session);

	if (r)
		return r;
	if (session->device->geometry.bytes < 4 * CA_MIB) {
		ca_report("%s is too small to measure: 4 MiB is the least.",
			  session->options->targets[0]);
		return CA_EXIT_USAGE;
	}
	ca_session_note_conditions(session);
	return run_phase(session, run_only);
}
