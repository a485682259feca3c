/* SPDX-License-Identifier: BSD-2-Clause */
/* input_names: which register the digits of a line, or of the next ones, are said to be. */
#ifndef CA_DEVICE_INPUT_NAMES_H
#define CA_DEVICE_INPUT_NAMES_H

#include "input.h"

/*
 * The next register of a line that names it somewhere before digits of exactly its length: "| CID |
 * `0353...` |", "csd=0x400e... scr=0235...". *rest is what follows it. False when there is none.
 */
bool ca_input_take_named(struct ca_span *rest, unsigned int *ret_kind, struct ca_span *ret_value);

/* udevadm info -a: "looking at parent device '/devices/...':", and ATTRS{cid}=="0353..." of it. */
bool ca_input_udev_device(struct ca_span line, struct ca_span *ret_path);
bool ca_input_udev_attribute(struct ca_span line, struct ca_span *ret_name,
			     struct ca_span *ret_value);

struct ca_input_file {
	struct ca_span directory; /* empty: not named, or several */
	unsigned int kind;	  /* CA_INPUT_NONE: a line of no use */
};

/* Files whose contents a command prints, one behind the other. */
struct ca_input_files {
	struct ca_input_file at[16];
	size_t count, next; /* next: the first that was not seen yet */
};

/* "$ cat DIR/cid DIR/csd", "xxd cid"; false when no register is among the files. */
bool ca_input_files_of_command(struct ca_span line, struct ca_input_files *ret_files);

#endif
