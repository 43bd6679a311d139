/* here.h - this program itself as one whose stacks are unwound. */
#ifndef PRF_TESTS_UNWIND_HERE_H
#define PRF_TESTS_UNWIND_HERE_H

#include <elf.h>
#include <ucontext.h>

#include "unwind/registers.h"

#if defined(__x86_64__)
enum { THIS_MACHINE = EM_X86_64, HAVE_TRUTH = 1 };
#elif defined(__aarch64__)
enum { THIS_MACHINE = EM_AARCH64, HAVE_TRUTH = 1 };
#else
enum { THIS_MACHINE = EM_NONE, HAVE_TRUTH = 0 };
#endif

/* As getcontext(3) has left them; none where there is no truth. */
struct prf_registers registers_of(const ucontext_t *context);

#endif
