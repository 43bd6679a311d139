/* inprocess.c - what it costs a program to profile itself.
 *
 * The cost of a tick is that of the handler, called as the kernel calls it but
 * for the delivery, which is measured apart: a signal to oneself.  So it is for
 * the C library's profil, whose handler is asked of the process.  The cost for
 * a program is the CPU time of a fixed piece of work, with profiling off, on,
 * and on by the C library's profil.  The contenders take turns, and each round
 * begins with another one, so that a noisy machine is noisy for all of them.
 * Told are the median of the rounds and their range; of a program, the cost of
 * each round beside that of the same round with profiling off. */
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include "core/dialect.h"
#include "core/region.h"
#include "core/table.h"
#include "inproc/lock.h"
#include "inproc/profil.h"
#include "inproc/ticker.h"

#define N_TICKS 100000
#define N_ROUNDS 11
#define WORK_LOOPS 400000000L
#define N_COUNTERS 32768
#define N_REGIONS 1000

static uint16_t counters[N_COUNTERS];
static uintptr_t samples[N_TICKS + 1];

static double
now_ns(clockid_t clock)
{
	struct timespec time;

	clock_gettime(clock, &time);
	return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static void
must(int result, const char *what)
{
	if (result >= 0)
		return;
	fprintf(stderr, "inprocess: %s: %s\n", what, strerror(errno));
	exit(1);
}

/* --- A tick. */

static void
turn_off(void)
{
	must(prf_sprofil(NULL, 0, NULL, 0), "sprofil");
}

static void
profil_on(void)
{
	must(prf_profil(prf_dialect_svr4(), counters, sizeof counters, 0x400000,
			0x10000),
	     "profil");
}

static void
pcsample_on(void)
{
	must(prf_pcsample(samples, N_TICKS + 1) < 0 ? -1 : 0, "pcsample");
}

static void
sprofil_on(void)
{
	static struct prf_region list[N_REGIONS];

	for (size_t i = 0; i < N_REGIONS; i++)
		list[i] = (struct prf_region){
			(char *)counters + i * 64,
			64,
			0x400000 + i * 64,
			0x10000,
		};
	must(prf_sprofil(list, N_REGIONS, NULL, PRF_TABLE_UINT), "sprofil");
}

static void
glibc_on(void)
{
#ifdef __GLIBC__
	must(profil(counters, sizeof counters, 0x400000, 0x10000), "profil");
#endif
}

static void
glibc_off(void)
{
#ifdef __GLIBC__
	unsigned short *volatile none = NULL; /* it is declared nonnull */

	must(profil(none, 0, 0, 0), "profil");
#endif
}

/* The N-th of the made-up pcs. */
static void
move_to(ucontext_t *context, uint64_t n)
{
	uint64_t pc = 0x400000 + n * 34 % 60000;

#if defined(__x86_64__)
	context->uc_mcontext.gregs[REG_RIP] = (greg_t)pc;
#else
	context->uc_mcontext.pc = pc;
#endif
}

static double
tick_ns(void)
{
	siginfo_t info = {.si_code = SI_TIMER};
	ucontext_t context;
	uint64_t mask = prf_lock_enter();

	memset(&context, 0, sizeof context);
	info.si_value.sival_ptr = (void *)(uintptr_t)prf_ticker_value();
	prf_lock_give();
	double begin_ns = now_ns(CLOCK_MONOTONIC);
	for (uint64_t i = 0; i < N_TICKS; i++) {
		move_to(&context, i);
		prf_ticker_on_signal(SIGURG, &info, &context);
	}
	double end_ns = now_ns(CLOCK_MONOTONIC);
	prf_lock_take();
	prf_lock_leave(mask);
	return (end_ns - begin_ns) / N_TICKS;
}

static double
glibc_tick_ns(void)
{
	siginfo_t info = {.si_code = SI_KERNEL};
	ucontext_t context;
	struct sigaction action;

	memset(&context, 0, sizeof context);
	must(sigaction(SIGPROF, NULL, &action), "sigaction");
	if (!(action.sa_flags & SA_SIGINFO))
		return NAN; /* no handler, or one that takes something else */
	double begin_ns = now_ns(CLOCK_MONOTONIC);
	for (uint64_t i = 0; i < N_TICKS; i++) {
		move_to(&context, i);
		action.sa_sigaction(SIGPROF, &info, &context);
	}
	return (now_ns(CLOCK_MONOTONIC) - begin_ns) / N_TICKS;
}

static const struct contender {
	const char *name;
	void (*on)(void), (*off)(void);
	double (*tick_ns)(void);
} contenders[] = {
	{"profil", profil_on, turn_off, tick_ns},
	{"sprofil, 1000 regions", sprofil_on, turn_off, tick_ns},
	{"pcsample", pcsample_on, turn_off, tick_ns},
	{"glibc's profil", glibc_on, glibc_off, glibc_tick_ns},
};
#define N_CONTENDERS (sizeof contenders / sizeof *contenders)

static void
take_signal(int signo)
{
	(void)signo;
}

/* A signal to oneself, to the handler and back. */
static double
signal_ns(void)
{
	struct sigaction action = {.sa_handler = take_signal};

	sigaction(SIGUSR1, &action, NULL);
	double begin_ns = now_ns(CLOCK_MONOTONIC);
	for (int i = 0; i < N_TICKS; i++)
		raise(SIGUSR1);
	return (now_ns(CLOCK_MONOTONIC) - begin_ns) / N_TICKS;
}

/* --- A program. */

static double
work_ns(void)
{
	double begin_ns = now_ns(CLOCK_PROCESS_CPUTIME_ID);

	for (volatile long i = 0; i < WORK_LOOPS; i++)
		;
	return now_ns(CLOCK_PROCESS_CPUTIME_ID) - begin_ns;
}

static void
nothing(void)
{
}

static const struct way {
	const char *name;
	void (*on)(void), (*off)(void);
} ways[] = {
	{"off", nothing, nothing},
	{"prf_profil", profil_on, turn_off},
	{"glibc's profil", glibc_on, glibc_off},
};
#define N_WAYS (sizeof ways / sizeof *ways)

/* --- Rounds. */

static int
compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void
print_rounds(const char *what, double *rounds, const char *unit)
{
	qsort(rounds, N_ROUNDS, sizeof *rounds, compare);
	printf("%-34s %9.2f %s, %.2f to %.2f\n", what, rounds[N_ROUNDS / 2],
	       unit, rounds[0], rounds[N_ROUNDS - 1]);
}

static void
bench_ticks(void)
{
	double ns[N_CONTENDERS][N_ROUNDS], signals[N_ROUNDS];
	char what[64];

	for (size_t round = 0; round < N_ROUNDS; round++) {
		signals[round] = signal_ns();
		for (size_t turn = 0; turn < N_CONTENDERS; turn++) {
			size_t i = (round + turn) % N_CONTENDERS;

			contenders[i].on();
			ns[i][round] = contenders[i].tick_ns();
			contenders[i].off();
		}
	}
	for (size_t i = 0; i < N_CONTENDERS; i++) {
		snprintf(what, sizeof what, "a tick of %s", contenders[i].name);
		print_rounds(what, ns[i], "ns");
	}
	print_rounds("a signal to oneself", signals, "ns");
}

static void
bench_work(void)
{
	double ns[N_WAYS][N_ROUNDS], percent[N_ROUNDS];
	char what[64];

	for (size_t round = 0; round < N_ROUNDS; round++)
		for (size_t turn = 0; turn < N_WAYS; turn++) {
			size_t i = (round + turn) % N_WAYS;

			ways[i].on();
			ns[i][round] = work_ns();
			ways[i].off();
		}
	for (size_t i = 1; i < N_WAYS; i++) {
		for (size_t round = 0; round < N_ROUNDS; round++)
			percent[round] =
				(ns[i][round] / ns[0][round] - 1) * 100;
		snprintf(what, sizeof what, "work, %s", ways[i].name);
		print_rounds(what, percent, "% more");
	}
	for (size_t round = 0; round < N_ROUNDS; round++)
		ns[0][round] /= 1e6;
	print_rounds("work, off", ns[0], "ms");
}

int
main(void)
{
	bench_ticks();
	bench_work();
	return 0;
}
