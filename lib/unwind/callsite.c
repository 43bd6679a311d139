#include "unwind/callsite.h"

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>

static uint32_t
number_at(const uint8_t *bytes)
{
	return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 |
	       (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

/* How many bytes "call" through a register or memory has, with the operand
 * that MODRM and SIB tell; 0: it is another instruction. */
static size_t
indirect_bytes(uint8_t modrm, uint8_t sib)
{
	enum { CALL = 2 };
	unsigned mod = modrm >> 6, rm = modrm & 7;
	size_t n = 2;

	if ((modrm >> 3 & 7) != CALL)
		return 0;
	if (mod == 3)
		return n;
	n += rm == 4;
	if (mod == 1)
		return n + 1;
	return n + (mod == 2 || rm == 5 || (rm == 4 && (sib & 7) == 5) ? 4 : 0);
}

/* Does a "call" through a register or memory end at END? */
static bool
is_indirect(const uint8_t *end)
{
	enum { INDIRECT = 0xff };

	for (size_t n = 2; n <= PRF_CALLSITE_BYTES; n++)
		if (end[-(ptrdiff_t)n] == INDIRECT &&
		    indirect_bytes(end[1 - (ptrdiff_t)n],
				   n > 2 ? end[2 - (ptrdiff_t)n] : 0) == n)
			return true;
	return false;
}

static enum prf_callsite
x86_call(const uint8_t *bytes, uint64_t addr, uint64_t *target)
{
	enum { DIRECT = 0xe8 };
	const uint8_t *end = bytes + PRF_CALLSITE_BYTES;
	enum prf_callsite other =
		is_indirect(end) ? PRF_CALLSITE_INDIRECT : PRF_CALLSITE_NONE;

	if (end[-5] != DIRECT)
		return other;
	*target = addr + (uint64_t)(int32_t)number_at(end - 4);
	return other ? PRF_CALLSITE_EITHER : PRF_CALLSITE_DIRECT;
}

static enum prf_callsite
aarch64_call(const uint8_t *bytes, uint64_t addr, uint64_t *target)
{
	const uint32_t word = number_at(bytes + PRF_CALLSITE_BYTES - 4);
	int32_t words = (int32_t)(word << 6) >> 6;

	if (word >> 26 == 0x25) { /* bl */
		*target = addr - 4 + (uint64_t)((int64_t)words * 4);
		return PRF_CALLSITE_DIRECT;
	}
	/* blr, blraa and their like */
	return (word & 0xfefff000) == 0xd63f0000 ? PRF_CALLSITE_INDIRECT
						 : PRF_CALLSITE_NONE;
}

enum prf_callsite
prf_callsite_before(const struct prf_machine *machine, const uint8_t *bytes,
		    uint64_t addr, uint64_t *target)
{
	if (machine->elf_machine == EM_AARCH64)
		return aarch64_call(bytes, addr, target);
	enum prf_callsite call = x86_call(bytes, addr, target);
	if (machine->word_bytes == 4)
		*target = (uint32_t)*target;
	return call;
}
