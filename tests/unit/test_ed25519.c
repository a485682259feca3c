/* SPDX-License-Identifier: BSD-2-Clause */
#include "digest.h"
#include "ed25519.h"

#include "cardassay/base.h"

#include <check.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* RFC 8032 section 7.1, tests 1 to 3; then two seeds with zeros at the ends. */
static const struct {
	const char *seed, *key, *message, *signature;
} vectors[] = {
	{"9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
	 "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", "",
	 "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701"
	 "c"
	 "f9b46bd25bf5f0595bbe24655141438e7a100b"},
	{"4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
	 "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c", "72",
	 "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d"
	 "0"
	 "f11d8c387b2eaeb4302aeeb00d291612bb0c00"},
	{"c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
	 "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025", "af82",
	 "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f7609"
	 "8"
	 "4dc6594a7c15e9716ed28dc027beceea1ec40a"},
	{"0000000000000000000000000000000000000000000000000000000000000000",
	 "3b6a27bcceb6a42d62a3a8d02a6f0d73653215771de243a63ac048a18b59da29", "616263",
	 "885dfb07cab2796eb960531a2f09b972ad59b97bb125bef5fdda0855d6bebebf24447e705fa11575639df396c"
	 "2"
	 "01ccf52a1a16b014a7a2f0ce73a7a161757308"},
	{"00000000000000000000000000000000000000000000000000000000000000ff",
	 "5699a9cef870e2ff0c022b67689cc76fe05e90915c5f0143f9356ca72f4aff99", "616263",
	 "c34446239dbf15ccf95af444340a258165b5c418900f4567b655c586d2a09dfacfe9701912d1058297171e48d"
	 "d"
	 "47aa364c5098e4d031ab893198e76690c0fa0e"},
};

static size_t from_hex(const char *text, uint8_t *ret, size_t max)
{
	size_t len = 0;

	if (*text)
		ck_assert_int_eq(ca_hex_decode(text, strlen(text), ret, max, &len), 0);
	return len;
}

START_TEST(known_answers)
{
	uint8_t seed[32], key[32], message[8], signature[64], got[64];
	size_t len;

	from_hex(vectors[_i].seed, seed, sizeof(seed));
	from_hex(vectors[_i].key, key, sizeof(key));
	from_hex(vectors[_i].signature, signature, sizeof(signature));
	len = from_hex(vectors[_i].message, message, sizeof(message));
	ck_assert_int_eq(ca_ed25519_public(seed, got), 0);
	ck_assert_mem_eq(got, key, 32);
	ck_assert_int_eq(ca_ed25519_sign(seed, key, message, len, got), 0);
	ck_assert_mem_eq(got, signature, 64);
	ck_assert_int_eq(ca_ed25519_verify(key, message, len, signature), 0);
}
END_TEST

START_TEST(any_changed_bit_is_seen)
{
	uint8_t key[32], signature[64], message[1] = {0x72};

	from_hex(vectors[1].key, key, sizeof(key));
	from_hex(vectors[1].signature, signature, sizeof(signature));
	for (size_t i = 0; i < 64; i += 7) {
		signature[i] ^= 1;
		ck_assert_int_eq(ca_ed25519_verify(key, message, 1, signature), -EKEYREJECTED);
		signature[i] ^= 1;
	}
	message[0] ^= 0x80;
	ck_assert_int_eq(ca_ed25519_verify(key, message, 1, signature), -EKEYREJECTED);
	message[0] ^= 0x80;
	key[3] ^= 4;
	ck_assert_int_eq(ca_ed25519_verify(key, message, 1, signature), -EKEYREJECTED);
	memset(key, 0xff, sizeof(key)); /* no point of the curve */
	ck_assert_int_eq(ca_ed25519_verify(key, message, 1, signature), -EKEYREJECTED);
}
END_TEST

START_TEST(blake2b_known_answers)
{
	uint8_t digest[64];
	char text[129];

	/* RFC 7693 appendix A */
	ck_assert_int_eq(ca_digest_blake2b_512("abc", 3, digest), 0);
	ca_hex_encode(digest, 64, text);
	ck_assert_str_eq(text, "ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d1"
			       "7d87c5392aab792dc252d5de4533cc9518d38aa8dbf1925ab92386edd4009923");
	ck_assert_int_eq(ca_digest_blake2b_256("abc", 3, digest), 0);
	ca_hex_encode(digest, 32, text);
	ck_assert_str_eq(text, "bddd813c634239723171ef3fee98579b94964e3bb1cb3e427262c8c068d52319");
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("ed25519");
	TCase *tcase = tcase_create("ed25519");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_loop_test(tcase, known_answers, 0, (int)CA_ARRAY_LEN(vectors));
	tcase_add_test(tcase, any_changed_bit_is_seen);
	tcase_add_test(tcase, blake2b_known_answers);
	suite_add_tcase(suite, tcase);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
