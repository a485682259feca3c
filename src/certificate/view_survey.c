/* SPDX-License-Identifier: BSD-2-Clause */
#include "view.h"

#define STRIP_BYTES (CA_SURVEY_POINTS_MAX + 1)

/* Below ten operations a second the tenths matter. */
static void add_iops(struct ca_text *text, uint64_t milliiops)
{
	if (milliiops < 10000)
		ca_text_fixed(text, milliiops, 1000, 1);
	else
		ca_text_grouped(text, (milliiops + 500) / 1000);
	ca_text_add(text, " IOPS");
}

static void add_spread(struct ca_text *text, const struct ca_survey_cell *cell)
{
	uint64_t least = UINT64_MAX, most = 0;

	for (unsigned int i = 0; i < cell->run_count; i++) {
		least = cell->rates[i] < least ? cell->rates[i] : least;
		most = cell->rates[i] > most ? cell->rates[i] : most;
	}
	ca_text_add(text, "; ");
	ca_text_u64(text, cell->run_count);
	ca_text_add(text, cell->run_count == 1 ? " run" : " runs, ");
	if (cell->run_count < 2)
		return;
	ca_text_rate(text, least);
	ca_text_add(text, " to ");
	ca_text_rate(text, most);
}

static void add_within(struct ca_text *text, const char *share, uint64_t ns)
{
	ca_text_add(text, share);
	ca_view_duration(text, ns);
}

/* Shares of all operations; what is less than a tenth of a percent is told by the longest. */
static void histogram(struct ca_view *view, const struct ca_survey_cell *cell)
{
	char line[1200];
	struct ca_text text;
	uint64_t sum = 0;

	for (unsigned int i = 0; i < CA_LATENCY_OCTAVES; i++)
		sum += cell->octaves[i];
	ca_text_init(&text, line, sizeof(line));
	for (unsigned int i = 0; i + 1 < CA_LATENCY_OCTAVES && sum; i++) {
		uint64_t permille = cell->octaves[i] / sum * 1000 +
				    (cell->octaves[i] % sum * 1000 + sum / 2) / sum;

		if (!permille)
			continue;
		if (text.len)
			ca_text_add(&text, ", ");
		ca_text_fixed(&text, permille, 10, 1);
		add_within(&text, " % ", UINT64_C(1) << i);
		add_within(&text, " to ", UINT64_C(2) << i);
	}
	ca_view_pair(view, "  took", line);
}

static void cell_row(struct ca_view *view, const struct ca_survey_cell *cell)
{
	char label[32], line[400];
	struct ca_text text;

	ca_text_init(&text, label, sizeof(label));
	ca_view_binary(&text, cell->block_bytes);
	ca_text_init(&text, line, sizeof(line));
	ca_text_rate(&text, cell->bytes_per_second);
	ca_text_add(&text, ", ");
	add_iops(&text, cell->milliiops);
	add_spread(&text, cell);
	add_within(&text, "; half within ", cell->latency.p50_ns);
	add_within(&text, ", 99 % within ", cell->latency.p99_ns);
	add_within(&text, ", 99.9 % within ", cell->latency.p999_ns);
	add_within(&text, ", longest ", cell->latency.max_ns);
	if (cell->errors) {
		ca_text_add(&text, "; ");
		ca_text_grouped(&text, cell->errors);
		ca_text_add(&text, " errors");
	}
	ca_view_pair(view, label, line);
	if (view->all)
		histogram(view, cell);
}

static const char *kind_title(const struct ca_survey_cell *cell)
{
	if (cell->random)
		return cell->write ? "Random write" : "Random read";
	return cell->write ? "Write" : "Read";
}

static void matrix(struct ca_view *view, const struct ca_survey_evidence *survey)
{
	struct ca_view_words line;
	struct ca_text *text = ca_view_start(&line);

	ca_view_heading(view, "Matrix (mean of the runs; MB/s are 10^6 bytes a second)");
	ca_view_binary(text, survey->range_bytes);
	ca_text_add(text, " at the beginning, written first, past the page cache");
	ca_view_pair(view, "range", line.buf);
	text = ca_view_start(&line);
	ca_text_u64(text, survey->cells[0].queue_depth);
	ca_view_pair(view, "queue depth", line.buf);
	for (unsigned int i = 0; i < survey->cell_count; i++) {
		const struct ca_survey_cell *cell = &survey->cells[i];

		if (i == 0 || cell[-1].write != cell->write || cell[-1].random != cell->random)
			ca_view_heading(view, kind_title(cell));
		cell_row(view, cell);
	}
}

/* Of a card the host decides when it finds it; there is nothing to be switched in between. */
static void command_queue(struct ca_view *view, const struct ca_evidence *evidence)
{
	enum ca_tristate runs = evidence->speed.command_queue_on;

	if (evidence->device.media != CA_MEDIA_SD)
		return;
	ca_view_blank(view);
	ca_view_pair(view, "command queue",
		     runs == CA_YES  ? "It runs. Off beside it was not measured: "
				       "Linux has no switch for it while a card is in its slot. "
				       "Start the host without it (Raspberry Pi 5: "
				       "dtparam=sd_cqe=0) and measure again."
		     : runs == CA_NO ? "It does not run. On beside it was not measured: Linux has "
				       "no switch for it while a card is in its slot. Where host "
				       "and card can, start the host with it (Raspberry Pi 5: "
				       "dtparam=sd_cqe=1) and measure again."
				     : "Not known whether it runs, and Linux has no switch for it "
				       "while a card is in its slot: on against off was not "
				       "measured.");
}

/* A digit a place: tenths of the fastest, rounded down; "x" where it failed. */
static uint64_t make_strip(const struct ca_survey_line *line, char strip[STRIP_BYTES],
			   uint64_t *ret_least)
{
	uint64_t most = 0, least = UINT64_MAX;

	for (unsigned int i = 0; i < line->point_count; i++) {
		most = line->rates[i] > most ? line->rates[i] : most;
		if (line->rates[i] && line->rates[i] < least)
			least = line->rates[i];
	}
	for (unsigned int i = 0; i < line->point_count; i++) {
		uint64_t unit = most / 10 + 1;
		uint64_t tenths = line->rates[i] / unit;

		strip[i] = line->rates[i] ? (char)('0' + (tenths < 9 ? tenths : 9)) : 'x';
	}
	strip[line->point_count] = '\0';
	*ret_least = least;
	return most;
}

static void addresses(struct ca_view *view, const struct ca_survey_line *line)
{
	struct ca_view_words words;
	struct ca_text *text = ca_view_start(&words);
	char strip[STRIP_BYTES];
	uint64_t least, most = make_strip(line, strip, &least);

	ca_text_u64(text, line->point_count);
	ca_text_add(text, " places of ");
	ca_view_binary(text, line->sample_bytes);
	if (most) {
		ca_text_add(text, ", ");
		ca_text_rate(text, least);
		ca_text_add(text, " to ");
		ca_text_rate(text, most);
	}
	ca_view_pair(view, line->write ? "written" : "read", words.buf);
	ca_view_line(view, "  ", CA_STYLE_PLAIN, strip, "");
}

/* Why it differs from ours, of what it does, not of how it came out. */
static const char *like_why(enum ca_like_part part)
{
	switch (part) {
	case CA_LIKE_HDPARM_CACHED:
		return "It reads the same 2 MiB from the memory of this computer again and again: "
		       "this says how fast the memory is, and nothing of the device.";
	case CA_LIKE_HDPARM_BUFFERED:
		return "It reads through the page cache, for which the kernel reads ahead: more "
		       "than one request is on its way, in the sizes that suit the kernel. It is "
		       "three seconds at the very beginning of the device.";
	case CA_LIKE_DD_WRITE:
		return "Its time ends when the data are in the memory of this computer, however "
		       "few of them are on the device; with conv=fsync it would wait for them.";
	case CA_LIKE_DD_READ:
		return "It reads back what it has just written, from the memory of this computer "
		       "as far as that holds it: this can be many times what the slot can carry. "
		       "With iflag=direct it would ask the device.";
	case CA_LIKE_IOZONE_WRITE:
	case CA_LIKE_IOZONE_REWRITE:
	case CA_LIKE_IOZONE_RANDOM_WRITE:
		return "It goes past the page cache as ours does; its time holds the flush at the "
		       "end, and it ends when its file is done, not after a time.";
	case CA_LIKE_IOZONE_RANDOM_READ:
		return "It does what ours does; it ends when its file is done, not after a time.";
	case CA_LIKE_SDTEST_WRITE:
	case CA_LIKE_SDTEST_RANDOM_WRITE:
	case CA_LIKE_SDTEST_RANDOM_READ:
		return "It keeps four requests on their way where ours waits for each, and stays "
		       "within 64 MiB, which a card's own cache may favour. The rule of A1 asks "
		       "for ten minutes, one request at a time, within 256 MiB.";
	}
	return "";
}

static void like_row(struct ca_view *view, const struct ca_survey_like *like)
{
	char line[500];
	struct ca_text text;

	ca_text_init(&text, line, sizeof(line));
	ca_text_rate(&text, like->bytes_per_second);
	ca_text_add(&text, ", ");
	add_iops(&text,
		 like->bytes_per_second / like->block_bytes * 1000 +
			 like->bytes_per_second % like->block_bytes * 1000 / like->block_bytes);
	ca_text_add(&text, " (");
	ca_text_gb(&text, like->total_bytes);
	add_within(&text, " in ", like->duration_ns);
	ca_text_add(&text, like->page_cache ? ", through the page cache)" : ")");
	ca_text_add(&text, "; our figure: ");
	if (like->own_bytes_per_second) {
		ca_text_rate(&text, like->own_bytes_per_second);
		ca_text_add(&text, ", ");
		add_iops(&text, like->own_bytes_per_second / like->block_bytes * 1000 +
					like->own_bytes_per_second % like->block_bytes * 1000 /
						like->block_bytes);
	} else {
		ca_text_add(&text, "not measured");
	}
	if (like->errors) {
		ca_text_add(&text, "; ");
		ca_text_grouped(&text, like->errors);
		ca_text_add(&text, " errors");
	}
	ca_view_pair(view, ca_like_part_name(like->part), line);
	ca_view_pair(view, "  why", like_why(like->part));
}

static void likes(struct ca_view *view, const struct ca_survey_evidence *survey)
{
	ca_view_heading(view, "As other tools measure, beside our figure for the same access");
	for (unsigned int i = 0; i < survey->like_count; i++)
		like_row(view, &survey->likes[i]);
	ca_view_pair(view, "units",
		     "MB/s are 10^6 bytes a second, as dd prints them; hdparm and iozone count in "
		     "2^20 and 2^10 bytes, and print 4.6 or 2.3 % less for the same rate. Ours: "
		     "past the page cache, one request at a time, three seconds.");
}

void ca_view_survey(struct ca_view *view, const struct ca_evidence *evidence)
{
	const struct ca_survey_evidence *survey = &evidence->survey;

	if (survey->cell_count) {
		matrix(view, survey);
		command_queue(view, evidence);
	}
	if (survey->line_count)
		ca_view_heading(view, "Over the addresses (each digit: tenths of the fastest)");
	for (unsigned int i = 0; i < survey->line_count; i++)
		addresses(view, &survey->lines[i]);
	if (survey->like_count)
		likes(view, survey);
	if (survey->interrupted)
		ca_view_pair(view, "interrupted", "the rest was not measured");
}
