#include "inproc/timer.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

#define NS_PER_S INT64_C(1000000000)

/* A CPU clock as the kernel numbers it: a thread's, counting user and system
 * time by the scheduler. */
#define CLOCK_IS_THREAD 4
#define CLOCK_IS_SCHED 2

#define NOTIFY_THREAD_ID 4

/* struct sigevent, as the kernel has it. */
struct event {
	uint64_t value;
	int32_t signo, notify, tid;
	int32_t padding[11];
};

_Static_assert(sizeof(struct event) == 64, "the kernel's struct sigevent");

clockid_t
prf_timer_clock(pid_t tid)
{
	return (clockid_t)(~(unsigned)tid << 3 | CLOCK_IS_THREAD |
			   CLOCK_IS_SCHED);
}

int64_t
prf_timer_cpu_ns(clockid_t clock)
{
	struct timespec time;

	if (syscall(SYS_clock_gettime, clock, &time) < 0)
		return -1;
	return time.tv_sec * NS_PER_S + time.tv_nsec;
}

int
prf_timer_new(clockid_t clock, int signo, uint64_t value, pid_t tid)
{
	struct event event = {
		.value = value,
		.signo = signo,
		.notify = tid ? NOTIFY_THREAD_ID : SIGEV_SIGNAL,
		.tid = tid,
	};
	int32_t timer;

	if (syscall(SYS_timer_create, clock, &event, &timer) < 0)
		return -errno;
	return timer;
}

void
prf_timer_delete(int timer)
{
	syscall(SYS_timer_delete, timer);
}

static struct timespec
timespec_of(int64_t ns)
{
	return (struct timespec){
		.tv_sec = ns / NS_PER_S,
		.tv_nsec = ns % NS_PER_S,
	};
}

int
prf_timer_set_at(int timer, int64_t first_ns, int64_t period_ns)
{
	struct itimerspec spec = {
		.it_value = timespec_of(first_ns),
		.it_interval = timespec_of(period_ns),
	};

	if (syscall(SYS_timer_settime, timer, TIMER_ABSTIME, &spec, NULL) < 0)
		return -errno;
	return 0;
}

int
prf_timer_set_in(int timer, int64_t in_ns)
{
	struct itimerspec spec = {.it_value = timespec_of(in_ns)};

	if (syscall(SYS_timer_settime, timer, 0, &spec, NULL) < 0)
		return -errno;
	return 0;
}

bool
prf_timer_is_set(int timer)
{
	struct itimerspec spec;

	if (syscall(SYS_timer_gettime, timer, &spec) < 0)
		return false;
	return spec.it_value.tv_sec || spec.it_value.tv_nsec;
}
