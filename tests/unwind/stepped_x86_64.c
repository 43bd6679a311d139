#include <elf.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>

#include "unwind/stepped.h"

enum { RSP = 7 };

const uint16_t prf_stepped_machine = EM_X86_64;
const uint64_t prf_stepped_red_zone_bytes = 128;

bool
prf_stepped_registers(pid_t pid, struct prf_registers *registers,
		      uint64_t *signature)
{
	struct user_regs_struct r;

	if (ptrace(PTRACE_GETREGS, pid, 0, &r) != 0)
		return false;
	const uint64_t values[] = {r.rax, r.rdx, r.rcx, r.rbx, r.rsi, r.rdi,
				   r.rbp, r.rsp, r.r8,  r.r9,  r.r10, r.r11,
				   r.r12, r.r13, r.r14, r.r15};
	*registers = (struct prf_registers){.pc = r.rip};
	for (unsigned i = 0; i < sizeof values / sizeof *values; i++)
		prf_registers_set(registers, i, values[i]);
	*signature = 0;
	return true;
}

bool
prf_stepped_go_on(pid_t pid, uint64_t pc, int *status)
{
	(void)pc;
	return ptrace(PTRACE_SINGLESTEP, pid, 0, 0) == 0 &&
	       waitpid(pid, status, 0) == pid;
}

bool
prf_stepped_is_system_call(pid_t pid, uint64_t pc)
{
	uint8_t bytes[2];

	return prf_stepped_read(pid, pc, bytes, sizeof bytes) == sizeof bytes &&
	       bytes[0] == 0x0f && bytes[1] == 0x05;
}

/* It pushes the address behind it, and goes on where it says. */
bool
prf_stepped_may_call(pid_t pid, const struct prf_registers *before,
		     const struct prf_registers *after,
		     struct prf_stepped_call *call)
{
	uint64_t to, sp = after->values[RSP];

	if (sp != before->values[RSP] - 8 ||
	    prf_stepped_read(pid, sp, &to, sizeof to) != sizeof to)
		return false;
	*call = (struct prf_stepped_call){sp, to};
	return to > before->pc && to <= before->pc + 9;
}

/* A return takes what the call has pushed. */
bool
prf_stepped_has_returned(const struct prf_stepped_call *call,
			 const struct prf_registers *now)
{
	return call->sp < now->values[RSP];
}
