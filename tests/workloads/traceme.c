/* traceme - wants to trace its child, and is refused.
 *
 *	traceme [SECONDS]
 *
 * Its child asks it to be its tracer, whatever the answer is, and stops.  It waits
 * for that stop; after SECONDS (3) it gives up.  Prints "traced 1" if it has seen
 * the stop, else "traced 0". */
#include "work.h"

#include <signal.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

static void
give_up(int signal)
{
	(void)signal;
}

int
main(int argc, char **argv)
{
	struct sigaction action = {.sa_handler = give_up};
	int seconds = (int)number(argc, argv, 1, 3), status = 0;
	pid_t child = fork();

	if (child < 0)
		die("fork");
	if (child == 0) {
		ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		raise(SIGSTOP);
		_exit(0);
	}
	sigaction(SIGALRM, &action, NULL);
	alarm((unsigned)seconds);
	pid_t seen = waitpid(child, &status, 0);
	kill(child, SIGKILL);
	printf("traced %d\n", seen == child && WIFSTOPPED(status));
	return 0;
}
