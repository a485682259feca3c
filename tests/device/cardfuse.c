/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A counterfeit card as a file: a FUSE file system with one file, "card", which announces one size
 * and holds another. With a loop device over it the kernel sees a block device that lies.
 *
 *   cardfuse MOUNTPOINT BACKING ANNOUNCED sound
 *   cardfuse MOUNTPOINT BACKING ANNOUNCED wrap REAL        address modulo REAL
 *   cardfuse MOUNTPOINT BACKING ANNOUNCED drop REAL        what lands past REAL is lost, reads 0
 *   cardfuse MOUNTPOINT BACKING ANNOUNCED noise REAL       as drop, reads noise, each time other
 *   cardfuse MOUNTPOINT BACKING ANNOUNCED last REAL        as drop, reads the sector written last
 *   cardfuse MOUNTPOINT BACKING ANNOUNCED mute REAL        takes all, but cannot read past REAL
 *   cardfuse MOUNTPOINT BACKING ANNOUNCED error REAL       I/O errors past REAL
 *   cardfuse MOUNTPOINT BACKING ANNOUNCED chain REAL WRAP  modulo WRAP, then as drop
 *   cardfuse MOUNTPOINT BACKING ANNOUNCED paced READS WRITES READ_RATE WRITE_RATE
 *                                         sound, at so many transfers and bytes a second
 *
 * A paced card has one time-line for all transfers: each begins when the one before is done, and
 * takes its time of it. Where this program or the machine was late it catches up, so that the pace
 * is kept on average; a pause of the one who asks is not made up for.
 *
 * Sizes are bytes, REAL and WRAP any multiple of 512. It stays in the foreground until unmounted.
 * On SIGUSR1 the card is pulled out: every transfer fails, and its size is 0 for whoever asks anew.
 */
#include "card_file.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

enum kind {
	KIND_SOUND,
	KIND_WRAP,
	KIND_DROP,
	KIND_NOISE,
	KIND_LAST,
	KIND_MUTE,
	KIND_ERROR,
	KIND_CHAIN,
	KIND_PACED,
};

static const char *const kind_names[] = {"sound", "wrap",  "drop",  "noise", "last",
					 "mute",  "error", "chain", "paced"};

#define KINDS (sizeof(kind_names) / sizeof(kind_names[0]))

static struct {
	enum kind kind;
	uint64_t announced, real, wrap;
	int backing;
	uint64_t noise;
	char last[512];
} card;

#define SECOND_NS UINT64_C(1000000000)
#define LATE_NS	  (SECOND_NS / 60) /* so late is late; later is a pause */

static struct {
	uint64_t transfers[2], rate[2]; /* a second: reading, writing */
	uint64_t free_ns;		/* when the last transfer is done */
	pthread_mutex_t lock;
} pace = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* Waits until a transfer that arrives now would be done. */
static void keep_pace(bool write, size_t size)
{
	uint64_t takes_ns, now, done_ns, bytes_ns;
	struct timespec at;

	if (card.kind != KIND_PACED)
		return;
	takes_ns = SECOND_NS / pace.transfers[write];
	bytes_ns = size * SECOND_NS / pace.rate[write];
	takes_ns = bytes_ns > takes_ns ? bytes_ns : takes_ns;
	(void)clock_gettime(CLOCK_MONOTONIC, &at); /* cannot fail */
	now = (uint64_t)at.tv_sec * SECOND_NS + (uint64_t)at.tv_nsec;
	(void)pthread_mutex_lock(&pace.lock); /* a default one, not ours yet */
	if (now > pace.free_ns + LATE_NS)
		pace.free_ns = now;
	pace.free_ns += takes_ns;
	done_ns = pace.free_ns;
	(void)pthread_mutex_unlock(&pace.lock); /* it is ours */
	at.tv_sec = (time_t)(done_ns / SECOND_NS);
	at.tv_nsec = (long)(done_ns % SECOND_NS);
	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL) == EINTR)
		;
}

static volatile sig_atomic_t pulled_out;

static void pull_out(int number)
{
	(void)number;
	pulled_out = 1;
}

/* Where an address lands, and for how many bytes; false = nowhere. */
static bool locate(uint64_t offset, uint64_t *ret_place, uint64_t *ret_bytes)
{
	uint64_t modulus = card.kind == KIND_WRAP    ? card.real
			   : card.kind == KIND_CHAIN ? card.wrap
						     : card.announced;
	uint64_t end = card.real < modulus ? card.real : modulus;

	*ret_place = offset % modulus;
	if (*ret_place < end) {
		*ret_bytes = end - *ret_place;
		return true;
	}
	*ret_bytes = modulus - *ret_place;
	return false;
}

/* The next piece of a transfer: at most `bytes`, at most up to where the fate changes. */
static bool next_piece(uint64_t offset, uint64_t left, uint64_t *ret_place, size_t *ret_piece)
{
	uint64_t bytes;
	bool stored = locate(offset, ret_place, &bytes);

	*ret_piece = (size_t)(left < bytes ? left : bytes);
	return stored;
}

/* What is read where nothing is stored; the transfer was zeroed before. */
static void answer(char *buffer, size_t size)
{
	for (size_t i = 0; i < size && card.kind == KIND_LAST; i++)
		buffer[i] = card.last[i % sizeof(card.last)];
	for (size_t i = 0; i < size && card.kind == KIND_NOISE; i++) {
		card.noise = card.noise * 6364136223846793005U + 1442695040888963407U;
		buffer[i] = (char)(card.noise >> 56);
	}
}

static int card_read(const char *path, char *buffer, size_t size, off_t offset,
		     struct fuse_file_info *info)
{
	uint64_t at = (uint64_t)offset, end;

	(void)path;
	(void)info;
	if (pulled_out)
		return -EIO;
	if (at >= card.announced)
		return 0;
	end = size < card.announced - at ? at + size : card.announced;
	memset(buffer, 0, size);
	keep_pace(false, size);
	while (at < end) {
		uint64_t place;
		size_t piece;
		bool stored = next_piece(at, end - at, &place, &piece);

		if (!stored && (card.kind == KIND_ERROR || card.kind == KIND_MUTE))
			return -EIO;
		if (!stored)
			answer(buffer + (at - (uint64_t)offset), piece);
		/* what was never written is past the end of the backing file: 0 stays */
		if (stored &&
		    pread(card.backing, buffer + (at - (uint64_t)offset), piece, (off_t)place) < 0)
			return -errno;
		at += piece;
	}
	return (int)(end - (uint64_t)offset);
}

static int card_write(const char *path, const char *data, size_t size, off_t offset,
		      struct fuse_file_info *info)
{
	uint64_t at = (uint64_t)offset, end = at + size;

	(void)path;
	(void)info;
	if (pulled_out)
		return -EIO;
	if (end > card.announced)
		return -ENOSPC;
	keep_pace(true, size);
	if (size >= sizeof(card.last))
		memcpy(card.last, data + size - sizeof(card.last), sizeof(card.last));
	while (at < end) {
		uint64_t place;
		size_t piece;
		bool stored = next_piece(at, end - at, &place, &piece);

		if (!stored && card.kind == KIND_ERROR)
			return -EIO;
		if (stored) {
			ssize_t done = pwrite(card.backing, data + (at - (uint64_t)offset), piece,
					      (off_t)place);

			if (done < 0)
				return -errno;
			piece = (size_t)done;
		}
		at += piece;
	}
	return (int)size;
}

static uint64_t card_bytes(void)
{
	return pulled_out ? 0 : card.announced;
}

static void *card_init(struct fuse_conn_info *connection, struct fuse_config *config)
{
	(void)connection;
	config->attr_timeout = 0; /* the size may change at any time */
	return NULL;
}

static uint64_t parse_bytes(const char *text)
{
	char *end;
	uint64_t bytes;

	errno = 0;
	bytes = strtoull(text, &end, 10);
	if (errno || *end || !bytes || bytes % 512) {
		(void)fprintf(stderr, "cardfuse: %s is not a size in whole sectors\n", text);
		exit(2);
	}
	return bytes;
}

static uint64_t parse_count(const char *text)
{
	char *end;
	uint64_t count = strtoull(text, &end, 10);

	if (*end || !count) {
		(void)fprintf(stderr, "cardfuse: %s is not a number of its own\n", text);
		exit(2);
	}
	return count;
}

static void parse_pace(char **argv)
{
	pace.transfers[false] = parse_count(argv[0]);
	pace.transfers[true] = parse_count(argv[1]);
	pace.rate[false] = parse_count(argv[2]);
	pace.rate[true] = parse_count(argv[3]);
	(void)prctl(PR_SET_TIMERSLACK, 1UL); /* what it sleeps too long it makes up for anyway */
}

static void parse_arguments(int argc, char **argv)
{
	size_t kind = 0;

	while (argc > 4 && kind < KINDS && strcmp(argv[4], kind_names[kind]) != 0)
		kind++;
	if (argc < 5 || kind == KINDS ||
	    argc != (kind == KIND_SOUND	  ? 5
		     : kind == KIND_CHAIN ? 7
		     : kind == KIND_PACED ? 9
					  : 6)) {
		(void)fprintf(stderr, "usage: cardfuse MOUNTPOINT BACKING ANNOUNCED "
				      "sound|wrap|drop|noise|last|mute|error|chain|paced "
				      "[REAL [WRAP] | READS WRITES READ_RATE WRITE_RATE]\n");
		exit(2);
	}
	card.kind = (enum kind)kind;
	card.announced = parse_bytes(argv[3]);
	if (card.kind == KIND_PACED)
		parse_pace(argv + 5);
	card.real = argc > 5 && card.kind != KIND_PACED ? parse_bytes(argv[5]) : card.announced;
	card.wrap = argc > 6 && card.kind != KIND_PACED ? parse_bytes(argv[6]) : card.announced;
}

int main(int argc, char **argv)
{
	static const struct fuse_operations operations = {
		.init = card_init,
		.getattr = card_getattr,
		.readdir = card_readdir,
		.open = card_open,
		.read = card_read,
		.write = card_write,
		.fsync = card_fsync,
	};
	char foreground[] = "-f";
	char *fuse_argv[] = {argv[0], foreground, NULL, NULL};

	parse_arguments(argc, argv);
	fuse_argv[2] = argv[1];
	(void)signal(SIGUSR1, pull_out); /* cannot fail: a valid signal and handler */
	card.backing = open(argv[2], O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	if (card.backing < 0) {
		perror(argv[2]);
		return 2;
	}
	return fuse_main(3, fuse_argv, &operations, NULL);
}
