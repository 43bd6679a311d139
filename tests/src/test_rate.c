#include "src/options/rate.h"
#include "support/suite.h"

#include <errno.h>
#include <inttypes.h>

static const struct {
	const char *text;
	uint64_t ns;
} good_times[] = {
	{"1s", 1000000000},
	{"10ms", 10000000},
	{"500us", 500000},
	{"0.01s", 10000000},
	{".5ms", 500000},
	{"1.s", 1000000000},
	{"0.0001s", 100000},
	{"1.5us", 1500},
	{"0.000000001s", 1},
	{"0.0000000019s", 1},
	{"86400s", 86400 * UINT64_C(1000000000)},
	{"86400000ms", 86400 * UINT64_C(1000000000)},
};

START_TEST(a_time_is_its_number_of_nanoseconds)
{
	uint64_t ns = 7;

	ck_assert_int_eq(prf_rate_parse_time(good_times[_i].text,
					     PRF_RATE_DAY_S, &ns, NULL),
			 0);
	ck_assert_uint_eq(ns, good_times[_i].ns);
}
END_TEST

static const char *const bad_times[] = {
	"",       "s",      ".s",
	"10",     "10 ms",  " 10ms",
	"10ms ",  "-1s",    "+1s",
	"1e3us",  "0x10us", "1m",
	"1S",     "1sec",   "1.2.3s",
	"10,5ms", "86401s", "99999999999999999999999s",
};

START_TEST(what_is_no_time_is_refused)
{
	struct prf_error err = {0};
	uint64_t ns = 7;

	ck_assert_int_eq(
		prf_rate_parse_time(bad_times[_i], PRF_RATE_DAY_S, &ns, &err),
		-EINVAL);
	ck_assert_uint_eq(ns, 7);
	ck_assert_int_ne(err.text[0], '\0');
}
END_TEST

START_TEST(a_time_without_a_unit_is_told_so)
{
	struct prf_error err;
	uint64_t ns;

	ck_assert_int_eq(prf_rate_parse_time("10", PRF_RATE_DAY_S, &ns, &err),
			 -EINVAL);
	ck_assert_str_eq(err.text, "a time without its unit");
}
END_TEST

START_TEST(a_rate_is_a_whole_number)
{
	uint64_t hz = 7;

	ck_assert_int_eq(prf_rate_parse_hz("250", &hz, NULL), 0);
	ck_assert_uint_eq(hz, 250);
	ck_assert_int_eq(prf_rate_parse_hz("0", &hz, NULL), 0);
	ck_assert_uint_eq(hz, 0);
	ck_assert_int_eq(prf_rate_parse_hz("999999999999999999", &hz, NULL), 0);
	ck_assert_uint_eq(hz, UINT64_C(999999999999999999));
}
END_TEST

static const char *const bad_rates[] = {
	"",   "-1",   "+1",    "1.5", "1e5",
	"ab", "100 ", "100Hz", "0x1", "99999999999999999999",
};

START_TEST(what_is_no_whole_number_is_refused)
{
	uint64_t hz = 7;

	ck_assert_int_eq(prf_rate_parse_hz(bad_rates[_i], &hz, NULL), -EINVAL);
	ck_assert_uint_eq(hz, 7);
}
END_TEST

#define N_OF(array) ((int)(sizeof(array) / sizeof *(array)))

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("rate");
	TCase *tcase = tcase_create("rate");

	tcase_add_loop_test(tcase, a_time_is_its_number_of_nanoseconds, 0,
			    N_OF(good_times));
	tcase_add_loop_test(tcase, what_is_no_time_is_refused, 0,
			    N_OF(bad_times));
	tcase_add_test(tcase, a_time_without_a_unit_is_told_so);
	tcase_add_test(tcase, a_rate_is_a_whole_number);
	tcase_add_loop_test(tcase, what_is_no_whole_number_is_refused, 0,
			    N_OF(bad_rates));
	suite_add_tcase(suite, tcase);
	return suite;
}
