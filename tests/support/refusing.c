/* refusing - runs a program in a place where a system call is refused.
 *
 *	refusing CALL PROGRAM [ARG...]
 *
 * From PROGRAM on, CALL fails with EPERM, as a container's seccomp filter has
 * it; or CALL is a request of a call that older kernels do not know, and fails as
 * there.  Exit status: PROGRAM's; 77 if no filter can be made; 99. */
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

static const struct {
	const char *name;
	unsigned number, index, request, code;
} requests[] = {
	/* Linux 6.11, of an open maps file */
	{"PROCMAP_QUERY", SYS_ioctl, 1, 0xc0686611, ENOTTY},
	/* Linux 5.13 */
	{"GET_RSEQ_CONFIGURATION", SYS_ptrace, 0, 0x420f, EIO},
};
enum { N_REQUESTS = sizeof requests / sizeof *requests };

/* Not 0: no filter can be made. -1: there is no such CALL. */
static int
refuse(const char *call)
{
	for (int i = 0; i < N_CALLS; i++)
		if (strcmp(calls[i].name, call) == 0)
			return prf_refuse_call(calls[i].number, EPERM);
	for (int i = 0; i < N_REQUESTS; i++)
		if (strcmp(requests[i].name, call) == 0)
			return prf_refuse_request(
				requests[i].number, requests[i].index,
				requests[i].request, requests[i].code);
	return -1;
}

int
main(int argc, char **argv)
{
	int rc = argc < 3 ? -1 : refuse(argv[1]);

	if (rc)
		return rc < 0 ? 99 : 77;
	execvp(argv[2], argv + 2);
	perror(argv[2]);
	return 99;
}
