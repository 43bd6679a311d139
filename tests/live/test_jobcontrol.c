#include "live/control/jobcontrol.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/suite.h"

#define S_NS 1000000000ULL

/* --- When */

START_TEST(a_program_that_runs_is_not_followed)
{
	struct prf_job job = {.pid = 1};

	ck_assert_uint_eq(prf_jobcontrol_due_ns(&job), UINT64_MAX);
	job.asked_by = SIGTSTP;
	job.asked_ns = 7 * S_NS;
	ck_assert_uint_eq(prf_jobcontrol_due_ns(&job), UINT64_MAX);
	ck_assert_int_eq(prf_jobcontrol_wait_ms(&job, 8 * S_NS, 1000), 1000);
	ck_assert_int_eq(prf_jobcontrol_wait_ms(&job, 8 * S_NS, -1), -1);
}
END_TEST

START_TEST(who_was_asked_stops_as_soon_as_the_program_has)
{
	struct prf_job job = {
		.pid = 1, .asked_by = SIGTSTP, .asked_ns = 7 * S_NS};

	prf_jobcontrol_note(&job, SIGSTOP, 8 * S_NS);
	ck_assert_int_eq(job.signal, SIGSTOP);
	ck_assert_uint_eq(prf_jobcontrol_due_ns(&job), 8 * S_NS);
	ck_assert_int_eq(prf_jobcontrol_wait_ms(&job, 8 * S_NS, 1000), 0);
	/* Or is asked when it had stopped long before. */
	job.asked_ns = 30 * S_NS;
	ck_assert_uint_eq(prf_jobcontrol_due_ns(&job), 30 * S_NS);
}
END_TEST

START_TEST(others_of_the_job_have_a_second_to_stop)
{
	struct prf_job job = {
		.pid = 1, .asked_by = SIGTSTP, .asked_ns = 7 * S_NS};

	prf_jobcontrol_note(&job, SIGTSTP, 8 * S_NS);
	job.others_run = true;
	ck_assert_uint_eq(prf_jobcontrol_due_ns(&job), 9 * S_NS);
	ck_assert_int_eq(prf_jobcontrol_wait_ms(&job, 8 * S_NS, -1), 1001);
	ck_assert_int_eq(prf_jobcontrol_wait_ms(&job, 8 * S_NS, 500), 500);
}
END_TEST

/* They may be about to let it go on. */
START_TEST(who_was_not_asked_waits_for_all_others)
{
	struct prf_job job = {.pid = 1};

	prf_jobcontrol_note(&job, SIGSTOP, 8 * S_NS);
	ck_assert_uint_eq(prf_jobcontrol_due_ns(&job), 8 * S_NS + S_NS / 10);
	job.others_run = true;
	ck_assert_uint_eq(prf_jobcontrol_due_ns(&job), UINT64_MAX);
	/* That it was asked long ago, and the program went on, is over. */
	job.asked_by = SIGTSTP;
	job.asked_ns = S_NS;
	ck_assert_uint_eq(prf_jobcontrol_due_ns(&job), UINT64_MAX);
}
END_TEST

START_TEST(each_stop_is_followed_once)
{
	struct prf_job job = {.pid = 1};

	prf_jobcontrol_note(&job, SIGSTOP, 8 * S_NS);
	job.followed = true;
	prf_jobcontrol_note(&job, SIGSTOP, 9 * S_NS);
	ck_assert_uint_eq(prf_jobcontrol_due_ns(&job), UINT64_MAX);
	prf_jobcontrol_note(&job, 0, 10 * S_NS);
	prf_jobcontrol_note(&job, SIGTSTP, 11 * S_NS);
	ck_assert_uint_eq(prf_jobcontrol_due_ns(&job), 11 * S_NS + S_NS / 10);
}
END_TEST

/* --- Processes */

static const int stops[] = {SIGSTOP, SIGTSTP, SIGTTIN, SIGTTOU};
enum { N_STOPS = sizeof stops / sizeof *stops };

/* A child that does nothing, and goes with its parent, which may have stopped it before
 * it could ask for that, and be gone. */
static pid_t
begin_program(void)
{
	const pid_t parent = getpid();
	pid_t program = fork();

	if (program == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (getppid() != parent)
			_exit(0);
		signal(SIGTSTP, SIG_DFL);
		for (;;)
			pause();
	}
	ck_assert_int_gt(program, 0);
	return program;
}

static struct prf_job
stop_program(pid_t program, int signal)
{
	struct prf_job job = {.pid = program};
	siginfo_t info;

	/* The group of these tests may be an orphan, which SIGTSTP leaves
	 * alone. */
	kill(program, SIGSTOP);
	ck_assert_int_eq(waitid(P_PID, (id_t)program, &info, WSTOPPED), 0);
	prf_jobcontrol_note(&job, signal, 0);
	return job;
}

/* A process like us, in a process group of its own, whose program has stopped.
 * It ends when it goes on. */
static pid_t
begin_follower(int signal, pid_t *program)
{
	int answer[2];

	ck_assert_int_eq(pipe(answer), 0);
	pid_t follower = fork();
	if (follower == 0) {
		setpgid(0, 0);
		pid_t child = begin_program();
		struct prf_job job = stop_program(child, signal);
		if (write(answer[1], &child, sizeof child) != sizeof child)
			_exit(1);
		prf_jobcontrol_follow(&job);
		_exit(job.followed ? 0 : 2);
	}
	ck_assert_int_gt(follower, 0);
	ck_assert_int_eq(read(answer[0], program, sizeof *program),
			 sizeof *program);
	close(answer[0]);
	close(answer[1]);
	return follower;
}

static void
expect_stop(pid_t follower, int signal)
{
	int status;

	ck_assert_int_eq(waitpid(follower, &status, WUNTRACED), follower);
	ck_assert(WIFSTOPPED(status));
	ck_assert_int_eq(WSTOPSIG(status), signal);
}

static void
expect_end(pid_t follower)
{
	int status;

	ck_assert_int_eq(waitpid(follower, &status, 0), follower);
	ck_assert_int_eq(status, 0);
}

START_TEST(it_is_seen_to_stop_by_the_same_signal)
{
	pid_t program, follower = begin_follower(stops[_i], &program);

	expect_stop(follower, stops[_i]);
	kill(follower, SIGCONT);
	expect_end(follower);
}
END_TEST

START_TEST(a_signal_that_is_ignored_does_not_keep_it_from_that)
{
	pid_t program;

	signal(SIGTSTP, SIG_IGN);
	pid_t follower = begin_follower(SIGTSTP, &program);

	expect_stop(follower, SIGSTOP);
	kill(follower, SIGCONT);
	expect_end(follower);
}
END_TEST

/* Whoever does that may know nothing of the one that follows. */
START_TEST(it_goes_on_with_the_program)
{
	static const int ends[] = {SIGCONT, SIGKILL};
	pid_t program, follower = begin_follower(SIGSTOP, &program);

	expect_stop(follower, SIGSTOP);
	kill(program, ends[_i]);
	expect_end(follower);
}
END_TEST

START_TEST(a_program_that_goes_on_already_is_not_followed)
{
	pid_t program = begin_program();
	struct prf_job job = stop_program(program, SIGSTOP);
	int status;

	kill(program, SIGCONT);
	prf_jobcontrol_follow(&job);
	ck_assert(!job.followed);
	kill(program, SIGKILL);
	ck_assert_int_eq(waitpid(program, &status, 0), program);
}
END_TEST

/* --- What is heard */

static void
expect_news(pid_t program, int options)
{
	siginfo_t info = {0};

	ck_assert_int_eq(waitid(P_PID, (id_t)program, &info, options | WNOWAIT),
			 0);
	ck_assert_int_eq(info.si_pid, program);
}

static void
end_program(pid_t program)
{
	kill(program, SIGKILL);
	waitpid(program, NULL, 0);
}

START_TEST(what_only_it_was_told_it_passes_on)
{
	struct prf_relay_news go_on = {.go_on = true};
	pid_t program = begin_program();
	struct prf_job job = stop_program(program, SIGSTOP);

	job.asked_by = SIGTSTP;
	prf_jobcontrol_take(&job, &go_on, false, 9 * S_NS);
	expect_news(program, WCONTINUED);
	ck_assert_int_eq(job.asked_by, 0);

	struct prf_relay_news stop = {.stop = SIGSTOP, .stop_sender = 1};
	job.followed = true;
	prf_jobcontrol_take(&job, &stop, false, 10 * S_NS);
	expect_news(program, WSTOPPED);
	ck_assert_int_eq(job.asked_by, SIGSTOP);
	ck_assert_uint_eq(job.asked_ns, 10 * S_NS);
	ck_assert(!job.followed);
	end_program(program);
}
END_TEST

/* SIGKILL stands for a signal that would be noticed. */
START_TEST(what_the_program_has_already_is_not_passed_on)
{
	struct prf_relay_news keyboard = {.stop = SIGKILL};
	struct prf_relay_news within = {.stop = SIGKILL, .stop_sender = 1};
	struct prf_relay_news go_on = {.go_on = true};
	pid_t program = begin_program();
	struct prf_job job = {.pid = program};
	siginfo_t info = {0};

	prf_jobcontrol_take(&job, &keyboard, false, S_NS);
	prf_jobcontrol_take(&job, &within, true, S_NS);
	job = stop_program(program, SIGSTOP);
	/* It has gone on, and stopped again. */
	kill(program, SIGCONT);
	kill(program, SIGSTOP);
	expect_news(program, WSTOPPED);
	prf_jobcontrol_take(&job, &go_on, false, S_NS);
	ck_assert_int_eq(waitid(P_PID, (id_t)program, &info,
				WCONTINUED | WEXITED | WNOHANG),
			 0);
	ck_assert_int_eq(info.si_pid, 0);
	end_program(program);
}
END_TEST

START_TEST(when_the_program_has_ended_nothing_is_passed_on)
{
	struct prf_relay_news news = {.stop = SIGKILL, .stop_sender = 1};
	struct prf_job job = {0};

	prf_jobcontrol_take(&job, &news, false, S_NS);
	news = (struct prf_relay_news){.go_on = true};
	job.stopped = true;
	prf_jobcontrol_take(&job, &news, false, S_NS);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("jobcontrol");
	TCase *tcase = tcase_create("jobcontrol");

	tcase_set_timeout(tcase, 60);
	tcase_add_test(tcase, a_program_that_runs_is_not_followed);
	tcase_add_test(tcase, who_was_asked_stops_as_soon_as_the_program_has);
	tcase_add_test(tcase, others_of_the_job_have_a_second_to_stop);
	tcase_add_test(tcase, who_was_not_asked_waits_for_all_others);
	tcase_add_test(tcase, each_stop_is_followed_once);
	tcase_add_loop_test(tcase, it_is_seen_to_stop_by_the_same_signal, 0,
			    N_STOPS);
	tcase_add_test(tcase,
		       a_signal_that_is_ignored_does_not_keep_it_from_that);
	tcase_add_loop_test(tcase, it_goes_on_with_the_program, 0, 2);
	tcase_add_test(tcase, a_program_that_goes_on_already_is_not_followed);
	tcase_add_test(tcase, what_only_it_was_told_it_passes_on);
	tcase_add_test(tcase, what_the_program_has_already_is_not_passed_on);
	tcase_add_test(tcase, when_the_program_has_ended_nothing_is_passed_on);
	suite_add_tcase(suite, tcase);
	return suite;
}
