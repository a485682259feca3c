/* SPDX-License-Identifier: BSD-2-Clause */
/* What the files of the identity room share; nobody else includes it. */
#ifndef CA_IDENTITY_INTERNAL_H
#define CA_IDENTITY_INTERNAL_H

#include "cardassay/identity.h"

/* The numbers a device shows, whichever family it is of. */
struct shown_identity {
	bool nvme;
	bool emmc;
	uint8_t mid;
	uint16_t oid;
	char pnm[7]; /* without trailing blanks and NULs */
	uint16_t vid;
	bool named_by_model; /* no vendor number was read */
	bool white_label;    /* the model names the brand, the number the controller */
	uint16_t ssvid;
	char model[41];	  /* likewise */
	char firmware[9]; /* likewise */
};

/* Fills in conventions and nvme_model of a drive. */
void ca_identity_read_conventions(const struct shown_identity *shown, struct ca_identity *identity);

/* Words ret_identity->summary from everything else in it, which must be filled in. */
void ca_identity_summarise(const struct shown_identity *shown, struct ca_identity *identity);

#endif
