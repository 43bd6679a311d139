#include "live/proc/status.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include "live/proc/procfs.h"
#include "support/suite.h"

static const char status_text[] = "Name:\tSigBlk: x\n"
				  "Tgid:\t7\n"
				  "SigQ:\t0/95\n"
				  "SigPnd:\t0000000000000000\n"
				  "SigBlk:\t0000000100000001\n"
				  "SigIgn:\t0000000000001000\n"
				  "SigCgt:\tfffffffe7ffbfeff\n"
				  "Seccomp:\t2\n"
				  "Seccomp_filters:\t3\n"
				  "NSpid:\t4711\t23\t5\n"
				  "NSpgid:\t1\t1\t1\n";

START_TEST(the_status_of_a_thread_is_read_by_field)
{
	struct prf_thread_status status;

	ck_assert_int_eq(prf_status_parse_thread(status_text, &status), 0);
	ck_assert_uint_eq(status.signals_blocked, 0x100000001);
	ck_assert_uint_eq(status.signals_ignored, 0x1000);
	ck_assert_uint_eq(status.signals_caught, 0xfffffffe7ffbfeff);
	ck_assert_uint_eq(status.seccomp_mode, 2);
	ck_assert_uint_eq(status.seccomp_filters, 3);
	ck_assert_int_eq(status.own_tid, 5);
}
END_TEST

START_TEST(a_status_without_signals_is_refused)
{
	struct prf_thread_status status;

	ck_assert_int_eq(prf_status_parse_thread("Name:\tx\n", &status),
			 -EINVAL);
	ck_assert_int_eq(prf_status_parse_thread("", &status), -EINVAL);
}
END_TEST

START_TEST(a_kernel_without_seccomp_has_no_filters)
{
	struct prf_thread_status status;

	ck_assert_int_eq(
		prf_status_parse_thread(
			"SigPnd:\t0\nSigBlk:\t0\nSigIgn:\t0\nSigCgt:\t0\n",
			&status),
		0);
	ck_assert_uint_eq(status.seccomp_mode, 0);
	ck_assert_uint_eq(status.seccomp_filters, 0);
	ck_assert_int_eq(status.own_tid, 0);
}
END_TEST

static const char process_text[] = "Name:\tx\n"
				   "State:\tS (sleeping)\n"
				   "Tgid:\t42\n"
				   "Pid:\t43\n"
				   "PPid:\t7\n"
				   "TracerPid:\t99\n"
				   "Uid:\t1000\t0\t0\t0\n"
				   "VmSize:\t    2480 kB\n"
				   "Threads:\t3\n"
				   "SigPnd:\t0000000000000001\n"
				   "ShdPnd:\t0000000000020000\n"
				   "CapEff:\t0000000000080000\n";

START_TEST(the_process_of_a_thread_is_read_by_field)
{
	struct prf_process_status status;

	ck_assert_int_eq(prf_status_parse_process(process_text, &status), 0);
	ck_assert_int_eq(status.pid, 42);
	ck_assert_int_eq(status.parent, 7);
	ck_assert_int_eq(status.tracer, 99);
	ck_assert_uint_eq(status.uid, 1000);
	ck_assert_int_eq(status.n_threads, 3);
	ck_assert_uint_eq(status.capabilities, 1 << 19);
	ck_assert(!status.is_zombie && !status.is_kernel);
	ck_assert(!status.is_stopped);
	ck_assert_uint_eq(status.signals_pending, 0x20000);
	ck_assert_int_eq(prf_status_read_process(getpid(), &status), 0);
	ck_assert_int_eq(status.pid, getpid());
	ck_assert_int_eq(status.parent, getppid());
}
END_TEST

START_TEST(without_memory_it_is_the_kernels_or_dead)
{
	struct prf_process_status status;

	ck_assert_int_eq(
		prf_status_parse_process("State:\tS (x)\nTgid:\t2\n", &status),
		0);
	ck_assert(status.is_kernel && !status.is_zombie);
	ck_assert_int_eq(
		prf_status_parse_process("State:\tZ (x)\nTgid:\t2\n", &status),
		0);
	ck_assert(status.is_zombie && !status.is_kernel);
	ck_assert_int_eq(
		prf_status_parse_process("State:\tX (x)\nTgid:\t2\n", &status),
		0);
	ck_assert(status.is_zombie);
	ck_assert_int_eq(prf_status_parse_process("", &status), -EINVAL);
	ck_assert_int_eq(prf_status_parse_process("Tgid:\tx\n", &status),
			 -EINVAL);
	ck_assert_int_eq(
		prf_status_parse_process("State:\t\nTgid:\t-1\n", &status),
		-EINVAL);
}
END_TEST

START_TEST(job_control_or_a_tracer_has_stopped_it)
{
	static const char *const texts[] = {
		"State:\tT (stopped)\nTgid:\t2\n",
		"State:\tt (tracing stop)\nTgid:\t2\n"};
	struct prf_process_status status;

	ck_assert_int_eq(prf_status_parse_process(texts[_i], &status), 0);
	ck_assert(status.is_stopped && !status.is_zombie);
}
END_TEST

START_TEST(ones_own_thread_has_a_status)
{
	struct prf_thread_status status;

	ck_assert_int_eq(prf_status_read_thread(getpid(), gettid(), &status),
			 0);
}
END_TEST

/* A file with a status in which N groups come before all that is asked for. */
static int
write_grouped(int n)
{
	int fd = memfd_create("status", MFD_CLOEXEC);

	ck_assert_int_ge(fd, 0);
	dprintf(fd, "Name:\tx\nNSpid:\t4711\t23\nGroups:\t");
	for (int i = 0; i < n; i++)
		dprintf(fd, "%d ", 1000000 + i);
	dprintf(fd, "\nSigPnd:\t1\nSigBlk:\t2\nSigIgn:\t4\nSigCgt:\t8\n"
		    "voluntary_ctxt_switches:\t5\n");
	return fd;
}

START_TEST(any_number_of_groups_hides_nothing)
{
	/* Beside others one that ends with the room. */
	static const int numbers[] = {0,    1019, 1020, 1021,
				      1022, 1200, 5000, 65536};
	int fd = write_grouped(numbers[_i]);
	struct prf_thread_status status;

	for (int i = 0; i < 2; i++) {
		ck_assert_int_eq(prf_status_pread_thread(fd, 3, &status), 0);
		ck_assert_int_eq(status.own_tid, 23);
		ck_assert_uint_eq(status.signals_pending, 1);
		ck_assert_uint_eq(status.signals_blocked, 2);
		ck_assert_uint_eq(status.signals_ignored, 4);
		ck_assert_uint_eq(status.signals_caught, 8);
		ck_assert_uint_eq(status.sleeps, 5);
	}
	close(fd);
}
END_TEST

/* (No file of the kernel's is like that.) */
START_TEST(what_has_too_many_lines_is_read_as_far_as_there_is_room)
{
	int fd = memfd_create("status", MFD_CLOEXEC);
	char text[PRF_PROCFS_BYTES];

	ck_assert_int_ge(fd, 0);
	for (int i = 0; i < 2000; i++)
		dprintf(fd, "Line:\t%d\n", i);
	ck_assert_int_eq(prf_procfs_pread_lines(fd, text, sizeof text), 0);
	ck_assert_uint_eq(strlen(text), sizeof text - 1);
	ck_assert_mem_eq(text, "Line:\t0\nLine:\t1\n", 16);
	close(fd);
}
END_TEST

START_TEST(a_thread_that_is_not_there_has_no_status)
{
	struct prf_thread_status status;

	ck_assert_int_eq(prf_status_read_thread(getpid(), 1, &status), -ENOENT);
}
END_TEST

START_TEST(a_process_is_found_by_its_tracer_until_it_ends)
{
	siginfo_t info;
	pid_t child = fork();

	while (child == 0)
		pause();
	ck_assert_int_eq(prf_status_find_traced(gettid()), 0);
	if (ptrace(PTRACE_SEIZE, child, NULL, NULL))
		prf_skip("ptrace is refused");
	ck_assert_int_eq(prf_status_find_traced(gettid()), child);
	kill(child, SIGKILL);
	ck_assert_int_eq(waitid(P_PID, (id_t)child, &info, WEXITED | WNOWAIT),
			 0);
	ck_assert_int_eq(prf_status_find_traced(gettid()), 0);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("status");
	TCase *tcase = tcase_create("status");

	tcase_add_test(tcase, the_status_of_a_thread_is_read_by_field);
	tcase_add_test(tcase, a_status_without_signals_is_refused);
	tcase_add_test(tcase, a_kernel_without_seccomp_has_no_filters);
	tcase_add_test(tcase, the_process_of_a_thread_is_read_by_field);
	tcase_add_test(tcase, without_memory_it_is_the_kernels_or_dead);
	tcase_add_loop_test(tcase, job_control_or_a_tracer_has_stopped_it, 0,
			    2);
	tcase_add_test(tcase, ones_own_thread_has_a_status);
	tcase_add_loop_test(tcase, any_number_of_groups_hides_nothing, 0, 8);
	tcase_add_test(tcase,
		       what_has_too_many_lines_is_read_as_far_as_there_is_room);
	tcase_add_test(tcase, a_thread_that_is_not_there_has_no_status);
	tcase_add_test(tcase, a_process_is_found_by_its_tracer_until_it_ends);
	suite_add_tcase(suite, tcase);
	return suite;
}
