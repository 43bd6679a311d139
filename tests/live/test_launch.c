#include "live/life/launch.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/suite.h"

/* String literals are const here, and execvp(3) wants what it will not change. */
#define ARGV(...) ((char *const *)(const char *const[]){__VA_ARGS__, NULL})

static char folder[] = "/tmp/prf-launch-XXXXXX";
static struct prf_launch_signals signals;
static struct prf_launch started;

static int
count_fds(void)
{
	DIR *dir = opendir("/proc/self/fd");
	int n = 0;

	while (readdir(dir))
		n++;
	closedir(dir);
	return n;
}

static void
set_up(void)
{
	ck_assert_ptr_nonnull(mkdtemp(folder));
	sigprocmask(SIG_SETMASK, NULL, &signals.mask);
	sigaction(SIGCHLD, NULL, &signals.sigchld);
}

static void
tear_down(void)
{
	char command[sizeof folder + 8];

	snprintf(command, sizeof command, "rm -r %s", folder);
	ck_assert_int_eq(system(command), 0);
}

static char *
make_file(const char *name, const char *text, mode_t mode)
{
	static char path[PATH_MAX];

	snprintf(path, sizeof path, "%s/%s", folder, name);
	FILE *file = fopen(path, "w");
	ck_assert_ptr_nonnull(file);
	fputs(text, file);
	fclose(file);
	ck_assert_int_eq(chmod(path, mode), 0);
	return path;
}

static void
launch(char *const argv[])
{
	struct prf_error err = {0};
	int rc = prf_launch_fork(argv, &signals, PTRACE_O_EXITKILL, &started,
				 &err);

	if (rc == -EPERM)
		prf_skip("ptrace is refused");
	ck_assert_msg(!rc, "%s", err.text);
}

/* Lets it run to its end; its wait status. */
static int
run_to_end(void)
{
	int status;

	prf_launch_go(&started);
	for (;;) {
		ck_assert_int_eq(waitpid(started.pid, &status, __WALL),
				 started.pid);
		if (!WIFSTOPPED(status))
			return status;
		ptrace(PTRACE_CONT, started.pid, NULL,
		       (void *)(intptr_t)(status >> 16 ? 0 : WSTOPSIG(status)));
	}
}

static void
check_nothing_is_left(int fds_before)
{
	ck_assert_int_eq(waitpid(-1, NULL, WNOHANG | __WALL), -1);
	ck_assert_int_eq(errno, ECHILD);
	ck_assert_int_eq(count_fds(), fds_before);
}

START_TEST(a_program_runs_and_gives_its_status)
{
	char *const *argv = ARGV("sh", "-c", "exit 5");
	int fds = count_fds();

	launch(argv);
	ck_assert_int_eq(WEXITSTATUS(run_to_end()), 5);
	ck_assert_int_eq(prf_launch_errno(&started), 0);
	check_nothing_is_left(fds);
}
END_TEST

START_TEST(a_program_that_is_not_there_is_enoent)
{
	char *const *plain = ARGV("no-such-program-anywhere");
	char *const *path = ARGV("/nowhere/at/all");
	char *const *empty = ARGV("");
	int fds = count_fds();

	launch(plain);
	run_to_end();
	ck_assert_int_eq(prf_launch_errno(&started), ENOENT);
	launch(path);
	run_to_end();
	ck_assert_int_eq(prf_launch_errno(&started), ENOENT);
	launch(empty);
	run_to_end();
	ck_assert_int_eq(prf_launch_errno(&started), ENOENT);
	check_nothing_is_left(fds);
}
END_TEST

START_TEST(a_file_that_may_not_be_run_is_eacces)
{
	char *const *argv = ARGV(make_file("plain", "text", 0644));
	char *const *dir = ARGV(folder);
	int fds = count_fds();

	launch(argv);
	run_to_end();
	ck_assert_int_eq(prf_launch_errno(&started), EACCES);
	launch(dir);
	run_to_end();
	ck_assert_int_eq(prf_launch_errno(&started), EACCES);
	check_nothing_is_left(fds);
}
END_TEST

START_TEST(an_interpreter_that_is_not_there_is_enoent)
{
	char *const *argv = ARGV(make_file("script", "#!/nowhere/sh\n", 0755));

	launch(argv);
	run_to_end();
	ck_assert_int_eq(prf_launch_errno(&started), ENOENT);
}
END_TEST

/* As execvp(3) does, and every shell. */
START_TEST(text_without_a_first_line_is_a_shell_script)
{
	char *const *argv = ARGV(make_file("script", "exit $1\n", 0755), "6");

	launch(argv);
	ck_assert_int_eq(WEXITSTATUS(run_to_end()), 6);
	ck_assert_int_eq(prf_launch_errno(&started), 0);
}
END_TEST

START_TEST(a_child_that_is_not_wanted_leaves_nothing)
{
	char *const *argv = ARGV("sleep", "1000");
	int fds = count_fds();

	launch(argv);
	prf_launch_abandon(&started);
	check_nothing_is_left(fds);
}
END_TEST

/* As if it were still in exec, on a file that does not come. */
START_TEST(an_exec_that_does_not_end_is_not_waited_for)
{
	char *const *argv = ARGV("sleep", "1000");
	int fds = count_fds();

	launch(argv);
	ck_assert_int_eq(prf_launch_errno(&started), 0);
	prf_launch_abandon(&started);
	check_nothing_is_left(fds);
}
END_TEST

static int
read_number(const char *path)
{
	FILE *file = fopen(path, "r");
	int number = -1;

	ck_assert_ptr_nonnull(file);
	ck_assert_int_eq(fscanf(file, "%d", &number), 1);
	fclose(file);
	return number;
}

/* Neither pipe, nor what else is open here for ourselves alone. */
START_TEST(no_descriptor_of_ours_reaches_the_program)
{
	char script[PATH_MAX + 64];
	const char *path = make_file("fds", "", 0644);
	char *const *argv = ARGV("sh", "-c", script);

	snprintf(script, sizeof script, "ls /proc/self/fd | wc -l >%s", path);
	ck_assert_int_eq(system(script), 0);
	int alone = read_number(path);

	ck_assert_int_ge(open("/dev/null", O_RDONLY | O_CLOEXEC), 0);
	launch(argv);
	ck_assert_int_eq(run_to_end(), 0);
	ck_assert_int_eq(read_number(path), alone);
}
END_TEST

/* Asks grep of itself; a shell would set itself up first. */
static bool
line_says(const char *name, const char *value)
{
	char pattern[64];
	char *const *argv = ARGV("grep", "-q", pattern, "/proc/self/status");

	snprintf(pattern, sizeof pattern, "^%s:.*%s$", name, value);
	launch(argv);
	return run_to_end() == 0;
}

static void
handle(int number)
{
	(void)number;
}

/* Signal N is bit N - 1 of the masks that /proc tells. */
START_TEST(signals_are_as_the_caller_says)
{
	sigset_t all;

	/* Whoever runs the tests may ignore signals, too. */
	for (int number = 1; number < SIGRTMIN; number++)
		signal(number, SIG_DFL);
	signals.sigchld.sa_handler = SIG_IGN;
	signal(SIGUSR2, SIG_IGN);
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, NULL);
	sigemptyset(&signals.mask);
	sigaddset(&signals.mask, SIGUSR1);
	ck_assert(line_says("SigBlk", "0000000000000200"));
	/* But for the C library's own two, which its posix_spawn leaves
	 * ignored in whatever it starts. */
	ck_assert(line_says("SigIgn", "0010800"));
}
END_TEST

static void
treat_setxid(void (*handler)(int))
{
	enum { SETXID = 33 };
	const struct {
		void (*handler)(int);
		unsigned long flags;
		void (*restorer)(void);
		uint64_t mask;
	} action = {.handler = handler};

	ck_assert_int_eq(syscall(SYS_rt_sigaction, SETXID, &action, NULL,
				 sizeof action.mask),
			 0);
}

START_TEST(signal_33_is_ignored_if_it_was)
{
	static const char ignored[] = "[13579bdf]........";

	treat_setxid(SIG_IGN);
	ck_assert(prf_launch_ignores_setxid());
	treat_setxid(SIG_DFL);
	ck_assert(!prf_launch_ignores_setxid());
	ck_assert(!line_says("SigIgn", ignored));
	signals.ignores_setxid = true;
	ck_assert(line_says("SigIgn", ignored));
}
END_TEST

/* A handler of ours would take it. */
START_TEST(a_signal_before_exec_is_the_programs)
{
	char *const *argv = ARGV("sleep", "1000");
	sigset_t term;

	sigemptyset(&term);
	sigaddset(&term, SIGTERM);
	signal(SIGTERM, handle);
	sigprocmask(SIG_BLOCK, &term, NULL);
	launch(argv);
	kill(started.pid, SIGTERM);
	int status = run_to_end();
	ck_assert(WIFSIGNALED(status));
	ck_assert_int_eq(WTERMSIG(status), SIGTERM);
	ck_assert_int_eq(prf_launch_errno(&started), 0);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("launch");
	TCase *tcase = tcase_create("launch");

	tcase_add_checked_fixture(tcase, set_up, tear_down);
	tcase_add_test(tcase, a_program_runs_and_gives_its_status);
	tcase_add_test(tcase, a_program_that_is_not_there_is_enoent);
	tcase_add_test(tcase, a_file_that_may_not_be_run_is_eacces);
	tcase_add_test(tcase, an_interpreter_that_is_not_there_is_enoent);
	tcase_add_test(tcase, text_without_a_first_line_is_a_shell_script);
	tcase_add_test(tcase, a_child_that_is_not_wanted_leaves_nothing);
	tcase_add_test(tcase, an_exec_that_does_not_end_is_not_waited_for);
	tcase_add_test(tcase, no_descriptor_of_ours_reaches_the_program);
	tcase_add_test(tcase, signals_are_as_the_caller_says);
	tcase_add_test(tcase, signal_33_is_ignored_if_it_was);
	tcase_add_test(tcase, a_signal_before_exec_is_the_programs);
	suite_add_tcase(suite, tcase);
	return suite;
}
