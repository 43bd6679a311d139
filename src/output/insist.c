#include "src/output/insist.h"

#include <poll.h>

#include "live/proc/clock.h"
#include "src/signals.h"

/* Sent to the thread, so that it looks whether all is over: a signal that
 * ends nobody. */
enum { WAKE = SIGURG };

enum { LONG_AGO_NS = 1 };

static void
insisted_on(const struct prf_insist *insist, int signal)
{
	prf_outdir_sweep(insist->dir);
	if (insist->also)
		prf_outdir_sweep(insist->also);
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
		uint64_t now_ns = prf_clock_ns(CLOCK_MONOTONIC);

		if (signal == WAKE ||
		    !prf_demand_is_another(insist->asked_ns, now_ns))
			continue;
		if (insist->asked_ns)
			insisted_on(insist, signal);
		insist->asked_ns = now_ns;
	}
	return NULL;
}

/* What the program sends is its own affair. */
static void *
pass_on(void *arg)
{
	struct prf_insist *insist = arg;
	struct prf_run *run = insist->left;
	struct pollfd polled = {insist->relay.fd, POLLIN, 0};

	while (!insist->over) {
		poll(&polled, 1, -1);
		struct prf_relay_news news =
			prf_relay_take(&insist->relay, run->pid);

		if (news.ask && news.ask_sender != run->pid &&
		    prf_demand_asked(&run->demand,
				     prf_clock_ns(CLOCK_MONOTONIC)))
			insisted_on(insist, news.ask);
	}
	return NULL;
}

static void
begin(struct prf_insist *insist, const struct prf_outdir *dir,
      void *(*work)(void *arg))
{
	insist->dir = dir;
	insist->over = false;
	insist->listens = !pthread_create(&insist->thread, NULL, work, insist);
}

void
prf_insist_begin(struct prf_insist *insist, const struct prf_outdir *dir,
		 uint64_t asked_ns)
{
	insist->asked_ns = asked_ns;
	begin(insist, dir, listen);
}

/* (Job control goes on when the files are written.) */
void
prf_insist_begin_left(struct prf_insist *insist, const struct prf_outdir *dir,
		      struct prf_run *run)
{
	struct prf_error err;

	if (prf_relay_open(&insist->relay, false, 0, &err))
		return;
	insist->relay.leaves_child = true;
	insist->left = run;
	begin(insist, dir, pass_on);
}

void
prf_insist_begin_alone(struct prf_insist *insist, const struct prf_outdir *dir)
{
	sigset_t asking;

	prf_relay_asking(&asking);
	/* One that came before the thread waits for it would be ignored. */
	sigaddset(&asking, WAKE);
	insist->blocks = !pthread_sigmask(SIG_BLOCK, &asking, &insist->before);
	prf_insist_begin(insist, dir, LONG_AGO_NS);
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
	if (insist->left)
		prf_relay_close(&insist->relay);
	insist->left = NULL;
	if (insist->blocks)
		pthread_sigmask(SIG_SETMASK, &insist->before, NULL);
	insist->listens = insist->blocks = false;
}
