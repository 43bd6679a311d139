#include "image/debuginfod.h"
#include "support/suite.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Servers are directories here, which libcurl reads as well. */
static char dir[] = "/tmp/test_debuginfod.XXXXXX";
static const uint8_t id[] = {0xab, 0xcd, 0xef, 0x01};
static const uint8_t other_id[] = {0xab, 0xcd, 0xef, 0x02};

static void
set(const char *name, const char *value)
{
	ck_assert_int_eq(setenv(name, value, 1), 0);
}

static void
begin(void)
{
	char text[256];

	ck_assert_ptr_nonnull(mkdtemp(dir));
	snprintf(text, sizeof text, "%s/cache", dir);
	set("DEBUGINFOD_CACHE_PATH", text);
	snprintf(text, sizeof text, "file://%s/", dir);
	set("DEBUGINFOD_URLS", text);
}

static void
end(void)
{
	char command[256];

	snprintf(command, sizeof command, "rm -rf '%s'", dir);
	ck_assert_int_eq(system(command), 0);
}

/* As the servers have it: what they call NAME is CONTENT. */
static void
serve(const char *name, const char *content)
{
	char text[256];

	snprintf(text, sizeof text, "%s/buildid", dir);
	mkdir(text, 0700);
	snprintf(text, sizeof text, "%s/buildid/abcdef01", dir);
	mkdir(text, 0700);
	snprintf(text, sizeof text, "%s/buildid/abcdef01/%s", dir, name);
	FILE *out = fopen(text, "w");
	ck_assert_ptr_nonnull(out);
	fputs(content, out);
	ck_assert_int_eq(fclose(out), 0);
}

static bool
has_asked(void)
{
	char text[256];

	snprintf(text, sizeof text, "%s/cache", dir);
	return access(text, F_OK) == 0;
}

static struct prf_debuginfod *
servers(void)
{
	struct prf_debuginfod *servers = prf_debuginfod_new();

	ck_assert_ptr_nonnull(servers);
	return servers;
}

static void
check_content(int fd, const char *content)
{
	char bytes[64] = "";

	ck_assert_int_ge(fd, 0);
	ck_assert_int_ge(pread(fd, bytes, sizeof bytes - 1, 0), 0);
	ck_assert_str_eq(bytes, content);
	close(fd);
}

START_TEST(nobody_is_asked_without_the_variable)
{
	static const char *const nothing[] = {NULL, "", " ", "   "};
	struct prf_error warning = {0};

	serve("debuginfo", "symbols");
	for (size_t i = 0; i < sizeof nothing / sizeof *nothing; i++) {
		if (nothing[i])
			set("DEBUGINFOD_URLS", nothing[i]);
		else
			ck_assert_int_eq(unsetenv("DEBUGINFOD_URLS"), 0);
		ck_assert(!prf_debuginfod_is_wanted());
		ck_assert_ptr_null(prf_debuginfod_new());
		ck_assert(!prf_debuginfod_is_there(NULL));
		ck_assert_int_eq(prf_debuginfod_find(NULL,
						     PRF_DEBUGINFOD_DEBUGINFO,
						     id, sizeof id, &warning),
				 -ENOENT);
		ck_assert_int_eq(warning.code, 0);
	}
	ck_assert(!has_asked());
	prf_debuginfod_free(NULL);
}
END_TEST

START_TEST(to_be_ready_asks_nobody)
{
	struct prf_debuginfod *asked = servers();

	ck_assert(prf_debuginfod_is_wanted());
	prf_debuginfod_is_there(asked);
	prf_debuginfod_free(asked);
	ck_assert(!has_asked());
}
END_TEST

START_TEST(what_is_there_is_found_by_its_kind)
{
	struct prf_debuginfod *asked = servers();

	serve("debuginfo", "symbols");
	serve("executable", "text");
	for (int again = 0; again < 3; again++) {
		check_content(prf_debuginfod_find(asked,
						  PRF_DEBUGINFOD_DEBUGINFO, id,
						  sizeof id, NULL),
			      "symbols");
		check_content(prf_debuginfod_find(asked,
						  PRF_DEBUGINFOD_EXECUTABLE, id,
						  sizeof id, NULL),
			      "text");
	}
	prf_debuginfod_free(asked);
}
END_TEST

START_TEST(what_nobody_has_is_no_warning)
{
	struct prf_debuginfod *asked = servers();
	struct prf_error warning = {0};
	uint8_t any[64] = {0};

	serve("debuginfo", "symbols");
	ck_assert_int_eq(prf_debuginfod_find(asked, PRF_DEBUGINFOD_DEBUGINFO,
					     other_id, sizeof other_id,
					     &warning),
			 -ENOENT);
	/* Build-ids of any length, as a hostile trace has them. */
	for (size_t n = 0; n <= sizeof any; n++)
		ck_assert_int_lt(prf_debuginfod_find(asked,
						     PRF_DEBUGINFOD_EXECUTABLE,
						     any, n, NULL),
				 0);
	ck_assert_int_eq(warning.code, 0);
	prf_debuginfod_free(asked);
}
END_TEST

START_TEST(that_nobody_answers_is_told_once)
{
	struct prf_error warning = {0};

	/* No server has this port: to bind it takes a privilege. */
	set("DEBUGINFOD_URLS", "http://127.0.0.1:1/");
	struct prf_debuginfod *asked = servers();
	int rc = prf_debuginfod_find(asked, PRF_DEBUGINFOD_DEBUGINFO, id,
				     sizeof id, &warning);

	ck_assert_int_lt(rc, 0);
	ck_assert_int_ne(rc, -ENOENT);
	ck_assert_int_eq(warning.code, rc);
	ck_assert_ptr_nonnull(strstr(warning.text, "DEBUGINFOD_URLS"));
	warning.code = 0;
	ck_assert_int_lt(prf_debuginfod_find(asked, PRF_DEBUGINFOD_EXECUTABLE,
					     id, sizeof id, &warning),
			 0);
	ck_assert_int_eq(warning.code, 0);
	prf_debuginfod_free(asked);
}
END_TEST

/* Without libdebuginfod there is nothing to be seen. */
static void
skip_without_library(void)
{
	setenv("DEBUGINFOD_URLS", "file:///nowhere/", 1);
	struct prf_debuginfod *asked = prf_debuginfod_new();
	bool is_there = prf_debuginfod_is_there(asked);

	prf_debuginfod_free(asked);
	if (!is_there)
		exit(77);
}

Suite *
prf_suite(void)
{
	skip_without_library();
	Suite *suite = suite_create("debuginfod");
	TCase *tcase = tcase_create("debuginfod");

	tcase_add_checked_fixture(tcase, begin, end);
	tcase_set_timeout(tcase, 120);
	tcase_add_test(tcase, nobody_is_asked_without_the_variable);
	tcase_add_test(tcase, to_be_ready_asks_nobody);
	tcase_add_test(tcase, what_is_there_is_found_by_its_kind);
	tcase_add_test(tcase, what_nobody_has_is_no_warning);
	tcase_add_test(tcase, that_nobody_answers_is_told_once);
	suite_add_tcase(suite, tcase);
	return suite;
}
