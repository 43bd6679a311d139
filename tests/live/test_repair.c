#include "live/repair.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>

#include "core/sample.h"
#include "support/suite.h"

static const struct {
	const char *what;
	int signal;
	struct prf_thread_status status;
	bool ignored, caught;
} rows[] = {
	{"SIGCHLD by default", SIGCHLD, {0}, true, false},
	{"SIGWINCH by default", SIGWINCH, {0}, true, false},
	{"SIGURG by default", SIGURG, {0}, true, false},
	{"SIGCONT by default", SIGCONT, {0}, true, false},
	{"SIGUSR1 by default", SIGUSR1, {0}, false, false},
	{"SIGTERM by default", SIGTERM, {0}, false, false},
	{"SIGUSR1 with SIG_IGN",
	 SIGUSR1,
	 {.signals_ignored = 1 << (SIGUSR1 - 1)},
	 true,
	 false},
	{"SIGCHLD with a handler",
	 SIGCHLD,
	 {.signals_caught = 1 << (SIGCHLD - 1)},
	 false,
	 true},
	{"signal 64 with a handler",
	 64,
	 {.signals_caught = 1ULL << 63},
	 false,
	 true},
};

START_TEST(what_a_signal_will_do_follows_from_the_status)
{
	ck_assert_msg(prf_repair_signal_is_ignored(rows[_i].signal,
						   &rows[_i].status) ==
			      rows[_i].ignored,
		      "%s: ignored", rows[_i].what);
	ck_assert_msg(prf_repair_signal_is_caught(rows[_i].signal,
						  &rows[_i].status) ==
			      rows[_i].caught,
		      "%s: caught", rows[_i].what);
}
END_TEST

START_TEST(only_a_call_that_fails_with_eintr_is_repaired)
{
	struct prf_regs regs = {.syscall = SYS_epoll_pwait, .result = -EINTR};

	ck_assert(prf_repair_is_due(&regs));
	regs.result = -EAGAIN;
	ck_assert(!prf_repair_is_due(&regs));
	regs.result = 5;
	ck_assert(!prf_repair_is_due(&regs));
	regs.result = -EINTR;
	regs.syscall = PRF_NO_SYSCALL;
	ck_assert(!prf_repair_is_due(&regs));
}
END_TEST

START_TEST(a_rewound_call_is_pending_until_the_thread_has_run)
{
	struct prf_regs regs = {.pc = 0x1000, .syscall = 232, .result = 232};

	ck_assert(prf_repair_is_pending(&regs, 0x1000));
	ck_assert(!prf_repair_is_pending(&regs, 0));
	regs.pc = 0x1002;
	ck_assert(!prf_repair_is_pending(&regs, 0x1000));
	regs.pc = 0x1000;
	regs.result = 0;
	ck_assert(!prf_repair_is_pending(&regs, 0x1000));
	regs.result = 232;
	regs.syscall = PRF_NO_SYSCALL;
	ck_assert(!prf_repair_is_pending(&regs, 0x1000));
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("repair");
	TCase *tcase = tcase_create("repair");

	tcase_add_loop_test(tcase,
			    what_a_signal_will_do_follows_from_the_status, 0,
			    (int)(sizeof rows / sizeof *rows));
	tcase_add_test(tcase, only_a_call_that_fails_with_eintr_is_repaired);
	tcase_add_test(tcase,
		       a_rewound_call_is_pending_until_the_thread_has_run);
	suite_add_tcase(suite, tcase);
	return suite;
}
