/* registers.h - the registers of a thread, or of one of its callers, and the
 * memory they point into. */
#ifndef PRF_UNWIND_REGISTERS_H
#define PRF_UNWIND_REGISTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "image/cfi_row.h"

/* By DWARF's numbers.  Of a blocked thread only PC and the stack pointer may
 * be known; of a caller, what its callees have saved. */
struct prf_registers {
	uint64_t pc;
	uint64_t values[PRF_CFI_REGISTERS];
	uint64_t known; /* bit N: values[N] is known */
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

/* Reads N_BYTES at ADDR; false if not all of them can be read.  Any ADDR may be
 * asked for. */
typedef bool prf_registers_read(void *arg, uint64_t addr, void *to,
				size_t n_bytes);

/* Memory of a program, in little endian as all machines here. */
struct prf_registers_memory {
	prf_registers_read *read;
	void *arg;
	uint8_t word_bytes; /* of an address: 4, or 8, which 0 stands for */
};

/* The number in the N_BYTES, at most 8, at ADDR. */
static inline bool
prf_registers_load(const struct prf_registers_memory *memory, uint64_t addr,
		   unsigned n_bytes, uint64_t *value)
{
	uint8_t bytes[8] = {0};

	if (!memory->read(memory->arg, addr, bytes, n_bytes))
		return false;
	*value = 0;
	for (unsigned i = 0; i < 8; i++)
		*value |= (uint64_t)bytes[i] << (8 * i);
	return true;
}

/* The address at ADDR. */
static inline bool
prf_registers_load_word(const struct prf_registers_memory *memory,
			uint64_t addr, uint64_t *value)
{
	if (memory->word_bytes == 4)
		return prf_registers_load(memory, (uint32_t)addr, 4, value);
	return prf_registers_load(memory, addr, 8, value);
}

#endif
