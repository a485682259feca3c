/* SPDX-License-Identifier: BSD-2-Clause */
/* What a run takes from outside besides the card: entropy and the wall clock. */
#include "host_facts.h"

#include "cardassay/host.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/random.h>
#include <time.h>

/* 2025-01-01: a clock before this was never set (boards without a battery start in the past). */
#define NOT_BEFORE UINT64_C(1735689600)

int ca_host_entropy(void *ret_bytes, size_t bytes)
{
	size_t done = 0;

	while (done < bytes) {
		ssize_t got = getrandom((char *)ret_bytes + done, bytes - done, 0);

		if (got < 0 && errno != EINTR)
			return -errno;
		if (got > 0)
			done += (size_t)got;
	}
	return 0;
}

uint64_t ca_host_wall_seconds(bool *ret_trusted)
{
	const char *epoch = getenv("SOURCE_DATE_EPOCH");
	time_t now = time(NULL);
	uint64_t seconds = now > 0 ? (uint64_t)now : 0;

	/* Given from outside, for certificates that must come out the same again. */
	if (epoch && ca_parse_u64(epoch, INT64_MAX, &seconds) == 0) {
		*ret_trusted = false;
		return seconds;
	}
	*ret_trusted = ca_host_facts_is_clock_synchronised() || seconds >= NOT_BEFORE;
	return seconds;
}
