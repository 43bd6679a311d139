#include "inproc/ticker.h"

#include <errno.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "inproc/lock.h"
#include "inproc/pc.h"
#include "inproc/tasks.h"
#include "inproc/threads.h"
#include "inproc/timer.h"

#define NS_PER_S INT64_C(1000000000)

/* The place of no thread. */
#define SCOUT UINT32_MAX

/* CPU time of the process without a tick until the scout looks.  Threads that
 * run side by side seldom go two without one of them ticking; where threads
 * come and go, it is to see each of their ticks. */
#define SCOUT_TICKS 2
#define SCOUT_TICKS_BUSY 1

/* One for the process, as its signals, clocks and timers are. */
static struct {
	const struct prf_ticker_client *client;
	bool on;
	int signo;
	uint32_t cookie; /* of this start; never 0 */
	int64_t tick_ns;
	struct prf_threads threads;
	int scout;
	int64_t since_ns;     /* of the process's clock */
	int64_t explained_ns; /* CPU time of threads that are not known any
			       * more, or never were: by their ticks */
} ticker = {.signo = SIGURG};

static pid_t
own_tid(void)
{
	return (pid_t)syscall(SYS_gettid);
}

static int64_t
ns_of(uint64_t ticks)
{
	return (int64_t)ticks * ticker.tick_ns;
}

static void
put_off_scout(int ticks)
{
	prf_timer_set_in(ticker.scout, ticks * ticker.tick_ns);
}

void
prf_ticker_stop(void)
{
	if (!ticker.on)
		return;
	ticker.on = false;
	prf_timer_delete(ticker.scout);
	prf_threads_stop(&ticker.threads);
}

/* --- The scout. */

struct search {
	pid_t own_tid;
	int64_t unknown_ns; /* CPU time that is not explained yet */
	bool has_found;
};

static void
make_known(pid_t tid, void *context)
{
	struct search *search = context;
	/* It may have run on since the clocks were compared. */
	int64_t max_ns = search->unknown_ns + ticker.tick_ns;

	if (tid == search->own_tid || prf_threads_find(&ticker.threads, tid) ||
	    prf_threads_add(&ticker.threads, tid, true, max_ns) < 0)
		return;

	const struct prf_thread *thread =
		prf_threads_find(&ticker.threads, tid);
	int64_t now_ns = prf_timer_cpu_ns(prf_timer_clock(tid));
	search->has_found = true;
	if (now_ns > 0)
		search->unknown_ns -= now_ns - thread->since_ns;
}

/* The ticks that the unknown time is worth, whoever they are charged to. */
static uint64_t
take_unknown(struct search *search)
{
	uint64_t ticks =
		search->unknown_ns < ticker.tick_ns
			? 0
			: (uint64_t)(search->unknown_ns / ticker.tick_ns);

	search->unknown_ns -= ns_of(ticks);
	ticker.explained_ns += ns_of(ticks);
	return ticks;
}

static bool
look_for_threads(struct search *search, uint64_t pc)
{
	bool is_known =
		prf_threads_find(&ticker.threads, search->own_tid) != NULL;

	prf_tasks_visit(make_known, search);
	uint64_t ticks = take_unknown(search);
	if (is_known) {
		if (ticks > 0)
			ticker.client->unseen(ticks);
		return true;
	}
	search->has_found = true;
	prf_threads_add(&ticker.threads, search->own_tid, false, 0);
	return ticks == 0 || ticker.client->tick(pc, ticks);
}

static bool
on_scout(uint64_t pc)
{
	int64_t process_ns = prf_timer_cpu_ns(CLOCK_PROCESS_CPUTIME_ID);
	int64_t known_ns =
		prf_threads_sum(&ticker.threads, &ticker.explained_ns);
	struct search search = {
		.own_tid = own_tid(),
		.unknown_ns = process_ns - ticker.since_ns - known_ns -
			      ticker.explained_ns,
	};
	bool go_on = true;

	if (search.unknown_ns >= ticker.tick_ns)
		go_on = look_for_threads(&search, pc);
	put_off_scout(search.has_found ? SCOUT_TICKS_BUSY : SCOUT_TICKS);
	return go_on;
}

/* --- A thread's tick. */

static bool
on_tick(uint32_t place, int overrun, uint64_t pc)
{
	struct prf_thread *thread;

	if (place >= ticker.threads.n)
		return true;
	thread = &ticker.threads.list[place];
	if (!thread->tid)
		return true;

	uint64_t ticks =
		1 + (uint64_t)(overrun > 0 ? overrun : 0) + thread->owed;
	thread->owed = 0;
	thread->ticks += ticks;
	put_off_scout(SCOUT_TICKS);
	return ticker.client->tick(pc, ticks);
}

static void
take_signal(const siginfo_t *info, uint64_t pc)
{
	uint64_t value = (uintptr_t)info->si_value.sival_ptr;
	uint32_t place = (uint32_t)value;

	if (!ticker.on || value >> 32 != ticker.cookie)
		return;
	bool go_on = place == SCOUT ? on_scout(pc)
				    : on_tick(place, info->si_overrun, pc);
	if (!go_on)
		prf_ticker_stop();
}

void
prf_ticker_on_signal(int signo, siginfo_t *info, void *context)
{
	int saved_errno = errno;

	(void)signo;
	if (info->si_code == SI_TIMER) {
		prf_lock_take();
		take_signal(info, prf_pc_of(context));
		prf_lock_give();
	}
	errno = saved_errno;
}

/* --- Starting. */

static bool
is_ours(const struct sigaction *action)
{
	return action->sa_flags & SA_SIGINFO &&
	       action->sa_sigaction == prf_ticker_on_signal;
}

static bool
is_nobodys(const struct sigaction *action)
{
	return !(action->sa_flags & SA_SIGINFO) &&
	       (action->sa_handler == SIG_DFL || action->sa_handler == SIG_IGN);
}

/* It stays installed: a signal that is under way when the timers are deleted
 * must find it. */
static int
install(void)
{
	struct sigaction action = {
		.sa_sigaction = prf_ticker_on_signal,
		.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK,
	};
	struct sigaction before;

	if (sigaction(ticker.signo, NULL, &before) < 0)
		return -errno;
	if (is_ours(&before))
		return 0;
	if (!is_nobodys(&before))
		return -EBUSY;
	/* All, also those that sigfillset leaves out: a thread must not be
	 * cancelled while it has the lock. */
	memset(&action.sa_mask, 0xff, sizeof action.sa_mask);
	return sigaction(ticker.signo, &action, NULL) < 0 ? -errno : 0;
}

static void
give_clock(pid_t tid, void *context)
{
	(void)context;
	if (tid != own_tid())
		prf_threads_add(&ticker.threads, tid, false, 0);
}

static int
start_timers(void)
{
	const struct prf_threads_config config = {
		.signo = ticker.signo,
		.cookie = ticker.cookie,
		.tick_ns = ticker.tick_ns,
	};

	prf_threads_reset(&ticker.threads, &config);
	ticker.scout =
		prf_timer_new(CLOCK_PROCESS_CPUTIME_ID, ticker.signo,
			      prf_threads_value(ticker.cookie, SCOUT), 0);
	if (ticker.scout < 0)
		return -EAGAIN;
	ticker.since_ns = prf_timer_cpu_ns(CLOCK_PROCESS_CPUTIME_ID);
	ticker.explained_ns = 0;
	if (prf_threads_add(&ticker.threads, own_tid(), false, 0) < 0) {
		prf_timer_delete(ticker.scout);
		return -EAGAIN;
	}
	/* Whoever is not found here is found by the scout. */
	prf_tasks_visit(give_clock, NULL);
	put_off_scout(SCOUT_TICKS);
	return 0;
}

int
prf_ticker_start(const struct prf_ticker_client *client)
{
	int rc = install();

	if (rc < 0)
		return rc;
	if (!ticker.on) {
		ticker.tick_ns = NS_PER_S / sysconf(_SC_CLK_TCK);
		ticker.cookie += 1 + (ticker.cookie == UINT32_MAX);
		rc = start_timers();
	}
	if (rc < 0)
		return rc;
	ticker.client = client;
	ticker.on = true;
	return 0;
}

int
prf_ticker_restart(void)
{
	if (!ticker.on)
		return 0;
	ticker.on = false;
	return prf_ticker_start(ticker.client);
}

/* --- What is asked. */

bool
prf_ticker_is_on(void)
{
	return ticker.on;
}

int
prf_ticker_signal(void)
{
	return ticker.signo;
}

/* One that can have a handler, and does not come of a fault. */
static bool
is_possible(int signo)
{
	switch (signo) {
	case SIGKILL:
	case SIGSTOP:
	case SIGSEGV:
	case SIGBUS:
	case SIGILL:
	case SIGFPE:
	case SIGTRAP:
		return false;
	default:
		return signo > 0 && sigaction(signo, NULL, NULL) == 0;
	}
}

int
prf_ticker_set_signal(int signo)
{
	if (!is_possible(signo))
		return -EINVAL;
	ticker.signo = signo;
	return 0;
}

uint32_t
prf_ticker_n_threads(void)
{
	return ticker.threads.n_in_use;
}

int64_t
prf_ticker_tick_ns(void)
{
	return NS_PER_S / sysconf(_SC_CLK_TCK);
}

uint64_t
prf_ticker_value(void)
{
	const struct prf_thread *thread =
		prf_threads_find(&ticker.threads, own_tid());

	if (!ticker.on || !thread)
		return 0;
	return prf_threads_value(ticker.cookie,
				 (uint32_t)(thread - ticker.threads.list));
}

uint64_t
prf_ticker_scout_value(void)
{
	return prf_threads_value(ticker.cookie, SCOUT);
}
