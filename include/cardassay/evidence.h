/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * evidence: the one document between collecting and judging. Only data: what was read, what was
 * written and read back, what was timed, on which host. Nothing in it is a conclusion, and the
 * judge sees nothing else (beside label, profile and specs).
 *
 * Units are in the names; rates are B/s (10^6 for MB/s), sizes bytes, times ns, IOPS in
 * thousandths. Strings come from hardware and are hostile: escape them when showing them.
 */
#ifndef CARDASSAY_EVIDENCE_H
#define CARDASSAY_EVIDENCE_H

#include "cardassay/base.h"
#include "cardassay/registers.h"

/* ---- the device ----------------------------------------------------------------------------- */

/* Only CA_ORIGIN_LIVE is a certificate of a card; every view overprints the others. */
enum ca_origin {
	CA_ORIGIN_LIVE,	     /* a physical card or drive */
	CA_ORIGIN_VIRTUAL,   /* a block device with no card behind: loop, zram, nbd, dm, virtio */
	CA_ORIGIN_IMAGE,     /* image:FILE */
	CA_ORIGIN_SIMULATED, /* sim: */
	CA_ORIGIN_RECORDED,  /* registers from files, nothing measured */
};
const char *ca_origin_name(enum ca_origin origin); /* "live" ... */

enum ca_media {
	CA_MEDIA_UNKNOWN, /* a reader or virtual device hides what it is */
	CA_MEDIA_SD,
	CA_MEDIA_MMC,
	CA_MEDIA_NVME,
};
const char *ca_media_name(enum ca_media media); /* "unknown" "sd" "mmc" "nvme" */

struct ca_device_facts {
	char node[256];	     /* as the user named it: "/dev/mmcblk0", "sim:fake-128g" */
	char host_path[256]; /* stable path of the slot, "" when not known */
	char bus[16];	     /* "mmc" "nvme" "usb" "loop" "virtio" "sim" "image" "files" ... */
	char model[64], serial[64]; /* as the kernel shows them for USB, SCSI, NVMe; "" = absent */
	enum ca_media media;
	uint64_t bytes;	       /* block device size, 0 = unknown */
	uint32_t sector_bytes; /* logical */
	uint64_t diskseq;      /* 0 = unknown */
	/* --registers DIR lent recorded registers to a device that hides them. */
	bool registers_lent;
	/* "sysfs", "ioctl", "sim", or the directory or file they were read from */
	char registers_from[256];
	char hidden_because[160]; /* why registers are not observable, "" when they are */
};

/* ---- the host ------------------------------------------------------------------------------- */

/*
 * Host facts, each present or listed as absent. `number` is 0 where a fact has none. The names are
 * the keys of evidence.host in the certificate; where each is read: src/device/fact_sources.c.
 */
enum ca_host_fact {
	/* the machine */
	CA_HOST_KERNEL,	 /* uname release */
	CA_HOST_MACHINE, /* model from the device tree or DMI */
	CA_HOST_ARCH,
	CA_HOST_CLOCK,	      /* 1 "synchronised", 0 "not synchronised" */
	CA_HOST_CLOCK_SOURCE, /* what measured the times: "tsc", "arch_sys_counter" ... */
	CA_HOST_CPU_GOVERNOR,
	CA_HOST_CPU_CLOCK_HZ,  /* of the fastest CPU now; text names the most it may have too */
	CA_HOST_CPU_THROTTLED, /* how often the CPUs were slowed for their heat since boot */
	CA_HOST_THROTTLED,     /* Raspberry Pi get_throttled bits */
	CA_HOST_UNDERVOLTAGE,  /* 1 happened since boot, 0 not; text says how it is known */
	/* the slot and its bus */
	CA_HOST_DRIVER,		/* kernel driver of the host controller: "sdhci-pci", "nvme" ... */
	CA_HOST_BUS_TIMING,	/* debugfs ios: "sd uhs SDR104" ... */
	CA_HOST_BUS_CLOCK_HZ,	/* actual clock when shown, else the clock asked for */
	CA_HOST_BUS_WIDTH,	/* data lines */
	CA_HOST_SIGNAL_VOLTAGE, /* "1.80 V"; number in mV */
	CA_HOST_POWER_LIMIT_MW, /* CMD6 group 4 selection */
	/* debugfs err_stats: sum of all counters before and after the run; text names those above 0
	 */
	CA_HOST_ERR_STATS,
	CA_HOST_ERR_STATS_AFTER,
	/* kernel log: the line about the card in this slot, without its prefix; number is the
	 * record's place in the log */
	CA_HOST_LOG_CARD,
	CA_HOST_LOG_ERRORS, /* kernel log: lines about errors of this device; text is the last one
			     */
	/* the request queue */
	CA_HOST_CACHE,	       /* 1 "write back", 0 "write through"; text says how it is known */
	CA_HOST_COMMAND_QUEUE, /* number 1 running, 0 not; text says how it was inferred */
	CA_HOST_QUEUE_TAGS,    /* debugfs: requests the driver takes at once */
	CA_HOST_NR_REQUESTS,
	CA_HOST_SCHEDULER,
	CA_HOST_MAX_REQUEST_BYTES,    /* queue/max_sectors_kb x 1024: larger ones are split */
	CA_HOST_MAX_HW_REQUEST_BYTES, /* queue/max_hw_sectors_kb x 1024 */
	CA_HOST_MAX_SEGMENTS,
	CA_HOST_MAX_SEGMENT_BYTES,
	CA_HOST_LOGICAL_BLOCK_BYTES,
	CA_HOST_OPTIMAL_IO_BYTES,
	CA_HOST_DISCARD_GRANULARITY_BYTES,
	CA_HOST_DISCARD_MAX_BYTES, /* 0: the device cannot discard */
	CA_HOST_READ_AHEAD_BYTES,
	CA_HOST_ROTATIONAL,
	CA_HOST_READ_ONLY, /* the kernel's ro: 1 or 0 */
	CA_HOST_IO_ENGINE, /* "psync", "io_uring", "sim": what moved the data */
	/* PCIe and USB */
	CA_HOST_PCIE_SPEED, /* now; number in MT/s, e.g. 8000 */
	CA_HOST_PCIE_WIDTH,
	CA_HOST_PCIE_SPEED_MAX,
	CA_HOST_PCIE_WIDTH_MAX,
	CA_HOST_USB_SPEED,  /* number in Mbit/s */
	CA_HOST_USB_ID,	    /* "05e3:0749"; number vendor x 65536 + product */
	CA_HOST_USB_BRIDGE, /* manufacturer and product of the reader, its revision */
	CA_HOST_USB_DRIVER, /* "usb-storage" or "uas" */
};
#define CA_HOST_FACT_COUNT 45U
const char *ca_host_fact_name(enum ca_host_fact fact);

/* Can a device on this bus ("mmc", "nvme", "usb", "loop" ...) have the fact at all? */
bool ca_host_fact_is_of_bus(enum ca_host_fact fact, const char *bus);

struct ca_fact {
	bool present;
	int64_t number;
	char text[120];
};

/* ---- capacity ------------------------------------------------------------------------------- */

/* Class of a sector that was written with the keyed pattern and read back (docs/ARCHITECTURE.md:
 * the pattern). */
enum ca_sector_class {
	CA_SECTOR_GOOD,
	CA_SECTOR_ZEROS,
	CA_SECTOR_ONES,
	CA_SECTOR_ALIAS,   /* holds what this run wrote to another LBA */
	CA_SECTOR_STALE,   /* holds this LBA's data of an earlier pass or run */
	CA_SECTOR_BITFLIP, /* at most 7 bits off */
	CA_SECTOR_FOREIGN, /* holds what was written to another device: the host crossed them */
	CA_SECTOR_NOISE,
	CA_SECTOR_UNREADABLE,
	CA_SECTOR_UNWRITABLE,
};
#define CA_SECTOR_CLASS_COUNT 10U
const char *ca_sector_class_name(enum ca_sector_class class_of); /* "good" "zeros" ... */

/* What a second read of a range that was not good at first made of it. */
enum ca_run_reads {
	CA_RUN_READS_ALIKE,  /* stable: all reads agree; what was good at once is read once */
	CA_RUN_READS_DIFFER, /* unstable: neither was good, and they are not the same */
	CA_RUN_READS_MIXED,  /* transport: one of them was good, so the data are there */
};
const char *ca_run_reads_name(enum ca_run_reads reads); /* "stable" "unstable" "transport" */

struct ca_run {
	uint64_t lba, sectors; /* 512-byte sectors */
	enum ca_sector_class class_of;
	enum ca_run_reads reads;
	/* Alias: LBA found minus LBA expected, in sectors; else 0. Where all sectors of a run hold
	 * one and the same LBA (a card that repeats a block) it is that of the first. */
	int64_t delta;
};

#define CA_ALIAS_MAX 16U
struct ca_alias {
	int64_t delta; /* sectors; of many that hold one LBA the one nearest to 0 */
	uint64_t sectors;
};

enum ca_fill_end {
	CA_FILL_NOT_RUN,
	CA_FILL_COMPLETE,    /* everything written, everything read back */
	CA_FILL_PROOF,	     /* stopped early: the fault is proved */
	CA_FILL_INTERRUPTED, /* Ctrl-C, SIGTERM */
	CA_FILL_LOST,	     /* the device went away */
	CA_FILL_CHANGED,     /* size or identity changed under us */
	CA_FILL_HOST_ERROR,  /* our side failed */
};
const char *ca_fill_end_name(enum ca_fill_end end);

enum ca_capacity_kind {
	CA_CAPACITY_KIND_NONE,	  /* nothing known, or nothing wrong */
	CA_CAPACITY_KIND_SOUND,	  /* everything good */
	CA_CAPACITY_KIND_LIMBO,	  /* writes past the real size vanish */
	CA_CAPACITY_KIND_WRAP,	  /* addresses wrap round */
	CA_CAPACITY_KIND_CHAIN,	  /* part aliased, part lost */
	CA_CAPACITY_KIND_ERRORS,  /* I/O errors from one address on */
	CA_CAPACITY_KIND_DAMAGED, /* scattered faults: a failing card, no size of its own */
	/* none of these has a real capacity, but for the last */
	CA_CAPACITY_KIND_REGIONS,	  /* beginning and end are there, the middle is not */
	CA_CAPACITY_KIND_ISLANDS,	  /* good pieces among lost ones */
	CA_CAPACITY_KIND_RING,		  /* only what was written last is there */
	CA_CAPACITY_KIND_THIN,		  /* any address, until its store is full */
	CA_CAPACITY_KIND_WRITE_PROTECTED, /* takes no more writes, wherever they go */
	CA_CAPACITY_KIND_REPLAY,	  /* shows what an earlier run wrote */
	CA_CAPACITY_KIND_TRANSPORT,	  /* reads differ: the way to the card */
	CA_CAPACITY_KIND_HOST_LIMIT,	  /* ends just where some readers' addresses end */
};
const char *ca_capacity_kind_name(enum ca_capacity_kind kind);

enum ca_certainty {
	CA_CERTAINTY_NONE,   /* there is no kind */
	CA_CERTAINTY_OPEN,   /* the card or something before it: another run or host settles it */
	CA_CERTAINTY_LIKELY, /* other behaviours can look the same */
	CA_CERTAINTY_SURE,   /* all that was seen fits this one */
};
struct ca_capacity_evidence;
/* How sure the kind is, of all that is in the evidence. */
enum ca_certainty ca_capacity_certainty(const struct ca_capacity_evidence *capacity);

/* How the device was made to begin anew. Only power and replug count as a loss of power. */
enum ca_reinit_kind {
	CA_REINIT_NONE,
	CA_REINIT_HOST,	  /* the host controller was let go and taken again */
	CA_REINIT_POWER,  /* the power of the slot was really cut */
	CA_REINIT_REPLUG, /* somebody took the card out and put it back */
};
const char *ca_reinit_name(enum ca_reinit_kind kind); /* "none" "reinit" "power" "replug" */
bool ca_reinit_is_power_loss(enum ca_reinit_kind kind);

struct ca_capacity_evidence {
	enum ca_fill_end end;
	/* written: accepted without an error; verified: read back, or tried and unreadable;
	 * longest_good_run: at least so much where the map was coarsened */
	uint64_t announced_bytes, written_bytes, verified_bytes, good_bytes, longest_good_run_bytes;
	bool has_first_bad, has_real_capacity;
	uint64_t first_bad_offset;    /* bytes */
	uint64_t real_capacity_bytes; /* to the sector; absent where the behaviour has none */
	enum ca_capacity_kind kind;
	uint32_t coverage_ppm;			 /* verified / announced */
	uint64_t classes[CA_SECTOR_CLASS_COUNT]; /* sectors */
	/* differed between two reads, or failed once: transport, not medium */
	uint64_t unstable_sectors;
	unsigned int alias_count;
	struct ca_alias alias[CA_ALIAS_MAX]; /* most frequent first */
	/* exact also where the map was coarsened: the greatest common divisor of all distances to
	 * higher LBAs, 0 = there are none; and the ends of all I/O errors */
	uint64_t alias_period_sectors;
	bool has_errors;
	uint64_t errors_offset, errors_end_offset; /* bytes */
	/* at the very end, read back right and lost once other data were written: a memory held
	 * them; 0 = none. The map shows them as they were read back. */
	uint64_t memory_bytes;
	/* writing became at least twice as slow from here on: no fault by itself */
	bool has_rate_cliff;
	uint64_t cliff_offset, cliff_before_bytes_per_second, cliff_after_bytes_per_second;
	/* Ascending, bounded; owned. coarsened_to_bytes > 0 when the map had to be coarsened:
	 * each run then covers whole units of that size and carries the worst class in them. */
	struct ca_run *runs;
	size_t run_count;
	uint64_t coarsened_to_bytes;
	/* The first bad sector as H2testw users expect it. */
	uint8_t expected[32], found[32]; /* first 32 bytes of the sector, when has_first_bad */
	uint64_t write_ns, read_ns;
	/* bytes written or read between a sector's write and its read back, at least */
	uint64_t cache_overrun_bytes;
	enum ca_reinit_kind reinit; /* between the writing and the read back */
	char pattern[24];	    /* "aes-128-ctr" or "chacha20" */
	uint8_t run_id[16];
	uint8_t device_id[16];
	bool has_key;
	uint8_t key[32]; /* K, published after the read back; 16 bytes for AES, 32 for ChaCha20 */
	uint8_t key_bytes;
	char lost_because[160]; /* "" or what the kernel said */
};

/* ---- the probe ------------------------------------------------------------------------------ */

/*
 * A sparse check that puts the card's own data back. Samples are places of sample_bytes that were
 * written with the keyed pattern and read back; the run is the first run_bytes of the card, written
 * as a whole, whose image was looked for by reading every step_bytes.
 */
struct ca_probe_evidence {
	enum ca_fill_end end; /* COMPLETE: all of the plan was done, whatever it found */
	uint64_t announced_bytes;
	uint64_t written_bytes; /* all that was written, putting back included */
	uint64_t reads;
	uint32_t sample_bytes;
	uint64_t samples, random_samples;	 /* read back; of these at random places */
	uint64_t classes[CA_SECTOR_CLASS_COUNT]; /* samples, by their worst sector */
	uint64_t unstable_samples;		 /* differed between two reads */
	uint64_t run_bytes, step_bytes, steps;
	uint32_t coverage_ppm; /* written and read back / announced */
	/* Places that hold what this run wrote to another address, most of them never written. */
	uint64_t aliases;
	bool has_alias;
	uint64_t alias_offset, alias_of_offset; /* one of them, and what it holds */
	uint64_t modulus_bytes; /* distance of every alias and proved so; 0 = none */
	enum ca_capacity_kind kind;
	bool has_first_bad, has_real_capacity;
	uint64_t first_bad_offset; /* lowest sample that was bad */
	uint64_t real_capacity_bytes;
	/* the size lies between these, where it was not found to the sector; both 0: not known */
	uint64_t real_least_bytes, real_most_bytes;
	/* most of other data that hid a loss; 0 = none was seen to hide one */
	uint64_t cache_bytes;
	uint64_t cache_overrun_bytes; /* of other data written between a sample and its reading */
	uint64_t unrestored_bytes;    /* of the card's own data that could not be put back */
	bool journal_kept;
	uint8_t expected[32], found[32]; /* of the first bad sample, when has_first_bad */
	uint64_t elapsed_ns;
	char pattern[24];
	uint8_t run_id[16];
	uint8_t device_id[16];
	bool has_key;
	uint8_t key[32];
	uint8_t key_bytes;
	char lost_because[160];
};

/*
 * The largest share of bad places, in millionths and rounded up, that so many random samples, all
 * of them good, would have missed with a chance of 1 %: s with (1 - s)^samples = 0.01.
 */
uint32_t ca_probe_missed_ppm(uint64_t samples);

/* ---- speed ---------------------------------------------------------------------------------- */

struct ca_latency {
	uint64_t p50_ns, p99_ns, p999_ns, max_ns;
};

/* State in which a figure was taken, as far as it is known. */
enum ca_tristate {
	CA_UNKNOWN,
	CA_NO,
	CA_YES,
};

struct ca_speed_random {
	bool write;
	uint64_t milliiops; /* operations x 1000 / whole duration */
	uint32_t queue_depth;
	uint64_t range_bytes, block_bytes, duration_ns, operations, errors;
	struct ca_latency latency;
	uint32_t preconditioned_ppm; /* share of the device written sequentially before */
	bool range_written;	     /* the range itself was really written first */
};

struct ca_speed_sequential {
	bool write;
	uint64_t bytes_per_second;	      /* over the whole transfer */
	uint64_t min_window_bytes_per_second; /* slowest window, 0 when there is none */
	uint64_t window_bytes, request_bytes, total_bytes, offset, duration_ns, errors;
	uint32_t queue_depth;
	uint32_t preconditioned_ppm;
	struct ca_latency latency;
};

/* How the card was made to forget what it held. */
enum ca_erase_kind {
	CA_ERASE_NONE,
	CA_ERASE_DISCARD, /* BLKDISCARD: of an SD card an erase or a discard, as the kernel chose */
	CA_ERASE_FULL,	  /* full user area logical erase, S 4.3.5 */
};
#define CA_ERASE_KINDS 3U
const char *ca_erase_name(enum ca_erase_kind kind); /* "none" "discard" "full-erase" */

/*
 * A recording with the updates of a file system between its units (S 4.13.1): each cycle writes two
 * FATs (or FAT and bitmap) and a directory entry.
 */
struct ca_speed_recording {
	bool announced; /* the card was told of it, CMD20 */
	uint64_t cycles, errors;
	uint64_t mean_ns, max_ns; /* slowest mean of eight cycles in a row; the slowest cycle */
};

#define CA_SPEED_MAX 16U
struct ca_speed_evidence {
	unsigned int random_count, sequential_count;
	struct ca_speed_random random[CA_SPEED_MAX];
	struct ca_speed_sequential sequential[CA_SPEED_MAX];
	enum ca_tristate erased_before; /* the whole user area was erased first */
	enum ca_erase_kind erased_by;
	struct ca_speed_recording recording; /* cycles 0 = there was none */
	enum ca_tristate cache_on;
	enum ca_tristate command_queue_on;
	enum ca_tristate bypass_page_cache; /* O_DIRECT */
	bool interrupted;
};

/* ---- the survey ------------------------------------------------------------------------------ */

/*
 * What reviewers print: figures of every kind of access, and those of other tools beside ours. No
 * rule reads it: a survey settles no claim.
 */
#define CA_SURVEY_RUNS	     5U
#define CA_SURVEY_CELLS_MAX  24U
#define CA_SURVEY_POINTS_MAX 64U
#define CA_SURVEY_LINES_MAX  2U
#define CA_SURVEY_LIKE_MAX   8U
#define CA_LATENCY_OCTAVES   44U

struct ca_survey_cell {
	bool write, random;
	uint32_t block_bytes, queue_depth;
	unsigned int run_count;
	uint64_t rates[CA_SURVEY_RUNS];		  /* B/s, one a run */
	uint64_t bytes_per_second, milliiops;	  /* means of the runs */
	uint64_t operations, errors, duration_ns; /* of all runs */
	struct ca_latency latency;
	/* operations that took 2^i ns or longer, and less than 2^(i + 1); the last: all longer ones
	 */
	uint64_t octaves[CA_LATENCY_OCTAVES];
};

/* Rates of small transfers spread over the device: the i-th begins at i x step_bytes. */
struct ca_survey_line {
	bool write;
	uint64_t step_bytes, sample_bytes;
	unsigned int point_count;
	uint64_t rates[CA_SURVEY_POINTS_MAX]; /* B/s; 0 = it failed */
};

enum ca_like_part {
	CA_LIKE_HDPARM_CACHED,	 /* -T */
	CA_LIKE_HDPARM_BUFFERED, /* -t */
	CA_LIKE_DD_WRITE,
	CA_LIKE_DD_READ,
	CA_LIKE_IOZONE_WRITE, /* -e -I -s 256M -r 4k -i 0 -i 2 */
	CA_LIKE_IOZONE_REWRITE,
	CA_LIKE_IOZONE_RANDOM_READ,
	CA_LIKE_IOZONE_RANDOM_WRITE,
	CA_LIKE_SDTEST_WRITE,
	CA_LIKE_SDTEST_RANDOM_WRITE,
	CA_LIKE_SDTEST_RANDOM_READ,
};
#define CA_LIKE_PART_COUNT 11U
/* "hdparm -T" ... "sdtest random write" */
const char *ca_like_part_name(enum ca_like_part part);

/* Measured the way another tool does, and the same access measured our way. */
struct ca_survey_like {
	enum ca_like_part part;
	bool write, random;
	bool page_cache; /* through the memory of the host */
	uint32_t block_bytes, queue_depth;
	uint64_t total_bytes, duration_ns, bytes_per_second, errors;
	uint64_t own_bytes_per_second; /* past the page cache, one request at a time; 0 = none */
};

struct ca_survey_evidence {
	unsigned int cell_count, line_count, like_count;
	uint64_t range_bytes; /* of the cells; at the beginning of the device, written before */
	struct ca_survey_cell cells[CA_SURVEY_CELLS_MAX];
	struct ca_survey_line lines[CA_SURVEY_LINES_MAX];
	struct ca_survey_like likes[CA_SURVEY_LIKE_MAX];
	bool interrupted;
};
bool ca_survey_was_run(const struct ca_survey_evidence *survey);

/* ---- the whole ------------------------------------------------------------------------------ */

struct ca_evidence {
	uint64_t collected_at; /* seconds since 1970, UTC */
	bool clock_trusted;
	enum ca_origin origin;
	struct ca_device_facts device;
	struct ca_raw_registers registers;
	bool has_smart_after;
	uint8_t nvme_smart_after[CA_NVME_SMART_BYTES]; /* after our own writes */
	struct ca_vendor_health vendor; /* answers to CMD56, where they were asked for */
	struct ca_fact host[CA_HOST_FACT_COUNT];
	struct ca_capacity_evidence capacity;
	struct ca_probe_evidence probe;
	struct ca_speed_evidence speed;
	struct ca_survey_evidence survey;
	bool masked; /* serials were blanked on request */
};

/* A zeroed evidence is valid and empty. _done frees what it owns and zeroes it. */
void ca_evidence_done(struct ca_evidence *evidence);

/* Blanks serials in registers and device facts and sets masked. */
void ca_evidence_mask(struct ca_evidence *evidence);

#endif
