/* SPDX-License-Identifier: BSD-2-Clause */
/* A packed paste or archive. A few kilobytes may unpack to gigabytes: the output is bounded. */
#include "input.h"

#include "cardassay/host.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#define STEP_BYTES 65536U

bool ca_input_is_gzip(const char *data, size_t len)
{
	return len > 2 && memcmp(data, "\x1f\x8b\x08", 3) == 0;
}

struct output {
	char *data;
	size_t len, room;
};

static int make_room(struct output *output)
{
	size_t room = output->room ? 2 * output->room : STEP_BYTES;
	char *grown;

	if (output->len < output->room)
		return 0;
	if (output->room == CA_REGISTER_TEXT_MAX)
		return -EFBIG;
	grown = realloc(output->data, room);
	if (!grown)
		return -ENOMEM;
	output->data = grown;
	output->room = room;
	return 0;
}

/* One after the other: gzip files may be joined by cat. Z_STREAM_END when all is out. */
static int inflate_all(z_stream *stream, struct output *output)
{
	int z = Z_OK;

	while (z == Z_OK) {
		int rc = make_room(output);

		if (rc < 0)
			return rc;
		stream->next_out = (Bytef *)output->data + output->len;
		stream->avail_out = (uInt)(output->room - output->len);
		z = inflate(stream, Z_NO_FLUSH);
		output->len = output->room - stream->avail_out;
		if (z == Z_STREAM_END &&
		    ca_input_is_gzip((const char *)stream->next_in, stream->avail_in))
			z = inflateReset(stream);
	}
	return z == Z_STREAM_END ? 0 : z == Z_MEM_ERROR ? -ENOMEM : -EBADMSG;
}

int ca_input_gunzip(const char *data, size_t len, char **ret_data, size_t *ret_len,
		    struct ca_error *error)
{
	z_stream stream = {0};
	struct output output = {0};
	int rc;

	if (inflateInit2(&stream, 16 + MAX_WBITS) != Z_OK)
		return ca_error_set(error, -ENOMEM, "out of memory");
	stream.next_in = (z_const Bytef *)(uintptr_t)data; /* only read */
	stream.avail_in = (uInt)len;			   /* CA_REGISTER_TEXT_MAX at most */
	rc = inflate_all(&stream, &output);
	(void)inflateEnd(&stream); /* what it says was said by inflate */
	if (rc == 0) {
		*ret_data = output.data;
		*ret_len = output.len;
		return 0;
	}
	free(output.data);
	if (rc == -EFBIG)
		return ca_error_set(error, rc,
				    "it unpacks to more than %u MiB: pack only the "
				    "directories of the cards",
				    CA_REGISTER_TEXT_MAX >> 20);
	if (rc == -ENOMEM)
		return ca_error_set(error, rc, "out of memory");
	return ca_error_set(
		error, rc,
		"the gzip data ends early or is damaged at offset %lu: copy the file anew",
		stream.total_in);
}
