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

	registers->type = ca_register_is_mmc(registers) ? CA_CARD_TYPE_MMC : CA_CARD_TYPE_SD;
	if (ca_sysfs_text(root, type, sizeof(type), "%s/type", dir) == 0)
		(void)ca_register_parse_type(type, strlen(type), &registers->type);
}

enum ca_crc ca_register_dir_masked_crc(const char *text, size_t len)
{
	if (len == 4 && memcmp(text, "good", 4) == 0)
		return CA_CRC_GOOD;
	return len == 3 && memcmp(text, "bad", 3) == 0 ? CA_CRC_BAD : CA_CRC_ABSENT;
}

static void read_masked(const char *root, const char *dir, struct ca_raw_registers *registers)
{
	char masked[16];

	if (ca_sysfs_text(root, masked, sizeof(masked), "%s/masked", dir) < 0)
		return;
	registers->masked = true;
	registers->masked_cid_crc = (int)ca_register_dir_masked_crc(masked, strlen(masked));
}

void ca_register_dir_read_beside(const char *root, const char *dir,
				 struct ca_raw_registers *registers)
{
	uint64_t number;

	read_type(root, dir, registers);
	read_masked(root, dir, registers);
	if (ca_sysfs_u64(root, &number, "%s/ocr", dir) == 0 && number <= UINT32_MAX) {
		registers->has_ocr = true;
		registers->ocr = (uint32_t)number;
	}
	if (ca_sysfs_u64(root, &number, "%s/vendor", dir) == 0 && number <= UINT16_MAX)
		registers->pci_vid = (uint16_t)number;
	if (ca_sysfs_u64(root, &number, "%s/subsystem_vendor", dir) == 0 && number <= UINT16_MAX)
		registers->pci_ssvid = (uint16_t)number;
}

int ca_register_dir_read(const char *root, const char *dir, struct ca_raw_registers *ret_registers,
			 struct ca_error *error)
{
	struct ca_raw_registers registers = {0};
	bool any = false;

	for (unsigned int i = 0; i < CA_REGISTER_COUNT; i++) {
		int rc = read_register(root, dir, (enum ca_register)i, &registers, error);

		if (rc < 0 && rc != -ENOENT)
			return rc;
		any |= rc == 0;
	}
	if (!any)
		return -ENOENT;
	ca_register_dir_read_beside(root, dir, &registers);
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

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Undoes ca_text_escaped in place. What it never writes stays as it is. */
static void unescape(char *text)
{
	char *to = text;

	for (const char *from = text; *from; from++) {
		int high, low;

		if (from[0] == '\\' && from[1] == '\\') {
			from++;
		} else if (from[0] == '\\' && from[1] == 'x' && (high = hex_digit(from[2])) >= 0 &&
			   (low = hex_digit(from[3])) >= 0 && (high || low)) {
			*to++ = (char)(high << 4 | low);
			from += 3;
			continue;
		}
		*to++ = *from;
	}
	*to = '\0';
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
		unescape(text);
		(void)ca_string_copy(facts[i].text, sizeof(facts[i].text), text); /* cut is fine */
	}
}

void ca_register_dir_parse_facts(const char *text, size_t len,
				 struct ca_fact facts[CA_HOST_FACT_COUNT])
{
	char copy[CA_HOST_FACTS_FILE_BYTES], *rest = NULL;

	if (len >= sizeof(copy))
		len = sizeof(copy) - 1;
	memcpy(copy, text, len);
	copy[len] = '\0';
	for (char *line = strtok_r(copy, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
		read_fact(line, facts);
}

void ca_register_dir_read_facts(const char *dir, struct ca_fact facts[CA_HOST_FACT_COUNT])
{
	char text[CA_HOST_FACTS_FILE_BYTES - 1];
	size_t len;

	if (ca_sysfs_bytes(dir[0] == '/' ? "" : ".", text, sizeof(text), &len, "%s/host_facts",
			   dir + strspn(dir, "/")) == 0)
		ca_register_dir_parse_facts(text, len, facts);
}

static void read_device_line(char *line, struct ca_device_facts *device)
{
	char *text = strchr(line, '\t');

	if (!text)
		return;
	*text++ = '\0';
	unescape(text);
	/* what is too long for its field was not written by a capture: cut is fine */
	if (strcmp(line, "model") == 0)
		(void)ca_string_copy(device->model, sizeof(device->model), text);
	else if (strcmp(line, "serial") == 0)
		(void)ca_string_copy(device->serial, sizeof(device->serial), text);
	else if (strcmp(line, "hidden_because") == 0)
		(void)ca_string_copy(device->hidden_because, sizeof(device->hidden_because), text);
	for (unsigned int i = 0; strcmp(line, "media") == 0 && i <= CA_MEDIA_NVME; i++)
		if (strcmp(text, ca_media_name((enum ca_media)i)) == 0)
			device->media = (enum ca_media)i;
}

void ca_register_dir_parse_device(const char *text, size_t len, struct ca_device_facts *device)
{
	char copy[CA_DEVICE_FACTS_FILE_BYTES], *rest = NULL;

	if (len >= sizeof(copy))
		len = sizeof(copy) - 1;
	memcpy(copy, text, len);
	copy[len] = '\0';
	for (char *line = strtok_r(copy, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
		read_device_line(line, device);
}

bool ca_register_dir_read_device(const char *dir, struct ca_device_facts *device)
{
	char text[CA_DEVICE_FACTS_FILE_BYTES - 1];
	size_t len;

	if (ca_sysfs_bytes(dir[0] == '/' ? "" : ".", text, sizeof(text), &len, "%s/device_facts",
			   dir + strspn(dir, "/")) < 0)
		return false;
	ca_register_dir_parse_device(text, len, device);
	return true;
}
