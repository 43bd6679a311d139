/* stops - the least that a stop under ptrace takes.
 *
 *	stops timer|interrupt [HZ [SECONDS [wall|cpu]]]
 *
 * A program that looks at a clock, see gaps, without pause for SECONDS (0.5) is
 * stopped HZ (1000) times a second, by one of the two things that can do it: the
 * signals of a timer on its CPU clock, or PTRACE_INTERRUPT by a timer of the
 * tracer.  The tracer writes down when it was told of each stop and lets the
 * program go on: no look at a register, no other request, no thread to be woken.
 * The stops are as far apart as those of a profiler, and so find caches as cold.
 *
 * Prints what watch_clock() does (gaps.h), where the parent is the tracer, and for
 * each stop, in ns of the wall clock,
 *
 *	look T */
#include "gaps.h"

#include <errno.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/timerfd.h>
#include <sys/wait.h>

#define MOST_LOOKS 131072u

static __attribute__((noreturn)) void
refused(const char *what)
{
	fprintf(stderr, "%s is refused: %s\n", what, strerror(errno));
	exit(77);
}

static struct itimerspec
every(uint64_t period_ns)
{
	struct timespec period = {(time_t)(period_ns / NS_PER_S),
				  (long)(period_ns % NS_PER_S)};

	return (struct itimerspec){period, period};
}

/* --- What stops the program.  Each arms itself in the program, or in its tracer. */

static void
arm_timer(uint64_t period_ns)
{
	struct itimerspec spec = every(period_ns);
	struct sigevent event = {
		.sigev_notify = SIGEV_SIGNAL,
		.sigev_signo = SIGWINCH,
	};
	timer_t timer;

	if (timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &timer))
		refused("timer_create");
	if (timer_settime(timer, 0, &spec, NULL))
		die("timer_settime");
}

static int
arm_interrupt(uint64_t period_ns)
{
	struct itimerspec spec = every(period_ns);
	int fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);

	if (fd < 0 || timerfd_settime(fd, 0, &spec, NULL))
		die("timerfd");
	return fd;
}

struct source {
	const char *name;
	void (*arm_inside)(uint64_t period_ns);
	int (*arm_outside)(uint64_t period_ns); /* a descriptor to read */
};

static const struct source sources[] = {
	{.name = "timer", .arm_inside = arm_timer},
	{.name = "interrupt", .arm_outside = arm_interrupt},
};

static const struct source *
find_source(int argc, char **argv)
{
	const char *name = word(argc, argv, 1, "");

	for (size_t i = 0; i < sizeof sources / sizeof *sources; i++)
		if (!strcmp(sources[i].name, name))
			return &sources[i];
	usage(argv[0], "timer|interrupt [HZ [SECONDS [wall|cpu]]]");
}

/* --- The program. */

/* It begins when its tracer has written to GO, and not at all if that is gone.
 * It stays armed to its end: nothing but the tracer ever gets these signals. */
static __attribute__((noreturn)) void
be_stopped(const struct source *source, uint64_t period_ns, clockid_t clock,
	   uint64_t time_ns, const int go[2])
{
	static struct gaps gaps;
	char byte;

	close(go[1]);
	if (read(go[0], &byte, 1) != 1)
		_exit(99);
	if (source->arm_inside)
		source->arm_inside(period_ns);
	watch_clock(&gaps, clock, time_ns);
	fflush(stdout);
	_exit(0);
}

/* --- Its tracer. */

struct looks {
	size_t n;
	uint64_t at_ns[MOST_LOOKS];
};

static void
add_look(struct looks *looks, uint64_t now_ns)
{
	if (looks->n == MOST_LOOKS) {
		fputs("too many stops\n", stderr);
		exit(99);
	}
	looks->at_ns[looks->n++] = now_ns;
}

static void
seize(pid_t child)
{
	if (ptrace(PTRACE_SEIZE, child, NULL, (void *)PTRACE_O_EXITKILL))
		refused("ptrace");
}

/* The next period is over, and the program is asked to stop.  False once it has
 * ended. */
static bool
interrupt(pid_t child, int fd)
{
	uint64_t periods;

	if (read(fd, &periods, sizeof periods) != sizeof periods)
		die("timerfd");
	return !ptrace(PTRACE_INTERRUPT, child, NULL, NULL);
}

/* Until CHILD has ended; its wait status. */
static int
trace(pid_t child, int fd, struct looks *looks)
{
	int status = 0;

	for (;;) {
		if (fd >= 0 && !interrupt(child, fd))
			fd = -1;
		if (waitpid(child, &status, 0) != child)
			die("waitpid");
		if (!WIFSTOPPED(status))
			return status;
		add_look(looks, wall_ns());
		ptrace(PTRACE_CONT, child, NULL, NULL);
	}
}

int
main(int argc, char **argv)
{
	static struct looks looks;
	const struct source *source = find_source(argc, argv);
	clockid_t clock = clock_of_name(word(argc, argv, 4, "wall"));
	double rate_hz = number(argc, argv, 2, 1000);
	uint64_t time_ns = number_ns(argc, argv, 3, 0.5), period_ns;
	int fd = -1, go[2], status;
	pid_t child;

	if (rate_hz < 1 || argc > 5)
		usage(argv[0], "timer|interrupt [1<=HZ [SECONDS [wall|cpu]]]");
	period_ns = (uint64_t)((double)NS_PER_S / rate_hz);
	memset(&looks, 1, sizeof looks);
	looks.n = 0;
	if (pipe(go) || (child = fork()) < 0)
		die("fork");
	if (child == 0)
		be_stopped(source, period_ns, clock, time_ns, go);
	seize(child);
	if (write(go[1], "", 1) != 1)
		die("write");
	if (source->arm_outside)
		fd = source->arm_outside(period_ns);
	status = trace(child, fd, &looks);
	for (size_t i = 0; i < looks.n; i++)
		printf("look %llu\n", (unsigned long long)looks.at_ns[i]);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 99;
}
