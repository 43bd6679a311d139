/* callshare - a loop with a known share of its time at one system call.
 *
 *	callshare [getpid|zero [SECONDS]]
 *
 * The loop is in user_work(); the call, made without libc so that its address
 * has a name here, is in the_call().  getpid: about 1 us of work and a getpid();
 * zero: about 3 us of work and a read of 64 KiB from /dev/zero.
 *
 * The truth is what the call takes by itself: some rounds, chosen at random, are
 * calls alone, and their median tells the time of one; others are work alone, and
 * what they take less than one with both tells it in another way.  The two differ
 * by what calls and work do to each other: the kernel's guards against side
 * channels slow down the work that follows, and some processors slow down calls
 * that follow each other.  Prints, for SECONDS (1) of CPU time, the share of the
 * call in the CPU time of the process, in percent:
 *
 *	the_call P	by calls alone
 *	by_difference P	by work alone
 *	user_work P
 *	call_ns N	how long one call takes
 *	cpu_seconds S */
#include "work.h"

#include <fcntl.h>
#include <stdbool.h>
#include <string.h>

#define MOST_ROUNDS (1 << 19)

struct kind {
	const char *name;
	long number;
	uint64_t turns;   /* of work before each call */
	unsigned n_calls; /* in a round, which takes about 0.1 ms */
};

static const struct kind kinds[] = {
	{"getpid", SYS_getpid, TURNS_PER_US, 100},
	{"zero", SYS_read, 3 * TURNS_PER_US, 25},
};

struct rounds {
	uint64_t n;
	uint64_t ns[MOST_ROUNDS];
};

/* The first read of the stack after the call waits for what the kernel has thrown
 * out of the caches of addresses.  That is the call's own time; without the fence
 * it would be seen where the next instructions retire, in the caller. */
static APART long
the_call(long number, long fd, void *buffer, size_t size)
{
#ifdef __x86_64__
	long result;

	__asm__ volatile("syscall\n\t"
			 "testq %%rsp, (%%rsp)\n\t"
			 "lfence"
			 : "=a"(result)
			 : "0"(number), "D"(fd), "S"(buffer), "d"(size)
			 : "rcx", "r11", "memory");
	return result;
#else
	return syscall(number, fd, buffer, size);
#endif
}

static APART void
user_work(const struct kind *kind, int fd, bool with_work, bool with_calls)
{
	static char buffer[65536];
	const struct kind own = *kind; /* in registers, not read after a call */

	for (unsigned i = 0; i < own.n_calls; i++) {
		if (with_work)
			spend(own.turns, 1);
		if (with_calls)
			the_call(own.number, fd, buffer, sizeof buffer);
	}
}

static int
compare(const void *left, const void *right)
{
	uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;

	return (a > b) - (a < b);
}

static uint64_t
median_ns(struct rounds *rounds)
{
	qsort(rounds->ns, rounds->n, sizeof *rounds->ns, compare);
	return rounds->ns[rounds->n / 2];
}

static void
report(const struct kind *kind, struct rounds *both, struct rounds *calls,
       struct rounds *work)
{
	uint64_t both_ns = median_ns(both), calls_ns = median_ns(calls);
	uint64_t work_ns = median_ns(work);
	uint64_t rest_ns = both_ns > work_ns ? both_ns - work_ns : 0;
	uint64_t all_ns =
		both_ns * both->n + calls_ns * calls->n + work_ns * work->n;
	double share = percent(calls_ns * (both->n + calls->n), all_ns);

	printf("the_call %.3f\n", share);
	printf("by_difference %.3f\n",
	       percent(rest_ns * both->n + calls_ns * calls->n, all_ns));
	printf("user_work %.3f\n", 100 - share);
	printf("call_ns %.1f\n", (double)calls_ns / kind->n_calls);
	printf("cpu_seconds %.6f\n", seconds(process_ns()));
}

int
main(int argc, char **argv)
{
	static struct rounds both, calls, work;
	const struct kind *kind = kinds;
	uint64_t random = 88172645463;
	int fd = open("/dev/zero", O_RDONLY);

	if (!strcmp(word(argc, argv, 1, "getpid"), "zero"))
		kind++;
	if (strcmp(word(argc, argv, 1, "getpid"), kind->name))
		usage(argv[0], "[getpid|zero [SECONDS]]");
	if (fd < 0)
		die("/dev/zero");
	struct budget time = budget(number_ns(argc, argv, 2, 1.0));
	while (!both.n || !calls.n || !work.n || is_left(&time)) {
		unsigned drawn = draw(&random) % 16;
		struct rounds *rounds = drawn > 1 ? &both
					: drawn   ? &calls
						  : &work;
		/* Most are not interrupted, also of those with work and at
		 * 1000 Hz: by the wall clock a stop can take ms. */
		uint64_t start_ns = wall_ns();

		user_work(kind, fd, rounds != &calls, rounds != &work);
		if (rounds->n == MOST_ROUNDS)
			break;
		rounds->ns[rounds->n++] = wall_ns() - start_ns;
	}
	report(kind, &both, &calls, &work);
	return 0;
}
