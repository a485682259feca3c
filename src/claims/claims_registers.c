/* SPDX-License-Identifier: BSD-2-Clause */
#include "label_internal.h"

#include <string.h>

/* A full list keeps what it has: labels that long are cut, registers make a handful. */
static void add(struct ca_claims *claims, enum ca_claim_kind kind, enum ca_claim_source source,
		uint64_t value, const char *text)
{
	struct ca_claim claim = {.kind = kind, .source = source, .value = value};

	(void)ca_claims_add(claims, &claim, text, strlen(text));
}

static void add_capacity(struct ca_claims *claims, enum ca_claim_source source, uint64_t bytes)
{
	struct ca_text text;
	char buf[64];

	if (bytes == 0)
		return;
	ca_text_init(&text, buf, sizeof(buf));
	ca_text_gb(&text, bytes);
	add(claims, CA_CLAIM_CAPACITY, source, bytes, buf);
}

static void add_class(struct ca_claims *claims, enum ca_claim_kind kind, uint64_t value)
{
	struct ca_claim claim = {.kind = kind, .source = CA_SOURCE_SSR, .value = value};

	/* 0 and reserved codes promise nothing. */
	if (!ca_claims_has_class(kind, value))
		return;
	ca_claims_set_id(&claim);
	add(claims, kind, CA_SOURCE_SSR, value, claim.id);
}

void ca_claims_from_registers(const struct ca_registers *registers, uint64_t device_bytes,
			      struct ca_claims *claims)
{
	const struct ca_csd *csd = &registers->csd;
	const struct ca_ssr *ssr = &registers->ssr;

	add_capacity(claims, CA_SOURCE_DEVICE, device_bytes);
	if (device_bytes > 0)
		add(claims, CA_CLAIM_RETENTION, CA_SOURCE_DEVICE, 0,
		    "keeps its data without power");
	if (registers->has[CA_REGISTER_CSD]) {
		if (csd->version != CA_CSD_MMC)
			add(claims, CA_CLAIM_CARD_TYPE, CA_SOURCE_CSD, csd->capacity_class,
			    ca_capacity_class_name(csd->capacity_class));
		add_capacity(claims, CA_SOURCE_CSD, csd->capacity_bytes);
	}
	/* All zero means that ACMD13 failed on this host, not that the card has no class. */
	if (registers->has[CA_REGISTER_SSR] && !ssr->all_zero) {
		add_class(claims, CA_CLAIM_SPEED_CLASS, ssr->speed_class);
		add_class(claims, CA_CLAIM_UHS_GRADE, ssr->uhs_speed_grade);
		add_class(claims, CA_CLAIM_VIDEO_CLASS, ssr->video_speed_class);
		add_class(claims, CA_CLAIM_APP_CLASS, ssr->app_perf_class);
	}
	if (registers->has[CA_REGISTER_NVME_NS]) {
		uint64_t bytes;

		if (!__builtin_mul_overflow(registers->nvme_ns.nsze, registers->nvme_ns.block_bytes,
					    &bytes))
			add_capacity(claims, CA_SOURCE_IDENTIFY, bytes);
	}
}
