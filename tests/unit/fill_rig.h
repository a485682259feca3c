/* SPDX-License-Identifier: BSD-2-Clause */
/* A run of the fill over a card in memory that holds the pattern: one test, one run. */
#ifndef TESTS_UNIT_FILL_RIG_H
#define TESTS_UNIT_FILL_RIG_H

#include "unit/ram_device.h"

#include "fill_job.h"

#include <check.h>
#include <stdlib.h>

static struct ram_device ram;
static struct ca_fill_options options;
static struct ca_capacity_evidence capacity;
static struct ca_fill_job job;

/* `options` are set before. */
static void rig_begin(uint64_t sectors)
{
	ram_init(&ram, sectors * CA_SECTOR_BYTES, 512, 4);
	capacity = (struct ca_capacity_evidence){0};
	job = (struct ca_fill_job){
		.device = &ram.device, .options = &options, .capacity = &capacity};
	ck_assert_int_eq(ca_fill_job_init(&job), 0);
	ca_pattern_generate(job.pattern, 0, sectors, ram.data);
}

static void rig_end(void)
{
	free(capacity.runs);
	ca_fill_job_done(&job);
	ca_device_close(&ram.device);
}

#endif
