/* SPDX-License-Identifier: BSD-2-Clause */
/* What a file or the standard input may hold, told apart by its first bytes. */
#include "input.h"

#include "cardassay/host.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Nothing in it was of use: what it seems to be, and what would be. */
static int say_nothing(const struct ca_inputs *inputs, bool archive, struct ca_span text,
		       struct ca_error *error)
{
	const char *hint = inputs->hint ? inputs->hint : ca_input_hint(text);

	if (archive)
		hint = "no register in this archive: pack directories with files named as in "
		       "sysfs (cid, csd, ...), or what cardassay capture made";
	if (!hint)
		hint = "no register in it: lines such as 'cid: 32 hex digits', the output of "
		       "grep . /sys/bus/mmc/devices/mmc*/*, of mmc -v cid read, or of nvme "
		       "id-ctrl are understood";
	return ca_error_set(error, -EBADMSG, "%s", hint);
}

/* ret_text: the text that the pieces point into, where it is not the data themselves. */
static int split(const char *data, size_t len, struct ca_inputs *inputs, char **ret_text,
		 struct ca_error *error)
{
	int rc;

	if (!ca_input_is_utf16(data, len) && memchr(data, '\0', len))
		return ca_input_binary_split(data, len, inputs, error);
	rc = ca_input_clean(data, len, ret_text, &len);
	if (rc < 0)
		return ca_error_set(error, rc, "out of memory");
	return ca_input_text_split(*ret_text, len, inputs, error);
}

/* Bytes without a name: what they are hangs on those before them. */
static bool has_nameless(const struct ca_inputs *inputs)
{
	for (size_t i = 0; i < inputs->count; i++)
		if (inputs->at[i].kind == CA_INPUT_BARE_16)
			return true;
	return false;
}

static int refuse_packed(const char *data, size_t len, struct ca_error *error)
{
	static const struct {
		const char *begin, *program, *unpack;
	} packers[] = {{"\xfd"
			"7zXZ",
			"xz", "xz -dc"},
		       {"BZh", "bzip2", "bzip2 -dc"},
		       {"\x28\xb5\x2f\xfd", "zstd", "zstd -dc"},
		       {"PK\x03\x04", "zip", "unzip -p"},
		       {"7z\xbc\xaf", "7-Zip", "7z x -so"}};

	for (size_t i = 0; i < CA_ARRAY_LEN(packers); i++)
		if (ca_span_starts_with((struct ca_span){data, len}, packers[i].begin))
			return ca_error_set(error, -EBADMSG,
					    "this is packed by %s: unpack it, as in %s FILE | "
					    "cardassay inspect -",
					    packers[i].program, packers[i].unpack);
	return 0;
}

int ca_host_read_register_text(const char *text, size_t len,
			       int (*each)(void *context, const struct ca_evidence *card),
			       void *context, struct ca_error *error)
{
	CA_CLEANUP_FREE char *unpacked = NULL, *clean = NULL;
	struct ca_inputs inputs = {.unit = "line"};
	struct ca_error unasked = {0};
	unsigned int cards = 0;
	bool archive;
	int rc;

	error = error ? error : &unasked;
	rc = refuse_packed(text, len, error);
	if (rc < 0)
		return rc;
	if (ca_input_is_gzip(text, len)) {
		rc = ca_input_gunzip(text, len, &unpacked, &len, error);
		if (rc < 0)
			return rc;
		text = unpacked;
	}
	archive = ca_input_is_tar(text, len);
	rc = archive ? ca_input_tar_split(text, len, &inputs, error)
		     : split(text, len, &inputs, &clean, error);
	if (rc == 0 && inputs.nameless && has_nameless(&inputs))
		rc = -EBADMSG; /* a CSD whose CID is damaged must not be read as a CID */
	else if (rc == 0)
		rc = ca_input_deliver(&inputs, each, context, &cards, error);
	if ((rc == 0 || rc == -EBADMSG) && !error->code && inputs.trouble.code)
		rc = ca_error_set(error, -EBADMSG, "%s", inputs.trouble.text);
	else if (rc == 0 && !cards)
		rc = say_nothing(&inputs, archive, (struct ca_span){text, len}, error);
	ca_inputs_done(&inputs);
	return rc;
}
