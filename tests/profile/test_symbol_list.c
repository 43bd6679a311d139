#include "profile/symbol_list.h"

#include <stdio.h>
#include <string.h>

#include "core/random.h"
#include "support/suite.h"

/* Pairs of an address and a name: "10 f 20 g". */
static struct prf_symbol_list
list_of(const char *text)
{
	struct prf_symbol_list list = {0};
	unsigned long long vaddr;
	char name[16];
	int n_read;

	for (; sscanf(text, "%llx %15s%n", &vaddr, name, &n_read) == 2;
	     text += n_read)
		ck_assert_int_eq(prf_symbol_list_append(&list, vaddr, name), 0);
	return list;
}

static void
check(const struct prf_symbol_list *list, const char *text)
{
	char found[512] = "";

	for (size_t i = 0; i < list->n; i++)
		snprintf(found + strlen(found), sizeof found - strlen(found),
			 "%s%llx %s", i ? " " : "",
			 (unsigned long long)list->all[i].vaddr,
			 list->all[i].name);
	ck_assert_str_eq(found, text);
}

START_TEST(a_symbol_is_good_up_to_the_next)
{
	struct prf_symbol_list list = list_of("10 f 20 g ffffffffffffffff h");

	ck_assert_uint_eq(prf_symbol_list_at(&list, 0), (size_t)-1);
	ck_assert_uint_eq(prf_symbol_list_at(&list, 0xf), (size_t)-1);
	ck_assert_uint_eq(prf_symbol_list_at(&list, 0x10), 0);
	ck_assert_uint_eq(prf_symbol_list_at(&list, 0x1f), 0);
	ck_assert_uint_eq(prf_symbol_list_at(&list, 0x20), 1);
	ck_assert_uint_eq(prf_symbol_list_at(&list, UINT64_MAX - 1), 1);
	ck_assert_uint_eq(prf_symbol_list_at(&list, UINT64_MAX), 2);
	prf_symbol_list_clear(&list);
	ck_assert_uint_eq(prf_symbol_list_at(&list, UINT64_MAX), (size_t)-1);
}
END_TEST

START_TEST(names_are_copied)
{
	struct prf_symbol_list list = {0};
	char name[] = "f";

	ck_assert_int_eq(prf_symbol_list_append(&list, 0, name), 0);
	name[0] = 'x';
	check(&list, "0 f");
	prf_symbol_list_clear(&list);
}
END_TEST

static const struct {
	const char *left, *right, *sum;
} sums[] = {
	{"", "", ""},
	{"10 f", "", "10 f"},
	{"10 f 20 g", "10 f 20 g", "10 f 20 g"},
	{"10 f 20 g", "20 g", "10 f 20 g"},
	{"10 f 30 h", "20 g 40 i", "10 f 20 g 30 h 40 i"},
	{"10 f", "20 g 30 h", "10 f 20 g 30 h"},
	{"10 b 20 a", "10 a 20 b", "10 a 20 a"},
	{"10 b 20 c 30 d", "10 a 20 a 30 a", "10 a 20 a 30 a"},
	{"0 f", "ffffffffffffffff g", "0 f ffffffffffffffff g"},
};

/* In both orders; and what is added stays as it was. */
START_TEST(a_sum_has_all_and_of_two_names_the_first)
{
	for (int swapped = 0; swapped < 2; swapped++) {
		const char *one = swapped ? sums[_i].right : sums[_i].left;
		const char *two = swapped ? sums[_i].left : sums[_i].right;
		struct prf_symbol_list list = list_of(one);
		struct prf_symbol_list other = list_of(two);

		ck_assert_int_eq(prf_symbol_list_merge(&list, &other), 0);
		check(&other, two);
		prf_symbol_list_clear(&other);
		check(&list, sums[_i].sum);
		prf_symbol_list_clear(&list);
	}
}
END_TEST

enum { N_VADDRS = 64 };

/* Names by address, of which the first one counts. */
static struct prf_symbol_list
random_list(struct random *random, char model[N_VADDRS])
{
	struct prf_symbol_list list = {0};

	for (uint64_t vaddr = 0; vaddr < N_VADDRS; vaddr++) {
		char name[] = {(char)('a' + random_below(random, 4)), '\0'};

		if (random_below(random, 3))
			continue;
		ck_assert_int_eq(prf_symbol_list_append(&list, vaddr, name), 0);
		if (!model[vaddr] || name[0] < model[vaddr])
			model[vaddr] = name[0];
	}
	return list;
}

START_TEST(sums_of_random_lists_are_as_of_an_array)
{
	struct random random = random_begin();

	for (int round = 0; round < 200; round++) {
		char model[N_VADDRS] = "";
		struct prf_symbol_list sum = {0};
		size_t at = 0;

		for (int i = 0; i < 4; i++) {
			struct prf_symbol_list list =
				random_list(&random, model);

			ck_assert_int_eq(prf_symbol_list_merge(&sum, &list), 0);
			prf_symbol_list_clear(&list);
		}
		for (uint64_t vaddr = 0; vaddr < N_VADDRS; vaddr++) {
			if (!model[vaddr])
				continue;
			ck_assert_msg(at < sum.n &&
					      sum.all[at].vaddr == vaddr &&
					      *sum.all[at].name == model[vaddr],
				      RANDOM_WHERE "symbol %zu",
				      RANDOM_IS(&random), at);
			at++;
		}
		ck_assert_uint_eq(at, sum.n);
		prf_symbol_list_clear(&sum);
	}
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("symbol_list");
	TCase *tcase = tcase_create("symbol_list");

	tcase_add_test(tcase, a_symbol_is_good_up_to_the_next);
	tcase_add_test(tcase, names_are_copied);
	tcase_add_loop_test(tcase, a_sum_has_all_and_of_two_names_the_first, 0,
			    sizeof sums / sizeof *sums);
	tcase_add_test(tcase, sums_of_random_lists_are_as_of_an_array);
	suite_add_tcase(suite, tcase);
	return suite;
}
