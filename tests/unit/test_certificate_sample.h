/* SPDX-License-Identifier: BSD-2-Clause */
/* A certificate put together by hand, with every part of the document in use. */
#ifndef CA_TEST_CERTIFICATE_SAMPLE_H
#define CA_TEST_CERTIFICATE_SAMPLE_H

#include "cardassay/certificate.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline void sample_registers(struct ca_raw_registers *raw)
{
	static const uint8_t scr[CA_SCR_BYTES] = {0x02, 0x45, 0x84, 0x03, 0, 0, 0, 0};
	struct ca_cid cid = {.mid = 0xad,
			     .oid = 0x4c53,
			     .pnm = "USD00",
			     .pnm_len = 5,
			     .prv = 0x10,
			     .psn = 0x12345678,
			     .mdt_year = 2024,
			     .mdt_month = 7};

	ca_cid_encode(&cid, raw->cid);
	ck_assert_int_eq(ca_csd_encode_v2(UINT64_C(63864569856), raw->csd), 0);
	memcpy(raw->scr, scr, sizeof(scr));
	raw->ssr[8] = 4;     /* C10 */
	raw->ssr[14] = 0x30; /* U3 */
	raw->ssr[15] = 30;   /* V30 */
	raw->ssr[21] = 2;    /* A2 */
	raw->has[CA_REGISTER_CID] = raw->has[CA_REGISTER_CSD] = true;
	raw->has[CA_REGISTER_SCR] = raw->has[CA_REGISTER_SSR] = true;
	raw->has_ocr = true;
	raw->ocr = 0xc0ff8000;
}

static inline void sample_capacity(struct ca_capacity_evidence *capacity)
{
	capacity->end = CA_FILL_PROOF;
	capacity->announced_bytes = UINT64_C(63864569856);
	capacity->written_bytes = capacity->verified_bytes = UINT64_C(8) << 30;
	capacity->good_bytes = capacity->longest_good_run_bytes = CA_GIB;
	capacity->has_first_bad = capacity->has_real_capacity = true;
	capacity->first_bad_offset = CA_GIB;
	capacity->real_capacity_bytes = CA_GIB;
	capacity->kind = CA_CAPACITY_KIND_WRAP;
	capacity->coverage_ppm = 134505;
	capacity->classes[CA_SECTOR_GOOD] = 2097152;
	capacity->classes[CA_SECTOR_ALIAS] = 14680064;
	capacity->alias_count = 1;
	capacity->alias[0] = (struct ca_alias){.delta = -2097152, .sectors = 14680064};
	capacity->runs = calloc(2, sizeof(*capacity->runs));
	ck_assert_ptr_nonnull(capacity->runs);
	capacity->run_count = 2;
	capacity->runs[0] = (struct ca_run){.sectors = 2097152, .class_of = CA_SECTOR_GOOD};
	capacity->runs[1] = (struct ca_run){.lba = 2097152,
					    .sectors = 14680064,
					    .class_of = CA_SECTOR_ALIAS,
					    .delta = -2097152};
	memset(capacity->expected, 0xab, sizeof(capacity->expected));
	memset(capacity->found, 0xcd, sizeof(capacity->found));
	capacity->write_ns = UINT64_C(286331153000);
	capacity->read_ns = UINT64_C(95443717000);
	capacity->cache_overrun_bytes = CA_GIB;
	strcpy(capacity->pattern, "aes-128-ctr");
	memset(capacity->run_id, 0x11, sizeof(capacity->run_id));
	memset(capacity->device_id, 0x22, sizeof(capacity->device_id));
	capacity->has_key = true;
	capacity->key_bytes = 16;
	memset(capacity->key, 0x33, 16);
}

static inline void sample_probe(struct ca_probe_evidence *probe)
{
	probe->end = CA_FILL_COMPLETE;
	probe->announced_bytes = UINT64_C(63864569856);
	probe->written_bytes = 145000000;
	probe->reads = 5628;
	probe->sample_bytes = 4096;
	probe->samples = 1171;
	probe->random_samples = 768;
	probe->classes[CA_SECTOR_GOOD] = 1162;
	probe->classes[CA_SECTOR_ALIAS] = 9;
	probe->unstable_samples = 1;
	probe->run_bytes = 64 * CA_MIB;
	probe->step_bytes = 32 * CA_MIB;
	probe->steps = 595;
	probe->coverage_ppm = 1130;
	probe->aliases = 25;
	probe->has_alias = probe->has_first_bad = probe->has_real_capacity = true;
	probe->alias_offset = 3 * CA_GIB;
	probe->alias_of_offset = CA_MIB;
	probe->modulus_bytes = probe->real_capacity_bytes = CA_GIB;
	probe->real_least_bytes = probe->real_most_bytes = CA_GIB;
	probe->kind = CA_CAPACITY_KIND_WRAP;
	probe->first_bad_offset = 2 * CA_GIB;
	probe->cache_bytes = 4 * CA_MIB;
	probe->cache_overrun_bytes = 64 * CA_MIB;
	probe->unrestored_bytes = 512;
	probe->journal_kept = true;
	memset(probe->expected, 0xef, sizeof(probe->expected));
	memset(probe->found, 0xfe, sizeof(probe->found));
	probe->elapsed_ns = UINT64_C(11500000000);
	strcpy(probe->pattern, "chacha20");
	memset(probe->run_id, 0x44, sizeof(probe->run_id));
	memset(probe->device_id, 0x55, sizeof(probe->device_id));
	probe->has_key = true;
	probe->key_bytes = 32;
	memset(probe->key, 0x66, 32);
	strcpy(probe->lost_because, "nothing");
}

static inline void sample_speed(struct ca_speed_evidence *speed)
{
	speed->random_count = 2;
	speed->random[0] = (struct ca_speed_random){
		.write = true,
		.milliiops = 1200000,
		.queue_depth = 1,
		.range_bytes = 256 * CA_MIB,
		.block_bytes = 4096,
		.duration_ns = 600 * CA_NS_PER_SECOND,
		.operations = 720000,
		.latency = {800000, 2100000, 5000000, 900000000},
		.preconditioned_ppm = 750000,
		.range_written = true,
	};
	speed->random[1] = speed->random[0];
	speed->random[1].write = false;
	speed->random[1].milliiops = 3200500;
	speed->sequential_count = 1;
	speed->sequential[0] = (struct ca_speed_sequential){
		.write = true,
		.bytes_per_second = 30123456,
		.min_window_bytes_per_second = 29000000,
		.window_bytes = 4 * CA_MIB,
		.request_bytes = 4 * CA_MIB,
		.total_bytes = CA_GIB,
		.offset = CA_MIB,
		.duration_ns = 35643000000,
		.queue_depth = 1,
		.errors = 3,
	};
	speed->erased_before = CA_YES;
	speed->erased_by = CA_ERASE_DISCARD;
	speed->recording = (struct ca_speed_recording){true, 64, 1, 2500000, 9000000};
	speed->cache_on = CA_NO;
	speed->bypass_page_cache = CA_YES;
}

static inline void sample_survey(struct ca_survey_evidence *survey)
{
	survey->range_bytes = 256 * CA_MIB;
	survey->cell_count = 2;
	survey->cells[0] = (struct ca_survey_cell){
		.write = true,
		.random = true,
		.block_bytes = 4096,
		.queue_depth = 1,
		.run_count = 2,
		.rates = {5000000, 5200000},
		.bytes_per_second = 5100000,
		.milliiops = 1245117,
		.operations = 7000,
		.errors = 1,
		.duration_ns = 6000000000,
		.latency = {800000, 2100000, 5000000, 900000000},
		.octaves = {[19] = 6900, [21] = 100},
	};
	survey->cells[1] = survey->cells[0];
	survey->cells[1].random = false;
	survey->line_count = 1;
	survey->lines[0] = (struct ca_survey_line){.step_bytes = 64 * CA_MIB,
						   .sample_bytes = 4 * CA_MIB,
						   .point_count = 4,
						   .rates = {20000000, 9000000, 0, 18000000}};
	survey->like_count = 1;
	survey->likes[0] = (struct ca_survey_like){
		.part = CA_LIKE_DD_READ,
		.page_cache = true,
		.block_bytes = 512000,
		.queue_depth = 1,
		.total_bytes = 524288000,
		.duration_ns = 955000000,
		.bytes_per_second = 549000000,
		.own_bytes_per_second = 20100000,
	};
	survey->interrupted = true;
}

static inline void sample_finding(struct ca_judgement *judgement, const char *rule,
				  const char *claim, enum ca_verdict verdict, const char *found)
{
	struct ca_finding *finding = &judgement->findings[judgement->finding_count++];

	finding->rule = ca_spec_rule_find(rule);
	ck_assert_msg(finding->rule, "no rule %s", rule);
	finding->verdict = verdict;
	strcpy(finding->claim, claim);
	strcpy(finding->source, "label");
	strcpy(finding->says, "what must hold");
	strcpy(finding->found, found);
	strcpy(finding->where, "cid[7:1]");
	strcpy(finding->why, "the reason is given here, at such length that it has to be wrapped "
			     "in a line of eighty columns");
}

static inline void sample_judgement(struct ca_certificate *certificate)
{
	struct ca_judgement *judgement = &certificate->judgement;
	const struct ca_raw_registers *raw = &certificate->evidence.registers;

	ca_registers_decode(raw, &judgement->registers);
	ca_claims_parse_label(certificate->label, &judgement->claims);
	ca_claims_from_registers(&judgement->registers, certificate->evidence.device.bytes,
				 &judgement->claims);
	ca_identity_resolve(raw, &judgement->registers, judgement->claims.brand,
			    &judgement->identity);
	judgement->findings = calloc(4, sizeof(*judgement->findings));
	ck_assert_ptr_nonnull(judgement->findings);
	sample_finding(judgement, "CID-CRC", "capacity", CA_VERDICT_FAIL, "1 GiB is real");
	sample_finding(judgement, "CID-CRC", "A2", CA_VERDICT_INCONCLUSIVE, "no queue");
	sample_finding(judgement, "CID-CRC", "identity", CA_VERDICT_WARNING, "the sum is wrong");
	sample_finding(judgement, "CID-CRC", "identity", CA_VERDICT_NOTE, "a remark");
	strcpy(judgement->scope[0], "capacity");
	strcpy(judgement->scope[1], "A2");
	judgement->scope_count = 2;
	judgement->verdict = CA_VERDICT_FAIL;
	strcpy(judgement->headline, "FAIL: capacity 64 GB announced, 1.1 GB real.");
}

/* A simulated card; ca_certificate_done and free. */
static inline struct ca_certificate *sample_certificate(void)
{
	struct ca_certificate *certificate = calloc(1, sizeof(*certificate));
	struct ca_evidence *evidence;

	ck_assert_ptr_nonnull(certificate);
	evidence = &certificate->evidence;
	strcpy(certificate->id, "00112233445566778899aabbccddeeff");
	certificate->issued = 1730000000;
	certificate->profile = CA_PROFILE_FULL;
	strcpy(certificate->label, "Raspberry Pi 64GB A2 V30 U3 \xc3\xa9"
				   "clair");
	strcpy(certificate->options[0], "class=A2");
	certificate->option_count = 1;
	strcpy(certificate->require[0], "retention");
	certificate->require_count = 1;
	strcpy(certificate->operator_name, "J. M\xc3\xbcller");
	strcpy(certificate->organisation, "Testshop");
	strcpy(certificate->reference, "lot 7");
	strcpy(certificate->tool_version, "0.1.0");
	memset(certificate->specs_sha256, 'a', 64);
	evidence->collected_at = 1729999000;
	evidence->clock_trusted = true;
	evidence->origin = CA_ORIGIN_SIMULATED;
	strcpy(evidence->device.node, "sim:announced=64G,real=1G");
	strcpy(evidence->device.bus, "sim");
	strcpy(evidence->device.model, "\x1b[31mEVIL\xff\\\"\n");
	strcpy(evidence->device.registers_from, "sim");
	evidence->device.media = CA_MEDIA_SD;
	evidence->device.bytes = UINT64_C(63864569856);
	evidence->device.sector_bytes = 512;
	evidence->device.diskseq = 5;
	sample_registers(&evidence->registers);
	evidence->host[CA_HOST_KERNEL] = (struct ca_fact){.present = true, .text = "6.1.0"};
	evidence->host[CA_HOST_BUS_WIDTH] = (struct ca_fact){.present = true, .number = 4};
	evidence->host[CA_HOST_CACHE] =
		(struct ca_fact){.present = true, .number = -1, .text = "odd \x01"};
	sample_capacity(&evidence->capacity);
	sample_speed(&evidence->speed);
	sample_survey(&evidence->survey);
	sample_judgement(certificate);
	return certificate;
}

static inline void sample_free(struct ca_certificate *certificate)
{
	ca_certificate_done(certificate);
	free(certificate);
}

/* malloc'ed JSON, indented. Not inlined: gcc 12 then takes the text for its local variable. */
__attribute__((noinline, unused)) static char *sample_json(const struct ca_certificate *certificate,
							   size_t *ret_len)
{
	char *text = NULL;

	ck_assert_int_eq(ca_certificate_to_json(certificate, true, &text, ret_len), 0);
	return text;
}

#endif
