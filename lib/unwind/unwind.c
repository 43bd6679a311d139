#include "unwind/unwind.h"

#include "unwind/guess.h"
#include "unwind/step.h"

/* The row that CFI has of the code at ADDR; NULL: none. */
static const struct prf_cfi_row *
find_cfi_row(const struct prf_unwind *unwind, uint64_t addr)
{
	uint64_t bias;
	struct prf_cfi *cfi = unwind->find(unwind->find_arg, addr, &bias);

	if (!cfi || prf_cfi_machine(cfi) != unwind->machine->elf_machine)
		return NULL;
	uint64_t n_before = prf_cfi_stats(cfi).n_program_bytes;
	const struct prf_cfi_row *row = prf_cfi_row(cfi, addr - bias);
	prf_unwind_spend(unwind, prf_cfi_stats(cfi).n_program_bytes - n_before);
	return row;
}

/* Where a signal's handler returns to CFI has often nothing to say.  Then it is of
 * the code before that, if there is none between them: but that calls nobody. */
static const struct prf_cfi_row *
find_sigreturn_row(const struct prf_unwind *unwind, struct prf_frame frame,
		   const struct prf_registers *from,
		   const struct prf_cfi_row *row)
{
	const struct prf_cfi_row *other = NULL;

	if (!row)
		return prf_guess_sigreturn(unwind, frame, from);
	if (row->is_last && !row->signal_frame)
		other = prf_guess_sigreturn(unwind, frame, from);
	return other && !prf_guess_is_called(unwind, frame.addr) ? other : row;
}

/* The row of FRAME, which has the registers FROM; NULL: none.  It lasts until a caller
 * is guessed, for which rows are made too. */
static const struct prf_cfi_row *
find_row(const struct prf_unwind *unwind, struct prf_frame frame,
	 const struct prf_registers *from)
{
	const struct prf_cfi_row *row =
		unwind->records_only
			? NULL
			: find_cfi_row(unwind, prf_frame_lookup_addr(frame));

	return unwind->code ? find_sigreturn_row(unwind, frame, from, row)
			    : row;
}

/* A caller's part of the stack is above its callee's.  But a signal's handler
 * may have a stack of its own, and a function that was just entered, or makes
 * no calls, may have nothing on the stack.  KIND is the caller's. */
static bool
is_above(const struct prf_unwind *unwind, enum prf_frame_kind kind,
	 struct prf_frame frame, const struct prf_registers *from,
	 const struct prf_registers *caller)
{
	uint64_t inner = from->values[unwind->machine->stack_pointer];
	uint64_t outer = caller->values[unwind->machine->stack_pointer];

	if (kind == PRF_FRAME_PC || outer > inner)
		return true;
	return outer == inner && frame.kind == PRF_FRAME_PC &&
	       caller->pc != from->pc;
}

static enum prf_stack_end
guess_caller(const struct prf_unwind *unwind, struct prf_frame frame,
	     const struct prf_registers *from, struct prf_registers *caller)
{
	return unwind->code ? prf_guess_caller(unwind, frame, from, caller)
			    : PRF_STACK_NO_CFI;
}

/* A thread that was not stopped has only its PC and stack pointer, and a function
 * with a frame pointer keeps its frame by a register that nobody knows then; or it
 * is a guessed caller, and not known how large its frame is.  What guesses the return
 * address tells where the frame is; the rest is as CFI says. */
static bool
find_frame(const struct prf_unwind *unwind, struct prf_frame frame,
	   const struct prf_registers *from, struct prf_registers *caller)
{
	const struct prf_machine *machine = unwind->machine;
	struct prf_registers guessed;
	uint64_t sp;

	if (guess_caller(unwind, frame, from, &guessed) != PRF_STACK_NONE ||
	    !prf_registers_get(&guessed, machine->stack_pointer, &sp))
		return false;
	const struct prf_cfi_row *row = find_row(unwind, frame, from);
	if (row &&
	    prf_step_at(machine, unwind->signature, &unwind->memory, row,
			sp - machine->word_bytes, from,
			caller) == PRF_STACK_NONE &&
	    caller->pc == guessed.pc)
		return true;
	prf_registers_copy(caller, &guessed);
	return from->sp_is_least;
}

/* Nothing can be mapped so low.  The first function of a program is not called:
 * where its return address would be is the number of arguments. */
static bool
is_return_to_nowhere(enum prf_frame_kind kind, uint64_t addr)
{
	return addr < 4096 && kind != PRF_FRAME_PC;
}

static enum prf_frame_kind
kind_of(const struct prf_cfi_row *row)
{
	if (!row)
		return PRF_FRAME_GUESSED;
	return row->signal_frame ? PRF_FRAME_PC : PRF_FRAME_RETURN;
}

/* Assembly may push something and not say so (memcpy of glibc on i386): then CFI
 * leads an innermost frame to what is no code, and its instructions tell more.  If
 * they do not, it may be code that nobody has told of yet. */
static bool
mend_caller(const struct prf_unwind *unwind, struct prf_frame frame,
	    const struct prf_registers *from, struct prf_registers *caller)
{
	const struct prf_unwind_code *code = unwind->code;
	struct prf_registers other;

	if (!code || frame.kind != PRF_FRAME_PC ||
	    code->is_mapped(unwind->find_arg, caller->pc) ||
	    !prf_guess_by_text(unwind, frame, from, &other))
		return false;
	prf_registers_copy(caller, &other);
	return true;
}

/* Makes *CALLER, whose frame is of *KIND, of the registers FROM, which are FRAME's,
 * by its row, or by a guess. */
static enum prf_stack_end
find_caller(const struct prf_unwind *unwind, struct prf_frame frame,
	    const struct prf_registers *from, struct prf_registers *caller,
	    enum prf_frame_kind *kind)
{
	const struct prf_cfi_row *row = find_row(unwind, frame, from);
	enum prf_stack_end end;

	*kind = kind_of(row);
	if (!row)
		return guess_caller(unwind, frame, from, caller);
	end = prf_step(unwind->machine, unwind->signature, &unwind->memory, row,
		       from, caller);
	if ((end == PRF_STACK_NO_CFI &&
	     find_frame(unwind, frame, from, caller)) ||
	    (end == PRF_STACK_NONE &&
	     mend_caller(unwind, frame, from, caller))) {
		*kind = PRF_FRAME_GUESSED;
		return PRF_STACK_NONE;
	}
	return end == PRF_STACK_NONE && is_return_to_nowhere(*kind, caller->pc)
		       ? PRF_STACK_COMPLETE
		       : end;
}

/* Goes from FRAME, with its REGISTERS, to its CALLER, which *FRAME becomes. */
static enum prf_stack_end
go_out(const struct prf_unwind *unwind, const struct prf_registers *registers,
       struct prf_registers *caller, struct prf_frame *frame)
{
	enum prf_frame_kind kind;
	uint64_t ignored;

	if (*unwind->work_left == 0)
		return PRF_STACK_LIMIT;
	enum prf_stack_end end =
		find_caller(unwind, *frame, registers, caller, &kind);
	if (end != PRF_STACK_NONE)
		return end;
	if (!prf_registers_get(caller, unwind->machine->stack_pointer,
			       &ignored))
		return PRF_STACK_MEMORY;
	if (!is_above(unwind, kind, *frame, registers, caller))
		return PRF_STACK_LOOP;
	*frame = (struct prf_frame){.addr = caller->pc, .kind = kind};
	return PRF_STACK_NONE;
}

/* FRAME's CALLER is known.  What a signal has interrupted did not call the code
 * where the handler returns to: that begins there, and before it is another
 * function. */
static void
tell_kind(struct prf_frame *frame, struct prf_frame caller)
{
	if (caller.kind == PRF_FRAME_PC && frame->kind == PRF_FRAME_RETURN)
		frame->kind = PRF_FRAME_PC;
}

/* A caller that is nowhere was left out by a guess, and so may others be. */
static bool
has_unknown_caller(const struct prf_unwind *unwind,
		   const struct prf_frame *frames, uint32_t n)
{
	for (uint32_t i = 1; unwind->code && i < n; i++)
		if ((i + 1 == n || frames[i + 1].kind == PRF_FRAME_GUESSED) &&
		    !unwind->code->is_mapped(unwind->find_arg,
					     prf_frame_lookup_addr(frames[i])))
			return true;
	return false;
}

enum prf_stack_end
prf_unwind_stack(const struct prf_unwind *given,
		 struct prf_registers *registers, struct prf_frame *frames,
		 uint32_t room, uint32_t *n)
{
	struct prf_unwind unwind = *given;
	struct prf_frame frame = {.addr = registers->pc, .kind = PRF_FRAME_PC};
	enum prf_stack_end end = PRF_STACK_NONE;
	bool is_guessed = false;
	uint32_t work_left = PRF_UNWIND_WORK;
	/* Those of the frame, and those of its caller, in turn. */
	struct prf_registers other, *now = registers, *next = &other;

	unwind.work_left = unwind.memory.work_left = &work_left;
	unwind.memory.word_bytes = unwind.machine->word_bytes;
	unwind.memory.address_mask = unwind.machine->address_mask;
	registers->values[unwind.machine->stack_pointer] &=
		unwind.machine->address_mask;
	/* Linkage stubs ask which of their instructions it is. */
	if (unwind.machine->return_address != PRF_MACHINE_NO_REGISTER)
		prf_registers_set(registers, unwind.machine->return_address,
				  registers->pc);
	for (*n = 0; end == PRF_STACK_NONE && *n < room; ++*n) {
		frames[*n] = frame;
		end = go_out(&unwind, now, next, &frame);
		if (end == PRF_STACK_NONE) {
			struct prf_registers *caller = next;

			next = now;
			now = caller;
			is_guessed |= frame.kind == PRF_FRAME_GUESSED;
			tell_kind(&frames[*n], frame);
		}
	}
	if (now != registers)
		prf_registers_copy(registers, now);
	if (end == PRF_STACK_NO_CFI && work_left == 0)
		return PRF_STACK_LIMIT; /* more could be guessed */
	if (end == PRF_STACK_COMPLETE && is_guessed &&
	    has_unknown_caller(&unwind, frames, *n))
		return PRF_STACK_NO_CFI;
	return end == PRF_STACK_NONE ? PRF_STACK_LIMIT : end;
}
