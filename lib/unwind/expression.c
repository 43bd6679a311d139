#include "unwind/expression.h"

#include <dwarf.h>
#include <errno.h>

#include "image/dwarf_bytes.h"

/* Those of compilers have some ten operations, and a stack of three.  A file can be
 * made to have one for each register of each frame: they are not to add up. */
enum { OPERATIONS_MAX = 64, STACK_MAX = 16 };

struct machine {
	const uint8_t *begin;
	struct prf_dwarf_bytes bytes; /* that are left */
	const struct prf_registers *registers;
	const struct prf_registers_memory *memory;
	uint64_t stack[STACK_MAX];
	size_t depth;
	int error; /* the first one; 0: none */
};

static void
fail(struct machine *machine, int error)
{
	if (machine->error == 0)
		machine->error = error;
}

static void
push(struct machine *machine, uint64_t value)
{
	if (machine->depth == STACK_MAX)
		fail(machine, -EINVAL);
	else
		machine->stack[machine->depth++] = value;
}

static uint64_t
pop(struct machine *machine)
{
	if (machine->depth == 0) {
		fail(machine, -EINVAL);
		return 0;
	}
	return machine->stack[--machine->depth];
}

/* The value so many below the top. */
static void
pick(struct machine *machine, uint64_t below)
{
	if (below >= machine->depth)
		fail(machine, -EINVAL);
	else
		push(machine, machine->stack[machine->depth - 1 - below]);
}

/* Where vectors have no length of their own: how long they are (DWARF for the Arm
 * 64-bit Architecture). */
enum { AARCH64_VG = 46 };

static bool
register_value(const struct prf_registers *registers, uint64_t number,
	       uint64_t *value)
{
	if (number == AARCH64_VG && registers->vector_granules) {
		*value = registers->vector_granules;
		return true;
	}
	return number < PRF_CFI_REGISTERS &&
	       prf_registers_get(registers, (unsigned)number, value);
}

static void
push_register(struct machine *machine, uint64_t number, int64_t offset)
{
	uint64_t value = 0;

	if (!register_value(machine->registers, number, &value))
		fail(machine, -EINVAL);
	push(machine, value + (uint64_t)offset);
}

static void
load(struct machine *machine, unsigned n_bytes)
{
	uint64_t addr = pop(machine), value = 0;

	if (n_bytes < 1 || n_bytes > 8)
		fail(machine, -EINVAL);
	else if (machine->error == 0 &&
		 !prf_registers_load(machine->memory, addr, n_bytes, &value))
		fail(machine, -EFAULT);
	push(machine, value);
}

/* Goes on BY bytes further, if it does; that may be back. */
static void
jump(struct machine *machine, int64_t by, bool does)
{
	struct prf_dwarf_bytes *bytes = &machine->bytes;

	if (!does)
		return;
	if (by < machine->begin - bytes->at || by > bytes->end - bytes->at)
		fail(machine, -EINVAL);
	else
		bytes->at += by;
}

static void
swap(struct machine *machine)
{
	uint64_t top = pop(machine), second = pop(machine);

	push(machine, top);
	push(machine, second);
}

/* The three on top are turned: the top one goes below the others. */
static void
rotate(struct machine *machine)
{
	uint64_t top = pop(machine), second = pop(machine),
		 third = pop(machine);

	push(machine, top);
	push(machine, third);
	push(machine, second);
}

/* A and B, of which B was on top; false: there is no such operation, or it has
 * no result. */
static bool
combine(uint8_t operation, uint64_t a, uint64_t b, uint64_t *result)
{
	int64_t x = (int64_t)a, y = (int64_t)b;

	switch (operation) {
	case DW_OP_and:
		*result = a & b;
		return true;
	case DW_OP_or:
		*result = a | b;
		return true;
	case DW_OP_xor:
		*result = a ^ b;
		return true;
	case DW_OP_plus:
		*result = a + b;
		return true;
	case DW_OP_minus:
		*result = a - b;
		return true;
	case DW_OP_mul:
		*result = a * b;
		return true;
	case DW_OP_div:
		if (y == 0 || (x == INT64_MIN && y == -1))
			return false;
		*result = (uint64_t)(x / y);
		return true;
	case DW_OP_mod:
		if (b == 0)
			return false;
		*result = a % b;
		return true;
	case DW_OP_shl:
		*result = b < 64 ? a << b : 0;
		return true;
	case DW_OP_shr:
		*result = b < 64 ? a >> b : 0;
		return true;
	case DW_OP_shra:
		*result = (uint64_t)(x >> (b < 63 ? b : 63));
		return true;
	case DW_OP_eq:
		*result = x == y;
		return true;
	case DW_OP_ne:
		*result = x != y;
		return true;
	case DW_OP_lt:
		*result = x < y;
		return true;
	case DW_OP_le:
		*result = x <= y;
		return true;
	case DW_OP_gt:
		*result = x > y;
		return true;
	case DW_OP_ge:
		*result = x >= y;
		return true;
	default:
		return false;
	}
}

/* Operations on the two values on top, and all that are not known. */
static void
run_combining(struct machine *machine, uint8_t operation)
{
	uint64_t b = pop(machine), a = pop(machine), result = 0;

	if (!combine(operation, a, b, &result))
		fail(machine, -EINVAL);
	push(machine, result);
}

/* Operations that push a number they bring with them. */
static bool
run_constant(struct machine *machine, uint8_t operation)
{
	static const struct {
		uint8_t operation, n_bytes;
		bool has_sign;
	} constants[] = {
		{DW_OP_const1u, 1, false}, {DW_OP_const1s, 1, true},
		{DW_OP_const2u, 2, false}, {DW_OP_const2s, 2, true},
		{DW_OP_const4u, 4, false}, {DW_OP_const4s, 4, true},
		{DW_OP_const8u, 8, false}, {DW_OP_const8s, 8, true},
	};
	struct prf_dwarf_bytes *bytes = &machine->bytes;

	for (size_t i = 0; i < sizeof constants / sizeof *constants; i++) {
		unsigned n = constants[i].n_bytes;

		if (constants[i].operation != operation)
			continue;
		push(machine, constants[i].has_sign
				      ? (uint64_t)prf_dwarf_signed(bytes, n)
				      : prf_dwarf_number(bytes, n));
		return true;
	}
	return false;
}

static void
run_other(struct machine *machine, uint8_t operation)
{
	struct prf_dwarf_bytes *bytes = &machine->bytes;
	uint64_t number;

	switch (operation) {
	case DW_OP_constu:
		push(machine, prf_dwarf_uleb(bytes));
		break;
	case DW_OP_consts:
		push(machine, (uint64_t)prf_dwarf_sleb(bytes));
		break;
	case DW_OP_bregx:
		number = prf_dwarf_uleb(bytes);
		push_register(machine, number, prf_dwarf_sleb(bytes));
		break;
	case DW_OP_dup:
		pick(machine, 0);
		break;
	case DW_OP_over:
		pick(machine, 1);
		break;
	case DW_OP_pick:
		pick(machine, prf_dwarf_number(bytes, 1));
		break;
	case DW_OP_drop:
		pop(machine);
		break;
	case DW_OP_swap:
		swap(machine);
		break;
	case DW_OP_rot:
		rotate(machine);
		break;
	case DW_OP_deref:
		load(machine, machine->memory->word_bytes == 4 ? 4 : 8);
		break;
	case DW_OP_deref_size:
		load(machine, (unsigned)prf_dwarf_number(bytes, 1));
		break;
	case DW_OP_abs:
		number = pop(machine);
		push(machine, number >> 63 ? -number : number);
		break;
	case DW_OP_neg:
		push(machine, -pop(machine));
		break;
	case DW_OP_not:
		push(machine, ~pop(machine));
		break;
	case DW_OP_plus_uconst:
		push(machine, pop(machine) + prf_dwarf_uleb(bytes));
		break;
	case DW_OP_skip:
		jump(machine, prf_dwarf_signed(bytes, 2), true);
		break;
	case DW_OP_bra:
		number = pop(machine);
		jump(machine, prf_dwarf_signed(bytes, 2), number != 0);
		break;
	case DW_OP_nop:
		break;
	default:
		run_combining(machine, operation);
	}
}

static void
run_one(struct machine *machine)
{
	struct prf_dwarf_bytes *bytes = &machine->bytes;
	uint8_t operation = (uint8_t)prf_dwarf_number(bytes, 1);

	if (operation >= DW_OP_lit0 && operation <= DW_OP_lit31)
		push(machine, (uint64_t)(operation - DW_OP_lit0));
	else if (operation >= DW_OP_breg0 && operation <= DW_OP_breg31)
		push_register(machine, (uint64_t)(operation - DW_OP_breg0),
			      prf_dwarf_sleb(bytes));
	else if (!run_constant(machine, operation))
		run_other(machine, operation);
	if (bytes->failed)
		fail(machine, -EINVAL);
}

int
prf_expression_value(const uint8_t *expression, size_t n_bytes,
		     const uint64_t *first,
		     const struct prf_registers *registers,
		     const struct prf_registers_memory *memory, uint64_t *value)
{
	struct machine machine;
	size_t n_run = 0;

	/* The stack is not to be cleared each time. */
	machine.begin = expression;
	machine.bytes = (struct prf_dwarf_bytes){.at = expression,
						 .end = expression + n_bytes};
	machine.registers = registers;
	machine.memory = memory;
	machine.depth = 0;
	machine.error = 0;
	if (first)
		push(&machine, *first);
	while (machine.error == 0 && !prf_dwarf_at_end(&machine.bytes)) {
		if (n_run++ == OPERATIONS_MAX)
			return -EINVAL;
		if (memory->work_left && *memory->work_left > 0)
			--*memory->work_left;
		run_one(&machine);
	}
	*value = pop(&machine);
	return machine.error;
}
