/* refuse.h - a system call is refused from now on, as by a container. */
#ifndef PRF_TESTS_REFUSE_H
#define PRF_TESTS_REFUSE_H

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/prctl.h>

/* In this process and those that it starts, system call NUMBER fails with CODE
 * for good.  Not 0: no filter can be made here. */
static inline int
prf_refuse_call(unsigned number, unsigned code)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			 offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | code),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {4, filter};

	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	       prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

/* The same of call NUMBER only if its argument INDEX is REQUEST: what ioctl or
 * ptrace is asked for, which older kernels do not know. */
static inline int
prf_refuse_request(unsigned number, unsigned index, unsigned request,
		   unsigned code)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			 offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 3),
		/* The lower half; no machine that we run on has it second. */
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			 offsetof(struct seccomp_data, args) +
				 index * sizeof(__u64)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, request, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | code),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {6, filter};

	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	       prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

/* Ends a test, as one that has passed, where timer_create() is refused.  Check
 * measures how long a test takes by one clock where it can make a timer and by
 * another where it cannot, and fails if the difference does not suit it. */
static inline _Noreturn void
prf_pass_without_timers(void)
{
	exit(EXIT_SUCCESS);
}

#endif
