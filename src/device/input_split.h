/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the files that split a paste share; nobody else includes it. input_text.c knows the blocks
 * that tools print, input_lines.c what stands in lines of its own between them.
 */
#ifndef CA_DEVICE_INPUT_SPLIT_H
#define CA_DEVICE_INPUT_SPLIT_H

#include "input_dump.h"
#include "input_names.h"

#define CA_SPLIT_SPACES " \t\r\v\f\b>" /* '>' quotes in mail and bug reports */

/* Lines of hex that only together may be a register. */
struct ca_split_run {
	struct ca_input input; /* .kind CA_INPUT_NONE: nothing names it */
	bool active;
	size_t digits, first_digits;
};

struct ca_splitter {
	struct ca_inputs *inputs;
	struct ca_error *error;
	struct ca_span rest;   /* behind the line at hand */
	unsigned int number;   /* of the line at hand, from 1 */
	struct ca_span device; /* the NVMe drive that the last command named */
	/* the block being read */
	unsigned int kind;
	struct ca_input block;
	uint32_t markers; /* beginnings seen in it */
	/* "type: 'SD'": it may begin a block of mmc-utils or stand alone */
	struct ca_input type;
	/* lines */
	struct ca_split_run run;
	struct ca_input_files files; /* the next lines are what is in them */
	struct ca_span udev;	     /* the device whose attributes udevadm walks */
	struct ca_input_dump dump;
	bool dumping;
	struct ca_input dump_input; /* line and name of the dump */
};

int ca_split_add(struct ca_splitter *splitter, const struct ca_input *input);
struct ca_input ca_split_input(const struct ca_splitter *splitter, unsigned int kind,
			       struct ca_span value);

/* A line outside of blocks. */
int ca_split_line(struct ca_splitter *splitter, struct ca_span line);
/* Ends what lies over several lines: hex digits, a dump. */
int ca_split_end_lines(struct ca_splitter *splitter);
/* Does a line give a register by itself, whatever stands around it? */
bool ca_split_stands_alone(struct ca_span line);

#endif
