#include "inproc/profil.h"

#include <errno.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/dialect.h"
#include "core/region.h"
#include "core/table.h"
#include "inproc/tick.h"
#include "support/refuse.h"
#include "support/suite.h"
#include "workloads/work.h"

#define PC UINT64_C(0x400000)
#define ONE 0x10000

static uint16_t counters[32], others[32];
static uint32_t wide[16];
static uintptr_t samples[16];

static struct prf_profil_state
state_now(void)
{
	struct prf_profil_state state;

	prf_profil_state(&state);
	return state;
}

static void
svr4_on(void)
{
	ck_assert_int_eq(prf_profil(prf_dialect_svr4(), counters,
				    sizeof counters, PC, ONE),
			 0);
}

#define ck_assert_refused(call, code)                                          \
	do {                                                                   \
		errno = 0;                                                     \
		ck_assert_int_eq((call), -1);                                  \
		ck_assert_int_eq(errno, code);                                 \
	} while (0)

START_TEST(at_first_it_is_off_and_nobody_has_asked)
{
	struct prf_profil_state state = state_now();

	ck_assert_int_eq(state.kind, PRF_PROFIL_NONE);
	ck_assert(!state.on);
	ck_assert_uint_eq(state.ticks, 0);
}
END_TEST

START_TEST(scale_1_is_off_in_system_v_and_a_scale_in_bsd)
{
	svr4_on();
	ck_assert_int_eq(prf_profil(prf_dialect_svr4(), counters,
				    sizeof counters, PC, 1),
			 0);
	ck_assert(!state_now().on);
	ck_assert_int_eq(prf_profil(prf_dialect_freebsd(), counters,
				    sizeof counters, PC, 1),
			 0);
	ck_assert(state_now().on);
	ck_assert_int_eq(prf_profil(prf_dialect_freebsd(), counters,
				    sizeof counters, PC, 0),
			 0);
	ck_assert(!state_now().on);
	ck_assert_int_eq(state_now().why, PRF_PROFIL_ASKED);
}
END_TEST

START_TEST(a_call_that_is_refused_changes_nothing)
{
	struct prf_region bad = {wide, 3, PC, ONE};

	svr4_on();
	ck_assert_refused(prf_profil(prf_dialect_freebsd(), others,
				     sizeof others, PC, ONE + 1),
			  EINVAL);
	ck_assert_refused(prf_sprofil(&bad, 1, NULL, PRF_TABLE_UINT), EINVAL);
	ck_assert_refused(prf_pcsample(samples, -1), EINVAL);
	tick_at(PC, 2);
	ck_assert_uint_eq(counters[0], 2);
	ck_assert_int_eq(state_now().kind, PRF_PROFIL_PROFIL);
}
END_TEST

START_TEST(a_call_that_is_granted_leaves_errno_alone)
{
	errno = ENOTTY;
	svr4_on();
	ck_assert_int_eq(prf_sprofil(NULL, 0, NULL, 0), 0);
	ck_assert_int_eq(prf_pcsample(samples, 0), 0);
	ck_assert_int_eq(errno, ENOTTY);
}
END_TEST

START_TEST(freebsd_alone_asks_for_both_ends_of_the_buffer)
{
	long page_bytes = sysconf(_SC_PAGESIZE);
	char *pages = mmap(NULL, 2 * (size_t)page_bytes, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char *last = pages + page_bytes - 8;

	mprotect(pages + page_bytes, (size_t)page_bytes, PROT_NONE);
	ck_assert_int_eq(prf_profil(prf_dialect_freebsd(), last, 8, PC, ONE),
			 0);
	ck_assert_refused(prf_profil(prf_dialect_freebsd(), last, 9, PC, ONE),
			  EFAULT);
	ck_assert_refused(prf_profil(prf_dialect_freebsd(), NULL, 8, PC, ONE),
			  EFAULT);
	mprotect(pages, (size_t)page_bytes, PROT_READ);
	ck_assert_refused(prf_profil(prf_dialect_freebsd(), last, 8, PC, ONE),
			  EFAULT);
	ck_assert_int_eq(prf_profil(prf_dialect_freebsd(), NULL, 8, PC, 0), 0);
	ck_assert_int_eq(prf_profil(prf_dialect_freebsd(), NULL, 0, PC, ONE),
			 0);
	ck_assert_int_eq(prf_profil(prf_dialect_svr4(), NULL, 8, PC, ONE), 0);
	ck_assert(state_now().on);
}
END_TEST

static int
freebsd_on(char *buf, size_t bufsiz_bytes)
{
	return prf_profil(prf_dialect_freebsd(), buf, bufsiz_bytes, PC, ONE);
}

START_TEST(freebsd_refuses_a_buffer_that_wraps_or_has_a_hole)
{
	size_t page_bytes = (size_t)sysconf(_SC_PAGESIZE);
	size_t bufsiz_bytes = 9 * page_bytes;
	char *buf = mmap(NULL, bufsiz_bytes, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	ck_assert_ptr_ne(buf, MAP_FAILED);
	ck_assert_int_eq(freebsd_on(buf, bufsiz_bytes), 0);
	ck_assert_refused(freebsd_on(buf, SIZE_MAX), EFAULT);
	ck_assert_refused(freebsd_on(buf, 0 - (uintptr_t)buf), EFAULT);
	ck_assert_refused(freebsd_on(buf, 1 + (size_t)(0 - (uintptr_t)buf)),
			  EFAULT);
	mprotect(buf + 4 * page_bytes, page_bytes, PROT_NONE);
	ck_assert_refused(freebsd_on(buf, bufsiz_bytes), EFAULT);
	munmap(buf + 4 * page_bytes, page_bytes);
	ck_assert_refused(freebsd_on(buf, bufsiz_bytes), EFAULT);
	ck_assert_int_eq(freebsd_on(buf, 4 * page_bytes), 0);
}
END_TEST

/* Memory that the process has. */
static size_t
resident_bytes(void)
{
	FILE *statm = fopen("/proc/self/statm", "r");
	size_t n_pages = 0;

	ck_assert_ptr_nonnull(statm);
	ck_assert_int_eq(fscanf(statm, "%*u %zu", &n_pages), 1);
	fclose(statm);
	return n_pages * (size_t)sysconf(_SC_PAGESIZE);
}

static char *
map_buffer(size_t n_bytes)
{
	char *buf = mmap(NULL, n_bytes, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	ck_assert_ptr_ne(buf, MAP_FAILED);
	return buf;
}

/* Does memory that is read count as resident, as on kernels without a page of
 * zeros for all of it? */
static bool
is_resident_once_read(size_t n_bytes)
{
	const volatile char *buf = map_buffer(n_bytes);
	size_t before_bytes = resident_bytes();

	for (size_t i = 0; i < n_bytes; i += 4096)
		(void)buf[i];
	return resident_bytes() - before_bytes >= n_bytes / 2;
}

START_TEST(the_buffer_that_freebsd_looks_at_takes_no_memory)
{
	const size_t bufsiz_bytes = 64 << 20;
	char *buf = map_buffer(bufsiz_bytes);

	if (is_resident_once_read(bufsiz_bytes))
		prf_skip("this kernel has memory for each page that is read");
	size_t before_bytes = resident_bytes();

	ck_assert_int_eq(freebsd_on(buf, bufsiz_bytes), 0);
	ck_assert_uint_lt(resident_bytes() - before_bytes, bufsiz_bytes / 2);
}
END_TEST

START_TEST(sprofil_tells_what_a_tick_is_and_says_so_only_if_it_succeeds)
{
	struct prf_region region = {wide, sizeof wide, PC, ONE};
	struct timeval tv = {77, 77};
	long rate_hz = sysconf(_SC_CLK_TCK);

	ck_assert_refused(prf_sprofil(&region, 1, &tv, 3), EINVAL);
	ck_assert_int_eq(tv.tv_sec, 77);
	ck_assert_int_eq(prf_sprofil(&region, 1, &tv, PRF_TABLE_UINT), 0);
	ck_assert_int_eq(tv.tv_sec, 1 / rate_hz);
	ck_assert_int_eq(tv.tv_usec, 1000000 / rate_hz % 1000000);
	tv.tv_usec = 0;
	ck_assert_int_eq(prf_sprofil(NULL, 0, &tv, 0), 0);
	ck_assert_int_eq(tv.tv_usec, 1000000 / rate_hz % 1000000);
}
END_TEST

START_TEST(sprofil_refuses_as_its_page_says)
{
	struct prf_region region = {wide, sizeof wide, PC, ONE};
	struct timeval *nowhere = (struct timeval *)8;

	ck_assert_refused(prf_sprofil(&region, -1, NULL, PRF_TABLE_UINT),
			  E2BIG);
	ck_assert_refused(prf_sprofil(&region, (int)prf_sprofil_max() + 1, NULL,
				      PRF_TABLE_UINT),
			  E2BIG);
	ck_assert_refused(
		prf_sprofil((struct prf_region *)8, 1, NULL, PRF_TABLE_UINT),
		EFAULT);
	ck_assert_refused(prf_sprofil(&region, 1, nowhere, PRF_TABLE_UINT),
			  EFAULT);
	ck_assert_refused(prf_sprofil(&region, 1, NULL, PRF_TABLE_FAST),
			  EINVAL);
	ck_assert_refused(prf_sprofil(&region, 1, NULL,
				      PRF_TABLE_UINT | PRF_TABLE_UINT64),
			  EINVAL);
	ck_assert(!state_now().on);
}
END_TEST

START_TEST(sprofil_is_turned_off_by_no_entry_and_by_none_that_counts)
{
	struct prf_region regions[] = {{wide, sizeof wide, PC, ONE},
				       {NULL, 0, 0, 1}};

	ck_assert_int_eq(prf_sprofil(regions, 2, NULL, PRF_TABLE_UINT), 0);
	ck_assert(state_now().on);
	ck_assert_int_eq(prf_sprofil(regions + 1, 1, NULL, PRF_TABLE_UINT), 0);
	ck_assert(!state_now().on);
	ck_assert_int_eq(prf_sprofil(regions, 1, NULL, PRF_TABLE_UINT), 0);
	ck_assert_int_eq(prf_sprofil(NULL, 0, NULL, 0), 0);
	ck_assert(!state_now().on);
}
END_TEST

START_TEST(a_second_call_replaces_the_first)
{
	struct prf_region region = {wide, sizeof wide, PC, ONE};

	svr4_on();
	tick_at(PC, 1);
	ck_assert_int_eq(
		prf_profil(prf_dialect_svr4(), others, sizeof others, PC, ONE),
		0);
	tick_at(PC, 2);
	ck_assert_int_eq(prf_sprofil(&region, 1, NULL, PRF_TABLE_UINT), 0);
	tick_at(PC, 3);
	ck_assert_int_eq(prf_pcsample(samples, 4), 0);
	tick_at(PC, 1);
	svr4_on();
	tick_at(PC, 10);
	ck_assert_uint_eq(counters[0], 11);
	ck_assert_uint_eq(others[0], 2);
	ck_assert_uint_eq(wide[0], 3);
	ck_assert_uint_eq(samples[0], PC);
	ck_assert_int_eq(prf_pcsample(samples, 0), 0);
	ck_assert(!state_now().on);
}
END_TEST

START_TEST(counters_are_added_to_and_never_cleared)
{
	counters[1] = 41;
	svr4_on();
	tick_at(PC + 2, 1);
	ck_assert_uint_eq(counters[1], 42);
}
END_TEST

START_TEST(a_tick_that_finds_profiling_off_counts_nowhere)
{
	svr4_on();
	ck_assert_int_eq(prf_profil(prf_dialect_svr4(), NULL, 0, 0, 0), 0);
	tick_at(PC, 1);
	ck_assert_uint_eq(counters[0], 0);
	ck_assert_uint_eq(state_now().ticks, 0);
}
END_TEST

/* --- Timers. */

/* A container's filter, and a kernel that was built without them. */
static const int refusals[] = {EPERM, ENOSYS};

START_TEST(where_no_timer_can_be_made_all_calls_say_so_and_stay_off)
{
	struct prf_region region = {wide, sizeof wide, PC, ONE};
	struct sigaction action;

	signal(SIGURG, SIG_IGN);
	if (prf_refuse_call(SYS_timer_create, (unsigned)refusals[_i]))
		_exit(3);
	ck_assert_refused(prf_profil(prf_dialect_svr4(), counters,
				     sizeof counters, PC, ONE),
			  EAGAIN);
	ck_assert_refused(prf_sprofil(&region, 1, NULL, PRF_TABLE_UINT),
			  EAGAIN);
	ck_assert_refused(prf_pcsample(samples, 4), EAGAIN);
	ck_assert(!state_now().on);
	ck_assert_int_eq(state_now().kind, PRF_PROFIL_NONE);
	ck_assert_int_eq(prf_pcsample(samples, 0), 0);
	/* Nor have they taken the signal. */
	ck_assert_int_eq(sigaction(SIGURG, NULL, &action), 0);
	ck_assert_ptr_eq(action.sa_handler, SIG_IGN);
	prf_pass_without_timers();
}
END_TEST

/* --- Signals. */

static volatile sig_atomic_t n_calls;

static void
count_call(int signo)
{
	(void)signo;
	n_calls++;
}

static void
own_handler(int signo)
{
	(void)signo;
}

START_TEST(a_handler_of_the_programs_own_is_not_replaced)
{
	struct sigaction action = {.sa_handler = own_handler}, after;

	sigaction(SIGURG, &action, NULL);
	ck_assert_refused(prf_profil(prf_dialect_svr4(), counters, 2, PC, ONE),
			  EBUSY);
	ck_assert_refused(prf_pcsample(samples, 4), EBUSY);
	sigaction(SIGURG, NULL, &after);
	ck_assert_ptr_eq((void *)(uintptr_t)after.sa_handler,
			 (void *)(uintptr_t)own_handler);
	ck_assert(!state_now().on);
	ck_assert_int_eq(prf_profil_signal(SIGRTMIN + 2), SIGURG);
	ck_assert_int_eq(prf_pcsample(samples, 4), 0);
	ck_assert(state_now().on);
}
END_TEST

static void
other_handler(int signo, siginfo_t *info, void *context)
{
	(void)signo;
	(void)info;
	(void)context;
}

static const struct sigaction actions[] = {
	{.sa_handler = own_handler},
	{.sa_sigaction = other_handler, .sa_flags = SA_SIGINFO},
	{.sa_handler = SIG_DFL},
	{.sa_handler = SIG_IGN},
};
#define N_ACTIONS ((int)(sizeof actions / sizeof *actions))

START_TEST(a_handler_that_is_set_later_turns_profiling_off)
{
	svr4_on();
	tick_at(PC, 2);
	sigaction(SIGURG, &actions[_i], NULL);
	ck_assert(!state_now().on);
	ck_assert_int_eq(state_now().why, PRF_PROFIL_HANDLER);
	ck_assert_uint_eq(state_now().ticks, 2);
	ck_assert_uint_eq(state_now().n_threads, 0);

	/* No timer is left to call it. */
	struct sigaction count = {.sa_handler = count_call};
	sigaction(SIGURG, &count, NULL);
	tick_unblock();
	tick_burn(0.1);
	ck_assert_int_le(n_calls, 1); /* that was under way */

	ck_assert_int_eq(prf_profil_signal(SIGRTMIN + 2), SIGURG);
	svr4_on();
	ck_assert(state_now().on);
}
END_TEST

START_TEST(turning_off_needs_no_signal)
{
	struct sigaction action = {.sa_handler = own_handler};

	svr4_on();
	sigaction(SIGURG, &action, NULL);
	ck_assert_int_eq(prf_profil(prf_dialect_svr4(), NULL, 0, 0, 0), 0);
	ck_assert(!state_now().on);
}
END_TEST

START_TEST(the_signal_changes_only_while_profiling_is_off)
{
	svr4_on();
	ck_assert_refused(prf_profil_signal(SIGPROF), EBUSY);
	ck_assert_int_eq(prf_profil_signal(0), SIGURG);
	prf_profil(prf_dialect_svr4(), NULL, 0, 0, 0);
	ck_assert_refused(prf_profil_signal(SIGKILL), EINVAL);
	ck_assert_refused(prf_profil_signal(SIGSEGV), EINVAL);
	ck_assert_refused(prf_profil_signal(-1), EINVAL);
	ck_assert_refused(prf_profil_signal(1000), EINVAL);
	ck_assert_int_eq(prf_profil_signal(SIGPROF), SIGURG);
	ck_assert_int_eq(prf_profil_signal(0), SIGPROF);
}
END_TEST

START_TEST(a_signal_from_elsewhere_is_no_tick_and_does_no_harm)
{
	svr4_on();
	tick_unblock();
	for (int i = 0; i < 100; i++)
		raise(SIGURG);
	tick_block();
	ck_assert_uint_le(state_now().ticks, 1);
}
END_TEST

START_TEST(the_programs_own_interval_timer_and_ours_do_not_meet)
{
	struct sigaction action = {.sa_handler = count_call};
	struct itimerval every = {{0, 20000}, {0, 20000}}, left;

	sigaction(SIGPROF, &action, NULL);
	ck_assert_int_eq(setitimer(ITIMER_PROF, &every, NULL), 0);
	svr4_on();
	tick_unblock();
	tick_burn(0.3);
	prf_profil(prf_dialect_svr4(), NULL, 0, 0, 0);
	getitimer(ITIMER_PROF, &left);
	ck_assert_int_eq(left.it_interval.tv_usec, 20000);
	ck_assert_int_ge(n_calls, 5);
}
END_TEST

START_TEST(a_thread_that_blocks_the_signal_is_charged_when_it_unblocks)
{
	double since_s = tick_cpu_s(CLOCK_THREAD_CPUTIME_ID);

	svr4_on();
	tick_burn(0.2);
	ck_assert_uint_eq(state_now().ticks, 0);
	tick_unblock();
	tick_catch_up();
	double ticks = (tick_cpu_s(CLOCK_THREAD_CPUTIME_ID) - since_s) *
		       (double)sysconf(_SC_CLK_TCK);
	ck_assert_double_ge((double)state_now().ticks, ticks - 2);
	ck_assert_double_le((double)state_now().ticks, ticks + 2);
}
END_TEST

static unsigned
all_by_sprofil(bool is_on)
{
	static uint32_t counter;
	struct prf_region all = {&counter, sizeof counter, 0, 2};

	if (is_on)
		counter = 0;
	ck_assert_int_eq(prf_sprofil(&all, is_on, NULL, PRF_TABLE_UINT), 0);
	return counter;
}

static unsigned
all_by_pcsample(bool is_on)
{
	static uintptr_t pcs[1000];
	long n = prf_pcsample(pcs, is_on ? 1000 : 0);

	ck_assert_int_ge(n, 0);
	return (unsigned)n;
}

/* Turns profiling on, or off and tells its ticks. */
static unsigned (*const count_all[])(bool is_on) = {all_by_sprofil,
						    all_by_pcsample};

/* The kernel is late with a tick by up to one of its own: what is due at the
 * end is had there.  So the ticks are those of the CPU time, but for the chance
 * where the first one falls: of each run one more, or not, and of all runs 300, give
 * or take 3, and what the machine has made them longer by. */
START_TEST(no_tick_that_is_due_is_missing_when_profiling_goes_off)
{
	const double rate_hz = (double)sysconf(_SC_CLK_TCK);
	double inner = 0, outer = 0;
	unsigned sum = 0;

	tick_unblock();
	for (int run = 0; run < 12; run++) {
		double outer_s = tick_cpu_s(CLOCK_THREAD_CPUTIME_ID);
		count_all[_i](true);
		double inner_s = tick_cpu_s(CLOCK_THREAD_CPUTIME_ID);
		tick_burn(0.25);
		inner_s = tick_cpu_s(CLOCK_THREAD_CPUTIME_ID) - inner_s;
		unsigned ticks = count_all[_i](false);
		outer_s = tick_cpu_s(CLOCK_THREAD_CPUTIME_ID) - outer_s;

		ck_assert_uint_ge(ticks, (unsigned)(inner_s * rate_hz));
		ck_assert_uint_le(ticks, 1 + (unsigned)(outer_s * rate_hz));
		sum += ticks;
		inner += inner_s * rate_hz;
		outer += outer_s * rate_hz;
	}
	ck_assert_double_ge(sum, inner - 3);
	ck_assert_double_le(sum, outer + 3);
}
END_TEST

START_TEST(a_thread_that_blocks_the_signal_is_not_charged_at_the_end)
{
	all_by_pcsample(true);
	tick_burn(0.1);
	ck_assert_uint_eq(all_by_pcsample(false), 0);
}
END_TEST

/* There anything but read, write, exit and the return from a handler kills.
 * (ThreadSanitizer has a thread of its own, which then lives on.) */
START_TEST(a_process_that_turns_it_off_can_enter_strict_seccomp)
{
	if (TICK_IS_LATE)
		return;
	pid_t child = fork();
	int status;

	if (child == 0) {
		tick_unblock();
		svr4_on();
		tick_burn(0.05);
		prf_profil(prf_dialect_svr4(), NULL, 0, 0, 0);
		if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT) < 0)
			_exit(0);
		spend(100 * 1000 * TURNS_PER_US, 1);
		syscall(SYS_exit, 0);
	}
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert_int_eq(status, 0);
}
END_TEST

static volatile sig_atomic_t was_on_altstack;

static void
on_usr1(int signo)
{
	stack_t stack;

	(void)signo;
	sigaltstack(NULL, &stack);
	was_on_altstack = stack.ss_flags & SS_ONSTACK;
}

START_TEST(ticks_use_the_alternate_stack_and_leave_it_to_the_program)
{
	static char memory[65536];
	stack_t stack = {.ss_sp = memory, .ss_size = sizeof memory};
	struct sigaction action = {.sa_handler = on_usr1,
				   .sa_flags = SA_ONSTACK};

	sigaltstack(&stack, NULL);
	sigaction(SIGUSR1, &action, NULL);
	prf_profil_stack(1);
	svr4_on();
	tick_unblock();
	tick_burn(0.1);
	tick_catch_up();
	raise(SIGUSR1);
	tick_block();
	ck_assert_int_eq(was_on_altstack, SS_ONSTACK);
	ck_assert_uint_ge(state_now().ticks, 5);
}
END_TEST

/* A handler makes the calls while the program makes them, too. */
static void
calls_in_handler(int signo)
{
	(void)signo;
	prf_profil(prf_dialect_svr4(), others, sizeof others, PC, ONE);
	prf_pcsample(samples, 4);
}

START_TEST(profil_and_pcsample_may_be_called_by_a_handler_at_any_moment)
{
	struct sigaction action = {.sa_handler = calls_in_handler,
				   .sa_flags = SA_RESTART};
	struct itimerval often = {{0, 300}, {0, 300}}, never = {{0, 0}, {0, 0}};
	struct prf_region region = {wide, sizeof wide, PC, ONE};

	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &often, NULL);
	tick_unblock();
	for (int i = 0; i < 3000; i++) {
		svr4_on();
		tick_at(PC, 1);
		ck_assert_int_eq(prf_sprofil(&region, 1, NULL, PRF_TABLE_UINT),
				 0);
		ck_assert_int_ge(prf_pcsample(samples, 3), 0);
	}
	setitimer(ITIMER_REAL, &never, NULL);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("profil");
	TCase *tcase = tcase_create("profil");

	tcase_set_timeout(tcase, 300);
	tcase_add_checked_fixture(tcase, tick_block, NULL);
	tcase_add_test(tcase, at_first_it_is_off_and_nobody_has_asked);
	tcase_add_test(tcase, scale_1_is_off_in_system_v_and_a_scale_in_bsd);
	tcase_add_test(tcase, a_call_that_is_refused_changes_nothing);
	tcase_add_test(tcase, a_call_that_is_granted_leaves_errno_alone);
	tcase_add_test(tcase, freebsd_alone_asks_for_both_ends_of_the_buffer);
	tcase_add_test(tcase,
		       freebsd_refuses_a_buffer_that_wraps_or_has_a_hole);
	tcase_add_test(tcase, the_buffer_that_freebsd_looks_at_takes_no_memory);
	tcase_add_test(
		tcase,
		sprofil_tells_what_a_tick_is_and_says_so_only_if_it_succeeds);
	tcase_add_test(tcase, sprofil_refuses_as_its_page_says);
	tcase_add_test(
		tcase,
		sprofil_is_turned_off_by_no_entry_and_by_none_that_counts);
	tcase_add_test(tcase, a_second_call_replaces_the_first);
	tcase_add_test(tcase, counters_are_added_to_and_never_cleared);
	tcase_add_test(tcase, a_tick_that_finds_profiling_off_counts_nowhere);
	tcase_add_loop_test(
		tcase, where_no_timer_can_be_made_all_calls_say_so_and_stay_off,
		0, sizeof refusals / sizeof *refusals);
	tcase_add_test(tcase, a_handler_of_the_programs_own_is_not_replaced);
	tcase_add_loop_test(tcase,
			    a_handler_that_is_set_later_turns_profiling_off, 0,
			    N_ACTIONS);
	tcase_add_test(tcase, turning_off_needs_no_signal);
	tcase_add_test(tcase, the_signal_changes_only_while_profiling_is_off);
	tcase_add_test(tcase,
		       a_signal_from_elsewhere_is_no_tick_and_does_no_harm);
	tcase_add_test(tcase,
		       the_programs_own_interval_timer_and_ours_do_not_meet);
	tcase_add_test(
		tcase,
		a_thread_that_blocks_the_signal_is_charged_when_it_unblocks);
	tcase_add_loop_test(
		tcase, no_tick_that_is_due_is_missing_when_profiling_goes_off,
		0, sizeof count_all / sizeof *count_all);
	tcase_add_test(
		tcase,
		a_thread_that_blocks_the_signal_is_not_charged_at_the_end);
	tcase_add_test(tcase,
		       a_process_that_turns_it_off_can_enter_strict_seccomp);
	tcase_add_test(
		tcase,
		ticks_use_the_alternate_stack_and_leave_it_to_the_program);
	tcase_add_test(
		tcase,
		profil_and_pcsample_may_be_called_by_a_handler_at_any_moment);
	suite_add_tcase(suite, tcase);
	return suite;
}
