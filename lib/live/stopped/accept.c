#include "live/stopped/accept.h"

#include <errno.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>

#include "live/arch.h"
#include "live/stopped/inject.h"
#include "live/stopped/overdue.h"

bool
prf_accept_next(pid_t tid, int signal, siginfo_t *info)
{
	enum { AT_ONCE = 8, MOST = 64 };
	siginfo_t infos[AT_ONCE];

	for (uint64_t at = 0; at < MOST; at += AT_ONCE) {
		struct __ptrace_peeksiginfo_args args = {.off = at,
							 .nr = AT_ONCE};
		long n = ptrace(PTRACE_PEEKSIGINFO, tid, &args, infos);

		for (long i = 0; i < n; i++)
			if (infos[i].si_signo == signal) {
				*info = infos[i];
				return true;
			}
		if (n < AT_ONCE)
			return false;
	}
	return false;
}

/* As the kernel lays them out. */
struct accept_data {
	uint64_t set;
	int64_t s, ns; /* none: it does not wait */
};

/* (A kernel that knows that the signal's timer is gone says that there was
 * none.) */
int
prf_accept(pid_t tid, uint64_t insn_addr, int signal,
	   struct prf_injection **overdue)
{
	const struct accept_data data = {.set = 1ULL << (signal - 1)};
	struct prf_injection injection;
	struct prf_regs regs;
	int64_t result;

	int rc = prf_arch.read(tid, &regs);
	if (!rc)
		rc = prf_inject_begin(&injection, tid, &regs, insn_addr, &data,
				      sizeof data);
	if (rc)
		return rc;
	uint64_t at = injection.data_addr;
	rc = prf_inject_call(
		&injection, SYS_rt_sigtimedwait,
		(uint64_t[6]){at, 0, at + sizeof data.set, sizeof data.set},
		&result);
	int rc_end = prf_overdue_or_end(&injection, overdue);
	return rc ? rc : rc_end;
}
