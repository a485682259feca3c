/* SPDX-License-Identifier: BSD-2-Clause */
/* What model names, firmware revisions and subsystem vendors say of who a drive was made for. */
#include "identity_internal.h"

#include <string.h>

static bool is_field(const struct ca_spec_nvme_convention *row, const char *field)
{
	return strcmp(row->field, field) == 0;
}

static bool convention_matches(const struct ca_spec_nvme_convention *row,
			       const struct shown_identity *shown)
{
	char ssvid[8];
	struct ca_text text;

	if (is_field(row, "ssvid")) {
		/* a vendor's own number on its own drive says nothing */
		if (!shown->ssvid || shown->ssvid == shown->vid)
			return false;
		ca_text_init(&text, ssvid, sizeof(ssvid));
		ca_text_hex(&text, shown->ssvid, 4);
		return strcmp(row->pattern, ssvid) == 0;
	}
	if (row->vid != shown->vid)
		return false;
	if (is_field(row, "model"))
		return shown->model[0] && ca_identity_pattern_matches(row->pattern, shown->model);
	return shown->firmware[0] && ca_identity_pattern_matches(row->pattern, shown->firmware);
}

void ca_identity_read_conventions(const struct shown_identity *shown, struct ca_identity *identity)
{
	for (size_t i = 0; i < ca_spec_nvme_conventions_count; i++)
		if (identity->convention_count < CA_CONVENTIONS_MAX &&
		    convention_matches(&ca_spec_nvme_conventions[i], shown))
			identity->conventions[identity->convention_count++] =
				&ca_spec_nvme_conventions[i];
	for (size_t i = 0; i < ca_spec_nvme_models_count; i++)
		if (ca_spec_nvme_models[i].vid == shown->vid && shown->model[0] &&
		    ca_identity_pattern_matches(ca_spec_nvme_models[i].model, shown->model))
			identity->nvme_model = &ca_spec_nvme_models[i];
}

bool ca_identity_conventions_clash(const struct ca_identity *identity,
				   const struct ca_spec_nvme_convention **ret_model,
				   const struct ca_spec_nvme_convention **ret_firmware)
{
	const struct ca_spec_nvme_convention *model = NULL, *firmware = NULL;

	for (size_t i = 0; i < identity->convention_count; i++) {
		if (is_field(identity->conventions[i], "model"))
			model = identity->conventions[i];
		else if (is_field(identity->conventions[i], "firmware"))
			firmware = identity->conventions[i];
	}
	if (!model || !firmware)
		return false;
	/* one of several that fit is enough to agree */
	for (size_t i = 0; i < identity->convention_count; i++)
		for (size_t j = 0; j < identity->convention_count; j++)
			if (is_field(identity->conventions[i], "model") &&
			    is_field(identity->conventions[j], "firmware") &&
			    strcmp(identity->conventions[i]->customer,
				   identity->conventions[j]->customer) == 0)
				return false;
	*ret_model = model;
	*ret_firmware = firmware;
	return true;
}
