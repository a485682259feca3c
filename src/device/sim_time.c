/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim.h"

#define CLIFF_DIVISOR 10U

static uint64_t or_default(uint64_t value, uint64_t fallback)
{
	return value ? value : fallback;
}

void ca_sim_service_init(struct ca_sim_service *service, const struct ca_sim_spec *spec)
{
	*service = (struct ca_sim_service){
		.servers = spec->queue_depth ? spec->queue_depth : 1,
		.until_cliff_bytes = spec->cliff_bytes ? spec->cliff_bytes : UINT64_MAX,
	};
	service->access[CA_IO_READ].per_second = or_default(spec->read_iops, CA_SIM_READ_IOPS);
	service->access[CA_IO_WRITE].per_second = or_default(spec->write_iops, CA_SIM_WRITE_IOPS);
	service->transfer[CA_IO_READ].per_second = or_default(spec->read_rate, CA_SIM_READ_RATE);
	service->transfer[CA_IO_WRITE].per_second = or_default(spec->write_rate, CA_SIM_WRITE_RATE);
	/* a tenth, and 1 B/s at least */
	service->slow.per_second = or_default(
		spec->cliff_rate, service->transfer[CA_IO_WRITE].per_second / CLIFF_DIVISOR + 1);
}

/* Time for `amount` at the rate, in whole ns; the fraction is owed to the next call. */
static uint64_t take_ns(struct ca_sim_rate *rate, uint64_t amount)
{
	uint64_t ns = 0;

	while (amount) {
		/* at most 2^30 at a time: 2^30 x 10^9 fits 64 bits */
		uint64_t piece = amount < CA_GIB ? amount : CA_GIB;
		uint64_t scaled = piece * CA_NS_PER_SECOND + rate->remainder;

		ns += scaled / rate->per_second;
		rate->remainder = scaled % rate->per_second;
		amount -= piece;
	}
	return ns;
}

/* How many of the bytes of a write go at the slow rate: those past the cliff, or what it was told.
 */
static uint64_t slow_of(struct ca_sim_service *service, uint64_t bytes, uint64_t told)
{
	uint64_t fast = bytes;

	if (service->until_cliff_bytes != UINT64_MAX) {
		fast = bytes < service->until_cliff_bytes ? bytes : service->until_cliff_bytes;
		service->until_cliff_bytes -= fast;
	}
	if (told > bytes)
		told = bytes; /* a cache had to make room for more than came */
	return bytes - fast > told ? bytes - fast : told;
}

uint64_t ca_sim_service_book(struct ca_sim_service *service, enum ca_io_op op, uint64_t bytes,
			     uint64_t slow_bytes, uint64_t now_ns)
{
	uint64_t *server = &service->server_free_ns[0];
	uint64_t slow = op == CA_IO_WRITE ? slow_of(service, bytes, slow_bytes) : 0;
	uint64_t start, access_end, bus_start;

	for (uint32_t i = 1; i < service->servers; i++)
		if (service->server_free_ns[i] < *server)
			server = &service->server_free_ns[i];
	start = *server > now_ns ? *server : now_ns;
	access_end = start + take_ns(&service->access[op], 1);
	bus_start = service->bus_free_ns > start ? service->bus_free_ns : start;
	service->bus_free_ns = bus_start + take_ns(&service->transfer[op], bytes - slow) +
			       take_ns(&service->slow, slow);
	*server = access_end > service->bus_free_ns ? access_end : service->bus_free_ns;
	return *server;
}
