/* SPDX-License-Identifier: BSD-2-Clause */
#include "histogram.h"

#include <string.h>

#define SUB_COUNT (1U << CA_HISTOGRAM_SUB_BITS)

static unsigned int bucket_of(uint64_t ns)
{
	unsigned int top, shift, bucket;

	if (ns < SUB_COUNT)
		return (unsigned int)ns;
	top = 63U - (unsigned int)__builtin_clzll(ns);
	shift = top - CA_HISTOGRAM_SUB_BITS;
	/* ns >> shift lies in [64, 128): its octave begins at (shift + 1) x 64 */
	bucket = shift * SUB_COUNT + (unsigned int)(ns >> shift);
	return bucket < CA_HISTOGRAM_BUCKETS ? bucket : CA_HISTOGRAM_BUCKETS - 1;
}

/* The largest value that falls into the bucket. */
static uint64_t bucket_end(unsigned int bucket)
{
	unsigned int shift;

	if (bucket < 2 * SUB_COUNT)
		return bucket;
	shift = bucket / SUB_COUNT - 1;
	return ((uint64_t)(bucket % SUB_COUNT + SUB_COUNT + 1) << shift) - 1;
}

void ca_histogram_add(struct ca_histogram *histogram, uint64_t ns)
{
	histogram->count++;
	histogram->buckets[bucket_of(ns)]++;
	if (ns > histogram->max_ns)
		histogram->max_ns = ns;
}

uint64_t ca_histogram_permille(const struct ca_histogram *histogram, unsigned int permille)
{
	/* the smallest rank that covers the share, rounded up; split so that it cannot overflow */
	uint64_t rank = histogram->count / 1000 * permille +
			(histogram->count % 1000 * permille + 999) / 1000;
	uint64_t seen = 0;

	for (unsigned int i = 0; i < CA_HISTOGRAM_BUCKETS; i++) {
		seen += histogram->buckets[i];
		if (seen >= rank && seen > 0)
			return i + 1 < CA_HISTOGRAM_BUCKETS && bucket_end(i) < histogram->max_ns
				       ? bucket_end(i)
				       : histogram->max_ns;
	}
	return 0;
}

void ca_histogram_octaves(const struct ca_histogram *histogram,
			  uint64_t ret_octaves[CA_LATENCY_OCTAVES])
{
	uint64_t octaves[CA_LATENCY_OCTAVES] = {0};

	for (unsigned int i = 0; i < CA_HISTOGRAM_BUCKETS; i++) {
		uint64_t end = bucket_end(i);
		/* no bucket lies in two octaves; 0 ns counts as 1 */
		unsigned int octave = end ? 63U - (unsigned int)__builtin_clzll(end) : 0;

		octave = octave < CA_LATENCY_OCTAVES ? octave : CA_LATENCY_OCTAVES - 1;
		octaves[octave] += histogram->buckets[i];
	}
	memcpy(ret_octaves, octaves, sizeof(octaves));
}

void ca_histogram_summary(const struct ca_histogram *histogram, struct ca_latency *ret_latency)
{
	*ret_latency = (struct ca_latency){
		.p50_ns = ca_histogram_permille(histogram, 500),
		.p99_ns = ca_histogram_permille(histogram, 990),
		.p999_ns = ca_histogram_permille(histogram, 999),
		.max_ns = histogram->max_ns,
	};
}
