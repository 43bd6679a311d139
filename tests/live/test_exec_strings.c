#include "live/proc/exec_strings.h"

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "support/suite.h"
#include "support/unanswered.h"

START_TEST(a_command_is_its_arguments_with_blanks)
{
	char *command = prf_exec_strings_command(getpid());

	ck_assert_ptr_nonnull(command);
	ck_assert_ptr_nonnull(strstr(command, "test_exec_strings"));
	ck_assert_ptr_null(prf_exec_strings_command(-1));
	free(command);
}
END_TEST

START_TEST(arguments_and_environment_are_those_of_the_exec)
{
	static const char *const envp[] = {"A=1", "B=2", NULL};
	int here[2], there[2];
	char ready;
	size_t n_bytes;

	ck_assert_int_eq(pipe(here), 0);
	ck_assert_int_eq(pipe(there), 0);
	pid_t pid = fork();
	if (pid == 0) {
		dup2(here[1], STDOUT_FILENO);
		dup2(there[0], STDIN_FILENO);
		close(there[1]);
		execle("/bin/sh", "sh", "-c", "echo; read line", NULL, envp);
		_exit(127);
	}
	ck_assert_int_eq(read(here[0], &ready, 1), 1);
	char *command = prf_exec_strings_command(pid);
	ck_assert_str_eq(command, "sh -c echo; read line");
	char *environment = prf_exec_strings_environment(pid, &n_bytes);
	ck_assert_uint_eq(n_bytes, sizeof "A=1\0B=2");
	ck_assert_int_eq(memcmp(environment, "A=1\0B=2", n_bytes), 0);
	close(there[0]);
	close(there[1]);
	ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
	ck_assert_ptr_null(prf_exec_strings_command(pid));
	ck_assert_ptr_null(prf_exec_strings_environment(pid, &n_bytes));
	free(command);
	free(environment);
}
END_TEST

/* The N_BYTES at AT are to be this process's arguments and environment from now on;
 * the rest of the map is as it was. */
static bool
put_strings(char *at, size_t n_bytes)
{
	unsigned long code, code_end, stack, data, data_end, heap;
	unsigned long begin = (unsigned long)(uintptr_t)at;
	FILE *stat = fopen("/proc/self/stat", "r");

	if (!stat)
		return false;
	int n = fscanf(stat,
		       "%*d %*s %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u "
		       "%*u %*u %*d %*d %*d %*d %*d %*d %*u %*u %*d %*u %lu "
		       "%lu %lu %*u %*u %*u %*u %*u %*u %*u %*u %*u %*d %*d "
		       "%*u %*u %*u %*u %*d %lu %lu %lu",
		       &code, &code_end, &stack, &data, &data_end, &heap);
	fclose(stat);
	struct prctl_mm_map map = {
		.start_code = code,
		.end_code = code_end,
		.start_data = data,
		.end_data = data_end,
		.start_brk = heap,
		.brk = (unsigned long)(uintptr_t)sbrk(0),
		.start_stack = stack,
		.arg_start = begin,
		.arg_end = begin + n_bytes / 2,
		.env_start = begin + n_bytes / 2,
		.env_end = begin + n_bytes - 1,
		.exe_fd = (uint32_t)-1,
	};
	return n == 6 && !prctl(PR_SET_MM, PR_SET_MM_MAP, &map, sizeof map, 0);
}

START_TEST(what_never_comes_is_not_waited_for_without_end)
{
	enum { BYTES = 1 << 16 };
	int ready[2], over[2];
	char refused;
	size_t n_bytes = 1;

	ck_assert_int_eq(pipe(ready), 0);
	ck_assert_int_eq(pipe(over), 0);
	pid_t pid = fork();
	if (pid == 0) {
		char *never = prf_unanswered_map(BYTES);

		refused = !never || !put_strings(never, BYTES);
		close(over[1]);
		_exit(write(ready[1], &refused, 1) != 1 ||
		      read(over[0], &refused, 1) != 0);
	}
	ck_assert_int_eq(read(ready[0], &refused, 1), 1);
	char *command = refused ? NULL : prf_exec_strings_command(pid);
	char *environment =
		refused ? NULL : prf_exec_strings_environment(pid, &n_bytes);
	kill(pid, SIGKILL);
	ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
	if (refused)
		prf_skip("no memory that never comes, or no other place for "
			 "arguments");
	ck_assert_ptr_null(command);
	ck_assert_uint_eq(n_bytes, 0);
	free(environment);
}
END_TEST

/* Each page that is waited for comes after a third of a second. */
static void *
answer_slowly(void *fd)
{
	const struct timespec third = {0, 333333333};
	struct uffd_msg asked;

	while (read(*(int *)fd, &asked, sizeof asked) == sizeof asked) {
		uint64_t at = asked.arg.pagefault.address & ~(uint64_t)4095;
		struct uffdio_zeropage page = {.range = {at, 4096}};

		nanosleep(&third, NULL);
		ioctl(*(int *)fd, UFFDIO_ZEROPAGE, &page);
	}
	return NULL;
}

START_TEST(all_of_it_has_the_time_of_one_page)
{
	enum { BYTES = 1 << 18, MOST_BYTES = 4 * 4096 };
	int ready[2];
	char refused;
	size_t n_bytes = 0;

	ck_assert_int_eq(pipe(ready), 0);
	pid_t pid = fork();
	if (pid == 0) {
		int fd;
		pthread_t thread;
		char *slow = prf_unanswered_map_until(BYTES, &fd);

		refused = !slow || !put_strings(slow, BYTES) ||
			  pthread_create(&thread, NULL, answer_slowly, &fd);
		(void)!write(ready[1], &refused, 1);
		pause();
	}
	ck_assert_int_eq(read(ready[0], &refused, 1), 1);
	char *environment =
		refused ? NULL : prf_exec_strings_environment(pid, &n_bytes);
	kill(pid, SIGKILL);
	ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
	free(environment);
	if (refused)
		prf_skip("no memory that comes late, or no other place for "
			 "the environment");
	ck_assert_uint_le(n_bytes, MOST_BYTES);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("exec_strings");
	TCase *tcase = tcase_create("exec_strings");

	tcase_add_test(tcase, a_command_is_its_arguments_with_blanks);
	tcase_add_test(tcase, arguments_and_environment_are_those_of_the_exec);
	tcase_add_test(tcase, what_never_comes_is_not_waited_for_without_end);
	tcase_add_test(tcase, all_of_it_has_the_time_of_one_page);
	suite_add_tcase(suite, tcase);
	return suite;
}
