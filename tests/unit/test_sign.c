/* SPDX-License-Identifier: BSD-2-Clause */
#include "cardassay/certificate.h"

#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The registers name stock minisign 0.11 with fixtures/keys/test-only-stock.key over "hello\n". */
static const char stock_key[] = "RWS4c5LUUyCLxNSHS5CvaRFFfyVByOogsfOSqb5Qe0jXD1rTKsHUXmt2";
static const char stock_prehashed[] = "untrusted comment: signature from minisign secret key\n"
				      "RUS4c5LUUyCLxJVAvW7ehoDleHsSA8KSLHsYl2IZEqzUiJATEw+"
				      "mTTrUY1ZWQilqQui8GJ6R97OhVvXKIei9fFxkCQeCS08Xgg8=\n"
				      "trusted comment: trusted txt\n"
				      "RvZE7jeZmTqotZbhVhbijuSt1Ko2GhkI1rGj7IhvWn+"
				      "CrGSq6aDRgRafGPJSUG/nIm+l6UpBfu+iXY046g7mDA==\n";
static const char stock_legacy[] = "untrusted comment: signature from minisign secret key\n"
				   "RWS4c5LUUyCLxJbDcar53IQONRFF/OvGtJ1owUkHliRIvU2BWm/"
				   "K55BlFWc6TAvVQc0yZyNbPud7kbNdXPT+4+0ZVs9rHHKYegs=\n"
				   "trusted comment: timestamp:1796060956	file:m\n"
				   "sWgNRtz+GNXB+i1f3FT2+9KwK8i6Sz8EtPVADnPKcKKRsLsr/"
				   "3qfFG0zaRLFz7fz60ENzsXu6tc8T79o5+AxBw==\n";
static const char message[] = "hello\n";

static void make_key(struct ca_secret_key *secret, struct ca_public_key *public_key)
{
	uint8_t entropy[40];

	for (unsigned int i = 0; i < 40; i++)
		entropy[i] = (uint8_t)(i + 1);
	ck_assert_int_eq(ca_sign_keygen(entropy, secret), 0);
	memcpy(public_key->id, secret->id, sizeof(public_key->id));
	memcpy(public_key->key, secret->key, sizeof(public_key->key));
}

START_TEST(keygen_depends_on_its_entropy_alone)
{
	struct ca_secret_key a, b;
	struct ca_public_key key;
	uint8_t entropy[40] = {0};

	make_key(&a, &key);
	make_key(&b, &key);
	ck_assert_mem_eq(&a, &b, sizeof(a));
	ck_assert_int_eq(ca_sign_keygen(entropy, &b), 0);
	ck_assert_mem_ne(a.key, b.key, sizeof(a.key));
}
END_TEST

START_TEST(signs_and_verifies)
{
	struct ca_secret_key secret;
	struct ca_public_key key;
	struct ca_error error = {0};
	char *signature, *again, comment[64];

	make_key(&secret, &key);
	ck_assert_int_eq(ca_sign_data(&secret, message, 6, "a comment", &signature, &error), 0);
	ck_assert_int_eq(ca_sign_data(&secret, message, 6, "a comment", &again, &error), 0);
	ck_assert_str_eq(signature, again);
	ck_assert_int_eq(ca_sign_verify(&key, message, 6, signature, strlen(signature), comment,
					sizeof(comment), &error),
			 0);
	ck_assert_str_eq(comment, "a comment");
	ck_assert_int_eq(
		ca_sign_verify(&key, message, 6, signature, strlen(signature), NULL, 0, &error), 0);
	free(again);
	free(signature);
}
END_TEST

START_TEST(empty_data_and_empty_comment)
{
	struct ca_secret_key secret;
	struct ca_public_key key;
	char *signature, comment[8] = "x";

	make_key(&secret, &key);
	ck_assert_int_eq(ca_sign_data(&secret, "", 0, "", &signature, NULL), 0);
	ck_assert_int_eq(ca_sign_verify(&key, "", 0, signature, strlen(signature), comment,
					sizeof(comment), NULL),
			 0);
	ck_assert_str_eq(comment, "");
	free(signature);
}
END_TEST

START_TEST(every_kind_of_change_is_seen)
{
	struct ca_secret_key secret;
	struct ca_public_key key, other;
	struct ca_error error = {0};
	char *signature, *comment;
	size_t len;

	make_key(&secret, &key);
	ck_assert_int_eq(ca_sign_data(&secret, message, 6, "issued today", &signature, NULL), 0);
	len = strlen(signature);
	ck_assert_int_eq(ca_sign_verify(&key, "hellp\n", 6, signature, len, NULL, 0, &error),
			 -EKEYREJECTED);
	ck_assert_ptr_nonnull(strstr(error.text, "does not match"));
	ck_assert_int_eq(ca_sign_verify(&key, message, 5, signature, len, NULL, 0, NULL),
			 -EKEYREJECTED);
	other = key;
	other.id[0] ^= 1;
	error = (struct ca_error){0};
	ck_assert_int_eq(ca_sign_verify(&other, message, 6, signature, len, NULL, 0, &error),
			 -ENOKEY);
	ck_assert_ptr_nonnull(strstr(error.text, "807060504030201"));
	other = key;
	other.key[0] ^= 1;
	ck_assert_int_eq(ca_sign_verify(&other, message, 6, signature, len, NULL, 0, NULL),
			 -EKEYREJECTED);
	comment = strstr(signature, "issued today");
	ck_assert_ptr_nonnull(comment);
	comment[0] = 'I';
	error = (struct ca_error){0};
	ck_assert_int_eq(ca_sign_verify(&key, message, 6, signature, len, NULL, 0, &error),
			 -EKEYREJECTED);
	ck_assert_ptr_nonnull(strstr(error.text, "comment"));
	free(signature);
}
END_TEST

START_TEST(comment_must_be_one_line)
{
	struct ca_secret_key secret;
	struct ca_public_key key;
	char *signature = NULL, *huge = malloc(9000);

	ck_assert_ptr_nonnull(huge);
	memset(huge, 'x', 8999);
	huge[8999] = '\0';
	make_key(&secret, &key);
	ck_assert_int_eq(ca_sign_data(&secret, "", 0, "a\nb", &signature, NULL), -EINVAL);
	ck_assert_int_eq(ca_sign_data(&secret, "", 0, "a\rb", &signature, NULL), -EINVAL);
	ck_assert_int_eq(ca_sign_data(&secret, "", 0, huge, &signature, NULL), -EINVAL);
	ck_assert_ptr_null(signature);
	free(huge);
}
END_TEST

START_TEST(reads_stock_signatures)
{
	const char *signature = _i ? stock_legacy : stock_prehashed;
	struct ca_public_key key;
	struct ca_error error = {0};
	char comment[64];

	ck_assert_int_eq(ca_sign_parse_public(stock_key, strlen(stock_key), &key, NULL), 0);
	ck_assert_int_eq(ca_sign_verify(&key, message, 6, signature, strlen(signature), comment,
					sizeof(comment), &error),
			 0);
	if (!_i)
		ck_assert_str_eq(comment, "trusted txt");
	ck_assert_int_eq(ca_sign_verify(&key, "other\n", 6, signature, strlen(signature), comment,
					sizeof(comment), NULL),
			 -EKEYREJECTED);
}
END_TEST

static char *read_fixture(const char *name, size_t *ret_len)
{
	char path[512], *text = calloc(1, 1 << 17);
	FILE *file;

	ck_assert_ptr_nonnull(text);
	(void)snprintf(path, sizeof(path), CA_FIXTURES "/%s", name);
	file = fopen(path, "rb");
	ck_assert_msg(file != NULL, "cannot open %s", path);
	*ret_len = fread(text, 1, (1 << 17) - 1, file);
	(void)fclose(file);
	return text;
}

/* A signed certificate stays signed, whatever becomes of the code. */
START_TEST(fixture_is_still_signed)
{
	size_t key_len, len, signature_len;
	char *key_text = read_fixture("keys/test-only.pub", &key_len);
	char *data = read_fixture("certificates/valid/simulated-wrap.json", &len);
	char *signature =
		read_fixture("certificates/valid/simulated-wrap.json.minisig", &signature_len);
	char comment[128];
	struct ca_public_key key;

	ck_assert_int_eq(ca_sign_parse_public(key_text, key_len, &key, NULL), 0);
	ck_assert_int_eq(ca_sign_verify(&key, data, len, signature, signature_len, comment,
					sizeof(comment), NULL),
			 0);
	ck_assert_str_eq(comment, "cardassay certificate 00112233445566778899aabbccddeeff");
	data[len / 2] ^= 1;
	ck_assert_int_eq(ca_sign_verify(&key, data, len, signature, signature_len, comment,
					sizeof(comment), NULL),
			 -EKEYREJECTED);
	free(key_text);
	free(data);
	free(signature);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("sign");
	TCase *tcase = tcase_create("sign");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_test(tcase, keygen_depends_on_its_entropy_alone);
	tcase_add_test(tcase, signs_and_verifies);
	tcase_add_test(tcase, empty_data_and_empty_comment);
	tcase_add_test(tcase, every_kind_of_change_is_seen);
	tcase_add_test(tcase, comment_must_be_one_line);
	tcase_add_test(tcase, fixture_is_still_signed);
	tcase_add_loop_test(tcase, reads_stock_signatures, 0, 2);
	suite_add_tcase(suite, tcase);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
