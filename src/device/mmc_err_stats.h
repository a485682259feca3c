/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mmc_err_stats: the error counters of an mmc host as debugfs prints them
 * (/sys/kernel/debug/mmcN/err_stats, Linux 6.0 and later): "# Data CRC Errors Occurred:\t 3".
 */
#ifndef CA_DEVICE_MMC_ERR_STATS_H
#define CA_DEVICE_MMC_ERR_STATS_H

#include "cardassay/base.h"

struct ca_mmc_err_stats {
	unsigned int counters; /* how many the text has */
	uint64_t sum;
	char above_zero[100]; /* "Data CRC Errors Occurred 3, ...", "" when there are none */
};

/* Lines that are no counter are passed over. */
void ca_mmc_err_stats_parse(const char *text, struct ca_mmc_err_stats *ret_stats);

#endif
