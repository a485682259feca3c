/* SPDX-License-Identifier: BSD-2-Clause */
/* Measurements as the rules want them, for the judge's tests. */
#ifndef CA_TEST_SPEED_CASE_H
#define CA_TEST_SPEED_CASE_H

#include "judge_case.h"

#define MINUTE (UINT64_C(60) * CA_NS_PER_SECOND)

/* 4 KiB over the rule's unit for ten minutes, one at a time. */
static inline struct ca_speed_random *add_random(struct judge_case *t, bool write,
						 uint64_t milliiops)
{
	struct ca_speed_evidence *speed = &t->evidence.speed;
	struct ca_speed_random *r = &speed->random[speed->random_count++];

	r->write = write;
	r->milliiops = milliiops;
	r->queue_depth = 1;
	r->range_bytes = 256 * CA_MIB;
	r->block_bytes = 4096;
	r->duration_ns = 10 * MINUTE;
	r->operations = milliiops * 600 / 1000 + 1;
	r->preconditioned_ppm = 750000;
	r->range_written = true;
	return r;
}

/* 1 GiB in 4 MiB requests over a written card. */
static inline struct ca_speed_sequential *add_sequential(struct judge_case *t, bool write,
							 uint64_t bytes_per_second)
{
	struct ca_speed_evidence *speed = &t->evidence.speed;
	struct ca_speed_sequential *s = &speed->sequential[speed->sequential_count++];

	s->write = write;
	s->bytes_per_second = bytes_per_second;
	s->request_bytes = 4 * CA_MIB;
	s->total_bytes = CA_GIB;
	s->duration_ns = MINUTE;
	s->queue_depth = 1;
	s->preconditioned_ppm = 1000000;
	return s;
}

/* By recording units, with the slowest window kept. */
static inline struct ca_speed_sequential *add_recording(struct judge_case *t, uint64_t average,
							uint64_t slowest, uint64_t window_bytes)
{
	struct ca_speed_sequential *s = add_sequential(t, true, average);

	s->request_bytes = 512 * CA_KIB;
	s->min_window_bytes_per_second = slowest;
	s->window_bytes = window_bytes;
	return s;
}

/* A simulated card: nothing of bus, host or flash stands between figure and limit. */
static inline void case_simulated(struct judge_case *t)
{
	t->evidence.origin = CA_ORIGIN_SIMULATED;
	t->evidence.speed.bypass_page_cache = CA_YES;
}

#endif
