/* SPDX-License-Identifier: BSD-2-Clause */
#include "collect.h"

#include "input.h"
#include "mmc_ios.h"
#include "register_dir.h"
#include "register_parse.h"
#include "vendor_dir.h"
#include "cardassay/specs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Both are our own words or names that the kernel bounds; a cut one only looks short. */
#define SET(field, text) ((void)ca_string_copy(field, sizeof(field), text))

/* ---- block devices -------------------------------------------------------------------------- */

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
		ca_disk_hidden_because(&disk, evidence->device.hidden_because,
				       sizeof(evidence->device.hidden_because));
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
	if (spec.reader_limit_bytes || spec.crosstalk)
		SET(evidence->device.model, "simulated reader");
	for (size_t i = 0; spec.named && rc == 0 && i < CA_ARRAY_LEN(regs); i++) {
		const char *const texts[] = {spec.named->cid, spec.named->csd, spec.named->scr,
					     spec.named->ssr};

		if (texts[i][0])
			rc = ca_register_set_hex(&evidence->registers, regs[i], spec.named->name,
						 texts[i], strlen(texts[i]), error);
	}
	if (spec.named && spec.named->cid[0]) {
		evidence->device.media = ca_register_media(&evidence->registers);
		SET(evidence->device.registers_from, "sim");
	} else {
		SET(evidence->device.hidden_because,
		    "a simulated card without a name has no registers");
	}
	return rc; /* no host stands between a simulated card and its figures */
}

/* ---- recorded registers --------------------------------------------------------------------- */

/* debugfs ios, as docs/HARDWARE.md asks to put it beside a capture. */
static void read_ios(const char *root, const char *dir, struct ca_fact facts[CA_HOST_FACT_COUNT])
{
	char text[2048];
	struct ca_mmc_ios ios;
	size_t len;

	if (ca_sysfs_bytes(root, text, sizeof(text) - 1, &len, "%s/ios", dir) < 0)
		return;
	text[len] = '\0';
	ca_mmc_ios_parse(text, &ios);
	ca_host_slot_set_ios(&ios, facts);
}

/* The registers of a directory; none where a capture says that the device showed none. */
static int read_directory(const char *target, const char *root, const char *dir,
			  struct ca_evidence *evidence, struct ca_error *error)
{
	bool captured = ca_register_dir_read_device(target, &evidence->device);
	struct ca_error own = {0};
	int rc = ca_host_read_register_dir(target, &evidence->registers, &own);

	if (rc == -ENOENT && captured) {
		ca_register_dir_read_beside(root, dir, &evidence->registers);
		return 0;
	}
	if (rc < 0)
		return ca_error_set(error, rc, "%s", own.text);
	evidence->device.media = ca_register_media(&evidence->registers);
	return 0;
}

static int collect_directory(const char *target, struct ca_evidence *evidence,
			     struct ca_error *error)
{
	const char *root = target[0] == '/' ? "" : ".", *dir = target + strspn(target, "/");
	uint64_t sectors;
	int rc = read_directory(target, root, dir, evidence, error);

	if (rc == 0)
		rc = ca_vendor_dir_read(root, dir, &evidence->vendor, error);
	if (rc < 0)
		return rc;
	evidence->origin = CA_ORIGIN_RECORDED;
	SET(evidence->device.bus, "files");
	SET(evidence->device.registers_from, target);
	evidence->masked = evidence->registers.masked;
	if (ca_sysfs_u64(root, &sectors, "%s/size", dir) == 0 &&
	    sectors <= UINT64_MAX / CA_SECTOR_BYTES) {
		evidence->device.bytes = sectors * CA_SECTOR_BYTES;
		evidence->device.sector_bytes = CA_SECTOR_BYTES;
	}
	read_ios(root, dir, evidence->host);
	ca_register_dir_read_facts(target, evidence->host);
	return 0;
}

/* The one card of a file; more than one is for `inspect` alone. */
struct only_card {
	struct ca_evidence *evidence;
	unsigned int count;
};

static int take_card(void *context, const struct ca_evidence *card)
{
	struct only_card *only = context;

	if (only->count++ == 0)
		ca_host_adopt_recorded(card, only->evidence);
	return 0;
}

void ca_host_adopt_recorded(const struct ca_evidence *card, struct ca_evidence *evidence)
{
	evidence->origin = card->origin;
	evidence->device = card->device;
	evidence->registers = card->registers;
	evidence->vendor = card->vendor;
	evidence->masked = card->masked;
	memcpy(evidence->host, card->host, sizeof(evidence->host));
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
	rc = ca_fd_read_all(is_stdin ? STDIN_FILENO : opened, CA_REGISTER_TEXT_MAX, &text, &len);
	if (rc < 0)
		return ca_error_set(error, rc, "cannot read %s: %s", target, strerror(-rc));
	rc = ca_host_read_register_text(text, len, take_card, &only, error);
	if (rc < 0)
		return rc;
	if (only.count > 1)
		return ca_error_set(error, -EINVAL, "%s holds %u cards, one was expected", target,
				    only.count);
	SET(evidence->device.node, target);
	SET(evidence->device.registers_from, is_stdin ? "standard input" : target);
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

/*
 * A disk that left: its log and its host's counters tell why. Its name was the node's, where that
 * was no link; without it only what the slot says is taken.
 */
static void collect_lost(const char *root, const char *target, struct ca_evidence *evidence)
{
	const struct ca_device_facts *device = &evidence->device;
	struct ca_disk disk = {0};
	char host[CA_NAME_BYTES] = "";
	const char *name = strncmp(target, "/dev/", 5) == 0 ? target + 5 : "";

	SET(disk.bus, device->bus);
	if (!strchr(name, '/'))
		SET(disk.name, name);
	if (strcmp(device->bus, "mmc") == 0)
		(void)ca_host_facts_slot_host(root, device->host_path, host); /* else none */
	ca_host_facts_read_after(root, &disk, host, evidence->host);
}

void ca_host_collect_after(const char *root, const char *target, struct ca_evidence *evidence)
{
	const struct ca_device_facts *device = &evidence->device;
	char name[CA_NAME_BYTES], partition[CA_NAME_BYTES], host[CA_NAME_BYTES] = "";
	struct ca_disk disk;

	if (evidence->origin != CA_ORIGIN_LIVE && evidence->origin != CA_ORIGIN_VIRTUAL)
		return; /* no device of the machine */
	if (ca_disk_resolve(root, target, name, partition, NULL) < 0 ||
	    ca_disk_read(root, name, &disk) < 0) {
		collect_lost(root, target, evidence);
		return;
	}
	/* another slot's disk under the old name tells nothing of this one */
	if (strcmp(disk.bus, device->bus) != 0 || strcmp(disk.host_path, device->host_path) != 0)
		return;
	if (strcmp(disk.bus, "mmc") == 0)
		(void)ca_host_facts_mmc_host(root, name, host); /* else none */
	ca_host_facts_read_after(root, &disk, host, evidence->host);
}
