#include "live/control/takeover.h"

#include <errno.h>
#include <signal.h>
#include <time.h>

#include "live/control/relay.h"

enum {
	LOOK_EVERY_S = 1,
	DUE = 2,  /* looks that find it in the same read */
	LONG = 10 /* likewise */
};

bool
prf_takeover_is_held(struct prf_takeover_looks *looks, unsigned turn)
{
	bool is_held = turn && turn == looks->turn;

	looks->turn = turn;
	looks->n_held = is_held ? looks->n_held + 1 : 0;
	looks->n_due = is_held ? looks->n_due : 0;
	return is_held;
}

bool
prf_takeover_is_due(struct prf_takeover_looks *looks, bool has_reason)
{
	looks->n_due = has_reason ? looks->n_due + 1 : 0;
	return looks->n_due >= DUE;
}

/* (What is pending is left to who takes it.) */
static bool
is_asked(void)
{
	sigset_t asking, pending;

	prf_relay_asking(&asking);
	sigpending(&pending);
	for (int signal = 1; signal < NSIG; signal++)
		if (sigismember(&asking, signal) == 1 &&
		    sigismember(&pending, signal) == 1)
			return true;
	return false;
}

/* Has THREAD ended?  Waits for that until the next look. */
static bool
is_joined(pthread_t thread)
{
	struct timespec end;

	clock_gettime(CLOCK_REALTIME, &end);
	end.tv_sec += LOOK_EVERY_S;
	return pthread_timedjoin_np(thread, NULL, &end) != ETIMEDOUT;
}

bool
prf_takeover_await(const struct prf_takeover *takeover)
{
	struct prf_takeover_looks looks = {0};

	while (!is_joined(takeover->thread)) {
		unsigned turn = prf_reach_now(takeover->reach);

		if (!prf_takeover_is_held(&looks, turn))
			continue;
		bool has_reason =
			is_asked() || takeover->is_over(takeover->arg);
		if (prf_takeover_is_due(&looks, has_reason) &&
		    prf_reach_take_over(takeover->reach, turn))
			return false;
		if (looks.n_held == LONG && !has_reason)
			takeover->held(takeover->arg);
	}
	return true;
}
