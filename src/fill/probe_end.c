/* SPDX-License-Identifier: BSD-2-Clause */
#include "probe_job.h"

#include <errno.h>

/* Where readers' addresses end: 28 bits of sectors (ATA) and 32 (SCSI, SD). */
#define LIMIT_28 (UINT64_C(1) << 28)
#define LIMIT_32 (UINT64_C(1) << 32)

/* Errors over less than this, up to the end, can be one bad block of the card. */
#define ERRORS_APART (4 * CA_MIB)

/* So many lost samples of a hundred are no wear. */
#define LARGE_PERCENT 2U

/* Reads that tell whether a card that gave nothing but errors answers at all. */
#define PLACES_TRIED 8U

struct tally {
	uint64_t samples, good, lost, errors, stale, flips;
	uint64_t turns; /* changes between good and lost, going up */
	bool first_good, last_good, run_good;
	uint64_t good_distance; /* the largest at which something was good */
};

/* The run, put back, lies over a sample: it was overwritten, not lost. */
static void settle_places(struct ca_probe_job *job)
{
	for (size_t i = 0; i < job->count; i++) {
		struct ca_probe_place *place = &job->places[i];

		if (place->looked && ca_probe_is_lost(job, place->class_of) &&
		    !ca_probe_is_error(place->class_of) && ca_probe_is_under_run(job, place))
			place->class_of = CA_SECTOR_ALIAS;
	}
}

static void count_place(const struct ca_probe_job *job, const struct ca_probe_place *place,
			struct tally *tally)
{
	bool good = place->class_of == CA_SECTOR_GOOD;
	bool lost = ca_probe_is_lost(job, place->class_of);

	tally->samples++;
	tally->good += good;
	tally->errors += ca_probe_is_error(place->class_of);
	tally->lost += lost && !ca_probe_is_error(place->class_of);
	tally->stale += place->class_of == CA_SECTOR_STALE;
	tally->flips += place->class_of == CA_SECTOR_BITFLIP;
	tally->run_good = tally->run_good || (place->in_run && good);
	if (place->good_distance > tally->good_distance)
		tally->good_distance = place->good_distance;
	if (place->in_run || (!good && !lost))
		return;
	if (!tally->turns)
		tally->first_good = good;
	tally->turns += !tally->turns || good != tally->last_good;
	tally->last_good = good;
}

/* Of the places that were not planned: those of a search for an edge lie where it is looked for. */
static bool is_telling(const struct ca_probe_job *job, const struct ca_probe_place *place)
{
	if (place->in_run || ca_probe_is_error(place->class_of))
		return true;
	/* a chain may lose nothing but the last sectors below its modulus */
	return job->modulus && ca_probe_is_lost(job, place->class_of);
}

/* The planned places are in ascending order. */
static struct tally count_places(struct ca_probe_job *job)
{
	struct ca_probe_evidence *probe = job->probe;
	struct tally tally = {0};

	for (size_t i = 0; i < job->count; i++) {
		const struct ca_probe_place *place = &job->places[i];

		if (!place->looked || (i >= job->planned && !is_telling(job, place)))
			continue;
		count_place(job, place, &tally);
		probe->classes[place->class_of]++;
		probe->unstable_samples += place->unstable;
		probe->random_samples += place->random;
	}
	probe->samples = tally.samples;
	return tally;
}

/* Lost, good and lost again; the run is the beginning. */
static bool has_both_ends(const struct tally *tally)
{
	return tally->first_good ? tally->turns == 3 : tally->turns == 2 && tally->run_good;
}

static enum ca_capacity_kind kind_of_losses(const struct ca_probe_job *job,
					    const struct tally *tally, bool has_edge)
{
	bool is_large = tally->lost >= 3 && tally->lost * 100 >= LARGE_PERCENT * tally->samples;

	if (tally->stale == tally->lost && tally->good == 0)
		return CA_CAPACITY_KIND_WRITE_PROTECTED;
	/* nothing was good any more when other places were lost by then: age counts, not place */
	if (is_large && tally->good && tally->good_distance < job->shown_distance)
		return CA_CAPACITY_KIND_RING;
	if (has_edge)
		return CA_CAPACITY_KIND_LIMBO;
	if (!is_large)
		return CA_CAPACITY_KIND_DAMAGED;
	return has_both_ends(tally) ? CA_CAPACITY_KIND_REGIONS : CA_CAPACITY_KIND_ISLANDS;
}

/* `has_edge`: all above one address is bad, all below good. */
static enum ca_capacity_kind choose_kind(const struct ca_probe_job *job, const struct tally *tally,
					 bool has_edge, uint64_t most)
{
	bool aliased = job->probe->aliases && !job->one_block;

	/* it took what is good, and then not even that back */
	if (!aliased && tally->lost + tally->errors && job->refused > tally->good / 2)
		return CA_CAPACITY_KIND_WRITE_PROTECTED;
	if (aliased)
		return job->modulus ? (tally->lost ? CA_CAPACITY_KIND_CHAIN : CA_CAPACITY_KIND_WRAP)
		       : job->loss_before ? CA_CAPACITY_KIND_CHAIN
					  : CA_CAPACITY_KIND_WRAP;
	if (tally->lost)
		return kind_of_losses(job, tally, has_edge);
	if (tally->errors)
		return has_edge && tally->good && job->plan.bytes - most >= ERRORS_APART
			       ? CA_CAPACITY_KIND_ERRORS
			       : CA_CAPACITY_KIND_DAMAGED;
	return tally->flips ? CA_CAPACITY_KIND_DAMAGED : CA_CAPACITY_KIND_NONE;
}

static bool has_size(enum ca_capacity_kind kind)
{
	return kind == CA_CAPACITY_KIND_LIMBO || kind == CA_CAPACITY_KIND_WRAP ||
	       kind == CA_CAPACITY_KIND_CHAIN || kind == CA_CAPACITY_KIND_ERRORS;
}

static void find_size(const struct ca_probe_job *job, const struct tally *tally, bool has_edge,
		      uint64_t least, uint64_t most)
{
	struct ca_probe_evidence *probe = job->probe;

	if (!has_size(probe->kind))
		return;
	if (probe->kind == CA_CAPACITY_KIND_WRAP && job->modulus && !tally->lost) {
		least = job->modulus * CA_SECTOR_BYTES;
		most = least;
		has_edge = true;
	} else if (probe->kind == CA_CAPACITY_KIND_WRAP ||
		   (probe->kind == CA_CAPACITY_KIND_CHAIN && !job->modulus)) {
		return;
	}
	if (!has_edge)
		return;
	probe->real_least_bytes = least;
	probe->real_most_bytes = most;
	if (least != most)
		return;
	probe->has_real_capacity = true;
	probe->real_capacity_bytes = least;
	if (probe->kind != CA_CAPACITY_KIND_CHAIN &&
	    (least == LIMIT_28 * CA_SECTOR_BYTES || least == LIMIT_32 * CA_SECTOR_BYTES))
		probe->kind = CA_CAPACITY_KIND_HOST_LIMIT;
}

static uint32_t coverage_ppm(const struct ca_probe_job *job)
{
	uint64_t sectors = job->plan.bytes / CA_SECTOR_BYTES;
	uint64_t seen =
		job->run_forward / CA_SECTOR_BYTES + job->probe->samples * CA_PROBE_UNIT_SECTORS;

	if (seen > sectors)
		seen = sectors;
	return sectors ? (uint32_t)(seen * 1000000 / sectors) : 0; /* `seen` is below 2^22 */
}

static void describe(struct ca_probe_job *job)
{
	struct ca_probe_evidence *probe = job->probe;

	probe->sample_bytes = CA_PROBE_UNIT;
	probe->written_bytes = job->written;
	probe->run_bytes = job->run_forward;
	probe->step_bytes = probe->steps ? job->plan.step_bytes : 0;
	probe->modulus_bytes = job->modulus * CA_SECTOR_BYTES;
	/* without a modulus, what was put back elsewhere may lie over it as well */
	probe->cache_bytes = probe->aliases && !job->one_block && !job->modulus && !job->loss_before
				     ? 0
				     : job->hidden_distance;
	probe->cache_overrun_bytes =
		job->least_distance < job->run_forward ? job->least_distance : job->run_forward;
	probe->coverage_ppm = coverage_ppm(job);
	probe->elapsed_ns = ca_clock_now_ns(job->device->clock) - job->started_ns;
	probe->has_key = true;
	probe->key_bytes = (uint8_t)ca_pattern_key(job->pattern, probe->key);
	(void)ca_string_copy(probe->pattern, sizeof(probe->pattern),
			     ca_pattern_name(job->pattern)); /* our own words, fit */
}

/* Below the lowest error, or in each eighth of all. */
static bool answers_somewhere(struct ca_probe_job *job)
{
	uint64_t end = job->least_error ? job->least_error : job->plan.bytes;
	uint64_t units = end / job->sector_bytes;

	for (unsigned int i = 0; i < PLACES_TRIED && units && !job->lost; i++) {
		enum ca_io_status status;
		uint64_t unit = units / PLACES_TRIED * i + units % PLACES_TRIED / 2;

		if (ca_probe_read(job, unit * job->sector_bytes, job->sector_bytes, job->data,
				  &status) == 0 &&
		    status == CA_IO_OK)
			return true;
	}
	return false;
}

void ca_probe_conclude(struct ca_probe_job *job)
{
	struct ca_probe_evidence *probe = job->probe;
	uint64_t least = 0, most = 0;
	struct tally tally;
	bool has_edge;

	settle_places(job);
	has_edge = ca_probe_find_bracket(job, &least, &most);
	tally = count_places(job);
	describe(job);
	probe->kind = choose_kind(job, &tally, has_edge, most);
	find_size(job, &tally, has_edge, least, most);
	if (job->one_block) {
		probe->aliases = 0;
		probe->has_alias = false;
		probe->alias_offset = probe->alias_of_offset = 0;
		probe->classes[CA_SECTOR_NOISE] += probe->classes[CA_SECTOR_ALIAS];
		probe->classes[CA_SECTOR_ALIAS] = 0;
	}
	/* a card that answers nothing at all is no bad sector */
	if (!ca_probe_is_over(job) && tally.errors && tally.errors == tally.samples &&
	    !answers_somewhere(job))
		ca_probe_lose(job, CA_FILL_LOST, "reading", EIO, job->least_error);
	probe->end = ca_probe_is_over(job) ? job->end : CA_FILL_COMPLETE;
}
