/* Where a handler returns to, the registers of what it interrupted are found. */
#include "unwind/sigreturn.h"
#include "support/suite.h"

#include <elf.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <ucontext.h>

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
	suite_add_tcase(suite, tcase);
	return suite;
}
