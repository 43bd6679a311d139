/* aarch64.  This compiles, but has never been run.
 *
 * Whether a stop is in a system call is not in the register block here,
 * but PTRACE_GET_SYSCALL_INFO (Linux 5.3) knows only of stops at calls; so
 * NT_ARM_SYSTEM_CALL decides, which is -1 outside of a call. */
#include "live/arch.h"

#include <asm/ptrace.h>
#include <elf.h>
#include <errno.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/uio.h>

#include "core/sample.h"

#ifndef NT_ARM_SYSTEM_CALL
#define NT_ARM_SYSTEM_CALL 0x404
#endif
#ifndef NT_ARM_PAC_MASK
#define NT_ARM_PAC_MASK 0x406
#endif

enum { NUMBER_REG = 8 };

_Static_assert(sizeof(struct user_pt_regs) <=
		       sizeof(((struct prf_regs *)0)->raw),
	       "raw holds the kernel's block");

static void
view(struct prf_regs *regs)
{
	struct user_pt_regs user;

	memcpy(&user, regs->raw, sizeof user);
	regs->pc = user.pc;
	regs->sp = user.sp;
	regs->result = (int64_t)user.regs[0];
	regs->addr_bytes = 8;
}

static int
read_regs(pid_t tid, struct prf_regs *regs)
{
	struct iovec block = {regs->raw, sizeof regs->raw};
	int number = PRF_NO_SYSCALL;
	struct iovec call = {&number, sizeof number};

	if (ptrace(PTRACE_GETREGSET, tid, (void *)(uintptr_t)NT_PRSTATUS,
		   &block))
		return -errno;
	if (block.iov_len != sizeof(struct user_pt_regs))
		return -ENOSYS;
	regs->raw_bytes = block.iov_len;
	view(regs);
	if (ptrace(PTRACE_GETREGSET, tid, (void *)(uintptr_t)NT_ARM_SYSTEM_CALL,
		   &call))
		return -errno;
	regs->syscall = number < 0 ? PRF_NO_SYSCALL : number;
	return 0;
}

static void
set_call(struct prf_regs *regs, uint64_t insn_addr, long number,
	 const uint64_t args[6])
{
	struct user_pt_regs user;

	memcpy(&user, regs->raw, sizeof user);
	user.pc = insn_addr;
	user.regs[NUMBER_REG] = (uint64_t)number;
	for (int i = 0; i < 6; i++)
		user.regs[i] = args[i];
	memcpy(regs->raw, &user, sizeof user);
	view(regs);
	regs->syscall = PRF_NO_SYSCALL;
}

static void
set_pc(struct prf_regs *regs, uint64_t pc)
{
	struct user_pt_regs user;

	memcpy(&user, regs->raw, sizeof user);
	user.pc = pc;
	memcpy(regs->raw, &user, sizeof user);
	regs->pc = pc;
}

/* The first argument has been overwritten by the result. */
static bool
rewind_call(struct prf_regs *regs)
{
	(void)regs;
	return false;
}

static void
undo_rewind(struct prf_regs *regs)
{
	(void)regs;
}

/* DWARF's numbers are the machine's own, and the stack pointer follows. */
static uint16_t
number(const struct prf_regs *regs, struct prf_registers *registers)
{
	enum { N_GENERAL = 31, STACK_POINTER = 31 };
	struct user_pt_regs user;

	memcpy(&user, regs->raw, sizeof user);
	*registers = (struct prf_registers){.pc = user.pc};
	for (unsigned i = 0; i < N_GENERAL; i++)
		prf_registers_set(registers, i, user.regs[i]);
	prf_registers_set(registers, STACK_POINTER, user.sp);
	return EM_AARCH64;
}

static uint64_t
signature(pid_t tid)
{
	struct {
		uint64_t data, code;
	} mask = {0};
	struct iovec block = {&mask, sizeof mask};

	/* A machine without signatures has no such registers. */
	if (ptrace(PTRACE_GETREGSET, tid, (void *)(uintptr_t)NT_ARM_PAC_MASK,
		   &block))
		return 0;
	return mask.code;
}

const struct prf_arch prf_arch = {
	.name = "aarch64",
	.syscall_insn = {0x01, 0x00, 0x00, 0xd4}, /* svc #0 */
	.syscall_insn_bytes = 4,
	.red_zone_bytes = 0,
	.read = read_regs,
	.set_call = set_call,
	.set_pc = set_pc,
	.rewind_call = rewind_call,
	.undo_rewind = undo_rewind,
	.number = number,
	.signature = signature,
};
