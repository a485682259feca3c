/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Makes or checks the pattern in memory and does nothing else: for counting instructions, and for
 * the speed of one core.
 *
 *   pattern_cost aes|chacha20 generate|check MIB
 */
#include "cardassay/fill.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static uint64_t cpu_ns(void)
{
	struct timespec now = {0};

	(void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now); /* every kernel has it */
	return (uint64_t)now.tv_sec * CA_NS_PER_SECOND + (uint64_t)now.tv_nsec;
}

/* Chunk after chunk, as a run does. Checking reads one chunk again and again: it is intact. */
static bool work(struct ca_pattern *pattern, bool check, unsigned long mib, uint8_t *chunk)
{
	const uint64_t sectors = CA_MIB / CA_SECTOR_BYTES;
	bool intact = true;

	for (unsigned long i = 0; i < mib; i++) {
		if (check)
			intact &= ca_pattern_is_intact(pattern, 0, sectors, chunk);
		else
			ca_pattern_generate(pattern, i * sectors, sectors, chunk);
	}
	return intact;
}

int main(int argc, char **argv)
{
	static const uint8_t secret[CA_SECRET_BYTES] = {1}, run[16] = {2}, device[16] = {3};
	static uint8_t chunk[CA_MIB];
	struct ca_pattern *pattern;
	unsigned long mib;
	uint64_t before;
	bool check;

	if (argc != 4)
		return 64;
	check = strcmp(argv[2], "check") == 0;
	mib = strtoul(argv[3], NULL, 10);
	if (ca_pattern_new(secret, run, device, 0,
			   strcmp(argv[1], "aes") ? CA_CIPHER_CHACHA20 : CA_CIPHER_AES128,
			   &pattern) < 0)
		return 70;
	if (check)
		ca_pattern_generate(pattern, 0, CA_MIB / CA_SECTOR_BYTES, chunk);
	before = cpu_ns();
	if (!work(pattern, check, mib, chunk))
		return 1;
	printf("%lu MB/s\n", (unsigned long)(mib * CA_MIB * 1000 / (cpu_ns() - before + 1)));
	ca_pattern_free(pattern);
	return 0;
}
