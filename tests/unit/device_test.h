/* SPDX-License-Identifier: BSD-2-Clause */
/* Shared by the tests of the device room. */
#ifndef CA_TEST_DEVICE_H
#define CA_TEST_DEVICE_H

#include <check.h>
#include <stdlib.h>

#define PC   CA_FIXTURES "/sysfs/pc"
#define PI4  CA_FIXTURES "/sysfs/pi4"
#define BUSY CA_FIXTURES "/sysfs/busy"
/* readers and their slots */
#define READER4 CA_FIXTURES "/sysfs/reader4"
#define TWINS	CA_FIXTURES "/sysfs/twins"
#define PI_WIFI CA_FIXTURES "/sysfs/pi-wifi"
#define SLOTS2	CA_FIXTURES "/sysfs/sdhci2"
#define PATHS	CA_FIXTURES "/sysfs/paths"

/* Runs one case of tests and gives the exit code. */
static inline int run_tests(TCase *tests)
{
	Suite *suite = suite_create("device");
	SRunner *runner;
	int failed;

	suite_add_tcase(suite, tests);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

#endif
