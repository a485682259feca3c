/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * disk: what the kernel tells of one whole disk, read below a root. Judges nothing.
 */
#ifndef CA_DEVICE_DISK_H
#define CA_DEVICE_DISK_H

#include "sysfs.h"
#include "cardassay/evidence.h"

struct ca_disk_kind {
	const char *prefix; /* of the kernel name */
	const char *name;   /* as `list` shows it, and the bus of evidence */
	bool virtual_device;
	bool listed; /* false: never a card (optical drives, floppies) */
};

struct ca_disk {
	char name[CA_NAME_BYTES]; /* kernel name, "mmcblk0" */
	char node[CA_NAME_BYTES]; /* "/dev/mmcblk0" */
	char kind[16];		  /* "sd" "mmc" "nvme" "usb" "disk" "loop" ... */
	char bus[16];		  /* "mmc" "nvme" "usb" "scsi" "loop" ... */
	char model[64], serial[64];
	char host_path[256]; /* the slot's, slot.h */
	char reader[256];    /* what it shares with the other slots of its reader */
	unsigned int major, minor;
	uint64_t bytes, diskseq;
	uint32_t sector_bytes;
	bool virtual_device, listed, removable, read_only;
	bool card_registers; /* sysfs shows a CID, or the drive answers Identify */
	/* eMMC boot and general purpose areas: the disk they belong to */
	char part_of[CA_NAME_BYTES];
};

/*
 * The whole disk behind a device string, links followed. ret_partition is the partition's kernel
 * name when the string names one, else "". -ENOENT, -EACCES, -ENOTBLK with error.
 */
int ca_disk_resolve(const char *root, const char *target, char ret_name[CA_NAME_BYTES],
		    char ret_partition[CA_NAME_BYTES], struct ca_error *error);

/* -ENOENT when there is no such disk. */
int ca_disk_read(const char *root, const char *name, struct ca_disk *ret_disk);

/*
 * Why the registers of its card cannot be read, and what to do about it; "" when they can. 160
 * bytes hold each of the answers.
 */
void ca_disk_hidden_because(const struct ca_disk *disk, char *ret_because, size_t size);

/* Every whole disk of the machine, unlisted ones too. *ret_disks is malloc'ed. */
int ca_disk_read_all(const char *root, struct ca_disk **ret_disks, size_t *ret_count);

/* False for what is never a card here: areas of an eMMC, hidden paths of a drive, optical drives,
 * virtual devices with nothing in them. */
bool ca_disk_is_shown(const char *root, const struct ca_disk *disk);

/* Directories of the disk's partitions are sys/block/DISK/PARTITION. */
int ca_disk_partitions(const char *root, const char *name, struct ca_names *ret_names);

/* The kernel name behind a node such as /dev/disk/by-id/x or /dev/mapper/y, links followed. */
int ca_disk_node_name(const char *root, const char *node, char ret_name[CA_NAME_BYTES]);

/*
 * The directory of the nearest parent of the disk in the device tree that has a file `attribute`,
 * relative to root; -ENOENT when none has.
 */
int ca_disk_parent_with(const char *root, const char *name, const char *attribute,
			char ret_dir[CA_PATH_BYTES]);

#endif
