/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Watches the slots and inspects each card that appears, reading only. It ends when it is told to,
 * or when nobody reads its output any more.
 */
#include "inspection.h"

#include <errno.h>
#include <jansson.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LOOK_UP_MS 500 /* how soon a signal or a closed pipe is noticed at the latest */

struct station {
	const struct ca_options *options;
	struct ca_watch *watch;
	struct ca_certificate certificate; /* reused for every card */
	unsigned int appeared, inspected, failed;
};

/* "2026-01-31T12:00:00Z  /dev/sdb  31.9 GB (29.7 GiB)  slot usb1/1-4:1.0" and the like */
static int print_line(const char *what, const char *node, uint64_t bytes, const char *slot,
		      const char *end)
{
	char line[1400], path[1030], time[CA_TIME_TEXT_MAX];
	struct ca_error error = {0};
	struct ca_text text;
	bool trusted;
	int r;

	ca_string_escape(path, sizeof(path), slot);
	ca_time_format(ca_host_wall_seconds(&trusted), time);
	ca_text_init(&text, line, sizeof(line));
	ca_text_add(&text, time);
	ca_text_add(&text, "  ");
	ca_text_add(&text, node);
	ca_text_add(&text, what);
	if (bytes) {
		ca_text_add(&text, "  ");
		ca_text_size(&text, bytes);
	}
	if (path[0]) {
		ca_text_add(&text, "  slot ");
		ca_text_add(&text, path);
	}
	ca_text_add(&text, end);
	r = ca_stdout_write(line, text.len, &error);
	return r < 0 ? ca_report_error(&error, r) : 0;
}

static int print_present(void)
{
	CA_CLEANUP_FREE struct ca_device_entry *entries = NULL;
	struct ca_error error = {0};
	size_t count;
	int r = ca_host_list(NULL, &entries, &count, &error);

	if (r < 0)
		return ca_report_error(&error, r);
	for (size_t i = 0; i < count; i++) {
		char path[1030], line[1400], size[64];
		struct ca_text text;
		int len;

		ca_string_escape(path, sizeof(path), entries[i].host_path);
		ca_text_init(&text, size, sizeof(size));
		ca_text_size(&text, entries[i].bytes);
		if (entries[i].bytes)
			len = snprintf(line, sizeof(line),
				       "already here, not inspected: %s  %s  slot %s\n",
				       entries[i].node, size, path);
		else
			len = snprintf(line, sizeof(line), "empty slot: %s%s%s\n", entries[i].node,
				       entries[i].node[0] && path[0] ? "  " : "", path);
		r = ca_stdout_write(line, (size_t)len, &error); /* longer than both of its parts */
		if (r < 0)
			return ca_report_error(&error, r);
	}
	return 0;
}

/* One object on one line. inspection: one line of JSON, or NULL; error: why there is none. */
static int print_json(const struct ca_watch_event *event, const char *inspection, const char *error)
{
	CA_CLEANUP_FREE char *head = NULL, *line = NULL;
	bool appeared = event->kind == CA_WATCH_APPEARED;
	struct ca_error failure = {0};
	size_t head_len, tail_len, size;
	char path[1030], why[4 * sizeof(failure.text) + 1];
	json_t *object;
	int r;

	ca_string_escape(why, sizeof(why), error ? error : "");
	ca_string_escape(path, sizeof(path), event->host_path);
	object = json_pack("{s:s, s:s, s:s, s:I, s:I, s:s*}", "event",
			   appeared ? "appeared" : "left", "node", event->node, "host_path", path,
			   "bytes", (json_int_t)event->bytes, "diskseq", (json_int_t)event->diskseq,
			   "error", error ? why : NULL);
	head = object ? json_dumps(object, JSON_COMPACT) : NULL;
	json_decref(object);
	if (!head)
		return ca_report_error(&failure, -ENOMEM);
	/* the certificate goes in behind the rest as the text it is */
	head_len = strlen(head);
	tail_len = inspection ? strcspn(inspection, "\n") : 0;
	size = head_len + tail_len + sizeof(",\"inspection\":}\n");
	line = malloc(size);
	if (!line)
		return ca_report_error(&failure, -ENOMEM);
	if (inspection)
		(void)snprintf(line, size, "%.*s,\"inspection\":%.*s}\n", (int)head_len - 1, head,
			       (int)tail_len, inspection); /* fits: counted above */
	else
		(void)snprintf(line, size, "%s\n", head);
	r = ca_stdout_write(line, strlen(line), &failure);
	return r < 0 ? ca_report_error(&failure, r) : 0;
}

/* What was read may be of nothing, or of the next card, when this one left meanwhile. */
static bool is_still_it(const struct ca_watch_event *event, const struct ca_evidence *evidence)
{
	return evidence->device.bytes == event->bytes && evidence->device.diskseq == event->diskseq;
}

/* A sentence in error when there is no inspection; the station goes on. */
static int inspect(struct station *station, const struct ca_watch_event *event, char **ret_text,
		   struct ca_error *error)
{
	struct ca_certificate *certificate = &station->certificate;
	int r = ca_inspection_collect(station->options, event->node, certificate, error);

	if (r == 0 && !is_still_it(event, &certificate->evidence))
		r = ca_error_set(error, -ENODEV, "it left while it was inspected");
	if (r == 0)
		r = ca_inspection_judge(station->options, certificate, error);
	if (r == 0)
		r = ca_inspection_render(station->options, certificate, false, ret_text);
	if (r < 0)
		return ca_error_set(error, r, "%s", strerror(-r));
	station->inspected++;
	if (certificate->judgement.verdict == CA_VERDICT_FAIL)
		station->failed++;
	return 0;
}

/* The heading comes before the inspection, which may take a moment. */
static int show_text(struct station *station, const struct ca_watch_event *event)
{
	CA_CLEANUP_FREE char *text = NULL;
	struct ca_error error = {0}, failure = {0};
	int r = print_line("", event->node, event->bytes, event->host_path, "\n");

	if (r)
		return r;
	if (inspect(station, event, &text, &error) < 0) {
		char why[1100];

		(void)snprintf(why, sizeof(why), " was not inspected: %s", error.text); /* fits */
		return print_line(why, event->node, 0, "", "\n");
	}
	r = ca_stdout_write("\n", 1, &failure);
	if (r == 0)
		r = ca_stdout_write(text, strlen(text), &failure);
	if (r == 0)
		r = ca_stdout_write("\n", 1, &failure);
	return r < 0 ? ca_report_error(&failure, r) : 0;
}

static int on_appeared(struct station *station, const struct ca_watch_event *event)
{
	CA_CLEANUP_FREE char *text = NULL;
	struct ca_error error = {0};

	station->appeared++;
	if (station->options->format == CA_FORMAT_TEXT)
		return show_text(station, event);
	if (inspect(station, event, &text, &error) < 0)
		return print_json(event, NULL, error.text);
	return print_json(event, text, NULL);
}

static int on_left(const struct station *station, const struct ca_watch_event *event)
{
	if (station->options->format == CA_FORMAT_JSON)
		return print_json(event, NULL, NULL);
	return print_line(" left", event->node, 0, event->host_path, "\n");
}

static int on_event(struct station *station, const struct ca_watch_event *event)
{
	switch (event->kind) {
	case CA_WATCH_APPEARED:
		return on_appeared(station, event);
	case CA_WATCH_LEFT:
		return on_left(station, event);
	}
	return CA_EXIT_INTERNAL;
}

/* Nobody reads the pipe any more: found out before the next card comes. */
static bool is_output_closed(void)
{
	struct pollfd out = {.fd = STDOUT_FILENO, .events = 0};

	return poll(&out, 1, 0) > 0 && out.revents & POLLERR;
}

static int run(struct station *station)
{
	struct ca_watch_event event;
	struct ca_error error = {0};

	while (!ca_interrupted()) {
		int r = ca_watch_next(station->watch, LOOK_UP_MS, &event);

		if (r == 1)
			r = on_event(station, &event);
		else if (r == 0 && is_output_closed())
			r = ca_report_error(
				&error,
				ca_error_set(&error, -EPIPE, "nobody reads the output any more."));
		else if (r < 0 && r != -EINTR)
			return ca_report_error(&error, r);
		if (r > 0)
			return r;
	}
	return CA_EXIT_PASS;
}

int ca_cmd_station(const struct ca_options *options)
{
	struct station *station;
	struct ca_error error = {0};
	int r;

	if (!options->inspect) {
		ca_report("station needs --inspect: it shows every card that appears, and writes "
			  "to none.");
		return CA_EXIT_USAGE;
	}
	station = calloc(1, sizeof(*station));
	if (!station)
		return ca_report_error(&error, -ENOMEM);
	station->options = options;
	r = ca_watch_new(&station->watch, &error);
	r = r < 0 ? ca_report_error(&error, r) : 0;
	if (r == 0 && options->format == CA_FORMAT_TEXT)
		r = print_present();
	if (r == 0) {
		ca_report("waiting for cards; Ctrl-C ends it.");
		r = run(station);
		ca_report("cards or drives appeared: %u; inspected: %u; failed: %u.",
			  station->appeared, station->inspected, station->failed);
	}
	ca_watch_free(station->watch);
	ca_certificate_done(&station->certificate);
	free(station);
	return r;
}
