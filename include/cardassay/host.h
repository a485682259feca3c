/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * host: what only the command line may use of src/device: opening devices, reading registers and
 * host facts, listing, and the guard that keeps every write off the wrong disk.
 *
 * Kernel facts are read below a root directory ("" on a live machine, a fixture in tests).
 */
#ifndef CARDASSAY_HOST_H
#define CARDASSAY_HOST_H

#include "cardassay/base.h"
#include "cardassay/device.h"
#include "cardassay/evidence.h"

/* ---- device strings (src/device/target.c) ---------------------------------------------------- */

enum ca_target_kind {
	CA_TARGET_BLOCK,     /* /dev/..., by-id links, block device nodes */
	CA_TARGET_IMAGE,     /* image:FILE */
	CA_TARGET_SIMULATED, /* sim:SPEC or sim:NAME */
	CA_TARGET_NVME_CHAR, /* /dev/nvme0 */
	CA_TARGET_DIRECTORY, /* a directory with sysfs-named register files */
	CA_TARGET_FILE,	     /* a file, or "-", with pasted registers */
};

/* Says what a TARGET is without opening it for writing. -ENOENT, -EACCES, -EINVAL with error. */
int ca_target_kind(const char *target, enum ca_target_kind *ret_kind, struct ca_error *error);

/* ---- opening for I/O ------------------------------------------------------------------------- */

enum ca_open_mode {
	CA_OPEN_READ,  /* O_RDONLY */
	CA_OPEN_WRITE, /* O_RDWR | O_EXCL, after the guard */
};

/*
 * Opens a device string. O_DIRECT | O_CLOEXEC on block devices, plain pread/pwrite at queue depth 1
 * and io_uring above (where the kernel has it). CA_OPEN_WRITE on a block device runs the guard
 * first. -ENOENT no such device, -EACCES no permission, -EBUSY in use or refused (error says who
 * and what to do), -EINVAL bad device string, -EROFS.
 */
int ca_host_open(const char *target, enum ca_open_mode mode, struct ca_device **ret_device,
		 struct ca_error *error);

/* "psync", "io_uring", "sim": how this open device moves data at depth > 1. */
const char *ca_host_io_engine(const struct ca_device *device);

/* ---- simulated cards (src/device/sim*.c) --------------------------------------------------- */

enum ca_sim_kind {
	CA_SIM_SOUND,
	CA_SIM_LIMBO, /* writes past `real` vanish; what reads give there says `limbo` */
	CA_SIM_WRAP,  /* address modulo `real` */
	CA_SIM_CHAIN, /* modulo `wrap`, and what lands past `real` is lost */
};

/*
 * sim:announced=64G,real=1G,kind=wrap,cache=16M,read-iops=3200,write-iops=1200,read-rate=90M,
 * write-rate=30M,queue-depth=1,limbo=zeros|ones|noise|last,wrap=2G,seed=7,sector=512,
 * bad=FIRST-LAST (sectors that return EIO),flip=LBA (one bit wrong),gone-after=BYTES
 * kind=sound is the default and takes no real=.
 */
struct ca_sim_spec {
	uint64_t announced_bytes, real_bytes, wrap_bytes, cache_bytes;
	enum ca_sim_kind kind;
	char limbo[8];
	uint64_t read_iops, write_iops; /* 4 KiB operations per second at depth 1 */
	uint64_t read_rate, write_rate; /* B/s of large transfers */
	uint32_t queue_depth;		/* operations the card works on at once */
	uint32_t sector_bytes;
	uint64_t seed;
	bool has_bad, has_flip;
	uint64_t bad_first, bad_last, flip_lba;
	uint64_t gone_after_bytes; /* 0 = never */
	/* Named cards bring registers and a label (specs/simulated.tsv); "" otherwise. */
	const struct ca_spec_simulated *named;
};
/* `text` is what follows "sim:". -EINVAL, -ERANGE with error naming the key. */
int ca_sim_parse(const char *text, struct ca_sim_spec *ret_spec, struct ca_error *error);
int ca_sim_open(const struct ca_sim_spec *spec, struct ca_device **ret_device,
		struct ca_error *error);

/* ---- evidence sources ------------------------------------------------------------------------ */

/* Reads registers and device facts of any TARGET into evidence (device, registers, origin, host).
 * `root` relocates /sys, /proc and /dev lookups; NULL = the live machine. */
int ca_host_collect(const char *root, const char *target, struct ca_evidence *evidence,
		    struct ca_error *error);

/* Host facts of a device string alone. */
void ca_host_collect_facts(const char *root, const char *target,
			   struct ca_fact facts[CA_HOST_FACT_COUNT]);

/*
 * Registers from a directory of sysfs-named files (cid, csd, scr, ssr, type, ext_csd, id_ctrl,
 * id_ns, smart_log: hex text, or raw bytes of the exact length for the NVMe ones). At least one
 * must be there. -ENOENT, -EBADMSG with error naming the file, its length and the length it must
 * have.
 */
int ca_host_read_register_dir(const char *dir, struct ca_raw_registers *ret_registers,
			      struct ca_error *error);

/*
 * Registers from pasted text: `cid: HEX` lines, `grep . /sys/.../mmc0:*` output, bare hex of a
 * register's length, or raw Identify bytes. Several cards: calls `each` once a card.
 */
int ca_host_read_register_text(const char *text, size_t len,
			       int (*each)(void *context, const char *name,
					   const struct ca_raw_registers *registers),
			       void *context, struct ca_error *error);

/* Writes registers and facts as sysfs-named files into an existing or new directory. */
int ca_host_write_register_dir(const char *dir, const struct ca_evidence *evidence,
			       struct ca_error *error);

/* ---- list and guard (src/device/list.c, guard.c) ------------------------------------------- */

struct ca_device_entry {
	char node[64]; /* "/dev/mmcblk0" */
	char kind[16]; /* "sd" "mmc" "nvme" "usb" "loop" "zram" "virtio" "disk" ... */
	char model[64], serial[64];
	char host_path[256]; /* stable slot path */
	/* Confirm word for --erase, "" when it may not be erased. A card that only mounted volumes
	 * keep from it, which --unmount may unmount, has one and is refused at the same time. */
	char confirm[160];
	uint64_t bytes, diskseq;
	bool in_use, removable, read_only, registers_visible;
	char refused_because[320]; /* "" = may be erased after confirmation */
};

/* All whole disks of the machine, in natural order. *ret_entries is malloc'ed. */
int ca_host_list(const char *root, struct ca_device_entry **ret_entries, size_t *ret_count,
		 struct ca_error *error);

/*
 * May `target` be erased, and is `word` its confirm word? Resolves links, refuses partitions (and
 * names the whole disk), mounted, swap, holders, disks under /, /boot or the working directory,
 * read-only, size 0, and an ambiguous word. 0 = yes. -EBUSY, -EROFS, -EINVAL ..., one sentence in
 * error. `word` NULL asks only whether it may be erased at all and gives the word in ret_confirm.
 * Where nothing but volumes that --unmount may unmount is in the way, a wrong word is -EINVAL
 * before they are -EBUSY: ask with the word, and unmount only on -EBUSY. image:FILE is confirmed by
 * FILE-BYTES, its last path component and its size.
 */
int ca_guard_check(const char *root, const char *target, const char *word, char *ret_confirm,
		   size_t confirm_size, struct ca_error *error);

/* Unmounts the non-system volumes of a confirmed device (--unmount). */
int ca_guard_unmount(const char *target, struct ca_error *error);

/* Entropy for secrets, run ids and keys (getrandom), and the wall clock: inputs of a run. */
int ca_host_entropy(void *ret_bytes, size_t bytes);
/* Seconds since 1970. Trusted: the kernel says it is synchronised, or it is 2025 at least. */
uint64_t ca_host_wall_seconds(bool *ret_trusted);

#endif
