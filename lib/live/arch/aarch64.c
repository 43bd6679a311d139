/* aarch64.
 *
 * The register block does not say whether a stop is in a system call, and
 * PTRACE_GET_SYSCALL_INFO (Linux 5.3) knows only of stops at calls.
 * NT_ARM_SYSTEM_CALL would say it; but before the kernel delivers a signal, or
 * stops a thread that was interrupted, it has forgotten the number.  By then a
 * thread whose call is to be made again stands at the instruction for that, and
 * one whose call has ended stands behind it: so the instructions tell.
 *
 * A 32-bit program shows in the size of the block: it is sampled, but not made
 * to call. */
#include "live/arch.h"

#include <asm/hwcap.h>
#include <asm/ptrace.h>
#include <elf.h>
#include <errno.h>
#include <linux/futex.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>

#include "core/sample.h"
#include "live/proc/reach.h"

#ifndef NT_ARM_SYSTEM_CALL
#define NT_ARM_SYSTEM_CALL 0x404
#endif
#ifndef NT_ARM_SVE
#define NT_ARM_SVE 0x405
#endif
#ifndef NT_ARM_SSVE
#define NT_ARM_SSVE 0x40b
#endif
#ifndef NT_ARM_PAC_MASK
#define NT_ARM_PAC_MASK 0x406
#endif
#ifndef PSR_BTYPE_MASK
#define PSR_BTYPE_MASK 0x00000c00
#endif

enum {
	NUMBER_REG = 8,
	INSN_BYTES = 4,
	SVC = 0xd4000001, /* svc #0 */
	MOST_CALLS = 1024,
	/* Programs never see this code of the kernel. */
	ERESTART_RESTARTBLOCK_ = 516,
};

_Static_assert(sizeof(struct user_pt_regs) <=
		       sizeof(((struct prf_regs *)0)->raw),
	       "raw holds the kernel's block");

static struct user_pt_regs
block_of(const struct prf_regs *regs)
{
	struct user_pt_regs user;

	memcpy(&user, regs->raw, sizeof user);
	return user;
}

/* The top byte of a pointer may be a tag of the program's own. */
static uint64_t
untagged(uint64_t pointer)
{
	return pointer & UINT64_MAX >> 8;
}

static void
set_block(struct prf_regs *regs, const struct user_pt_regs *user)
{
	memcpy(regs->raw, user, sizeof *user);
	regs->pc = user->pc;
	regs->sp = untagged(user->sp);
	regs->addr_bytes = 8;
}

/* --- In which system call is it? */

/* The N_BYTES of text at ADDR; false: not all of them can be read. */
static bool
read_text(pid_t tid, uint64_t addr, void *to, size_t n_bytes)
{
	struct iovec here = {to, n_bytes};
	struct iovec there = {(void *)(uintptr_t)addr, n_bytes};

	prf_reach_begin();
	ssize_t n = process_vm_readv(tid, &here, 1, &there, 1, 0);
	prf_reach_end();
	return n == (ssize_t)n_bytes;
}

static bool
makes_call(pid_t tid, uint64_t addr)
{
	uint32_t insn;

	return read_text(tid, addr, &insn, sizeof insn) && insn == SVC;
}

/* The thread leaves call NUMBER, which has ended. */
static void
view_ended(struct prf_regs *regs, int32_t number, int64_t result)
{
	regs->syscall = number;
	regs->result = result;
}

/* The thread is about to make call NUMBER again. */
static void
view_again(struct prf_regs *regs, int32_t number)
{
	regs->syscall = number;
	regs->result = number;
}

/* Does the kernel go on with such a call by restart_syscall(2), for the rest of its
 * time? */
static bool
has_rest(const struct user_pt_regs *user)
{
	switch (user->regs[NUMBER_REG]) {
	case SYS_nanosleep:
		return true;
	case SYS_clock_nanosleep:
		return !(user->regs[1] & TIMER_ABSTIME);
	case SYS_futex:
		return (user->regs[1] & FUTEX_CMD_MASK) == FUTEX_WAIT &&
		       user->regs[3];
	default:
		return false;
	}
}

/* (A thread that has just come to such an instruction, or is just behind it
 * because a handler has returned there, looks the same: that is one place of
 * all where it can be, and the kernel's time that it stands for is larger.) */
static void
infer_call(pid_t tid, struct prf_regs *regs)
{
	const struct user_pt_regs user = block_of(regs);
	uint64_t number = user.regs[NUMBER_REG];

	regs->syscall = PRF_NO_SYSCALL;
	regs->result = (int64_t)user.regs[0];
	regs->call_is_inferred = true;
	if (number >= MOST_CALLS)
		return;
	if (makes_call(tid, user.pc - INSN_BYTES))
		view_ended(regs, (int32_t)number, (int64_t)user.regs[0]);
	else if (!makes_call(tid, user.pc))
		return;
	else if (has_rest(&user))
		view_ended(regs, (int32_t)number, -ERESTART_RESTARTBLOCK_);
	else
		view_again(regs, (int32_t)number);
}

/* --- 32-bit programs */

enum {
	ARM_WORDS = 18,
	ARM_NUMBER = 7,
	ARM_SP = 13,
	ARM_PC = 15,
	ARM_STATUS,
	ARM_IS_THUMB = 1 << 5,
	ARM_SVC = 0xef000000,
	THUMB_SVC = 0xdf00,
};

static bool
makes_call_32(pid_t tid, uint64_t addr, bool is_thumb)
{
	uint32_t insn = 0;

	return read_text(tid, addr, &insn, is_thumb ? 2 : 4) &&
	       insn == (is_thumb ? THUMB_SVC : ARM_SVC);
}

static void
view_32(pid_t tid, struct prf_regs *regs)
{
	uint32_t words[ARM_WORDS];

	memcpy(words, regs->raw, sizeof words);
	bool is_thumb = words[ARM_STATUS] & ARM_IS_THUMB;
	uint64_t pc = words[ARM_PC], insn_bytes = is_thumb ? 2 : 4;
	int32_t number = (int32_t)words[ARM_NUMBER];

	*regs = (struct prf_regs){
		.pc = pc,
		.sp = words[ARM_SP],
		.syscall = PRF_NO_SYSCALL,
		.result = (int32_t)words[0],
		.addr_bytes = 4,
		.call_is_inferred = true,
		.raw_bytes = regs->raw_bytes,
	};
	memcpy(regs->raw, words, sizeof words);
	if (number < 0 || number >= MOST_CALLS)
		return;
	if (makes_call_32(tid, pc - insn_bytes, is_thumb))
		view_ended(regs, number, (int32_t)words[0]);
	else if (makes_call_32(tid, pc, is_thumb))
		view_again(regs, number);
}

/* --- To read and to change */

static int
read_regs(pid_t tid, struct prf_regs *regs)
{
	struct iovec block = {regs->raw, sizeof regs->raw};
	int number = PRF_NO_SYSCALL;
	struct iovec call = {&number, sizeof number};

	if (ptrace(PTRACE_GETREGSET, tid, (void *)(uintptr_t)NT_PRSTATUS,
		   &block))
		return -errno;
	regs->raw_bytes = block.iov_len;
	regs->call_is_inferred = false;
	if (block.iov_len == ARM_WORDS * sizeof(uint32_t)) {
		view_32(tid, regs);
		return 0;
	}
	if (block.iov_len != sizeof(struct user_pt_regs))
		return -ENOSYS;
	const struct user_pt_regs user = block_of(regs);
	set_block(regs, &user);
	if (ptrace(PTRACE_GETREGSET, tid, (void *)(uintptr_t)NT_ARM_SYSTEM_CALL,
		   &call))
		return -errno;
	if (number < 0)
		infer_call(tid, regs);
	else
		view_ended(regs, number, (int64_t)user.regs[0]);
	return 0;
}

/* (A thread that has just jumped by a register may go on only where that is allowed,
 * which the instruction of the vDSO is not: so it has not jumped.) */
static void
set_call(struct prf_regs *regs, uint64_t insn_addr, long number,
	 const uint64_t args[6])
{
	struct user_pt_regs user = block_of(regs);

	user.pc = insn_addr;
	user.pstate &= ~(uint64_t)PSR_BTYPE_MASK;
	user.regs[NUMBER_REG] = (uint64_t)number;
	for (int i = 0; i < 6; i++)
		user.regs[i] = args[i];
	set_block(regs, &user);
	regs->syscall = PRF_NO_SYSCALL;
}

static void
set_pc(struct prf_regs *regs, uint64_t pc)
{
	struct user_pt_regs user = block_of(regs);

	user.pc = pc;
	set_block(regs, &user);
}

/* mov to a register, of a number or of another register: to do that twice is to do
 * it once. */
static bool
is_mov(uint32_t insn)
{
	return (insn & 0x7f800000) == 0x52800000 ||
	       (insn & 0x7fe0ffe0) == 0x2a0003e0;
}

/* The kernel makes a thread call restart_syscall if it stands where the call is to
 * be made again; an instruction earlier it does not. */
static bool
step_back(pid_t tid, struct prf_regs *regs)
{
	uint32_t insn;

	if (!read_text(tid, regs->pc - INSN_BYTES, &insn, sizeof insn) ||
	    !is_mov(insn))
		return false;
	set_pc(regs, regs->pc - INSN_BYTES);
	return true;
}

/* A call that has failed cannot be made again: its result has overwritten its first
 * argument. */
static bool
rewind_call(pid_t tid, struct prf_regs *regs)
{
	return regs->addr_bytes == 8 && regs->call_is_inferred &&
	       regs->result == -ERESTART_RESTARTBLOCK_ && step_back(tid, regs);
}

/* It stands before the mov in user mode, and only such calls have been set back
 * to there.  (A thread that has come there again looks the same if it is about to
 * make such a call: to that, too, a signal can come.) */
static bool
is_rewound(const struct prf_regs *regs)
{
	const struct user_pt_regs user = block_of(regs);

	return regs->addr_bytes == 8 && has_rest(&user);
}

static void
undo_rewind(struct prf_regs *regs)
{
	struct user_pt_regs user = block_of(regs);

	user.pc += 2 * INSN_BYTES;
	user.regs[0] = (uint64_t)-EINTR;
	set_block(regs, &user);
	view_ended(regs, regs->syscall, -EINTR);
}

/* --- A call with a time-out that we have interrupted */

static void
note_sleep(struct prf_regs *regs, uint64_t slept_at)
{
	if (regs->call_is_inferred && regs->result == -ERESTART_RESTARTBLOCK_ &&
	    regs->pc + INSN_BYTES == slept_at)
		regs->call_is_inferred = false;
}

static void
set_restart(struct prf_regs *regs, const struct prf_regs *interrupted)
{
	struct user_pt_regs user = block_of(interrupted);

	*regs = *interrupted;
	user.pc += INSN_BYTES;
	user.regs[0] = (uint64_t)-ERESTART_RESTARTBLOCK_;
	set_block(regs, &user);
}

/* The kernel has set the registers back to before the call. */
static bool
inferred_args(const struct prf_regs *regs, uint64_t args[6])
{
	const struct user_pt_regs user = block_of(regs);
	uint32_t words[ARM_WORDS];

	memcpy(words, regs->raw, sizeof words);
	for (int i = 0; i < 6; i++)
		args[i] = regs->addr_bytes == 4 ? words[i] : user.regs[i];
	return regs->result == regs->syscall ||
	       regs->result == -ERESTART_RESTARTBLOCK_;
}

/* --- What system calls destroy */

/* At a system call the kernel clears what SVE has beside the 128 bits of each
 * vector, and ends streaming mode, in which the registers are those of SSVE.
 * (SME's ZA stays.) */
static int
read_vectors(pid_t tid, struct prf_vectors *vectors)
{
	static const int types[] = {NT_ARM_SSVE, NT_ARM_SVE};

	*vectors = (struct prf_vectors){0};
	for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
		void *type = (void *)(intptr_t)types[i];
		struct user_sve_header header;
		struct iovec block = {&header, sizeof header};

		if (ptrace(PTRACE_GETREGSET, tid, type, &block) ||
		    (header.flags & SVE_PT_REGS_MASK) != SVE_PT_REGS_SVE)
			continue; /* it uses none of these */
		block = (struct iovec){malloc(header.size), header.size};
		if (!block.iov_base)
			return -ENOMEM;
		if (ptrace(PTRACE_GETREGSET, tid, type, &block)) {
			int rc = -errno;

			free(block.iov_base);
			return rc;
		}
		*vectors = (struct prf_vectors){types[i], block.iov_base,
						block.iov_len};
		return 0;
	}
	return 0;
}

/* DWARF's numbers are the machine's own, and the stack pointer follows. */
static uint16_t
number(const struct prf_regs *regs, struct prf_registers *registers)
{
	enum { N_GENERAL = 31, STACK_POINTER = 31 };
	struct user_pt_regs user;

	*registers = (struct prf_registers){.pc = regs->pc};
	if (regs->addr_bytes != 8)
		return EM_ARM;
	user = block_of(regs);
	for (unsigned i = 0; i < N_GENERAL; i++)
		prf_registers_set(registers, i, user.regs[i]);
	prf_registers_set(registers, STACK_POINTER, user.sp);
	return EM_AARCH64;
}

/* --- What the kernel notes of a thread that runs on. */

/* By perf's numbers; of a 32-bit program these two are in the same places, and its
 * own registers have the lowest numbers. */
enum { NOTED_SP = 31, NOTED_PC };
#define NOTED_REGISTERS                                                        \
	(1ULL << NUMBER_REG | 1ULL << ARM_NUMBER | 1ULL << NOTED_SP |          \
	 1ULL << NOTED_PC)
#define NOTED_STACK_REGISTERS ((1ULL << (NOTED_PC + 1)) - 1)

/* Whether it has made a call, or was led into the kernel by a fault, its text
 * says. */
static void
view_noted(const uint64_t *values, bool is_32_bit, bool in_kernel,
	   struct prf_regs *regs)
{
	regs->pc = values[NOTED_PC];
	regs->sp = untagged(values[NOTED_SP]);
	regs->syscall = in_kernel ? PRF_SOME_SYSCALL : PRF_NO_SYSCALL;
	regs->addr_bytes = is_32_bit ? 4 : 8;
}

/* But for the PC, perf's numbers are DWARF's. */
static uint16_t
number_noted(const uint64_t *values, bool is_32_bit,
	     struct prf_registers *registers)
{
	*registers = (struct prf_registers){.pc = values[NOTED_PC]};
	if (is_32_bit)
		return EM_ARM;
	for (unsigned i = 0; i <= NOTED_SP; i++)
		prf_registers_set(registers, i, values[i]);
	return EM_AARCH64;
}

/* Whether a 32-bit program is in Thumb is not noted; but in neither set of
 * instructions is a call of the other anything that programs have. */
static bool
is_call(uint32_t insn, uint8_t addr_bytes)
{
	return addr_bytes == 8 ? insn == SVC
			       : insn == ARM_SVC || insn >> 16 == THUMB_SVC;
}

/* A call leaves its number where it was. */
static struct prf_call_origin
call_origin(const struct prf_call_text *text, int number_register)
{
	uint32_t insn;

	if (text->n_bytes < sizeof insn ||
	    number_register != PRF_CALL_NUMBER_REGISTER)
		return (struct prf_call_origin){.kind = PRF_CALL_UNKNOWN};
	memcpy(&insn, text->bytes + text->n_bytes - sizeof insn, sizeof insn);
	if (!is_call(insn, text->addr_bytes))
		return (struct prf_call_origin){.kind = PRF_CALL_NONE};
	return (struct prf_call_origin){PRF_CALL_REGISTER,
					text->addr_bytes == 8 ? NUMBER_REG
							      : ARM_NUMBER};
}

/* --- Signed return addresses */

/* Bits above the addresses of programs, which a signature takes where the kernel
 * cannot be asked about the thread.  How many an address has, 36 to 48, a kernel is
 * built with; what exec(2) puts at their end, as it has for us, tells. */
static uint64_t
usual_signature(void)
{
	enum { ADDR_BITS = 48, HIGHEST = 54 };
	uint64_t top = getauxval(AT_EXECFN);
	int lowest = top ? 64 - __builtin_clzll(top) : ADDR_BITS;

	return getauxval(AT_HWCAP) & HWCAP_PACA
		       ? (1ULL << (HIGHEST + 1)) - (1ULL << lowest)
		       : 0;
}

static uint64_t
signature(pid_t tid)
{
	struct {
		uint64_t data, code;
	} mask = {0};
	struct iovec block = {&mask, sizeof mask};

	if (tid && !ptrace(PTRACE_GETREGSET, tid,
			   (void *)(uintptr_t)NT_ARM_PAC_MASK, &block))
		return mask.code;
	return usual_signature();
}

static uint64_t
vector_granules(void)
{
	int told = prctl(PR_SVE_GET_VL);

	return told > 0 ? (uint64_t)(told & PR_SVE_VL_LEN_MASK) / 8 : 0;
}

const struct prf_arch prf_arch = {
	.name = "aarch64",
	.timers_wait_since = {5, 16},
	.syscall_insn = {0x01, 0x00, 0x00, 0xd4}, /* svc #0 */
	.syscall_insn_bytes = INSN_BYTES,
	/* It has none; but glibc's resolver of linkage jumps to what it was asked
	 * for with the return address below the stack pointer, by its CFI. */
	.red_zone_bytes = 16,
	.read = read_regs,
	.set_call = set_call,
	.set_pc = set_pc,
	.rewind_call = rewind_call,
	.is_rewound = is_rewound,
	.undo_rewind = undo_rewind,
	.note_sleep = note_sleep,
	.inferred_args = inferred_args,
	.set_restart = set_restart,
	.read_vectors = read_vectors,
	.number = number,
	.perf_registers = NOTED_REGISTERS,
	.perf_stack_registers = NOTED_STACK_REGISTERS,
	.view_noted = view_noted,
	.number_noted = number_noted,
	.call_origin = call_origin,
	.signature = signature,
	.vector_granules = vector_granules,
};
