/* SPDX-License-Identifier: BSD-2-Clause */
#include "cardassay/base.h"

#include <time.h>

static uint64_t real_now(struct ca_clock *clock)
{
	struct timespec now;

	(void)clock;
	(void)clock_gettime(CLOCK_MONOTONIC, &now); /* cannot fail with a valid clock id */
	return (uint64_t)now.tv_sec * CA_NS_PER_SECOND + (uint64_t)now.tv_nsec;
}

struct ca_clock *ca_clock_real(void)
{
	static struct ca_clock clock = {.now_ns = real_now};

	return &clock;
}

static uint64_t virtual_now(struct ca_clock *clock)
{
	/* ca_clock is the first member */
	return ((struct ca_clock_virtual *)clock)->ns;
}

void ca_clock_virtual_init(struct ca_clock_virtual *clock)
{
	clock->clock.now_ns = virtual_now;
	clock->ns = 0;
}
