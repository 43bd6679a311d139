/* ignored - signals that are ignored wake nobody.
 *
 *	ignored [ROUNDS [stopped]]
 *
 * Two threads sleep in a system call that a handled signal would end with EINTR.
 * Once they are asleep another sends one of them signals that are ignored:
 * SIGCHLD, SIGWINCH, SIGURG and SIGCONT, which are ignored by default, SIGUSR1 and
 * SIGPIPE by SIG_IGN; each ROUNDS (1) times.  The kernel leaves the sleepers
 * asleep; that of traced threads wakes the one, and for SIGCONT the other, too.
 * Prints for each wait, and `total`:
 *
 *	sent NAME N
 *	woken NAME N	waits of both that ended with EINTR; 0
 *	refused NAME	instead, if the machine does not allow it
 *
 * But who is stopped by SIGSTOP in such a call, and goes on by SIGCONT, is woken:
 * with the word `stopped` each wait is that of a process to which this happens
 * ROUNDS times, and what is printed is
 *
 *	stopped NAME N
 *	slept NAME N	after SIGCONT, of these; 0 */
#include "task.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/epoll.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>

#define LONG_S 600
#define PATIENCE_NS (20 * NS_PER_S)

/* Makes what one waits for; -1 if the machine refuses it. */
static int
make_epoll(void)
{
	return epoll_create1(0);
}

static int
make_semaphore(void)
{
	return semget(IPC_PRIVATE, 1, 0600);
}

static int
make_socket(void)
{
	const struct timeval limit = {LONG_S, 0};
	int ends[2];

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) ||
	    setsockopt(ends[0], SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit))
		return -1;
	return ends[0];
}

static int
make_nothing(void)
{
	return 0;
}

static long
wait_epoll(int fd)
{
	struct epoll_event event;

	return epoll_wait(fd, &event, 1, LONG_S * 1000);
}

static long
wait_semaphore(int id)
{
	struct sembuf lower = {0, -1, 0};

	return semop(id, &lower, 1);
}

static long
wait_socket(int fd)
{
	char byte;

	return recv(fd, &byte, 1, 0);
}

/* For a signal that is blocked here and that nobody sends; by the system call,
 * because some libc goes on waiting after EINTR. */
static long
wait_signal(int nothing)
{
	const struct timespec limit = {LONG_S, 0};
	const uint64_t set = UINT64_C(1) << (SIGRTMAX - 1);

	(void)nothing;
	return syscall(SYS_rt_sigtimedwait, &set, NULL, &limit, sizeof set);
}

static void
remove_semaphore(int id)
{
	semctl(id, 0, IPC_RMID);
}

static const struct wait {
	const char *name;
	int (*make)(void);
	long (*wait)(int thing);
	void (*remove)(int thing);
} waits[] = {
	{"epoll_wait", make_epoll, wait_epoll, NULL},
	{"semop", make_semaphore, wait_semaphore, remove_semaphore},
	{"recv_timeout", make_socket, wait_socket, NULL},
	{"sigtimedwait", make_nothing, wait_signal, NULL},
};

static const int numbers[] = {SIGCHLD, SIGWINCH, SIGURG,
			      SIGCONT, SIGUSR1,  SIGPIPE};

struct sleeper {
	const struct wait *wait;
	int thing;
	atomic_long tid;
	atomic_uint woken;
	atomic_int leave, gone;
};

static void *
run_sleeper(void *arg)
{
	struct sleeper *sleeper = arg;

	sleeper->tid = syscall(SYS_gettid);
	while (!sleeper->leave) {
		if (sleeper->wait->wait(sleeper->thing) < 0 && errno != EINTR)
			die(sleeper->wait->name);
		if (!sleeper->leave)
			sleeper->woken++;
	}
	sleeper->gone = 1;
	return NULL;
}

/* Until the sleeper sleeps again and has done with signal NUMBER. */
static void
let_settle(const struct sleeper *sleeper, int number)
{
	uint64_t limit = wall_ns() + PATIENCE_NS;

	while (!sleeper->tid || task_has_pending(sleeper->tid, number) ||
	       !task_is_asleep(sleeper->tid)) {
		if (wall_ns() > limit)
			die("the sleeper does not sleep");
		sched_yield();
	}
}

static void
send_ignored(const struct sleeper *sleeper, int number)
{
	if (syscall(SYS_tgkill, getpid(), sleeper->tid, number))
		die("tgkill");
}

static void
nothing(int number)
{
	(void)number;
}

/* A handled signal ends the wait; the first may come before it has begun. */
static void
end_sleep(struct sleeper *sleeper)
{
	uint64_t limit = wall_ns() + PATIENCE_NS;
	struct sigaction action = {0};

	action.sa_handler = nothing;
	sigaction(SIGUSR2, &action, NULL);
	sleeper->leave = 1;
	while (!sleeper->gone) {
		if (wall_ns() > limit)
			die("the sleeper does not wake");
		syscall(SYS_tgkill, getpid(), sleeper->tid, SIGUSR2);
		spend(100 * TURNS_PER_US, 1);
	}
}

/* The number of times that the sleepers were woken by N_SENT signals to the
 * first. */
static unsigned
disturb(const struct wait *wait, int thing, unsigned rounds, unsigned *n_sent)
{
	enum { N_SLEEPERS = 2 };
	const size_t n = sizeof numbers / sizeof *numbers;
	struct sleeper sleepers[N_SLEEPERS] = {{0}};
	pthread_t threads[N_SLEEPERS];
	unsigned woken = 0;

	for (int i = 0; i < N_SLEEPERS; i++) {
		sleepers[i].wait = wait;
		sleepers[i].thing = thing;
		if (pthread_create(&threads[i], NULL, run_sleeper,
				   &sleepers[i]))
			die("pthread_create");
		let_settle(&sleepers[i], SIGUSR2);
	}
	for (size_t i = 0; i < rounds * n; i++) {
		send_ignored(&sleepers[0], numbers[i % n]);
		for (int j = 0; j < N_SLEEPERS; j++)
			let_settle(&sleepers[j], numbers[i % n]);
		++*n_sent;
	}
	for (int i = 0; i < N_SLEEPERS; i++) {
		end_sleep(&sleepers[i]);
		pthread_join(threads[i], NULL);
		woken += sleepers[i].woken;
	}
	return woken;
}

/* --- Stopped in a call */

/* Its end, if it is the next. */
static bool
has_stopped(pid_t child)
{
	int status;

	if (waitpid(child, &status, WUNTRACED) != child)
		die("waitpid");
	return WIFSTOPPED(status);
}

static void
until_asleep(pid_t child, const atomic_int *has_returned)
{
	char path[64], text[512];
	uint64_t limit = wall_ns() + PATIENCE_NS;
	const char *state;

	snprintf(path, sizeof path, "/proc/%d/stat", child);
	do {
		FILE *file = fopen(path, "r");

		if (wall_ns() > limit || !file)
			die("the sleeper does not sleep");
		text[fread(text, 1, sizeof text - 1, file)] = '\0';
		fclose(file);
		state = strrchr(text, ')');
		sched_yield();
	} while (!*has_returned && (!state || strncmp(state, ") S", 3) != 0));
}

/* Does a process sleep on in WAIT that is stopped there and goes on? */
static bool
sleeps_on(const struct wait *wait, int thing)
{
	atomic_int *has_returned =
		mmap(NULL, sizeof *has_returned, PROT_READ | PROT_WRITE,
		     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	pid_t child;
	bool sleeps;

	if (has_returned == MAP_FAILED)
		die("mmap");
	child = fork();
	if (child < 0)
		die("fork");
	if (child == 0) {
		wait->wait(thing);
		*has_returned = 1;
		_exit(0);
	}
	until_asleep(child, has_returned);
	kill(child, SIGSTOP);
	if (!has_stopped(child))
		die("a sleeper has ended");
	kill(child, SIGCONT);
	until_asleep(child, has_returned);
	sleeps = !*has_returned;
	kill(child, SIGKILL);
	if (has_stopped(child))
		die("a sleeper stops again");
	munmap(has_returned, sizeof *has_returned);
	return sleeps;
}

/* All of them. */
static void
stop_sleepers(unsigned rounds)
{
	unsigned n_stopped = 0, all_slept = 0;

	for (size_t i = 0; i < sizeof waits / sizeof *waits; i++) {
		int thing = waits[i].make();
		unsigned slept = 0;

		if (thing < 0) {
			printf("refused %s\n", waits[i].name);
			continue;
		}
		for (unsigned j = 0; j < rounds; j++)
			slept += sleeps_on(&waits[i], thing);
		if (waits[i].remove)
			waits[i].remove(thing);
		printf("stopped %s %u\nslept %s %u\n", waits[i].name, rounds,
		       waits[i].name, slept);
		n_stopped += rounds;
		all_slept += slept;
	}
	printf("stopped total %u\nslept total %u\n", n_stopped, all_slept);
}

int
main(int argc, char **argv)
{
	unsigned rounds = (unsigned)number(argc, argv, 1, 1);
	unsigned all_sent = 0, all_woken = 0;
	sigset_t blocked;

	sigemptyset(&blocked);
	sigaddset(&blocked, SIGRTMAX);
	sigprocmask(SIG_BLOCK, &blocked, NULL);
	signal(SIGUSR1, SIG_IGN);
	signal(SIGPIPE, SIG_IGN);
	if (argc > 2) {
		stop_sleepers(rounds);
		return 0;
	}
	for (size_t i = 0; i < sizeof waits / sizeof *waits; i++) {
		int thing = waits[i].make();
		unsigned sent = 0, woken;

		if (thing < 0) {
			printf("refused %s\n", waits[i].name);
			continue;
		}
		woken = disturb(&waits[i], thing, rounds, &sent);
		if (waits[i].remove)
			waits[i].remove(thing);
		printf("sent %s %u\n", waits[i].name, sent);
		printf("woken %s %u\n", waits[i].name, woken);
		all_sent += sent;
		all_woken += woken;
	}
	printf("sent total %u\nwoken total %u\n", all_sent, all_woken);
	return 0;
}
