/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * slot: the place a card is put into, as the device tree shows it; never by udev's links, which
 * come later than the device. A slot's path stays when the card in it changes and when the kernel
 * numbers its disk, host or bus anew:
 *
 *   USB    port and interface; usbK counts the buses of one controller, not of the machine; /lunN
 *          for all but the first of a reader's slots. Another port is another slot.
 *   mmc    the controller; /slotN (from 2) for all but its first host
 *   NVMe   the PCI device; /nsN for all but namespace 1
 *   SCSI   the controller; /targetN and /lunN unless they are 0
 */
#ifndef CA_DEVICE_SLOT_H
#define CA_DEVICE_SLOT_H

#include "cardassay/base.h"

struct ca_slot {
	char path[256];	  /* host_path of evidence and list; "" = not known */
	char reader[256]; /* the part that the slots of one reader share */
};

/* Nothing known (both "") where the tree does not say where the disk is. */
void ca_slot_of_disk(const char *root, const char *name, struct ca_slot *ret_slot);

/* An mmc host that a person can put a card into, and of which the kernel has no disk now. */
struct ca_bare_slot {
	struct ca_slot slot;
	bool has_card; /* a card is in it, but nothing drives it */
};

/*
 * Hosts that carry something else (Wi-Fi and other SDIO), and those that the firmware says have no
 * socket for SD cards, are left out. *ret_slots is malloc'ed, in the kernel's order.
 */
int ca_slot_list_bare(const char *root, struct ca_bare_slot **ret_slots, size_t *ret_count);

#endif
