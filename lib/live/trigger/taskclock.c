#include "live/trigger/taskclock.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "core/scope.h"
#include "live/proc/clock.h"
#include "live/proc/kernel.h"
#include "live/proc/procfs.h"

/* The kernel's struct perf_event_attr of Linux 5.13; C library headers may be
 * older. */
struct attr_abi {
	uint32_t type, size;
	uint64_t config, sample_period, sample_type, read_format, flags;
	uint32_t wakeup_events, bp_type;
	uint64_t unused[8];
	uint64_t sig_data;
};
_Static_assert(sizeof(struct attr_abi) == 128, "as the kernel's, version 7");

/* Bits of its flags. */
enum {
	FLAG_DISABLED = 0,
	FLAG_EXCLUDE_KERNEL = 5,
	FLAG_EXCLUDE_HV = 6,
	FLAG_REMOVE_ON_EXEC = 36,
	FLAG_SIGTRAP = 37,
};

static uint64_t
bit_if(bool condition, int number)
{
	return (uint64_t)condition << number;
}

static int
open_event(pid_t tid, const struct prf_taskclock_config *config)
{
	struct attr_abi attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof attr,
		.config = PERF_COUNT_SW_TASK_CLOCK,
		.sample_period = config->period_ns,
		.flags = bit_if(config->disabled || config->once,
				FLAG_DISABLED) |
			 bit_if(config->user_only, FLAG_EXCLUDE_KERNEL) |
			 bit_if(true, FLAG_EXCLUDE_HV) |
			 bit_if(true, FLAG_REMOVE_ON_EXEC) |
			 bit_if(!config->silent, FLAG_SIGTRAP),
		.wakeup_events = 1,
		.sig_data = config->cookie,
	};

	int fd;

	do
		fd = (int)syscall(SYS_perf_event_open, &attr, tid, -1, -1,
				  PERF_FLAG_FD_CLOEXEC);
	while (fd < 0 && errno == EINTR);
	if (fd >= 0 && config->once && !config->disabled)
		ioctl(fd, PERF_EVENT_IOC_REFRESH, 1);
	return fd;
}

bool
prf_taskclock_interrupts(void)
{
	return prf_kernel_is_before(6, 11);
}

bool
prf_taskclock_paranoid(int *level)
{
	PRF_AUTO(prf_auto_free)
	char *text =
		prf_procfs_slurp("/proc/sys/kernel/perf_event_paranoid", NULL);

	return text && sscanf(text, "%d", level) == 1;
}

/* Whose rule it is. */
int
prf_taskclock_refused(int code, bool user_only, struct prf_error *err)
{
	int level, most = user_only ? 2 : 1;

	if (code == EINVAL || code == E2BIG)
		return prf_error_set(err, -code,
				     "perf_event_open: the kernel is older "
				     "than Linux 5.13");
	if (code == EACCES && prf_taskclock_paranoid(&level) && level > most)
		return prf_error_set(err, -code,
				     "perf_event_open is refused: "
				     "perf_event_paranoid is %d, and more than "
				     "%d needs CAP_PERFMON",
				     level, most);
	if (code == EPERM || code == EACCES)
		return prf_error_set(err, -code,
				     "perf_event_open is refused by a seccomp "
				     "filter or a security module");
	return prf_error_set(err, -code, "perf_event_open: %s", strerror(code));
}

int
prf_taskclock_open(pid_t tid, const struct prf_taskclock_config *config,
		   int *fd, struct prf_error *err)
{
	*fd = open_event(tid, config);
	return *fd < 0 ? prf_taskclock_refused(errno, config->user_only, err)
		       : 0;
}

int
prf_taskclock_read(int fd, uint64_t *cpu_ns)
{
	ssize_t n = read(fd, cpu_ns, sizeof *cpu_ns);

	return n < 0 ? -errno : n == sizeof *cpu_ns ? 0 : -EIO;
}

int
prf_taskclock_restart(int fd, uint64_t period_ns, bool once)
{
	if (ioctl(fd, PERF_EVENT_IOC_PERIOD, &period_ns) ||
	    (once && ioctl(fd, PERF_EVENT_IOC_REFRESH, 1)))
		return -errno;
	return 0;
}

int
prf_taskclock_send_once(int fd, pid_t tid, int signal)
{
	const struct f_owner_ex owner = {F_OWNER_TID, tid};

	if (fcntl(fd, F_SETOWN_EX, &owner) || fcntl(fd, F_SETSIG, signal) ||
	    fcntl(fd, F_SETFL, O_ASYNC) || ioctl(fd, PERF_EVENT_IOC_REFRESH, 1))
		return -errno;
	return 0;
}

/* Runs for NS, or until SIGTRAP, which is blocked, is pending.  Is it? */
static bool
run_until_pending(uint64_t ns)
{
	const uint64_t end_ns = prf_clock_ns(CLOCK_PROCESS_CPUTIME_ID) + ns;
	sigset_t pending;

	do {
		/* It comes in user mode only. */
		for (volatile int turns = 0; turns < 100000; turns++)
			;
		sigpending(&pending);
	} while (!sigismember(&pending, SIGTRAP) &&
		 prf_clock_ns(CLOCK_PROCESS_CPUTIME_ID) < end_ns);
	return sigismember(&pending, SIGTRAP);
}

/* The child: blocks the signal, waits until it is pending, accepts it, and looks
 * whether it comes again. */
_Noreturn static void
block_one(void)
{
	const struct prf_taskclock_config soon = {
		.period_ns = PRF_TASKCLOCK_USER_NS,
		.user_only = true,
		.once = true,
	};
	const struct timespec at_once = {0};
	const uint64_t long_ns = 500000000;
	sigset_t trap;

	signal(SIGTRAP, SIG_DFL);
	sigemptyset(&trap);
	sigaddset(&trap, SIGTRAP);
	sigprocmask(SIG_BLOCK, &trap, NULL);
	if (open_event(0, &soon) < 0 || !run_until_pending(long_ns) ||
	    sigtimedwait(&trap, NULL, &at_once) != SIGTRAP)
		_exit(PRF_TASKCLOCK_KILLS);
	_exit(run_until_pending(4 * PRF_TASKCLOCK_USER_NS)
		      ? PRF_TASKCLOCK_REPEATS
		      : PRF_TASKCLOCK_WAITS);
}

enum prf_taskclock_blocked
prf_taskclock_try_blocked(void)
{
	pid_t child = fork();
	int status;

	if (child == 0)
		block_one();
	if (child < 0)
		return PRF_TASKCLOCK_KILLS;
	while (waitpid(child, &status, 0) < 0)
		if (errno != EINTR)
			return PRF_TASKCLOCK_KILLS;
	return WIFEXITED(status)
		       ? (enum prf_taskclock_blocked)WEXITSTATUS(status)
		       : PRF_TASKCLOCK_KILLS;
}
