/* SPDX-License-Identifier: BSD-2-Clause */
/* What a file or the standard input may hold, told apart by its first bytes. */
#include "input.h"

#include "cardassay/host.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Nothing in it was of use: what it seems to be, and what would be. */
static int say_nothing(const struct ca_inputs *inputs, bool archive, struct ca_error *error)
{
	if (archive)
		return ca_error_set(
			error, -EBADMSG,
			"no register in this archive: pack directories with files named "
			"as in sysfs (cid, csd, ...), or what cardassay capture made");
	if (inputs->last_json.at && ca_span_behind(inputs->last_json, "\"ModelNumber\"").at)
		return ca_error_set(error, -EBADMSG,
				    "nvme list does not show the Identify pages: paste what nvme "
				    "id-ctrl /dev/nvme0 prints");
	if (inputs->last_json.at &&
	    ca_span_behind(inputs->last_json, "\"cardassay-certificate-").at)
		return ca_error_set(error, -EBADMSG,
				    "this is a certificate: cardassay verify judges it again");
	return ca_error_set(error, -EBADMSG,
			    "no register in it: lines such as 'cid: 32 hex digits', the output of "
			    "grep . /sys/bus/mmc/devices/mmc*/*, of mmc -v cid read, or of nvme "
			    "id-ctrl are understood");
}

static int split(const char *data, size_t len, struct ca_inputs *inputs, bool *ret_archive,
		 struct ca_error *error)
{
	*ret_archive = ca_input_is_tar(data, len);
	if (*ret_archive)
		return ca_input_tar_split(data, len, inputs, error);
	if (memchr(data, '\0', len))
		return ca_input_binary_split(data, len, inputs, error);
	return ca_input_text_split(data, len, inputs, error);
}

int ca_host_read_register_text(const char *text, size_t len,
			       int (*each)(void *context, const struct ca_evidence *card),
			       void *context, struct ca_error *error)
{
	CA_CLEANUP_FREE char *unpacked = NULL;
	struct ca_inputs inputs = {.unit = "line"};
	unsigned int cards = 0;
	bool archive = false;
	int rc;

	if (ca_input_is_gzip(text, len)) {
		rc = ca_input_gunzip(text, len, &unpacked, &len, error);
		if (rc < 0)
			return rc;
		text = unpacked;
	}
	rc = split(text, len, &inputs, &archive, error);
	if (rc == 0)
		rc = ca_input_deliver(&inputs, each, context, &cards, error);
	if (rc == 0 && !cards)
		rc = say_nothing(&inputs, archive, error);
	ca_inputs_done(&inputs);
	return rc;
}
