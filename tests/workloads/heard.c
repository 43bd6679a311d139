/* heard - every signal that is sent to another process comes to this one.
 *
 *	heard [PID [QUEUED]]
 *
 * A child sends signals to PID (0: to this process), who is to pass them on: each
 * that can be, once plainly and once with a value, one at a time; then QUEUED
 * (50) of each of two real-time signals at once, with values.  This process
 * itself sends those that ask to end: if another one does so again and again,
 * the process that passes them on has to end.  Left out are those of children and
 * of job control, and what the C library keeps for itself.  All are blocked here
 * and waited for, up to 10 s for each.  Prints
 *
 *	types N		different signals
 *	sent N
 *	lost N		did not come; 0
 *	changed N	came with something else than was sent; 0
 *	extra N		came although nobody sent them; 0
 *	disordered N	were not in their place; 0 */
#include "work.h"

#include <signal.h>
#include <string.h>
#include <sys/wait.h>

enum { PATIENCE_S = 10, N_SIGNALS = 65 };

struct tally {
	unsigned types, sent, lost, changed, extra, disordered;
};

static int
is_passed_on(int number)
{
	switch (number) {
	case SIGKILL:
	case SIGSTOP:
	case SIGCHLD:
	case SIGCONT:
	case SIGTSTP:
	case SIGTTIN:
	case SIGTTOU:
	case 32:
	case 33:
		return 0;
	}
	return 1;
}

static int
asks_to_end(int number)
{
	return number == SIGHUP || number == SIGINT || number == SIGQUIT ||
	       number == SIGTERM;
}

/* A VALUE of 0: plainly. */
static void
send(pid_t to, int number, int value)
{
	int rc =
		value ? sigqueue(to, number, (union sigval){.sival_int = value})
		      : kill(to, number);

	if (rc)
		die("a signal");
}

static pid_t
begin_child(void)
{
	pid_t child = fork();

	if (child < 0)
		die("fork");
	return child;
}

static void
end_child(pid_t child)
{
	int status;

	if (waitpid(child, &status, 0) != child || status)
		exit(99);
}

/* The next signal; its number, or -1 if there is none within S seconds. */
static int
hear(siginfo_t *info, long s)
{
	const struct timespec patience = {.tv_sec = s};
	sigset_t all;

	sigfillset(&all);
	sigdelset(&all, SIGCHLD);
	return sigtimedwait(&all, info, &patience);
}

static void
expect(struct tally *tally, pid_t sender, int number, int value)
{
	siginfo_t info;
	int heard = hear(&info, PATIENCE_S);

	tally->sent++;
	if (heard < 0)
		tally->lost++;
	else if (heard != number || (value && info.si_value.sival_int != value))
		tally->disordered++;
	else if (value ? info.si_code != SI_QUEUE || info.si_pid != sender
		       : info.si_code != SI_USER)
		tally->changed++;
}

static void
send_one(struct tally *tally, pid_t to, int number, int value)
{
	if (asks_to_end(number)) {
		send(to, number, value);
		expect(tally, getpid(), number, value);
		return;
	}
	pid_t child = begin_child();

	if (child == 0) {
		send(to, number, value);
		_exit(0);
	}
	expect(tally, child, number, value);
	end_child(child);
}

static void
send_queue(struct tally *tally, pid_t to, int number, int n)
{
	pid_t child = begin_child();

	if (child == 0) {
		for (int i = 1; i <= n; i++)
			send(to, number, i);
		_exit(0);
	}
	for (int i = 1; i <= n; i++)
		expect(tally, child, number, i);
	end_child(child);
}

int
main(int argc, char **argv)
{
	pid_t to = (pid_t)number(argc, argv, 1, 0);
	int n_queued = (int)number(argc, argv, 2, 50);
	struct tally tally = {0};
	siginfo_t info;
	sigset_t all;

	if (!to)
		to = getpid();
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, NULL);
	for (int number = 1; number < N_SIGNALS; number++) {
		if (!is_passed_on(number))
			continue;
		tally.types++;
		send_one(&tally, to, number, 0);
		send_one(&tally, to, number, 1000 + number);
	}
	send_queue(&tally, to, SIGRTMIN + 1, n_queued);
	send_queue(&tally, to, SIGRTMAX, n_queued);
	while (hear(&info, 0) >= 0)
		tally.extra++;
	printf("types %u\nsent %u\nlost %u\nchanged %u\nextra %u\n",
	       tally.types, tally.sent, tally.lost, tally.changed, tally.extra);
	printf("disordered %u\n", tally.disordered);
	return 0;
}
