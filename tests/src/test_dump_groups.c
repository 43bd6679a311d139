#include "src/commands/dump_groups.h"

#include <errno.h>
#include <stdlib.h>

#include "src/made_dump.h"
#include "support/suite.h"

static struct prf_dumped dumped;
static struct prf_dump_groups groups;

static void
clear(void)
{
	prf_dump_groups_clear(&groups);
	prf_dumped_clear(&dumped);
}

static const struct prf_dump_thread blocked = {
	.how = PRF_DUMP_BLOCKED,
	.state = 'S',
	.syscall = 3,
};

/* One more thread, in a stack by which it is known. */
static void
add(const struct prf_dump_thread *thread, uint64_t stack)
{
	const uint64_t addrs[] = {0x1000, 0x2000 + stack};

	prf_made_dump_add(&dumped, thread);
	prf_made_dump_stack(&dumped, PRF_STACK_COMPLETE, addrs, 2);
}

static void
make(bool each)
{
	prf_made_dump_end(&dumped);
	ck_assert_int_eq(prf_dump_groups_make(&groups, &dumped, each), 0);
}

/* Group NUMBER has these, and no others. */
static void
expect(size_t number, const size_t *threads, size_t n)
{
	ck_assert_uint_lt(number, groups.n);
	const struct prf_dump_group *group = &groups.all[number];
	ptrdiff_t next = (ptrdiff_t)group->first;

	ck_assert_uint_eq(group->n, n);
	for (size_t i = 0; i < n; i++) {
		ck_assert_int_eq(next, (ptrdiff_t)threads[i]);
		next = groups.next[next];
	}
	ck_assert_int_eq(next, PRF_DUMP_NO_THREAD);
}

static void
make_six(bool each)
{
	const uint64_t stacks[] = {1, 2, 1, 3, 2, 1};

	prf_made_dump_begin(&dumped, 6);
	for (size_t i = 0; i < 6; i++)
		add(&blocked, stacks[i]);
	make(each);
}

START_TEST(threads_with_the_same_stack_stand_together)
{
	make_six(false);
	ck_assert_uint_eq(groups.n, 3);
	expect(0, (const size_t[]){0, 2, 5}, 3);
	expect(1, (const size_t[]){1, 4}, 2);
	expect(2, (const size_t[]){3}, 1);
}
END_TEST

START_TEST(each_stands_alone_if_that_is_wanted)
{
	make_six(true);
	ck_assert_uint_eq(groups.n, 6);
	for (size_t i = 0; i < 6; i++)
		expect(i, &i, 1);
}
END_TEST

START_TEST(without_threads_there_is_no_group)
{
	prf_made_dump_begin(&dumped, 1);
	make(false);
	ck_assert_uint_eq(groups.n, 0);
}
END_TEST

/* Two threads with one stack. */
START_TEST(those_of_which_something_else_is_said_stand_apart)
{
	static const struct {
		struct prf_dump_thread other;
		size_t n;
	} rows[] = {
		{{.state = 'S', .syscall = 3}, 1},
		{{.state = 'S', .syscall = 3, .call = "fd 7"}, 1},
		{{.state = 'R', .syscall = 3}, 1},
		{{.state = 'S', .syscall = 4}, 2},
		{{.state = 'T', .syscall = 3}, 2},
		{{.state = 't', .syscall = 3}, 2},
		{{.state = 'D', .syscall = 3}, 2},
		{{.how = PRF_DUMP_STOPPED, .state = 'R', .syscall = 3}, 2},
	};

	prf_made_dump_begin(&dumped, 2);
	add(&blocked, 1);
	add(&rows[_i].other, 1);
	make(false);
	ck_assert_uint_eq(groups.n, rows[_i].n);
}
END_TEST

/* What is said of those that run does not depend on the state of a moment before. */
START_TEST(those_that_run_stand_together)
{
	const struct prf_dump_thread threads[] = {
		{.how = PRF_DUMP_STOPPED, .state = 'R', .syscall = -1},
		{.how = PRF_DUMP_STOPPED, .state = 'D', .syscall = -1},
	};

	prf_made_dump_begin(&dumped, 2);
	add(&threads[0], 1);
	add(&threads[1], 1);
	make(false);
	ck_assert_uint_eq(groups.n, 1);
}
END_TEST

START_TEST(those_without_a_stack_stand_together_if_the_reason_is_one)
{
	struct prf_dump_thread refused = {.how = PRF_DUMP_REFUSED,
					  .state = 'R',
					  .code = -EPERM,
					  .syscall = PRF_NO_SYSCALL};

	prf_made_dump_begin(&dumped, 4);
	prf_made_dump_add(&dumped, &refused);
	prf_made_dump_add(&dumped, &refused);
	refused.code = -ETIMEDOUT;
	prf_made_dump_add(&dumped, &refused);
	add(&refused, 1);
	make(false);
	ck_assert_uint_eq(groups.n, 3);
	expect(0, (const size_t[]){0, 1}, 2);
}
END_TEST

/* Of as many stacks, and then once more: to compare each with each would take
 * minutes. */
START_TEST(many_threads_take_no_longer_than_a_moment)
{
	enum { N = 40000 };

	prf_made_dump_begin(&dumped, 2 * N);
	for (uint64_t i = 0; i < 2 * N; i++)
		add(&blocked, i % N);
	make(false);
	ck_assert_uint_eq(groups.n, N);
	for (size_t i = 0; i < N; i++)
		expect(i, (const size_t[]){i, i + N}, 2);
}
END_TEST

/* --- When stacks are the same */

static void
compare(const struct prf_dump_stack *a, const struct prf_dump_stack *b,
	bool are_same)
{
	ck_assert(prf_dump_stack_is_same(a, b) == are_same);
	ck_assert(prf_dump_stack_is_same(b, a) == are_same);
	ck_assert(!are_same ||
		  prf_dump_stack_hash(a) == prf_dump_stack_hash(b));
}

/* By function and line, wherever in that line. */
START_TEST(frames_are_compared_by_what_is_printed_of_them)
{
	char name[] = "f", binary[] = "/b", file[] = "f.c";
	struct prf_dump_frame frame = {0x10, .function = name, .binary = binary,
				       .file = file, .line = 3};
	static const struct {
		struct prf_dump_frame other;
		bool is_same;
	} rows[] = {
		{{0x18, .function = "f", .binary = "/b", .file = "f.c",
		  .line = 3},
		 true},
		{{0x10, .function = "g", .binary = "/b", .file = "f.c",
		  .line = 3},
		 false},
		{{0x10, .function = "f", .binary = "/c", .file = "f.c",
		  .line = 3},
		 false},
		{{0x10, .function = "f", .binary = "/b", .file = "g.c",
		  .line = 3},
		 false},
		{{0x10, .function = "f", .binary = "/b", .file = "f.c",
		  .line = 4},
		 false},
		{{0x10, .function = "f", .binary = "/b"}, false},
		{{0x10, .binary = "/b"}, false},
	};
	struct prf_dump_frame other = rows[_i].other;
	const struct prf_dump_stack a = {.frames = &frame, .n = 1};
	const struct prf_dump_stack b = {.frames = &other, .n = 1};

	compare(&a, &b, rows[_i].is_same);
}
END_TEST

START_TEST(frames_without_a_name_are_compared_by_their_address)
{
	struct prf_dump_frame frames[] = {{0x10, .binary = "/b"},
					  {0x10, .binary = "/b"},
					  {0x11, .binary = "/b"}};
	const struct prf_dump_stack stacks[] = {
		{.frames = &frames[0], .n = 1},
		{.frames = &frames[1], .n = 1},
		{.frames = &frames[2], .n = 1},
		{.frames = &frames[0], .n = 2},
		{.frames = &frames[0], .n = 1, .end = PRF_STACK_LOOP},
	};

	compare(&stacks[0], &stacks[1], true);
	for (size_t i = 2; i < sizeof stacks / sizeof *stacks; i++)
		compare(&stacks[0], &stacks[i], false);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("dump_groups");
	TCase *tcase = tcase_create("dump_groups");

	tcase_add_checked_fixture(tcase, NULL, clear);
	tcase_add_test(tcase, threads_with_the_same_stack_stand_together);
	tcase_add_test(tcase, each_stands_alone_if_that_is_wanted);
	tcase_add_test(tcase, without_threads_there_is_no_group);
	tcase_add_loop_test(
		tcase, those_of_which_something_else_is_said_stand_apart, 0, 8);
	tcase_add_test(tcase, those_that_run_stand_together);
	tcase_add_test(
		tcase,
		those_without_a_stack_stand_together_if_the_reason_is_one);
	tcase_add_test(tcase, many_threads_take_no_longer_than_a_moment);
	tcase_add_loop_test(
		tcase, frames_are_compared_by_what_is_printed_of_them, 0, 7);
	tcase_add_test(tcase,
		       frames_without_a_name_are_compared_by_their_address);
	suite_add_tcase(suite, tcase);
	return suite;
}
