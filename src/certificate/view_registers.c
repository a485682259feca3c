/* SPDX-License-Identifier: BSD-2-Clause */
/* Registers of memory cards, the value beside its meaning. */
#include "view.h"

#include <string.h>

static void add_flag(struct ca_text *text, bool set, const char *name)
{
	if (!set)
		return;
	ca_text_add(text, text->len ? ", " : "");
	ca_text_add(text, name);
}

static const char *crc_words(enum ca_crc crc)
{
	switch (crc) {
	case CA_CRC_ABSENT:
		return "absent: this host's driver does not pass it on";
	case CA_CRC_GOOD:
		return "good";
	case CA_CRC_BAD:
		return "BAD: the register does not match its own checksum";
	}
	return "";
}

/* Reserved or unused places of the large pages: `inspect --fields` lists them too. */
static bool is_empty_place(const struct ca_field *field, const uint8_t *data)
{
	size_t bytes = field->msb - field->lsb + 1U;

	return ca_field_is_bytes(field) && ca_bytes_is_all(data + field->lsb, bytes, 0) &&
	       (bytes > 8 || strcmp(field->decode, "reserved") == 0 ||
		strncmp(field->decode, "lbaf", 4) == 0);
}

/* Every field of a register by the tables of specs/fields.tsv, where all is asked for. */
void ca_view_all_fields(struct ca_view *view, const struct ca_raw_registers *raw,
			const struct ca_registers *registers, enum ca_register reg)
{
	const uint8_t *data = ca_register_data(raw, reg);
	size_t bytes = ca_register_bytes(reg);
	const char *layout = ca_register_layout(raw, reg);

	if (!view->all || !registers->has[reg] || !layout)
		return;
	for (const struct ca_field *field = ca_field_first(layout); field;
	     field = ca_field_next(field)) {
		char lead[80], words[2400];
		struct ca_text text;

		if (is_empty_place(field, data))
			continue;
		ca_text_init(&text, lead, sizeof(lead));
		ca_text_add(&text, "[");
		ca_text_u64(&text, field->msb);
		ca_text_add(&text, ":");
		ca_text_u64(&text, field->lsb);
		ca_text_add(&text, "] ");
		ca_text_add(&text, field->name);
		if (field->msb - field->lsb < (ca_field_is_bytes(field) ? 8 : 64)) {
			ca_text_add(&text, " = ");
			ca_field_raw_text(field, data, bytes, &text);
		}
		ca_text_init(&text, words, sizeof(words));
		if (raw->masked && ca_field_is_masked(field))
			ca_text_add(&text, "masked on request");
		else
			ca_field_value_text(field, registers, data, bytes, &text);
		ca_text_add(&text, text.len ? "; " : "");
		ca_text_add(&text, field->meaning);
		ca_view_lead(view, 6, CA_STYLE_PLAIN, lead, 40, words);
	}
}

/* "CID  0353445343..." then the fields. */
static bool raw_line(struct ca_view *view, const struct ca_certificate *certificate,
		     enum ca_register reg, const char *title, bool decoded)
{
	const struct ca_raw_registers *raw = &certificate->evidence.registers;
	char hex[2 * CA_SSR_BYTES + 1];

	if (!raw->has[reg])
		return false;
	ca_view_heading(view, title);
	if (ca_register_bytes(reg) <= CA_SSR_BYTES) {
		ca_hex_encode(ca_register_data(raw, reg), ca_register_bytes(reg), hex);
		ca_view_lead(view, 2, CA_STYLE_PLAIN, "raw", 14, hex);
	}
	if (!decoded)
		ca_view_lead(view, 2, CA_STYLE_DOUBT, "not decoded:", 2,
			     "its structure field names a layout that does not exist");
	return decoded;
}

static void cid(struct ca_view *view, const struct ca_certificate *certificate,
		const struct ca_registers *registers)
{
	const struct ca_raw_registers *raw = &certificate->evidence.registers;
	const struct ca_cid *cid = &registers->cid;
	const char *maker = certificate->judgement.identity.maker_name;
	bool sd = cid->type == CA_CARD_TYPE_SD;
	char oid[2] = {(char)(cid->oid >> 8), (char)(cid->oid & 0xff)};
	struct ca_view_words words;
	struct ca_text *text;

	if (!raw_line(view, certificate, CA_REGISTER_CID, "CID: who made this card, and when",
		      registers->has[CA_REGISTER_CID]))
		return;
	text = ca_view_start(&words);
	ca_text_add(text, "0x");
	ca_text_hex(text, cid->mid, 2);
	ca_text_add(text, maker && *maker ? "  " : "  no maker is known by this number");
	ca_text_add(text, maker ? maker : "");
	ca_view_pair(view, "MID maker", words.buf);
	text = ca_view_start(&words);
	ca_text_add(text, "0x");
	ca_text_hex(text, cid->oid, 4);
	if (sd) {
		ca_text_add(text, "  \"");
		ca_text_escaped(text, oid, sizeof(oid));
		ca_text_add(text, "\"");
	}
	ca_view_pair(view, "OID sold by", words.buf);
	text = ca_view_start(&words);
	ca_text_add(text, "\"");
	ca_text_escaped(text, cid->pnm, cid->pnm_len);
	ca_text_add(text, "\"");
	ca_view_pair(view, "PNM name", words.buf);
	text = ca_view_start(&words);
	ca_text_u64(text, cid->prv >> 4);
	ca_text_add(text, ".");
	ca_text_u64(text, cid->prv & 15);
	ca_view_pair(view, "PRV revision", words.buf);
	text = ca_view_start(&words);
	ca_text_add(text, "0x");
	ca_text_hex(text, cid->psn, 8);
	ca_view_pair(view, "PSN serial", raw->masked ? "masked on request" : words.buf);
	text = ca_view_start(&words);
	ca_text_u64(text, cid->mdt_year);
	ca_text_add(text, cid->mdt_month < 10 ? "-0" : "-");
	ca_text_u64(text, cid->mdt_month);
	ca_view_pair(view, "MDT made", words.buf);
	ca_view_pair(view, "CRC7 checksum",
		     crc_words(raw->masked ? (enum ca_crc)raw->masked_cid_crc : cid->crc));
	ca_view_all_fields(view, raw, registers, CA_REGISTER_CID);
}

static void csd(struct ca_view *view, const struct ca_certificate *certificate,
		const struct ca_registers *registers)
{
	const struct ca_csd *csd = &registers->csd;
	struct ca_view_words words;
	struct ca_text *text;

	if (!raw_line(view, certificate, CA_REGISTER_CSD, "CSD: size and access",
		      registers->has[CA_REGISTER_CSD]))
		return;
	text = ca_view_start(&words);
	ca_text_add(text, ca_capacity_class_name(csd->capacity_class));
	ca_text_add(text, csd->version == CA_CSD_MMC ? "" : ", layout ");
	if (csd->version != CA_CSD_MMC)
		ca_text_add(text, csd->version == CA_CSD_V1   ? "1.0"
				  : csd->version == CA_CSD_V2 ? "2.0"
							      : "3.0");
	ca_view_pair(view, "card type", words.buf);
	text = ca_view_start(&words);
	ca_text_grouped(text, csd->capacity_bytes);
	ca_text_add(text, " bytes, ");
	ca_text_size(text, csd->capacity_bytes);
	ca_view_pair(view, "size", csd->capacity_bytes ? words.buf : "is in EXT_CSD");
	ca_view_count(view, "TRAN_SPEED", ca_csd_tran_speed_mbit(csd->tran_speed),
		      " Mbit/s a line at the basic clock");
	text = ca_view_start(&words);
	add_flag(text, csd->perm_write_protect, "permanently");
	add_flag(text, csd->tmp_write_protect, "temporarily");
	add_flag(text, csd->wp_upc, "until power cycle");
	ca_view_pair(view, "write protected", text->len ? words.buf : "no");
	ca_view_pair(view, "CRC7 checksum", crc_words(csd->crc));
	ca_view_all_fields(view, &certificate->evidence.registers, registers, CA_REGISTER_CSD);
}

static void scr(struct ca_view *view, const struct ca_certificate *certificate,
		const struct ca_registers *registers)
{
	const struct ca_scr *scr = &registers->scr;
	struct ca_view_words words;
	struct ca_text *text;

	if (!raw_line(view, certificate, CA_REGISTER_SCR, "SCR: which SD rules it follows",
		      registers->has[CA_REGISTER_SCR]))
		return;
	text = ca_view_start(&words);
	ca_text_fixed(text, scr->version_x100, 100, 2);
	ca_view_pair(view, "SD version", scr->version_x100 ? words.buf : "a reserved combination");
	text = ca_view_start(&words);
	add_flag(text, scr->sd_bus_widths & 1, "1 bit");
	add_flag(text, scr->sd_bus_widths & 4, "4 bit");
	ca_view_pair(view, "bus widths", text->len ? words.buf : "none");
	text = ca_view_start(&words);
	add_flag(text, scr->cmd20, "CMD20 (speed class control)");
	add_flag(text, scr->cmd23, "CMD23 (block count)");
	add_flag(text, scr->cmd48_49, "CMD48/49 (extension registers)");
	add_flag(text, scr->cmd58_59, "CMD58/59");
	add_flag(text, scr->acmd53_54, "ACMD53/54");
	ca_view_pair(view, "commands", text->len ? words.buf : "no optional ones");
	ca_view_all_fields(view, &certificate->evidence.registers, registers, CA_REGISTER_SCR);
}

static void ssr_classes(struct ca_view *view, const struct ca_ssr *ssr)
{
	struct ca_view_words words;
	struct ca_text *text = ca_view_start(&words);

	if (ssr->speed_class) {
		ca_text_add(text, "C");
		ca_text_u64(text, ssr->speed_class);
	}
	if (ssr->uhs_speed_grade) {
		ca_text_add(text, text->len ? " U" : "U");
		ca_text_u64(text, ssr->uhs_speed_grade);
	}
	if (ssr->video_speed_class) {
		ca_text_add(text, text->len ? " V" : "V");
		ca_text_u64(text, ssr->video_speed_class);
	}
	if (ssr->app_perf_class) {
		ca_text_add(text, text->len ? " A" : "A");
		ca_text_u64(text, ssr->app_perf_class);
	}
	ca_view_pair(view, "classes claimed", text->len ? words.buf : "none");
}

static void ssr(struct ca_view *view, const struct ca_certificate *certificate,
		const struct ca_registers *registers)
{
	const struct ca_ssr *ssr = &registers->ssr;
	struct ca_view_words words;
	struct ca_text *text;

	if (!raw_line(view, certificate, CA_REGISTER_SSR, "SSR: what speed it claims",
		      registers->has[CA_REGISTER_SSR]))
		return;
	if (ssr->all_zero) {
		ca_view_lead(view, 2, CA_STYLE_PLAIN, "", 2,
			     "All zero: this host could not read it. That does not mean that the "
			     "card has no class.");
		return;
	}
	ssr_classes(view, ssr);
	text = ca_view_start(&words);
	ca_text_add(text, "depth ");
	ca_text_u64(text, ssr->cq_depth);
	ca_view_pair(view, "command queue", ssr->cq_depth ? words.buf : "none");
	ca_view_pair(view, "cache", ssr->cache ? "yes" : "no");
	text = ca_view_start(&words);
	add_flag(text, ssr->host_maintenance, "by the host");
	add_flag(text, ssr->card_maintenance, "by the card");
	ca_view_pair(view, "maintenance", text->len ? words.buf : "none");
	text = ca_view_start(&words);
	ca_view_binary(text, ssr->au_bytes);
	if (ssr->uhs_au_bytes) {
		ca_text_add(text, ", in UHS mode ");
		ca_view_binary(text, ssr->uhs_au_bytes);
	}
	ca_view_pair(view, "allocation unit", ssr->au_bytes ? words.buf : "not stated");
	text = ca_view_start(&words);
	ca_text_add(text, "AU ");
	ca_text_u64(text, ssr->vsc_au_mib);
	ca_text_add(text, " MiB, sub-unit ");
	ca_text_u64(text, ssr->vsc_su_mib);
	ca_text_add(text, " MiB");
	if (ssr->vsc_au_mib)
		ca_view_pair(view, "video class units", words.buf);
	text = ca_view_start(&words);
	add_flag(text, ssr->discard_support, "discard");
	add_flag(text, ssr->fule_support, "full user area erase");
	ca_view_pair(view, "erase", text->len ? words.buf : "plain erase only");
	ca_view_all_fields(view, &certificate->evidence.registers, registers, CA_REGISTER_SSR);
}

static void add_life(struct ca_text *text, uint8_t code)
{
	if (code == 0)
		ca_text_add(text, "not stated");
	else if (code > 10)
		ca_text_add(text, "beyond its estimated life");
	else {
		ca_text_u64(text, (code - 1U) * 10);
		ca_text_add(text, " to ");
		ca_text_u64(text, code * 10U);
		ca_text_add(text, " % used");
	}
}

#define AREA_BYTES (128 * CA_KIB) /* unit of the boot and RPMB areas */

/* Some makers write text, others a number: what follows the last byte that is not 0 is no part. */
static size_t firmware_len(const struct ca_extcsd *extcsd)
{
	size_t len = sizeof(extcsd->firmware_version);

	while (len && (extcsd->firmware_version[len - 1] == '\0' ||
		       extcsd->firmware_version[len - 1] == ' '))
		len--;
	return len;
}

static void extcsd(struct ca_view *view, const struct ca_certificate *certificate,
		   const struct ca_registers *registers)
{
	static const char *const spare[] = {"not stated", "normal", "80 % used", "90 % used"};
	const struct ca_extcsd *extcsd = &registers->extcsd;
	struct ca_view_words words;
	struct ca_text *text;

	if (!raw_line(view, certificate, CA_REGISTER_EXTCSD, "EXT_CSD: eMMC size and wear",
		      registers->has[CA_REGISTER_EXTCSD]))
		return;
	ca_view_count(view, "revision", extcsd->rev, "");
	text = ca_view_start(&words);
	ca_text_size(text, (uint64_t)extcsd->sec_count * CA_SECTOR_BYTES);
	ca_view_pair(view, "size", words.buf);
	text = ca_view_start(&words);
	add_life(text, extcsd->life_a);
	ca_text_add(text, " (A), ");
	add_life(text, extcsd->life_b);
	ca_text_add(text, " (B)");
	ca_view_pair(view, "life", words.buf);
	ca_view_pair(view, "spare blocks",
		     extcsd->pre_eol_info < CA_ARRAY_LEN(spare) ? spare[extcsd->pre_eol_info]
								: "a reserved code");
	ca_view_count(view, "cache", extcsd->cache_size_kib, " KiB");
	ca_view_count(view, "command queue", extcsd->cmdq_support ? extcsd->cmdq_depth : 0,
		      " commands");
	text = ca_view_start(&words);
	ca_text_add(text, "two of ");
	ca_view_binary(text, extcsd->boot_size_mult * AREA_BYTES);
	ca_view_pair(view, "boot areas", extcsd->boot_size_mult ? words.buf : "none");
	text = ca_view_start(&words);
	ca_view_binary(text, extcsd->rpmb_size_mult * AREA_BYTES);
	ca_view_pair(view, "RPMB area", extcsd->rpmb_size_mult ? words.buf : "none");
	text = ca_view_start(&words);
	ca_text_add(text, "\"");
	ca_text_escaped(text, (const char *)extcsd->firmware_version, firmware_len(extcsd));
	ca_text_add(text, "\"");
	ca_view_pair(view, "firmware", words.buf);
	ca_view_all_fields(view, &certificate->evidence.registers, registers, CA_REGISTER_EXTCSD);
}

/* What the card can do beyond reading and writing, from whichever form was read. */
static void extensions(struct ca_view *view, const struct ca_raw_registers *raw,
		       const struct ca_registers *registers)
{
	static const enum ca_register all[] = {CA_REGISTER_EXT_PERF, CA_REGISTER_EXT_POWER,
					       CA_REGISTER_EXT_GENERAL, CA_REGISTER_EXT_POWER_SET,
					       CA_REGISTER_EXT_PERF_SET};
	bool perf =
		registers->has[CA_REGISTER_EXT_PERF] || registers->has[CA_REGISTER_EXT_PERF_SET];
	bool power =
		registers->has[CA_REGISTER_EXT_POWER] || registers->has[CA_REGISTER_EXT_POWER_SET];
	struct ca_view_words words;
	struct ca_text *text = ca_view_start(&words);

	if (!perf && !power)
		return;
	ca_view_heading(view, "Extension registers: queue, cache and power");
	add_flag(text, registers->ext_perf.command_queue, "command queue");
	if (registers->ext_perf.queue_depth) {
		ca_text_add(text, " of ");
		ca_text_u64(text, registers->ext_perf.queue_depth);
	}
	add_flag(text, registers->ext_perf.cache, "cache");
	add_flag(text, registers->ext_perf.host_maintenance, "maintenance by the host");
	add_flag(text, registers->ext_perf.card_maintenance, "maintenance by the card");
	add_flag(text, registers->ext_perf.fx_event, "events");
	if (perf)
		ca_view_pair(view, "performance", text->len ? words.buf : "nothing");
	text = ca_view_start(&words);
	add_flag(text, registers->ext_power.off_notification, "power off notification");
	add_flag(text, registers->ext_power.sustenance, "power sustenance");
	add_flag(text, registers->ext_power.down_mode, "power down mode");
	if (power)
		ca_view_pair(view, "power", text->len ? words.buf : "nothing");
	for (size_t i = 0; i < CA_ARRAY_LEN(all); i++)
		ca_view_all_fields(view, raw, registers, all[i]);
}

/* Registers that such a card has but that were not seen: absence is no fault of the card. */
static void missing(struct ca_view *view, const struct ca_evidence *evidence)
{
	static const enum ca_register sd[] = {CA_REGISTER_CID, CA_REGISTER_CSD, CA_REGISTER_SCR,
					      CA_REGISTER_SSR};
	const struct ca_raw_registers *raw = &evidence->registers;
	char escaped[700];
	struct ca_text why;
	struct ca_view_words words;
	struct ca_text *text = ca_view_start(&words);

	bool nvme = raw->has[CA_REGISTER_NVME_CTRL] || raw->has[CA_REGISTER_NVME_NS] ||
		    raw->has[CA_REGISTER_NVME_SMART];

	add_flag(text, nvme && evidence->device.hidden_because[0], "part of Identify");
	for (size_t i = 0; i < CA_ARRAY_LEN(sd); i++)
		if (!nvme && !raw->has[sd[i]] && (i < 2 || raw->type == CA_CARD_TYPE_SD))
			add_flag(text, true, ca_register_name(sd[i]));
	if (!text->len)
		return;
	ca_text_init(&why, escaped, sizeof(escaped));
	ca_text_escaped(&why, evidence->device.hidden_because,
			strlen(evidence->device.hidden_because));
	ca_text_add(text, why.len ? ":" : "");
	ca_view_heading(view, "Not observable here");
	ca_view_lead(view, 2, CA_STYLE_PLAIN, words.buf, 2, escaped);
}

void ca_view_registers(struct ca_view *view, const struct ca_certificate *certificate)
{
	const struct ca_raw_registers *raw = &certificate->evidence.registers;
	struct ca_registers registers;

	ca_registers_decode(raw, &registers);
	cid(view, certificate, &registers);
	csd(view, certificate, &registers);
	scr(view, certificate, &registers);
	ssr(view, certificate, &registers);
	extcsd(view, certificate, &registers);
	extensions(view, raw, &registers);
	ca_view_nvme(view, &certificate->evidence, &registers);
	ca_view_vendor(view, &certificate->evidence.vendor);
	missing(view, &certificate->evidence);
}
