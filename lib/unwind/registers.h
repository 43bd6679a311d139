/* registers.h - the registers of a thread, or of one of its callers, and the
 * memory they point into. */
#ifndef PRF_UNWIND_REGISTERS_H
#define PRF_UNWIND_REGISTERS_H

#include <endian.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "image/cfi_row.h"

/* By DWARF's numbers.  Of a blocked thread only PC and the stack pointer may
 * be known; of a caller, what its callees have saved. */
struct prf_registers {
	uint64_t pc;
	uint64_t known; /* bit N < PRF_CFI_REGISTERS: values[N] is known */
	/* aarch64: how many times 8 bytes a vector of SVE has, in all frames;
	 * 0: there is none. */
	uint64_t vector_granules;
	/* The stack pointer is not below its value, but no frame is found by it:
	 * where a return address is does not tell how large its frame is, which
	 * on aarch64 goes on above it. */
	bool sp_is_least;
	uint64_t values[PRF_CFI_REGISTERS];
};

_Static_assert(PRF_CFI_REGISTERS <= 64, "a bit for each register");

static inline bool
prf_registers_get(const struct prf_registers *registers, unsigned number,
		  uint64_t *value)
{
	if (number >= PRF_CFI_REGISTERS || !(registers->known >> number & 1))
		return false;
	*value = registers->values[number];
	return true;
}

static inline void
prf_registers_set(struct prf_registers *registers, unsigned number,
		  uint64_t value)
{
	registers->values[number] = value;
	registers->known |= (uint64_t)1 << number;
}

static inline void
prf_registers_forget(struct prf_registers *registers, unsigned number)
{
	registers->known &= ~((uint64_t)1 << number);
}

/* *TO becomes as *FROM; what is behind the last known one is not copied. */
static inline void
prf_registers_copy(struct prf_registers *to, const struct prf_registers *from)
{
	size_t n = from->known ? 64 - (size_t)__builtin_clzll(from->known) : 0;

	memcpy(to, from,
	       offsetof(struct prf_registers, values) +
		       n * sizeof from->values[0]);
}

/* Reads N_BYTES at ADDR; false if not all of them can be read.  Any ADDR may be
 * asked for. */
typedef bool prf_registers_read(void *arg, uint64_t addr, void *to,
				size_t n_bytes);

/* Memory of a program, in little endian as all machines here. */
struct prf_registers_memory {
	prf_registers_read *read;
	void *arg;
	/* A part of it that is here: N_BYTES from ADDR on, which are not asked
	 * for one by one. */
	const uint8_t *bytes;
	uint64_t addr;
	uint32_t n_bytes;
	uint64_t address_mask; /* as in struct prf_machine; 0: all bits */
	uint8_t word_bytes;    /* of an address: 4, or 8, which 0 stands for */
	/* Each operation of an expression takes one of it, while there is any;
	 * NULL: nobody counts. */
	uint32_t *work_left;
};

/* The number in the N_BYTES, 1 to 8, at ADDR. */
static inline bool
prf_registers_load(const struct prf_registers_memory *memory, uint64_t addr,
		   unsigned n_bytes, uint64_t *value)
{
	if (memory->address_mask)
		addr &= memory->address_mask;
	uint64_t into = addr - memory->addr, number = 0;

	if (into < memory->n_bytes && memory->n_bytes - into >= sizeof number)
		memcpy(&number, memory->bytes + into, sizeof number);
	else if (!memory->read(memory->arg, addr, &number, n_bytes))
		return false;
	*value = le64toh(number) & UINT64_MAX >> (64 - 8 * n_bytes);
	return true;
}

/* The bytes of pages of a copy that were not there: in such a page nobody has saved
 * anything, or somebody has yet to bring it.  A word of these is no address. */
enum { PRF_REGISTERS_ABSENT = 0xf5 };

/* The address at ADDR. */
static inline bool
prf_registers_load_word(const struct prf_registers_memory *memory,
			uint64_t addr, uint64_t *value)
{
	const unsigned n_bytes = memory->word_bytes == 4 ? 4 : 8;
	const uint64_t absent = UINT64_MAX / 0xff * PRF_REGISTERS_ABSENT;

	return prf_registers_load(memory, addr, n_bytes, value) &&
	       *value != absent >> (64 - 8 * n_bytes);
}

#endif
