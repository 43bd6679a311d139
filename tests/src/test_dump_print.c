#include "src/commands/dump_print.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

#include "src/made_dump.h"
#include "support/suite.h"

static struct prf_dumped dumped;
static struct prf_style style;
static char *text;

static void
clear(void)
{
	free(text);
	prf_dumped_clear(&dumped);
}

/* What is printed of DUMPED. */
static void
print(void)
{
	size_t n_bytes;
	FILE *out = open_memstream(&text, &n_bytes);

	ck_assert_ptr_nonnull(out);
	prf_made_dump_end(&dumped);
	ck_assert_int_eq(prf_dump_print(&dumped, false, &style, out), 0);
	fclose(out);
}

/* --- What is said of a thread */

static const struct {
	struct prf_dump_thread thread;
	const char *said;
} threads[] = {
	{{.state = 'S', .syscall = SYS_read}, "waits in read"},
	{{.state = 'S', .syscall = SYS_read, .call = "fd 0, 1 byte"},
	 "waits in read(fd 0, 1 byte)"},
	{{.state = 'S', .syscall = 99999}, "waits in system call 99999"},
	{{.state = 'D', .syscall = SYS_fsync, .call = "fd 3"},
	 "waits in fsync(fd 3), and cannot be interrupted"},
	{{.state = 'D', .syscall = PRF_NO_SYSCALL},
	 "waits, and cannot be interrupted"},
	{{.state = 'T', .syscall = SYS_read}, "is stopped in read"},
	{{.state = 't', .syscall = PRF_NO_SYSCALL}, "is stopped"},
	{{.how = PRF_DUMP_STOPPED, .state = 'R', .syscall = PRF_NO_SYSCALL},
	 "runs"},
	{{.how = PRF_DUMP_STOPPED, .state = 'T', .syscall = PRF_NO_SYSCALL},
	 "is stopped"},
	{{.how = PRF_DUMP_ENDED, .state = 'Z', .syscall = PRF_NO_SYSCALL},
	 "has ended"},
	{{.how = PRF_DUMP_WORKER, .state = 'S', .syscall = PRF_NO_SYSCALL},
	 "is a worker of the kernel's"},
	{{.how = PRF_DUMP_REFUSED,
	  .state = 'R',
	  .code = -EPERM,
	  .syscall = PRF_NO_SYSCALL},
	 "runs; its stack cannot be read: it may not be traced"},
	{{.how = PRF_DUMP_REFUSED,
	  .state = 'T',
	  .code = -ETIMEDOUT,
	  .syscall = PRF_NO_SYSCALL},
	 "is stopped; its stack cannot be read: it has not stopped in time"},
	{{.how = PRF_DUMP_REFUSED,
	  .state = 'R',
	  .code = -EIO,
	  .syscall = PRF_NO_SYSCALL},
	 "runs; its stack cannot be read: Input/output error"},
};
enum { N_THREADS = sizeof threads / sizeof *threads };

START_TEST(a_thread_has_what_is_known_of_it)
{
	char expected[200];

	prf_made_dump_begin(&dumped, 1);
	prf_made_dump_add(&dumped, &threads[_i].thread);
	print();
	snprintf(expected, sizeof expected,
		 "process 42, 1 thread\n\nthread 43 worker %s\n",
		 threads[_i].said);
	ck_assert_str_eq(text, expected);
}
END_TEST

START_TEST(several_have_what_they_have_in_common)
{
	prf_made_dump_begin(&dumped, 9);
	for (size_t i = 0; i < 9; i++)
		prf_made_dump_add(&dumped, &threads[1].thread);
	style.width = 60;
	print();
	ck_assert_str_eq(text,
			 "process 42, 9 threads\n\n"
			 "9 threads, each waits in read\n"
			 "  43 worker, 44 worker, 45 worker, 46 worker, "
			 "47 worker,\n"
			 "  48 worker, 49 worker, 50 worker, 51 worker\n");
}
END_TEST

/* --- What is said of its stack */

static const struct {
	enum prf_stack_end end;
	size_t cut_bytes;
	const char *said;
} ends[] = {
	{PRF_STACK_COMPLETE, 0, ""},
	{PRF_STACK_NONE, 0, "        (no stack could be read)\n"},
	{PRF_STACK_NO_CFI, 0,
	 "        (this code has no unwind information: who called it is not "
	 "known)\n"},
	{PRF_STACK_MEMORY, 0,
	 "        (the memory of the stack could not be read)\n"},
	{PRF_STACK_MEMORY, 1 << 20,
	 "        (only the innermost 1024 KiB of the stack were read)\n"},
	{PRF_STACK_LIMIT, 0, "        (there are more frames)\n"},
	{PRF_STACK_LIMIT, 1 << 20, "        (there are more frames)\n"},
	{PRF_STACK_LOOP, 0, "        (the next frame would be one of these)\n"},
};
enum { N_ENDS = sizeof ends / sizeof *ends };

START_TEST(a_stack_says_why_it_ends)
{
	const struct prf_dump_thread thread = {
		.state = 'S',
		.syscall = SYS_read,
		.cut_bytes = ends[_i].cut_bytes,
	};
	char expected[300];

	prf_made_dump_begin(&dumped, 1);
	prf_made_dump_add(&dumped, &thread);
	prf_made_dump_stack(&dumped, ends[_i].end,
			    (const uint64_t[]){0x1000, 0x2000}, 2);
	print();
	snprintf(expected, sizeof expected,
		 "process 42, 1 thread\n\nthread 43 worker waits in read\n"
		 "  #0    [unknown]+0x1000\n  #1    [unknown]+0x1fff\n%s",
		 ends[_i].said);
	ck_assert_str_eq(text, expected);
}
END_TEST

/* Where the C library has no names, the kernel's part in it tells. */
START_TEST(a_thread_that_waits_for_the_end_of_another_says_whose)
{
	const struct prf_dump_thread waits = {
		.state = 'S',
		.syscall = SYS_futex,
		.awaited = PRF_MADE_DUMP_PID + 2,
		.is_shared = true,
	};

	prf_made_dump_begin(&dumped, 2);
	prf_made_dump_add(&dumped, &waits);
	prf_made_dump_add(&dumped, &threads[0].thread);
	print();
	ck_assert_str_eq(text,
			 "process 42, 2 threads\n\n"
			 "thread 43 worker waits in futex\n"
			 "  thread 43 waits for the end of thread 44 worker\n\n"
			 "thread 44 worker waits in read\n");
}
END_TEST

/* --- What is said of the process */

START_TEST(a_process_that_is_traced_says_by_whom)
{
	prf_made_dump_begin(&dumped, 1);
	prf_made_dump_add(&dumped, &threads[11].thread);
	dumped.dump.tracer = 7;
	dumped.dump.status.is_stopped = true;
	dumped.command = strdup("made of nothing");
	print();
	ck_assert_str_eq(text,
			 "process 42, 1 thread, traced by process 7\n"
			 "  made of nothing\n\n"
			 "thread 43 worker runs; its stack cannot be read: "
			 "another program traces it\n");
}
END_TEST

START_TEST(a_process_that_is_stopped_says_how_it_goes_on)
{
	prf_made_dump_begin(&dumped, 1);
	dumped.dump.status.is_stopped = true;
	print();
	ck_assert_str_eq(text, "process 42, 0 threads\n"
			       "  it is stopped by job control; kill -CONT 42 "
			       "lets it go on\n");
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("dump_print");
	TCase *tcase = tcase_create("dump_print");

	tcase_add_checked_fixture(tcase, NULL, clear);
	tcase_add_loop_test(tcase, a_thread_has_what_is_known_of_it, 0,
			    N_THREADS);
	tcase_add_test(tcase, several_have_what_they_have_in_common);
	tcase_add_loop_test(tcase, a_stack_says_why_it_ends, 0, N_ENDS);
	tcase_add_test(tcase,
		       a_thread_that_waits_for_the_end_of_another_says_whose);
	tcase_add_test(tcase, a_process_that_is_traced_says_by_whom);
	tcase_add_test(tcase, a_process_that_is_stopped_says_how_it_goes_on);
	suite_add_tcase(suite, tcase);
	return suite;
}
