/* SPDX-License-Identifier: BSD-2-Clause */
#include "view.h"

#include <string.h>

static void end_pair(struct ca_view *view, const struct ca_probe_evidence *probe)
{
	static const char *const sentences[] = {
		[CA_FILL_NOT_RUN] = "",
		[CA_FILL_COMPLETE] =
			"Done as planned: places were written, read back and put back.",
		[CA_FILL_PROOF] = "Stopped early: the fault is proved.",
		[CA_FILL_INTERRUPTED] = "Interrupted: only part of the plan was done.",
		[CA_FILL_LOST] = "The device went away during the check.",
		[CA_FILL_CHANGED] = "The device changed its size or identity during the check.",
		[CA_FILL_HOST_ERROR] =
			"The check could not go on: this computer failed, not the card.",
	};

	ca_view_pair(view, "check", sentences[probe->end]);
	if (probe->lost_because[0])
		ca_view_pair(view, "the kernel said", probe->lost_because);
}

static void samples(struct ca_view *view, const struct ca_probe_evidence *probe)
{
	struct ca_view_words line;
	struct ca_text *text = ca_view_start(&line);

	ca_text_grouped(text, probe->samples);
	ca_text_add(text, " places of ");
	ca_view_binary(text, probe->sample_bytes);
	ca_text_add(text, ", ");
	ca_text_grouped(text, probe->classes[CA_SECTOR_GOOD]);
	ca_text_add(text, " of them good; ");
	ca_text_grouped(text, probe->random_samples);
	ca_text_add(text, " at random");
	ca_view_pair(view, "samples", line.buf);
	for (unsigned int i = 0; i < CA_SECTOR_CLASS_COUNT; i++)
		if (i != CA_SECTOR_GOOD && probe->classes[i])
			ca_view_count(view, ca_sector_class_name((enum ca_sector_class)i),
				      probe->classes[i],
				      probe->classes[i] == 1 ? " sample" : " samples");
	if (probe->unstable_samples)
		ca_view_count(
			view, "unstable", probe->unstable_samples,
			" differed between two reads: suspect the reader, the contacts or the "
			"cable first");
}

static void run(struct ca_view *view, const struct ca_probe_evidence *probe)
{
	struct ca_view_words line;
	struct ca_text *text = ca_view_start(&line);

	ca_view_binary(text, probe->run_bytes);
	ca_text_add(text, " from the start; ");
	ca_text_grouped(text, probe->steps);
	ca_text_add(text, " other places were read to find it there too");
	ca_view_pair(view, "run", line.buf);
	if (!probe->has_alias)
		return;
	text = ca_view_start(&line);
	ca_text_add(text, "sector ");
	ca_text_grouped(text, probe->alias_offset / CA_SECTOR_BYTES);
	ca_text_add(text, " holds what was written to sector ");
	ca_text_grouped(text, probe->alias_of_offset / CA_SECTOR_BYTES);
	ca_view_pair(view, "copy", line.buf);
}

static void size(struct ca_view *view, const struct ca_probe_evidence *probe)
{
	struct ca_view_words line;
	struct ca_text *text = ca_view_start(&line);

	if (probe->has_real_capacity) {
		ca_text_grouped(text, probe->real_capacity_bytes);
		ca_text_add(text, " bytes, ");
		ca_text_size(text, probe->real_capacity_bytes);
	} else if (probe->real_most_bytes) {
		ca_text_add(text, "between ");
		ca_text_size(text, probe->real_least_bytes);
		ca_text_add(text, " and ");
		ca_text_size(text, probe->real_most_bytes);
	} else if (probe->kind == CA_CAPACITY_KIND_NONE) {
		ca_text_add(text, "not determined: only a full test can");
	} else {
		ca_text_add(text, "none was found: this kind of fault may have no size");
	}
	ca_view_pair(view, "real capacity", line.buf);
}

static void first_bad(struct ca_view *view, const struct ca_probe_evidence *probe)
{
	struct ca_view_words words;
	struct ca_text *text = ca_view_start(&words);

	if (!probe->has_first_bad)
		return;
	ca_text_add(text, "sector ");
	ca_text_grouped(text, probe->first_bad_offset / CA_SECTOR_BYTES);
	ca_view_pair(view, "first error", words.buf);
	ca_view_sample(view, "expected", probe->expected);
	ca_view_sample(view, "found", probe->found);
}

static void memory(struct ca_view *view, const struct ca_probe_evidence *probe)
{
	struct ca_view_words line;
	struct ca_text *text = ca_view_start(&line);

	ca_view_binary(text, probe->cache_overrun_bytes);
	ca_text_add(text, " of other data at least; the power stayed on");
	ca_view_pair(view, "before reading", line.buf);
	if (!probe->cache_bytes)
		return;
	text = ca_view_start(&line);
	ca_text_add(text, "what was lost seemed to be there until ");
	ca_text_size(text, probe->cache_bytes);
	ca_text_add(text, " of other data were written");
	ca_view_pair(view, "memory", line.buf);
}

static void data(struct ca_view *view, const struct ca_probe_evidence *probe)
{
	struct ca_view_words line;
	struct ca_text *text = ca_view_start(&line);

	if (!probe->written_bytes) {
		ca_text_add(text, "untouched: nothing was written");
	} else if (!probe->journal_kept) {
		ca_text_add(text, "put back and read again: as it was before");
	} else if (probe->unrestored_bytes) {
		ca_text_grouped(text, probe->unrestored_bytes);
		ca_text_add(text, " bytes could NOT be put back; the journal is kept");
	} else {
		ca_text_add(text, "NOT put back; the journal is kept: cardassay restore");
	}
	ca_view_pair(view, "its own data", line.buf);
	text = ca_view_start(&line);
	ca_text_size(text, probe->written_bytes);
	ca_text_add(text, " written, putting back included, in ");
	ca_view_duration(text, probe->elapsed_ns);
	ca_view_pair(view, "cost", line.buf);
}

void ca_view_probe(struct ca_view *view, const struct ca_probe_evidence *probe)
{
	const char *kind = ca_view_kind_sentence(probe->kind, probe->has_real_capacity);

	ca_view_heading(view, "Capacity, sparsely checked");
	samples(view, probe);
	run(view, probe);
	size(view, probe);
	first_bad(view, probe);
	ca_view_pair(view, "kind", kind[0] ? kind : "Nothing wrong was seen.");
	memory(view, probe);
	data(view, probe);
	end_pair(view, probe);
}
