/* SPDX-License-Identifier: BSD-2-Clause */
/* A certificate as a file of anyone's. */
#include "certificate_checks.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct ca_certificate *certificate = malloc(sizeof(*certificate)), *again;
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
	again = check_round_trip(certificate);
	ca_certificate_done(again);
	free(again);
	/* its claims may be nonsense, but judging them must end, and say so or be safe */
	if (check_judging(certificate))
		check_views(certificate);
	ca_certificate_done(certificate);
	free(certificate);
	return 0;
}
