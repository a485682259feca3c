/* SPDX-License-Identifier: BSD-2-Clause */
#include "cardassay/evidence.h"

#include <stdlib.h>
#include <string.h>

void ca_evidence_done(struct ca_evidence *evidence)
{
	if (!evidence)
		return;
	free(evidence->capacity.runs);
	memset(evidence, 0, sizeof(*evidence));
}

void ca_evidence_mask(struct ca_evidence *evidence)
{
	ca_registers_mask(&evidence->registers);
	memset(evidence->device.serial, 0, sizeof(evidence->device.serial));
	evidence->masked = true;
}
