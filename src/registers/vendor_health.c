/* SPDX-License-Identifier: BSD-2-Clause */
#include "cardassay/registers.h"

#include <assert.h>
#include <string.h>

const char *ca_vendor_result_name(enum ca_vendor_result result)
{
	static const char *const names[CA_VENDOR_RESULT_COUNT] = {
		[CA_VENDOR_ANSWER] = "answer", [CA_VENDOR_TIMEOUT] = "timeout",
		[CA_VENDOR_ERROR] = "error",   [CA_VENDOR_ECHO] = "sector 0",
		[CA_VENDOR_MASKED] = "masked",
	};

	assert(result < CA_VENDOR_RESULT_COUNT);
	return names[result];
}

/* ---- queries -------------------------------------------------------------------------------- */

uint32_t ca_vendor_argument_at(unsigned int index)
{
	unsigned int seen = 0;

	for (size_t i = 0; i < ca_vendor_queries_count; i++) {
		uint32_t argument = ca_vendor_queries[i].argument;

		if (i && argument == ca_vendor_queries[i - 1].argument)
			continue; /* rows of one argument follow one another */
		if (seen++ == index)
			return argument;
	}
	return 0;
}

bool ca_vendor_is_query(uint32_t argument)
{
	for (size_t i = 0; i < ca_vendor_queries_count; i++)
		if (ca_vendor_queries[i].argument == argument)
			return true;
	return false;
}

bool ca_vendor_add(struct ca_vendor_health *health, uint32_t argument, enum ca_vendor_result result,
		   const uint8_t *data)
{
	struct ca_vendor_answer *answer = &health->answers[health->count];

	if (health->count == CA_VENDOR_ANSWERS_MAX)
		return false;
	for (unsigned int i = 0; i < health->count; i++)
		if (health->answers[i].argument == argument)
			return false;
	health->asked = true;
	health->count++;
	memset(answer, 0, sizeof(*answer));
	answer->argument = argument;
	answer->result = result;
	if (result == CA_VENDOR_ANSWER)
		memcpy(answer->data, data, sizeof(answer->data));
	return true;
}

/* ---- fields --------------------------------------------------------------------------------- */

const struct ca_vendor_field *ca_vendor_field_first(const char *layout)
{
	for (size_t i = 0; i < ca_vendor_fields_count; i++)
		if (strcmp(ca_vendor_fields[i].layout, layout) == 0)
			return &ca_vendor_fields[i];
	return NULL;
}

const struct ca_vendor_field *ca_vendor_field_next(const struct ca_vendor_field *field)
{
	const struct ca_vendor_field *next = field + 1;

	return next < ca_vendor_fields + ca_vendor_fields_count &&
			       strcmp(next->layout, field->layout) == 0
		       ? next
		       : NULL;
}

static bool is_decode(const struct ca_vendor_field *field, const char *decode)
{
	return strcmp(field->decode, decode) == 0;
}

uint64_t ca_vendor_field_number(const struct ca_vendor_field *field, const uint8_t *data)
{
	bool little = is_decode(field, "le");
	uint64_t value = 0;

	if (!little && !is_decode(field, "be"))
		return 0;
	for (unsigned int i = 0; i < field->bytes; i++)
		value = value << 8 | data[field->byte + (little ? field->bytes - 1U - i : i)];
	return value;
}

/* What follows the text itself: NULs, spaces, or bytes of erased flash. */
static size_t text_len(const uint8_t *text, size_t len)
{
	while (len && (text[len - 1] == '\0' || text[len - 1] == ' ' || text[len - 1] == 0xff))
		len--;
	return len;
}

static bool is_text(const uint8_t *text, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (text[i] < 0x20 || text[i] > 0x7e)
			return false;
	return true;
}

static bool is_date(const uint8_t *date)
{
	unsigned int month, day;

	for (size_t i = 0; i < 6; i++)
		if (date[i] < '0' || date[i] > '9')
			return false;
	month = (date[2] - '0') * 10U + (date[3] - '0');
	day = (date[4] - '0') * 10U + (date[5] - '0');
	return month >= 1 && month <= 12 && day >= 1 && day <= 31;
}

bool ca_vendor_field_is_plausible(const struct ca_vendor_field *field, const uint8_t *data)
{
	const uint8_t *at = data + field->byte;

	if (is_decode(field, "date"))
		return is_date(at);
	if (is_decode(field, "text"))
		return is_text(at, text_len(at, field->bytes));
	return !field->largest || ca_vendor_field_number(field, data) <= field->largest;
}

static void add_date(struct ca_text *text, const char *date)
{
	ca_text_add(text, "20");
	ca_text_add_len(text, date, 2);
	ca_text_add(text, "-");
	ca_text_add_len(text, date + 2, 2);
	ca_text_add(text, "-");
	ca_text_add_len(text, date + 4, 2);
}

static void add_hex(struct ca_text *text, const uint8_t *data, size_t bytes)
{
	ca_text_add(text, "0x");
	for (size_t i = 0; i < bytes; i++)
		ca_text_hex(text, data[i], 2);
}

static void add_number(struct ca_text *text, const struct ca_vendor_field *field, uint64_t value)
{
	if (field->divisor)
		ca_text_fixed(text, value, field->divisor, 2);
	else
		ca_text_grouped(text, value);
	ca_text_add(text, field->unit[0] ? " " : "");
	ca_text_add(text, field->unit);
}

void ca_vendor_field_text(const struct ca_vendor_field *field, const uint8_t *data,
			  struct ca_text *text)
{
	const uint8_t *at = data + field->byte;

	if (!ca_vendor_field_is_plausible(field, data)) {
		ca_text_add(text, "not plausible: ");
		add_hex(text, at, field->bytes);
	} else if (is_decode(field, "hex")) {
		add_hex(text, at, field->bytes);
	} else if (is_decode(field, "text")) {
		ca_text_escaped(text, (const char *)at, text_len(at, field->bytes));
	} else if (is_decode(field, "date")) {
		add_date(text, (const char *)at);
	} else {
		add_number(text, field, ca_vendor_field_number(field, data));
	}
}

/* ---- what an answer is worth ---------------------------------------------------------------- */

static const struct ca_vendor_query *find_row(const struct ca_vendor_answer *answer)
{
	unsigned int signature = (unsigned int)answer->data[0] << 8 | answer->data[1];

	for (size_t i = 0; i < ca_vendor_queries_count; i++)
		if (ca_vendor_queries[i].argument == answer->argument &&
		    ca_vendor_queries[i].signature == signature)
			return &ca_vendor_queries[i];
	return NULL;
}

/* A controller that ignores the argument, or a buffer that nobody filled. */
static bool is_repeated(const struct ca_vendor_health *health, unsigned int index)
{
	const struct ca_vendor_answer *answer = &health->answers[index];

	for (unsigned int i = 0; i < health->count; i++)
		if (i != index && health->answers[i].result == CA_VENDOR_ANSWER &&
		    memcmp(health->answers[i].data, answer->data, sizeof(answer->data)) == 0)
			return true;
	return false;
}

static bool is_plausible(const char *layout, const uint8_t *data)
{
	for (const struct ca_vendor_field *field = ca_vendor_field_first(layout); field;
	     field = ca_vendor_field_next(field))
		if (!ca_vendor_field_is_plausible(field, data))
			return false;
	return true;
}

enum ca_vendor_worth ca_vendor_weigh(const struct ca_vendor_health *health, unsigned int index,
				     const struct ca_vendor_query **ret_query)
{
	const struct ca_vendor_answer *answer = &health->answers[index];
	const struct ca_vendor_query *row;

	assert(index < health->count);
	*ret_query = NULL;
	if (answer->result != CA_VENDOR_ANSWER)
		return CA_VENDOR_NONE;
	if (ca_bytes_is_all(answer->data, sizeof(answer->data), answer->data[0]))
		return CA_VENDOR_BLANK;
	if (is_repeated(health, index))
		return CA_VENDOR_REPEATED;
	row = find_row(answer);
	*ret_query = row;
	if (!row)
		return CA_VENDOR_UNKNOWN;
	return is_plausible(row->layout, answer->data) ? CA_VENDOR_KNOWN : CA_VENDOR_IMPLAUSIBLE;
}

bool ca_vendor_find(const struct ca_vendor_health *health, unsigned int *ret_index,
		    const struct ca_vendor_query **ret_query)
{
	const struct ca_vendor_query *row, *best = NULL;

	for (unsigned int i = 0; i < health->count; i++) {
		if (ca_vendor_weigh(health, i, &row) != CA_VENDOR_KNOWN)
			continue;
		if (best && strcmp(row->standing, "maker") != 0)
			continue;
		if (best && strcmp(best->standing, "maker") == 0)
			continue;
		best = row;
		*ret_index = i;
	}
	if (best)
		*ret_query = best;
	return best != NULL;
}

static const char *result_text(enum ca_vendor_result result)
{
	switch (result) {
	case CA_VENDOR_TIMEOUT:
		return "the card does not answer";
	case CA_VENDOR_ERROR:
		return "the transfer failed";
	case CA_VENDOR_ECHO:
		return "no answer: the card sent its sector 0";
	case CA_VENDOR_MASKED:
		return "an answer that is not known, blanked on request";
	case CA_VENDOR_ANSWER:
		break;
	}
	return "an answer";
}

const char *ca_vendor_worth_text(const struct ca_vendor_health *health, unsigned int index)
{
	const struct ca_vendor_query *row;

	switch (ca_vendor_weigh(health, index, &row)) {
	case CA_VENDOR_KNOWN:
		return "an answer that is known";
	case CA_VENDOR_IMPLAUSIBLE:
		return "a known signature, but values that cannot be: not used";
	case CA_VENDOR_UNKNOWN:
		return "an answer whose signature is not known";
	case CA_VENDOR_BLANK:
		return "no answer: one byte throughout";
	case CA_VENDOR_REPEATED:
		return "no answer: the same bytes as for another argument";
	case CA_VENDOR_NONE:
		break;
	}
	return result_text(health->answers[index].result);
}

/* ---- masking -------------------------------------------------------------------------------- */

static void mask_known(struct ca_vendor_answer *answer, const char *layout)
{
	uint8_t kept[CA_VENDOR_BYTES] = {answer->data[0], answer->data[1]};

	for (const struct ca_vendor_field *field = ca_vendor_field_first(layout); field;
	     field = ca_vendor_field_next(field))
		memcpy(kept + field->byte, answer->data + field->byte, field->bytes);
	memcpy(answer->data, kept, sizeof(kept));
}

void ca_vendor_mask(struct ca_vendor_health *health)
{
	const struct ca_vendor_query *rows[CA_VENDOR_ANSWERS_MAX] = {NULL};
	enum ca_vendor_worth worths[CA_VENDOR_ANSWERS_MAX] = {CA_VENDOR_NONE};

	/* all are weighed before one is changed: they are compared with one another */
	for (unsigned int i = 0; i < health->count; i++)
		worths[i] = ca_vendor_weigh(health, i, &rows[i]);
	for (unsigned int i = 0; i < health->count; i++) {
		struct ca_vendor_answer *answer = &health->answers[i];

		if (rows[i]) {
			mask_known(answer, rows[i]->layout);
		} else if (worths[i] == CA_VENDOR_UNKNOWN || worths[i] == CA_VENDOR_REPEATED) {
			memset(answer->data, 0, sizeof(answer->data));
			answer->result = CA_VENDOR_MASKED;
		}
	}
}
