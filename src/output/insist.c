#include "src/output/insist.h"

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
prf_insist_begin_alone(struct prf_insist *insist, const struct prf_outdir *dir)
{
	sigset_t asking;

	prf_relay_asking(&asking);
	/* One that came before the thread waits for it would be ignored. */
	sigaddset(&asking, WAKE);
	insist->blocks = !pthread_sigmask(SIG_BLOCK, &asking, &insist->before);
	prf_insist_begin(insist, dir, true);
	if (!insist->listens)
		prf_insist_end(insist);
}

void
prf_insist_end(struct prf_insist *insist)
{
	if (insist->listens) {
		insist->over = true;
		pthread_kill(insist->thread, WAKE);
		pthread_join(insist->thread, NULL);
	}
	if (insist->blocks)
		pthread_sigmask(SIG_SETMASK, &insist->before, NULL);
	insist->listens = insist->blocks = false;
}
