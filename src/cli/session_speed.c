/* SPDX-License-Identifier: BSD-2-Clause */
#include "session.h"

#include "cardassay/speed.h"

#include <string.h>

#define RANDOM_UNIT_BYTES   (256 * CA_MIB)  /* S 4.16.2: the random performance test unit */
#define RULE_SECONDS	    UINT64_C(600)   /* S 4.16.2: ten minutes */
#define STANDARD_SECONDS    UINT64_C(10)    /* standard screens */
#define RULE_SEQUENTIAL	    (1024 * CA_MIB) /* S 4.16.2: 1024 MB in 4 MB units */
#define STANDARD_SEQUENTIAL (256 * CA_MIB)

static int on_progress(void *context, const struct ca_speed_progress *progress)
{
	struct ca_session *session = context;
	bool timed = progress->operations > 0 && strncmp(progress->what, "random", 6) == 0;

	ca_progress_show(&session->progress, progress->what, progress->done, progress->total,
			 progress->elapsed_ns, progress->bytes, progress->operations, timed, 0);
	return ca_interrupted();
}

static struct ca_speed_options speed_options(struct ca_session *session)
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
static void note_conditions(struct ca_session *session)
{
	struct ca_evidence *evidence = &session->certificate.evidence;
	const struct ca_fact *cache = &evidence->host[CA_HOST_CACHE];
	const struct ca_fact *queue = &evidence->host[CA_HOST_COMMAND_QUEUE];
	bool simulated = session->kind == CA_TARGET_SIMULATED;

	evidence->speed.erased_before = CA_NO;
	evidence->speed.cache_on = simulated	     ? CA_NO
				   : !cache->present ? CA_UNKNOWN
				   : cache->number   ? CA_YES
						     : CA_NO;
	evidence->speed.command_queue_on = simulated	     ? CA_NO
					   : !queue->present ? CA_UNKNOWN
					   : queue->number   ? CA_YES
							     : CA_NO;
	evidence->speed.bypass_page_cache = session->kind == CA_TARGET_IMAGE ? CA_UNKNOWN : CA_YES;
}

static uint32_t queue_depth(const struct ca_session *session, const struct ca_registers *registers)
{
	const struct ca_evidence *evidence = &session->certificate.evidence;

	if (session->options->queue_depth)
		return session->options->queue_depth;
	/* The card itself names the depth it needs for A2 (S 4.16.1.2). */
	if (evidence->host[CA_HOST_COMMAND_QUEUE].present &&
	    evidence->host[CA_HOST_COMMAND_QUEUE].number && registers->has[CA_REGISTER_SSR] &&
	    registers->ssr.cq_depth)
		return registers->ssr.cq_depth;
	return 1;
}

/* Random figures at depth 32 too, where a label names IOPS but no depth (NVMe). */
static int nvme_depth_32(struct ca_session *session, const struct ca_speed_options *options,
			 uint64_t duration_ns, bool *ret_gone)
{
	struct ca_speed_evidence *speed = &session->certificate.evidence.speed;
	uint64_t range = RANDOM_UNIT_BYTES;

	if (range > session->device->geometry.bytes)
		range = session->device->geometry.bytes / 4096 * 4096;
	for (int write = 1; write >= 0 && !*ret_gone && !ca_interrupted(); write--) {
		struct ca_speed_random_plan plan = {
			.write = write != 0,
			.range_bytes = range,
			.block_bytes = 4096,
			.queue_depth = 32,
			.duration_ns = duration_ns,
		};
		int r;

		if (speed->random_count == CA_SPEED_MAX)
			return 0;
		r = ca_speed_random(session->device, &plan, options,
				    &speed->random[speed->random_count], ret_gone);
		if (r < 0)
			return r;
		speed->random[speed->random_count].preconditioned_ppm = 1000000;
		speed->random[speed->random_count++].range_written = true; /* by the fill */
	}
	return 0;
}

static void plan_classes(const struct ca_session *session, const struct ca_registers *registers,
			 struct ca_speed_class_plan *ret_plan)
{
	bool full = session->certificate.profile == CA_PROFILE_FULL;
	uint64_t seconds = session->options->seconds ? session->options->seconds
			   : full		     ? RULE_SECONDS
						     : STANDARD_SECONDS;
	const struct ca_ssr *ssr = &registers->ssr;
	bool has_ssr = registers->has[CA_REGISTER_SSR] && !ssr->all_zero;
	uint64_t au = 0;

	if (has_ssr)
		au = ssr->uhs_au_bytes ? ssr->uhs_au_bytes : ssr->au_bytes;
	if (au == 0 || au > 4 * CA_MIB) /* S 4.13.1: larger AUs are measured by 4 MB sub-units */
		au = 4 * CA_MIB;
	*ret_plan = (struct ca_speed_class_plan){
		.random_ns = seconds * CA_NS_PER_SECOND,
		.sequential_bytes = full ? RULE_SEQUENTIAL : STANDARD_SEQUENTIAL,
		.queue_depth = queue_depth(session, registers),
		.au_bytes = au,
		.su_bytes = has_ssr ? ssr->vsc_su_mib * CA_MIB : 0,
		.preconditioned_ppm = session->certificate.evidence.capacity.end == CA_FILL_COMPLETE
					      ? 1000000
					      : 0,
	};
}

static int end_of(struct ca_session *session, int r, bool gone)
{
	struct ca_evidence *evidence = &session->certificate.evidence;

	ca_progress_done(&session->progress);
	evidence->speed.interrupted = ca_interrupted();
	if (gone) {
		evidence->capacity.end = CA_FILL_LOST;
		return CA_EXIT_DEVICE_LOST;
	}
	if (r < 0) {
		ca_session_report_failure(session, "the speed measurement", r);
		return CA_EXIT_HOST_IO;
	}
	return 0;
}

int ca_session_speed_classes(struct ca_session *session)
{
	struct ca_evidence *evidence = &session->certificate.evidence;
	struct ca_speed_options options = speed_options(session);
	static struct ca_registers registers; /* large; one run a process */
	struct ca_speed_class_plan plan;
	bool gone = false;
	int r = ca_session_recheck(session);

	if (r)
		return r;
	ca_registers_decode(&evidence->registers, &registers);
	note_conditions(session);
	plan_classes(session, &registers, &plan);
	r = ca_speed_run_classes(session->device, &plan, &options, &evidence->speed, &gone);
	if (r == 0 && !gone && evidence->device.media == CA_MEDIA_NVME && plan.queue_depth == 1)
		r = nvme_depth_32(session, &options, plan.random_ns, &gone);
	return end_of(session, r, gone);
}

/* The random unit is written first, so that reads never hit unwritten flash. */
static int write_unit(struct ca_session *session, const struct ca_speed_options *options,
		      uint64_t offset, uint64_t bytes, bool *ret_gone)
{
	struct ca_speed_sequential_plan plan = {
		.write = true,
		.offset = offset,
		.bytes = bytes,
		.request_bytes = 1 << 20,
		.queue_depth = 1,
	};
	struct ca_speed_sequential ignored;

	if (bytes < plan.request_bytes)
		plan.request_bytes = (uint32_t)bytes;
	return ca_speed_sequential(session->device, &plan, options, &ignored, ret_gone);
}

static int only_random(struct ca_session *session, const struct ca_speed_options *options,
		       bool write, bool *ret_gone)
{
	struct ca_speed_evidence *speed = &session->certificate.evidence.speed;
	struct ca_speed_random_plan plan = {
		.write = write,
		.range_bytes = RANDOM_UNIT_BYTES,
		.block_bytes = 4096,
		.queue_depth = session->options->queue_depth ? session->options->queue_depth : 1,
		.duration_ns =
			(session->options->seconds ? session->options->seconds : STANDARD_SECONDS) *
			CA_NS_PER_SECOND,
	};
	int r = 0;

	if (plan.range_bytes > session->device->geometry.bytes)
		plan.range_bytes = session->device->geometry.bytes & ~(CA_MIB - 1);
	if (write)
		r = write_unit(session, options, 0, plan.range_bytes, ret_gone);
	if (r == 0 && !*ret_gone)
		r = ca_speed_random(session->device, &plan, options, &speed->random[0], ret_gone);
	if (r < 0)
		return r;
	speed->random[0].range_written = write;
	speed->random_count = 1;
	return 0;
}

static int only_sequential(struct ca_session *session, const struct ca_speed_options *options,
			   bool write, bool *ret_gone)
{
	struct ca_speed_evidence *speed = &session->certificate.evidence.speed;
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

int ca_session_speed_only(struct ca_session *session)
{
	const char *only = session->options->only;
	struct ca_speed_options options = speed_options(session);
	bool write = strstr(only, "write") != NULL;
	bool gone = false;
	int r = ca_session_recheck(session);

	if (r)
		return r;
	if (session->device->geometry.bytes < 4 * CA_MIB) {
		ca_report("%s is too small to measure: 4 MiB is the least.",
			  session->options->targets[0]);
		return CA_EXIT_USAGE;
	}
	note_conditions(session);
	r = strncmp(only, "random", 6) == 0 ? only_random(session, &options, write, &gone)
					    : only_sequential(session, &options, write, &gone);
	return end_of(session, r, gone);
}
