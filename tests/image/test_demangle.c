#include "image/demangle.h"
#include "support/suite.h"

#include <stdlib.h>
#include <string.h>

static const struct {
	const char *mangled, *name;
} names[] = {
	{"_Z3foov", "foo()"},
	{"_ZN3fooC1Ei", "foo::foo(int)"},
	{"_ZN3foo3bar17h0123456789abcdefE", "foo::bar"},
	{"_RNvC6_123foo3bar", "123foo::bar"},
	{"_D3foo3barFZv", "foo.bar()"},
	{"_ada_main", "main"},
	{"_Z3foov@plt", "foo()@plt"},
	{"_Z3foov@@VERS_1", "foo()@@VERS_1"},
	{"_Z3foov.cold", "foo() [clone .cold]"},
	{"_Z3foov.part.0@plt", "foo() [clone .part.0]@plt"},
	{"_Z3foov.constprop.0.cold",
	 "foo() [clone .constprop.0] [clone .cold]"},
	{"_RNvC6_123foo3bar.cold", "123foo::bar"},
	{"main", "main"},
	{"main.cold", "main.cold"},
	{"memcpy@GLIBC_2.2.5", "memcpy@GLIBC_2.2.5"},
	{"foo__bar", "foo__bar"},
	{"runtime.main", "runtime.main"},
	{"_Z", "_Z"},
	{"_Zxx.y.z", "_Zxx.y.z"},
	{"_", "_"},
	{"", ""},
};

START_TEST(a_name_is_as_its_author_wrote_it)
{
	char *name = prf_demangle(names[_i].mangled);

	ck_assert_str_eq(name, names[_i].name);
	free(name);
}
END_TEST

START_TEST(a_name_that_would_fill_all_memory_stays_mangled)
{
	static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
	char mangled[1024] = "_Z1f1PI1A1AE";

	/* Each is a pair of the one before. */
	for (int i = 0; i < 34; i++) {
		char pair[] = "S_IS0_S0_E";

		pair[4] = pair[7] = digits[i + 1];
		strcat(mangled, pair);
	}
	char *name = prf_demangle(mangled);
	ck_assert_str_eq(name, mangled);
	free(name);
}
END_TEST

/* A pattern that comes again and again: the demangler calls itself for each, or
 * looks at all of the rest of the name each time. */
static const struct {
	const char *start, *again, *end;
	size_t n;
} long_names[] = {
	{"_D1a", "A", "i", 2000000}, {"_D", "1a", "", 500000},
	{"_Zx", ".a", "", 500000},   {"_Zx", ".a", "", 30000},
	{"_Rx", ".a", "", 8000},     {"_Z", "P", "i", 2000000},
	{"_ada_", "a", "", 2000000},
};

START_TEST(a_name_that_is_longer_than_any_compiler_makes_stays_mangled)
{
	size_t n_start = strlen(long_names[_i].start);
	size_t n_again = strlen(long_names[_i].again);
	size_t n = n_start + long_names[_i].n * n_again;
	char *mangled = malloc(n + strlen(long_names[_i].end) + 1);

	strcpy(mangled, long_names[_i].start);
	for (size_t i = n_start; i < n; i += n_again)
		strcpy(mangled + i, long_names[_i].again);
	strcpy(mangled + n, long_names[_i].end);
	char *name = prf_demangle(mangled);
	ck_assert(strcmp(name, mangled) == 0);
	free(name);
	free(mangled);
}
END_TEST

START_TEST(an_ordinary_template_is_not_taken_for_a_bomb)
{
	char *name = prf_demangle(
		"_ZNSt6vectorINSt7__cxx1112basic_stringIcSt11char_traitsIcE"
		"SaIcEEESaIS5_EE17_M_realloc_insertIJRKS5_EEEvN9__gnu_cxx"
		"17__normal_iteratorIPS5_S7_EEDpOT_");

	ck_assert_ptr_nonnull(strstr(name, "::_M_realloc_insert<"));
	free(name);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("demangle");
	TCase *tcase = tcase_create("demangle");

	tcase_add_loop_test(tcase, a_name_is_as_its_author_wrote_it, 0,
			    (int)(sizeof names / sizeof *names));
	tcase_add_test(tcase, a_name_that_would_fill_all_memory_stays_mangled);
	tcase_add_loop_test(
		tcase,
		a_name_that_is_longer_than_any_compiler_makes_stays_mangled, 0,
		(int)(sizeof long_names / sizeof *long_names));
	tcase_add_test(tcase, an_ordinary_template_is_not_taken_for_a_bomb);
	suite_add_tcase(suite, tcase);
	return suite;
}
