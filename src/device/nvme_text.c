/* SPDX-License-Identifier: BSD-2-Clause */
#include "input_nvme.h"

#include <ctype.h>
#include <string.h>

#define FIELDS_MAX  96U
#define BLANKS	    " \t\r\n>" /* '>' quotes in mail */
#define PSD_OFFSET  2048U
#define PSD_BYTES   32U
#define PSD_COUNT   32U
#define LBAF_OFFSET 128U
#define LBAF_COUNT  64U
/* -273.15 °C; the controller counts whole kelvin */
#define KELVIN_OF_ZERO_CELSIUS 273

struct page {
	enum ca_register reg;
	uint8_t data[CA_NVME_ID_BYTES];
	const struct ca_nvme_field *fields;
	size_t field_count;
	bool seen[FIELDS_MAX];
	bool json, smartctl; /* smartctl: the JSON is its own */
	bool damaged;	     /* a field that is needed does not fit */
	size_t power_state;  /* whose second line may follow, PSD_COUNT: none */
	size_t power_states; /* as many are described */
};

static void put(uint8_t *at, uint64_t value, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++)
		at[i] = (uint8_t)(i < 8 ? value >> 8 * i : 0);
}

/* ---- values --------------------------------------------------------------------------------- */

/* "34 C", "34 °C (307 K)", "93 °F (307 K)", "-5 C". */
static bool parse_kelvin(struct ca_span value, uint64_t *ret_kelvin)
{
	struct ca_span open = ca_span_behind(value, "(");
	bool negative = value.len && value.at[0] == '-';
	uint64_t number;

	if (open.at && memchr(open.at, 'K', open.len) && ca_span_number(open, false, ret_kelvin))
		return true;
	if (negative) {
		value.at++;
		value.len--;
	}
	if (!ca_span_number(value, false, &number) || number > 1000 ||
	    (negative && number > KELVIN_OF_ZERO_CELSIUS))
		return false;
	*ret_kelvin = negative ? KELVIN_OF_ZERO_CELSIUS - number : KELVIN_OF_ZERO_CELSIUS + number;
	return true;
}

/* Bytes of the sign that parts groups of digits; 0: none. Commas and full stops, blanks (also
 * no-break ones), apostrophes. */
static size_t group_sign(struct ca_span text)
{
	static const char *const signs[] = {
		",", ".", " ", "'", "\xc2\xa0", "\xe2\x80\xaf", "\xe2\x80\x99"};

	for (size_t i = 0; i < CA_ARRAY_LEN(signs); i++)
		if (ca_span_starts_with(text, signs[i]))
			return strlen(signs[i]);
	return 0;
}

static size_t count_decimals(struct ca_span text)
{
	size_t digits = 0;

	while (digits < text.len && isdigit((unsigned char)text.at[digits]))
		digits++;
	return digits;
}

bool ca_nvme_text_grouped(struct ca_span text, uint64_t *ret_value)
{
	char digits[24];
	size_t count = count_decimals(text), sign, len = 0;

	if (!count || count > 20)
		return false;
	memcpy(digits, text.at, count);
	for (len = count;; len += 3) {
		text = (struct ca_span){text.at + count, text.len - count};
		sign = group_sign(text);
		count = count_decimals((struct ca_span){text.at + sign, text.len - sign});
		if (!sign || !count)
			break;
		if (count != 3 || len > 17)
			return false;
		memcpy(digits + len, text.at + sign, 3);
		text = (struct ca_span){text.at + sign, text.len - sign};
	}
	return !(text.len && isalnum((unsigned char)text.at[0])) &&
	       ca_span_number((struct ca_span){digits, len}, false, ret_value);
}

static bool is_decimal(struct ca_span value)
{
	return count_decimals(value) > 0 &&
	       !(value.len > 1 && value.at[0] == '0' && tolower((unsigned char)value.at[1]) == 'x');
}

static bool put_bytes(uint8_t *at, size_t bytes, struct ca_span value)
{
	uint8_t data[16];
	size_t len;

	if (bytes > sizeof(data) ||
	    ca_hex_decode(value.at, value.len, data, sizeof(data), &len) < 0 || len != bytes)
		return false;
	memcpy(at, data, bytes);
	return true;
}

static bool put_text(uint8_t *at, const struct ca_nvme_field *field, struct ca_span value)
{
	if (value.len > field->bytes)
		value = ca_span_trim(value, " ");
	if (value.len > field->bytes)
		return false;
	memset(at, field->form == CA_NVME_TEXT ? ' ' : 0, field->bytes);
	memcpy(at, value.at, value.len);
	return true;
}

static bool put_number(struct page *page, const struct ca_nvme_field *field, struct ca_span value,
		       bool hex)
{
	uint64_t number;

	if (!(!hex && !page->json && is_decimal(value) ? ca_nvme_text_grouped(value, &number)
						       : ca_span_number(value, hex, &number)) ||
	    (field->bytes < 8 && number >> 8 * field->bytes))
		return false;
	put(page->data + field->offset, number, field->bytes);
	return true;
}

static bool set_field(struct page *page, const struct ca_nvme_field *field, struct ca_span value,
		      bool as_number)
{
	uint8_t *at = page->data + field->offset;
	uint64_t kelvin;

	switch (field->form) {
	case CA_NVME_TEXT:
	case CA_NVME_STRING:
		return put_text(at, field, value);
	case CA_NVME_BYTES:
		return put_bytes(at, field->bytes, value);
	case CA_NVME_HEX:
		return put_number(page, field, value, !as_number);
	case CA_NVME_NUMBER:
		return put_number(page, field, value, false);
	case CA_NVME_KELVIN:
		if (as_number)
			return put_number(page, field, value, false);
		if (!parse_kelvin(value, &kelvin))
			return false;
		put(at, kelvin, field->bytes);
		return true;
	}
	return false;
}

/* The first of a name counts: what else has it stands in another tool's output behind. */
static void set_named(struct page *page, struct ca_span name, struct ca_span value, bool json,
		      bool as_number)
{
	for (size_t i = 0; i < page->field_count; i++) {
		const struct ca_nvme_field *field = &page->fields[i];

		if (!ca_span_is(name, json ? field->json : field->name) || page->seen[i])
			continue;
		if (set_field(page, field, value, as_number))
			page->seen[i] = true;
		else
			page->damaged |= field->needed;
		return;
	}
}

/* ---- text ----------------------------------------------------------------------------------- */

static bool take_number(struct ca_span line, const char *label, uint64_t max, uint64_t *ret_value)
{
	struct ca_span behind = ca_span_behind(line, label);

	return behind.at && ca_span_number(ca_span_trim(behind, " "), false, ret_value) &&
	       *ret_value <= max;
}

static void put_labelled(uint8_t *at, size_t bytes, struct ca_span line, const char *label)
{
	uint64_t value;

	if (take_number(line, label, bytes == 1 ? UINT8_MAX : UINT32_MAX, &value))
		put(at, value, bytes);
}

/* "8.25W": hundredths; "0.0050W": ten-thousandths, and the scale bit says so. */
static void put_power(uint8_t *psd, struct ca_span line)
{
	struct ca_span text = ca_span_behind(line, "mp:");
	uint64_t power = 0;
	size_t decimals = 0;
	bool point = false;

	for (size_t i = 0; text.at && i < text.len && power <= UINT16_MAX; i++) {
		if (text.at[i] == '.' && !point) {
			point = true;
		} else if (isdigit((unsigned char)text.at[i])) {
			power = power * 10 + (uint64_t)(text.at[i] - '0');
			decimals += point;
		} else {
			break;
		}
	}
	if (power > UINT16_MAX || (decimals != 2 && decimals != 4))
		return;
	put(psd, power, 2);
	if (decimals == 4)
		psd[3] |= 1;
}

/* "ps    0 : mp:6.04W operational enlat:0 exlat:0 rrt:0 rrl:0", and rwt, rwl in the next line. */
static void read_power_state(struct page *page, struct ca_span line, size_t index)
{
	uint8_t *psd = page->data + PSD_OFFSET + index * PSD_BYTES;

	put_power(psd, line);
	if (ca_span_behind(line, "non-operational").at)
		psd[3] |= 2;
	put_labelled(psd + 4, 4, line, "enlat:");
	put_labelled(psd + 8, 4, line, "exlat:");
	put_labelled(psd + 12, 1, line, "rrt:");
	put_labelled(psd + 13, 1, line, "rrl:");
	put_labelled(psd + 14, 1, line, "rwt:");
	put_labelled(psd + 15, 1, line, "rwl:");
}

/* "lbaf  0 : ms:0   lbads:9  rp:0 (in use)", or in words where -H was asked. */
static void read_lba_format(struct page *page, struct ca_span line, size_t index)
{
	uint8_t *lbaf = page->data + LBAF_OFFSET + 4 * index;
	uint64_t value;

	if (take_number(line, "ms:", UINT16_MAX, &value) ||
	    take_number(line, "Metadata Size:", UINT16_MAX, &value))
		put(lbaf, value, 2);
	if (take_number(line, "lbads:", UINT8_MAX, &value)) {
		lbaf[2] = (uint8_t)value;
	} else if (take_number(line, "Data Size:", UINT32_MAX, &value)) {
		while (value > 1 && !(value & 1)) {
			value >>= 1;
			lbaf[2]++;
		}
	}
	if (take_number(line, "rp:", 3, &value) ||
	    take_number(line, "Relative Performance:", 3, &value))
		lbaf[3] = (uint8_t)value;
}

/* The number between a name and the colon: "ps    0 :"; `limit` when there is none below it. */
static size_t index_behind(struct ca_span name, const char *word, size_t limit)
{
	uint64_t index;

	size_t len = strlen(word);

	if (!ca_span_starts_with(name, word) || name.len == len ||
	    !isspace((unsigned char)name.at[len]))
		return limit;
	name.at += len;
	name.len -= len;
	return ca_span_number(ca_span_trim(name, " \t"), false, &index) && index < limit
		       ? (size_t)index
		       : limit;
}

static void read_array_line(struct page *page, struct ca_span name, struct ca_span line)
{
	size_t index;

	if (page->reg == CA_REGISTER_NVME_CTRL) {
		index = index_behind(name, "ps", PSD_COUNT);
		if (index == PSD_COUNT && ca_span_starts_with(line, "rwt:"))
			index = page->power_state;
		if (index < PSD_COUNT) {
			read_power_state(page, line, index);
			page->power_states = index + 1;
		}
		page->power_state = index;
	} else if (page->reg == CA_REGISTER_NVME_NS) {
		index = index_behind(name, "lbaf", LBAF_COUNT);
		if (index == LBAF_COUNT)
			index = index_behind(name, "LBA Format", LBAF_COUNT);
		if (index < LBAF_COUNT)
			read_lba_format(page, line, index);
	}
}

/* "Data Units Read" of newer versions is "data_units_read" of older ones. */
static struct ca_span plain_name(struct ca_span name, char *buf, size_t size)
{
	size_t len = name.len < size ? name.len : size;

	for (size_t i = 0; i < len; i++)
		buf[i] = name.at[i] == ' ' ? '_' : (char)tolower((unsigned char)name.at[i]);
	return (struct ca_span){buf, len};
}

/* smartctl's fields that need more than their name. */
static bool read_smartctl(struct page *page, struct ca_span name, struct ca_span value)
{
	uint32_t version;

	if (page->reg != CA_REGISTER_NVME_CTRL)
		return false;
	if (ca_span_is(name, "pci_vendor/subsystem_id")) { /* one number: both are the same */
		set_named(page, (struct ca_span){"vid", 3}, value, false, false);
		set_named(page, (struct ca_span){"ssvid", 5}, value, false, false);
		return true;
	}
	if (!ca_span_is(name, "nvme_version") || !ca_nvme_smartctl_version(value, &version))
		return false;
	put(page->data + 80, version, 4);
	return true;
}

static void read_text(struct page *page, struct ca_span text)
{
	char buf[48];

	while (text.len) {
		struct ca_span line = ca_span_trim(ca_span_take_line(&text), BLANKS);
		const char *colon = memchr(line.at, ':', line.len);
		struct ca_span name, value;

		if (!colon)
			continue;
		name = ca_span_trim((struct ca_span){line.at, (size_t)(colon - line.at)}, BLANKS);
		value = ca_span_trim(
			(struct ca_span){colon + 1, line.len - (size_t)(colon + 1 - line.at)},
			BLANKS);
		read_array_line(page, name, line);
		name = plain_name(name, buf, sizeof(buf));
		if (!read_smartctl(page, name, value))
			set_named(page, ca_nvme_smartctl_name(name), value, false, false);
	}
}

/* ---- JSON ----------------------------------------------------------------------------------- */

static void json_power_state(uint8_t *psd, struct ca_span name, uint64_t number)
{
	static const struct {
		const char *name;
		uint8_t offset, bytes;
	} parts[] = {{"max_power", 0, 2},    {"entry_lat", 4, 4},   {"exit_lat", 8, 4},
		     {"read_tput", 12, 1},   {"read_lat", 13, 1},   {"write_tput", 14, 1},
		     {"write_lat", 15, 1},   {"idle_power", 16, 2}, {"idle_scale", 18, 1},
		     {"active_power", 20, 2}};

	if (ca_span_is(name, "flags"))
		psd[3] = (uint8_t)(psd[3] | (number & 3));
	if (ca_span_is(name, "max_power_scale"))
		psd[3] = (uint8_t)(psd[3] | (number & 1));
	if (ca_span_is(name, "non-operational_state"))
		psd[3] = (uint8_t)(psd[3] | (number & 1) << 1);
	for (size_t i = 0; i < CA_ARRAY_LEN(parts); i++)
		if (ca_span_is(name, parts[i].name))
			put(psd + parts[i].offset, number, parts[i].bytes);
}

static void json_element(struct page *page, const struct ca_json_value *value)
{
	uint64_t number;

	if (!ca_span_number(value->text, false, &number))
		return;
	if (page->reg == CA_REGISTER_NVME_CTRL && ca_span_is(value->group, "psds") &&
	    value->index < PSD_COUNT) {
		json_power_state(page->data + PSD_OFFSET + value->index * PSD_BYTES, value->name,
				 number);
	} else if (page->reg == CA_REGISTER_NVME_NS && ca_span_is(value->group, "lbafs") &&
		   value->index < LBAF_COUNT) {
		uint8_t *lbaf = page->data + LBAF_OFFSET + 4 * value->index;

		if (ca_span_is(value->name, "ms"))
			put(lbaf, number, 2);
		else if (ca_span_is(value->name, "ds"))
			put(lbaf + 2, number, 1);
		else if (ca_span_is(value->name, "rp"))
			put(lbaf + 3, number & 3, 1);
	} else if (ca_span_is(value->name, "value")) { /* "critical_warning":{"value":0, ...} */
		set_named(page, value->group, value->text, true, true);
	}
}

static void json_value(void *context, const struct ca_json_value *value)
{
	struct page *page = context;
	struct ca_span name;

	if (page->smartctl) {
		name = ca_nvme_smartctl_member(page->reg, value);
		if (name.at) /* degrees Celsius, as in its text */
			set_named(page, name, value->text, false,
				  !value->string && !ca_span_is(name, "temperature"));
		return;
	}
	if (value->group.len)
		json_element(page, value);
	else
		set_named(page, value->name, value->text, true, !value->string);
}

/* ---- pages ---------------------------------------------------------------------------------- */

static bool has_field(const struct page *page, const char *name)
{
	for (size_t i = 0; i < page->field_count; i++)
		if (strcmp(page->fields[i].name, name) == 0)
			return page->seen[i];
	return false;
}

static bool is_whole(const struct page *page)
{
	if (page->reg == CA_REGISTER_NVME_CTRL) /* byte 263: the last power state */
		return has_field(page, "nn") && has_field(page, "vwc") &&
		       (page->json || page->power_states > page->data[263]);
	if (page->reg == CA_REGISTER_NVME_SMART)
		return has_field(page, "media_errors") && has_field(page, "num_err_log_entries");
	return page->reg != CA_REGISTER_NVME_NS ||
	       page->data[LBAF_OFFSET + 4 * ca_nvme_format_in_use(page->data) + 2];
}

bool ca_nvme_text_parse(enum ca_register reg, struct ca_span text, uint8_t *ret_page,
			bool *ret_whole)
{
	struct page page = {.reg = reg, .power_state = PSD_COUNT};
	struct ca_span trimmed = ca_span_trim(text, BLANKS);

	page.fields = ca_nvme_fields(reg, &page.field_count);
	page.json = trimmed.len && trimmed.at[0] == '{';
	page.smartctl = ca_nvme_smartctl_is_json(trimmed, reg);
	if (page.json)
		(void)ca_json_walk(trimmed, json_value, &page); /* what is there counts */
	else
		read_text(&page, text);
	for (size_t i = 0; i < page.field_count; i++)
		page.damaged |= page.fields[i].needed && !page.seen[i];
	if (page.damaged)
		return false;
	memcpy(ret_page, page.data, ca_register_bytes(reg));
	*ret_whole = is_whole(&page);
	return true;
}

unsigned int ca_nvme_text_begins(struct ca_span line)
{
	static const struct {
		const char *name;
		unsigned int kind;
	} first[] = {{"vid", CA_INPUT_NVME_CTRL},
		     {"nsze", CA_INPUT_NVME_NS},
		     {"critical_warning", CA_INPUT_NVME_SMART},
		     {"Critical Warning", CA_INPUT_NVME_SMART}};

	for (size_t i = 0; i < CA_ARRAY_LEN(first); i++) {
		struct ca_span value;
		size_t len = strlen(first[i].name);

		if (!ca_span_starts_with(line, first[i].name))
			continue;
		value = ca_span_trim((struct ca_span){line.at + len, line.len - len}, " \t");
		if (value.len < 2 || value.at[0] != ':')
			continue;
		value = ca_span_trim((struct ca_span){value.at + 1, value.len - 1}, " \t");
		if (value.len && isdigit((unsigned char)value.at[0]))
			return first[i].kind;
	}
	return CA_INPUT_NONE;
}

struct members {
	unsigned int controller, namespace, smart;
};

static void note_member(void *context, const struct ca_json_value *value)
{
	struct members *members = context;
	struct ca_span name = value->group.len ? value->group : value->name;

	members->controller |=
		(ca_span_is(name, "vid") ? 1U : 0) | (ca_span_is(name, "mn") ? 2 : 0);
	members->namespace |=
		(ca_span_is(name, "nsze") ? 1U : 0) | (ca_span_is(name, "ncap") ? 2 : 0);
	members->smart |= (ca_span_is(name, "critical_warning") ? 1U : 0) |
			  (ca_span_is(name, "percent_used") ? 2 : 0);
}

unsigned int ca_nvme_json_kind(struct ca_span object)
{
	struct members members = {0, 0, 0};

	(void)ca_json_walk(object, note_member, &members); /* walked before: it is whole */
	if (members.controller == 3)
		return CA_INPUT_NVME_CTRL;
	if (members.namespace == 3)
		return CA_INPUT_NVME_NS;
	return members.smart == 3 ? (unsigned int)CA_INPUT_NVME_SMART : (unsigned int)CA_INPUT_NONE;
}
