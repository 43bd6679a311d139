/* What is the same on every machine. */
#include "live/arch.h"

#include <elf.h>
#include <errno.h>
#include <sys/ptrace.h>
#include <sys/uio.h>

int
prf_arch_write(pid_t tid, const struct prf_regs *regs)
{
	struct iovec block = {(void *)regs->raw, regs->raw_bytes};

	if (ptrace(PTRACE_SETREGSET, tid, (void *)(uintptr_t)NT_PRSTATUS,
		   &block))
		return -errno;
	return 0;
}
