/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#define CHUNK_BYTES   (UINT64_C(64) * CA_KIB)
#define SHARED_MEMORY "/dev/shm"

struct chunk {
	uint64_t index_plus_1; /* 0 = free place of the table */
	uint8_t *bytes;
};

struct ca_sim_store {
	struct chunk *table; /* open addressing, a power of two, at most half full; NULL = file */
	size_t places, count, count_max;
	uint64_t most_bytes;
	int fd; /* -1 while in memory */
	char dir[PATH_MAX];
};

int ca_sim_store_new(uint64_t ram_bytes, uint64_t most_bytes, struct ca_sim_store **ret_store)
{
	struct ca_sim_store *store = calloc(1, sizeof(*store));

	if (!store)
		return -ENOMEM;
	store->fd = -1;
	store->most_bytes = most_bytes;
	store->count_max = (size_t)(ram_bytes / CHUNK_BYTES);
	store->places = 2;
	while (store->places < 2 * store->count_max)
		store->places *= 2;
	store->table = calloc(store->places, sizeof(*store->table));
	if (!store->table) {
		free(store);
		return -ENOMEM;
	}
	*ret_store = store;
	return 0;
}

static void free_chunks(struct ca_sim_store *store)
{
	for (size_t i = 0; store->table && i < store->places; i++)
		free(store->table[i].bytes);
	free(store->table);
	store->table = NULL;
}

void ca_sim_store_free(struct ca_sim_store *store)
{
	if (!store)
		return;
	free_chunks(store);
	ca_close_fd(&store->fd);
	free(store);
}

bool ca_sim_store_is_file(const struct ca_sim_store *store)
{
	return store->fd >= 0;
}

/* The chunk's place in the table, or the free place where it belongs. */
static struct chunk *find_place(const struct ca_sim_store *store, uint64_t index)
{
	uint64_t hash = index * UINT64_C(0x9e3779b97f4a7c15);
	size_t at = (size_t)(hash >> 32) & (store->places - 1);

	while (store->table[at].index_plus_1 && store->table[at].index_plus_1 != index + 1)
		at = (at + 1) & (store->places - 1);
	return &store->table[at];
}

static int open_unlinked(const char *dir)
{
	char name[PATH_MAX];
	int fd = open(dir, O_TMPFILE | O_RDWR | O_CLOEXEC | O_EXCL, 0600);

	if (fd >= 0 || (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL))
		return fd;
	/* a file system without O_TMPFILE */
	if ((size_t)snprintf(name, sizeof(name), "%s/cardassay-sim-XXXXXX", dir) >= sizeof(name)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	fd = mkostemp(name, O_CLOEXEC);
	if (fd >= 0)
		(void)unlink(name); /* at worst the file outlives us */
	return fd;
}

/* MemAvailable of /proc/meminfo; 0 when it is not known. */
static uint64_t memory_available(void)
{
	FILE *file = fopen("/proc/meminfo", "re");
	uint64_t kib = 0;
	char line[128];

	while (file && !kib && fgets(line, sizeof(line), file))
		if (strncmp(line, "MemAvailable:", 13) == 0)
			kib = strtoull(line + 13, NULL, 10); /* 0 when it is no number */
	if (file)
		(void)fclose(file); /* only read */
	return kib * CA_KIB;
}

/*
 * A file in shared memory spares the disk, but only where the whole card takes less than half of
 * what is free: the machine has other work.
 */
static bool memory_has_room(uint64_t most_bytes)
{
	struct statvfs shm;

	return statvfs(SHARED_MEMORY, &shm) == 0 &&
	       (uint64_t)shm.f_bavail * shm.f_frsize > most_bytes &&
	       memory_available() / 2 > most_bytes;
}

static int open_file(struct ca_sim_store *store, struct ca_error *error)
{
	const char *shared = memory_has_room(store->most_bytes) ? SHARED_MEMORY : NULL;
	const char *dirs[] = {getenv("TMPDIR"), shared, "/var/tmp", "/tmp"};
	int failed = ENOENT;

	for (size_t i = 0; i < CA_ARRAY_LEN(dirs); i++) {
		if (!dirs[i] || !dirs[i][0])
			continue;
		store->fd = open_unlinked(dirs[i]);
		if (store->fd >= 0) {
			(void)ca_string_copy(store->dir, sizeof(store->dir), dirs[i]);
			return 0;
		}
		failed = errno;
	}
	return ca_error_set(error, -failed,
			    "no temporary file for the simulated card: set TMPDIR to a directory "
			    "that can be written");
}

static int file_failed(const struct ca_sim_store *store, int code, struct ca_error *error)
{
	if (code == ENOSPC || code == EDQUOT || code == EFBIG)
		return ca_error_set(
			error, -ENOSPC,
			"no room for the simulated card in %s: set TMPDIR to a directory "
			"with more space",
			store->dir);
	return ca_error_set(error, -code, "the simulated card's file in %s failed: %s", store->dir,
			    strerror(code));
}

static int write_file(struct ca_sim_store *store, uint64_t offset, uint64_t bytes,
		      const uint8_t *data, struct ca_error *error)
{
	while (bytes) {
		size_t piece = bytes < CA_GIB ? (size_t)bytes : (size_t)CA_GIB;
		ssize_t done = pwrite(store->fd, data, piece, (off_t)offset);

		if (done < 0 && errno == EINTR)
			continue;
		if (done <= 0)
			return file_failed(store, done < 0 ? errno : ENOSPC, error);
		offset += (uint64_t)done;
		bytes -= (uint64_t)done;
		data += done;
	}
	return 0;
}

static int read_file(struct ca_sim_store *store, uint64_t offset, uint64_t bytes, uint8_t *buffer,
		     struct ca_error *error)
{
	while (bytes) {
		size_t piece = bytes < CA_GIB ? (size_t)bytes : (size_t)CA_GIB;
		ssize_t done = pread(store->fd, buffer, piece, (off_t)offset);

		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0)
			return file_failed(store, errno, error);
		if (done == 0) { /* past the end of the file: never written */
			memset(buffer, 0, piece);
			done = (ssize_t)piece;
		}
		offset += (uint64_t)done;
		bytes -= (uint64_t)done;
		buffer += done;
	}
	return 0;
}

static int move_to_file(struct ca_sim_store *store, struct ca_error *error)
{
	int result = open_file(store, error);

	for (size_t i = 0; i < store->places && !result; i++)
		if (store->table[i].bytes)
			result = write_file(store, (store->table[i].index_plus_1 - 1) * CHUNK_BYTES,
					    CHUNK_BYTES, store->table[i].bytes, error);
	if (result) {
		ca_close_fd(&store->fd); /* what was stored is still in memory */
		return result;
	}
	free_chunks(store);
	return 0;
}

/* Delivers the chunk, new and zeroed when it was not there; *ret_chunk NULL when memory is full. */
static int get_chunk(struct ca_sim_store *store, uint64_t index, uint8_t **ret_chunk)
{
	struct chunk *place = find_place(store, index);

	if (!place->index_plus_1) {
		if (store->count == store->count_max) {
			*ret_chunk = NULL;
			return 0;
		}
		place->bytes = calloc(1, CHUNK_BYTES);
		if (!place->bytes)
			return -ENOMEM;
		place->index_plus_1 = index + 1;
		store->count++;
	}
	*ret_chunk = place->bytes;
	return 0;
}

static uint64_t piece_in_chunk(uint64_t offset, uint64_t bytes)
{
	uint64_t room = CHUNK_BYTES - offset % CHUNK_BYTES;

	return bytes < room ? bytes : room;
}

int ca_sim_store_read(struct ca_sim_store *store, uint64_t offset, uint64_t bytes, void *buffer,
		      struct ca_error *error)
{
	uint8_t *out = buffer;

	if (store->fd >= 0)
		return read_file(store, offset, bytes, out, error);
	while (bytes) {
		uint64_t piece = piece_in_chunk(offset, bytes);
		const uint8_t *chunk = find_place(store, offset / CHUNK_BYTES)->bytes;

		if (chunk)
			memcpy(out, chunk + offset % CHUNK_BYTES, (size_t)piece);
		else
			memset(out, 0, (size_t)piece);
		offset += piece;
		bytes -= piece;
		out += piece;
	}
	return 0;
}

int ca_sim_store_write(struct ca_sim_store *store, uint64_t offset, uint64_t bytes,
		       const void *data, struct ca_error *error)
{
	const uint8_t *in = data;

	while (bytes && store->fd < 0) {
		uint64_t piece = piece_in_chunk(offset, bytes);
		uint8_t *chunk;
		int result = get_chunk(store, offset / CHUNK_BYTES, &chunk);

		if (result)
			return result;
		if (!chunk) {
			result = move_to_file(store, error);
			if (result)
				return result;
			break;
		}
		memcpy(chunk + offset % CHUNK_BYTES, in, (size_t)piece);
		offset += piece;
		bytes -= piece;
		in += piece;
	}
	return bytes ? write_file(store, offset, bytes, in, error) : 0;
}
