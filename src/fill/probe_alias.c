/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Images of the run. It lies at addresses 0 to L of a card that announces A bytes; nothing was
 * written to the addresses looked at here, save for the samples, so whatever of this run is there
 * came by another address.
 *
 * Why steps of s <= L find a card of any modulus W < A (addresses taken modulo W):
 *   - L <= W. The addresses W to W + L are images of the run, one contiguous stretch. Either it
 * ends before A: then it is at least s long and holds a multiple of s. Or A cuts it: then the last
 *     sector of the card is in it, and that one is looked at too. The lowest image is in the first
 *     such stretch, at a distance of exactly W.
 *   - L > W. The run has overwritten itself and all residues hold some of it: every address at or
 *     above L is an image, at a distance that is a multiple of W; the greatest common divisor of
 *     them all is W.
 * It does not matter when a sample overwrote a part of the image, or was overwritten by it: that is
 * test data of this run too, at a distance that is a multiple of W.
 * What a write cache of c bytes still holds of the run has no image yet; the steps are no longer
 * than what surely left it, L - c, for c up to half of L (a quarter on the largest cards).
 *
 * A table that leads blocks to blocks has no modulus: there each look, at any place, hits an image
 * with the share that images have of all addresses, so some looks at random places are added.
 */
#include "probe_job.h"

#define ALIASES_ENOUGH 16U
#define PROOF_TRIES    24U
#define PRIME_TRIES    6U
#define HITS_LEAST     2U
#define ROUNDS	       16U

void ca_probe_note_alias(struct ca_probe_job *job, uint64_t offset,
			 const struct ca_probe_look *look)
{
	struct ca_probe_evidence *probe = job->probe;
	uint64_t distance = look->delta < 0 ? 0 - (uint64_t)look->delta : (uint64_t)look->delta;
	uint64_t found = look->alias_lba + (uint64_t)look->delta;

	if (!probe->has_alias || offset < probe->alias_offset) {
		probe->has_alias = true;
		probe->alias_offset = look->alias_lba * CA_SECTOR_BYTES;
		probe->alias_of_offset = found * CA_SECTOR_BYTES;
	}
	probe->aliases++;
	job->distances_gcd = ca_gcd(job->distances_gcd, distance);
	if (job->images++ == 0)
		job->same_lba = found;
	job->same_images += found == job->same_lba;
	job->last_found = found;
}

/* Looks at a place where nothing was written. */
static int peek(struct ca_probe_job *job, uint64_t offset, uint32_t bytes, bool *ret_alias)
{
	struct ca_probe_look look;
	struct ca_probe_place *place;
	int r = ca_probe_peek_at(job, offset, bytes, &look);

	*ret_alias = false;
	if (r < 0 || job->lost)
		return r;
	if (look.class_of == CA_SECTOR_ALIAS) {
		job->one_block = job->one_block || look.one_block;
		ca_probe_note_alias(job, offset, &look);
		*ret_alias = true;
	}
	if (look.class_of != CA_SECTOR_UNREADABLE)
		return 0;
	job->errors++;
	if (offset < job->least_error)
		job->least_error = offset;
	place = ca_probe_add_place(job, offset, bytes);
	if (place) { /* else there are enough of them */
		place->looked = true;
		place->class_of = CA_SECTOR_UNREADABLE;
		place->first_bad = ca_probe_fault_at(job, offset, bytes);
		place->first_lost = place->first_bad;
	}
	return 0;
}

/* ---- the modulus --------------------------------------------------------------------------- */

/* An address that is `residue` modulo `distance`, at or above the run; 0 = there is none. */
static uint64_t pick(struct ca_probe_job *job, uint64_t residue, uint64_t distance)
{
	uint64_t end = job->plan.bytes - job->sector_bytes;
	uint64_t low, high;

	if (residue > end)
		return 0;
	high = (end - residue) / distance;
	low = residue >= job->run_forward ? 1
					  : (job->run_forward - residue + distance - 1) / distance;
	if (low == 0)
		low = 1;
	if (low > high)
		return 0;
	return residue + (low + ca_rng_below(&job->seed, high - low + 1)) * distance;
}

/* A residue that surely has an image, if `distance` is the modulus, and an address for it. */
static uint64_t pick_residue(struct ca_probe_job *job, uint64_t distance)
{
	uint64_t limit = job->run_forward / 2;

	if (limit > distance)
		limit = distance;
	if (limit > job->plan.bytes - distance)
		limit = job->plan.bytes - distance;
	limit /= job->sector_bytes;
	return limit ? ca_rng_below(&job->seed, limit) * job->sector_bytes : 0;
}

struct count {
	unsigned int tried, images, hits;
};

/* Of a chain, much of what is tried is lost. */
static bool is_proof(const struct count *count)
{
	return count->hits >= HITS_LEAST && count->hits * 8 >= count->tried &&
	       count->hits * 8 >= count->images * 7;
}

/*
 * Looks at addresses `distance` apart from the run's; counts those that are images, and as they are
 * with this modulus: each address shows the newest of all that led to its cell, so that what they
 * hold lies within one modulus. By a table, older and newer parts of the run are mixed.
 */
static int count_images(struct ca_probe_job *job, uint64_t distance, unsigned int tries,
			struct count *ret_count)
{
	struct count count = {0};
	uint64_t found[PROOF_TRIES] = {0}, newest = 0;

	for (unsigned int i = 0; i < tries && !ca_probe_is_over(job); i++) {
		uint64_t at = pick(job, pick_residue(job, distance), distance);
		bool alias;
		int r;

		if (at == 0)
			continue;
		r = peek(job, at, job->sector_bytes, &alias);
		if (r < 0)
			return r;
		count.tried++;
		if (!alias)
			continue;
		found[count.images] = job->last_found * CA_SECTOR_BYTES;
		if (found[count.images] > newest)
			newest = found[count.images];
		count.images++;
	}
	for (unsigned int i = 0; i < count.images; i++)
		count.hits += newest - found[i] < distance;
	*ret_count = count;
	return 0;
}

/* Could the modulus be a part of the distances' divisor? An image there changes the divisor. */
static int try_parts(struct ca_probe_job *job)
{
	uint64_t left = job->distances_gcd, whole = left;
	struct count count;
	int r = 0;

	for (uint64_t p = 2; r == 0 && left > 1; p = p == 2 ? 3 : p + 2) {
		uint64_t distance;

		if (p > left / p)
			p = left;
		if (left % p)
			continue;
		while (left % p == 0)
			left /= p;
		distance = whole / p * CA_SECTOR_BYTES;
		if (distance % job->sector_bytes == 0)
			r = count_images(job, distance, PRIME_TRIES, &count);
		if (job->distances_gcd != whole || ca_probe_is_over(job))
			break;
	}
	return r;
}

/*
 * The divisor of all distances is the modulus if images lie where it says, and not where a part of
 * it would have them. Each image found on the way can only make the divisor smaller.
 */
static int prove_modulus(struct ca_probe_job *job)
{
	for (unsigned int i = 0; i < ROUNDS && !ca_probe_is_over(job); i++) {
		uint64_t sectors = job->distances_gcd;
		uint64_t distance = sectors * CA_SECTOR_BYTES;
		struct count count;
		int r;

		if (sectors == 0 || distance >= job->plan.bytes || distance % job->sector_bytes)
			return 0;
		r = count_images(job, distance, PROOF_TRIES, &count);
		if (r == 0 && job->distances_gcd == sectors)
			r = try_parts(job);
		if (r < 0)
			return r;
		if (job->distances_gcd != sectors)
			continue;
		if (is_proof(&count))
			job->modulus = sectors;
		return 0;
	}
	return 0;
}

/* Always one and the same sector, however far apart the places: no modulus, but nothing there. */
static bool is_always_same(const struct ca_probe_job *job)
{
	return job->images >= 4 && job->same_images == job->images;
}

/* ---- looking ------------------------------------------------------------------------------- */

static bool is_enough(const struct ca_probe_job *job)
{
	return job->images >= ALIASES_ENOUGH;
}

static int look_at_end(struct ca_probe_job *job)
{
	unsigned int looked = 0;
	int r = 0;

	for (size_t i = job->planned; r == 0 && i-- > 0 && looked < 4 && !ca_probe_is_over(job);) {
		struct ca_probe_place *place = &job->places[i];

		if (!place->at_end || !place->written || place->class_of == CA_SECTOR_UNWRITABLE)
			continue;
		r = ca_probe_check_place(job, place);
		looked++;
	}
	return r;
}

static int look_by_steps(struct ca_probe_job *job)
{
	uint64_t step = job->plan.step_bytes;
	bool alias;
	int r = 0;

	if (step == 0 || job->run_forward == 0)
		return 0;
	for (uint64_t at = (job->run_forward + step - 1) / step * step;
	     r == 0 && at + CA_PROBE_UNIT <= job->plan.bytes && !ca_probe_is_over(job) &&
	     !is_enough(job);
	     at += step) {
		if (job->errors >= ALIASES_ENOUGH && at > job->least_error)
			break; /* each of them can cost seconds, and the edge is found otherwise */
		r = peek(job, at, CA_PROBE_UNIT, &alias);
		job->probe->steps++;
		ca_probe_advance_phase(job, step);
	}
	return r;
}

static int look_at_random(struct ca_probe_job *job)
{
	uint64_t units = (job->plan.bytes - job->run_forward) / CA_PROBE_UNIT;
	bool alias;
	int r = 0;

	for (uint64_t i = 0; r == 0 && units && i < job->plan.extra_looks &&
			     !ca_probe_is_over(job) && !is_enough(job);
	     i++) {
		uint64_t at = job->run_forward + ca_rng_below(&job->seed, units) * CA_PROBE_UNIT;

		if (job->errors >= ALIASES_ENOUGH && at > job->least_error)
			continue;
		r = peek(job, at, CA_PROBE_UNIT, &alias);
		job->probe->steps++;
		ca_probe_advance_phase(job, CA_PROBE_UNIT);
	}
	return r;
}

int ca_probe_find_images(struct ca_probe_job *job)
{
	int r = ca_probe_settle(job);

	job->images = 0;
	job->same_images = 0;
	ca_probe_phase_enter(job, CA_PROBE_PHASE_LOOK,
			     job->plan.bytes + job->plan.extra_looks * CA_PROBE_UNIT);
	if (r == 0)
		r = look_by_steps(job);
	if (r == 0)
		r = look_at_end(job);
	if (r == 0 && job->images == 0)
		r = look_at_random(job);
	job->one_block = job->one_block || is_always_same(job);
	if (r == 0 && !job->one_block && !ca_probe_is_over(job))
		r = prove_modulus(job);
	return r;
}
