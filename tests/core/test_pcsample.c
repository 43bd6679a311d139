#include "core/pcsample.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "core/vectors.h"
#include "support/suite.h"

/* As a tick does: takes the places that there are. */
static int64_t
take(struct prf_pcsample *state, uint64_t ticks)
{
	struct prf_pcsample_room room = prf_pcsample_room(state, ticks);

	prf_pcsample_stored(state, room.n);
	return room.n;
}

START_TEST(places_are_given_from_the_first_on_until_there_are_no_more)
{
	struct prf_pcsample state = {0};

	ck_assert_int_eq(prf_pcsample_call(&state, 5), 0);
	for (int64_t i = 0; i < 5; i++) {
		ck_assert(prf_pcsample_is_on(&state));
		ck_assert_int_eq(prf_pcsample_room(&state, 1).first, i);
		ck_assert_int_eq(take(&state, 1), 1);
	}
	ck_assert(!prf_pcsample_is_on(&state));
	ck_assert_int_eq(take(&state, 1), 0);
	ck_assert_int_eq(prf_pcsample_call(&state, 5), 5);
}
END_TEST

START_TEST(ticks_beyond_the_room_get_no_place)
{
	struct prf_pcsample state = {0};

	prf_pcsample_call(&state, 3);
	ck_assert_int_eq(take(&state, UINT64_MAX), 3);
	ck_assert_int_eq(prf_pcsample_call(&state, 0), 3);
}
END_TEST

START_TEST(the_count_never_exceeds_the_room)
{
	struct prf_pcsample state = {0};

	prf_pcsample_call(&state, 3);
	prf_pcsample_stored(&state, 4);
	ck_assert_int_eq(prf_pcsample_call(&state, 0), 3);
}
END_TEST

START_TEST(a_refused_call_changes_nothing)
{
	struct prf_pcsample state = {0}, before;

	prf_pcsample_call(&state, 3);
	take(&state, 1);
	before = state;
	ck_assert_int_eq(prf_pcsample_call(&state, -1), -EINVAL);
	ck_assert_int_eq(prf_pcsample_call(&state, INT64_MIN), -EINVAL);
	ck_assert_int_eq(state.n_samples, before.n_samples);
	ck_assert_int_eq(state.n_stored, before.n_stored);
}
END_TEST

START_TEST(a_fault_turns_off_and_keeps_the_count)
{
	struct prf_pcsample state = {0};

	prf_pcsample_call(&state, 3);
	take(&state, 2);
	prf_pcsample_fault(&state);
	ck_assert(!prf_pcsample_is_on(&state));
	ck_assert_int_eq(take(&state, 1), 0);
	ck_assert_int_eq(prf_pcsample_call(&state, 0), 2);
	ck_assert_int_eq(prf_pcsample_call(&state, 0), 0);
}
END_TEST

START_TEST(the_largest_room_is_no_problem)
{
	struct prf_pcsample state = {0};

	prf_pcsample_call(&state, INT64_MAX);
	ck_assert_int_eq(take(&state, UINT64_MAX), INT64_MAX);
	ck_assert(!prf_pcsample_is_on(&state));
	ck_assert_int_eq(prf_pcsample_call(&state, 1), INT64_MAX);
}
END_TEST

/* --- The rows of vectors.csv about sequences: a process that calls pcsample, and what ticks do to it. */

#define MAX_SAMPLES 8

struct process {
	struct prf_pcsample state;
	char *array; /* the current one, NULL if it is none */
	char a[MAX_SAMPLES], b[MAX_SAMPLES];
};

static struct process process, parent;

static void
store_ticks(char pc, uint64_t ticks)
{
	struct prf_pcsample_room room =
		prf_pcsample_room(&process.state, ticks);

	if (room.n > 0 && !process.array) {
		prf_pcsample_fault(&process.state);
		return;
	}
	for (int64_t i = 0; i < room.n; i++)
		process.array[room.first + i] = pc;
	prf_pcsample_stored(&process.state, room.n);
}

static bool
step_pcsample(const char *word)
{
	char array[8], result[20], expected[20];
	long n;

	if (sscanf(word, "pcsample(%7[A-Z],%ld)=%19s", array, &n, expected) !=
	    3)
		return false;
	int64_t stored = prf_pcsample_call(&process.state, n);
	if (stored == -EINVAL)
		strcpy(result, "-1/EINVAL");
	else
		snprintf(result, sizeof result, "%" PRId64, stored);
	ck_assert_msg(strcmp(result, expected) == 0, "%s gives %s", word,
		      result);
	if (stored >= 0)
		process.array = strcmp(array, "A") == 0   ? process.a
				: strcmp(array, "B") == 0 ? process.b
							  : NULL;
	return true;
}

static bool
step_tick(const char *word)
{
	uint64_t ticks = 1;
	char pc;

	if (sscanf(word, "tick(%c)x%" SCNu64, &pc, &ticks) < 1)
		return false;
	store_ticks(pc, ticks);
	return true;
}

/* "A={p,q}": that, and nothing behind it. */
static bool
step_look(const char *word)
{
	char name, list[40], held[2 * MAX_SAMPLES] = "";

	if (sscanf(word, "%c={%39[a-z,]}", &name, list) != 2)
		return false;
	const char *array = name == 'A' ? process.a : process.b;
	for (int i = 0; i < MAX_SAMPLES && array[i]; i++)
		sprintf(held + strlen(held), "%s%c", i ? "," : "", array[i]);
	ck_assert_msg(strcmp(held, list) == 0, "%c is {%s}, should be {%s}",
		      name, held, list);
	return true;
}

static bool
step_word(const char *word)
{
	if (strncmp(word, "profil(", 7) == 0)
		prf_pcsample_forget(&process.state);
	else if (strcmp(word, "fork:") == 0)
		parent = process;
	else if (strcmp(word, "parent") == 0)
		process = parent;
	else if (strcmp(word, "exec:") == 0)
		process = (struct process){.array = NULL};
	else
		return strcmp(word, "child") == 0 || strcmp(word, "new") == 0 ||
		       strcmp(word, "image") == 0;
	return true;
}

static void
check_sequence(const struct vector *row)
{
	char script[sizeof row->line];
	char *save, *word;
	int n_steps = 0;

	process = (struct process){.array = NULL};
	strcpy(script, row->field[COL_script]);
	for (word = strtok_r(script, " ;", &save); word;
	     word = strtok_r(NULL, " ;", &save)) {
		ck_assert_msg(step_pcsample(word) || step_tick(word) ||
				      step_look(word) || step_word(word),
			      "%s: what is \"%s\"?", row->field[COL_id], word);
		n_steps++;
	}
	ck_assert_int_ge(n_steps, 3);
}

START_TEST(a_row_of_calls_and_ticks_goes_as_written)
{
	ck_assert_int_eq(vectors_for_each("sequence", check_sequence),
			 N_SEQUENCE_ROWS);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("pcsample");
	TCase *tcase = tcase_create("pcsample");

	tcase_add_test(
		tcase,
		places_are_given_from_the_first_on_until_there_are_no_more);
	tcase_add_test(tcase, ticks_beyond_the_room_get_no_place);
	tcase_add_test(tcase, the_count_never_exceeds_the_room);
	tcase_add_test(tcase, a_refused_call_changes_nothing);
	tcase_add_test(tcase, a_fault_turns_off_and_keeps_the_count);
	tcase_add_test(tcase, the_largest_room_is_no_problem);
	tcase_add_test(tcase, a_row_of_calls_and_ticks_goes_as_written);
	suite_add_tcase(suite, tcase);
	return suite;
}
