/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A simulated card as a file: a FUSE file system with one file, "card". With a loop device over it,
 * or as the card of an emulated machine, the kernel sees a block device that lies as the recipe
 * says (docs/cardassay.1, SIMULATED CARDS).
 *
 *   simfuse MOUNTPOINT SETTINGS       SETTINGS: what follows "sim:"
 *
 * It stays in the foreground until unmounted, and serves one request at a time.
 */
#include "card_file.h"

#include "cardassay/host.h"

#include <stdio.h>

static struct ca_device *card;

/* A fault of the card is an error of the whole request: the kernel asks for its parts. */
static int result_of(int result, const struct ca_io_fault *fault, size_t size)
{
	if (result < 0)
		return result;
	return fault->status == CA_IO_OK ? (int)size : -EIO;
}

static int card_read(const char *path, char *buffer, size_t size, off_t offset,
		     struct fuse_file_info *info)
{
	struct ca_io_fault fault = {.status = CA_IO_OK};
	uint64_t at = (uint64_t)offset;

	(void)path; /* there is one file */
	(void)info;
	if (at >= card->geometry.bytes)
		return 0;
	if (size > card->geometry.bytes - at)
		size = (size_t)(card->geometry.bytes - at);
	return result_of(ca_device_read(card, at, size, buffer, &fault), &fault, size);
}

static int card_write(const char *path, const char *data, size_t size, off_t offset,
		      struct fuse_file_info *info)
{
	struct ca_io_fault fault = {.status = CA_IO_OK};
	uint64_t at = (uint64_t)offset;

	(void)path; /* there is one file */
	(void)info;
	if (at > card->geometry.bytes || size > card->geometry.bytes - at)
		return -ENOSPC;
	return result_of(ca_device_write(card, at, size, data, &fault), &fault, size);
}

static uint64_t card_bytes(void)
{
	return card->geometry.bytes;
}

int main(int argc, char **argv)
{
	static const struct fuse_operations operations = {
		.getattr = card_getattr,
		.readdir = card_readdir,
		.open = card_open,
		.read = card_read,
		.write = card_write,
		.fsync = card_fsync,
	};
	char foreground[] = "-f", single[] = "-s";
	char *fuse_argv[] = {argv[0], foreground, single, NULL, NULL};
	struct ca_error error = {0};
	struct ca_sim_spec spec;
	int status;

	if (argc != 3) {
		(void)fprintf(stderr, "usage: simfuse MOUNTPOINT SETTINGS\n");
		return 2;
	}
	if (ca_sim_parse(argv[2], &spec, &error) < 0 || ca_sim_open(&spec, &card, &error) < 0) {
		(void)fprintf(stderr, "simfuse: %s\n", error.text);
		return 2;
	}
	fuse_argv[3] = argv[1];
	status = fuse_main(4, fuse_argv, &operations, NULL);
	ca_device_close(card);
	return status;
}
