/* cfi_row.h - how the registers of a caller are found, at one instruction: a
 * row of the table that call frame information (CFI) stands for.
 *
 * The canonical frame address (CFA) is the stack pointer as it was before the
 * call; what was saved lies relative to it. */
#ifndef PRF_IMAGE_CFI_ROW_H
#define PRF_IMAGE_CFI_ROW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Registers have the numbers that DWARF gives them on the machine.  Rules for
 * those from here on (floating point, vectors) are left out. */
enum { PRF_CFI_REGISTERS = 33 };

enum prf_cfi_how {
	PRF_CFI_SAME,          /* it is what it is; in a row: no rule */
	PRF_CFI_UNDEFINED,     /* it is lost; a return address: there is none */
	PRF_CFI_AT,            /* it is in memory at CFA + offset */
	PRF_CFI_IS,            /* it is CFA + offset */
	PRF_CFI_REGISTER,      /* it is in another register; of the CFA:
				* + offset */
	PRF_CFI_AT_EXPRESSION, /* it is in memory where an expression says */
	PRF_CFI_IS_EXPRESSION, /* it is what an expression says */
};

struct prf_cfi_rule {
	uint8_t how;   /* enum prf_cfi_how */
	uint8_t of;    /* the register whose rule it is; not for the CFA */
	uint8_t other; /* REGISTER: < PRF_CFI_REGISTERS */
	uint32_t expression_bytes;
	union {
		int64_t offset;
		const uint8_t *expression; /* DWARF's; it may be damaged */
	};
};

struct prf_cfi_row {
	struct prf_cfi_rule cfa; /* REGISTER or IS_EXPRESSION */
	uint8_t return_register;
	bool signal_frame;  /* a signal came before the instruction at the
			      * return address; it was no call */
	bool return_signed; /* aarch64: the return address has a signature */
	bool is_last;       /* of the last byte of its function */
	uint8_t n_rules;
	/* Ascending by register.  The stack pointer without a rule is the CFA,
	 * any other register without one has not changed. */
	struct prf_cfi_rule rules[];
};

#endif
