/* SPDX-License-Identifier: BSD-2-Clause */
/* Which rows of specs/ an answer rests on, and which products it leaves possible. */
#include "identity_internal.h"

#include <string.h>

static void add_number(struct ca_text *text, const char *name, int32_t number, unsigned int digits)
{
	if (number < 0)
		return;
	ca_text_add(text, text->len ? ", " : "");
	ca_text_add(text, name);
	ca_text_hex(text, (uint64_t)number, digits);
}

static void add_word(struct ca_text *text, const char *name, const char *word)
{
	if (!word[0])
		return;
	ca_text_add(text, text->len ? ", " : "");
	ca_text_add(text, name);
	ca_text_add(text, word);
}

static struct ca_text begin_row(struct ca_identity_row *row, const char *table, const char *note,
				const char *sources)
{
	struct ca_text text;

	*row = (struct ca_identity_row){.table = table, .note = note, .sources = sources};
	ca_text_init(&text, row->row, sizeof(row->row));
	return text;
}

static void maker_row(const struct ca_spec_maker *maker, struct ca_identity_row *row)
{
	struct ca_text text = begin_row(row, "manufacturers.tsv", maker->note, maker->sources);

	add_number(&text, maker->emmc ? "eMMC MID " : "MID ", maker->mid, 2);
	add_number(&text, "OID ", maker->oid, 4);
	add_word(&text, "", maker->standing);
}

static void vendor_row(const struct ca_spec_nvme_vendor *vendor, struct ca_identity_row *row)
{
	struct ca_text text = begin_row(row, "nvme_vendors.tsv", vendor->note, vendor->sources);

	add_number(&text, "VID ", vendor->vid, 4);
	add_word(&text, "", vendor->role);
}

static void brand_row(const struct ca_spec_brand *brand, struct ca_identity_row *row)
{
	struct ca_text text = begin_row(row, "brands.tsv", "", brand->sources);

	add_word(&text, "", brand->brand);
	add_number(&text, "MID always ", brand->strict_mid, 2);
	add_number(&text, "VID always ", brand->strict_vid, 4);
}

static void relation_row(const struct ca_spec_relation *relation, struct ca_identity_row *row)
{
	struct ca_text text =
		begin_row(row, "oem_relations.tsv", relation->note, relation->sources);
	bool nvme = strcmp(relation->kind, "nvme") == 0;

	add_word(&text, "", relation->brand);
	add_word(&text, "", relation->product);
	add_number(&text, "MID ", nvme ? -1 : relation->mid, 2);
	add_number(&text, "OID ", nvme ? -1 : relation->oid, 4);
	add_number(&text, "VID ", nvme ? relation->vid : -1, 4);
	add_word(&text, "", relation->pnm);
	add_word(&text, "", relation->model);
}

static void convention_row(const struct ca_spec_nvme_convention *convention,
			   struct ca_identity_row *row)
{
	struct ca_text text =
		begin_row(row, "nvme_conventions.tsv", convention->note, convention->sources);

	ca_text_add(&text, convention->field);
	ca_text_add(&text, " ");
	ca_text_add(&text, convention->pattern);
	add_word(&text, "", convention->customer);
}

static bool joins_brand_and_maker(const struct ca_identity *identity)
{
	return identity->brand && identity->candidate_count &&
	       strcmp(identity->candidates[0]->brand, identity->brand->brand) == 0;
}

size_t ca_identity_rows(const struct ca_identity *identity,
			struct ca_identity_row ret_rows[CA_IDENTITY_ROWS_MAX])
{
	size_t count = 0;

	if (identity->maker)
		maker_row(identity->maker, &ret_rows[count++]);
	if (identity->nvme_vendor)
		vendor_row(identity->nvme_vendor, &ret_rows[count++]);
	if (identity->relation == CA_RELATION_CONTRADICTION)
		brand_row(identity->brand, &ret_rows[count++]);
	if (joins_brand_and_maker(identity))
		relation_row(identity->candidates[0], &ret_rows[count++]);
	for (size_t i = 0; i < identity->convention_count; i++)
		convention_row(identity->conventions[i], &ret_rows[count++]);
	return count;
}

static bool is_named_before(const struct ca_identity *identity, size_t index)
{
	const struct ca_spec_relation *row = identity->candidates[index];

	for (size_t i = 0; i < index; i++)
		if (strcmp(identity->candidates[i]->brand, row->brand) == 0 &&
		    strcmp(identity->candidates[i]->product, row->product) == 0)
			return true;
	return false;
}

size_t ca_identity_write_products(struct ca_text *text, const struct ca_identity *identity,
				  size_t max)
{
	size_t count = 0;

	for (size_t i = 0; i < identity->candidate_count; i++) {
		const struct ca_spec_relation *row = identity->candidates[i];

		if (is_named_before(identity, i) || ++count > max)
			continue;
		ca_text_add(text, count > 1 ? "; " : "");
		ca_text_add(text, row->brand);
		if (row->product[0]) {
			ca_text_add(text, " ");
			ca_text_add(text, row->product);
		}
	}
	if (count > max) {
		ca_text_add(text, "; and ");
		ca_text_u64(text, count - max);
		ca_text_add(text, " more");
	}
	return count;
}
