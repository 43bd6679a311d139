/* machine.h - what an unwinder has to know of a machine: which registers have
 * a role.  Registers have the numbers that DWARF gives them there. */
#ifndef PRF_UNWIND_MACHINE_H
#define PRF_UNWIND_MACHINE_H

#include <stdint.h>

enum { PRF_MACHINE_NO_REGISTER = 0xff };

struct prf_machine {
	uint16_t elf_machine; /* EM_... */
	uint8_t word_bytes;   /* of an address */
	/* The bits of a pointer that are an address.  Programs may use the others
	 * as they like: aarch64's top byte can hold a tag, by which memory is
	 * checked. */
	uint64_t address_mask;
	uint8_t stack_pointer;
	uint8_t frame_pointer; /* of functions that keep one */
	/* Where a call leaves the return address; NO_REGISTER: on the stack */
	uint8_t link_register;
	/* The return address, where CFI says it is "in" a register that no
	 * program has: it must have a rule.  NO_REGISTER: a call leaves it in
	 * a register, and there it is if no rule says otherwise. */
	uint8_t return_address;
};

/* The machine of ELF files with MACHINE as e_machine; NULL: not known. */
const struct prf_machine *prf_machine_of(uint16_t machine);

#endif
