/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim.h"

#include <errno.h>

typedef int maker(const struct ca_sim_spec *spec, struct ca_sim_layer *below,
		  struct ca_sim_layer **ret_layer);

static bool hangs_on_power(const struct ca_sim_spec *spec)
{
	return spec->kind == CA_SIM_VOLATILE || spec->kind == CA_SIM_RETURNING;
}

static bool has_cache(const struct ca_sim_spec *spec)
{
	return spec->cache_bytes || spec->random_cache_bytes;
}

static bool has_protection(const struct ca_sim_spec *spec)
{
	return spec->protect_after_bytes || spec->protect_first_bytes || spec->kind == CA_SIM_BRICK;
}

static bool has_faults(const struct ca_sim_spec *spec)
{
	return spec->has_bad || spec->bad_page || spec->kind == CA_SIM_ERRORS;
}

static bool has_corruption(const struct ca_sim_spec *spec)
{
	return spec->has_flip || spec->has_noise || spec->wire_flip || spec->wire_page;
}

static bool has_reader(const struct ca_sim_spec *spec)
{
	return spec->reader_limit_bytes || spec->crosstalk;
}

/* What may lie on the bottom, in the order from there upwards. */
static const struct {
	bool (*is_there)(const struct ca_sim_spec *spec);
	maker *make;
} above[] = {
	{hangs_on_power, ca_sim_volatile_new}, {has_cache, ca_sim_cache_new},
	{has_protection, ca_sim_protect_new},  {has_faults, ca_sim_faults_new},
	{has_corruption, ca_sim_corrupt_new},  {has_reader, ca_sim_reader_new},
};

static maker *bottom_of(enum ca_sim_kind kind)
{
	if (kind == CA_SIM_RING || kind == CA_SIM_THIN)
		return ca_sim_pool_new;
	return kind == CA_SIM_COMPRESS ? ca_sim_compress_new : ca_sim_medium_new;
}

int ca_sim_stack_new(const struct ca_sim_spec *spec, struct ca_sim_layer **ret_top)
{
	struct ca_sim_layer *top = NULL;
	int result = bottom_of(spec->kind)(spec, NULL, &top);

	for (size_t i = 0; i < CA_ARRAY_LEN(above) && !result; i++)
		if (above[i].is_there(spec))
			result = above[i].make(spec, top, &top);
	if (result)
		ca_sim_stack_free(top);
	else
		*ret_top = top;
	return result;
}

void ca_sim_stack_free(struct ca_sim_layer *top)
{
	while (top) {
		struct ca_sim_layer *below = top->below;

		top->ops->free(top);
		top = below;
	}
}

int ca_sim_stack_power(struct ca_sim_layer *top, struct ca_error *error)
{
	int result = 0;

	for (; top && !result; top = top->below)
		if (top->ops->power)
			result = top->ops->power(top, error);
	return result;
}

void ca_sim_fail(struct ca_sim_call *call, enum ca_io_status status, uint64_t offset,
		 uint64_t bytes)
{
	call->fault = (struct ca_io_fault){.status = status,
					   .error = status == CA_IO_GONE ? ENODEV : EIO,
					   .offset = offset,
					   .bytes = bytes};
}
