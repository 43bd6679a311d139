#include "src/addends.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/gmon.h"
#include "core/scope.h"
#include "src/recorded.h"
#include "support/suite.h"

PRF_DEFINE_AUTO(prf_merge, prf_merge_free);

#define APP "/no/such/app"
#define LIST_OF(path)                                                          \
	"# gmon.syms 1\n# object 1000 2000 0 - " path                          \
	"\n0000000000001000 T main\n0000000000002000 T [end]\n"

/* A gmon.out with TICKS at 0x1100, where those of a recorded run are. */
static void
write_gmon(const char *path, uint64_t ticks, const char *syms_path,
	   const char *list)
{
	const struct prf_gmon_target target = {8, false, 100};
	struct prf_gmon_writer *writer;
	FILE *out = fopen(path, "w");

	ck_assert_ptr_nonnull(out);
	ck_assert_int_eq(prf_gmon_writer_new(out, &target, &writer, NULL), 0);
	ck_assert_int_eq(prf_gmon_writer_ticks(writer, 0x1100, ticks, NULL), 0);
	ck_assert_int_eq(prf_gmon_writer_finish(writer, NULL), 0);
	prf_gmon_writer_free(writer);
	fclose(out);
	if (list)
		recorded_write(syms_path, list, strlen(list));
}

static const char *const no_children[] = {NULL};

static void
enter(void)
{
	recorded_enter();
	write_gmon("gmon.out", 1, "gmon.syms", LIST_OF(APP));
	write_gmon("listed", 10, "listed.syms", LIST_OF(APP));
	write_gmon("other", 100, "other.syms", LIST_OF("/no/such/other"));
	write_gmon("plain", 1000, NULL, NULL);
	write_gmon("cut", 1, "cut.syms", "# gmon.syms 1\n");
	write_gmon("barred", 1, NULL, NULL);
	ck_assert_int_eq(symlink(".", "barred.syms"), 0);
	write_gmon("waiting", 1, NULL, NULL);
	ck_assert_int_eq(mkfifo("waiting.syms", 0600), 0);
	recorded_run("trace", APP, 10000, no_children);
	recorded_write("empty", "", 0);
	recorded_write("noise", "no profile at all", 17);
}

static int
add(struct prf_merge *merge, const char *const *paths, struct prf_error *err)
{
	const struct prf_reading quiet = {.messages.verbosity = -1};

	/* As main() has them. */
	return prf_addends_add(merge, (char *const *)paths, &quiet, err);
}

static const struct {
	const char *paths[5];
	uint64_t ticks;
	bool has_lists;
} sums[] = {
	{{NULL}, 0, false},
	{{"gmon.out", NULL}, 1, true},
	{{"./gmon.out", "listed", NULL}, 11, true},
	{{"listed", "listed", "gmon.out", "listed", NULL}, 31, true},
	{{"plain", "plain", NULL}, 2000, false},
	{{"trace", NULL}, 10000, true},
	{{"trace", "gmon.out", NULL}, 10001, true},
	{{"gmon.out", "trace", "listed", NULL}, 10011, true},
	{{"other", NULL}, 100, true},
};

START_TEST(all_that_is_named_is_added)
{
	PRF_AUTO(prf_merge_auto) struct prf_merge *merge = prf_merge_new();
	struct prf_error err = {0};
	size_t n = 0;

	while (sums[_i].paths[n])
		n++;
	ck_assert_msg(!add(merge, sums[_i].paths, &err), "%s", err.text);
	ck_assert_uint_eq(merge->ticks, sums[_i].ticks);
	ck_assert_uint_eq(merge->n_files, n);
	ck_assert_int_eq(merge->has_lists, sums[_i].has_lists);
	for (size_t i = 0; i < n; i++)
		ck_assert_str_eq(merge->files[i].name, sums[_i].paths[i]);
}
END_TEST

static const struct {
	const char *paths[4];
	int rc;
	const char *error; /* how it begins */
} refused[] = {
	{{"nosuch", NULL}, -ENOENT, "nosuch: "},
	{{"", NULL}, -ENOENT, ": "},
	{{"/dev/zero", NULL}, -EINVAL, "/dev/zero: "},
	{{"waiting.syms", NULL}, -EINVAL, "waiting.syms: "},
	{{".", NULL}, -EISDIR, ".: "},
	{{"-", NULL}, -ENOENT, "-: "},
	{{"empty", NULL}, -EBADMSG, "empty: "},
	{{"noise", NULL}, -EBADMSG, "noise: "},
	{{"gmon.syms", NULL}, -EBADMSG, "gmon.syms: "},
	{{"gmon.out", "noise", "listed", NULL}, -EBADMSG, "noise: "},
	/* Lists. */
	{{"cut", NULL}, -EBADMSG, "cut: its list of symbols: line 1: cut"},
	{{"barred", NULL}, -EISDIR, "barred.syms: "},
	{{"waiting", NULL}, -EINVAL, "waiting.syms: "},
	{{"gmon.out", "plain", NULL}, -EINVAL, "plain: no list of symbols "},
	{{"plain", "gmon.out", NULL}, -EINVAL, "gmon.out: a list of symbols "},
	{{"plain", "trace", NULL}, -EINVAL, "trace: a list of symbols "},
	/* Other programs. */
	{{"gmon.out", "listed", "other", NULL},
	 -EINVAL,
	 "other: of another program than gmon.out: /no/such/other (no "
	 "build-id"},
	{{"trace", "other", NULL},
	 -EINVAL,
	 "other: of another program than trace: /no/such/other ("},
	{{"other", "trace", NULL},
	 -EINVAL,
	 "trace: of another program than other: " APP " ("},
};

START_TEST(what_cannot_be_added_is_refused_with_its_name)
{
	PRF_AUTO(prf_merge_auto) struct prf_merge *merge = prf_merge_new();
	const char *begin = refused[_i].error;
	struct prf_error err = {0};

	ck_assert_int_eq(add(merge, refused[_i].paths, &err), refused[_i].rc);
	ck_assert_msg(strncmp(err.text, begin, strlen(begin)) == 0, "%s",
		      err.text);
}
END_TEST

START_TEST(a_gmon_out_that_was_cut_anywhere_is_refused)
{
	char bytes[4096];
	FILE *in = fopen("plain", "r");
	size_t n_bytes = fread(bytes, 1, sizeof bytes, in);

	fclose(in);
	ck_assert_uint_gt(n_bytes, 20);
	/* In the heads, everywhere; among the counters, here and there.  A header
	 * alone is a profile of nothing. */
	for (size_t n = 0; n < n_bytes; n += n < 80 ? 1 : 97) {
		PRF_AUTO(prf_merge_auto)
		struct prf_merge *merge = prf_merge_new();
		const char *const paths[] = {"half", NULL};
		struct prf_error err = {0};

		if (n == 20)
			continue;
		recorded_write("half", bytes, n);
		ck_assert_msg(add(merge, paths, &err) == -EBADMSG, "%zu: %s", n,
			      err.text);
		ck_assert_int_eq(strncmp(err.text, "half: ", 6), 0);
	}
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("addends");
	TCase *tcase = tcase_create("addends");

	/* Some read many files. */
	tcase_set_timeout(tcase, 60);
	tcase_add_checked_fixture(tcase, enter, recorded_leave);
	tcase_add_loop_test(tcase, all_that_is_named_is_added, 0,
			    sizeof sums / sizeof *sums);
	tcase_add_loop_test(tcase,
			    what_cannot_be_added_is_refused_with_its_name, 0,
			    sizeof refused / sizeof *refused);
	tcase_add_test(tcase, a_gmon_out_that_was_cut_anywhere_is_refused);
	suite_add_tcase(suite, tcase);
	return suite;
}
