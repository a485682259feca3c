/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mmc_ios: the state of the card bus as debugfs prints it (/sys/kernel/debug/mmcN/ios).
 */
#ifndef CA_DEVICE_MMC_IOS_H
#define CA_DEVICE_MMC_IOS_H

#include "cardassay/base.h"

struct ca_mmc_ios {
	char timing[32];   /* "sd uhs SDR104", "" when not shown */
	uint64_t clock_hz; /* actual when shown, else the one asked for; 0 = not shown */
	uint32_t width;	   /* data lines, 0 = not shown */
	char voltage[16];  /* "1.80 V" */
	uint32_t voltage_mv;
};

/* What is not in the text is left empty. */
void ca_mmc_ios_parse(const char *text, struct ca_mmc_ios *ret_ios);

#endif
