/* SPDX-License-Identifier: BSD-2-Clause */
#include "cardassay/evidence.h"

bool ca_survey_was_run(const struct ca_survey_evidence *survey)
{
	return survey->cell_count || survey->line_count || survey->like_count ||
	       survey->interrupted;
}

const char *ca_like_part_name(enum ca_like_part part)
{
	switch (part) {
	case CA_LIKE_HDPARM_CACHED:
		return "hdparm -T";
	case CA_LIKE_HDPARM_BUFFERED:
		return "hdparm -t";
	case CA_LIKE_DD_WRITE:
		return "dd write";
	case CA_LIKE_DD_READ:
		return "dd read";
	case CA_LIKE_IOZONE_WRITE:
		return "iozone write";
	case CA_LIKE_IOZONE_REWRITE:
		return "iozone rewrite";
	case CA_LIKE_IOZONE_RANDOM_READ:
		return "iozone random read";
	case CA_LIKE_IOZONE_RANDOM_WRITE:
		return "iozone random write";
	case CA_LIKE_SDTEST_WRITE:
		return "sdtest write";
	case CA_LIKE_SDTEST_RANDOM_WRITE:
		return "sdtest random write";
	case CA_LIKE_SDTEST_RANDOM_READ:
		return "sdtest random read";
	}
	return "";
}
