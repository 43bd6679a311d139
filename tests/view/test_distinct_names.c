#include "view/table/distinct_names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/random.h"
#include "support/suite.h"
#include "view/table/short_name.h"

enum { MOST = 6 };

/* The rows of a table, and what is shown of each; NULL: there are no more. */
static const struct {
	const char *whole[MOST], *shown[MOST];
} tables[] = {
	/* Names that differ stay as they are, as does what is one name. */
	{{"f(int)", "g(int)", "g(int)"}, {"f", "g", "g"}},
	{{"main", "main.cold"}, {"main", "main.cold"}},
	/* Static functions of several files may be called the same. */
	{{"work(int)", "work(long)", "work(int)"},
	 {"work [int]", "work [long]", "work [int]"}},
	{{"int f<x::A>()", "long f<x::B>()", "int f<x::A>()"},
	 {"f [A]", "f [B]", "f [A]"}},
	/* Template arguments. */
	{{"int work<int>(int)", "long work<long>(long)"},
	 {"work [int]", "work [long]"}},
	{{"unsigned long work<unsigned long>()", "unsigned int "
						 "work<unsigned int>()"},
	 {"work [unsigned long]", "work [unsigned int]"}},
	{{"void work<int>()", "void work<int*>()", "void work<int&>()"},
	 {"work [int>]", "work [int*]", "work [int&]"}},
	{{"void work<A>()", "void work<A, B>()"}, {"work [A>]", "work [, B]"}},
	/* Only what differs: not the iterator and the allocator. */
	{{"void std::sort<It<int*, std::vector<int, std::allocator<int> > > "
	  ">(It<int*, std::vector<int, std::allocator<int> > >)",
	  "void std::sort<It<char*, std::vector<char, std::allocator<char> > > "
	  ">(It<char*, std::vector<char, std::allocator<char> > >)"},
	 {"std::sort [int]", "std::sort [char]"}},
	/* Without qualifiers, unless these tell. */
	{{"A<std::less<int> >::run()", "A<std::greater<int> >::run()"},
	 {"A::run [less]", "A::run [greater]"}},
	{{"A<x::T>::run()", "A<y::T>::run()"},
	 {"A::run [x::T]", "A::run [y::T]"}},
	/* Several differences. */
	{{"f<A, int>()", "f<A, long>()", "f<B, int>()", "f<B, long>()"},
	 {"f [A..int]", "f [A..long]", "f [B..int]", "f [B..long]"}},
	{{"f<A<1>, 3>()", "f<A<1>, 4>()", "f<A<2>, 3>()", "f<C>()"},
	 {"f [A..1..3]", "f [A..1..4]", "f [A..2]", "f [C]"}},
	/* Parameters, and what follows them. */
	{{"f()", "f(int)", "f(char const*)", "f(char*)"},
	 {"f [()]", "f [int]", "f [char const]", "f [char]"}},
	{{"A::f(int)", "A::f(int) const"}, {"A::f [int)]", "A::f [const]"}},
	/* What is returned, if it is all. */
	{{"int f<A>()", "long f<A>()"}, {"f [int f]", "f [long f]"}},
	/* A long piece is cut. */
	{{"f<a_type_with_a_name>()", "f<int>()"},
	 {"f [a_type_with...]", "f [int]"}},
};

static int
made(const char *const *whole, size_t n, struct prf_distinct_name *names,
     const struct prf_style *style)
{
	for (size_t i = 0; i < n; i++)
		names[i] = (struct prf_distinct_name){
			.whole = strdup(whole[i]),
			.binary = "app",
			.shown = prf_short_name(whole[i]),
		};
	return prf_distinct_names_make(names, n, style);
}

static struct prf_distinct_name *
rows_of(size_t n)
{
	struct prf_distinct_name *names = calloc(n + 1, sizeof *names);

	ck_assert_ptr_nonnull(names);
	return names;
}

START_TEST(names_that_would_be_shown_alike_have_what_differs)
{
	const struct prf_style style = {.width = 80};
	size_t n = 0;

	while (n < MOST && tables[_i].whole[n])
		n++;
	struct prf_distinct_name *names = rows_of(n);
	ck_assert_int_eq(made(tables[_i].whole, n, names, &style), 0);
	for (size_t i = 0; i < n; i++) {
		ck_assert_str_eq(names[i].shown, tables[_i].shown[i]);
		if (!strchr(names[i].shown, '['))
			continue;
		char *brief = prf_short_name(names[i].whole);
		ck_assert(prf_distinct_names_match(names[i].shown,
						   names[i].whole, brief));
		free(brief);
	}
	prf_distinct_names_free(names, n);
}
END_TEST

START_TEST(names_of_different_binaries_are_told_by_these)
{
	struct prf_distinct_name *names = rows_of(2);
	const struct prf_style style = {0};

	ck_assert_int_eq(prf_distinct_name_begin(&names[0], "_Z1fi", false,
						 "app", &style),
			 0);
	ck_assert_int_eq(prf_distinct_name_begin(&names[1], "_Z1fl", false,
						 "lib", &style),
			 0);
	ck_assert_int_eq(prf_distinct_names_make(names, 2, &style), 0);
	ck_assert_str_eq(names[0].shown, "f");
	ck_assert_str_eq(names[1].shown, "f");
	names[1].binary = "app";
	ck_assert_int_eq(prf_distinct_names_make(names, 2, &style), 0);
	ck_assert_str_eq(names[0].shown, "f [int]");
	ck_assert_str_eq(names[1].shown, "f [long]");
	prf_distinct_names_free(names, 2);
}
END_TEST

START_TEST(another_function_does_not_match)
{
	static const char whole[] = "void work<int, long>(int)";

	ck_assert(prf_distinct_names_match("work [int]", whole, "work"));
	ck_assert(prf_distinct_names_match("work [int..long]", whole, "work"));
	ck_assert(prf_distinct_names_match("work [int..lo...]", whole, "work"));
	ck_assert(!prf_distinct_names_match("work", whole, "work"));
	ck_assert(!prf_distinct_names_match("work []", whole, "work"));
	ck_assert(!prf_distinct_names_match("work [in]", whole, "work"));
	ck_assert(!prf_distinct_names_match("work [int]",
					    "void work<int const>()", "work"));
	ck_assert(!prf_distinct_names_match("work [", whole, "work"));
	ck_assert(
		!prf_distinct_names_match("work [long..char]", whole, "work"));
	ck_assert(!prf_distinct_names_match("wor [int]", whole,
					    "wor"
					    "k"));
}
END_TEST

/* Names of few words, of which no two are the same: all are told apart, where
 * nothing is cut. */
START_TEST(any_names_are_told_apart)
{
	static const char *const words[] = {"int", "A", "x::A",  "y::A",
					    "<",   ">", "(",     ")",
					    ", ",  "*", " const"};
	struct random random = random_begin();
	const struct prf_style style = {0};

	for (int round = 0; round < 2000; round++) {
		enum { N = 12 };
		struct prf_distinct_name *names = rows_of(N);

		for (size_t i = 0; i < N; i++) {
			char whole[200];
			size_t n = (size_t)snprintf(whole, sizeof whole,
						    "f<%zu", i % 3);
			uint64_t n_words = random_below(&random, 6);
			while (n_words-- > 0)
				n += (size_t)snprintf(
					whole + n, sizeof whole - n, "%s",
					words[random_below(
						&random,
						sizeof words / sizeof *words)]);
			names[i] = (struct prf_distinct_name){
				.whole = strdup(whole),
				.binary = "",
				.shown = strdup("f"),
			};
		}
		ck_assert_int_eq(prf_distinct_names_make(names, N, &style), 0);
		for (size_t i = 0; i < N; i++)
			for (size_t j = 0; j < i; j++)
				ck_assert_msg(!strcmp(names[i].whole,
						      names[j].whole) ==
						      !strcmp(names[i].shown,
							      names[j].shown),
					      RANDOM_WHERE
					      "%s and %s are %s and %s",
					      RANDOM_IS(&random),
					      names[i].whole, names[j].whole,
					      names[i].shown, names[j].shown);
		prf_distinct_names_free(names, N);
	}
}
END_TEST

/* Else this would take minutes. */
START_TEST(many_names_are_told_apart)
{
	enum { N = 200000 };
	struct prf_distinct_name *names = rows_of(N);
	const struct prf_style style = {0};
	char text[32];

	for (size_t i = 0; i < N; i++) {
		snprintf(text, sizeof text, i ? "f<%zu>()" : "f()", i);
		names[i] = (struct prf_distinct_name){
			.whole = strdup(text),
			.binary = "app",
			.shown = strdup("f"),
		};
	}
	ck_assert_int_eq(prf_distinct_names_make(names, N, &style), 0);
	for (size_t i = 1; i < N; i++) {
		snprintf(text, sizeof text, "f [<%zu..%zu]", i, i);
		ck_assert_str_eq(names[i].shown, text);
	}
	prf_distinct_names_free(names, N);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("distinct_names");
	TCase *tcase = tcase_create("distinct_names");

	tcase_add_loop_test(tcase,
			    names_that_would_be_shown_alike_have_what_differs,
			    0, (int)(sizeof tables / sizeof *tables));
	tcase_add_test(tcase, names_of_different_binaries_are_told_by_these);
	tcase_add_test(tcase, another_function_does_not_match);
	tcase_add_test(tcase, any_names_are_told_apart);
	tcase_add_test(tcase, many_names_are_told_apart);
	suite_add_tcase(suite, tcase);
	return suite;
}
