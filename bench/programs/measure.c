/* measure - runs a command, and writes down what it took.
 *
 *	measure FILE COMMAND [ARG...]
 *
 * Writes into FILE, on one line: the wall time in ns, the CPU time in us of the
 * command and of all descendants that were waited for, the peak of memory in KiB
 * of the largest process among them, and the exit status as a shell counts, 128 +
 * the signal.  A small program does this because a process begins with the peak
 * of the one that made it. */
#include "work.h"

#include <errno.h>
#include <sys/resource.h>
#include <sys/wait.h>

static long long
microseconds(struct timeval time)
{
	return (long long)time.tv_sec * 1000000 + time.tv_usec;
}

int
main(int argc, char **argv)
{
	uint64_t start;
	struct rusage used;
	int status;
	FILE *file;
	pid_t pid;

	if (argc < 3)
		usage(argv[0], "FILE COMMAND [ARG...]");
	start = wall_ns();
	pid = vfork();
	if (pid < 0)
		die("vfork");
	if (pid == 0) {
		execvp(argv[2], argv + 2);
		_exit(127);
	}
	while (wait4(pid, &status, 0, &used) < 0)
		if (errno != EINTR)
			die("wait4");
	start = wall_ns() - start;
	file = fopen(argv[1], "w");
	if (!file)
		die(argv[1]);
	fprintf(file, "%llu %lld %ld %d\n", (unsigned long long)start,
		microseconds(used.ru_utime) + microseconds(used.ru_stime),
		used.ru_maxrss,
		WIFSIGNALED(status) ? 128 + WTERMSIG(status)
				    : WEXITSTATUS(status));
	return fclose(file) ? 99 : 0;
}
