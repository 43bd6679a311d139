#include "unwind/guess.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "core/scope.h"
#include "image/stub.h"
#include "unwind/callsite.h"
#include "unwind/heights.h"
#include "unwind/sigreturn.h"
#include "unwind/step.h"

/* Frames of functions without CFI are small, and this much of the stack is
 * searched for the return address. */
enum { SCAN_BYTES = 16 << 10 };

/* The first function of a program, or of its dynamic linker, is at most so long. (That
 * of glibc 2.39 is, where it switches shadow stacks on.) */
enum { ENTRY_BYTES = 112 };

enum { STUB_BYTES = 16 };

/* What each takes of PRF_UNWIND_WORK: a piece of text that is read, with what is
 * looked for in it, and each so many bytes of it; a word of the stack. */
enum { TEXT_WORK = 64, TEXT_BYTES_OF_WORK = 8, WORD_WORK = 8 };

struct guess {
	const struct prf_unwind *unwind;
	const struct prf_machine *machine;
	const struct prf_registers *from;
	struct prf_frame frame;
	uint64_t sp;
	bool has_start;
	uint64_t start; /* of the function that it is in */
};

static bool
has_work_left(const struct guess *guess)
{
	return *guess->unwind->work_left > 0;
}

/* --- Code */

static size_t
read_text(const struct guess *guess, uint64_t addr, void *to, size_t n)
{
	const struct prf_unwind *unwind = guess->unwind;
	size_t n_read = unwind->code->text(unwind->find_arg, addr, to, n);

	if (n_read > 0)
		prf_unwind_spend(guess->unwind,
				 TEXT_WORK + n_read / TEXT_BYTES_OF_WORK);
	return n_read;
}

static bool
find_function(const struct guess *guess, uint64_t addr, uint64_t *start)
{
	const struct prf_unwind *unwind = guess->unwind;

	return unwind->code->function(unwind->find_arg, addr, start);
}

/* Memory that was made executable and comes from no file, or from one that cannot
 * be read: what is in it cannot be known, and must be believed. */
static bool
is_made(const struct guess *guess, uint64_t addr)
{
	const struct prf_unwind *unwind = guess->unwind;

	return unwind->code->is_made(unwind->find_arg, addr);
}

/* Which kind of call, if any, ends at the return address ADDR; *TARGET: where a
 * direct one leads. */
static enum prf_callsite
call_before(const struct guess *guess, uint64_t addr, uint64_t *target)
{
	uint8_t bytes[PRF_CALLSITE_BYTES];

	if (read_text(guess, addr - PRF_CALLSITE_BYTES, bytes, sizeof bytes) ==
	    sizeof bytes)
		return prf_callsite_before(guess->machine, bytes, addr, target);
	return is_made(guess, addr) ? PRF_CALLSITE_INDIRECT : PRF_CALLSITE_NONE;
}

/* The vDSO of a 32-bit program is not the one that is here, and cannot be read: it
 * is what is mapped, but comes from no file, and was not made. */
static bool
is_other_vdso(const struct prf_unwind *unwind, uint64_t addr)
{
	const struct prf_unwind_code *code = unwind->code;
	uint8_t byte;

	return unwind->machine->elf_machine == EM_386 &&
	       code->is_mapped(unwind->find_arg, addr) &&
	       !code->is_made(unwind->find_arg, addr) &&
	       code->text(unwind->find_arg, addr, &byte, sizeof byte) == 0;
}

/* The row at ADDR, where such code begins, or not. */
static const struct prf_cfi_row *
sigreturn_row(const struct prf_unwind *unwind, uint64_t addr)
{
	uint8_t text[PRF_SIGRETURN_BYTES];
	size_t n =
		unwind->code->text(unwind->find_arg, addr, text, sizeof text);

	return prf_sigreturn_row(unwind->machine, text, n, 0);
}

/* The row at the PC ADDR, which may be anywhere in such code, but for another
 * function that begins right behind it. */
static const struct prf_cfi_row *
sigreturn_row_within(const struct prf_unwind *unwind, uint64_t addr)
{
	enum { BYTES = PRF_SIGRETURN_BYTES };
	uint8_t text[2 * BYTES];
	size_t n = unwind->code->text(unwind->find_arg, addr - BYTES, text,
				      sizeof text);
	const struct prf_cfi_row *row = NULL;
	size_t into;
	uint64_t start;

	for (into = 0; !row && into <= BYTES; into++)
		if (n > BYTES - into)
			row = prf_sigreturn_row(unwind->machine,
						text + BYTES - into,
						n - (BYTES - into), into);
	return row && into > 1 &&
			       unwind->code->function(unwind->find_arg, addr,
						      &start) &&
			       start == addr
		       ? NULL
		       : row;
}

const struct prf_cfi_row *
prf_guess_sigreturn(const struct prf_unwind *unwind, struct prf_frame frame,
		    const struct prf_registers *from)
{
	const uint64_t addr = frame.addr;
	uint64_t sp;

	if (frame.kind == PRF_FRAME_PC)
		return sigreturn_row_within(unwind, addr);
	const struct prf_cfi_row *row = sigreturn_row(unwind, addr);
	return !row && is_other_vdso(unwind, addr) &&
			       prf_registers_get(from,
						 unwind->machine->stack_pointer,
						 &sp)
		       ? prf_sigreturn_row_i386(&unwind->memory, sp)
		       : row;
}

bool
prf_guess_is_called(const struct prf_unwind *unwind, uint64_t addr)
{
	const struct guess guess = {.unwind = unwind,
				    .machine = unwind->machine};
	uint64_t ignored;

	return call_before(&guess, addr, &ignored) != PRF_CALLSITE_NONE;
}

static bool
is_return(const struct guess *guess, uint64_t addr)
{
	return prf_guess_is_called(guess->unwind, addr) ||
	       sigreturn_row(guess->unwind, addr) ||
	       is_other_vdso(guess->unwind, addr);
}

/* Is there a linkage stub at ADDR: a jump to where memory says?  It has neither
 * a symbol nor, in static programs, CFI. */
static bool
is_stub(const struct guess *guess, uint64_t addr)
{
	const struct prf_stub_context context = {
		.machine = guess->machine->elf_machine};
	uint8_t bytes[STUB_BYTES];
	struct prf_stub stub;
	size_t n = read_text(guess, addr, bytes, sizeof bytes);

	return prf_stub_decode(&context, bytes, n, addr, &stub) &&
	       !stub.by_number;
}

/* Is it TARGET that we are in? */
static bool
is_ours(const struct guess *guess, uint64_t target)
{
	uint64_t addr = prf_frame_lookup_addr(guess->frame);

	return target == addr || (guess->has_start && target == guess->start) ||
	       (addr - target < STUB_BYTES && is_stub(guess, target));
}

/* Linkage stubs of aarch64 that are not bound yet go on to what is before the first one,
 * which begins with pushing two words: are we there?  *PUSHED: so many bytes. */
static bool
is_in_stub_header(const struct guess *guess, uint64_t *pushed)
{
	/* stp x16, x30, [sp, #-16]! */
	static const uint8_t push[] = {0xf0, 0x7b, 0xbf, 0xa9};
	enum { BEFORE = 4 * sizeof push };
	uint8_t text[BEFORE + sizeof push];

	if (read_text(guess, guess->frame.addr - BEFORE, text, sizeof text) !=
	    sizeof text)
		return false;
	for (size_t at = 0; at <= BEFORE; at += sizeof push)
		if (memcmp(text + at, push, sizeof push) == 0) {
			*pushed = at < BEFORE ? 16 : 0;
			return true;
		}
	return false;
}

/* Are we in a linkage stub, which leaves the return address where the call has
 * left it?  *PUSHED: how many bytes are on the stack since then.  On x86 that is at
 * a jump to where memory says, or right before it, and nothing is. */
static bool
is_in_stub(const struct guess *guess, uint64_t *pushed)
{
	enum { INSN_BYTES = 4 };

	*pushed = 0;
	if (guess->machine->elf_machine != EM_AARCH64)
		return is_stub(guess, guess->frame.addr);
	if (is_in_stub_header(guess, pushed))
		return true;
	for (uint64_t at = 0; at < STUB_BYTES; at += INSN_BYTES)
		if (is_stub(guess, guess->frame.addr - at))
			return true;
	return false;
}

/* Can a call lead to TARGET? */
static bool
is_callable(const struct guess *guess, uint64_t target)
{
	uint64_t start;

	return (find_function(guess, target, &start) && start == target) ||
	       is_stub(guess, target);
}

/* --- Ways to a caller */

static bool
load(const struct guess *guess, uint64_t addr, uint64_t *value)
{
	return prf_registers_load_word(&guess->unwind->memory, addr, value);
}

/* The caller returns to PC, and has its stack from SP on. */
static void
set_caller(const struct guess *guess, uint64_t pc, uint64_t sp,
	   struct prf_registers *caller)
{
	prf_registers_copy(caller, guess->from);
	caller->pc = pc;
	prf_registers_set(caller, guess->machine->stack_pointer, sp);
	caller->sp_is_least = false;
}

/* The caller returns to PC, which is in the word at SLOT.  A call that pushes it does
 * so below all that the caller has; a function may save it anywhere. */
static void
set_caller_of_slot(const struct guess *guess, uint64_t pc, uint64_t slot,
		   struct prf_registers *caller)
{
	const struct prf_machine *machine = guess->machine;

	set_caller(guess, pc, slot + machine->word_bytes, caller);
	caller->sp_is_least = machine->link_register != PRF_MACHINE_NO_REGISTER;
}

/* Reads the function up to the place INTO it, and makes the row of that. */
static bool
make_row(const struct guess *guess, size_t into, union prf_heights_row *made)
{
	/* Behind the place, what jumps back before it. */
	enum { BEHIND_BYTES = 2048 };
	size_t n_decoded;

	if (into >= PRF_HEIGHTS_BYTES - BEHIND_BYTES)
		return false;
	PRF_AUTO(prf_auto_free) uint8_t *text = malloc(into + BEHIND_BYTES);
	size_t n =
		text ? read_text(guess, guess->start, text, into + BEHIND_BYTES)
		     : 0;
	bool is_made = prf_heights_row(guess->machine, text, n, into, made,
				       &n_decoded);
	prf_unwind_spend(guess->unwind, n_decoded);
	return is_made;
}

/* The row of the place, kept or made in MADE; NULL: there is none. */
static const struct prf_cfi_row *
find_row(const struct guess *guess, union prf_heights_row *made)
{
	const struct prf_unwind_code *code = guess->unwind->code;
	void *arg = guess->unwind->find_arg;
	uint64_t addr = prf_frame_lookup_addr(guess->frame);
	const struct prf_cfi_row *row = NULL;

	if (code->kept_row && code->kept_row(arg, addr, &row))
		return row;
	if (addr - guess->start < PRF_HEIGHTS_BYTES &&
	    make_row(guess, (size_t)(addr - guess->start), made))
		row = &made->row;
	if (code->keep_row)
		code->keep_row(arg, addr, row);
	return row;
}

/* What the instructions of the function have done to the stack, if that leads
 * to a call. */
static bool
by_height(const struct guess *guess, struct prf_registers *caller)
{
	union prf_heights_row made;
	const struct prf_cfi_row *row =
		guess->has_start ? find_row(guess, &made) : NULL;

	return row &&
	       prf_step(guess->machine, guess->unwind->signature,
			&guess->unwind->memory, row, guess->from,
			caller) == PRF_STACK_NONE &&
	       is_return(guess, caller->pc);
}

/* A function that was just entered has its return address where the call has
 * left it, and it is ours if the call led here, or nothing was done yet; so has a
 * linkage stub, to which others may have jumped. */
static bool
by_call(const struct guess *guess, struct prf_registers *caller)
{
	const struct prf_machine *machine = guess->machine;
	uint64_t pc, target, pushed = 0, sp = guess->sp;

	if (guess->frame.kind != PRF_FRAME_PC)
		return false;
	if (machine->link_register == PRF_MACHINE_NO_REGISTER) {
		if (!load(guess, sp, &pc))
			return false;
		sp += machine->word_bytes;
	} else {
		if (!prf_registers_get(guess->from, machine->link_register,
				       &pc))
			return false;
		pc &= ~guess->unwind->signature;
	}
	enum prf_callsite call = call_before(guess, pc, &target);
	if (call == PRF_CALLSITE_NONE)
		return false;
	if (!(call & PRF_CALLSITE_DIRECT && is_ours(guess, target)) &&
	    !(guess->has_start && guess->start == guess->frame.addr) &&
	    !is_in_stub(guess, &pushed))
		return false;
	set_caller(guess, pc, sp + pushed, caller);
	return true;
}

/* The frame pointer leads to a record of two words: the caller's frame pointer,
 * and the return address. */
static bool
by_record(const struct guess *guess, struct prf_registers *caller)
{
	const struct prf_machine *machine = guess->machine;
	const uint64_t word = machine->word_bytes;
	uint64_t fp, next, pc;

	if (!prf_registers_get(guess->from, machine->frame_pointer, &fp))
		return false;
	fp &= machine->address_mask;
	if (fp < guess->sp || fp % word != 0 || fp + 2 * word < fp ||
	    !load(guess, fp, &next) || !load(guess, fp + word, &pc) ||
	    ((next & machine->address_mask) <= fp && next != 0))
		return false;
	pc &= ~guess->unwind->signature;
	if (!is_return(guess, pc))
		return false;
	set_caller_of_slot(guess, pc, fp + word, caller);
	prf_registers_set(caller, machine->frame_pointer, next);
	return true;
}

/* Before the vDSO of a 32-bit program enters the kernel it pushes ecx, edx and ebp,
 * which have these numbers, and they are the same behind it. */
static bool
by_entry(const struct guess *guess, struct prf_registers *caller)
{
	static const uint8_t pushed[] = {5, 2, 1};
	enum { N = sizeof pushed, WORD = 4 };
	uint64_t words[N], pc, now;

	if (guess->frame.kind != PRF_FRAME_PC ||
	    !is_other_vdso(guess->unwind, guess->frame.addr) ||
	    !load(guess, guess->sp + N * WORD, &pc) ||
	    !prf_guess_is_called(guess->unwind, pc))
		return false;
	for (unsigned i = 0; i < N; i++)
		if (!load(guess, guess->sp + i * WORD, &words[i]) ||
		    (prf_registers_get(guess->from, pushed[i], &now) &&
		     now != words[i]))
			return false;
	set_caller(guess, pc, guess->sp + (N + 1) * WORD, caller);
	for (unsigned i = 0; i < N; i++)
		prf_registers_set(caller, pushed[i], words[i]);
	return true;
}

/* Any word of the stack that a call to here may have left; else the first one
 * that some other call may have. */
static bool
by_scan(const struct guess *guess, struct prf_registers *caller)
{
	const uint64_t word = guess->machine->word_bytes;
	uint64_t sp = (guess->sp + word - 1) / word * word;
	bool found = false;

	for (uint64_t at = 0; at < SCAN_BYTES; at += word) {
		uint64_t pc, target;

		prf_unwind_spend(guess->unwind, WORD_WORK);
		if (!has_work_left(guess))
			return false;
		if (!load(guess, sp + at, &pc))
			break;
		pc &= ~guess->unwind->signature;
		enum prf_callsite call = call_before(guess, pc, &target);
		bool leads_here =
			call & PRF_CALLSITE_DIRECT && is_ours(guess, target);
		if (leads_here || (!found && (call & PRF_CALLSITE_INDIRECT ||
					      (call & PRF_CALLSITE_DIRECT &&
					       is_callable(guess, target))))) {
			set_caller_of_slot(guess, pc, sp + at, caller);
			found = true;
		}
		if (leads_here)
			break;
	}
	return found;
}

/* --- All of them */

typedef bool way(const struct guess *guess, struct prf_registers *caller);

static bool
is_entry(const struct guess *guess)
{
	const struct prf_unwind *unwind = guess->unwind;
	uint64_t addr = prf_frame_lookup_addr(guess->frame);
	uint64_t entry = unwind->code->entry(unwind->find_arg, addr);

	return entry != 0 && addr - entry < ENTRY_BYTES &&
	       (!guess->has_start || guess->start <= entry);
}

/* Threads begin with a frame pointer of 0. */
static bool
is_outermost(const struct guess *guess)
{
	uint64_t fp;

	return guess->frame.kind != PRF_FRAME_PC &&
	       prf_registers_get(guess->from, guess->machine->frame_pointer,
				 &fp) &&
	       fp == 0;
}

/* False: the stack pointer is not known. */
static bool
begin(struct guess *guess, const struct prf_unwind *unwind,
      struct prf_frame frame, const struct prf_registers *from)
{
	*guess = (struct guess){
		.unwind = unwind,
		.machine = unwind->machine,
		.from = from,
		.frame = frame,
	};
	if (!prf_registers_get(from, unwind->machine->stack_pointer,
			       &guess->sp))
		return false;
	guess->has_start = find_function(guess, prf_frame_lookup_addr(frame),
					 &guess->start);
	return true;
}

/* Takes the first of WAYS that leads to one. */
static bool
try_ways(const struct guess *guess, way *const *ways,
	 struct prf_registers *caller)
{
	for (; *ways && has_work_left(guess); ways++)
		if ((*ways)(guess, caller))
			return true;
	return false;
}

bool
prf_guess_by_text(const struct prf_unwind *unwind, struct prf_frame frame,
		  const struct prf_registers *from,
		  struct prf_registers *caller)
{
	static way *const by_text[] = {by_height, by_call, NULL};
	struct guess guess;

	return begin(&guess, unwind, frame, from) &&
	       try_ways(&guess, by_text, caller);
}

enum prf_stack_end
prf_guess_caller(const struct prf_unwind *unwind, struct prf_frame frame,
		 const struct prf_registers *from, struct prf_registers *caller)
{
	static way *const all[] = {by_height, by_entry, by_call,
				   by_record, by_scan,  NULL};
	static way *const records[] = {by_entry, by_record, NULL};
	struct guess guess;

	if (!begin(&guess, unwind, frame, from))
		return PRF_STACK_NO_CFI;
	if (is_entry(&guess))
		return PRF_STACK_COMPLETE;
	/* Of code that was made nothing is believed but its frame records: its
	 * stack has words of any kind, and what should be its frame pointer may
	 * be any number. */
	bool made = is_made(&guess, prf_frame_lookup_addr(frame));
	way *const *ways = unwind->records_only || made ? records : all;
	if (try_ways(&guess, ways, caller))
		return PRF_STACK_NONE;
	if (!has_work_left(&guess))
		return PRF_STACK_LIMIT;
	return !made && is_outermost(&guess) ? PRF_STACK_COMPLETE
					     : PRF_STACK_NO_CFI;
}
