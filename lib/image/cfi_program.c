#include "image/cfi_program.h"

#include <dwarf.h>

#include "image/dwarf_bytes.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* No function has as many bytes of instructions, and none remembers more rows
 * within one another. */
enum { PROGRAM_MAX = 1 << 16, REMEMBERED_MAX = 16 };

/* A row while it is made: a rule for every register. */
struct state {
	struct prf_cfi_rule cfa; /* SAME: not known yet */
	int64_t cfa_offset;      /* the last one, from CFA_REGISTER */
	uint8_t cfa_register;
	struct prf_cfi_rule rules[PRF_CFI_REGISTERS];
	bool return_signed;
};

struct run {
	const struct prf_object *object;
	const struct prf_frames *frames;
	const struct prf_frames_entry *entry;
	struct prf_dwarf_bytes bytes; /* instructions that are left */
	uint64_t vaddr;               /* of the row that is asked for */
	uint64_t at;                  /* of the row that is being made */
	bool ended;                   /* the next row is behind it */
	const uint8_t *block;         /* the last one that was an operand */
	uint64_t *n_read;             /* bytes, of all runs */
	struct state now, first;      /* FIRST: after those of the CIE */
	struct state remembered[REMEMBERED_MAX];
	size_t n_remembered;
};

/* What an operand is, and what it is multiplied by. */
enum operand {
	NONE,
	LOW6,      /* the low bits of the instruction itself */
	LOW6_CODE, /* times the code factor */
	CODE1,     /* a number of 1 byte, times the code factor */
	CODE2,
	CODE4,
	CODE8,
	POINTER,
	ULEB,
	ULEB_DATA, /* times the data factor */
	ULEB_DATA_NEG,
	SLEB_DATA,
	BLOCK, /* bytes with their number before them */
};

static uint64_t
read_pointer(struct run *run)
{
	uint64_t pointer = 0;

	if (!prf_frames_pointer(run->object, run->frames, &run->bytes.at,
				run->bytes.end, run->entry->encoding, NULL,
				&pointer))
		run->bytes.failed = true;
	return pointer;
}

static uint64_t
read_block(struct run *run)
{
	uint64_t n = prf_dwarf_uleb(&run->bytes);

	run->block = run->bytes.at;
	prf_dwarf_skip(&run->bytes, n);
	return n;
}

static uint64_t
read_operand(struct run *run, enum operand operand, uint8_t low6)
{
	struct prf_dwarf_bytes *bytes = &run->bytes;
	uint64_t code = run->entry->code_factor;
	uint64_t data = (uint64_t)run->entry->data_factor;

	switch (operand) {
	case NONE:
		break;
	case LOW6:
		return low6;
	case LOW6_CODE:
		return low6 * code;
	case CODE1:
		return prf_dwarf_number(bytes, 1) * code;
	case CODE2:
		return prf_dwarf_number(bytes, 2) * code;
	case CODE4:
		return prf_dwarf_number(bytes, 4) * code;
	case CODE8:
		return prf_dwarf_number(bytes, 8) * code;
	case POINTER:
		return read_pointer(run);
	case ULEB:
		return prf_dwarf_uleb(bytes);
	case ULEB_DATA:
		return prf_dwarf_uleb(bytes) * data;
	case ULEB_DATA_NEG:
		return -(prf_dwarf_uleb(bytes) * data);
	case SLEB_DATA:
		return (uint64_t)prf_dwarf_sleb(bytes) * data;
	case BLOCK:
		return read_block(run);
	}
	return 0;
}

/* Instructions.  Each has its operands in A and B; false: it makes no sense. */

static bool
set_location(struct run *run, uint64_t to, uint64_t b)
{
	(void)b;
	if (to < run->at)
		return false;
	run->ended = to > run->vaddr;
	run->at = to;
	return true;
}

static bool
advance(struct run *run, uint64_t by, uint64_t b)
{
	uint64_t to;

	if (__builtin_add_overflow(run->at, by, &to))
		return false;
	return set_location(run, to, b);
}

static bool
def_cfa(struct run *run, uint64_t reg, uint64_t offset)
{
	run->now.cfa = (struct prf_cfi_rule){
		.how = PRF_CFI_REGISTER,
		.other = (uint8_t)reg,
		.offset = (int64_t)offset,
	};
	run->now.cfa_offset = (int64_t)offset;
	run->now.cfa_register = (uint8_t)reg;
	return reg < PRF_CFI_REGISTERS;
}

/* DWARF forbids both of these behind an expression.  But assemblers of cryptographic
 * code take it for granted that the offset before that is still there, as it is in
 * the unwinder of C++; and GCC that the register is, at the end of functions of
 * aarch64 whose frames have vectors of SVE. */
static bool
def_cfa_register(struct run *run, uint64_t reg, uint64_t b)
{
	(void)b;
	return run->now.cfa.how != PRF_CFI_SAME &&
	       def_cfa(run, reg, (uint64_t)run->now.cfa_offset);
}

static bool
def_cfa_offset(struct run *run, uint64_t offset, uint64_t b)
{
	(void)b;
	return run->now.cfa.how != PRF_CFI_SAME &&
	       def_cfa(run, run->now.cfa_register, offset);
}

static struct prf_cfi_rule
expression(const struct run *run, enum prf_cfi_how how, uint64_t n_bytes)
{
	return (struct prf_cfi_rule){
		.how = (uint8_t)how,
		.expression_bytes = (uint32_t)n_bytes,
		.expression = run->block,
	};
}

static bool
def_cfa_expression(struct run *run, uint64_t n_bytes, uint64_t b)
{
	(void)b;
	run->now.cfa = expression(run, PRF_CFI_IS_EXPRESSION, n_bytes);
	return true;
}

/* Gives register REG a rule; those that are left out have none. */
static bool
set_rule(struct run *run, uint64_t reg, struct prf_cfi_rule rule)
{
	if (reg < PRF_CFI_REGISTERS) {
		rule.of = (uint8_t)reg;
		run->now.rules[reg] = rule;
	}
	return true;
}

static bool
same_value(struct run *run, uint64_t reg, uint64_t b)
{
	(void)b;
	return set_rule(run, reg, (struct prf_cfi_rule){.how = PRF_CFI_SAME});
}

static bool
undefined(struct run *run, uint64_t reg, uint64_t b)
{
	(void)b;
	return set_rule(run, reg,
			(struct prf_cfi_rule){.how = PRF_CFI_UNDEFINED});
}

static bool
at_offset(struct run *run, uint64_t reg, uint64_t offset)
{
	return set_rule(run, reg,
			(struct prf_cfi_rule){.how = PRF_CFI_AT,
					      .offset = (int64_t)offset});
}

static bool
is_offset(struct run *run, uint64_t reg, uint64_t offset)
{
	return set_rule(run, reg,
			(struct prf_cfi_rule){.how = PRF_CFI_IS,
					      .offset = (int64_t)offset});
}

/* What is kept in a register that is left out is lost. */
static bool
in_register(struct run *run, uint64_t reg, uint64_t other)
{
	if (other >= PRF_CFI_REGISTERS)
		return undefined(run, reg, 0);
	return set_rule(run, reg,
			(struct prf_cfi_rule){.how = PRF_CFI_REGISTER,
					      .other = (uint8_t)other});
}

static bool
at_expression(struct run *run, uint64_t reg, uint64_t n_bytes)
{
	return set_rule(run, reg,
			expression(run, PRF_CFI_AT_EXPRESSION, n_bytes));
}

static bool
is_expression(struct run *run, uint64_t reg, uint64_t n_bytes)
{
	return set_rule(run, reg,
			expression(run, PRF_CFI_IS_EXPRESSION, n_bytes));
}

static bool
restore(struct run *run, uint64_t reg, uint64_t b)
{
	(void)b;
	if (reg < PRF_CFI_REGISTERS)
		run->now.rules[reg] = run->first.rules[reg];
	return true;
}

static bool
remember_state(struct run *run, uint64_t a, uint64_t b)
{
	(void)a;
	(void)b;
	if (run->n_remembered == REMEMBERED_MAX)
		return false;
	run->remembered[run->n_remembered++] = run->now;
	return true;
}

static bool
restore_state(struct run *run, uint64_t a, uint64_t b)
{
	(void)a;
	(void)b;
	if (run->n_remembered == 0)
		return false;
	run->now = run->remembered[--run->n_remembered];
	return true;
}

/* The same number means something else on SPARC.  Whether the signature is made of
 * the PC, too (with_pc), is nothing to us, who take it away. */
static bool
negate_ra_state(struct run *run, uint64_t a, uint64_t b)
{
	(void)a;
	(void)b;
	run->now.return_signed = !run->now.return_signed;
	return run->object->ehdr.e_machine == EM_AARCH64;
}

static bool
nothing(struct run *run, uint64_t a, uint64_t b)
{
	(void)run;
	(void)a;
	(void)b;
	return true;
}

struct instruction {
	bool (*run)(struct run *run, uint64_t a, uint64_t b); /* NULL: none */
	uint8_t operands[2];                                  /* enum operand */
};

/* Those with an operand in the low six bits, by the high two. */
static const struct instruction with_operand[4] = {
	[DW_CFA_advance_loc >> 6] = {advance, {LOW6_CODE}},
	[DW_CFA_offset >> 6] = {at_offset, {LOW6, ULEB_DATA}},
	[DW_CFA_restore >> 6] = {restore, {LOW6}},
};

/* Not in the dwarf.h of elfutils 0.188. */
enum { AARCH64_NEGATE_RA_STATE_WITH_PC = 0x2c };

static const struct instruction instructions[DW_CFA_advance_loc] = {
	[DW_CFA_nop] = {nothing, {NONE}},
	[DW_CFA_set_loc] = {set_location, {POINTER}},
	[DW_CFA_advance_loc1] = {advance, {CODE1}},
	[DW_CFA_advance_loc2] = {advance, {CODE2}},
	[DW_CFA_advance_loc4] = {advance, {CODE4}},
	[DW_CFA_MIPS_advance_loc8] = {advance, {CODE8}},
	[DW_CFA_offset_extended] = {at_offset, {ULEB, ULEB_DATA}},
	[DW_CFA_offset_extended_sf] = {at_offset, {ULEB, SLEB_DATA}},
	[DW_CFA_GNU_negative_offset_extended] = {at_offset,
						 {ULEB, ULEB_DATA_NEG}},
	[DW_CFA_val_offset] = {is_offset, {ULEB, ULEB_DATA}},
	[DW_CFA_val_offset_sf] = {is_offset, {ULEB, SLEB_DATA}},
	[DW_CFA_restore_extended] = {restore, {ULEB}},
	[DW_CFA_undefined] = {undefined, {ULEB}},
	[DW_CFA_same_value] = {same_value, {ULEB}},
	[DW_CFA_register] = {in_register, {ULEB, ULEB}},
	[DW_CFA_remember_state] = {remember_state, {NONE}},
	[DW_CFA_restore_state] = {restore_state, {NONE}},
	[DW_CFA_def_cfa] = {def_cfa, {ULEB, ULEB}},
	[DW_CFA_def_cfa_sf] = {def_cfa, {ULEB, SLEB_DATA}},
	[DW_CFA_def_cfa_register] = {def_cfa_register, {ULEB}},
	[DW_CFA_def_cfa_offset] = {def_cfa_offset, {ULEB}},
	[DW_CFA_def_cfa_offset_sf] = {def_cfa_offset, {SLEB_DATA}},
	[DW_CFA_def_cfa_expression] = {def_cfa_expression, {BLOCK}},
	[DW_CFA_expression] = {at_expression, {ULEB, BLOCK}},
	[DW_CFA_val_expression] = {is_expression, {ULEB, BLOCK}},
	[DW_CFA_GNU_args_size] = {nothing, {ULEB}},
	[DW_CFA_GNU_window_save] = {negate_ra_state, {NONE}},
	[AARCH64_NEGATE_RA_STATE_WITH_PC] = {negate_ra_state, {NONE}},
};

static bool
run_one(struct run *run)
{
	uint8_t code = (uint8_t)prf_dwarf_number(&run->bytes, 1);
	const struct instruction *instruction =
		code < COUNT(instructions) ? &instructions[code]
					   : &with_operand[code >> 6];
	uint64_t operands[2];

	if (!instruction->run)
		return false;
	for (size_t i = 0; i < 2; i++)
		operands[i] = read_operand(run, instruction->operands[i],
					   code & 0x3f);
	return !run->bytes.failed &&
	       instruction->run(run, operands[0], operands[1]);
}

/* Runs the instructions in [from, end), as far as they are for the row. */
static bool
run_all(struct run *run, const uint8_t *from, const uint8_t *end)
{
	if (end - from > PROGRAM_MAX)
		return false;
	run->bytes.at = from;
	run->bytes.end = end;
	bool makes_sense = true;
	while (makes_sense && !run->ended && !prf_dwarf_at_end(&run->bytes))
		makes_sense = run_one(run);
	*run->n_read += (uint64_t)(run->bytes.at - from);
	return makes_sense;
}

/* The row in as few rules as say it. */
static void
take_row(const struct run *run, struct prf_cfi_row *row)
{
	*row = (struct prf_cfi_row){
		.cfa = run->now.cfa,
		.return_register = (uint8_t)run->entry->return_register,
		.signal_frame = run->entry->signal_frame,
		.return_signed = run->now.return_signed,
	};
	for (size_t i = 0; i < PRF_CFI_REGISTERS; i++)
		if (run->now.rules[i].how != PRF_CFI_SAME)
			row->rules[row->n_rules++] = run->now.rules[i];
}

bool
prf_cfi_program_run(const struct prf_object *object,
		    const struct prf_frames *frames,
		    const struct prf_frames_entry *entry, uint64_t vaddr,
		    union prf_cfi_program_row *row, uint64_t *n_read)
{
	struct run run;

	/* The remembered states are not to be cleared each time. */
	run.object = object;
	run.frames = frames;
	run.entry = entry;
	run.bytes = (struct prf_dwarf_bytes){
		.big_endian = object->ehdr.e_ident[EI_DATA] == ELFDATA2MSB,
	};
	run.vaddr = vaddr;
	run.at = entry->vaddr;
	run.ended = false;
	run.block = NULL;
	run.n_read = n_read;
	run.now = run.first = (struct state){0};
	run.n_remembered = 0;

	if (entry->return_register >= PRF_CFI_REGISTERS ||
	    !run_all(&run, entry->common, entry->common_end) ||
	    run.at != entry->vaddr)
		return false;
	run.first = run.now;
	if (!run_all(&run, entry->own, entry->own_end) ||
	    run.now.cfa.how == PRF_CFI_SAME)
		return false;
	take_row(&run, &row->row);
	return true;
}
