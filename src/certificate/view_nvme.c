/* SPDX-License-Identifier: BSD-2-Clause */
#include "view.h"

#include <string.h>

static void hex_pair(struct ca_view *view, const char *label, uint64_t value, unsigned int digits)
{
	struct ca_view_words words;
	struct ca_text *text = ca_view_start(&words);

	ca_text_add(text, "0x");
	ca_text_hex(text, value, digits);
	ca_view_pair(view, label, words.buf);
}

static void size_pair(struct ca_view *view, const char *label, uint64_t bytes)
{
	struct ca_view_words words;
	struct ca_text *text = ca_view_start(&words);

	ca_text_grouped(text, bytes);
	ca_text_add(text, " bytes, ");
	ca_text_size(text, bytes);
	ca_view_pair(view, label, words.buf);
}

/* Blank-padded text of the drive, without its padding. */
static void text_pair(struct ca_view *view, const char *label, const char *bytes)
{
	struct ca_view_words words;
	struct ca_text *text = ca_view_start(&words);
	size_t len = strlen(bytes);

	while (len && bytes[len - 1] == ' ')
		len--;
	ca_text_add(text, "\"");
	ca_text_escaped(text, bytes, len);
	ca_text_add(text, "\"");
	ca_view_pair(view, label, words.buf);
}

static void version_pair(struct ca_view *view, uint32_t version)
{
	struct ca_view_words words;
	struct ca_text *text = ca_view_start(&words);

	ca_text_u64(text, version >> 16);
	ca_text_add(text, ".");
	ca_text_u64(text, version >> 8 & 0xff);
	if (version & 0xff) {
		ca_text_add(text, ".");
		ca_text_u64(text, version & 0xff);
	}
	ca_view_pair(view, "NVMe version", version ? words.buf : "not stated (before 1.2)");
}

static void temperature_pair(struct ca_view *view, const char *label, uint16_t kelvin)
{
	if (kelvin >= 273)
		ca_view_count(view, label, kelvin - 273U, " degrees C");
}

/* A drive that borrows memory of the host has no DRAM of its own. */
static void memory_pair(struct ca_view *view, const struct ca_nvme_ctrl *ctrl)
{
	struct ca_view_words words;
	struct ca_text *text = ca_view_start(&words);

	if (!ctrl->hmpre)
		return;
	ca_text_add(text, "wants ");
	ca_view_binary(text, ctrl->hmpre * UINT64_C(4096));
	ca_text_add(text, ": no DRAM of its own");
	ca_view_pair(view, "host memory", words.buf);
}

static void power_pair(struct ca_view *view, const struct ca_nvme_ctrl *ctrl)
{
	const struct ca_nvme_power_state *full = &ctrl->psd[0];
	struct ca_view_words words;
	struct ca_text *text = ca_view_start(&words);

	ca_text_u64(text, ctrl->npss + 1U);
	ca_text_add(text, ctrl->npss ? " states, at most " : " state, at most ");
	ca_text_fixed(text, full->max_power_raw, full->max_power_scale ? 10000 : 100, 2);
	ca_text_add(text, " W");
	if (full->max_power_raw)
		ca_view_pair(view, "power", words.buf);
}

static void ctrl(struct ca_view *view, const struct ca_evidence *evidence,
		 const struct ca_nvme_ctrl *ctrl)
{
	bool part = evidence->device.hidden_because[0] != '\0'; /* a field of zero may be unseen */

	ca_view_heading(view, "Identify Controller: who made this drive");
	text_pair(view, "model MN", ctrl->mn);
	if (evidence->registers.masked)
		ca_view_pair(view, "serial SN", "masked on request");
	else
		text_pair(view, "serial SN", ctrl->sn);
	text_pair(view, "firmware FR", ctrl->fr);
	hex_pair(view, "VID maker", ctrl->vid, 4);
	hex_pair(view, "SSVID", ctrl->ssvid, 4);
	hex_pair(view, "IEEE OUI", ctrl->ieee_oui, 6);
	version_pair(view, ctrl->ver);
	if (ctrl->tnvmcap_bytes)
		size_pair(view, "TNVMCAP size", ctrl->tnvmcap_bytes);
	if (ctrl->vwc || !part)
		ca_view_pair(view, "write cache", ctrl->vwc & 1 ? "yes" : "no");
	memory_pair(view, ctrl);
	power_pair(view, ctrl);
	temperature_pair(view, "too warm from", ctrl->wctemp_k);
	temperature_pair(view, "critical from", ctrl->cctemp_k);
}

/* "2.5 GT/s" x lanes, now and at best: a slow link bounds every figure of the drive. */
static void add_link(struct ca_text *text, const struct ca_fact *speed, const struct ca_fact *width)
{
	ca_text_fixed(text, (uint64_t)speed->number, 1000, 1);
	ca_text_add(text, " GT/s x");
	ca_text_i64(text, width->number);
}

static void pci(struct ca_view *view, const struct ca_evidence *evidence)
{
	const struct ca_fact *facts = evidence->host;
	const struct ca_fact *speed = &facts[CA_HOST_PCIE_SPEED];
	const struct ca_fact *width = &facts[CA_HOST_PCIE_WIDTH];
	const struct ca_fact *best_speed = &facts[CA_HOST_PCIE_SPEED_MAX];
	const struct ca_fact *best_width = &facts[CA_HOST_PCIE_WIDTH_MAX];
	struct ca_view_words words;
	struct ca_text *text = ca_view_start(&words);

	if (!evidence->registers.pci_vid && !speed->present)
		return;
	ca_view_heading(view, "PCI: who the bus says made it, and the link");
	if (evidence->registers.pci_vid)
		hex_pair(view, "vendor", evidence->registers.pci_vid, 4);
	if (evidence->registers.pci_ssvid)
		hex_pair(view, "subsystem vendor", evidence->registers.pci_ssvid, 4);
	if (!speed->present || !width->present)
		return;
	add_link(text, speed, width);
	if (best_speed->present && best_width->present) {
		ca_text_add(text, ", at best ");
		add_link(text, best_speed, best_width);
	}
	ca_view_pair(view, "link", words.buf);
}

static void add_format(struct ca_text *text, const struct ca_nvme_lbaf *lbaf, bool in_use)
{
	if (lbaf->lbads < 9 || lbaf->lbads > 31)
		return;
	ca_text_add(text, text->len ? ", " : "");
	ca_text_u64(text, UINT64_C(1) << lbaf->lbads);
	if (lbaf->ms) {
		ca_text_add(text, "+");
		ca_text_u64(text, lbaf->ms);
	}
	ca_text_add(text, in_use ? " (in use)" : "");
}

static void ns(struct ca_view *view, const struct ca_nvme_ns *ns)
{
	struct ca_view_words words;
	struct ca_text *text = ca_view_start(&words);
	uint64_t bytes;

	ca_view_heading(view, "Identify Namespace: size");
	if (!ns->block_bytes || __builtin_mul_overflow(ns->nsze, ns->block_bytes, &bytes))
		ca_view_pair(view, "size", "not a size: block size or count make no sense");
	else
		size_pair(view, "size", bytes);
	ca_text_grouped(text, ns->nsze);
	ca_text_add(text, " of ");
	ca_text_grouped(text, ns->block_bytes);
	ca_text_add(text, " bytes");
	ca_view_pair(view, "blocks", words.buf);
	text = ca_view_start(&words);
	for (unsigned int i = 0; i <= ns->nlbaf && i < CA_ARRAY_LEN(ns->lbaf); i++)
		add_format(text, &ns->lbaf[i], i == ns->lbaf_index);
	if (text->len)
		ca_view_pair(view, "block sizes", words.buf);
}

/* Units of 512,000 bytes; what does not fit 64 bits is no honest counter. */
static void units_pair(struct ca_view *view, const char *label, uint64_t units)
{
	struct ca_view_words words;
	struct ca_text *text = ca_view_start(&words);
	uint64_t bytes;

	if (__builtin_mul_overflow(units, UINT64_C(512000), &bytes))
		bytes = UINT64_MAX;
	ca_text_gb(text, bytes);
	ca_view_pair(view, label, words.buf);
}

static void smart(struct ca_view *view, const struct ca_nvme_smart *smart)
{
	ca_view_heading(view, "SMART: wear before this test");
	ca_view_count(view, "life used", smart->percentage_used, " %");
	ca_view_count(view, "spare left", smart->available_spare, " %");
	units_pair(view, "read", smart->data_units_read);
	units_pair(view, "written", smart->data_units_written);
	ca_view_count(view, "powered on", smart->power_on_hours, " hours");
	ca_view_count(view, "power cycles", smart->power_cycles, "");
	ca_view_count(view, "unsafe shutdowns", smart->unsafe_shutdowns, "");
	ca_view_count(view, "media errors", smart->media_errors, "");
	if (smart->critical_warning)
		hex_pair(view, "critical warning", smart->critical_warning, 2);
	temperature_pair(view, "temperature", smart->temperature_k);
}

void ca_view_nvme(struct ca_view *view, const struct ca_evidence *evidence,
		  const struct ca_registers *registers)
{
	const struct ca_raw_registers *raw = &evidence->registers;

	if (registers->has[CA_REGISTER_NVME_CTRL])
		ctrl(view, evidence, &registers->nvme_ctrl);
	ca_view_all_fields(view, raw, registers, CA_REGISTER_NVME_CTRL);
	if (registers->has[CA_REGISTER_NVME_NS])
		ns(view, &registers->nvme_ns);
	ca_view_all_fields(view, raw, registers, CA_REGISTER_NVME_NS);
	if (registers->has[CA_REGISTER_NVME_SMART])
		smart(view, &registers->nvme_smart);
	ca_view_all_fields(view, raw, registers, CA_REGISTER_NVME_SMART);
	pci(view, evidence);
}
