/* SPDX-License-Identifier: BSD-2-Clause */
#include "cardassay/base.h"

#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const size_t sizes[] = {0, 1, 65534, 65535, 65536, 200000};

/* What was written comes back whole, with a NUL behind it; one byte more than allowed is too much.
 */
START_TEST(there_and_back)
{
	size_t bytes = sizes[_i], len = 0;
	FILE *file = tmpfile();
	char *data = malloc(bytes + 1), *again = NULL;

	ck_assert_ptr_nonnull(file);
	ck_assert_ptr_nonnull(data);
	for (size_t i = 0; i < bytes; i++)
		data[i] = (char)(i * 31 >> 3);
	ck_assert_int_eq(ca_fd_write_all(fileno(file), data, bytes), 0);
	ck_assert_int_eq(lseek(fileno(file), 0, SEEK_SET), 0);
	ck_assert_int_eq(ca_fd_read_all(fileno(file), bytes, &again, &len), 0);
	ck_assert_uint_eq(len, bytes);
	ck_assert(memcmp(again, data, bytes) == 0);
	ck_assert_int_eq(again[len], 0);
	if (bytes) {
		char *kept = again;

		ck_assert_int_eq(lseek(fileno(file), 0, SEEK_SET), 0);
		ck_assert_int_eq(ca_fd_read_all(fileno(file), bytes - 1, &again, &len), -EFBIG);
		ck_assert_ptr_eq(again, kept);
	}
	free(again);
	free(data);
	ck_assert_int_eq(fclose(file), 0);
}
END_TEST

START_TEST(failures)
{
	char *data = NULL;
	size_t len = 0;
	int ends[2];

	ck_assert_int_eq(pipe(ends), 0);
	ck_assert_int_eq(ca_fd_read_all(ends[1], 16, &data, &len), -EBADF);
	ck_assert_int_eq(ca_fd_write_all(ends[0], "x", 1), -EBADF);
	ck_assert_ptr_null(data);
	ca_close_fd(&ends[0]);
	ck_assert_int_eq(ends[0], -1);
	ca_close_fd(&ends[0]); /* once more does no harm */
	ca_close_fd(&ends[1]);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("fd");
	TCase *tcase = tcase_create("fd");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_loop_test(tcase, there_and_back, 0, (int)CA_ARRAY_LEN(sizes));
	tcase_add_test(tcase, failures);
	suite_add_tcase(suite, tcase);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
