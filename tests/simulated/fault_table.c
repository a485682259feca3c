/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The fault table: each way a card misbehaves, and the genuine cards that look like one, filled and
 * read back. What the run must say is written beside it.
 */
#include "cardassay/fill.h"
#include "cardassay/host.h"

#include <check.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define NO_SIZE UINT64_MAX
#define ANY	UINT64_MAX
#define MIB	(UINT64_C(2048)) /* sectors */
#define GIB	(1024 * MIB)

static const struct card {
	const char *name, *spec;
	bool map_all;
	enum ca_fill_end end;
	enum ca_capacity_kind kind;
	uint64_t real; /* sectors, NO_SIZE: none */
	enum ca_sector_class class_of;
	uint64_t class_sectors; /* of that class, ANY: at least one */
	uint64_t most_written;	/* sectors, ANY: no bound */
} cards[] = {
	/* genuine */
	{"one sector", "announced=512", false, CA_FILL_COMPLETE, CA_CAPACITY_KIND_SOUND, 1,
	 CA_SECTOR_GOOD, 1, ANY},
	{"seven sectors", "announced=3584", false, CA_FILL_COMPLETE, CA_CAPACITY_KIND_SOUND, 7,
	 CA_SECTOR_GOOD, 7, ANY},
	{"odd size", "announced=134743552", false, CA_FILL_COMPLETE, CA_CAPACITY_KIND_SOUND, 263171,
	 CA_SECTOR_GOOD, 263171, ANY},
	{"4096-byte sectors", "announced=100003840,sector=4096", false, CA_FILL_COMPLETE,
	 CA_CAPACITY_KIND_SOUND, 195320, CA_SECTOR_GOOD, 195320, ANY},
	{"queue of 32 and a cache", "announced=256M,queue-depth=32,cache=8M", false,
	 CA_FILL_COMPLETE, CA_CAPACITY_KIND_SOUND, 256 * MIB, CA_SECTOR_GOOD, 256 * MIB, ANY},
	/* limbo */
	{"limbo, zeros", "announced=1G,real=100M,kind=limbo,limbo=zeros", false, CA_FILL_PROOF,
	 CA_CAPACITY_KIND_LIMBO, 100 * MIB, CA_SECTOR_ZEROS, 28 * MIB, 128 * MIB},
	{"limbo, ones, odd end", "announced=1G,real=102400512,kind=limbo,limbo=ones", false,
	 CA_FILL_PROOF, CA_CAPACITY_KIND_LIMBO, 200001, CA_SECTOR_ONES, 262144 - 200001, 128 * MIB},
	{"limbo, noise", "announced=1G,real=150M,kind=limbo,limbo=noise", false, CA_FILL_PROOF,
	 CA_CAPACITY_KIND_LIMBO, 150 * MIB, CA_SECTOR_NOISE, 106 * MIB, 256 * MIB},
	{"limbo, last block", "announced=1G,real=150M,kind=limbo,limbo=last", false, CA_FILL_PROOF,
	 CA_CAPACITY_KIND_LIMBO, 150 * MIB, CA_SECTOR_ALIAS, 106 * MIB, 256 * MIB},
	{"limbo, last block, whole map", "announced=256M,real=50M,kind=limbo,limbo=last", true,
	 CA_FILL_COMPLETE, CA_CAPACITY_KIND_LIMBO, 50 * MIB, CA_SECTOR_ALIAS, 206 * MIB, ANY},
	{"limbo behind a cache", "announced=1G,real=100M,kind=limbo,cache=16M", false,
	 CA_FILL_PROOF, CA_CAPACITY_KIND_LIMBO, 100 * MIB, CA_SECTOR_ZEROS, ANY, 256 * MIB},
	{"limbo behind a cache, whole map",
	 "announced=512M,real=100M,kind=limbo,limbo=noise,cache=32M", true, CA_FILL_COMPLETE,
	 CA_CAPACITY_KIND_LIMBO, 100 * MIB, CA_SECTOR_NOISE, 380 * MIB, ANY},
	{"limbo, 4096-byte sectors", "announced=512M,real=98304000,kind=limbo,sector=4096", false,
	 CA_FILL_PROOF, CA_CAPACITY_KIND_LIMBO, 192000, CA_SECTOR_ZEROS, ANY, 256 * MIB},
	{"almost honest", "announced=256M,real=250M,kind=limbo", false, CA_FILL_COMPLETE,
	 CA_CAPACITY_KIND_LIMBO, 250 * MIB, CA_SECTOR_ZEROS, 6 * MIB, ANY},
	/* wrap */
	{"wrap, power of two", "announced=1G,real=64M,kind=wrap", false, CA_FILL_PROOF,
	 CA_CAPACITY_KIND_WRAP, 64 * MIB, CA_SECTOR_ALIAS, 64 * MIB, 128 * MIB},
	{"wrap, 1000007 sectors", "announced=4G,real=512003584,kind=wrap", false, CA_FILL_PROOF,
	 CA_CAPACITY_KIND_WRAP, 1000007, CA_SECTOR_GOOD, 1000007, 512 * MIB},
	{"wrap, W between R and 2R", "announced=200M,real=157286912,kind=wrap", false,
	 CA_FILL_COMPLETE, CA_CAPACITY_KIND_WRAP, 307201, CA_SECTOR_ALIAS, 200 * MIB - 307201, ANY},
	{"wrap, many times, whole map", "announced=512M,real=26214912,kind=wrap", true,
	 CA_FILL_COMPLETE, CA_CAPACITY_KIND_WRAP, 51201, CA_SECTOR_ALIAS, 512 * MIB - 51201, ANY},
	{"wrap by one sector", "announced=134218240,real=128M,kind=wrap", false, CA_FILL_COMPLETE,
	 CA_CAPACITY_KIND_WRAP, 128 * MIB, CA_SECTOR_ALIAS, 1, ANY},
	{"wrap behind a cache", "announced=1G,real=100000256,kind=wrap,cache=16M", false,
	 CA_FILL_PROOF, CA_CAPACITY_KIND_WRAP, 195313, CA_SECTOR_ALIAS, ANY, 256 * MIB},
	{"wrap behind a cache, whole map", "announced=512M,real=100000256,kind=wrap,cache=16M",
	 true, CA_FILL_COMPLETE, CA_CAPACITY_KIND_WRAP, 195313, CA_SECTOR_ALIAS, ANY, ANY},
	{"wrap of one sector", "announced=64M,real=512,kind=wrap", true, CA_FILL_COMPLETE,
	 CA_CAPACITY_KIND_WRAP, 1, CA_SECTOR_GOOD, 1, ANY},
	{"wrap of seven sectors", "announced=64M,real=3584,kind=wrap", false, CA_FILL_PROOF,
	 CA_CAPACITY_KIND_WRAP, 7, CA_SECTOR_GOOD, 7, 16 * MIB},
	{"wrap of seven sectors, whole map", "announced=64M,real=3584,kind=wrap", true,
	 CA_FILL_COMPLETE, CA_CAPACITY_KIND_WRAP, 7, CA_SECTOR_GOOD, 7, ANY},
	{"wrap just larger than a piece", "announced=64M,real=66048,kind=wrap", true,
	 CA_FILL_COMPLETE, CA_CAPACITY_KIND_WRAP, 129, CA_SECTOR_GOOD, 129, ANY},
	{"128 GB that hold 1 GiB", "fake-128g", false, CA_FILL_PROOF, CA_CAPACITY_KIND_WRAP, GIB,
	 CA_SECTOR_ALIAS, GIB, 2 * GIB},
	/* chain */
	{"chain, seen whole", "announced=1G,wrap=100M,real=70M,kind=chain", true, CA_FILL_COMPLETE,
	 CA_CAPACITY_KIND_CHAIN, 70 * MIB, CA_SECTOR_ZEROS, ANY, ANY},
	{"chain, odd modulus", "announced=512M,wrap=51200512,real=30000128,kind=chain,limbo=noise",
	 true, CA_FILL_COMPLETE, CA_CAPACITY_KIND_CHAIN, 58594, CA_SECTOR_NOISE, ANY, ANY},
	{"chain, stopped by proof", "announced=1G,wrap=100M,real=70M,kind=chain", false,
	 CA_FILL_PROOF, CA_CAPACITY_KIND_CHAIN, 70 * MIB, CA_SECTOR_ZEROS, ANY, 128 * MIB},
	{"chain, seen before it wraps", "announced=2G,wrap=128M,real=100M,kind=chain", false,
	 CA_FILL_PROOF, CA_CAPACITY_KIND_LIMBO, 100 * MIB, CA_SECTOR_ZEROS, 28 * MIB, 128 * MIB},
	/* failing cards, never proof of a fake */
	{"one flipped bit", "announced=128M,flip=77777", false, CA_FILL_COMPLETE,
	 CA_CAPACITY_KIND_DAMAGED, NO_SIZE, CA_SECTOR_BITFLIP, 1, ANY},
	{"one bad page", "announced=128M,bad=4096-4127", false, CA_FILL_COMPLETE,
	 CA_CAPACITY_KIND_DAMAGED, NO_SIZE, CA_SECTOR_UNWRITABLE, 32, ANY},
	{"one bad page at the end", "announced=128M,bad=262112-262143", false, CA_FILL_COMPLETE,
	 CA_CAPACITY_KIND_DAMAGED, NO_SIZE, CA_SECTOR_UNWRITABLE, 32, ANY},
	{"errors from one address on", "announced=512M,bad=300000-1048575", false, CA_FILL_PROOF,
	 CA_CAPACITY_KIND_ERRORS, 300000, CA_SECTOR_GOOD, 300000, ANY},
	{"gone while writing", "announced=256M,gone-after=100M", false, CA_FILL_LOST,
	 CA_CAPACITY_KIND_NONE, NO_SIZE, CA_SECTOR_GOOD, 0, ANY},
	{"gone while reading", "announced=256M,gone-after=300M", false, CA_FILL_LOST,
	 CA_CAPACITY_KIND_NONE, NO_SIZE, CA_SECTOR_GOOD, ANY, ANY},
};

static struct ca_capacity_evidence fill(const struct card *card)
{
	struct ca_fill_options options = {.secret = {11},
					  .run_id = {22},
					  .device_id = {33},
					  .seed = 44,
					  .map_all = card->map_all};
	struct ca_capacity_evidence capacity;
	struct ca_error error = {0};
	struct ca_device *device = NULL;
	struct ca_sim_spec spec;

	ck_assert_msg(ca_sim_parse(card->spec, &spec, &error) == 0, "%s: %s", card->name,
		      error.text);
	ck_assert_msg(ca_sim_open(&spec, &device, &error) == 0, "%s: %s", card->name, error.text);
	ck_assert_int_eq(ca_fill_run(device, &options, &capacity), 0);
	ca_device_close(device);
	return capacity;
}

static void print(const struct card *card, const struct ca_capacity_evidence *capacity)
{
	char real[24] = "-";

	if (capacity->has_real_capacity)
		(void)snprintf(real, sizeof(real), "%" PRIu64, capacity->real_capacity_bytes / 512);
	printf("%-33s %-11s %-8s real %-9s written %-9" PRIu64 " good %" PRIu64 "\n", card->name,
	       ca_fill_end_name(capacity->end), ca_capacity_kind_name(capacity->kind), real,
	       capacity->written_bytes / 512, capacity->good_bytes / 512);
	(void)fflush(stdout);
}

START_TEST(faults_are_what_they_are)
{
	const struct card *card = &cards[_i];
	struct ca_capacity_evidence capacity = fill(card);
	uint64_t found = capacity.classes[card->class_of];

	print(card, &capacity);
	ck_assert_int_eq(capacity.end, card->end);
	ck_assert_int_eq(capacity.kind, card->kind);
	ck_assert_int_eq(capacity.has_real_capacity, card->real != NO_SIZE);
	if (capacity.has_real_capacity)
		ck_assert_uint_eq(capacity.real_capacity_bytes, card->real * 512);
	if (card->class_sectors == ANY)
		ck_assert_uint_gt(found, 0);
	else
		ck_assert_uint_eq(found, card->class_sectors);
	if (card->most_written != ANY)
		ck_assert_uint_le(capacity.written_bytes, card->most_written * 512);
	ck_assert_uint_eq(capacity.unstable_sectors, 0);
	ck_assert(capacity.coverage_ppm < 1000000 ||
		  capacity.verified_bytes == capacity.announced_bytes);
	free(capacity.runs);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("fault table");
	TCase *tcase = tcase_create("fault table");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_set_timeout(tcase, 300);
	tcase_add_loop_test(tcase, faults_are_what_they_are, 0, (int)CA_ARRAY_LEN(cards));
	suite_add_tcase(suite, tcase);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
