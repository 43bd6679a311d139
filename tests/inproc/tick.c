#include "inproc/tick.h"

#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <ucontext.h>

#include "inproc/lock.h"
#include "inproc/profil.h"
#include "inproc/ticker.h"
#include "workloads/work.h"

static void
mask(int how)
{
	sigset_t ticks;

	sigemptyset(&ticks);
	sigaddset(&ticks, prf_profil_signal(0));
	pthread_sigmask(how, &ticks, NULL);
}

void
tick_block(void)
{
	mask(SIG_BLOCK);
}

void
tick_unblock(void)
{
	mask(SIG_UNBLOCK);
}

static void
call_handler(uint64_t value, uint64_t ticks, uint64_t pc)
{
	int signo = prf_profil_signal(0);
	siginfo_t info;
	ucontext_t context;
	struct sigaction action;
	sigset_t before;

	memset(&info, 0, sizeof info);
	memset(&context, 0, sizeof context);
	info.si_signo = signo;
	info.si_code = SI_TIMER;
	info.si_overrun = (int)(ticks - 1);
	info.si_value.sival_ptr = (void *)(uintptr_t)value;
#if defined(__x86_64__)
	context.uc_mcontext.gregs[REG_RIP] = (greg_t)pc;
#else
	context.uc_mcontext.pc = pc;
#endif
	sigaction(signo, NULL, &action);
	if (!(action.sa_flags & SA_SIGINFO))
		return;
	/* As the kernel does before it calls a handler. */
	pthread_sigmask(SIG_BLOCK, &action.sa_mask, &before);
	action.sa_sigaction(signo, &info, &context);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void
tick_at(uint64_t pc, uint64_t ticks)
{
	uint64_t signals = prf_lock_enter();
	uint64_t value = prf_ticker_value();

	prf_lock_leave(signals);
	if (value)
		call_handler(value, ticks, pc);
}

void
tick_scout(uint64_t pc)
{
	uint64_t signals = prf_lock_enter();
	uint64_t value = prf_ticker_scout_value();

	prf_lock_leave(signals);
	call_handler(value, 1, pc);
}

double
tick_cpu_s(clockid_t clock)
{
	struct timespec time;

	clock_gettime(clock, &time);
	return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

void
tick_burn(double cpu_s)
{
	struct budget time = budget((uint64_t)(cpu_s * (double)NS_PER_S));

	while (is_left(&time))
		spend(10 * TURNS_PER_US, 1);
}

static uint64_t
n_ticks(void)
{
	struct prf_profil_state state;

	prf_profil_state(&state);
	return state.ticks;
}

void
tick_catch_up(void)
{
	struct budget time = budget(2 * NS_PER_S);
	uint64_t ticks = n_ticks();

	while (n_ticks() == ticks && is_left(&time))
		spend(50 * TURNS_PER_US, 2);
}
