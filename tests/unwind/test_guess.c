/* A made-up program of some functions without CFI, and stacks of it. */
#include "unwind/guess.h"

#include <elf.h>
#include <string.h>

#include "support/suite.h"
#include "unwind/heights.h"
#include "unwind/unwind.h"

enum { TEXT = 0x10000, TEXT_BYTES = 0x400, STACK = 0x7000, WORDS = 64 };
enum { FIRST = TEXT, SECOND = TEXT + 0x100, THIRD = TEXT + 0x200 };
enum { ENTRY = TEXT + 0x300, MADE = 0x90000, MADE_BYTES = 0x1000 };
enum { RBP = 6, RSP = 7 };

static uint8_t text[TEXT_BYTES];
static uint64_t words[WORDS];
static struct prf_frame frames[8];
static uint32_t n_frames;

/* --- The program */

static size_t
read_text(void *arg, uint64_t addr, void *to, size_t n)
{
	(void)arg;
	if (addr < TEXT || addr - TEXT >= TEXT_BYTES)
		return 0;
	if (n > TEXT + TEXT_BYTES - addr)
		n = TEXT + TEXT_BYTES - addr;
	memcpy(to, text + (addr - TEXT), n);
	return n;
}

static bool
find_function(void *arg, uint64_t addr, uint64_t *start)
{
	(void)arg;
	*start = addr & ~(uint64_t)0xff;
	return addr >= TEXT && addr < TEXT + TEXT_BYTES;
}

static uint64_t
find_entry(void *arg, uint64_t addr)
{
	(void)arg;
	return addr >= TEXT && addr < TEXT + TEXT_BYTES ? ENTRY : 0;
}

static bool
is_made(void *arg, uint64_t addr)
{
	(void)arg;
	return addr - MADE < MADE_BYTES;
}

enum { GONE = 0xa0000 };

static bool
is_made_or_gone(void *arg, uint64_t addr)
{
	return is_made(arg, addr) || addr - GONE < MADE_BYTES;
}

static bool
is_mapped(void *arg, uint64_t addr)
{
	(void)arg;
	return addr < GONE;
}

static const struct prf_unwind_code code = {
	.text = read_text,
	.function = find_function,
	.entry = find_entry,
	.is_made = is_made,
	.is_mapped = is_mapped,
};

static bool
read_words(void *arg, uint64_t addr, void *to, size_t n)
{
	(void)arg;
	if (addr < STACK || addr > STACK + sizeof words - n)
		return false;
	memcpy(to, (char *)words + (addr - STACK), n);
	return true;
}

static struct prf_cfi *
find_none(void *arg, uint64_t addr, uint64_t *bias)
{
	(void)arg;
	(void)addr;
	(void)bias;
	return NULL;
}

/* Text in which nothing tells the height of the stack: SP is lost at once. */
static void
begin(void)
{
	static const uint8_t lose[] = {0x48, 0x29, 0xc4};

	memset(text, 0x90, sizeof text);
	memset(words, 0, sizeof words);
	for (size_t at = 0; at < TEXT_BYTES; at += 0x100)
		memcpy(text + at, lose, sizeof lose);
}

/* Puts a call of TARGET before ADDR, and returns ADDR. */
static uint64_t
call(uint64_t target, uint64_t addr)
{
	uint32_t by = (uint32_t)(target - addr);

	text[addr - TEXT - 5] = 0xe8;
	memcpy(text + (addr - TEXT - 4), &by, sizeof by);
	return addr;
}

/* The same of what a register says. */
static uint64_t
call_indirect(uint64_t addr)
{
	text[addr - TEXT - 2] = 0xff;
	text[addr - TEXT - 1] = 0xd0;
	return addr;
}

static enum prf_stack_end
unwind_kinds(uint64_t pc, uint64_t rbp, bool records_only)
{
	const struct prf_unwind unwind = {
		.machine = prf_machine_of(EM_X86_64),
		.memory = {.read = read_words},
		.find = find_none,
		.code = &code,
		.records_only = records_only,
	};
	struct prf_registers registers = {.pc = pc};

	prf_registers_set(&registers, RSP, STACK);
	prf_registers_set(&registers, RBP, rbp);
	return prf_unwind_stack(&unwind, &registers, frames, 8, &n_frames);
}

/* The same, where all callers are guessed. */
static enum prf_stack_end
unwind_by(uint64_t pc, uint64_t rbp, bool records_only)
{
	enum prf_stack_end end = unwind_kinds(pc, rbp, records_only);

	for (uint32_t i = 1; i < n_frames; i++)
		ck_assert_uint_eq(frames[i].kind, PRF_FRAME_GUESSED);
	return end;
}

static enum prf_stack_end
unwind(uint64_t pc, uint64_t rbp)
{
	return unwind_by(pc, rbp, false);
}

/* --- Ways to a caller */

START_TEST(instructions_lead_to_it)
{
	static const uint8_t push[] = {0x53, 0x48, 0x83, 0xec, 0x08, 0x90};

	memcpy(text, push, sizeof push);
	words[0] = call_indirect(SECOND + 0x40); /* no return address */
	words[2] = call_indirect(ENTRY + 0x20);
	ck_assert_int_eq(unwind(FIRST + 5, 1), PRF_STACK_COMPLETE);
	ck_assert_uint_eq(n_frames, 2);
	ck_assert_uint_eq(frames[1].addr, words[2]);
}
END_TEST

START_TEST(a_call_that_led_here_is_believed)
{
	words[0] = call(FIRST, ENTRY + 0x20);
	words[3] = call_indirect(SECOND + 0x40);
	ck_assert_int_eq(unwind(FIRST + 0x10, 1), PRF_STACK_COMPLETE);
	ck_assert_uint_eq(n_frames, 2);
	ck_assert_uint_eq(frames[1].addr, ENTRY + 0x20);
}
END_TEST

START_TEST(records_are_a_chain)
{
	words[0] = call(SECOND, ENTRY + 0x20); /* it did not lead here */
	words[4] = STACK + 8 * 10;
	words[5] = call_indirect(SECOND + 0x40);
	words[10] = 0;
	words[11] = call_indirect(ENTRY + 0x30);
	for (int records_only = 0; records_only < 2; records_only++) {
		ck_assert_int_eq(
			unwind_by(FIRST + 0x10, STACK + 8 * 4, records_only),
			PRF_STACK_COMPLETE);
		ck_assert_uint_eq(n_frames, 3);
		ck_assert_uint_eq(frames[1].addr, SECOND + 0x40);
		ck_assert_uint_eq(frames[2].addr, ENTRY + 0x30);
	}
}
END_TEST

START_TEST(records_that_make_no_sense_are_none)
{
	static const uint64_t next[] = {STACK, STACK + 8, STACK + 8 * 4};

	words[5] = call_indirect(SECOND + 0x40);
	for (size_t i = 0; i < sizeof next / sizeof *next; i++) {
		words[4] = next[i]; /* not further out */
		ck_assert_int_eq(unwind_by(FIRST + 0x10, STACK + 8 * 4, true),
				 PRF_STACK_NO_CFI);
		ck_assert_uint_eq(n_frames, 1);
	}
	words[4] = 0;
	words[5] = SECOND + 0x80; /* behind no call */
	ck_assert_int_eq(unwind_by(FIRST + 0x10, STACK + 8 * 4, true),
			 PRF_STACK_NO_CFI);
	ck_assert_int_eq(unwind_by(FIRST + 0x10, STACK - 8, true),
			 PRF_STACK_NO_CFI);
	ck_assert_int_eq(unwind_by(FIRST + 0x10, STACK + 1, true),
			 PRF_STACK_NO_CFI);
	ck_assert_int_eq(unwind_by(FIRST + 0x10, UINT64_MAX - 7, true),
			 PRF_STACK_NO_CFI);
}
END_TEST

/* A handler returns to what no call is before, and there the kernel has left the
 * registers of what it interrupted. */
START_TEST(a_record_of_a_handler_leads_to_what_it_interrupted)
{
	static const uint8_t stub[] = {0x48, 0xc7, 0xc0, 15,  0,
				       0,    0,    0x0f, 0x05};
	enum { CONTEXT = 6, KEPT_RBP = 15, KEPT_RSP = 20, KEPT_RIP = 21 };

	memcpy(text + (THIRD + 0x40 - TEXT), stub, sizeof stub);
	words[4] = STACK + 8 * 60;
	words[5] = THIRD + 0x40;
	words[CONTEXT + KEPT_RBP] = STACK + 8 * 50;
	words[CONTEXT + KEPT_RSP] = STACK + 8 * 48;
	words[CONTEXT + KEPT_RIP] = SECOND + 0x40;
	words[50] = 0;
	words[51] = call_indirect(ENTRY + 0x30);
	for (int records_only = 0; records_only < 2; records_only++) {
		ck_assert_int_eq(
			unwind_kinds(FIRST + 0x10, STACK + 8 * 4, records_only),
			PRF_STACK_COMPLETE);
		ck_assert_uint_eq(n_frames, 4);
		ck_assert_uint_eq(frames[1].addr, THIRD + 0x40);
		ck_assert_int_eq(frames[1].kind, PRF_FRAME_GUESSED);
		ck_assert_uint_eq(frames[2].addr, SECOND + 0x40);
		ck_assert_int_eq(frames[2].kind, PRF_FRAME_PC);
		ck_assert_uint_eq(frames[3].addr, ENTRY + 0x30);
	}
}
END_TEST

/* At its first instruction, its second, or in the kernel. */
START_TEST(a_thread_in_a_handlers_return_leads_to_what_was_interrupted)
{
	static const uint8_t stub[] = {0x48, 0xc7, 0xc0, 15,  0,
				       0,    0,    0x0f, 0x05};
	static const uint64_t into[] = {0, 7, 9};
	enum { KEPT_RBP = 15, KEPT_RSP = 20, KEPT_RIP = 21 };

	memcpy(text + (THIRD + 0x40 - TEXT), stub, sizeof stub);
	words[KEPT_RBP] = STACK + 8 * 50;
	words[KEPT_RSP] = STACK + 8 * 48;
	words[KEPT_RIP] = SECOND + 0x40;
	words[50] = 0;
	words[51] = call_indirect(ENTRY + 0x30);
	for (int i = 0; i < 6; i++) {
		ck_assert_int_eq(
			unwind_kinds(THIRD + 0x40 + into[i / 2], 1, i % 2),
			PRF_STACK_COMPLETE);
		ck_assert_uint_eq(n_frames, 3);
		ck_assert_uint_eq(frames[1].addr, SECOND + 0x40);
		ck_assert_int_eq(frames[1].kind, PRF_FRAME_PC);
		ck_assert_uint_eq(frames[2].addr, ENTRY + 0x30);
	}
}
END_TEST

/* --- Of a 32-bit program, whose vDSO cannot be read */

enum { VDSO = 0x80000, EBP = 5, ESP = 4, EDX = 2, ECX = 1 };

static uint32_t *const words32 = (uint32_t *)words;

static enum prf_stack_end
unwind32(uint64_t pc, uint32_t ebp, uint32_t edx, bool records_only)
{
	const struct prf_unwind unwind = {
		.machine = prf_machine_of(EM_386),
		.memory = {.read = read_words},
		.find = find_none,
		.code = &code,
		.records_only = records_only,
	};
	struct prf_registers registers = {.pc = pc};

	prf_registers_set(&registers, ESP, STACK);
	prf_registers_set(&registers, EBP, ebp);
	prf_registers_set(&registers, EDX, edx);
	words32[50] = 0;
	words32[51] = (uint32_t)call_indirect(ENTRY + 0x30);
	return prf_unwind_stack(&unwind, &registers, frames, 8, &n_frames);
}

/* The frame pointer is that of who called the function that calls the vDSO. */
START_TEST(the_vdso_of_a_32_bit_program_has_pushed_three_registers)
{
	const uint32_t ebp = STACK + 4 * 50, edx = 0x1234;

	words32[0] = ebp;
	words32[1] = edx;
	words32[2] = 0x5678;
	words32[3] = (uint32_t)call_indirect(SECOND + 0x40);
	for (int records_only = 0; records_only < 2; records_only++) {
		ck_assert_int_eq(unwind32(VDSO + 0x569, ebp, edx, records_only),
				 PRF_STACK_COMPLETE);
		ck_assert_uint_eq(n_frames, 3);
		ck_assert_uint_eq(frames[1].addr, SECOND + 0x40);
		ck_assert_uint_eq(frames[2].addr, ENTRY + 0x30);
	}
	/* It is at some other place if they are not the same. */
	unwind32(VDSO + 0x569, ebp, edx + 1, true);
	ck_assert_uint_eq(n_frames, 2);
	ck_assert_uint_eq(frames[1].addr, ENTRY + 0x30);
}
END_TEST

/* There is a siginfo_t (1), or not (0). */
START_TEST(a_handler_returns_to_the_vdso_of_a_32_bit_program)
{
	const unsigned at = 6, context = _i ? at + 160 / 4 : at + 1;

	words32[4] = STACK + 4 * 120;
	words32[5] = VDSO + 0x580;
	words32[at] = 10;
	words32[at + 1] = _i ? STACK + 4 * at + 12 : 0x63;
	words32[at + 2] = _i ? STACK + 4 * at + 140 : 0;
	words32[context + 24 / 4] = STACK + 4 * 50;
	words32[context + 28 / 4] = STACK + 4 * 48;
	words32[context + 56 / 4] = SECOND + 0x40;
	words32[context + 60 / 4] = 0x23;
	ck_assert_int_eq(unwind32(FIRST + 0x10, STACK + 4 * 4, 0, false),
			 PRF_STACK_COMPLETE);
	ck_assert_uint_eq(n_frames, 4);
	ck_assert_uint_eq(frames[1].addr, VDSO + 0x580);
	ck_assert_uint_eq(frames[2].addr, SECOND + 0x40);
	ck_assert_int_eq(frames[2].kind, PRF_FRAME_PC);
	ck_assert_uint_eq(frames[3].addr, ENTRY + 0x30);
}
END_TEST

START_TEST(the_stack_is_searched_for_a_call_to_here)
{
	words[3] = call_indirect(SECOND + 0x40);
	words[9] = call(FIRST, ENTRY + 0x20);
	ck_assert_int_eq(unwind(FIRST + 0x10, 1), PRF_STACK_COMPLETE);
	ck_assert_uint_eq(n_frames, 2);
	ck_assert_uint_eq(frames[1].addr, ENTRY + 0x20);
}
END_TEST

/* What is before the return address is a direct call, too, if one reads it from
 * within another instruction; but that leads to no function. */
START_TEST(a_call_may_look_like_another)
{
	static const uint8_t both[] = {
		0x48, 0x8b, 0x55, 0xe8, /* mov -0x18(%rbp),%rdx */
		0x89, 0xc7,             /* mov %eax,%edi */
		0xff, 0xd2,             /* call *%rdx */
	};

	words[3] = SECOND + 0x40;
	memcpy(text + (SECOND + 0x40 - TEXT - sizeof both), both, sizeof both);
	words[9] = call_indirect(ENTRY + 0x20);
	ck_assert_int_eq(unwind(FIRST + 0x10, 1), PRF_STACK_COMPLETE);
	ck_assert_uint_eq(n_frames, 3);
	ck_assert_uint_eq(frames[1].addr, SECOND + 0x40);
	ck_assert_uint_eq(frames[2].addr, ENTRY + 0x20);
}
END_TEST

/* As aarch64 has them: the upper bits of the word are no address. */
START_TEST(there_a_return_address_may_be_signed)
{
	const uint64_t signature = 0xffff000000000000;
	const struct prf_unwind unwind = {
		.machine = prf_machine_of(EM_AARCH64),
		.memory = {.read = read_words},
		.find = find_none,
		.code = &code,
		.signature = signature,
	};
	struct prf_registers registers = {.pc = FIRST + 0x10};
	const uint32_t call =
		0x94000000 | /* bl FIRST */
		(((uint32_t)FIRST - (ENTRY + 0x1c)) >> 2 & 0x3ffffff);

	memset(text, 0, sizeof text); /* no instruction */
	memcpy(text + (ENTRY + 0x1c - TEXT), &call, sizeof call);
	words[9] = (ENTRY + 0x20) | (signature & 0x1234567890abcdef);
	prf_registers_set(&registers, unwind.machine->stack_pointer, STACK);
	prf_registers_set(&registers, unwind.machine->frame_pointer, 1);
	prf_unwind_stack(&unwind, &registers, frames, 8, &n_frames);
	ck_assert_uint_eq(n_frames, 2);
	ck_assert_uint_eq(frames[1].addr, ENTRY + 0x20);
}
END_TEST

/* --- aarch64 */

static void
put(uint64_t addr, uint32_t insn)
{
	memcpy(text + (addr - TEXT), &insn, sizeof insn);
}

/* A guess at PC by LR, with nothing on the stack. */
static void
check_stub(uint64_t pc, uint64_t lr, uint64_t sp)
{
	uint32_t work_left = PRF_UNWIND_WORK;
	const struct prf_unwind unwind = {
		.machine = prf_machine_of(EM_AARCH64),
		.memory = {.read = read_words},
		.find = find_none,
		.code = &code,
		.work_left = &work_left,
	};
	const struct prf_frame frame = {pc, PRF_FRAME_PC};
	struct prf_registers registers = {.pc = pc}, caller;

	prf_registers_set(&registers, unwind.machine->stack_pointer, STACK);
	prf_registers_set(&registers, unwind.machine->link_register, lr);
	ck_assert_int_eq(prf_guess_caller(&unwind, frame, &registers, &caller),
			 PRF_STACK_NONE);
	ck_assert_uint_eq(caller.pc, lr);
	ck_assert_uint_eq(caller.values[unwind.machine->stack_pointer], sp);
	ck_assert(!caller.sp_is_least);
}

/* The call led elsewhere, from where there was a jump to the stub. */
START_TEST(a_stub_of_aarch64_leaves_the_return_address_in_its_register)
{
	static const uint32_t stub[] = {0x90000010,  /* adrp x16, here */
					0xf9400211,  /* ldr x17, [x16] */
					0x91000210,  /* add x16, x16, #0 */
					0xd61f0220}; /* br x17 */
	const uint64_t header = SECOND + 0x20, first = SECOND + 0x40;
	const uint64_t lr = THIRD + 0x20;

	memset(text, 0, sizeof text); /* no instruction */
	put(lr - 4, 0x94000001);      /* bl lr */
	put(header, 0xa9bf7bf0);      /* stp x16, x30, [sp, #-16]! */
	for (unsigned i = 0; i < 4; i++) {
		put(header + 4 + 4 * i, stub[i]);
		put(first + 4 * i, stub[i]);
	}
	for (unsigned i = 0; i < 4; i++)
		check_stub(first + 4 * i, lr, STACK);
	check_stub(header, lr, STACK);
	for (unsigned i = 1; i < 5; i++)
		check_stub(header + 4 * i, lr, STACK + 16);
}
END_TEST

START_TEST(or_for_any_call_that_may_lead_here)
{
	words[2] = call(THIRD + 1, SECOND + 0x80); /* into a function */
	words[3] = call(THIRD, SECOND + 0x40);
	words[9] = call_indirect(ENTRY + 0x20);
	ck_assert_int_eq(unwind(FIRST + 0x10, 1), PRF_STACK_COMPLETE);
	ck_assert_uint_eq(n_frames, 3);
	ck_assert_uint_eq(frames[1].addr, SECOND + 0x40);
	ck_assert_uint_eq(frames[2].addr, ENTRY + 0x20);
}
END_TEST

START_TEST(made_code_is_believed)
{
	words[4] = STACK + 8 * 10;
	words[5] = MADE + 0x100;
	words[10] = 0;
	words[11] = call_indirect(ENTRY + 0x20);
	ck_assert_int_eq(unwind(MADE + 0x500, STACK + 8 * 4),
			 PRF_STACK_COMPLETE);
	ck_assert_uint_eq(n_frames, 3);
	ck_assert_uint_eq(frames[1].addr, MADE + 0x100);
}
END_TEST

/* Code that was mapped, and nobody told of it.  Whom it has called is known; the
 * one that has called it is guessed, and may not be the next. */
START_TEST(a_stack_with_a_caller_that_is_nowhere_is_not_complete)
{
	static const uint8_t push[] = {0x53, 0x90};
	static const struct prf_unwind_code all_is_code = {
		.text = read_text,
		.function = find_function,
		.entry = find_entry,
		.is_made = is_made_or_gone,
		.is_mapped = is_mapped,
	};
	struct prf_registers registers = {.pc = FIRST + 1};
	const struct prf_unwind of_gone = {
		.machine = prf_machine_of(EM_X86_64),
		.memory = {.read = read_words},
		.find = find_none,
		.code = &all_is_code,
	};

	memcpy(text, push, sizeof push);
	words[1] = GONE + 0x100;
	words[4] = 0;
	words[5] = call_indirect(ENTRY + 0x20);
	prf_registers_set(&registers, RSP, STACK);
	prf_registers_set(&registers, RBP, STACK + 8 * 4);
	ck_assert_int_eq(
		prf_unwind_stack(&of_gone, &registers, frames, 8, &n_frames),
		PRF_STACK_NO_CFI);
	ck_assert_uint_eq(n_frames, 3);
	ck_assert_uint_eq(frames[1].addr, GONE + 0x100);
}
END_TEST

/* What lies in its stack may be anything. */
START_TEST(made_code_without_records_has_no_caller)
{
	words[0] = call_indirect(SECOND + 0x40);
	words[1] = MADE + 0x100;
	words[2] = call_indirect(ENTRY + 0x20);
	for (uint64_t rbp = 0; rbp < 2; rbp++) {
		ck_assert_int_eq(unwind(MADE + 0x500, rbp), PRF_STACK_NO_CFI);
		ck_assert_uint_eq(n_frames, 1);
	}
}
END_TEST

START_TEST(stubs_have_no_symbols)
{
	static const uint8_t stubs[][12] = {
		{0xf3, 0x0f, 0x1e, 0xfa, 0xf2, 0xff, 0x25, 0, 0, 0},
		{0x41, 0xbb, 1, 0, 0, 0, 0xff, 0x25, 0, 0, 0, 0},
	};

	memcpy(text + (SECOND + 0x18 - TEXT), stubs[_i], sizeof stubs[_i]);
	words[0] = call(SECOND + 0x18, ENTRY + 0x20);
	words[1] = call_indirect(THIRD + 0x40);
	ck_assert_int_eq(unwind(SECOND + 0x1c, 1), PRF_STACK_COMPLETE);
	ck_assert_uint_eq(n_frames, 2);
	ck_assert_uint_eq(frames[1].addr, ENTRY + 0x20);
}
END_TEST

/* The call led elsewhere, from where there was a jump to the stub; or a register
 * said where to call it.  A call of it that has returned is no caller. */
START_TEST(a_stub_leaves_the_return_address_where_it_was)
{
	static const uint8_t stub[] = {0xf3, 0x0f, 0x1e, 0xfa, 0xff,
				       0x25, 0,    0,    0,    0};
	const uint64_t at = SECOND + 0x18, jump = at + 4;

	memcpy(text + (at - TEXT), stub, sizeof stub);
	words[0] = _i ? call_indirect(ENTRY + 0x20) : call(THIRD, ENTRY + 0x20);
	words[1] = call(at, FIRST + 0x40);
	for (uint64_t pc = at; pc <= jump; pc += jump - at) {
		ck_assert_int_eq(unwind(pc, 1), PRF_STACK_COMPLETE);
		ck_assert_uint_eq(n_frames, 2);
		ck_assert_uint_eq(frames[1].addr, ENTRY + 0x20);
	}
}
END_TEST

/* --- What it costs */

/* One function of its own as large as any that is read, each second byte of which
 * has a call before it. */
enum { LARGE = 0x200000, LARGE_BYTES = 60 << 10 };
enum { MANY_FRAMES = 1024, LARGE_STACK = 0x10000000, LARGE_WORDS = 1 << 16 };

static struct {
	uint64_t words[LARGE_WORDS];
	struct prf_frame frames[MANY_FRAMES];
	size_t n_reads, n_bytes;    /* of text */
	uint64_t kept[LARGE_BYTES]; /* 1 more than the offset of its CFA */
} large;

static size_t
read_large(void *arg, uint64_t addr, void *to, size_t n)
{
	uint8_t *bytes = to;

	(void)arg;
	large.n_reads++;
	if (addr < LARGE || addr - LARGE >= LARGE_BYTES)
		return 0;
	if (n > LARGE + LARGE_BYTES - addr)
		n = LARGE + LARGE_BYTES - addr;
	for (size_t i = 0; i < n; i++)
		bytes[i] = (addr + i) % 2 ? 0xd0 : 0xff; /* call *%rax */
	large.n_bytes += n;
	return n;
}

static bool
find_large(void *arg, uint64_t addr, uint64_t *start)
{
	(void)arg;
	*start = LARGE;
	return addr >= LARGE && addr - LARGE < LARGE_BYTES;
}

static uint64_t
find_no_entry(void *arg, uint64_t addr)
{
	(void)arg;
	(void)addr;
	return 0;
}

static bool
read_large_stack(void *arg, uint64_t addr, void *to, size_t n)
{
	(void)arg;
	if (addr < LARGE_STACK || addr > LARGE_STACK + sizeof large.words - n)
		return false;
	memcpy(to, (char *)large.words + (addr - LARGE_STACK), n);
	return true;
}

static bool
kept_row(void *arg, uint64_t addr, const struct prf_cfi_row **row)
{
	static union prf_heights_row kept;

	(void)arg;
	if (addr - LARGE >= LARGE_BYTES || !large.kept[addr - LARGE])
		return false;
	kept.row = (struct prf_cfi_row){
		.cfa = {.how = PRF_CFI_REGISTER,
			.other = RSP,
			.offset = (int64_t)large.kept[addr - LARGE] - 1},
		.return_register = 16,
		.n_rules = 1,
	};
	kept.row.rules[0] = (struct prf_cfi_rule){
		.how = PRF_CFI_AT, .of = 16, .offset = -8};
	*row = &kept.row;
	return true;
}

static void
keep_row(void *arg, uint64_t addr, const struct prf_cfi_row *row)
{
	(void)arg;
	ck_assert_uint_lt(addr - LARGE, LARGE_BYTES);
	ck_assert_ptr_nonnull(row);
	large.kept[addr - LARGE] = (uint64_t)row->cfa.offset + 1;
}

/* A stack that begins late in the function, all words of which WORD returns. */
static enum prf_stack_end
unwind_large(uint64_t (*word)(size_t i), bool keeps, uint32_t *n)
{
	const struct prf_unwind_code of_large = {
		.text = read_large,
		.function = find_large,
		.entry = find_no_entry,
		.is_made = is_made,
		.is_mapped = is_mapped,
		.kept_row = keeps ? kept_row : NULL,
		.keep_row = keeps ? keep_row : NULL,
	};
	const struct prf_unwind unwind = {
		.machine = prf_machine_of(EM_X86_64),
		.memory = {.read = read_large_stack},
		.find = find_none,
		.code = &of_large,
	};
	struct prf_registers registers = {.pc = word(0)};

	for (size_t i = 0; i < LARGE_WORDS; i++)
		large.words[i] = word(i + 1);
	prf_registers_set(&registers, RSP, LARGE_STACK);
	prf_registers_set(&registers, RBP, 1);
	large.n_reads = large.n_bytes = 0;
	return prf_unwind_stack(&unwind, &registers, large.frames, MANY_FRAMES,
				n);
}

static uint64_t
each_another(size_t i)
{
	return LARGE + 50000 + i * 2 % 5000;
}

static uint64_t
all_the_same(size_t i)
{
	(void)i;
	return LARGE + 50000;
}

/* Each frame of 1024 would have 50 KB of text read and decoded. */
START_TEST(a_stack_of_large_functions_has_a_limit)
{
	uint32_t n;

	ck_assert_int_eq(unwind_large(each_another, false, &n),
			 PRF_STACK_LIMIT);
	ck_assert_uint_gt(n, 4);
	ck_assert_uint_lt(n, MANY_FRAMES);
	ck_assert_uint_lt(large.n_bytes, 2 * PRF_UNWIND_WORK);
}
END_TEST

START_TEST(what_was_decoded_is_not_decoded_again)
{
	uint32_t n;

	ck_assert_int_eq(unwind_large(all_the_same, true, &n), PRF_STACK_LIMIT);
	ck_assert_uint_eq(n, MANY_FRAMES);
	ck_assert_uint_lt(large.n_bytes, 2 * LARGE_BYTES);
	/* So a second stack comes farther than the first. */
	unwind_large(each_another, true, &n);
	uint32_t n_again;
	unwind_large(each_another, true, &n_again);
	ck_assert_uint_gt(n_again, n);
}
END_TEST

/* What nothing calls: each word of the stack may be from it. */
static uint64_t
none_called(size_t i)
{
	return i == 0 ? LARGE + LARGE_BYTES + 0x100 : LARGE + 2 + i * 2 % 50000;
}

START_TEST(a_search_of_the_stack_has_a_limit)
{
	uint32_t n;

	unwind_large(none_called, false, &n);
	ck_assert_uint_gt(n, 1);
	ck_assert_uint_lt(large.n_reads, PRF_UNWIND_WORK / 64 + 100);
}
END_TEST

/* --- How it ends */

START_TEST(nothing_leads_nowhere)
{
	ck_assert_int_eq(unwind(FIRST + 0x10, 0), PRF_STACK_NO_CFI);
	ck_assert_uint_eq(n_frames, 1);
	ck_assert_int_eq(unwind(0, 1), PRF_STACK_NO_CFI);
	ck_assert_int_eq(unwind(UINT64_MAX, 1), PRF_STACK_NO_CFI);
}
END_TEST

START_TEST(a_thread_begins_with_a_frame_pointer_of_0)
{
	words[0] = call(FIRST, SECOND + 0x40);
	ck_assert_int_eq(unwind(FIRST + 0x10, 0), PRF_STACK_COMPLETE);
	ck_assert_uint_eq(n_frames, 2);
	ck_assert_int_eq(unwind(FIRST + 0x10, 1), PRF_STACK_NO_CFI);
	ck_assert_uint_eq(n_frames, 2);
}
END_TEST

START_TEST(a_program_begins_at_its_entry)
{
	words[0] = call_indirect(SECOND + 0x40);
	ck_assert_int_eq(unwind(ENTRY, 1), PRF_STACK_COMPLETE);
	ck_assert_uint_eq(n_frames, 1);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("guess");
	TCase *tcase = tcase_create("guess");

	tcase_add_checked_fixture(tcase, begin, NULL);
	tcase_add_test(tcase, instructions_lead_to_it);
	tcase_add_test(tcase, a_call_that_led_here_is_believed);
	tcase_add_test(tcase, records_are_a_chain);
	tcase_add_test(tcase, records_that_make_no_sense_are_none);
	tcase_add_test(tcase,
		       a_record_of_a_handler_leads_to_what_it_interrupted);
	tcase_add_test(
		tcase,
		a_thread_in_a_handlers_return_leads_to_what_was_interrupted);
	tcase_add_test(tcase,
		       the_vdso_of_a_32_bit_program_has_pushed_three_registers);
	tcase_add_loop_test(
		tcase, a_handler_returns_to_the_vdso_of_a_32_bit_program, 0, 2);
	tcase_add_test(tcase, the_stack_is_searched_for_a_call_to_here);
	tcase_add_test(tcase, a_call_may_look_like_another);
	tcase_add_test(tcase, there_a_return_address_may_be_signed);
	tcase_add_test(tcase, or_for_any_call_that_may_lead_here);
	tcase_add_test(tcase, made_code_is_believed);
	tcase_add_test(tcase,
		       a_stack_with_a_caller_that_is_nowhere_is_not_complete);
	tcase_add_test(tcase, made_code_without_records_has_no_caller);
	tcase_add_loop_test(tcase, stubs_have_no_symbols, 0, 2);
	tcase_add_loop_test(
		tcase, a_stub_leaves_the_return_address_where_it_was, 0, 2);
	tcase_add_test(tcase, a_stack_of_large_functions_has_a_limit);
	tcase_add_test(tcase, what_was_decoded_is_not_decoded_again);
	tcase_add_test(tcase, a_search_of_the_stack_has_a_limit);
	tcase_add_test(tcase, nothing_leads_nowhere);
	tcase_add_test(tcase, a_thread_begins_with_a_frame_pointer_of_0);
	tcase_add_test(tcase, a_program_begins_at_its_entry);
	tcase_add_test(
		tcase,
		a_stub_of_aarch64_leaves_the_return_address_in_its_register);
	suite_add_tcase(suite, tcase);
	return suite;
}
