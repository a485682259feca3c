/* SPDX-License-Identifier: BSD-2-Clause */
#include "vendor_dir.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#define PREFIX "cmd56_"

void ca_vendor_dir_name(unsigned int index, char ret_name[CA_VENDOR_NAME_BYTES])
{
	(void)snprintf(ret_name, CA_VENDOR_NAME_BYTES, PREFIX "%08" PRIx32,
		       ca_vendor_argument_at(index)); /* 14 characters */
}

static bool parse_argument(const char *text, size_t len, uint32_t *ret_argument)
{
	uint32_t value = 0;

	if (!len || len > 8)
		return false;
	for (size_t i = 0; i < len; i++) {
		int c = tolower((unsigned char)text[i]);

		if (!isxdigit(c))
			return false;
		value = value << 4 | (uint32_t)(c <= '9' ? c - '0' : c - 'a' + 10);
	}
	*ret_argument = value;
	return true;
}

bool ca_vendor_dir_find(const char *name, size_t len, unsigned int *ret_index)
{
	uint32_t argument;

	if (len <= strlen(PREFIX) || strncasecmp(name, PREFIX, strlen(PREFIX)) != 0 ||
	    !parse_argument(name + strlen(PREFIX), len - strlen(PREFIX), &argument))
		return false;
	for (unsigned int i = 0; ca_vendor_argument_at(i); i++) {
		if (ca_vendor_argument_at(i) != argument)
			continue;
		*ret_index = i;
		return true;
	}
	return false;
}

static bool is_word(const char *text, size_t len, enum ca_vendor_result *ret_result)
{
	for (unsigned int i = CA_VENDOR_TIMEOUT; i < CA_VENDOR_RESULT_COUNT; i++) {
		const char *word = ca_vendor_result_name((enum ca_vendor_result)i);

		if (strlen(word) != len || memcmp(word, text, len) != 0)
			continue;
		*ret_result = (enum ca_vendor_result)i;
		return true;
	}
	return false;
}

static bool is_text(const char *data, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (!isprint((unsigned char)data[i]) && !isspace((unsigned char)data[i]))
			return false;
	return true;
}

static int bad_answer(struct ca_error *error, const char *place, const char *what)
{
	return ca_error_set(error, -EBADMSG,
			    "%s: %s; an answer to CMD56 has 512 bytes or 1024 hex digits, or one "
			    "of the words timeout, error, sector 0, masked",
			    place, what);
}

int ca_vendor_dir_parse(const char *place, unsigned int index, const char *data, size_t len,
			struct ca_vendor_health *health, struct ca_error *error)
{
	uint32_t argument = ca_vendor_argument_at(index);
	enum ca_vendor_result result = CA_VENDOR_ANSWER;
	uint8_t bytes[CA_VENDOR_BYTES];
	size_t count;

	if (!is_text(data, len)) {
		if (len != sizeof(bytes))
			return bad_answer(error, place, "not as long as an answer");
		memcpy(bytes, data, sizeof(bytes));
	} else {
		while (len && isspace((unsigned char)data[len - 1]))
			len--;
		if (!is_word(data, len, &result) &&
		    (ca_hex_decode(data, len, bytes, sizeof(bytes), &count) < 0 ||
		     count != sizeof(bytes)))
			return bad_answer(error, place, "neither hex of that length nor a word");
	}
	/* a second file of one argument ("cmd56_1" beside "cmd56_00000001") says nothing new */
	(void)ca_vendor_add(health, argument, result, bytes);
	return 0;
}

static int read_file(const char *root, const char *dir, const char *name, unsigned int index,
		     struct ca_vendor_health *health, struct ca_error *error)
{
	char data[2 * CA_VENDOR_BYTES + 64], place[CA_PATH_BYTES];
	size_t len;

	if (ca_sysfs_bytes(root, data, sizeof(data), &len, "%s/%s", dir, name) < 0)
		return 0;
	(void)snprintf(place, sizeof(place), "%s%s%s/%s", strcmp(root, ".") == 0 ? "" : root,
		       strcmp(root, ".") == 0 ? "" : "/", dir, name);
	return ca_vendor_dir_parse(place, index, data, len, health, error);
}

int ca_vendor_dir_read(const char *root, const char *dir, struct ca_vendor_health *health,
		       struct ca_error *error)
{
	for (unsigned int i = 0; ca_vendor_argument_at(i); i++) {
		char name[CA_VENDOR_NAME_BYTES], brief[CA_VENDOR_NAME_BYTES];
		int rc;

		ca_vendor_dir_name(i, name);
		(void)snprintf(brief, sizeof(brief), PREFIX "%" PRIx32, ca_vendor_argument_at(i));
		rc = read_file(root, dir, name, i, health, error);
		if (rc == 0 && strcmp(name, brief) != 0)
			rc = read_file(root, dir, brief, i, health, error);
		if (rc < 0)
			return rc;
	}
	return 0;
}
