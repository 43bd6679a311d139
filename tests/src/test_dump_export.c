#include "src/commands/dump_export.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

#include "src/made_dump.h"
#include "support/suite.h"

static struct prf_dumped dumped;
static char *text;

static void
clear(void)
{
	free(text);
	prf_dumped_clear(&dumped);
}

static void
export_by(int (*write)(const struct prf_dumped *dumped, size_t n, FILE *out))
{
	size_t n_bytes;
	FILE *out = open_memstream(&text, &n_bytes);

	ck_assert_ptr_nonnull(out);
	prf_made_dump_end(&dumped);
	ck_assert_int_eq(write(&dumped, 1, out), 0);
	fclose(out);
}

/* One that waits for the other, which may not be looked at. */
static void
make_two(void)
{
	const struct prf_dump_thread waits = {
		.state = 'S',
		.syscall = SYS_futex,
		.call = "word 0x5, \"1\"",
		.awaited = PRF_MADE_DUMP_PID + 2,
		.is_shared = true,
		.cpu_ns = 7,
		.cut_bytes = 1 << 20,
	};
	const struct prf_dump_thread refused = {
		.how = PRF_DUMP_REFUSED,
		.code = -EPERM,
		.syscall = PRF_NO_SYSCALL,
	};

	prf_made_dump_begin(&dumped, 2);
	dumped.command = strdup("made --of \"nothing\", twice\n");
	dumped.dump.tracer = 9;
	dumped.dump.status.is_stopped = true;
	prf_made_dump_add(&dumped, &waits);
	prf_made_dump_stack(&dumped, PRF_STACK_MEMORY,
			    (const uint64_t[]){0x1000, 0x2000}, 2);
	prf_made_dump_add(&dumped, &refused);
}

#define HEADING                                                                \
	"pid,tid,name,state,how,why,syscall_number,syscall,syscall_text,"      \
	"mutex_holder,joins,cpu_ns,stopped_ns,stack_end,frame,function,"       \
	"offset,binary,file,line,inlined,guessed,addr,vaddr,tracer,stopped,"   \
	"command\n"

START_TEST(csv_has_a_row_for_each_frame_and_each_thread_without)
{
	char expected[1000], thread[200];
	const char *process = "9,1,\"made --of \"\"nothing\"\", twice?\"";

	make_two();
	export_by(prf_dump_export_csv);
	snprintf(thread, sizeof thread,
		 "42,43,\"worker\",S,blocked,,%d,\"futex\",\"word 0x5, "
		 "\"\"1\"\"\",,44,7,0,cut",
		 SYS_futex);
	snprintf(expected, sizeof expected,
		 HEADING
		 "%s,0,,,\"[unknown]\",,,0,0,0x1000,0x1000,%s\n"
		 "%s,1,,,\"[unknown]\",,,0,0,0x2000,0x1fff,%s\n"
		 "42,44,\"worker\",?,refused,\"another program traces it\","
		 ",,,,,0,0,none,,,,,,,,,,,%s\n",
		 thread, process, thread, process, process);
	ck_assert_str_eq(text, expected);
}
END_TEST

START_TEST(csv_of_no_thread_is_its_heading)
{
	prf_made_dump_begin(&dumped, 1);
	export_by(prf_dump_export_csv);
	ck_assert_str_eq(text, HEADING);
}
END_TEST

START_TEST(json_has_what_is_known_and_nothing_else)
{
	make_two();
	export_by(prf_dump_export_json);
	ck_assert_ptr_nonnull(strstr(text, "\"joins\":44"));
	ck_assert_ptr_nonnull(strstr(text, "\"stack_end\":\"cut\""));
	ck_assert_ptr_nonnull(
		strstr(text, "\"why\":\"another program traces it\""));
	ck_assert_ptr_null(strstr(text, "mutex_holder"));
	ck_assert_ptr_null(strstr(text, "\"function\""));
	ck_assert_ptr_null(strstr(text, "\"line\""));
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("dump_export");
	TCase *tcase = tcase_create("dump_export");

	tcase_add_checked_fixture(tcase, NULL, clear);
	tcase_add_test(tcase,
		       csv_has_a_row_for_each_frame_and_each_thread_without);
	tcase_add_test(tcase, csv_of_no_thread_is_its_heading);
	tcase_add_test(tcase, json_has_what_is_known_and_nothing_else);
	suite_add_tcase(suite, tcase);
	return suite;
}
