/* SPDX-License-Identifier: BSD-2-Clause */
/* Against the stock minisign program, both directions; skipped where it is not installed. */
#include "cardassay/certificate.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char dir[] = "/tmp/cardassay-minisign-XXXXXX";
static const char data[] = "{\"format\": \"cardassay-certificate-1\"}\n";

static int run(const char *arguments)
{
	char command[400];

	(void)snprintf(command, sizeof(command), "cd %s && minisign %s >/dev/null 2>&1 </dev/null",
		       dir, arguments);
	return system(command); /* NOLINT: fixed words only */
}

static void write_file(const char *name, const char *text)
{
	char path[100];
	FILE *file;

	(void)snprintf(path, sizeof(path), "%s/%s", dir, name);
	file = fopen(path, "w");
	ck_assert_ptr_nonnull(file);
	ck_assert_int_ge(fputs(text, file), 0);
	ck_assert_int_eq(fclose(file), 0);
}

static char *read_file(const char *name)
{
	char path[100], *text = calloc(1, 8192);
	FILE *file;

	(void)snprintf(path, sizeof(path), "%s/%s", dir, name);
	file = fopen(path, "r");
	ck_assert_ptr_nonnull(file);
	ck_assert_ptr_nonnull(text);
	ck_assert_uint_gt(fread(text, 1, 8191, file), 0);
	(void)fclose(file);
	return text;
}

static void make_files(struct ca_secret_key *secret, struct ca_public_key *key)
{
	uint8_t entropy[40];
	char *text;

	for (unsigned int i = 0; i < 40; i++)
		entropy[i] = (uint8_t)(0xf0 - i);
	ck_assert_int_eq(ca_sign_keygen(entropy, secret), 0);
	memcpy(key->id, secret->id, sizeof(key->id));
	memcpy(key->key, secret->key, sizeof(key->key));
	ck_assert_int_eq(ca_sign_format_secret(secret, &text), 0);
	write_file("our.key", text);
	free(text);
	ck_assert_int_eq(ca_sign_format_public(key, &text), 0);
	write_file("our.pub", text);
	free(text);
	write_file("data", data);
	write_file("other", "something else\n");
}

START_TEST(stock_verifies_ours)
{
	struct ca_secret_key secret;
	struct ca_public_key key;
	char *signature;

	make_files(&secret, &key);
	ck_assert_int_eq(
		ca_sign_data(&secret, data, strlen(data), "issued 2026-01-31", &signature, NULL),
		0);
	write_file("data.minisig", signature);
	free(signature);
	ck_assert_int_eq(run("-V -p our.pub -m data"), 0);
	/* -H: refuses signatures that are not prehashed */
	ck_assert_int_eq(run("-V -H -p our.pub -m data"), 0);
	ck_assert_int_ne(run("-V -p our.pub -m other -x data.minisig"), 0);
}
END_TEST

static const char *const sign_commands[] = {
	"-S -s our.key -m data -x sig -t theirs",
	"-S -l -s our.key -m data -x sig -t theirs",
};

START_TEST(we_verify_stock_made_with_our_key)
{
	struct ca_secret_key secret;
	struct ca_public_key key;
	char *signature, comment[64];

	make_files(&secret, &key);
	ck_assert_int_eq(run(sign_commands[_i]), 0);
	signature = read_file("sig");
	ck_assert_int_eq(ca_sign_verify(&key, data, strlen(data), signature, strlen(signature),
					comment, sizeof(comment), NULL),
			 0);
	ck_assert_str_eq(comment, "theirs");
	free(signature);
}
END_TEST

START_TEST(we_sign_with_stock_keys)
{
	struct ca_secret_key secret;
	struct ca_public_key key;
	char *text;

	write_file("data", data);
	ck_assert_int_eq(run("-G -W -f -p their.pub -s their.key"), 0);
	text = read_file("their.key");
	ck_assert_int_eq(ca_sign_parse_secret(text, strlen(text), &secret, NULL), 0);
	free(text);
	text = read_file("their.pub");
	ck_assert_int_eq(ca_sign_parse_public(text, strlen(text), &key, NULL), 0);
	free(text);
	ck_assert_mem_eq(key.key, secret.key, 32);
	ck_assert_int_eq(ca_sign_data(&secret, data, strlen(data), "x", &text, NULL), 0);
	write_file("data.minisig", text);
	free(text);
	ck_assert_int_eq(run("-V -p their.pub -m data"), 0);
}
END_TEST

static void clean_up(void)
{
	static const char *const names[] = {"our.key",	    "our.pub",	 "data",      "other",
					    "data.minisig", "their.key", "their.pub", "sig"};
	char path[100];

	for (size_t i = 0; i < CA_ARRAY_LEN(names); i++) {
		(void)snprintf(path, sizeof(path), "%s/%s", dir, names[i]);
		(void)unlink(path);
	}
	(void)rmdir(dir);
}

int main(void)
{
	Suite *suite = suite_create("minisign_stock");
	TCase *tcase = tcase_create("minisign_stock");
	SRunner *runner = srunner_create(suite);
	int failed;

	if (system("command -v minisign >/dev/null 2>&1") != 0) { /* NOLINT: fixed words */
		(void)printf("skipped: minisign is not installed\n");
		srunner_free(runner);
		return 77;
	}
	if (!mkdtemp(dir))
		return EXIT_FAILURE;
	tcase_set_timeout(tcase, 60);
	tcase_add_test(tcase, stock_verifies_ours);
	tcase_add_loop_test(tcase, we_verify_stock_made_with_our_key, 0,
			    (int)CA_ARRAY_LEN(sign_commands));
	tcase_add_test(tcase, we_sign_with_stock_keys);
	suite_add_tcase(suite, tcase);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	clean_up();
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
