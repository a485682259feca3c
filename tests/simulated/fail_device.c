/* SPDX-License-Identifier: BSD-2-Clause */
#include "fail_device.h"

#include <string.h>

static struct fail_device *of(struct ca_device *device)
{
	return (struct fail_device *)device;
}

/* Counts one operation; true when it is the one. */
static bool strikes(struct fail_device *fail)
{
	fail->operations++;
	if (fail->operations != fail->fail_at)
		return false;
	fail->hit = true;
	fail->gone = fail->way == FAIL_GONE;
	return true;
}

static int own_failure(const struct fail_device *fail)
{
	if (fail->way == FAIL_OWN_EIO)
		return -EIO;
	return fail->way == FAIL_OWN_ENOMEM ? -ENOMEM : 0;
}

static struct ca_io_fault make_fault(const struct fail_device *fail, uint64_t offset,
				     uint64_t bytes)
{
	if (fail->gone)
		return (struct ca_io_fault){CA_IO_GONE, ENODEV, offset, bytes};
	return (struct ca_io_fault){CA_IO_ERROR, EIO, offset, bytes};
}

static void spoil(void *buffer, uint64_t bytes)
{
	memset(buffer, 0x5a, bytes < 4096 ? (size_t)bytes : 4096);
}

static bool touches_unreadable(const struct fail_device *fail, uint64_t offset, uint64_t bytes)
{
	return fail->unreadable_lba >= offset / CA_SECTOR_BYTES &&
	       fail->unreadable_lba < (offset + bytes) / CA_SECTOR_BYTES;
}

static int fail_read(struct ca_device *device, uint64_t offset, uint64_t bytes, void *buffer,
		     struct ca_io_fault *ret_fault)
{
	struct fail_device *fail = of(device);
	bool struck = strikes(fail);
	int r;

	if (struck && own_failure(fail) < 0)
		return own_failure(fail);
	if (fail->gone || (struck && fail->way == FAIL_ERROR)) {
		*ret_fault = make_fault(fail, offset, bytes);
		return 0;
	}
	r = ca_device_read(fail->inner, offset, bytes, buffer, ret_fault);
	if (r == 0 && ret_fault->status == CA_IO_OK && touches_unreadable(fail, offset, bytes))
		*ret_fault =
			make_fault(fail, fail->unreadable_lba * CA_SECTOR_BYTES, CA_SECTOR_BYTES);
	if (struck && fail->way == FAIL_WRONG)
		spoil(buffer, bytes);
	return r;
}

static int fail_write(struct ca_device *device, uint64_t offset, uint64_t bytes, const void *buffer,
		      struct ca_io_fault *ret_fault)
{
	struct fail_device *fail = of(device);
	bool struck = strikes(fail);

	if (struck && own_failure(fail) < 0)
		return own_failure(fail);
	if (fail->gone || (struck && fail->way == FAIL_ERROR)) {
		*ret_fault = make_fault(fail, offset, bytes);
		return 0;
	}
	return ca_device_write(fail->inner, offset, bytes, buffer, ret_fault);
}

static int fail_submit(struct ca_device *device, struct ca_io *io)
{
	struct fail_device *fail = of(device);

	if (strikes(fail)) {
		if (own_failure(fail) < 0)
			return own_failure(fail);
		fail->struck = io;
	}
	return ca_device_submit(fail->inner, io);
}

static int fail_wait(struct ca_device *device, struct ca_io **ret_io)
{
	struct fail_device *fail = of(device);
	bool struck = strikes(fail);
	struct ca_io *io;
	int r;

	if (struck && own_failure(fail) < 0)
		return own_failure(fail);
	r = ca_device_wait(fail->inner, &io);
	if (r < 0)
		return r;
	if (io == fail->struck) {
		fail->struck = NULL;
		struck = true;
	}
	if (fail->gone || (struck && fail->way == FAIL_ERROR) ||
	    (io->op == CA_IO_READ && touches_unreadable(fail, io->offset, io->bytes))) {
		io->status = fail->gone ? CA_IO_GONE : CA_IO_ERROR;
		io->error = fail->gone ? ENODEV : EIO;
	} else if (struck && fail->way == FAIL_WRONG && io->op == CA_IO_READ) {
		spoil(io->buffer, io->bytes);
	}
	*ret_io = io;
	return 0;
}

/* What an operation without data does first: 1 = the call goes on to the inner device. */
static int strike_bare(struct fail_device *fail, struct ca_io_fault *ret_fault)
{
	bool struck = strikes(fail);

	if (struck && own_failure(fail) < 0)
		return own_failure(fail);
	if (fail->gone || (struck && fail->way == FAIL_ERROR)) {
		*ret_fault = make_fault(fail, 0, 0);
		return 0;
	}
	return 1;
}

static int fail_flush(struct ca_device *device, struct ca_io_fault *ret_fault)
{
	int r = strike_bare(of(device), ret_fault);

	return r > 0 ? ca_device_flush(of(device)->inner, ret_fault) : r;
}

static int fail_drop_cache(struct ca_device *device)
{
	struct fail_device *fail = of(device);

	if (strikes(fail) && own_failure(fail) < 0)
		return own_failure(fail);
	return ca_device_drop_cache(fail->inner);
}

static int fail_check(struct ca_device *device, struct ca_io_fault *ret_fault)
{
	int r = strike_bare(of(device), ret_fault);

	return r > 0 ? ca_device_check(of(device)->inner, ret_fault) : r;
}

static void fail_close(struct ca_device *device)
{
	ca_device_close(of(device)->inner);
}

void fail_device_init(struct fail_device *fail, struct ca_device *inner)
{
	static const struct ca_device_ops ops = {
		.read = fail_read,
		.write = fail_write,
		.submit = fail_submit,
		.wait = fail_wait,
		.flush = fail_flush,
		.drop_cache = fail_drop_cache,
		.check = fail_check,
		.close = fail_close,
	};

	*fail = (struct fail_device){
		.device = {.ops = &ops, .geometry = inner->geometry, .clock = inner->clock},
		.inner = inner,
		.unreadable_lba = UINT64_MAX,
	};
}
