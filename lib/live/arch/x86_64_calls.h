/* x86_64_calls.h - what instructions of x86-64 and i386 tell of the number of a
 * system call.  Pure. */
#ifndef PRF_LIVE_ARCH_X86_64_CALLS_H
#define PRF_LIVE_ARCH_X86_64_CALLS_H

#include "live/call_origin.h"

/* Where NUMBER_REGISTER, or another register as instructions number them, has got
 * its value. */
struct prf_call_origin prf_x86_64_call_origin(const struct prf_call_text *text,
					      int number_register);

#endif
