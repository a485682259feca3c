/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A decorator that passes everything on and notes what is on its way, so that another thread can
 * say what a device that does not answer was asked. It costs a lock and a look at the clock a
 * transfer: too much for measuring speed, nothing beside a transfer of a fill.
 */
#include "cardassay/host.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

struct flight {
	const struct ca_io *io; /* NULL: free; a call that blocks is under its own address */
	enum ca_attended_kind kind;
	uint64_t offset, since_ns;
};

struct attended {
	struct ca_device device; /* first, so that a ca_device pointer is one to this */
	struct ca_device *below;
	pthread_mutex_t lock;
	uint64_t answered_ns;
	size_t room;
	struct flight *flights; /* max_queue_depth and one call that blocks */
};

static struct attended *attended_of(struct ca_device *device)
{
	return (struct attended *)device;
}

static void lock(struct attended *attended)
{
	(void)pthread_mutex_lock(&attended->lock); /* it is initialised and not ours yet */
}

static void unlock(struct attended *attended)
{
	(void)pthread_mutex_unlock(&attended->lock); /* it is ours */
}

static void begin(struct attended *attended, const struct ca_io *key, enum ca_attended_kind kind,
		  uint64_t offset)
{
	uint64_t now = ca_clock_now_ns(ca_clock_real());

	lock(attended);
	for (size_t i = 0; i < attended->room; i++) {
		if (attended->flights[i].io)
			continue;
		attended->flights[i] =
			(struct flight){.io = key, .kind = kind, .offset = offset, .since_ns = now};
		break;
	}
	unlock(attended);
}

/* What was refused was no answer of the device, but then nothing of it is waited for either. */
static void end(struct attended *attended, const struct ca_io *key)
{
	uint64_t now = ca_clock_now_ns(ca_clock_real());

	lock(attended);
	for (size_t i = 0; i < attended->room; i++)
		if (attended->flights[i].io == key)
			attended->flights[i].io = NULL;
	attended->answered_ns = now;
	unlock(attended);
}

/* Says of the device below what it said; for calls that block, under the address of the decorator.
 */
static int pass_on(struct attended *attended, int result)
{
	if (result < 0)
		attended->device.failure = attended->below->failure;
	return result;
}

static const struct ca_io *own_key(const struct attended *attended)
{
	return (const struct ca_io *)(const void *)attended; /* only compared, never read */
}

static int attended_read(struct ca_device *device, uint64_t offset, uint64_t bytes, void *buffer,
			 struct ca_io_fault *ret_fault)
{
	struct attended *attended = attended_of(device);
	int r;

	begin(attended, own_key(attended), CA_ATTENDED_READ, offset);
	r = ca_device_read(attended->below, offset, bytes, buffer, ret_fault);
	end(attended, own_key(attended));
	return pass_on(attended, r);
}

static int attended_write(struct ca_device *device, uint64_t offset, uint64_t bytes,
			  const void *buffer, struct ca_io_fault *ret_fault)
{
	struct attended *attended = attended_of(device);
	int r;

	begin(attended, own_key(attended), CA_ATTENDED_WRITE, offset);
	r = ca_device_write(attended->below, offset, bytes, buffer, ret_fault);
	end(attended, own_key(attended));
	return pass_on(attended, r);
}

static int attended_submit(struct ca_device *device, struct ca_io *io)
{
	struct attended *attended = attended_of(device);
	int r;

	begin(attended, io, io->op == CA_IO_READ ? CA_ATTENDED_READ : CA_ATTENDED_WRITE,
	      io->offset);
	r = ca_device_submit(attended->below, io);
	if (r < 0)
		end(attended, io);
	return pass_on(attended, r);
}

static int attended_wait(struct ca_device *device, struct ca_io **ret_io)
{
	struct attended *attended = attended_of(device);
	int r = ca_device_wait(attended->below, ret_io);

	if (r == 0)
		end(attended, *ret_io);
	return pass_on(attended, r);
}

static int attended_flush(struct ca_device *device, struct ca_io_fault *ret_fault)
{
	struct attended *attended = attended_of(device);
	int r;

	begin(attended, own_key(attended), CA_ATTENDED_FLUSH, 0);
	r = ca_device_flush(attended->below, ret_fault);
	end(attended, own_key(attended));
	return pass_on(attended, r);
}

static int attended_drop_cache(struct ca_device *device)
{
	struct attended *attended = attended_of(device);

	return pass_on(attended, ca_device_drop_cache(attended->below));
}

static int attended_check(struct ca_device *device, struct ca_io_fault *ret_fault)
{
	struct attended *attended = attended_of(device);

	return pass_on(attended, ca_device_check(attended->below, ret_fault));
}

/* Its result 0 may have something to say too. */
static int attended_reinit(struct ca_device *device, struct ca_io_fault *ret_fault)
{
	struct attended *attended = attended_of(device);
	int r = ca_device_reinit(attended->below, ret_fault);

	attended->device.failure = attended->below->failure;
	return r;
}

static int attended_erase(struct ca_device *device, struct ca_io_fault *ret_fault)
{
	struct attended *attended = attended_of(device);

	return pass_on(attended, ca_device_erase(attended->below, ret_fault));
}

static int attended_command(struct ca_device *device, enum ca_card_command command)
{
	struct attended *attended = attended_of(device);

	return pass_on(attended, ca_device_command(attended->below, command));
}

static void attended_close(struct ca_device *device)
{
	struct attended *attended = attended_of(device);

	(void)pthread_mutex_destroy(&attended->lock); /* nobody holds it */
	free(attended->flights);
	free(attended);
}

static const struct ca_device_ops attended_ops = {
	.read = attended_read,
	.write = attended_write,
	.submit = attended_submit,
	.wait = attended_wait,
	.flush = attended_flush,
	.drop_cache = attended_drop_cache,
	.check = attended_check,
	.reinit = attended_reinit,
	.erase = attended_erase,
	.command = attended_command,
	.close = attended_close,
};

int ca_host_attend(struct ca_device *device, struct ca_device **ret_attended)
{
	struct attended *attended = calloc(1, sizeof(*attended));

	if (!attended)
		return -ENOMEM;
	attended->room = (size_t)device->geometry.max_queue_depth + 1;
	attended->flights = calloc(attended->room, sizeof(*attended->flights));
	if (!attended->flights) {
		free(attended);
		return -ENOMEM;
	}
	(void)pthread_mutex_init(&attended->lock, NULL); /* a default one cannot fail on Linux */
	attended->device.ops = &attended_ops;
	attended->device.geometry = device->geometry;
	attended->device.clock = device->clock;
	attended->below = device;
	*ret_attended = &attended->device;
	return 0;
}

void ca_host_attended(struct ca_device *device, struct ca_attended *ret_attended)
{
	struct attended *attended = attended_of(device);
	const struct flight *oldest = NULL;
	uint64_t now = ca_clock_now_ns(ca_clock_real()), since;

	*ret_attended = (struct ca_attended){.kind = CA_ATTENDED_IDLE};
	lock(attended);
	for (size_t i = 0; i < attended->room; i++) {
		const struct flight *flight = &attended->flights[i];

		if (flight->io && (!oldest || flight->since_ns < oldest->since_ns))
			oldest = flight;
	}
	if (oldest) {
		since = oldest->since_ns > attended->answered_ns ? oldest->since_ns
								 : attended->answered_ns;
		ret_attended->kind = oldest->kind;
		ret_attended->offset = oldest->offset;
		ret_attended->waiting_ns = now > since ? now - since : 0;
	}
	unlock(attended);
}
