/* SPDX-License-Identifier: BSD-2-Clause */
/* The block that people paste into a complaint: sizes, the first bad sector, kinds of fault. */
#include "view.h"

#include <string.h>

const char *ca_view_kind_sentence(enum ca_capacity_kind kind, bool has_size)
{
	switch (kind) {
	case CA_CAPACITY_KIND_NONE:
		return "";
	case CA_CAPACITY_KIND_SOUND:
		return "Every sector held what was written to it.";
	case CA_CAPACITY_KIND_LIMBO:
		return has_size ? "Whatever is written past the real size is lost."
				: "Much of what is written is lost, from no one address on.";
	case CA_CAPACITY_KIND_WRAP:
		return "Addresses wrap round: data past the real size overwrites earlier data.";
	case CA_CAPACITY_KIND_CHAIN:
		return "Past the real size some data overwrites earlier data, the rest is lost.";
	case CA_CAPACITY_KIND_ERRORS:
		return "From one address on, the card answers with errors only.";
	case CA_CAPACITY_KIND_DAMAGED:
		return "Faults are scattered: a failing card, not one of a false size.";
	case CA_CAPACITY_KIND_REGIONS:
		return "Beginning and end hold data, what lies between is lost. A cache that still "
		       "held the end would look the same.";
	case CA_CAPACITY_KIND_ISLANDS:
		return "Good pieces lie scattered among lost ones: there is no one size.";
	case CA_CAPACITY_KIND_RING:
		return "Only what was written last is there, wherever it lies.";
	case CA_CAPACITY_KIND_THIN:
		return "It takes data at any address until its store is full, then refuses more: "
		       "there is less store than addresses.";
	case CA_CAPACITY_KIND_WRITE_PROTECTED:
		return "The card stopped taking writes, wherever they go. A worn-out card does so, "
		       "and so do some false ones.";
	case CA_CAPACITY_KIND_REPLAY:
		return "The card shows what an earlier test wrote, and drops what is written now.";
	case CA_CAPACITY_KIND_TRANSPORT:
		return "Reads differ from time to time: the way to the card, not its capacity.";
	case CA_CAPACITY_KIND_HOST_LIMIT:
		return "The good part ends exactly where the addresses of some readers end: "
		       "128 GiB or 2 TiB.";
	}
	return "";
}

static const char *certainty_sentence(const struct ca_capacity_evidence *capacity)
{
	switch (ca_capacity_certainty(capacity)) {
	case CA_CERTAINTY_NONE:
		return "";
	case CA_CERTAINTY_OPEN:
		return "open: another reader and a second run would settle it";
	case CA_CERTAINTY_LIKELY:
		return "likely: it fits, but other behaviours can look the same";
	case CA_CERTAINTY_SURE:
		return "sure: everything that was seen fits it";
	}
	return "";
}

static const char *end_sentence(const struct ca_capacity_evidence *capacity)
{
	switch (capacity->end) {
	case CA_FILL_NOT_RUN:
		return "Nothing was written: the capacity was not tested.";
	case CA_FILL_COMPLETE:
		return "Everything was written and read back.";
	case CA_FILL_PROOF:
		return "Stopped early: the fault is proved.";
	case CA_FILL_INTERRUPTED:
		return "Interrupted: only part of the card was tested.";
	case CA_FILL_LOST:
		return "The device went away during the test.";
	case CA_FILL_CHANGED:
		return "The device changed its size or identity during the test.";
	case CA_FILL_HOST_ERROR:
		return "The test could not go on: this computer failed, not the card.";
	}
	return "";
}

static const char *class_sentence(enum ca_sector_class class_of)
{
	switch (class_of) {
	case CA_SECTOR_GOOD:
		return "hold what was written";
	case CA_SECTOR_ZEROS:
		return "came back as zeros";
	case CA_SECTOR_ONES:
		return "came back as ones (FF)";
	case CA_SECTOR_ALIAS:
		return "hold what was written to another address";
	case CA_SECTOR_STALE:
		return "still hold older data: the write was lost";
	case CA_SECTOR_BITFLIP:
		return "differ in at most 7 bits";
	case CA_SECTOR_FOREIGN:
		return "hold another device's data: a fault of this computer or reader";
	case CA_SECTOR_NOISE:
		return "hold something else";
	case CA_SECTOR_UNREADABLE:
		return "could not be read";
	case CA_SECTOR_UNWRITABLE:
		return "could not be written";
	}
	return "";
}

static void pad_left(struct ca_text *text, const char *value, size_t width)
{
	size_t len = strlen(value);

	for (size_t i = len; i < width; i++)
		ca_text_add(text, " ");
	ca_text_add(text, value);
}

static void pad_right(struct ca_text *text, const char *value, size_t width)
{
	ca_text_add(text, value);
	for (size_t i = strlen(value); i < width; i++)
		ca_text_add(text, " ");
}

/* "  announced   63,864,569,856  63.9 GB (59.5 GiB)   124,735,488" */
static void size_row(struct ca_view *view, const char *label, uint64_t bytes)
{
	char row[128], cell[48];
	struct ca_text line, part;

	ca_text_init(&line, row, sizeof(row));
	ca_text_add(&line, "  ");
	pad_right(&line, label, 18);
	ca_text_init(&part, cell, sizeof(cell));
	ca_text_grouped(&part, bytes);
	pad_left(&line, cell, 17);
	ca_text_add(&line, "  ");
	ca_text_init(&part, cell, sizeof(cell));
	ca_text_size(&part, bytes);
	pad_right(&line, cell, 22);
	ca_text_init(&part, cell, sizeof(cell));
	ca_text_grouped(&part, bytes / CA_SECTOR_BYTES);
	pad_left(&line, cell, 16);
	ca_view_line(view, row, CA_STYLE_PLAIN, "", "");
}

static void sizes(struct ca_view *view, const struct ca_capacity_evidence *capacity)
{
	char row[96];
	struct ca_text line;

	ca_text_init(&line, row, sizeof(row));
	pad_left(&line, "bytes", 37);
	ca_text_add(&line, "  ");
	pad_right(&line, "size", 22);
	pad_left(&line, "sectors", 16);
	ca_view_line(view, row, CA_STYLE_PLAIN, "", "");
	size_row(view, "announced", capacity->announced_bytes);
	size_row(view, "written", capacity->written_bytes);
	size_row(view, "read back", capacity->verified_bytes);
	size_row(view, "good", capacity->good_bytes);
	size_row(view, "longest good run", capacity->longest_good_run_bytes);
	if (capacity->has_real_capacity)
		size_row(view, "real capacity", capacity->real_capacity_bytes);
	else if (capacity->has_first_bad)
		ca_view_pair(view, "real capacity", "none: this kind of fault has no size");
	else
		ca_view_pair(view, "real capacity", "not determined");
}

static void first_bad(struct ca_view *view, const struct ca_capacity_evidence *capacity)
{
	char line[96];
	struct ca_text text;

	if (!capacity->has_first_bad)
		return;
	ca_text_init(&text, line, sizeof(line));
	ca_text_add(&text, "at byte 0x");
	ca_text_hex(&text, capacity->first_bad_offset, 16);
	ca_text_add(&text, ", sector ");
	ca_text_grouped(&text, capacity->first_bad_offset / CA_SECTOR_BYTES);
	ca_view_blank(view);
	ca_view_pair(view, "first error", line);
	ca_view_sample(view, "expected", capacity->expected);
	ca_view_sample(view, "found", capacity->found);
}

static void classes(struct ca_view *view, const struct ca_capacity_evidence *capacity)
{
	char line[128], count[32];
	struct ca_text text, number;

	ca_view_blank(view);
	for (unsigned int i = 0; i < CA_SECTOR_CLASS_COUNT; i++) {
		enum ca_sector_class class_of = (enum ca_sector_class)i;

		if (!capacity->classes[i])
			continue;
		ca_text_init(&number, count, sizeof(count));
		ca_text_grouped(&number, capacity->classes[i]);
		ca_text_init(&text, line, sizeof(line));
		ca_text_add(&text, count);
		ca_text_add(&text, " sectors ");
		ca_text_add(&text, class_sentence(class_of));
		ca_view_pair(view, ca_sector_class_name(class_of), line);
	}
	if (capacity->unstable_sectors) {
		ca_text_init(&text, line, sizeof(line));
		ca_text_grouped(&text, capacity->unstable_sectors);
		ca_text_add(&text, " sectors differed between two reads: suspect the reader, the "
				   "contacts or the cable first");
		ca_view_pair(view, "unstable", line);
	}
}

/* bytes / ns in B/s; whole milliseconds keep the product within 64 bits up to 18 PB */
static uint64_t rate_of(uint64_t bytes, uint64_t ns)
{
	uint64_t ms = ns / 1000000;

	if (!ms || bytes > UINT64_MAX / 1000)
		return 0;
	return bytes * 1000 / ms;
}

static void pace(struct ca_view *view, const char *label, uint64_t bytes, uint64_t ns)
{
	char line[96];
	struct ca_text text;

	if (!rate_of(bytes, ns))
		return;
	ca_text_init(&text, line, sizeof(line));
	ca_text_rate(&text, rate_of(bytes, ns));
	ca_text_add(&text, ", ");
	ca_view_duration(&text, ns);
	ca_view_pair(view, label, line);
}

static void rate_cliff(struct ca_view *view, const struct ca_capacity_evidence *capacity)
{
	char line[192];
	struct ca_text text;

	ca_text_init(&text, line, sizeof(line));
	ca_text_rate(&text, capacity->cliff_before_bytes_per_second);
	ca_text_add(&text, " before the first ");
	ca_text_size(&text, capacity->cliff_offset);
	ca_text_add(&text, " were written, ");
	ca_text_rate(&text, capacity->cliff_after_bytes_per_second);
	ca_text_add(&text, " behind them: many sound cards take the first part faster");
	ca_view_pair(view, "slower from", line);
}

/* The end reads good in the map, and is not. */
static void memory(struct ca_view *view, const struct ca_capacity_evidence *capacity)
{
	char line[192];
	struct ca_text text;

	ca_text_init(&text, line, sizeof(line));
	ca_text_add(&text, "the last ");
	ca_text_size(&text, capacity->memory_bytes);
	ca_text_add(&text, " came back right at first, and were lost once other data had been "
			   "written: memory held them");
	ca_view_pair(view, "only in memory", line);
}

static void aliases(struct ca_view *view, const struct ca_capacity_evidence *capacity)
{
	char line[160];
	struct ca_text text;
	unsigned int shown = view->all || capacity->alias_count < 4 ? capacity->alias_count : 3;

	for (unsigned int i = 0; i < shown; i++) {
		int64_t delta = capacity->alias[i].delta;
		uint64_t sectors = delta < 0 ? 0 - (uint64_t)delta : (uint64_t)delta;

		ca_text_init(&text, line, sizeof(line));
		ca_text_grouped(&text, capacity->alias[i].sectors);
		ca_text_add(&text, " sectors hold data meant for ");
		ca_text_grouped(&text, sectors);
		ca_text_add(&text, delta < 0 ? " sectors lower, " : " sectors higher, ");
		ca_text_size(&text, sectors > UINT64_MAX / CA_SECTOR_BYTES
					    ? UINT64_MAX
					    : sectors * CA_SECTOR_BYTES);
		ca_view_pair(view, i ? "" : "alias distance", line);
	}
}

static const char *reinit_sentence(enum ca_reinit_kind kind)
{
	switch (kind) {
	case CA_REINIT_NONE:
		return " of other data at least; the power stayed on";
	case CA_REINIT_HOST:
		return " of other data at least, and the host took the card anew; the power stayed "
		       "on";
	case CA_REINIT_POWER:
		return " of other data at least, and the power was cut";
	case CA_REINIT_REPLUG:
		return " of other data at least, and the card was taken out and put back";
	}
	return "";
}

void ca_view_capacity(struct ca_view *view, const struct ca_capacity_evidence *capacity)
{
	const char *kind = ca_view_kind_sentence(capacity->kind, capacity->has_real_capacity);
	char line[128];
	struct ca_text text;

	ca_view_heading(view, "Capacity");
	if (capacity->end == CA_FILL_NOT_RUN && !capacity->written_bytes &&
	    !capacity->verified_bytes) {
		ca_view_lead(view, 2, CA_STYLE_PLAIN, "", 2, end_sentence(capacity));
		return;
	}
	sizes(view, capacity);
	first_bad(view, capacity);
	classes(view, capacity);
	aliases(view, capacity);
	if (capacity->memory_bytes)
		memory(view, capacity);
	ca_view_blank(view);
	ca_view_pair(view, "kind", kind[0] ? kind : "Nothing wrong was seen so far.");
	if (certainty_sentence(capacity)[0])
		ca_view_pair(view, "how sure", certainty_sentence(capacity));
	ca_view_pair(view, "test", end_sentence(capacity));
	if (capacity->lost_because[0])
		ca_view_pair(view, "the kernel said", capacity->lost_because);
	pace(view, "written at", capacity->written_bytes, capacity->write_ns);
	if (capacity->has_rate_cliff)
		rate_cliff(view, capacity);
	pace(view, "read back at", capacity->verified_bytes, capacity->read_ns);
	ca_text_init(&text, line, sizeof(line));
	ca_text_size(&text, capacity->cache_overrun_bytes);
	ca_text_add(&text, reinit_sentence(capacity->reinit));
	ca_view_pair(view, "before reading", line);
}
