/* refusing - runs a program in a place where a system call is refused.
 *
 *	refusing CALL PROGRAM [ARG...]
 *
 * From PROGRAM on, CALL fails with EPERM, as a container's seccomp filter has
 * it.  Exit status: PROGRAM's; 77 if no filter can be made; 99. */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static const struct {
	const char *name;
	unsigned number;
} calls[] = {
	{"perf_event_open", SYS_perf_event_open},
	{"ptrace", SYS_ptrace},
	{"timer_create", SYS_timer_create},
};
enum { N_CALLS = sizeof calls / sizeof *calls };

static int
refuse(unsigned number)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			 offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {4, filter};

	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	       prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

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
	if (refuse(calls[i].number))
		return 77;
	execvp(argv[2], argv + 2);
	perror(argv[2]);
	return 99;
}
