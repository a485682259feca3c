/* SPDX-License-Identifier: BSD-2-Clause */
#include "cardassay/evidence.h"

#include <check.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const char *origin(unsigned int value)
{
	return ca_origin_name((enum ca_origin)value);
}

static const char *media(unsigned int value)
{
	return ca_media_name((enum ca_media)value);
}

static const char *fact(unsigned int value)
{
	return ca_host_fact_name((enum ca_host_fact)value);
}

static const char *sector_class(unsigned int value)
{
	return ca_sector_class_name((enum ca_sector_class)value);
}

static const char *fill_end(unsigned int value)
{
	return ca_fill_end_name((enum ca_fill_end)value);
}

static const char *kind(unsigned int value)
{
	return ca_capacity_kind_name((enum ca_capacity_kind)value);
}

static const char *reinit(unsigned int value)
{
	return ca_reinit_name((enum ca_reinit_kind)value);
}

/* Every value has a name of its own, and first and last are what they should be. */
static const struct {
	const char *(*name)(unsigned int value);
	unsigned int count;
	const char *first, *last;
} enums[] = {
	{origin, 5, "live", "recorded"},
	{media, 4, "unknown", "nvme"},
	{fact, CA_HOST_FACT_COUNT, "kernel", "usb_driver"},
	{reinit, 4, "none", "replug"},
	{sector_class, CA_SECTOR_CLASS_COUNT, "good", "unwritable"},
	{fill_end, 7, "not-run", "host-error"},
	{kind, 15, "none", "host-limit"},
};

START_TEST(facts_of_a_bus)
{
	ck_assert(ca_host_fact_is_of_bus(CA_HOST_KERNEL, "loop"));
	ck_assert(ca_host_fact_is_of_bus(CA_HOST_BUS_TIMING, "mmc"));
	ck_assert(!ca_host_fact_is_of_bus(CA_HOST_BUS_TIMING, "usb"));
	ck_assert(ca_host_fact_is_of_bus(CA_HOST_ERR_STATS_AFTER, "mmc"));
	ck_assert(!ca_host_fact_is_of_bus(CA_HOST_LOG_CARD, "nvme"));
	ck_assert(ca_host_fact_is_of_bus(CA_HOST_LOG_ERRORS, "nvme"));
	ck_assert(ca_host_fact_is_of_bus(CA_HOST_PCIE_WIDTH_MAX, "nvme"));
	ck_assert(!ca_host_fact_is_of_bus(CA_HOST_PCIE_SPEED, "mmc"));
	ck_assert(ca_host_fact_is_of_bus(CA_HOST_USB_DRIVER, "usb"));
	ck_assert(!ca_host_fact_is_of_bus(CA_HOST_USB_SPEED, "scsi"));
	ck_assert(ca_host_fact_is_of_bus(CA_HOST_IO_ENGINE, "loop"));
	/* no host stands before a simulated card, no slot before an image file */
	ck_assert(!ca_host_fact_is_of_bus(CA_HOST_KERNEL, "sim"));
	ck_assert(ca_host_fact_is_of_bus(CA_HOST_IO_ENGINE, "sim"));
	ck_assert(ca_host_fact_is_of_bus(CA_HOST_KERNEL, "image"));
	ck_assert(!ca_host_fact_is_of_bus(CA_HOST_CACHE, "image"));
	ck_assert(ca_host_fact_is_of_bus(CA_HOST_IO_ENGINE, "image"));
}
END_TEST

START_TEST(loss_of_power)
{
	ck_assert(!ca_reinit_is_power_loss(CA_REINIT_NONE));
	ck_assert(!ca_reinit_is_power_loss(CA_REINIT_HOST));
	ck_assert(ca_reinit_is_power_loss(CA_REINIT_POWER));
	ck_assert(ca_reinit_is_power_loss(CA_REINIT_REPLUG));
}
END_TEST

static const struct {
	enum ca_capacity_kind kind;
	bool has_real;
	uint64_t unstable, coarsened;
	enum ca_certainty certainty;
	bool nothing_good;
} certainties[] = {
	{CA_CAPACITY_KIND_NONE, false, 0, 0, CA_CERTAINTY_NONE, false},
	{CA_CAPACITY_KIND_SOUND, true, 0, 0, CA_CERTAINTY_NONE, false},
	{CA_CAPACITY_KIND_LIMBO, true, 0, 0, CA_CERTAINTY_SURE, false},
	{CA_CAPACITY_KIND_LIMBO, false, 0, 0, CA_CERTAINTY_LIKELY, false},
	{CA_CAPACITY_KIND_WRAP, true, 0, 65536, CA_CERTAINTY_LIKELY, false},
	{CA_CAPACITY_KIND_CHAIN, true, 5, 0, CA_CERTAINTY_SURE, false},
	{CA_CAPACITY_KIND_CHAIN, true, 6, 0, CA_CERTAINTY_OPEN, false},
	{CA_CAPACITY_KIND_ERRORS, true, 0, 0, CA_CERTAINTY_SURE, false},
	{CA_CAPACITY_KIND_DAMAGED, false, 0, 0, CA_CERTAINTY_OPEN, false},
	{CA_CAPACITY_KIND_RING, false, 0, 0, CA_CERTAINTY_LIKELY, false},
	{CA_CAPACITY_KIND_REGIONS, false, 0, 0, CA_CERTAINTY_LIKELY, false},
	{CA_CAPACITY_KIND_ISLANDS, false, 0, 0, CA_CERTAINTY_LIKELY, false},
	{CA_CAPACITY_KIND_THIN, false, 0, 0, CA_CERTAINTY_LIKELY, false},
	{CA_CAPACITY_KIND_WRITE_PROTECTED, false, 0, 0, CA_CERTAINTY_SURE, false},
	{CA_CAPACITY_KIND_WRITE_PROTECTED, false, 0, 0, CA_CERTAINTY_LIKELY, true},
	{CA_CAPACITY_KIND_REPLAY, false, 0, 0, CA_CERTAINTY_SURE, false},
	{CA_CAPACITY_KIND_TRANSPORT, false, 9, 0, CA_CERTAINTY_OPEN, false},
	{CA_CAPACITY_KIND_HOST_LIMIT, true, 0, 0, CA_CERTAINTY_OPEN, false},
};

START_TEST(how_sure_a_kind_is)
{
	struct ca_capacity_evidence capacity = {
		.kind = certainties[_i].kind,
		.has_real_capacity = certainties[_i].has_real,
		.unstable_sectors = certainties[_i].unstable,
		.coarsened_to_bytes = certainties[_i].coarsened,
		.good_bytes = certainties[_i].nothing_good ? 0 : CA_SECTOR_BYTES,
		.classes = {[CA_SECTOR_ZEROS] = 500},
	};

	ck_assert_int_eq((int)ca_capacity_certainty(&capacity), (int)certainties[_i].certainty);
}
END_TEST

static const struct {
	uint64_t samples;
	uint32_t ppm;
} missed[] = {
	{0, 1000000}, {1, 990000}, {2, 900000},	 {10, 369043},
	{100, 45008}, {768, 5979}, {1000, 4595}, {100000, 47},
};

/* 1 - 0.01^(1/n), rounded up; never too small, and at most one too large */
START_TEST(the_share_that_samples_miss)
{
	uint32_t found = ca_probe_missed_ppm(missed[_i].samples);

	ck_assert_uint_ge(found, missed[_i].ppm);
	ck_assert_uint_le(found, missed[_i].ppm + 1);
}
END_TEST

START_TEST(names)
{
	ck_assert_str_eq(enums[_i].name(0), enums[_i].first);
	ck_assert_str_eq(enums[_i].name(enums[_i].count - 1), enums[_i].last);
	for (unsigned int a = 0; a < enums[_i].count; a++) {
		const char *name = enums[_i].name(a);

		ck_assert_ptr_nonnull(name);
		ck_assert_uint_gt(strlen(name), 0);
		for (const char *c = name; *c; c++)
			ck_assert(islower((unsigned char)*c) || strchr("_-", *c));
		for (unsigned int b = 0; b < a; b++)
			ck_assert_str_ne(name, enums[_i].name(b));
	}
}
END_TEST

START_TEST(done)
{
	struct ca_evidence *evidence = calloc(1, sizeof(*evidence));

	ck_assert_ptr_nonnull(evidence);
	ca_evidence_done(evidence); /* empty */
	evidence->capacity.runs = calloc(4, sizeof(*evidence->capacity.runs));
	evidence->capacity.run_count = 4;
	ca_evidence_done(evidence);
	ck_assert_ptr_null(evidence->capacity.runs);
	ck_assert(ca_bytes_is_all(evidence, sizeof(*evidence), 0));
	ca_evidence_done(NULL);
	free(evidence);
}
END_TEST

START_TEST(mask)
{
	struct ca_evidence *evidence = calloc(1, sizeof(*evidence));

	ck_assert_ptr_nonnull(evidence);
	evidence->registers.has[CA_REGISTER_CID] = true;
	memset(evidence->registers.cid, 0x5a, sizeof(evidence->registers.cid));
	(void)strcpy(evidence->device.serial, "SECRET-1");
	(void)strcpy(evidence->device.model, "Model");
	ca_evidence_mask(evidence);
	ck_assert(evidence->masked && evidence->registers.masked);
	ck_assert(ca_bytes_is_all(evidence->device.serial, sizeof(evidence->device.serial), 0));
	ck_assert(ca_bytes_is_all(evidence->registers.cid + 9, 4, 0)); /* PSN */
	ck_assert_str_eq(evidence->device.model, "Model");
	free(evidence);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("evidence");
	TCase *tests = tcase_create("evidence");
	SRunner *runner;
	int failed;

	tcase_add_loop_test(tests, names, 0, (int)CA_ARRAY_LEN(enums));
	tcase_add_loop_test(tests, the_share_that_samples_miss, 0, (int)CA_ARRAY_LEN(missed));
	tcase_add_loop_test(tests, how_sure_a_kind_is, 0, (int)CA_ARRAY_LEN(certainties));
	tcase_add_test(tests, facts_of_a_bus);
	tcase_add_test(tests, loss_of_power);
	tcase_add_test(tests, done);
	tcase_add_test(tests, mask);
	suite_add_tcase(suite, tests);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
