/* signals - every signal arrives, once, in order, with what was sent along.
 *
 *	signals [SECONDS]
 *
 * A child queues each signal that can be caught, one at a time, with a value;
 * number, code, sender and value must be those announced, and the handler must
 * have run when the child says that it is sent.  Then it queues real-time
 * signals while they are blocked, in mixed order; they must come out lowest
 * number first, and within a number in the order of sending.  Work in between
 * takes CPU time, until SECONDS (1) are used.  On x86-64 the two signals that
 * libc keeps for itself (32, 33) are among them.  Prints
 *
 *	types N		different signals
 *	sent N
 *	lost N		did not come; 0
 *	changed N	came with something else than was sent; 0
 *	extra N		came although nobody sent them; 0
 *	disordered N	were not in their place; 0
 *	cpu_seconds S */
#include "work.h"

#include <errno.h>
#include <signal.h>
#include <string.h>

#define MOST 64

struct message {
	int number, value;
};

struct arrival {
	struct message message;
	int code;
	pid_t sender;
};

/* What the handler saw since this was last emptied. */
static volatile sig_atomic_t n_arrived;
static volatile struct arrival arrived[MOST];

static void
on_signal(int number, siginfo_t *info, void *context)
{
	sig_atomic_t n = n_arrived;

	(void)context;
	n_arrived = n + 1;
	if (n >= MOST)
		return;
	arrived[n].message.number = number;
	arrived[n].message.value = info->si_value.sival_int;
	arrived[n].code = info->si_code;
	arrived[n].sender = info->si_pid;
}

/* The signals libc reserves: it will not set them, so the kernel is asked,
 * which wants to be told a way back. */
#ifdef __x86_64__
void signals_return(void);
__asm__(".pushsection .text\n"
	"signals_return: movl $15, %eax\n"
	"syscall\n"
	".popsection");

static int
catch_reserved(int number)
{
	struct {
		void (*handler)(int, siginfo_t *, void *);
		unsigned long flags;
		void (*restorer)(void);
		uint64_t mask;
	} action = {on_signal, SA_SIGINFO | SA_RESTART | 0x04000000,
		    signals_return, 0};

	return (int)syscall(SYS_rt_sigaction, number, &action, NULL,
			    sizeof action.mask);
}
#else
static int
catch_reserved(int number)
{
	(void)number;
	return -1;
}
#endif

/* Not 0 if signal NUMBER cannot be caught. */
static int
catch_signal(int number)
{
	struct sigaction action = {.sa_flags = SA_SIGINFO | SA_RESTART};

	if (number == SIGKILL || number == SIGSTOP)
		return -1;
	if (number == 32 || number == 33)
		return catch_reserved(number);
	/* One handler at a time, or the last would be the first to run. */
	sigfillset(&action.sa_mask);
	action.sa_sigaction = on_signal;
	return sigaction(number, &action, NULL);
}

/* What the other process does: it queues what it is told to, and says so. */
static void
run_sender(pid_t to, int from_fd, int done_fd)
{
	struct message message;

	while (read(from_fd, &message, sizeof message) ==
	       (ssize_t)sizeof message) {
		siginfo_t info;

		memset(&info, 0, sizeof info);
		info.si_code = SI_QUEUE;
		info.si_pid = getpid();
		info.si_uid = getuid();
		info.si_value.sival_int = message.value;
		/* libc would not send the signals it reserves. */
		if (syscall(SYS_rt_sigqueueinfo, to, message.number, &info))
			die("rt_sigqueueinfo");
		if (write(done_fd, "", 1) != 1)
			break;
	}
	_exit(0);
}

struct sender {
	pid_t pid;
	int to_fd, done_fd;
};

static struct sender
start_sender(void)
{
	struct sender sender = {0};
	int orders[2], answers[2];
	pid_t parent = getpid();

	if (pipe(orders) || pipe(answers))
		die("pipe");
	sender.pid = fork();
	if (sender.pid < 0)
		die("fork");
	if (sender.pid == 0) {
		close(orders[1]);
		close(answers[0]);
		run_sender(parent, orders[0], answers[1]);
	}
	close(orders[0]);
	close(answers[1]);
	sender.to_fd = orders[1];
	sender.done_fd = answers[0];
	return sender;
}

static void
order(const struct sender *sender, struct message message)
{
	char done;

	if (write(sender->to_fd, &message, sizeof message) !=
		    (ssize_t)sizeof message ||
	    read(sender->done_fd, &done, 1) != 1)
		die("the sender");
}

struct tally {
	unsigned types, sent, lost, changed, extra, disordered;
};

/* Compares what has arrived with the N that were to come, and empties it. */
static void
take(struct tally *tally, const struct sender *sender,
     const struct message *expected, unsigned n)
{
	unsigned n_came = (unsigned)n_arrived;

	tally->sent += n;
	tally->lost += n > n_came ? n - n_came : 0;
	tally->extra += n_came > n ? n_came - n : 0;
	for (unsigned i = 0; i < n && i < n_came; i++) {
		if (arrived[i].message.number != expected[i].number ||
		    arrived[i].message.value != expected[i].value)
			tally->disordered++;
		else if (arrived[i].code != SI_QUEUE ||
			 arrived[i].sender != sender->pid)
			tally->changed++;
	}
	n_arrived = 0;
}

static void
send_one_by_one(struct tally *tally, const struct sender *sender,
		const int *catchable, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		struct message message = {
			.number = catchable[i],
			.value = (int)(tally->sent + 1),
		};

		order(sender, message);
		take(tally, sender, &message, 1);
		spend(20 * TURNS_PER_US, 1);
	}
}

/* Three of each of eight signals, highest number first. */
static void
send_while_blocked(struct tally *tally, const struct sender *sender)
{
	struct message expected[24];
	sigset_t blocked, before;

	sigfillset(&blocked);
	sigprocmask(SIG_BLOCK, &blocked, &before);
	for (unsigned i = 0; i < 24; i++) {
		unsigned type = 7 - i % 8;
		struct message message = {
			.number = SIGRTMIN + (int)type,
			.value = (int)(tally->sent + i),
		};

		order(sender, message);
		expected[type * 3 + i / 8] = message;
		spend(20 * TURNS_PER_US, 2);
	}
	sigprocmask(SIG_SETMASK, &before, NULL);
	take(tally, sender, expected, 24);
}

int
main(int argc, char **argv)
{
	uint64_t quota_ns = number_ns(argc, argv, 1, 1.0);
	struct sender sender = start_sender();
	struct tally tally = {0};
	struct budget time = budget(quota_ns);
	int catchable[MOST];

	for (int number = 1; number <= MOST; number++) {
		if (!catch_signal(number))
			catchable[tally.types++] = number;
	}
	do {
		send_one_by_one(&tally, &sender, catchable, tally.types);
		send_while_blocked(&tally, &sender);
	} while (is_left(&time));
	take(&tally, &sender, NULL, 0);
	printf("types %u\nsent %u\nlost %u\nchanged %u\nextra %u\n",
	       tally.types, tally.sent, tally.lost, tally.changed, tally.extra);
	printf("disordered %u\n", tally.disordered);
	printf("cpu_seconds %.6f\n", seconds(process_ns()));
	return 0;
}
