/* call_origin.h - where the number of a system call comes from, as far as the
 * instructions before it tell. */
#ifndef PRF_LIVE_CALL_ORIGIN_H
#define PRF_LIVE_CALL_ORIGIN_H

#include <stddef.h>
#include <stdint.h>

enum prf_call_origin_kind {
	PRF_CALL_UNKNOWN,
	PRF_CALL_NONE,     /* the last instruction makes no system call */
	PRF_CALL_NUMBER,   /* it is VALUE */
	PRF_CALL_REGISTER, /* it is in the register VALUE, of perf's numbers,
			     * still */
	PRF_CALL_STACK,    /* it is VALUE bytes above the stack pointer */
	PRF_CALL_PARAMETER, /* the function was given it in the machine's register
			     * VALUE; its return address is where the stack
			     * pointer leads */
};

struct prf_call_origin {
	enum prf_call_origin_kind kind;
	int32_t value;
};

/* The register in which the kernel expects the number; others are those in which
 * functions are given parameters. */
enum { PRF_CALL_NUMBER_REGISTER = -1 };

/* Instructions before an address, the last of which is a system call; or, where it
 * is another register that is asked for, a call of a function. */
struct prf_call_text {
	const uint8_t *bytes;
	size_t n_bytes;
	uint64_t end; /* that address */
	uint8_t addr_bytes;
};

#endif
