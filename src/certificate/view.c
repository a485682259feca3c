/* SPDX-License-Identifier: BSD-2-Clause */
#include "view.h"
#include "text_clean.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define PAIR_COLUMN 20U

int ca_view_begin(struct ca_view *view, const struct ca_view_options *options)
{
	unsigned int columns = options && options->columns ? options->columns : 80;

	*view = (struct ca_view){
		.columns = columns < 60 ? 60 : columns,
		.colour = options && options->colour,
		.all = options && options->all,
	};
	view->file = open_memstream(&view->text, &view->bytes);
	return view->file ? 0 : -ENOMEM;
}

int ca_view_finish(struct ca_view *view, char **ret_text)
{
	bool failed = ferror(view->file) != 0;

	if (fclose(view->file) != 0)
		failed = true;
	if (failed) {
		free(view->text);
		return -ENOMEM;
	}
	*ret_text = view->text;
	return 0;
}

static const char *colour_on(enum ca_view_style style)
{
	switch (style) {
	case CA_STYLE_PLAIN:
		return "";
	case CA_STYLE_BOLD:
		return "\033[1m";
	case CA_STYLE_GOOD:
		return "\033[1;32m";
	case CA_STYLE_BAD:
		return "\033[1;31m";
	case CA_STYLE_DOUBT:
		return "\033[1;33m";
	}
	return "";
}

/* A stream error is kept by the stream and found in ca_view_finish. */
static void put(struct ca_view *view, const char *text, size_t len)
{
	(void)fwrite(text, 1, len, view->file);
}

static void put_spaces(struct ca_view *view, unsigned int count)
{
	while (count-- > 0)
		put(view, " ", 1);
}

static void put_styled(struct ca_view *view, enum ca_view_style style, const char *text)
{
	bool coloured = view->colour && style != CA_STYLE_PLAIN && *text;

	if (coloured)
		put(view, colour_on(style), strlen(colour_on(style)));
	put(view, text, strlen(text));
	if (coloured)
		put(view, "\033[0m", 4);
}

static unsigned int width_of(const char *text, size_t len)
{
	unsigned int width = 0;

	for (size_t i = 0; i < len; i++)
		width += ((unsigned char)text[i] & 0xc0) != 0x80;
	return width;
}

/* Bytes of the longest start of `text` that fits into `room` columns; at least one character. */
static size_t bytes_that_fit(const char *text, size_t len, unsigned int room)
{
	size_t at = 0;

	while (at < len && (room > 0 || at == 0)) {
		at += ca_text_character_bytes(text + at);
		room -= room > 0;
	}
	return at;
}

/* Writes words from `column` on; a word longer than a line is broken. */
static void put_wrapped(struct ca_view *view, const char *text, unsigned int column,
			unsigned int hang)
{
	unsigned int line_start = column;
	bool first = true;

	while (*text) {
		size_t len = strcspn(text, " ");
		unsigned int width = width_of(text, len), gap = first ? 0 : 1;

		if (!len) {
			text++;
			continue;
		}
		if (column + gap + width > view->columns && (!first || line_start > hang)) {
			put(view, "\n", 1);
			put_spaces(view, hang);
			column = line_start = hang;
			gap = 0;
		}
		if (gap)
			put(view, " ", 1);
		column += gap;
		len = bytes_that_fit(text, len, view->columns - column);
		put(view, text, len);
		column += width_of(text, len);
		text += len;
		/* what is left of a broken word goes to the next line */
		first = false;
	}
	put(view, "\n", 1);
}

static char *cleaned(const char *text)
{
	char *copy = strdup(text);

	if (copy)
		(void)ca_text_clean(copy); /* its length is not needed */
	return copy;
}

void ca_view_lead(struct ca_view *view, unsigned int indent, enum ca_view_style style,
		  const char *lead, unsigned int hang, const char *text)
{
	CA_CLEANUP_FREE char *clean_lead = cleaned(lead);
	CA_CLEANUP_FREE char *clean_text = cleaned(text);
	unsigned int column = indent;

	if (!clean_lead || !clean_text)
		return;
	put_spaces(view, indent);
	column += width_of(clean_lead, strlen(clean_lead));
	if (column > view->columns) {
		/* no honest lead is that long: it is wrapped too, without its style */
		put_wrapped(view, clean_lead, indent, hang);
		put_spaces(view, hang);
		put_wrapped(view, clean_text, hang, hang);
		return;
	}
	put_styled(view, style, clean_lead);
	if (*clean_text && *clean_lead) {
		unsigned int pad = column < hang ? hang - column : 1;

		put_spaces(view, pad);
		column += pad;
	}
	put_wrapped(view, clean_text, column, hang);
}

void ca_view_pair(struct ca_view *view, const char *label, const char *text)
{
	ca_view_lead(view, 2, CA_STYLE_PLAIN, label, PAIR_COLUMN, text);
}

struct ca_text *ca_view_start(struct ca_view_words *words)
{
	ca_text_init(&words->text, words->buf, sizeof(words->buf));
	return &words->text;
}

void ca_view_sample(struct ca_view *view, const char *label, const uint8_t bytes[32])
{
	char line[2 * 32 + 1];

	ca_hex_encode(bytes, 32, line);
	ca_view_lead(view, 2, CA_STYLE_PLAIN, label, 12, line);
}

void ca_view_count(struct ca_view *view, const char *label, uint64_t value, const char *unit)
{
	struct ca_view_words words;
	struct ca_text *text = ca_view_start(&words);

	ca_text_grouped(text, value);
	ca_text_add(text, unit);
	ca_view_pair(view, label, words.buf);
}

void ca_view_blank(struct ca_view *view)
{
	put(view, "\n", 1);
}

void ca_view_heading(struct ca_view *view, const char *title)
{
	ca_view_blank(view);
	ca_view_lead(view, 0, CA_STYLE_BOLD, title, 0, "");
}

void ca_view_line(struct ca_view *view, const char *before, enum ca_view_style style,
		  const char *word, const char *after)
{
	CA_CLEANUP_FREE char *clean_before = cleaned(before);
	CA_CLEANUP_FREE char *clean_word = cleaned(word);
	CA_CLEANUP_FREE char *clean_after = cleaned(after);

	if (!clean_before || !clean_word || !clean_after)
		return;
	put(view, clean_before, strlen(clean_before));
	put_styled(view, style, clean_word);
	put(view, clean_after, strlen(clean_after));
	put(view, "\n", 1);
}

enum ca_view_style ca_view_verdict_style(enum ca_verdict verdict)
{
	switch (verdict) {
	case CA_VERDICT_PASS:
		return CA_STYLE_GOOD;
	case CA_VERDICT_FAIL:
		return CA_STYLE_BAD;
	case CA_VERDICT_SCREENED:
	case CA_VERDICT_INCONCLUSIVE:
	case CA_VERDICT_WARNING:
		return CA_STYLE_DOUBT;
	case CA_VERDICT_UNTESTED:
	case CA_VERDICT_NOTE:
		break;
	}
	return CA_STYLE_PLAIN;
}

void ca_view_binary(struct ca_text *text, uint64_t bytes)
{
	static const char *const units[] = {" bytes", " KiB", " MiB", " GiB", " TiB"};
	size_t unit = 0;

	while (bytes && bytes % 1024 == 0 && unit + 1 < CA_ARRAY_LEN(units)) {
		bytes /= 1024;
		unit++;
	}
	ca_text_grouped(text, bytes);
	ca_text_add(text, units[unit]);
}

void ca_view_duration(struct ca_text *text, uint64_t ns)
{
	uint64_t seconds = ns / CA_NS_PER_SECOND;

	if (seconds >= 60) {
		ca_text_u64(text, seconds / 60);
		ca_text_add(text, " min ");
		ca_text_u64(text, seconds % 60);
		ca_text_add(text, " s");
	} else if (seconds >= 1) {
		ca_text_fixed(text, ns, CA_NS_PER_SECOND, 1);
		ca_text_add(text, " s");
	} else {
		ca_text_fixed(text, ns, 1000000, ns < 100000000 ? 2 : 0);
		ca_text_add(text, " ms");
	}
}
