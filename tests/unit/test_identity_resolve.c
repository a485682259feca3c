/* SPDX-License-Identifier: BSD-2-Clause */
#include "cardassay/identity.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

struct identity_case {
	const char *label;
	bool emmc;
	int mid; /* -1: no CID */
	uint16_t oid;
	const char *pnm;
	uint16_t vid; /* 0: no NVMe */
	const char *model;
	enum ca_relation relation;
	enum ca_confidence confidence;
	const char *maker;
	const char *says;      /* part of the summary */
	const char *candidate; /* brand of the first candidate, NULL: none */
};

static const struct identity_case cases[] = {
	{"Raspberry Pi 128GB", false, 0xad, 0x4c53, "USD00", 0, "", CA_RELATION_OEM,
	 CA_CONFIDENCE_HIGH, "Longsys",
	 "The registers name Longsys (MID ad, OID \"LS\"): a known maker of Raspberry Pi cards "
	 "sold under that name.",
	 "Raspberry Pi"},
	{"Amazon Basics 64GB", false, 0xad, 0x4c53, "USD00", 0, "", CA_RELATION_OEM,
	 CA_CONFIDENCE_HIGH, "Longsys", "a known maker of Amazon Basics cards", "Amazon Basics"},
	{"Lexar 64GB", false, 0xad, 0x4c53, "MSSD0", 0, "", CA_RELATION_OWN, CA_CONFIDENCE_HIGH,
	 "Longsys", "which sells under the name Lexar", "Lexar"},
	{"Raspberry Pi 128GB", false, 0xad, 0x4c53, "MSSD0", 0, "", CA_RELATION_OTHER_BRAND,
	 CA_CONFIDENCE_HIGH, "Longsys", "which is not known to make Raspberry Pi cards", "Lexar"},
	/* a product name that nobody listed, from a maker who is known to make for the brand */
	{"Lexar 64GB", false, 0xad, 0x4c53, "SD64G", 0, "", CA_RELATION_OEM, CA_CONFIDENCE_HIGH,
	 "Longsys", "known maker of Lexar cards", "FORESEE"},
	{"Kodak 64GB", false, 0xad, 0x4c53, "SD64G", 0, "", CA_RELATION_OTHER_BRAND,
	 CA_CONFIDENCE_HIGH, "Longsys", "not known to make Kodak cards", "FORESEE"},
	{"Apacer 32GB", false, 0x27, 0x5048, "APUSD", 0, "", CA_RELATION_OEM, CA_CONFIDENCE_HIGH,
	 "Phison", "known maker of Apacer cards", "Apacer"},
	{"SanDisk 32GB", false, 0x03, 0x5344, "SD32G", 0, "", CA_RELATION_OWN, CA_CONFIDENCE_HIGH,
	 "SanDisk (Western Digital)", "which sells under the name SanDisk", "SanDisk"},
	{"SanDisk 32GB", false, 0x27, 0x5048, "SD32G", 0, "", CA_RELATION_CONTRADICTION,
	 CA_CONFIDENCE_HIGH, "Phison",
	 "The label says SanDisk, but the registers say MID 27, OID \"PH\" (Phison): every genuine "
	 "one seen carries MID 03.",
	 "AgfaPhoto"},
	{"Samsung 32GB", false, 0x00, 0x0000, "", 0, "", CA_RELATION_CONTRADICTION,
	 CA_CONFIDENCE_NONE, "", "every genuine one seen carries MID 1b", NULL},
	/* a CID of the strict maker whose OID nobody knows: the brand holds, the maker is unknown
	 */
	{"Samsung 32GB", false, 0x1b, 0x1234, "", 0, "", CA_RELATION_UNKNOWN_MAKER,
	 CA_CONFIDENCE_NONE, "", "The tables name no owner of MID 1b, OID 0x1234", NULL},
	{"Transcend 4GB", false, 0x03, 0x5344, "SU04G", 0, "", CA_RELATION_OEM, CA_CONFIDENCE_HIGH,
	 "SanDisk (Western Digital)", "known maker of Transcend cards", "Transcend"},
	{"Kingston 8GB", false, 0x02, 0x544d, "SA08G", 0, "", CA_RELATION_OEM, CA_CONFIDENCE_HIGH,
	 "Toshiba (now Kioxia)", "known maker of Kingston cards", "Kingston"},
	{"Kingston 8GB", false, 0x41, 0x3432, "SD8GB", 0, "", CA_RELATION_OWN, CA_CONFIDENCE_HIGH,
	 "Kingston", "MID 41, OID \"42\"", "Kingston"},
	{"Kingston 64GB", false, 0x9f, 0x5449, "SD64G", 0, "", CA_RELATION_OEM, CA_CONFIDENCE_HIGH,
	 "Taishin", "known maker of Kingston cards", "Kingston"},
	{"Gigastone 64GB", false, 0x12, 0x3456, "ASTC", 0, "", CA_RELATION_OEM, CA_CONFIDENCE_LOW,
	 "",
	 "The maker behind MID 12, OID \"4V\" is not identified, but Gigastone is known to sell",
	 "Gigastone"},
	{"Gigastone 16GB", false, 0x00, 0x3432, "SD16G", 0, "", CA_RELATION_UNKNOWN_MAKER,
	 CA_CONFIDENCE_NONE, "", "The tables name no owner of MID 00, OID \"42\"", NULL},
	{"Hiksemi 8GB", false, 0x6f, 0x0303, "CBADS", 0, "", CA_RELATION_OEM, CA_CONFIDENCE_LOW, "",
	 "MID 6f, OID 0x0303", "Hiksemi"},
	{"", false, 0x6f, 0x0303, "CBADS", 0, "", CA_RELATION_UNKNOWN_MAKER, CA_CONFIDENCE_NONE, "",
	 "Sources do not agree on, or do not know, who is behind MID 6f, OID 0x0303", "Hiksemi"},
	{"Lenovo 2TB", false, 0x05, 0x000c, "asdfg", 0, "", CA_RELATION_UNKNOWN_MAKER,
	 CA_CONFIDENCE_NONE, "", "The tables name no owner of MID 05, OID 0x000c", NULL},
	{"", false, 0x27, 0x5048, "SD16G", 0, "", CA_RELATION_NO_BRAND, CA_CONFIDENCE_HIGH,
	 "Phison", "The registers name Phison (MID 27, OID \"PH\").", "AgfaPhoto"},
	{"", false, 0x77, 0x4142, "", 0, "", CA_RELATION_UNKNOWN_MAKER, CA_CONFIDENCE_NONE, "",
	 "The tables name no owner of MID 77, OID \"AB\"", NULL},
	{"", false, 0x77, 0x0a1b, "", 0, "", CA_RELATION_UNKNOWN_MAKER, CA_CONFIDENCE_NONE, "",
	 "OID 0x0a1b", NULL},
	{"", false, 0x9c, 0x534f, "USD00", 0, "", CA_RELATION_NO_BRAND, CA_CONFIDENCE_LOW, "Sony",
	 "Perhaps made by Sony", "Angelbird"},
	/* eMMC: strict SD numbers do not apply */
	{"Samsung", true, 0x15, 0x0100, "8GTF4R", 0, "", CA_RELATION_OWN, CA_CONFIDENCE_HIGH,
	 "Samsung", "The registers name Samsung (eMMC MID 15, OID 0x0100)", NULL},
	{"FORESEE", true, 0xd6, 0x0103, "A3A444", 0, "", CA_RELATION_OWN, CA_CONFIDENCE_LOW,
	 "Longsys (FORESEE)", "which sells under the name FORESEE", NULL},
	{"SanDisk", true, 0x45, 0x0100, "SEM16G", 0, "", CA_RELATION_OWN, CA_CONFIDENCE_HIGH,
	 "SanDisk (Western Digital)", "which sells under the name SanDisk", NULL},
	{"Kingston", true, 0x15, 0x0100, "8GTF4R", 0, "", CA_RELATION_OTHER_BRAND,
	 CA_CONFIDENCE_HIGH, "Samsung", "not known to make Kingston", NULL},
	/* a second number of the brand is no contradiction */
	{"WD Ultrastar", false, -1, 0, "", 0x1b96, "", CA_RELATION_OWN, CA_CONFIDENCE_LOW,
	 "Western Digital", "PCI vendor 1b96", "Western Digital"},
	{"", true, 0x45, 0x0100, "SEM04G", 0, "", CA_RELATION_NO_BRAND, CA_CONFIDENCE_HIGH,
	 "SanDisk (Western Digital)", "eMMC MID 45", NULL},
	/* NVMe */
	{"Raspberry Pi SSD 256GB", false, -1, 0, "", 0x144d, "SAMSUNG MZ9LQ256HBJD-00BVL          ",
	 CA_RELATION_OEM, CA_CONFIDENCE_MEDIUM, "Samsung",
	 "The registers name Samsung (PCI vendor 144d): a known maker of Raspberry Pi drives sold "
	 "under that name.",
	 "Raspberry Pi"},
	{"Raspberry Pi SSD 256GB", false, -1, 0, "", 0x144d, "SAMSUNG MZVLB256HAHQ-000H1",
	 CA_RELATION_OTHER_BRAND, CA_CONFIDENCE_MEDIUM, "Samsung", "not known to make Raspberry Pi",
	 "Samsung"},
	{"Samsung 990 PRO", false, -1, 0, "", 0x1e4b, "Samsung SSD 990 PRO 2TB",
	 CA_RELATION_CONTRADICTION, CA_CONFIDENCE_MEDIUM, "Maxio",
	 "every genuine one seen carries PCI vendor 144d", NULL},
	{"Silicon Power 512GB", false, -1, 0, "", 0x1987, "SPCC M.2 PCIe SSD", CA_RELATION_OEM,
	 CA_CONFIDENCE_MEDIUM, "Phison", "Built on a controller of Phison", "Silicon Power"},
	{"", false, -1, 0, "", 0x4242, "NONAME", CA_RELATION_UNKNOWN_MAKER, CA_CONFIDENCE_NONE, "",
	 "The tables name no owner of PCI vendor 4242", NULL},
	{"Raspberry Pi SSD 512GB", false, -1, 0, "", 0x144d, "SAMSUNG MZ9LQ512HBLU-00BVL",
	 CA_RELATION_OEM, CA_CONFIDENCE_MEDIUM, "Samsung", "known maker of Raspberry Pi drives",
	 "Raspberry Pi"},
	/* nobody lists the part, but its suffix says for whom it was made */
	{"Lenovo", false, -1, 0, "", 0x144d, "SAMSUNG MZALQ512HBLU-00BL2", CA_RELATION_OEM,
	 CA_CONFIDENCE_MEDIUM, "Samsung", "known maker of Lenovo drives", "Samsung"},
	{"HP", false, -1, 0, "", 0x144d, "SAMSUNG MZVLQ512HALU-000H1", CA_RELATION_OEM,
	 CA_CONFIDENCE_MEDIUM, "Samsung", "known maker of HP drives", "Samsung"},
	{"Dell", false, -1, 0, "", 0x1c5c, "PC611 NVMe SK hynix 512GB", CA_RELATION_OEM,
	 CA_CONFIDENCE_MEDIUM, "SK hynix", "known maker of Dell drives", "SK hynix"},
	{"HP", false, -1, 0, "", 0x144d, "SAMSUNG MZVLB1T0HALR-000L7", CA_RELATION_OTHER_BRAND,
	 CA_CONFIDENCE_MEDIUM, "Samsung", "not known to make HP", "Samsung"},
	/* one name on several controllers, every one of them genuine */
	{"Silicon Power 2TB", false, -1, 0, "", 0x10ec, "SPCC M.2 PCIe SSD", CA_RELATION_OEM,
	 CA_CONFIDENCE_MEDIUM, "Realtek", "Built on a controller of Realtek", "Silicon Power"},
	{"ADATA", false, -1, 0, "", 0x1e4b, "ADATA SX6000LNP", CA_RELATION_OEM,
	 CA_CONFIDENCE_MEDIUM, "Maxio", "Built on a controller of Maxio", "ADATA"},
	/* white labels: the model names the brand, the number is the controller's */
	{"Corsair MP600", false, -1, 0, "", 0x1987, "Corsair MP600 PRO", CA_RELATION_OEM,
	 CA_CONFIDENCE_LOW, "Phison",
	 "Built on a controller of Phison (PCI vendor 1987), whose number white labels keep; the "
	 "model calls itself Corsair.",
	 NULL},
	{"HP EX950", false, -1, 0, "", 0x126f, "HP SSD EX950 1TB", CA_RELATION_OEM,
	 CA_CONFIDENCE_LOW, "Silicon Motion", "the model calls itself HP", NULL},
	{"Patriot P400", false, -1, 0, "", 0x1e4b, "Corsair MP600 PRO", CA_RELATION_OTHER_BRAND,
	 CA_CONFIDENCE_MEDIUM, "Maxio", "not known to make Patriot drives", NULL},
	/* but not of brands that have a number */
	{"Kingston NV2", false, -1, 0, "", 0x1e4b, "KINGSTON SNV2S1000G", CA_RELATION_OTHER_BRAND,
	 CA_CONFIDENCE_MEDIUM, "Maxio", "not known to make Kingston drives", NULL},
	{"Netac 64GB", false, 0x6f, 0x0303, "SDABC", 0, "", CA_RELATION_OEM, CA_CONFIDENCE_LOW, "",
	 "Netac is known to sell cards", "Netac"},
	/* nothing to see */
	{"SanDisk 64GB", false, -1, 0, "", 0, "", CA_RELATION_NOT_OBSERVABLE, CA_CONFIDENCE_NONE,
	 "", "not observable", NULL},
	{"", false, -1, 0, "", 0, "", CA_RELATION_NOT_OBSERVABLE, CA_CONFIDENCE_NONE, "",
	 "not observable", NULL},
};

static void resolve_case(const struct identity_case *c, struct ca_identity *identity)
{
	static struct ca_raw_registers raw;
	static struct ca_registers registers;

	memset(&raw, 0, sizeof(raw));
	memset(&registers, 0, sizeof(registers));
	raw.type = c->emmc ? CA_CARD_TYPE_MMC : CA_CARD_TYPE_SD;
	if (c->mid >= 0) {
		registers.has[CA_REGISTER_CID] = true;
		registers.cid.mid = (uint8_t)c->mid;
		registers.cid.oid = c->oid;
		(void)ca_string_copy(registers.cid.pnm, sizeof(registers.cid.pnm), c->pnm);
	}
	if (c->vid) {
		registers.has[CA_REGISTER_NVME_CTRL] = true;
		registers.nvme_ctrl.vid = c->vid;
		(void)ca_string_copy(registers.nvme_ctrl.mn, sizeof(registers.nvme_ctrl.mn),
				     c->model);
	}
	ca_identity_resolve(&raw, &registers, ca_identity_find_brand(c->label, NULL, NULL),
			    identity);
}

START_TEST(resolve)
{
	const struct identity_case *c = &cases[_i];
	struct ca_identity identity;

	resolve_case(c, &identity);
	ck_assert_str_eq(ca_relation_name(identity.relation), ca_relation_name(c->relation));
	ck_assert_str_eq(ca_confidence_name(identity.confidence),
			 ca_confidence_name(c->confidence));
	ck_assert_str_eq(identity.maker_name, c->maker);
	ck_assert_msg(strstr(identity.summary, c->says) != NULL, "'%s' lacks '%s'",
		      identity.summary, c->says);
	ck_assert_uint_lt(strlen(identity.summary), sizeof(identity.summary) - 1);
	if (c->candidate) {
		ck_assert_uint_gt(identity.candidate_count, 0);
		ck_assert_str_eq(identity.candidates[0]->brand, c->candidate);
	} else {
		ck_assert_uint_eq(identity.candidate_count, 0);
	}
}
END_TEST

START_TEST(vendor_from_pci_alone)
{
	static struct ca_raw_registers raw = {.pci_vid = 0x15b7};
	static struct ca_registers registers;
	struct ca_identity identity;

	ca_identity_resolve(&raw, &registers, NULL, &identity);
	ck_assert_int_eq(identity.relation, CA_RELATION_NO_BRAND);
	ck_assert_str_eq(identity.maker_name, "SanDisk / Western Digital");
}
END_TEST

START_TEST(all_products_are_listed)
{
	const struct identity_case phison = {
		"Verbatim 16GB",    false, 0x27, 0x5048, "SD16G", 0, "", CA_RELATION_OEM,
		CA_CONFIDENCE_HIGH, "",	   "",	 NULL};
	struct ca_identity identity;
	char all[2000], some[200];
	struct ca_text text;
	size_t count;

	resolve_case(&phison, &identity);
	/* every relation that fits: no silent end of the list */
	ck_assert_uint_lt(identity.candidate_count, CA_CANDIDATES_MAX);
	ck_assert_str_eq(identity.candidates[0]->brand, "Verbatim");
	ca_text_init(&text, all, sizeof(all));
	count = ca_identity_write_products(&text, &identity, SIZE_MAX);
	ck_assert_uint_ge(count, 14);
	ck_assert_ptr_nonnull(strstr(all, "Verbatim; "));
	ck_assert_ptr_nonnull(strstr(all, "; Ultimaker card of a 3D printer"));
	ck_assert_ptr_null(strstr(all, "more"));
	ca_text_init(&text, some, sizeof(some));
	ck_assert_uint_eq(ca_identity_write_products(&text, &identity, 2), count);
	ck_assert_ptr_nonnull(strstr(some, "; and "));
	ck_assert_ptr_nonnull(strstr(some, " more"));
}
END_TEST

static const struct ca_identity_row *row_of(const struct ca_identity_row *rows, size_t count,
					    const char *table)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(rows[i].table, table) == 0)
			return &rows[i];
	return NULL;
}

static void check_row(const struct identity_case *c, const char *table, const char *says,
		      const char *source)
{
	struct ca_identity_row rows[CA_IDENTITY_ROWS_MAX];
	struct ca_identity identity;
	const struct ca_identity_row *row;

	resolve_case(c, &identity);
	row = row_of(rows, ca_identity_rows(&identity, rows), table);
	ck_assert_msg(row != NULL, "no row of %s", table);
	ck_assert_str_eq(row->row, says);
	ck_assert_msg(strstr(row->sources, source) != NULL, "%s: %s", table, row->sources);
}

START_TEST(rows_that_decided)
{
	static const struct identity_case pi = {.label = "Raspberry Pi 128GB",
						.mid = 0xad,
						.oid = 0x4c53,
						.pnm = "USD00",
						.model = ""};
	static const struct identity_case fake = {
		.label = "Samsung 32GB", .mid = 0, .oid = 0, .pnm = "", .model = ""};
	static const struct identity_case drive = {.label = "HP",
						   .mid = -1,
						   .pnm = "",
						   .vid = 0x144d,
						   .model = "SAMSUNG MZVLQ512HALU-000H1"};

	check_row(&pi, "manufacturers.tsv", "MID ad, OID 4c53, assigned", "hekate");
	check_row(&pi, "oem_relations.tsv", "Raspberry Pi, microSD A2, MID ad, OID 4c53, USD00",
		  "rpi-card-review");
	check_row(&fake, "brands.tsv", "Samsung, MID always 1b, VID always 144d", "card-survey");
	check_row(&drive, "nvme_vendors.tsv", "VID 144d, drive", "pci-ids");
	check_row(&drive, "nvme_conventions.tsv", "model SAMSUNG *-00?H?, HP", "nvme-dumps");
}
END_TEST

/* Lists of drives print the model and no number. */
START_TEST(model_without_vendor)
{
	static struct ca_raw_registers raw;
	static struct ca_registers registers = {.has[CA_REGISTER_NVME_CTRL] = true};
	struct ca_identity identity;

	(void)ca_string_copy(registers.nvme_ctrl.mn, sizeof(registers.nvme_ctrl.mn),
			     "KINGSTON OM8TAP41024K1-A00");
	ca_identity_resolve(&raw, &registers, NULL, &identity);
	ck_assert_str_eq(identity.maker_name, "Kingston");
	ck_assert_int_eq(identity.confidence, CA_CONFIDENCE_LOW);
	ck_assert_ptr_nonnull(strstr(identity.summary, "by the model name alone"));
	(void)ca_string_copy(registers.nvme_ctrl.mn, sizeof(registers.nvme_ctrl.mn),
			     "WTPCIe-SSD-128GB");
	ca_identity_resolve(&raw, &registers, NULL, &identity);
	ck_assert_int_eq(identity.relation, CA_RELATION_NOT_OBSERVABLE);
	ck_assert_ptr_nonnull(strstr(identity.summary, "PCI vendor was not read"));
	/* one name on several controllers */
	(void)ca_string_copy(registers.nvme_ctrl.mn, sizeof(registers.nvme_ctrl.mn),
			     "SPCC M.2 PCIe SSD");
	ca_identity_resolve(&raw, &registers, NULL, &identity);
	ck_assert_uint_eq(identity.candidate_count, 2);
	ck_assert_str_eq(identity.maker_name, "");
	ck_assert_int_eq(identity.relation, CA_RELATION_NOT_OBSERVABLE);
	ca_identity_resolve(&raw, &registers, ca_identity_find_brand("SPCC 1TB", NULL, NULL),
			    &identity);
	ck_assert_int_eq(identity.relation, CA_RELATION_OEM);
	ck_assert_ptr_nonnull(strstr(identity.summary, "is known to sell drives of this name"));
}
END_TEST

START_TEST(names)
{
	ck_assert_str_eq(ca_relation_name(CA_RELATION_NOT_OBSERVABLE), "not observable");
	ck_assert_str_eq(ca_relation_name(CA_RELATION_CONTRADICTION), "contradiction");
	ck_assert_str_eq(ca_confidence_name(CA_CONFIDENCE_NONE), "none");
	ck_assert_str_eq(ca_confidence_name(CA_CONFIDENCE_HIGH), "high");
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("identity_resolve");
	TCase *tcase = tcase_create("identity_resolve");
	SRunner *runner;
	int failed;

	tcase_add_loop_test(tcase, resolve, 0, (int)CA_ARRAY_LEN(cases));
	tcase_add_test(tcase, vendor_from_pci_alone);
	tcase_add_test(tcase, all_products_are_listed);
	tcase_add_test(tcase, rows_that_decided);
	tcase_add_test(tcase, model_without_vendor);
	tcase_add_test(tcase, names);
	suite_add_tcase(suite, tcase);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
