#include "live/life/refusal.h"

#include <errno.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/suite.h"

/* yama_scope 0 is as none. */
#define OTHERWISE .pid = 42, .exists = true

/* Each with one reason, or with a weaker one behind it. */
static const struct {
	struct prf_refusal refusal;
	int code;
	const char *text;
} rows[] = {
	{{.pid = 42}, -ESRCH, "no such process"},
	{{OTHERWISE, .is_ours = true, .tracer = 1}, -EINVAL, "this very"},
	{{OTHERWISE, .is_kernel = true, .own_uid = 5}, -EPERM, "kernel, not"},
	{{OTHERWISE, .is_zombie = true, .own_uid = 5}, -ESRCH, "has ended"},
	{{OTHERWISE, .code = ETIMEDOUT, .tracer = 7, .own_uid = 5},
	 -ETIMEDOUT,
	 "in an execve"},
	{{OTHERWISE, .tracer = 7, .own_uid = 5}, -EBUSY, "traced already"},
	{{OTHERWISE, .own_uid = 5, .yama_scope = 1}, -EPERM, "another user's"},
	{{OTHERWISE, .own_uid = 5, .uid = 5, .owner = 0},
	 -EPERM,
	 "not dumpable"},
	{{OTHERWISE, .yama_scope = 3, .can_trace = true}, -EPERM, "is 3"},
	{{OTHERWISE, .yama_scope = 2}, -EPERM, "is 2"},
	{{OTHERWISE, .yama_scope = 1}, -EPERM, "is 1"},
	{{OTHERWISE, .yama_scope = 2, .can_trace = true}, -EPERM, "seccomp"},
	{{OTHERWISE, .yama_scope = 1, .can_trace = true}, -EPERM, "seccomp"},
	{{OTHERWISE, .own_uid = 5, .can_trace = true}, -EPERM, "seccomp"},
	{{OTHERWISE}, -EPERM, "seccomp"},
};

START_TEST(a_refusal_has_the_first_reason_that_holds)
{
	struct prf_error err = {0};

	ck_assert_int_eq(prf_refusal_explain(&rows[_i].refusal, &err),
			 rows[_i].code);
	ck_assert_int_eq(err.code, rows[_i].code);
	ck_assert_msg(strstr(err.text, rows[_i].text) != NULL, "%s", err.text);
	ck_assert_int_eq(strncmp(err.text, "process 42: ", 12), 0);
	ck_assert_ptr_null(strchr(err.text, '\n'));
}
END_TEST

START_TEST(a_reason_is_told_to_its_end)
{
	struct prf_error err = {0};
	struct prf_refusal refusal = {OTHERWISE, .yama_scope = 1};

	(void)!prf_refusal_explain(&refusal, &err);
	ck_assert_ptr_nonnull(strstr(err.text, "ptrace_scope=0"));
}
END_TEST

START_TEST(what_is_known_of_processes_is_read)
{
	pid_t child = fork();
	siginfo_t info;

	if (child == 0)
		_exit(0);
	ck_assert_int_eq(waitid(P_PID, (id_t)child, &info, WEXITED | WNOWAIT),
			 0);
	struct prf_refusal zombie = prf_refusal_read(child, EPERM);
	ck_assert(zombie.exists && zombie.is_zombie);
	ck_assert(!zombie.is_ours && !zombie.is_kernel);
	ck_assert_int_eq(waitpid(child, NULL, 0), child);
	ck_assert(!prf_refusal_read(child, ESRCH).exists);

	struct prf_refusal own = prf_refusal_read(getpid(), EPERM);
	ck_assert(own.exists && own.is_ours && !own.is_zombie);
	ck_assert_uint_eq(own.uid, getuid());
	ck_assert_uint_eq(own.own_uid, geteuid());
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("refusal");
	TCase *tcase = tcase_create("refusal");

	tcase_add_loop_test(tcase, a_refusal_has_the_first_reason_that_holds, 0,
			    (int)(sizeof rows / sizeof *rows));
	tcase_add_test(tcase, a_reason_is_told_to_its_end);
	tcase_add_test(tcase, what_is_known_of_processes_is_read);
	suite_add_tcase(suite, tcase);
	return suite;
}
