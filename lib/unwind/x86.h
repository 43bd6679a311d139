/* x86.h - instructions of x86-64 and i386: how long each is, and what it does to
 * the stack pointer and the frame pointer. */
#ifndef PRF_UNWIND_X86_H
#define PRF_UNWIND_X86_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Registers as instructions number them. */
enum { PRF_X86_SP = 4, PRF_X86_FP = 5 };

enum prf_x86_what {
	PRF_X86_OTHER,
	PRF_X86_PUSH,       /* of register REG, or PRF_X86_NO_REGISTER */
	PRF_X86_POP,        /* likewise */
	PRF_X86_ADD_SP,     /* SP += VALUE */
	PRF_X86_SP_FROM_FP, /* SP = FP + VALUE */
	PRF_X86_FP_FROM_SP, /* FP = SP + VALUE */
	PRF_X86_LEAVE,      /* SP = FP; pop FP */
	PRF_X86_SP_LOST,    /* SP is what cannot be told */
	PRF_X86_FP_LOST,    /* FP is */
	PRF_X86_BRANCH,     /* perhaps to TARGET */
	PRF_X86_JUMP,       /* to TARGET */
	PRF_X86_JUMP_AWAY,  /* to where a register or memory says */
	PRF_X86_CALL,       /* to TARGET */
	PRF_X86_END,        /* a return, or what is not meant to be reached */
	PRF_X86_NOTHING,    /* padding */
	PRF_X86_LANDING /* endbr: what an indirect call or jump may lead to */
};

enum { PRF_X86_NO_REGISTER = 0xff };

struct prf_x86 {
	enum prf_x86_what what;
	uint8_t n_bytes;
	uint8_t reg;
	int64_t value;
	uint64_t target; /* relative to the instruction's own address */
};

/* Takes the instruction at BYTES apart, of which there are N.  False: it is not
 * known, or cut short. */
bool prf_x86_decode(const uint8_t *bytes, size_t n, bool is_64_bit,
		    struct prf_x86 *insn);

#endif
