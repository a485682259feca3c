/* SPDX-License-Identifier: BSD-2-Clause */
/* A directory of captured registers and facts, as somebody sends it. */
#include "fuzz_files.h"

#include "register_dir.h"
#include "vendor_dir.h"

static const char *const names[] = {"cid",	     "csd",	    "scr",
				    "ssr",	     "ext_csd",	    "id_ctrl",
				    "id_ns",	     "smart_log",   "ext_perf",
				    "ext_power",     "ext_general", "ext_power_set",
				    "ext_perf_set",  "type",	    "ocr",
				    "size",	     "vendor",	    "subsystem_vendor",
				    "masked",	     "host_facts",  "cmd56_00000001",
				    "cmd56_110005fb"};

/* What was read is written, and read again is the same. */
static void check_round_trip(const struct ca_evidence *evidence)
{
	static struct ca_evidence again;
	struct ca_error error = {0};
	char dir[260];

	(void)snprintf(dir, sizeof(dir), "%s/again", fuzz_directory());
	FUZZ_CHECK(ca_host_write_register_dir(dir, evidence, &error) == 0);
	memset(&again, 0, sizeof(again));
	FUZZ_CHECK(ca_host_read_register_dir(dir, &again.registers, &error) == 0);
	ca_register_dir_read_facts(dir, again.host);
	FUZZ_CHECK(ca_vendor_dir_read("", dir + 1, &again.vendor, &error) == 0);
	FUZZ_CHECK(memcmp(&again.vendor, &evidence->vendor, sizeof(again.vendor)) == 0);
	for (unsigned int i = 0; i < CA_REGISTER_COUNT; i++) {
		enum ca_register reg = (enum ca_register)i;

		FUZZ_CHECK(again.registers.has[i] == evidence->registers.has[i]);
		FUZZ_CHECK(memcmp(ca_register_data(&again.registers, reg),
				  ca_register_data(&evidence->registers, reg),
				  ca_register_bytes(reg)) == 0);
	}
	FUZZ_CHECK(again.registers.has_ocr == evidence->registers.has_ocr);
	FUZZ_CHECK(again.registers.ocr == evidence->registers.ocr);
	FUZZ_CHECK(again.registers.pci_vid == evidence->registers.pci_vid);
	FUZZ_CHECK(again.registers.pci_ssvid == evidence->registers.pci_ssvid);
	FUZZ_CHECK(again.registers.masked == evidence->registers.masked);
	FUZZ_CHECK(again.registers.masked_cid_crc == evidence->registers.masked_cid_crc);
	for (size_t i = 0; i < CA_HOST_FACT_COUNT; i++) {
		FUZZ_CHECK(again.host[i].present == evidence->host[i].present);
		FUZZ_CHECK(again.host[i].number == evidence->host[i].number);
		FUZZ_CHECK(strcmp(again.host[i].text, evidence->host[i].text) == 0);
	}
}

/* What a text of the kernel may hold, and must not begin another line of the file. */
static void put_newlines(struct ca_fact *fact)
{
	for (char *p = fact->text; *p; p++)
		if (*p == '|')
			*p = '\n';
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct ca_evidence evidence;
	struct ca_error error = {0};
	const char *dir = fuzz_directory();
	int r;

	fuzz_files_lay_out(dir, names, CA_ARRAY_LEN(names), data, size);
	memset(&evidence, 0, sizeof(evidence));
	ca_register_dir_read_facts(dir, evidence.host);
	for (size_t i = 0; i < CA_HOST_FACT_COUNT; i++)
		FUZZ_CHECK(memchr(evidence.host[i].text, '\0', sizeof(evidence.host[i].text)));
	fuzz_prepare(&evidence.registers, sizeof(evidence.registers));
	r = ca_host_read_register_dir(dir, &evidence.registers, &error);
	if (r < 0) {
		FUZZ_CHECK((r == -ENOENT || r == -EBADMSG) && error.code == r && error.text[0]);
		fuzz_check_untouched(&evidence.registers, sizeof(evidence.registers));
		return 0;
	}
	r = ca_vendor_dir_read("", dir + 1, &evidence.vendor, &error);
	if (r < 0) {
		FUZZ_CHECK(r == -EBADMSG && error.code == r && error.text[0]);
		return 0;
	}
	for (size_t i = 0; i < CA_HOST_FACT_COUNT; i++)
		put_newlines(&evidence.host[i]);
	check_round_trip(&evidence);
	return 0;
}
