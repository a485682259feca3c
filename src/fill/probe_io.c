/* SPDX-License-Identifier: BSD-2-Clause */
#include "probe_job.h"

#include <string.h>

#define TRIES	3U
#define TELL_NS (CA_NS_PER_SECOND / 10)

#define ERRORS_ENOUGH 48U
#define ONE_IN	      64U /* places is asked all the same */

void ca_probe_phase_enter(struct ca_probe_job *job, enum ca_probe_phase phase, uint64_t total)
{
	job->phase = phase;
	job->phase_done = 0;
	job->phase_total = total;
	job->phase_started_ns = ca_clock_now_ns(job->device->clock);
	ca_probe_advance_phase(job, 0);
}

void ca_probe_advance_phase(struct ca_probe_job *job, uint64_t bytes)
{
	uint64_t now = ca_clock_now_ns(job->device->clock);
	struct ca_probe_progress progress;

	job->phase_done += bytes;
	if (job->phase_done > job->phase_total)
		job->phase_done = job->phase_total;
	if (!job->options->progress || (bytes && now - job->told_ns < TELL_NS))
		return;
	job->told_ns = now;
	progress = (struct ca_probe_progress){
		.phase = job->phase,
		.done_bytes = job->phase_done,
		.total_bytes = job->phase_total,
		.elapsed_ns = now - job->phase_started_ns,
		.bad_samples = job->bad_samples,
	};
	if (job->options->progress(job->options->progress_context, &progress) != 0 &&
	    !ca_probe_is_over(job))
		job->end = CA_FILL_INTERRUPTED;
}

void ca_probe_lose(struct ca_probe_job *job, enum ca_fill_end end, const char *doing, int error,
		   uint64_t offset)
{
	struct ca_text text;

	job->lost = true;
	if (job->end == CA_FILL_LOST || job->end == CA_FILL_CHANGED)
		return;
	job->end = end;
	ca_text_init(&text, job->probe->lost_because, sizeof(job->probe->lost_because));
	ca_text_add(&text, error ? strerror(error)
				 : (end == CA_FILL_LOST ? "the device is gone"
							: "size or identity changed"));
	ca_text_add(&text, ", while ");
	ca_text_add(&text, doing);
	ca_text_add(&text, " at byte ");
	ca_text_u64(&text, offset);
}

/* After an error: a device that left, or is another one now, is no bad sector. */
static int check_device(struct ca_probe_job *job, const char *doing, uint64_t offset)
{
	struct ca_io_fault fault = {.status = CA_IO_OK};
	int r = ca_device_check(job->device, &fault);

	if (r == 0 && fault.status != CA_IO_OK)
		ca_probe_lose(job, fault.status == CA_IO_GONE ? CA_FILL_LOST : CA_FILL_CHANGED,
			      doing, fault.status == CA_IO_GONE ? fault.error : 0, offset);
	return r;
}

uint32_t ca_probe_fault_at(const struct ca_probe_job *job, uint64_t offset, uint32_t bytes)
{
	uint64_t at = job->fault_offset - offset;

	return job->fault_offset >= offset && at < bytes ? (uint32_t)(at - at % job->sector_bytes)
							 : 0;
}

bool ca_probe_is_left_out(const struct ca_probe_job *job, const struct ca_probe_place *place)
{
	return job->errors >= ERRORS_ENOUGH && place->offset > job->least_error &&
	       (size_t)(place - job->places) % ONE_IN;
}

/* One transfer, up to three times. `out` NULL: it reads into `in`. */
static int transfer(struct ca_probe_job *job, uint64_t offset, uint64_t bytes, void *in,
		    const void *out, enum ca_io_status *ret_status)
{
	const char *doing = out ? "writing" : "reading";
	struct ca_io_fault fault = {.status = CA_IO_GONE};

	for (unsigned int i = 0; i < TRIES && !job->lost; i++) {
		int r;

		fault = (struct ca_io_fault){.status = CA_IO_OK};
		r = out ? ca_device_write(job->device, offset, bytes, out, &fault)
			: ca_device_read(job->device, offset, bytes, in, &fault);
		if (r < 0)
			return r;
		if (out)
			job->written += fault.status == CA_IO_OK ? bytes : fault.offset - offset;
		else
			job->probe->reads++;
		if (fault.status == CA_IO_OK) {
			job->probe->unstable_samples += i > 0;
			break;
		}
		job->fault_offset = fault.offset;
		if (fault.status == CA_IO_GONE)
			ca_probe_lose(job, CA_FILL_LOST, doing, fault.error, offset);
		else
			r = check_device(job, doing, offset);
		if (r < 0)
			return r;
	}
	*ret_status = job->lost ? CA_IO_GONE : fault.status;
	return 0;
}

int ca_probe_read(struct ca_probe_job *job, uint64_t offset, uint64_t bytes, void *buffer,
		  enum ca_io_status *ret_status)
{
	return transfer(job, offset, bytes, buffer, NULL, ret_status);
}

int ca_probe_write(struct ca_probe_job *job, uint64_t offset, uint64_t bytes, const void *data,
		   enum ca_io_status *ret_status)
{
	job->touched = true;
	return transfer(job, offset, bytes, NULL, data, ret_status);
}

void ca_probe_note_failed(struct ca_probe_job *job, struct ca_probe_place *place,
			  enum ca_sector_class class_of)
{
	place->looked = true;
	place->class_of = class_of;
	place->first_bad = ca_probe_fault_at(job, place->offset, place->bytes);
	place->first_lost = place->first_bad;
	job->errors++;
	job->bad_samples++;
	if (place->offset < job->least_error)
		job->least_error = place->offset;
}

int ca_probe_settle(struct ca_probe_job *job)
{
	struct ca_io_fault fault = {.status = CA_IO_OK};
	int r = ca_device_flush(job->device, &fault);

	/* what a failed flush lost shows when it is read */
	if (r == 0 && fault.status == CA_IO_GONE)
		ca_probe_lose(job, CA_FILL_LOST, "flushing", fault.error, 0);
	if (r == 0 && !job->lost)
		r = ca_device_drop_cache(job->device);
	return r;
}
