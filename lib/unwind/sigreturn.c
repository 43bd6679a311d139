#include "unwind/sigreturn.h"

#include <dwarf.h>
#include <elf.h>
#include <string.h>

/* At an offset from the stack pointer, which is a register of the machine's own;
 * SLEB128 of two bytes. */
#define AT_STACK(sp_, off_)                                                    \
	DW_OP_breg0 + (sp_), ((off_)&0x7f) | 0x80, (off_) >> 7

#define SAVED_AT(sp_, reg_, off_)                                              \
	{                                                                      \
		.how = PRF_CFI_AT_EXPRESSION, .of = (reg_),                    \
		.expression_bytes = 3, .expression = (const uint8_t[])         \
		{                                                              \
			AT_STACK(sp_, off_)                                    \
		}                                                              \
	}

/* --- x86-64: the stack pointer leads to the kernel's struct ucontext, which has the
 * registers of what the signal has interrupted. */

enum { X86_64_SP = 7 };
#define SAVED(reg_, off_) SAVED_AT(X86_64_SP, reg_, off_)

/* mov $15, %rax; syscall */
static const uint8_t x86_64_text[] = {0x48, 0xc7, 0xc0, 15,  0,
				      0,    0,    0x0f, 0x05};

static const struct prf_cfi_row x86_64_row = {
	.cfa = {.how = PRF_CFI_IS_EXPRESSION,
		.expression_bytes = 4,
		.expression = (const uint8_t[]){AT_STACK(X86_64_SP, 160),
						DW_OP_deref}},
	.return_register = 16,
	.signal_frame = true,
	.n_rules = 16,
	/* All but the stack pointer, 7, which is the CFA. */
	.rules = {SAVED(0, 144), SAVED(1, 136), SAVED(2, 152), SAVED(3, 128),
		  SAVED(4, 112), SAVED(5, 104), SAVED(6, 120), SAVED(8, 40),
		  SAVED(9, 48), SAVED(10, 56), SAVED(11, 64), SAVED(12, 72),
		  SAVED(13, 80), SAVED(14, 88), SAVED(15, 96), SAVED(16, 168)},
};

#undef SAVED

/* --- aarch64: a siginfo_t of 128 bytes is before the struct ucontext.  (The C
 * libraries leave this code to the vDSO, which has no CFI for it.) */

enum { AARCH64_SP = 31, AARCH64_PC };
#define SAVED(reg_) SAVED_AT(AARCH64_SP, reg_, 312 + 8 * (reg_))

/* mov x8, #139; svc #0 */
static const uint8_t aarch64_text[] = {0x68, 0x11, 0x80, 0xd2,
				       0x01, 0x00, 0x00, 0xd4};

static const struct prf_cfi_row aarch64_row = {
	.cfa = {.how = PRF_CFI_IS_EXPRESSION,
		.expression_bytes = 4,
		.expression = (const uint8_t[]){AT_STACK(AARCH64_SP, 560),
						DW_OP_deref}},
	.return_register = AARCH64_PC,
	.signal_frame = true,
	.n_rules = 32,
	.rules = {SAVED(0),  SAVED(1),         SAVED(2),  SAVED(3),  SAVED(4),
		  SAVED(5),  SAVED(6),         SAVED(7),  SAVED(8),  SAVED(9),
		  SAVED(10), SAVED(11),        SAVED(12), SAVED(13), SAVED(14),
		  SAVED(15), SAVED(16),        SAVED(17), SAVED(18), SAVED(19),
		  SAVED(20), SAVED(21),        SAVED(22), SAVED(23), SAVED(24),
		  SAVED(25), SAVED(26),        SAVED(27), SAVED(28), SAVED(29),
		  SAVED(30), SAVED(AARCH64_PC)},
};
#undef SAVED

static const struct {
	uint16_t machine; /* EM_... */
	const uint8_t *text;
	size_t n_bytes;
	const struct prf_cfi_row *row;
} returns[] = {
	{EM_X86_64, x86_64_text, sizeof x86_64_text, &x86_64_row},
	{EM_AARCH64, aarch64_text, sizeof aarch64_text, &aarch64_row},
};

const struct prf_cfi_row *
prf_sigreturn_row(const struct prf_machine *machine, const uint8_t *text,
		  size_t n)
{
	for (size_t i = 0; i < sizeof returns / sizeof *returns; i++)
		if (machine->elf_machine == returns[i].machine &&
		    n >= returns[i].n_bytes &&
		    memcmp(text, returns[i].text, returns[i].n_bytes) == 0)
			return returns[i].row;
	return NULL;
}
