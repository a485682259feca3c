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

static bool is_indented(const char *field)
{
	return field[0] == ' ' && !is_blank(field);
}

/*
 * Zeros, or digits counted up: nobody gave the drive a serial number. Rows of X or stars are how
 * people blank one in a report, so they are none of this.
 */
static bool is_placeholder(const char *serial)
{
	size_t len = strcspn(serial, " ");
	bool counts = true;

	if (len < 4)
		return false;
	for (size_t i = 1; i < len && counts; i++)
		counts = serial[i] == serial[i - 1] + 1 ||
			 (serial[i - 1] == '9' && serial[i] == '0') ||
			 (serial[i - 1] == '9' && serial[i] == 'A');
	return strspn(serial, "0") >= len || (counts && (serial[0] == '0' || serial[0] == '1'));
}

static const char *text_fault(const struct ca_judge_case *c)
{
	const struct ca_nvme_ctrl *ctrl = &c->registers->nvme_ctrl;
	/* on SD Express the serial number is hex digits and NULs (S 8.1.7) */
	bool serial = !c->evidence->registers.masked && !ca_judge_has(c, CA_REGISTER_CID);

	if (!is_text(ctrl->mn, 40))
		return "the model holds control bytes";
	if (!is_text(ctrl->fr, 8))
		return "the firmware revision holds control bytes";
	if (is_indented(ctrl->mn) || is_indented(ctrl->fr))
		return "the model or the firmware revision begins with a space";
	if (!serial)
		return NULL;
	if (!is_text(ctrl->sn, 20))
		return "the serial number holds control bytes";
	if (is_blank(ctrl->sn))
		return "the serial number is blank";
	if (is_indented(ctrl->sn))
		return "the serial number begins with a space";
	return is_placeholder(ctrl->sn) ? "the serial number is a placeholder" : NULL;
}

void ca_judge_nvme_text(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	const char *fault;

	if (!has_ctrl(c))
		return;
	ca_judge_checks(sink);
	fault = text_fault(c);
	if (fault)
		ca_judge_fire_text(sink, fault);
}

void ca_judge_nvme_namespace(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	const struct ca_nvme_ns *ns = &c->registers->nvme_ns;
	struct ca_judge_draft *draft;
	struct ca_text found;

	if (!ca_judge_has(c, CA_REGISTER_NVME_NS) || !ns->nsze)
		return;
	ca_judge_checks(sink);
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
	const struct ca_nvme_ctrl *ctrl = &c->registers->nvme_ctrl;
	const struct ca_nvme_ns *ns = &c->registers->nvme_ns;
	uint64_t total = ctrl->tnvmcap_bytes, bytes = ca_judge_register_bytes(c);
	struct ca_text found;

	/* bit 0 of NSFEAT: thinly provisioned, where more may be promised than there is */
	if (!has_ctrl(c) || !ca_judge_has(c, CA_REGISTER_NVME_NS) || !total || !bytes ||
	    (ns->nsfeat & 1))
		return;
	ca_judge_checks(sink);
	if (bytes / 100 * 99 > total) {
		found = ca_judge_found(ca_judge_fire(sink));
		ca_text_add(&found, "namespace ");
		ca_text_size(&found, bytes);
		ca_text_add(&found, ", drive ");
		ca_text_size(&found, total);
	} else if (ns->nvmcap_bytes && ctrl->unvmcap_bytes &&
		   (ns->nvmcap_bytes / 100 * 99 > total ||
		    ctrl->unvmcap_bytes > total - ns->nvmcap_bytes / 100 * 99)) {
		/* not what a buyer gets, so no fail */
		found = ca_judge_found(
			ca_judge_add(sink, CA_VERDICT_WARNING, sink->rule->claim, ""));
		ca_text_add(&found, "NVMCAP and UNVMCAP together are more than TNVMCAP, ");
		ca_text_size(&found, total);
	}
}

void ca_judge_nvme_vendor(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	const struct ca_raw_registers *raw = &c->evidence->registers;
	const struct ca_nvme_ctrl *ctrl = &c->registers->nvme_ctrl;

	if (!has_ctrl(c) || !ctrl->vid || !raw->pci_vid)
		return;
	ca_judge_checks(sink);
	if (raw->pci_vid != ctrl->vid)
		fire_pair(sink, "VID", ctrl->vid, "PCI vendor", raw->pci_vid, 4);
	else if (raw->pci_ssvid && ctrl->ssvid && raw->pci_ssvid != ctrl->ssvid)
		fire_pair(sink, "SSVID", ctrl->ssvid, "PCI subsystem vendor", raw->pci_ssvid, 4);
}

/* The IEEE number inside the namespace's identifiers; false when it has none to compare. */
static bool namespace_oui(const struct ca_judge_case *c, const char **ret_name, uint32_t *ret_oui)
{
	const struct ca_nvme_ns *ns = &c->registers->nvme_ns;
	const uint8_t *at = NULL;

	if (!ca_judge_has(c, CA_REGISTER_NVME_NS) || c->evidence->registers.masked)
		return false;
	if (!ca_bytes_is_all(ns->eui64, sizeof(ns->eui64), 0)) {
		*ret_name = "EUI64";
		at = ns->eui64;
	} else if (!ca_bytes_is_all(ns->nguid, sizeof(ns->nguid), 0)) {
		*ret_name = "NGUID";
		at = ns->nguid + 8;
	}
	/* zeros: the maker counts instead of naming itself */
	if (!at || ca_bytes_is_all(at, 3, 0))
		return false;
	*ret_oui = (uint32_t)at[0] << 16 | (uint32_t)at[1] << 8 | at[2];
	return true;
}

static void fire_oui(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	bool strict = c->identity->nvme_vendor->oui_strict;
	struct ca_text found = ca_judge_found(ca_judge_add(
		sink, strict ? CA_VERDICT_WARNING : CA_VERDICT_NOTE, sink->rule->claim, ""));

	ca_text_add(&found, "IEEE number ");
	ca_text_hex(&found, c->registers->nvme_ctrl.ieee_oui, 6);
	ca_text_add(&found, "h; drives of this vendor have ");
	ca_text_add(&found, c->identity->nvme_vendor->ouis);
}

void ca_judge_nvme_oui(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	const struct ca_spec_nvme_vendor *vendor = c->identity->nvme_vendor;
	uint32_t oui = c->registers->nvme_ctrl.ieee_oui, own = 0;
	const char *name = "";
	bool inner = namespace_oui(c, &name, &own);
	struct ca_text found;

	if (!has_ctrl(c) || !oui || (!inner && (!vendor || !vendor->ouis[0])))
		return;
	ca_judge_checks(sink);
	if (ca_judge_oui_contradicts(c)) {
		fire_oui(c, sink);
	} else if (inner && own != oui) {
		/* genuine drives do this: one maker's drive on another's controller */
		found = ca_judge_found(ca_judge_add(sink, CA_VERDICT_NOTE, sink->rule->claim, ""));
		ca_text_add(&found, "IEEE number ");
		ca_text_hex(&found, oui, 6);
		ca_text_add(&found, "h, in ");
		ca_text_add(&found, name);
		ca_text_add(&found, " ");
		ca_text_hex(&found, own, 6);
		ca_text_add(&found, "h");
	}
}

void ca_judge_nvme_model(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	uint16_t vid = c->registers->nvme_ctrl.vid;
	bool samsung = ca_judge_model_is_samsung(c);

	if (!vid || (!samsung && !ca_judge_model_is_wd(c)))
		return;
	ca_judge_checks(sink);
	if (samsung && vid != 0x144d)
		fire_pair(sink, "a Samsung model with VID", vid, "Samsung's is", 0x144d, 4);
	else if (!samsung && vid != 0x15b7)
		fire_pair(sink, "a SanDisk or WD model with VID", vid, "theirs is", 0x15b7, 4);
}

void ca_judge_nvme_firmware(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	if (!ca_judge_model_is_samsung(c))
		return;
	ca_judge_checks(sink);
	if (ca_judge_firmware_is_forged(c))
		ca_judge_fire_text(sink, "firmware 8888888 on a Samsung model");
}

void ca_judge_nvme_id(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	const struct ca_nvme_ns *ns = &c->registers->nvme_ns;

	if (!ca_judge_has(c, CA_REGISTER_NVME_NS) || c->evidence->registers.masked)
		return;
	ca_judge_checks(sink);
	if (ca_bytes_is_all(ns->nguid, sizeof(ns->nguid), 0) &&
	    ca_bytes_is_all(ns->eui64, sizeof(ns->eui64), 0))
		ca_judge_fire_text(sink, "NGUID and EUI64 are zero");
}

/* Other names of one copy that a maker may build the subsystem's name from. */
static bool names_by_other_means(const char *subnqn)
{
	return strstr(subnqn, ":uuid:") || strstr(subnqn, "nguid") || strstr(subnqn, "eui");
}

void ca_judge_nvme_nqn(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	const struct ca_nvme_ctrl *ctrl = &c->registers->nvme_ctrl;
	char serial[sizeof(ctrl->sn)];
	size_t len;

	if (!has_ctrl(c) || c->evidence->registers.masked)
		return;
	/* what was read leaves it out, or the drive is older than the field */
	if (!ctrl->subnqn[0] &&
	    (c->evidence->device.hidden_because[0] || (ctrl->ver && ctrl->ver < 0x10201)))
		return;
	ca_judge_checks(sink);
	if (strncmp(ctrl->subnqn, "nqn.", 4) != 0) {
		ca_judge_fire_text(sink, "SUBNQN does not begin with nqn.");
		return;
	}
	len = strcspn(ctrl->sn, " ");
	memcpy(serial, ctrl->sn, len);
	serial[len] = '\0';
	if (!len || strstr(ctrl->subnqn, serial) || names_by_other_means(ctrl->subnqn))
		return;
	ca_judge_fire_text(sink, "SUBNQN does not hold the serial number");
}

void ca_judge_nvme_version(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	const struct ca_nvme_ctrl *ctrl = &c->registers->nvme_ctrl;
	const struct {
		const char *name;
		bool used;
		uint32_t since;
	} fields[] = {
		{"CNTRLTYPE", ctrl->cntrltype != 0, 0x10400},
		{"MNAN", ctrl->mnan != 0, 0x10400},
		{"SANICAP", ctrl->sanicap != 0, 0x10300},
		{"HCTMA", ctrl->hctma != 0, 0x10300},
		{"RPMBS", ctrl->rpmbs != 0, 0x10200},
		{"HMPRE", ctrl->hmpre != 0, 0x10200},
		{"TNVMCAP", ctrl->tnvmcap_bytes != 0, 0x10200},
	};
	struct ca_text found;

	/* drives older than 1.2 do not state a version */
	if (!has_ctrl(c) || !ctrl->ver)
		return;
	ca_judge_checks(sink);
	for (size_t i = 0; i < CA_ARRAY_LEN(fields); i++) {
		if (!fields[i].used || ctrl->ver >= fields[i].since)
			continue;
		found = ca_judge_found(ca_judge_add(
			sink, fields[i].since >= 0x10400 ? CA_VERDICT_WARNING : CA_VERDICT_NOTE,
			sink->rule->claim, ""));
		ca_text_add(&found, fields[i].name);
		ca_text_add(&found, " is used by a drive of version ");
		ca_text_u64(&found, ctrl->ver >> 16);
		ca_text_add(&found, ".");
		ca_text_u64(&found, ctrl->ver >> 8 & 0xff);
		return;
	}
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
	ca_judge_checks(sink);
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
	ca_judge_checks(sink);
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

	if (!ca_judge_has(c, CA_REGISTER_NVME_SMART))
		return;
	ca_judge_checks(sink);
	if (!smart->critical_warning && !smart->media_errors &&
	    smart->available_spare >= smart->spare_threshold)
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
