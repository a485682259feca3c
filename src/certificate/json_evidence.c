/* SPDX-License-Identifier: BSD-2-Clause */
#include "json_parts.h"
#include "json_names.h"

#include <errno.h>
#include <string.h>

#define DEVICE struct ca_device_facts
static const struct ca_json_field device_fields[] = {
	CA_JSON_RAW(DEVICE, node),
	CA_JSON_RAW(DEVICE, host_path),
	CA_JSON_RAW(DEVICE, bus),
	CA_JSON_RAW(DEVICE, model),
	CA_JSON_RAW(DEVICE, serial),
	CA_JSON_ENUM(DEVICE, "media", media, ca_json_name_media, CA_JSON_MEDIA),
	CA_JSON_UINT(DEVICE, bytes),
	CA_JSON_UINT(DEVICE, sector_bytes),
	CA_JSON_UINT(DEVICE, diskseq),
	CA_JSON_BOOL(DEVICE, registers_lent),
	CA_JSON_RAW(DEVICE, registers_from),
	CA_JSON_RAW(DEVICE, hidden_because),
};

#define EVIDENCE struct ca_evidence
static const struct ca_json_field evidence_fields[] = {
	{CA_JSON_FIELD(CA_JSON_TIME, EVIDENCE, "collected_at", collected_at)},
	CA_JSON_BOOL(EVIDENCE, clock_trusted),
};

#define RAW struct ca_raw_registers
static const struct ca_json_field type_fields[] = {
	CA_JSON_ENUM(RAW, "type", type, ca_json_name_card_type, CA_JSON_CARD_TYPES),
};
static const struct ca_json_field ocr_fields[] = {
	{CA_JSON_FIELD(CA_JSON_UNSIGNED, RAW, "ocr", ocr),
	 .has_offset = offsetof(RAW, has_ocr) + 1},
};

static const struct ca_json_field pci_fields[] = {
	CA_JSON_UINT(RAW, pci_vid),
	CA_JSON_UINT(RAW, pci_ssvid),
};
static const struct ca_json_field smart_fields[] = {
	{CA_JSON_FIELD(CA_JSON_BYTES, EVIDENCE, "smart_after", nvme_smart_after),
	 .has_offset = offsetof(EVIDENCE, has_smart_after) + 1},
};

#define FACT struct ca_fact
static const struct ca_json_field fact_fields[] = {
	{CA_JSON_FIELD(CA_JSON_HARDWARE, FACT, "value", text)},
	{CA_JSON_FIELD(CA_JSON_SIGNED, FACT, "number", number)},
};

/* ---- registers ----------------------------------------------------------------------------- */

/* What `masked` lists and which register must be there for it. */
static const struct {
	const char *name;
	int reg; /* enum ca_register, -1 = always */
} masked_names[] = {
	{"device.serial", -1},
	{"cid.psn", CA_REGISTER_CID},
	{"cid.crc", CA_REGISTER_CID},
	{"id_ctrl.sn", CA_REGISTER_NVME_CTRL},
	{"id_ctrl.subnqn", CA_REGISTER_NVME_CTRL},
	{"id_ns.nguid", CA_REGISTER_NVME_NS},
	{"id_ns.eui64", CA_REGISTER_NVME_NS},
};

static json_t *write_register(const struct ca_raw_registers *raw, enum ca_register reg)
{
	if (!raw->has[reg])
		return json_null();
	return ca_json_hex(ca_register_data(raw, reg), ca_register_bytes(reg));
}

static json_t *write_registers(const struct ca_evidence *evidence)
{
	const struct ca_raw_registers *raw = &evidence->registers;
	bool crc_kept = (evidence->masked || raw->masked) && raw->has[CA_REGISTER_CID];
	json_t *object = json_object();
	int r = object ? ca_json_write_fields(object, type_fields, 1, raw) : -ENOMEM;

	for (unsigned int reg = 0; r == 0 && reg <= CA_REGISTER_NVME_NS; reg++)
		r = ca_json_set(object, ca_register_name((enum ca_register)reg),
				write_register(raw, (enum ca_register)reg));
	for (unsigned int reg = CA_REGISTER_EXT_PERF; r == 0 && reg < CA_REGISTER_COUNT; reg++)
		if (raw->has[reg]) /* few kernels show them: no member where there is none */
			r = ca_json_set(object, ca_register_name((enum ca_register)reg),
					write_register(raw, (enum ca_register)reg));
	if (r == 0)
		r = ca_json_write_fields(object, ocr_fields, 1, raw);
	if (r == 0)
		r = ca_json_set(
			object, "masked_cid_crc",
			crc_kept ? json_string(ca_json_name_crc((unsigned int)raw->masked_cid_crc))
				 : json_null());
	if (r == 0)
		return object;
	json_decref(object);
	return NULL;
}

static int read_register(const json_t *object, const char *path, const char *key,
			 enum ca_register reg, struct ca_raw_registers *raw, struct ca_error *error)
{
	const json_t *value = NULL;
	int r = ca_json_get_nullable(object, path, key, JSON_STRING, &value, error);

	if (r < 0 || !value)
		return r;
	r = ca_json_read_hex(value, path, key, ca_register_data_mutable(raw, reg),
			     ca_register_bytes(reg), error);
	if (r == 0)
		raw->has[reg] = true;
	return r;
}

static int read_masked_crc(const json_t *object, struct ca_raw_registers *raw,
			   struct ca_error *error)
{
	const char *path = "evidence.registers", *key = "masked_cid_crc";
	const json_t *value = NULL;
	int r = ca_json_get_nullable(object, path, key, JSON_STRING, &value, error);

	if (r < 0 || !value)
		return r;
	for (unsigned int crc = 0; crc < CA_JSON_CRCS; crc++) {
		if (strcmp(ca_json_name_crc(crc), json_string_value(value)) != 0)
			continue;
		raw->masked_cid_crc = (int)crc;
		return 0;
	}
	return ca_json_bad(error, path, key, "must be good, bad or absent");
}

static int read_registers(const json_t *object, struct ca_raw_registers *raw,
			  struct ca_error *error)
{
	const char *path = "evidence.registers";
	int r = ca_json_read_fields(object, path, type_fields, 1, raw, error);

	for (unsigned int reg = 0; r == 0 && reg <= CA_REGISTER_NVME_NS; reg++)
		r = read_register(object, path, ca_register_name((enum ca_register)reg),
				  (enum ca_register)reg, raw, error);
	for (unsigned int reg = CA_REGISTER_EXT_PERF; r == 0 && reg < CA_REGISTER_COUNT; reg++)
		if (json_object_get(object, ca_register_name((enum ca_register)reg)))
			r = read_register(object, path, ca_register_name((enum ca_register)reg),
					  (enum ca_register)reg, raw, error);
	if (r == 0)
		r = ca_json_read_fields(object, path, ocr_fields, 1, raw, error);
	return r < 0 ? r : read_masked_crc(object, raw, error);
}

/* PCI ids and wear, null where nothing of NVMe was seen. */
static json_t *write_nvme(const struct ca_evidence *evidence)
{
	const struct ca_raw_registers *raw = &evidence->registers;
	json_t *object;
	int r;

	if (!raw->has[CA_REGISTER_NVME_SMART] && !evidence->has_smart_after && !raw->pci_vid &&
	    !raw->pci_ssvid)
		return json_null();
	object = json_object();
	r = object ? ca_json_write_fields(object, pci_fields, CA_ARRAY_LEN(pci_fields), raw)
		   : -ENOMEM;
	if (r == 0)
		r = ca_json_set(object, "smart_before",
				write_register(raw, CA_REGISTER_NVME_SMART));
	if (r == 0)
		r = ca_json_write_fields(object, smart_fields, 1, evidence);
	if (r == 0)
		return object;
	json_decref(object);
	return NULL;
}

static int read_nvme(const json_t *object, struct ca_evidence *evidence, struct ca_error *error)
{
	const char *path = "evidence.nvme";
	int r = ca_json_read_fields(object, path, pci_fields, CA_ARRAY_LEN(pci_fields),
				    &evidence->registers, error);

	if (r == 0)
		r = read_register(object, path, "smart_before", CA_REGISTER_NVME_SMART,
				  &evidence->registers, error);
	if (r == 0)
		r = ca_json_read_fields(object, path, smart_fields, 1, evidence, error);
	return r;
}

static json_t *write_masked(const struct ca_evidence *evidence)
{
	const char *vendor = "vendor_health.data";
	json_t *array = json_array();

	if (!array || (!evidence->masked && !evidence->registers.masked))
		return array;
	for (size_t i = 0; i < CA_ARRAY_LEN(masked_names); i++) {
		int reg = masked_names[i].reg;

		if (reg >= 0 && !evidence->registers.has[reg])
			continue;
		if (ca_json_append(array, json_string(masked_names[i].name)) < 0) {
			json_decref(array);
			return NULL;
		}
	}
	if (evidence->vendor.count && ca_json_append(array, json_string(vendor)) < 0) {
		json_decref(array);
		return NULL;
	}
	return array;
}

/* ---- host ---------------------------------------------------------------------------------- */

static int write_fact(json_t *host, json_t *absent, enum ca_host_fact which,
		      const struct ca_fact *fact)
{
	const char *name = ca_host_fact_name(which);
	json_t *object;

	if (!fact->present)
		return ca_json_append(absent, json_string(name));
	object = json_object();
	if (object &&
	    ca_json_write_fields(object, fact_fields, CA_ARRAY_LEN(fact_fields), fact) < 0) {
		json_decref(object);
		object = NULL;
	}
	return ca_json_set(host, name, object);
}

static json_t *write_host(const struct ca_fact facts[CA_HOST_FACT_COUNT])
{
	json_t *host = json_object(), *absent = json_array();
	int r = host && absent ? 0 : -ENOMEM;

	for (unsigned int i = 0; r == 0 && i < CA_HOST_FACT_COUNT; i++)
		r = write_fact(host, absent, (enum ca_host_fact)i, &facts[i]);
	if (r == 0)
		r = ca_json_set(host, "absent", json_incref(absent));
	json_decref(absent);
	if (r == 0)
		return host;
	json_decref(host);
	return NULL;
}

static int read_host(const json_t *object, struct ca_fact facts[CA_HOST_FACT_COUNT],
		     struct ca_error *error)
{
	const char *path = "evidence.host";
	const json_t *absent = NULL, *value = NULL;
	int r = ca_json_get(object, path, "absent", JSON_ARRAY, &absent, error);

	for (unsigned int i = 0; r == 0 && i < CA_HOST_FACT_COUNT; i++) {
		const char *name = ca_host_fact_name((enum ca_host_fact)i);

		if (!json_object_get(object, name))
			continue; /* a fact that the writer did not know of is absent too */
		r = ca_json_get(object, path, name, JSON_OBJECT, &value, error);
		if (r == 0)
			r = ca_json_read_fields(value, path, fact_fields, CA_ARRAY_LEN(fact_fields),
						&facts[i], error);
		facts[i].present = r == 0;
	}
	return r;
}

/* ---- the whole ----------------------------------------------------------------------------- */

static json_t *write_device(const struct ca_device_facts *device)
{
	json_t *object = json_object();

	if (object &&
	    ca_json_write_fields(object, device_fields, CA_ARRAY_LEN(device_fields), device) == 0)
		return object;
	json_decref(object);
	return NULL;
}

json_t *ca_json_write_evidence(const struct ca_evidence *evidence)
{
	json_t *object = json_object();
	int r = object ? ca_json_write_fields(object, evidence_fields,
					      CA_ARRAY_LEN(evidence_fields), evidence)
		       : -ENOMEM;

	if (r == 0)
		r = ca_json_set(object, "device", write_device(&evidence->device));
	if (r == 0)
		r = ca_json_set(object, "registers", write_registers(evidence));
	if (r == 0)
		r = ca_json_set(object, "nvme", write_nvme(evidence));
	if (r == 0 && evidence->vendor.asked)
		r = ca_json_set(object, "vendor_health", ca_json_write_vendor(&evidence->vendor));
	if (r == 0)
		r = ca_json_set(object, "host", write_host(evidence->host));
	if (r == 0)
		r = ca_json_set(object, "capacity", ca_json_write_capacity(&evidence->capacity));
	if (r == 0 && evidence->probe.end != CA_FILL_NOT_RUN)
		r = ca_json_set(object, "probe", ca_json_write_probe(&evidence->probe));
	if (r == 0)
		r = ca_json_set(object, "speed", ca_json_write_speed(&evidence->speed));
	if (r == 0 && ca_survey_was_run(&evidence->survey))
		r = ca_json_set(object, "survey", ca_json_write_survey(&evidence->survey));
	if (r == 0)
		r = ca_json_set(object, "masked", write_masked(evidence));
	if (r == 0)
		return object;
	json_decref(object);
	return NULL;
}

static int read_hardware(const json_t *object, struct ca_evidence *evidence, struct ca_error *error)
{
	const char *path = "evidence";
	const json_t *value = NULL;
	int r = ca_json_get(object, path, "device", JSON_OBJECT, &value, error);

	if (r == 0)
		r = ca_json_read_fields(value, "evidence.device", device_fields,
					CA_ARRAY_LEN(device_fields), &evidence->device, error);
	if (r == 0)
		r = ca_json_get(object, path, "registers", JSON_OBJECT, &value, error);
	if (r == 0)
		r = read_registers(value, &evidence->registers, error);
	if (r == 0)
		r = ca_json_get_nullable(object, path, "nvme", JSON_OBJECT, &value, error);
	if (r == 0 && value)
		r = read_nvme(value, evidence, error);
	if (r == 0 && json_object_get(object, "vendor_health")) {
		r = ca_json_get(object, path, "vendor_health", JSON_OBJECT, &value, error);
		if (r == 0)
			r = ca_json_read_vendor(value, &evidence->vendor, error);
	}
	if (r == 0)
		r = ca_json_get(object, path, "host", JSON_OBJECT, &value, error);
	if (r == 0)
		r = read_host(value, evidence->host, error);
	return r;
}

int ca_json_read_evidence(const json_t *object, struct ca_evidence *evidence,
			  struct ca_error *error)
{
	const char *path = "evidence";
	const json_t *value = NULL;
	int r = ca_json_read_fields(object, path, evidence_fields, CA_ARRAY_LEN(evidence_fields),
				    evidence, error);

	if (r == 0)
		r = read_hardware(object, evidence, error);
	if (r == 0)
		r = ca_json_get(object, path, "capacity", JSON_OBJECT, &value, error);
	if (r == 0)
		r = ca_json_read_capacity(value, &evidence->capacity, error);
	if (r == 0 && json_object_get(object, "probe")) {
		r = ca_json_get(object, path, "probe", JSON_OBJECT, &value, error);
		if (r == 0)
			r = ca_json_read_probe(value, &evidence->probe, error);
	}
	if (r == 0)
		r = ca_json_get(object, path, "speed", JSON_OBJECT, &value, error);
	if (r == 0)
		r = ca_json_read_speed(value, &evidence->speed, error);
	if (r == 0 && json_object_get(object, "survey")) {
		r = ca_json_get(object, path, "survey", JSON_OBJECT, &value, error);
		if (r == 0)
			r = ca_json_read_survey(value, &evidence->survey, error);
	}
	if (r == 0)
		r = ca_json_get(object, path, "masked", JSON_ARRAY, &value, error);
	if (r < 0)
		return r;
	evidence->masked = json_array_size(value) > 0;
	evidence->registers.masked = evidence->masked;
	return 0;
}
