/* SPDX-License-Identifier: BSD-2-Clause */
#include "kernel_log.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

/* A record has 8 KiB at most; the log of a busy machine some ten thousand of them. */
#define RECORD_BYTES 8192U
#define READS_MAX    (1U << 20)

struct record {
	uint64_t sequence;
	const char *text;
	size_t len;
};

static bool take_number(const char **at, const char *end, uint64_t *ret_number)
{
	uint64_t number = 0;
	const char *p = *at;

	for (; p < end && isdigit((unsigned char)*p); p++) {
		if (number > (UINT64_MAX - 9) / 10)
			return false;
		number = number * 10 + (uint64_t)(*p - '0');
	}
	if (p == *at)
		return false;
	*at = p;
	*ret_number = number;
	return true;
}

/* "PRIORITY,SEQUENCE,...;TEXT"; the facility is the priority's upper bits, 0 the kernel's own. */
static bool parse_record(const char *line, size_t len, struct record *ret_record)
{
	const char *at = line, *end = line + len, *semicolon = memchr(line, ';', len);
	struct record record = {0};
	uint64_t priority;

	if (!semicolon || !take_number(&at, end, &priority) || priority > 7 || at == end ||
	    *at++ != ',' || !take_number(&at, end, &record.sequence) || at == end || *at != ',')
		return false;
	record.text = semicolon + 1;
	record.len = (size_t)(end - record.text);
	*ret_record = record;
	return true;
}

static bool contains(const struct record *record, const char *words)
{
	size_t len = strlen(words);

	for (size_t i = 0; i + len <= record->len; i++)
		if (strncasecmp(record->text + i, words, len) == 0)
			return true;
	return false;
}

/* Behind "NAME: "; NULL when the record is another's. */
static const char *behind_name(const struct record *record, size_t at, const char *name)
{
	size_t len = strlen(name);

	if (!len || record->len < at + len + 2 || memcmp(record->text + at, name, len) != 0 ||
	    memcmp(record->text + at + len, ": ", 2) != 0)
		return NULL;
	return record->text + at + len + 2;
}

static bool starts_with(const char *text, const char *end, const char *words)
{
	size_t len = strlen(words);

	return (size_t)(end - text) >= len && memcmp(text, words, len) == 0;
}

/* What may follow a disk's name: nothing of a longer name, but a partition's number. */
static bool ends_disk_name(const char *at, const char *end, const char *disk)
{
	bool numbered = isdigit((unsigned char)disk[strlen(disk) - 1]);

	if (numbered && end - at >= 2 && at[0] == 'p' && isdigit((unsigned char)at[1]))
		at++;
	else if (numbered)
		return at == end || !isalnum((unsigned char)*at);
	while (at < end && isdigit((unsigned char)*at))
		at++;
	return at == end || !isalnum((unsigned char)*at);
}

/*
 * Length of the disk's name at this place, 0 = another stands there. A drive that may have several
 * controllers has a name for each way to it: nvme2c0n1 is a way to nvme2n1.
 */
static size_t name_length(const char *at, const char *end, const char *disk)
{
	size_t head, way;

	if (starts_with(at, end, disk))
		return strlen(disk);
	if (strncmp(disk, "nvme", 4) != 0)
		return 0;
	head = 4 + strspn(disk + 4, "0123456789");
	if ((size_t)(end - at) <= head || memcmp(at, disk, head) != 0 || at[head] != 'c')
		return 0;
	way = head + 1;
	while (at + way < end && isdigit((unsigned char)at[way]))
		way++;
	return starts_with(at + way, end, disk + head) ? way + strlen(disk + head) : 0;
}

/*
 * "I/O error, dev sdb, sector 8", "Buffer I/O error on dev sdb1, logical block 1", "[sdb] tag#0
 * FAILED", "mmcblk0: error -110": not what a file system on it complains about.
 */
static bool is_of_disk(const struct record *record, const char *disk)
{
	const char *end = record->text + record->len;

	if (!disk[0])
		return false;
	for (size_t i = 0; i < record->len; i++) {
		const char *at = record->text + i;
		size_t len = name_length(at, end, disk);

		if (!len)
			continue;
		if (i == 0 && starts_with(at + len, end, ": "))
			return true;
		if (i >= 1 && at[-1] == '[' && starts_with(at + len, end, "]"))
			return true;
		if (i >= 4 && memcmp(at - 4, "dev ", 4) == 0 && ends_disk_name(at + len, end, disk))
			return true;
	}
	return false;
}

static bool is_about_error(const struct record *record)
{
	static const char *const words[] = {"error",
					    "timeout",
					    "timed out",
					    "failed",
					    "stuck",
					    "problem reading",
					    "invalid bus width",
					    "unexpected interrupt",
					    "controller is down",
					    "removed during transfer"};

	/* the kernel's way of saying that a reader tells nothing of its cache */
	if (contains(record, "asking for cache data failed"))
		return false;
	for (size_t i = 0; i < CA_ARRAY_LEN(words); i++)
		if (contains(record, words[i]))
			return true;
	return false;
}

static void keep(char ret_text[CA_KERNEL_LOG_TEXT_BYTES], const char *text, const char *end)
{
	struct ca_text out;

	ca_text_init(&out, ret_text, CA_KERNEL_LOG_TEXT_BYTES);
	ca_text_add_len(&out, text, (size_t)(end - text));
}

/* Another device took the name. */
static void forget(struct ca_kernel_log *log, const struct record *record)
{
	if (record->sequence > log->forget_until)
		return;
	log->has_card = false;
	log->card_sequence = 0;
	log->card[0] = '\0';
	log->queue = CA_KERNEL_LOG_QUEUE_UNKNOWN;
	log->queue_text[0] = '\0';
	log->errors = 0;
	log->error[0] = '\0';
}

static void take_host_line(struct ca_kernel_log *log, const struct record *record, const char *text)
{
	const char *end = record->text + record->len;

	if (starts_with(text, end, "card ") && contains(record, " removed")) {
		forget(log, record);
	} else if (starts_with(text, end, "new ") && contains(record, " card ")) {
		log->has_card = true;
		log->card_sequence = record->sequence;
		keep(log->card, text, end);
	} else if (starts_with(text, end, "Command Queue Engine enabled")) {
		log->queue = CA_KERNEL_LOG_QUEUE_CARD;
		keep(log->queue_text, text, end);
	} else if (starts_with(text, end, "Host Software Queue enabled")) {
		log->queue = CA_KERNEL_LOG_QUEUE_HOST;
		keep(log->queue_text, text, end);
	}
}

void ca_kernel_log_line(struct ca_kernel_log *log, const char *line, size_t len)
{
	struct record record;
	const char *host, *controller;

	if (!parse_record(line, len, &record))
		return;
	if (contains(&record, "undervoltage detected") ||
	    contains(&record, "under-voltage detected"))
		log->undervoltage = true;
	host = behind_name(&record, 0, log->host);
	if (host)
		take_host_line(log, &record, host);
	controller = starts_with(record.text, record.text + record.len, "nvme ")
			     ? behind_name(&record, strlen("nvme "), log->controller)
			     : behind_name(&record, 0, log->controller);
	if (controller && starts_with(controller, record.text + record.len, "pci function "))
		forget(log, &record);
	if (!host && !controller && !is_of_disk(&record, log->disk))
		return;
	if (contains(&record, "] Attached SCSI ") ||
	    contains(&record, ": detected capacity change from 0 to "))
		forget(log, &record);
	if (!is_about_error(&record))
		return;
	log->errors++;
	keep(log->error, record.text, record.text + record.len);
}

/* Whole lines are taken, the rest moves to the front. A line that is no record's end is dropped. */
static size_t take_lines(struct ca_kernel_log *log, char *text, size_t len)
{
	size_t at = 0;
	char *newline;

	while ((newline = memchr(text + at, '\n', len - at))) {
		ca_kernel_log_line(log, text + at, (size_t)(newline - (text + at)));
		at = (size_t)(newline - text) + 1;
	}
	if (at == 0 && len >= RECORD_BYTES)
		return 0;
	memmove(text, text + at, len - at);
	return len - at;
}

int ca_kernel_log_read(const char *root, struct ca_kernel_log *log)
{
	char path[PATH_MAX], text[2 * RECORD_BYTES];
	CA_CLEANUP_CLOSE int fd = -1;
	size_t len = 0;
	int rc = ca_sysfs_path(root, path, sizeof(path), "dev/kmsg");

	if (rc < 0)
		return rc;
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return -errno;
	/* each read of the real one gives a whole record; the number of reads is bounded, since
	 * the log may grow as fast as it is read */
	for (unsigned int i = 0; i < READS_MAX; i++) {
		ssize_t got = read(fd, text + len, RECORD_BYTES);

		if (got < 0 && (errno == EINTR || errno == EPIPE)) /* overwritten: the next one */
			continue;
		if (got < 0 && errno != EAGAIN)
			return -errno;
		if (got <= 0)
			break;
		len = take_lines(log, text, len + (size_t)got);
	}
	ca_kernel_log_line(log, text, len); /* a file may end without a newline */
	return 0;
}
