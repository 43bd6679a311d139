#include "unwind/sigreturn.h"

#include <dwarf.h>
#include <elf.h>
#include <endian.h>
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

/* --- i386: behind the number of the signal is a struct sigcontext; or, if the handler
 * is given a siginfo_t, the addresses of that and of the struct ucontext behind it,
 * which has one. */

enum { I386_SP = 4, I386_OLD = 4, I386_INFO = 12, I386_CONTEXT = 140 };
enum { I386_NEW = I386_CONTEXT + 20, I386_CS = 60 };
#define SAVED(reg_, off_) SAVED_AT(I386_SP, reg_, off_)
#define I386_ROW(at_)                                                          \
	{                                                                      \
		.cfa = {.how = PRF_CFI_IS_EXPRESSION,                          \
			.expression_bytes = 4,                                 \
			.expression = (const uint8_t[]){AT_STACK(I386_SP,      \
								 (at_) + 28),  \
							DW_OP_deref}},         \
		.return_register = 8, .signal_frame = true, .n_rules = 8,      \
		.rules = {SAVED(0, (at_) + 44), SAVED(1, (at_) + 40),          \
			  SAVED(2, (at_) + 36), SAVED(3, (at_) + 32),          \
			  SAVED(5, (at_) + 24), SAVED(6, (at_) + 20),          \
			  SAVED(7, (at_) + 16), SAVED(8, (at_) + 56)},         \
	}

/* pop %eax; mov $119, %eax; int $0x80 */
static const uint8_t i386_old_text[] = {0x58, 0xb8, 119, 0, 0, 0, 0xcd, 0x80};
static const struct prf_cfi_row i386_old_row = I386_ROW(I386_OLD);
/* mov $173, %eax; int $0x80 */
static const uint8_t i386_text[] = {0xb8, 173, 0, 0, 0, 0xcd, 0x80};
static const struct prf_cfi_row i386_row = I386_ROW(I386_NEW);

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
	/* Of the first instruction, of two that leave the stack as it is; 0: it
	 * has others. */
	size_t n_first;
	const struct prf_cfi_row *row;
} returns[] = {
	{EM_X86_64, x86_64_text, sizeof x86_64_text, 7, &x86_64_row},
	{EM_386, i386_old_text, sizeof i386_old_text, 0, &i386_old_row},
	{EM_386, i386_text, sizeof i386_text, 5, &i386_row},
	{EM_AARCH64, aarch64_text, sizeof aarch64_text, 4, &aarch64_row},
};

const struct prf_cfi_row *
prf_sigreturn_row(const struct prf_machine *machine, const uint8_t *text,
		  size_t n, size_t into)
{
	for (size_t i = 0; i < sizeof returns / sizeof *returns; i++) {
		size_t n_bytes = returns[i].n_bytes, first = returns[i].n_first;

		if (machine->elf_machine == returns[i].machine &&
		    n >= n_bytes &&
		    (into == 0 ||
		     (first != 0 && (into == first || into == n_bytes))) &&
		    memcmp(text, returns[i].text, n_bytes) == 0)
			return returns[i].row;
	}
	return NULL;
}

static bool
has_address(const struct prf_registers_memory *memory, uint64_t at,
	    uint64_t addr)
{
	uint64_t word = 0;

	return prf_registers_load_word(memory, at, &word) && word == addr;
}

/* Is the code segment in the context AT that of 32-bit programs on x86-64? */
static bool
has_segment(const struct prf_registers_memory *memory, uint64_t at)
{
	enum { USER32_CS = 0x23 };
	uint64_t segment = 0;

	return prf_registers_load(memory, at + I386_CS, 2, &segment) &&
	       segment == USER32_CS;
}

const struct prf_cfi_row *
prf_sigreturn_row_i386(const struct prf_registers_memory *memory, uint64_t sp)
{
	if (has_address(memory, sp + 4, sp + I386_INFO) &&
	    has_address(memory, sp + 8, sp + I386_CONTEXT) &&
	    has_segment(memory, sp + I386_NEW))
		return &i386_row;
	return has_segment(memory, sp + I386_OLD) ? &i386_old_row : NULL;
}

/* --- The stack of a handler */

/* Where the struct ucontext is that the kernel has left for a handler, and what in
 * it: behind two words that say little is the handler's stack, its address, flags
 * and size; further on the stack pointer of what was interrupted. */
struct context {
	uint16_t machine; /* EM_... */
	uint8_t phase;    /* of its address, modulo CONTEXT_ALIGN */
	uint16_t sp_off;
};

enum { CONTEXT_ALIGN = 16, CONTEXT_FLAGS = 7 };

static const struct context contexts[] = {
	{EM_X86_64, 0, 160},
	{EM_386, 12, I386_NEW - I386_CONTEXT + 28},
	{EM_AARCH64, 0, 432},
};

static const struct context *
context_of(const struct prf_machine *machine)
{
	for (size_t i = 0; i < sizeof contexts / sizeof *contexts; i++)
		if (contexts[i].machine == machine->elf_machine)
			return &contexts[i];
	return NULL;
}

/* A thread stands while many of these are looked at. */
static uint64_t
word_at(const uint8_t *at, uint8_t n_bytes)
{
	uint64_t word64;
	uint32_t word32;

	if (n_bytes == sizeof word32)
		return memcpy(&word32, at, sizeof word32), le32toh(word32);
	return memcpy(&word64, at, sizeof word64), le64toh(word64);
}

/* Is AT, which is the address ADDR, a context of a handler on whose own stack both
 * that and SP are?  One of an earlier handler may be left on the usual stack; and
 * where zeros are, an address is no size. */
static bool
is_on_own_stack(const uint8_t *at, uint64_t addr, uint64_t sp, uint8_t word)
{
	enum { STACK_MOST = 1 << 26 };

	if (word_at(at, word) > CONTEXT_FLAGS || word_at(at + word, word) != 0)
		return false;
	uint64_t base = word_at(at + 2 * word, word);
	uint64_t size = word_at(at + 4 * word, word);

	return size <= STACK_MOST && sp >= base && addr - base < size;
}

bool
prf_sigreturn_outer(const struct prf_machine *machine, const uint8_t *stack,
		    size_t n, uint64_t sp, uint64_t *outer)
{
	/* Handlers have less on their stacks. */
	enum { SEARCHED_BYTES = 64 << 10 };
	const struct context *context = context_of(machine);
	const uint8_t word = machine->word_bytes;

	if (!context)
		return false;
	size_t end = n < SEARCHED_BYTES ? n : SEARCHED_BYTES;
	size_t at = (size_t)((context->phase - sp) % CONTEXT_ALIGN);
	for (; at + context->sp_off + word <= end; at += CONTEXT_ALIGN) {
		if (!is_on_own_stack(stack + at, sp + at, sp, word))
			continue;
		*outer = word_at(stack + at + context->sp_off, word) &
			 machine->address_mask;
		if (*outer - sp >= n)
			return true;
	}
	return false;
}
