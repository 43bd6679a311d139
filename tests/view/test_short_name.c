#include "view/table/short_name.h"

#include <stdlib.h>
#include <string.h>

#include "core/random.h"
#include "support/suite.h"

static void
check(const char *name, const char *expected)
{
	char *found = prf_short_name(name);

	ck_assert_str_eq(found, expected);
	free(found);
}

/* Of libstdc++, LLVM, node, rustc and their like. */
static const struct {
	const char *name, *expected;
} names[] = {
	/* --- C */
	{"main", "main"},
	{"__memcpy_avx512_unaligned_erms", "__memcpy_avx512_unaligned_erms"},
	{"[unknown]", "[unknown]"},
	{"[perl+0x1ca640]", "[perl+0x1ca640]"},
	{"read@plt", "read@plt"},
	{"memcpy@@GLIBC_2.14", "memcpy@@GLIBC_2.14"},
	{"compress.constprop.0", "compress.constprop.0"},
	/* --- C++: parameters and what follows them */
	{"ira_init()", "ira_init"},
	{"foo::foo(int)", "foo::foo"},
	{"foo::~foo()", "foo::~foo"},
	{"ns::A::get(char const*, unsigned long) const", "ns::A::get"},
	{"A::f() const &", "A::f"},
	{"A::f() &&", "A::f"},
	{"A::f() volatile const", "A::f"},
	{"each(int (*)(void*, int), void*)", "each"},
	{"std::function<void ()>::operator()() const",
	 "std::function::operator()"},
	{"f(char) [clone .cold]", "f.cold"},
	{"ns::f(int) const [clone .isra.0]", "ns::f.isra.0"},
	{"f(int) [clone .isra.0] [clone .cold]", "f.isra.0.cold"},
	{"std::ostream::flush()@plt", "std::ostream::flush@plt"},
	{"f[abi:cxx11](int)", "f[abi:cxx11]"},
	{"A::name[abi:cxx11]() const", "A::name[abi:cxx11]"},
	/* --- template arguments and what is returned */
	{"void std::__introsort_loop<int*, long>(int*, int*, long)",
	 "std::__introsort_loop"},
	{"void std::__introsort_loop<__gnu_cxx::__normal_iterator<int*, "
	 "std::vector<int, std::allocator<int> > >, long, "
	 "__gnu_cxx::__ops::_Iter_less_iter>(int*, int*, long, "
	 "__gnu_cxx::__ops::_Iter_less_iter)",
	 "std::__introsort_loop"},
	{"std::_Rb_tree<int, std::pair<int const, long>, "
	 "std::_Select1st<std::pair<int const, long> >, std::less<int>, "
	 "std::allocator<std::pair<int const, long> > "
	 ">::_M_insert_unique(std::pair<int const, long>&&)",
	 "std::_Rb_tree::_M_insert_unique"},
	{"unsigned long const& ns::largest<unsigned long>(unsigned long "
	 "const&, unsigned long const&)",
	 "ns::largest"},
	{"std::enable_if<((sizeof (int))<(8)), void>::type f<int>(int)", "f"},
	{"decltype (g({parm#1})) f<int>(int)", "f"},
	{"void (*chosen<int>(int))(char)", "chosen"},
	{"Ratio<((a)>(b))>::value()", "Ratio::value"},
	{"apply<&(f(int))>(int)", "apply"},
	{"each<&A::operator< >::run()", "each::run"},
	{"std::enable_if<v8::has_output_operator<int>::value, int>::type "
	 "f<int>(int)",
	 "f"},
	/* --- operators and conversions */
	{"operator new(unsigned long)", "operator new"},
	{"operator delete[](void*, unsigned long)", "operator delete[]"},
	{"A::operator[](unsigned long) const", "A::operator[]"},
	{"A::operator->() const", "A::operator->"},
	{"A::operator->*(int)", "A::operator->*"},
	{"bool operator< <int>(A<int> const&, A<int> const&)", "operator<"},
	{"std::ostream& operator<< <char>(std::ostream&, char const*)",
	 "operator<<"},
	{"bool std::operator==<char>(std::string const&, char const*)",
	 "std::operator=="},
	{"bool operator><int>(A<int> const&, A<int> const&)", "operator>"},
	{"A::operator<=>(A const&) const", "A::operator<=>"},
	{"A::operator,(A const&)", "A::operator,"},
	{"A::operator bool() const", "A::operator bool"},
	{"A::operator unsigned long() const", "A::operator unsigned long"},
	{"A::operator std::vector<int, B>() const", "A::operator std::vector"},
	{"A::operator void (*)(int)()", "A::operator void (*)"},
	{"operator\"\" _km(long double)", "operator\"\" _km"},
	{"operators(int)", "operators"},
	{"my_operator()", "my_operator"},
	/* --- what has no name of its own */
	{"(anonymous namespace)::f(int)", "(anonymous namespace)::f"},
	{"void (anonymous namespace)::f<int>(int)", "(anonymous namespace)::f"},
	{"llvm::(anonymous namespace)::Pass::run(llvm::Function&)",
	 "llvm::(anonymous namespace)::Pass::run"},
	{"main::{lambda(int)#1}::operator()(int) const",
	 "main::{lambda#1}::operator()"},
	{"A::f(int) const::{lambda(std::map<int, int>&)#2}::operator()() const",
	 "A::f::{lambda#2}::operator()"},
	{"auto f()::{lambda(auto:1)#1}::operator()<int>(int) const",
	 "f::{lambda#1}::operator()"},
	{"f(int)::{unnamed type#1}::g()", "f::{unnamed type#1}::g"},
	{"f()::'lambda'(int)::operator()(int) const",
	 "f::'lambda'::operator()"},
	{"f()::table", "f::table"},
	{"guard variable for f(int)::table", "guard variable for f::table"},
	{"non-virtual thunk to A<int>::f(int)", "non-virtual thunk to A::f"},
	{"vtable for ns::A<int>", "vtable for ns::A"},
	/* --- Rust */
	{"<alloc::vec::Vec<T> as core::ops::Drop>::drop",
	 "<alloc::vec::Vec as core::ops::Drop>::drop"},
	{"<alloc::vec::Vec<u8>>::push", "<alloc::vec::Vec>::push"},
	{"core::ptr::drop_in_place::<alloc::string::String>",
	 "core::ptr::drop_in_place"},
	{"alloc::slice::<impl [T]>::sort", "alloc::slice::<impl [T]>::sort"},
	{"core::fmt::num::<impl core::fmt::Debug for Wrap<u8>>::fmt",
	 "core::fmt::num::<impl core::fmt::Debug for Wrap>::fmt"},
	{"std::rt::lang_start::<()>::{closure#0}",
	 "std::rt::lang_start::{closure#0}"},
	{"std::rt::lang_start::{{closure}}",
	 "std::rt::lang_start::{{closure}}"},
	{"<F as core::ops::FnOnce<(A, B)>>::call_once",
	 "<F as core::ops::FnOnce>::call_once"},
	{"<fn(u8) -> bool as core::ops::Fn<(u8,)>>::call",
	 "<fn -> bool as core::ops::Fn>::call"},
	{"<(A, B<u8>) as Tr>::f", "<(A, B) as Tr>::f"},
	{"<&mut <A<u8> as B>::C as D>::e", "<&mut <A as B>::C as D>::e"},
	/* --- D, Go */
	{"std.stdio.writeln!(immutable(char)[]).writeln(immutable(char)[])",
	 "std.stdio.writeln.writeln"},
	{"D main", "D main"},
	{"main.(*T).method", "main.(*T).method"},
	{"main.(*List[go.shape.int]).Push", "main.(*List[go.shape.int]).Push"},
	{"main.Map[go.shape.int,go.shape.string]",
	 "main.Map[go.shape.int,go.shape.string]"},
	{"main.main.func1", "main.main.func1"},
	/* --- what cannot be read */
	{"", ""},
	{"()", "()"},
	{"(", "("},
	{")", ")"},
	{"f(", "f("},
	{"f)", "f)"},
	{"f<", "f<"},
	{"f>", "f>"},
	{"f<(>", "f<(>"},
	{"f{", "f{"},
	{"f{(}", "f{(}"},
	{"f{(})", "f{"},
	{"f[", "f["},
	{"<f", "<f"},
	{"void (*f", "void (*f"},
	{"f() [clone .cold", "f() [clone .cold"},
	{"operator", "operator"},
	{"operator ", "operator "},
	{"operator(", "operator("},
	{"A::operator B<", "A::operator B<"},
	{"int ", "int "},
	{"vtable for ", "vtable for "},
};

START_TEST(a_name_loses_what_makes_it_long)
{
	check(names[_i].name, names[_i].expected);
}
END_TEST

/* Under AddressSanitizer nothing may be read or written beyond the names. */
START_TEST(no_text_is_too_strange)
{
	static const char *const words[] = {
		"(",      ")",      "<",  ">",  "{",         "}",
		"[",      "]",      "::", " ",  "operator",  " [clone .",
		" const", "-",      ".",  "!",  "*",         "&",
		"f",      "<impl ", "->", "\"", "(anonymous"};
	struct random random = random_begin();

	for (int i = 0; i < 200000; i++) {
		char name[200] = "";
		uint64_t n = random_below(&random, 12);

		for (uint64_t j = 0; j < n; j++)
			strcat(name,
			       words[random_below(
				       &random, sizeof words / sizeof *words)]);
		char *found = prf_short_name(name);
		ck_assert_msg(strlen(found) <= strlen(name), RANDOM_WHERE "%s",
			      RANDOM_IS(&random), name);
		free(found);
	}
}
END_TEST

/* That of a parser which starts again at each bracket takes hours. */
START_TEST(a_long_name_takes_no_longer_than_it_is)
{
	static const char *const words[] = {
		"(",  "<",         "{",  "[",      "< ",       "<<(",
		"a ", "operator<", "()", "<impl ", " [clone ", "<a<"};
	enum { N = 1000000 };
	size_t length = strlen(words[_i]);
	char *name = malloc(N * length + 1);

	for (size_t i = 0; i < N; i++)
		memcpy(name + i * length, words[_i], length);
	name[N * length] = '\0';
	free(prf_short_name(name));
	free(name);
}
END_TEST

Suite *
prf_suite(void)
{
	const int n = sizeof names / sizeof *names;
	Suite *suite = suite_create("short_name");
	TCase *tcase = tcase_create("short_name");

	tcase_add_loop_test(tcase, a_name_loses_what_makes_it_long, 0, n);
	tcase_add_test(tcase, no_text_is_too_strange);
	tcase_add_loop_test(tcase, a_long_name_takes_no_longer_than_it_is, 0,
			    12);
	suite_add_tcase(suite, tcase);
	return suite;
}
