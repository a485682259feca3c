/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * lspci -vv beside an NVMe drive: the link as it is and as it could be, and the ids where -nn was
 * asked for too.
 */
#include "input.h"

#include "host_facts.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

static bool is_hex(const char *at, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!isxdigit((unsigned char)at[i]))
			return false;
	return true;
}

/* "01:00.0 CLASS: NAME" or "0000:01:00.0 ...". */
bool ca_input_pci_begins(struct ca_span line, bool *ret_nvme)
{
	const char *at = line.at;
	size_t len = line.len;

	if (len > 13 && is_hex(at, 4) && at[4] == ':') {
		at += 5;
		len -= 5;
	}
	if (len < 9 || !is_hex(at, 2) || at[2] != ':' || !is_hex(at + 3, 2) || at[5] != '.' ||
	    !isdigit((unsigned char)at[6]) || at[7] != ' ' || !isupper((unsigned char)at[8]))
		return false;
	*ret_nvme = ca_span_behind(line, "Non-Volatile memory controller").at ||
		    ca_span_behind(line, "[0108]").at;
	return true;
}

/* "[144d:a80a]"; the class in brackets has no colon. */
static bool parse_ids(struct ca_span line, uint16_t *ret_vendor, uint16_t *ret_device)
{
	for (size_t i = 0; i + 11 <= line.len; i++) {
		const char *at = line.at + i;
		uint64_t vendor = 0, device = 0;

		if (at[0] != '[' || !is_hex(at + 1, 4) || at[5] != ':' || !is_hex(at + 6, 4) ||
		    at[10] != ']')
			continue;
		(void)ca_span_number((struct ca_span){at + 1, 4}, true, &vendor); /* four digits */
		(void)ca_span_number((struct ca_span){at + 6, 4}, true, &device);
		*ret_vendor = (uint16_t)vendor;
		*ret_device = (uint16_t)device;
		return true;
	}
	return false;
}

/* "Port #0, Speed 8GT/s, Width x4, ASPM L1": 8000, 4; "2.5GT/s": 2500. */
static void parse_link(struct ca_span line, uint32_t *ret_mts, uint32_t *ret_width)
{
	struct ca_span speed = ca_span_behind(line, "Speed "),
		       width = ca_span_behind(line, "Width x");
	uint64_t number;
	size_t at = 0;

	while (speed.at && at < speed.len && isdigit((unsigned char)speed.at[at]))
		at++;
	if (at && ca_span_number((struct ca_span){speed.at, at}, false, &number) && number <= 256) {
		uint32_t mts = (uint32_t)number * 1000;

		if (speed.len - at > 1 && speed.at[at] == '.' &&
		    isdigit((unsigned char)speed.at[at + 1])) {
			mts += (uint32_t)(speed.at[at + 1] - '0') * 100;
			at += 2;
		}
		if (ca_span_starts_with((struct ca_span){speed.at + at, speed.len - at}, "GT/s"))
			*ret_mts = mts;
	}
	at = 0;
	while (width.at && at < width.len && isdigit((unsigned char)width.at[at]))
		at++;
	if (at && ca_span_number((struct ca_span){width.at, at}, false, &number) && number <= 32)
		*ret_width = (uint32_t)number;
}

void ca_input_pci_parse(struct ca_span text, struct ca_input_pci *ret_pci)
{
	struct ca_input_pci pci = {0};
	uint16_t ignored;

	pci.has_ids = parse_ids(ca_span_take_line(&text), &pci.vendor, &pci.device);
	while (text.len) {
		struct ca_span line = ca_span_trim(ca_span_take_line(&text), " \t\r>");

		if (ca_span_starts_with(line, "Subsystem:") && !pci.subsystem_vendor)
			(void)parse_ids(line, &pci.subsystem_vendor,
					&ignored); /* else without -nn */
		if (ca_span_starts_with(line, "LnkCap:") && !pci.speed_max_mts)
			parse_link(line, &pci.speed_max_mts, &pci.width_max);
		if (ca_span_starts_with(line, "LnkSta:") && !pci.speed_mts)
			parse_link(line, &pci.speed_mts, &pci.width);
	}
	*ret_pci = pci;
}

static void set_speed(struct ca_fact *fact, uint32_t mts)
{
	if (mts && !fact->present)
		ca_host_fact_set(fact, mts, "%" PRIu32 ".%" PRIu32 " GT/s PCIe", mts / 1000,
				 mts % 1000 / 100);
}

static void set_width(struct ca_fact *fact, uint32_t width)
{
	if (width && !fact->present)
		ca_host_fact_set(fact, width, "%" PRIu32, width);
}

void ca_input_pci_apply(const struct ca_input_pci *pci, struct ca_evidence *card)
{
	set_speed(&card->host[CA_HOST_PCIE_SPEED], pci->speed_mts);
	set_width(&card->host[CA_HOST_PCIE_WIDTH], pci->width);
	set_speed(&card->host[CA_HOST_PCIE_SPEED_MAX], pci->speed_max_mts);
	set_width(&card->host[CA_HOST_PCIE_WIDTH_MAX], pci->width_max);
	if (pci->has_ids && !card->registers.pci_vid)
		card->registers.pci_vid = pci->vendor;
	if (!card->registers.pci_ssvid)
		card->registers.pci_ssvid = pci->subsystem_vendor;
}
