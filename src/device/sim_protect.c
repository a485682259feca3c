/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A card that takes so many bytes and no more, or nothing at its beginning: further writes seem to
 * work, or are refused. And one that dies of the first write past its real end. Reading goes on as
 * before.
 */
#include "sim.h"

#include <errno.h>
#include <stdlib.h>

struct protect {
	struct ca_sim_layer layer; /* first */
	enum ca_sim_protect answer;
	uint32_t sector_bytes;
	uint64_t first_bytes; /* take nothing */
	uint64_t left_bytes;  /* that it still takes */
	uint64_t deadly_from; /* address; UINT64_MAX: none is */
};

static struct protect *protect_of(struct ca_sim_layer *layer)
{
	return (struct protect *)layer;
}

static int protect_read(struct ca_sim_layer *layer, uint64_t offset, uint64_t bytes,
			uint8_t *buffer, struct ca_sim_call *call)
{
	return ca_sim_read(layer->below, offset, bytes, buffer, call);
}

static int protect_write(struct ca_sim_layer *layer, uint64_t offset, uint64_t bytes,
			 const uint8_t *data, struct ca_sim_call *call)
{
	struct protect *protect = protect_of(layer);
	uint64_t alive, taken, barred = 0;
	int result;

	if (offset < protect->first_bytes)
		barred = protect->first_bytes - offset < bytes ? protect->first_bytes - offset
							       : bytes;
	if (barred && protect->answer == CA_SIM_PROTECT_ERROR) {
		ca_sim_fail(call, CA_IO_ERROR, offset, barred);
		return 0;
	}
	offset += barred;
	data += barred;
	bytes -= barred;
	alive = bytes;

	if (protect->deadly_from < offset + bytes)
		alive = protect->deadly_from > offset ? protect->deadly_from - offset : 0;
	taken = alive < protect->left_bytes ? alive : protect->left_bytes;
	taken -= taken % protect->sector_bytes;
	result = ca_sim_write(layer->below, offset, taken, data, call);
	if (result || call->fault.status != CA_IO_OK)
		return result;
	protect->left_bytes -= taken;
	if (taken < alive && protect->answer == CA_SIM_PROTECT_ERROR)
		ca_sim_fail(call, CA_IO_ERROR, offset + taken, bytes - taken);
	else if (alive < bytes)
		ca_sim_fail(call, CA_IO_GONE, offset + alive, bytes - alive);
	return 0;
}

static void protect_free(struct ca_sim_layer *layer)
{
	free(layer);
}

static const struct ca_sim_layer_ops protect_ops = {
	.read = protect_read,
	.write = protect_write,
	.free = protect_free,
};

int ca_sim_protect_new(const struct ca_sim_spec *spec, struct ca_sim_layer *below,
		       struct ca_sim_layer **ret_layer)
{
	struct protect *protect = calloc(1, sizeof(*protect));

	if (!protect)
		return -ENOMEM;
	protect->layer = (struct ca_sim_layer){.ops = &protect_ops, .below = below};
	protect->answer = spec->protect;
	protect->sector_bytes = spec->sector_bytes;
	protect->first_bytes = spec->protect_first_bytes;
	protect->left_bytes = spec->protect_after_bytes ? spec->protect_after_bytes : UINT64_MAX;
	protect->deadly_from = spec->kind == CA_SIM_BRICK ? spec->real_bytes : UINT64_MAX;
	*ret_layer = &protect->layer;
	return 0;
}
