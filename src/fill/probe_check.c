/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A cache that tells the truth for what was written last hides every loss until it is overrun. How
 * large it is shows only where something is lost: samples, above all those near the end, are looked
 * at after more and more traffic. Each of these looks takes samples that were not read before,
 * since a cache may keep what is read.
 */
#include "probe_job.h"

#define LADDER_PLACES 12U
#define RUN_CHECKS    96U

uint64_t ca_probe_overrun(const struct ca_probe_job *job)
{
	/* a quarter more, for caches that do not push out in the order of writing */
	return job->loss_seen ? job->shown_distance + job->shown_distance / 4 + CA_PROBE_TRAFFIC
			      : 0;
}

static void note_loss(struct ca_probe_job *job, struct ca_probe_place *place, uint64_t distance)
{
	if (!job->loss_seen || distance < job->shown_distance)
		job->shown_distance = distance;
	job->loss_seen = true;
	if (place->good_distance > job->hidden_distance)
		job->hidden_distance = place->good_distance;
}

int ca_probe_check_place(struct ca_probe_job *job, struct ca_probe_place *place)
{
	uint64_t distance = job->written - place->written_at;
	bool was_lost = place->looked && ca_probe_is_lost(job, place->class_of);
	bool was_bad = place->looked && place->class_of != CA_SECTOR_GOOD;
	struct ca_probe_look look;
	int r = ca_probe_look_at(job, place->offset, place->bytes, &look);

	if (r < 0 || job->lost)
		return r;
	job->one_block = job->one_block || look.one_block;
	if (look.class_of == CA_SECTOR_ALIAS)
		ca_probe_note_alias(job, place->offset, &look);
	place->looked = true;
	place->fresh = false;
	if (place->class_of != CA_SECTOR_ALIAS || !was_bad || job->one_block) {
		place->class_of = look.class_of; /* else it was overwritten, and stays so */
		place->first_lost = look.first_lost;
	}
	place->first_bad = look.first_bad;
	place->unstable =
		place->unstable || look.unstable || (was_lost && look.class_of == CA_SECTOR_GOOD);
	if (look.class_of != CA_SECTOR_GOOD && !was_bad)
		job->bad_samples++;
	if (look.class_of == CA_SECTOR_GOOD && distance > place->good_distance)
		place->good_distance = distance;
	if (ca_probe_is_error(look.class_of)) {
		job->errors += !was_bad;
		if (place->offset < job->least_error)
			job->least_error = place->offset;
	} else if (ca_probe_is_lost(job, place->class_of) && !ca_probe_is_under_run(job, place)) {
		note_loss(job, place, distance);
	}
	return 0;
}

int ca_probe_check_some(struct ca_probe_job *job)
{
	unsigned int taken = 0;
	int r = 0;

	for (size_t i = job->planned; r == 0 && i-- > 0 && taken == 0;)
		if (job->places[i].at_end && job->places[i].fresh) {
			r = ca_probe_check_place(job, &job->places[i]);
			taken++;
		}
	while (r == 0 && !ca_probe_is_over(job) && taken < LADDER_PLACES &&
	       job->ladder_next < job->planned) {
		size_t i = (size_t)ca_permutation_at(&job->order, job->ladder_next++);

		if (!job->places[i].fresh || job->places[i].offset < job->plan.bytes / 2)
			continue;
		r = ca_probe_check_place(job, &job->places[i]);
		taken++;
	}
	return r;
}

/* A loss was seen: once caches are overrun for all samples, which are lost, and from where on? */
static int follow_loss(struct ca_probe_job *job)
{
	int r;

	if (job->narrowed || job->written - job->samples_done < ca_probe_overrun(job))
		return 0;
	job->narrowed = true;
	r = ca_probe_check_all(job);
	return r < 0 ? r : ca_probe_narrow(job);
}

int ca_probe_flow(struct ca_probe_job *job)
{
	uint64_t begun = job->written, next = 0;
	int r = 0;

	ca_probe_phase_enter(job, CA_PROBE_PHASE_WRITE, ca_probe_traffic_left(job));
	while (r == 0 && !ca_probe_is_over(job)) {
		uint64_t since = job->written - begun, moved = 0;

		if (!job->loss_seen && since >= next) {
			r = ca_probe_check_some(job);
			next = since +
			       (since / 4 > CA_PROBE_TRAFFIC ? since / 4 : CA_PROBE_TRAFFIC);
		}
		if (r == 0 && job->loss_seen)
			r = follow_loss(job);
		since = job->written - begun;
		if (r == 0 && !ca_probe_is_over(job))
			r = ca_probe_traffic(job, next > since ? next - since : CA_PROBE_CHUNK,
					     &moved);
		if (r == 0 && moved == 0)
			break;
	}
	if (r == 0 && !ca_probe_is_over(job) && !job->loss_seen)
		r = ca_probe_check_some(job);
	return r;
}

int ca_probe_check_all(struct ca_probe_job *job)
{
	int r = ca_probe_settle(job);

	job->least_distance = UINT64_MAX;
	ca_probe_phase_enter(job, CA_PROBE_PHASE_CHECK, (uint64_t)job->planned * CA_PROBE_UNIT);
	for (uint64_t i = 0; r == 0 && i < job->planned && !ca_probe_is_over(job); i++) {
		struct ca_probe_place *place = &job->places[ca_permutation_at(&job->order, i)];

		ca_probe_advance_phase(job, place->bytes);
		if (!place->written || place->class_of == CA_SECTOR_UNWRITABLE)
			continue;
		if (job->written - place->written_at < job->least_distance)
			job->least_distance = job->written - place->written_at;
		r = ca_probe_check_place(job, place);
	}
	return r;
}

static int check_in_run(struct ca_probe_job *job, uint64_t offset, uint32_t bytes)
{
	struct ca_probe_place *place = ca_probe_add_place(job, offset, bytes);

	if (!place)
		return 0; /* there are enough of them */
	place->in_run = true;
	place->written_at = ca_probe_run_written_at(job, offset);
	return ca_probe_check_place(job, place);
}

/* Of its first half, which the second pushed out of smaller caches. */
int ca_probe_check_run(struct ca_probe_job *job)
{
	uint64_t units = job->run_forward / 2 / CA_PROBE_UNIT;
	int r = 0;

	ca_probe_phase_enter(job, CA_PROBE_PHASE_CHECK, RUN_CHECKS * (uint64_t)CA_PROBE_UNIT);
	for (unsigned int i = 0; r == 0 && units && i < RUN_CHECKS && !ca_probe_is_over(job); i++) {
		uint64_t unit = i ? ca_rng_below(&job->seed, units) : 0;

		ca_probe_advance_phase(job, CA_PROBE_UNIT);
		r = check_in_run(job, unit * CA_PROBE_UNIT, CA_PROBE_UNIT);
	}
	/* an error ended it: up to there it can be read and written */
	if (r == 0 && units && job->run_forward < job->plan.run_bytes && !ca_probe_is_over(job))
		r = check_in_run(job, job->run_forward - job->sector_bytes, job->sector_bytes);
	return r;
}
