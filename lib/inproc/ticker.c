#include "inproc/ticker.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "inproc/handler.h"
#include "inproc/cputime.h"
#include "inproc/lock.h"
#include "inproc/pc.h"
#include "inproc/threadlist.h"
#include "inproc/timed.h"
#include "inproc/timer.h"

#define NS_PER_S INT64_C(1000000000)

/* The index of no thread. */
#define SCOUT UINT32_MAX

/* The scout is never set to less than this part of a tick. */
#define SCOUT_MIN_PART 4

/* There is one for the process, as there is one set of signals, clocks and
 * timers. */
static struct {
	const struct prf_ticker_client *client;
	bool on;
	bool on_stack;
	int signo;
	uint32_t cookie; /* of this start; never 0 */
	int64_t tick_ns;
	struct prf_timed threads;
	int scout;
	uint32_t look_ticks; /* the scout comes when the process is ahead of
			       * its ticks by so many more */
	int64_t since_ns;    /* of the process's clock */
	int64_t ticks_ns;    /* all ticks there were */
	int64_t ahead_ns;    /* by so much the process was, when last seen */
	int64_t looked_ns;   /* ticks_ns, then */
	uint64_t held_ticks; /* then */
	struct prf_cputime cputime;
} ticker = {.signo = SIGURG};

/* This thread is in the handler, and has the lock or waits for it.  What
 * interrupts it there must not wait, and may touch nothing but this. */
static __thread volatile struct {
	bool is_inside;
	bool has_scout; /* came meanwhile, */
	uint64_t ticks; /* and these; the upper half is their start's cookie */
} visit __attribute__((tls_model("initial-exec")));

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

/* How far the process's CPU time is ahead of its ticks: by what its threads
 * have used since their last ones, and by time that no tick accounts for. */
static int64_t
ahead_ns(void)
{
	return prf_timer_cpu_ns(CLOCK_PROCESS_CPUTIME_ID) - ticker.since_ns -
	       ticker.ticks_ns;
}

static void
set_scout(int64_t ahead_now_ns)
{
	int64_t in_ns =
		ns_of(ticker.look_ticks) - (ahead_now_ns - ticker.ahead_ns);
	int64_t min_ns = ticker.tick_ns / SCOUT_MIN_PART;

	prf_timer_set_in(ticker.scout, in_ns > min_ns ? in_ns : min_ns);
}

void
prf_ticker_stop(void)
{
	if (!ticker.on)
		return;
	ticker.on = false;
	prf_timer_delete(ticker.scout);
	prf_timed_stop(&ticker.threads);
}

/* --- Comparing all clocks. */

struct look {
	uint32_t kept_ticks; /* for new threads */
	pid_t stranger; /* the scout has met it, and it has no clock; or 0 */
	int64_t process_ns; /* the process's clock, when */
	struct prf_cputime_rest rest;
	enum prf_cputime_news news;
};

static bool
tell(uint64_t pc, uint64_t ticks)
{
	ticker.ticks_ns += ns_of(ticks);
	return ticker.client->tick(pc, ticks);
}

static void
make_known(pid_t tid, void *context)
{
	struct look *look = context;

	if (tid == look->stranger || prf_timed_find(&ticker.threads, tid))
		return;
	/* This thread and those found before it may have run since the clocks
	 * were compared, all of them for no longer than the process. */
	int64_t max_ns = look->rest.unknown_ns + ticker.tick_ns +
			 prf_timer_cpu_ns(CLOCK_PROCESS_CPUTIME_ID) -
			 look->process_ns;

	if (prf_timed_add(&ticker.threads, tid, true, max_ns) < 0)
		return;
	look->rest.unknown_ns -= prf_timed_find(&ticker.threads, tid)->used_ns;
	if (look->news != PRF_CPUTIME_NEWS_THREAD)
		look->news = prf_threadlist_blocks(tid, ticker.signo)
				     ? PRF_CPUTIME_NEWS_VAIN
				     : PRF_CPUTIME_NEWS_THREAD;
}

static bool
meet_stranger(struct look *look, uint64_t pc)
{
	uint64_t ticks = prf_cputime_charge(
		&ticker.cputime, &look->rest,
		prf_timer_cpu_ns(prf_timer_clock(look->stranger)));

	prf_timed_add(&ticker.threads, look->stranger, false, 0);
	look->news = PRF_CPUTIME_NEWS_THREAD;
	return ticks == 0 || tell(pc, ticks);
}

static void
tell_unseen(struct look *look)
{
	uint64_t ticks = prf_cputime_unseen(&ticker.cputime, &look->rest,
					    look->kept_ticks);

	if (ticks == 0)
		return;
	ticker.ticks_ns += ns_of(ticks);
	ticker.client->unseen(ticks);
}

/* Compares the clocks, and if time is missing finds its threads.  The thread
 * STRANGER is at PC. */
static bool
look_at_clocks(struct look *look, uint64_t pc)
{
	look->process_ns = prf_timer_cpu_ns(CLOCK_PROCESS_CPUTIME_ID);

	struct prf_timed_sum sum =
		prf_timed_sum(&ticker.threads, &ticker.cputime, &look->rest);
	bool go_on = true;

	prf_cputime_balance(&ticker.cputime, &look->rest,
			    look->process_ns - ticker.since_ns, sum.used_ns);
	ticker.held_ticks = sum.held_ticks;
	look->news =
		sum.has_held ? PRF_CPUTIME_NEWS_VAIN : PRF_CPUTIME_NEWS_NONE;
	if (look->rest.unknown_ns >= ticker.tick_ns) {
		prf_threadlist_visit(make_known, look);
		if (look->stranger)
			go_on = meet_stranger(look, pc);
		if (look->news == PRF_CPUTIME_NEWS_NONE)
			look->news = PRF_CPUTIME_NEWS_VAIN;
		tell_unseen(look);
	}
	ticker.ahead_ns = ahead_ns();
	ticker.looked_ns = ticker.ticks_ns;
	return go_on;
}

static bool
on_scout(uint64_t pc)
{
	struct look look = {
		.kept_ticks = PRF_KEPT_TICKS,
		.stranger = own_tid(),
	};

	if (prf_timed_find(&ticker.threads, look.stranger))
		look.stranger = 0;
	bool go_on = look_at_clocks(&look, pc);

	ticker.look_ticks = prf_cputime_patience(ticker.look_ticks, look.news);
	if (look.news == PRF_CPUTIME_NEWS_THREAD)
		ticker.ahead_ns -= look.rest.unknown_ns;
	set_scout(ahead_ns());
	return go_on;
}

/* A comparison that wakes nobody, since this thread runs anyway. */
static void
look_in_passing(uint32_t kept_ticks)
{
	struct look look = {.kept_ticks = kept_ticks};

	look_at_clocks(&look, 0);
	if (look.news != PRF_CPUTIME_NEWS_VAIN)
		ticker.look_ticks =
			prf_cputime_patience(ticker.look_ticks, look.news);
	set_scout(ahead_ns());
}

/* --- A thread's tick. */

/* Where the scout came in vain and is to come late, ticks find new threads; but
 * to look at all of many threads at each tick would take too long. */
static bool
is_look_due(int64_t now_ns)
{
	if (ticker.look_ticks <= PRF_LOOK_TICKS)
		return now_ns - ticker.ahead_ns >= ns_of(PRF_LOOK_TICKS);
	return (ticker.ticks_ns - ticker.looked_ns) * PRF_LOOK_THREADS >=
	       ns_of(ticker.threads.n_in_use);
}

static void
put_scout_off(void)
{
	int64_t now_ns = ahead_ns();

	/* Ticks that have come late, for time that is explained. */
	if (now_ns < ticker.ahead_ns)
		ticker.ahead_ns = now_ns;
	if (is_look_due(now_ns))
		look_in_passing(PRF_KEPT_TICKS);
	else
		set_scout(now_ns);
}

static bool
on_tick(uint32_t place, int overrun, uint64_t pc)
{
	struct prf_timed_thread *thread;

	if (place >= ticker.threads.n)
		return true;
	thread = &ticker.threads.list[place];
	if (!thread->tid)
		return true;

	uint64_t ticks =
		1 + (uint64_t)(overrun > 0 ? overrun : 0) + thread->owed;
	thread->owed = 0;
	thread->ticks += ticks;
	if (!tell(pc, ticks))
		return false;
	put_scout_off();
	return true;
}

void
prf_ticker_tell_due(uint64_t blocked, uint64_t pc)
{
	struct prf_timed_thread *thread =
		prf_timed_find(&ticker.threads, own_tid());

	if (!ticker.on || !thread || blocked >> (ticker.signo - 1) & 1 ||
	    !prf_ticker_has_handler())
		return;
	uint64_t ticks = prf_timed_due(&ticker.threads, thread);
	thread->owed = 0;
	thread->ticks += ticks;
	if (ticks > 0 && !tell(pc, ticks))
		prf_ticker_stop();
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

/* Signals that come while this thread is in the handler already. */
static void
defer(const siginfo_t *info)
{
	uint64_t value = (uintptr_t)info->si_value.sival_ptr;
	uint64_t ticks = 1 + (uint64_t)info->si_overrun;

	if ((uint32_t)value == SCOUT)
		visit.has_scout = true;
	else if (visit.ticks >> 32 == value >> 32)
		visit.ticks += ticks;
	else
		visit.ticks = value >> 32 << 32 | ticks;
}

/* The scout is to come again, and ticks are had when the thread has its next.
 * To be called with the lock; even then there can be more. */
static void
take_deferred(void)
{
	bool has_scout =
		__atomic_exchange_n(&visit.has_scout, false, __ATOMIC_RELAXED);
	uint64_t ticks = __atomic_exchange_n(&visit.ticks, 0, __ATOMIC_RELAXED);

	if (!ticker.on)
		return;
	if (has_scout)
		prf_timer_set_in(ticker.scout, ticker.tick_ns / SCOUT_MIN_PART);
	if (ticks >> 32 != ticker.cookie)
		return;

	struct prf_timed_thread *thread =
		prf_timed_find(&ticker.threads, own_tid());
	if (thread)
		thread->owed += (uint32_t)ticks;
}

/* All other signals are blocked here, but this one is not: the scout's signal
 * is the process's, and if a thread blocks such a signal the kernel wakes
 * another thread for it, which may be waiting in a system call. */
static void
enter(const siginfo_t *info, uint64_t pc)
{
	visit.is_inside = true;
	prf_lock_take();
	if (info)
		take_signal(info, pc);
	take_deferred();
	prf_lock_give();
	visit.is_inside = false;
}

void
prf_ticker_on_signal(int signo, siginfo_t *info, void *context)
{
	int saved_errno = errno;

	(void)signo;
	if (info->si_code == SI_TIMER && visit.is_inside) {
		defer(info);
	} else if (info->si_code == SI_TIMER) {
		enter(info, prf_pc_of(context));
		/* A scout that came at the end: nothing else may set it
		 * again. */
		while (visit.has_scout)
			enter(NULL, 0);
	}
	errno = saved_errno;
}

/* --- Starting. */

static void
give_clock(pid_t tid, void *context)
{
	(void)context;
	if (tid != own_tid())
		prf_timed_add(&ticker.threads, tid, false, 0);
}

static int
start_timers(void)
{
	const struct prf_timed_config config = {
		.signo = ticker.signo,
		.cookie = ticker.cookie,
		.tick_ns = ticker.tick_ns,
	};

	prf_timed_reset(&ticker.threads, &config);
	ticker.scout = prf_timer_new(CLOCK_PROCESS_CPUTIME_ID, ticker.signo,
				     prf_timed_value(ticker.cookie, SCOUT), 0);
	if (ticker.scout < 0)
		return -EAGAIN;
	ticker.since_ns = prf_timer_cpu_ns(CLOCK_PROCESS_CPUTIME_ID);
	ticker.ticks_ns = 0;
	ticker.ahead_ns = 0;
	ticker.looked_ns = 0;
	ticker.held_ticks = 0;
	ticker.look_ticks = PRF_LOOK_TICKS;
	ticker.cputime = (struct prf_cputime){.tick_ns = ticker.tick_ns};
	if (prf_timed_add(&ticker.threads, own_tid(), false, 0) < 0) {
		prf_timer_delete(ticker.scout);
		return -EAGAIN;
	}
	/* A thread that is not found here will be found by the scout. */
	prf_threadlist_visit(give_clock, NULL);
	set_scout(ahead_ns());
	return 0;
}

int
prf_ticker_start(const struct prf_ticker_client *client)
{
	struct sigaction before;
	int rc = prf_handler_install(ticker.signo, prf_ticker_on_signal,
				     ticker.on_stack, &before);

	if (rc < 0)
		return rc;
	prf_ticker_settle();
	if (!ticker.on) {
		ticker.tick_ns = NS_PER_S / sysconf(_SC_CLK_TCK);
		ticker.cookie += 1U + (ticker.cookie == UINT32_MAX);
		rc = start_timers();
	}
	if (rc < 0) {
		/* Nothing has sent a signal yet. */
		sigaction(ticker.signo, &before, NULL);
		return rc;
	}
	ticker.client = client;
	ticker.on = true;
	return 0;
}

void
prf_ticker_forget(void)
{
	ticker.on = false;
}

/* --- What is asked. */

bool
prf_ticker_is_on(void)
{
	return ticker.on;
}

bool
prf_ticker_has_handler(void)
{
	return prf_handler_is_installed(ticker.signo, prf_ticker_on_signal);
}

int
prf_ticker_signal(void)
{
	return ticker.signo;
}

int
prf_ticker_set_signal(int signo)
{
	if (!prf_handler_is_possible(signo))
		return -EINVAL;
	ticker.signo = signo;
	return 0;
}

bool
prf_ticker_on_stack(void)
{
	return ticker.on_stack;
}

void
prf_ticker_set_on_stack(bool on_stack)
{
	ticker.on_stack = on_stack;
}

void
prf_ticker_settle(void)
{
	if (ticker.on)
		look_in_passing(0);
}

uint64_t
prf_ticker_held(void)
{
	return ticker.held_ticks;
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
	const struct prf_timed_thread *thread =
		prf_timed_find(&ticker.threads, own_tid());

	if (!ticker.on || !thread)
		return 0;
	return prf_timed_value(ticker.cookie,
			       (uint32_t)(thread - ticker.threads.list));
}

uint64_t
prf_ticker_scout_value(void)
{
	return prf_timed_value(ticker.cookie, SCOUT);
}
