#include "unwind/heights.h"

#include <elf.h>
#include <string.h>

#include "unwind/x86.h"

enum { REGISTERS = 16, TARGETS = 512, PASSES = 3 };

/* What is known where an instruction begins.  Offsets are from the CFA
 * downward: the return address is at one word. */
struct state {
	bool is_known;
	bool is_supposed; /* no instruction that was followed leads here */
	bool has_height, has_frame;
	int64_t height;           /* of SP */
	int64_t frame;            /* of FP */
	int32_t saved[REGISTERS]; /* where each was pushed; 0: nowhere */
};

struct walk {
	const struct prf_machine *machine;
	const uint8_t *text;
	size_t n;
	int64_t word;
	size_t n_decoded;
	struct state state;
	struct state after_jump_away; /* as it was before one */
	/* A hash table of what is jumped to: at[] has its offset and 1 more (0:
	 * free), targets[] its state. */
	uint32_t at[TARGETS];
	struct state targets[TARGETS];
	size_t n_targets;
};

/* The slot of the target AT, or where it would be. */
static size_t
slot_of(const struct walk *walk, uint32_t at)
{
	size_t i = (at * UINT32_C(2654435761)) >> 16 & (TARGETS - 1);

	while (walk->at[i] != 0 && walk->at[i] != at + 1)
		i = (i + 1) & (TARGETS - 1);
	return i;
}

/* The instruction AT can be jumped to with the present state; the first one
 * that does decides, but not by a state that is supposed. */
static void
note_target(struct walk *walk, uint64_t at)
{
	if (!walk->state.is_known || at >= walk->n ||
	    walk->n_targets >= TARGETS / 2)
		return;
	size_t i = slot_of(walk, (uint32_t)at);
	if (walk->at[i] == 0)
		walk->n_targets++;
	else if (!walk->targets[i].is_supposed || walk->state.is_supposed)
		return;
	walk->at[i] = (uint32_t)at + 1;
	walk->targets[i] = walk->state;
}

/* What jumps to the instruction AT knows more of it than what was supposed before. */
static void
take_target(struct walk *walk, size_t at)
{
	size_t i = slot_of(walk, (uint32_t)at);

	if (walk->at[i] != 0 && !walk->targets[i].is_supposed)
		walk->state = walk->targets[i];
}

static struct state
entry_state(const struct walk *walk)
{
	return (struct state){
		.is_known = true, .has_height = true, .height = walk->word};
}

/* --- What an instruction does to the state */

static void
push(struct walk *walk, uint8_t reg)
{
	struct state *state = &walk->state;

	state->height += walk->word;
	if (reg < REGISTERS && state->has_height && state->saved[reg] == 0 &&
	    state->height > 0 && state->height <= INT32_MAX)
		state->saved[reg] = (int32_t)state->height;
}

static void
pop(struct walk *walk, uint8_t reg)
{
	struct state *state = &walk->state;

	if (reg < REGISTERS && state->has_height &&
	    state->saved[reg] == state->height)
		state->saved[reg] = 0;
	state->height -= walk->word;
	if (reg == PRF_X86_FP)
		state->has_frame = false;
	if (reg == PRF_X86_SP)
		state->has_height = false;
}

static void
set_sp_from_fp(struct walk *walk, int64_t value)
{
	walk->state.has_height = walk->state.has_frame;
	walk->state.height = walk->state.frame - value;
}

static void
apply(struct walk *walk, const struct prf_x86 *insn)
{
	struct state *state = &walk->state;

	switch (insn->what) {
	case PRF_X86_PUSH:
		push(walk, insn->reg);
		break;
	case PRF_X86_POP:
		pop(walk, insn->reg);
		break;
	case PRF_X86_ADD_SP:
		state->height -= insn->value;
		break;
	case PRF_X86_SP_FROM_FP:
		set_sp_from_fp(walk, insn->value);
		break;
	case PRF_X86_FP_FROM_SP:
		state->has_frame = state->has_height;
		state->frame = state->height - insn->value;
		break;
	case PRF_X86_LEAVE:
		set_sp_from_fp(walk, 0);
		pop(walk, PRF_X86_FP);
		break;
	case PRF_X86_SP_LOST:
		state->has_height = false;
		break;
	case PRF_X86_FP_LOST:
		state->has_frame = false;
		break;
	case PRF_X86_CALL:
		if (insn->target == insn->n_bytes) /* to learn where it is */
			push(walk, PRF_X86_NO_REGISTER);
		break;
	default:
		break;
	}
}

/* The state of what is not reached from the instruction before it, INSN, and
 * begins AT: as it was jumped to; or else as one of the places that a jump through
 * a table leads to; or, in the LAST pass, as a function that nobody knows of. */
static void
begin_anew(struct walk *walk, const struct prf_x86 *insn, size_t at,
	   bool is_last)
{
	bool may_begin = insn->what == PRF_X86_NOTHING ||
			 insn->what == PRF_X86_END ||
			 insn->what == PRF_X86_JUMP;
	size_t i = slot_of(walk, (uint32_t)at);

	if (walk->at[i] != 0) {
		walk->state = walk->targets[i];
		return;
	}
	if (walk->after_jump_away.is_known)
		walk->state = walk->after_jump_away;
	else if (is_last && may_begin && at % 16 == 0)
		walk->state = entry_state(walk);
	walk->state.is_supposed = true;
}

/* A call that does not return is the last one of its function; what can be called by
 * its address begins behind it, and behind padding.  BEFORE is what was last, but for
 * that. */
static void
see_landing(struct walk *walk, enum prf_x86_what before, size_t at)
{
	if (before == PRF_X86_CALL && at % 16 == 0 &&
	    walk->at[slot_of(walk, (uint32_t)at)] == 0)
		walk->state = entry_state(walk);
}

/* Behind a jump away is perhaps one of the places where its table leads: nor is that
 * more than supposed, where something else jumps there. */
static void
go_on(struct walk *walk, const struct prf_x86 *insn, size_t at, bool is_last)
{
	apply(walk, insn);
	switch (insn->what) {
	case PRF_X86_BRANCH:
		note_target(walk, at + insn->target);
		break;
	case PRF_X86_JUMP:
		note_target(walk, at + insn->target);
		walk->state.is_known = false;
		break;
	case PRF_X86_JUMP_AWAY:
		walk->after_jump_away = walk->state;
		break;
	case PRF_X86_END:
		walk->state.is_known = false;
		break;
	default:
		break;
	}
	if (!walk->state.is_known)
		begin_anew(walk, insn, at + insn->n_bytes, is_last);
	else if (walk->state.is_supposed || insn->what == PRF_X86_JUMP_AWAY)
		take_target(walk, at + insn->n_bytes);
}

/* Pass NUMBER from the start of the text.  True: it has come to the instruction that
 * has the byte at AT, and the state is that before it.  Where that is not known, or in
 * the first pass only supposed, it reads on to the end, so that jumps back from behind
 * AT are noted for the next pass. */
static bool
pass(struct walk *walk, size_t at, unsigned number)
{
	const bool is_64_bit = walk->machine->elf_machine == EM_X86_64;
	enum prf_x86_what before = PRF_X86_NOTHING;
	struct prf_x86 insn;

	walk->state = entry_state(walk);
	walk->after_jump_away.is_known = false;
	for (size_t i = 0; i < walk->n; i += insn.n_bytes) {
		if (!prf_x86_decode(walk->text + i, walk->n - i, is_64_bit,
				    &insn))
			return false;
		walk->n_decoded += insn.n_bytes;
		if (insn.what == PRF_X86_LANDING)
			see_landing(walk, before, i);
		if (insn.what != PRF_X86_NOTHING)
			before = insn.what;
		if (at >= i && at < i + insn.n_bytes && walk->state.is_known &&
		    (number > 1 || !walk->state.is_supposed))
			return true;
		go_on(walk, &insn, i, number == PASSES);
	}
	return false;
}

/* --- The row */

/* Registers that a function leaves as they were, as instructions number them
 * and as DWARF does; ascending by the latter. */
struct callee_saved {
	uint8_t reg, dwarf;
};

static const struct callee_saved in_x86_64[] = {{3, 3},   {5, 6},   {12, 12},
						{13, 13}, {14, 14}, {15, 15}};
static const struct callee_saved in_i386[] = {{3, 3}, {5, 5}, {6, 6}, {7, 7}};

static void
add_rule(struct prf_cfi_row *row, uint8_t of, int64_t offset)
{
	row->rules[row->n_rules++] = (struct prf_cfi_rule){
		.how = PRF_CFI_AT, .of = of, .offset = offset};
}

/* False: STATE does not tell where the CFA is. */
static bool
make_row(const struct walk *walk, struct prf_cfi_row *row)
{
	const struct prf_machine *machine = walk->machine;
	const struct state *state = &walk->state;
	const bool is_64_bit = machine->elf_machine == EM_X86_64;
	const struct callee_saved *saved = is_64_bit ? in_x86_64 : in_i386;
	size_t n = is_64_bit ? sizeof in_x86_64 / sizeof *in_x86_64
			     : sizeof in_i386 / sizeof *in_i386;

	if (!state->has_height && !state->has_frame)
		return false;
	*row = (struct prf_cfi_row){
		.cfa = {.how = PRF_CFI_REGISTER,
			.other = state->has_height ? machine->stack_pointer
						   : machine->frame_pointer,
			.offset = state->has_height ? state->height
						    : state->frame},
		.return_register = machine->return_address,
	};
	for (size_t i = 0; i < n; i++)
		if (state->saved[saved[i].reg] != 0)
			add_rule(row, saved[i].dwarf,
				 -(int64_t)state->saved[saved[i].reg]);
	add_rule(row, machine->return_address, -walk->word);
	return row->cfa.offset >= walk->word;
}

bool
prf_heights_row(const struct prf_machine *machine, const uint8_t *text,
		size_t n, size_t at, union prf_heights_row *row,
		size_t *n_decoded)
{
	struct walk walk;
	bool has_come = false;

	*n_decoded = 0;
	if (machine->elf_machine != EM_X86_64 && machine->elf_machine != EM_386)
		return false;
	/* The targets' states are not to be cleared each time. */
	walk.machine = machine;
	walk.text = text;
	walk.n = n;
	walk.word = machine->word_bytes;
	walk.n_decoded = 0;
	walk.n_targets = 0;
	memset(walk.at, 0, sizeof walk.at);
	for (unsigned i = 1; i <= PASSES && !has_come; i++)
		has_come = pass(&walk, at, i);
	*n_decoded = walk.n_decoded;
	return has_come && make_row(&walk, &row->row);
}
