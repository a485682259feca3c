/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * histogram: latencies in bounded memory. 64 buckets an octave: no bucket is wider than 1.6 % of
 * its lower end; below 64 ns each value has its own.
 */
#ifndef CA_SPEED_HISTOGRAM_H
#define CA_SPEED_HISTOGRAM_H

#include "cardassay/evidence.h"

#define CA_HISTOGRAM_SUB_BITS 6U
#define CA_HISTOGRAM_OCTAVES                                                                       \
	38U /* up to 2^43 ns, more than two hours; longer ones share the last */
#define CA_HISTOGRAM_BUCKETS ((CA_HISTOGRAM_OCTAVES + 1U) << CA_HISTOGRAM_SUB_BITS)

struct ca_histogram {
	uint64_t count, max_ns;
	uint64_t buckets[CA_HISTOGRAM_BUCKETS];
};

void ca_histogram_add(struct ca_histogram *histogram, uint64_t ns);
/* Upper end of the bucket that holds the given share (permille x 1, 999 = 99.9 %), at most max. */
uint64_t ca_histogram_permille(const struct ca_histogram *histogram, unsigned int permille);
/* ret_octaves[i]: those of 2^i ns or longer and less than 2^(i + 1); the last holds all longer
 * ones. */
void ca_histogram_octaves(const struct ca_histogram *histogram,
			  uint64_t ret_octaves[CA_LATENCY_OCTAVES]);
void ca_histogram_summary(const struct ca_histogram *histogram, struct ca_latency *ret_latency);

#endif
