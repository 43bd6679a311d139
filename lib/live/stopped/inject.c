#include "live/stopped/inject.h"

#include <elf.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "core/sample.h"
#include "core/scope.h"
#include "live/proc/bring.h"
#include "live/proc/clock.h"
#include "live/proc/position.h"
#include "live/proc/procfs.h"
#include "live/proc/procmap.h"
#include "live/proc/reach.h"
#include "live/proc/status.h"
#include "live/stopped/rseq.h"
#include "live/stop.h"

PRF_DEFINE_AUTO(prf_maps, prf_maps_free);

/* The kernel's size of a signal set, which PTRACE_SETSIGMASK wants. */
#define KERNEL_SIGSET_BYTES 8

enum { STACK_ALIGNMENT = 16 };

/* A call takes some microseconds.  To sleep and to be woken on another
 * processor takes longer, in a virtual machine many times as long: so we
 * poll for the thread's stop for this long.  If a call has taken longer, as
 * where both share one processor, the injection sleeps between polls from then
 * on. */
enum { POLL_NS = 40000, MOMENT_NS = 20000 };

/* All calls of an injection have so long: a program can change the instruction that
 * we make it run, so that the call never begins, and others can stop it again and
 * again. */
enum { DEADLINE_NS = 1000000000 };

static int
copy_in(pid_t tid, uint64_t addr, const void *data, size_t bytes)
{
	struct iovec here = {(void *)data, bytes};
	struct iovec there = {(void *)(uintptr_t)addr, bytes};

	prf_reach_begin();
	ssize_t n = process_vm_writev(tid, &here, 1, &there, 1, 0);
	int rc = n < 0 ? -errno : (size_t)n == bytes ? 0 : -EFAULT;
	prf_reach_end();
	return rc;
}

static int
copy_out(pid_t tid, uint64_t addr, void *data, size_t bytes)
{
	struct iovec here = {data, bytes};
	struct iovec there = {(void *)(uintptr_t)addr, bytes};

	prf_reach_begin();
	ssize_t n = process_vm_readv(tid, &here, 1, &there, 1, 0);
	int rc = n < 0 ? -errno : (size_t)n == bytes ? 0 : -EFAULT;
	prf_reach_end();
	return rc;
}

static int
set_mask(pid_t tid, uint64_t mask)
{
	if (ptrace(PTRACE_SETSIGMASK, tid,
		   (void *)(uintptr_t)KERNEL_SIGSET_BYTES, &mask))
		return -errno;
	return 0;
}

static uint64_t
bit_of(int signal)
{
	return 1ULL << (signal - 1);
}

/* Is the thread in a call that the kernel will make again as soon as the
 * thread runs?  (Programs never see these codes of the kernel.) */
static bool
waits_for_restart(const struct prf_regs *regs)
{
	enum { ERESTARTSYS_ = 512, ERESTART_RESTARTBLOCK_ = 516 };

	return regs->syscall != PRF_NO_SYSCALL && !regs->call_is_inferred &&
	       regs->result <= -ERESTARTSYS_ &&
	       regs->result >= -ERESTART_RESTARTBLOCK_;
}

/* Is TID the first of several threads?  The kernel does not report its end
 * before all the others have been waited for. */
static bool
leads_others(pid_t tid)
{
	enum {
		LINKS_OF_NONE = 2
	}; /* two of the folder itself, and one for
				     * each thread */
	char path[64];
	struct stat tasks;

	if (syscall(SYS_tgkill, tid, tid, 0))
		return false;
	snprintf(path, sizeof path, "/proc/%d/task", tid);
	return stat(path, &tasks) || tasks.st_nlink > LINKS_OF_NONE + 1;
}

int
prf_inject_begin(struct prf_injection *injection, pid_t tid,
		 const struct prf_regs *regs, uint64_t insn_addr,
		 const void *data, size_t data_bytes)
{
	*injection = (struct prf_injection){
		.tid = tid,
		.insn_addr = insn_addr,
		.data_bytes = data_bytes,
		.saved = *regs,
		.leads_others = leads_others(tid),
		.mask = ~bit_of(SIGSYS),
		.end_ns = prf_clock_ns(CLOCK_MONOTONIC) + DEADLINE_NS,
	};
	if (data_bytes > PRF_INJECT_MAX_DATA ||
	    regs->sp < prf_arch.red_zone_bytes + data_bytes + STACK_ALIGNMENT)
		return -EFAULT;
	injection->data_addr =
		(regs->sp - prf_arch.red_zone_bytes - data_bytes) &
		~(uint64_t)(STACK_ALIGNMENT - 1);

	int rc = prf_bring(tid, injection->data_addr, data_bytes);
	if (!rc)
		rc = copy_out(tid, injection->data_addr, injection->saved_data,
			      data_bytes);
	if (rc)
		return rc;
	if (ptrace(PTRACE_GETSIGMASK, tid,
		   (void *)(uintptr_t)KERNEL_SIGSET_BYTES,
		   &injection->saved_mask))
		return -errno;
	/* Whether the thread was interrupted in a restartable sequence the
	 * kernel decides by where it is after our call. */
	uint64_t abort_addr = prf_rseq_abort_addr(tid, regs->pc);
	if (abort_addr)
		prf_arch.set_pc(&injection->saved, abort_addr);
	if (prf_arch.read_vectors)
		rc = prf_arch.read_vectors(tid, &injection->vectors);
	if (!rc)
		rc = copy_in(tid, injection->data_addr, data, data_bytes);
	if (rc)
		(void)!prf_inject_end(injection);
	return rc;
}

/* What the kernel has to report of TID, without taking it.  -EAGAIN: nothing. */
static int
ask_for_news(pid_t tid, siginfo_t *info)
{
	int options = WEXITED | WSTOPPED | WNOWAIT | WNOHANG | __WALL;

	*info = (siginfo_t){0};
	if (waitid(P_PID, (id_t)tid, info, options))
		return errno == EINTR    ? -EAGAIN
		       : errno == ECHILD ? -ESRCH
					 : -errno;
	return info->si_pid ? 0 : prf_status_has_ended(tid) ? -ESRCH : -EAGAIN;
}

/* An end, and an exec of another thread that has become this one, are left
 * for the tracer. */
static bool
is_its_end(const siginfo_t *info)
{
	return (info->si_code != CLD_TRAPPED && info->si_code != CLD_STOPPED) ||
	       info->si_status == (SIGTRAP | PTRACE_EVENT_EXEC << 8);
}

/* Takes the stop of the first of several threads, if there is one; otherwise
 * -EAGAIN. */
static int
take_stop_of_leader(pid_t tid, int *wait_status)
{
	siginfo_t info;
	int rc = ask_for_news(tid, &info);

	if (rc)
		return rc;
	if (is_its_end(&info))
		return -ESRCH;
	return prf_stop_take(tid, wait_status) ? 0 : -EAGAIN;
}

/* Waits for the thread's next stop, but no longer than until END_NS: -ETIMEDOUT.
 * -ESRCH: it has ended; if another thread has its id now, that one is not to be
 * touched. */
static int
wait_until(struct prf_injection *injection, uint64_t end_ns, int *wait_status)
{
	const struct timespec moment = {0, MOMENT_NS};
	uint64_t now_ns = prf_clock_ns(CLOCK_MONOTONIC);
	uint64_t sleep_ns = now_ns + POLL_NS;
	int rc;

	for (;;) {
		rc = (injection->leads_others
			      ? take_stop_of_leader
			      : prf_stop_try)(injection->tid, wait_status);
		if (rc != -EAGAIN)
			break;
		now_ns = prf_clock_ns(CLOCK_MONOTONIC);
		injection->is_slow |= now_ns >= sleep_ns;
		if (now_ns >= end_ns)
			return -ETIMEDOUT;
		if (injection->is_slow)
			nanosleep(&moment, NULL);
	}
	injection->ended = rc == -ESRCH;
	return rc;
}

/* The same for a thread that has been asked to stop, which it does as soon as it
 * runs in user mode. */
static int
wait_for_asked_stop(struct prf_injection *injection, int *wait_status)
{
	uint64_t end_ns = prf_clock_ns(CLOCK_MONOTONIC) + DEADLINE_NS;
	int rc = wait_until(injection, end_ns, wait_status);

	injection->is_overdue = rc == -ETIMEDOUT;
	return rc;
}

/* The time of the injection is over: the thread is to stop wherever it is. */
static int
interrupt(struct prf_injection *injection)
{
	injection->is_late = true;
	return ptrace(PTRACE_INTERRUPT, injection->tid, NULL, NULL) ? -errno
								    : 0;
}

/* Lets the thread go on with SIGNAL, to its next stop.  One that is late is asked
 * to stop while it cannot run: so it comes no further than to there or to the end
 * of its call. */
static int
go_to_stop(struct prf_injection *injection, int signal, int *wait_status)
{
	bool is_late = prf_clock_ns(CLOCK_MONOTONIC) >= injection->end_ns;
	int rc = is_late ? interrupt(injection) : 0;

	if (rc)
		return rc;
	if (ptrace(PTRACE_SYSCALL, injection->tid, NULL,
		   (void *)(intptr_t)signal))
		return -errno;
	if (!is_late) {
		rc = wait_until(injection, injection->end_ns, wait_status);
		if (rc != -ETIMEDOUT)
			return rc;
		rc = interrupt(injection);
	}
	return rc ? rc : wait_for_asked_stop(injection, wait_status);
}

/* Was the signal of this stop sent, and not forced on the thread? */
static bool
was_sent(const struct prf_injection *injection)
{
	siginfo_t info;

	return !ptrace(PTRACE_GETSIGINFO, injection->tid, NULL, &info) &&
	       info.si_code <= 0;
}

/* What becomes of a signal that the thread has stopped with: SIGSTOP is passed on; and
 * so is a SIGSYS that was sent, but since it is blocked from now on, the kernel keeps
 * it for later.  -ECANCELED: it comes instead of the call. */
static int
pass_on(struct prf_injection *injection, int signal)
{
	if (signal == SIGSTOP)
		return 0;
	if (signal != SIGSYS || !was_sent(injection))
		return -ECANCELED;
	injection->mask = ~0ULL;
	return set_mask(injection->tid, injection->mask);
}

/* Lets the thread run to its next stop at a system call.  All signals are blocked
 * but SIGSTOP and SIGSYS; a stop by job control is skipped, and remembered.
 * -ETIMEDOUT: it has not come there, but is stopped; -ECANCELED: so it is, by a
 * signal that the kernel forces on it instead. */
static int
run_to_call(struct prf_injection *injection)
{
	int signal = 0, wait_status, rc;

	for (;;) {
		rc = go_to_stop(injection, signal, &wait_status);
		if (rc)
			return rc;

		struct prf_stop stop =
			prf_stop_of_wait(injection->tid, wait_status);
		if (stop.kind == PRF_STOP_SYSCALL)
			return 0;
		injection->job_control |=
			stop.kind == PRF_STOP_GROUP ||
			(stop.kind == PRF_STOP_TRAP && !injection->is_late);
		if (injection->is_late &&
		    (stop.kind == PRF_STOP_GROUP || stop.kind == PRF_STOP_TRAP))
			return -ETIMEDOUT;
		signal = stop.kind == PRF_STOP_SIGNAL ? stop.signal : 0;
		rc = signal ? pass_on(injection, signal) : 0;
		if (rc)
			return rc;
	}
}

int
prf_inject_call(struct prf_injection *injection, long number,
		const uint64_t args[6], int64_t *result)
{
	struct prf_regs regs = injection->saved;

	injection->called = true;
	injection->has_entered = false;
	prf_arch.set_call(&regs, injection->insn_addr, number, args);
	int rc = prf_arch_write(injection->tid, &regs);
	if (!rc)
		rc = set_mask(injection->tid, injection->mask);
	if (!rc)
		rc = run_to_call(injection); /* its entry */
	injection->has_entered = !rc;
	if (!rc)
		rc = run_to_call(injection); /* its exit */
	if (!rc)
		rc = prf_arch.read(injection->tid, &regs);
	if (rc)
		return rc;
	*result = regs.result;
	injection->n_made++;
	return 0;
}

/* All but the memory, since that may be waited for, for ever: who does so may be ended
 * then, and the kernel lets the thread go as it is. */
static int
put_back_thread(const struct prf_injection *injection)
{
	pid_t tid = injection->tid;
	int rc = prf_arch_write(tid, &injection->saved);
	int rc_vectors = prf_arch_write_vectors(tid, &injection->vectors);
	int rc_mask = set_mask(tid, injection->saved_mask);

	return rc ? rc : rc_vectors ? rc_vectors : rc_mask;
}

int
prf_inject_read(const struct prf_injection *injection, void *data)
{
	int rc = put_back_thread(injection);

	return rc ? rc
		  : copy_out(injection->tid, injection->data_addr, data,
			     injection->data_bytes);
}

/* The kernel restarts a call where it delivers signals, and an injected call
 * ends before that: the thread goes on to there, where the stop that is asked
 * for is one by job control if that has stopped the process. */
static int
go_where_calls_restart(struct prf_injection *injection)
{
	enum { MOST_STOPS = 16 };
	struct prf_regs regs;
	int signal = 0, wait_status;
	int rc = set_mask(injection->tid, ~0ULL); /* it calls no more */

	if (rc)
		return rc;
	if (prf_arch.set_restart) {
		prf_arch.set_restart(&regs, &injection->saved);
		rc = prf_arch_write(injection->tid, &regs);
		if (rc)
			return rc;
	}
	for (int i = 0; i < MOST_STOPS; i++) {
		if (ptrace(PTRACE_INTERRUPT, injection->tid, NULL, NULL) ||
		    ptrace(PTRACE_CONT, injection->tid, NULL,
			   (void *)(intptr_t)signal))
			return -errno;
		rc = wait_for_asked_stop(injection, &wait_status);
		if (rc)
			return rc;

		struct prf_stop stop =
			prf_stop_of_wait(injection->tid, wait_status);
		injection->job_control |= stop.kind == PRF_STOP_GROUP;
		if (stop.kind == PRF_STOP_GROUP || stop.kind == PRF_STOP_TRAP)
			return 0;
		signal = stop.kind == PRF_STOP_SIGNAL ? stop.signal : 0;
	}
	return -ETIMEDOUT;
}

static int
put_back(struct prf_injection *injection)
{
	int rc = put_back_thread(injection);
	int rc_data = copy_in(injection->tid, injection->data_addr,
			      injection->saved_data, injection->data_bytes);

	if (injection->job_control)
		ptrace(PTRACE_INTERRUPT, injection->tid, NULL, NULL);
	return rc ? rc : rc_data;
}

int
prf_inject_end(struct prf_injection *injection)
{
	if (!injection->is_overdue && !injection->ended && injection->called &&
	    waits_for_restart(&injection->saved))
		go_where_calls_restart(injection);
	if (injection->is_overdue)
		return -EINPROGRESS;
	int rc = injection->ended ? -ESRCH : put_back(injection);

	free(injection->vectors.data);
	injection->vectors.data = NULL;
	return rc;
}

int
prf_inject_end_at(struct prf_injection *injection, enum prf_stop_kind kind)
{
	if (kind == PRF_STOP_SYSCALL && !injection->has_entered) {
		injection->has_entered = true;
		if (!ptrace(PTRACE_SYSCALL, injection->tid, NULL, NULL))
			return -EINPROGRESS;
		injection->ended = true;
	}
	injection->is_overdue = false;
	return prf_inject_end(injection);
}

void
prf_inject_forget(struct prf_injection *injection)
{
	if (injection)
		free(injection->vectors.data);
	free(injection);
}

/* Is it the kernel's vDSO that PID has at ADDR?  What a program has put there
 * instead, other threads can change at any time. */
static bool
is_vdso(pid_t pid, uint64_t addr)
{
	struct prf_procmap map;
	char name[PRF_PROCMAP_NAME_BYTES], path[64];
	size_t bytes;

	snprintf(path, sizeof path, "/proc/%d/maps", pid);
	PRF_AUTO(prf_auto_close) int fd = prf_procfs_open_path(path);
	if (fd < 0)
		return false;
	if (prf_procmap_is_answered(fd))
		return !prf_procmap_query(fd, addr, &map, name) &&
		       strcmp(name, "[vdso]") == 0;

	PRF_AUTO(prf_auto_free) char *text = prf_procfs_slurp_fd(fd, &bytes);
	PRF_AUTO(prf_maps_auto) struct prf_maps *maps = NULL;
	if (!text || prf_maps_parse(text, bytes, pid, &maps, NULL))
		return false;
	const struct prf_mapping *mapping = prf_maps_at(maps, addr);
	return mapping && mapping->kind == PRF_MAPPING_VDSO;
}

uint64_t
prf_inject_find_insn(pid_t pid)
{
	enum { PAGE = 4096, MAX_PAGES = 8 };
	uint8_t page[PAGE];
	uint64_t base = 0;

	prf_procfs_find_auxv(pid, sizeof(void *), AT_SYSINFO_EHDR, &base);
	if (!base || !is_vdso(pid, base))
		return 0;

	/* Page by page: what follows the vDSO need not be mapped. */
	for (int i = 0; i < MAX_PAGES; i++) {
		uint64_t addr = base + (uint64_t)i * PAGE;

		if (copy_out(pid, addr, page, sizeof page))
			break;
		const uint8_t *insn =
			memmem(page, sizeof page, prf_arch.syscall_insn,
			       prf_arch.syscall_insn_bytes);
		if (insn)
			return addr + (uint64_t)(insn - page);
	}
	return 0;
}
