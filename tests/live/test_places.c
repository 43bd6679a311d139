/* Runs in odd places: sandboxes, limits, signals and job control. */
#include "live/sampler.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "live/proc/schedstat.h"
#include "live/proc/stat.h"
#include "sampling.h"
#include "support/refuse.h"
#include "support/suite.h"
#include "traced.h"

static const struct prf_trigger_stats *
stats_of(const char *trigger)
{
	const struct prf_trigger_stats *stats = prf_sampling.run.stats.trigger;

	for (int i = 0; i < PRF_MAX_TRIGGERS && stats[i].name; i++)
		if (!strcmp(stats[i].name, trigger))
			return &stats[i];
	ck_abort_msg("there is no trigger %s", trigger);
}

static const char *const sandboxes[] = {
	"0.3 list",
	"0.3 no_restart",
	"0.3 no_timers",
	"0.3 strict",
};

/* By the triggers that stop threads: that is what places can forbid. */
static void
stop_threads(void)
{
	if (prf_refuse_call(SYS_perf_event_open, EPERM))
		prf_skip("no filter can be made");
}

START_TEST(a_program_in_a_sandbox_lives_and_is_seen)
{
	/* The kernel makes no strict one of what has a filter. */
	bool is_strict = strstr(sandboxes[_i], "strict");

	if (!is_strict)
		stop_threads();
	int rc = prf_sampling_run(&prf_sampling.recorder.base,
				  prf_workload("seccompy"), sandboxes[_i]);

	ck_assert_int_eq(rc, 0);
	if (WIFEXITED(prf_sampling.run.wait_status) &&
	    WEXITSTATUS(prf_sampling.run.wait_status) == 77)
		prf_skip("no sandbox can be made");
	prf_sampling_check_exit(0);
	prf_sampling_check_sums();
	prf_sampling_check_ticks();
	ck_assert_uint_eq(prf_sampling.run.stats.unarmed, 0);
	if (prf_sampling.run.stats.threads > 1 && !is_strict) {
		ck_assert_uint_ge(prf_sampling.run.stats.trigger[1].threads, 1);
		ck_assert_ptr_nonnull(strstr(
			prf_sampling.run.stats.fallback_reason, "seccomp"));
	}
}
END_TEST

/* It takes about a second until it is found out. */
START_TEST(a_thread_that_blocks_all_signals_by_hand_is_interrupted_in_the_end)
{
	stop_threads();
	prf_sampling_run_workload("masked", "2 raw");
	prf_sampling_check_exit(0);
	ck_assert_uint_eq(stats_of("interrupt")->threads, 1);
	ck_assert_ptr_nonnull(strstr(prf_sampling.run.stats.fallback_reason,
				     "blocks every signal"));
	ck_assert_double_ge((double)prf_sampling.run.stats.ticks *
				    PRF_SAMPLING_PERIOD_NS,
			    0.3 * (double)prf_sampling.run.stats.cpu_ns);
	ck_assert_double_le((double)prf_sampling.run.stats.ticks *
				    PRF_SAMPLING_PERIOD_NS,
			    1.1 * (double)prf_sampling.run.stats.cpu_ns);
}
END_TEST

/* Its part of the ticks is a seventh: too little to be missed at a glance. */
START_TEST(a_thread_that_blocks_all_signals_is_found_among_others)
{
	stop_threads();
	prf_sampling_run_workload("masked", "1 raw 6");
	prf_sampling_check_exit(0);
	ck_assert_uint_eq(stats_of("interrupt")->threads, 1);
	ck_assert_ptr_nonnull(strstr(prf_sampling.run.stats.fallback_reason,
				     "blocks every signal"));
}
END_TEST

/* Whatever was asked for: what cannot stop a thread does not keep it. */
START_TEST(a_thread_that_blocks_the_signal_of_a_named_trigger_has_another)
{
	const struct prf_trigger_ops *named = prf_sampling_triggers[_i];

	stop_threads();
	prf_sampling.config.trigger = named;
	prf_sampling_run_workload("masked", "2 raw");
	prf_sampling_check_exit(0);
	if (named == &prf_trigger_interrupt || named == &prf_trigger_ring)
		return;
	ck_assert_ptr_nonnull(
		strstr(prf_sampling.run.stats.fallback_reason, "blocks"));
	ck_assert_uint_eq(stats_of("interrupt")->threads, 1);
	ck_assert_double_ge((double)prf_sampling.run.stats.ticks *
				    PRF_SAMPLING_PERIOD_NS,
			    0.3 * (double)prf_sampling.run.stats.cpu_ns);
}
END_TEST

START_TEST(a_timer_that_the_program_deletes_is_made_again)
{
	prf_sampling.config.trigger = &prf_trigger_timer;
	prf_sampling_run_workload("deletes", "2");
	prf_sampling_check_exit(0);
	ck_assert_ptr_nonnull(
		strstr(prf_sampling.run.stats.fallback_reason, "deleted"));
	ck_assert_uint_eq(stats_of("timer")->threads, 2);
	ck_assert_double_ge((double)prf_sampling.run.stats.ticks *
				    PRF_SAMPLING_PERIOD_NS,
			    0.8 * (double)prf_sampling.run.stats.cpu_ns);
}
END_TEST

START_TEST(where_no_timer_can_be_made_threads_are_interrupted)
{
	struct rlimit before, none = {0};

	ck_assert_int_eq(getrlimit(RLIMIT_SIGPENDING, &before), 0);
	stop_threads();
	none.rlim_max = before.rlim_max;
	ck_assert_int_eq(setrlimit(RLIMIT_SIGPENDING, &none), 0);
	prf_sampling_run_workload("deaths", "exit 0.2 7");
	prf_sampling_check_exit(7);
	prf_sampling_check_ticks();
	ck_assert_uint_eq(prf_sampling.run.stats.trigger[1].threads, 1);
	ck_assert_msg(strstr(prf_sampling.run.stats.fallback_reason, "timer"),
		      "%s", prf_sampling.run.stats.fallback_reason);
	/* Check, too, makes one. */
	ck_assert_int_eq(setrlimit(RLIMIT_SIGPENDING, &before), 0);
}
END_TEST

/* The kernel tells a process that ignores SIGCHLD of no stop. */
START_TEST(a_caller_that_ignores_sigchld_hears_of_stops)
{
	signal(SIGCHLD, SIG_IGN);
	prf_sampling_run_workload("deaths", "return 0.2 7");
	prf_sampling_check_exit(7);
	ck_assert_uint_lt(prf_sampling.run.stats.wall_ns, 10000000000);
	ck_assert_ptr_eq(signal(SIGCHLD, SIG_DFL), SIG_IGN);
}
END_TEST

/* Nobody but we may wait for it, also while nothing is watched. */
START_TEST(what_is_left_to_a_caller_that_ignores_sigchld_can_be_waited_for)
{
	siginfo_t ended = {0};

	signal(SIGCHLD, SIG_IGN);
	prf_sampling.config.duration_ns = 100000000;
	prf_sampling_run_workload("idle", "1000");
	ck_assert(prf_sampling.run.left);
	kill(prf_sampling.run.pid, SIGTERM);
	/* It ends before we wait for it. */
	ck_assert_int_eq(waitid(P_PID, (id_t)prf_sampling.run.pid, &ended,
				WEXITED | WNOWAIT),
			 0);
	ck_assert_int_eq(
		prf_sampler_await(&prf_sampling.run, &prf_sampling.err), 0);
	ck_assert(WIFSIGNALED(prf_sampling.run.wait_status));
	ck_assert_int_eq(WTERMSIG(prf_sampling.run.wait_status), SIGTERM);
	ck_assert_ptr_eq(signal(SIGCHLD, SIG_DFL), SIG_IGN);
}
END_TEST

START_TEST(somebody_elses_stopped_child_does_not_keep_us)
{
	pid_t child = fork();

	if (child == 0) {
		raise(SIGSTOP);
		_exit(0);
	}
	prf_sampling_run_workload("deaths", "return 0.1 7");
	prf_sampling_check_exit(7);
	kill(child, SIGKILL);
}
END_TEST

static int
signal_ourselves(void *arg, pid_t pid)
{
	(void)pid;
	return kill(getpid(), *(const int *)arg);
}

START_TEST(a_signal_sent_to_us_is_passed_on)
{
	int signal = SIGTERM;

	prf_sampling.config.started = signal_ourselves;
	prf_sampling.config.started_arg = &signal;
	prf_sampling_run_workload("idle", "1000");
	ck_assert(WIFSIGNALED(prf_sampling.run.wait_status));
	ck_assert_int_eq(WTERMSIG(prf_sampling.run.wait_status), SIGTERM);
}
END_TEST

static int
stop_and_continue(void *arg, pid_t pid)
{
	enum { ROUNDS = 300 };
	struct timespec pause = {0, 500000};

	(void)arg;
	if (fork())
		return 0;
	for (int i = 0; i < ROUNDS && !kill(pid, SIGSTOP); i++) {
		nanosleep(&pause, NULL);
		kill(pid, SIGCONT);
		nanosleep(&pause, NULL);
	}
	_exit(0);
}

START_TEST(job_control_does_not_disturb_threads_that_begin)
{
	prf_sampling.config.trigger = prf_sampling_triggers[_i];
	prf_sampling.config.started = stop_and_continue;
	prf_sampling_run_workload("churn", "0.3 0.5 4");
	prf_sampling_check_exit(0);
	ck_assert_uint_eq(prf_sampling.run.stats.unarmed, 0);
	ck_assert_uint_eq(prf_sampling.run.stats.trigger[0].threads,
			  prf_sampling.run.stats.threads);
}
END_TEST

static int
kill_soon(void *arg, pid_t pid)
{
	const struct timespec pause = {0, *(const int *)arg * 1000};

	if (fork())
		return 0;
	nanosleep(&pause, NULL);
	kill(pid, SIGKILL);
	_exit(0);
}

/* Whatever is being done to a thread at that moment. */
START_TEST(a_program_may_be_killed_at_any_moment)
{
	prf_sampling.config.trigger = prf_sampling_triggers[_i];
	prf_sampling.config.period_ns = 1000000;
	prf_sampling.config.started = kill_soon;
	for (int us = 0; us < 8000; us += 200) {
		prf_sampling.config.started_arg = &us;
		prf_recorder_end(&prf_sampling.recorder);
		prf_recorder_begin(&prf_sampling.recorder);
		prf_sampling_run_workload("churn", "1000 0.1 4");
		ck_assert(WIFSIGNALED(prf_sampling.run.wait_status));
		ck_assert_int_eq(WTERMSIG(prf_sampling.run.wait_status),
				 SIGKILL);
	}
}
END_TEST

/* CPU time of PID; all there is if it has gone. */
static uint64_t
cpu_of(pid_t pid)
{
	uint64_t cpu_ns;

	return prf_schedstat_read_cpu(pid, pid, &cpu_ns) ? UINT64_MAX : cpu_ns;
}

/* By job control, or in a stop of ours; or it has gone. */
static bool
is_stopped(pid_t pid)
{
	char state = prf_stat_read_state(pid, pid);

	return state != 'R' && state != 'S' && state != 'D';
}

/* Stops the program, waits until its time stands still, and lets it go on; or
 * kills it if it comes far in spite of that. */
static int
stop_for_a_while(void *arg, pid_t pid)
{
	const struct timespec pause = {0, 50000000};
	const uint64_t far_ns = 500000000;
	uint64_t before_ns, cpu_ns = 0;

	(void)arg;
	if (fork())
		return 0;
	kill(pid, SIGSTOP);
	do {
		before_ns = cpu_ns;
		nanosleep(&pause, NULL);
		cpu_ns = cpu_of(pid);
	} while ((cpu_ns != before_ns || !is_stopped(pid)) && cpu_ns < far_ns);
	kill(pid, cpu_ns < far_ns ? SIGCONT : SIGKILL);
	_exit(0);
}

START_TEST(a_stopped_program_stays_stopped_and_then_goes_on)
{
	prf_sampling.config.trigger = prf_sampling_triggers[_i];
	prf_sampling.config.started = stop_for_a_while;
	prf_sampling_run_workload("deaths", "return 1 7");
	prf_sampling_check_exit(7);
	ck_assert_uint_ge(prf_sampling.run.stats.foreign, 2);
}
END_TEST

/* Runs sh SCRIPT without us; not by system(3), which sets signals up. */
static void
run_bare(const char *script)
{
	pid_t child = fork();
	int status;

	if (child == 0) {
		execlp("sh", "sh", script, NULL);
		_exit(127);
	}
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert_int_eq(status, 0);
}

/* A shell script that asks cat, and says it in the file NAME. */
static void
write_script(const char *path, const char *folder, const char *name)
{
	FILE *file = fopen(path, "w");

	ck_assert_ptr_nonnull(file);
	fprintf(file,
		"cd %s\nexec >%s 2>&1\nulimit -n\nulimit -c\nls /proc/self/fd\n"
		"exec cat /proc/self/status\n",
		folder, name);
	fclose(file);
}

static void *
end_at_once(void *arg)
{
	return arg;
}

/* What a program can tell of its place: the same as without us. */
START_TEST(signals_descriptors_and_limits_are_those_of_a_bare_run)
{
	char folder[] = "/tmp/prf-sampler-XXXXXX", path[64], command[512];
	sigset_t two;

	ck_assert_ptr_nonnull(mkdtemp(folder));
	signal(SIGTRAP, SIG_IGN);
	signal(SIGUSR2, SIG_IGN);
	sigemptyset(&two);
	sigaddset(&two, SIGUSR1);
	sigaddset(&two, SIGCHLD);
	sigprocmask(SIG_BLOCK, &two, NULL);

	snprintf(path, sizeof path, "%s/script", folder);
	/* (The C library takes signals of its own when the first thread begins,
	 * which programs do not ignore then.) */
	pthread_t thread;
	ck_assert_int_eq(pthread_create(&thread, NULL, end_at_once, NULL), 0);
	ck_assert_int_eq(pthread_join(thread, NULL), 0);
	write_script(path, folder, "bare");
	run_bare(path);
	write_script(path, folder, "traced");
	stop_threads();
	ck_assert_int_eq(
		prf_sampling_run(&prf_sampling.recorder.base, "sh", path), 0);
	prf_sampling_check_exit(0);
	snprintf(command, sizeof command,
		 "cd %s && for f in bare traced; do "
		 "grep -E '^([0-9]+|Sig(Blk|Ign|Cgt):.*|Cpus_allowed:.*)$' $f "
		 ">$f.cut; "
		 "done && grep -q '^SigIgn' bare.cut && "
		 "diff bare.cut traced.cut && rm -r %s",
		 folder, folder);
	ck_assert_int_eq(system(command), 0);
}
END_TEST

START_TEST(our_own_limits_are_ours_again_afterwards)
{
	struct rlimit limit = {64, 0}, before, after;

	getrlimit(RLIMIT_NOFILE, &before);
	limit.rlim_max = before.rlim_max;
	ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &limit), 0);
	prf_sampling_run_workload("deaths", "return 0.05 7");
	getrlimit(RLIMIT_NOFILE, &after);
	ck_assert_uint_eq(after.rlim_cur, 64);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("places");
	TCase *tcase = tcase_create("places");

	tcase_add_checked_fixture(tcase, prf_sampling_set_up,
				  prf_sampling_tear_down);
	tcase_set_timeout(tcase, 60);
	tcase_add_loop_test(tcase, a_program_in_a_sandbox_lives_and_is_seen, 0,
			    (int)(sizeof sandboxes / sizeof *sandboxes));
	tcase_add_test(
		tcase,
		a_thread_that_blocks_all_signals_by_hand_is_interrupted_in_the_end);
	tcase_add_test(tcase,
		       a_thread_that_blocks_all_signals_is_found_among_others);
	tcase_add_loop_test(
		tcase,
		a_thread_that_blocks_the_signal_of_a_named_trigger_has_another,
		0, PRF_SAMPLING_N_TRIGGERS);
	tcase_add_test(tcase, a_timer_that_the_program_deletes_is_made_again);
	tcase_add_test(tcase,
		       where_no_timer_can_be_made_threads_are_interrupted);
	tcase_add_test(tcase, a_caller_that_ignores_sigchld_hears_of_stops);
	tcase_add_test(
		tcase,
		what_is_left_to_a_caller_that_ignores_sigchld_can_be_waited_for);
	tcase_add_test(tcase, somebody_elses_stopped_child_does_not_keep_us);
	tcase_add_test(tcase, a_signal_sent_to_us_is_passed_on);
	tcase_add_loop_test(tcase,
			    job_control_does_not_disturb_threads_that_begin, 0,
			    PRF_SAMPLING_N_TRIGGERS);
	tcase_add_loop_test(tcase, a_program_may_be_killed_at_any_moment, 0,
			    PRF_SAMPLING_N_TRIGGERS);
	tcase_add_loop_test(tcase,
			    a_stopped_program_stays_stopped_and_then_goes_on, 0,
			    PRF_SAMPLING_N_TRIGGERS);
	tcase_add_test(tcase,
		       signals_descriptors_and_limits_are_those_of_a_bare_run);
	tcase_add_test(tcase, our_own_limits_are_ours_again_afterwards);
	suite_add_tcase(suite, tcase);
	return suite;
}
