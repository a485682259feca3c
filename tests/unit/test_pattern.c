/* SPDX-License-Identifier: BSD-2-Clause */
#include "cardassay/fill.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

static const enum ca_cipher ciphers[] = {CA_CIPHER_AES128, CA_CIPHER_CHACHA20};

static uint8_t secret[CA_SECRET_BYTES], run_id[16], device_id[16];

static void set_ids(void)
{
	for (unsigned int i = 0; i < sizeof(secret); i++)
		secret[i] = (uint8_t)i;
	for (unsigned int i = 0; i < 16; i++) {
		run_id[i] = (uint8_t)(0x40 + i);
		device_id[i] = (uint8_t)(0x80 + i);
	}
}

static struct ca_pattern *make(enum ca_cipher cipher, uint32_t pass)
{
	struct ca_pattern *pattern;

	ck_assert_int_eq(ca_pattern_new(secret, run_id, device_id, pass, cipher, &pattern), 0);
	return pattern;
}

/*
 * Keys by another BLAKE2b, keystreams by another AES and ChaCha20 (K, counter LBA x 32 or LBA x 8).
 * They pin the format: what was written to a card must be readable by later versions.
 */
static const struct {
	enum ca_cipher cipher;
	const char *name, *key, *body, *tail;
} known[] = {
	{CA_CIPHER_AES128, "aes-128-ctr", "1932a159a6b3ae23e7846c8486ac1c80",
	 "eff812f1562e119891800c12ce62805149e3a71f80532260417a51622fa87085",
	 "77bd256ca93f203bede8ccb6a1cee4eed4a631e5e22ad05539d6ad77fbb001d2"},
	{CA_CIPHER_CHACHA20, "chacha20",
	 "1932a159a6b3ae23e7846c8486ac1c8048e3006449054626d7a86965ef031f67",
	 "12bb42683514f9ae3b945cf06eaac06c99b71f44e43c88af628822f6e5fbd80f",
	 "e544fee9360011b9c7a6df122db06a7f4f03e5c2acce4c85f8f874d91c21afba"},
};

START_TEST(format_is_pinned)
{
	struct ca_pattern *pattern = make(known[_i].cipher, 3);
	uint8_t sector[CA_SECTOR_BYTES], key[32];
	char text[65];
	size_t bytes = ca_pattern_key(pattern, key);

	ck_assert_str_eq(ca_pattern_name(pattern), known[_i].name);
	ca_hex_encode(key, bytes, text);
	ck_assert_str_eq(text, known[_i].key);
	ca_pattern_generate(pattern, UINT64_C(0x123456789), 1, sector);
	ca_hex_encode(sector + 32, 32, text);
	ck_assert_str_eq(text, known[_i].body);
	ca_hex_encode(sector + 480, 32, text);
	ck_assert_str_eq(text, known[_i].tail);
	ca_pattern_free(pattern);
}
END_TEST

START_TEST(any_split_gives_the_same_bytes)
{
	enum { SECTORS = 600 };
	struct ca_pattern *pattern = make(ciphers[_i], 0);
	uint8_t *whole = malloc(SECTORS * CA_SECTOR_BYTES);
	uint8_t *parts = malloc(SECTORS * CA_SECTOR_BYTES);
	uint64_t start = UINT64_C(0xffffff00) - 44; /* crosses 256 and 2^32 */
	uint64_t rng = 11;

	ck_assert(whole && parts);
	ca_pattern_generate(pattern, start, SECTORS, whole);
	for (uint64_t done = 0; done < SECTORS;) {
		uint64_t count = 1 + ca_rng_below(&rng, 90);

		if (count > SECTORS - done)
			count = SECTORS - done;
		ca_pattern_generate(pattern, start + done, count, parts + done * CA_SECTOR_BYTES);
		done += count;
	}
	ck_assert_mem_eq(whole, parts, SECTORS * CA_SECTOR_BYTES);
	for (uint64_t i = SECTORS; i-- > 0;) {
		ca_pattern_generate(pattern, start + i, 1, parts);
		ck_assert_mem_eq(whole + i * CA_SECTOR_BYTES, parts, CA_SECTOR_BYTES);
	}
	free(whole);
	free(parts);
	ca_pattern_free(pattern);
}
END_TEST

START_TEST(nothing_compresses)
{
	struct ca_pattern *pattern = make(ciphers[_i], 0);
	uint8_t page[4096], packed[8192];

	for (uint64_t i = 0; i < 400; i++) {
		uLongf bytes = sizeof(packed);

		ca_pattern_generate(pattern, i * 8 * 977, 8, page);
		ck_assert_int_eq(compress2(packed, &bytes, page, sizeof(page), 9), Z_OK);
		ck_assert_uint_ge(bytes, sizeof(page));
	}
	ca_pattern_free(pattern);
}
END_TEST

static int by_bytes(const void *a, const void *b)
{
	return memcmp(a, b, 16);
}

START_TEST(sectors_and_headers_are_unique)
{
	enum { SECTORS = 8192 };
	struct ca_pattern *pattern = make(ciphers[_i], 0);
	uint8_t *data = malloc(SECTORS * CA_SECTOR_BYTES);
	uint8_t(*heads)[16] = malloc(SECTORS * 16);

	ck_assert(data && heads);
	ca_pattern_generate(pattern, 0, SECTORS, data);
	for (unsigned int part = 0; part < 2; part++) {
		/* the masked header, and the body after it */
		for (size_t i = 0; i < SECTORS; i++)
			memcpy(heads[i], data + i * CA_SECTOR_BYTES + 32 * part, 16);
		qsort(heads, SECTORS, 16, by_bytes);
		for (size_t i = 1; i < SECTORS; i++)
			ck_assert(memcmp(heads[i - 1], heads[i], 16) != 0);
	}
	free(data);
	free(heads);
	ca_pattern_free(pattern);
}
END_TEST

START_TEST(keys_differ_with_each_input)
{
	struct ca_pattern *base = make(CA_CIPHER_CHACHA20, 0);
	uint8_t key[5][32];

	ck_assert_uint_eq(ca_pattern_key(base, key[0]), 32);
	ca_pattern_free(base);
	for (int i = 1; i < 5; i++) {
		set_ids();
		if (i == 2)
			secret[31] ^= 1;
		if (i == 3)
			run_id[15] ^= 1;
		if (i == 4)
			device_id[15] ^= 1;
		base = make(CA_CIPHER_CHACHA20, i == 1);
		(void)ca_pattern_key(base, key[i]);
		ca_pattern_free(base);
		for (int j = 0; j < i; j++)
			ck_assert_mem_ne(key[i], key[j], 32);
	}
}
END_TEST

START_TEST(header_tells_whose_it_is)
{
	struct ca_pattern *pattern = make(ciphers[_i], 9);
	static const uint64_t lbas[] = {0, 1, 255, 256, 1000007, UINT64_C(0x1ffffffff)};
	uint8_t sector[CA_SECTOR_BYTES];

	for (size_t i = 0; i < CA_ARRAY_LEN(lbas); i++) {
		struct ca_pattern_header header;

		ca_pattern_generate(pattern, lbas[i], 1, sector);
		ck_assert(ca_pattern_read_header(sector, &header));
		ck_assert_uint_eq(header.lba, lbas[i]);
		ck_assert_uint_eq(header.run, 0x43424140);
		ck_assert_uint_eq(header.device, 0x83828180);
		ck_assert_uint_eq(header.pass, 9);
		for (unsigned int bit = 0; bit < 64 * 8; bit += 5) {
			sector[bit / 8] ^= (uint8_t)(1U << bit % 8);
			ck_assert(!ca_pattern_read_header(sector, &header));
			sector[bit / 8] ^= (uint8_t)(1U << bit % 8);
		}
	}
	ca_pattern_free(pattern);
}
END_TEST

START_TEST(noise_has_no_header)
{
	uint8_t sector[CA_SECTOR_BYTES];
	struct ca_pattern_header header;
	uint64_t rng = 5;

	memset(sector, 0, sizeof(sector));
	ck_assert(!ca_pattern_read_header(sector, &header));
	memset(sector, 0xff, sizeof(sector));
	ck_assert(!ca_pattern_read_header(sector, &header));
	for (int i = 0; i < 20000; i++) {
		for (size_t j = 0; j < 64; j += 8)
			ca_put_le64(sector + j, ca_rng_next(&rng));
		ck_assert(!ca_pattern_read_header(sector, &header));
	}
}
END_TEST

/* How the sector at LBA 1000 came to look. */
enum tamper {
	TAMPER_NONE,
	TAMPER_ZEROS,
	TAMPER_ONES,
	TAMPER_FLIP_1,
	TAMPER_FLIP_7,
	TAMPER_FLIP_8,
	TAMPER_ALIAS_UP,
	TAMPER_ALIAS_DOWN,
	TAMPER_ALIAS_FLIPPED,
	TAMPER_ALIAS_BROKEN,
	TAMPER_OTHER_PASS,
	TAMPER_OTHER_RUN,
	TAMPER_OTHER_DEVICE,
	TAMPER_NOISE,
	TAMPER_HALF,
};

static const struct {
	enum tamper tamper;
	enum ca_sector_class class_of;
	int64_t delta;
} tampers[] = {
	{TAMPER_NONE, CA_SECTOR_GOOD, 0},
	{TAMPER_ZEROS, CA_SECTOR_ZEROS, 0},
	{TAMPER_ONES, CA_SECTOR_ONES, 0},
	{TAMPER_FLIP_1, CA_SECTOR_BITFLIP, 0},
	{TAMPER_FLIP_7, CA_SECTOR_BITFLIP, 0},
	{TAMPER_FLIP_8, CA_SECTOR_NOISE, 0},
	{TAMPER_ALIAS_UP, CA_SECTOR_ALIAS, 2097152},
	{TAMPER_ALIAS_DOWN, CA_SECTOR_ALIAS, -999},
	{TAMPER_ALIAS_FLIPPED, CA_SECTOR_ALIAS, 2097152},
	{TAMPER_ALIAS_BROKEN, CA_SECTOR_NOISE, 0},
	{TAMPER_OTHER_PASS, CA_SECTOR_STALE, 0},
	{TAMPER_OTHER_RUN, CA_SECTOR_STALE, 0},
	{TAMPER_OTHER_DEVICE, CA_SECTOR_FOREIGN, 0},
	{TAMPER_NOISE, CA_SECTOR_NOISE, 0},
	{TAMPER_HALF, CA_SECTOR_NOISE, 0},
};

static void flip(uint8_t *sector, unsigned int bits)
{
	for (unsigned int i = 0; i < bits; i++)
		sector[100 + 31 * i] ^= (uint8_t)(1U << i % 8);
}

static void from_other(enum ca_cipher cipher, enum tamper tamper, uint8_t *sector)
{
	struct ca_pattern *other;

	if (tamper == TAMPER_OTHER_RUN)
		run_id[0] ^= 1;
	if (tamper == TAMPER_OTHER_DEVICE)
		device_id[0] ^= 1;
	other = make(cipher, tamper == TAMPER_OTHER_PASS);
	ca_pattern_generate(other, 1000, 1, sector);
	ca_pattern_free(other);
}

static void tamper_with(struct ca_pattern *pattern, enum ca_cipher cipher, enum tamper tamper,
			uint8_t *sector)
{
	uint64_t rng = 3;

	switch (tamper) {
	case TAMPER_NONE:
		break;
	case TAMPER_ZEROS:
	case TAMPER_ONES:
		memset(sector, tamper == TAMPER_ONES ? 0xff : 0, CA_SECTOR_BYTES);
		break;
	case TAMPER_FLIP_1:
		flip(sector, 1);
		break;
	case TAMPER_FLIP_7:
		flip(sector, 7);
		break;
	case TAMPER_FLIP_8:
		flip(sector, 8);
		break;
	case TAMPER_ALIAS_UP:
	case TAMPER_ALIAS_FLIPPED:
	case TAMPER_ALIAS_BROKEN:
		ca_pattern_generate(pattern, 1000 + 2097152, 1, sector);
		if (tamper == TAMPER_ALIAS_FLIPPED)
			flip(sector, 7);
		if (tamper == TAMPER_ALIAS_BROKEN)
			memset(sector + 256, 0x11, 64);
		break;
	case TAMPER_ALIAS_DOWN:
		ca_pattern_generate(pattern, 1, 1, sector);
		break;
	case TAMPER_OTHER_PASS:
	case TAMPER_OTHER_RUN:
	case TAMPER_OTHER_DEVICE:
		from_other(cipher, tamper, sector);
		break;
	case TAMPER_NOISE:
		for (size_t i = 0; i < CA_SECTOR_BYTES; i += 8)
			ca_put_le64(sector + i, ca_rng_next(&rng));
		break;
	case TAMPER_HALF:
		memset(sector + 256, 0, 256);
		break;
	}
}

START_TEST(sectors_are_classified)
{
	for (size_t i = 0; i < CA_ARRAY_LEN(ciphers); i++) {
		struct ca_pattern *pattern = make(ciphers[i], 0);
		uint8_t expected[CA_SECTOR_BYTES], found[CA_SECTOR_BYTES];
		int64_t delta = 0;

		ca_pattern_generate(pattern, 1000, 1, expected);
		memcpy(found, expected, sizeof(found));
		tamper_with(pattern, ciphers[i], tampers[_i].tamper, found);
		ck_assert_int_eq(ca_pattern_classify(pattern, 1000, expected, found, &delta),
				 tampers[_i].class_of);
		ck_assert_int_eq(delta, tampers[_i].delta);
		ca_pattern_free(pattern);
		set_ids();
	}
}
END_TEST

START_TEST(auto_is_one_of_the_two)
{
	struct ca_pattern *pattern = make(CA_CIPHER_AUTO, 0);
	const char *name = ca_pattern_name(pattern);

	ck_assert(strcmp(name, "aes-128-ctr") == 0 || strcmp(name, "chacha20") == 0);
	ca_pattern_free(pattern);
	ca_pattern_free(NULL);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("pattern");
	TCase *tcase = tcase_create("pattern");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_checked_fixture(tcase, set_ids, NULL);
	tcase_set_timeout(tcase, 60);
	tcase_add_loop_test(tcase, format_is_pinned, 0, (int)CA_ARRAY_LEN(known));
	tcase_add_loop_test(tcase, any_split_gives_the_same_bytes, 0, (int)CA_ARRAY_LEN(ciphers));
	tcase_add_loop_test(tcase, nothing_compresses, 0, (int)CA_ARRAY_LEN(ciphers));
	tcase_add_loop_test(tcase, sectors_and_headers_are_unique, 0, (int)CA_ARRAY_LEN(ciphers));
	tcase_add_test(tcase, keys_differ_with_each_input);
	tcase_add_loop_test(tcase, header_tells_whose_it_is, 0, (int)CA_ARRAY_LEN(ciphers));
	tcase_add_test(tcase, noise_has_no_header);
	tcase_add_loop_test(tcase, sectors_are_classified, 0, (int)CA_ARRAY_LEN(tampers));
	tcase_add_test(tcase, auto_is_one_of_the_two);
	suite_add_tcase(suite, tcase);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
