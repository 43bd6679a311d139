/* Where a handler returns to, the registers of what it interrupted are found. */
#include "unwind/sigreturn.h"
#include "support/suite.h"

#include <elf.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <ucontext.h>

#include "unwind/here.h"
#include "unwind/step.h"

static const uint8_t text[] = {0x48, 0xc7, 0xc0, 15, 0, 0, 0, 0x0f, 0x05, 0x90};

/* What the kernel puts onto the stack of a handler. */
struct signal_frame {
#ifdef __aarch64__
	uint8_t info[128];
#endif
	ucontext_t context;
};

/* The N bytes of a frame that is ARG, which lies at 0x1000. */
static bool
read_context(void *arg, uint64_t addr, void *to, size_t n)
{
	if (addr < 0x1000 || addr > 0x1000 + sizeof(struct signal_frame) - n)
		return false;
	memcpy(to, (const char *)arg + (addr - 0x1000), n);
	return true;
}

#ifdef __x86_64__
START_TEST(the_kernels_context_has_all_registers)
{
	/* By DWARF's numbers. */
	static const int numbers[] = {
		REG_RAX, REG_RDX, REG_RCX, REG_RBX, REG_RSI, REG_RDI,
		REG_RBP, REG_RSP, REG_R8,  REG_R9,  REG_R10, REG_R11,
		REG_R12, REG_R13, REG_R14, REG_R15, REG_RIP};
	enum { N = sizeof numbers / sizeof *numbers };
	const struct prf_machine *machine = prf_machine_of(EM_X86_64);
	const struct prf_cfi_row *row =
		prf_sigreturn_row(machine, text, sizeof text, 0);
	struct signal_frame frame = {.context = {.uc_flags = 0}};
	const struct prf_registers_memory memory = {.read = read_context,
						    .arg = &frame};
	struct prf_registers handler = {.pc = 1}, interrupted;

	ck_assert_ptr_nonnull(row);
	ck_assert(row->signal_frame);
	for (int i = 0; i < N; i++)
		frame.context.uc_mcontext.gregs[numbers[i]] = 0x5000 + i;
	prf_registers_set(&handler, 7, 0x1000);
	ck_assert_int_eq(
		prf_step(machine, 0, &memory, row, &handler, &interrupted),
		PRF_STACK_NONE);
	for (unsigned i = 0; i < N; i++) {
		uint64_t value;

		ck_assert(prf_registers_get(&interrupted, i, &value));
		ck_assert_uint_eq(value, 0x5000 + i);
	}
	ck_assert_uint_eq(interrupted.pc, 0x5000 + 16);
}
END_TEST
#endif

#ifdef __aarch64__
START_TEST(the_kernels_context_has_all_registers)
{
	static const uint8_t code[] = {0x68, 0x11, 0x80, 0xd2,
				       0x01, 0x00, 0x00, 0xd4};
	enum { N = 31, SP = 31 };
	const struct prf_machine *machine = prf_machine_of(EM_AARCH64);
	const struct prf_cfi_row *row =
		prf_sigreturn_row(machine, code, sizeof code, 0);
	static struct signal_frame frame;
	const struct prf_registers_memory memory = {.read = read_context,
						    .arg = &frame};
	struct prf_registers handler = {.pc = 1}, interrupted;
	uint64_t value;

	ck_assert_ptr_nonnull(row);
	ck_assert(row->signal_frame);
	for (int i = 0; i < N; i++)
		frame.context.uc_mcontext.regs[i] = 0x5000 + (unsigned)i;
	frame.context.uc_mcontext.sp = 0x6000;
	frame.context.uc_mcontext.pc = 0x7000;
	prf_registers_set(&handler, SP, 0x1000);
	ck_assert_int_eq(
		prf_step(machine, 0, &memory, row, &handler, &interrupted),
		PRF_STACK_NONE);
	for (unsigned i = 0; i < N; i++) {
		ck_assert(prf_registers_get(&interrupted, i, &value));
		ck_assert_uint_eq(value, 0x5000 + i);
	}
	ck_assert(prf_registers_get(&interrupted, SP, &value));
	ck_assert_uint_eq(value, 0x6000);
	ck_assert_uint_eq(interrupted.pc, 0x7000);
}
END_TEST
#endif

/* (1) Of a handler that was given a siginfo_t: as musl and glibc have them. */
START_TEST(i386_has_two_kinds)
{
	static const uint8_t old[] = {0x58, 0xb8, 119, 0, 0, 0, 0xcd, 0x80, 0};
	static const uint8_t new[] = {0xb8, 173, 0, 0, 0, 0xcd, 0x80, 0, 0};
	enum { N = 9, ESP = 4 };
	/* By DWARF's numbers: words of the context. */
	static const unsigned at[N] = {11, 10, 9, 8, 7, 6, 5, 4, 14};
	const struct prf_machine *machine = prf_machine_of(EM_386);
	static uint32_t words[256];
	const unsigned context = _i ? 160 / 4 : 1;
	const struct prf_registers_memory memory = {
		.read = read_context, .arg = words, .word_bytes = 4};
	struct prf_registers handler = {.pc = 1}, interrupted;
	uint64_t value;

	for (unsigned i = 0; i < N; i++)
		words[context + at[i]] = 0x5000 + i;
	prf_registers_set(&handler, ESP, 0x1000);
	ck_assert_ptr_null(prf_sigreturn_row_i386(&memory, 0x1000));
	words[context + 15] = 0x23;
	if (_i) {
		words[1] = 0x1000 + 12;
		words[2] = 0x1000 + 140;
	}
	const struct prf_cfi_row *row = prf_sigreturn_row(
		machine, _i ? new : old, PRF_SIGRETURN_BYTES, 0);
	ck_assert_ptr_nonnull(row);
	ck_assert_ptr_eq(prf_sigreturn_row_i386(&memory, 0x1000), row);
	ck_assert_int_eq(
		prf_step(machine, 0, &memory, row, &handler, &interrupted),
		PRF_STACK_NONE);
	for (unsigned i = 0; i < N; i++) {
		ck_assert(prf_registers_get(&interrupted, i, &value));
		ck_assert_uint_eq(value, 0x5000 + i);
	}
	ck_assert_uint_eq(interrupted.pc, 0x5000 + 8);
}
END_TEST

/* --- The stack of a handler */

/* What is on it, from its stack pointer on. */
enum { HANDLER_SP = 0x10048, STACK_BYTES = 1024, BASE = 0x10000, SIZE = 0x400 };
enum { CONTEXT = 0x10100, OUTER = 0x9000 };

static const struct own_stack {
	uint16_t machine;
	uint8_t word_bytes;
	uint8_t phase;   /* of the context, modulo 16 */
	uint16_t sp_off; /* in it */
} own_stacks[] = {
	{EM_X86_64, 8, 0, 160},
	{EM_386, 4, 12, 48},
	{EM_AARCH64, 8, 0, 432},
};

enum { N_OWN_STACKS = sizeof own_stacks / sizeof *own_stacks };

static uint8_t stack[STACK_BYTES];

/* Word number N of the context becomes VALUE. */
static void
put(const struct own_stack *own, size_t n, uint64_t value)
{
	memcpy(stack + (CONTEXT + own->phase - HANDLER_SP) +
		       n * own->word_bytes,
	       &value, own->word_bytes);
}

/* A context as the kernel leaves it: flags, no link; address, flags and size of the
 * stack; and the stack pointer. */
static void
put_context(const struct own_stack *own)
{
	memset(stack, 0xee, sizeof stack);
	put(own, 0, 7);
	put(own, 1, 0);
	put(own, 2, BASE);
	put(own, 4, SIZE);
	put(own, own->sp_off / own->word_bytes, OUTER);
}

/* Where the N bytes lead, or 0. */
static uint64_t
outer_of(const struct own_stack *own, size_t n)
{
	uint64_t outer;

	return prf_sigreturn_outer(prf_machine_of(own->machine), stack, n,
				   HANDLER_SP, &outer)
		       ? outer
		       : 0;
}

START_TEST(a_handlers_stack_leads_to_what_was_interrupted)
{
	const struct own_stack *own = &own_stacks[_i];
	const size_t end = CONTEXT + own->phase - HANDLER_SP + own->sp_off;

	put_context(own);
	ck_assert_uint_eq(outer_of(own, sizeof stack), OUTER);
	ck_assert_uint_eq(outer_of(own, end + own->word_bytes), OUTER);
	ck_assert_uint_eq(outer_of(own, end + own->word_bytes - 1), 0);
}
END_TEST

START_TEST(one_that_leads_to_the_same_bytes_has_no_need_of_others)
{
	const struct own_stack *own = &own_stacks[_i];
	const size_t sp = own->sp_off / own->word_bytes;

	put_context(own);
	put(own, sp, HANDLER_SP + STACK_BYTES - 8);
	ck_assert_uint_eq(outer_of(own, sizeof stack), 0);
	put(own, sp, HANDLER_SP + STACK_BYTES);
	ck_assert_uint_eq(outer_of(own, sizeof stack),
			  HANDLER_SP + STACK_BYTES);
}
END_TEST

/* No handler runs on it now, or it is no context. */
START_TEST(what_an_earlier_handler_has_left_leads_nowhere)
{
	/* Word and value. */
	static const uint64_t others[][2] = {{0, 8},
					     {1, 0x10000},
					     {2, HANDLER_SP + 16},
					     {4, CONTEXT - BASE},
					     {4, 0x7fff0000},
					     {4, 0}};
	const struct own_stack *own = &own_stacks[_i];

	for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
		put_context(own);
		put(own, others[i][0], others[i][1]);
		ck_assert_uint_eq(outer_of(own, sizeof stack), 0);
	}
}
END_TEST

static char own_stack[64 << 10];
static uint64_t frame_here, outer_found;
static bool is_found;

/* Its own frames may have marks of a sanitizer. */
static __attribute__((no_sanitize("address"))) void
look_on_own_stack(int signal)
{
	static uint8_t bytes[sizeof own_stack];
	const char *from = __builtin_frame_address(0);
	const struct prf_machine *machine = prf_machine_of(THIS_MACHINE);
	size_t n = 0;

	(void)signal;
	for (const volatile char *at = from; at < own_stack + sizeof own_stack;
	     at++)
		bytes[n++] = (uint8_t)*at;
	is_found = machine &&
		   prf_sigreturn_outer(machine, bytes, n,
				       (uint64_t)(uintptr_t)from, &outer_found);
}

START_TEST(this_kernel_leaves_it_so)
{
	const stack_t stack_now = {.ss_sp = own_stack,
				   .ss_size = sizeof own_stack};
	const struct sigaction action = {.sa_handler = look_on_own_stack,
					 .sa_flags = SA_ONSTACK};

	frame_here = (uint64_t)(uintptr_t)__builtin_frame_address(0);
	ck_assert_int_eq(sigaltstack(&stack_now, NULL), 0);
	ck_assert_int_eq(sigaction(SIGUSR1, &action, NULL), 0);
	raise(SIGUSR1);
	ck_assert(is_found);
	/* In raise(), which is not far below. */
	ck_assert_uint_lt(outer_found, frame_here);
	ck_assert_uint_gt(outer_found, frame_here - (1 << 16));
}
END_TEST

START_TEST(other_code_is_none)
{
	const struct prf_machine *machine = prf_machine_of(EM_X86_64);

	ck_assert_ptr_null(prf_sigreturn_row(machine, text, 8, 0));
	ck_assert_ptr_null(prf_sigreturn_row(machine, text + 1, 9, 0));
	ck_assert_ptr_null(prf_sigreturn_row(prf_machine_of(EM_AARCH64), text,
					     sizeof text, 0));
}
END_TEST

/* Between its instructions, and behind them; but i386's older one pops something. */
START_TEST(a_thread_may_be_within_such_code)
{
	static const uint8_t old[] = {0x58, 0xb8, 119, 0, 0, 0, 0xcd, 0x80, 0};
	const struct prf_machine *machine = prf_machine_of(EM_X86_64);

	for (size_t into = 0; into <= sizeof text; into++)
		ck_assert_int_eq(prf_sigreturn_row(machine, text, sizeof text,
						   into) != NULL,
				 into == 0 || into == 7 || into == 9);
	for (size_t into = 1; into <= sizeof old; into++)
		ck_assert_ptr_null(prf_sigreturn_row(prf_machine_of(EM_386),
						     old, sizeof old, into));
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("sigreturn");
	TCase *tcase = tcase_create("sigreturn");

#if defined __x86_64__ || defined __aarch64__
	tcase_add_test(tcase, the_kernels_context_has_all_registers);
#endif
	tcase_add_loop_test(tcase, i386_has_two_kinds, 0, 2);
	tcase_add_test(tcase, a_thread_may_be_within_such_code);
	tcase_add_test(tcase, other_code_is_none);
	tcase_add_loop_test(tcase,
			    a_handlers_stack_leads_to_what_was_interrupted, 0,
			    N_OWN_STACKS);
	tcase_add_loop_test(
		tcase, one_that_leads_to_the_same_bytes_has_no_need_of_others,
		0, N_OWN_STACKS);
	tcase_add_loop_test(tcase,
			    what_an_earlier_handler_has_left_leads_nowhere, 0,
			    N_OWN_STACKS);
	if (HAVE_TRUTH)
		tcase_add_test(tcase, this_kernel_leaves_it_so);
	suite_add_tcase(suite, tcase);
	return suite;
}
