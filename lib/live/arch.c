/* What is the same on every machine. */
#include "live/arch.h"

#include <elf.h>
#include <errno.h>
#include <sys/ptrace.h>
#include <sys/uio.h>

static int
write_regset(pid_t tid, int type, void *data, size_t bytes)
{
	struct iovec block = {data, bytes};

	if (ptrace(PTRACE_SETREGSET, tid, (void *)(intptr_t)type, &block))
		return -errno;
	return 0;
}

int
prf_arch_write(pid_t tid, const struct prf_regs *regs)
{
	return write_regset(tid, NT_PRSTATUS, (void *)regs->raw,
			    regs->raw_bytes);
}

int
prf_arch_write_vectors(pid_t tid, const struct prf_vectors *vectors)
{
	return vectors->data ? write_regset(tid, vectors->type, vectors->data,
					    vectors->bytes)
			     : 0;
}
