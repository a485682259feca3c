/* SPDX-License-Identifier: BSD-2-Clause */
/* One message of the kernel's event socket; its strings end with NUL. */
#include "fuzz.h"

#include "uevent.h"

#include <errno.h>

static void check_inside(const char *string, const char *message, size_t len)
{
	FUZZ_CHECK(string != NULL);
	if (!*string)
		return;
	FUZZ_CHECK(string > message && string < message + len);
	FUZZ_CHECK(memchr(string, '\0', (size_t)(message + len - string)) != NULL);
}

static void check_event(const struct ca_uevent *event, const char *message, size_t len)
{
	check_inside(event->devpath, message, len);
	check_inside(event->name, message, len);
	check_inside(event->subsystem, message, len);
	check_inside(event->devtype, message, len);
	check_inside(event->devname, message, len);
	FUZZ_CHECK(event->devpath[0] == '/');
	/* the name becomes part of a path: one component, that leads nowhere else */
	FUZZ_CHECK(event->name[0] && strchr(event->name, '/') == NULL);
	FUZZ_CHECK(strcmp(event->name, ".") != 0 && strcmp(event->name, "..") != 0);
	FUZZ_CHECK(event->major <= UINT32_MAX && event->minor <= UINT32_MAX);
	/* it is the kernel's own form: "ACTION@PATH" */
	FUZZ_CHECK(strchr(message, '@') != NULL);
	FUZZ_CHECK(event->action != CA_UEVENT_ADD || strncmp(message, "add@", 4) == 0);
	FUZZ_CHECK(event->action != CA_UEVENT_REMOVE || strncmp(message, "remove@", 7) == 0);
	FUZZ_CHECK(event->action != CA_UEVENT_CHANGE || strncmp(message, "change@", 7) == 0);
	FUZZ_CHECK(!ca_uevent_is_disk(event) || strcmp(event->subsystem, "block") == 0);
}

static void check(const char *message, size_t len)
{
	struct ca_uevent event;
	int r;

	fuzz_prepare(&event, sizeof(event));
	r = ca_uevent_parse(message, len, &event);
	if (r < 0) {
		FUZZ_CHECK(r == -EBADMSG);
		fuzz_check_untouched(&event, sizeof(event));
		return;
	}
	check_event(&event, message, len);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *message = malloc(size + 1);

	FUZZ_CHECK(message != NULL);
	check((const char *)data, size);
	/* the same without the final NUL missing */
	if (size)
		memcpy(message, data, size);
	message[size] = '\0';
	check(message, size + 1);
	free(message);
	return 0;
}
