/* SPDX-License-Identifier: BSD-2-Clause */
#include "cardassay/identity.h"

#include <check.h>
#include <stdlib.h>

#define GB UINT64_C(1000000000)

static const struct {
	const char *pnm;
	uint64_t card_bytes;
	uint64_t bytes; /* 0: the name states none */
} names[] = {
	{"SD16G", 15590227968, 16 * GB},
	{"SD16G", 0, 16 * GB}, /* the unit makes it plain on any card */
	{"SA32G", 32 * GB, 32 * GB},
	{"SL08G", 8 * GB, 8 * GB},
	{"SU01G", 988282880, 1 * GB},
	{"SM02G", 2014838784, 2 * GB},
	{"SD4GB", 4 * GB, 4 * GB},
	{"SD8GB", 7860125696, 8 * GB},
	{"WX64G", 64 * GB, 64 * GB},
	{"SL128", 128 * GB, 128 * GB},
	{"SN128", 127865454592, 128 * GB},
	{"SD512", 8 * GB, 512 * GB},
	/* could be megabytes */
	{"SD064", 64000000, 0},
	{"SD256", 256000000, 0},
	{"SD256", 4 * GB - 1, 0},
	{"SD256", 4 * GB, 256 * GB},
	{"SD064", 64 * GB, 0},
	{"SL128", 0, 0},
	/* no capacity in the name */
	{"USD00", 32 * GB, 0},
	{"AGGCE", 64 * GB, 0},
	{"EB1QT", 32 * GB, 0},
	{"GF8S5", 512 * GB, 0},
	{"MSSD0", 64 * GB, 0},
	{"00000", 8 * GB, 0},
	{"SPCC ", 64 * GB, 0},
	{"ASTC", 64 * GB, 0},
	{"SD", 4 * GB, 0},
	{"SD   ", 4 * GB, 0},
	{"SD00G", 4 * GB, 0},
	{"S128B", 128 * GB, 0},
	{"SD16", 16 * GB, 0},
	{"SD1", 16 * GB, 0},
	{"SD16M", 16 * GB, 0},
	{"SDABC", 8 * GB, 0},
	{"SMI", 8 * GB, 0},
	{"", 8 * GB, 0},
	{"sd16g", 16 * GB, 0},
};

START_TEST(pnm_capacity)
{
	uint64_t bytes = 4711;
	bool states = ca_identity_pnm_capacity(names[_i].pnm, names[_i].card_bytes, &bytes);

	ck_assert_msg(states == (names[_i].bytes != 0), "%s", names[_i].pnm);
	ck_assert(bytes == (states ? names[_i].bytes : 4711));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("pnm_capacity");
	TCase *tcase = tcase_create("pnm_capacity");
	SRunner *runner;
	int failed;

	tcase_add_loop_test(tcase, pnm_capacity, 0, (int)CA_ARRAY_LEN(names));
	suite_add_tcase(suite, tcase);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
