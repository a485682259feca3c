/* SPDX-License-Identifier: BSD-2-Clause */
#include "cardassay/fill.h"

#include <endian.h>
#include <errno.h>
#include <gcrypt.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#define HEADER_BYTES 32U
#define HEADER_MAGIC 0x59534143U /* "CASY", little-endian */
#define MAX_BITFLIPS 7U
#define KEY_BYTES    32U

/* Sectors made at once: what is zeroed, enciphered and stamped together stays in the cache. */
#define GENERATE_SECTORS 64U

struct ca_pattern {
	gcry_cipher_hd_t cipher;
	enum ca_cipher kind; /* never AUTO */
	uint8_t key[KEY_BYTES];
	uint32_t run, device, pass;
	/*
	 * CRC32 is linear over XOR: the CRC of a header is that of its LBA with the low byte 0,
	 * XORed with what the low byte alone changes. So zlib is asked once in 256 sectors.
	 */
	uint32_t crc_low[256];
	uint8_t sector[CA_SECTOR_BYTES]; /* for confirming an alias */
};

static uint64_t load64(const uint8_t *p)
{
	uint64_t value;

	memcpy(&value, p, sizeof(value));
	return le64toh(value);
}

static void store64(uint8_t *p, uint64_t value)
{
	value = htole64(value);
	memcpy(p, &value, sizeof(value));
}

static uint64_t rotate(uint64_t value, unsigned int bits)
{
	return value << bits | value >> (64 - bits);
}

/*
 * The mask of the header: the 32 bytes of keystream after it, stirred so that it is not a plain
 * copy of its neighbours. It depends on the sector alone, so that a stray sector can be unmasked.
 */
static void make_mask(const uint8_t *sector, uint64_t mask[4])
{
	uint64_t body[4];

	for (unsigned int i = 0; i < 4; i++)
		body[i] = load64(sector + HEADER_BYTES + 8 * i);
	for (unsigned int i = 0; i < 4; i++)
		mask[i] = (body[i] ^ rotate(body[(i + 1) % 4], 29)) * UINT64_C(0xd6e8feb86659fd93);
}

static uint32_t header_crc(uint32_t run, uint32_t device, uint32_t pass, uint64_t lba)
{
	uint8_t header[28];

	ca_put_le32(header, HEADER_MAGIC);
	ca_put_le32(header + 4, run);
	ca_put_le32(header + 8, device);
	ca_put_le32(header + 12, pass);
	ca_put_le64(header + 16, lba);
	ca_put_le32(header + 24, 0);
	return (uint32_t)crc32(0, header, sizeof(header));
}

static void stamp(const struct ca_pattern *pattern, uint64_t lba, uint64_t sectors, uint8_t *data)
{
	uint64_t word0 = (uint64_t)pattern->run << 32 | HEADER_MAGIC;
	uint64_t word1 = (uint64_t)pattern->pass << 32 | pattern->device;
	uint32_t crc_high = 0;

	for (uint64_t i = 0; i < sectors; i++, lba++, data += CA_SECTOR_BYTES) {
		uint64_t mask[4];

		if (i == 0 || (lba & 0xff) == 0)
			crc_high = header_crc(pattern->run, pattern->device, pattern->pass,
					      lba & ~UINT64_C(0xff));
		make_mask(data, mask);
		store64(data, word0 ^ mask[0]);
		store64(data + 8, word1 ^ mask[1]);
		store64(data + 16, lba ^ mask[2]);
		store64(data + 24,
			(uint64_t)(crc_high ^ pattern->crc_low[lba & 0xff]) << 32 ^ mask[3]);
	}
}

/* Keystream and key were accepted when the pattern was made; a failure here would write a weak
 * pattern to a card and call the card bad, so there is nothing to go on with. */
static void must(gcry_error_t error)
{
	if (error)
		abort();
}

static void seek(struct ca_pattern *pattern, uint64_t lba)
{
	uint8_t counter[16] = {0};

	if (pattern->kind == CA_CIPHER_AES128) {
		/* 128-bit big-endian counter of 16-byte blocks */
		uint64_t high = htobe64(lba >> 59);
		uint64_t low = htobe64(lba << 5);

		memcpy(counter, &high, sizeof(high));
		memcpy(counter + 8, &low, sizeof(low));
		must(gcry_cipher_setctr(pattern->cipher, counter, sizeof(counter)));
	} else {
		/* 64-bit little-endian counter of 64-byte blocks, then a nonce of zeros */
		store64(counter, lba << 3);
		must(gcry_cipher_setiv(pattern->cipher, counter, sizeof(counter)));
	}
}

void ca_pattern_generate(struct ca_pattern *pattern, uint64_t lba, uint64_t sectors,
			 uint8_t *ret_data)
{
	seek(pattern, lba);
	while (sectors > 0) {
		uint64_t count = sectors < GENERATE_SECTORS ? sectors : GENERATE_SECTORS;
		size_t bytes = (size_t)count * CA_SECTOR_BYTES;

		memset(ret_data, 0, bytes);
		must(gcry_cipher_encrypt(pattern->cipher, ret_data, bytes, NULL, 0));
		stamp(pattern, lba, count, ret_data);
		ret_data += bytes;
		lba += count;
		sectors -= count;
	}
}

bool ca_pattern_read_header(const uint8_t *sector, struct ca_pattern_header *ret_header)
{
	struct ca_pattern_header header;
	uint64_t word[4], mask[4];

	make_mask(sector, mask);
	for (unsigned int i = 0; i < 4; i++)
		word[i] = load64(sector + 8 * i) ^ mask[i];
	if ((uint32_t)word[0] != HEADER_MAGIC || (uint32_t)word[3] != 0)
		return false;
	header.run = (uint32_t)(word[0] >> 32);
	header.device = (uint32_t)word[1];
	header.pass = (uint32_t)(word[1] >> 32);
	header.lba = word[2];
	if (header_crc(header.run, header.device, header.pass, header.lba) !=
	    (uint32_t)(word[3] >> 32))
		return false;
	*ret_header = header;
	return true;
}

/* Does the sector hold, up to a few flipped bits, what this pattern wrote to `lba`? */
static bool is_ours(struct ca_pattern *pattern, uint64_t lba, const uint8_t *found)
{
	ca_pattern_generate(pattern, lba, 1, pattern->sector);
	return memcmp(pattern->sector, found, CA_SECTOR_BYTES) == 0 ||
	       ca_bytes_count_bit_errors(pattern->sector, found, CA_SECTOR_BYTES, MAX_BITFLIPS) <=
		       MAX_BITFLIPS;
}

enum ca_sector_class ca_pattern_classify(struct ca_pattern *pattern, uint64_t lba,
					 const uint8_t *expected, const uint8_t *found,
					 int64_t *ret_delta)
{
	struct ca_pattern_header header;

	if (memcmp(expected, found, CA_SECTOR_BYTES) == 0)
		return CA_SECTOR_GOOD;
	if (ca_bytes_is_all(found, CA_SECTOR_BYTES, 0x00))
		return CA_SECTOR_ZEROS;
	if (ca_bytes_is_all(found, CA_SECTOR_BYTES, 0xff))
		return CA_SECTOR_ONES;
	if (ca_bytes_count_bit_errors(expected, found, CA_SECTOR_BYTES, MAX_BITFLIPS) <=
	    MAX_BITFLIPS)
		return CA_SECTOR_BITFLIP;
	if (!ca_pattern_read_header(found, &header))
		return CA_SECTOR_NOISE;
	if (header.device != pattern->device)
		return CA_SECTOR_FOREIGN;
	/* The key of an earlier run is not known here, so its header has to do; its mask ties it to
	 * its own sector. */
	if (header.run != pattern->run || header.pass != pattern->pass)
		return CA_SECTOR_STALE;
	if (header.lba == lba || header.lba > INT64_MAX || lba > INT64_MAX ||
	    !is_ours(pattern, header.lba, found))
		return CA_SECTOR_NOISE;
	*ret_delta = (int64_t)header.lba - (int64_t)lba;
	return CA_SECTOR_ALIAS;
}

static void library_init(void)
{
	if (gcry_control(GCRYCTL_INITIALIZATION_FINISHED_P))
		return;
	(void)gcry_check_version(NULL); /* NULL asks for no minimum and initialises */
	must(gcry_control(GCRYCTL_DISABLE_SECMEM, 0));
	must(gcry_control(GCRYCTL_INITIALIZATION_FINISHED, 0));
}

static enum ca_cipher fastest_cipher(void)
{
	static const char *const aes_hardware[] = {"intel-aesni", "arm-aes", "ppc-vcrypto"};
	char *features = gcry_get_config(0, "hwflist");
	enum ca_cipher cipher = CA_CIPHER_CHACHA20;

	for (size_t i = 0; features && i < CA_ARRAY_LEN(aes_hardware); i++)
		if (strstr(features, aes_hardware[i]))
			cipher = CA_CIPHER_AES128;
	gcry_free(features);
	return cipher;
}

/* The library lacks an algorithm, or it had no memory. */
static int errno_of(gcry_error_t error)
{
	if (!error)
		return 0;
	return gcry_err_code(error) == GPG_ERR_ENOMEM ? -ENOMEM : -ENOTSUP;
}

static int derive_key(const uint8_t secret[CA_SECRET_BYTES], const uint8_t run_id[16],
		      const uint8_t device_id[16], uint32_t pass, uint8_t key[KEY_BYTES])
{
	gcry_md_hd_t hash;
	uint8_t number[4];
	int r = errno_of(gcry_md_open(&hash, GCRY_MD_BLAKE2B_256, 0));

	if (r < 0)
		return r;
	r = errno_of(gcry_md_setkey(hash, secret, CA_SECRET_BYTES));
	if (r < 0) {
		gcry_md_close(hash);
		return r;
	}
	ca_put_le32(number, pass);
	gcry_md_write(hash, run_id, 16);
	gcry_md_write(hash, device_id, 16);
	gcry_md_write(hash, number, sizeof(number));
	memcpy(key, gcry_md_read(hash, GCRY_MD_BLAKE2B_256), KEY_BYTES);
	gcry_md_close(hash);
	return 0;
}

static int open_cipher(struct ca_pattern *pattern)
{
	bool aes = pattern->kind == CA_CIPHER_AES128;
	int r = errno_of(gcry_cipher_open(&pattern->cipher,
					  aes ? GCRY_CIPHER_AES128 : GCRY_CIPHER_CHACHA20,
					  aes ? GCRY_CIPHER_MODE_CTR : GCRY_CIPHER_MODE_STREAM, 0));

	return r < 0 ? r
		     : errno_of(gcry_cipher_setkey(pattern->cipher, pattern->key, aes ? 16 : 32));
}

int ca_pattern_new(const uint8_t secret[CA_SECRET_BYTES], const uint8_t run_id[16],
		   const uint8_t device_id[16], uint32_t pass, enum ca_cipher cipher,
		   struct ca_pattern **ret_pattern)
{
	struct ca_pattern *pattern = calloc(1, sizeof(*pattern));
	uint32_t crc_zero;
	int r;

	if (!pattern)
		return -ENOMEM;
	library_init();
	pattern->kind = cipher == CA_CIPHER_AUTO ? fastest_cipher() : cipher;
	pattern->run = ca_le32(run_id);
	pattern->device = ca_le32(device_id);
	pattern->pass = pass;
	r = derive_key(secret, run_id, device_id, pass, pattern->key);
	if (r == 0)
		r = open_cipher(pattern);
	if (r < 0) {
		ca_pattern_free(pattern);
		return r;
	}
	crc_zero = header_crc(pattern->run, pattern->device, pass, 0);
	for (uint32_t low = 0; low < CA_ARRAY_LEN(pattern->crc_low); low++)
		pattern->crc_low[low] =
			header_crc(pattern->run, pattern->device, pass, low) ^ crc_zero;
	*ret_pattern = pattern;
	return 0;
}

void ca_pattern_free(struct ca_pattern *pattern)
{
	if (!pattern)
		return;
	gcry_cipher_close(pattern->cipher); /* takes NULL */
	explicit_bzero(pattern, sizeof(*pattern));
	free(pattern);
}

const char *ca_pattern_name(const struct ca_pattern *pattern)
{
	return pattern->kind == CA_CIPHER_AES128 ? "aes-128-ctr" : "chacha20";
}

size_t ca_pattern_key(const struct ca_pattern *pattern, uint8_t ret_key[32])
{
	size_t bytes = pattern->kind == CA_CIPHER_AES128 ? 16 : KEY_BYTES;

	memcpy(ret_key, pattern->key, bytes);
	return bytes;
}
