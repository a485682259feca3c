/* SPDX-License-Identifier: BSD-2-Clause */
/* Rules about the EXT_CSD of eMMC parts. */
#include "judge_rule.h"

void ca_judge_extcsd_life(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	const struct ca_extcsd *e = &c->registers->extcsd;
	uint8_t life = e->life_a > e->life_b ? e->life_a : e->life_b;
	struct ca_text found;

	/* 0: the part does not estimate it, as before version 5.0 */
	if (!ca_judge_has(c, CA_REGISTER_EXTCSD) || !life)
		return;
	ca_judge_checks(sink);
	if (life < 2)
		return;
	found = ca_judge_found(ca_judge_fire(sink));
	if (life > 11) {
		ca_text_add(&found, "life estimate ");
		ca_text_hex(&found, life, 2);
		ca_text_add(&found, "h, which no version defines");
	} else if (life > 10) {
		ca_text_add(&found, "rated life used up");
	} else {
		ca_text_add(&found, "at least ");
		ca_text_u64(&found, (life - 1U) * 10U);
		ca_text_add(&found, " % of the rated life used");
	}
}

void ca_judge_extcsd_spare(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	uint8_t state = c->registers->extcsd.pre_eol_info;

	if (!ca_judge_has(c, CA_REGISTER_EXTCSD) || !state)
		return;
	ca_judge_checks(sink);
	if (state == 2)
		ca_judge_fire_text(sink, "80 % or more of the reserved blocks are used");
	else if (state == 3)
		ca_judge_fire_text(sink, "90 % or more of the reserved blocks are used");
	else if (state > 3)
		ca_judge_fire_text(sink, "the state is one that no version defines");
}

void ca_judge_extcsd_size(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	uint64_t stated = (uint64_t)c->registers->extcsd.sec_count * CA_SECTOR_BYTES;
	uint64_t csd = ca_judge_has(c, CA_REGISTER_CSD) ? c->registers->csd.capacity_bytes : 0;
	uint64_t device = c->evidence->device.bytes;

	/* up to 2 GB the sector count may be 0, and the CSD alone tells the size */
	if (ca_judge_is_sd(c) || !ca_judge_has(c, CA_REGISTER_EXTCSD) || !stated ||
	    (!device && !csd))
		return;
	ca_judge_checks(sink);
	if (device && stated != device)
		ca_judge_fire_sizes(c, sink, CA_CRC_ABSENT,
				    &(struct ca_judge_sizes){"device", device, "EXT_CSD", stated});
	else if (csd && stated != csd)
		ca_judge_fire_sizes(c, sink, c->registers->csd.crc,
				    &(struct ca_judge_sizes){"CSD", csd, "EXT_CSD", stated});
}
