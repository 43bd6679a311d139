#include "live/procfs.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "core/sample.h"
#include "support/suite.h"

static const char status_text[] = "Name:\tSigBlk: x\n"
				  "Tgid:\t7\n"
				  "SigQ:\t0/95\n"
				  "SigPnd:\t0000000000000000\n"
				  "SigBlk:\t0000000100000001\n"
				  "SigIgn:\t0000000000001000\n"
				  "SigCgt:\tfffffffe7ffbfeff\n"
				  "Seccomp:\t2\n"
				  "Seccomp_filters:\t3\n";

START_TEST(the_status_of_a_thread_is_read_by_field)
{
	struct prf_thread_status status;

	ck_assert_int_eq(prf_thread_status_parse(status_text, &status), 0);
	ck_assert_uint_eq(status.signals_blocked, 0x100000001);
	ck_assert_uint_eq(status.signals_ignored, 0x1000);
	ck_assert_uint_eq(status.signals_caught, 0xfffffffe7ffbfeff);
	ck_assert_uint_eq(status.seccomp_mode, 2);
	ck_assert_uint_eq(status.seccomp_filters, 3);
}
END_TEST

START_TEST(a_status_without_signals_is_refused)
{
	struct prf_thread_status status;

	ck_assert_int_eq(prf_thread_status_parse("Name:\tx\n", &status),
			 -EINVAL);
	ck_assert_int_eq(prf_thread_status_parse("", &status), -EINVAL);
}
END_TEST

START_TEST(a_kernel_without_seccomp_has_no_filters)
{
	struct prf_thread_status status;

	ck_assert_int_eq(
		prf_thread_status_parse(
			"SigPnd:\t0\nSigBlk:\t0\nSigIgn:\t0\nSigCgt:\t0\n",
			&status),
		0);
	ck_assert_uint_eq(status.seccomp_mode, 0);
	ck_assert_uint_eq(status.seccomp_filters, 0);
}
END_TEST

static const char kin_text[] = "Name:\tx\n"
			       "State:\tS (sleeping)\n"
			       "Tgid:\t42\n"
			       "Pid:\t43\n"
			       "PPid:\t7\n"
			       "TracerPid:\t99\n"
			       "Uid:\t1000\t0\t0\t0\n"
			       "VmSize:\t    2480 kB\n"
			       "Threads:\t3\n"
			       "CapEff:\t0000000000080000\n";

START_TEST(the_kin_of_a_thread_is_read_by_field)
{
	struct prf_kin kin;

	ck_assert_int_eq(prf_kin_parse(kin_text, &kin), 0);
	ck_assert_int_eq(kin.pid, 42);
	ck_assert_int_eq(kin.parent, 7);
	ck_assert_int_eq(kin.tracer, 99);
	ck_assert_uint_eq(kin.uid, 1000);
	ck_assert_int_eq(kin.n_threads, 3);
	ck_assert_uint_eq(kin.capabilities, 1 << 19);
	ck_assert(!kin.is_zombie && !kin.is_kernel);
	ck_assert_int_eq(prf_kin_read(getpid(), &kin), 0);
	ck_assert_int_eq(kin.pid, getpid());
	ck_assert_int_eq(kin.parent, getppid());
}
END_TEST

START_TEST(without_memory_it_is_the_kernels_or_dead)
{
	struct prf_kin kin;

	ck_assert_int_eq(prf_kin_parse("State:\tS (x)\nTgid:\t2\n", &kin), 0);
	ck_assert(kin.is_kernel && !kin.is_zombie);
	ck_assert_int_eq(prf_kin_parse("State:\tZ (x)\nTgid:\t2\n", &kin), 0);
	ck_assert(kin.is_zombie && !kin.is_kernel);
	ck_assert_int_eq(prf_kin_parse("State:\tX (x)\nTgid:\t2\n", &kin), 0);
	ck_assert(kin.is_zombie);
	ck_assert_int_eq(prf_kin_parse("", &kin), -EINVAL);
	ck_assert_int_eq(prf_kin_parse("Tgid:\tx\n", &kin), -EINVAL);
	ck_assert_int_eq(prf_kin_parse("State:\t\nTgid:\t-1\n", &kin), -EINVAL);
}
END_TEST

/* The command's name can be anything: the fields are counted from its end. */
static const char stat_text[] =
	"42 (a) R (b c) S 1 2 3 4 5 6 7 8 9 10 250 75 13 14 15 16 17 18 19 "
	"20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 6 39\n";

START_TEST(process_times_are_found_behind_a_malicious_name)
{
	struct prf_process_times times;

	ck_assert_int_eq(prf_process_times_parse(stat_text, 100, &times), 0);
	ck_assert_uint_eq(times.user_us, 2500000);
	ck_assert_uint_eq(times.system_us, 750000);
}
END_TEST

START_TEST(the_processor_is_the_39th_field)
{
	int cpu;
	char text[1024] = "1 (x)";

	for (int field = 3; field <= 41; field++)
		sprintf(text + strlen(text), " %d",
			field == 39 ? 6 : 1000 + field);
	ck_assert_int_eq(prf_thread_cpu_of_stat(text, &cpu), 0);
	ck_assert_int_eq(cpu, 6);
}
END_TEST

START_TEST(times_and_the_number_of_slices_are_three_numbers)
{
	struct prf_thread_times times;

	ck_assert_int_eq(
		prf_thread_times_parse("18446744073709551615 7 3\n", &times),
		0);
	ck_assert_uint_eq(times.cpu_ns, UINT64_MAX);
	ck_assert_uint_eq(times.waited_ns, 7);
	ck_assert_uint_eq(times.n_slices, 3);
	ck_assert_int_eq(prf_thread_times_parse("12 7\n", &times), -EINVAL);
	ck_assert_int_eq(prf_thread_times_parse("12\n", &times), -EINVAL);
	ck_assert_int_eq(prf_thread_times_parse("", &times), -EINVAL);
}
END_TEST

static const struct {
	const char *text;
	int rc;
	int32_t syscall;
	uint64_t sp, pc;
} place_texts[] = {
	{"running\n", -EAGAIN, 0, 0, 0},
	{"0 0x3 0x7ffd 0x1 0x0 0x0 0x0 0x7ffc9b8 0x7f3e4a\n", 0, 0, 0x7ffc9b8,
	 0x7f3e4a},
	{"230 0x0 0x0 0x7ff 0x7ff 0x0 0x0 0xffffffffffffffff 0x1\n", 0, 230,
	 UINT64_MAX, 1},
	{"-1 0x7ffc 0x401000\n", 0, PRF_NO_SYSCALL, 0x7ffc, 0x401000},
	{"-1 0x0 0x0\n", 0, PRF_NO_SYSCALL, 0, 0},
	/* What a program may ask for that is no call. */
	{"-2 0x1 0x2 0x3 0x4 0x5 0x6 0x7 0x8\n", 0, PRF_NO_SYSCALL, 7, 8},
	{"4294967294 0x1 0x2 0x3 0x4 0x5 0x6 0x7 0x8\n", 0, PRF_NO_SYSCALL, 7,
	 8},
	{"", -EINVAL, 0, 0, 0},
	{"-1\n", -EINVAL, 0, 0, 0},
	{"0 0x1 0x2 0x3 0x4 0x5 0x6\n", -EINVAL, 0, 0, 0},
	{"0 0x1 0x2 0x3 0x4 0x5 0x6 0x7\n", -EINVAL, 0, 0, 0},
};

START_TEST(a_place_is_a_call_and_two_addresses)
{
	struct prf_thread_place place = {0};

	ck_assert_int_eq(prf_thread_place_parse(place_texts[_i].text, &place),
			 place_texts[_i].rc);
	if (place_texts[_i].rc)
		return;
	ck_assert_int_eq(place.syscall, place_texts[_i].syscall);
	ck_assert_uint_eq(place.sp, place_texts[_i].sp);
	ck_assert_uint_eq(place.pc, place_texts[_i].pc);
}
END_TEST

START_TEST(a_stat_that_is_cut_short_is_refused)
{
	struct prf_process_times times;
	int cpu;

	for (size_t n = 0; n < 30; n++) {
		char *cut = strndup(stat_text, n);

		ck_assert_int_eq(prf_process_times_parse(cut, 100, &times),
				 -EINVAL);
		ck_assert_int_eq(prf_thread_cpu_of_stat(cut, &cpu), -EINVAL);
		free(cut);
	}
}
END_TEST

START_TEST(ones_own_thread_has_a_status_a_clock_and_a_processor)
{
	struct prf_thread_status status;
	uint64_t before_ns, after_ns;
	int cpu;
	volatile unsigned work = 0;

	ck_assert_int_eq(prf_thread_status_read(getpid(), gettid(), &status),
			 0);
	ck_assert_int_eq(prf_thread_processor_read(getpid(), gettid(), &cpu),
			 0);
	ck_assert_int_ge(cpu, 0);
	ck_assert_int_eq(prf_thread_cpu_read(getpid(), gettid(), &before_ns),
			 0);
	/* The kernel brings a running thread's up to date at its ticks. */
	do {
		for (unsigned i = 0; i < 1000000; i++)
			work += i;
		ck_assert_int_eq(
			prf_thread_cpu_read(getpid(), gettid(), &after_ns), 0);
	} while (after_ns == before_ns);
	(void)work;
	ck_assert_uint_gt(after_ns, before_ns);
	(void)work;
}
END_TEST

START_TEST(a_command_is_its_arguments_with_blanks)
{
	char *command = prf_process_command_read(getpid());

	ck_assert_ptr_nonnull(command);
	ck_assert_ptr_nonnull(strstr(command, "test_procfs"));
	ck_assert_ptr_null(prf_process_command_read(-1));
	free(command);
}
END_TEST

START_TEST(a_thread_that_is_not_there_is_said_to_be_missing)
{
	struct prf_thread_status status;
	uint64_t cpu_ns;

	ck_assert_int_eq(prf_thread_status_read(getpid(), 1, &status), -ENOENT);
	ck_assert_int_eq(prf_thread_cpu_read(getpid(), 1, &cpu_ns), -ENOENT);
}
END_TEST

START_TEST(a_reader_of_an_empty_pipe_is_seen_to_sleep)
{
	int ends[2];
	char byte;

	ck_assert_int_eq(pipe(ends), 0);
	pid_t sleeper = fork();
	if (sleeper == 0)
		_exit(read(ends[0], &byte, 1) < 0);
	int fd = prf_thread_syscall_open(sleeper, sleeper);
	if (fd == -EACCES || fd == -EPERM)
		exit(77);
	ck_assert_int_ge(fd, 0);
	while (prf_thread_is_running(sleeper, sleeper, fd))
		sched_yield();
	close(fd);
	/* Without the file, too. */
	ck_assert(!prf_thread_is_running(sleeper, sleeper, -1));
	ck_assert(prf_thread_is_running(getpid(), getpid(), -1));
	close(ends[1]);
}
END_TEST

START_TEST(a_state_stands_behind_whatever_name)
{
	ck_assert_int_eq(prf_thread_state_of_stat("1 (a) S) R 2"), 'R');
	ck_assert_int_eq(prf_thread_state_of_stat("1 (a"), '\0');
}
END_TEST

START_TEST(the_auxiliary_vector_is_that_of_this_process)
{
	uint64_t value = 0;

	ck_assert_int_eq(prf_process_auxv_find(getpid(), sizeof(void *),
					       AT_PAGESZ, &value),
			 0);
	ck_assert_uint_eq(value, getauxval(AT_PAGESZ));
	ck_assert_int_eq(
		prf_process_auxv_find(getpid(), sizeof(void *), 4711, &value),
		-ENOENT);
}
END_TEST

START_TEST(a_file_of_any_length_is_read_whole)
{
	char name[] = "/tmp/prf-slurp-XXXXXX";
	int fd = mkstemp(name);
	size_t size;

	ck_assert_int_ge(fd, 0);
	for (int i = 0; i < 5000; i++)
		ck_assert_int_eq(write(fd, "abc", 3), 3);
	char *text = prf_procfs_slurp(name, &size);
	ck_assert_uint_eq(size, 15000);
	ck_assert_uint_eq(strlen(text), 15000);
	free(text);
	text = prf_procfs_slurp_fd(fd, &size);
	ck_assert_uint_eq(size, 15000);
	free(text);
	close(fd);
	unlink(name);
	ck_assert_ptr_null(prf_procfs_slurp(name, &size));
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("procfs");
	TCase *tcase = tcase_create("procfs");

	tcase_add_test(tcase, the_status_of_a_thread_is_read_by_field);
	tcase_add_test(tcase, a_status_without_signals_is_refused);
	tcase_add_test(tcase, a_kernel_without_seccomp_has_no_filters);
	tcase_add_test(tcase, the_kin_of_a_thread_is_read_by_field);
	tcase_add_test(tcase, without_memory_it_is_the_kernels_or_dead);
	tcase_add_test(tcase, process_times_are_found_behind_a_malicious_name);
	tcase_add_test(tcase, the_processor_is_the_39th_field);
	tcase_add_test(tcase, times_and_the_number_of_slices_are_three_numbers);
	tcase_add_loop_test(tcase, a_place_is_a_call_and_two_addresses, 0,
			    sizeof place_texts / sizeof *place_texts);
	tcase_add_test(tcase, a_stat_that_is_cut_short_is_refused);
	tcase_add_test(tcase,
		       ones_own_thread_has_a_status_a_clock_and_a_processor);
	tcase_add_test(tcase, a_command_is_its_arguments_with_blanks);
	tcase_add_test(tcase, a_thread_that_is_not_there_is_said_to_be_missing);
	tcase_add_test(tcase, a_reader_of_an_empty_pipe_is_seen_to_sleep);
	tcase_add_test(tcase, a_state_stands_behind_whatever_name);
	tcase_add_test(tcase, the_auxiliary_vector_is_that_of_this_process);
	tcase_add_test(tcase, a_file_of_any_length_is_read_whole);
	suite_add_tcase(suite, tcase);
	return suite;
}
