#include "src/options/option_values.h"

#include <errno.h>

#include "src/options/option_table.h"
#include "support/suite.h"

START_TEST(every_option_of_the_table_is_taken)
{
	for (const struct argp_option *o = prf_option_table;
	     o->name || o->doc || o->group; o++) {
		struct prf_options options = {.rate_hz = 100};
		struct prf_error err;

		if (!o->name)
			continue;
		ck_assert_msg(prf_option_values_take(o->key,
						     o->arg ? "1" : NULL,
						     &options, &err) != -ENOENT,
			      "--%s", o->name);
	}
}
END_TEST

START_TEST(no_two_options_have_one_key)
{
	for (const struct argp_option *o = prf_option_table;
	     o->name || o->doc || o->group; o++)
		for (const struct argp_option *other = prf_option_table;
		     other < o; other++)
			ck_assert_msg(!o->name || other->key != o->key, "--%s",
				      o->name);
}
END_TEST

START_TEST(a_key_that_is_no_options_is_said_to_be_none)
{
	struct prf_options options = {.rate_hz = 100};
	struct prf_error err;

	ck_assert_int_eq(prf_option_values_take('Z', NULL, &options, &err),
			 -ENOENT);
	ck_assert_int_eq(
		prf_option_values_take(ARGP_KEY_END, NULL, &options, &err),
		-ENOENT);
	ck_assert_uint_eq(options.rate_hz, 100);
}
END_TEST

START_TEST(a_value_that_is_refused_changes_nothing)
{
	struct prf_options options = {.rate_hz = 77};
	struct prf_error err = {0};

	ck_assert_int_eq(prf_option_values_take('F', "0", &options, &err),
			 -EINVAL);
	ck_assert_int_eq(err.code, -EINVAL);
	ck_assert_int_eq(prf_option_values_take('i', "2s", &options, &err),
			 -EINVAL);
	ck_assert_uint_eq(options.rate_hz, 77);
}
END_TEST

START_TEST(each_word_of_a_choice_is_taken)
{
	size_t n_words = 0;

	for (const struct argp_option *o = prf_option_table;
	     o->name || o->doc || o->group; o++) {
		const char *word;

		for (size_t i = 0;
		     o->arg && (word = prf_option_values_word(o->arg, i));
		     i++) {
			struct prf_options options = {.rate_hz = 100};
			struct prf_error err;

			ck_assert_int_eq(prf_option_values_take(o->key, word,
								&options, &err),
					 0);
			n_words++;
		}
	}
	/* Of --clock, --trigger, --follow and --format. */
	ck_assert_uint_ge(n_words, 3 + 4 + 3 + 3);
	ck_assert_ptr_null(prf_option_values_word("PATTERN", 0));
}
END_TEST

START_TEST(each_v_says_more_and_q_nothing)
{
	struct prf_options options = {0};
	static const struct {
		int key, verbosity;
	} rows[] = {{'v', 1}, {'v', 2}, {'q', -1}, {'v', 1}, {'q', -1}};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		ck_assert_int_eq(prf_option_values_take(rows[i].key, NULL,
							&options, NULL),
				 0);
		ck_assert_int_eq(options.verbosity, rows[i].verbosity);
	}
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("option_values");
	TCase *tcase = tcase_create("option_values");

	tcase_add_test(tcase, every_option_of_the_table_is_taken);
	tcase_add_test(tcase, no_two_options_have_one_key);
	tcase_add_test(tcase, a_key_that_is_no_options_is_said_to_be_none);
	tcase_add_test(tcase, a_value_that_is_refused_changes_nothing);
	tcase_add_test(tcase, each_word_of_a_choice_is_taken);
	tcase_add_test(tcase, each_v_says_more_and_q_nothing);
	suite_add_tcase(suite, tcase);
	return suite;
}
