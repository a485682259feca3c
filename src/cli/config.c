/* SPDX-License-Identifier: BSD-2-Clause */
#include "cli.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define CONFIG_BYTES_MAX 65536U

static const char *config_path(char *buf, size_t size)
{
	const char *named = getenv("CARDASSAY_CONFIG");
	const char *base = getenv("XDG_CONFIG_HOME");
	const char *home = getenv("HOME");

	if (named && *named)
		return named;
	if (base && *base)
		(void)snprintf(buf, size, "%s/cardassay/config", base);
	else if (home && *home)
		(void)snprintf(buf, size, "%s/.config/cardassay/config", home);
	else
		return NULL;
	return buf;
}

static char *trim(char *s)
{
	char *end;

	while (isspace((unsigned char)*s))
		s++;
	end = s + strlen(s);
	while (end > s && isspace((unsigned char)end[-1]))
		*--end = '\0';
	return s;
}

static bool take(const char *key, const char *value, struct ca_options *options)
{
	const char **place;

	if (strcmp(key, "operator") == 0)
		place = &options->operator_name;
	else if (strcmp(key, "organisation") == 0)
		place = &options->organisation;
	else if (strcmp(key, "reference") == 0)
		place = &options->reference;
	else if (strcmp(key, "sign") == 0)
		place = &options->sign;
	else
		return false;
	if (!*place)
		*place = value;
	return true;
}

int ca_config_apply(struct ca_options *options)
{
	static char *text; /* lives as long as the options that point into it */
	struct ca_error error = {0};
	char buf[4096];
	const char *path = config_path(buf, sizeof(buf));
	unsigned int line_number = 0;
	size_t len;
	char *rest;
	int r;

	if (!path)
		return 0;
	r = ca_file_read(path, CONFIG_BYTES_MAX, &text, &len, &error);
	if (r == -ENOENT || r == -ENOTDIR || (r == -EACCES && path == buf))
		return 0;
	if (r < 0)
		return ca_report_error(&error, r);
	rest = text;
	for (char *line; (line = strsep(&rest, "\n"));) {
		char *equals = strchr(line, '=');

		line_number++;
		line = trim(line);
		if (!*line || *line == '#')
			continue;
		if (equals)
			*equals = '\0';
		if (!equals || !take(trim(line), trim(equals + 1), options)) {
			ca_report("%s:%u: not one of operator, organisation, reference, sign = "
				  "VALUE.",
				  path, line_number);
			return CA_EXIT_DATA;
		}
	}
	return 0;
}
