/* refusing - runs a program in a place where a system call is refused.
 *
 *	refusing CALL PROGRAM [ARG...]
 *
 * From PROGRAM on, CALL fails with EPERM, as a container's seccomp filter has
 * it.  Exit status: PROGRAM's; 77 if no filter can be made; 99. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "support/refuse.h"

static const struct {
	const char *name;
	unsigned number;
} calls[] = {
	{"perf_event_open", SYS_perf_event_open},
	{"ptrace", SYS_ptrace},
	{"timer_create", SYS_timer_create},
	{"wait4", SYS_wait4},
	{"waitid", SYS_waitid},
};
enum { N_CALLS = sizeof calls / sizeof *calls };

int
main(int argc, char **argv)
{
	int i = 0;

	if (argc < 3)
		return 99;
	while (i < N_CALLS && strcmp(calls[i].name, argv[1]))
		i++;
	if (i == N_CALLS)
		return 99;
	if (prf_refuse_call(calls[i].number, EPERM))
		return 77;
	execvp(argv[2], argv + 2);
	perror(argv[2]);
	return 99;
}
