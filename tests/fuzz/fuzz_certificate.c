/* SPDX-License-Identifier: BSD-2-Clause */
#include "fuzz.h"

#include "cardassay/certificate.h"

#include <errno.h>

static void check_views(const struct ca_certificate *certificate)
{
	const struct ca_view_options options = {.all = true};
	char *text;

	FUZZ_CHECK(ca_certificate_to_text(certificate, &options, &text) == 0);
	for (const char *p = text; *p; p++)
		FUZZ_CHECK(*p == '\n' || ((unsigned char)*p >= 0x20 && *p != 0x7f));
	free(text);
	FUZZ_CHECK(ca_certificate_inspect_text(certificate, &options, &text) == 0);
	free(text);
}

/* What was read once is written so that it is read again, and then stays as it is. */
static void check_round_trip(const struct ca_certificate *certificate)
{
	struct ca_certificate *again = malloc(sizeof(*again));
	struct ca_error error = {0};
	char *first, *second;
	size_t len, again_len, unknown;

	FUZZ_CHECK(again != NULL);
	FUZZ_CHECK(ca_certificate_to_json(certificate, false, &first, &len) == 0);
	FUZZ_CHECK(ca_certificate_from_json(first, len, again, &unknown, &error) == 0);
	FUZZ_CHECK(unknown == 0);
	FUZZ_CHECK(ca_certificate_to_json(again, false, &second, &again_len) == 0);
	FUZZ_CHECK(len == again_len && memcmp(first, second, len) == 0);
	ca_certificate_done(again);
	free(again);
	free(first);
	free(second);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct ca_certificate *certificate = malloc(sizeof(*certificate));
	struct ca_error error = {0};
	size_t unknown = 0;
	int r;

	FUZZ_CHECK(certificate != NULL);
	fuzz_prepare(certificate, sizeof(*certificate));
	r = ca_certificate_from_json((const char *)data, size, certificate, &unknown, &error);
	if (r < 0) {
		FUZZ_CHECK(r == -EBADMSG && error.code == r && error.text[0]);
		fuzz_check_untouched(certificate, sizeof(*certificate));
		free(certificate);
		return 0;
	}
	check_views(certificate);
	check_round_trip(certificate);
	/* its claims may be nonsense, but judging them must end */
	r = ca_certificate_judge(certificate, NULL);
	FUZZ_CHECK(r == 0 || r == -EINVAL);
	if (r == 0)
		check_views(certificate);
	ca_certificate_done(certificate);
	free(certificate);
	return 0;
}
