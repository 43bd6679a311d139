#include "src/output/run_doubts.h"
#include "support/suite.h"

#include <string.h>

static char said[1024];

/* Messages that end in SAID. */
static struct prf_messages
listen(void)
{
	memset(said, 0, sizeof said);
	FILE *stream = fmemopen(said, sizeof said - 1, "w");
	ck_assert_ptr_nonnull(stream);
	return (struct prf_messages){.stream = stream, .verbosity = 0};
}

static const char *
say_of_rate(const struct prf_sampler_stats *stats)
{
	const struct prf_options options = {.rate_hz = 1000};
	struct prf_messages messages = listen();

	prf_run_doubts_rate(&messages, &options, stats);
	fclose(messages.stream);
	return said;
}

static const char *
say_of_stops(uint64_t stops_ns, uint64_t cpu_ns)
{
	const struct prf_sampler_stats stats = {
		.stops_ns = stops_ns,
		.cpu_ns = cpu_ns,
	};
	struct prf_messages messages = listen();

	prf_run_doubts_stops(&messages, &stats);
	fclose(messages.stream);
	return said;
}

static const char *
say_of_kernel(const struct prf_options *options,
	      const struct prf_sampler_stats *stats)
{
	struct prf_messages messages = listen();

	prf_run_doubts_kernel(&messages, options, stats);
	fclose(messages.stream);
	return said;
}

START_TEST(ticks_of_threads_that_run_briefly_are_doubted)
{
	struct prf_sampler_stats stats = {.ticks = 200, .brief = 9};
	struct prf_messages messages = listen();

	prf_run_doubts_brief(&messages, &stats);
	fflush(messages.stream);
	ck_assert_str_eq(said, "");
	stats.brief = 150;
	prf_run_doubts_brief(&messages, &stats);
	fclose(messages.stream);
	ck_assert_ptr_nonnull(
		strstr(said, "warning: 75 % of the ticks cannot be believed"));
}
END_TEST

START_TEST(calls_that_have_failed_are_said)
{
	struct prf_sampler_stats stats = {.eintr_repaired = 7};
	struct prf_messages messages = listen();

	prf_run_doubts_calls(&messages, &stats);
	fflush(messages.stream);
	ck_assert_str_eq(said, "");
	stats.eintr_left = 2;
	prf_run_doubts_calls(&messages, &stats);
	fclose(messages.stream);
	ck_assert_ptr_nonnull(
		strstr(said, "warning: 2 system calls failed with EINTR"));
}
END_TEST

START_TEST(a_rate_that_was_kept_is_no_word_worth)
{
	const struct prf_sampler_stats stats = {
		.trigger[0] = {.ticks = 1000, .samples = 760},
	};

	ck_assert_str_eq(say_of_rate(&stats), "");
}
END_TEST

START_TEST(few_ticks_say_nothing_of_the_rate)
{
	const struct prf_sampler_stats stats = {
		.trigger[0] = {.ticks = 99, .samples = 20},
	};

	ck_assert_str_eq(say_of_rate(&stats), "");
}
END_TEST

START_TEST(the_kernels_tick_is_a_reason_and_so_is_what_was_refused)
{
	struct prf_sampler_stats stats = {
		.trigger[0] = {.ticks = 1000,
			       .samples = 266,
			       .bound_by_tick = true},
	};

	say_of_rate(&stats);
	ck_assert_ptr_nonnull(strstr(said, "1000 Hz asked for, 266 samples"));
	ck_assert_ptr_nonnull(strstr(said, ": the kernel's tick is "));
	ck_assert_ptr_null(strchr(said, ';'));
	strcpy(stats.refused_trigger, "ring: not here");
	say_of_rate(&stats);
	ck_assert_ptr_nonnull(strstr(said, " Hz; ring: not here\n"));
}
END_TEST

/* What most ticks came with decides. */
START_TEST(where_no_tick_binds_it_is_profrun_or_the_kernel)
{
	struct prf_sampler_stats stats = {
		.trigger = {{.ticks = 100, .bound_by_tick = true},
			    {.ticks = 900, .samples = 500}},
	};

	ck_assert_str_eq(say_of_rate(&stats),
			 "profrun: warning: 1000 Hz asked for, 500 samples a "
			 "CPU second: profrun can stop no thread as often\n");
	stats.trigger[1].without_stops = true;
	say_of_rate(&stats);
	ck_assert_ptr_nonnull(
		strstr(said, ": the kernel samples no thread as often\n"));
}
END_TEST

START_TEST(stops_are_warned_of_where_they_cost_much)
{
	ck_assert_str_eq(say_of_stops(50, 1000), "");
	ck_assert_str_eq(say_of_stops(50, 0), "");
	ck_assert_ptr_nonnull(strstr(say_of_stops(290, 1000),
				     "stops cost the program 29 % of its CPU"));
}
END_TEST

START_TEST(functions_of_the_kernel_that_cannot_be_told_are_missed)
{
	const struct prf_options options = {.kernel = true};
	struct prf_sampler_stats stats = {
		.trigger[0] = {.ticks = 10},
		.refused_trigger = "ring: not here",
	};

	ck_assert_str_eq(say_of_kernel(&options, &stats),
			 "profrun: warning: --kernel: the kernel's functions "
			 "are not told: ring: not here\n");
	stats.trigger[0].without_stops = true;
	ck_assert_str_eq(say_of_kernel(&options, &stats), "");
	stats.trigger[0].without_stops = false;
	ck_assert_str_eq(say_of_kernel(&(struct prf_options){0}, &stats), "");
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("run_doubts");
	TCase *tcase = tcase_create("run_doubts");

	tcase_add_test(tcase, ticks_of_threads_that_run_briefly_are_doubted);
	tcase_add_test(tcase, calls_that_have_failed_are_said);
	tcase_add_test(tcase, a_rate_that_was_kept_is_no_word_worth);
	tcase_add_test(tcase, few_ticks_say_nothing_of_the_rate);
	tcase_add_test(tcase,
		       the_kernels_tick_is_a_reason_and_so_is_what_was_refused);
	tcase_add_test(tcase, where_no_tick_binds_it_is_profrun_or_the_kernel);
	tcase_add_test(tcase, stops_are_warned_of_where_they_cost_much);
	tcase_add_test(tcase,
		       functions_of_the_kernel_that_cannot_be_told_are_missed);
	suite_add_tcase(suite, tcase);
	return suite;
}
