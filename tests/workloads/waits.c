/* waits - a thread that sleeps, computes and waits to read, by turns.
 *
 *	waits [SECONDS [THREADS]]
 *
 * For SECONDS (1) of wall time it sleeps for 6 tenths of it in nanosleep, in a
 * function named sleeps, computes for 3 tenths, in computes, and waits for a
 * tenth in read, in reads; in parts of random length, 10 ms in the mean for a
 * tenth.  THREADS (0) more do nothing but wait in pause, meanwhile.  Prints,
 * with shares in percent of the time of this one thread,
 *
 *	sleeps P, reads P	of wall time
 *	computes P		of CPU time
 *	no_processor P		that it waited for one, a part of all of these
 *	eintr N			waits that ended with EINTR; 0
 *	wall_seconds S		of the whole program, by now
 *	thread_seconds S	the same of all its threads together */
#include "work.h"

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/timerfd.h>

#include "task.h"

#define TENTH_NS 10000000u

static unsigned eintr;

static struct timespec
timespec_of(uint64_t ns)
{
	return (struct timespec){(time_t)(ns / NS_PER_S),
				 (long)(ns % NS_PER_S)};
}

static APART void
sleeps(uint64_t ns)
{
	const struct timespec time = timespec_of(ns);

	if (nanosleep(&time, NULL))
		eintr++;
}

static APART void
computes(uint64_t ns)
{
	struct budget time = budget(ns);

	while (is_left(&time))
		spend(20 * TURNS_PER_US, 1);
}

static APART void
reads(uint64_t ns)
{
	static int fd = -1;
	const struct itimerspec time = {.it_value = timespec_of(ns + 1)};
	uint64_t expirations;

	if (fd < 0)
		fd = timerfd_create(CLOCK_MONOTONIC, 0);
	if (fd < 0 || timerfd_settime(fd, 0, &time, NULL))
		die("timerfd");
	if (read(fd, &expirations, sizeof expirations) < 0)
		eintr++;
}

static struct part {
	const char *name;
	void (*spend)(uint64_t ns);
	unsigned tenths;
	clockid_t clock;
	uint64_t ns;
} parts[] = {
	{"sleeps", sleeps, 6, CLOCK_MONOTONIC, 0},
	{"computes", computes, 3, CLOCK_THREAD_CPUTIME_ID, 0},
	{"reads", reads, 1, CLOCK_MONOTONIC, 0},
};

/* When idlers have begun, in all; and a post from each. */
static atomic_uint_fast64_t begun_ns;
static sem_t has_begun;

static void *
idles(void *arg)
{
	begun_ns += wall_ns();
	sem_post(&has_begun);
	for (;;)
		pause();
	return arg;
}

/* Their stacks are small, so that there can be many.  How long they have lived
 * when the last one has begun, all together. */
static uint64_t
start_idlers(unsigned n)
{
	pthread_attr_t attr;
	pthread_t thread;

	sem_init(&has_begun, 0, 0);
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, 1 << 16);
	for (unsigned i = 0; i < n; i++) {
		errno = pthread_create(&thread, &attr, idles, NULL);
		if (errno)
			die("pthread_create");
	}
	for (unsigned i = 0; i < n; i++)
		while (sem_wait(&has_begun))
			;
	return n * wall_ns() - begun_ns; /* both may have wrapped */
}

/* What the kernel says that this thread has waited for a processor. */
static uint64_t
no_processor_ns(void)
{
	char text[128];
	unsigned long long ran, waited = 0;

	task_read(syscall(SYS_gettid), "schedstat", text, sizeof text);
	if (sscanf(text, "%llu %llu", &ran, &waited) != 2)
		return 0;
	return waited;
}

int
main(int argc, char **argv)
{
	uint64_t begun = wall_ns(), quota = number_ns(argc, argv, 1, 1.0);
	unsigned n_idlers = (unsigned)number(argc, argv, 2, 0);
	uint64_t random = 88172645463325252u;

	uint64_t idlers_ns = start_idlers(n_idlers);
	uint64_t start = wall_ns(), waited = no_processor_ns(), end;
	do {
		struct part *part = &parts[draw(&random) % 3];
		uint64_t ns = part->tenths * (draw(&random) % (2 * TENTH_NS));
		uint64_t then = clock_ns(part->clock);

		part->spend(ns);
		part->ns += clock_ns(part->clock) - then;
		end = wall_ns();
	} while (end < start + quota);

	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
		printf("%s %.3f\n", parts[i].name,
		       percent(parts[i].ns, end - start));
	printf("no_processor %.3f\n",
	       percent(no_processor_ns() - waited, end - start));
	printf("eintr %u\nwall_seconds %.6f\nthread_seconds %.6f\n", eintr,
	       seconds(end - begun),
	       seconds(end - begun + idlers_ns + n_idlers * (end - start)));
	return 0;
}
