/* SPDX-License-Identifier: BSD-2-Clause */
#include "sign.h"

#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *read_key(const char *name, size_t *ret_len)
{
	char path[512], *text = calloc(1, 4096);
	FILE *file;

	ck_assert_ptr_nonnull(text);
	(void)snprintf(path, sizeof(path), CA_FIXTURES "/keys/%s", name);
	file = fopen(path, "rb");
	ck_assert_msg(file != NULL, "cannot open %s", path);
	*ret_len = fread(text, 1, 4095, file);
	(void)fclose(file);
	return text;
}

START_TEST(files_are_written_as_the_fixtures_are)
{
	struct ca_secret_key secret;
	struct ca_public_key key;
	struct ca_error error = {0};
	size_t len;
	char *fixture = read_key("test-only.key", &len), *text;

	ck_assert_int_eq(ca_sign_parse_secret(fixture, len, &secret, &error), 0);
	ck_assert_uint_eq(secret.id[0], 1);
	ck_assert_uint_eq(secret.seed[31], 40);
	ck_assert_int_eq(ca_sign_format_secret(&secret, &text), 0);
	ck_assert_str_eq(text, fixture);
	free(text);
	free(fixture);
	fixture = read_key("test-only.pub", &len);
	ck_assert_int_eq(ca_sign_parse_public(fixture, len, &key, &error), 0);
	ck_assert_mem_eq(key.key, secret.key, 32);
	ck_assert_int_eq(ca_sign_format_public(&key, &text), 0);
	ck_assert_str_eq(text, fixture);
	free(text);
	free(fixture);
}
END_TEST

START_TEST(reads_stock_keys)
{
	struct ca_secret_key secret;
	struct ca_public_key key;
	size_t len;
	char *text = read_key("test-only-stock.key", &len);

	ck_assert_int_eq(ca_sign_parse_secret(text, len, &secret, NULL), 0);
	free(text);
	text = read_key("test-only-stock.pub", &len);
	ck_assert_int_eq(ca_sign_parse_public(text, len, &key, NULL), 0);
	ck_assert_mem_eq(key.key, secret.key, 32);
	ck_assert_mem_eq(key.id, secret.id, 8);
	free(text);
}
END_TEST

START_TEST(encrypted_key_is_told_apart)
{
	struct ca_secret_key secret;
	struct ca_error error = {0};
	size_t len;
	char *text = read_key("test-only-encrypted.key", &len);

	ck_assert_int_eq(ca_sign_parse_secret(text, len, &secret, &error), -ENOKEY);
	ck_assert_ptr_nonnull(strstr(error.text, "password"));
	free(text);
}
END_TEST

#define KEY "RWQBAgMEBQYHCGd+3Zx6b7ql1gnccAXOgBHVTgMUrPicoXIFe8FA7eYq"
static const struct {
	const char *text;
	int result;
} publics[] = {
	{KEY, 0},
	{KEY "\n", 0},
	{KEY "\r\n", 0},
	{"untrusted comment: x\n" KEY, 0},
	{"untrusted comment: \r\n" KEY "\r\n\n", 0},
	{"", -EBADMSG},
	{"\n" KEY, -EBADMSG},
	{"untrusted comment: only", -EBADMSG},
	{"trusted comment: x\n" KEY, -EBADMSG},
	{KEY "\nmore", -EBADMSG},
	{KEY "AAAA", -EBADMSG},
	{"RWQBAgMEBQYHCGd+3Zx6b7ql1gnccAXOgBHVTgMUrPicoXIFe8FA", -EBADMSG},
	{"RUQBAgMEBQYHCGd+3Zx6b7ql1gnccAXOgBHVTgMUrPicoXIFe8FA7eYq", -EBADMSG},
	{"RWQBAgMEBQYHCGd+3Zx6b7ql1gnccAXOgBHVTgMUrPicoXIFe8FA7eY*", -EBADMSG},
};

START_TEST(public_key_texts)
{
	struct ca_public_key key;
	struct ca_error error = {0};

	memset(&key, 0x5a, sizeof(key));
	ck_assert_int_eq(
		ca_sign_parse_public(publics[_i].text, strlen(publics[_i].text), &key, &error),
		publics[_i].result);
	ck_assert_uint_eq(key.id[0], publics[_i].result ? 0x5a : 1);
	ck_assert_int_eq(error.code, publics[_i].result);
}
END_TEST

/* Each character of a secret key file that is changed makes another key or a damaged one. */
START_TEST(damaged_secret_key_is_refused)
{
	struct ca_secret_key secret;
	size_t len;
	char *text = read_key("test-only.key", &len), *base64 = strchr(text, '\n') + 1;
	static const unsigned int places[] = {0, 2, 4, 6, 80, 90, 110, 150, 170, 200};

	for (size_t i = 0; i < CA_ARRAY_LEN(places); i++) {
		char saved = base64[places[i]];

		base64[places[i]] = saved == 'B' ? 'C' : 'B';
		ck_assert_msg(ca_sign_parse_secret(text, len, &secret, NULL) < 0, "at %u",
			      places[i]);
		base64[places[i]] = saved;
	}
	ck_assert_int_eq(ca_sign_parse_secret(text, len, &secret, NULL), 0);
	for (size_t cut = 0; cut + 1 < len; cut += 13)
		ck_assert_int_eq(ca_sign_parse_secret(text, cut, &secret, NULL), -EBADMSG);
	free(text);
}
END_TEST

#define SIGNATURE                                                                                  \
	"RUS4c5LUUyCLxJVAvW7ehoDleHsSA8KSLHsYl2IZEqzUiJATEw+mTTrUY1ZWQilqQui8GJ6R97OhVvXKIei9fFxk" \
	"CQeCS08Xgg8="
#define GLOBAL                                                                                     \
	"RvZE7jeZmTqotZbhVhbijuSt1Ko2GhkI1rGj7IhvWn+CrGSq6aDRgRafGPJSUG/nIm+l6UpBfu+iXY046g7mDA=="
static const struct {
	const char *text;
	int result;
} signatures[] = {
	{"untrusted comment: a\n" SIGNATURE "\ntrusted comment: b\n" GLOBAL "\n", 0},
	{"untrusted comment: a\r\n" SIGNATURE "\r\ntrusted comment: b\r\n" GLOBAL, 0},
	{"untrusted comment: \n" SIGNATURE "\ntrusted comment: \n" GLOBAL "\n", 0},
	{"", -EBADMSG},
	{"comment: a\n" SIGNATURE "\ntrusted comment: b\n" GLOBAL "\n", -EBADMSG},
	{"untrusted comment: a\n" SIGNATURE "\n" GLOBAL "\n", -EBADMSG},
	{"untrusted comment: a\n" SIGNATURE "\ntrusted comment: b\n", -EBADMSG},
	{"untrusted comment: a\n" GLOBAL "\ntrusted comment: b\n" GLOBAL "\n", -EBADMSG},
	{"untrusted comment: a\n" SIGNATURE "\ntrusted comment: b\n" SIGNATURE "\n", -EBADMSG},
	{"untrusted comment: a\n" SIGNATURE "\ntrusted comment: b\n" GLOBAL "\nx\n", -EBADMSG},
};

START_TEST(signature_texts)
{
	struct ca_signature signature = {.trusted = "before"};
	struct ca_error error = {0};

	ck_assert_int_eq(ca_sign_parse_signature(signatures[_i].text, strlen(signatures[_i].text),
						 &signature, &error),
			 signatures[_i].result);
	if (signatures[_i].result) {
		ck_assert_str_eq(signature.trusted, "before");
		ck_assert_int_ne(error.text[0], 0);
	} else {
		ck_assert(signature.prehashed);
		ck_assert_uint_eq(signature.id[0], 0xb8);
	}
}
END_TEST

START_TEST(oversized_texts_are_refused)
{
	struct ca_signature signature;
	struct ca_public_key key;
	char *text = malloc(100000);

	ck_assert_ptr_nonnull(text);
	memset(text, 'A', 100000);
	memcpy(text, "untrusted comment: ", 19);
	ck_assert_int_eq(ca_sign_parse_signature(text, 100000, &signature, NULL), -EBADMSG);
	ck_assert_int_eq(ca_sign_parse_signature(text, 16000, &signature, NULL), -EBADMSG);
	ck_assert_int_eq(ca_sign_parse_public(text, 100000, &key, NULL), -EBADMSG);
	free(text);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("minisign");
	TCase *tcase = tcase_create("minisign");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_test(tcase, files_are_written_as_the_fixtures_are);
	tcase_add_test(tcase, reads_stock_keys);
	tcase_add_test(tcase, encrypted_key_is_told_apart);
	tcase_add_loop_test(tcase, public_key_texts, 0, (int)CA_ARRAY_LEN(publics));
	tcase_add_test(tcase, damaged_secret_key_is_refused);
	tcase_add_loop_test(tcase, signature_texts, 0, (int)CA_ARRAY_LEN(signatures));
	tcase_add_test(tcase, oversized_texts_are_refused);
	suite_add_tcase(suite, tcase);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
