/* SPDX-License-Identifier: BSD-2-Clause */
/* Rules about the CSD alone (S 5.3). */
#include "judge_rule.h"

static bool has_sd_csd(const struct ca_judge_case *c)
{
	return ca_judge_is_sd(c) && ca_judge_has(c, CA_REGISTER_CSD);
}

static bool checks(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	if (!has_sd_csd(c))
		return false;
	ca_judge_checks(sink);
	return true;
}

static bool is_v1(const struct ca_judge_case *c)
{
	return has_sd_csd(c) && c->registers->csd.version == CA_CSD_V1;
}

static bool is_v2(const struct ca_judge_case *c)
{
	return ca_judge_is_sd(c) && ca_judge_has_csd2(c);
}

static void add_name_hex(struct ca_text *text, const char *name, uint64_t value,
			 unsigned int digits)
{
	if (text->len)
		ca_text_add(text, ", ");
	ca_text_add(text, name);
	ca_text_add(text, " ");
	ca_text_hex(text, value, digits);
	ca_text_add(text, "h");
}

void ca_judge_csd_crc(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	if (!ca_judge_has(c, CA_REGISTER_CSD) || c->registers->csd.crc == CA_CRC_ABSENT)
		return;
	ca_judge_checks(sink);
	if (c->registers->csd.crc == CA_CRC_BAD)
		ca_judge_fire_text(sink, "the CRC7 of the CSD does not match its first 15 bytes");
}

void ca_judge_csd_structure(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	const uint8_t *csd = c->evidence->registers.csd;
	struct ca_text found;

	if (checks(c, sink) || !ca_judge_is_sd(c) || !c->registers->undecodable[CA_REGISTER_CSD])
		return;
	found = ca_judge_found(ca_judge_fire_hard(sink, ca_crc7_check(csd)));
	add_name_hex(&found, "CSD_STRUCTURE", csd[0] >> 6, 1);
}

/* What the standard fixes for layouts 2 and 3 (S T5-16); reserved bits are apart. */
static void add_wrong_fields(struct ca_text *text, const struct ca_csd *csd)
{
	const struct {
		const char *name;
		unsigned int value, fixed;
	} fields[] = {
		{"TAAC", csd->taac, 0x0e},
		{"NSAC", csd->nsac, 0},
		{"READ_BL_LEN", csd->read_bl_len, 9},
		{"READ_BL_PARTIAL", csd->read_bl_partial, 0},
		{"WRITE_BLK_MISALIGN", csd->write_blk_misalign, 0},
		{"READ_BLK_MISALIGN", csd->read_blk_misalign, 0},
		{"ERASE_BLK_EN", csd->erase_blk_en, 1},
		{"SECTOR_SIZE", csd->sector_size, 0x7f},
		{"WP_GRP_SIZE", csd->wp_grp_size, 0},
		{"WP_GRP_ENABLE", csd->wp_grp_enable, 0},
		{"R2W_FACTOR", csd->r2w_factor, 2},
		{"WRITE_BL_LEN", csd->write_bl_len, 9},
		{"WRITE_BL_PARTIAL", csd->write_bl_partial, 0},
		{"FILE_FORMAT_GRP", csd->file_format_grp, 0},
		{"FILE_FORMAT", csd->file_format, 0},
	};

	for (size_t i = 0; i < CA_ARRAY_LEN(fields); i++)
		if (fields[i].value != fields[i].fixed)
			add_name_hex(text, fields[i].name, fields[i].value, 2);
}

void ca_judge_csd2_fixed(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	const struct ca_csd *csd = &c->registers->csd;
	unsigned int reserved = csd->reserved_125_120 | csd->reserved_above_c_size |
				csd->reserved_47 | csd->reserved_30_29 | csd->reserved_20_16 |
				csd->reserved_8;
	char buf[200];
	struct ca_text wrong;

	if (!is_v2(c))
		return;
	ca_judge_checks(sink);
	ca_text_init(&wrong, buf, sizeof(buf));
	add_wrong_fields(&wrong, csd);
	if (wrong.len) {
		struct ca_text found = ca_judge_found(ca_judge_fire_hard(sink, csd->crc));

		ca_text_add(&found, buf);
	} else if (reserved) {
		struct ca_judge_draft *draft =
			ca_judge_add(sink, CA_VERDICT_WARNING, sink->rule->claim, "");
		struct ca_text found = ca_judge_found(draft);

		ca_text_add(&found, "reserved bits are set");
	}
}

void ca_judge_csd1_block(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	const struct ca_csd *csd = &c->registers->csd;
	struct ca_judge_draft *draft;
	struct ca_text found;

	if (!is_v1(c))
		return;
	ca_judge_checks(sink);
	if (csd->read_bl_len < 9 || csd->read_bl_len > 11 ||
	    csd->write_bl_len != csd->read_bl_len) {
		found = ca_judge_found(ca_judge_fire_hard(sink, csd->crc));
		add_name_hex(&found, "READ_BL_LEN", csd->read_bl_len, 1);
		add_name_hex(&found, "WRITE_BL_LEN", csd->write_bl_len, 1);
		return;
	}
	if (csd->read_bl_partial && csd->capacity_bytes <= 2 * CA_GIB)
		return;
	draft = ca_judge_add(sink, CA_VERDICT_WARNING, sink->rule->claim, "");
	found = ca_judge_found(draft);
	if (!csd->read_bl_partial)
		add_name_hex(&found, "READ_BL_PARTIAL", 0, 1);
	else
		ca_text_size(&found, csd->capacity_bytes);
}

void ca_judge_csd_ccc(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	const struct ca_csd *csd = &c->registers->csd;
	/* classes 0, 2, 4, 5, 8 for all; 7 and 10 from SDHC on, which have no 3 and 6 (S T5-7) */
	unsigned int must = is_v2(c) ? 0x5b5 : 0x135, must_not = is_v2(c) ? 0x048 : 0;
	struct ca_text found;

	if (!checks(c, sink) || ((csd->ccc & must) == must && !(csd->ccc & must_not)))
		return;
	found = ca_judge_found(ca_judge_fire_hard(sink, csd->crc));
	add_name_hex(&found, "CCC", csd->ccc, 3);
}

void ca_judge_csd_speed(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	const struct ca_csd *csd = &c->registers->csd;
	struct ca_judge_draft *draft;
	struct ca_text found;

	if (!checks(c, sink) || csd->tran_speed == 0x32)
		return;
	if (csd->tran_speed == 0x5a || csd->tran_speed == 0x0b || csd->tran_speed == 0x2b)
		draft = ca_judge_add(sink, CA_VERDICT_NOTE, sink->rule->claim, "");
	else if (is_v1(c))
		draft = ca_judge_add(sink, CA_VERDICT_WARNING, sink->rule->claim, "");
	else
		draft = ca_judge_fire_hard(sink, csd->crc);
	found = ca_judge_found(draft);
	add_name_hex(&found, "TRAN_SPEED", csd->tran_speed, 2);
}

void ca_judge_csd_size(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	const struct ca_csd *csd = &c->registers->csd;
	struct ca_judge_draft *draft;
	struct ca_text found;

	if (!is_v2(c))
		return;
	ca_judge_checks(sink);
	if (csd->version == CA_CSD_V3) {
		if (csd->c_size >= 0x400000)
			return;
		/* no SDUC card is known to us */
		draft = ca_judge_add(sink, CA_VERDICT_WARNING, sink->rule->claim, "");
	} else if (csd->c_size >= 0xff60 && csd->c_size <= 0xfffe) {
		draft = ca_judge_fire_hard(sink, csd->crc);
	} else if (csd->c_size < 0x1010 || csd->c_size > 0x3ffeff) {
		draft = ca_judge_add(sink, CA_VERDICT_WARNING, sink->rule->claim, "");
	} else {
		return;
	}
	found = ca_judge_found(draft);
	add_name_hex(&found, "C_SIZE", csd->c_size, 6);
	ca_text_add(&found, ", ");
	ca_text_size(&found, csd->capacity_bytes);
}

void ca_judge_csd_copy(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	if (checks(c, sink) && c->registers->csd.copy)
		ca_judge_fire_text(sink, "the COPY bit is set");
}

void ca_judge_csd_write_protect(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	const struct ca_csd *csd = &c->registers->csd;

	if (!checks(c, sink) || (!csd->perm_write_protect && !csd->tmp_write_protect))
		return;
	ca_judge_fire_text(sink, csd->perm_write_protect ? "permanently write-protected"
							 : "temporarily write-protected");
}
