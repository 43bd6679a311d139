/* blocked_others - waits for messages, semaphores, signals and children. */
#include "blocked.h"

#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <sched.h>
#include <signal.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/sem.h>
#include <sys/wait.h>

static const struct timespec long_time = {LONG_S, 0};

static void
remove_semaphore(int id)
{
	semctl(id, 0, IPC_RMID);
}

static void
remove_queue(int id)
{
	msgctl(id, IPC_RMID, NULL);
}

static int
make_semaphore(struct seat *seat)
{
	return seat_leaves(seat, semget(IPC_PRIVATE, 1, 0600),
			   remove_semaphore);
}

static int
make_queue(struct seat *seat)
{
	return seat_leaves(seat, msgget(IPC_PRIVATE, 0600), remove_queue);
}

static void
in_semop(struct seat *seat)
{
	struct sembuf lower = {0, -1, 0};
	int id = make_semaphore(seat);

	SIT(seat, semop(id, &lower, 1));
}

static void
in_semtimedop(struct seat *seat)
{
	struct sembuf lower = {0, -1, 0};
	int id = make_semaphore(seat);

	SIT(seat, semtimedop(id, &lower, 1, &long_time));
}

static void
in_msgrcv(struct seat *seat)
{
	struct {
		long type;
		char text[1];
	} message;
	int id = make_queue(seat);

	SIT(seat, msgrcv(id, &message, sizeof message.text, 0, 0));
}

static void
in_msgsnd(struct seat *seat)
{
	struct {
		long type;
		char text[1024];
	} message = {.type = 1};
	int id = make_queue(seat);

	while (!msgsnd(id, &message, sizeof message.text, IPC_NOWAIT))
		continue;
	SIT(seat, msgsnd(id, &message, sizeof message.text, 0));
}

/* A queue without a name; LETTER keeps those of two threads apart. */
static mqd_t
make_posix_queue(struct seat *seat, char letter)
{
	struct mq_attr attributes = {.mq_maxmsg = 1, .mq_msgsize = 16};
	char name[64];
	mqd_t queue;

	snprintf(name, sizeof name, "/blocked-%d-%c", (int)getpid(), letter);
	queue = mq_open(name, O_RDWR | O_CREAT | O_EXCL, 0600, &attributes);
	seat_needs(seat, queue);
	mq_unlink(name);
	return queue;
}

static void
in_mq_receive(struct seat *seat)
{
	mqd_t queue = make_posix_queue(seat, 'a');
	char text[16];

	SIT(seat, mq_receive(queue, text, sizeof text, NULL));
}

static void
in_mq_timedreceive(struct seat *seat)
{
	mqd_t queue = make_posix_queue(seat, 'b');
	struct timespec end;
	char text[16];

	clock_gettime(CLOCK_REALTIME, &end);
	end.tv_sec += LONG_S;
	SIT(seat, mq_timedreceive(queue, text, sizeof text, NULL, &end));
}

/* A signal that is blocked here, one for each wait; nobody sends it. */
static sigset_t
one_signal(int number)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, number);
	return set;
}

static void
in_sigwait(struct seat *seat)
{
	sigset_t set = one_signal(SIGRTMIN + 1);
	int number;

	SIT_PTHREAD(seat, sigwait(&set, &number));
}

static void
in_sigwaitinfo(struct seat *seat)
{
	sigset_t set = one_signal(SIGRTMIN + 2);

	SIT(seat, sigwaitinfo(&set, NULL));
}

static void
in_sigtimedwait(struct seat *seat)
{
	sigset_t set = one_signal(SIGRTMIN + 3);

	SIT(seat, sigtimedwait(&set, NULL, &long_time));
}

static void
in_sigsuspend(struct seat *seat)
{
	sigset_t set = one_signal(SIGRTMIN + 4);

	SIT(seat, sigsuspend(&set));
}

static void
in_pause(struct seat *seat)
{
	SIT(seat, pause());
}

/* The thread that waits for it takes it from here. */
static void
end_child(int pid)
{
	kill(pid, SIGKILL);
	while (!kill(pid, 0))
		sched_yield();
}

/* A child that sleeps, not longer than the thread that made it. */
static pid_t
make_child(struct seat *seat)
{
	/* Copies of others' sockets would keep them open: it has none. */
	pid_t parent = getpid();
	pid_t child = (pid_t)syscall(SYS_clone, CLONE_FILES | SIGCHLD, NULL,
				     NULL, NULL, NULL);

	if (child)
		return seat_leaves(seat, child, end_child);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	while (getppid() == parent)
		pause();
	_exit(0);
}

static void
in_wait4(struct seat *seat)
{
	pid_t child = make_child(seat);

	SIT(seat, waitpid(child, NULL, 0));
}

static void
in_waitid(struct seat *seat)
{
	pid_t child = make_child(seat);
	siginfo_t info;

	SIT(seat, waitid(P_PID, (id_t)child, &info, WEXITED));
}

const struct place blocked_others[] = {
	{"semop", in_semop},
	{"semtimedop", in_semtimedop},
	{"msgrcv", in_msgrcv},
	{"msgsnd", in_msgsnd},
	{"mq_receive", in_mq_receive},
	{"mq_timedreceive", in_mq_timedreceive},
	{"sigwait", in_sigwait},
	{"sigwaitinfo", in_sigwaitinfo},
	{"sigtimedwait", in_sigtimedwait},
	{"sigsuspend", in_sigsuspend},
	{"pause", in_pause},
	{"wait4", in_wait4},
	{"waitid", in_waitid},
	{NULL, NULL},
};
