#include <elf.h>
#include <errno.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>

#include "unwind/stepped.h"

#ifndef NT_ARM_PAC_MASK
#define NT_ARM_PAC_MASK 0x406
#endif

enum { INSN_BYTES = 4, LINK = 30, SP = 31 };

const uint16_t prf_stepped_machine = EM_AARCH64;
const uint64_t prf_stepped_red_zone_bytes = 16;

static bool
get_set(pid_t pid, uintptr_t set, void *to, size_t n)
{
	struct iovec block = {to, n};

	return ptrace(PTRACE_GETREGSET, pid, (void *)set, &block) == 0;
}

bool
prf_stepped_registers(pid_t pid, struct prf_registers *registers,
		      uint64_t *signature)
{
	struct user_regs_struct r;
	int vector_bytes;
	struct {
		uint64_t data, code;
	} mask;

	if (!get_set(pid, NT_PRSTATUS, &r, sizeof r))
		return false;
	*registers = (struct prf_registers){.pc = r.pc};
	for (unsigned i = 0; i < SP; i++)
		prf_registers_set(registers, i, r.regs[i]);
	prf_registers_set(registers, SP, r.sp);
	vector_bytes = prctl(PR_SVE_GET_VL);
	if (vector_bytes > 0)
		registers->vector_granules =
			(uint64_t)(vector_bytes & PR_SVE_VL_LEN_MASK) / 8;
	/* A processor that does not sign has no such set. */
	*signature = get_set(pid, NT_ARM_PAC_MASK, &mask, sizeof mask)
			     ? mask.code
			     : 0;
	return true;
}

/* --- An access of its own
 *
 * Between a load and a store that are exclusive no stop may come: the store would
 * fail, and the program try again for ever.  They are run as one, up to what is
 * behind the store, or to where a branch between them leads. */

enum { MOST_BETWEEN = 16, MOST_ENDS = MOST_BETWEEN };

static bool
is_exclusive_load(uint32_t insn)
{
	return (insn & 0x3fc00000) == 0x08400000;
}

static bool
is_exclusive_store(uint32_t insn)
{
	return (insn & 0x3fc00000) == 0x08000000;
}

/* Where the conditional branch INSN, at PC, leads; 0: it is none. */
static uint64_t
branch_target(uint32_t insn, uint64_t pc)
{
	int32_t offset = 0;

	if ((insn & 0xff000010) == 0x54000000 || /* b.cond */
	    (insn & 0x7e000000) == 0x34000000)   /* cbz, cbnz */
		offset = (int32_t)(insn << 8) >> 13;
	else if ((insn & 0x7e000000) == 0x36000000) /* tbz, tbnz */
		offset = (int32_t)(insn << 13) >> 18;
	return offset ? pc + (uint64_t)(int64_t)offset * INSN_BYTES : 0;
}

/* Where what begins at PC, with an exclusive load, can end; returns in how many
 * places, 0: nothing exclusive is there. */
static unsigned
find_ends(pid_t pid, uint64_t pc, uint64_t ends[MOST_ENDS])
{
	uint32_t insns[MOST_BETWEEN];
	size_t n = prf_stepped_read(pid, pc, insns, sizeof insns) / INSN_BYTES;
	unsigned n_ends = 0;

	if (n == 0 || !is_exclusive_load(insns[0]))
		return 0;
	for (size_t i = 1; i < n; i++) {
		uint64_t at = pc + i * INSN_BYTES;
		uint64_t target = branch_target(insns[i], at);

		if (is_exclusive_store(insns[i])) {
			ends[n_ends] = at + INSN_BYTES;
			return n_ends + 1;
		}
		if (target)
			ends[n_ends++] = target;
	}
	return 0;
}

static bool
peek(pid_t pid, uint64_t addr, long *word)
{
	errno = 0;
	*word = ptrace(PTRACE_PEEKTEXT, pid, (void *)addr, 0);
	return errno == 0;
}

static bool
poke(pid_t pid, uint64_t addr, long word)
{
	return ptrace(PTRACE_POKETEXT, pid, (void *)addr, (void *)word) == 0;
}

static bool
run_to(pid_t pid, const uint64_t *ends, unsigned n, int *status)
{
	static const uint32_t breakpoint = 0xd4200000; /* brk #0 */
	long words[MOST_ENDS];

	for (unsigned i = 0; i < n; i++) {
		long stop;

		if (!peek(pid, ends[i], &words[i]))
			return false;
		stop = words[i];
		memcpy(&stop, &breakpoint, sizeof breakpoint);
		if (!poke(pid, ends[i], stop))
			return false;
	}
	if (ptrace(PTRACE_CONT, pid, 0, 0) != 0 ||
	    waitpid(pid, status, 0) != pid)
		return false;
	/* The last first: two words may overlap. */
	for (unsigned i = n; i-- > 0;)
		if (WIFSTOPPED(*status) && !poke(pid, ends[i], words[i]))
			return false;
	return true;
}

bool
prf_stepped_go_on(pid_t pid, uint64_t pc, int *status)
{
	uint64_t ends[MOST_ENDS];
	unsigned n = find_ends(pid, pc, ends);

	if (n > 0)
		return run_to(pid, ends, n, status);
	return ptrace(PTRACE_SINGLESTEP, pid, 0, 0) == 0 &&
	       waitpid(pid, status, 0) == pid;
}

/* --- Calls */

bool
prf_stepped_is_system_call(pid_t pid, uint64_t pc)
{
	uint32_t insn;

	return prf_stepped_read(pid, pc, &insn, sizeof insn) == sizeof insn &&
	       insn == 0xd4000001; /* svc #0 */
}

/* It leaves the address behind it in a register. */
bool
prf_stepped_may_call(pid_t pid, const struct prf_registers *before,
		     const struct prf_registers *after,
		     struct prf_stepped_call *call)
{
	uint64_t to = before->pc + INSN_BYTES;

	(void)pid;
	*call = (struct prf_stepped_call){after->values[SP], to};
	return after->values[LINK] == to;
}

/* The stack pointer is what it was at the call, and that alone it is in a function
 * without a frame, too. */
bool
prf_stepped_has_returned(const struct prf_stepped_call *call,
			 const struct prf_registers *now)
{
	return now->values[SP] > call->sp ||
	       (now->values[SP] == call->sp && now->pc == call->to);
}
