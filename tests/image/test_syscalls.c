#include "image/syscalls.h"
#include "core/sample.h"
#include "support/suite.h"

#include <elf.h>
#include <string.h>
#include <sys/syscall.h>

START_TEST(a_call_has_its_name)
{
	ck_assert_str_eq(prf_syscall_name(EM_NONE, SYS_read), "read");
	ck_assert_str_eq(prf_syscall_name(EM_NONE, SYS_exit_group),
			 "exit_group");
	ck_assert_str_eq(prf_syscall_name(prf_syscall_machine(sizeof(void *)),
					  SYS_openat),
			 "openat");
}
END_TEST

START_TEST(a_call_has_the_name_of_its_machine)
{
	static const struct {
		uint16_t machine;
		int number;
		const char *name;
	} calls[] = {
		{EM_X86_64, 0, "read"},
		{EM_386, 0, "restart_syscall"},
		{EM_AARCH64, 0, "io_setup"},
		{EM_X86_64, 3, "close"},
		{EM_386, 3, "read"},
		{EM_AARCH64, 63, "read"},
		{EM_386, 115, "swapoff"},
		{EM_AARCH64, 115, "clock_nanosleep"},
		{EM_X86_64, 462, "mseal"},
		{EM_AARCH64, 462, "mseal"},
		{EM_ARM, 3, "read"},
		{EM_ARM, 291, "recv"},
		{EM_ARM, 462, "mseal"},
	};

	ck_assert_str_eq(prf_syscall_name(calls[_i].machine, calls[_i].number),
			 calls[_i].name);
}
END_TEST

START_TEST(a_32_bit_program_has_another_machine)
{
	ck_assert_uint_ne(prf_syscall_machine(4), prf_syscall_machine(8));
}
END_TEST

/* No machine has as many. */
enum { MOST_CALLS = 1 << 12 };

START_TEST(a_number_without_a_call_has_no_name)
{
	ck_assert_ptr_null(prf_syscall_name(0, -1));
	ck_assert_ptr_null(prf_syscall_name(0, MOST_CALLS));
	ck_assert_ptr_null(prf_syscall_name(0, 0x40000000));
	ck_assert_ptr_null(prf_syscall_name(EM_X86_64, 400));
	ck_assert_ptr_null(prf_syscall_name(EM_386, 222));
}
END_TEST

START_TEST(what_is_no_call_has_a_name_on_all_machines)
{
	static const uint16_t machines[] = {EM_NONE, EM_386, EM_RISCV};

	ck_assert_str_eq(prf_syscall_name(machines[_i], PRF_NO_PROCESSOR),
			 "waiting_for_a_processor");
	ck_assert_str_eq(prf_syscall_name(machines[_i], PRF_SOME_SYSCALL),
			 "some_system_call");
	ck_assert_str_eq(prf_syscall_name(machines[_i], PRF_PAGE_FAULT),
			 "page_fault");
	ck_assert_str_eq(prf_syscall_name(machines[_i], PRF_ENDING), "ending");
	ck_assert_str_eq(prf_syscall_name(machines[_i], PRF_SWITCHING),
			 "switching");
	ck_assert_ptr_null(prf_syscall_name(machines[_i], PRF_NO_SYSCALL));
}
END_TEST

START_TEST(a_machine_that_is_not_known_has_no_calls)
{
	for (int i = 0; i < MOST_CALLS; i++)
		ck_assert_ptr_null(prf_syscall_name(EM_RISCV, i));
}
END_TEST

START_TEST(a_machine_has_some_hundred_calls)
{
	static const uint16_t machines[] = {EM_X86_64, EM_386, EM_AARCH64,
					    EM_ARM};
	int n = 0;

	for (int i = 0; i < MOST_CALLS; i++)
		n += prf_syscall_name(machines[_i], i) != NULL;
	ck_assert_int_gt(n, 250);
	ck_assert_int_lt(n, 1000);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("syscalls");
	TCase *tcase = tcase_create("syscalls");

	tcase_add_test(tcase, a_call_has_its_name);
	tcase_add_loop_test(tcase, a_call_has_the_name_of_its_machine, 0, 13);
	tcase_add_test(tcase, a_32_bit_program_has_another_machine);
	tcase_add_test(tcase, a_number_without_a_call_has_no_name);
	tcase_add_test(tcase, a_machine_that_is_not_known_has_no_calls);
	tcase_add_loop_test(tcase, what_is_no_call_has_a_name_on_all_machines,
			    0, 3);
	tcase_add_loop_test(tcase, a_machine_has_some_hundred_calls, 0, 4);
	suite_add_tcase(suite, tcase);
	return suite;
}
