#include "image/syscalls.h"

#include <elf.h>

#include "core/sample.h"
#include "image/syscall_table.h"

#ifdef __aarch64__
enum { HOST = EM_AARCH64, HOST_32 = EM_ARM };
#else
enum { HOST = EM_X86_64, HOST_32 = EM_386 };
#endif

uint16_t
prf_syscall_machine(uint8_t addr_bytes)
{
	return addr_bytes == 4 ? HOST_32 : HOST;
}

static const struct prf_syscall_table *
find_table(uint16_t machine)
{
	static const struct prf_syscall_table none;

	if (machine == EM_NONE)
		machine = HOST;
	for (size_t i = 0; i < PRF_N_SYSCALL_TABLES; i++)
		if (prf_syscall_tables[i].machine == machine)
			return &prf_syscall_tables[i];
	return &none;
}

/* What is no system call, but stands where one would. */
static const struct {
	int number;
	const char *name;
} others[] = {
	{PRF_NO_PROCESSOR, "waiting_for_a_processor"},
	{PRF_SOME_SYSCALL, "some_system_call"},
	{PRF_PAGE_FAULT, "page_fault"},
	{PRF_ENDING, "ending"},
	{PRF_SWITCHING, "switching"},
};

const char *
prf_syscall_name(uint16_t machine, int number)
{
	const struct prf_syscall_table *table = find_table(machine);

	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		if (others[i].number == number)
			return others[i].name;
	return number >= 0 && (size_t)number < table->n_names
		       ? table->names[number]
		       : NULL;
}
