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

static bool checks(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	if (!ca_judge_has_ssr(c))
		return false;
	ca_judge_checks(sink);
	return true;
}

void ca_judge_ssr_zero(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	if (!checks(c, sink) && ca_judge_is_sd(c) && ca_judge_has(c, CA_REGISTER_SSR))
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

	if (!checks(c, sink))
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
	if (checks(c, sink) && c->registers->ssr.sd_card_type)
		fire_number(sink, "SD_CARD_TYPE", c->registers->ssr.sd_card_type);
}

void ca_judge_ssr_move(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	if (ca_judge_is_xc(c) && checks(c, sink) && c->registers->ssr.performance_move)
		fire_number(sink, "PERFORMANCE_MOVE", c->registers->ssr.performance_move);
}

void ca_judge_ssr_erase(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	const struct ca_ssr *ssr = &c->registers->ssr;

	if (!checks(c, sink))
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
	bool xc = ca_judge_is_xc(c), late;

	if (!ca_judge_has_ssr(c) || !ca_judge_has(c, CA_REGISTER_CSD) || !ssr->au_size_code)
		return;
	/* above 32 GB every code fits, but those above 4 MB came with version 3.00 */
	late = has_scr(c) && !c->registers->scr.sd_spec3 && !c->registers->scr.sd_specx;
	ca_judge_checks(sink);
	if (xc ? !late || ssr->au_size_code < 0x0a
	       : ssr->au_bytes <= au_limit(c->registers->csd.capacity_bytes))
		return;
	found = ca_judge_found(ca_judge_fire(sink));
	ca_text_add(&found, "allocation unit of ");
	ca_text_size(&found, ssr->au_bytes);
	ca_text_add(&found, xc ? " on a card of a version before 3.00" : "");
}

void ca_judge_x_speed_class(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	const struct ca_ssr *ssr = &c->registers->ssr;
	const struct ca_scr *scr = &c->registers->scr;

	if (!ca_judge_has_ssr(c) || !has_scr(c) ||
	    (!ssr->speed_class_code && !ca_judge_has(c, CA_REGISTER_CSD)))
		return;
	ca_judge_checks(sink);
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

	if (!ssr->uhs_speed_grade || !checks(c, sink))
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
	if (c->registers->ssr.uhs_speed_grade == 3 && has_scr(c) && checks(c, sink) &&
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

	if ((!c->registers->ssr.video_speed_class && !c->registers->ssr.vsc_au_mib) ||
	    !checks(c, sink))
		return;
	found = video_lacks(c);
	if (found)
		ca_judge_fire_text(sink, found);
}

void ca_judge_x_families(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	const struct ca_ssr *ssr = &c->registers->ssr;

	if ((!ssr->video_speed_class && !ssr->app_perf_class) || !checks(c, sink))
		return;
	if (ssr->video_speed_class >= 30 && ssr->uhs_speed_grade < 3)
		fire_number(sink, "V30 or more with UHS speed grade", ssr->uhs_speed_grade);
	else if (ssr->video_speed_class >= 10 && ssr->uhs_speed_grade < 1)
		fire_number(sink, "V10 or more with UHS speed grade", ssr->uhs_speed_grade);
	else if (ssr->app_perf_class && ssr->speed_class < 10)
		fire_number(sink, "an application class with speed class", ssr->speed_class);
}

void ca_judge_x_app(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	uint8_t class_of = c->registers->ssr.app_perf_class;

	if (!has_scr(c) || class_of < 1 || class_of > 2 || !checks(c, sink))
		return;
	if (c->registers->scr.sd_specx < class_of)
		fire_number(sink, class_of == 1 ? "A1 with SD_SPECX" : "A2 with SD_SPECX",
			    c->registers->scr.sd_specx);
}

/* Cards that reach A2 without a queue: SDUC, and SD Express, which only version 7 has. */
static bool may_lack_queue(const struct ca_judge_case *c)
{
	return (ca_judge_has_csd2(c) && c->registers->csd.capacity_class == CA_CAPACITY_SDUC) ||
	       ca_judge_has(c, CA_REGISTER_NVME_CTRL) ||
	       (has_scr(c) && c->registers->scr.sd_specx >= 3);
}

void ca_judge_x_a2(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	const struct ca_ssr *ssr = &c->registers->ssr;
	const struct ca_scr *scr = &c->registers->scr;
	struct ca_text found;

	if (ssr->app_perf_class != 2 || !checks(c, sink))
		return;
	if (!ssr->cq_depth && !may_lack_queue(c)) {
		ca_judge_fire_text(sink, "A2 without a command queue");
	} else if (!ssr->cache) {
		ca_judge_fire_text(sink, "A2 without a cache");
	} else if (has_scr(c) && !scr->cmd48_49) {
		ca_judge_fire_text(sink, "A2 without CMD48 and CMD49");
	} else if (has_scr(c) && !scr->sd_spec4) {
		/* genuine cards do this; Linux then takes CMD48 and CMD49 for missing */
		found = ca_judge_found(ca_judge_add(sink, CA_VERDICT_NOTE, sink->rule->claim, ""));
		ca_text_add(&found, "A2 with SD_SPEC4 0: Linux then uses neither cache nor queue");
	}
}

static void add_difference(bool status, bool extension, const char *name, struct ca_text *found)
{
	if (status == extension)
		return;
	ca_text_add(found, found->len ? ", " : "");
	ca_text_add(found, name);
	ca_text_add(found, status ? " in the SD status only" : " in the extension register only");
}

void ca_judge_x_cqssr(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	const struct ca_ext_perf *perf = &c->registers->ext_perf;
	const struct ca_ssr *ssr = &c->registers->ssr;
	bool set = ca_judge_has(c, CA_REGISTER_EXT_PERF_SET);
	char buf[256] = "";
	struct ca_text found;

	if ((!set && !ca_judge_has(c, CA_REGISTER_EXT_PERF)) || !checks(c, sink))
		return;
	ca_text_init(&found, buf, sizeof(buf));
	add_difference(ssr->host_maintenance, perf->host_maintenance, "host maintenance", &found);
	add_difference(ssr->card_maintenance, perf->card_maintenance, "card maintenance", &found);
	/* in short the kernel leaves out a cache that its list of quirks calls broken, and a queue
	 * beside no cache or no power-off notification: what it leaves out says nothing */
	if (set || perf->cache)
		add_difference(ssr->cache, perf->cache, "cache", &found);
	if (set || perf->command_queue)
		add_difference(ssr->cq_depth > 0, perf->command_queue, "command queue", &found);
	if (set && ssr->cq_depth && perf->queue_depth && ssr->cq_depth != perf->queue_depth) {
		ca_text_add(&found, found.len ? ", " : "");
		ca_text_add(&found, "queue depth ");
		ca_text_u64(&found, ssr->cq_depth);
		ca_text_add(&found, " in the SD status, ");
		ca_text_u64(&found, perf->queue_depth);
		ca_text_add(&found, " in the extension register");
	}
	if (buf[0])
		ca_judge_fire_text(sink, buf);
}

void ca_judge_x_ccc(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	bool queue = ca_judge_has_ssr(c) && c->registers->ssr.cq_depth;
	bool extension = has_scr(c) && c->registers->scr.cmd48_49;

	if (!ca_judge_is_sd(c) || !ca_judge_has_csd2(c) || (!queue && !extension))
		return;
	ca_judge_checks(sink);
	if (queue && !(c->registers->csd.ccc >> 1 & 1))
		ca_judge_fire_text(sink, "a command queue without class 1");
	else if (extension && !(c->registers->csd.ccc >> 11 & 1))
		ca_judge_fire_text(sink, "CMD48 and CMD49 without class 11");
}

void ca_judge_x_discard(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	if ((c->registers->ssr.discard_support || c->registers->ssr.fule_support) && has_scr(c) &&
	    checks(c, sink) && !c->registers->scr.sd_specx)
		ca_judge_fire_text(sink, "discard or full erase on a card of a version before 5");
}
