/* SPDX-License-Identifier: BSD-2-Clause */
#include "probe_job.h"

#include <errno.h>

#define ROUNDS	    12U
#define PLACES_FEW  48U
#define PLACES_MANY 256U
#define APART	    48U
#define LARGE_CACHE (4 * CA_MIB) /* traffic is dearer than places then */

uint64_t ca_probe_fold(const struct ca_probe_job *job, uint64_t offset)
{
	return job->modulus ? offset % (job->modulus * CA_SECTOR_BYTES) : offset;
}

bool ca_probe_is_under_run(const struct ca_probe_job *job, const struct ca_probe_place *place)
{
	return job->modulus && !place->in_run &&
	       ca_probe_fold(job, place->offset) < job->run_forward;
}

/* Beside many lost places, a few that give errors are bad pages, and no end. */
static bool has_bad_pages(const struct ca_probe_job *job)
{
	uint64_t lost = 0, errors = 0;

	for (size_t i = 0; i < job->count; i++) {
		const struct ca_probe_place *place = &job->places[i];
		bool error = ca_probe_is_error(place->class_of);

		errors += place->looked && error;
		lost += place->looked && !error && ca_probe_is_lost(job, place->class_of);
	}
	return lost > 8 * errors;
}

/*
 * Writes in a row may have a cache of their own, larger than the one that samples were lost behind.
 * So what is good in the run behind all that is lost in it may only be the newest. No modulus: else
 * it is another lap.
 */
static uint64_t memory_from(const struct ca_probe_job *job)
{
	uint64_t first = UINT64_MAX, last = UINT64_MAX, good = UINT64_MAX;

	for (size_t i = 0; i < job->count && !job->modulus; i++) {
		const struct ca_probe_place *place = &job->places[i];

		if (!place->in_run || !place->looked)
			continue;
		if (place->class_of == CA_SECTOR_GOOD && place->offset < good)
			good = place->offset;
		if (!ca_probe_is_lost(job, place->class_of))
			continue;
		if (place->offset < first)
			first = place->offset;
		if (last == UINT64_MAX || place->offset > last)
			last = place->offset;
	}
	return good < first ? last : UINT64_MAX;
}

/* Good; or overwritten, where the distance of that is known: it takes cells to do so. */
static bool is_there(const struct ca_probe_job *job, const struct ca_probe_place *place)
{
	if (place->class_of == CA_SECTOR_GOOD)
		return true;
	return job->modulus && !job->one_block && place->class_of == CA_SECTOR_ALIAS &&
	       place->first_lost == UINT32_MAX;
}

/* *ret_first: from which byte of it on. */
static bool is_lost_from(const struct ca_probe_job *job, const struct ca_probe_place *place,
			 uint32_t *ret_first)
{
	bool is_partly = job->modulus && !job->one_block && place->first_lost != UINT32_MAX;

	*ret_first = is_partly ? place->first_lost : place->first_bad;
	return is_partly ? place->class_of != CA_SECTOR_BITFLIP
			 : ca_probe_is_lost(job, place->class_of);
}

bool ca_probe_find_bracket(const struct ca_probe_job *job, uint64_t *ret_least, uint64_t *ret_most)
{
	uint64_t least = 0, most = UINT64_MAX;
	bool bad_pages = has_bad_pages(job);
	uint64_t memory = memory_from(job);

	for (size_t i = 0; i < job->count; i++) {
		const struct ca_probe_place *place = &job->places[i];
		uint64_t at = ca_probe_fold(job, place->offset);
		uint64_t good_end = 0;
		uint32_t first;

		if (!place->looked || ca_probe_is_under_run(job, place) ||
		    (place->in_run && place->offset > memory) ||
		    (bad_pages && ca_probe_is_error(place->class_of)) ||
		    (job->modulus && at + place->bytes > job->modulus * CA_SECTOR_BYTES))
			continue;
		if (is_there(job, place)) {
			good_end = at + place->bytes;
		} else if (is_lost_from(job, place, &first)) {
			good_end = first ? at + first : 0;
			if (at + first < most)
				most = at + first;
		}
		if (good_end > least)
			least = good_end;
	}
	if (most == UINT64_MAX || least > most)
		return false;
	*ret_least = least;
	*ret_most = most;
	return true;
}

/* New places, evenly between the two; all of the sectors where there are few. */
static int add_places(struct ca_probe_job *job, uint64_t least, uint64_t most)
{
	uint64_t sectors = (most - least) / job->sector_bytes;
	uint64_t many = ca_probe_overrun(job) > LARGE_CACHE ? PLACES_MANY : PLACES_FEW;
	size_t first = job->count;
	int r = 0;

	if (many > sectors)
		many = sectors;
	for (uint64_t i = 0; i < many; i++) {
		uint64_t offset = least + (sectors / many * i + sectors % many * i / many) *
						  job->sector_bytes;
		size_t record;

		if (ca_journal_find(job->journal, offset, &record))
			continue;
		if (!ca_probe_add_place(job, offset, job->sector_bytes))
			break;
	}
	for (size_t i = first; r == 0 && i < job->count && !ca_probe_is_over(job); i++)
		r = ca_probe_save_place(job, &job->places[i]);
	if (r == 0)
		r = ca_journal_sync(job->journal);
	for (size_t i = first; r == 0 && i < job->count && !ca_probe_is_over(job); i++)
		r = ca_probe_write_place(job, &job->places[i]);
	return r;
}

/*
 * Inside the run, as long as it is there, nothing need be written: its sectors are looked at, those
 * that are old enough to have left a cache. False: the bracket lies elsewhere.
 */
static bool add_run_places(struct ca_probe_job *job, uint64_t least, uint64_t most)
{
	uint64_t end = job->run_forward, old = job->written - ca_probe_run_written_at(job, 0);
	uint64_t sectors, many = PLACES_FEW;

	if (job->may_go_back || job->run_left != job->run_forward || old < ca_probe_overrun(job))
		return false;
	/* the sector at `offset` is old - offset bytes old */
	if (end > old - ca_probe_overrun(job))
		end = old - ca_probe_overrun(job);
	end -= end % job->sector_bytes;
	if (most < end)
		end = most;
	if (least >= end)
		return false;
	sectors = (end - least) / job->sector_bytes;
	if (many > sectors)
		many = sectors;
	for (uint64_t i = 0; i < many; i++) {
		uint64_t step = i + 1 < many || many == 1
					? sectors / many * i + sectors % many * i / many
					: sectors - 1;
		struct ca_probe_place *place = ca_probe_add_place(
			job, least + step * job->sector_bytes, job->sector_bytes);

		if (!place)
			return false;
		place->in_run = true;
		place->written_at = ca_probe_run_written_at(job, place->offset);
	}
	return true;
}

/* Below a short run every address was written; above, the place is saved and written now. */
static struct ca_probe_place *add_below_modulus(struct ca_probe_job *job, int *ret_result)
{
	uint64_t offset = job->modulus * CA_SECTOR_BYTES - job->sector_bytes;
	struct ca_probe_place *place;
	size_t record;

	*ret_result = 0;
	if (job->may_go_back ? ca_journal_find(job->journal, offset, &record)
			     : offset >= job->run_forward)
		return NULL;
	place = ca_probe_add_place(job, offset, job->sector_bytes);
	if (!place)
		return NULL;
	if (!job->may_go_back) {
		place->in_run = true;
		place->written_at = ca_probe_run_written_at(job, place->offset);
		return place;
	}
	*ret_result = ca_probe_save_place(job, place);
	if (*ret_result == 0)
		*ret_result = ca_journal_sync(job->journal);
	if (*ret_result == 0 && !ca_probe_is_over(job))
		*ret_result = ca_probe_write_place(job, place);
	return place;
}

/* How long a cache would hide it is not known: it is looked at after more and more traffic. */
int ca_probe_ask_below_modulus(struct ca_probe_job *job)
{
	uint64_t traffic = ca_probe_traffic_left(job) / 2, next = CA_PROBE_TRAFFIC;
	struct ca_probe_place *place;
	uint64_t from;
	int r;

	if (job->modulus * CA_SECTOR_BYTES % job->sector_bytes)
		return 0;
	place = add_below_modulus(job, &r);
	from = job->written;
	while (r == 0 && place && (place->in_run || place->written) && !ca_probe_is_over(job) &&
	       place->class_of != CA_SECTOR_UNWRITABLE) {
		uint64_t moved = 0;

		r = ca_probe_settle(job);
		if (r == 0)
			r = ca_probe_check_place(job, place);
		if (r < 0 || place->in_run || place->class_of != CA_SECTOR_GOOD || next > traffic)
			break;
		while (r == 0 && job->written - from < next && !ca_probe_is_over(job)) {
			r = ca_probe_traffic(job, next - (job->written - from), &moved);
			if (moved == 0)
				return r;
		}
		next *= 2;
	}
	return r;
}

static int overrun_cache(struct ca_probe_job *job)
{
	uint64_t from = job->written, distance = ca_probe_overrun(job);
	int r = distance ? ca_probe_write_apart(job, APART) : 0;

	while (r == 0 && job->written - from < distance && !ca_probe_is_over(job)) {
		uint64_t moved = 0;

		r = ca_probe_traffic(job, distance - (job->written - from), &moved);
		if (r == 0 && moved == 0)
			return -EAGAIN;
	}
	return r;
}

static int check_from(struct ca_probe_job *job, size_t first)
{
	size_t count = job->count - first;
	struct ca_permutation order;
	int r = ca_probe_settle(job);

	if (count)
		ca_permutation_init(&order, count, ca_rng_next(&job->seed));
	for (size_t i = 0; r == 0 && i < count && !ca_probe_is_over(job); i++) {
		struct ca_probe_place *place =
			&job->places[first + (size_t)ca_permutation_at(&order, i)];

		if ((place->written || place->in_run) && place->class_of != CA_SECTOR_UNWRITABLE)
			r = ca_probe_check_place(job, place);
	}
	return r;
}

/* The run is put back by now: its places hold the card's own data. */
int ca_probe_check_written(struct ca_probe_job *job)
{
	int r = ca_probe_settle(job);

	for (size_t i = job->planned; r == 0 && i < job->count && !ca_probe_is_over(job); i++)
		if (job->places[i].written && job->places[i].class_of != CA_SECTOR_UNWRITABLE)
			r = ca_probe_check_place(job, &job->places[i]);
	return r;
}

int ca_probe_narrow(struct ca_probe_job *job)
{
	uint64_t least, most;

	for (unsigned int i = 0; i < ROUNDS && !ca_probe_is_over(job); i++) {
		size_t first = job->count;
		int r;

		if (!ca_probe_find_bracket(job, &least, &most) || most == least)
			return 0;
		if (add_run_places(job, least, most)) {
			r = check_from(job, first);
			if (r < 0)
				return r;
			continue;
		}
		if (ca_probe_traffic_left(job) < ca_probe_overrun(job))
			return 0;
		r = add_places(job, least, most);
		if (r == 0 && job->count == first)
			return 0;
		if (r == 0)
			r = overrun_cache(job);
		if (r == -EAGAIN)
			return 0; /* the new places say nothing */
		if (r == 0)
			r = check_from(job, first);
		if (r < 0)
			return r;
	}
	return 0;
}
