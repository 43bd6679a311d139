#include "live/life/wants_tracer.h"

#include <stdio.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "support/suite.h"

static bool
waits(long call, unsigned third, unsigned fourth)
{
	char text[128];

	snprintf(text, sizeof text,
		 "%ld 0x1 0x7ffc00001000 0x%x 0x%x 0x0 0x0 0x7ffc0 0x7f00\n",
		 call, third, fourth);
	return prf_wants_tracer_waits(text);
}

START_TEST(who_waits_for_ends_alone_cannot_see_a_stop)
{
	ck_assert(waits(SYS_wait4, 0, 0));
	ck_assert(!waits(SYS_wait4, WUNTRACED, 0));
	ck_assert(waits(SYS_waitid, 0, WEXITED));
	ck_assert(!waits(SYS_waitid, 0, WEXITED | WSTOPPED));
}
END_TEST

START_TEST(who_does_not_wait_has_nothing_to_see)
{
	ck_assert(!waits(SYS_read, 0, 0));
	ck_assert(!prf_wants_tracer_waits("running\n"));
	ck_assert(!prf_wants_tracer_waits(""));
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("wants_tracer");
	TCase *tcase = tcase_create("wants_tracer");

	tcase_add_test(tcase, who_waits_for_ends_alone_cannot_see_a_stop);
	tcase_add_test(tcase, who_does_not_wait_has_nothing_to_see);
	suite_add_tcase(suite, tcase);
	return suite;
}
