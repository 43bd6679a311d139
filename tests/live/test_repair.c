#include "live/stopped/repair.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#ifdef __aarch64__
#include <asm/ptrace.h>
#endif

#include "core/sample.h"
#include "live/proc/status.h"
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

START_TEST(only_what_a_restart_block_holds_needs_another_call)
{
	struct prf_regs regs = {.syscall = SYS_nanosleep, .result = -516};

	ck_assert(prf_repair_needs_restart_call(&regs));
	ck_assert(!prf_repair_is_due(&regs));
	regs.result = -EINTR;
	ck_assert(!prf_repair_needs_restart_call(&regs));
	regs.result = -516;
	regs.syscall = PRF_NO_SYSCALL;
	ck_assert(!prf_repair_needs_restart_call(&regs));
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

START_TEST(a_descriptor_is_not_closed_twice)
{
	enum { I386_CLOSE = 6 };
	struct prf_regs regs = {
		.syscall = SYS_close, .result = -EINTR, .addr_bytes = 8};

	ck_assert(!prf_repair_is_due(&regs));
	regs.addr_bytes = 4;
	ck_assert(prf_repair_is_due(&regs));
	regs.syscall = I386_CLOSE;
	ck_assert(!prf_repair_is_due(&regs));
}
END_TEST

#ifdef __aarch64__
/* It stands before the mov that comes before the call, so that nothing but its
 * registers tells of one. */
static struct prf_regs
standing_before(uint64_t number)
{
	struct prf_regs regs = {
		.pc = 0x1000, .syscall = PRF_NO_SYSCALL, .addr_bytes = 8};
	struct user_pt_regs user = {.pc = 0x1000, .regs = {[8] = number}};

	memcpy(regs.raw, &user, sizeof user);
	return regs;
}

START_TEST(a_rewound_call_is_pending_until_the_thread_has_run)
{
	struct prf_regs regs = standing_before(SYS_nanosleep);

	ck_assert(prf_repair_is_pending(&regs, 0x1000));
	ck_assert(!prf_repair_is_pending(&regs, 0));
	ck_assert(!prf_repair_is_pending(&regs, 0x1004));
	regs = standing_before(SYS_read);
	ck_assert(!prf_repair_is_pending(&regs, 0x1000));
}
END_TEST
#else
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
#endif

#define S 1000000000ULL

START_TEST(a_call_is_made_again_for_ten_seconds_and_then_told)
{
	struct prf_repair_chain chain = {0};
	int told = 0;

	/* A signal each half second, for a minute. */
	for (uint64_t now = 100 * S; now < 160 * S; now += S / 2)
		told += !prf_repair_chain_goes_on(&chain, 0x1000, now);
	ck_assert_int_ge(told, 5);
	ck_assert_int_le(told, 6);
}
END_TEST

START_TEST(rare_signals_and_other_calls_begin_anew)
{
	struct prf_repair_chain chain = {0};

	for (uint64_t now = 100 * S; now < 1000 * S; now += 11 * S)
		ck_assert(prf_repair_chain_goes_on(&chain, 0x1000, now));
	for (uint64_t i = 0; i < 100; i++)
		ck_assert(prf_repair_chain_goes_on(
			&chain, 0x1000 + 16 * (i % 2), 1000 * S + i * S));
}
END_TEST

START_TEST(a_call_in_which_job_control_has_stopped_the_thread_is_excused)
{
	const struct prf_regs stopped = {
		.pc = 0x1000,
		.sp = 0x7000,
		.syscall = SYS_epoll_pwait,
		.result = -EINTR,
		.addr_bytes = 8,
	};
	struct prf_regs elsewhere = stopped, ended = stopped;
	struct prf_repair_excuse excuse = {0};

	ck_assert(!prf_repair_is_excused(&excuse, &stopped, S));
	prf_repair_excuse(&excuse, &stopped, S);
	/* As many signals as may wait for it. */
	ck_assert(prf_repair_is_excused(&excuse, &stopped, S));
	ck_assert(prf_repair_is_excused(&excuse, &stopped, S + S / 2));
	elsewhere.sp -= 16;
	ck_assert(!prf_repair_is_excused(&excuse, &elsewhere, S + S / 2));
	ck_assert(!prf_repair_is_excused(&excuse, &stopped, S + S / 2));
	prf_repair_excuse(&excuse, &stopped, S);
	ended.result = 1;
	ck_assert(!prf_repair_is_excused(&excuse, &ended, S));
	ck_assert(!prf_repair_is_excused(&excuse, &stopped, S));
	/* The next time it may be in the same call. */
	prf_repair_excuse(&excuse, &stopped, S);
	ck_assert(!prf_repair_is_excused(&excuse, &stopped, 2 * S));
}
END_TEST

START_TEST(a_call_that_has_not_failed_is_not_excused_later)
{
	struct prf_regs regs = {
		.pc = 0x1000, .syscall = SYS_epoll_pwait, .result = 0};
	struct prf_repair_excuse excuse = {0};

	prf_repair_excuse(&excuse, &regs, S);
	regs.result = -EINTR;
	ck_assert(!prf_repair_is_excused(&excuse, &regs, S));
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
	tcase_add_test(tcase, a_descriptor_is_not_closed_twice);
	tcase_add_test(tcase,
		       only_what_a_restart_block_holds_needs_another_call);
	tcase_add_test(tcase,
		       a_rewound_call_is_pending_until_the_thread_has_run);
	tcase_add_test(tcase,
		       a_call_is_made_again_for_ten_seconds_and_then_told);
	tcase_add_test(tcase, rare_signals_and_other_calls_begin_anew);
	tcase_add_test(
		tcase,
		a_call_in_which_job_control_has_stopped_the_thread_is_excused);
	tcase_add_test(tcase, a_call_that_has_not_failed_is_not_excused_later);
	suite_add_tcase(suite, tcase);
	return suite;
}
