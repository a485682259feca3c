/* SPDX-License-Identifier: BSD-2-Clause */
#include "cli.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Strings of a card or a file end up in messages: no control byte reaches the terminal. */
static void print_escaped(FILE *out, const char *string)
{
	for (const char *p = string; *p; p++) {
		unsigned char c = (unsigned char)*p;

		if (c == 0xc2 && (unsigned char)p[1] >= 0x80 && (unsigned char)p[1] < 0xa0)
			(void)fprintf(out, "\\x%02x", (unsigned char)*++p); /* U+0080 to U+009F */
		else if (c < 0x20 || c == 0x7f)
			(void)fprintf(out, "\\x%02x", c);
		else
			(void)fputc(c, out);
	}
}

void ca_report(const char *format, ...)
{
	char text[1024];
	va_list args;

	va_start(args, format);
	(void)vsnprintf(text, sizeof(text), format, args); /* cut is fine */
	va_end(args);
	(void)fputs("cardassay: ", stderr);
	print_escaped(stderr, text);
	(void)fputc('\n', stderr);
}

int ca_report_error(const struct ca_error *error, int code)
{
	int number = error->code ? error->code : code;

	ca_report("%s", error->code ? error->text : strerror(-code));
	switch (-number) {
	case EACCES:
	case EPERM:
		return CA_EXIT_NO_PERMISSION;
	case ENOENT:
	case ENOTDIR:
	case ELOOP:
	case ENXIO:
	case ENODEV:
		return CA_EXIT_NO_INPUT;
	case EBUSY:
	case EEXIST:
	case EROFS:
		return CA_EXIT_REFUSED;
	case EBADMSG:
	case EMSGSIZE:
	case EILSEQ:
	case ENODATA:
	case EFBIG:
	case EPROTO:
	case EISDIR:
		return CA_EXIT_DATA;
	case EINVAL:
	case ERANGE:
	case ENAMETOOLONG:
		return CA_EXIT_USAGE;
	case EIO:
	case EOPNOTSUPP:
	case ENOSPC:
	case EDQUOT:
	case EPIPE:
		return CA_EXIT_HOST_IO;
	default:
		return CA_EXIT_INTERNAL;
	}
}

static int exit_of_verdict(enum ca_verdict verdict)
{
	switch (verdict) {
	case CA_VERDICT_PASS:
	case CA_VERDICT_WARNING:
	case CA_VERDICT_NOTE:
		return CA_EXIT_PASS;
	case CA_VERDICT_FAIL:
		return CA_EXIT_FAIL;
	case CA_VERDICT_SCREENED:
		return CA_EXIT_SCREENED;
	case CA_VERDICT_INCONCLUSIVE:
	case CA_VERDICT_UNTESTED:
		return CA_EXIT_INCONCLUSIVE;
	}
	return CA_EXIT_INTERNAL;
}

int ca_exit_of_certificate(const struct ca_certificate *certificate)
{
	const struct ca_capacity_evidence *capacity = &certificate->evidence.capacity;
	/* where both were run the fill came last */
	enum ca_fill_end end =
		capacity->end == CA_FILL_NOT_RUN ? certificate->evidence.probe.end : capacity->end;

	if (certificate->judgement.verdict == CA_VERDICT_FAIL)
		return CA_EXIT_FAIL;
	if (end == CA_FILL_LOST || end == CA_FILL_CHANGED)
		return CA_EXIT_DEVICE_LOST;
	if (end == CA_FILL_INTERRUPTED || certificate->evidence.speed.interrupted)
		return CA_EXIT_INTERRUPTED;
	if (end == CA_FILL_HOST_ERROR)
		return CA_EXIT_HOST_IO;
	return exit_of_verdict(certificate->judgement.verdict);
}

bool ca_exit_is_success(int code)
{
	return code == CA_EXIT_PASS || code == CA_EXIT_FAIL || code == CA_EXIT_INCONCLUSIVE ||
	       code == CA_EXIT_SCREENED || code == CA_EXIT_UNSIGNED ||
	       code == CA_EXIT_BAD_SIGNATURE || code == CA_EXIT_JUDGED_DIFFERENTLY;
}

int ca_exit_of_run(int code, int ended)
{
	return code == CA_EXIT_FAIL || !ended ? code : ended;
}

bool ca_stream_has_colour(const struct ca_options *options, FILE *stream)
{
	const char *no_color = getenv("NO_COLOR");

	if (options->colour >= 0)
		return options->colour;
	return isatty(fileno(stream)) && !(no_color && *no_color);
}
