#include "view/annotate/source_supply.h"

#include "support/suite.h"

/* OLD was built at 100, YOUNG at 200; of others it is not known. */
static struct prf_binary old, young, unknown;

static time_t
built(void *arg, const struct prf_binary *binary)
{
	(void)arg;
	return binary == &old ? 100 : binary == &young ? 200 : 0;
}

static bool
is_newer(time_t written, const struct prf_binary *first,
	 const struct prf_binary *second)
{
	const struct prf_source_supply supply = {.built = built};
	const struct prf_source_text text = {.mtime.tv_sec = written};
	const struct prf_annotated_line lines[] = {{.binary = first},
						   {.binary = second}};

	return prf_source_supply_is_newer(&supply, &text, lines, 2);
}

START_TEST(a_file_is_newer_than_what_was_built_before_it)
{
	ck_assert(is_newer(101, &old, &old));
	ck_assert(!is_newer(100, &old, &old));
}
END_TEST

START_TEST(one_of_its_binaries_is_enough)
{
	ck_assert(is_newer(150, &young, &old));
	ck_assert(is_newer(150, &old, &young));
	ck_assert(!is_newer(50, &young, &old));
}
END_TEST

START_TEST(where_nothing_is_known_it_is_not_newer)
{
	const struct prf_source_supply nobody = {0};
	const struct prf_source_text text = {.mtime.tv_sec = 1};
	const struct prf_annotated_line line = {.binary = &old};

	ck_assert(!is_newer(1000, &unknown, &unknown));
	ck_assert(!prf_source_supply_is_newer(&nobody, &text, &line, 1));
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("source_supply");
	TCase *tcase = tcase_create("source_supply");

	tcase_add_test(tcase, a_file_is_newer_than_what_was_built_before_it);
	tcase_add_test(tcase, one_of_its_binaries_is_enough);
	tcase_add_test(tcase, where_nothing_is_known_it_is_not_newer);
	suite_add_tcase(suite, tcase);
	return suite;
}
