#include "live/ring/call_site.h"

#include <elf.h>
#include <string.h>

#include "core/sample.h"
#include "live/arch.h"
#include "support/suite.h"

static struct prf_call_sites sites;

START_TEST(a_place_is_known_when_it_was_learned)
{
	const struct prf_call_site here = {1, 2, 3, 0};
	const struct prf_call_site there = {1, 2, 4, 0};
	const struct prf_call_site other = {1, 2, 3, 6};
	const struct prf_call_origin learned = {PRF_CALL_STACK, 17};
	struct prf_call_origin origin;

	ck_assert(!prf_call_sites_find(&sites, &here, &origin));
	prf_call_sites_learn(&sites, &here, &learned);
	ck_assert(prf_call_sites_find(&sites, &here, &origin));
	ck_assert_int_eq(origin.kind, learned.kind);
	ck_assert_int_eq(origin.value, learned.value);
	ck_assert(!prf_call_sites_find(&sites, &there, &origin));
	ck_assert(!prf_call_sites_find(&sites, &other, &origin));
}
END_TEST

/* Those that were learned last are known right; others need not be. */
START_TEST(many_places_are_never_mixed_up)
{
	enum { MANY = 100000 };
	struct prf_call_origin origin;
	int n_found = 0;

	for (int i = 0; i < MANY; i++)
		prf_call_sites_learn(
			&sites, &(struct prf_call_site){1, 2, (uint64_t)i, 0},
			&(struct prf_call_origin){PRF_CALL_NUMBER, i});
	for (int i = 0; i < MANY; i++)
		if (prf_call_sites_find(
			    &sites,
			    &(struct prf_call_site){1, 2, (uint64_t)i, 0},
			    &origin)) {
			ck_assert_int_eq(origin.value, i);
			n_found++;
		}
	ck_assert_int_gt(n_found, 100);
}
END_TEST

#ifdef __x86_64__
/* Perf's numbers. */
enum { AX, BX, CX, DX, SI, DI, BP, SP, IP, R8 = 16, N_NOTED = 24 };

START_TEST(a_thread_is_in_a_call_if_the_call_left_its_address)
{
	const uint64_t called[] = {
		[AX] = (uint64_t)-38,
		[CX] = 0x1000,
		[SP] = 0x7000,
		[IP] = 0x1000,
	};
	const uint64_t faulted[] = {
		[AX] = 5,
		[CX] = 0x1000,
		[SP] = 0x7000,
		[IP] = 0x2000,
	};
	struct prf_regs regs;

	prf_arch.view_noted(called, false, true, &regs);
	ck_assert_int_eq(regs.syscall, PRF_SOME_SYSCALL);
	ck_assert_uint_eq(regs.pc, 0x1000);
	ck_assert_uint_eq(regs.sp, 0x7000);
	ck_assert_uint_eq(regs.addr_bytes, 8);
	prf_arch.view_noted(faulted, false, true, &regs);
	ck_assert_int_eq(regs.syscall, PRF_PAGE_FAULT);
	prf_arch.view_noted(faulted, false, false, &regs);
	ck_assert_int_eq(regs.syscall, PRF_NO_SYSCALL);
	/* It has just returned. */
	prf_arch.view_noted(called, false, false, &regs);
	ck_assert_int_eq(regs.syscall, PRF_NO_SYSCALL);
	prf_arch.view_noted(called, true, true, &regs);
	ck_assert_int_eq(regs.syscall, PRF_SOME_SYSCALL);
	ck_assert_uint_eq(regs.addr_bytes, 4);
	prf_arch.view_noted(faulted, true, true, &regs);
	ck_assert_int_eq(regs.syscall, PRF_PAGE_FAULT);
}
END_TEST
static void
expect_value(const struct prf_registers *registers, unsigned number,
	     uint64_t expected)
{
	uint64_t value;

	ck_assert(prf_registers_get(registers, number, &value));
	ck_assert_uint_eq(value, expected);
}

START_TEST(noted_registers_have_dwarfs_numbers)
{
	/* rax, rdx, rcx, rbx, rsi, rdi, rbp, rsp, r8; and those of 32 bits. */
	static const unsigned of_64[] = {AX, DX, CX, BX, SI, DI, BP, SP, R8};
	static const unsigned of_32[] = {AX, CX, DX, BX, SP, BP, SI, DI};
	struct prf_registers registers;
	uint64_t values[N_NOTED];

	for (unsigned i = 0; i < N_NOTED; i++)
		values[i] = 1000 + i;
	ck_assert_uint_eq(prf_arch.number_noted(values, false, &registers),
			  EM_X86_64);
	ck_assert_uint_eq(registers.pc, 1000 + IP);
	for (unsigned i = 0; i < sizeof of_64 / sizeof *of_64; i++)
		expect_value(&registers, i, 1000 + of_64[i]);
	expect_value(&registers, 15, 1000 + R8 + 7);
	ck_assert_uint_eq(prf_arch.number_noted(values, true, &registers),
			  EM_386);
	for (unsigned i = 0; i < sizeof of_32 / sizeof *of_32; i++)
		expect_value(&registers, i, 1000 + of_32[i]);
	ck_assert_uint_eq(registers.known, 0xff);
}
END_TEST
#endif

#ifdef __aarch64__
START_TEST(a_thread_in_the_kernel_may_be_in_a_call)
{
	/* sp, pc */
	const uint64_t noted[] = {[31] = 0x7000, [32] = 0x1000};
	struct prf_regs regs;

	prf_arch.view_noted(noted, false, true, &regs);
	ck_assert_int_eq(regs.syscall, PRF_SOME_SYSCALL);
	ck_assert_uint_eq(regs.pc, 0x1000);
	ck_assert_uint_eq(regs.sp, 0x7000);
	ck_assert_uint_eq(regs.addr_bytes, 8);
	prf_arch.view_noted(noted, true, false, &regs);
	ck_assert_int_eq(regs.syscall, PRF_NO_SYSCALL);
	ck_assert_uint_eq(regs.addr_bytes, 4);
}
END_TEST

START_TEST(noted_registers_have_dwarfs_numbers)
{
	uint64_t noted[33];
	struct prf_registers registers;

	for (unsigned i = 0; i < 33; i++)
		noted[i] = 1000 + i;
	ck_assert_uint_eq(prf_arch.number_noted(noted, false, &registers),
			  EM_AARCH64);
	ck_assert_uint_eq(registers.pc, 1032);
	for (unsigned i = 0; i < 32; i++)
		ck_assert_uint_eq(registers.values[i], 1000 + i);
	ck_assert_uint_eq(prf_arch.number_noted(noted, true, &registers),
			  EM_ARM);
	ck_assert_uint_eq(registers.known, 0);
}
END_TEST
#endif

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("call_site");
	TCase *tcase = tcase_create("call_site");

	tcase_add_test(tcase, a_place_is_known_when_it_was_learned);
	tcase_add_test(tcase, many_places_are_never_mixed_up);
#ifdef __x86_64__
	tcase_add_test(tcase,
		       a_thread_is_in_a_call_if_the_call_left_its_address);
	tcase_add_test(tcase, noted_registers_have_dwarfs_numbers);
#elif defined __aarch64__
	tcase_add_test(tcase, a_thread_in_the_kernel_may_be_in_a_call);
	tcase_add_test(tcase, noted_registers_have_dwarfs_numbers);
#endif
	suite_add_tcase(suite, tcase);
	return suite;
}
