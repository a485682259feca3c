/* SPDX-License-Identifier: BSD-2-Clause */
#include "collect.h"

#include "register_dir.h"
#include "register_parse.h"
#include "cardassay/specs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A paste of 20,000 cards has about 10 MB. */
#define PASTE_BYTES_MAX (16U * 1024U * 1024U)

/* Both are our own words or names that the kernel bounds; a cut one only looks short. */
#define SET(field, text) ((void)ca_string_copy(field, sizeof(field), text))

static void set_media(struct ca_device_facts *device, const struct ca_raw_registers *registers)
{
	if (registers->has[CA_REGISTER_NVME_CTRL])
		device->media = CA_MEDIA_NVME;
	else
		device->media = registers->type == CA_CARD_TYPE_MMC ? CA_MEDIA_MMC : CA_MEDIA_SD;
}

/* ---- block devices -------------------------------------------------------------------------- */

static void hide(struct ca_device_facts *device, const struct ca_disk *disk)
{
	if (strcmp(disk->bus, "usb") == 0)
		SET(device->hidden_because,
		    "a USB reader hides the card's registers; a built-in slot shows them, or lend "
		    "recorded ones with --registers DIR");
	else if (disk->virtual_device)
		(void)snprintf(device->hidden_because, sizeof(device->hidden_because),
			       "a %s device is virtual: there is no card with registers behind it",
			       disk->kind);
	else
		(void)snprintf(device->hidden_because, sizeof(device->hidden_because),
			       "a %s disk has no card registers", disk->bus);
}

static void copy_disk(struct ca_device_facts *device, const struct ca_disk *disk)
{
	SET(device->host_path, disk->host_path);
	SET(device->bus, disk->bus);
	device->bytes = disk->bytes;
	device->sector_bytes = disk->sector_bytes;
	device->diskseq = disk->diskseq;
	if (strcmp(disk->bus, "mmc") == 0)
		return; /* name and serial are fields of the CID there */
	SET(device->model, disk->model);
	SET(device->serial, disk->serial);
}

static int collect_block(const char *root, const char *target, struct ca_evidence *evidence,
			 struct ca_error *error)
{
	char name[CA_NAME_BYTES], partition[CA_NAME_BYTES];
	struct ca_disk disk;
	int rc;

	rc = ca_disk_resolve(root, target, name, partition, error);
	if (rc < 0)
		return rc;
	rc = ca_disk_read(root, name, &disk);
	if (rc < 0)
		return ca_error_set(error, rc, "there is no %s any more", target);
	copy_disk(&evidence->device, &disk);
	evidence->origin = disk.virtual_device ? CA_ORIGIN_VIRTUAL : CA_ORIGIN_LIVE;
	if (strcmp(disk.bus, "mmc") == 0)
		rc = ca_collect_mmc(root, &disk, evidence, error);
	else if (strcmp(disk.bus, "nvme") == 0)
		ca_collect_nvme(root, &disk, disk.node, evidence);
	else
		hide(&evidence->device, &disk);
	if (rc == 0)
		ca_host_facts_read(root, &disk, evidence->host);
	return rc;
}

/* The controller's node: its first namespace gives the size. */
static int collect_controller(const char *root, const char *target, struct ca_evidence *evidence,
			      struct ca_error *error)
{
	const char *name = strrchr(target, '/');
	char namespace[CA_NAME_BYTES];
	struct ca_disk disk;

	(void)snprintf(namespace, sizeof(namespace), "%.32sn1", name ? name + 1 : target);
	if (ca_disk_read(root, namespace, &disk) < 0)
		return ca_error_set(error, -ENODEV, "%s has no namespace: the drive shows no disk",
				    target);
	copy_disk(&evidence->device, &disk);
	evidence->origin = CA_ORIGIN_LIVE;
	ca_collect_nvme(root, &disk, target, evidence);
	ca_host_facts_read(root, &disk, evidence->host);
	return 0;
}

/* ---- images and simulated cards ------------------------------------------------------------- */

static int collect_image(const char *root, const char *target, struct ca_evidence *evidence,
			 struct ca_error *error)
{
	const char *path = target + strlen("image:");
	struct stat st;

	if (stat(path, &st) < 0)
		return ca_error_set(error, -errno, "cannot look at the image file %s: %s", path,
				    strerror(errno));
	evidence->origin = CA_ORIGIN_IMAGE;
	SET(evidence->device.bus, "image");
	SET(evidence->device.hidden_because, "an image file has no card registers");
	evidence->device.bytes = st.st_size > 0 ? (uint64_t)st.st_size : 0;
	evidence->device.sector_bytes = CA_SECTOR_BYTES;
	ca_host_facts_read(root, NULL, evidence->host);
	return 0;
}

static int collect_simulated(const char *target, struct ca_evidence *evidence,
			     struct ca_error *error)
{
	static const enum ca_register regs[] = {CA_REGISTER_CID, CA_REGISTER_CSD, CA_REGISTER_SCR,
						CA_REGISTER_SSR};
	struct ca_sim_spec spec;
	int rc;

	rc = ca_sim_parse(target + strlen("sim:"), &spec, error);
	if (rc < 0)
		return rc;
	evidence->origin = CA_ORIGIN_SIMULATED;
	SET(evidence->device.bus, "sim");
	evidence->device.bytes = spec.announced_bytes;
	evidence->device.sector_bytes = spec.sector_bytes;
	for (size_t i = 0; spec.named && rc == 0 && i < CA_ARRAY_LEN(regs); i++) {
		const char *const texts[] = {spec.named->cid, spec.named->csd, spec.named->scr,
					     spec.named->ssr};

		if (texts[i][0])
			rc = ca_register_set_hex(&evidence->registers, regs[i], spec.named->name,
						 texts[i], strlen(texts[i]), error);
	}
	if (spec.named && spec.named->cid[0]) {
		set_media(&evidence->device, &evidence->registers);
		SET(evidence->device.registers_from, "sim");
	} else {
		SET(evidence->device.hidden_because,
		    "a simulated card without a name has no registers");
	}
	return rc; /* no host stands between a simulated card and its figures */
}

/* ---- recorded registers --------------------------------------------------------------------- */

static int collect_directory(const char *target, struct ca_evidence *evidence,
			     struct ca_error *error)
{
	bool absolute = target[0] == '/';
	uint64_t sectors;
	int rc;

	rc = ca_host_read_register_dir(target, &evidence->registers, error);
	if (rc < 0)
		return rc;
	evidence->origin = CA_ORIGIN_RECORDED;
	SET(evidence->device.bus, "files");
	SET(evidence->device.registers_from, target);
	set_media(&evidence->device, &evidence->registers);
	evidence->masked = evidence->registers.masked;
	if (ca_sysfs_u64(absolute ? "" : ".", &sectors, "%s/size", target + absolute) == 0 &&
	    sectors <= UINT64_MAX / CA_SECTOR_BYTES) {
		evidence->device.bytes = sectors * CA_SECTOR_BYTES;
		evidence->device.sector_bytes = CA_SECTOR_BYTES;
	}
	ca_register_dir_read_facts(target, evidence->host);
	return 0;
}

static int read_all(int fd, char **ret_text, size_t *ret_len)
{
	CA_CLEANUP_FREE char *text = NULL;
	size_t len = 0, room = 0;

	for (;;) {
		ssize_t got;

		if (len == room) {
			char *grown;

			room = room ? 2 * room : 65536;
			if (room > PASTE_BYTES_MAX)
				return -EFBIG;
			grown = realloc(text, room);
			if (!grown)
				return -ENOMEM;
			text = grown;
		}
		got = read(fd, text + len, room - len);
		if (got < 0 && errno != EINTR)
			return -errno;
		if (got == 0)
			break;
		len += got > 0 ? (size_t)got : 0;
	}
	*ret_text = text;
	*ret_len = len;
	text = NULL;
	return 0;
}

/* The one card of a file; more than one is for `inspect` alone. */
struct only_card {
	struct ca_evidence *evidence;
	unsigned int count;
};

static int take_card(void *context, const char *name, const struct ca_raw_registers *registers)
{
	struct only_card *only = context;

	(void)name; /* the file names the card */
	if (only->count++ == 0)
		only->evidence->registers = *registers;
	return 0;
}

static int collect_file(const char *target, struct ca_evidence *evidence, struct ca_error *error)
{
	bool is_stdin = strcmp(target, "-") == 0;
	CA_CLEANUP_CLOSE int opened = is_stdin ? -1 : open(target, O_RDONLY | O_CLOEXEC);
	CA_CLEANUP_FREE char *text = NULL;
	struct only_card only = {evidence, 0};
	size_t len = 0;
	int rc;

	if (!is_stdin && opened < 0)
		return ca_error_set(error, -errno, "cannot read %s: %s", target, strerror(errno));
	rc = read_all(is_stdin ? STDIN_FILENO : opened, &text, &len);
	if (rc < 0)
		return ca_error_set(error, rc, "cannot read %s: %s", target, strerror(-rc));
	rc = ca_host_read_register_text(text, len, take_card, &only, error);
	if (rc < 0)
		return rc;
	if (only.count > 1)
		return ca_error_set(error, -EINVAL, "%s holds %u cards, one was expected", target,
				    only.count);
	evidence->origin = CA_ORIGIN_RECORDED;
	SET(evidence->device.bus, "files");
	SET(evidence->device.registers_from, is_stdin ? "standard input" : target);
	set_media(&evidence->device, &evidence->registers);
	return 0;
}

/* ---- any of them ---------------------------------------------------------------------------- */

/* In a recorded tree there are no nodes to look at: the name has to do. */
static int target_kind(const char *root, const char *target, enum ca_target_kind *ret_kind,
		       struct ca_error *error)
{
	if (!root || !root[0] || strncmp(target, "/dev/", 5) != 0)
		return ca_target_kind(target, ret_kind, error);
	*ret_kind = CA_TARGET_BLOCK;
	return 0;
}

int ca_host_collect(const char *root, const char *target, struct ca_evidence *evidence,
		    struct ca_error *error)
{
	enum ca_target_kind kind;
	int rc;

	rc = target_kind(root, target, &kind, error);
	if (rc < 0)
		return rc;
	SET(evidence->device.node, target);
	switch (kind) {
	case CA_TARGET_BLOCK:
		return collect_block(root, target, evidence, error);
	case CA_TARGET_IMAGE:
		return collect_image(root, target, evidence, error);
	case CA_TARGET_SIMULATED:
		return collect_simulated(target, evidence, error);
	case CA_TARGET_NVME_CHAR:
		return collect_controller(root, target, evidence, error);
	case CA_TARGET_DIRECTORY:
		return collect_directory(target, evidence, error);
	case CA_TARGET_FILE:
		return collect_file(target, evidence, error);
	}
	return ca_error_set(error, -EINVAL, "%s: no such kind of device", target);
}
