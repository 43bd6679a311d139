/* pc.h - the pc at which a signal has interrupted its thread: all that
 * in-process calls know of the machine. */
#ifndef PRF_INPROC_PC_H
#define PRF_INPROC_PC_H

#include <stdint.h>
#include <ucontext.h>

static inline uint64_t
prf_pc_of(const ucontext_t *context)
{
#if defined(__x86_64__)
	return (uint64_t)context->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
	return context->uc_mcontext.pc;
#else
#error "where does this machine keep its program counter?"
#endif
}

#endif
