#include "core/pctrace/pctrace_past.h"

#include <stdio.h>
#include <string.h>

#include "core/event_log.h"
#include "support/suite.h"

static struct prf_pctrace_past past;

static void
setup(void)
{
	TAILQ_INIT(&past);
}

static void
teardown(void)
{
	prf_pctrace_past_clear(&past);
	ck_assert(TAILQ_EMPTY(&past));
}

/* An event in three words or so: "exec 1", "map 1", "fork 2 of 1", "thread 5 of
 * 1", "end 5 of 1", "exit 1", "leave 1". */
static void
add(const char *text)
{
	static const struct {
		const char *verb;
		enum prf_life_kind kind;
	} lives[] = {{"fork", PRF_LIFE_FORK},
		     {"thread", PRF_LIFE_THREAD},
		     {"end", PRF_LIFE_END},
		     {"exit", PRF_LIFE_EXIT},
		     {"leave", PRF_LIFE_LEAVE}};
	char verb[10];
	int id, of = 0;

	ck_assert_int_ge(sscanf(text, "%9s %d of %d", verb, &id, &of), 2);
	const struct prf_exec exec = {.pid = id, .path = "", .command = ""};
	const struct prf_mapping map = {.pid = id, .size = 1, .path = ""};
	if (!strcmp(verb, "exec"))
		prf_pctrace_past_add(&past, PRF_EVENT_EXEC, &exec);
	if (!strcmp(verb, "map"))
		prf_pctrace_past_add(&past, PRF_EVENT_MAPPING, &map);
	for (size_t i = 0; i < sizeof lives / sizeof *lives; i++) {
		bool is_thread = lives[i].kind == PRF_LIFE_THREAD ||
				 lives[i].kind == PRF_LIFE_END;
		const struct prf_life life = {
			.kind = lives[i].kind,
			.pid = is_thread ? of : id,
			.tid = id,
			.parent = is_thread ? 0 : of,
			.name = "",
		};

		if (!strcmp(verb, lives[i].verb))
			prf_pctrace_past_add(&past, PRF_EVENT_LIFE, &life);
	}
}

/* What happened in a block, and "+" before what is needed of it, else "-". */
static const char *const blocks[] = {
	"+exec 1;+map 1;+map 1",
	/* Another program; only the last counts. */
	"-exec 1;-map 1;-exec 1;+exec 1;+map 1",
	"-map 1;-map 1;+exec 1",
	/* Ended, but it was there before. */
	"-exec 1;-map 1;+exit 1",
	"-map 1;+leave 1",
	/* Come and gone. */
	"+map 1;-fork 2 of 1;-exec 2;-map 2;-exit 2;+map 1",
	"-fork 2 of 1;-thread 3 of 2;-exec 2;-end 2 of 2;-exit 2",
	"-fork 2 of 1;-exit 2;-fork 2 of 1;-exit 2;+fork 2 of 1;+exec 2",
	"+exit 2;+fork 2 of 1;+exec 2",
	/* It lives, and has what its parent had. */
	"+exec 1;+map 1;+fork 2 of 1;+map 2",
	"+exec 1;+map 1;+fork 2 of 1;-exec 1;+exec 1;+map 1",
	"+exec 1;+map 1;+fork 2 of 1;-map 1;+exit 1",
	"-exec 1;-map 1;+fork 2 of 1;+exec 2;+map 2;+exit 1",
	/* The parent has gone, too; it is needed for what it left. */
	"+fork 2 of 1;+exec 2;+map 2;+fork 3 of 2;-map 2;+exit 2",
	"+fork 2 of 1;-exec 2;-map 2;+fork 3 of 2;+exec 3;+exit 2",
	"-fork 2 of 1;-exec 2;-fork 3 of 2;-exit 3;-exit 2",
	/* Threads. */
	"+thread 5 of 1;-thread 6 of 1;-end 6 of 1;+end 7 of 1",
	"+thread 5 of 1;+map 1;+end 1 of 1",
};

START_TEST(what_is_needed_is_told_again_and_no_more)
{
	char text[400];
	char *rest = text;
	size_t n = 0;
	const struct prf_pctrace_past_event *event;

	snprintf(text, sizeof text, "%s", blocks[_i]);
	for (char *word; (word = strsep(&rest, ";"));)
		add(word + 1);
	size_t n_needed = prf_pctrace_past_select(&past);
	snprintf(text, sizeof text, "%s", blocks[_i]);
	rest = text;
	TAILQ_FOREACH(event, &past, others)
	{
		const char *word = strsep(&rest, ";");

		ck_assert_msg(event->is_needed == (*word == '+'),
			      "%s: of \"%s\"", word, blocks[_i]);
		n += event->is_needed;
	}
	ck_assert_uint_eq(n, n_needed);
}
END_TEST

START_TEST(any_events_are_judged_without_harm)
{
	struct random random = random_begin();

	for (int i = 0; i < 2000; i++) {
		const struct prf_life life = {
			.kind = (enum prf_life_kind)random_below(
				&random, PRF_N_LIFE_KINDS),
			.pid = (pid_t)random_below(&random, 4),
			.tid = (pid_t)random_below(&random, 4),
			.parent = (pid_t)random_below(&random, 4),
			.name = "",
		};
		const struct prf_exec exec = {
			.pid = life.pid, .path = "", .command = ""};

		if (random_below(&random, 3))
			prf_pctrace_past_add(&past, PRF_EVENT_LIFE, &life);
		else
			prf_pctrace_past_add(&past, PRF_EVENT_EXEC, &exec);
		if (i % 50 == 49) {
			ck_assert_uint_le(prf_pctrace_past_select(&past), 50);
			prf_pctrace_past_clear(&past);
		}
	}
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("pctrace_past");
	TCase *tcase = tcase_create("pctrace_past");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_loop_test(tcase, what_is_needed_is_told_again_and_no_more, 0,
			    sizeof blocks / sizeof *blocks);
	tcase_add_test(tcase, any_events_are_judged_without_harm);
	suite_add_tcase(suite, tcase);
	return suite;
}
