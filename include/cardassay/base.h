/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * base: errors, bytes and bit fields, hex, text, units, clock, seeded numbers.
 * A leaf: it knows no device, and nothing here reads the wall clock or entropy.
 *
 * Return values: 0 or a negative errno, unless a function says otherwise. ret_* outputs are
 * written only on success.
 */
#ifndef CARDASSAY_BASE_H
#define CARDASSAY_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CA_ARRAY_LEN(a) (sizeof(a) / sizeof((a)[0]))

#define CA_KIB		 UINT64_C(1024)
#define CA_MIB		 (UINT64_C(1024) * CA_KIB)
#define CA_GIB		 (UINT64_C(1024) * CA_MIB)
#define CA_SECTOR_BYTES	 512U
#define CA_NS_PER_SECOND UINT64_C(1000000000)

/* ---- errors (src/base/error.c) ------------------------------------------------------------- */

/*
 * A failure of our own (E2) on its way up to the command line, which alone prints it. `text` is
 * one plain sentence: what failed and what to do next. The first writer wins, so context is added
 * exactly once, where it is known best.
 */
struct ca_error {
	int code; /* negative errno, 0 = no error yet */
	char text[512];
};

/* Sets `error` (may be NULL) unless it is already set; returns `code`, so it can end a function. */
int ca_error_set(struct ca_error *error, int code, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* ---- bytes and bit fields (src/base/bits.c) ------------------------------------------------ */

/*
 * Reads bits msb..lsb (inclusive, at most 64) of a register that is stored big-endian, as SD and
 * eMMC registers are: bit 8 * reg_bytes - 1 is the top bit of reg[0]. Out of range is a programmer
 * error. ca_bits_set is its inverse.
 */
uint64_t ca_bits_get(const uint8_t *reg, size_t reg_bytes, unsigned int msb, unsigned int lsb);
void ca_bits_set(uint8_t *reg, size_t reg_bytes, unsigned int msb, unsigned int lsb,
		 uint64_t value);

uint16_t ca_le16(const uint8_t *p);
uint32_t ca_le32(const uint8_t *p);
uint64_t ca_le64(const uint8_t *p);
void ca_put_le32(uint8_t *p, uint32_t value);
void ca_put_le64(uint8_t *p, uint64_t value);

/* True when all `bytes` bytes equal `value`; true for bytes = 0. */
bool ca_bytes_is_all(const void *data, size_t bytes, uint8_t value);

/* Number of bits in which a and b differ, counted up to `limit` (counting stops beyond it). */
unsigned int ca_bytes_count_bit_errors(const uint8_t *a, const uint8_t *b, size_t bytes,
				       unsigned int limit);

/* ---- hex (src/base/hex.c) ------------------------------------------------------------------ */

/*
 * Decodes hex as people paste it: upper or lower case, an optional 0x before a group, white space,
 * ':' or '-' between whole bytes, a trailing newline. `text` need not be NUL-terminated.
 * -EINVAL: a character that is none of these; -ENODATA: no digit at all; -EILSEQ: an odd number of
 * digits; -EOVERFLOW: more than max_bytes.
 */
int ca_hex_decode(const char *text, size_t text_len, uint8_t *ret_bytes, size_t max_bytes,
		  size_t *ret_len);

/* Lower case, no separators; ret_text has room for 2 * bytes + 1. */
void ca_hex_encode(const uint8_t *data, size_t bytes, char *ret_text);

/* ---- text (src/base/text.c) ---------------------------------------------------------------- */

/*
 * A bounded writer without printf, so that pure rooms can word their findings. `buf` is always
 * NUL-terminated; what does not fit is dropped and `cut` is set.
 */
struct ca_text {
	char *buf;
	size_t size;
	size_t len;
	bool cut;
};

void ca_text_init(struct ca_text *text, char *buf, size_t size);
void ca_text_add(struct ca_text *text, const char *string);
void ca_text_add_len(struct ca_text *text, const char *string, size_t len);
void ca_text_u64(struct ca_text *text, uint64_t value);
void ca_text_i64(struct ca_text *text, int64_t value);
void ca_text_grouped(struct ca_text *text, uint64_t value);		     /* 1,234,567 */
void ca_text_hex(struct ca_text *text, uint64_t value, unsigned int digits); /* no 0x, padded */
/* value / scale with `decimals` places, rounded half up: (1234, 1000, 1) -> "1.2" */
void ca_text_fixed(struct ca_text *text, uint64_t value, uint64_t scale, unsigned int decimals);
void ca_text_size(struct ca_text *text, uint64_t bytes); /* "31.9 GB (29.7 GiB)" */
void ca_text_gb(struct ca_text *text, uint64_t bytes);	 /* "31.9 GB", or "500 MB", "12 kB" ... */
void ca_text_rate(struct ca_text *text, uint64_t bytes_per_second); /* "18.3 MB/s", 10^6 */
/*
 * Bytes that come from a card or a file are hostile: printable ASCII is kept, backslash and all
 * else become \\ and \xNN.
 */
void ca_text_escaped(struct ca_text *text, const char *bytes, size_t len);
/* The same of a whole string; what does not fit is cut (4 bytes a character and a NUL do). */
void ca_string_escape(char *ret, size_t ret_size, const char *string);

/* Copies as much of `string` as fits and terminates it. Returns false when it was cut. */
bool ca_string_copy(char *ret, size_t ret_size, const char *string);
/* ASCII case-insensitive compare of whole strings. */
bool ca_string_equal_nocase(const char *a, const char *b);
/* Edit distance (insert, delete, replace, swap of neighbours) for "did you mean"; words up to 63
 * characters, longer ones count as far apart (UINT_MAX). */
unsigned int ca_string_distance(const char *a, const char *b);

/* ---- units (src/base/units.c) -------------------------------------------------------------- */

/* Whole decimal number, nothing before or after it. -EINVAL, -ERANGE (above max). */
int ca_parse_u64(const char *text, uint64_t max, uint64_t *ret_value);

/*
 * Size as dd and truncate write it: digits, then nothing (bytes), K M G T (2^10 ...), KiB MiB GiB
 * TiB (the same), or kB KB MB GB TB (10^3 ...). -EINVAL, -ERANGE.
 */
int ca_parse_size(const char *text, uint64_t *ret_bytes);

/* Duration in seconds with an optional s, m or h. -EINVAL, -ERANGE. */
int ca_parse_seconds(const char *text, uint64_t *ret_seconds);

/* ISO 8601 UTC, "2026-01-31T12:00:00Z", from seconds since 1970 and back. No time zone, no libc
 * calendar; years 1970 to 9999. ret_text has room for CA_TIME_TEXT_MAX. */
#define CA_TIME_TEXT_MAX 24
void ca_time_format(uint64_t unix_seconds, char *ret_text);
int ca_time_parse(const char *text, uint64_t *ret_unix_seconds);
/* Year and month (1..12) of a moment. */
void ca_time_year_month(uint64_t unix_seconds, unsigned int *ret_year, unsigned int *ret_month);

/* Greatest common divisor; that of 0 and x is x. */
uint64_t ca_gcd(uint64_t a, uint64_t b);

/* ---- clock (src/base/clock.c) -------------------------------------------------------------- */

/*
 * Elapsed time, monotonic, from an arbitrary start. Real for hardware, virtual for simulated
 * cards, whose I/O advances it by their service-time model.
 */
struct ca_clock {
	uint64_t (*now_ns)(struct ca_clock *clock);
};

struct ca_clock_virtual {
	struct ca_clock clock; /* first, so that a ca_clock pointer is one to this */
	uint64_t ns;
};

struct ca_clock *ca_clock_real(void);
void ca_clock_virtual_init(struct ca_clock_virtual *clock);
static inline uint64_t ca_clock_now_ns(struct ca_clock *clock)
{
	return clock->now_ns(clock);
}

/* ---- seeded numbers (src/base/rng.c): for places and orders, never for secrets -------------- */

uint64_t ca_rng_next(uint64_t *state);			/* splitmix64 */
uint64_t ca_rng_below(uint64_t *state, uint64_t limit); /* 0 .. limit - 1, unbiased; limit > 0 */

/*
 * A seeded permutation of 0 .. count - 1 in constant memory: index -> place. count > 0.
 */
struct ca_permutation {
	uint64_t count;
	uint64_t mask;
	unsigned int half_bits;
	uint64_t keys[4];
};
void ca_permutation_init(struct ca_permutation *permutation, uint64_t count, uint64_t seed);
uint64_t ca_permutation_at(const struct ca_permutation *permutation, uint64_t index);

/* ---- whole files (src/base/fd.c) ----------------------------------------------------------- */

/* Negative errno; how much was written is not known then. Signals do not end it. */
int ca_fd_write_all(int fd, const void *data, size_t bytes);
/* To the end, at most max bytes. *ret_data is malloc'ed, a NUL is behind the data. -EFBIG above
 * max, -EINTR a signal came, -ENOMEM, what read says. */
int ca_fd_read_all(int fd, size_t max, char **ret_data, size_t *ret_len);

/* ---- cleanup (E5) -------------------------------------------------------------------------- */

/* Frees and clears a malloc'ed local when it goes out of scope. */
void ca_free_pointer(void *pointer_to_pointer);
#define CA_CLEANUP_FREE __attribute__((cleanup(ca_free_pointer)))
/* Closes a file descriptor >= 0 kept in an int local. */
void ca_close_fd(int *fd);
#define CA_CLEANUP_CLOSE __attribute__((cleanup(ca_close_fd)))

#endif
