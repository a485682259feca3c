/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * vendor_query: asking a card for its maker's health page. See ca_host_ask_vendor.
 */
#ifndef CA_DEVICE_VENDOR_QUERY_H
#define CA_DEVICE_VENDOR_QUERY_H

#include "cardassay/host.h"

/* Sends CMD56 with this argument; 0, or a negative errno as ca_mmc_execute gives it. */
typedef int ca_vendor_send(void *context, uint32_t argument, uint8_t ret_data[CA_VENDOR_BYTES]);

/*
 * Sends the queries one after the other, each once, until an answer is known or the card is gone.
 * `sector0` (NULL = could not be read) is what a card sends that takes CMD56 for a read. -EPERM:
 * the kernel let none of them through, and nothing was added.
 */
int ca_vendor_ask(ca_vendor_send *send, void *context, const uint8_t *sector0,
		  struct ca_vendor_health *health);

/* Why the card of this evidence cannot be asked, NULL when it can. */
const char *ca_vendor_cannot_ask(const char *root, const struct ca_evidence *evidence);

#endif
