#include "view/export/firefox.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/scope.h"
#include "support/suite.h"
#include "view/export/stack_table.h"
#include "view/made_stacks.h"

PRF_DEFINE_AUTO(prf_profile, prf_profile_free);

static const char *
written(const struct prf_export_way *way)
{
	return made_stacks_written(prf_firefox_write, way);
}

START_TEST(each_column_has_what_a_row_needs)
{
	made_stacks_add(3, PRF_NO_SYSCALL, MADE_PATH(MADE_MAIN, MADE_F));
	made_stacks_add(2, PRF_NO_SYSCALL, MADE_PATH(MADE_MAIN));
	const char *text =
		written(&(const struct prf_export_way){.command = "./prog"});

	made_stacks_has(text, "\"preprocessedProfileVersion\":61");
	made_stacks_has(text, "\"interval\":10,");
	made_stacks_has(text, "\"product\":\"./prog\"");
	made_stacks_has(text, "\"symbolicated\":true");
	/* main as it is called, f, main with a tick of its own. */
	made_stacks_has(text, "\"stackTable\":{\"frame\":[");
	made_stacks_has(text, "\"prefix\":[null,");
	made_stacks_has(text, "\"isMainThread\":true");
	made_stacks_has(text, "\"time\":[0,20],\"weight\":[2,3],"
			      "\"weightType\":\"samples\"");
}
END_TEST

START_TEST(the_kernel_is_a_category_and_no_library)
{
	made_stacks_add(1, 0, MADE_PATH(MADE_MAIN));
	const char *text = written(&(const struct prf_export_way){0});

	made_stacks_has(text, "\"category\":[1,5]");
	made_stacks_has(text, "\"address\":[4104,-1]");
	made_stacks_has(text, "\"nativeSymbol\":[0,null]");
}
END_TEST

START_TEST(hostile_names_are_strings)
{
	made_stacks_add(1, PRF_NO_SYSCALL, MADE_PATH(MADE_HOSTILE));
	const char *text = written(&(const struct prf_export_way){
		.command = "\"]}\n", .full_names = true});

	made_stacks_has(text, "\"\\u003c/script>\\u000a\\\"fn=(1) "
			      "x\\\\\\ufffd;\\u001b[2Jcalls=9 0\\u000d\\u000a"
			      "\"");
	made_stacks_has(text, "\"product\":\"\\\"]}\\u000a\"");
}
END_TEST

/* main at 0x1008 is in a file that it includes, at 0x1007 in its own; at both a call
 * is inlined, which is from the same file. */
static void
add_lines(struct prf_stack_table *stacks)
{
	size_t name;

	stacks->inlined = calloc(2, sizeof *stacks->inlined);
	ck_assert_ptr_nonnull(stacks->inlined);
	ck_assert_int_eq(prf_named_counts_intern(&stacks->paths, "a.c", &name),
			 0);
	ck_assert_int_eq(prf_named_counts_intern(&stacks->paths, "b.h", &name),
			 0);
	ck_assert_int_eq(
		prf_named_counts_intern(&stacks->inlined_names, "in", &name),
		0);
	for (size_t i = 0; i < stacks->n_frames; i++) {
		struct prf_stack_table_frame *frame = &stacks->frames[i];
		bool is_included = frame->end.vaddr == 0x1008;
		const struct prf_stack_table_inlined call = {
			.name = (uint32_t)name,
			.file = is_included ? 2 : 1,
			.line = is_included ? 901 : 8,
		};

		if (frame->end.vaddr >> 8 != 0x10)
			continue;
		frame->file = call.file;
		frame->line = call.line - 1;
		stacks->files[frame->function] = 1;
		frame->n_inlined = 1;
		frame->first_inlined = stacks->n_inlined;
		stacks->inlined[stacks->n_inlined++] = call;
	}
}

static int
write_with_lines(const struct prf_profile *profile,
		 const struct prf_export_way *way, FILE *out,
		 struct prf_error *err)
{
	PRF_AUTO(prf_stack_table_clear) struct prf_stack_table stacks = {0};

	ck_assert_int_eq(prf_stack_table_of(profile, way, &stacks), 0);
	add_lines(&stacks);
	ck_assert_uint_eq(stacks.n_inlined, 2);
	return prf_firefox_write_stacks(&stacks, way, out, err);
}

START_TEST(a_line_is_in_the_file_of_its_function)
{
	size_t n_own = 0, n_inlined = 0;

	made_stacks_add(2, PRF_NO_SYSCALL, MADE_PATH(MADE_MAIN));
	made_stacks_add(3, PRF_NO_SYSCALL, MADE_PATH(MADE_MAIN, MADE_F));
	const char *text = made_stacks_written(
		write_with_lines, &(const struct prf_export_way){0});
	const char *at = strstr(text, "\"line\":[");

	ck_assert_ptr_nonnull(at);
	for (at += strlen("\"line\":["); *at != ']'; at += *at == ',') {
		unsigned long line = strtoul(at, NULL, 10); /* 0: null */

		ck_assert_uint_ne(line, 900);
		n_own += line == 7;
		n_inlined += line > 7;
		at += strcspn(at, ",]");
	}
	ck_assert_uint_eq(n_own, 1);
	/* The file of what is inlined is that of the first. */
	ck_assert_uint_eq(n_inlined, 1);
}
END_TEST

/* The thread sleeps between its two samples, for almost five seconds. */
static int
write_with_times(const struct prf_profile *profile,
		 const struct prf_export_way *way, FILE *out,
		 struct prf_error *err)
{
	PRF_AUTO(prf_stack_table_clear) struct prf_stack_table stacks = {0};

	ck_assert_int_eq(prf_stack_table_of(profile, way, &stacks), 0);
	ck_assert_uint_eq(stacks.n_samples, 2);
	stacks.has_times = true;
	stacks.begin_ns = 7000000000;
	stacks.samples[0].time_ns = 7020000000;
	stacks.samples[1].time_ns = stacks.end_ns = 12000000000;
	return prf_firefox_write_stacks(&stacks, way, out, err);
}

START_TEST(a_stack_lasts_as_long_as_its_ticks)
{
	unsigned first, second, again[2];

	made_stacks_add(3, PRF_NO_SYSCALL, MADE_PATH(MADE_MAIN, MADE_F));
	made_stacks_add(2, PRF_NO_SYSCALL, MADE_PATH(MADE_MAIN));
	const char *text = made_stacks_written(
		write_with_times, &(const struct prf_export_way){0});
	const char *rows = strstr(text, "\"samples\":");

	ck_assert_ptr_nonnull(rows);
	ck_assert_int_eq(
		sscanf(rows, "\"samples\":{\"stack\":[%u,%u,null,%u,%u,null]",
		       &first, &again[0], &second, &again[1]),
		4);
	ck_assert(first == again[0] && second == again[1] && first != second);
	made_stacks_has(rows, "\"time\":[0,20,20,4970,5000,5000],"
			      "\"weight\":[2,0,0,3,0,0],");
	/* It is what was used since the row before. */
	made_stacks_has(rows, "\"threadCPUDelta\":"
			      "[0,20000000,0,0,30000000,0],\"length\":6}");
}
END_TEST

static void
add_thread(struct prf_stack_table *stacks, pid_t pid, pid_t tid,
	   const char *program, bool has_samples)
{
	const struct prf_stack_table_thread thread = {
		.pid = pid,
		.tid = tid,
		.program = strdup(program),
	};
	struct prf_stack_table_sample sample = {.count = {1, 1}};

	ck_assert_int_eq(
		prf_stack_table_add_thread(stacks, &thread, &sample.thread), 0);
	if (has_samples)
		ck_assert_int_eq(prf_stack_table_add_sample(stacks, &sample),
				 0);
}

static void
has(const char *text, const char *expected)
{
	ck_assert_msg(strstr(text, expected), "there is no %s", expected);
}

#define IS_MAIN(program, is, pid, tid)                                         \
	"\"processName\":\"" program "\",\"processType\":\"default\","         \
	"\"isMainThread\":" is ",\"pid\":\"" pid "\",\"tid\":" tid ","

/* A process that has run two programs, a thread of it, and all others twice. */
START_TEST(a_process_has_one_main_thread)
{
	static const struct {
		pid_t pid, tid;
		const char *program;
		bool is_silent; /* has no samples, and is not written */
	} rows[] = {
		{7, 8, "sh", false},  {7, 7, "env", true},
		{7, 7, "sh", false},  {7, 7, "busy", false},
		{0, 0, "sh", false},  {0, 0, "busy", false},
		{9, 9, "cat", false},
	};
	const struct prf_export_way way = {0};
	PRF_AUTO(prf_profile_auto)
	struct prf_profile *profile = prf_profile_new();
	PRF_AUTO(prf_stack_table_clear) struct prf_stack_table stacks = {0};
	PRF_AUTO(prf_auto_free) char *text = NULL;
	size_t n_bytes;
	FILE *out = open_memstream(&text, &n_bytes);

	ck_assert_int_eq(prf_stack_table_init(&stacks, profile), 0);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		add_thread(&stacks, rows[i].pid, rows[i].tid, rows[i].program,
			   !rows[i].is_silent);
	ck_assert_int_eq(prf_stack_table_finish(&stacks, &way), 0);
	ck_assert_int_eq(prf_firefox_write_stacks(&stacks, &way, out, NULL), 0);
	ck_assert_int_eq(fclose(out), 0);
	has(text, IS_MAIN("sh", "false", "7", "8"));
	has(text, IS_MAIN("sh", "true", "7", "7"));
	has(text, IS_MAIN("busy", "false", "7", "7"));
	has(text, IS_MAIN("sh", "true", "0", "0"));
	has(text, IS_MAIN("busy", "false", "0", "0"));
	has(text, IS_MAIN("cat", "true", "9", "9"));
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("firefox");
	TCase *tcase = tcase_create("firefox");

	tcase_add_checked_fixture(tcase, made_stacks_begin, made_stacks_end);
	tcase_add_test(tcase, each_column_has_what_a_row_needs);
	tcase_add_test(tcase, the_kernel_is_a_category_and_no_library);
	tcase_add_test(tcase, hostile_names_are_strings);
	tcase_add_test(tcase, a_line_is_in_the_file_of_its_function);
	tcase_add_test(tcase, a_stack_lasts_as_long_as_its_ticks);
	tcase_add_test(tcase, a_process_has_one_main_thread);
	suite_add_tcase(suite, tcase);
	return suite;
}
