#include "view/export/firefox.h"

#include <string.h>

#include "support/suite.h"
#include "view/made_stacks.h"

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

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("firefox");
	TCase *tcase = tcase_create("firefox");

	tcase_add_checked_fixture(tcase, made_stacks_begin, made_stacks_end);
	tcase_add_test(tcase, each_column_has_what_a_row_needs);
	tcase_add_test(tcase, the_kernel_is_a_category_and_no_library);
	tcase_add_test(tcase, hostile_names_are_strings);
	suite_add_tcase(suite, tcase);
	return suite;
}
