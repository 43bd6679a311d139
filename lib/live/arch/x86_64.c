/* x86-64.  A 32-bit program shows in the size of the block that
 * PTRACE_GETREGSET gives: it is sampled, but not made to call. */
#include "live/arch.h"

#include <elf.h>
#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>

#include "core/sample.h"
#include "live/arch/x86_64_calls.h"

/* The 32-bit block: 17 words, of which these are used. */
enum {
	I386_WORDS = 17,
	I386_EAX = 6,
	I386_ORIG_EAX = 11,
	I386_EIP,
	I386_ESP = 15
};

_Static_assert(sizeof(struct user_regs_struct) <=
		       sizeof(((struct prf_regs *)0)->raw),
	       "raw holds the kernel's block");

static void
view_64(struct prf_regs *regs)
{
	struct user_regs_struct user;

	memcpy(&user, regs->raw, sizeof user);
	regs->pc = user.rip;
	regs->sp = user.rsp;
	regs->call_is_inferred = false;
	regs->result = (int64_t)user.rax;
	regs->syscall = (int64_t)user.orig_rax < 0 ? PRF_NO_SYSCALL
						   : (int32_t)user.orig_rax;
	regs->addr_bytes = 8;
}

static void
view_32(struct prf_regs *regs)
{
	uint32_t words[I386_WORDS];

	memcpy(words, regs->raw, sizeof words);
	regs->pc = words[I386_EIP];
	regs->call_is_inferred = false;
	regs->sp = words[I386_ESP];
	regs->result = (int32_t)words[I386_EAX];
	regs->syscall = (int32_t)words[I386_ORIG_EAX] < 0
				? PRF_NO_SYSCALL
				: (int32_t)words[I386_ORIG_EAX];
	regs->addr_bytes = 4;
}

static int
read_regs(pid_t tid, struct prf_regs *regs)
{
	struct iovec block = {regs->raw, sizeof regs->raw};

	if (ptrace(PTRACE_GETREGSET, tid, (void *)(uintptr_t)NT_PRSTATUS,
		   &block))
		return -errno;
	regs->raw_bytes = block.iov_len;
	if (block.iov_len == sizeof(struct user_regs_struct)) {
		view_64(regs);
		return 0;
	}
	if (block.iov_len == I386_WORDS * sizeof(uint32_t)) {
		view_32(regs);
		return 0;
	}
	return -ENOSYS;
}

static void
set_call(struct prf_regs *regs, uint64_t insn_addr, long number,
	 const uint64_t args[6])
{
	struct user_regs_struct user;

	memcpy(&user, regs->raw, sizeof user);
	user.rip = insn_addr;
	user.rax = (unsigned long)number;
	/* Not in a call: the kernel must not think of restarting one. */
	user.orig_rax = (unsigned long)-1;
	user.rdi = args[0];
	user.rsi = args[1];
	user.rdx = args[2];
	user.r10 = args[3];
	user.r8 = args[4];
	user.r9 = args[5];
	memcpy(regs->raw, &user, sizeof user);
	view_64(regs);
}

static void
set_pc(struct prf_regs *regs, uint64_t pc)
{
	struct user_regs_struct user;

	memcpy(&user, regs->raw, sizeof user);
	user.rip = pc;
	memcpy(regs->raw, &user, sizeof user);
	view_64(regs);
}

/* A 32-bit program returns to the instruction after an int $0x80, however it
 * entered the kernel, and that instruction is as long as syscall. */
static void
go_back_32(struct prf_regs *regs, int32_t bytes, uint32_t result)
{
	uint32_t words[I386_WORDS];

	memcpy(words, regs->raw, sizeof words);
	words[I386_EIP] += (uint32_t)bytes;
	words[I386_EAX] = result;
	memcpy(regs->raw, words, sizeof words);
	view_32(regs);
}

static bool
rewind_call(pid_t tid, struct prf_regs *regs)
{
	int32_t insn_bytes = (int32_t)prf_arch.syscall_insn_bytes;
	struct user_regs_struct user;

	(void)tid;
	if (regs->addr_bytes != 8) {
		go_back_32(regs, -insn_bytes, (uint32_t)regs->syscall);
		return true;
	}
	memcpy(&user, regs->raw, sizeof user);
	user.rip -= prf_arch.syscall_insn_bytes;
	user.rax = user.orig_rax;
	memcpy(regs->raw, &user, sizeof user);
	view_64(regs);
	return true;
}

static bool
is_rewound(const struct prf_regs *regs)
{
	return regs->syscall != PRF_NO_SYSCALL && regs->result == regs->syscall;
}

static void
undo_rewind(struct prf_regs *regs)
{
	int32_t insn_bytes = (int32_t)prf_arch.syscall_insn_bytes;
	struct user_regs_struct user;

	if (regs->addr_bytes != 8) {
		go_back_32(regs, insn_bytes, (uint32_t)-EINTR);
		return;
	}
	memcpy(&user, regs->raw, sizeof user);
	user.rip += prf_arch.syscall_insn_bytes;
	user.rax = (unsigned long)-EINTR;
	memcpy(regs->raw, &user, sizeof user);
	view_64(regs);
}

/* --- DWARF's numbers: where the register of each is in the kernel's block. */

#define AT(name) offsetof(struct user_regs_struct, name)
static const uint8_t offsets_64[] = {
	AT(rax), AT(rdx), AT(rcx), AT(rbx), AT(rsi), AT(rdi), AT(rbp), AT(rsp),
	AT(r8),  AT(r9),  AT(r10), AT(r11), AT(r12), AT(r13), AT(r14), AT(r15),
};
#undef AT

/* eax, ecx, edx, ebx, esp, ebp, esi, edi. */
static const uint8_t words_32[] = {I386_EAX, 1, 2, 0, I386_ESP, 5, 3, 4};

static uint16_t
number_64(const struct prf_regs *regs, struct prf_registers *registers)
{
	const char *raw = (const char *)regs->raw;
	uint64_t value;

	for (unsigned i = 0; i < sizeof offsets_64; i++) {
		memcpy(&value, raw + offsets_64[i], sizeof value);
		prf_registers_set(registers, i, value);
	}
	return EM_X86_64;
}

static uint16_t
number_32(const struct prf_regs *regs, struct prf_registers *registers)
{
	uint32_t words[I386_WORDS];

	memcpy(words, regs->raw, sizeof words);
	for (unsigned i = 0; i < sizeof words_32; i++)
		prf_registers_set(registers, i, words[words_32[i]]);
	return EM_386;
}

static uint16_t
number(const struct prf_regs *regs, struct prf_registers *registers)
{
	*registers = (struct prf_registers){.pc = regs->pc};
	return regs->addr_bytes == 8 ? number_64(regs, registers)
				     : number_32(regs, registers);
}

/* --- What the kernel notes of a thread that runs on. */

/* Perf's numbers. */
enum {
	NOTED_AX,
	NOTED_BX,
	NOTED_CX,
	NOTED_DX,
	NOTED_SI,
	NOTED_DI,
	NOTED_BP,
	NOTED_SP,
	NOTED_IP,
	NOTED_R8 = 16,
};
#define BIT(number) (1ULL << (number))
#define NOTED_REGISTERS                                                        \
	(BIT(NOTED_AX) | BIT(NOTED_CX) | BIT(NOTED_SP) | BIT(NOTED_IP))
/* All, but for the flags and segments: 0 to 8, and R8 to R15. */
#define NOTED_STACK_REGISTERS (0x1ffULL | 0xffULL << NOTED_R8)

/* The instruction syscall leaves the address behind it in rcx.  The kernel
 * begins every call with ENOSYS as its result. */
static void
view_noted(const uint64_t *values, bool is_32_bit, bool in_kernel,
	   struct prf_regs *regs)
{
	/* (Where the processor has FRED, rcx is as it was.) */
	bool in_call = is_32_bit ? (int32_t)values[NOTED_AX] == -ENOSYS
				 : values[NOTED_CX] == values[NOTED_IP] ||
					   (int64_t)values[NOTED_AX] == -ENOSYS;

	regs->pc = values[NOTED_IP];
	regs->sp = values[NOTED_SP];
	regs->syscall = !in_kernel ? PRF_NO_SYSCALL
			: in_call  ? PRF_SOME_SYSCALL
				   : PRF_PAGE_FAULT;
	regs->addr_bytes = is_32_bit ? 4 : 8;
}

/* By DWARF's numbers for 64 bits, which go on with R8 to R15, and for 32. */
static const uint8_t noted_64[] = {NOTED_AX, NOTED_DX, NOTED_CX, NOTED_BX,
				   NOTED_SI, NOTED_DI, NOTED_BP, NOTED_SP};
static const uint8_t noted_32[] = {NOTED_AX, NOTED_CX, NOTED_DX, NOTED_BX,
				   NOTED_SP, NOTED_BP, NOTED_SI, NOTED_DI};

static uint16_t
number_noted(const uint64_t *values, bool is_32_bit,
	     struct prf_registers *registers)
{
	const uint8_t *noted = is_32_bit ? noted_32 : noted_64;

	*registers = (struct prf_registers){.pc = values[NOTED_IP]};
	for (unsigned i = 0; i < sizeof noted_64; i++)
		prf_registers_set(registers, i, values[noted[i]]);
	for (unsigned i = 0; i < 8 && !is_32_bit; i++)
		prf_registers_set(registers, 8 + i, values[NOTED_R8 + i]);
	return is_32_bit ? EM_386 : EM_X86_64;
}

static uint64_t
signature(pid_t tid)
{
	(void)tid;
	return 0;
}

const struct prf_arch prf_arch = {
	.name = "x86_64",
	.timers_wait_since = {5, 9},
	.syscall_insn = {0x0f, 0x05},
	.syscall_insn_bytes = 2,
	.red_zone_bytes = 128,
	.read = read_regs,
	.set_call = set_call,
	.set_pc = set_pc,
	.rewind_call = rewind_call,
	.is_rewound = is_rewound,
	.undo_rewind = undo_rewind,
	.number = number,
	.perf_registers = NOTED_REGISTERS,
	.perf_stack_registers = NOTED_STACK_REGISTERS,
	.view_noted = view_noted,
	.number_noted = number_noted,
	.call_origin = prf_x86_64_call_origin,
	.call_stack_bytes = 64,
	.signature = signature,
};
