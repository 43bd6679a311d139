/* stepped.h - what stepped has to know of a machine: how its instructions call
 * and return. */
#ifndef PRF_TESTS_STEPPED_H
#define PRF_TESTS_STEPPED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "unwind/registers.h"

/* A call that has not returned: where it leads back to, and by which stack pointer
 * it is known that it has. */
struct prf_stepped_call {
	uint64_t sp, to;
};

/* Reads at most N bytes at ADDR of the stopped PID; returns how many. */
size_t prf_stepped_read(pid_t pid, uint64_t addr, void *to, size_t n);

/* --- One file for each machine has these. */

extern const uint16_t prf_stepped_machine; /* EM_... */
extern const uint64_t prf_stepped_red_zone_bytes;

/* Of PID, stopped; SIGNATURE: the bits that sign its return addresses.  False:
 * errno tells why. */
bool prf_stepped_registers(pid_t pid, struct prf_registers *registers,
			   uint64_t *signature);
/* Lets PID, which is at PC, run an instruction, or a few that cannot be told apart;
 * STATUS is as of waitpid(2).  False: errno tells why. */
bool prf_stepped_go_on(pid_t pid, uint64_t pc, int *status);
bool prf_stepped_is_system_call(pid_t pid, uint64_t pc);
/* False: the instruction between BEFORE and AFTER was no call.  Else it was *CALL, if an
 * instruction that calls ends where that returns to. */
bool prf_stepped_may_call(pid_t pid, const struct prf_registers *before,
			  const struct prf_registers *after,
			  struct prf_stepped_call *call);
bool prf_stepped_has_returned(const struct prf_stepped_call *call,
			      const struct prf_registers *now);

#endif
