/* refusing - runs a program in a place where a system call is refused.
 *
 *	refusing CALL PROGRAM [ARG...]
 *
 * From PROGRAM on, CALL fails with EPERM, as a container's seccomp filter has
 * it; or CALL is a request of a call that older kernels do not know, or such a kernel
 * (linux-4.18, linux-5.9), and what it does not know fails as there.  Exit status:
 * PROGRAM's; 77 if no filter can be made; 99. */
#include <errno.h>
#include <linux/audit.h>
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

/* On an open maps file, from Linux 6.11 on. */
#define PROCMAP_QUERY 0xc0686611

static const struct {
	const char *name;
	unsigned number, index, request, code;
} requests[] = {
	{"PROCMAP_QUERY", SYS_ioctl, 1, PROCMAP_QUERY, ENOTTY},
	/* Linux 5.13 */
	{"GET_RSEQ_CONFIGURATION", SYS_ptrace, 0, 0x420f, EIO},
};
enum { N_REQUESTS = sizeof requests / sizeof *requests };

/* Since Linux 5.1 new calls have the same number on all machines. */
#ifdef __x86_64__
enum { RSEQ = 334 };
#define OWN_ARCH AUDIT_ARCH_X86_64
#else
enum { RSEQ = 293 };
#define OWN_ARCH AUDIT_ARCH_AARCH64
#endif
enum { FACCESSAT2 = 439 };
enum { GET_METADATA = 0x420d, GET_SYSCALL_INFO };

/* The last system call of each, and the last request to ptrace. */
static const struct kernel {
	const char *name;
	unsigned last_call, last_ptrace;
} kernels[] = {
	{"linux-4.18", RSEQ, GET_METADATA},
	{"linux-5.9", FACCESSAT2, GET_SYSCALL_INFO},
};
enum { N_KERNELS = sizeof kernels / sizeof *kernels };

/* From now on what came later than KERNEL fails as it does there.  (What programs of
 * another machine call has other numbers, and is let through.) */
static int
refuse_later(const struct kernel *kernel)
{
	/* Where in the filter these are. */
	enum {
		PTRACE = 6,
		IOCTL = 8,
		ALLOW = 10,
		NO_CALL,
		NO_PTRACE,
		NO_IOCTL
	};
#define LOAD(member)                                                           \
	BPF_STMT(BPF_LD | BPF_W | BPF_ABS,                                     \
		 offsetof(struct seccomp_data, member))
/* At place AT. */
#define JUMP_IF(relation, value, at, yes, no)                                  \
	BPF_JUMP(BPF_JMP | (relation) | BPF_K, value, (yes) - ((at) + 1),      \
		 (no) - ((at) + 1))
#define END(action) BPF_STMT(BPF_RET | BPF_K, action)
	struct sock_filter filter[] = {
		LOAD(arch),
		JUMP_IF(BPF_JEQ, OWN_ARCH, 1, 2, ALLOW),
		LOAD(nr),
		JUMP_IF(BPF_JGT, kernel->last_call, 3, NO_CALL, 4),
		JUMP_IF(BPF_JEQ, SYS_ioctl, 4, IOCTL, 5),
		JUMP_IF(BPF_JEQ, SYS_ptrace, 5, PTRACE, ALLOW),
		/* The lower halves, as in refuse.h. */
		[PTRACE] = LOAD(args[0]),
		JUMP_IF(BPF_JGT, kernel->last_ptrace, 7, NO_PTRACE, ALLOW),
		[IOCTL] = LOAD(args[1]),
		JUMP_IF(BPF_JEQ, PROCMAP_QUERY, 9, NO_IOCTL, ALLOW),
		[ALLOW] = END(SECCOMP_RET_ALLOW),
		[NO_CALL] = END(SECCOMP_RET_ERRNO | ENOSYS),
		[NO_PTRACE] = END(SECCOMP_RET_ERRNO | EIO),
		[NO_IOCTL] = END(SECCOMP_RET_ERRNO | ENOTTY),
	};
#undef LOAD
#undef JUMP_IF
#undef END
	struct sock_fprog program = {sizeof filter / sizeof *filter, filter};

	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	       prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

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
	for (int i = 0; i < N_KERNELS; i++)
		if (strcmp(kernels[i].name, call) == 0)
			return refuse_later(&kernels[i]);
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
