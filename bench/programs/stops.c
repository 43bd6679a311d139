/* stops - the least that a stop under ptrace takes.
 *
 *	stops timer|interrupt [HZ [SECONDS [wall|cpu [KIB]]]]
 *
 * A program that looks at a clock, see gaps, without pause for SECONDS (0.5) is
 * stopped HZ (1000) times a second, by one of the two things that can do it: the
 * signals of a timer on its CPU clock, or PTRACE_INTERRUPT by a timer of the
 * tracer.  The tracer writes down when it was told of each stop and lets the
 * program go on: no look at a register, no other request, no thread to be woken.
 * The stops are as far apart as those of a profiler, and so find caches as cold.
 * With KIB it reads the registers, and copies the KIB of stack that the program has:
 * the least that a sample with its stack can do.
 *
 * Prints what watch_clock() does (gaps.h), where the parent is the tracer, and for
 * each stop, in ns of the wall clock,
 *
 *	look T
 *	copied NS	with KIB: what registers and copy took */
#include "gaps.h"

#include <elf.h>
#include <errno.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>

#define MOST_LOOKS 131072u
#define MOST_STACK (1u << 20)

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
	usage(argv[0], "timer|interrupt [HZ [SECONDS [wall|cpu [KIB]]]]");
}

/* --- The program. */

/* Its loop is called with at least SIZE bytes of stack that it has written to. */
static void
watch_with_stack(struct gaps *gaps, clockid_t clock, uint64_t time_ns,
		 size_t size)
{
	volatile char stack[MOST_STACK + 1];

	for (size_t i = 0; i <= size; i++)
		stack[i] = (char)i;
	watch_clock(gaps, clock, time_ns);
	if (stack[size] != (char)size) /* it is there until then */
		_exit(99);
}

/* It begins when its tracer has written to GO, and not at all if that is gone.
 * It stays armed to its end: nothing but the tracer ever gets these signals. */
static __attribute__((noreturn)) void
be_stopped(const struct source *source, uint64_t period_ns, clockid_t clock,
	   uint64_t time_ns, size_t stack_size, const int go[2])
{
	static struct gaps gaps;
	char byte;

	close(go[1]);
	if (read(go[0], &byte, 1) != 1)
		_exit(99);
	if (source->arm_inside)
		source->arm_inside(period_ns);
	watch_with_stack(&gaps, clock, time_ns, stack_size);
	fflush(stdout);
	_exit(0);
}

/* --- Its tracer. */

struct looks {
	size_t n;
	uint64_t at_ns[MOST_LOOKS], copied_ns[MOST_LOOKS];
};

/* The copy of SIZE bytes from the stack pointer of CHILD on. */
static void
copy_stack(pid_t child, size_t size)
{
	static char copy[MOST_STACK];
	struct user_regs_struct regs;
	struct iovec registers = {&regs, sizeof regs}, to = {copy, size}, from;

	if (ptrace(PTRACE_GETREGSET, child, (void *)NT_PRSTATUS, &registers))
		die("PTRACE_GETREGSET");
#ifdef __x86_64__
	from = (struct iovec){(void *)regs.rsp, size};
#else
	from = (struct iovec){(void *)regs.sp, size};
#endif
	if (process_vm_readv(child, &to, 1, &from, 1, 0) != (ssize_t)size)
		die("process_vm_readv");
}

static void
add_look(struct looks *looks, pid_t child, size_t stack_size)
{
	uint64_t now_ns = wall_ns();

	if (looks->n == MOST_LOOKS) {
		fputs("too many stops\n", stderr);
		exit(99);
	}
	looks->at_ns[looks->n] = now_ns;
	if (stack_size) {
		copy_stack(child, stack_size);
		looks->copied_ns[looks->n] = wall_ns() - now_ns;
	}
	looks->n++;
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
trace(pid_t child, int fd, size_t stack_size, struct looks *looks)
{
	int status = 0;

	for (;;) {
		if (fd >= 0 && !interrupt(child, fd))
			fd = -1;
		if (waitpid(child, &status, 0) != child)
			die("waitpid");
		if (!WIFSTOPPED(status))
			return status;
		add_look(looks, child, stack_size);
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
	double kib = number(argc, argv, 5, 0);
	int fd = -1, go[2], status;
	pid_t child;

	if (rate_hz < 1 || kib < 0 || kib > 1024 || argc > 6)
		usage(argv[0], "timer|interrupt [1<=HZ [SECONDS [wall|cpu "
			       "[KIB<=1024]]]]");
	size_t stack_size = (size_t)kib * 1024;
	period_ns = (uint64_t)((double)NS_PER_S / rate_hz);
	memset(&looks, 1, sizeof looks);
	looks.n = 0;
	if (pipe(go) || (child = fork()) < 0)
		die("fork");
	if (child == 0)
		be_stopped(source, period_ns, clock, time_ns, stack_size, go);
	seize(child);
	if (write(go[1], "", 1) != 1)
		die("write");
	if (source->arm_outside)
		fd = source->arm_outside(period_ns);
	status = trace(child, fd, stack_size, &looks);
	for (size_t i = 0; i < looks.n; i++) {
		printf("look %llu\n", (unsigned long long)looks.at_ns[i]);
		if (stack_size)
			printf("copied %llu\n",
			       (unsigned long long)looks.copied_ns[i]);
	}
	return WIFEXITED(status) ? WEXITSTATUS(status) : 99;
}
