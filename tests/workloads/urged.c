/* urged - a thread that is sent SIGURG gets it.
 *
 *	urged [SECONDS]
 *
 * As the Go runtime preempts threads: one computes, and another sends it SIGURG
 * for SECONDS (1) of wall time, each when the handler has run for the last.  One
 * for which it has not run after thirty is lost.  Prints
 *
 *	sent N
 *	lost N		0
 *	cpu_seconds S	of this process */
#include "work.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

#define PATIENCE_NS (30 * NS_PER_S)

static atomic_int handled, over;
static atomic_long receiver;

static void
handle(int number)
{
	(void)number;
	handled = 1;
}

static void *
compute(void *arg)
{
	receiver = syscall(SYS_gettid);
	while (!over)
		;
	return arg;
}

/* Sends one and waits for the handler; 0: it does not run. */
static int
urge(void)
{
	uint64_t limit = wall_ns() + PATIENCE_NS;

	handled = 0;
	if (syscall(SYS_tgkill, getpid(), receiver, SIGURG))
		die("tgkill");
	while (!handled && wall_ns() < limit)
		;
	return handled;
}

int
main(int argc, char **argv)
{
	uint64_t end = wall_ns() + (uint64_t)(number(argc, argv, 1, 1) * 1e9);
	struct sigaction action = {.sa_handler = handle,
				   .sa_flags = SA_RESTART};
	unsigned sent = 0, lost = 0;
	pthread_t thread;

	sigaction(SIGURG, &action, NULL);
	if (pthread_create(&thread, NULL, compute, NULL))
		die("pthread_create");
	while (!receiver)
		;
	for (; wall_ns() < end; sent++)
		lost += !urge();
	over = 1;
	pthread_join(thread, NULL);
	printf("sent %u\nlost %u\n", sent, lost);
	printf("cpu_seconds %.6f\n", seconds(process_ns()));
	return 0;
}
