/* blocked_times - waits with a time-out, or for an event that is none yet. */
#include "blocked.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/select.h>

/* Lies in memory that the kernel cannot write to: it cannot tell a raw call
 * how much of the time is left, and does not restart it. */
static const struct timespec long_time = {LONG_S, 0};

static struct timespec
long_from_now(clockid_t clock)
{
	struct timespec end;

	clock_gettime(clock, &end);
	end.tv_sec += LONG_S;
	return end;
}

static void
in_epoll_wait(struct seat *seat)
{
	struct epoll_event event;
	int fd = seat_needs(seat, epoll_create1(0));

	SIT(seat, epoll_wait(fd, &event, 1, LONG_MS));
}

static void
in_epoll_pwait(struct seat *seat)
{
	struct epoll_event event;
	int fd = seat_needs(seat, epoll_create1(0));
	sigset_t mask;

	sigemptyset(&mask);
	SIT(seat, epoll_pwait(fd, &event, 1, -1, &mask));
}

#ifdef SYS_epoll_pwait2
static void
in_epoll_pwait2(struct seat *seat)
{
	struct epoll_event event;
	int fd = seat_needs(seat, epoll_create1(0));

	SIT(seat,
	    syscall(SYS_epoll_pwait2, fd, &event, 1, &long_time, NULL, 0));
}
#endif

static void
in_poll(struct seat *seat)
{
	SIT(seat, poll(NULL, 0, LONG_MS));
}

static void
in_poll_forever(struct seat *seat)
{
	SIT(seat, poll(NULL, 0, -1));
}

static void
in_ppoll(struct seat *seat)
{
	SIT(seat, ppoll(NULL, 0, &long_time, NULL));
}

static void
in_ppoll_read_only(struct seat *seat)
{
	SIT(seat, syscall(SYS_ppoll, NULL, 0, &long_time, NULL, 0));
}

static void
in_select(struct seat *seat)
{
	struct timeval limit = {LONG_S, 0};

	SIT(seat, select(0, NULL, NULL, NULL, &limit));
}

static void
in_pselect(struct seat *seat)
{
	SIT(seat, pselect(0, NULL, NULL, NULL, &long_time, NULL));
}

static void
in_pselect_read_only(struct seat *seat)
{
	SIT(seat, syscall(SYS_pselect6, 0, NULL, NULL, NULL, &long_time, NULL));
}

static void
in_nanosleep(struct seat *seat)
{
	SIT(seat, nanosleep(&long_time, NULL));
}

static void
in_clock_nanosleep(struct seat *seat)
{
	SIT_PTHREAD(seat,
		    clock_nanosleep(CLOCK_MONOTONIC, 0, &long_time, NULL));
}

static void
in_clock_nanosleep_until(struct seat *seat)
{
	struct timespec end = long_from_now(CLOCK_REALTIME);

	SIT_PTHREAD(seat,
		    clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &end, NULL));
}

static void
in_futex(struct seat *seat)
{
	uint32_t value = 0;
	enum { FUTEX_WAIT = 0 };

	SIT(seat, syscall(SYS_futex, &value, FUTEX_WAIT, 0, NULL, NULL, 0));
}

static void
in_futex_timed(struct seat *seat)
{
	uint32_t value = 0;
	enum { FUTEX_WAIT = 0 };

	SIT(seat,
	    syscall(SYS_futex, &value, FUTEX_WAIT, 0, &long_time, NULL, 0));
}

#ifdef SYS_futex_waitv
static void
in_futex_waitv(struct seat *seat)
{
	uint32_t value = 0;
	struct {
		uint64_t value, addr;
		uint32_t flags, reserved;
	} waiter = {0, (uintptr_t)&value, 2 /* of 32 bits */, 0};

	SIT(seat, syscall(SYS_futex_waitv, &waiter, 1, 0, NULL, 0));
}
#endif

static void
in_sem_wait(struct seat *seat)
{
	sem_t semaphore;

	seat_needs(seat, sem_init(&semaphore, 0, 0));
	SIT(seat, sem_wait(&semaphore));
}

static void
in_sem_timedwait(struct seat *seat)
{
	struct timespec end = long_from_now(CLOCK_REALTIME);
	sem_t semaphore;

	seat_needs(seat, sem_init(&semaphore, 0, 0));
	SIT(seat, sem_timedwait(&semaphore, &end));
}

static void
in_cond_timedwait(struct seat *seat)
{
	struct timespec end = long_from_now(CLOCK_REALTIME);
	pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
	pthread_cond_t cond = PTHREAD_COND_INITIALIZER;

	pthread_mutex_lock(&mutex);
	SIT_PTHREAD(seat, pthread_cond_timedwait(&cond, &mutex, &end));
}

static void
in_mutex_lock(struct seat *seat)
{
	pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

	pthread_mutex_lock(&mutex);
	SIT_PTHREAD(seat, pthread_mutex_lock(&mutex));
}

#ifdef SYS_io_getevents
static void
in_io_getevents(struct seat *seat)
{
	uint64_t event[4]; /* as large as the kernel's */
	unsigned long context = 0;

	seat_needs(seat, (int)syscall(SYS_io_setup, 1, &context));
	SIT(seat, syscall(SYS_io_getevents, context, 1, 1, event, &long_time));
}
#endif

#ifdef SYS_io_uring_enter
static void
in_io_uring_enter(struct seat *seat)
{
	uint64_t parameters[15] = {0}; /* as large as the kernel's */
	enum { GETEVENTS = 1 };
	int fd = seat_needs(seat,
			    (int)syscall(SYS_io_uring_setup, 1, parameters));

	SIT(seat, syscall(SYS_io_uring_enter, fd, 0, 1, GETEVENTS, NULL, 0));
}
#endif

const struct place blocked_times[] = {
	{"epoll_wait", in_epoll_wait},
	{"epoll_pwait", in_epoll_pwait},
#ifdef SYS_epoll_pwait2
	{"epoll_pwait2", in_epoll_pwait2},
#endif
	{"poll", in_poll},
	{"poll_forever", in_poll_forever},
	{"ppoll", in_ppoll},
	{"ppoll_read_only", in_ppoll_read_only},
	{"select", in_select},
	{"pselect", in_pselect},
	{"pselect_read_only", in_pselect_read_only},
	{"nanosleep", in_nanosleep},
	{"clock_nanosleep", in_clock_nanosleep},
	{"clock_nanosleep_until", in_clock_nanosleep_until},
	{"futex", in_futex},
	{"futex_timed", in_futex_timed},
#ifdef SYS_futex_waitv
	{"futex_waitv", in_futex_waitv},
#endif
	{"sem_wait", in_sem_wait},
	{"sem_timedwait", in_sem_timedwait},
	{"cond_timedwait", in_cond_timedwait},
	{"mutex_lock", in_mutex_lock},
#ifdef SYS_io_getevents
	{"io_getevents", in_io_getevents},
#endif
#ifdef SYS_io_uring_enter
	{"io_uring_enter", in_io_uring_enter},
#endif
	{NULL, NULL},
};
