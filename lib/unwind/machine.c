#include "unwind/machine.h"

#include <elf.h>
#include <stddef.h>

static const struct prf_machine machines[] = {
	/* rax to r15 are 0 to 15, in an order of their own, as are eax to
	 * edi, 0 to 7 */
	{.elf_machine = EM_X86_64,
	 .word_bytes = 8,
	 .address_mask = UINT64_MAX,
	 .stack_pointer = 7,
	 .frame_pointer = 6,
	 .link_register = PRF_MACHINE_NO_REGISTER,
	 .return_address = 16},
	{.elf_machine = EM_386,
	 .word_bytes = 4,
	 .address_mask = UINT32_MAX,
	 .stack_pointer = 4,
	 .frame_pointer = 5,
	 .link_register = PRF_MACHINE_NO_REGISTER,
	 .return_address = 8},
	{.elf_machine = EM_AARCH64,
	 .word_bytes = 8,
	 .address_mask = UINT64_MAX >> 8,
	 .stack_pointer = 31, /* x0 to x30 are 0 to 30 */
	 .frame_pointer = 29,
	 .link_register = 30,
	 .return_address = PRF_MACHINE_NO_REGISTER},
};

const struct prf_machine *
prf_machine_of(uint16_t machine)
{
	for (size_t i = 0; i < sizeof machines / sizeof *machines; i++)
		if (machines[i].elf_machine == machine)
			return &machines[i];
	return NULL;
}
