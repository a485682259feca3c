/* SPDX-License-Identifier: BSD-2-Clause */
#include "uevent.h"

#include <errno.h>
#include <string.h>

/* What the header and the lines said; NULL = nothing yet. */
struct texts {
	const char *action, *devpath, *subsystem, *devtype, *devname, *media_change, *synth_uuid;
	const char *major, *minor, *diskseq, *seqnum;
};

static const struct {
	const char *key;
	size_t place;
} keys[] = {
	{"ACTION", offsetof(struct texts, action)},
	{"DEVPATH", offsetof(struct texts, devpath)},
	{"SUBSYSTEM", offsetof(struct texts, subsystem)},
	{"DEVTYPE", offsetof(struct texts, devtype)},
	{"DEVNAME", offsetof(struct texts, devname)},
	{"MAJOR", offsetof(struct texts, major)},
	{"MINOR", offsetof(struct texts, minor)},
	{"DISKSEQ", offsetof(struct texts, diskseq)},
	{"SEQNUM", offsetof(struct texts, seqnum)},
	{"DISK_MEDIA_CHANGE", offsetof(struct texts, media_change)},
	{"SYNTH_UUID", offsetof(struct texts, synth_uuid)},
};

static int take_line(const char *line, struct texts *texts)
{
	const char *equals = strchr(line, '=');

	if (!equals || equals == line)
		return -EBADMSG;
	for (size_t i = 0; i < CA_ARRAY_LEN(keys); i++) {
		const char **place = (const char **)((char *)texts + keys[i].place);

		if (strlen(keys[i].key) != (size_t)(equals - line) ||
		    strncmp(keys[i].key, line, (size_t)(equals - line)) != 0)
			continue;
		if (*place)
			return -EBADMSG;
		*place = equals + 1;
	}
	return 0;
}

/* The header says action and path once more. */
static bool has_header(const char *header, const struct texts *texts)
{
	const char *at = strchr(header, '@');

	return at && texts->action && texts->devpath &&
	       strlen(texts->action) == (size_t)(at - header) &&
	       strncmp(header, texts->action, (size_t)(at - header)) == 0 &&
	       strcmp(at + 1, texts->devpath) == 0;
}

static int take_number(const char *text, uint64_t max, uint64_t *ret_number)
{
	return text && ca_parse_u64(text, max, ret_number) < 0 ? -EBADMSG : 0;
}

static enum ca_uevent_action action_of(const char *text)
{
	if (strcmp(text, "add") == 0)
		return CA_UEVENT_ADD;
	if (strcmp(text, "remove") == 0)
		return CA_UEVENT_REMOVE;
	return strcmp(text, "change") == 0 ? CA_UEVENT_CHANGE : CA_UEVENT_OTHER;
}

static const char *or_empty(const char *text)
{
	return text ? text : "";
}

/* The last component names an entry of a directory, nothing else. */
static const char *name_of(const char *devpath)
{
	const char *slash = strrchr(devpath, '/');

	if (devpath[0] != '/' || !slash[1] || strcmp(slash, "/.") == 0 || strcmp(slash, "/..") == 0)
		return NULL;
	return slash + 1;
}

static int interpret(const struct texts *texts, struct ca_uevent *ret)
{
	struct ca_uevent event = {.action = CA_UEVENT_OTHER};

	event.name = name_of(texts->devpath);
	if (!event.name || !texts->subsystem || !texts->seqnum || !texts->action[0])
		return -EBADMSG;
	if (take_number(texts->major, UINT32_MAX, &event.major) < 0 ||
	    take_number(texts->minor, UINT32_MAX, &event.minor) < 0 ||
	    take_number(texts->diskseq, UINT64_MAX, &event.diskseq) < 0 ||
	    take_number(texts->seqnum, UINT64_MAX, &event.seqnum) < 0)
		return -EBADMSG;
	event.action = action_of(texts->action);
	event.devpath = texts->devpath;
	event.subsystem = texts->subsystem;
	event.devtype = or_empty(texts->devtype);
	event.devname = or_empty(texts->devname);
	event.media_change = texts->media_change && strcmp(texts->media_change, "1") == 0;
	event.synthetic = texts->synth_uuid != NULL;
	*ret = event;
	return 0;
}

int ca_uevent_parse(const char *message, size_t len, struct ca_uevent *ret)
{
	struct texts texts = {0};

	/* with the last byte a NUL every string below ends inside the message */
	if (len == 0 || message[len - 1] != '\0')
		return -EBADMSG;
	for (size_t at = strlen(message) + 1; at < len; at += strlen(message + at) + 1)
		if (take_line(message + at, &texts) < 0)
			return -EBADMSG;
	return has_header(message, &texts) ? interpret(&texts, ret) : -EBADMSG;
}

bool ca_uevent_is_disk(const struct ca_uevent *event)
{
	return strcmp(event->subsystem, "block") == 0 && strcmp(event->devtype, "disk") == 0;
}
