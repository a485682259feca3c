/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Every field of every register, one line each, from the rows of specs/fields.tsv: what `inspect
 * --fields` prints. Nothing is judged.
 */
#include "view.h"
#include "json_parts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define NUMBER_TEXT_BYTES 24U

/* One line, put together: all texts are free of control bytes. */
struct field_line {
	const char *reg, *name; /* "cid", "MID"; name NULL: the register as a whole */
	bool has_range, is_bytes;
	unsigned int msb, lsb;
	const char *raw, *value, *meaning, *clause;
};

/* Where the lines go: text, or JSON objects. `rc` keeps the first failure. */
struct fields_sink {
	struct ca_view view;
	const char *device;
	bool named, json;
	size_t lines;
	int rc;
};

static void put_text(struct fields_sink *sink, const struct field_line *line)
{
	char lead[1300], range[NUMBER_TEXT_BYTES];
	struct ca_text text;

	ca_text_init(&text, lead, sizeof(lead));
	if (sink->named) {
		ca_text_escaped(&text, sink->device, strlen(sink->device));
		ca_text_add(&text, ":");
	}
	ca_text_add(&text, line->reg);
	ca_text_add(&text, line->name ? "." : "");
	ca_text_add(&text, line->name ? line->name : "");
	ca_text_init(&text, range, sizeof(range));
	ca_text_add(&text, "[");
	if (line->has_range) {
		ca_text_u64(&text, line->msb);
		ca_text_add(&text, ":");
		ca_text_u64(&text, line->lsb);
	}
	ca_text_add(&text, "]");
	(void)fprintf(sink->view.file, "%s\t%s\t%s\t%s\t(%s)\n", lead, range, line->raw,
		      line->value, line->clause); /* the stream keeps its error */
}

static int put_members(json_t *object, const struct fields_sink *sink,
		       const struct field_line *line)
{
	int r = ca_json_set(object, "device", ca_json_hardware(sink->device, strlen(sink->device)));

	if (r == 0)
		r = ca_json_set(object, "register", json_string(line->reg));
	if (r == 0)
		r = ca_json_set(object, "field",
				line->name ? json_string(line->name) : json_null());
	if (r == 0)
		r = ca_json_set(object, "unit",
				line->has_range ? json_string(line->is_bytes ? "byte" : "bit")
						: json_null());
	if (r == 0)
		r = ca_json_set(object, "msb",
				line->has_range ? ca_json_unsigned(line->msb) : json_null());
	if (r == 0)
		r = ca_json_set(object, "lsb",
				line->has_range ? ca_json_unsigned(line->lsb) : json_null());
	if (r == 0)
		r = ca_json_set(object, "raw", json_string(line->raw));
	if (r == 0)
		r = ca_json_set(object, "decoded", json_string(line->value));
	if (r == 0)
		r = ca_json_set(object, "meaning", json_string(line->meaning));
	return r ? r : ca_json_set(object, "clause", json_string(line->clause));
}

static void put_json(struct fields_sink *sink, const struct field_line *line)
{
	json_t *object = json_object();
	char *text = NULL;
	int r = object ? put_members(object, sink, line) : -ENOMEM;

	if (r == 0)
		text = json_dumps(object, JSON_COMPACT | JSON_ENSURE_ASCII);
	json_decref(object);
	if (!text) {
		sink->rc = -ENOMEM;
		return;
	}
	(void)fprintf(sink->view.file, "%s\n%s", sink->lines ? "," : "", text);
	free(text);
}

static void put_line(struct fields_sink *sink, const struct field_line *line)
{
	if (sink->rc < 0)
		return;
	if (sink->json)
		put_json(sink, line);
	else
		put_text(sink, line);
	sink->lines++;
}

/* The bytes of one register, as the rows of its layout cut them. */
struct field_source {
	const char *reg, *layout;
	const uint8_t *data;
	size_t bytes;
	const struct ca_registers *registers;
	bool masked;
};

/* Who owns the number of a maker. */
static void add_maker(const struct field_source *source, const struct ca_field *field,
		      struct ca_text *text)
{
	const struct ca_registers *registers = source->registers;
	const struct ca_spec_nvme_vendor *vendor = NULL;
	const struct ca_spec_maker *maker = NULL;
	const char *name;

	if (strcmp(field->name, "MID") == 0)
		maker = ca_identity_find_maker(registers->cid.type == CA_CARD_TYPE_MMC,
					       registers->cid.mid, registers->cid.oid);
	else if (strcmp(field->name, "VID") == 0)
		vendor = ca_identity_find_nvme_vendor(registers->nvme_ctrl.vid);
	name = maker ? maker->maker : vendor ? vendor->maker : "";
	ca_text_add(text, *name ? ", " : "");
	ca_text_add(text, name);
}

static void put_field(struct fields_sink *sink, const struct field_source *source,
		      const struct ca_field *field)
{
	char raw_buf[CA_FIELD_TEXT_BYTES], value_buf[2048];
	bool blanked = source->masked && ca_field_is_masked(field);
	struct ca_text raw, value;

	ca_text_init(&raw, raw_buf, sizeof(raw_buf));
	ca_field_raw_text(field, source->data, source->bytes, &raw);
	ca_text_init(&value, value_buf, sizeof(value_buf));
	/* what a masked checksum said before is known, all else is gone */
	if (blanked && strcmp(field->name, "CRC") != 0)
		ca_text_add(&value, "masked on request");
	else
		ca_field_value_text(field, source->registers, source->data, source->bytes, &value);
	add_maker(source, field, &value);
	put_line(sink, &(struct field_line){
			       .reg = source->reg,
			       .name = field->name,
			       .has_range = true,
			       .is_bytes = ca_field_is_bytes(field),
			       .msb = field->msb,
			       .lsb = field->lsb,
			       .raw = raw_buf,
			       .value = value_buf[0] ? value_buf : "-",
			       .meaning = field->meaning,
			       .clause = field->clause,
		       });
}

static void put_register(struct fields_sink *sink, const struct field_source *source)
{
	for (const struct ca_field *field = ca_field_first(source->layout); field;
	     field = ca_field_next(field))
		put_field(sink, source, field);
}

/* A structure that no layout is known of: shown as it is, so that nothing is hidden. */
static void put_undecodable(struct fields_sink *sink, const struct field_source *source)
{
	char raw[2 * CA_NVME_ID_BYTES + 3] = "0x";

	ca_hex_encode(source->data, source->bytes, raw + 2);
	put_line(sink, &(struct field_line){
			       .reg = source->reg,
			       .has_range = true,
			       .msb = (unsigned int)source->bytes * 8 - 1,
			       .raw = raw,
			       .value = "not decoded: its structure field names no known layout",
			       .meaning = "the whole register",
			       .clause = "-",
		       });
}

/* ---- what is no register -------------------------------------------------------------------- */

static void put_ocr(struct fields_sink *sink, const struct ca_raw_registers *raw,
		    const struct ca_registers *registers)
{
	const uint8_t data[] = {
		(uint8_t)(raw->ocr >> 24),
		(uint8_t)(raw->ocr >> 16),
		(uint8_t)(raw->ocr >> 8),
		(uint8_t)raw->ocr,
	};

	if (raw->has_ocr)
		put_register(sink, &(struct field_source){.reg = "ocr",
							  .layout = ca_ocr_layout(raw->type),
							  .data = data,
							  .bytes = sizeof(data),
							  .registers = registers});
}

static void put_pci_id(struct fields_sink *sink, const char *name, unsigned int lsb, uint16_t id,
		       const char *meaning)
{
	char raw[NUMBER_TEXT_BYTES], value[NUMBER_TEXT_BYTES];
	struct ca_text text;

	if (!id)
		return;
	ca_text_init(&text, raw, sizeof(raw));
	ca_text_add(&text, "0x");
	ca_text_hex(&text, id, 4);
	ca_text_init(&text, value, sizeof(value));
	ca_text_u64(&text, id);
	put_line(sink, &(struct field_line){.reg = "pci",
					    .name = name,
					    .has_range = true,
					    .is_bytes = true,
					    .msb = lsb + 1,
					    .lsb = lsb,
					    .raw = raw,
					    .value = value,
					    .meaning = meaning,
					    .clause = "PCI configuration space"});
}

/* The link, as sysfs gives it: no register is read for it. */
static void put_link(struct fields_sink *sink, const struct ca_fact *fact, const char *name,
		     const char *unit, const char *meaning)
{
	char raw[NUMBER_TEXT_BYTES], value[64];
	struct ca_text text;

	if (!fact->present)
		return;
	ca_text_init(&text, raw, sizeof(raw));
	ca_text_add(&text, "0x");
	ca_text_hex(&text, (uint64_t)fact->number, 4);
	ca_text_init(&text, value, sizeof(value));
	ca_text_i64(&text, fact->number);
	ca_text_add(&text, unit);
	put_line(sink, &(struct field_line){.reg = "pci",
					    .name = name,
					    .raw = raw,
					    .value = value,
					    .meaning = meaning,
					    .clause = "Linux sysfs"});
}

static void put_pci(struct fields_sink *sink, const struct ca_evidence *evidence)
{
	const struct ca_fact *facts = evidence->host;

	put_pci_id(sink, "VENDOR", 0, evidence->registers.pci_vid, "vendor by PCI");
	put_pci_id(sink, "SUBSYSTEM_VENDOR", 0x2c, evidence->registers.pci_ssvid,
		   "subsystem vendor by PCI");
	put_link(sink, &facts[CA_HOST_PCIE_SPEED], "LINK_SPEED", " MT/s", "link speed now");
	put_link(sink, &facts[CA_HOST_PCIE_WIDTH], "LINK_WIDTH", " lanes", "link width now");
	put_link(sink, &facts[CA_HOST_PCIE_SPEED_MAX], "LINK_SPEED_MAX", " MT/s",
		 "link speed that the drive can");
	put_link(sink, &facts[CA_HOST_PCIE_WIDTH_MAX], "LINK_WIDTH_MAX", " lanes",
		 "link width that the drive can");
}

static void put_registers(struct fields_sink *sink, const struct ca_evidence *evidence)
{
	const struct ca_raw_registers *raw = &evidence->registers;
	struct ca_registers registers;

	ca_registers_decode(raw, &registers);
	for (unsigned int i = 0; i < CA_REGISTER_COUNT; i++) {
		enum ca_register reg = (enum ca_register)i;
		struct field_source source = {.reg = ca_register_name(reg),
					      .layout = ca_register_layout(raw, reg),
					      .data = ca_register_data(raw, reg),
					      .bytes = ca_register_bytes(reg),
					      .registers = &registers,
					      .masked = raw->masked};

		if (registers.undecodable[i])
			put_undecodable(sink, &source);
		else if (registers.has[i])
			put_register(sink, &source);
	}
	put_ocr(sink, raw, &registers);
	put_pci(sink, evidence);
}

/* Only of an answer that is known: vendor-defined. */
static void put_vendor(struct fields_sink *sink, const struct ca_vendor_health *health)
{
	const struct ca_vendor_query *query;
	unsigned int index;

	if (!ca_vendor_find(health, &index, &query))
		return;
	for (const struct ca_vendor_field *field = ca_vendor_field_first(query->layout); field;
	     field = ca_vendor_field_next(field)) {
		const uint8_t *data = health->answers[index].data;
		char raw[2 * CA_VENDOR_BYTES + 3] = "0x", value[400];
		struct ca_text text;

		ca_hex_encode(data + field->byte, field->bytes, raw + 2);
		ca_text_init(&text, value, sizeof(value));
		ca_vendor_field_text(field, data, &text);
		put_line(sink, &(struct field_line){
				       .reg = "cmd56",
				       .name = field->name,
				       .has_range = true,
				       .is_bytes = true,
				       .msb = field->byte + field->bytes - 1U,
				       .lsb = field->byte,
				       .raw = raw,
				       .value = value[0] ? value : "-",
				       .meaning = field->meaning,
				       .clause = "vendor-defined",
			       });
	}
}

int ca_certificate_fields(const struct ca_evidence *evidence,
			  const struct ca_fields_options *options, char **ret_text)
{
	struct fields_sink sink = {
		.device = evidence->device.node,
		.named = options->named,
		.json = options->json,
	};
	int r = ca_view_begin(&sink.view, NULL);

	if (r < 0)
		return r;
	put_registers(&sink, evidence);
	put_vendor(&sink, &evidence->vendor);
	if (sink.json && sink.lines)
		(void)fprintf(sink.view.file, "\n"); /* as above: found when it is finished */
	r = ca_view_finish(&sink.view, ret_text);
	if (r == 0 && sink.rc < 0) {
		free(*ret_text);
		return sink.rc;
	}
	return r;
}
