/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What is on the card before a run, and what is left on it afterwards. A card as it is sold holds
 * an empty FAT or exFAT file system: that is kept, and put back last, so that the card can be used
 * as it is. Files are nobody's to lose by mistake.
 */
#include "session.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- before */

static void add_names(struct ca_text *text, const struct ca_content *content)
{
	for (size_t i = 0; i < content->name_count; i++) {
		const struct ca_content_name *name = &content->names[i];

		ca_text_add(text, i ? ", " : "");
		ca_text_escaped(text, name->name, strlen(name->name));
		if (name->directory) {
			ca_text_add(text, "/");
			continue;
		}
		ca_text_add(text, " (");
		ca_text_gb(text, name->bytes);
		ca_text_add(text, ")");
	}
	ca_text_add(text, content->entries > content->name_count ? " ..." : "");
}

static bool has_files(const struct ca_content *content)
{
	return content->entries || content->others;
}

static int refuse_files(const struct ca_session *session)
{
	const struct ca_content *content = &session->content;
	char room[2048];
	struct ca_text text;

	ca_text_init(&text, room, sizeof(room));
	if (content->entries) {
		ca_text_add(&text, content->filesystem);
		ca_text_add(&text, ", ");
		ca_text_grouped(&text, content->entries);
		ca_text_add(&text, content->entries == 1 ? " entry" : " entries");
		ca_text_add(&text, " in its top directory, ");
		ca_text_gb(&text, content->used_bytes);
		ca_text_add(&text, " in use: ");
		add_names(&text, content);
	}
	if (content->others) {
		ca_text_add(&text, content->entries ? "; and " : "");
		ca_text_escaped(&text, content->other, strlen(content->other));
		ca_text_add(&text, ", whose files are not looked at");
	}
	ca_report("refused: there are files on %s. Found: %s.", session->options->targets[0], room);
	ca_report("Save what is still needed. Then repeat with --erase-files: all of it is lost. "
		  "Nothing was written.");
	return CA_EXIT_REFUSED;
}

int ca_session_look(struct ca_session *session)
{
	const struct ca_options *options = session->options;
	struct ca_error error = {0};

	if (session->keeps_data)
		return 0;
	if (session->kind != CA_TARGET_SIMULATED &&
	    ca_host_look(options->targets[0], &session->content, &error) < 0)
		return ca_report_error(&error, error.code);
	if (has_files(&session->content) && !options->erase_files)
		return refuse_files(session);
	if (options->leave != CA_LEAVE_FORMAT || session->content.head_bytes)
		return 0;
	ca_report("refused: --leave=format puts back the empty file system a card came with, and "
		  "there is none on %s. Test it without; then format it as its maker would: "
		  "mkfs.exfat (above 32 GB) or mkfs.vfat on a partition of its own. Nothing was "
		  "written.",
		  options->targets[0]);
	return CA_EXIT_REFUSED;
}

static bool wants_head(const struct ca_session *session)
{
	return session->content.head_bytes && (session->options->leave == CA_LEAVE_AS_FOUND ||
					       session->options->leave == CA_LEAVE_FORMAT);
}

void ca_session_plan_leave(const struct ca_session *session)
{
	char size[64];
	struct ca_text text;

	if (session->keeps_data || session->kind == CA_TARGET_SIMULATED)
		return; /* it is gone with the program */
	if (session->content.unreadable)
		(void)fprintf(stderr, "  What is on it cannot all be read.\n");
	ca_text_init(&text, size, sizeof(size));
	ca_text_gb(&text, session->content.head_bytes);
	if (wants_head(session))
		(void)fprintf(stderr,
			      "  Afterwards: the empty %s file system it has now (%s) is put back, "
			      "unless its size turns out to be false.\n",
			      session->content.filesystem, size);
	else if (session->options->leave == CA_LEAVE_ERASED)
		(void)fprintf(stderr, "  Afterwards: it is erased, and has no file system.\n");
	else
		(void)fprintf(stderr, "  Afterwards: it holds the test pattern, and has no file "
				      "system.\n");
}

int ca_session_keep_head(struct ca_session *session)
{
	const struct ca_content *content = &session->content;
	struct ca_error error = {0};
	int r;

	if (session->keeps_data || !wants_head(session))
		return 0;
	r = ca_head_save(session->device, content->head_bytes, content->tail_bytes, &session->head);
	if (r < 0)
		return ca_report_error(&error, r);
	if (session->head) {
		ca_head_journal_open(session);
		return 0;
	}
	if (session->options->leave == CA_LEAVE_FORMAT) {
		ca_report("refused: the file system on %s cannot be kept (it cannot be read, or is "
			  "too large for memory), so --leave=format cannot be done. Nothing was "
			  "written.",
			  session->options->targets[0]);
		return CA_EXIT_REFUSED;
	}
	ca_report("the file system on %s cannot be kept (it cannot be read, or is too large for "
		  "memory): the card will hold the test pattern.",
		  session->options->targets[0]);
	return 0;
}

/* ---- afterwards */

static void leave(struct ca_session *session, const char *text)
{
	(void)ca_string_copy(session->left, sizeof(session->left), text); /* our own words, fit */
}

/* Its file system would promise room that is not there. */
static bool has_false_size(const struct ca_capacity_evidence *capacity)
{
	switch (capacity->kind) {
	case CA_CAPACITY_KIND_NONE:
	case CA_CAPACITY_KIND_SOUND:
	case CA_CAPACITY_KIND_DAMAGED:
	case CA_CAPACITY_KIND_TRANSPORT:
	case CA_CAPACITY_KIND_HOST_LIMIT:
		return false;
	case CA_CAPACITY_KIND_LIMBO:
	case CA_CAPACITY_KIND_WRAP:
	case CA_CAPACITY_KIND_CHAIN:
	case CA_CAPACITY_KIND_ERRORS:
	case CA_CAPACITY_KIND_REGIONS:
	case CA_CAPACITY_KIND_ISLANDS:
	case CA_CAPACITY_KIND_RING:
	case CA_CAPACITY_KIND_THIN:
	case CA_CAPACITY_KIND_WRITE_PROTECTED:
	case CA_CAPACITY_KIND_REPLAY:
		break;
	}
	return true;
}

static void put_back(struct ca_session *session)
{
	struct ca_io_fault fault = {.status = CA_IO_OK};
	int r = ca_head_put_back(session->device, session->head, &fault);
	char text[sizeof(session->left)];

	if (r < 0 || fault.status != CA_IO_OK) {
		ca_head_journal_close(session, true);
		leave(session, "the file system it came with could not be put back: it has to be "
			       "formatted");
		return;
	}
	(void)snprintf(text, sizeof(text),
		       "the empty %s file system it came with, put back and read again; beyond it, "
		       "the test pattern",
		       session->content.filesystem);
	leave(session, text);
}

static void erase(struct ca_session *session)
{
	struct ca_io_fault fault = {.status = CA_IO_OK};
	bool discarded = false;
	int r = ca_head_wipe(session->device, &discarded, &fault);

	if (r < 0 || fault.status != CA_IO_OK)
		leave(session, "it could not be erased: it may hold parts of the test pattern");
	else if (discarded)
		leave(session, "nothing: it was told to forget all it held (discard), and begins "
			       "with zeros; it has to be formatted");
	else
		leave(session, "the test pattern, and zeros over its beginning and end (discard "
			       "does not work here); it has to be formatted");
}

/* Is it still the card that was confirmed? */
static bool is_there(struct ca_session *session)
{
	struct ca_io_fault fault = {.status = CA_IO_GONE};

	return ca_device_check(session->device, &fault) == 0 && fault.status == CA_IO_OK;
}

void ca_session_leave(struct ca_session *session)
{
	const struct ca_capacity_evidence *capacity = &session->certificate.evidence.capacity;
	enum ca_leave wanted = session->options->leave;

	if (!session->writes || session->keeps_data || session->kind == CA_TARGET_SIMULATED)
		return;
	if (session->stuck || !is_there(session)) {
		ca_head_journal_close(session, true);
		leave(session, "not known: it is not there any more, or another one is; a file "
			       "system has to be made anew");
	} else if (wanted == CA_LEAVE_ERASED)
		erase(session);
	else if (session->head && wanted != CA_LEAVE_FORMAT && has_false_size(capacity))
		leave(session, "the test pattern; the file system it came with was not put back, "
			       "since it promises room that is not there");
	else if (session->head)
		put_back(session);
	else
		leave(session, "the test pattern; it has to be formatted before it is used");
}
