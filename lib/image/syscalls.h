/* syscalls.h - the names of system calls, on the machine where they were made. */
#ifndef PRF_IMAGE_SYSCALLS_H
#define PRF_IMAGE_SYSCALLS_H

#include <stdint.h>

/* A machine is one of the EM_ numbers of <elf.h>: that of the program's own ELF
 * file, since a 32-bit program has other calls than the system it runs on.  0 is
 * the machine that profrun was built for. */

/* The machine of the programs here whose addresses have ADDR_BYTES, 4 or 8. */
uint16_t prf_syscall_machine(uint8_t addr_bytes);

/* "read" for the number of read(2), also what a sample has instead of a number;
 * NULL where it has no name. */
const char *prf_syscall_name(uint16_t machine, int number);

#endif
