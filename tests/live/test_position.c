#include "live/proc/position.h"

#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/sample.h"
#include "support/suite.h"

static const struct {
	const char *text;
	int rc;
	int32_t syscall;
	uint64_t sp, pc;
} place_texts[] = {
	{"running\n", -EAGAIN, 0, 0, 0},
	{"0 0x3 0x7ffd 0x1 0x0 0x0 0x0 0x7ffc9b8 0x7f3e4a\n", 0, 0, 0x7ffc9b8,
	 0x7f3e4a},
	{"230 0x0 0x0 0x7ff 0x7ff 0x0 0x0 0xffffffffffffffff 0x1\n", 0, 230,
	 UINT64_MAX, 1},
	{"-1 0x7ffc 0x401000\n", 0, PRF_NO_SYSCALL, 0x7ffc, 0x401000},
	{"-1 0x0 0x0\n", 0, PRF_NO_SYSCALL, 0, 0},
	/* What a program may ask for that is no call. */
	{"-2 0x1 0x2 0x3 0x4 0x5 0x6 0x7 0x8\n", 0, PRF_NO_SYSCALL, 7, 8},
	{"4294967294 0x1 0x2 0x3 0x4 0x5 0x6 0x7 0x8\n", 0, PRF_NO_SYSCALL, 7,
	 8},
	{"", -EINVAL, 0, 0, 0},
	{"-1\n", -EINVAL, 0, 0, 0},
	{"0 0x1 0x2 0x3 0x4 0x5 0x6\n", -EINVAL, 0, 0, 0},
	{"0 0x1 0x2 0x3 0x4 0x5 0x6 0x7\n", -EINVAL, 0, 0, 0},
};

START_TEST(a_place_is_a_call_and_two_addresses)
{
	struct prf_position position = {0};

	ck_assert_int_eq(prf_position_parse(place_texts[_i].text, &position),
			 place_texts[_i].rc);
	if (place_texts[_i].rc)
		return;
	ck_assert_int_eq(position.syscall, place_texts[_i].syscall);
	ck_assert_uint_eq(position.sp, place_texts[_i].sp);
	ck_assert_uint_eq(position.pc, place_texts[_i].pc);
}
END_TEST

START_TEST(a_reader_of_an_empty_pipe_is_seen_to_sleep)
{
	int ends[2];
	char byte;

	ck_assert_int_eq(pipe(ends), 0);
	pid_t sleeper = fork();
	if (sleeper == 0)
		_exit(read(ends[0], &byte, 1) < 0);
	int fd = prf_position_open(sleeper, sleeper);
	if (fd == -EACCES || fd == -EPERM)
		prf_skip("positions may not be read");
	ck_assert_int_ge(fd, 0);
	while (prf_position_is_running(sleeper, sleeper, fd))
		sched_yield();
	close(fd);
	/* Without the file, too. */
	ck_assert(!prf_position_is_running(sleeper, sleeper, -1));
	ck_assert(prf_position_is_running(getpid(), getpid(), -1));
	close(ends[1]);
}
END_TEST

START_TEST(a_call_has_its_arguments)
{
	struct prf_position position;
	uint64_t args[6];

	ck_assert_int_eq(prf_position_parse_call("7 0x1 0x2 0x3 0x4 0x5 "
						 "0xffffffffffffffff 0x7 0x8\n",
						 &position, args),
			 0);
	ck_assert_int_eq(position.syscall, 7);
	ck_assert_uint_eq(position.sp, 7);
	ck_assert_uint_eq(args[0], 1);
	ck_assert_uint_eq(args[5], UINT64_MAX);
	ck_assert_int_eq(
		prf_position_parse_call("-1 0x7 0x8\n", &position, args), 0);
	ck_assert_uint_eq(args[0], 0);
	ck_assert_int_eq(prf_position_parse_call("running\n", &position, args),
			 -EAGAIN);
	ck_assert_int_eq(
		prf_position_parse_call("7 0x1 x 0x3 0x4 0x5 0x6 0x7 0x8\n",
					&position, args),
		-EINVAL);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("position");
	TCase *tcase = tcase_create("position");

	tcase_add_loop_test(tcase, a_place_is_a_call_and_two_addresses, 0,
			    sizeof place_texts / sizeof *place_texts);
	tcase_add_test(tcase, a_call_has_its_arguments);
	tcase_add_test(tcase, a_reader_of_an_empty_pipe_is_seen_to_sleep);
	suite_add_tcase(suite, tcase);
	return suite;
}
