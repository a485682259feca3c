/* SPDX-License-Identifier: BSD-2-Clause */
/* Rules about Identify data and the health log of NVMe drives. */
#include "judge_rule.h"

#include <string.h>

static bool has_ctrl(const struct ca_judge_case *c)
{
	return ca_judge_has(c, CA_REGISTER_NVME_CTRL);
}

static void fire_pair(struct ca_judge_sink *sink, const char *a, uint64_t first, const char *b,
		      uint64_t second, unsigned int digits)
{
	struct ca_text found = ca_judge_found(ca_judge_fire(sink));

	ca_text_add(&found, a);
	ca_text_add(&found, " ");
	ca_text_hex(&found, first, digits);
	ca_text_add(&found, "h, ");
	ca_text_add(&found, b);
	ca_text_add(&found, " ");
	ca_text_hex(&found, second, digits);
	ca_text_add(&found, "h");
}

/* Printable up to a tail of NULs, which many drives use for padding. */
static bool is_text(const char *field, size_t size)
{
	size_t len = size;

	while (len && !field[len - 1])
		len--;
	for (size_t i = 0; i < len; i++)
		if (field[i] < 0x20 || field[i] > 0x7e)
			return false;
	return true;
}

static bool is_blank(const char *field)
{
	return field[strspn(field, " ")] == '\0';
}

void ca_judge_nvme_text(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	const struct ca_nvme_ctrl *ctrl = &c->registers->nvme_ctrl;
	bool serial = !c->evidence->registers.masked && !ca_judge_has(c, CA_REGISTER_CID);

	if (!has_ctrl(c))
		return;
	if (!is_text(ctrl->mn, 40))
		ca_judge_fire_text(sink, "the model holds control bytes");
	else if (!is_text(ctrl->fr, 8))
		ca_judge_fire_text(sink, "the firmware revision holds control bytes");
	else if (serial && !is_text(ctrl->sn, 20))
		ca_judge_fire_text(sink, "the serial number holds control bytes");
	else if (serial && is_blank(ctrl->sn))
		ca_judge_fire_text(sink, "the serial number is blank");
}

void ca_judge_nvme_namespace(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	const struct ca_nvme_ns *ns = &c->registers->nvme_ns;
	struct ca_judge_draft *draft;
	struct ca_text found;

	if (!ca_judge_has(c, CA_REGISTER_NVME_NS) || !ns->nsze)
		return;
	if (ns->ncap > ns->nsze) {
		fire_pair(sink, "NCAP", ns->ncap, "NSZE", ns->nsze, 16);
	} else if (ns->lbaf_index > ns->nlbaf) {
		fire_pair(sink, "FLBAS", ns->lbaf_index, "NLBAF", ns->nlbaf, 2);
	} else if (!ns->block_bytes) {
		ca_judge_fire_text(sink, "the block size in use does not exist");
	} else if (ns->nuse > ns->ncap) {
		draft = ca_judge_add(sink, CA_VERDICT_WARNING, sink->rule->claim, "");
		found = ca_judge_found(draft);
		ca_text_add(&found, "NUSE is larger than NCAP");
	}
}

void ca_judge_nvme_capacity(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	uint64_t total = c->registers->nvme_ctrl.tnvmcap_bytes, bytes = ca_judge_register_bytes(c);
	struct ca_text found;

	/* bit 0 of NSFEAT: thinly provisioned, where more may be promised than there is */
	if (!has_ctrl(c) || !ca_judge_has(c, CA_REGISTER_NVME_NS) || !total || !bytes ||
	    (c->registers->nvme_ns.nsfeat & 1) || bytes / 100 * 99 <= total)
		return;
	found = ca_judge_found(ca_judge_fire(sink));
	ca_text_add(&found, "namespace ");
	ca_text_size(&found, bytes);
	ca_text_add(&found, ", drive ");
	ca_text_size(&found, total);
}

void ca_judge_nvme_vendor(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	const struct ca_raw_registers *raw = &c->evidence->registers;
	const struct ca_nvme_ctrl *ctrl = &c->registers->nvme_ctrl;

	if (!has_ctrl(c))
		return;
	if (raw->pci_vid && raw->pci_vid != ctrl->vid)
		fire_pair(sink, "VID", ctrl->vid, "PCI vendor", raw->pci_vid, 4);
	else if (raw->pci_ssvid && ctrl->ssvid && raw->pci_ssvid != ctrl->ssvid)
		fire_pair(sink, "SSVID", ctrl->ssvid, "PCI subsystem vendor", raw->pci_ssvid, 4);
}

void ca_judge_nvme_oui(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	enum ca_verdict verdict;
	struct ca_text found;

	if (!ca_judge_oui_contradicts(c))
		return;
	verdict = c->identity->nvme_vendor->oui_strict ? CA_VERDICT_WARNING : CA_VERDICT_NOTE;
	found = ca_judge_found(ca_judge_add(sink, verdict, sink->rule->claim, ""));
	ca_text_add(&found, "IEEE number ");
	ca_text_hex(&found, c->registers->nvme_ctrl.ieee_oui, 6);
	ca_text_add(&found, "h; drives of this vendor have ");
	ca_text_add(&found, c->identity->nvme_vendor->ouis);
}

void ca_judge_nvme_model(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	uint16_t vid = c->registers->nvme_ctrl.vid;

	if (ca_judge_model_is_samsung(c) && vid && vid != 0x144d)
		fire_pair(sink, "a Samsung model with VID", vid, "Samsung's is", 0x144d, 4);
}

void ca_judge_nvme_firmware(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	if (ca_judge_firmware_is_forged(c))
		ca_judge_fire_text(sink, "firmware 8888888 on a Samsung model");
}

void ca_judge_nvme_id(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	const struct ca_nvme_ns *ns = &c->registers->nvme_ns;

	if (ca_judge_has(c, CA_REGISTER_NVME_NS) && !c->evidence->registers.masked &&
	    ca_bytes_is_all(ns->nguid, sizeof(ns->nguid), 0) &&
	    ca_bytes_is_all(ns->eui64, sizeof(ns->eui64), 0))
		ca_judge_fire_text(sink, "NGUID and EUI64 are zero");
}

void ca_judge_nvme_nqn(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	if (has_ctrl(c) && !c->evidence->registers.masked &&
	    strncmp(c->registers->nvme_ctrl.subnqn, "nqn.", 4) != 0)
		ca_judge_fire_text(sink, "SUBNQN does not begin with nqn.");
}

void ca_judge_nvme_version(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	const struct ca_nvme_ctrl *ctrl = &c->registers->nvme_ctrl;
	struct ca_text found;

	if (!has_ctrl(c) || !ctrl->ver || ctrl->ver >= 0x10400 || (!ctrl->cntrltype && !ctrl->mnan))
		return;
	found = ca_judge_found(ca_judge_fire(sink));
	ca_text_add(&found, ctrl->cntrltype ? "CNTRLTYPE" : "MNAN");
	ca_text_add(&found, " is used by a drive of version ");
	ca_text_u64(&found, ctrl->ver >> 16);
	ca_text_add(&found, ".");
	ca_text_u64(&found, ctrl->ver >> 8 & 0xff);
}

void ca_judge_nvme_link(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	const struct ca_fact *host = c->evidence->host;
	const struct ca_fact *speed = &host[CA_HOST_PCIE_SPEED], *width = &host[CA_HOST_PCIE_WIDTH];
	const struct ca_fact *speed_max = &host[CA_HOST_PCIE_SPEED_MAX];
	const struct ca_fact *width_max = &host[CA_HOST_PCIE_WIDTH_MAX];
	struct ca_text found;

	if (!speed->present || !width->present || !speed_max->present || !width_max->present)
		return;
	if (speed->number >= speed_max->number && width->number >= width_max->number)
		return;
	found = ca_judge_found(ca_judge_fire(sink));
	ca_text_i64(&found, speed->number);
	ca_text_add(&found, " MT/s x");
	ca_text_i64(&found, width->number);
	ca_text_add(&found, ", the drive could have ");
	ca_text_i64(&found, speed_max->number);
	ca_text_add(&found, " MT/s x");
	ca_text_i64(&found, width_max->number);
}

#define UNIT_BYTES UINT64_C(512000)

void ca_judge_nvme_used(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	const struct ca_nvme_smart *smart = &c->registers->nvme_smart;
	struct ca_text found;

	if (!ca_judge_has(c, CA_REGISTER_NVME_SMART))
		return;
	if (smart->power_on_hours <= 10 && smart->power_cycles <= 20 &&
	    smart->data_units_written <= UINT64_C(50000000000) / UNIT_BYTES &&
	    smart->percentage_used <= 1)
		return;
	found = ca_judge_found(ca_judge_fire(sink));
	ca_text_grouped(&found, smart->power_on_hours);
	ca_text_add(&found, " hours, ");
	ca_text_grouped(&found, smart->power_cycles);
	ca_text_add(&found, " power cycles, ");
	ca_text_gb(&found, smart->data_units_written > UINT64_MAX / UNIT_BYTES
				   ? UINT64_MAX
				   : smart->data_units_written * UNIT_BYTES);
	ca_text_add(&found, " written, ");
	ca_text_u64(&found, smart->percentage_used);
	ca_text_add(&found, " % of its life used");
}

void ca_judge_nvme_health(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	const struct ca_nvme_smart *smart = &c->registers->nvme_smart;
	struct ca_text found;

	if (!ca_judge_has(c, CA_REGISTER_NVME_SMART) ||
	    (!smart->critical_warning && !smart->media_errors &&
	     smart->available_spare >= smart->spare_threshold))
		return;
	found = ca_judge_found(ca_judge_fire(sink));
	ca_text_add(&found, "critical warning ");
	ca_text_hex(&found, smart->critical_warning, 2);
	ca_text_add(&found, "h, ");
	ca_text_grouped(&found, smart->media_errors);
	ca_text_add(&found, " media errors, spare ");
	ca_text_u64(&found, smart->available_spare);
	ca_text_add(&found, " % (threshold ");
	ca_text_u64(&found, smart->spare_threshold);
	ca_text_add(&found, " %)");
}
