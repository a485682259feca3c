/* SPDX-License-Identifier: BSD-2-Clause */
#include "judge_speed.h"

#include <string.h>

static const struct ca_fact *fact(const struct ca_judge_case *c, enum ca_host_fact which)
{
	return &c->evidence->host[which];
}

static uint64_t fact_number(const struct ca_judge_case *c, enum ca_host_fact which)
{
	const struct ca_fact *f = fact(c, which);

	return f->present && f->number > 0 ? (uint64_t)f->number : 0;
}

/* Modes by the text of the kernel's ios file, with the fastest clock of each (S 3.9). */
static const struct {
	const char *text;
	enum ca_judge_mode mode;
	uint32_t max_hz;
	unsigned int per_clock; /* transfers a clock on one line */
} modes[] = {
	{"SDR104", CA_JUDGE_MODE_SDR104, 208000000, 1},
	{"SDR50", CA_JUDGE_MODE_SDR50, 100000000, 1},
	{"SDR25", CA_JUDGE_MODE_HS, 50000000, 1},
	{"SDR12", CA_JUDGE_MODE_HS, 25000000, 1},
	{"DDR50", CA_JUDGE_MODE_DDR50, 50000000, 2},
	{"sd high-speed", CA_JUDGE_MODE_HS, 50000000, 1},
	{"legacy", CA_JUDGE_MODE_HS, 25000000, 1},
	{"mmc HS400", CA_JUDGE_MODE_MMC, 200000000, 2},
	{"mmc HS200", CA_JUDGE_MODE_MMC, 200000000, 1},
	{"mmc DDR52", CA_JUDGE_MODE_MMC, 52000000, 2},
	{"mmc high-speed", CA_JUDGE_MODE_MMC, 52000000, 1},
};

static void read_sd_bus(const struct ca_judge_case *c, struct ca_judge_bus *bus)
{
	const struct ca_fact *timing = fact(c, CA_HOST_BUS_TIMING);

	bus->clock_hz = fact_number(c, CA_HOST_BUS_CLOCK_HZ);
	bus->width = (unsigned int)fact_number(c, CA_HOST_BUS_WIDTH);
	for (size_t i = 0; timing->present && i < CA_ARRAY_LEN(modes); i++) {
		uint64_t clock = bus->clock_hz ? bus->clock_hz : modes[i].max_hz;
		unsigned int width = bus->width ? bus->width : 8;

		if (!strstr(timing->text, modes[i].text))
			continue;
		if (!bus->width && modes[i].mode != CA_JUDGE_MODE_MMC)
			width = 4;
		bus->mode = modes[i].mode;
		bus->wire_bytes_per_second = clock * modes[i].per_clock * width / 8;
		bus->is_complete = bus->clock_hz && bus->width;
		return;
	}
}

static void read_nvme_bus(const struct ca_judge_case *c, struct ca_judge_bus *bus)
{
	uint64_t speed = fact_number(c, CA_HOST_PCIE_SPEED);
	uint64_t width = fact_number(c, CA_HOST_PCIE_WIDTH);

	if (!speed || !width)
		return;
	/* 8b/10b up to 5 GT/s, 128b/130b above */
	bus->wire_bytes_per_second = speed * 1000000 / 8 * width;
	bus->wire_bytes_per_second = speed < 8000 ? bus->wire_bytes_per_second / 10 * 8
						  : bus->wire_bytes_per_second / 130 * 128;
	bus->is_complete = true;
}

/*
 * What USB leaves for data. High speed: 13 packets of 512 bytes in each of 8,000 microframes a
 * second; SuperSpeed: 8b/10b; above: 128b/132b.
 */
static uint64_t usb_wire(uint64_t megabits)
{
	if (megabits < 480)
		return megabits * 1000000 / 8;
	if (megabits < 5000)
		return UINT64_C(13) * 512 * 8000;
	return megabits < 10000 ? megabits * 100000 : megabits * 125000 / 132 * 128;
}

void ca_judge_bus_read(const struct ca_judge_case *c, struct ca_judge_bus *ret_bus)
{
	struct ca_judge_bus bus = {.mode = CA_JUDGE_MODE_UNKNOWN};
	uint64_t usb = fact_number(c, CA_HOST_USB_SPEED);

	bus.is_virtual = c->evidence->origin != CA_ORIGIN_LIVE;
	if (bus.is_virtual)
		bus.is_complete = true;
	else if (c->evidence->device.media == CA_MEDIA_NVME)
		read_nvme_bus(c, &bus);
	else if (usb)
		bus.wire_bytes_per_second = usb_wire(usb);
	else
		read_sd_bus(c, &bus);
	*ret_bus = bus;
}

bool ca_judge_exceeds_wire(const struct ca_judge_case *c, uint64_t bytes_per_second)
{
	struct ca_judge_bus bus;

	ca_judge_bus_read(c, &bus);
	return bus.wire_bytes_per_second &&
	       bytes_per_second > bus.wire_bytes_per_second / 100 * 102;
}

bool ca_judge_queue_runs(const struct ca_judge_case *c)
{
	const struct ca_fact *queue = fact(c, CA_HOST_COMMAND_QUEUE);

	switch (c->evidence->speed.command_queue_on) {
	case CA_YES:
		return true;
	case CA_NO:
		return false;
	case CA_UNKNOWN:
		break;
	}
	if (queue->present)
		return queue->number == 1;
	return c->evidence->origin != CA_ORIGIN_LIVE;
}

enum ca_tristate ca_judge_cache_state(const struct ca_judge_case *c)
{
	const struct ca_fact *cache = fact(c, CA_HOST_CACHE);

	if (c->evidence->speed.cache_on != CA_UNKNOWN)
		return c->evidence->speed.cache_on;
	if (cache->present)
		return cache->number == 1 ? CA_YES : CA_NO;
	/* a card that offers no cache has none, and a simulated one has none that is timed */
	if ((ca_judge_has_ssr(c) && !c->registers->ssr.cache) ||
	    c->evidence->origin == CA_ORIGIN_SIMULATED)
		return CA_NO;
	return CA_UNKNOWN;
}

const char *ca_judge_host_cannot(const struct ca_judge_case *c, const struct ca_claim *claim,
				 uint64_t limit)
{
	struct ca_judge_bus bus;

	ca_judge_bus_read(c, &bus);
	if (claim->kind == CA_CLAIM_APP_CLASS && claim->value == 2) {
		if (ca_judge_has_ssr(c) && !c->registers->ssr.cq_depth)
			return "this card offers no command queue";
		if (!ca_judge_queue_runs(c))
			return c->evidence->speed.command_queue_on == CA_UNKNOWN &&
					       !fact(c, CA_HOST_COMMAND_QUEUE)->present
				       ? "no command queue is known to run here"
				       : "this host has no command queue";
	}
	if (bus.is_virtual)
		return NULL;
	if (claim->kind == CA_CLAIM_VIDEO_CLASS && claim->value >= 60)
		return "it needs a UHS-II host";
	if (claim->kind == CA_CLAIM_EXPRESS_CLASS)
		return "it needs a laboratory with SD Express streams";
	/* commands and gaps take a tenth of the wire at least */
	if (limit && bus.wire_bytes_per_second && limit > bus.wire_bytes_per_second / 10 * 9)
		return "the bus of this host cannot carry it";
	return NULL;
}
