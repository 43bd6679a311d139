/* injectable.h - the child of a test, into which calls can be injected. */
#ifndef PRF_TESTS_INJECTABLE_H
#define PRF_TESTS_INJECTABLE_H

#include <stdint.h>
#include <sys/types.h>

#include "live/arch.h"

/* Of the test that runs. */
extern pid_t child;
extern struct prf_regs regs; /* as it was stopped */
extern uint64_t insn_addr;   /* its system call instruction */

/* Begins CHILD with prf_traced_spinner(). */
void prf_injectable_begin(void (*run)(void));
/* Injects call NUMBER alone, without arguments, and returns its result. */
int64_t prf_injectable_call(long number);

#endif
