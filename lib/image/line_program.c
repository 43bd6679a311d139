#include "image/line_program.h"

#include <dwarf.h>
#include <stddef.h>

static void
begin_sequence(struct prf_line_program *program)
{
	program->now = (struct prf_line_program_row){.file = 1, .line = 1};
}

bool
prf_line_program_begin(struct prf_line_program *program,
		       struct prf_dwarf_bytes table)
{
	struct prf_dwarf_bytes *bytes = &program->bytes;
	unsigned off_bytes = 4;

	*bytes = table;
	uint64_t length = prf_dwarf_number(bytes, 4);
	if (length == UINT32_MAX) {
		off_bytes = 8;
		length = prf_dwarf_number(bytes, 8);
	}
	if (length > (uint64_t)(bytes->end - bytes->at))
		return false;
	bytes->end = bytes->at + length;
	uint64_t version = prf_dwarf_number(bytes, 2);
	if (version >= 5)
		prf_dwarf_skip(bytes, 2); /* sizes of addresses */
	uint64_t header_bytes = prf_dwarf_number(bytes, off_bytes);
	struct prf_dwarf_bytes rest = *bytes;
	prf_dwarf_skip(&rest, header_bytes);
	program->step_bytes = (uint8_t)prf_dwarf_number(bytes, 1);
	uint64_t bundle = version >= 4 ? prf_dwarf_number(bytes, 1) : 1;
	prf_dwarf_skip(bytes, 1); /* is_stmt */
	program->line_base = (int8_t)prf_dwarf_signed(bytes, 1);
	program->line_range = (uint8_t)prf_dwarf_number(bytes, 1);
	program->opcode_base = (uint8_t)prf_dwarf_number(bytes, 1);
	program->operands = bytes->at;
	prf_dwarf_skip(bytes, program->opcode_base - 1U);
	bool failed = bytes->failed || rest.failed;
	*bytes = rest;
	begin_sequence(program);
	return !failed && version >= 2 && version <= 5 && bundle == 1 &&
	       program->line_range != 0 && program->opcode_base != 0;
}

/* As the special OPCODE has it, which stands for a step of each kind. */
static void
step_vaddr(struct prf_line_program *program, uint8_t opcode)
{
	unsigned both = (uint8_t)(opcode - program->opcode_base);

	program->now.vaddr +=
		(uint64_t)program->step_bytes * (both / program->line_range);
}

static void
step_line(struct prf_line_program *program, uint8_t opcode)
{
	unsigned both = (uint8_t)(opcode - program->opcode_base);

	program->now.line += (uint64_t)(int64_t)program->line_base +
			     both % program->line_range;
}

/* Returns whether it ends the sequence. */
static bool
run_extended(struct prf_line_program *program)
{
	struct prf_dwarf_bytes *bytes = &program->bytes;
	uint64_t length = prf_dwarf_uleb(bytes);
	struct prf_dwarf_bytes own = *bytes;

	prf_dwarf_skip(bytes, length);
	if (bytes->failed || length == 0)
		return false;
	own.end = bytes->at;
	uint64_t opcode = prf_dwarf_number(&own, 1);
	if (opcode == DW_LNE_set_address && length <= 9)
		program->now.vaddr =
			prf_dwarf_number(&own, (unsigned)length - 1);
	return opcode == DW_LNE_end_sequence;
}

/* Returns whether it makes a row. */
static bool
run_standard(struct prf_line_program *program, uint8_t opcode)
{
	struct prf_dwarf_bytes *bytes = &program->bytes;
	struct prf_line_program_row *now = &program->now;

	switch (opcode) {
	case DW_LNS_copy:
		return true;
	case DW_LNS_advance_pc:
		now->vaddr += program->step_bytes * prf_dwarf_uleb(bytes);
		break;
	case DW_LNS_advance_line:
		now->line += (uint64_t)prf_dwarf_sleb(bytes);
		break;
	case DW_LNS_set_file:
		now->file = prf_dwarf_uleb(bytes);
		break;
	case DW_LNS_const_add_pc:
		step_vaddr(program, UINT8_MAX);
		break;
	case DW_LNS_fixed_advance_pc:
		now->vaddr += prf_dwarf_number(bytes, 2);
		break;
	default: /* of columns and the like, or unknown */
		for (unsigned i = program->operands[opcode - 1]; i > 0; i--)
			prf_dwarf_uleb(bytes);
	}
	return false;
}

bool
prf_line_program_next(struct prf_line_program *program,
		      struct prf_line_program_row *row)
{
	bool is_row = false, is_end = false;

	while (!is_row && !is_end && !prf_dwarf_at_end(&program->bytes)) {
		uint8_t opcode = (uint8_t)prf_dwarf_number(&program->bytes, 1);

		if (opcode >= program->opcode_base) {
			step_vaddr(program, opcode);
			step_line(program, opcode);
			is_row = true;
		} else if (opcode != 0) {
			is_row = run_standard(program, opcode);
		} else {
			is_end = run_extended(program);
		}
	}
	*row = program->now;
	row->is_end = is_end;
	if (is_end)
		begin_sequence(program);
	return (is_row || is_end) && !program->bytes.failed;
}
