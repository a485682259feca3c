/* SPDX-License-Identifier: BSD-2-Clause */
/* Rules about the CID alone (S 5.2). An eMMC names itself by other rules: most are for SD only. */
#include "judge_rule.h"

#include <string.h>

static bool has_sd_cid(const struct ca_judge_case *c)
{
	return ca_judge_is_sd(c) && ca_judge_has(c, CA_REGISTER_CID) && !ca_judge_cid_is_blank(c);
}

/* A CID to look at: the rule that calls is checked. */
static bool checks(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	if (!has_sd_cid(c))
		return false;
	ca_judge_checks(sink);
	return true;
}

static bool checks_serial(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	return !c->evidence->registers.masked && checks(c, sink);
}

static bool is_printable(char character)
{
	return character >= 0x20 && character <= 0x7e;
}

static bool pnm_is(const struct ca_judge_case *c, const char *name)
{
	return memcmp(c->registers->cid.pnm, name, 5) == 0;
}

static void fire_with_name(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	struct ca_text found = ca_judge_found(ca_judge_fire(sink));

	ca_text_add(&found, "product name \"");
	ca_text_escaped(&found, c->registers->cid.pnm, c->registers->cid.pnm_len);
	ca_text_add(&found, "\"");
}

static void fire_with_number(struct ca_judge_sink *sink, const char *what, uint64_t value,
			     unsigned int digits)
{
	struct ca_text found = ca_judge_found(ca_judge_fire(sink));

	ca_text_add(&found, what);
	ca_text_add(&found, " ");
	ca_text_hex(&found, value, digits);
	ca_text_add(&found, "h");
}

void ca_judge_cid_checksum(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	if (!ca_judge_has(c, CA_REGISTER_CID) || ca_judge_cid_crc(c) == CA_CRC_ABSENT)
		return;
	ca_judge_checks(sink);
	if (ca_judge_cid_crc(c) == CA_CRC_BAD)
		ca_judge_fire_text(sink, "the CRC7 of the CID does not match its first 15 bytes");
}

void ca_judge_cid_all(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	if (!ca_judge_has(c, CA_REGISTER_CID))
		return;
	ca_judge_checks(sink);
	if (!ca_judge_cid_is_blank(c))
		return;
	ca_judge_fire_text(sink, c->evidence->registers.cid[0] ? "all bits of the CID are 1"
							       : "all bits of the CID are 0");
}

void ca_judge_cid_mid0(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	if (checks(c, sink) && c->registers->cid.mid == 0)
		fire_with_number(sink, "manufacturer number", 0, 2);
}

void ca_judge_cid_oid(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	uint16_t oid = c->registers->cid.oid;

	if (checks(c, sink) &&
	    (!is_printable((char)(oid >> 8)) || !is_printable((char)(oid & 0xff))))
		fire_with_number(sink, "OEM identifier", oid, 4);
}

void ca_judge_cid_pnm_filler(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	if (checks(c, sink) && ca_judge_pnm_is_filler(c))
		fire_with_name(c, sink);
}

void ca_judge_cid_pnm(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	if (ca_judge_pnm_is_filler(c) || !checks(c, sink))
		return;
	for (size_t i = 0; i < 5; i++) {
		if (!is_printable(c->registers->cid.pnm[i])) {
			fire_with_name(c, sink);
			return;
		}
	}
}

void ca_judge_cid_pnm_00000(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	if (checks(c, sink) && pnm_is(c, "00000") && c->registers->cid.mid != 0x1b)
		fire_with_name(c, sink);
}

void ca_judge_cid_pnm_smi(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	if (checks(c, sink) && (pnm_is(c, "SMI\0") || pnm_is(c, "SMI  ")))
		fire_with_name(c, sink);
}

void ca_judge_cid_pnm_as(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	if (c->registers->cid.mid == 0x03 && c->registers->cid.oid == 0x5344 && checks(c, sink) &&
	    (pnm_is(c, "AS\0\0") || pnm_is(c, "AS   ")))
		fire_with_name(c, sink);
}

void ca_judge_cid_oid_42(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	if (c->registers->cid.oid == 0x3432 && checks(c, sink) && c->registers->cid.mid != 0x41)
		fire_with_number(sink, "OEM identifier \"42\" under manufacturer number",
				 c->registers->cid.mid, 2);
}

void ca_judge_cid_prv(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	uint8_t prv = c->registers->cid.prv;

	if (checks(c, sink) && (prv >> 4 > 9 || (prv & 15) > 9))
		fire_with_number(sink, "product revision", prv, 2);
}

void ca_judge_cid_psn(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	uint32_t psn = c->registers->cid.psn;

	if (checks_serial(c, sink) && (psn == 0 || psn == UINT32_MAX))
		fire_with_number(sink, "serial number", psn, 8);
}

void ca_judge_cid_psn_low(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	uint32_t psn = c->registers->cid.psn;

	if (psn && checks_serial(c, sink) && psn < 0x10000)
		fire_with_number(sink, "serial number", psn, 8);
}

void ca_judge_cid_reserved(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	if (checks(c, sink) && c->registers->cid.reserved)
		fire_with_number(sink, "reserved bits", c->registers->cid.reserved, 1);
}

static void add_date(struct ca_text *text, const struct ca_cid *cid)
{
	ca_text_u64(text, cid->mdt_year);
	ca_text_add(text, cid->mdt_month < 10 ? "-0" : "-");
	ca_text_u64(text, cid->mdt_month);
}

void ca_judge_cid_month(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	const struct ca_cid *cid = &c->registers->cid;
	struct ca_text found;

	if (!checks(c, sink) || (cid->mdt_month >= 1 && cid->mdt_month <= 12))
		return;
	found = ca_judge_found(ca_judge_fire(sink));
	ca_text_add(&found, "month ");
	ca_text_u64(&found, cid->mdt_month);
	ca_text_add(&found, " of ");
	ca_text_u64(&found, cid->mdt_year);
}

/* A year stored as two decimal digits: 22h, meant as 2022, reads as 2034. */
static bool decimal_year(uint16_t year, unsigned int *ret_year)
{
	unsigned int code = (unsigned int)year - 2000U;

	if (year < 2000 || code > 0x99 || code >> 4 > 9 || (code & 15) > 9)
		return false;
	*ret_year = 2000 + 10 * (code >> 4) + (code & 15);
	return true;
}

void ca_judge_cid_future(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	const struct ca_cid *cid = &c->registers->cid;
	unsigned int year, month, meant;
	struct ca_judge_draft *draft;
	struct ca_text text;

	if (!has_sd_cid(c) || !c->evidence->collected_at)
		return;
	ca_time_year_month(c->evidence->collected_at, &year, &month);
	/* an empty date is no date, and a clock that may be ahead proves nothing */
	if (cid->mdt_month && c->evidence->clock_trusted)
		ca_judge_checks(sink);
	/* one month of grace: dates are rounded up to the batch */
	if (cid->mdt_year * 12U + cid->mdt_month <= year * 12U + month + 1)
		return;
	draft = ca_judge_fire(sink);
	text = ca_judge_found(draft);
	ca_text_add(&text, "made in ");
	add_date(&text, cid);
	text = ca_judge_why(draft);
	if (!c->evidence->clock_trusted) {
		draft->finding.verdict = CA_VERDICT_INCONCLUSIVE;
		ca_text_add(&text,
			    "The clock of this host is not known to be right. Set it and test "
			    "again.");
	} else if (decimal_year(cid->mdt_year, &meant) && meant <= year) {
		draft->finding.verdict = CA_VERDICT_INCONCLUSIVE;
		ca_text_add(&text, "Read as decimal digits the year is ");
		ca_text_u64(&text, meant);
		ca_text_add(&text, ", as one genuine maker writes it. Compare with the date on the "
				   "packaging.");
	} else {
		ca_text_add(&text, sink->rule->why);
		ca_text_add(&text, " ");
		ca_text_add(&text, sink->rule->todo);
	}
}

/*
 * Years in which versions of the standard can first have been built to: their simplified editions
 * less 18 months, since the full ones came before.
 */
static const struct {
	uint16_t version_x100, year;
	const char *name;
} versions[] = {
	{200, 2005, "version 2.00"}, {300, 2008, "version 3.00"}, {400, 2011, "version 4.00"},
	{500, 2015, "version 5.00"}, {600, 2015, "version 6.00"}, {700, 2018, "version 7.00"},
	{800, 2019, "version 8.00"}, {900, 2021, "version 9.00"},
};

struct floor {
	unsigned int year; /* 0 = none */
	const char *feature;
};

static void raise(struct floor *floor, unsigned int year, const char *feature)
{
	if (year <= floor->year)
		return;
	floor->year = year;
	floor->feature = feature;
}

/* First year in which a card with these features can have been made, and the feature. */
static struct floor first_year(const struct ca_judge_case *c)
{
	const struct ca_ssr *ssr = &c->registers->ssr;
	struct floor floor = {0, ""};

	if (ca_judge_has_csd2(c))
		raise(&floor, 2006, "SDHC");
	if (ca_judge_is_xc(c))
		raise(&floor, 2009, "SDXC");
	if (ca_judge_has_ssr(c) && ssr->uhs_speed_grade)
		raise(&floor, 2010, "UHS-I");
	if (ca_judge_has_ssr(c) && ssr->app_perf_class >= 1)
		raise(&floor, ssr->app_perf_class == 1 ? 2016 : 2017,
		      ssr->app_perf_class == 1 ? "A1" : "A2");
	for (size_t i = 0; i < CA_ARRAY_LEN(versions); i++)
		if (ca_judge_has(c, CA_REGISTER_SCR) &&
		    c->registers->scr.version_x100 == versions[i].version_x100)
			raise(&floor, versions[i].year, versions[i].name);
	return floor;
}

void ca_judge_cid_past(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	const struct ca_cid *cid = &c->registers->cid;
	struct floor floor = first_year(c);
	struct ca_text found;

	/* an empty date is no date: the month rule speaks of it */
	if (!floor.year || !cid->mdt_month || !checks(c, sink) || cid->mdt_year >= floor.year)
		return;
	found = ca_judge_found(ca_judge_fire(sink));
	ca_text_add(&found, "made in ");
	add_date(&found, cid);
	ca_text_add(&found, ", before there was ");
	ca_text_add(&found, floor.feature);
}
