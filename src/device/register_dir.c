/* SPDX-License-Identifier: BSD-2-Clause */
#include "register_dir.h"

#include "register_parse.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_text(const char *data, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (!isprint((unsigned char)data[i]) && !isspace((unsigned char)data[i]))
			return false;
	return true;
}

/* -ENOENT when the card has no such register. */
static int read_register(const char *root, const char *dir, enum ca_register reg,
			 struct ca_raw_registers *registers, struct ca_error *error)
{
	char data[CA_REGISTER_FILE_BYTES], place[CA_PATH_BYTES];
	const char *name = ca_register_name(reg);
	size_t len;
	int rc;

	rc = ca_sysfs_bytes(root, data, sizeof(data), &len, "%s/%s", dir, name);
	if (rc == -ENOENT || rc == -ENOTDIR)
		return -ENOENT;
	if (strcmp(root, ".") == 0) /* as it was given: relative */
		(void)snprintf(place, sizeof(place), "%s/%s", dir, name);
	else
		(void)snprintf(place, sizeof(place), "%s/%s/%s", root, dir, name);
	if (rc == -EACCES)
		return ca_error_set(error, rc, "no permission to read %s: run it with sudo", place);
	if (rc < 0)
		return ca_error_set(error, rc, "cannot read %s: %s", place, strerror(-rc));
	if (!is_text(data, len))
		return ca_register_set_bytes(registers, reg, place, (const uint8_t *)data, len,
					     error);
	return ca_register_set_hex(registers, reg, place, data, len, error);
}

static void read_type(const char *root, const char *dir, struct ca_raw_registers *registers)
{
	char type[32];

	registers->type = registers->has[CA_REGISTER_EXTCSD] ? CA_CARD_TYPE_MMC : CA_CARD_TYPE_SD;
	if (ca_sysfs_text(root, type, sizeof(type), "%s/type", dir) == 0)
		(void)ca_register_parse_type(type, strlen(type), &registers->type);
}

static void read_masked(const char *root, const char *dir, struct ca_raw_registers *registers)
{
	char masked[16];

	if (ca_sysfs_text(root, masked, sizeof(masked), "%s/masked", dir) < 0)
		return;
	registers->masked = true;
	registers->masked_cid_crc = strcmp(masked, "good") == 0	 ? CA_CRC_GOOD
				    : strcmp(masked, "bad") == 0 ? CA_CRC_BAD
								 : CA_CRC_ABSENT;
}

int ca_register_dir_read(const char *root, const char *dir, struct ca_raw_registers *ret_registers,
			 struct ca_error *error)
{
	struct ca_raw_registers registers = {0};
	bool any = false;
	uint64_t number;

	for (unsigned int i = 0; i < CA_REGISTER_COUNT; i++) {
		int rc = read_register(root, dir, (enum ca_register)i, &registers, error);

		if (rc < 0 && rc != -ENOENT)
			return rc;
		any |= rc == 0;
	}
	if (!any)
		return -ENOENT;
	read_type(root, dir, &registers);
	read_masked(root, dir, &registers);
	if (ca_sysfs_u64(root, &number, "%s/ocr", dir) == 0 && number <= UINT32_MAX) {
		registers.has_ocr = true;
		registers.ocr = (uint32_t)number;
	}
	if (ca_sysfs_u64(root, &number, "%s/vendor", dir) == 0 && number <= UINT16_MAX)
		registers.pci_vid = (uint16_t)number;
	if (ca_sysfs_u64(root, &number, "%s/subsystem_vendor", dir) == 0 && number <= UINT16_MAX)
		registers.pci_ssvid = (uint16_t)number;
	*ret_registers = registers;
	return 0;
}

int ca_host_read_register_dir(const char *dir, struct ca_raw_registers *ret_registers,
			      struct ca_error *error)
{
	int rc;

	/* an absolute path is below the live root, a relative one below the working directory */
	rc = ca_register_dir_read(dir[0] == '/' ? "" : ".", dir + strspn(dir, "/"), ret_registers,
				  error);
	if (rc == -ENOENT)
		return ca_error_set(error, rc,
				    "%s holds no registers: expected files named cid, csd, scr, "
				    "ssr, ext_csd, id_ctrl, id_ns or smart_log",
				    dir);
	return rc;
}

static void read_fact(char *line, struct ca_fact facts[CA_HOST_FACT_COUNT])
{
	char *number, *text, *end;
	long long value;

	number = strchr(line, '\t');
	text = number ? strchr(number + 1, '\t') : NULL;
	if (!text)
		return;
	*number++ = '\0';
	*text++ = '\0';
	errno = 0;
	value = strtoll(number, &end, 10);
	if (errno || *end || end == number)
		return;
	for (unsigned int i = 0; i < CA_HOST_FACT_COUNT; i++) {
		if (strcmp(line, ca_host_fact_name((enum ca_host_fact)i)) != 0)
			continue;
		facts[i].present = true;
		facts[i].number = value;
		(void)ca_string_copy(facts[i].text, sizeof(facts[i].text), text); /* cut is fine */
	}
}

void ca_register_dir_read_facts(const char *dir, struct ca_fact facts[CA_HOST_FACT_COUNT])
{
	char text[CA_REGISTER_FILE_BYTES], *rest = NULL;
	size_t len;

	if (ca_sysfs_bytes(dir[0] == '/' ? "" : ".", text, sizeof(text) - 1, &len, "%s/host_facts",
			   dir + strspn(dir, "/")) < 0)
		return;
	text[len] = '\0';
	for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
		read_fact(line, facts);
}
