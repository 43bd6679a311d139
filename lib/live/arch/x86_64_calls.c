#include "live/arch/x86_64_calls.h"

#include <stdbool.h>
#include <string.h>

#include "unwind/x86.h"

enum { AX = 0, SP = PRF_X86_SP };

/* --- One instruction */

/* Is it one that widens its registers to 64 bits, and no more? */
static bool
is_rex_w(uint8_t byte)
{
	return byte == 0x48;
}

/* May it be a prefix of what is behind it, which then has other registers or is
 * wider? */
static bool
may_be_rex(uint8_t byte)
{
	enum { W = 8, R = 4, B = 1 };

	return (byte & 0xf0) == 0x40 && (byte & (W | R | B));
}

static struct prf_call_origin
constant(const uint8_t *bytes)
{
	int32_t value;

	memcpy(&value, bytes, sizeof value);
	return (struct prf_call_origin){PRF_CALL_NUMBER, value};
}

static bool
sets_constant(const uint8_t *op, size_t n, bool is_wide, unsigned reg,
	      struct prf_call_origin *origin)
{
	const uint8_t both = (uint8_t)(0xc0 | reg << 3 | reg);

	if (n >= 2 && (op[0] == 0x31 || op[0] == 0x33) && op[1] == both)
		*origin =
			(struct prf_call_origin){PRF_CALL_NUMBER, 0}; /* xor */
	else if (n >= 5 && !is_wide && op[0] == 0xb8 + reg)
		*origin = constant(op + 1);
	else if (n >= 6 && op[0] == 0xc7 && op[1] == 0xc0 + reg)
		*origin = constant(op + 2);
	else
		return false;
	return true;
}

/* mov (%rsp), REG, also with an offset of a byte. */
static bool
loads(const uint8_t *op, size_t n, unsigned reg, struct prf_call_origin *origin)
{
	enum { BY_SP = 0x24 };
	bool has_offset = n >= 4 && op[1] == (0x44 | reg << 3);

	if (n < 3 || op[0] != 0x8b || op[2] != BY_SP ||
	    (!has_offset && op[1] != (0x04 | reg << 3)))
		return false;
	*origin = (struct prf_call_origin){PRF_CALL_STACK,
					   has_offset ? (int8_t)op[3] : 0};
	return true;
}

/* mov FROM, REG */
static bool
copies(const uint8_t *op, size_t n, unsigned reg,
       struct prf_call_origin *origin)
{
	unsigned from;

	if (n >= 2 && op[0] == 0x89 && (op[1] & 0xc7) == (0xc0 | reg))
		from = op[1] >> 3 & 7;
	else if (n >= 2 && op[0] == 0x8b && (op[1] & 0xf8) == (0xc0 | reg << 3))
		from = op[1] & 7;
	else
		return false;
	*origin = (struct prf_call_origin){PRF_CALL_PARAMETER, (int32_t)from};
	return from != reg;
}

/* Does the instruction at AT set REG? */
static bool
sets(const uint8_t *at, size_t n, unsigned reg, struct prf_call_origin *origin)
{
	bool is_wide = n > 0 && is_rex_w(at[0]);

	at += is_wide;
	n -= is_wide;
	return sets_constant(at, n, is_wide, reg, origin) ||
	       loads(at, n, reg, origin) || copies(at, n, reg, origin);
}

/* --- Several */

static bool
goes_elsewhere(const struct prf_x86 *insn)
{
	return insn->what >= PRF_X86_BRANCH && insn->what <= PRF_X86_END;
}

static bool
moves_stack(const struct prf_x86 *insn)
{
	return insn->what >= PRF_X86_PUSH && insn->what <= PRF_X86_SP_LOST;
}

/* Do whole instructions lie in the N bytes at AT that go straight on, or may, and
 * that leave the stack pointer alone if IS_LEVEL? */
static bool
is_straight(const uint8_t *at, size_t n, bool is_64_bit, bool may_branch,
	    bool is_level)
{
	struct prf_x86 insn;

	while (n) {
		if (!prf_x86_decode(at, n, is_64_bit, &insn) ||
		    (goes_elsewhere(&insn) &&
		     !(may_branch && insn.what == PRF_X86_BRANCH)) ||
		    (is_level && moves_stack(&insn)))
			return false;
		at += insn.n_bytes;
		n -= insn.n_bytes;
	}
	return true;
}

/* Does a function begin before the instruction at AT, and come to it without an
 * own frame?  Functions in assembler, which these are, are aligned. */
static bool
is_in_leaf(const struct prf_call_text *text, size_t at)
{
	enum { ALIGNMENT = 16 };
	uint64_t begin = text->end - text->n_bytes;

	for (size_t i = -begin % ALIGNMENT; i <= at; i += ALIGNMENT)
		if (is_straight(text->bytes + i, at - i, true, true, true))
			return true;
	return false;
}

/* The last instruction: syscall, sysenter, int; or a call of a function.  0: it is
 * another. */
static size_t
last_bytes(const struct prf_call_text *text, int number_register)
{
	enum { SYSCALL = 2, DIRECT = 5, INDIRECT = 6 };
	const uint8_t *end = text->bytes + text->n_bytes;

	if (number_register == PRF_CALL_NUMBER_REGISTER)
		return SYSCALL;
	if (text->n_bytes >= DIRECT && end[-DIRECT] == 0xe8)
		return DIRECT;
	if (text->n_bytes >= INDIRECT && end[-INDIRECT] == 0xff &&
	    end[-INDIRECT + 1] == 0x15)
		return INDIRECT;
	return 0;
}

/* Does the instruction at AT set REG, as far as can be told, and is that what it holds
 * at END? */
static bool
sets_last(const struct prf_call_text *text, size_t at, size_t end, unsigned reg,
	  struct prf_call_origin *origin)
{
	const uint8_t *bytes = text->bytes;
	const bool is_64_bit = text->addr_bytes == 8;

	return sets(bytes + at, end - at, reg, origin) &&
	       (!is_64_bit || at == 0 || is_rex_w(bytes[at]) ||
		!may_be_rex(bytes[at - 1])) &&
	       is_straight(bytes + at, end - at, is_64_bit, false, false);
}

static bool
is_usable(const struct prf_call_text *text, size_t at, size_t end,
	  const struct prf_call_origin *origin)
{
	if (origin->kind == PRF_CALL_NUMBER)
		return true;
	if (text->addr_bytes != 8 ||
	    !is_straight(text->bytes + at, end - at, true, false, true))
		return false;
	return origin->kind == PRF_CALL_STACK
		       ? origin->value >= 0
		       : origin->value != SP && is_in_leaf(text, at);
}

struct prf_call_origin
prf_x86_64_call_origin(const struct prf_call_text *text, int number_register)
{
	static const struct prf_call_origin unknown = {
		.kind = PRF_CALL_UNKNOWN};
	const unsigned reg = number_register == PRF_CALL_NUMBER_REGISTER
				     ? AX
				     : (unsigned)number_register;
	size_t last = last_bytes(text, number_register);
	struct prf_call_origin origin;

	if (last == 0 || last > text->n_bytes)
		return unknown;
	size_t end = text->n_bytes - last;
	for (size_t at = end; at-- > 0;)
		if (sets_last(text, at, end, reg, &origin))
			return is_usable(text, at, end, &origin) ? origin
								 : unknown;
	return unknown;
}
