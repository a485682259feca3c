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

/*
 * The same device once more, through the page cache of the host; closed before `device` is. Not for
 * anything whose data or time is to be trusted. -EOPNOTSUPP: a simulated one has no such cache.
 */
int ca_host_open_cached(const struct ca_device *device, struct ca_device **ret_device,
			struct ca_error *error);

/* "psync", "io_uring", "sim": how this open device moves data at depth > 1. */
const char *ca_host_io_engine(const struct ca_device *device);

/*
 * Can the host let go of this device and initialise it anew (ca_device_reinit)? Touches nothing;
 * `root` as in ca_host_collect. Where it cannot, ret_why says why, a clause ("its host controller
 * also drives another card"); else it is "".
 */
bool ca_host_can_reinit(const char *root, const char *target, char *ret_why, size_t size);

/* ---- a card taken out and put back (src/device/replug.c) ------------------------------------ */

enum ca_replug_step {
	CA_REPLUG_TAKE_OUT,
	CA_REPLUG_PUT_BACK,
};

/*
 * Can it be heard that the card of this device is taken out and put back? Touches nothing. Where it
 * cannot, ret_why says why, a clause; else it is "".
 */
bool ca_host_can_replug(const char *target, char *ret_why, size_t size);

/*
 * Lets go of the device, waits until its card was taken out and put back (five minutes for each),
 * and opens it again in the same slot, if it is the same card. A USB reader may stay where it is.
 * `tell` is called once a second with what to do now and the time left; a nonzero return ends the
 * waiting. Nothing may be in flight. Results and ret_fault as those of ca_device_ops.reinit;
 * -EOPNOTSUPP also when the card was never taken out, and is open as before. The device's failure
 * says what happened. A simulated card is taken out and put back at once, and nothing is told.
 */
int ca_host_replug(struct ca_device *device,
		   int (*tell)(void *context, enum ca_replug_step step, uint64_t left_ns),
		   void *context, struct ca_io_fault *ret_fault);

/* ---- what is on a card (src/device/content*.c, head.c) ------------------------------------------
 */

#define CA_CONTENT_NAMES 8U

struct ca_content_name {
	char name[64]; /* hostile: escape it; what is not ASCII is '?' */
	bool directory;
	uint64_t bytes;
};

struct ca_content {
	char filesystem[32]; /* "FAT32" "exFAT" ... of the last volume; "" = none known */
	uint64_t entries;    /* files and directories in the top directories of all volumes */
	uint64_t used_bytes; /* of these and all below them, in whole clusters */
	struct ca_content_name names[CA_CONTENT_NAMES]; /* the first ones */
	size_t name_count;
	uint32_t others; /* file systems and partitions whose files cannot be listed here */
	char other[32];	 /* the last of them: "ext4" ... "partition" */
	bool unreadable; /* the card gave an error on the way: there may be more */
	/*
	 * One empty FAT or exFAT file system is all there is: so much from the start of the card,
	 * and so much from its end, makes it anew. Else 0.
	 */
	uint64_t head_bytes, tail_bytes;
};

/* Looks at what is on a device string, reading only. -ENOENT, -EACCES, -EBUSY ... with error. */
int ca_host_look(const char *target, struct ca_content *ret_content, struct ca_error *error);

struct ca_head;
/*
 * Keeps the head and the tail in memory; runs of one value take none. 0 with *ret_head NULL: it
 * cannot be kept, since it cannot be read or is larger than it is worth (16 MiB of what is no such
 * run). -ENOMEM.
 */
int ca_head_save(struct ca_device *device, uint64_t head_bytes, uint64_t tail_bytes,
		 struct ca_head **ret_head);
/*
 * What is kept, piece by piece, ascending, at most 64 KiB each; a result of `each` that is not 0
 * ends it and comes back.
 */
int ca_head_walk(const struct ca_head *head,
		 int (*each)(void *context, uint64_t offset, uint32_t bytes, const uint8_t *data),
		 void *context);
/* Writes it back, flushes, and reads it again. 0 with ret_fault: CA_IO_OK = it is there. */
int ca_head_put_back(struct ca_device *device, const struct ca_head *head,
		     struct ca_io_fault *ret_fault);
void ca_head_free(struct ca_head *head);
/*
 * Has the card forget all (BLKDISCARD, where it can), and writes zeros over its first 16 MiB and
 * its last MiB, or over all of a smaller one, so that nothing of a file system is found.
 * ret_discarded: it was told to forget all.
 */
int ca_head_wipe(struct ca_device *device, bool *ret_discarded, struct ca_io_fault *ret_fault);

/* ---- what a device is busy with (src/device/attend.c) ---------------------------------------- */

enum ca_attended_kind {
	CA_ATTENDED_IDLE, /* nothing was asked of it, or all is answered */
	CA_ATTENDED_READ,
	CA_ATTENDED_WRITE,
	CA_ATTENDED_FLUSH,
};

struct ca_attended {
	enum ca_attended_kind kind; /* of what waits longest */
	uint64_t offset;
	uint64_t waiting_ns; /* since it was asked, or since the last answer to anything; real time
			      */
};

/*
 * A device that does as `device` does, and knows what it waits for. `device` is borrowed and must
 * not be used beside it; close frees only what is around it. -ENOMEM.
 */
int ca_host_attend(struct ca_device *device, struct ca_device **ret_attended);
/* From any thread, while the other waits. */
void ca_host_attended(struct ca_device *attended, struct ca_attended *ret_attended);

/* ---- simulated cards (src/device/sim*.c) --------------------------------------------------- */

/* How the card treats addresses and cells. docs/cardassay.1 says which settings each kind takes. */
enum ca_sim_kind {
	CA_SIM_SOUND,
	CA_SIM_LIMBO,	  /* writes past `real` vanish; what reads give there says `limbo` */
	CA_SIM_WRAP,	  /* address modulo `real` */
	CA_SIM_CHAIN,	  /* modulo `wrap`, and what lands past `real` is lost */
	CA_SIM_TABLE,	  /* extents past `real` lie on seeded extents before it */
	CA_SIM_REGIONS,	  /* the last `tail` and the first `real` - `tail` bytes are there */
	CA_SIM_ISLANDS,	  /* `share` percent of the extents are there, seeded */
	CA_SIM_RING,	  /* the last `real` bytes written, wherever they are */
	CA_SIM_THIN,	  /* any sector, until `real` bytes of them are stored; then see `full` */
	CA_SIM_COMPRESS,  /* any sector, until `real` bytes of compressed data are stored */
	CA_SIM_ERRORS,	  /* past `real` reading and writing give I/O errors */
	CA_SIM_BRICK,	  /* written past `real` the card dies */
	CA_SIM_VOLATILE,  /* what lies past `real` lasts until the power is cut */
	CA_SIM_RETURNING, /* what is written past `real` is only seen after the power was cut */
};

/* What a lost sector reads as. */
enum ca_sim_limbo {
	CA_SIM_LIMBO_ZEROS,
	CA_SIM_LIMBO_ONES,
	CA_SIM_LIMBO_NOISE,
	CA_SIM_LIMBO_LAST, /* the sector that was really stored last */
};

/* What thin provisioning does when its store is full. Overwriting goes on working. */
enum ca_sim_full {
	CA_SIM_FULL_ERRORS,
	CA_SIM_FULL_SLOW, /* the sector stored first makes room, at cliff-rate */
	CA_SIM_FULL_DEATH,
};

enum ca_sim_protect {
	CA_SIM_PROTECT_IGNORE, /* writes seem to work */
	CA_SIM_PROTECT_ERROR,
};

/* Addresses above the limit of a reader. */
enum ca_sim_reader {
	CA_SIM_READER_WRAP,
	CA_SIM_READER_ERROR,
};

/* What is there after a replug or a loss of power. */
enum ca_sim_replug {
	CA_SIM_REPLUG_SAME,
	CA_SIM_REPLUG_SIZE,	/* it announces half of its size */
	CA_SIM_REPLUG_IDENTITY, /* other registers */
	CA_SIM_REPLUG_GONE,
};

/* The settings of sim:KEY=VALUE,...; each is one of docs/cardassay.1. 0 = not given, or none. */
struct ca_sim_spec {
	enum ca_sim_kind kind;
	enum ca_sim_limbo limbo;
	enum ca_sim_full full;
	enum ca_sim_protect protect;
	enum ca_sim_reader reader;
	enum ca_sim_replug replug;
	uint64_t announced_bytes, real_bytes, wrap_bytes;
	uint64_t extent_bytes; /* table, islands */
	uint64_t tail_bytes;   /* regions */
	uint64_t share;	       /* islands, percent */
	uint64_t cache_bytes;
	/* Of writes that do not follow the one before; such go past cache_bytes. */
	bool has_random_cache;
	uint64_t random_cache_bytes;
	uint64_t read_iops, write_iops; /* 4 KiB operations per second at depth 1 */
	uint64_t read_rate, write_rate; /* B/s of large transfers */
	uint64_t cliff_bytes;		/* written so much, the card writes at cliff_rate */
	uint64_t cliff_rate;		/* B/s; 0 = a tenth of write_rate */
	uint32_t queue_depth;		/* operations the card works on at once */
	uint32_t sector_bytes;
	uint64_t seed;
	bool has_bad, has_noise, has_flip;
	uint64_t bad_first, bad_last;	  /* sectors that return EIO */
	uint64_t bad_page;		  /* so does one page of 4 KiB in so many */
	uint64_t heal;			  /* after so many EIO there are no more; 0 = for ever */
	uint64_t noise_first, noise_last; /* sectors that read as noise, the same each time */
	uint64_t flip_lba;		  /* one bit wrong, the same each time */
	uint64_t wire_flip, wire_page; /* one sector (page of 4 KiB) read in so many comes wrong */
	uint64_t crosstalk;	       /* one sector read in so many is the neighbour's */
	uint64_t reader_limit_bytes;
	uint64_t protect_after_bytes; /* written; see protect */
	uint64_t protect_first_bytes; /* these take no writes; see protect */
	uint64_t gone_after_bytes;    /* moved */
	/* Named cards bring registers and a label (specs/simulated.tsv); NULL otherwise. */
	const struct ca_spec_simulated *named;
};
/* `text` is what follows "sim:". -EINVAL, -ERANGE with error naming the key. */
int ca_sim_parse(const char *text, struct ca_sim_spec *ret_spec, struct ca_error *error);
int ca_sim_open(const struct ca_sim_spec *spec, struct ca_device **ret_device,
		struct ca_error *error);

/*
 * Plays what only hands can do: CA_REINIT_POWER cuts the power of the slot, CA_REINIT_REPLUG takes
 * the card out and puts it back; CA_REINIT_HOST is ca_device_reinit. Result and ret_fault as those
 * of ca_device_reinit. `device` must be a simulated card with nothing in flight.
 */
int ca_sim_begin_anew(struct ca_device *device, enum ca_reinit_kind kind,
		      struct ca_io_fault *ret_fault);

/*
 * Puts two simulated cards into one reader: where a card's string says crosstalk=, some of its
 * sectors read come from `neighbour`, which must be open as long. Alone, a card shows its own.
 */
void ca_sim_join(struct ca_device *device, struct ca_device *neighbour);

/* ---- evidence sources ------------------------------------------------------------------------ */

/* Reads registers and device facts of any TARGET into evidence (device, registers, origin, host).
 * `root` relocates /sys, /proc and /dev lookups; NULL = the live machine. */
int ca_host_collect(const char *root, const char *target, struct ca_evidence *evidence,
		    struct ca_error *error);

/* Host facts that a run itself changes (err_stats after, the kernel log's errors), read again after
 * it. Other facts stay as they were read before. */
void ca_host_collect_after(const char *root, const char *target, struct ca_evidence *evidence);

/*
 * Asks the card of a collected device for its maker's health page: each query of ca_vendor_queries
 * once, until one is answered with a signature that is known. Reads only, and comes last: a card
 * that does not know the command may take the host's whole timeout, and the kernel turns a command
 * queue off for it. Where there is no card to ask, evidence->vendor says why; answers of a recorded
 * card stay as they are.
 */
void ca_host_ask_vendor(const char *root, const char *target, struct ca_evidence *evidence);

/* Where a fact is read, for people: "queue/write_cache", "debugfs mmcN/ios (root)" ... */
const char *ca_host_fact_source(enum ca_host_fact fact);

/* ---- selfcheck (src/device/selfcheck.c) ---------------------------------------------------- */

enum ca_check_state {
	CA_CHECK_WORKS,
	CA_CHECK_ABSENT,	 /* text says why and what would give it */
	CA_CHECK_NOT_APPLICABLE, /* this device cannot have it */
};

/* One service of this kernel for this device: a register source, an ioctl, direct I/O, uevents. */
struct ca_check {
	const char *name; /* "cid", "acmd13", "o_direct", "io_uring", "uevents", "kernel-log" ... */
	enum ca_check_state state;
	char text[200];
};

#define CA_CHECK_MAX 32U
/*
 * Tries what the program needs of the kernel for `target`, reading only. Facts are collected beside
 * by ca_host_collect. -ENOENT, -EACCES, -EINVAL with error.
 */
int ca_host_selfcheck(const char *root, const char *target, struct ca_check checks[CA_CHECK_MAX],
		      size_t *ret_count, struct ca_error *error);

/* ---- watching for devices that come and go (src/device/watch.c, uevent.c) ------------------- */

enum ca_watch_kind {
	CA_WATCH_APPEARED, /* a disk with a size: a new one, or a card in a reader's slot */
	CA_WATCH_LEFT,
};

struct ca_watch_event {
	enum ca_watch_kind kind;
	char node[64];
	char host_path[256];	 /* the slot, as ca_device_entry has it */
	uint64_t bytes, diskseq; /* 0 bytes in CA_WATCH_LEFT */
};

struct ca_watch;

/*
 * Watches the whole disks of the machine by the kernel's uevents. Those that are there already do
 * not appear. -EPERM, -EMFILE ... with error when the kernel's event socket cannot be had.
 */
int ca_watch_new(struct ca_watch **ret_watch, struct ca_error *error);
void ca_watch_free(struct ca_watch *watch);

/*
 * Waits up to timeout_ms (-1 = for ever) for the next event. 1 = ret_event is set, 0 = time is up,
 * -EINTR a signal came. A lost event (ENOBUFS) costs nothing: everything is looked at again.
 */
int ca_watch_next(struct ca_watch *watch, int timeout_ms, struct ca_watch_event *ret_event);

/*
 * Registers from a directory of sysfs-named files (cid, csd, scr, ssr, type, ext_csd, id_ctrl,
 * id_ns, smart_log: hex text, or raw bytes of the exact length for the NVMe ones). At least one
 * must be there. -ENOENT, -EBADMSG with error naming the file, its length and the length it must
 * have.
 */
int ca_host_read_register_dir(const char *dir, struct ca_raw_registers *ret_registers,
			      struct ca_error *error);

/*
 * Files of 10,000 cards have 2 MB as a text and 50 MB in a tar archive, which keeps a block of 512
 * bytes and a header for each. So much is read at most, and so much comes out of gzip.
 */
#define CA_REGISTER_TEXT_MAX (64U * 1024U * 1024U)

/*
 * Cards from what people paste or send, recognised by what it holds and mixed as it comes:
 *   `grep . /sys/.../mmc0:*`, `head` of such files, "cid: HEX", bare hex, also wrapped;
 *   `mmc cid read`, `mmc csd read`, `mmc extcsd read` (text);
 *   `nvme id-ctrl`, `id-ns`, `smart-log` of nvme-cli 1 and 2: text, JSON, raw pages;
 *   `lspci -vv` and the kernel log beside them, where they can only mean that card;
 *   tar archives of captured or sysfs directories; all of it in gzip.
 * Calls `each` once a card with origin, device, registers and host filled in; node is the card's
 * directory or "card N". `each` ends it by returning other than 0, which comes back. -EBADMSG with
 * error naming the line, entry or offset and what was expected; -EFBIG, -E2BIG, -ENOMEM.
 */
int ca_host_read_register_text(const char *text, size_t len,
			       int (*each)(void *context, const struct ca_evidence *card),
			       void *context, struct ca_error *error);

/* Takes over what such a card brings; the rest of `evidence` stays. */
void ca_host_adopt_recorded(const struct ca_evidence *card, struct ca_evidence *evidence);

/* Writes registers and facts as sysfs-named files into an existing or new directory. */
int ca_host_write_register_dir(const char *dir, const struct ca_evidence *evidence,
			       struct ca_error *error);

/* ---- list and guard (src/device/list.c, guard.c) ------------------------------------------- */

struct ca_device_entry {
	char node[64]; /* "/dev/mmcblk0" */
	char kind[16]; /* "sd" "mmc" "nvme" "usb" "loop" "zram" "virtio" "disk" ... */
	char model[64], serial[64];
	/* Stable path of the slot: stays when the card in it changes, differs between the slots of
	 * one reader, and does not depend on udev. */
	char host_path[256];
	char by_path[256]; /* "/dev/disk/by-path/..." where udev made one, else "" */
	/* Place of the slot in a reader with several, from 1; slot_count 1 = it is the only one. */
	unsigned int slot, slot_count;
	bool empty; /* a slot without a card: bytes 0, node "" where the kernel has none for it */
	char hidden_because[160]; /* registers not visible: why, and what kind of reader shows them
				   */
	/* Confirm word for --erase, "" when it may not be erased. A card that only mounted volumes
	 * keep from it, which --unmount may unmount, has one and is refused at the same time. */
	char confirm[160];
	uint64_t bytes, diskseq;
	bool in_use, removable, read_only, registers_visible;
	char refused_because[320]; /* "" = may be erased after confirmation */
};

/* All whole disks and all reader slots of the machine, empty ones too, in natural order.
 * *ret_entries is malloc'ed. */
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

/*
 * A journal must not lie on the device it is about: -EBUSY with error when `directory` is on the
 * block device `target`, whole or a partition of it. Other targets and file systems without a
 * device are elsewhere.
 */
int ca_host_check_elsewhere(const char *root, const char *target, const char *directory,
			    struct ca_error *error);

/* Unmounts the non-system volumes of a confirmed device (--unmount). */
int ca_guard_unmount(const char *target, struct ca_error *error);

/* Entropy for secrets, run ids and keys (getrandom), and the wall clock: inputs of a run. */
int ca_host_entropy(void *ret_bytes, size_t bytes);
/* Seconds since 1970. Trusted: the kernel says it is synchronised, or it is 2025 at least. */
uint64_t ca_host_wall_seconds(bool *ret_trusted);

#endif
