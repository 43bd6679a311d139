#include "unwind/callsite.h"

#include <elf.h>

#include "support/suite.h"

enum { ADDR = 0x5000 };

START_TEST(what_is_before_an_address_is_a_call_or_none)
{
	static const struct {
		uint16_t machine;
		uint8_t bytes[PRF_CALLSITE_BYTES];
		enum prf_callsite call;
		uint64_t target;
	} cases[] = {
		/* call 0x10 further, and 0x10 back */
		{EM_X86_64,
		 {0, 0, 0xe8, 0x10},
		 PRF_CALLSITE_DIRECT,
		 ADDR + 0x10},
		{EM_X86_64,
		 {0, 0, 0xe8, 0xf0, 0xff, 0xff, 0xff},
		 PRF_CALLSITE_DIRECT,
		 ADDR - 0x10},
		{EM_386,
		 {0, 0, 0xe8, 0, 0, 0, 0x80},
		 PRF_CALLSITE_DIRECT,
		 0x80000000u + ADDR},
		/* *%rax, *%r12, *8(%rax), *8(%rsp), *0x100(%rbx) */
		{EM_X86_64,
		 {0, 0, 0, 0, 0, 0xff, 0xd0},
		 PRF_CALLSITE_INDIRECT,
		 0},
		{EM_X86_64,
		 {0, 0, 0, 0, 0x41, 0xff, 0xd4},
		 PRF_CALLSITE_INDIRECT,
		 0},
		{EM_X86_64,
		 {0, 0, 0, 0, 0xff, 0x50, 0x08},
		 PRF_CALLSITE_INDIRECT,
		 0},
		{EM_X86_64,
		 {0, 0, 0, 0xff, 0x54, 0x24, 0x08},
		 PRF_CALLSITE_INDIRECT,
		 0},
		{EM_X86_64,
		 {0, 0xff, 0x93, 0, 1, 0, 0},
		 PRF_CALLSITE_INDIRECT,
		 0},
		/* *0x100(%rip), *0x100(%rsp,%rax), *table(,%rax,8) */
		{EM_X86_64,
		 {0, 0xff, 0x15, 0, 1, 0, 0},
		 PRF_CALLSITE_INDIRECT,
		 0},
		{EM_X86_64,
		 {0xff, 0x94, 0x04, 0, 1, 0, 0},
		 PRF_CALLSITE_INDIRECT,
		 0},
		{EM_X86_64,
		 {0xff, 0x14, 0xc5, 0, 1, 0, 0},
		 PRF_CALLSITE_INDIRECT,
		 0},
		/* mov -0x18(%rbp),%rdx; mov %eax,%edi; call *%rdx */
		{EM_X86_64,
		 {0x8b, 0x55, 0xe8, 0x89, 0xc7, 0xff, 0xd2},
		 PRF_CALLSITE_EITHER,
		 ADDR - 0x2d003877},
		/* jmp *%rax; push; call with operands that are too short */
		{EM_X86_64, {0, 0, 0, 0, 0, 0xff, 0xe0}, PRF_CALLSITE_NONE, 0},
		{EM_X86_64, {0, 0, 0, 0, 0, 0xff, 0x50}, PRF_CALLSITE_NONE, 0},
		{EM_X86_64, {0}, PRF_CALLSITE_NONE, 0},
		/* bl 8 back; blr x8; blraa x8, x9; b */
		{EM_AARCH64,
		 {0, 0, 0, 0xfe, 0xff, 0xff, 0x97},
		 PRF_CALLSITE_DIRECT,
		 ADDR - 12},
		{EM_AARCH64,
		 {0, 0, 0, 0x00, 0x01, 0x3f, 0xd6},
		 PRF_CALLSITE_INDIRECT,
		 0},
		{EM_AARCH64,
		 {0, 0, 0, 0x09, 0x09, 0x3f, 0xd7},
		 PRF_CALLSITE_INDIRECT,
		 0},
		{EM_AARCH64,
		 {0, 0, 0, 0x01, 0x00, 0x00, 0x14},
		 PRF_CALLSITE_NONE,
		 0},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		uint64_t target = 0;
		enum prf_callsite call =
			prf_callsite_before(prf_machine_of(cases[i].machine),
					    cases[i].bytes, ADDR, &target);

		ck_assert_msg(call == cases[i].call, "case %zu: %d", i, call);
		if (call & PRF_CALLSITE_DIRECT)
			ck_assert_uint_eq(target, cases[i].target);
	}
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("callsite");
	TCase *tcase = tcase_create("callsite");

	tcase_add_test(tcase, what_is_before_an_address_is_a_call_or_none);
	suite_add_tcase(suite, tcase);
	return suite;
}
