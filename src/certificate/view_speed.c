/* SPDX-License-Identifier: BSD-2-Clause */
#include "view.h"

static void add_latency(struct ca_text *text, const struct ca_latency *latency)
{
	if (!latency->max_ns)
		return;
	ca_text_add(text, "; half within ");
	ca_view_duration(text, latency->p50_ns);
	ca_text_add(text, ", 99 % within ");
	ca_view_duration(text, latency->p99_ns);
	ca_text_add(text, ", longest ");
	ca_view_duration(text, latency->max_ns);
}

static void add_errors(struct ca_text *text, uint64_t errors)
{
	if (!errors)
		return;
	ca_text_add(text, "; ");
	ca_text_grouped(text, errors);
	ca_text_add(text, " errors");
}

static void add_preconditioning(struct ca_text *text, uint32_t ppm)
{
	if (ppm == 1000000) {
		ca_text_add(text, "; whole card written before");
		return;
	}
	ca_text_add(text, "; ");
	ca_text_fixed(text, ppm, 10000, 0);
	ca_text_add(text, " % of the card written before");
}

static void random_row(struct ca_view *view, const struct ca_speed_random *figure)
{
	char line[400];
	struct ca_text text;

	ca_text_init(&text, line, sizeof(line));
	ca_text_grouped(&text, figure->milliiops / 1000);
	ca_text_add(&text, " IOPS: ");
	ca_view_binary(&text, figure->block_bytes);
	ca_text_add(&text, " blocks in ");
	ca_view_binary(&text, figure->range_bytes);
	ca_text_add(&text, figure->range_written ? " written first, queue depth "
						 : " not written first, queue depth ");
	ca_text_u64(&text, figure->queue_depth);
	ca_text_add(&text, ", ");
	ca_view_duration(&text, figure->duration_ns);
	add_preconditioning(&text, figure->preconditioned_ppm);
	add_latency(&text, &figure->latency);
	add_errors(&text, figure->errors);
	ca_view_pair(view, figure->write ? "random write" : "random read", line);
}

static void sequential_row(struct ca_view *view, const struct ca_speed_sequential *figure)
{
	char line[400];
	struct ca_text text;

	ca_text_init(&text, line, sizeof(line));
	ca_text_rate(&text, figure->bytes_per_second);
	ca_text_add(&text, ": ");
	ca_view_binary(&text, figure->total_bytes);
	ca_text_add(&text, " in requests of ");
	ca_view_binary(&text, figure->request_bytes);
	ca_text_add(&text, ", queue depth ");
	ca_text_u64(&text, figure->queue_depth);
	if (figure->min_window_bytes_per_second) {
		ca_text_add(&text, "; slowest ");
		ca_view_binary(&text, figure->window_bytes);
		ca_text_add(&text, " at ");
		ca_text_rate(&text, figure->min_window_bytes_per_second);
	}
	add_preconditioning(&text, figure->preconditioned_ppm);
	add_latency(&text, &figure->latency);
	add_errors(&text, figure->errors);
	ca_view_pair(view, figure->write ? "sequential write" : "sequential read", line);
}

static void add_condition(struct ca_text *text, enum ca_tristate state, const char *yes,
			  const char *no, const char *unknown)
{
	if (text->len)
		ca_text_add(text, "; ");
	switch (state) {
	case CA_UNKNOWN:
		ca_text_add(text, unknown);
		break;
	case CA_NO:
		ca_text_add(text, no);
		break;
	case CA_YES:
		ca_text_add(text, yes);
		break;
	}
}

static void recording_row(struct ca_view *view, const struct ca_speed_recording *recording)
{
	char line[400];
	struct ca_text text;

	if (!recording->cycles)
		return;
	ca_text_init(&text, line, sizeof(line));
	ca_text_u64(&text, recording->cycles);
	ca_text_add(&text, " updates of the file system between recording units; slowest mean of "
			   "eight ");
	ca_view_duration(&text, recording->mean_ns);
	ca_text_add(&text, ", longest ");
	ca_view_duration(&text, recording->max_ns);
	ca_text_add(&text, recording->announced ? "; the card was told of the recording (CMD20)"
						: "; the card was not told of the recording");
	add_errors(&text, recording->errors);
	ca_view_pair(view, "recording", line);
}

static const char *erased_words(enum ca_erase_kind kind)
{
	switch (kind) {
	case CA_ERASE_NONE:
		break;
	case CA_ERASE_DISCARD:
		return "erased before (by the kernel's discard)";
	case CA_ERASE_FULL:
		return "erased before (by the card's full erase)";
	}
	return "erased before";
}

void ca_view_speed(struct ca_view *view, const struct ca_speed_evidence *speed)
{
	char line[400];
	struct ca_text text;

	if (!speed->random_count && !speed->sequential_count)
		return;
	ca_view_heading(view, "Speed (MB/s are 10^6 bytes a second; IOPS are operations a second)");
	for (unsigned int i = 0; i < speed->sequential_count; i++)
		sequential_row(view, &speed->sequential[i]);
	for (unsigned int i = 0; i < speed->random_count; i++)
		random_row(view, &speed->random[i]);
	recording_row(view, &speed->recording);
	ca_text_init(&text, line, sizeof(line));
	add_condition(&text, speed->erased_before, erased_words(speed->erased_by),
		      "not erased before", "not known whether erased before");
	add_condition(&text, speed->cache_on, "card cache on", "card cache off",
		      "card cache not known");
	add_condition(&text, speed->command_queue_on, "command queue running", "no command queue",
		      "command queue not known");
	add_condition(&text, speed->bypass_page_cache, "page cache bypassed",
		      "through the page cache", "page cache not known");
	ca_view_pair(view, "conditions", line);
	if (speed->interrupted)
		ca_view_pair(view, "interrupted", "the last figure is of a shortened run");
}
