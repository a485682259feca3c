/* SPDX-License-Identifier: BSD-2-Clause */
#include "register_dir.h"
#include "vendor_dir.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The directory being written; the first failure is kept and ends all further writing. */
struct capture {
	int dir;
	const char *name;
	struct ca_error *error;
	int rc;
};

static void put(struct capture *capture, const char *name, const void *data, size_t len)
{
	int rc = 0, fd;

	if (capture->rc < 0)
		return;
	fd = openat(capture->dir, name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW,
		    0644);
	if (fd < 0) {
		rc = -errno;
	} else {
		rc = ca_fd_write_all(fd, data, len);
		if (rc == 0 && fsync(fd) < 0)
			rc = -errno;
		if (close(fd) < 0 && rc == 0)
			rc = -errno;
	}
	if (rc < 0)
		capture->rc = ca_error_set(capture->error, rc, "cannot write %s/%s: %s",
					   capture->name, name, strerror(-rc));
}

static void put_text(struct capture *capture, const char *name, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static void put_text(struct capture *capture, const char *name, const char *format, ...)
{
	char text[2 * CA_EXTCSD_BYTES + 2];
	va_list args;
	int len;

	va_start(args, format);
	len = vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	if (len > 0)
		put(capture, name, text, strlen(text));
}

/* What this card has not must not stay behind from another one. */
static void drop(struct capture *capture, const char *name)
{
	if (capture->rc == 0 && unlinkat(capture->dir, name, 0) < 0 && errno != ENOENT)
		capture->rc =
			ca_error_set(capture->error, -errno, "cannot remove the old %s/%s: %s",
				     capture->name, name, strerror(errno));
}

static void put_register(struct capture *capture, const struct ca_raw_registers *registers,
			 enum ca_register reg)
{
	const char *name = ca_register_name(reg);
	char hex[2 * CA_EXTCSD_BYTES + 1];

	if (!registers->has[reg]) {
		drop(capture, name);
	} else if (ca_register_bytes(reg) > CA_EXTCSD_BYTES || reg == CA_REGISTER_NVME_SMART) {
		put(capture, name, ca_register_data(registers, reg), ca_register_bytes(reg));
	} else {
		ca_hex_encode(ca_register_data(registers, reg), ca_register_bytes(reg), hex);
		put_text(capture, name, "%s\n", hex);
	}
}

static void put_pci(struct capture *capture, const char *name, uint16_t id)
{
	if (id)
		put_text(capture, name, "0x%04x\n", id);
	else
		drop(capture, name);
}

static const char *crc_word(int crc)
{
	switch ((enum ca_crc)crc) {
	case CA_CRC_GOOD:
		return "good";
	case CA_CRC_BAD:
		return "bad";
	case CA_CRC_ABSENT:
		return "absent";
	}
	return "absent";
}

static void put_card(struct capture *capture, const struct ca_evidence *evidence)
{
	const struct ca_raw_registers *registers = &evidence->registers;
	bool card = registers->has[CA_REGISTER_CID] || registers->has[CA_REGISTER_CSD];

	for (unsigned int i = 0; i < CA_REGISTER_COUNT; i++)
		put_register(capture, registers, (enum ca_register)i);
	if (card)
		put_text(capture, "type", "%s\n",
			 registers->type == CA_CARD_TYPE_MMC ? "MMC" : "SD");
	else
		drop(capture, "type");
	if (registers->has_ocr)
		put_text(capture, "ocr", "0x%08" PRIx32 "\n", registers->ocr);
	else
		drop(capture, "ocr");
	put_pci(capture, "vendor", registers->pci_vid);
	put_pci(capture, "subsystem_vendor", registers->pci_ssvid);
	if (registers->masked)
		put_text(capture, "masked", "%s\n", crc_word(registers->masked_cid_crc));
	else
		drop(capture, "masked");
	if (evidence->device.bytes)
		put_text(capture, "size", "%" PRIu64 "\n", evidence->device.bytes / 512);
	else
		drop(capture, "size");
}

static void put_vendor(struct capture *capture, const struct ca_vendor_health *health)
{
	for (unsigned int i = 0; ca_vendor_argument_at(i); i++) {
		const struct ca_vendor_answer *answer = NULL;
		char name[CA_VENDOR_NAME_BYTES], hex[2 * CA_VENDOR_BYTES + 1];

		ca_vendor_dir_name(i, name);
		for (unsigned int j = 0; j < health->count; j++)
			if (health->answers[j].argument == ca_vendor_argument_at(i))
				answer = &health->answers[j];
		if (!answer) {
			drop(capture, name);
		} else if (answer->result == CA_VENDOR_ANSWER) {
			ca_hex_encode(answer->data, sizeof(answer->data), hex);
			put_text(capture, name, "%s\n", hex);
		} else {
			put_text(capture, name, "%s\n", ca_vendor_result_name(answer->result));
		}
	}
}

static void put_facts(struct capture *capture, const struct ca_fact facts[CA_HOST_FACT_COUNT])
{
	char lines[CA_HOST_FACTS_FILE_BYTES];
	struct ca_text all;

	ca_text_init(&all, lines, sizeof(lines));
	for (unsigned int i = 0; i < CA_HOST_FACT_COUNT; i++) {
		if (!facts[i].present)
			continue;
		ca_text_add(&all, ca_host_fact_name((enum ca_host_fact)i));
		ca_text_add(&all, "\t");
		ca_text_i64(&all, facts[i].number);
		ca_text_add(&all, "\t");
		ca_text_escaped(&all, facts[i].text, strnlen(facts[i].text, sizeof(facts[i].text)));
		ca_text_add(&all, "\n");
	}
	if (all.len)
		put(capture, "host_facts", lines, all.len);
	else
		drop(capture, "host_facts");
}

static void add_line(struct ca_text *lines, const char *name, const char *text, size_t size)
{
	if (!text[0])
		return;
	ca_text_add(lines, name);
	ca_text_add(lines, "\t");
	ca_text_escaped(lines, text, strnlen(text, size));
	ca_text_add(lines, "\n");
}

static void put_device(struct capture *capture, const struct ca_device_facts *device)
{
	char lines[CA_DEVICE_FACTS_FILE_BYTES];
	struct ca_text all;

	ca_text_init(&all, lines, sizeof(lines));
	add_line(&all, "media", ca_media_name(device->media), 16);
	add_line(&all, "model", device->model, sizeof(device->model));
	add_line(&all, "serial", device->serial, sizeof(device->serial));
	add_line(&all, "hidden_because", device->hidden_because, sizeof(device->hidden_because));
	put(capture, "device_facts", lines, all.len);
}

/* Its files are replaced and removed: only an empty directory, or one that capture made. */
static bool may_capture_into(int dir)
{
	int own = openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *stream = own >= 0 ? fdopendir(own) : NULL;
	bool others = false, made = false;
	struct dirent *entry;

	if (!stream) {
		ca_close_fd(&own);
		return false;
	}
	while ((entry = readdir(stream))) {
		if (strcmp(entry->d_name, "device_facts") == 0)
			made = true;
		else if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
			others = true;
	}
	(void)closedir(stream); /* only read */
	return made || !others;
}

int ca_host_write_register_dir(const char *dir, const struct ca_evidence *evidence,
			       struct ca_error *error)
{
	CA_CLEANUP_CLOSE int fd = -1;
	struct capture capture = {.name = dir, .error = error};

	if (mkdir(dir, 0777) < 0 && errno != EEXIST)
		return ca_error_set(error, -errno, "cannot make the directory %s: %s", dir,
				    strerror(errno));
	fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return ca_error_set(error, -errno, "cannot write into %s: %s", dir,
				    strerror(errno));
	if (!may_capture_into(fd))
		return ca_error_set(
			error, -EEXIST,
			"refused: %s holds files that are no capture; name a new directory", dir);
	capture.dir = fd;
	put_card(&capture, evidence);
	put_vendor(&capture, &evidence->vendor);
	put_facts(&capture, evidence->host);
	put_device(&capture, &evidence->device);
	return capture.rc;
}
