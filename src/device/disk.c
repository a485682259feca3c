/* SPDX-License-Identifier: BSD-2-Clause */
#include "disk.h"

#include "slot.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

/* First match wins; an unknown name is a disk. */
static const struct ca_disk_kind kinds[] = {
	{"mmcblk", "mmc", false, true}, {"nvme", "nvme", false, true},
	{"sd", "disk", false, true},	{"loop", "loop", true, true},
	{"zram", "zram", true, true},	{"ram", "ram", true, true},
	{"nbd", "nbd", true, true},	{"dm-", "dm", true, true},
	{"md", "md", true, true},	{"vd", "virtio", true, true},
	{"ublkb", "ublk", true, true},	{"xvd", "xen", true, true},
	{"rbd", "rbd", true, true},	{"drbd", "drbd", true, true},
	{"zd", "zvol", true, true},	{"bcache", "bcache", true, true},
	{"pmem", "pmem", true, true},	{"sr", "optical", false, false},
	{"fd", "floppy", false, false},
};

static const struct ca_disk_kind *kind_of(const char *name)
{
	static const struct ca_disk_kind other = {"", "disk", false, true};

	for (size_t i = 0; i < CA_ARRAY_LEN(kinds); i++) {
		size_t len = strlen(kinds[i].prefix);

		/* digits number most; letters those of two: sda, vdb */
		if (strncmp(name, kinds[i].prefix, len) == 0 &&
		    (len == 2 || !islower((unsigned char)name[len])))
			return &kinds[i];
	}
	return &other;
}

/* sysfs writes the slash of names like cciss/c0d0 as '!'. */
static void node_from_name(const char *name, char ret_node[CA_NAME_BYTES])
{
	(void)snprintf(ret_node, CA_NAME_BYTES, "/dev/%.58s", name); /* cut: no such node */
	for (char *c = ret_node; *c; c++)
		if (*c == '!')
			*c = '/';
}

int ca_disk_node_name(const char *root, const char *node, char ret_name[CA_NAME_BYTES])
{
	char path[CA_PATH_BYTES];
	struct stat st;
	int rc;

	if (ca_sysfs_is_live(root)) {
		if (stat(node, &st) < 0)
			return -errno;
		if (!S_ISBLK(st.st_mode))
			return -ENOTBLK;
		return ca_sysfs_link_name("", ret_name, CA_NAME_BYTES, "sys/dev/block/%u:%u",
					  major(st.st_rdev), minor(st.st_rdev));
	}
	/* A recorded tree has links but no nodes: the end of the link is the kernel's name. */
	rc = ca_sysfs_link_name(root, path, sizeof(path), "%s", node + strspn(node, "/"));
	if (rc < 0)
		rc = ca_string_copy(path, sizeof(path), node) ? 0 : -ENAMETOOLONG;
	if (rc < 0)
		return rc;
	node = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
	if (!node[0] || node[0] == '.')
		return -ENOENT;
	return ca_string_copy(ret_name, CA_NAME_BYTES, node) ? 0 : -ENAMETOOLONG;
}

int ca_disk_partitions(const char *root, const char *name, struct ca_names *ret_names)
{
	struct ca_names names;
	size_t kept = 0;
	int rc;

	rc = ca_sysfs_list(root, &names, "sys/block/%s", name);
	if (rc < 0)
		return rc;
	for (size_t i = 0; i < names.count; i++)
		if (ca_sysfs_exists(root, "sys/block/%s/%s/partition", name, names.at[i]))
			memmove(names.at[kept++], names.at[i], CA_NAME_BYTES);
	names.count = kept;
	*ret_names = names;
	return 0;
}

/* The disk that has a partition of this name. */
static int disk_of_partition(const char *root, const char *partition, char ret_name[CA_NAME_BYTES])
{
	struct ca_names disks;
	int rc;

	rc = ca_sysfs_list(root, &disks, "sys/block");
	if (rc < 0)
		return rc;
	rc = -ENOENT;
	for (size_t i = 0; i < disks.count && rc < 0; i++)
		if (ca_sysfs_exists(root, "sys/block/%s/%s/partition", disks.at[i], partition))
			rc = ca_string_copy(ret_name, CA_NAME_BYTES, disks.at[i]) ? 0 : -ENOENT;
	ca_names_done(&disks);
	return rc;
}

int ca_disk_resolve(const char *root, const char *target, char ret_name[CA_NAME_BYTES],
		    char ret_partition[CA_NAME_BYTES], struct ca_error *error)
{
	char name[CA_NAME_BYTES];
	int rc;

	rc = ca_disk_node_name(root, target, name);
	if (rc == -ENOTBLK)
		return ca_error_set(error, rc, "%s is not a block device", target);
	if (rc == -EACCES)
		return ca_error_set(error, rc, "no permission to look at %s: run it with sudo",
				    target);
	if (rc < 0)
		return ca_error_set(error, -ENOENT,
				    "there is no %s: 'cardassay list' shows what is there", target);
	if (ca_sysfs_exists(root, "sys/block/%s", name)) {
		(void)ca_string_copy(ret_name, CA_NAME_BYTES, name);
		ret_partition[0] = '\0';
		return 0;
	}
	rc = disk_of_partition(root, name, ret_name);
	if (rc < 0)
		return ca_error_set(error, -ENOENT,
				    "there is no %s: 'cardassay list' shows what is there", target);
	(void)ca_string_copy(ret_partition, CA_NAME_BYTES, name);
	return 0;
}

int ca_disk_parent_with(const char *root, const char *name, const char *attribute,
			char ret_dir[CA_PATH_BYTES])
{
	char dir[CA_PATH_BYTES];
	char *slash;
	int rc;

	rc = ca_sysfs_real(root, dir, sizeof(dir), "sys/block/%s", name);
	if (rc < 0)
		return rc;
	while ((slash = strrchr(dir, '/')) && strstr(dir, "/devices/")) {
		*slash = '\0';
		if (ca_sysfs_exists(root, "%s/%s", dir + 1, attribute)) {
			(void)ca_string_copy(ret_dir, CA_PATH_BYTES, dir + 1);
			return 0;
		}
	}
	return -ENOENT;
}

/* Page 80h of the SCSI vital product data: four bytes of header, then the serial number. */
static void scsi_serial(const char *root, struct ca_disk *disk)
{
	char page[68] = "";
	size_t len, at = 4;

	if (ca_sysfs_bytes(root, page, sizeof(page) - 1, &len, "sys/block/%s/device/vpd_pg80",
			   disk->name) < 0 ||
	    len <= at)
		return;
	while (at < len && page[at] == ' ')
		at++;
	while (len > at && (page[len - 1] == ' ' || page[len - 1] == '\0'))
		len--;
	page[len] = '\0';
	(void)ca_string_copy(disk->serial, sizeof(disk->serial), page + at);
}

static void read_usb(const char *root, struct ca_disk *disk)
{
	char dir[CA_PATH_BYTES];

	if (ca_disk_parent_with(root, disk->name, "idVendor", dir) < 0)
		return;
	(void)ca_string_copy(disk->kind, sizeof(disk->kind), "usb");
	(void)ca_string_copy(disk->bus, sizeof(disk->bus), "usb");
	(void)ca_sysfs_text(root, disk->serial, sizeof(disk->serial), "%s/serial", dir);
}

/* SCSI, SATA and USB disks: vendor and model as INQUIRY gives them. */
static void read_scsi(const char *root, struct ca_disk *disk)
{
	char vendor[24] = "", model[40] = "";

	(void)ca_string_copy(disk->bus, sizeof(disk->bus), "scsi");
	(void)ca_sysfs_text(root, vendor, sizeof(vendor), "sys/block/%s/device/vendor", disk->name);
	(void)ca_sysfs_text(root, model, sizeof(model), "sys/block/%s/device/model", disk->name);
	(void)snprintf(disk->model, sizeof(disk->model), "%s%s%s", vendor,
		       vendor[0] && model[0] ? " " : "", model);
	scsi_serial(root, disk);
	read_usb(root, disk);
}

static void read_mmc(const char *root, struct ca_disk *disk)
{
	char type[16] = "";
	const char *area = disk->name + strcspn(disk->name, "0123456789");

	(void)ca_sysfs_text(root, type, sizeof(type), "sys/block/%s/device/type", disk->name);
	if (strcmp(type, "SD") == 0 || strcmp(type, "SDcombo") == 0)
		(void)ca_string_copy(disk->kind, sizeof(disk->kind), "sd");
	(void)ca_sysfs_text(root, disk->model, sizeof(disk->model), "sys/block/%s/device/name",
			    disk->name);
	(void)ca_sysfs_text(root, disk->serial, sizeof(disk->serial), "sys/block/%s/device/serial",
			    disk->name);
	disk->card_registers = ca_sysfs_exists(root, "sys/block/%s/device/cid", disk->name);
	/* mmcblk0boot0, mmcblk0gp1, mmcblk0rpmb: areas of the eMMC, disks of their own to the
	 * kernel */
	area += strspn(area, "0123456789");
	if (*area)
		(void)snprintf(disk->part_of, sizeof(disk->part_of), "%.*s",
			       (int)(area - disk->name), disk->name);
}

static void read_nvme(const char *root, struct ca_disk *disk)
{
	(void)ca_sysfs_text(root, disk->model, sizeof(disk->model), "sys/block/%s/device/model",
			    disk->name);
	(void)ca_sysfs_text(root, disk->serial, sizeof(disk->serial), "sys/block/%s/device/serial",
			    disk->name);
	disk->card_registers = true;
}

static void read_other(const char *root, struct ca_disk *disk)
{
	(void)ca_sysfs_text(root, disk->serial, sizeof(disk->serial), "sys/block/%s/serial",
			    disk->name);
	if (ca_sysfs_text(root, disk->model, sizeof(disk->model), "sys/block/%s/dm/name",
			  disk->name) < 0)
		(void)ca_sysfs_text(root, disk->model, sizeof(disk->model),
				    "sys/block/%s/loop/backing_file", disk->name);
}

/* A serial of nothing but zeros names no device. */
static void drop_void_serial(struct ca_disk *disk)
{
	const char *digits = strncmp(disk->serial, "0x", 2) ? disk->serial : disk->serial + 2;

	if (digits[strspn(digits, "0 ")] == '\0')
		disk->serial[0] = '\0';
}

static void read_numbers(const char *root, struct ca_disk *disk)
{
	uint64_t number;

	if (ca_sysfs_u64(root, &number, "sys/block/%s/size", disk->name) == 0 &&
	    number <= UINT64_MAX / 512)
		disk->bytes =
			number * 512; /* this file counts 512-byte units, whatever the sector */
	if (ca_sysfs_u64(root, &number, "sys/block/%s/diskseq", disk->name) == 0)
		disk->diskseq = number;
	disk->sector_bytes = 512;
	if (ca_sysfs_u64(root, &number, "sys/block/%s/queue/logical_block_size", disk->name) == 0 &&
	    number >= 512 && number <= 65536)
		disk->sector_bytes = (uint32_t)number;
	disk->removable =
		ca_sysfs_u64(root, &number, "sys/block/%s/removable", disk->name) == 0 && number;
	disk->read_only = ca_sysfs_u64(root, &number, "sys/block/%s/ro", disk->name) == 0 && number;
	(void)ca_sysfs_dev(root, &disk->major, &disk->minor, "sys/block/%s/dev",
			   disk->name); /* 0:0 is no device's number */
}

int ca_disk_read(const char *root, const char *name, struct ca_disk *ret_disk)
{
	const struct ca_disk_kind *kind = kind_of(name);
	struct ca_disk disk = {0};
	struct ca_slot slot;

	if (!ca_string_copy(disk.name, sizeof(disk.name), name) ||
	    !ca_sysfs_exists(root, "sys/block/%s", name))
		return -ENOENT;
	node_from_name(name, disk.node);
	(void)ca_string_copy(disk.kind, sizeof(disk.kind), kind->name);
	(void)ca_string_copy(disk.bus, sizeof(disk.bus), kind->name);
	disk.virtual_device = kind->virtual_device;
	disk.listed = kind->listed;
	read_numbers(root, &disk);
	if (strcmp(kind->name, "mmc") == 0)
		read_mmc(root, &disk);
	else if (strcmp(kind->name, "nvme") == 0)
		read_nvme(root, &disk);
	else if (kind->virtual_device)
		read_other(root, &disk);
	else
		read_scsi(root, &disk);
	drop_void_serial(&disk);
	ca_slot_of_disk(root, name, &slot);
	(void)ca_string_copy(disk.host_path, sizeof(disk.host_path), slot.path);
	(void)ca_string_copy(disk.reader, sizeof(disk.reader), slot.reader); /* of the same sizes */
	*ret_disk = disk;
	return 0;
}

void ca_disk_hidden_because(const struct ca_disk *disk, char *ret_because, size_t size)
{
	if (disk->card_registers)
		(void)ca_string_copy(ret_because, size, "");
	else if (strcmp(disk->bus, "usb") == 0)
		(void)ca_string_copy(ret_because, size,
				     "a USB reader hides the card's registers; a built-in slot "
				     "(Raspberry Pi, a laptop's PCIe reader) shows them, or lend "
				     "recorded ones with --registers DIR");
	else if (strcmp(disk->bus, "mmc") == 0)
		(void)ca_string_copy(ret_because, size,
				     "the kernel shows no registers of this card");
	else if (disk->virtual_device)
		(void)snprintf(ret_because, size,
			       "a %s device is virtual: there is no card with registers behind it",
			       disk->kind);
	else
		(void)snprintf(ret_because, size, "a %s disk has no card registers", disk->bus);
}

int ca_disk_read_all(const char *root, struct ca_disk **ret_disks, size_t *ret_count)
{
	CA_CLEANUP_FREE struct ca_disk *disks = NULL;
	struct ca_names names;
	size_t count = 0;
	int rc;

	rc = ca_sysfs_list(root, &names, "sys/block");
	if (rc < 0)
		return rc;
	disks = calloc(names.count + 1, sizeof(*disks));
	for (size_t i = 0; disks && i < names.count; i++)
		if (ca_disk_read(root, names.at[i], &disks[count]) == 0)
			count++; /* one that just left is no error */
	ca_names_done(&names);
	if (!disks)
		return -ENOMEM;
	*ret_disks = disks;
	*ret_count = count;
	disks = NULL;
	return 0;
}

/* Unused loop, zram and ram devices are slots for nothing; eMMC areas are told by their eMMC. */
bool ca_disk_is_shown(const char *root, const struct ca_disk *disk)
{
	uint64_t hidden;

	if (!disk->listed || disk->part_of[0])
		return false;
	if (ca_sysfs_u64(root, &hidden, "sys/block/%s/hidden", disk->name) == 0 && hidden)
		return false;
	return disk->bytes > 0 || !disk->virtual_device;
}
