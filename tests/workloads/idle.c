/* idle - sleeps and takes no CPU time.
 *
 *	idle [SECONDS [poll|nanosleep|futex]]
 *
 * Sleeps for SECONDS (1) of wall time in one system call, in a function named
 * in_poll (default), in_nanosleep or in_futex.  Prints
 *
 *	calls N		1, unless something woke it
 *	eintr N		of these ended with EINTR; 0
 *	wall_seconds S
 *	cpu_seconds S */
#include "work.h"

#include <errno.h>
#include <poll.h>
#include <string.h>

static APART long
in_poll(const struct timespec *time)
{
	return poll(NULL, 0,
		    (int)(time->tv_sec * 1000 + time->tv_nsec / 1000000 + 1));
}

static APART long
in_nanosleep(const struct timespec *time)
{
	return nanosleep(time, NULL);
}

static APART long
in_futex(const struct timespec *time)
{
	uint32_t word = 0;
	enum { FUTEX_WAIT = 0 };
	long rc = syscall(SYS_futex, &word, FUTEX_WAIT, 0, time, NULL, 0);

	return rc && errno == ETIMEDOUT ? 0 : rc;
}

static const struct {
	const char *name;
	long (*sleep)(const struct timespec *time);
} ways[] = {
	{"poll", in_poll},
	{"nanosleep", in_nanosleep},
	{"futex", in_futex},
};

int
main(int argc, char **argv)
{
	uint64_t start = wall_ns(), end = start + number_ns(argc, argv, 1, 1.0);
	const char *name = word(argc, argv, 2, "poll");
	size_t way = 0;
	unsigned calls = 0, eintr = 0;

	while (way < sizeof ways / sizeof *ways && strcmp(ways[way].name, name))
		way++;
	if (way == sizeof ways / sizeof *ways)
		usage(argv[0], "[SECONDS [poll|nanosleep|futex]]");
	for (uint64_t now = start; now < end; now = wall_ns()) {
		struct timespec left = {
			.tv_sec = (time_t)((end - now) / NS_PER_S),
			.tv_nsec = (long)((end - now) % NS_PER_S),
		};

		calls++;
		if (!ways[way].sleep(&left))
			continue;
		if (errno != EINTR)
			die(name);
		eintr++;
	}
	printf("calls %u\neintr %u\n", calls, eintr);
	printf("wall_seconds %.6f\n", seconds(wall_ns() - start));
	printf("cpu_seconds %.6f\n", seconds(process_ns()));
	return 0;
}
