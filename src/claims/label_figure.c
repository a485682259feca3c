/* SPDX-License-Identifier: BSD-2-Clause */
#include "label_internal.h"

#include <string.h>

enum direction {
	DIRECTION_NONE = 0,
	DIRECTION_READ = 1,
	DIRECTION_WRITE = 2,
	DIRECTION_BOTH = 3,
};

struct figure {
	unsigned int directions; /* set of enum direction */
	bool random;
	uint32_t queue_depth; /* 0 = not stated */
};

/* One or two figures of one unit: "100", "40,000/70,000", "800K/1.2M". */
struct figure_values {
	struct label_number number[2];
	uint64_t multiplier[2]; /* of a K or M behind the number, else 1 */
	size_t count;
};

/* East Asian words touch the figure behind them: they have no end of their own. */
static const char *eat_word(const char *p, const char *word)
{
	return ca_label_is_east_asian(p) ? ca_label_eat_prefix(p, word) : ca_label_eat(p, word);
}

/* Words that go with a figure and change nothing about it. */
static const char *eat_neutral(const char *p)
{
	static const char *const words[] = {
		"up_to",
		"bis zu",
		"jusqu'\xc3\xa0",
		"jusqu'a",
		"max",
		"maximum",
		"min",
		"minimum",
		"at least",
		"at",
		"speed",
		"speeds",
		"transfer",
		"transfer rate",
		"rate",
		"about",
		"sustained",
		"sequential",
		"seq",
		"performance",
		"of",
		"and",
		"hasta",
		"fino a",
		"at\xc3\xa9",
		"do",
		"upp till",
		"tot",
		"geschwindigkeit",
		"vitesse",
		"velocidad",
		"velocit\xc3\xa0",
		"velocidade",
		"pr\304\231dko\305\233\304\207",
		"snelheid",
		"de",
		"di",
		"\xd1\x81\xd0\xba\xd0\xbe\xd1\x80\xd0\xbe\xd1\x81\xd1\x82\xd1\x8c",
		"\xd0\xb4\xd0\xbe",
		"\xe9\x80\x9f\xe5\xba\xa6",
		"\xe6\x9c\x80\xe5\xa4\xa7",
		"\xe9\xab\x98\xe8\xbe\xbe",
		"\xe5\x8f\xaf\xe8\xbe\xbe",
	};

	for (size_t i = 0; i < CA_ARRAY_LEN(words); i++) {
		const char *end = eat_word(p, words[i]);

		if (end)
			return end;
	}
	return NULL;
}

/* A direction that is not known would turn a write rate into a read rate. */
static const struct {
	const char *word;
	enum direction direction;
} directions[] = {
	{"read", DIRECTION_READ},
	{"reads", DIRECTION_READ},
	{"reading", DIRECTION_READ},
	{"r", DIRECTION_READ},
	{"lecture", DIRECTION_READ},
	{"lesen", DIRECTION_READ},
	{"lesegeschwindigkeit", DIRECTION_READ},
	{"lectura", DIRECTION_READ},
	{"lettura", DIRECTION_READ},
	{"leitura", DIRECTION_READ},
	{"lezen", DIRECTION_READ},
	{"leessnelheid", DIRECTION_READ},
	{"odczyt", DIRECTION_READ},
	{"odczytu", DIRECTION_READ},
	{"l\xc3\xa4shastighet", DIRECTION_READ},
	{"l\xc3\xa4sning", DIRECTION_READ},
	{"l\xc3\xa6sehastighed", DIRECTION_READ},
	{"lesehastighet", DIRECTION_READ},
	{"\xd1\x87\xd1\x82\xd0\xb5\xd0\xbd\xd0\xb8\xd0\xb5", DIRECTION_READ},
	{"\xd1\x87\xd1\x82\xd0\xb5\xd0\xbd\xd0\xb8\xd1\x8f", DIRECTION_READ},
	{"\xe8\xaf\xbb\xe5\x8f\x96", DIRECTION_READ},
	{"\xe8\xaf\xbb\xe9\x80\x9f", DIRECTION_READ},
	{"\xe8\xaa\xad\xe5\x8f\x96", DIRECTION_READ},
	{"\xe8\xaa\xad\xe3\x81\xbf\xe5\x8f\x96\xe3\x82\x8a", DIRECTION_READ},
	{"\xe8\xaa\xad\xe3\x81\xbf\xe5\x87\xba\xe3\x81\x97", DIRECTION_READ},
	{"\xe8\xaa\xad\xe8\xbe\xbc", DIRECTION_READ},
	{"write", DIRECTION_WRITE},
	{"writes", DIRECTION_WRITE},
	{"writing", DIRECTION_WRITE},
	{"w", DIRECTION_WRITE},
	{"\xc3\xa9"
	 "criture",
	 DIRECTION_WRITE},
	{"ecriture", DIRECTION_WRITE},
	{"schreiben", DIRECTION_WRITE},
	{"schreibgeschwindigkeit", DIRECTION_WRITE},
	{"escritura", DIRECTION_WRITE},
	{"scrittura", DIRECTION_WRITE},
	{"escrita", DIRECTION_WRITE},
	{"grava\xc3\xa7\xc3\xa3o", DIRECTION_WRITE},
	{"schrijven", DIRECTION_WRITE},
	{"schrijfsnelheid", DIRECTION_WRITE},
	{"zapis", DIRECTION_WRITE},
	{"zapisu", DIRECTION_WRITE},
	{"skrivhastighet", DIRECTION_WRITE},
	{"skrivning", DIRECTION_WRITE},
	{"skrivehastighed", DIRECTION_WRITE},
	{"skrivehastighet", DIRECTION_WRITE},
	{"\xd0\xb7\xd0\xb0\xd0\xbf\xd0\xb8\xd1\x81\xd1\x8c", DIRECTION_WRITE},
	{"\xd0\xb7\xd0\xb0\xd0\xbf\xd0\xb8\xd1\x81\xd0\xb8", DIRECTION_WRITE},
	{"\xe5\x86\x99\xe5\x85\xa5", DIRECTION_WRITE},
	{"\xe5\x86\x99\xe9\x80\x9f", DIRECTION_WRITE},
	{"\xe6\x9b\xb8\xe8\xbe\xbc", DIRECTION_WRITE},
	{"\xe6\x9b\xb8\xe3\x81\x8d\xe8\xbe\xbc\xe3\x81\xbf", DIRECTION_WRITE},
	{"\xc4\x8dten\xc3\xad", DIRECTION_READ},
	{"okuma", DIRECTION_READ},
	{"olvas\xc3\xa1s", DIRECTION_READ},
	{"olvas\xc3\xa1si", DIRECTION_READ},
	{"luku", DIRECTION_READ},
	{"lukunopeus", DIRECTION_READ},
	{"citire", DIRECTION_READ},
	{"\xec\x9d\xbd\xea\xb8\xb0", DIRECTION_READ},
	{"\xec\x9d\xbd\xea\xb8\xb0\xec\x86\x8d\xeb\x8f\x84", DIRECTION_READ},
	{"z\xc3\xa1pis", DIRECTION_WRITE},
	{"yazma", DIRECTION_WRITE},
	{"\xc3\xadr\xc3\xa1s", DIRECTION_WRITE},
	{"\xc3\xadr\xc3\xa1si", DIRECTION_WRITE},
	{"kirjoitus", DIRECTION_WRITE},
	{"kirjoitusnopeus", DIRECTION_WRITE},
	{"scriere", DIRECTION_WRITE},
	{"\xec\x93\xb0\xea\xb8\xb0", DIRECTION_WRITE},
	{"\xec\x93\xb0\xea\xb8\xb0\xec\x86\x8d\xeb\x8f\x84", DIRECTION_WRITE},
	{"\xe8\xaf\xbb", DIRECTION_READ},
	{"\xe5\x86\x99", DIRECTION_WRITE},
};

static const char *eat_direction(const char *p, struct figure *figure)
{
	for (size_t i = 0; i < CA_ARRAY_LEN(directions); i++) {
		const char *end = eat_word(p, directions[i].word);

		if (end && ca_label_is_east_asian(end) && !eat_neutral(end))
			end = NULL; /* part of a longer word that nobody here knows */
		if (end) {
			figure->directions |= (unsigned int)directions[i].direction;
			return end;
		}
	}
	return NULL;
}

/* "QD32", "QD 32", "Q32T1", and "32" after a bare '@'. */
static const char *eat_queue_depth(const char *p, bool bare, struct figure *figure)
{
	struct label_number depth;
	const char *end = ca_label_eat_prefix(p, "qd_");

	if (!end)
		end = ca_label_eat_prefix(p, "q");
	if (!end && bare)
		end = p;
	end = end ? ca_label_eat_number(end, &depth) : NULL;
	if (!end || depth.decimals || depth.digits == 0 || depth.digits > 65536)
		return NULL;
	if (*end == 't' || *end == 'T') { /* threads multiply it, but say nothing of the card */
		struct label_number threads;

		end = ca_label_eat_number(end + 1, &threads);
	}
	if (!end || !ca_label_is_word_end(end))
		return NULL;
	figure->queue_depth = (uint32_t)depth.digits;
	return end;
}

/* Random I/O is stated in blocks of 4 KiB. */
static const char *eat_random(const char *p, struct figure *figure)
{
	static const char *const words[] = {"random", "rand", "4_kib", "4_kb", "4_k"};

	for (size_t i = 0; i < CA_ARRAY_LEN(words); i++) {
		const char *end = ca_label_eat(p, words[i]);

		if (end) {
			figure->random = true;
			return end;
		}
	}
	return NULL;
}

/* No label says more words about one figure; the bound keeps hostile ones from taking long. */
#define QUALIFIERS_MAX 12U

static const char *eat_qualifiers(const char *p, struct figure *figure)
{
	for (unsigned int i = 0; i < QUALIFIERS_MAX; i++) {
		const char *gap = ca_label_skip_gap(p);
		bool at_sign = *gap == '@';
		const char *word = at_sign ? ca_label_skip_blank(gap + 1) : gap;
		const char *next = eat_queue_depth(word, at_sign, figure);

		if (!next)
			next = eat_direction(word, figure);
		if (!next)
			next = eat_random(word, figure);
		if (!next)
			next = eat_neutral(word);
		if (!next)
			break;
		p = next;
	}
	return p;
}

/* "40,000", "40K", "1.2M" */
static const char *eat_value(const char *p, struct figure_values *values)
{
	struct label_number *number = &values->number[values->count];
	const char *end = ca_label_eat_number(p, number);

	if (!end)
		return NULL;
	values->multiplier[values->count] = 1;
	if ((*end == 'k' || *end == 'K') && ca_label_is_word_end(end + 1)) {
		values->multiplier[values->count] = 1000;
		end++;
	} else if ((*end == 'm' || *end == 'M') && ca_label_is_word_end(end + 1)) {
		values->multiplier[values->count] = 1000000;
		end++;
	}
	values->count++;
	return end;
}

static const char *eat_values(const char *p, struct figure_values *values)
{
	const char *slash;

	values->count = 0;
	p = eat_value(p, values);
	if (!p)
		return NULL;
	slash = ca_label_skip_blank(p);
	if (*slash == '/') {
		const char *end = eat_value(ca_label_skip_blank(slash + 1), values);

		if (end)
			return end;
	}
	return p;
}

static const char *eat_over_time(const char *p, bool joined_ps)
{
	const char *end = ca_label_eat(p, "_/_s");

	if (!end)
		end = ca_label_eat(p, "_/_sec");
	if (!end)
		end = ca_label_eat(p, " per second");
	if (!end && joined_ps)
		end = ca_label_eat(p, "ps");
	return end;
}

/*
 * Bytes per second. A small b behind a capital letter is a bit ("Mb/s", "Gbps"), which is no figure
 * of a card; "mb/s" all in small letters is how people type MB/s.
 */
static const char *eat_rate_unit(const char *p, uint64_t *ret_scale)
{
	static const uint64_t decimal[] = {1000, 1000000, 1000000000};
	static const uint64_t binary[] = {CA_KIB, CA_MIB, CA_GIB};
	static const char letters[] = "kmgKMG";
	const char *letter = *p ? strchr(letters, *p) : NULL;
	const char *cyrillic = ca_label_eat(p, "\xd0\x9c\xd0\x91/\xd1\x81"); /* MB/s */
	const uint64_t *scales = decimal;
	size_t index;

	if (cyrillic) {
		*ret_scale = decimal[1];
		return cyrillic;
	}
	if (!letter)
		return NULL;
	index = (size_t)(letter - letters);
	p++;
	if (*p == 'i') {
		scales = binary;
		p++;
	}
	if (*p != 'B' && *p != 'o' && *p != 'O' && !(*p == 'b' && index < 3))
		return NULL;
	p = eat_over_time(p + 1, *p == 'B');
	if (p)
		*ret_scale = scales[index % 3];
	return p;
}

/*
 * True when the words from p on read "WRITE 90 MB/s READ": each direction stands behind its figure,
 * as the one at p does. False for "WRITE 90 MB/s", where it stands before.
 */
static bool direction_belongs_left(const char *p)
{
	for (unsigned int i = 0; i < QUALIFIERS_MAX; i++) {
		struct figure ignored = {0};
		struct figure_values values;
		uint64_t scale;

		p = eat_qualifiers(p, &ignored);
		if (!ignored.directions)
			return false;
		p = eat_values(ca_label_skip_gap(p), &values);
		if (!p)
			return true;
		p = ca_label_eat_prefix(p, "_");
		p = p ? eat_rate_unit(p, &scale) : NULL;
		if (!p)
			return true;
	}
	return false;
}

/* What stands behind the unit: "(read)", "R/W", "@QD32". */
static const char *eat_after(const char *p, struct figure *figure)
{
	struct figure after = *figure;
	const char *end = eat_qualifiers(p, &after);

	if (end == p)
		return p;
	if (!figure->directions && after.directions && direction_belongs_left(p)) {
		*figure = after;
		return end;
	}
	/* A direction that is not ours belongs to the next figure: take a queue depth only. */
	p = ca_label_skip_gap(p);
	end = ca_label_eat(p, "at");
	if (end)
		p = end;
	p = ca_label_skip_gap(p);
	end = *p == '@' ? eat_queue_depth(ca_label_skip_blank(p + 1), true, figure)
			: eat_queue_depth(p, false, figure);
	return end;
}

struct figure_unit {
	bool iops;
	uint64_t scale;
	bool decimal;
};

/* Adds the figure as one claim, or as two where it says both directions. */
static bool add_figure(struct ca_claims *claims, enum ca_claim_source source,
		       const struct figure *figure, const struct figure_values *values,
		       const struct figure_unit *unit, const char *text, size_t len)
{
	enum ca_claim_kind read = unit->iops ? CA_CLAIM_RANDOM_READ : CA_CLAIM_SEQ_READ;
	enum ca_claim_kind write = unit->iops ? CA_CLAIM_RANDOM_WRITE : CA_CLAIM_SEQ_WRITE;
	struct ca_claim claims_made[LABEL_CLAIMS_AT_ONCE] = {{0}};
	size_t made = 0;

	for (size_t i = 0; i < values->count; i++) {
		uint64_t scale = unit->scale * values->multiplier[i];

		claims_made[i] = (struct ca_claim){.kind = i == 0 ? read : write,
						   .source = source,
						   .queue_depth = figure->queue_depth};
		if (!ca_label_number_scale(&values->number[i], scale,
					   unit->decimal || values->multiplier[i] == 1000000,
					   &claims_made[i].value))
			return false;
	}
	made = values->count;
	if (made == 1 && figure->directions == DIRECTION_WRITE)
		claims_made[0].kind = write;
	/* An undirected MB/s figure on a card is the read rate; undirected IOPS hold for both. */
	if (made == 1 && (figure->directions == DIRECTION_BOTH ||
			  (unit->iops && figure->directions == DIRECTION_NONE))) {
		claims_made[1] = claims_made[0];
		claims_made[1].kind = write;
		made = 2;
	}
	for (size_t i = 0; i < made; i++)
		(void)ca_claims_add(claims, &claims_made[i], text, len); /* the caller left room */
	return true;
}

/* Unit of the values just read, at p; or NULL. */
static const char *eat_unit(const char *p, struct figure *figure, struct figure_unit *unit)
{
	const char *at = ca_label_eat_prefix(p, "_");
	const char *end = at ? eat_rate_unit(at, &unit->scale) : NULL;

	if (end) {
		unit->iops = false;
		unit->decimal = unit->scale >= 1000000000;
		return end;
	}
	unit->iops = true;
	unit->scale = 1000;
	unit->decimal = false;
	return ca_label_eat(ca_label_skip_gap(eat_qualifiers(p, figure)), "iops");
}

static const char *eat_figure(const char *p, struct figure *figure, struct figure_values *values,
			      struct figure_unit *unit)
{
	const char *value_start, *end, *after;

	*figure = (struct figure){0};
	*unit = (struct figure_unit){.iops = true, .scale = 1000};
	value_start = ca_label_skip_gap(eat_qualifiers(p, figure));
	end = ca_label_eat(value_start, "iops"); /* "random IOPS: 40,000" */
	if (end) {
		end = eat_values(ca_label_skip_gap(eat_qualifiers(end, figure)), values);
		if (end && !ca_label_is_word_end(end))
			end = NULL;
	} else {
		end = eat_values(value_start, values);
		end = end ? eat_unit(end, figure, unit) : NULL;
	}
	if (!end)
		return NULL;
	after = eat_after(end, figure);
	return after ? after : end;
}

/*
 * Not a claim: a random rate is neither a sequential one nor IOPS while its block size is open; and
 * with two figures for one direction nobody can tell what is meant.
 */
static bool is_ambiguous(const struct figure *figure, const struct figure_values *values,
			 const struct figure_unit *unit)
{
	return (figure->random && !unit->iops) ||
	       (values->count == 2 &&
		(figure->directions == DIRECTION_READ || figure->directions == DIRECTION_WRITE));
}

const char *ca_label_match_figure(const char *p, struct ca_claims *claims,
				  enum ca_claim_source source)
{
	struct figure figure;
	struct figure_values values;
	struct figure_unit unit;
	const char *end = eat_figure(p, &figure, &values, &unit);

	if (!end || is_ambiguous(&figure, &values, &unit) ||
	    !add_figure(claims, source, &figure, &values, &unit, p, (size_t)(end - p)))
		return NULL;
	return end;
}

const char *ca_label_eat_ambiguous_figure(const char *p)
{
	struct figure figure;
	struct figure_values values;
	struct figure_unit unit;
	const char *end = eat_figure(p, &figure, &values, &unit);

	return end && is_ambiguous(&figure, &values, &unit) ? end : NULL;
}
