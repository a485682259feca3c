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
	 "sold under "
	 "that "
	 "name. Candidates: Raspberry Pi microSD A2; Amazon Basics microSDXC A2; ",
	 "Raspberry Pi"},
	{"Amazon Basics 64GB", false, 0xad, 0x4c53, "USD00", 0, "", CA_RELATION_OEM,
	 CA_CONFIDENCE_HIGH, "Longsys", "a known maker of Amazon Basics cards", "Amazon Basics"},
	{"Lexar 64GB", false, 0xad, 0x4c53, "MSSD0", 0, "", CA_RELATION_OWN, CA_CONFIDENCE_HIGH,
	 "Longsys", "which sells under the name Lexar", "Lexar"},
	{"Raspberry Pi 128GB", false, 0xad, 0x4c53, "MSSD0", 0, "", CA_RELATION_OTHER_BRAND,
	 CA_CONFIDENCE_HIGH, "Longsys", "which is not known to make Raspberry Pi cards", "Lexar"},
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
	 CA_CONFIDENCE_NONE, "", "Nobody is known to own MID 1b, OID 0x1234", NULL},
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
	 CA_CONFIDENCE_NONE, "", "Nobody is known to own MID 00, OID \"42\"", NULL},
	{"Hiksemi 8GB", false, 0x6f, 0x0303, "CBADS", 0, "", CA_RELATION_OEM, CA_CONFIDENCE_LOW, "",
	 "MID 6f, OID 0x0303", "Hiksemi"},
	{"", false, 0x6f, 0x0303, "CBADS", 0, "", CA_RELATION_UNKNOWN_MAKER, CA_CONFIDENCE_NONE, "",
	 "Sources do not agree on, or do not know, who is behind MID 6f, OID 0x0303", "Hiksemi"},
	{"Lenovo 2TB", false, 0x05, 0x000c, "asdfg", 0, "", CA_RELATION_UNKNOWN_MAKER,
	 CA_CONFIDENCE_NONE, "", "Nobody is known to own MID 05, OID 0x000c", NULL},
	{"", false, 0x27, 0x5048, "SD16G", 0, "", CA_RELATION_NO_BRAND, CA_CONFIDENCE_HIGH,
	 "Phison", "The registers name Phison (MID 27, OID \"PH\"). Candidates: ", "AgfaPhoto"},
	{"", false, 0x77, 0x4142, "", 0, "", CA_RELATION_UNKNOWN_MAKER, CA_CONFIDENCE_NONE, "",
	 "Nobody is known to own MID 77, OID \"AB\"", NULL},
	{"", false, 0x77, 0x0a1b, "", 0, "", CA_RELATION_UNKNOWN_MAKER, CA_CONFIDENCE_NONE, "",
	 "OID 0x0a1b", NULL},
	{"", false, 0x9c, 0x534f, "USD00", 0, "", CA_RELATION_NO_BRAND, CA_CONFIDENCE_LOW, "Sony",
	 "Perhaps made by Sony", NULL},
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
	 "under that "
	 "name. Candidates: Raspberry Pi SSD 256 GB; Samsung.",
	 "Raspberry Pi"},
	{"Raspberry Pi SSD 256GB", false, -1, 0, "", 0x144d, "SAMSUNG MZVLB256HAHQ-000H1",
	 CA_RELATION_OTHER_BRAND, CA_CONFIDENCE_MEDIUM, "Samsung", "not known to make Raspberry Pi",
	 "HP"},
	{"Samsung 990 PRO", false, -1, 0, "", 0x1e4b, "Samsung SSD 990 PRO 2TB",
	 CA_RELATION_CONTRADICTION, CA_CONFIDENCE_MEDIUM, "Maxio",
	 "every genuine one seen carries PCI vendor 144d", "Hikvision"},
	{"Silicon Power 512GB", false, -1, 0, "", 0x1987, "SPCC M.2 PCIe SSD", CA_RELATION_OEM,
	 CA_CONFIDENCE_MEDIUM, "Phison", "Built on a controller of Phison", "Silicon Power"},
	{"", false, -1, 0, "", 0x4242, "NONAME", CA_RELATION_UNKNOWN_MAKER, CA_CONFIDENCE_NONE, "",
	 "Nobody is known to own PCI vendor 4242", NULL},
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

START_TEST(candidates_are_bounded)
{
	const struct identity_case phison = {
		"Verbatim 16GB",    false, 0x27, 0x5048, "SD16G", 0, "", CA_RELATION_OEM,
		CA_CONFIDENCE_HIGH, "",	   "",	 NULL};
	struct ca_identity identity;

	resolve_case(&phison, &identity);
	ck_assert_uint_eq(identity.candidate_count, CA_CANDIDATES_MAX);
	ck_assert_str_eq(identity.candidates[0]->brand, "Verbatim");
	ck_assert_ptr_nonnull(strstr(identity.summary, "and 9 more."));
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
	tcase_add_test(tcase, candidates_are_bounded);
	tcase_add_test(tcase, names);
	suite_add_tcase(suite, tcase);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
