#include "space/program.h"

#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "space/files.h"
#include "support/made.h"
#include "support/suite.h"

static struct prf_program *
program_of(const char *path, const char *command, uint64_t inode)
{
	const struct prf_exec exec = {
		.pid = 7,
		.path = path,
		.command = command,
		.inode = inode,
		.addr_bytes = 4,
		.machine = 3,
	};
	struct prf_program *program = prf_program_new(&exec);

	ck_assert_ptr_nonnull(program);
	ck_assert_int_eq(program->pid, 7);
	ck_assert_uint_eq(program->addr_bytes, 4);
	ck_assert_uint_eq(program->machine, 3);
	return program;
}

static const struct {
	const char *path, *command, *name, *shown;
} called[] = {
	{"/bin/cat", "cat file", "cat", "cat file"},
	{"/bin/cat", "/bin/cat /etc/motd", "cat", "cat /etc/motd"},
	{"/bin/cat", "", "cat", "cat"},
	{"cat", "./", "cat", "./"},
	{"", "", "", "?"},
};

START_TEST(a_program_is_called_without_directories)
{
	struct prf_program *program =
		program_of(called[_i].path, called[_i].command, 1);

	ck_assert_str_eq(prf_program_name(program), called[_i].name);
	ck_assert_str_eq(prf_program_command(program), called[_i].shown);
	prf_program_drop(program);
}
END_TEST

/* A process that is attached to has run its program for a while. */
START_TEST(a_program_has_begun_when_its_process_was_made)
{
	struct prf_exec exec = {
		.pid = 1,
		.path = "",
		.command = "",
		.addr_bytes = 8,
	};
	struct timespec since_boot;
	time_t before = time(NULL);

	ck_assert_int_eq(clock_gettime(CLOCK_BOOTTIME, &since_boot), 0);
	pid_t child = fork();
	if (!child) {
		pause();
		_exit(0);
	}
	exec.pid = child;
	struct prf_program *program = prf_program_new(&exec);
	ck_assert_ptr_nonnull(program);
	ck_assert_int_ge(program->begun, before - 2);
	ck_assert_int_le(program->begun, time(NULL) + 2);
	prf_program_drop(program);
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	exec.pid = 1; /* as old as its namespace, and not as we are */
	program = prf_program_new(&exec);
	ck_assert_int_le(program->begun, before + 2);
	ck_assert_int_ge(program->begun, before - since_boot.tv_sec - 2);
	prf_program_drop(program);
}
END_TEST

START_TEST(a_program_is_in_its_file_wherever_that_is_now)
{
	made_elf("prog", NULL, 0);
	struct prf_file *file = made_file("prog");
	char gone[600];
	snprintf(gone, sizeof gone, "%s (deleted)", file->path);
	const struct {
		const char *path;
		uint64_t inode;
		bool is;
	} cases[] = {
		{file->path, file->inode, true},
		{gone, file->inode, true},
		{file->path, file->inode + 1, false},
		{"/other", file->inode, false},
		{"", file->inode, false},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct prf_program *program =
			program_of(cases[i].path, "", cases[i].inode);

		ck_assert(prf_program_is(program, file) == cases[i].is);
		prf_program_drop(program);
	}
	prf_files_drop(file);
}
END_TEST

START_TEST(one_that_is_held_stays)
{
	struct prf_program *program = prf_program_new(NULL);

	ck_assert_ptr_eq(prf_program_hold(program), program);
	prf_program_drop(program);
	ck_assert_str_eq(program->path, "");
	prf_program_drop(program);
	prf_program_drop(NULL);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("program");
	TCase *tcase = tcase_create("program");

	tcase_add_checked_fixture(tcase, made_begin, made_end);
	tcase_add_loop_test(tcase, a_program_is_called_without_directories, 0,
			    5);
	tcase_add_test(tcase, a_program_has_begun_when_its_process_was_made);
	tcase_add_test(tcase, a_program_is_in_its_file_wherever_that_is_now);
	tcase_add_test(tcase, one_that_is_held_stays);
	suite_add_tcase(suite, tcase);
	return suite;
}
