/* SPDX-License-Identifier: BSD-2-Clause */
#include "cardassay/fill.h"

#include <endian.h>
#include <errno.h>
#include <gcrypt.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <zlib.h>

#define HEADER_BYTES 32U
#define HEADER_MAGIC 0x59534143U /* "CASY", little-endian */
#define MAX_BITFLIPS 7U
#define KEY_BYTES    32U

/* Sectors enciphered at once, then stamped or looked at: they stay in the fastest cache. */
#define STEP_SECTORS 16U
#define STEP_BYTES   (STEP_SECTORS * CA_SECTOR_BYTES)

/* For the choice of the cipher. */
#define MEASURE_STEPS 6U

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
	uint64_t high_lba; /* whose CRC was asked last */
	uint32_t crc_high;
	uint8_t sector[CA_SECTOR_BYTES]; /* for confirming an alias */
	uint8_t rest[STEP_BYTES];	 /* of what was read, less the keystream */
};

static const uint8_t zeros[STEP_BYTES];

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

/* The header that belongs over this body, masked. */
static void make_header(struct ca_pattern *pattern, uint64_t lba, const uint8_t *sector,
			uint64_t word[4])
{
	uint64_t high = lba & ~UINT64_C(0xff);

	if (high != pattern->high_lba) {
		pattern->high_lba = high;
		pattern->crc_high = header_crc(pattern->run, pattern->device, pattern->pass, high);
	}
	make_mask(sector, word);
	word[0] ^= (uint64_t)pattern->run << 32 | HEADER_MAGIC;
	word[1] ^= (uint64_t)pattern->pass << 32 | pattern->device;
	word[2] ^= lba;
	word[3] ^= (uint64_t)(pattern->crc_high ^ pattern->crc_low[lba & 0xff]) << 32;
}

static void stamp(struct ca_pattern *pattern, uint64_t lba, uint8_t *sector)
{
	uint64_t word[4];

	make_header(pattern, lba, sector, word);
	for (unsigned int i = 0; i < 4; i++)
		store64(sector + 8 * i, word[i]);
}

static bool is_stamped(struct ca_pattern *pattern, uint64_t lba, const uint8_t *sector)
{
	uint64_t word[4], differences = 0;

	make_header(pattern, lba, sector, word);
	for (unsigned int i = 0; i < 4; i++)
		differences |= load64(sector + 8 * i) ^ word[i];
	return differences == 0;
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
		uint64_t count = sectors < STEP_SECTORS ? sectors : STEP_SECTORS;
		size_t bytes = (size_t)count * CA_SECTOR_BYTES;

		must(gcry_cipher_encrypt(pattern->cipher, ret_data, bytes, zeros, bytes));
		for (uint64_t i = 0; i < count; i++, lba++, ret_data += CA_SECTOR_BYTES)
			stamp(pattern, lba, ret_data);
		sectors -= count;
	}
}

/*
 * Less the keystream, the body of a sector that holds the pattern is blank, and then its header is
 * the one that belongs over that body. The data are read once, and nothing of their size is made.
 */
bool ca_pattern_is_intact(struct ca_pattern *pattern, uint64_t lba, uint64_t sectors,
			  const uint8_t *data)
{
	seek(pattern, lba);
	while (sectors > 0) {
		uint64_t count = sectors < STEP_SECTORS ? sectors : STEP_SECTORS;
		size_t bytes = (size_t)count * CA_SECTOR_BYTES;

		must(gcry_cipher_encrypt(pattern->cipher, pattern->rest, bytes, data, bytes));
		for (uint64_t i = 0; i < count; i++, lba++, data += CA_SECTOR_BYTES)
			if (memcmp(pattern->rest + i * CA_SECTOR_BYTES + HEADER_BYTES, zeros,
				   CA_SECTOR_BYTES - HEADER_BYTES) != 0 ||
			    !is_stamped(pattern, lba, data))
				return false;
		sectors -= count;
	}
	return true;
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

/* The library lacks an algorithm, or it had no memory. */
static int errno_of(gcry_error_t error)
{
	if (!error)
		return 0;
	return gcry_err_code(error) == GPG_ERR_ENOMEM ? -ENOMEM : -ENOTSUP;
}

static uint64_t cpu_ns(void)
{
	struct timespec now = {0};

	(void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now); /* every kernel has it */
	return (uint64_t)now.tv_sec * CA_NS_PER_SECOND + (uint64_t)now.tv_nsec;
}

static int open_cipher(enum ca_cipher kind, const uint8_t key[KEY_BYTES],
		       gcry_cipher_hd_t *ret_cipher)
{
	bool aes = kind == CA_CIPHER_AES128;
	gcry_cipher_hd_t cipher;
	int r = errno_of(gcry_cipher_open(&cipher, aes ? GCRY_CIPHER_AES128 : GCRY_CIPHER_CHACHA20,
					  aes ? GCRY_CIPHER_MODE_CTR : GCRY_CIPHER_MODE_STREAM, 0));

	if (r < 0)
		return r;
	r = errno_of(gcry_cipher_setkey(cipher, key, aes ? 16 : KEY_BYTES));
	if (r < 0) {
		gcry_cipher_close(cipher);
		return r;
	}
	*ret_cipher = cipher;
	return 0;
}

/* CPU time of one step at its best; UINT64_MAX where the cipher is not to be had. */
static uint64_t measure(enum ca_cipher kind)
{
	static const uint8_t key[KEY_BYTES];
	uint8_t counter[16] = {0}, made[STEP_BYTES];
	uint64_t least = UINT64_MAX;
	gcry_cipher_hd_t cipher;

	if (open_cipher(kind, key, &cipher) < 0)
		return UINT64_MAX;
	for (unsigned int i = 0; i < MEASURE_STEPS; i++) {
		uint64_t before = cpu_ns(), taken;

		must(kind == CA_CIPHER_AES128 ? gcry_cipher_setctr(cipher, counter, 16)
					      : gcry_cipher_setiv(cipher, counter, 16));
		must(gcry_cipher_encrypt(cipher, made, sizeof(made), zeros, sizeof(zeros)));
		taken = cpu_ns() - before;
		least = taken < least ? taken : least;
	}
	gcry_cipher_close(cipher);
	return least;
}

/*
 * With AES instructions AES is several times faster than ChaCha20, without them several times
 * slower. In doubt ChaCha20, whose cost differs less between processors.
 */
enum ca_cipher ca_pattern_fastest(void)
{
	uint64_t aes, chacha20;

	library_init();
	aes = measure(CA_CIPHER_AES128);
	chacha20 = measure(CA_CIPHER_CHACHA20);
	return aes < chacha20 / 4 * 3 ? CA_CIPHER_AES128 : CA_CIPHER_CHACHA20;
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
	pattern->kind = cipher == CA_CIPHER_AUTO ? ca_pattern_fastest() : cipher;
	pattern->run = ca_le32(run_id);
	pattern->device = ca_le32(device_id);
	pattern->pass = pass;
	r = derive_key(secret, run_id, device_id, pass, pattern->key);
	if (r == 0)
		r = open_cipher(pattern->kind, pattern->key, &pattern->cipher);
	if (r < 0) {
		ca_pattern_free(pattern);
		return r;
	}
	crc_zero = header_crc(pattern->run, pattern->device, pass, 0);
	pattern->crc_high = crc_zero; /* of high_lba 0 */
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

enum ca_cipher ca_pattern_cipher(const struct ca_pattern *pattern)
{
	return pattern->kind;
}

size_t ca_pattern_key(const struct ca_pattern *pattern, uint8_t ret_key[32])
{
	size_t bytes = pattern->kind == CA_CIPHER_AES128 ? 16 : KEY_BYTES;

	memcpy(ret_key, pattern->key, bytes);
	return bytes;
}
