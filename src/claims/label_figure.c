/* SPDX-License-Identifier: BSD-2-Clause */
#include "label_figure.h"

#include <string.h>

/* One or two figures of one unit: "100", "40,000/70,000", "800K/1.2M". */
struct figure_values {
	struct label_number number[2];
	uint64_t multiplier[2]; /* of a K or M behind the number, else 1 */
	size_t count;
};

/* A blank that does not break a line stands where digits belong together. */
static size_t hard_blank_bytes(const char *p)
{
	return strncmp(p, "\xe2\x80\xaf", 3) == 0 ? 3 : 0;
}

static bool is_group(const char *p)
{
	return ca_label_is_digit(p[0]) && ca_label_is_digit(p[1]) && ca_label_is_digit(p[2]) &&
	       !ca_label_is_digit(p[3]);
}

/*
 * "2 400": thousands parted by blanks. A plain blank may also part a name from its figure ("Switch
 * 2 880 MB/s"): it is clear only where words lead to the number or a group begins with 0.
 */
static const char *eat_spaced_number(const char *p, struct label_figure *figure,
				     struct label_number *ret_number)
{
	struct label_number number = {0};
	unsigned int first_len = 0, groups = 0;
	bool hard = true, zero = false;

	for (; ca_label_is_digit(*p); p++, first_len++)
		number.digits = number.digits * 10 + (uint64_t)(*p - '0');
	if (first_len == 0 || first_len > 3 || number.digits == 0)
		return NULL;
	for (; groups < 3; groups++) {
		size_t blank = hard_blank_bytes(p);
		const char *group = p + (blank ? blank : *p == ' ');

		if (group == p || !is_group(group))
			break;
		hard = hard && blank;
		zero = zero || *group == '0';
		for (unsigned int i = 0; i < 3; i++)
			number.digits = number.digits * 10 + (uint64_t)(group[i] - '0');
		p = group + 3;
	}
	if (!groups || (!hard && !zero && !figure->led && first_len == 3))
		return NULL;
	if (!hard && !zero && !(figure->led && first_len < 3))
		figure->unclear = true;
	*ret_number = number;
	return p;
}

/* "40,000", "40K", "1.2M", "2 400" */
static const char *eat_value(const char *p, struct label_figure *figure,
			     struct figure_values *values)
{
	struct label_number *number = &values->number[values->count];
	const char *end = eat_spaced_number(p, figure, number);

	if (!end)
		end = ca_label_eat_number(p, number);
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

/* "/90", "/W90", "/Write 90", ", Write 90" behind a first value; NULL when there is none. */
static const char *eat_second_value(const char *p, struct label_figure *figure,
				    struct figure_values *values)
{
	struct label_figure second = {.led = figure->led};
	const char *end;
	bool slash;

	p = ca_label_skip_blank(p);
	slash = *p == '/';
	p = ca_label_skip_blank(*p && strchr("/,|", *p) ? p + 1 : p);
	end = ca_label_eat_direction(p, &second);
	if (!slash && !end)
		return NULL; /* two numbers, but not of one unit */
	/* each says its own direction, or neither does */
	if (end && (second.directions | figure->directions) != LABEL_BOTH)
		return NULL;
	if (end && figure->directions == LABEL_BOTH)
		return NULL;
	end = eat_value(end ? ca_label_skip_gap(end) : p, &second, values);
	if (!end)
		return NULL;
	figure->directions |= second.directions;
	figure->unclear = figure->unclear || second.unclear;
	return end;
}

static const char *eat_values(const char *p, struct label_figure *figure,
			      struct figure_values *values)
{
	const char *second;

	values->count = 0;
	p = eat_value(p, figure, values);
	if (!p)
		return NULL;
	second = eat_second_value(p, figure, values);
	return second ? second : p;
}

static const char *eat_over_time(const char *p, bool joined_ps)
{
	const char *end = ca_label_eat(p, "_/_s");

	if (!end)
		end = ca_label_eat(p, "_/_sec");
	if (!end)
		end = ca_label_eat_prefix(p, "_/_\xe7\xa7\x92");
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

struct figure_unit {
	bool iops;
	uint64_t scale;
	bool decimal;
};

/* Unit of the values just read, at p; or NULL. */
static const char *eat_unit(const char *p, struct label_figure *figure, struct figure_unit *unit)
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
	return ca_label_eat(ca_label_skip_gap(ca_label_eat_qualifiers(p, figure)), "iops");
}

/* Does punctuation part the figure before p from the word behind it? "100 MB/s, write 90 MB/s" */
static bool is_parted(const char *p)
{
	p = ca_label_skip_blank(p);
	return *p && strchr(",;|/&+", *p);
}

/*
 * "READ, 140 MB/s WRITE": a direction behind its figure, which punctuation parts from the next one.
 * NULL when it is not that.
 */
static const char *eat_closed(const char *p, struct label_figure *figure)
{
	const char *end = p, *word;

	if (is_parted(p))
		return NULL;
	for (unsigned int i = 0; i < LABEL_QUALIFIERS_MAX; i++) {
		const char *next;

		word = ca_label_skip_blank(end);
		if (*word && strchr("(/&", *word))
			word = ca_label_skip_blank(word + 1);
		next = ca_label_eat_direction(word, figure);
		if (!next)
			next = ca_label_eat_neutral(word);
		if (!next)
			break;
		end = next;
	}
	if (!figure->directions)
		return NULL;
	word = ca_label_skip_blank(end);
	if (*word == ')')
		word = ca_label_skip_blank(word + 1);
	return *word && (strchr(",;|", *word) || (*word == '-' && word[1] == ' ')) ? end : NULL;
}

/*
 * True when the words from p on read "WRITE 90 MB/s READ": each direction stands behind its figure,
 * as the one at p does. False for "WRITE 90 MB/s", where it stands before. A figure of another unit
 * ("WRITE 40K IOPS") ends the row.
 */
static bool direction_belongs_left(const char *p, bool was_iops)
{
	bool parted = is_parted(p);

	for (unsigned int i = 0; i < LABEL_QUALIFIERS_MAX; i++) {
		struct label_figure ignored = {0};
		struct figure_values values;
		struct figure_unit unit;
		const char *words = p;

		p = ca_label_eat_qualifiers(p, &ignored);
		if (!ignored.directions)
			return false;
		if (i > 0 && is_parted(words) && !is_parted(p))
			return true; /* the next figure's own: so this one is ours */
		p = eat_values(ca_label_skip_gap(p), &ignored, &values);
		if (!p)
			return true;
		if (parted && i == 0)
			return false;
		p = eat_unit(p, &ignored, &unit);
		if (!p || unit.iops != was_iops)
			return true;
		was_iops = unit.iops;
	}
	return false;
}

/* What stands behind the unit: "(read)", "R/W", "@QD32". */
static const char *eat_after(const char *p, struct label_figure *figure,
			     const struct figure_unit *unit)
{
	struct label_figure after = *figure;
	const char *end = figure->directions ? NULL : eat_closed(p, &after);

	if (end) {
		*figure = after;
		return end;
	}
	after = *figure;
	end = ca_label_eat_qualifiers(p, &after);
	if (end == p)
		return p;
	if (!figure->directions && after.directions && direction_belongs_left(p, unit->iops)) {
		*figure = after;
		return end;
	}
	/* A direction that is not ours belongs to the next figure: take a queue depth only. */
	p = ca_label_skip_gap(p);
	end = ca_label_eat(p, "at");
	if (end)
		p = end;
	p = ca_label_skip_gap(p);
	end = *p == '@' ? ca_label_eat_queue_depth(ca_label_skip_blank(p + 1), true, figure)
			: ca_label_eat_queue_depth(p, false, figure);
	return end;
}

static enum ca_claim_kind read_kind(const struct figure_unit *unit)
{
	return unit->iops ? CA_CLAIM_RANDOM_READ : CA_CLAIM_SEQ_READ;
}

/* Adds the figure as one claim, or as two where it says both directions. */
static bool add_figure(struct ca_claims *claims, enum ca_claim_source source,
		       const struct label_figure *figure, const struct figure_values *values,
		       const struct figure_unit *unit, const char *text, size_t len)
{
	enum ca_claim_kind read = read_kind(unit);
	enum ca_claim_kind write = unit->iops ? CA_CLAIM_RANDOM_WRITE : CA_CLAIM_SEQ_WRITE;
	bool write_first = figure->first == LABEL_WRITE;
	struct ca_claim claims_made[LABEL_CLAIMS_AT_ONCE] = {{0}};
	size_t made = 0;

	for (size_t i = 0; i < values->count; i++) {
		uint64_t scale = unit->scale * values->multiplier[i];

		claims_made[i] = (struct ca_claim){.kind = (i == 0) != write_first ? read : write,
						   .source = source,
						   .queue_depth = figure->queue_depth};
		if (!ca_label_number_scale(&values->number[i], scale,
					   unit->decimal || values->multiplier[i] == 1000000,
					   &claims_made[i].value))
			return false;
	}
	made = values->count;
	if (made == 1 && figure->directions == LABEL_BOTH) { /* "read/write 90 MB/s" */
		claims_made[1] = claims_made[0];
		claims_made[1].kind = write_first ? read : write;
		made = 2;
	}
	for (size_t i = 0; i < made; i++)
		(void)ca_claims_add(claims, &claims_made[i], text, len); /* the caller left room */
	return true;
}

/*
 * "95 MB/s / 25 MB/s", "read/write 160 MB/s, 90 MB/s": the other direction's figure, with a unit of
 * its own. NULL when the next figure is not that.
 */
static const char *eat_other_figure(const char *p, struct label_figure *figure,
				    struct figure_values *values, const struct figure_unit *unit)
{
	struct figure_values both = *values;
	struct label_figure second = {0}, after = {0};
	struct figure_unit second_unit;
	const char *start = ca_label_skip_blank(p), *end;

	if (values->count != 1 ||
	    (figure->directions != LABEL_NONE && figure->directions != LABEL_BOTH))
		return NULL;
	if (figure->directions == LABEL_NONE && *start != '/')
		return NULL;
	end = eat_value(ca_label_skip_gap(start), &second, &both);
	end = end ? eat_unit(end, &second, &second_unit) : NULL;
	if (!end || second.directions || second.unclear || second_unit.iops != unit->iops ||
	    second_unit.scale != unit->scale)
		return NULL;
	(void)ca_label_eat_qualifiers(end, &after); /* only what it says is asked for */
	if (after.directions == LABEL_READ || after.directions == LABEL_WRITE)
		return NULL;
	*values = both;
	return end;
}

static const char *eat_figure(const char *p, struct label_figure *figure,
			      struct figure_values *values, struct figure_unit *unit)
{
	const char *value_start, *end, *after;

	*figure = (struct label_figure){0};
	*unit = (struct figure_unit){.iops = true, .scale = 1000};
	value_start = ca_label_skip_gap(ca_label_eat_qualifiers(p, figure));
	end = ca_label_eat(value_start, "iops"); /* "random IOPS: 40,000" */
	if (end) {
		end = eat_values(ca_label_skip_gap(ca_label_eat_qualifiers(end, figure)), figure,
				 values);
		if (end && !ca_label_is_word_end(end))
			end = NULL;
	} else {
		end = eat_values(value_start, figure, values);
		end = end ? eat_unit(end, figure, unit) : NULL;
	}
	if (!end)
		return NULL;
	after = eat_other_figure(end, figure, values, unit);
	if (after)
		end = after;
	after = eat_after(end, figure, unit);
	return after ? after : end;
}

/* Does a figure without direction stand beside another one that is the reading one already? */
static bool is_second(const struct label_figure *figure, const struct figure_values *values,
		      const struct figure_unit *unit, const struct ca_claims *claims,
		      enum ca_claim_source source)
{
	uint64_t value;

	if (figure->directions != LABEL_NONE ||
	    !ca_label_number_scale(&values->number[0], unit->scale * values->multiplier[0],
				   unit->decimal || values->multiplier[0] == 1000000, &value))
		return false;
	for (size_t i = 0; i < claims->count; i++) {
		const struct ca_claim *claim = &claims->claims[i];

		if (claim->kind == read_kind(unit) && claim->source == source &&
		    claim->queue_depth == figure->queue_depth && claim->value != value)
			return true;
	}
	return false;
}

/*
 * Not a claim: a random rate is neither a sequential one nor IOPS while its block size is open; two
 * figures for one direction, a second one for none, and digits that may be two numbers.
 */
static bool is_ambiguous(const struct label_figure *figure, const struct figure_values *values,
			 const struct figure_unit *unit, const struct ca_claims *claims,
			 enum ca_claim_source source)
{
	return figure->unclear || (figure->random && !unit->iops) ||
	       (values->count == 2 &&
		(figure->directions == LABEL_READ || figure->directions == LABEL_WRITE)) ||
	       is_second(figure, values, unit, claims, source);
}

const char *ca_label_match_figure(const char *p, struct ca_claims *claims,
				  enum ca_claim_source source)
{
	struct label_figure figure;
	struct figure_values values;
	struct figure_unit unit;
	const char *end = eat_figure(p, &figure, &values, &unit);

	if (!end || is_ambiguous(&figure, &values, &unit, claims, source) ||
	    !add_figure(claims, source, &figure, &values, &unit, p, (size_t)(end - p)))
		return NULL;
	return end;
}

const char *ca_label_eat_ambiguous_figure(const char *p, const struct ca_claims *claims,
					  enum ca_claim_source source)
{
	struct label_figure figure;
	struct figure_values values;
	struct figure_unit unit;
	const char *end = eat_figure(p, &figure, &values, &unit);

	return end && is_ambiguous(&figure, &values, &unit, claims, source) ? end : NULL;
}
