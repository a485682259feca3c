/* SPDX-License-Identifier: BSD-2-Clause */
/* Rules about the SD status, alone and with other registers (S 4.10.2, 4.13, 4.16). Few real ones
 * are known, so none of them fails a card. */
#include "judge_rule.h"

static void fire_number(struct ca_judge_sink *sink, const char *what, uint64_t value)
{
	struct ca_text found = ca_judge_found(ca_judge_fire(sink));

	ca_text_add(&found, what);
	ca_text_add(&found, " ");
	ca_text_u64(&found, value);
}

static bool has_scr(const struct ca_judge_case *c)
{
	return ca_judge_has(c, CA_REGISTER_SCR);
}

void ca_judge_ssr_zero(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	if (ca_judge_is_sd(c) && ca_judge_has(c, CA_REGISTER_SSR) && c->registers->ssr.all_zero)
		ca_judge_fire_text(sink,
				   "the SD status is all zeros: classes are not observable here");
}

static const char *reserved_code(const struct ca_ssr *ssr)
{
	if (ssr->dat_bus_width == 1 || ssr->dat_bus_width == 3)
		return "DAT_BUS_WIDTH";
	if (ssr->speed_class_code > 4)
		return "SPEED_CLASS";
	if (ssr->uhs_speed_grade == 2 || ssr->uhs_speed_grade > 3)
		return "UHS_SPEED_GRADE";
	if (ssr->uhs_au_size_code >= 1 && ssr->uhs_au_size_code <= 6)
		return "UHS_AU_SIZE";
	switch (ssr->video_speed_class) {
	case 0:
	case 6:
	case 10:
	case 30:
	case 60:
	case 90:
		break;
	default:
		return "VIDEO_SPEED_CLASS";
	}
	if (ssr->vsc_au_mib && !ssr->vsc_su_mib)
		return "VSC_AU_SIZE";
	if (ssr->app_perf_class > 2)
		return "APP_PERF_CLASS";
	return ssr->reserved_bits ? "reserved bits" : NULL;
}

void ca_judge_ssr_reserved(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	const char *field;
	struct ca_judge_draft *draft;
	struct ca_text text;

	if (!ca_judge_has_ssr(c))
		return;
	field = reserved_code(&c->registers->ssr);
	if (!field)
		return;
	draft = ca_judge_fire(sink);
	text = ca_judge_found(draft);
	ca_text_add(&text, field);
	ca_text_add(&text, field[0] == 'r' ? " are set" : " holds a reserved code");
	if (has_scr(c) && c->registers->scr.sd_specx > 5) {
		draft->finding.verdict = CA_VERDICT_INCONCLUSIVE;
		text = ca_judge_why(draft);
		ca_text_add(&text,
			    "The card follows a standard newer than this program's tables. Use "
			    "a newer version of the tables.");
	}
}

void ca_judge_ssr_type(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	if (ca_judge_has_ssr(c) && c->registers->ssr.sd_card_type)
		fire_number(sink, "SD_CARD_TYPE", c->registers->ssr.sd_card_type);
}

void ca_judge_ssr_move(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	if (ca_judge_has_ssr(c) && ca_judge_is_xc(c) && c->registers->ssr.performance_move)
		fire_number(sink, "PERFORMANCE_MOVE", c->registers->ssr.performance_move);
}

void ca_judge_ssr_erase(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	const struct ca_ssr *ssr = &c->registers->ssr;

	if (!ca_judge_has_ssr(c))
		return;
	if (!ssr->erase_size && ssr->erase_timeout)
		fire_number(sink, "ERASE_SIZE 0 with ERASE_TIMEOUT", ssr->erase_timeout);
	else if (!ssr->au_size_code && ssr->speed_class_code)
		fire_number(sink, "AU_SIZE 0 with speed class", ssr->speed_class);
}

static uint32_t au_limit(uint64_t capacity)
{
	if (capacity <= 64 * CA_MIB)
		return 512 * 1024;
	if (capacity <= 256 * CA_MIB)
		return 1024 * 1024;
	if (capacity <= 512 * CA_MIB)
		return 2 * 1024 * 1024;
	return 4 * 1024 * 1024;
}

void ca_judge_ssr_au(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	const struct ca_ssr *ssr = &c->registers->ssr;
	struct ca_text found;

	/* up to 32 GB; above, every code fits */
	if (!ca_judge_has_ssr(c) || !ca_judge_has(c, CA_REGISTER_CSD) || ca_judge_is_xc(c) ||
	    ssr->au_bytes <= au_limit(c->registers->csd.capacity_bytes))
		return;
	found = ca_judge_found(ca_judge_fire(sink));
	ca_text_add(&found, "allocation unit of ");
	ca_text_size(&found, ssr->au_bytes);
}

void ca_judge_x_speed_class(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	const struct ca_ssr *ssr = &c->registers->ssr;
	const struct ca_scr *scr = &c->registers->scr;

	if (!ca_judge_has_ssr(c) || !has_scr(c))
		return;
	if (ssr->speed_class_code && scr->sd_spec < 2)
		fire_number(sink, "speed class with SD_SPEC", scr->sd_spec);
	else if (!ssr->speed_class_code && ca_judge_has_csd2(c) && !scr->sd_specx &&
		 c->registers->csd.capacity_class == CA_CAPACITY_SDHC)
		ca_judge_fire_text(sink, "an SDHC card without a speed class");
}

void ca_judge_x_uhs(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	const struct ca_ssr *ssr = &c->registers->ssr;
	const char *missing = NULL;
	struct ca_text found;

	if (!ca_judge_has_ssr(c) || !ssr->uhs_speed_grade)
		return;
	if (has_scr(c) && !c->registers->scr.sd_spec3 && !c->registers->scr.sd_specx)
		missing = "version 3.0";
	else if (ca_judge_has(c, CA_REGISTER_CSD) && !ca_judge_has_csd2(c))
		missing = "SDHC or SDXC";
	else if (!ssr->uhs_au_size_code)
		missing = "UHS_AU_SIZE";
	else if (ssr->speed_class != 10)
		missing = "class 10";
	if (!missing)
		return;
	found = ca_judge_found(ca_judge_fire(sink));
	ca_text_add(&found, "grade ");
	ca_text_u64(&found, ssr->uhs_speed_grade);
	ca_text_add(&found, " without ");
	ca_text_add(&found, missing);
}

void ca_judge_x_u3(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	if (ca_judge_has_ssr(c) && c->registers->ssr.uhs_speed_grade == 3 && has_scr(c) &&
	    !c->registers->scr.sd_spec4 && !c->registers->scr.sd_specx)
		ca_judge_fire_text(sink, "grade 3 on a card of a version before 4");
}

static const char *video_lacks(const struct ca_judge_case *c)
{
	const struct ca_ssr *ssr = &c->registers->ssr;
	uint64_t units = ca_judge_is_xc(c) ? 80 : 40;

	if (!ssr->video_speed_class)
		return ssr->vsc_au_mib ? "VSC_AU_SIZE without a video speed class" : NULL;
	if (has_scr(c) && !c->registers->scr.sd_specx)
		return "a video speed class on a card of a version before 5";
	if (!ssr->vsc_au_mib)
		return "a video speed class without VSC_AU_SIZE";
	if (ca_judge_has_csd2(c) &&
	    c->registers->csd.capacity_bytes < units * ssr->vsc_au_mib * CA_MIB)
		return "a video speed class on a card of too few allocation units";
	/* bit 31: the full power-up answer, in which bit 29 tells UHS-II */
	if (ssr->video_speed_class >= 60 && c->evidence->registers.has_ocr &&
	    (c->evidence->registers.ocr >> 31 & 1) && !(c->evidence->registers.ocr >> 29 & 1))
		return "V60 or V90 on a card without UHS-II";
	return NULL;
}

void ca_judge_x_video(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	const char *found;

	if (!ca_judge_has_ssr(c))
		return;
	found = video_lacks(c);
	if (found)
		ca_judge_fire_text(sink, found);
}

void ca_judge_x_families(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	const struct ca_ssr *ssr = &c->registers->ssr;

	if (!ca_judge_has_ssr(c))
		return;
	if (ssr->video_speed_class >= 30 && ssr->uhs_speed_grade < 3)
		fire_number(sink, "V30 or more with UHS speed grade", ssr->uhs_speed_grade);
	else if (ssr->video_speed_class >= 10 && ssr->uhs_speed_grade < 1)
		fire_number(sink, "V10 or more with UHS speed grade", ssr->uhs_speed_grade);
}

void ca_judge_x_app(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	uint8_t class_of = c->registers->ssr.app_perf_class;

	if (!ca_judge_has_ssr(c) || !has_scr(c) || class_of < 1 || class_of > 2)
		return;
	if (c->registers->scr.sd_specx < class_of)
		fire_number(sink, class_of == 1 ? "A1 with SD_SPECX" : "A2 with SD_SPECX",
			    c->registers->scr.sd_specx);
}

void ca_judge_x_a2(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	const struct ca_ssr *ssr = &c->registers->ssr;

	/* SDUC reaches A2 without a queue */
	if (!ca_judge_has_ssr(c) || ssr->app_perf_class != 2 ||
	    (ca_judge_has_csd2(c) && c->registers->csd.capacity_class == CA_CAPACITY_SDUC))
		return;
	if (!ssr->cq_depth)
		ca_judge_fire_text(sink, "A2 without a command queue");
	else if (!ssr->cache)
		ca_judge_fire_text(sink, "A2 without a cache");
	else if (has_scr(c) && !c->registers->scr.cmd48_49)
		ca_judge_fire_text(sink, "A2 without CMD48 and CMD49");
}

void ca_judge_x_ccc(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	bool queue, extension;

	if (!ca_judge_is_sd(c) || !ca_judge_has_csd2(c))
		return;
	queue = ca_judge_has_ssr(c) && c->registers->ssr.cq_depth &&
		!(c->registers->csd.ccc >> 1 & 1);
	extension = has_scr(c) && c->registers->scr.cmd48_49 && !(c->registers->csd.ccc >> 11 & 1);
	if (queue || extension)
		ca_judge_fire_text(sink, queue ? "a command queue without class 1"
					       : "CMD48 and CMD49 without class 11");
}

void ca_judge_x_discard(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	if (ca_judge_has_ssr(c) && has_scr(c) && !c->registers->scr.sd_specx &&
	    (c->registers->ssr.discard_support || c->registers->ssr.fule_support))
		ca_judge_fire_text(sink, "discard or full erase on a card of a version before 5");
}
