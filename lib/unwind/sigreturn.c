#include "unwind/sigreturn.h"

#include <dwarf.h>
#include <elf.h>
#include <string.h>

/* The stack pointer leads to the kernel's struct ucontext, which has the registers
 * of what the signal has interrupted.  SLEB128 of two bytes. */
#define AT_STACK(off_) DW_OP_breg7, ((off_)&0x7f) | 0x80, (off_) >> 7

#define SAVED(reg_, off_)                                                      \
	{                                                                      \
		.how = PRF_CFI_AT_EXPRESSION, .of = (reg_),                    \
		.expression_bytes = 3, .expression = (const uint8_t[])         \
		{                                                              \
			AT_STACK(off_)                                         \
		}                                                              \
	}

/* mov $15, %rax; syscall */
static const uint8_t x86_64_text[] = {0x48, 0xc7, 0xc0, 15,  0,
				      0,    0,    0x0f, 0x05};

static const struct prf_cfi_row x86_64_row = {
	.cfa = {.how = PRF_CFI_IS_EXPRESSION,
		.expression_bytes = 4,
		.expression = (const uint8_t[]){AT_STACK(160), DW_OP_deref}},
	.return_register = 16,
	.signal_frame = true,
	.n_rules = 16,
	/* All but the stack pointer, 7, which is the CFA. */
	.rules = {SAVED(0, 144), SAVED(1, 136), SAVED(2, 152), SAVED(3, 128),
		  SAVED(4, 112), SAVED(5, 104), SAVED(6, 120), SAVED(8, 40),
		  SAVED(9, 48), SAVED(10, 56), SAVED(11, 64), SAVED(12, 72),
		  SAVED(13, 80), SAVED(14, 88), SAVED(15, 96), SAVED(16, 168)},
};

static const struct {
	uint16_t machine; /* EM_... */
	const uint8_t *text;
	size_t n_bytes;
	const struct prf_cfi_row *row;
} returns[] = {
	{EM_X86_64, x86_64_text, sizeof x86_64_text, &x86_64_row},
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
