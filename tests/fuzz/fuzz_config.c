/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The configuration file: src/cli/config.c alone, with the file and the messages put in its place
 * here. What is taken is part of one line, and never replaces an option.
 */
#include "fuzz.h"

#include "cli.h"

#include <errno.h>

static const uint8_t *file_data;
static size_t file_size;
static char *file_text;
static unsigned int reports;

int ca_file_read(const char *path, size_t max, char **ret_data, size_t *ret_len,
		 struct ca_error *error)
{
	FUZZ_CHECK(strcmp(path, "config") == 0);
	if (file_size > max)
		return ca_error_set(error, -EFBIG, "too large");
	file_text = malloc(file_size + 1);
	FUZZ_CHECK(file_text != NULL);
	if (file_size)
		memcpy(file_text, file_data, file_size);
	file_text[file_size] = '\0';
	*ret_data = file_text;
	*ret_len = file_size;
	return 0;
}

void ca_report(const char *format, ...)
{
	(void)format;
	reports++;
}

int ca_report_error(const struct ca_error *error, int code)
{
	FUZZ_CHECK(error->code == code);
	reports++;
	return CA_EXIT_DATA;
}

/* The option that was given on the command line; the file may not replace it. */
static const char given[] = "given";

static void check_taken(const char *value)
{
	size_t len = value ? strlen(value) : 0;

	if (!value)
		return;
	FUZZ_CHECK(value >= file_text && value + len <= file_text + file_size);
	FUZZ_CHECK(strchr(value, '\n') == NULL);
	FUZZ_CHECK(!len || (!strchr(" \t\r", value[0]) && !strchr(" \t\r", value[len - 1])));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct ca_options options = {.organisation = given};
	int r;

	file_data = data;
	file_size = size;
	file_text = NULL;
	reports = 0;
	FUZZ_CHECK(setenv("CARDASSAY_CONFIG", "config", 1) == 0);
	r = ca_config_apply(&options);
	FUZZ_CHECK(r == 0 || r == CA_EXIT_DATA);
	FUZZ_CHECK((r == 0) == (reports == 0));
	FUZZ_CHECK(options.organisation == given);
	check_taken(options.operator_name);
	check_taken(options.reference);
	check_taken(options.sign);
	free(file_text);
	return 0;
}
