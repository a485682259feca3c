/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Evidence as hardware could give it: any bytes in every string, any registers, any figures. Bytes
 * are taken from the front; where they end all is zero.
 */
#include "certificate_checks.h"

struct source {
	const uint8_t *data;
	size_t left;
};

static void take(struct source *source, void *ret, size_t bytes)
{
	size_t have = source->left < bytes ? source->left : bytes;

	memset(ret, 0, bytes);
	if (have)
		memcpy(ret, source->data, have);
	source->data += have;
	source->left -= have;
}

static unsigned int take_below(struct source *source, unsigned int limit)
{
	uint8_t byte;

	take(source, &byte, 1);
	return byte % limit;
}

/* Small numbers, large ones, and round ones, never more than a certificate can hold. */
static uint64_t take_number(struct source *source)
{
	uint8_t bytes[8];
	unsigned int shift = take_below(source, 64);

	take(source, bytes, sizeof(bytes));
	return shift & 1 ? UINT64_C(1) << shift % 62 : ca_le64(bytes) >> 1 >> shift;
}

/* A length, and as many bytes of anything but NUL. */
static void take_text(struct source *source, char *ret, size_t size)
{
	uint8_t len;

	take(source, &len, 1);
	take(source, ret, len < size - 1 ? len : size - 1);
	ret[len < size - 1 ? len : size - 1] = '\0';
	memset(ret + strlen(ret), 0, size - strlen(ret));
}

static void take_device(struct source *source, struct ca_evidence *evidence)
{
	static const char *const buses[] = {"mmc", "nvme", "usb", "loop", "sim", "files", ""};
	struct ca_device_facts *device = &evidence->device;

	take_text(source, device->node, sizeof(device->node));
	take_text(source, device->host_path, sizeof(device->host_path));
	take_text(source, device->model, sizeof(device->model));
	take_text(source, device->serial, sizeof(device->serial));
	take_text(source, device->registers_from, sizeof(device->registers_from));
	take_text(source, device->hidden_because, sizeof(device->hidden_because));
	(void)ca_string_copy(device->bus, sizeof(device->bus),
			     buses[take_below(source, CA_ARRAY_LEN(buses))]); /* fits */
	device->media = (enum ca_media)take_below(source, 4);
	device->bytes = take_number(source);
	device->sector_bytes = take_below(source, 2) ? 4096 : 512;
	device->registers_lent = take_below(source, 2);
}

static void take_registers(struct source *source, struct ca_raw_registers *registers)
{
	registers->type = take_below(source, 2) ? CA_CARD_TYPE_MMC : CA_CARD_TYPE_SD;
	for (unsigned int i = 0; i < CA_REGISTER_COUNT; i++) {
		registers->has[i] = take_below(source, 2);
		if (registers->has[i])
			take(source, ca_register_data_mutable(registers, (enum ca_register)i),
			     ca_register_bytes((enum ca_register)i));
	}
}

static void take_host(struct source *source, struct ca_fact facts[CA_HOST_FACT_COUNT])
{
	for (unsigned int i = take_below(source, 16); i > 0; i--) {
		struct ca_fact *fact = &facts[take_below(source, CA_HOST_FACT_COUNT)];

		fact->present = true;
		fact->number = (int64_t)take_number(source);
		take_text(source, fact->text, sizeof(fact->text));
	}
}

static void take_runs(struct source *source, struct ca_capacity_evidence *capacity)
{
	uint64_t lba = 0;

	capacity->run_count = take_below(source, 8);
	capacity->runs = calloc(capacity->run_count + 1, sizeof(*capacity->runs));
	FUZZ_CHECK(capacity->runs != NULL);
	for (size_t i = 0; i < capacity->run_count; i++) {
		struct ca_run *run = &capacity->runs[i];

		run->lba = lba + take_below(source, 3);
		run->sectors = 1 + (take_number(source) >> 8);
		run->class_of = (enum ca_sector_class)take_below(source, CA_SECTOR_CLASS_COUNT);
		run->delta = run->class_of == CA_SECTOR_ALIAS ? (int64_t)take_number(source) : 0;
		lba = run->lba + run->sectors;
	}
}

static void take_capacity(struct source *source, struct ca_capacity_evidence *capacity)
{
	uint64_t *const numbers[] = {&capacity->announced_bytes,
				     &capacity->written_bytes,
				     &capacity->verified_bytes,
				     &capacity->good_bytes,
				     &capacity->longest_good_run_bytes,
				     &capacity->cache_overrun_bytes,
				     &capacity->unstable_sectors,
				     &capacity->write_ns,
				     &capacity->read_ns};
	uint64_t all = take_number(source);

	capacity->end = (enum ca_fill_end)take_below(source, 7);
	capacity->kind = (enum ca_capacity_kind)take_below(source, CA_CAPACITY_KIND_HOST_LIMIT + 1);
	capacity->reinit = (enum ca_reinit_kind)take_below(source, 4);
	/* often the whole card, so that passes are not out of reach */
	for (size_t i = 0; i < CA_ARRAY_LEN(numbers); i++)
		*numbers[i] = take_below(source, 4) ? (i < 6 ? all : 0) : take_number(source);
	capacity->has_first_bad = take_below(source, 2);
	if (capacity->has_first_bad) {
		capacity->first_bad_offset = take_number(source);
		take(source, capacity->expected, sizeof(capacity->expected));
		take(source, capacity->found, sizeof(capacity->found));
	}
	capacity->has_real_capacity = take_below(source, 2);
	if (capacity->has_real_capacity)
		capacity->real_capacity_bytes = take_number(source);
	for (size_t i = 0; i < CA_SECTOR_CLASS_COUNT; i++)
		capacity->classes[i] = take_below(source, 2) ? take_number(source) : 0;
	take_text(source, capacity->lost_because, sizeof(capacity->lost_because));
	take_runs(source, capacity);
}

static void take_speed(struct source *source, struct ca_speed_evidence *speed)
{
	speed->random_count = take_below(source, 4);
	for (unsigned int i = 0; i < speed->random_count; i++) {
		struct ca_speed_random *random = &speed->random[i];

		random->write = take_below(source, 2);
		random->milliiops = take_number(source);
		random->queue_depth = take_below(source, 33);
		random->duration_ns = take_number(source);
		random->range_bytes = take_number(source);
		random->block_bytes = 4096;
		random->range_written = take_below(source, 2);
	}
	speed->sequential_count = take_below(source, 4);
	for (unsigned int i = 0; i < speed->sequential_count; i++) {
		struct ca_speed_sequential *sequential = &speed->sequential[i];

		sequential->write = take_below(source, 2);
		sequential->bytes_per_second = take_number(source);
		sequential->min_window_bytes_per_second = take_number(source);
		sequential->window_bytes = take_number(source);
		sequential->total_bytes = take_number(source);
		sequential->queue_depth = take_below(source, 33);
	}
	speed->erased_before = (enum ca_tristate)take_below(source, 3);
	speed->cache_on = (enum ca_tristate)take_below(source, 3);
	speed->bypass_page_cache = (enum ca_tristate)take_below(source, 3);
}

static void take_certificate(struct source *source, struct ca_certificate *certificate)
{
	struct ca_evidence *evidence = &certificate->evidence;

	memset(certificate->id, 'a', 32);
	(void)ca_string_copy(certificate->tool_version, sizeof(certificate->tool_version),
			     "0.0.0"); /* fits */
	memset(certificate->specs_sha256, '0', sizeof(certificate->specs_sha256) - 1);
	certificate->profile = (enum ca_profile)take_below(source, 6);
	evidence->origin = (enum ca_origin)take_below(source, 5);
	evidence->collected_at = UINT64_C(1700000000) + take_below(source, 255) * 1000000U;
	take_text(source, certificate->label, sizeof(certificate->label));
	take_text(source, certificate->operator_name, sizeof(certificate->operator_name));
	take_text(source, certificate->reference, sizeof(certificate->reference));
	certificate->require_count = take_below(source, 3);
	for (size_t i = 0; i < certificate->require_count; i++)
		take_text(source, certificate->require[i], sizeof(certificate->require[i]));
	take_device(source, evidence);
	take_capacity(source, &evidence->capacity);
	take_host(source, evidence->host);
	take_speed(source, &evidence->speed);
	take_registers(source, &evidence->registers);
	if (take_below(source, 4) == 3)
		ca_evidence_mask(evidence);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct source source = {data, size};
	struct ca_certificate *certificate = calloc(1, sizeof(*certificate));

	FUZZ_CHECK(certificate != NULL);
	take_certificate(&source, certificate);
	FUZZ_CHECK(check_judging(certificate)); /* there is no --claim in it */
	check_views(certificate);
	ca_certificate_done(certificate);
	free(certificate);
	return 0;
}
