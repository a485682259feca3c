/* SPDX-License-Identifier: BSD-2-Clause */
#include "label_words.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a label says, as label_words puts it; then " ?? " and the words that were not understood. */
static const struct {
	const char *label, *says;
} labels[] = {
	{"SanDisk Extreme PRO microSDXC 256 GB A2 U3 V30 C10 up to 200MB/s",
	 "brand:SanDisk form-factor:microSD card-type:SDXC product:Extreme PRO "
	 "capacity=256000000000 A2=2 U3=3 V30=30 C10=10 sequential-read=200000000"},
	{"RPi 32GB A2", "brand:RPi capacity=32000000000 A2=2"},
	{"Raspberry Pi 128GB A2 V30 U3",
	 "brand:Raspberry Pi capacity=128000000000 A2=2 V30=30 U3=3"},
	{"KIOXIA EXCERIA G2 128 GB (UHS-I)",
	 "brand:KIOXIA capacity=128000000000 product:EXCERIA G2 bus:UHS-I"},
	{"Samsung EVO Plus 64GB", "brand:Samsung capacity=64000000000 product:EVO Plus"},
	{"Carte 64 Go classe 10", "capacity=64000000000 C10=10 ?? Carte"},
	{"SanDisk\xc2\xae Extreme\xc2\xae PRO 64GB",
	 "brand:SanDisk capacity=64000000000 product:Extreme\xc2\xae PRO"},
	{"Kingston Canvas Go! Plus microSDXC-Karte 64GB UHS-I Class 3",
	 "brand:Kingston form-factor:microSD card-type:SDXC product:Canvas Go! Plus "
	 "capacity=64000000000 bus:UHS-I U3=3"},
	{"Samsung 990 PRO 2TB PCIe 4.0 x4 NVMe M.2 2280 up to 7,450 MB/s read, 6,900 MB/s write "
	 "1,200K/1.55M IOPS QD32",
	 "brand:Samsung capacity=2000000000000 product:990 PRO bus:PCIe 4.0 x4 bus:NVMe "
	 "form-factor:M.2 2280 sequential-read=7450000000 sequential-write=6900000000 "
	 "random-read@32=1200000000 random-write@32=1550000000"},
	{"Raspberry Pi SSD 256GB 4K random 40,000 IOPS",
	 "brand:Raspberry Pi form-factor:SSD capacity=256000000000 random-read=40000000"},
	{"Lexar Professional 1066x microSD card 64GB",
	 "brand:Lexar form-factor:microSD product:Professional 1066x capacity=64000000000"},
	{"128GB A1 Ultra by SanDisk", "capacity=128000000000 A1=1 brand:SanDisk ?? Ultra by"},
	{"SanDisk card 32GB Ultra (no adapter)",
	 "brand:SanDisk capacity=32000000000 product:Ultra ?? card no adapter"},

	{"Lexar 633x 128GB microSD Card + SD Adapter",
	 "brand:Lexar capacity=128000000000 product:633x form-factor:microSD ?? SD Adapter"},
	{"Raspberry Pi 32GB A2 class", "brand:Raspberry Pi capacity=32000000000 A2=2 ?? class"},

	/* sizes */
	{"0,5 TB", "capacity=500000000000"},
	{"1.5TB", "capacity=1500000000000"},
	{"1.024 TB", "capacity=1024000000000"},
	{"1.000 GB", "capacity=1000000000000"},
	{"1,048,576 MB", "capacity=1048576000000"},
	{"16GB RAM", " ?? 16GB RAM"},
	{"64G", "capacity=64000000000"},
	{"64-GB", "capacity=64000000000"},
	{"64\xc2\xa0GB", "capacity=64000000000"},
	{"59.6 GiB", "capacity=63995012710"},
	{"256 gigabytes", "capacity=256000000000"},
	{"64GB 64 GB", "capacity=64000000000"},
	{"64GB 128GB", "capacity=64000000000 capacity=128000000000"},
	{"64", " ?? 64"},
	{"64 bit", " ?? 64 bit"},
	{"GB", " ?? GB"},
	{"0GB", " ?? 0GB"},
	{"1.2.3 GB", " ?? 1.2.3 GB"},
	{".5TB", " ?? .5TB"},
	{"2x64GB", "capacity=64000000000 ?? 2x"},
	{"99999999999999999999 GB", " ?? 99999999999999999999 GB"},
	{"999999999999999 TB", " ?? 999999999999999 TB"},

	/* classes in their written forms */
	{"Class 10", "C10=10"},
	{"class10", "C10=10"},
	{"Klasse 6", "C6=6"},
	{"CL 4", "C4=4"},
	{"Speed Class 2", "C2=2"},
	{"UHS Speed Class 3", "U3=3"},
	{"UHS Speed Grade 1", "U1=1"},
	{"UHS-I Speed Class 1", "bus:UHS-I U1=1"},
	{"UHS-I Class 10", "bus:UHS-I C10=10"},
	{"U3 V30", "U3=3 V30=30"},
	{"UHS-I U1", "bus:UHS-I U1=1"},
	{"Video Speed Class 30", "V30=30"},
	{"Video Class V60", "V60=60"},
	{"V90,V6/V10", "V90=90 V6=6 V10=10"},
	{"E300", "E300=300"},
	{"SD Express Speed Class 600", "E600=600"},
	{"Application Performance Class 2", "A2=2"},
	{"App Performance Class A1", "A1=1"},
	{"a2 u3 v30 c10", "A2=2 U3=3 V30=30 C10=10"},
	{"A2 A2 Class A2", "A2=2"},
	{"(A1)", "A1=1"},
	{"[U3],{V30};C10.", "U3=3 V30=30 C10=10"},
	/* no class: inside a word, or a number the rules do not have */
	{"SDV300 SDSQUA4-064G-GN6MA", " ?? SDV300 SDSQUA4-064G-GN6MA"},
	{"V30X XV30 V30-B A2C U11", " ?? V30X XV30 V30-B A2C U11"},
	{"A3 V50 C8 U2 E200 A0 A01 V030", " ?? A3 V50 C8 U2 E200 A0 A01 V030"},
	{"Class 3", " ?? Class 3"},
	{"Class 12 Class", " ?? Class 12 Class"},
	{"UHS-3 UHS", " ?? UHS-3 UHS"},
	{"A2.5 U3,5", "U3=3 ?? A2.5 5"},

	/* rates */
	{"1.600 MB/s", "sequential-read=1600000000"},
	{"read 100MB/s write 90MB/s", "sequential-read=100000000 sequential-write=90000000"},
	{"100MB/s read, 90MB/s write", "sequential-read=100000000 sequential-write=90000000"},
	{"100MB/s read 90MB/s write", "sequential-read=100000000 sequential-write=90000000"},
	{"100MB/s, write 90MB/s", "sequential-read=100000000 sequential-write=90000000"},
	{"R/W 100/90 MB/s", "sequential-read=100000000 sequential-write=90000000"},
	{"100/90 MB/s", "sequential-read=100000000 sequential-write=90000000"},
	{"R: 160MB/s W: 90MB/s", "sequential-read=160000000 sequential-write=90000000"},
	{"read/write 90MB/s", "sequential-read=90000000 sequential-write=90000000"},
	{"write speed up to 90 MB/s", "sequential-write=90000000"},
	{"sequential write 10MB/s", "sequential-write=10000000"},
	{"jusqu'\xc3\xa0 100 Mo/s", "sequential-read=100000000"},
	/* other languages, and what does not speak of the card */
	{"Samsung 128GB escritura hasta 130 MB/s, lectura hasta 160 MB/s",
	 "brand:Samsung capacity=128000000000 sequential-write=130000000 "
	 "sequential-read=160000000"},
	{"klasa 10 odczyt 100 MB/s zapis 85 MB/s",
	 "C10=10 sequential-read=100000000 sequential-write=85000000"},
	{"skrivhastighet 80 MB/s", "sequential-write=80000000"},
	{"180 MB/s lezen 130 MB/s schrijven",
	 "sequential-read=180000000 sequential-write=130000000"},
	{"Kingston z\xc3\xa1pis 85 MB/s", "brand:Kingston sequential-write=85000000"},
	{"128 \xd0\x93\xd0\x91 140 \xd0\x9c\xd0\x91/\xd1\x81",
	 "capacity=128000000000 sequential-read=140000000"},
	{"128GB\xe5\xad\x98\xe5\x82\xa8\xe5\x8d\xa1 A2\xe5\xaf\xb9\xe5\xba\x94 "
	 "\xe8\xaf\xbb\xe9\x80\x9f"
	 "170MB/s \xe5\x86\x99\xe9\x80\x9f"
	 "90MB/s",
	 "capacity=128000000000 A2=2 sequential-read=170000000 sequential-write=90000000 ?? "
	 "\xe5\xad\x98\xe5\x82\xa8\xe5\x8d\xa1 \xe5\xaf\xb9\xe5\xba\x94"},
	{"\xe8\xaf\xbb\xe5\x8f\x96\xe6\x9c\x80\xe5\xa4\xa7"
	 "100MB/s \xe5\x86\x99\xe5\x85\xa5\xe6\x9c\x80\xe5\xa4\xa7"
	 "60MB/s",
	 "sequential-read=100000000 sequential-write=60000000"},
	{"100MB/s \xe5\x86\x99\xe5\x85\xa5\xe5\xb3\xb0\xe5\x80\xbc"
	 "60MB/s",
	 "sequential-read=100000000 ?? "
	 "\xe5\x86\x99\xe5\x85\xa5\xe5\xb3\xb0\xe5\x80\xbc 60MB/s"},
	{"\xe3\x82\xaf\xe3\x83\xa9\xe3\x82\xb9"
	 "10 64GB",
	 "C10=10 capacity=64000000000"},
	{"128 GB card, supports up to 2TB", "capacity=128000000000 ?? card supports up to 2TB"},
	{"32GB jusqu'\xc3\xa0 2 To", "capacity=32000000000 ?? jusqu'\xc3\xa0 2 To"},
	{"SanDisk 64GB up to 667x", "brand:SanDisk capacity=64000000000 product:667x ?? up to"},
	{"Carte microSD 64 Go avec adaptateur SD",
	 "form-factor:microSD capacity=64000000000 ?? Carte avec adaptateur SD"},
	{"64GB with SD card reader", "capacity=64000000000 ?? with SD card reader"},
	{"64GB microSD for Samsung, Huawei phones",
	 "capacity=64000000000 form-factor:microSD ?? for Samsung Huawei phones"},
	{"MakerDisk microSD 32GB with Raspberry Pi OS",
	 "brand:MakerDisk form-factor:microSD capacity=32000000000 ?? with Raspberry Pi OS"},
	{"3.5 GB/s", "sequential-read=3500000000"},
	{"3.500 GB/s", "sequential-read=3500000000"},
	{"100mb/s", "sequential-read=100000000"},
	{"100 MB per second", "sequential-read=100000000"},
	{"100MBps", "sequential-read=100000000"},
	{"100 MiB/s", "sequential-read=104857600"},
	{"100Mb/s", " ?? 100Mb/s"},
	{"6Gb/s", " ?? 6Gb/s"},
	{"100Mbps", " ?? 100Mbps"},
	{"random read 50MB/s", " ?? random read 50MB/s"},
	{"read 100/90 MB/s", " ?? read 100/90 MB/s"},
	{"up to", " ?? up to"},
	{"read fast", " ?? read fast"},
	{"0 MB/s", " ?? 0 MB/s"},

	/* IOPS */
	{"4K random 40,000/70,000 IOPS", "random-read=40000000 random-write=70000000"},
	{"random read 40.000 IOPS", "random-read=40000000"},
	{"random write 2000 IOPS @QD32", "random-write@32=2000000"},
	{"40K/70K IOPS", "random-read=40000000 random-write=70000000"},
	{"1.5M IOPS read", "random-read=1500000000"},
	{"4000 read IOPS 2000 write IOPS", "random-read=4000000 random-write=2000000"},
	{"random IOPS: 40,000", "random-read=40000000"},
	{"QD1 random read 9000 IOPS", "random-read@1=9000000"},
	{"random read 9000 IOPS (Q32T1)", "random-read@32=9000000"},
	{"9000 IOPSX", " ?? 9000 IOPSX"},

	/* form factor, card type, bus */
	{"micro SD", "form-factor:microSD"},
	{"micro-SDHC memory card", "form-factor:microSD card-type:SDHC"},
	{"SDXC UHS-II", "card-type:SDXC bus:UHS-II"},
	{"UHS I uhs-iii", "bus:UHS-I bus:UHS-III"},
	{"SDUC SDSC", "card-type:SDUC card-type:SDSC"},
	{"microSD Express", "form-factor:microSD bus:SD Express"},
	{"SD card", "form-factor:SD"},
	{"TF card", "form-factor:microSD"},
	{"\xc2\xb5SDXC", "form-factor:microSD card-type:SDXC"},
	{"M.2 2280 NVMe SSD", "form-factor:M.2 2280 bus:NVMe"},
	{"SSD M.2 NVMe 2242", "form-factor:M.2 2242 bus:NVMe"},
	{"2280", " ?? 2280"},
	{"PCIe 4.0", "bus:PCIe 4.0"},
	{"PCIe Gen3x4", "bus:PCIe 3.0 x4"},
	{"PCI Express 5", "bus:PCIe 5.0"},
	{"PCIe", "bus:PCIe"},
	{"PCIe 99 x", "bus:PCIe ?? 99 x"},
	{"sdxcard microSDx", " ?? sdxcard microSDx"},

	/* brand and product */
	{"card for Raspberry Pi 32GB", "capacity=32000000000 ?? card for Raspberry Pi"},
	{"WD_BLACK SN750 SE 500GB", "brand:WD_BLACK capacity=500000000000 product:SN750 SE"},
	{"SanDisk MAX ENDURANCE", "brand:SanDisk product:MAX ENDURANCE"},
	{"xx-Samsung", "brand:Samsung ?? xx-"},
	{"Western Digital 1TB WD Blue",
	 "brand:Western Digital capacity=1000000000000 product:Blue"},
	{"SanDisk 64GB (2 Pack) Ultra",
	 "brand:SanDisk capacity=64000000000 product:Ultra ?? 2 Pack"},
	{"SanDisk 64GB 16GB RAM 5G", "brand:SanDisk capacity=64000000000 ?? 16GB RAM 5G"},
	{"SanDisk 64GB, black", "brand:SanDisk capacity=64000000000 ?? black"},
	/* pairs: who reads and who writes */
	{"write/read 90/160 MB/s", "sequential-write=90000000 sequential-read=160000000"},
	{"Schreiben/Lesen 90/160 MB/s", "sequential-write=90000000 sequential-read=160000000"},
	{"R/W 160MB/s, 90MB/s", "sequential-read=160000000 sequential-write=90000000"},
	{"95MB/s / 25MB/s", "sequential-read=95000000 sequential-write=25000000"},
	{"95MB/s / 25MB/s write", "sequential-read=95000000 sequential-write=25000000"},
	{"7400MB/s 6500MB/s", "sequential-read=7400000000 ?? 6500MB/s"},
	{"R800/W700 MB/s", "sequential-read=800000000 sequential-write=700000000"},
	{"W700/R800 MB/s", "sequential-write=700000000 sequential-read=800000000"},
	{"R800/R700 MB/s", "sequential-read=700000000 ?? R800"},
	{"R170MB/s W80MB/s", "sequential-read=170000000 sequential-write=80000000"},
	{"R100/W50", " ?? R100 W50"},
	{"Schreibrate 40 MB/s", "sequential-write=40000000"},
	{"100 MB/s write 70000 IOPS", "sequential-write=100000000 random-read=70000000"},
	/* thousands parted by blanks */
	{"lecture : 2 400 Mo/s", "sequential-read=2400000000"},
	{"2\xc2\xa0"
	 "400 Mo/s",
	 "sequential-read=2400000000"},
	{"600 000 IOPS", "random-read=600000000"},
	{"Switch 2 880MB/s", " ?? Switch 2 880MB/s"},
	{"980 500 MB/s", "sequential-read=500000000 ?? 980"},
	{"1 024 Go", "capacity=1024000000000"},
	{"980 500GB", "capacity=500000000000 ?? 980"},
	{"064GB", " ?? 064GB"},
	/* quantities that are no size of the card */
	{"5G 2.4G 4G LTE", " ?? 5G 2.4G 4G LTE"},
	{"-25 TO 85 C", " ?? 25 TO 85 C"},
	{"read 100 MB, write 90 MB", " ?? read 100 MB write 90 MB"},
	{"64GB total, 117.8 GiB usable", " ?? 64GB total 117.8 GiB usable"},
	{"SKC3000S/1024G 1TB", "capacity=1000000000000 ?? SKC3000S/1024G"},
	{"SDCS2/64GB", "capacity=64000000000 ?? SDCS2/64GB"},
	/* the rate of a class is no figure of the card */
	{"U3 (30MB/s) up to 170MB/s", "U3=3 sequential-read=170000000"},
	{"Class 10 (10 MB/s min)", "C10=10"},
	{"Full HD, 4K, up to 160MB/s", "sequential-read=160000000 ?? Full HD 4K"},
	/* links */
	{"Gen4 x4 PCIe", "bus:PCIe 4.0 x4"},
	{"PCIe NVMe Gen3", "bus:PCIe 3.0 bus:NVMe"},
	{"NVMe Gen 4x4", "bus:NVMe bus:PCIe 4.0 x4"},
	{"Gen4 x4", " ?? Gen4 x4"},
	{"NVMe USB 3.2 Gen 2x2", "bus:NVMe ?? USB 3.2 Gen 2x2"},
	{"PCIe 2 TB", "bus:PCIe capacity=2000000000000"},
	{"PCIe 4.0 PCIe", "bus:PCIe 4.0"},
	/* signs */
	{"200MB/s\xc2\xb2 128GB\xe2\x80\xa0", "sequential-read=200000000 capacity=128000000000"},
	{"\xef\xbc\xa1\xef\xbc\x92", "A2=2"},
	{"A2\xff 64GB\xc3", " ?? A2\xef\xbf\xbd 64GB\xef\xbf\xbd"},
	{"A2\x1b[31m", "A2=2 ?? 31m"},
	{"U3-Karte classe10", "U3=3 C10=10 ?? Karte"},

	{"", ""},
	{" \t,;()\xe2\x84\xa2 ", ""},
};

START_TEST(parse_label)
{
	struct ca_claims claims = {0};
	struct ca_text text;
	char buf[1024];

	ca_claims_parse_label(labels[_i].label, &claims);
	ca_text_init(&text, buf, sizeof(buf));
	for (size_t i = 0; i < claims.count; i++) {
		ck_assert_int_eq(claims.claims[i].source, CA_SOURCE_LABEL);
		ck_assert(claims.claims[i].text[0] != '\0');
	}
	label_words(&claims, &text);
	if (claims.not_understood[0]) {
		ca_text_add(&text, " ?? ");
		ca_text_add(&text, claims.not_understood);
	}
	ck_assert_str_eq(buf, labels[_i].says);
}
END_TEST

START_TEST(text_is_as_written)
{
	struct ca_claims claims = {0};

	ca_claims_parse_label("SanDisk 128 GB  up to 200MB/s Class 10", &claims);
	ck_assert_str_eq(claims.claims[0].text, "SanDisk");
	ck_assert_str_eq(claims.claims[1].text, "128 GB");
	ck_assert_str_eq(claims.claims[2].text, "up to 200MB/s");
	ck_assert_str_eq(claims.claims[3].text, "Class 10");
	ck_assert_ptr_nonnull(claims.brand);
	ck_assert_str_eq(claims.brand->brand, "SanDisk");
}
END_TEST

START_TEST(appends)
{
	struct ca_claims claims = {0};

	ca_claims_parse_label("64GB strange", &claims);
	ca_claims_parse_label("A2 words", &claims);
	ck_assert_uint_eq(claims.count, 2);
	ck_assert_str_eq(claims.not_understood, "strange words");
}
END_TEST

/* Labels longer than everything: bounded, terminated, and the first claims are there. */
START_TEST(endless_labels)
{
	static char label[20000];
	static const char *const pieces[] = {"1GB ", "unknown ", "\xff\xfe ", "read read read ",
					     "1,",   "SanDisk "};

	for (size_t p = 0; p < CA_ARRAY_LEN(pieces); p++) {
		struct ca_claims claims = {0};
		size_t len = strlen(pieces[p]), at = 0;

		while (at + len < sizeof(label)) {
			memcpy(label + at, pieces[p], len);
			at += len;
		}
		label[at] = '\0';
		ca_claims_parse_label(label, &claims);
		ck_assert_uint_le(claims.count, CA_CLAIMS_MAX);
		ck_assert_uint_lt(strlen(claims.not_understood), sizeof(claims.not_understood));
	}
}
END_TEST

START_TEST(many_different_claims)
{
	struct ca_claims claims = {0};
	char label[1024];
	size_t at = 0;

	for (int i = 1; i <= 99; i++)
		at += (size_t)snprintf(label + at, sizeof(label) - at, "%dGB ", i);
	ca_claims_parse_label(label, &claims);
	ck_assert_uint_le(claims.count, CA_CLAIMS_MAX);
	ck_assert_uint_ge(claims.count, CA_CLAIMS_MAX - 4);
	ck_assert_ptr_nonnull(strstr(claims.not_understood, "60GB"));
}
END_TEST

/* A cut never halves a character: the text goes into JSON. */
START_TEST(cut_between_characters)
{
	struct ca_claims claims = {0};
	char label[512] = "SanDisk ";

	for (size_t i = 0; i < 31; i++)
		memcpy(label + 8 + 2 * i, "\xc3\xa9", 3);
	ca_claims_parse_label(label, &claims);
	ck_assert_str_eq(claims.claims[1].id, "product");
	ck_assert_str_eq(claims.claims[1].text, label + 8);

	memset(&claims, 0, sizeof(claims));
	label[0] = 'x';
	for (size_t i = 0; i < 200; i++)
		memcpy(label + 1 + 2 * i, "\xc3\xa9", 3);
	ca_claims_parse_label(label, &claims);
	ck_assert_uint_eq(strlen(claims.not_understood), 255);
	memset(&claims, 0, sizeof(claims));
	ca_claims_parse_label(label + 1, &claims);
	ck_assert_uint_eq(strlen(claims.not_understood), 254);
}
END_TEST

START_TEST(find)
{
	struct ca_claims claims = {0};

	ca_claims_parse_label("64GB A2", &claims);
	ck_assert_int_eq(ca_claims_parse_option("capacity=32GB", &claims), 0);
	ck_assert(ca_claims_find(&claims, CA_CLAIM_CAPACITY, -1)->value == 64000000000);
	ck_assert(ca_claims_find(&claims, CA_CLAIM_CAPACITY, CA_SOURCE_OPTION)->value ==
		  32000000000);
	ck_assert_ptr_null(ca_claims_find(&claims, CA_CLAIM_CAPACITY, CA_SOURCE_CSD));
	ck_assert_ptr_null(ca_claims_find(&claims, CA_CLAIM_BRAND, -1));
	ck_assert_str_eq(ca_claim_source_name(CA_SOURCE_LABEL), "label");
	ck_assert_str_eq(ca_claim_source_name(CA_SOURCE_OPTION), "option");
	ck_assert_str_eq(ca_claim_source_name(CA_SOURCE_DEVICE), "device");
	ck_assert_str_eq(ca_claim_source_name(CA_SOURCE_IDENTIFY), "identify");
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("label");
	TCase *tcase = tcase_create("label");
	SRunner *runner;
	int failed;

	tcase_add_loop_test(tcase, parse_label, 0, (int)CA_ARRAY_LEN(labels));
	tcase_add_test(tcase, text_is_as_written);
	tcase_add_test(tcase, appends);
	tcase_add_test(tcase, endless_labels);
	tcase_add_test(tcase, many_different_claims);
	tcase_add_test(tcase, cut_between_characters);
	tcase_add_test(tcase, find);
	suite_add_tcase(suite, tcase);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
