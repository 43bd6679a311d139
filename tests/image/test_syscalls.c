#include "image/syscalls.h"
#include "support/suite.h"

#include <string.h>
#include <sys/syscall.h>

START_TEST(a_call_has_its_name)
{
	ck_assert_str_eq(prf_syscall_name(SYS_read), "read");
	ck_assert_str_eq(prf_syscall_name(SYS_exit_group), "exit_group");
	ck_assert_str_eq(prf_syscall_name(SYS_openat), "openat");
}
END_TEST

START_TEST(a_number_without_a_call_has_none)
{
	ck_assert_ptr_null(prf_syscall_name(-1));
	ck_assert_ptr_null(prf_syscall_name(prf_syscall_limit()));
	ck_assert_ptr_null(prf_syscall_name(0x40000000));
}
END_TEST

START_TEST(names_end_at_the_limit)
{
	int limit = prf_syscall_limit();
	int n = 0;

	ck_assert_int_gt(limit, SYS_exit_group);
	ck_assert_int_lt(limit, 0x40000000);
	ck_assert_ptr_nonnull(prf_syscall_name(limit - 1));
	for (int i = 0; i < limit; i++)
		n += prf_syscall_name(i) != NULL;
	ck_assert_int_gt(n, 250);
}
END_TEST

START_TEST(no_name_is_a_macro_of_another_kind)
{
	for (int i = 0; i < prf_syscall_limit(); i++) {
		const char *name = prf_syscall_name(i);

		ck_assert(!name || strcmp(name, "syscalls") != 0);
	}
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("syscalls");
	TCase *tcase = tcase_create("syscalls");

	tcase_add_test(tcase, a_call_has_its_name);
	tcase_add_test(tcase, a_number_without_a_call_has_none);
	tcase_add_test(tcase, names_end_at_the_limit);
	tcase_add_test(tcase, no_name_is_a_macro_of_another_kind);
	suite_add_tcase(suite, tcase);
	return suite;
}
