/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Lines of dmesg beside the registers of a card. They are taken only where they fit: the host and
 * address of its directory, or the name and disk that the kernel gave the card.
 */
#include "host_facts.h"
#include "input.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* The place of a card as the kernel writes it: "mmc0" and "aaaa". */
struct place {
	char host[CA_NAME_BYTES], disk[CA_NAME_BYTES], address[8];
};

/* "[    1.869449] ", "<6>[ 1.8 ] ", "Mar  3 12:00:00 pi kernel: ", "6,339,5140900,-;" */
static struct ca_span without_prefix(struct ca_span line)
{
	struct ca_span start = {line.at, line.len < 100 ? line.len : 100};
	struct ca_span behind = ca_span_behind(start, "kernel: ");

	if (!behind.at && line.len && isdigit((unsigned char)line.at[0]))
		behind = ca_span_behind(start, ",-;");
	if (behind.at)
		line = (struct ca_span){behind.at, line.len - (size_t)(behind.at - line.at)};
	if (line.len > 3 && line.at[0] == '<' && isdigit((unsigned char)line.at[1]))
		line = (struct ca_span){line.at + 3, line.len - 3};
	/* the time, and in newer kernels the thread: "[   16.425317] [     T72] " */
	for (unsigned int i = 0; i < 2 && line.len && line.at[0] == '['; i++) {
		const char *end = memchr(line.at, ']', line.len);

		if (end)
			line = ca_span_trim(
				(struct ca_span){end + 1, line.len - (size_t)(end + 1 - line.at)},
				" ");
	}
	return line;
}

/* Letters and digits of "mmc0", "mmcblk1"; 0 when it is none of them. */
static size_t name_len(struct ca_span text)
{
	size_t prefix = ca_span_starts_with(text, "mmcblk") ? 6 : 3, len = prefix;

	if (!ca_span_starts_with(text, "mmc"))
		return 0;
	while (len < text.len && isdigit((unsigned char)text.at[len]))
		len++;
	return len > prefix ? len : 0;
}

struct ca_span ca_input_log_line(struct ca_span line)
{
	struct ca_span text;
	size_t len;

	if (!memmem(line.at, line.len, "mmc", 3))
		return (struct ca_span){NULL, 0};
	text = without_prefix(line);
	len = name_len(text);
	if (len && text.len > len + 2 && memcmp(text.at + len, ": ", 2) == 0)
		return text;
	if (ca_span_behind(text, "I/O error").at && ca_span_behind(text, " mmcblk").at)
		return text;
	return (struct ca_span){NULL, 0};
}

static void copy(char *ret, size_t size, struct ca_span from)
{
	struct ca_text text;

	ca_text_init(&text, ret, size);
	ca_text_add_len(&text, from.at, from.len);
}

/* "mmc0:aaaa" at the beginning of text; what follows it. .at NULL: none. */
static struct ca_span take_place(struct ca_span text, struct place *place)
{
	size_t len = name_len(text), digits = 0;

	if (!len || ca_span_starts_with(text, "mmcblk") || text.len < len + 5 ||
	    text.at[len] != ':')
		return (struct ca_span){NULL, 0};
	while (digits < 4 && isxdigit((unsigned char)text.at[len + 1 + digits]))
		digits++;
	if (digits < 4)
		return (struct ca_span){NULL, 0};
	copy(place->host, sizeof(place->host), (struct ca_span){text.at, len});
	copy(place->address, sizeof(place->address), (struct ca_span){text.at + len + 1, 4});
	return (struct ca_span){text.at + len + 5, text.len - len - 5};
}

/* The product name of the CID, without what pads it. */
static struct ca_span product_name(const struct ca_raw_registers *registers)
{
	struct ca_span name = {(const char *)registers->cid + 3,
			       registers->type == CA_CARD_TYPE_MMC ? 6 : 5};

	name.len = strnlen(name.at, name.len);
	return ca_span_trim(name, " ");
}

/*
 * "mmcblk0: mmc0:544c USD00 117 GiB": where the card with this name is. False when the line is
 * another one, or another card's.
 */
static bool parse_disk_line(struct ca_span line, struct ca_span name, struct place *place)
{
	size_t len = name_len(line);
	struct place found = {"", "", ""};
	struct ca_span behind;

	if (!len || !ca_span_starts_with(line, "mmcblk") || line.len < len + 2)
		return false;
	behind = take_place((struct ca_span){line.at + len + 2, line.len - len - 2}, &found);
	if (!behind.at)
		return false;
	behind = ca_span_trim(behind, " ");
	if (behind.len <= name.len || memcmp(behind.at, name.at, name.len) != 0 ||
	    behind.at[name.len] != ' ')
		return false;
	copy(found.disk, sizeof(found.disk), (struct ca_span){line.at, len});
	*place = found;
	return true;
}

/* Where the directory or the disk's name says the card is; the rest is to be found. */
static void place_of_key(struct ca_span key, struct place *place)
{
	const char *slash = key.len ? memrchr(key.at, '/', key.len) : NULL;

	if (slash)
		key = (struct ca_span){slash + 1, key.len - (size_t)(slash + 1 - key.at)};
	if (ca_span_starts_with(key, "mmcblk") && name_len(key) == key.len)
		copy(place->disk, sizeof(place->disk), key);
	else
		(void)take_place(key, place); /* else unknown */
}

static bool agrees(const char *known, const char *found)
{
	return !known[0] || strcmp(known, found) == 0;
}

/* The only line about a disk that fits what is known; false when there is none or several. */
static bool find_disk_line(const struct ca_input *lines, size_t count, struct ca_span name,
			   struct place *place)
{
	struct place found = {"", "", ""}, line;
	unsigned int hits = 0;

	for (size_t i = 0; i < count; i++) {
		if (!parse_disk_line(lines[i].value, name, &line) ||
		    !agrees(place->host, line.host) || !agrees(place->address, line.address) ||
		    !agrees(place->disk, line.disk))
			continue;
		hits += hits == 0 || strcmp(found.host, line.host) != 0 ||
			strcmp(found.address, line.address) != 0;
		found = line;
	}
	if (hits == 1)
		*place = found;
	return hits == 1;
}

/* The only host that took a card. */
static bool find_host(const struct ca_input *lines, size_t count, struct place *place)
{
	for (size_t i = 0; i < count; i++) {
		struct ca_span line = lines[i].value;
		char host[CA_NAME_BYTES];

		if (!ca_span_behind(line, ": new ").at || !ca_span_behind(line, " at address ").at)
			continue;
		copy(host, sizeof(host), (struct ca_span){line.at, name_len(line)});
		if (place->host[0] && strcmp(place->host, host) != 0)
			return false;
		(void)ca_string_copy(place->host, sizeof(place->host), host); /* as long as it */
	}
	return place->host[0] != '\0';
}

/* The kernel's words in those that debugfs has for the timing (drivers/mmc/core/bus.c, debugfs.c);
 * NULL when they tell none. */
static const char *timing_of(const char *line)
{
	static const struct {
		const char *word, *timing;
	} words[] = {{" SDR104 ", "sd uhs SDR104"},
		     {" SDR50 ", "sd uhs SDR50"},
		     {" DDR50 ", "sd uhs DDR50"},
		     {" SDR25 ", "sd uhs SDR25"},
		     {" SDR12 ", "sd uhs SDR12"},
		     {" Enhanced strobe ", "mmc HS400 enhanced strobe"},
		     {" HS400 ", "mmc HS400"},
		     {" HS200 ", "mmc HS200"},
		     {" DDR MMC ", "mmc DDR52"},
		     {"new high speed MMC ", "mmc high-speed"},
		     {"new high speed SD", "sd high-speed"},
		     {"new SD", "legacy"},
		     {"new MMC ", "legacy"}};

	for (size_t i = 0; i < CA_ARRAY_LEN(words); i++)
		if (strstr(line, words[i].word))
			return words[i].timing;
	return NULL;
}

static void feed(struct ca_kernel_log *log, const struct ca_input *line)
{
	char record[512];
	int len = snprintf(record, sizeof(record), "6,%u,0,-;%.*s", line->number,
			   (int)(line->value.len < 400 ? line->value.len : 400), line->value.at);

	if (len > 0)
		ca_kernel_log_line(log, record, (size_t)len);
}

static void set_facts(const struct ca_kernel_log *log, struct ca_fact *facts)
{
	struct ca_fact *queue = &facts[CA_HOST_COMMAND_QUEUE];
	const char *timing = timing_of(log->card);

	if (log->has_card && !facts[CA_HOST_LOG_CARD].present)
		ca_host_fact_set(&facts[CA_HOST_LOG_CARD], (int64_t)log->card_sequence, "%s",
				 log->card);
	if (log->has_card && timing && !facts[CA_HOST_BUS_TIMING].present)
		ca_host_fact_set(&facts[CA_HOST_BUS_TIMING], 0, "%s", timing);
	if (log->queue == CA_KERNEL_LOG_QUEUE_CARD && !queue->present)
		ca_host_fact_set(queue, 1, "%s (kernel log)", log->queue_text);
	else if (log->queue == CA_KERNEL_LOG_QUEUE_HOST && !queue->present)
		ca_host_fact_set(queue, 0, "only the host's own: %s (kernel log)", log->queue_text);
	if (log->errors && log->errors <= INT64_MAX && !facts[CA_HOST_LOG_ERRORS].present)
		ca_host_fact_set(&facts[CA_HOST_LOG_ERRORS], (int64_t)log->errors, "%s",
				 log->error);
}

void ca_input_log_apply(const struct ca_input *lines, size_t count, struct ca_span key, bool only,
			struct ca_evidence *card)
{
	struct ca_kernel_log log = {.forget_until = UINT64_MAX};
	struct place place = {"", "", ""};
	const char *address;

	if (!count || !card->registers.has[CA_REGISTER_CID])
		return;
	place_of_key(key, &place);
	if (!find_disk_line(lines, count, product_name(&card->registers), &place) &&
	    !(place.host[0] && place.address[0]) &&
	    !(only && !place.disk[0] && find_host(lines, count, &place)))
		return;
	(void)ca_string_copy(log.host, sizeof(log.host), place.host); /* of the same length */
	(void)ca_string_copy(log.disk, sizeof(log.disk), place.disk);
	for (size_t i = 0; i < count; i++)
		feed(&log, &lines[i]);
	address = strstr(log.card, " at address ");
	/* the last card of the host is another one */
	if (address && place.address[0] && strcmp(address + 12, place.address) != 0)
		return;
	set_facts(&log, card->host);
}
