/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * watch: inside the device room. host.h has the contract.
 */
#ifndef CA_DEVICE_WATCH_H
#define CA_DEVICE_WATCH_H

#include "cardassay/host.h"

/* As ca_watch_new, with a socket that keeps up to buffer_bytes of events nobody asked for yet. */
int ca_watch_start(size_t buffer_bytes, struct ca_watch **ret_watch, struct ca_error *error);

#endif
