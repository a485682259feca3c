/* SPDX-License-Identifier: BSD-2-Clause */
/* Rules about the SCR, alone and with the CSD (S 5.6). */
#include "judge_rule.h"

#include <string.h>

static bool has_scr(const struct ca_judge_case *c)
{
	return ca_judge_is_sd(c) && ca_judge_has(c, CA_REGISTER_SCR);
}

void ca_judge_scr_structure(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	const struct ca_scr *scr = &c->registers->scr;
	struct ca_judge_draft *draft;
	struct ca_text found;

	if (!ca_judge_is_sd(c))
		return;
	if (c->registers->undecodable[CA_REGISTER_SCR]) {
		ca_judge_fire_text(sink, "SCR_STRUCTURE names no layout");
		return;
	}
	if (!has_scr(c))
		return;
	ca_judge_checks(sink);
	if (!scr->structure && scr->sd_bus_widths == 5)
		return;
	/* more bits than the two are a later standard's business */
	if (!scr->structure && (scr->sd_bus_widths & 5) == 5)
		draft = ca_judge_add(sink, CA_VERDICT_WARNING, sink->rule->claim, "");
	else
		draft = ca_judge_fire(sink);
	found = ca_judge_found(draft);
	ca_text_add(&found, "SCR_STRUCTURE ");
	ca_text_hex(&found, scr->structure, 1);
	ca_text_add(&found, "h, SD_BUS_WIDTHS ");
	ca_text_hex(&found, scr->sd_bus_widths, 1);
	ca_text_add(&found, "h");
}

static void add_version_fields(struct ca_text *found, const struct ca_scr *scr)
{
	ca_text_add(found, "SD_SPEC ");
	ca_text_u64(found, scr->sd_spec);
	ca_text_add(found, ", SD_SPEC3 ");
	ca_text_u64(found, scr->sd_spec3);
	ca_text_add(found, ", SD_SPEC4 ");
	ca_text_u64(found, scr->sd_spec4);
	ca_text_add(found, ", SD_SPECX ");
	ca_text_u64(found, scr->sd_specx);
}

void ca_judge_scr_version(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	const struct ca_scr *scr = &c->registers->scr;
	struct ca_judge_draft *draft;
	struct ca_text text;

	if (!has_scr(c))
		return;
	ca_judge_checks(sink);
	if (scr->version_x100)
		return;
	draft = ca_judge_fire(sink);
	text = ca_judge_found(draft);
	add_version_fields(&text, scr);
	if (scr->sd_spec > 2 || scr->sd_specx > 5) {
		draft->finding.verdict = CA_VERDICT_INCONCLUSIVE;
		text = ca_judge_why(draft);
		ca_text_add(&text,
			    "A standard newer than this program's tables may define it. Use a "
			    "newer version of the tables.");
	}
}

void ca_judge_x_version(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	const struct ca_scr *scr = &c->registers->scr;
	const struct ca_csd *csd = &c->registers->csd;
	bool wrong = false;
	struct ca_text found;

	if (!has_scr(c) || !ca_judge_has_csd2(c))
		return;
	ca_judge_checks(sink);
	if (csd->capacity_class == CA_CAPACITY_SDHC)
		wrong = scr->sd_spec < 2;
	else if (csd->capacity_class == CA_CAPACITY_SDXC)
		wrong = !scr->sd_spec3 && !scr->sd_specx;
	else if (csd->capacity_class == CA_CAPACITY_SDUC)
		wrong = scr->sd_specx < 3;
	if (!wrong)
		return;
	found = ca_judge_found(ca_judge_fire_hard(sink, csd->crc));
	ca_text_add(&found, ca_capacity_class_name(csd->capacity_class));
	ca_text_add(&found, " with ");
	add_version_fields(&found, scr);
}

void ca_judge_x_security(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	const struct ca_scr *scr = &c->registers->scr;
	unsigned int expected = 0;
	struct ca_text found;

	if (!has_scr(c) || !ca_judge_has(c, CA_REGISTER_CSD))
		return;
	ca_judge_checks(sink);
	if (!scr->sd_security)
		return;
	switch (c->registers->csd.capacity_class) {
	case CA_CAPACITY_SDSC:
		expected = 2;
		break;
	case CA_CAPACITY_SDHC:
		expected = 3;
		break;
	case CA_CAPACITY_SDXC:
		expected = 4;
		break;
	case CA_CAPACITY_SDUC:
	case CA_CAPACITY_MMC:
		break;
	}
	if (scr->sd_security == expected)
		return;
	found = ca_judge_found(ca_judge_fire(sink));
	ca_text_add(&found, "SD_SECURITY ");
	ca_text_u64(&found, scr->sd_security);
	ca_text_add(&found, " on ");
	ca_text_add(&found, ca_capacity_class_name(c->registers->csd.capacity_class));
}

void ca_judge_x_cmd20(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	const struct ca_ssr *ssr = &c->registers->ssr;
	bool needed;

	if (!has_scr(c) || !ca_judge_has_ssr(c))
		return;
	needed = ssr->video_speed_class ||
		 (ca_judge_is_xc(c) && (ssr->speed_class_code || ssr->uhs_speed_grade));
	if (!needed)
		return;
	ca_judge_checks(sink);
	if (!c->registers->scr.cmd20)
		ca_judge_fire_text(sink, "the SCR does not offer CMD20");
}

/* By the mode it runs in here, or the kernel's line about it. */
static bool runs_at_sdr104(const struct ca_judge_case *c)
{
	const struct ca_fact *timing = &c->evidence->host[CA_HOST_BUS_TIMING];
	const struct ca_fact *log = &c->evidence->host[CA_HOST_LOG_CARD];

	return (timing->present && strstr(timing->text, "SDR104")) ||
	       (log->present && strstr(log->text, "SDR104"));
}

void ca_judge_x_cmd23(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	if (!has_scr(c) || !runs_at_sdr104(c))
		return;
	ca_judge_checks(sink);
	if (!c->registers->scr.cmd23)
		ca_judge_fire_text(sink, "the SCR does not offer CMD23");
}

void ca_judge_x_cmd58(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	if (!has_scr(c) || !c->registers->scr.cmd58_59)
		return;
	ca_judge_checks(sink);
	if (!c->registers->scr.cmd48_49)
		ca_judge_fire_text(sink, "CMD58 and CMD59 are offered without CMD48 and CMD49");
}
