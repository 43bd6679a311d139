#include "view/export/diff_export.h"

#include <stdlib.h>
#include <string.h>

#include "support/suite.h"
#include "view/made_diff.h"

static const struct made_row rows[] = {
	{"hot \"1\", 2", "prog", 1000, 3000, 0, 0},
	{"main", "prog", 1000, 1000, 0, 0},
};

static void
export_csv(const struct prf_diff *diff, FILE *out)
{
	prf_diff_export_csv(diff, diff->rows, diff->n, out);
}

static void
export_json(const struct prf_diff *diff, FILE *out)
{
	prf_diff_export_json(diff, diff->rows, diff->n, 0, out);
}

/* The first row alone. */
static void
export_json_cut(const struct prf_diff *diff, FILE *out)
{
	prf_diff_export_json(diff, diff->rows, 1, diff->n - 1, out);
}

static char *
printed(void (*export)(const struct prf_diff *, FILE *), enum prf_rows_by by)
{
	struct prf_diff diff = made_diff(rows, 2);
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	ck_assert_ptr_nonnull(out);
	diff.by = by;
	ck_assert_int_eq(prf_diff_make(&diff), 0);
	export(&diff, out);
	ck_assert_int_eq(fclose(out), 0);
	prf_diff_clear(&diff);
	return text;
}

static void
has(const char *text, const char *part)
{
	ck_assert_msg(strstr(text, part), "no '%s' in\n%s", part, text);
}

START_TEST(csv_has_a_line_for_each_row)
{
	char *text = printed(export_csv, PRF_ROWS_BY_FUNCTION);

	ck_assert_ptr_eq(strstr(text, "verdict,old_percent,new_percent,change,"
				      "low,high,old_seconds,new_seconds,p,rate,"
				      "function,binary\n"),
			 text);
	has(text, "\nslower,50,75,25,");
	has(text, ",1,3,");
	has(text, ",\"hot \"\"1\"\", 2\",\"prog\"\n");
	has(text, "\nshare,50,25,-25,");
	free(text);
	text = printed(export_csv, PRF_ROWS_BY_PROGRAM);
	has(text, ",p,rate,program\n");
	free(text);
}
END_TEST

START_TEST(json_tells_all_of_it)
{
	char *text = printed(export_json, PRF_ROWS_BY_FUNCTION);

	has(text, "{\"format\":\"profrun-diff\",\n\"version\":1,\n\"by\":"
		  "\"function\",\n");
	has(text, "\"old\":{\"seconds\":2,\n\"runs\":["
		  "{\"file\":\"old.trace\",\"command\":"
		  "\"./prog --all\",\"clock\":\"cpu\",\"samples\":2000,"
		  "\"rate_hz\":1000,\"seconds\":2}");
	has(text, "{\"name\":\"hot \\\"1\\\", 2\",\"binary\":\"prog\","
		  "\"verdict\":\"slower\",\"new\":false,\"gone\":false,"
		  "\"old_percent\":50,\"new_percent\":75,\"change\":25,");
	has(text, "],\n\"more\":0}\n");
	free(text);
}
END_TEST

START_TEST(json_tells_how_many_rows_were_left_out)
{
	char *text = printed(export_json_cut, PRF_ROWS_BY_FUNCTION);

	ck_assert_ptr_null(strstr(text, "\"main\""));
	has(text, "],\n\"more\":1}\n");
	free(text);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("diff_export");
	TCase *tcase = tcase_create("diff_export");

	tcase_add_test(tcase, csv_has_a_line_for_each_row);
	tcase_add_test(tcase, json_tells_all_of_it);
	tcase_add_test(tcase, json_tells_how_many_rows_were_left_out);
	suite_add_tcase(suite, tcase);
	return suite;
}
