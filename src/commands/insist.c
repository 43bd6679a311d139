#include "src/commands/insist.h"

#include <signal.h>

#include "live/control/relay.h"
#include "src/signals.h"

/* Sent to the thread, so that it looks whether all is over: a signal that
 * ends nobody. */
enum { WAKE = SIGURG };

static void
insisted_on(const struct prf_insist *insist, int signal)
{
	prf_outdir_sweep(insist->dir);
	prf_signals_die_of(signal);
}

static void *
listen(void *arg)
{
	struct prf_insist *insist = arg;
	sigset_t set;
	int signal;

	prf_relay_asking(&set);
	sigaddset(&set, WAKE);
	while (!insist->over && !sigwait(&set, &signal)) {
		if (signal == WAKE)
			continue;
		if (insist->asked)
			insisted_on(insist, signal);
		insist->asked = true;
	}
	return NULL;
}

void
prf_insist_begin(struct prf_insist *insist, const struct prf_outdir *dir,
		 bool asked)
{
	insist->dir = dir;
	insist->asked = asked;
	insist->over = false;
	insist->listens =
		!pthread_create(&insist->thread, NULL, listen, insist);
}

void
prf_insist_end(struct prf_insist *insist)
{
	if (!insist->listens)
		return;
	insist->over = true;
	pthread_kill(insist->thread, WAKE);
	pthread_join(insist->thread, NULL);
	insist->listens = false;
}
