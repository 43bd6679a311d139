#include "live/proc/rank.h"

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/suite.h"

#define ENVIRONMENT(text) text, sizeof(text)

static const struct {
	const char *environment;
	size_t n_bytes;
	int32_t rank;
} rows[] = {
	{ENVIRONMENT("PMI_RANK=3"), 3},
	{ENVIRONMENT("HOME=/root\0PMI_RANK=17\0PATH=/bin"), 17},
	{ENVIRONMENT("SLURM_PROCID=5\0OMPI_COMM_WORLD_RANK=0"), 0},
	{ENVIRONMENT("PMIX_RANK=2\0PMI_RANK=1"), 2},
	{ENVIRONMENT("PMIX_RANK=\0PMI_RANK=1"), 1},
	{ENVIRONMENT("MV2_COMM_WORLD_RANK=999999999"), 999999999},
	/* None, or none that could be. */
	{"", 0, -1},
	{ENVIRONMENT("HOME=/root"), -1},
	{ENVIRONMENT("XPMI_RANK=3\0PMI_RANKS=4\0PMI_RANK"), -1},
	{ENVIRONMENT("PMI_RANK="), -1},
	{ENVIRONMENT("PMI_RANK=-1"), -1},
	{ENVIRONMENT("PMI_RANK= 1"), -1},
	{ENVIRONMENT("PMI_RANK=1a"), -1},
	{ENVIRONMENT("PMI_RANK=1234567890"), -1},
	/* Cut short: it may be 12. */
	{"PMI_RANK=1", sizeof "PMI_RANK=1" - 1, -1},
	{"HOME=/\0PMI_R", sizeof "HOME=/\0PMI_R" - 1, -1},
};

START_TEST(the_first_variable_that_is_set_is_the_rank)
{
	ck_assert_int_eq(prf_rank_find(rows[_i].environment, rows[_i].n_bytes),
			 rows[_i].rank);
}
END_TEST

/* One that waits, with a rank, after its exec. */
START_TEST(the_rank_of_a_process_is_that_of_its_exec)
{
	int here[2], there[2];
	char ready;

	ck_assert_int_eq(pipe(here), 0);
	ck_assert_int_eq(pipe(there), 0);
	pid_t pid = fork();
	if (pid == 0) {
		setenv("PMI_RANK", "6", 1);
		dup2(here[1], STDOUT_FILENO);
		dup2(there[0], STDIN_FILENO);
		close(there[1]);
		execl("/bin/sh", "sh", "-c", "PMI_RANK=7; echo; read x", NULL);
		_exit(127);
	}
	ck_assert_int_eq(read(here[0], &ready, 1), 1);
	ck_assert_int_eq(prf_rank_of(pid), 6);
	close(there[0]);
	close(there[1]);
	ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
	ck_assert_int_eq(prf_rank_of(pid), -1);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("rank");
	TCase *tcase = tcase_create("rank");

	tcase_add_loop_test(tcase, the_first_variable_that_is_set_is_the_rank,
			    0, sizeof rows / sizeof *rows);
	tcase_add_test(tcase, the_rank_of_a_process_is_that_of_its_exec);
	suite_add_tcase(suite, tcase);
	return suite;
}
