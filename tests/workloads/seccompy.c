/* seccompy - works and sleeps in a sandbox that kills.
 *
 *	seccompy [SECONDS [list|no_restart|no_timers|strict [poked|alone]]]
 *
 * Forbids itself system calls by seccomp, so that any other kills the process,
 * then takes SECONDS (0.2) of CPU time in sandboxed() and sleeps in between, half
 * of it in a thread made after that:
 *
 *	list		a list of what it needs itself
 *	no_restart	the same without restart_syscall, which an interrupted
 *			sleep goes on with
 *	no_timers	everything but timer_create and timer_settime
 *	strict		read, write, exit and sigreturn; no sleeps, no thread,
 *			and a fixed amount of work instead of SECONDS
 *
 * Alone, the first thread is the only one in the sandbox: it waits for another,
 * which was made before and works all the time.
 * If it is poked, a child sends it signals that it ignores, some 50 a second.
 * Prints, and ends with 0 if it lives to:
 *
 *	sleeps N
 *	eintr N		of these ended early; 0
 *	cpu_seconds S	(not if strict)
 *	survived 1
 *
 * `refused seccomp`, and exit status 77, if the kernel has none. */
#include "work.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>

#ifdef __x86_64__
#define ARCH AUDIT_ARCH_X86_64
#else
#define ARCH AUDIT_ARCH_AARCH64
#endif

#define MOST 32

/* What this program and libc's threads need.  The last, restart_syscall, may
 * be left out. */
static const int needed[] = {
	SYS_read,
	SYS_write,
	SYS_writev,
	SYS_fstat,
	SYS_newfstatat,
	SYS_exit,
	SYS_exit_group,
	SYS_rt_sigreturn,
	SYS_rt_sigaction,
	SYS_rt_sigprocmask,
	SYS_clock_gettime,
	SYS_nanosleep,
	SYS_clock_nanosleep,
	SYS_brk,
	SYS_mmap,
	SYS_munmap,
	SYS_mprotect,
	SYS_madvise,
	SYS_futex,
	SYS_clone,
	SYS_set_robust_list,
	SYS_getrandom,
	SYS_prctl,
#ifdef SYS_clone3
	SYS_clone3,
#endif
#ifdef SYS_rseq
	SYS_rseq,
#endif
	SYS_restart_syscall,
};
#define N_NEEDED (sizeof needed / sizeof *needed)

static const int timers[] = {SYS_timer_create, SYS_timer_settime};

static const struct way {
	const char *name;
	const int *numbers;
	size_t n;
	uint32_t listed, others; /* what the filter says to these */
} ways[] = {
	{"list", needed, N_NEEDED, SECCOMP_RET_ALLOW, SECCOMP_RET_KILL_PROCESS},
	{"no_restart", needed, N_NEEDED - 1, SECCOMP_RET_ALLOW,
	 SECCOMP_RET_KILL_PROCESS},
	{"no_timers", timers, 2, SECCOMP_RET_KILL_PROCESS, SECCOMP_RET_ALLOW},
	{"strict", NULL, 0, 0, 0},
};

static APART void
sandboxed(uint64_t turns)
{
	spend(turns, 1);
}

/* 0 if WAY's filter holds from now on. */
static int
install(const struct way *way)
{
	struct sock_filter code[2 * MOST + 6];
	struct sock_fprog program = {.filter = code};
	size_t n = 0;

#define ADD(...) code[n++] = (struct sock_filter)__VA_ARGS__
	ADD(BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
		     offsetof(struct seccomp_data, arch)));
	ADD(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCH, 1, 0));
	ADD(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS));
	ADD(BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
		     offsetof(struct seccomp_data, nr)));
	for (size_t i = 0; i < way->n; i++) {
		ADD(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K,
			     (uint32_t)way->numbers[i], 0, 1));
		ADD(BPF_STMT(BPF_RET | BPF_K, way->listed));
	}
	ADD(BPF_STMT(BPF_RET | BPF_K, way->others));
#undef ADD
	program.len = (unsigned short)n;
	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	       prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

static void
refuse(void)
{
	puts("refused seccomp");
	exit(77);
}

/* Does not ask for the time: that is forbidden. */
static void
run_strict(void)
{
	static const char text[] = "survived 1\n";

	if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT))
		refuse();
	for (int i = 0; i < 1000; i++)
		sandboxed(200 * TURNS_PER_US);
	if (write(STDOUT_FILENO, text, sizeof text - 1) < 0)
		syscall(SYS_exit, 1);
	syscall(SYS_exit, 0);
}

/* Until its parent has gone. */
static void
start_poking(void)
{
	const struct timespec pause = {0, 20000000};
	pid_t parent = getpid(), child = fork();

	if (child < 0)
		die("fork");
	if (child)
		return;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	while (getppid() == parent) {
		kill(parent, SIGWINCH);
		nanosleep(&pause, NULL);
	}
	_exit(0);
}

struct shift {
	uint64_t quota_ns;
	unsigned sleeps, eintr;
};

static void *
work_and_sleep(void *arg)
{
	const struct timespec nap = {0, 3000000};
	struct shift *shift = arg;
	struct budget time = budget(shift->quota_ns);

	while (is_left(&time)) {
		sandboxed(3000 * TURNS_PER_US);
		shift->sleeps++;
		shift->eintr += nanosleep(&nap, NULL) && errno == EINTR;
	}
	return NULL;
}

int
main(int argc, char **argv)
{
	struct shift shift = {.quota_ns = number_ns(argc, argv, 1, 0.2) / 2};
	const char *name = word(argc, argv, 2, "list");
	int alone = !strcmp(word(argc, argv, 3, ""), "alone");
	const struct way *way = ways, *end = ways + sizeof ways / sizeof *ways;
	pthread_t thread;

	while (way < end && strcmp(way->name, name))
		way++;
	if (way == end)
		usage(argv[0], "[SECONDS [list|no_restart|no_timers|strict "
			       "[poked|alone]]]");
	/* What stdio asks the kernel for at first, it asks now. */
	printf("filter %s\n", name);
	fflush(stdout);
	if (!strcmp(word(argc, argv, 3, ""), "poked"))
		start_poking();
	if (!way->numbers)
		run_strict();
	if (alone && pthread_create(&thread, NULL, work_and_sleep, &shift))
		die("pthread_create");
	if (install(way))
		refuse();
	if (!alone)
		work_and_sleep(&shift);
	if (!alone && pthread_create(&thread, NULL, work_and_sleep, &shift))
		die("pthread_create");
	pthread_join(thread, NULL);
	printf("sleeps %u\neintr %u\n", shift.sleeps, shift.eintr);
	printf("cpu_seconds %.6f\nsurvived 1\n", seconds(process_ns()));
	return 0;
}
