/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Runs a fuzz target without libFuzzer: fuzz_NAME_run [-n COUNT] [-s SEED] [FILE...]
 * Each file as it is, then COUNT seeded inputs: noise, constant bytes, text, or a file with a few
 * bytes changed. The same seed gives the same inputs everywhere.
 */
#include "fuzz.h"

#include <errno.h>

#define MAX_INPUT ((size_t)1 << 20)
#define MAX_MADE  8192U

struct input {
	uint8_t *data;
	size_t size;
};

/* An allocation of exactly the size, so that a sanitizer sees one byte too many. */
static uint8_t *allocate(size_t size)
{
	uint8_t *data = malloc(size ? size : 1);

	FUZZ_CHECK(data);
	return data;
}

static struct input read_file(const char *path)
{
	struct input input = {0};
	uint8_t *whole = allocate(MAX_INPUT);
	FILE *file = fopen(path, "rb");

	if (!file) {
		(void)fprintf(stderr, "%s: %s\n", path, strerror(errno));
		exit(EXIT_FAILURE);
	}
	input.size = fread(whole, 1, MAX_INPUT, file);
	FUZZ_CHECK(!ferror(file));
	(void)fclose(file); /* only read */
	input.data = allocate(input.size);
	memcpy(input.data, whole, input.size);
	free(whole);
	return input;
}

static size_t pick(uint64_t *rng, size_t bound)
{
	return (size_t)ca_rng_below(rng, bound);
}

static size_t make_size(uint64_t *rng)
{
	static const size_t lengths[] = {0, 1, 8, 16, 64, 512, 4096};

	switch (ca_rng_below(rng, 4)) {
	case 0:
		return lengths[pick(rng, CA_ARRAY_LEN(lengths))];
	case 1: /* one more or one less; for 0 it is 0 or 1 */
		return lengths[1 + pick(rng, CA_ARRAY_LEN(lengths) - 1)] - 1 + 2 * pick(rng, 2);
	case 2:
		return pick(rng, 128);
	default:
		return pick(rng, MAX_MADE);
	}
}

static struct input make_fresh(uint64_t *rng)
{
	static const char text[] = "0123456789abcdefABCDEFx:- \t\r\n{}[]\",.\\untrefalse=_/";
	struct input input = {.size = make_size(rng)};
	uint64_t kind = ca_rng_below(rng, 4);
	uint8_t constant = (uint8_t)ca_rng_next(rng);

	input.data = allocate(input.size);
	for (size_t i = 0; i < input.size; i++) {
		uint64_t number = ca_rng_next(rng);

		if (kind == 0)
			input.data[i] = constant;
		else if (kind == 1)
			input.data[i] = (uint8_t)text[number % (sizeof(text) - 1)];
		else
			input.data[i] = (uint8_t)number;
	}
	return input;
}

/* A copy with up to eight bytes changed, sometimes cut. */
static struct input make_mutant(const struct input *parent, uint64_t *rng)
{
	struct input input = {.size = parent->size};

	if (input.size && ca_rng_below(rng, 4) == 0)
		input.size = pick(rng, input.size);
	input.data = allocate(input.size);
	memcpy(input.data, parent->data, input.size);
	for (uint64_t i = ca_rng_below(rng, 9); i > 0 && input.size; i--)
		input.data[ca_rng_below(rng, input.size)] = (uint8_t)ca_rng_next(rng);
	return input;
}

static uint64_t parse_number(const char *text)
{
	uint64_t value = 0;

	if (ca_parse_u64(text, UINT64_MAX, &value) < 0) {
		(void)fprintf(stderr, "not a number: %s\n", text);
		exit(EXIT_FAILURE);
	}
	return value;
}

static void run_made(uint64_t count, uint64_t seed, const struct input *files, size_t file_count)
{
	for (uint64_t i = 0; i < count; i++) {
		bool mutate = file_count && ca_rng_below(&seed, 2);
		struct input input =
			mutate ? make_mutant(&files[ca_rng_below(&seed, file_count)], &seed)
			       : make_fresh(&seed);

		(void)LLVMFuzzerTestOneInput(input.data, input.size); /* always 0 */
		free(input.data);
	}
}

int main(int argc, char **argv)
{
	struct input *files = calloc((size_t)argc, sizeof(*files));
	size_t file_count = 0;
	uint64_t count = 0, seed = 1;

	FUZZ_CHECK(files);
	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "-n") == 0 && i + 1 < argc) {
			count = parse_number(argv[++i]);
		} else if (strcmp(argv[i], "-s") == 0 && i + 1 < argc) {
			seed = parse_number(argv[++i]);
		} else {
			files[file_count] = read_file(argv[i]);
			(void)LLVMFuzzerTestOneInput(files[file_count].data,
						     files[file_count].size);
			file_count++;
		}
	}
	run_made(count, seed, files, file_count);
	for (size_t i = 0; i < file_count; i++)
		free(files[i].data);
	free(files);
	return EXIT_SUCCESS;
}
