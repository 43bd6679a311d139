#include "view/export/profile_json.h"

#include <string.h>

#include "support/suite.h"
#include "view/made_stacks.h"

static const char *
written(const struct prf_export_way *way)
{
	return made_stacks_written(prf_profile_json_write, way);
}

START_TEST(functions_have_self_and_total)
{
	made_stacks_add(3, PRF_NO_SYSCALL, MADE_PATH(MADE_MAIN, MADE_F));
	made_stacks_add(1, PRF_NO_SYSCALL,
			MADE_PATH(MADE_MAIN, MADE_F, MADE_F));
	const char *text =
		written(&(const struct prf_export_way){.command = "./prog"});

	made_stacks_has(text, "{\"format\":\"profrun-profile\"");
	made_stacks_has(text, "\"version\":1");
	made_stacks_has(text, "\"command\":\"./prog\"");
	made_stacks_has(text, "\"rate_hz\":100");
	made_stacks_has(text, "\"ticks\":4");
	made_stacks_has(text, "{\"name\":\"main\",\"symbol\":\"main\","
			      "\"binary\":0,\"file\":null,"
			      "\"self\":{\"ticks\":0,\"low\":0,\"high\":");
	made_stacks_has(text, "\"total\":{\"ticks\":4,\"low\":0.");
	made_stacks_has(text, "{\"name\":\"f\",\"symbol\":\"f\",\"binary\":0,"
			      "\"file\":null,\"self\":{\"ticks\":4,");
	made_stacks_has(text, "\"tree\":{\"parent\":[null,0,1,");
	made_stacks_has(text, "\"processes\":[{\"pid\":4711,"
			      "\"parent_pid\":null,");
	made_stacks_has(text, "\"threads\":[{\"pid\":4711,\"tid\":4711,");
}
END_TEST

START_TEST(hostile_names_are_strings)
{
	made_stacks_add(1, PRF_NO_SYSCALL, MADE_PATH(MADE_HOSTILE));
	made_stacks_has(written(&(const struct prf_export_way){0}),
			"\"symbol\":\"\\u003c/script>\\u000a\\\"fn=(1) "
			"x\\\\\\ufffd;\\u001b[2Jcalls=9 0\\u000d\\u000a\"");
}
END_TEST

START_TEST(what_is_not_known_is_null)
{
	const char *text = written(&(const struct prf_export_way){0});

	made_stacks_has(text, "\"command\":null");
	made_stacks_has(text, "\"begin_ns\":null");
	made_stacks_has(text, "\"functions\":[]");
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("profile_json");
	TCase *tcase = tcase_create("profile_json");

	tcase_add_checked_fixture(tcase, made_stacks_begin, made_stacks_end);
	tcase_add_test(tcase, functions_have_self_and_total);
	tcase_add_test(tcase, hostile_names_are_strings);
	tcase_add_test(tcase, what_is_not_known_is_null);
	suite_add_tcase(suite, tcase);
	return suite;
}
