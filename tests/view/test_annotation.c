#include "view/annotate/annotation.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/made_run.h"
#include "support/suite.h"

/* --- What is annotated: this program */

enum { FIRST_LINE = __LINE__ + 3 };
static unsigned __attribute__((noinline, used)) counting_function(unsigned n)
{
	volatile unsigned sum = n;

	sum += 3;
	sum *= n;
	sum ^= 5;
	return sum;
}
enum { LAST_LINE = __LINE__ - 1 };

static unsigned __attribute__((noinline, used)) other_function(unsigned n)
{
	volatile unsigned sum = n;

	return sum + 1;
}

/* So many addresses are in each of them. */
enum { N_BYTES = 16 };

static struct prf_collector *run;
static struct prf_binary_lines lines;
static struct prf_annotation annotation;
static struct prf_error err;

static void
begin(void)
{
	made_begin();
	run = made_run(NULL);
	made_map_own_text(run, (const void *)counting_function);
}

static void
end(void)
{
	prf_annotation_clear(&annotation);
	prf_binary_lines_clear(&lines);
	made_run_free(run);
	made_end();
}

/* Counter I of N_BYTES / 2 of FUNCTION has I + 1 ticks: how many that is. */
static uint64_t
add_ticks(uintptr_t function)
{
	uint64_t n = 0;

	for (uint32_t i = 0; i < N_BYTES / 2; i++) {
		made_ticks(run, (function & ~(uintptr_t)1) + 2 * i, i + 1);
		n += i + 1;
	}
	return n;
}

static int
annotate(const char *binary, const char *function)
{
	return prf_annotate_function(&annotation, run->profile,
				     made_binary(run->profile, binary),
				     function, &lines, &err);
}

static const char *
own_name(void)
{
	return strrchr(made_own_path(), '/') + 1;
}

static void
annotate_own(void)
{
	int rc = annotate(own_name(), "counting_function");

	ck_assert_msg(rc == 0, "%d: %s", rc, err.text);
}

static uint64_t
ticks_of_lines(void)
{
	uint64_t n = 0;

	for (size_t i = 0; i < annotation.n_lines; i++)
		n += annotation.lines[i].count.ticks;
	return n;
}

static uint64_t
ticks_of_code(void)
{
	uint64_t n = 0;

	for (size_t i = 0; i < annotation.n_code; i++)
		n += annotation.code[i].count.ticks;
	return n;
}

static bool
is_own_file(const char *file)
{
	static const char name[] = "view/test_annotation.c";
	size_t n = strlen(file);

	return n >= sizeof name - 1 &&
	       strcmp(file + n - (sizeof name - 1), name) == 0;
}

START_TEST(lines_and_instructions_have_all_ticks_of_a_function)
{
	uint64_t n = add_ticks((uintptr_t)counting_function);

	annotate_own();
	ck_assert_uint_eq(annotation.count.ticks, n);
	ck_assert_uint_eq(ticks_of_lines(), n);
	ck_assert_uint_eq(ticks_of_code(), n);
}
END_TEST

START_TEST(ticks_of_other_functions_are_left_out)
{
	add_ticks((uintptr_t)other_function);
	made_ticks(run, (uintptr_t)counting_function, 7);
	annotate_own();
	ck_assert_uint_eq(annotation.count.ticks, 7);
	ck_assert_uint_eq(ticks_of_code(), 7);
}
END_TEST

START_TEST(lines_are_those_of_the_function_and_ascend)
{
	add_ticks((uintptr_t)counting_function);
	annotate_own();
	ck_assert_uint_ge(annotation.n_lines, 4);
	for (size_t i = 0; i < annotation.n_lines; i++) {
		const struct prf_annotated_line *line = &annotation.lines[i];

		ck_assert(is_own_file(line->file));
		ck_assert_uint_ge(line->line, FIRST_LINE - 1);
		ck_assert_uint_le(line->line, LAST_LINE);
		if (i > 0)
			ck_assert_uint_gt(line->line, line[-1].line);
	}
}
END_TEST

/* Lines were sorted after the instructions had got theirs. */
START_TEST(an_instruction_has_the_line_that_debug_information_tells)
{
	const struct prf_line *line;

	add_ticks((uintptr_t)counting_function);
	annotate_own();
	struct prf_lines *own = prf_binary_lines_of(&lines, annotation.binary);
	for (size_t i = 0; i < annotation.n_code; i++) {
		const struct prf_annotated_code *code = &annotation.code[i];
		size_t n = prf_lines_at(own, code->vaddr, &line);

		if (n == 0 || !line->line) {
			ck_assert_uint_eq(code->line, (size_t)-1);
			continue;
		}
		ck_assert_uint_lt(code->line, annotation.n_lines);
		ck_assert_uint_eq(annotation.lines[code->line].line,
				  line->line);
	}
}
END_TEST

/* Counters are of 2 bytes: each has its ticks in the last instruction that
 * begins before it ends. */
START_TEST(an_instruction_has_the_ticks_of_the_counters_it_begins_in)
{
	add_ticks((uintptr_t)counting_function);
	annotate_own();
	ck_assert_uint_gt(annotation.n_code, 1);
	uint64_t begin_vaddr = annotation.code[0].vaddr & ~UINT64_C(1);
	for (size_t i = 0; i < annotation.n_code; i++) {
		const struct prf_annotated_code *code = &annotation.code[i];
		bool is_last = i + 1 == annotation.n_code;
		uint64_t expected = 0;

		ck_assert(is_last ||
			  code->vaddr + code->n_bytes == code[1].vaddr);
		for (uint32_t counter = 0; counter < N_BYTES / 2; counter++) {
			uint64_t last = begin_vaddr + 2 * counter + 1;

			if (last >= code->vaddr &&
			    (is_last || last < code[1].vaddr))
				expected += counter + 1;
		}
		ck_assert_uint_eq(code->count.ticks, expected);
		ck_assert_ptr_nonnull(code->text);
	}
}
END_TEST

START_TEST(a_source_file_has_lines_and_instructions_of_its_functions)
{
	static const char *const names[] = {"test_annotation.c",
					    "view/test_annotation.c"};
	uint64_t n = add_ticks((uintptr_t)counting_function) +
		     add_ticks((uintptr_t)other_function);

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		ck_assert_int_eq(prf_annotate_file(&annotation, run->profile,
						   names[i], &lines, &err),
				 0);
		ck_assert_uint_eq(annotation.count.ticks, n);
		ck_assert_uint_eq(ticks_of_lines(), n);
		ck_assert_uint_eq(ticks_of_code(), n);
		ck_assert_ptr_eq(annotation.code[0].binary,
				 made_binary(run->profile, own_name()));
		ck_assert_ptr_null(annotation.function);
		prf_annotation_clear(&annotation);
	}
}
END_TEST

START_TEST(files_are_the_same_if_their_whole_paths_are)
{
	static const struct {
		struct prf_annotated_line left, right;
		bool are_same;
	} rows[] = {
		{{"u.c", "/a", 1, NULL, {0}},
		 {"u.c", "/a", 1, NULL, {0}},
		 true},
		{{"u.c", "/a", 1, NULL, {0}},
		 {"u.c", "/b", 1, NULL, {0}},
		 false},
		{{"u.c", "/a", 1, NULL, {0}},
		 {"/a/u.c", "/b", 1, NULL, {0}},
		 true},
		{{"u.c", "/a", 1, NULL, {0}},
		 {"/u.c", "/a", 1, NULL, {0}},
		 false},
		{{"../u.h", "/p/a", 1, NULL, {0}},
		 {"./b/../../u.h", "/p/b", 1, NULL, {0}},
		 true},
		{{"../../u.h", "/p/a/b", 1, NULL, {0}},
		 {"../u.h", "/p/a/b", 1, NULL, {0}},
		 false},
		{{"u.c", NULL, 1, NULL, {0}},
		 {"u.c", NULL, 2, NULL, {0}},
		 true},
		{{"u.c", NULL, 1, NULL, {0}},
		 {"u.cc", NULL, 1, NULL, {0}},
		 false},
	};
	/* Texts at other addresses are compared, too. */
	char file[16];

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct prf_annotated_line left = rows[i].left;

		snprintf(file, sizeof file, "%s", left.file);
		left.file = file;
		int rc = prf_annotated_line_by_file(&left, &rows[i].right);
		ck_assert_msg((rc == 0) == rows[i].are_same, "row %zu", i);
		int turned = prf_annotated_line_by_file(&rows[i].right, &left);
		ck_assert_int_eq((rc > 0) - (rc < 0),
				 (turned < 0) - (turned > 0));
	}
}
END_TEST

START_TEST(a_part_of_a_file_name_is_no_file)
{
	add_ticks((uintptr_t)counting_function);
	ck_assert_int_eq(prf_annotate_file(&annotation, run->profile,
					   "annotation.c", &lines, &err),
			 -ENOENT);
	ck_assert_str_eq(err.text, "annotation.c: no function or source file "
				   "of that name has ticks");
}
END_TEST

START_TEST(instructions_of_a_file_that_is_gone_are_not_known)
{
	static const struct elf_symbol symbols[] = {
		{"gone", 0x1000, 0x100, STB_GLOBAL, STT_FUNC, 1},
	};

	made_elf("prog", symbols, 1);
	made_map(run, "prog", 0x7f0000001000);
	made_ticks(run, 0x7f0000001010, 5);
	ck_assert_int_eq(unlink(made_path("prog")), 0);
	ck_assert_int_eq(annotate("prog", "gone"), -ENOENT);
	ck_assert_uint_eq(annotation.count.ticks, 5);
	ck_assert_uint_eq(annotation.n_lines, 0);
	ck_assert_uint_eq(annotation.n_code, 0);
	ck_assert_ptr_nonnull(
		strstr(err.text, "its instructions are not known"));
}
END_TEST

/* As of another tool's file that tells of inlined calls. */
START_TEST(of_names_alone_there_is_nothing)
{
	static const struct prf_count count = {5, 5};
	struct prf_binary *binary =
		prf_binary_new(PRF_BINARY_FILE, made_own_path());

	ck_assert_ptr_nonnull(binary);
	binary->form = PRF_BINARY_BY_NAME;
	binary = prf_profile_take(run->profile, binary);
	ck_assert_ptr_nonnull(binary);
	prf_count_merge(&binary->total, &count);
	ck_assert_int_eq(
		prf_binary_count_name(binary, "counting_function", &count), 0);
	ck_assert_int_eq(prf_annotate_function(&annotation, run->profile,
					       binary, "counting_function",
					       &lines, &err),
			 -ENOENT);
	ck_assert_uint_eq(annotation.n_lines, 0);
	ck_assert_uint_eq(annotation.n_code, 0);
	ck_assert_ptr_nonnull(strstr(err.text, "known by their names alone"));
}
END_TEST

/* All of them would be on the first instruction. */
START_TEST(of_functions_alone_there_is_nothing)
{
	made_ticks(run, (uintptr_t)counting_function, 7);
	run->profile->binaries[0]->by_function = true;
	ck_assert_int_eq(
		annotate(run->profile->binaries[0]->name, "counting_function"),
		-ENOENT);
	ck_assert_uint_eq(annotation.n_lines, 0);
	ck_assert_uint_eq(annotation.n_code, 0);
	ck_assert_ptr_nonnull(strstr(err.text, "are by function"));
	ck_assert_int_eq(prf_annotate_file(&annotation, run->profile,
					   "view/test_annotation.c", &lines,
					   &err),
			 -ENOENT);
	ck_assert_ptr_nonnull(strstr(err.text, "are by function"));
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("annotation");
	TCase *tcase = tcase_create("annotation");

	tcase_add_checked_fixture(tcase, begin, end);
	tcase_add_test(tcase,
		       lines_and_instructions_have_all_ticks_of_a_function);
	tcase_add_test(tcase, ticks_of_other_functions_are_left_out);
	tcase_add_test(tcase, lines_are_those_of_the_function_and_ascend);
	tcase_add_test(
		tcase,
		an_instruction_has_the_line_that_debug_information_tells);
	tcase_add_test(
		tcase,
		an_instruction_has_the_ticks_of_the_counters_it_begins_in);
	tcase_add_test(
		tcase,
		a_source_file_has_lines_and_instructions_of_its_functions);
	tcase_add_test(tcase, files_are_the_same_if_their_whole_paths_are);
	tcase_add_test(tcase, a_part_of_a_file_name_is_no_file);
	tcase_add_test(tcase,
		       instructions_of_a_file_that_is_gone_are_not_known);
	tcase_add_test(tcase, of_names_alone_there_is_nothing);
	tcase_add_test(tcase, of_functions_alone_there_is_nothing);
	suite_add_tcase(suite, tcase);
	return suite;
}
