/* receives - every way to receive a signal, or to hear of a child's.
 *
 *	receives [SECONDS]
 *
 * Goes through the ways of the table, over and over until SECONDS (0.5) of wall
 * time are over, beside a thread that takes CPU time; in each, what comes must be
 * what was sent, where and when it was to come.  Prints for each way, and `total`:
 *
 *	rounds NAME N
 *	wrong NAME N		0
 *	what NAME TEXT		the last of what was wrong, if anything was */
#include "work.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>

/* What the handler saw last. */
static volatile siginfo_t seen;
static volatile sig_atomic_t n_seen;
static volatile uintptr_t seen_at; /* an address on the stack that it ran on */
static pthread_t volatile seen_by;

static void
on_signal(int number, siginfo_t *info, void *context)
{
	(void)number;
	(void)context;
	memcpy((void *)&seen, info, sizeof *info);
	seen_at = (uintptr_t)&info;
	seen_by = pthread_self();
	n_seen++;
}

static void
catch_with(int number, int flags)
{
	struct sigaction action = {.sa_flags = SA_SIGINFO | flags};

	action.sa_sigaction = on_signal;
	sigaction(number, &action, NULL);
	n_seen = 0;
}

static void
set_default(int number)
{
	signal(number, SIG_DFL);
}

/* The first of these that is false is what was wrong. */
#define HOLDS(condition)                                                       \
	do {                                                                   \
		if (!(condition))                                              \
			return #condition;                                     \
	} while (0)

static void
send_value(int number, int value)
{
	union sigval with = {.sival_int = value};

	if (sigqueue(getpid(), number, with))
		die("sigqueue");
}

static sigset_t
only(int number)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, number);
	return set;
}

static const char *
by_alternate_stack(void)
{
	static char stack[65536];
	stack_t alternate = {.ss_sp = stack, .ss_size = sizeof stack};

	sigaltstack(&alternate, NULL);
	catch_with(SIGUSR1, SA_ONSTACK);
	raise(SIGUSR1);
	HOLDS(n_seen == 1);
	HOLDS(seen_at >= (uintptr_t)stack &&
	      seen_at < (uintptr_t)stack + sizeof stack);
	HOLDS(seen.si_code == SI_TKILL && seen.si_pid == getpid());
	return NULL;
}

/* A child signals a reader of a pipe, and then lets it read. */
static const char *
by_pipe(int flags)
{
	int pipes[2];
	char byte = 0;
	pid_t reader = getpid();

	catch_with(SIGUSR1, flags);
	if (pipe(pipes))
		die("pipe");
	pid_t child = fork();
	if (child == 0) {
		struct timespec pause = {0, 2000000};

		nanosleep(&pause, NULL);
		kill(reader, SIGUSR1);
		nanosleep(&pause, NULL);
		_exit(write(pipes[1], "x", 1) != 1);
	}
	ssize_t n = read(pipes[0], &byte, 1);
	int code = errno;
	/* Without a restart the signal can still have been before the call. */
	bool interrupted = n < 0 && code == EINTR;
	if (interrupted)
		n = read(pipes[0], &byte, 1);
	int status;
	while (waitpid(child, &status, 0) < 0)
		continue;
	close(pipes[0]);
	close(pipes[1]);
	HOLDS(n == 1 && byte == 'x' && status == 0);
	HOLDS(n_seen == 1 && seen.si_pid == child);
	HOLDS(!interrupted || !(flags & SA_RESTART));
	return NULL;
}

static const char *
by_restart(void)
{
	return by_pipe(SA_RESTART);
}

static const char *
by_interrupted_read(void)
{
	return by_pipe(0);
}

static const char *
by_sigwait(void)
{
	sigset_t set = only(SIGRTMIN + 1);
	siginfo_t info;
	int number = 0;

	sigprocmask(SIG_BLOCK, &set, NULL);
	send_value(SIGRTMIN + 1, 1);
	send_value(SIGRTMIN + 1, 2);
	HOLDS(sigwait(&set, &number) == 0 && number == SIGRTMIN + 1);
	HOLDS(sigwaitinfo(&set, &info) == SIGRTMIN + 1);
	HOLDS(info.si_value.sival_int == 2 && info.si_code == SI_QUEUE);
	return NULL;
}

static const char *
by_signalfd(void)
{
	sigset_t set = only(SIGRTMIN + 2);
	struct signalfd_siginfo info;

	sigprocmask(SIG_BLOCK, &set, NULL);
	int fd = signalfd(-1, &set, SFD_CLOEXEC);
	send_value(SIGRTMIN + 2, 77);
	ssize_t n = read(fd, &info, sizeof info);
	close(fd);
	HOLDS(n == (ssize_t)sizeof info);
	HOLDS(info.ssi_int == 77 && info.ssi_pid == (uint32_t)getpid());
	return NULL;
}

static void *
wait_for_two(void *arg)
{
	while (n_seen < 2)
		sched_yield();
	return arg;
}

static const char *
by_thread(void)
{
	sigset_t set = only(SIGUSR2), before;
	pthread_t thread;

	catch_with(SIGUSR2, SA_RESTART);
	if (pthread_create(&thread, NULL, wait_for_two, NULL))
		die("pthread_create");
	pthread_kill(thread, SIGUSR2);
	while (n_seen < 1)
		sched_yield();
	bool right = pthread_equal(seen_by, thread) && seen.si_code == SI_TKILL;
	/* That of the process goes to whoever does not block it. */
	pthread_sigmask(SIG_BLOCK, &set, &before);
	pthread_kill(thread, SIGUSR2);
	pthread_join(thread, NULL);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	HOLDS(right && n_seen == 2);
	return NULL;
}

static sigjmp_buf after_fault;

static void
on_fault(int number, siginfo_t *info, void *context)
{
	on_signal(number, info, context);
	siglongjmp(after_fault, 1);
}

static const char *
by_fault(void)
{
	struct sigaction action = {.sa_flags = SA_SIGINFO};
	volatile int *volatile nowhere = (int *)8;

	action.sa_sigaction = on_fault;
	sigaction(SIGSEGV, &action, NULL);
	n_seen = 0;
	if (!sigsetjmp(after_fault, 1))
		*nowhere = 1;
	set_default(SIGSEGV);
	HOLDS(n_seen == 1 && seen.si_code == SEGV_MAPERR);
	HOLDS(seen.si_addr == (void *)8);
	return NULL;
}

#if defined __x86_64__ || defined __i386__
static const char *
by_breakpoint(void)
{
	catch_with(SIGTRAP, 0);
	__asm__ volatile("int3");
	HOLDS(n_seen == 1 && seen.si_code == SI_KERNEL);
	raise(SIGTRAP);
	HOLDS(n_seen == 2 && seen.si_code == SI_TKILL);
	set_default(SIGTRAP);
	return NULL;
}
#endif

/* Timers of its own: two clocks, and an interval timer of the kind that other
 * profilers take for themselves. */
static const char *
by_timer(void)
{
	struct sigevent event = {.sigev_notify = SIGEV_SIGNAL,
				 .sigev_signo = SIGRTMIN + 3};
	struct itimerspec soon = {.it_value = {0, 1000000}};
	struct itimerval cpu = {.it_value = {0, 1000}}, none = {{0}, {0}};
	sigset_t set = only(SIGRTMIN + 3);
	siginfo_t info;
	timer_t timer;

	sigprocmask(SIG_BLOCK, &set, NULL);
	event.sigev_value.sival_int = 5;
	HOLDS(timer_create(CLOCK_MONOTONIC, &event, &timer) == 0);
	timer_settime(timer, 0, &soon, NULL);
	HOLDS(sigwaitinfo(&set, &info) == SIGRTMIN + 3);
	timer_delete(timer);
	HOLDS(info.si_code == SI_TIMER && info.si_value.sival_int == 5);
	catch_with(SIGPROF, SA_RESTART);
	setitimer(ITIMER_PROF, &cpu, NULL);
	uint64_t limit = wall_ns() + 5 * NS_PER_S;
	while (!n_seen && wall_ns() < limit)
		spend(TURNS_PER_US, 1);
	setitimer(ITIMER_PROF, &none, NULL);
	HOLDS(n_seen == 1 && seen.si_code == SI_KERNEL);
	set_default(SIGPROF);
	return NULL;
}

/* The next change of CHILD's state, told without a word of it being lost. */
static int
next_change(pid_t child, int *status)
{
	siginfo_t info;

	while (waitid(P_PID, (id_t)child, &info,
		      WEXITED | WSTOPPED | WCONTINUED))
		if (errno != EINTR)
			die("waitid");
	*status = info.si_status;
	return info.si_code;
}

/* Nothing comes for 3 ms.  (That a child has stopped can be told by waitid a
 * moment before the signal for it is sent, which is no fault.) */
static bool
stays_silent(struct pollfd *from)
{
	int n;

	do
		n = poll(from, 1, 3);
	while (n < 0 && errno == EINTR);
	return n == 0;
}

/* A shell's view of a job. */
static const char *
by_stopped_child(void)
{
	struct pollfd told = {.events = POLLIN};
	int ends[2], status;
	pid_t child;
	char byte;

	catch_with(SIGCHLD, SA_RESTART);
	if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends))
		die("socketpair");
	child = fork();
	if (child == 0) {
		raise(SIGSTOP);
		_exit(write(ends[1], "", 1) == 1 && read(ends[1], &byte, 1) == 1
			      ? 5
			      : 6);
	}
	HOLDS(next_change(child, &status) == CLD_STOPPED && status == SIGSTOP);
	told.fd = ends[0];
	bool stayed = stays_silent(&told);
	kill(child, SIGCONT);
	int code = next_change(child, &status);
	bool heard = write(ends[0], "", 1) == 1;
	HOLDS(next_change(child, &status) == CLD_EXITED && status == 5);
	close(ends[0]);
	close(ends[1]);
	set_default(SIGCHLD);
	HOLDS(stayed && heard && code == CLD_CONTINUED);
	HOLDS(n_seen >= 1 && seen.si_pid == child);
	return NULL;
}

static const char *
by_killed_child(void)
{
	int status;
	pid_t child = fork();

	if (child == 0) {
		pause();
		_exit(0);
	}
	kill(child, SIGTERM);
	HOLDS(next_change(child, &status) == CLD_KILLED && status == SIGTERM);
	return NULL;
}

/* An orphan's end is told to the one that takes in orphans. */
static const char *
by_grandchild(void)
{
	sigset_t set = only(SIGCHLD), before;
	pid_t grandchild = 0, child, adopter = getpid();
	int pipes[2], status, pid_status;

	prctl(PR_SET_CHILD_SUBREAPER, 1);
	sigprocmask(SIG_BLOCK, &set, &before);
	if (pipe(pipes))
		die("pipe");
	child = fork();
	if (child == 0) {
		grandchild = fork();
		if (grandchild == 0) {
			while (getppid() != adopter)
				sched_yield();
			_exit(9);
		}
		_exit(write(pipes[1], &grandchild, sizeof grandchild) < 0);
	}
	waitpid(child, &status, 0);
	HOLDS(read(pipes[0], &grandchild, sizeof grandchild) > 0);
	HOLDS(waitpid(-1, &pid_status, 0) == grandchild);
	close(pipes[0]);
	close(pipes[1]);
	sigprocmask(SIG_SETMASK, &before, NULL);
	HOLDS(status == 0 && WEXITSTATUS(pid_status) == 9);
	return NULL;
}

/* The C library keeps signal 33 for itself: what is done with another is done
 * with it, too, by the kernel alone. */
static void
do_likewise(int number, int like, void *before, size_t size)
{
	enum { SET_BYTES = 8 };
	char action[64] = {0};

	if (size != sizeof action ||
	    syscall(SYS_rt_sigaction, like, NULL, action, SET_BYTES) ||
	    syscall(SYS_rt_sigaction, number, action, before, SET_BYTES))
		die("rt_sigaction");
}

/* A clone whose end is told by a signal that profrun uses for itself. */
static const char *
by_clones_signal(void)
{
	enum { NUMBER = 33, MOST_MS = 5000 };
	const struct timespec pause = {0, 1000000};
	char before[64] = {0};
	int status = 0;

	catch_with(SIGUSR1, SA_RESTART);
	do_likewise(NUMBER, SIGUSR1, before, sizeof before);
	pid_t child = (pid_t)syscall(SYS_clone, NUMBER, 0, 0, 0, 0);
	if (child == 0)
		_exit(9);
	pid_t ended = waitpid(child, &status, __WALL);
	for (int i = 0; i < MOST_MS && n_seen == 0; i++)
		nanosleep(&pause, NULL);
	if (syscall(SYS_rt_sigaction, NUMBER, before, NULL, 8))
		die("rt_sigaction");
	HOLDS(ended == child && WEXITSTATUS(status) == 9);
	HOLDS(n_seen == 1);
	HOLDS(seen.si_signo == NUMBER && seen.si_code == CLD_EXITED);
	HOLDS(seen.si_pid == child && seen.si_status == 9);
	return NULL;
}

static struct way {
	const char *name;
	const char *(*receive)(void);
	unsigned rounds, wrong;
	const char *what;
} ways[] = {
	{.name = "alternate_stack", .receive = by_alternate_stack},
	{.name = "restart", .receive = by_restart},
	{.name = "interrupted_read", .receive = by_interrupted_read},
	{.name = "sigwait", .receive = by_sigwait},
	{.name = "signalfd", .receive = by_signalfd},
	{.name = "thread", .receive = by_thread},
	{.name = "fault", .receive = by_fault},
#if defined __x86_64__ || defined __i386__
	{.name = "breakpoint", .receive = by_breakpoint},
#endif
	{.name = "timer", .receive = by_timer},
	{.name = "stopped_child", .receive = by_stopped_child},
	{.name = "killed_child", .receive = by_killed_child},
	{.name = "grandchild", .receive = by_grandchild},
	{.name = "clones_signal", .receive = by_clones_signal},
};
enum { N_WAYS = sizeof ways / sizeof *ways };

static atomic_int over;

static void *
burn(void *arg)
{
	while (!over)
		spend(100 * TURNS_PER_US, 1);
	return arg;
}

/* It takes no signal: those of the process are for the first thread. */
static pthread_t
start_burner(void)
{
	sigset_t all, before;
	pthread_t burner;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	if (pthread_create(&burner, NULL, burn, NULL))
		die("pthread_create");
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return burner;
}

static void
take_round(struct way *way)
{
	const char *what = way->receive();

	way->rounds++;
	if (!what)
		return;
	way->wrong++;
	way->what = what;
}

int
main(int argc, char **argv)
{
	uint64_t end_ns = wall_ns() + number_ns(argc, argv, 1, 0.5);
	pthread_t burner = start_burner();
	unsigned rounds = 0, wrong = 0;

	do {
		for (size_t i = 0; i < N_WAYS; i++)
			take_round(&ways[i]);
	} while (wall_ns() < end_ns);
	over = 1;
	pthread_join(burner, NULL);
	for (size_t i = 0; i < N_WAYS; i++) {
		printf("rounds %s %u\nwrong %s %u\n", ways[i].name,
		       ways[i].rounds, ways[i].name, ways[i].wrong);
		if (ways[i].what)
			printf("what %s %s\n", ways[i].name, ways[i].what);
		rounds += ways[i].rounds;
		wrong += ways[i].wrong;
	}
	printf("rounds total %u\nwrong total %u\n", rounds, wrong);
	return 0;
}
