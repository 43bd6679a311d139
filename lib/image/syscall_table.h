/* syscall_table.h - what syscalls.tbl has, as data; made when profrun is built
 * (see local.mk). */
#ifndef PRF_IMAGE_SYSCALL_TABLE_H
#define PRF_IMAGE_SYSCALL_TABLE_H

#include <stddef.h>
#include <stdint.h>

struct prf_syscall_table {
	uint16_t machine;         /* EM_X86_64... of <elf.h> */
	const char *const *names; /* by number; NULL where there is no call */
	size_t n_names;
};

enum { PRF_N_SYSCALL_TABLES = 4 };
extern const struct prf_syscall_table prf_syscall_tables[PRF_N_SYSCALL_TABLES];

#endif
