#include "image/syscalls.h"

#include <stddef.h>

#include "image/syscall_table.h"

int
prf_syscall_limit(void)
{
	int limit = 0;

	for (const struct prf_syscall *call = prf_syscall_table; call->name;
	     call++)
		if (call->number >= limit)
			limit = call->number + 1;
	return limit;
}

const char *
prf_syscall_name(int number)
{
	for (const struct prf_syscall *call = prf_syscall_table; call->name;
	     call++)
		if (call->number == number)
			return call->name;
	return NULL;
}
