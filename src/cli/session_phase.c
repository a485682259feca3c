/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A card that stops answering keeps whoever asked it in the kernel, where no signal reaches. So the
 * one who asks is a thread, and the certificate does not wait for it.
 */
#include "session.h"

#include <errno.h>
#include <pthread.h>
#include <time.h>

#define SILENT_MOST_NS	      (30 * CA_NS_PER_SECOND)
#define SILENT_INTERRUPTED_NS (3 * CA_NS_PER_SECOND)
#define LOOK_NS		      200000000L

struct phase {
	struct ca_session *session;
	int (*run)(void *context);
	void *context;
	int result;
	atomic_bool done;
};

static void *run_phase(void *context)
{
	struct phase *phase = context;

	phase->result = phase->run(phase->context);
	phase->done = true;
	return NULL;
}

static void note_silence(struct ca_session *session, uint64_t silent_ns)
{
	struct ca_capacity_evidence *capacity = &session->certificate.evidence.capacity;
	struct ca_text text;

	capacity->end = CA_FILL_LOST;
	ca_text_init(&text, capacity->lost_because, sizeof(capacity->lost_because));
	ca_text_add(&text, "no answer for ");
	ca_text_u64(&text, silent_ns / CA_NS_PER_SECOND);
	ca_text_add(&text, " s while the speed was measured");
	ca_report("%s does not answer: the measurement ends here, with the figures it has.",
		  session->options->targets[0]);
}

int ca_session_run_phase(struct ca_session *session, int (*run)(void *context), void *context)
{
	const struct timespec pause = {0, LOOK_NS};
	static struct phase phase; /* it may outlive this call; one at a time */
	pthread_t thread;

	phase = (struct phase){.session = session, .run = run, .context = context};
	/* a virtual clock has no hold on the real one */
	if (session->kind == CA_TARGET_SIMULATED ||
	    pthread_create(&thread, NULL, run_phase, &phase) != 0)
		return run(context);
	while (!phase.done) {
		uint64_t silent_ns = ca_progress_silent_ns(&session->progress);

		if (silent_ns >= SILENT_MOST_NS ||
		    (ca_interrupted() && silent_ns >= SILENT_INTERRUPTED_NS)) {
			session->stuck = true;
			(void)pthread_detach(thread); /* it is there, and nobody joins it */
			note_silence(session, silent_ns);
			return -ETIMEDOUT;
		}
		(void)nanosleep(&pause, NULL); /* an earlier end only means one more look */
	}
	(void)pthread_join(thread, NULL); /* it is there and has ended */
	return phase.result;
}
