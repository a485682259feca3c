/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * input: what pasted text, archives and raw pages hold, piece by piece, before it is sorted into
 * cards (input_card.c). Formats are recognised by what they hold, never by a file's name; each has
 * a file of its own: input_text.c splits a paste, input_tar.c an archive, input_binary.c raw pages.
 *
 * Pieces point into the text they were found in; nothing of it is trusted.
 */
#ifndef CA_DEVICE_INPUT_H
#define CA_DEVICE_INPUT_H

#include "cardassay/evidence.h"

struct ca_span {
	const char *at; /* not terminated */
	size_t len;
};

/* Without what `drop` lists at both ends. */
struct ca_span ca_span_trim(struct ca_span span, const char *drop);
bool ca_span_is(struct ca_span span, const char *text);
bool ca_span_starts_with(struct ca_span span, const char *text);
/* The first line; *rest is what follows it. Without the line's end. */
struct ca_span ca_span_take_line(struct ca_span *rest);
/* What follows the first `text`; .at NULL when it is not there. */
struct ca_span ca_span_behind(struct ca_span span, const char *text);
/*
 * A number at the beginning: hexadecimal behind 0x (or always, with hex), else decimal, its digits
 * perhaps grouped by commas. False when there is none, or it has more than 64 bits, or a letter
 * follows it.
 */
bool ca_span_number(struct ca_span span, bool hex, uint64_t *ret_value);

/* What a piece is. Below CA_REGISTER_COUNT: the hex digits of that enum ca_register. */
enum ca_input_kind {
	CA_INPUT_TYPE = CA_REGISTER_COUNT,
	CA_INPUT_OCR,
	CA_INPUT_MMC_ONLY, /* an attribute that only eMMC has */
	CA_INPUT_BARE_16,  /* 16 bytes of bare hex: a CID or the CSD that follows it */
	CA_INPUT_SIZE,	   /* 512-byte sectors */
	CA_INPUT_VENDOR,   /* PCI ids of sysfs */
	CA_INPUT_SUBSYSTEM_VENDOR,
	CA_INPUT_MASKED, /* files of a capture: register_dir.h */
	CA_INPUT_FACTS,
	CA_INPUT_DEVICE,
	CA_INPUT_IOS, /* debugfs mmcN/ios */
	/* what tools print of one register */
	CA_INPUT_MMC_CID, /* mmc cid read, mmc csd read, mmc scr read, mmc extcsd read */
	CA_INPUT_MMC_CSD,
	CA_INPUT_MMC_SCR,
	CA_INPUT_MMC_EXTCSD,
	CA_INPUT_NVME_CTRL, /* nvme id-ctrl, id-ns, smart-log: text or JSON */
	CA_INPUT_NVME_NS,
	CA_INPUT_NVME_SMART,
	/* what stands beside and belongs to the card it fits */
	CA_INPUT_PCI, /* one device of lspci -vv */
	CA_INPUT_LOG, /* one line of the kernel log, without its time */
	/* file cmd56_ARGUMENT of a capture: CA_INPUT_CMD56 + index of ca_vendor_argument_at */
	CA_INPUT_CMD56,
	CA_INPUT_CMD56_LAST = CA_INPUT_CMD56 + CA_VENDOR_ANSWERS_MAX - 1,
	CA_INPUT_NONE,
};

struct ca_input {
	struct ca_span key;   /* the card's directory or device; empty: nothing names it */
	struct ca_span shown; /* the same as it was written */
	struct ca_span value;
	unsigned int number; /* line of a text, entry of an archive, from 1 */
	unsigned int order;  /* in which it was found, from 1: a line may hold several */
	unsigned int card;   /* order of the first piece of the same card */
	unsigned int kind;   /* enum ca_register or enum ca_input_kind */
	bool bytes;	     /* a register's own bytes, not hex */
};

/* Owned; free with _done. */
struct ca_inputs {
	struct ca_input *at;
	size_t count, room;
	char **names; /* path names put together from an archive's headers */
	size_t name_count, name_room;
	const char *unit; /* what `number` counts: "line", "entry" */
	const char *hint; /* constant: why something of the text is of no use, NULL */
	/* the first thing that could not be read, code 0: none; the rest is read all the same */
	struct ca_error trouble;
	bool nameless; /* and it had no name: what has none either may have been its neighbour */
};
void ca_inputs_done(struct ca_inputs *inputs);

/* Takes the error of one piece, so that the others can be read. 0 for -EBADMSG, else `rc`. */
int ca_inputs_excuse(struct ca_inputs *inputs, int rc, struct ca_error *error);

/* -ENOMEM; -E2BIG when there are more than any real paste has. */
int ca_inputs_add(struct ca_inputs *inputs, const struct ca_input *input);
/* Keeps a copy of a name as long as the inputs. */
int ca_inputs_keep_name(struct ca_inputs *inputs, const char *name, struct ca_span *ret_name);

/* The kind of a file or attribute name, CA_INPUT_NONE when it is of no use here. */
unsigned int ca_input_kind_of_name(struct ca_span name);
/* The directory of a card's attribute: without a "/device" or "/block/..." behind the card. */
struct ca_span ca_input_key_of_directory(struct ca_span directory);
/* The register that a piece gives; CA_REGISTER_COUNT when it is none. */
unsigned int ca_input_register(unsigned int kind);

/* ---- splitting: -EBADMSG with error naming the line or offset, -ENOMEM, -E2BIG ----------------
 */

int ca_input_text_split(const char *text, size_t len, struct ca_inputs *inputs,
			struct ca_error *error);
int ca_input_tar_split(const char *data, size_t len, struct ca_inputs *inputs,
		       struct ca_error *error);
int ca_input_binary_split(const char *data, size_t len, struct ca_inputs *inputs,
			  struct ca_error *error);
/* Does it begin with a header of an archive? */
bool ca_input_is_tar(const char *data, size_t len);
bool ca_input_is_gzip(const char *data, size_t len);
/* All that is packed, at most CA_REGISTER_TEXT_MAX (host.h); *ret_data is malloc'ed. */
int ca_input_gunzip(const char *data, size_t len, char **ret_data, size_t *ret_len,
		    struct ca_error *error);

/* Two-byte letters, as a Windows shell writes them. */
bool ca_input_is_utf16(const char *data, size_t len);
/* Its signs in ASCII where a page or a terminal changed them; *ret_text is malloc'ed. -ENOMEM. */
int ca_input_signs(const char *text, size_t len, char **ret_text, size_t *ret_len);

/* What stands around every line of a text. */
struct ca_input_frame {
	size_t prefix_len; /* bytes that all lines begin with */
	bool numbered;
	bool spaced; /* an empty line after each */
	char quote;  /* around each line, '\0': none */
};
void ca_input_frame_find(struct ca_span text, struct ca_input_frame *ret_frame);
/* The line without it; what a quotation mark escapes stays as it is. */
struct ca_span ca_input_frame_strip(const struct ca_input_frame *frame, struct ca_span line);
/* The text without what was put around it on its way here; *ret_text is malloc'ed. -ENOMEM. */
int ca_input_clean(const char *text, size_t len, char **ret_text, size_t *ret_len);
/* What a text in which nothing was found seems to be, and what to paste instead; NULL: unknown. */
const char *ca_input_hint(struct ca_span text);

/*
 * Digits of a line that is nothing but hex, in one piece or in equal pieces of whole bytes; 0 when
 * it is something else, such as a row of numbers.
 */
size_t ca_input_count_hex(struct ca_span line);
/* The register of so many bytes (CA_INPUT_BARE_16: a CID or CSD), CA_INPUT_NONE when none has that
 * length. */
unsigned int ca_input_kind_of_hex(struct ca_span hex);

/* ---- formats --------------------------------------------------------------------------------- */

/* Which of them begins with this line; CA_INPUT_NONE: none. *ret_marker tells lines that begin the
 * same format apart (< 32). */
unsigned int ca_input_mmc_begins(struct ca_span line, unsigned int *ret_marker);

/* Sets the register, or what of device facts can be known without it; see input_mmc.c. */
void ca_input_mmc_cid(struct ca_span text, struct ca_evidence *card, bool *ret_typed);
void ca_input_mmc_csd(struct ca_span text, struct ca_evidence *card, bool *ret_typed);
/* False when the text names no revision. ret_whole: it holds all that the revision has. */
bool ca_input_mmc_extcsd(struct ca_span text, uint8_t ret_extcsd[CA_EXTCSD_BYTES], bool *ret_whole);

struct ca_input_pci {
	bool has_ids;
	uint16_t vendor, device, subsystem_vendor; /* subsystem_vendor 0: not shown */
	uint32_t speed_mts, speed_max_mts;	   /* 0: not shown */
	uint32_t width, width_max;
};
/* Does this line begin a device of lspci; is it an NVMe drive? */
bool ca_input_pci_begins(struct ca_span line, bool *ret_nvme);
void ca_input_pci_parse(struct ca_span text, struct ca_input_pci *ret_pci);
void ca_input_pci_apply(const struct ca_input_pci *pci, struct ca_evidence *card);

/* The text of a kernel log line about MMC hosts or their disks; .at NULL when it is none. */
struct ca_span ca_input_log_line(struct ca_span line);
/* What the log lines tell of the card with this key, if they fit it. `only`: no other MMC card is
 * in the paste. */
void ca_input_log_apply(const struct ca_input *lines, size_t count, struct ca_span key, bool only,
			struct ca_evidence *card);

/* ---- JSON ------------------------------------------------------------------------------------ */

struct ca_json_value {
	struct ca_span group; /* member of the outermost object that holds it, empty: itself */
	size_t index;	      /* of the element of `group`, when that is an array */
	struct ca_span name;
	struct ca_span text; /* a string without its quotes, else the number or word */
	bool string;
};
/* Calls each scalar of the object at the beginning of `text`. Its length, 0 when it is none or
 * does not end. `each` may be NULL. */
size_t ca_json_walk(struct ca_span text,
		    void (*each)(void *context, const struct ca_json_value *value), void *context);

/* ---- cards ----------------------------------------------------------------------------------- */

/* Pieces of cards come first, those of one card together, as they were found; then what lspci
 * says; then the log. */
struct ca_input_sorted {
	size_t own, pci, log;
};
/* Sorts the pieces, and names the card of each. -EBADMSG where it cannot be known. */
int ca_input_sort(struct ca_inputs *inputs, struct ca_input_sorted *ret_sorted,
		  struct ca_error *error);

/*
 * Sorts the pieces into cards and calls `each` for one after the other. What cannot be read of a
 * card is noted in inputs->trouble and in the card's hidden_because.
 */
int ca_input_deliver(struct ca_inputs *inputs,
		     int (*each)(void *context, const struct ca_evidence *card), void *context,
		     unsigned int *ret_cards, struct ca_error *error);

#endif
