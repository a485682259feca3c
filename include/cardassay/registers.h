/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * registers: bytes -> structs. CID, CSD, SCR, SSR of SD cards, CID and EXT_CSD of eMMC, Identify
 * Controller, Identify Namespace and SMART log of NVMe. Pure: length-checked, no printing, no
 * allocation, no judgement (a reserved code is delivered as it stands; rules are the judge's).
 *
 * Clauses: "S" is the SD Physical Layer Simplified Specification 9.10; NVMe offsets are those of
 * libnvme; the sources are rows of specs/sources.tsv. Bit ranges come from specs/fields.tsv.
 *
 * Every decoder returns 0, or -EMSGSIZE when the length is not the register's, -EPROTO when the
 * register's structure field names a layout that does not exist. ret is untouched on failure.
 */
#ifndef CARDASSAY_REGISTERS_H
#define CARDASSAY_REGISTERS_H

#include "cardassay/base.h"

#define CA_CID_BYTES	    16U
#define CA_CSD_BYTES	    16U
#define CA_SCR_BYTES	    8U
#define CA_SSR_BYTES	    64U
#define CA_EXTCSD_BYTES	    512U
#define CA_NVME_ID_BYTES    4096U
#define CA_NVME_SMART_BYTES 512U
#define CA_EXT_BYTES	    1U	 /* ext_perf, ext_power as the Raspberry Pi kernel shows them */
#define CA_EXT_SET_BYTES    512U /* extension registers as CMD48 returns them */

/* ---- raw registers, as they were read ------------------------------------------------------- */

enum ca_register {
	CA_REGISTER_CID,
	CA_REGISTER_CSD,
	CA_REGISTER_SCR,
	CA_REGISTER_SSR,
	CA_REGISTER_EXTCSD,
	CA_REGISTER_NVME_CTRL,	/* Identify Controller, CNS 01h */
	CA_REGISTER_NVME_NS,	/* Identify Namespace, CNS 00h */
	CA_REGISTER_NVME_SMART, /* SMART / health log, LID 02h, before our own writes */
	CA_REGISTER_EXT_PERF,  /* performance enhancement in short: sysfs of Raspberry Pi kernels */
	CA_REGISTER_EXT_POWER, /* power management in short: likewise */
	CA_REGISTER_EXT_GENERAL,   /* CMD48: general information, function 0 (S 5.7.3) */
	CA_REGISTER_EXT_POWER_SET, /* CMD48: power management register set (S 5.8.1) */
	CA_REGISTER_EXT_PERF_SET,  /* CMD48: performance enhancement register set (S 5.8.2) */
};
#define CA_REGISTER_COUNT 13U

/* "cid", "csd", "scr", "ssr", "ext_csd", "id_ctrl", "id_ns", "smart_log", "ext_perf", "ext_power",
 * "ext_general", "ext_power_set", "ext_perf_set": file and JSON names. */
const char *ca_register_name(enum ca_register reg);
size_t ca_register_bytes(enum ca_register reg);

/* Which family of layouts the CID and CSD follow: the `type` attribute of sysfs decides. */
enum ca_card_type {
	CA_CARD_TYPE_SD,
	CA_CARD_TYPE_MMC,
};

struct ca_raw_registers {
	enum ca_card_type type;
	bool has[CA_REGISTER_COUNT];
	uint8_t cid[CA_CID_BYTES];
	uint8_t csd[CA_CSD_BYTES];
	uint8_t scr[CA_SCR_BYTES];
	uint8_t ssr[CA_SSR_BYTES];
	uint8_t extcsd[CA_EXTCSD_BYTES];
	uint8_t nvme_ctrl[CA_NVME_ID_BYTES];
	uint8_t nvme_ns[CA_NVME_ID_BYTES];
	uint8_t nvme_smart[CA_NVME_SMART_BYTES];
	uint8_t ext_perf[CA_EXT_BYTES];
	uint8_t ext_power[CA_EXT_BYTES];
	uint8_t ext_general[CA_EXT_SET_BYTES];
	uint8_t ext_power_set[CA_EXT_SET_BYTES];
	uint8_t ext_perf_set[CA_EXT_SET_BYTES];
	bool has_ocr;
	uint32_t ocr; /* S T5-1; bit 30 CCS, 29 UHS-II, 27 CO2T */
	/* What PCI says beside Identify (sysfs vendor, subsystem_vendor); 0 = not seen. */
	uint16_t pci_vid;
	uint16_t pci_ssvid;
	/* The serial number was blanked on request (-q): PSN, SN are not observable. The CRC byte
	 * of a masked CID is blanked too; what it said before is kept here, so that the finding
	 * survives. */
	bool masked;
	int masked_cid_crc; /* enum ca_crc of the CID before masking */
};

/* Pointer to the bytes of one register inside `raw`. */
const uint8_t *ca_register_data(const struct ca_raw_registers *raw, enum ca_register reg);
uint8_t *ca_register_data_mutable(struct ca_raw_registers *raw, enum ca_register reg);

/* ---- CRC7 (src/registers/crc7.c; S 4.5) ----------------------------------------------------- */

enum ca_crc {
	CA_CRC_ABSENT, /* the host driver stripped it: last byte 00 or 01 */
	CA_CRC_GOOD,
	CA_CRC_BAD,
};

/* x^7 + x^3 + 1, initial 0, most significant bit first; 0..127. */
uint8_t ca_crc7(const uint8_t *data, size_t bytes);

/*
 * The four host conventions: last byte 00 (sdhci and others strip it) or 01 (rtsx keeps only the
 * end bit) means absent; otherwise only bits 7:1 are compared, since mmci hosts deliver the end
 * bit as 0. `reg` has 16 bytes.
 */
enum ca_crc ca_crc7_check(const uint8_t *reg);

/* ---- CID (src/registers/cid.c; S 5.2 T5-2, eMMC: JESD84) ------------------------------------ */

struct ca_cid {
	enum ca_card_type type;
	uint8_t mid;
	uint16_t oid; /* SD: two ASCII characters; eMMC: CBX and 8-bit OID as Linux shows them */
	uint8_t cbx;  /* eMMC only, 2 bits */
	char pnm[7];  /* raw characters, NUL-terminated; may hold NULs and control bytes inside */
	uint8_t pnm_len; /* 5 (SD) or 6 (eMMC) */
	uint8_t prv;	 /* two BCD digits */
	uint32_t psn;
	uint8_t reserved;  /* SD bits 23:20 */
	uint16_t mdt_year; /* SD 2000 + n; eMMC 1997 + n, see ca_cid_apply_extcsd_rev */
	uint8_t mdt_month; /* as stored: 0..15 */
	enum ca_crc crc;
};

int ca_cid_decode(enum ca_card_type type, const uint8_t *data, size_t bytes,
		  struct ca_cid *ret_cid);

/* Encodes an SD CID with a good CRC7: what tests make cards of. */
void ca_cid_encode(const struct ca_cid *cid, uint8_t ret_data[CA_CID_BYTES]);

/* eMMC years: EXT_CSD_REV >= 5 and a year before 2010 mean 16 years later (as Linux has it). */
void ca_cid_apply_extcsd_rev(struct ca_cid *cid, uint8_t extcsd_rev);

/* ---- CSD (src/registers/csd.c; S 5.3 T5-3, T5-4, T5-16) ------------------------------------- */

enum ca_csd_version {
	CA_CSD_V1,  /* SDSC */
	CA_CSD_V2,  /* SDHC, SDXC */
	CA_CSD_V3,  /* SDUC */
	CA_CSD_MMC, /* eMMC and MMC: capacity 0 here when C_SIZE is FFFh (then EXT_CSD has it) */
};

enum ca_capacity_class {
	CA_CAPACITY_SDSC,
	CA_CAPACITY_SDHC,
	CA_CAPACITY_SDXC,
	CA_CAPACITY_SDUC,
	CA_CAPACITY_MMC,
};
const char *ca_capacity_class_name(enum ca_capacity_class class_of);

struct ca_csd {
	enum ca_csd_version version;
	uint8_t structure; /* bits 127:126 */
	uint8_t reserved_125_120;
	uint8_t taac, nsac, tran_speed;
	uint16_t ccc;
	uint8_t read_bl_len;
	bool read_bl_partial, write_blk_misalign, read_blk_misalign, dsr_imp;
	uint8_t reserved_above_c_size; /* v1 75:74, v2 75:70 */
	uint32_t c_size;
	uint8_t c_size_mult;							/* v1 */
	uint8_t vdd_r_curr_min, vdd_r_curr_max, vdd_w_curr_min, vdd_w_curr_max; /* v1 codes */
	uint8_t reserved_47;							/* v2, v3 */
	bool erase_blk_en;
	uint8_t sector_size, wp_grp_size;
	bool wp_grp_enable;
	uint8_t reserved_30_29;
	uint8_t r2w_factor, write_bl_len;
	bool write_bl_partial;
	uint8_t reserved_20_16;
	bool file_format_grp, copy, perm_write_protect, tmp_write_protect;
	uint8_t file_format;
	bool wp_upc;
	uint8_t reserved_8;
	uint64_t capacity_bytes; /* user area by the formula of S 5.3.2 to 5.3.4 */
	/* by C_SIZE and version (S 5.3.3; Linux: SDXC >= FFFFh) */
	enum ca_capacity_class capacity_class;
	enum ca_crc crc;
};

int ca_csd_decode(enum ca_card_type type, const uint8_t *data, size_t bytes,
		  struct ca_csd *ret_csd);

/* Encodes a version 2.0 CSD of `bytes` (a multiple of 512 KiB) with the fixed field values and a
 * good CRC7. -ERANGE when no legal C_SIZE gives that size. */
int ca_csd_encode_v2(uint64_t bytes, uint8_t ret_data[CA_CSD_BYTES]);

/* TRAN_SPEED as Mbit/s per line; 0 for all but the four codes of SD cards (S 5.3.2 T5-6). */
unsigned int ca_csd_tran_speed_mbit(uint8_t tran_speed);

/* ---- SCR (src/registers/scr.c; S 5.6 T5-17 to T5-23) ---------------------------------------- */

struct ca_scr {
	uint8_t structure, sd_spec;
	bool data_stat_after_erase;
	uint8_t sd_security, sd_bus_widths;
	bool sd_spec3;
	uint8_t ex_security;
	bool sd_spec4;
	uint8_t sd_specx;
	uint8_t reserved_37;
	bool cmd20, cmd23, cmd48_49, cmd58_59, acmd53_54;
	uint32_t manufacturer;
	/* The row of T5-19: version x 100 (100, 110, 200, 300 ... 900), 0 for a reserved row. */
	uint16_t version_x100;
};

int ca_scr_decode(const uint8_t *data, size_t bytes, struct ca_scr *ret_scr);

/* ---- SSR (src/registers/ssr.c; S 4.10.2 T4-44 to T4-57) ------------------------------------- */

struct ca_ssr {
	bool all_zero; /* ACMD13 failed on this host: not "the card has no class" */
	uint8_t dat_bus_width;
	bool secured_mode;
	uint8_t security_functions, reserved_501_499, secure_cmd_status;
	uint16_t sd_card_type;
	uint32_t protected_area; /* raw; bytes on SDHC and SDXC */
	uint8_t speed_class_code,
		speed_class; /* code as stored; 0 2 4 6 10, 0 for a reserved code */
	uint8_t performance_move;
	uint8_t au_size_code;
	uint32_t au_bytes; /* 0 = undefined */
	uint16_t erase_size;
	uint8_t erase_timeout, erase_offset;
	uint8_t uhs_speed_grade, uhs_au_size_code;
	uint32_t uhs_au_bytes;	   /* 0 = undefined or a code that is not used */
	uint8_t video_speed_class; /* the number itself */
	uint16_t vsc_au_mib;	   /* VSC_AU_SIZE in MB (2^20), 0 = none */
	uint8_t vsc_su_mib;	   /* sub-unit by T4-56, 0 when VSC_AU_SIZE is not in the table */
	uint32_t sus_addr;
	uint8_t app_perf_class; /* 0, 1 = A1, 2 = A2 */
	uint8_t cq_depth;	/* 0 = none, else the depth (code + 1) */
	bool cache, host_maintenance, card_maintenance;
	bool wp_upc_support, boot_partition_support, discard_support, fule_support;
	uint16_t reserved_bits; /* OR of the reserved fields, 0 when all are clear */
};

int ca_ssr_decode(const uint8_t *data, size_t bytes, struct ca_ssr *ret_ssr);

/* ---- EXT_CSD (src/registers/extcsd.c; Linux include/linux/mmc/mmc.h) ------------------------ */

struct ca_extcsd {
	uint8_t rev;				/* 192 */
	uint32_t sec_count;			/* 215:212, 512-byte sectors */
	uint8_t boot_size_mult, rpmb_size_mult; /* 128 KiB units */
	uint32_t cache_size_kib;
	uint8_t firmware_version[8];
	uint8_t pre_eol_info;	/* 0 undefined, 1 normal, 2 warning, 3 urgent */
	uint8_t life_a, life_b; /* n: (n-1)*10 .. n*10 % used; 0Bh over */
	bool cmdq_support;
	uint8_t cmdq_depth; /* 0 = no queue, else the depth (code + 1) */
};

int ca_extcsd_decode(const uint8_t *data, size_t bytes, struct ca_extcsd *ret_extcsd);

/* ---- extension registers (src/registers/ext.c; S 5.7, 5.8) ---------------------------------- */

/* Performance enhancement. `queue_depth` is 0 where the short form does not tell it. */
struct ca_ext_perf {
	bool fx_event, card_maintenance, host_maintenance, cache, command_queue;
	uint8_t queue_depth;
	uint8_t revision;		   /* of the set; 0 in the short form */
	bool cache_enabled, queue_enabled; /* now; reading by ioctl turns the queue off */
};

struct ca_ext_power {
	bool off_notification, sustenance, down_mode;
	uint8_t revision; /* of the set; 0 in the short form */
};

/* From either form: CA_EXT_BYTES or CA_EXT_SET_BYTES bytes. */
int ca_ext_perf_decode(const uint8_t *data, size_t bytes, struct ca_ext_perf *ret_perf);
int ca_ext_power_decode(const uint8_t *data, size_t bytes, struct ca_ext_power *ret_power);

/* One record of the general information. */
struct ca_extension {
	uint16_t standard_function; /* SFC: 1 power management, 2 performance, 3 security */
	uint8_t register_sets;
	uint8_t function; /* where the first register set is: FNO of CMD48 */
	uint32_t address; /* page << 9 | offset */
};
enum {
	CA_EXTENSION_POWER = 1,
	CA_EXTENSION_PERF = 2,
};

/* Record `index` (0 = first) of a CA_EXT_SET_BYTES page. -ENOENT: there is none, or the list leaves
 * the page or runs backwards; -EPROTO: a structure revision that is not 0. */
int ca_extension_at(const uint8_t *general, unsigned int index, struct ca_extension *ret_extension);

/* The first record of a standard function that has a register set; errors as above. */
int ca_extension_find(const uint8_t *general, uint16_t standard_function,
		      struct ca_extension *ret_extension);

/* ---- NVMe (src/registers/nvme.c) ------------------------------------------------------------ */

/* 128-bit little-endian counters: the low 64 bits, saturated at UINT64_MAX. */
struct ca_nvme_power_state {
	uint16_t max_power_raw; /* centiwatts, or 0.0001 W when max_power_scale */
	bool max_power_scale, non_operational;
	uint32_t entry_latency_us, exit_latency_us;
};

struct ca_nvme_ctrl {
	uint16_t vid, ssvid;
	char sn[21], mn[41], fr[9]; /* raw, NUL-terminated, trailing spaces kept */
	uint8_t rab;
	uint32_t ieee_oui; /* 24 bits, as printed: 002538 */
	uint8_t cmic, mdts;
	uint16_t cntlid;
	uint32_t ver, rtd3r_us, rtd3e_us, oaes, ctratt;
	uint8_t cntrltype;
	uint8_t fguid[16];
	uint16_t oacs;
	uint8_t acl, aerl, frmw, lpa, elpe, npss;
	uint16_t wctemp_k, cctemp_k;
	uint32_t hmpre, hmmin; /* 4 KiB units */
	uint64_t tnvmcap_bytes, unvmcap_bytes;
	uint32_t rpmbs;
	uint16_t hctma, mntmt_k, mxtmt_k;
	uint32_t sanicap;
	uint8_t sqes, cqes;
	uint16_t maxcmd;
	uint32_t nn;
	uint16_t oncs, fuses;
	uint8_t fna, vwc;
	uint32_t sgls, mnan;
	char subnqn[257];
	struct ca_nvme_power_state psd[32];
	uint16_t sd_express_class; /* bytes 3073:3072, meaningful on SD Express only */
};

struct ca_nvme_lbaf {
	uint16_t ms;
	uint8_t lbads, rp;
};

struct ca_nvme_ns {
	uint64_t nsze, ncap, nuse; /* logical blocks */
	uint8_t nsfeat, nlbaf, flbas, mc, dpc, dps, nmic, dlfeat;
	uint64_t nvmcap_bytes;
	uint8_t nguid[16], eui64[8];
	struct ca_nvme_lbaf lbaf[64];
	uint8_t lbaf_index;   /* in use: FLBAS b3:0 plus b6:5 << 4 */
	uint64_t block_bytes; /* 2^LBADS of the format in use, 0 when LBADS is not 9..31 */
};

struct ca_nvme_smart {
	uint8_t critical_warning;
	uint16_t temperature_k;
	uint8_t available_spare, spare_threshold, percentage_used;
	uint64_t data_units_read, data_units_written; /* 512,000 bytes each */
	uint64_t host_reads, host_writes, busy_minutes, power_cycles, power_on_hours;
	uint64_t unsafe_shutdowns, media_errors, error_log_entries;
	uint32_t warning_temp_minutes, critical_temp_minutes;
	uint16_t sensor_k[8];
};

int ca_nvme_ctrl_decode(const uint8_t *data, size_t bytes, struct ca_nvme_ctrl *ret_ctrl);
int ca_nvme_ns_decode(const uint8_t *data, size_t bytes, struct ca_nvme_ns *ret_ns);
int ca_nvme_smart_decode(const uint8_t *data, size_t bytes, struct ca_nvme_smart *ret_smart);

/* ---- all of a card's registers, decoded (src/registers/registers.c) -------------------------- */

struct ca_registers {
	bool has[CA_REGISTER_COUNT]; /* decoded; false when absent or of an unknown structure */
	bool undecodable[CA_REGISTER_COUNT]; /* present, but the structure field names no layout */
	struct ca_cid cid;
	struct ca_csd csd;
	struct ca_scr scr;
	struct ca_ssr ssr;
	struct ca_extcsd extcsd;
	struct ca_nvme_ctrl nvme_ctrl;
	struct ca_nvme_ns nvme_ns;
	struct ca_nvme_smart nvme_smart;
	/* from the set where it was read, else the short form; valid when has[] says either */
	struct ca_ext_perf ext_perf;
	struct ca_ext_power ext_power;
};

/* Decodes whatever is present. Never fails: what cannot be decoded is marked. The CRC state of a
 * masked CID is the one from before masking, its year the one EXT_CSD_REV implies. */
void ca_registers_decode(const struct ca_raw_registers *raw, struct ca_registers *ret_registers);

/* Zeroes what identifies one copy (PSN and CRC of the CID; SN, FGUID, SUBNQN, NGUID and EUI64 of
 * NVMe) and sets raw->masked. Once masked, further calls change nothing. */
void ca_registers_mask(struct ca_raw_registers *raw);

/* ---- the field tables (generated from specs/fields.tsv) -------------------------------------- */

/* One row per field of a layout: every bit of a register is in one of them. */
struct ca_field {
	/* bits: cid_sd cid_mmc csd_v1 csd_v2 csd_v3 csd_mmc scr ssr ocr_sd ocr_mmc ext_perf
	 * ext_power; bytes: extcsd nvme_ctrl nvme_ns nvme_smart ext_general ext_power_set
	 * ext_perf_set */
	const char *layout;
	const char *name;   /* the standard's own term */
	uint16_t msb, lsb;  /* first and last bit, or last and first byte */
	const char *decode; /* how its value is put into words: specs/README.md */
	const char *meaning;
	const char *clause;
};
extern const struct ca_field ca_fields[];
extern const size_t ca_fields_count;

/* The layout that a register follows here; NULL when its structure field names none. */
const char *ca_register_layout(const struct ca_raw_registers *raw, enum ca_register reg);
const char *ca_ocr_layout(enum ca_card_type type);
/* First row of a layout, NULL = no such layout; its rows follow one another. */
const struct ca_field *ca_field_first(const char *layout);
/* The row behind `field` if it is of the same layout, else NULL. */
const struct ca_field *ca_field_next(const struct ca_field *field);

/* Counted in bytes from 0, low byte first, not in bits from the top. */
bool ca_field_is_bytes(const struct ca_field *field);
/* Blanked by ca_registers_mask: the bytes there say nothing. */
bool ca_field_is_masked(const struct ca_field *field);

#define CA_FIELD_TEXT_BYTES (2U * CA_NVME_ID_BYTES + 3U) /* room for the longest of both texts */

/* "0x0e": as a number, or byte by byte where the field is text or the maker's own; "0x0" for
 * zeros wider than 64 bits. `data` is the whole register. */
void ca_field_raw_text(const struct ca_field *field, const uint8_t *data, size_t bytes,
		       struct ca_text *text);
/* The value in plain words, "" where there are none; never a control byte. Fields that
 * others explain (C_SIZE, SD_SPEC ...) are looked up in `registers`. */
void ca_field_value_text(const struct ca_field *field, const struct ca_registers *registers,
			 const uint8_t *data, size_t bytes, struct ca_text *text);

/* ---- vendor health (src/registers/vendor_health.c; CMD56, S 4.3.14) ------------------------- */

/*
 * CMD56 with bit 0 of its argument set reads one block of the maker's own. What is known of such
 * answers is in specs/vendor_health.tsv and vendor_fields.tsv: nothing of it is standardised.
 */
#define CA_VENDOR_BYTES	      512U
#define CA_VENDOR_ANSWERS_MAX 8U

/* One signature that answers one query: a row of specs/vendor_health.tsv. */
struct ca_vendor_query {
	uint32_t argument;  /* bit 0 is 1: it reads */
	uint16_t signature; /* bytes 0 and 1 of the answer, the first one above */
	/* of manufacturers.tsv; where the signature is shared, several, separated by "; " */
	const char *maker;
	const char *standing; /* "maker": it names the maker, "shared": several makers use it */
	const char *layout;   /* of ca_vendor_fields */
	const char *note;
	const char *sources;
};
extern const struct ca_vendor_query ca_vendor_queries[];
extern const size_t ca_vendor_queries_count;

/* One field of an answer: a row of specs/vendor_fields.tsv. */
struct ca_vendor_field {
	const char *layout, *name;
	uint16_t byte, bytes;
	const char *decode; /* "le" "be" number, "text", "hex", "date" (six digits YYMMDD) */
	uint32_t divisor;   /* 0 = none */
	const char *unit;   /* "" = none */
	uint64_t largest;   /* more is not plausible, before dividing; 0 = any */
	const char *health; /* "used" "left" (percent), "spare" (blocks), "" = says nothing of it */
	const char *meaning;
	const char *sources;
};
extern const struct ca_vendor_field ca_vendor_fields[];
extern const size_t ca_vendor_fields_count;

/* What came of sending one query. */
enum ca_vendor_result {
	CA_VENDOR_ANSWER,
	CA_VENDOR_TIMEOUT, /* the card does not know the command, or not this argument */
	CA_VENDOR_ERROR,   /* the transfer failed */
	CA_VENDOR_ECHO,	   /* it sent its own sector 0; data is zeroed */
	CA_VENDOR_MASKED,  /* it answered with a signature that is not known: blanked on request */
};
#define CA_VENDOR_RESULT_COUNT 5U
/* "answer" "timeout" "error" "sector 0" "masked": JSON names, and words in a captured file. */
const char *ca_vendor_result_name(enum ca_vendor_result result);

struct ca_vendor_answer {
	uint32_t argument;
	enum ca_vendor_result result;
	uint8_t data[CA_VENDOR_BYTES]; /* zeros unless CA_VENDOR_ANSWER */
};

struct ca_vendor_health {
	bool asked;		     /* it was asked for, or recorded answers are there */
	char not_asked_because[160]; /* "" = the card was asked */
	unsigned int count;
	struct ca_vendor_answer answers[CA_VENDOR_ANSWERS_MAX]; /* in the order they were sent */
};

/* What an answer is worth, by its bytes and those of the other answers. */
enum ca_vendor_worth {
	CA_VENDOR_KNOWN,       /* known signature, plausible fields */
	CA_VENDOR_IMPLAUSIBLE, /* known signature, but a field that cannot be */
	CA_VENDOR_UNKNOWN,     /* an answer, but no signature that is known */
	CA_VENDOR_BLANK,       /* one byte throughout: 00, FF or another */
	CA_VENDOR_REPEATED,    /* the same bytes as the answer to another argument */
	CA_VENDOR_NONE,	       /* no answer at all: its result says why */
};
/* Plain words for it, "the card does not answer"; the result's where there is no answer. */
const char *ca_vendor_worth_text(const struct ca_vendor_health *health, unsigned int index);

/* ret_query: the row of a known or implausible answer, else NULL. */
enum ca_vendor_worth ca_vendor_weigh(const struct ca_vendor_health *health, unsigned int index,
				     const struct ca_vendor_query **ret_query);
/*
 * The answer that is known, one that names its maker before one that several makers give. False
 * when there is none.
 */
bool ca_vendor_find(const struct ca_vendor_health *health, unsigned int *ret_index,
		    const struct ca_vendor_query **ret_query);

/* The different arguments of ca_vendor_queries in their order; 0 behind the last. */
uint32_t ca_vendor_argument_at(unsigned int index);
bool ca_vendor_is_query(uint32_t argument);

/* Appends an answer; `data` may be NULL without one. False when it is full or has the argument. */
bool ca_vendor_add(struct ca_vendor_health *health, uint32_t argument, enum ca_vendor_result result,
		   const uint8_t *data);

/* First row of a layout, the one behind `field` in the same layout; NULL = none. */
const struct ca_vendor_field *ca_vendor_field_first(const char *layout);
const struct ca_vendor_field *ca_vendor_field_next(const struct ca_vendor_field *field);
/* The value of a number, 0 for the other kinds. `data` is the whole answer. */
uint64_t ca_vendor_field_number(const struct ca_vendor_field *field, const uint8_t *data);
bool ca_vendor_field_is_plausible(const struct ca_vendor_field *field, const uint8_t *data);
/* Value and unit, never a control byte; "not plausible" where it is not. */
void ca_vendor_field_text(const struct ca_vendor_field *field, const uint8_t *data,
			  struct ca_text *text);

/*
 * Zeroes what may identify one copy: of a known answer all that no field of its layout covers,
 * of an unknown one everything. Once masked, further calls change nothing.
 */
void ca_vendor_mask(struct ca_vendor_health *health);

#endif
