#include "view/page/page.h"

#include <stdlib.h>
#include <string.h>

#include "support/made_run.h"
#include "support/suite.h"

#define AT 0x555555555000

static const struct elf_symbol symbols[] = {
	{"main", 0x1000, 0x100, STB_GLOBAL, STT_FUNC, 1},
	{"</script><b>", 0x1100, 0x100, STB_GLOBAL, STT_FUNC, 1},
	{"_ZN1a1bIiEEvT_", 0x1200, 0xe00, STB_GLOBAL, STT_FUNC, 1},
};

static struct prf_collector *run;
static char *page;
static size_t page_bytes;

static void
begin(void)
{
	made_begin();
	run = made_run(&(struct prf_collector_config){.call_graph = true});
	made_elf("prog", symbols, 3);
	made_exec(run, "prog");
	made_map(run, "prog", AT);
}

static void
end(void)
{
	free(page);
	page = NULL;
	made_run_free(run);
	made_end();
}

/* TICKS in the innermost of N functions, which are numbers of symbols; the
 * outermost comes first. */
static void
add(uint32_t ticks, uint32_t n, const int *path, enum prf_frame_kind kind)
{
	struct prf_frame frames[8];

	for (uint32_t i = 0; i < n; i++)
		frames[i] = (struct prf_frame){
			AT + 0x100 * (uint64_t)path[n - 1 - i] + 8,
			i ? kind : PRF_FRAME_PC,
		};
	made_sample(run, &(const struct prf_sample){
				 .pid = MADE_PID,
				 .tid = MADE_PID,
				 .ticks = ticks,
				 .syscall = PRF_NO_SYSCALL,
				 .end = PRF_STACK_COMPLETE,
				 .n_frames = n,
				 .frames = frames,
			 });
}

static void
write_page(const struct prf_export_way *way)
{
	struct prf_error err;
	FILE *out = open_memstream(&page, &page_bytes);

	ck_assert_ptr_nonnull(out);
	ck_assert_int_eq(prf_page_write(made_finish(run), way, out, &err), 0);
	fclose(out);
}

/* What stands in the page between BEGIN and END, which is cut off. */
static char *
part(const char *begin_text, const char *end_text)
{
	char *first = strstr(page, begin_text);

	ck_assert_msg(first, "there is no %s", begin_text);
	first += strlen(begin_text);
	char *last = strstr(first, end_text);
	ck_assert_ptr_nonnull(last);
	*last = '\0';
	return first;
}

static char *
profile_part(void)
{
	return part("<script type=\"application/json\" id=\"profile\">",
		    "</script>");
}

static void
check_has(const char *text, const char *expected)
{
	ck_assert_msg(strstr(text, expected), "no %s in %s", expected, text);
}

START_TEST(it_has_every_frame_and_its_ticks)
{
	add(3, 2, (const int[]){0, 2}, PRF_FRAME_RETURN);
	add(1, 1, (const int[]){0}, PRF_FRAME_RETURN);
	write_page(&(const struct prf_export_way){.command = "./prog 'a b'"});
	ck_assert_int_eq(strncmp(page, "<!DOCTYPE html>", 15), 0);
	ck_assert_str_eq(page + page_bytes - 8, "</html>\n");

	const char *json = profile_part();
	check_has(json, "\"title\":\"./prog 'a b'\"");
	check_has(json, "4 ticks at 100 Hz: 0.04 s; 100.0 % of the stacks are "
			"complete");
	/* Functions: the name, the binary, self, total; the larger total comes
	 * first. */
	check_has(json, "[[\"main\",0,1,4,");
	check_has(json, "[\"a::b\",0,3,3,");
	check_has(json, ",\"void a::b\\u003cint>(int)\"]");
	check_has(json, "\"up\":[0,1,1]");
	check_has(json, "\"fn\":[-1,0,1]");
	check_has(json, "\"self\":[0,1,3]");
	check_has(json, "\"guessed\":[]");
}
END_TEST

START_TEST(a_guess_is_marked)
{
	add(1, 2, (const int[]){0, 2}, PRF_FRAME_GUESSED);
	write_page(&(const struct prf_export_way){0});
	const char *json = profile_part();
	check_has(json, "\"title\":\"prog\"");
	check_has(json, "\"guessed\":[1]");
}
END_TEST

START_TEST(whole_names_are_shown_if_they_are_asked_for)
{
	add(1, 1, (const int[]){2}, PRF_FRAME_RETURN);
	write_page(&(const struct prf_export_way){.full_names = true});
	check_has(profile_part(), "[[\"void a::b\\u003cint>(int)\",0,1,1,");
}
END_TEST

START_TEST(a_name_does_not_end_the_script)
{
	add(2, 1, (const int[]){1}, PRF_FRAME_RETURN);
	write_page(&(const struct prf_export_way){.command = "</script>"});
	const char *json = profile_part();
	ck_assert_ptr_null(strchr(json, '<'));
	check_has(json, "\\u003c/script>\\u003cb>");
}
END_TEST

START_TEST(without_ticks_there_is_a_page_as_well)
{
	write_page(&(const struct prf_export_way){0});
	check_has(profile_part(), "\"up\":[0]");
}
END_TEST

START_TEST(it_asks_for_nothing_from_elsewhere)
{
	write_page(&(const struct prf_export_way){0});
	ck_assert_ptr_null(strstr(page, "http:"));
	ck_assert_ptr_null(strstr(page, "https:"));
	ck_assert_ptr_null(strstr(page, " src="));
	ck_assert_ptr_null(strstr(page, "@STYLE@"));
	ck_assert_ptr_null(strstr(page, "@SCRIPT@"));
	ck_assert_uint_lt(page_bytes, 300 << 10);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("page");
	TCase *tcase = tcase_create("page");

	tcase_add_checked_fixture(tcase, begin, end);
	tcase_add_test(tcase, it_has_every_frame_and_its_ticks);
	tcase_add_test(tcase, a_guess_is_marked);
	tcase_add_test(tcase, whole_names_are_shown_if_they_are_asked_for);
	tcase_add_test(tcase, a_name_does_not_end_the_script);
	tcase_add_test(tcase, without_ticks_there_is_a_page_as_well);
	tcase_add_test(tcase, it_asks_for_nothing_from_elsewhere);
	suite_add_tcase(suite, tcase);
	return suite;
}
