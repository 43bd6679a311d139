/* What becomes of the probe's child if the prober is killed. */
#include "live/probe.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "live/proc/procfs.h"
#include "live/proc/status.h"
#include "support/suite.h"

_Noreturn static void
probe_for_ever(void)
{
	struct prf_probe probe;

	for (;;)
		prf_probe_machine(&probe);
}

/* The child of PROBER, if that traces one just now; 0 if not. */
static pid_t
traced_child(pid_t prober)
{
	struct prf_process_status status;
	char text[64];
	int child;

	if (prf_procfs_read(prober, prober, "children", text, sizeof text) ||
	    sscanf(text, "%d", &child) != 1 ||
	    prf_status_read_process(child, &status) || status.tracer != prober)
		return 0;
	return child;
}

/* Stops PROBER while it traces a child, which it returns. */
static pid_t
stop_in_a_probe(pid_t prober)
{
	for (;;) {
		int status;
		pid_t child;

		while (!traced_child(prober))
			usleep(100);
		kill(prober, SIGSTOP);
		ck_assert_int_eq(waitpid(prober, &status, WUNTRACED), prober);
		ck_assert(WIFSTOPPED(status));
		child = traced_child(prober);
		if (child)
			return child;
		kill(prober, SIGCONT);
	}
}

/* It would compute for half a second, with nobody to wait for it. */
START_TEST(the_child_dies_with_its_prober)
{
	int status;

	ck_assert_int_eq(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
	pid_t prober = fork();
	if (prober == 0)
		probe_for_ever();
	pid_t child = stop_in_a_probe(prober);
	kill(prober, SIGKILL);
	ck_assert_int_eq(waitpid(prober, &status, 0), prober);
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert(WIFSIGNALED(status));
	ck_assert_int_eq(WTERMSIG(status), SIGKILL);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("probe_killed");
	TCase *tcase = tcase_create("probe_killed");
	struct prf_probe probe;

	prf_probe_machine(&probe);
	if (probe.ptrace.code || access("/proc/thread-self/children", R_OK))
		exit(77);
	tcase_add_loop_test(tcase, the_child_dies_with_its_prober, 0, 5);
	suite_add_tcase(suite, tcase);
	return suite;
}
