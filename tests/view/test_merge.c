#include "view/merge.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/gmon.h"
#include "core/random.h"
#include "core/scope.h"
#include "support/suite.h"
#include "view/mergedfiles.h"

PRF_DEFINE_AUTO(prf_gmon, prf_gmon_free);
PRF_DEFINE_AUTO(prf_merge, prf_merge_free);
PRF_DEFINE_AUTO(prf_merged_layout, prf_merged_layout_free);

/* A file and its list, in memory. */
struct made {
	char *gmon, *syms; /* no list: NULL */
	size_t n_gmon, n_syms;
};

static void
made_clear(struct made *made)
{
	free(made->gmon);
	free(made->syms);
}

/* --- A world of objects, some of which each file has */

enum { N_OBJECTS = 5, N_NAMES = 6, FUNCTION_BYTES = 0x300, GAP = 1 << 20 };

static const struct world {
	const char *path, *build_id;
	uint64_t lo; /* own addresses; functions follow each other */
	bool by_name;
	const char *names[N_NAMES];
} world[N_OBJECTS] = {
	{"/bin/app", "abcd", 0x1100, false, {"a", "b", "c", "d", "e", "main"}},
	{"/lib/one", "01", 0x4080, false, {"a", "o2", "o3", "o4", "o5", "o6"}},
	{"/lib/two", "-", 0x10, false, {"t1", "t2", "t3", "t4", "t5", "t6"}},
	{"[jit]", "-", 0, true, {"ja", "jb", "jc", "jd", "je", "jf"}},
	{"[kernel]",
	 "-",
	 0,
	 true,
	 {"[kernel]:read", "[kernel]:write", "[kernel]:futex",
	  "[kernel]:syscall_900", "[kernel]:syscall_1000",
	  "[kernel]:syscall_-1"}},
};

/* System calls with a name are at their numbers, all below this. */
enum { N_CALLS = 300, N_NAMED_CALLS = 3, CALL_BYTES = 16 };
static const uint64_t numbers[N_NAMED_CALLS] = {0, 1, 202};

struct truth {
	uint64_t ticks[N_OBJECTS][N_NAMES];
};

/* Writes OBJECT's symbols, and ticks for some, at BASE; returns its end. */
static uint64_t
make_object(const struct world *object, uint64_t base, struct random *random,
	    uint64_t most, uint64_t ticks[N_NAMES], FILE *symbols,
	    struct prf_gmon_writer *writer)
{
	uint64_t addr = base, free_at = base + N_CALLS * CALL_BYTES;
	bool kernel = strcmp(object->path, "[kernel]") == 0;

	for (int i = 0; i < N_NAMES; i++) {
		uint64_t many = random_next(random) % most;

		if (object->by_name && random_next(random) % 2)
			continue; /* was not seen */
		if (kernel && i < N_NAMED_CALLS)
			addr = base + numbers[i] * CALL_BYTES;
		else if (kernel)
			addr = free_at;
		fprintf(symbols, "%016" PRIx64 " T %s\n", addr,
			object->names[i]);
		uint64_t at = object->by_name ? 0
					      : random_next(random) %
							FUNCTION_BYTES / 2 * 2;
		ck_assert_int_eq(
			prf_gmon_writer_ticks(writer, addr + at, many, NULL),
			0);
		ticks[i] += many;
		addr += object->by_name ? CALL_BYTES : FUNCTION_BYTES;
		free_at = kernel && i >= N_NAMED_CALLS ? addr : free_at;
	}
	return kernel ? free_at : addr == base ? base + CALL_BYTES : addr;
}

/* A file of some of the objects; TRUTH becomes more by what is in it. */
static struct made
make(struct random *random, uint64_t most, struct truth *truth)
{
	const struct prf_gmon_target target = {8, false, 100};
	uint64_t end = 0;
	struct prf_gmon_writer *writer;
	struct made made = {0};
	char *body = NULL, *head = NULL;
	size_t size;
	FILE *gmon = open_memstream(&made.gmon, &made.n_gmon);
	FILE *symbols = open_memstream(&body, &size);
	FILE *objects = open_memstream(&head, &size);

	fputs("# gmon.syms 1\n", objects);
	ck_assert_int_eq(prf_gmon_writer_new(gmon, &target, &writer, NULL), 0);
	for (int i = 0; i < N_OBJECTS; i++) {
		if (i && random_next(random) % 2)
			continue;
		uint64_t block = world[i].lo / 1024 * 1024;
		uint64_t shift = i ? (end + GAP) / GAP * GAP - block : 0;
		uint64_t lo = world[i].lo + shift;

		end = make_object(&world[i], lo, random, most, truth->ticks[i],
				  symbols, writer);
		fprintf(objects,
			"# object %" PRIx64 " %" PRIx64 " %" PRIx64 " %s %s\n",
			lo, end, shift, world[i].build_id, world[i].path);
	}
	ck_assert_int_eq(prf_gmon_writer_finish(writer, NULL), 0);
	prf_gmon_writer_free(writer);
	fclose(gmon);
	fclose(symbols);
	fclose(objects);
	made.n_syms = (size_t)asprintf(
		&made.syms, "%s%s%016" PRIx64 " T [end]\n", head, body, end);
	free(head);
	free(body);
	return made;
}

/* --- Merging */

static int
add_as(struct prf_merge *merge, const char *name, const struct made *made,
       struct prf_error *err)
{
	PRF_AUTO(prf_gmon_auto) struct prf_gmon *gmon = NULL;

	ck_assert_int_eq(
		prf_gmon_parse(made->gmon, made->n_gmon, NULL, &gmon, err), 0);
	return prf_merge_add(merge, name, gmon, made->syms, made->n_syms, err);
}

static int
add(struct prf_merge *merge, const struct made *made, struct prf_error *err)
{
	return add_as(merge, "file", made, err);
}

static struct made
written(const struct prf_merge *merge)
{
	PRF_AUTO(prf_merged_layout_auto)
	struct prf_merged_layout *layout = NULL;
	struct prf_error err = {0};
	struct made made = {0};
	FILE *gmon = open_memstream(&made.gmon, &made.n_gmon);
	FILE *syms = open_memstream(&made.syms, &made.n_syms);

	int rc = prf_merged_layout_new(merge, &layout, &err);
	if (!rc)
		rc = prf_mergedfiles_write_ticks(merge, layout, gmon, &err);
	if (!rc)
		rc = prf_mergedfiles_write_syms(layout, syms, &err);
	ck_assert_msg(!rc, "%s", err.text);
	fclose(gmon);
	fclose(syms);
	if (!merge->has_lists)
		free(PRF_TAKE(made.syms));
	return made;
}

static struct made
sum_of(const struct made *const *files, size_t n)
{
	PRF_AUTO(prf_merge_auto) struct prf_merge *merge = prf_merge_new();
	struct prf_error err = {0};

	for (size_t i = 0; i < n; i++)
		ck_assert_msg(add(merge, files[i], &err) == 0, "%s", err.text);
	return written(merge);
}

static struct made
sum_of_two(const struct made *a, const struct made *b)
{
	return sum_of((const struct made *const[]){a, b}, 2);
}

static void
assert_same(const struct made *a, const struct made *b)
{
	ck_assert_uint_eq(a->n_gmon, b->n_gmon);
	ck_assert_mem_eq(a->gmon, b->gmon, a->n_gmon);
	if (a->syms || b->syms)
		ck_assert_str_eq(a->syms, b->syms);
}

/* Reads MADE back as gprof -S does: by its own list. */
static void
count(const struct made *made, struct truth *found)
{
	PRF_AUTO(prf_merge_auto) struct prf_merge *merge = prf_merge_new();
	struct prf_error err = {0};

	ck_assert_msg(add(merge, made, &err) == 0, "%s", err.text);
	for (size_t i = 0; i < merge->n_functions; i++) {
		const struct prf_merged_function *f = merge->functions[i];

		for (int o = 0; o < N_OBJECTS; o++)
			for (int n = 0; n < N_NAMES; n++)
				if (!strcmp(world[o].path, f->object->path) &&
				    !strcmp(world[o].names[n], f->name))
					found->ticks[o][n] += f->ticks;
	}
}

enum { N_ROUNDS = 60, N_FILES = 5 };

START_TEST(every_tick_stays_with_its_function_wherever_files_put_it)
{
	struct random random = random_begin();

	for (uint64_t round = 0; round < N_ROUNDS; round++) {
		struct made made[N_FILES];
		const struct made *files[N_FILES];
		struct truth truth = {0}, found = {0};

		for (int i = 0; i < N_FILES; i++) {
			made[i] =
				make(&random, round % 2 ? 10 : 100000, &truth);
			files[i] = &made[i];
		}
		PRF_AUTO(made_clear) struct made sum = sum_of(files, N_FILES);
		count(&sum, &found);
		for (int i = 0; i < N_FILES; i++)
			made_clear(&made[i]);
		ck_assert_mem_eq(&truth, &found, sizeof truth);
	}
}
END_TEST

START_TEST(the_order_of_files_does_not_matter)
{
	struct random random = random_begin();

	for (uint64_t round = 0; round < N_ROUNDS; round++) {
		struct truth truth = {0};
		PRF_AUTO(made_clear)
		struct made a = make(&random, 70000, &truth);
		PRF_AUTO(made_clear)
		struct made b = make(&random, 70000, &truth);
		PRF_AUTO(made_clear) struct made ab = sum_of_two(&a, &b);
		PRF_AUTO(made_clear) struct made ba = sum_of_two(&b, &a);

		assert_same(&ab, &ba);
	}
}
END_TEST

START_TEST(sums_of_sums_are_the_sum_of_all)
{
	struct random random = random_begin();

	for (uint64_t round = 0; round < N_ROUNDS; round++) {
		struct truth truth = {0};
		PRF_AUTO(made_clear)
		struct made a = make(&random, 70000, &truth);
		PRF_AUTO(made_clear)
		struct made b = make(&random, 70000, &truth);
		PRF_AUTO(made_clear)
		struct made c = make(&random, 70000, &truth);
		PRF_AUTO(made_clear) struct made ab = sum_of_two(&a, &b);
		PRF_AUTO(made_clear) struct made bc = sum_of_two(&b, &c);
		PRF_AUTO(made_clear) struct made left = sum_of_two(&ab, &c);
		PRF_AUTO(made_clear) struct made right = sum_of_two(&a, &bc);
		PRF_AUTO(made_clear)
		struct made all =
			sum_of((const struct made *const[]){&c, &a, &b}, 3);

		assert_same(&left, &right);
		assert_same(&left, &all);
	}
}
END_TEST

/* --- One file at a time, without a list */

/* Of TICKS at VADDR, RATE_HZ of them a second; and an arc. */
static struct made
make_plain(uint64_t vaddr, uint64_t ticks, uint32_t rate_hz, uint64_t calls)
{
	const struct prf_gmon_target target = {8, false, rate_hz};
	struct prf_gmon_writer *writer;
	struct made made = {0};
	FILE *gmon = open_memstream(&made.gmon, &made.n_gmon);

	ck_assert_int_eq(prf_gmon_writer_new(gmon, &target, &writer, NULL), 0);
	ck_assert_int_eq(prf_gmon_writer_ticks(writer, vaddr, ticks, NULL), 0);
	ck_assert_int_eq(
		prf_gmon_writer_arc(writer, vaddr, 0x1000, calls, NULL), 0);
	ck_assert_int_eq(prf_gmon_writer_finish(writer, NULL), 0);
	prf_gmon_writer_free(writer);
	fclose(gmon);
	return made;
}

START_TEST(counters_and_arcs_go_beyond_16_and_32_bits)
{
	PRF_AUTO(made_clear)
	struct made a = make_plain(0x2000, 65535, 100, UINT32_MAX);
	PRF_AUTO(made_clear)
	struct made b = make_plain(0x2000, 40000, 100, UINT32_MAX);
	PRF_AUTO(made_clear)
	struct made c = make_plain(0x9000, UINT32_MAX, 100, 0);
	PRF_AUTO(made_clear)
	struct made sum = sum_of((const struct made *const[]){&a, &b, &c}, 3);
	PRF_AUTO(prf_gmon_auto) struct prf_gmon *gmon = NULL;

	ck_assert_int_eq(
		prf_gmon_parse(sum.gmon, sum.n_gmon, NULL, &gmon, NULL), 0);
	ck_assert_uint_eq(gmon->ticks, 65535 + 40000 + (uint64_t)UINT32_MAX);
	ck_assert_uint_eq(gmon->hists[0].counts[0], 105535);
	ck_assert_uint_eq(gmon->arcs[0].count, 2 * (uint64_t)UINT32_MAX);
}
END_TEST

START_TEST(what_gprof_could_not_add_is_not_written)
{
	PRF_AUTO(made_clear)
	struct made a = make_plain(0x2000, UINT32_MAX, 100, 0);
	PRF_AUTO(made_clear) struct made b = make_plain(0x2000, 1, 100, 0);
	PRF_AUTO(prf_merge_auto) struct prf_merge *merge = prf_merge_new();
	PRF_AUTO(prf_merged_layout_auto)
	struct prf_merged_layout *layout = NULL;
	struct prf_error err = {0};
	FILE *out = fopen("/dev/null", "w");

	ck_assert_int_eq(add(merge, &a, &err), 0);
	ck_assert_int_eq(add(merge, &b, &err), 0);
	ck_assert_uint_eq(merge->ticks, UINT64_C(1) << 32);
	ck_assert_int_eq(prf_merged_layout_new(merge, &layout, &err), 0);
	ck_assert_int_eq(prf_mergedfiles_write_ticks(merge, layout, out, &err),
			 -EOVERFLOW);
	ck_assert_ptr_nonnull(strstr(err.text, "0x2000"));
	fclose(out);
}
END_TEST

/* --- What is refused */

static void
assert_refused(const struct made *a, const struct made *b, const char *why)
{
	PRF_AUTO(prf_merge_auto) struct prf_merge *merge = prf_merge_new();
	struct prf_error err = {0};

	ck_assert_msg(add(merge, a, &err) == 0, "%s", err.text);
	ck_assert_int_lt(add(merge, b, &err), 0);
	ck_assert_msg(strstr(err.text, why), "%s", err.text);
}

static struct made
make_listed(uint64_t vaddr, const char *syms)
{
	struct made made = make_plain(vaddr, 1, 100, 0);

	made.syms = strdup(syms);
	made.n_syms = strlen(syms);
	return made;
}

#define LIST(build_id)                                                         \
	"# gmon.syms 1\n# object 2000 3000 0 " build_id                        \
	" /bin/app\n0000000000002000 T main\n0000000000003000 T [end]\n"

START_TEST(another_rate_is_refused)
{
	PRF_AUTO(made_clear) struct made a = make_plain(0x2000, 1, 100, 0);
	PRF_AUTO(made_clear) struct made b = make_plain(0x2000, 1, 1000, 0);

	assert_refused(&a, &b, "rate 1000, 100 before");
}
END_TEST

#define LIST_OF(lo, build_id, path)                                            \
	"# gmon.syms 1\n# object " lo " 3000 0 " build_id " " path             \
	"\n0000000000002000 T main\n0000000000003000 T [end]\n"

static const struct {
	const char *first, *other, *error;
} programs[] = {
	{LIST("01"), LIST_OF("2000", "02", "/bin/app"),
	 "of another program than one: /bin/app (build-id 02), not /bin/app "
	 "(build-id 01)"},
	{LIST("01"), LIST_OF("2000", "-", "/bin/b%20c"),
	 "of another program than one: /bin/b%20c (no build-id, text 0x2000 to "
	 "0x3000), not /bin/app (build-id 01)"},
	{LIST("-"), LIST_OF("2000", "-", "/bin/b"),
	 "of another program than one: /bin/b (no build-id, text 0x2000 to "
	 "0x3000), not /bin/app (no build-id, text 0x2000 to 0x3000)"},
	{LIST("-"), LIST_OF("1000", "-", "/bin/app"),
	 "of another program than one: /bin/app (no build-id, text 0x1000 to "
	 "0x3000), not /bin/app (no build-id, text 0x2000 to 0x3000)"},
};

START_TEST(another_program_is_refused_and_both_are_named)
{
	PRF_AUTO(prf_merge_auto) struct prf_merge *merge = prf_merge_new();
	PRF_AUTO(made_clear)
	struct made a = make_listed(0x2000, programs[_i].first);
	PRF_AUTO(made_clear)
	struct made b = make_listed(0x2000, programs[_i].other);
	struct prf_error err = {0};

	ck_assert_int_eq(add_as(merge, "one", &a, &err), 0);
	/* The name is of the file that has it first. */
	ck_assert_int_eq(add_as(merge, "two", &a, &err), 0);
	ck_assert_int_eq(add_as(merge, "three", &b, &err), -EINVAL);
	ck_assert_str_eq(err.text, programs[_i].error);
}
END_TEST

START_TEST(a_damaged_list_is_refused_with_its_line)
{
	PRF_AUTO(made_clear) struct made a = make_listed(0x2000, LIST("01"));
	PRF_AUTO(made_clear) struct made b = make_listed(0x2000, LIST("xy"));

	assert_refused(&a, &b, "its list of symbols: line 2: ");
}
END_TEST

START_TEST(a_file_without_a_list_does_not_go_with_one_that_has_it)
{
	PRF_AUTO(made_clear) struct made a = make_listed(0x2000, LIST("01"));
	PRF_AUTO(made_clear) struct made b = make_plain(0x2000, 1, 100, 0);

	assert_refused(&a, &b, "no list");
	assert_refused(&b, &a, "a list");
}
END_TEST

START_TEST(ticks_that_are_in_no_object_are_refused)
{
	static const uint64_t strays[] = {0x1000, 0x1ffe, 0x3000, 0x90000};
	PRF_AUTO(made_clear) struct made a = make_listed(0x2ffe, LIST("01"));

	for (size_t i = 0; i < sizeof strays / sizeof *strays; i++) {
		PRF_AUTO(made_clear)
		struct made b = make_listed(strays[i], LIST("01"));

		assert_refused(&a, &b, "do not belong together");
	}
}
END_TEST

/* --- Histograms of another scale, such as glibc's */

static struct made
make_wide(uint64_t lo, uint32_t n_bins, unsigned bin_bytes)
{
	struct prf_merge merge = {.rate_hz = 100,
				  .dimension = "seconds",
				  .abbreviation = 's',
				  .n_hists = 1,
				  .reading = {8, false},
				  .has_reading = true};
	uint64_t counts[64] = {1, 2, 70000};
	struct prf_gmon_hist hist = {.lo_vaddr = lo,
				     .hi_vaddr = lo + n_bins * bin_bytes,
				     .counts = counts,
				     .n_bins = n_bins};

	merge.hists = &hist;
	return written(&merge);
}

START_TEST(histograms_keep_their_range_and_scale)
{
	PRF_AUTO(made_clear) struct made a = make_wide(0x1000, 40, 4);
	PRF_AUTO(made_clear) struct made b = make_wide(0x8000, 8, 4);
	PRF_AUTO(made_clear)
	struct made sum = sum_of((const struct made *const[]){&b, &a, &a}, 3);
	PRF_AUTO(prf_gmon_auto) struct prf_gmon *gmon = NULL;

	ck_assert_int_eq(
		prf_gmon_parse(sum.gmon, sum.n_gmon, NULL, &gmon, NULL), 0);
	ck_assert_uint_eq(gmon->n_hists, 2);
	ck_assert_uint_eq(gmon->hists[0].hi_vaddr, 0x1000 + 160);
	ck_assert_uint_eq(gmon->hists[0].n_bins, 40);
	ck_assert_uint_eq(gmon->hists[0].counts[2], 140000);
	ck_assert_uint_eq(gmon->hists[1].counts[2], 70000);
}
END_TEST

START_TEST(ranges_that_overlap_and_other_scales_are_refused)
{
	PRF_AUTO(made_clear) struct made a = make_wide(0x1000, 40, 4);
	PRF_AUTO(made_clear) struct made longer = make_wide(0x1000, 41, 4);
	PRF_AUTO(made_clear) struct made wider = make_wide(0x1000, 20, 8);
	PRF_AUTO(made_clear) struct made fine = make_plain(0x2000, 1, 100, 0);

	assert_refused(&a, &longer, "overlaps");
	assert_refused(&a, &wider, "a counter for 8 bytes");
	assert_refused(&a, &fine, "a counter for 2 bytes");
	assert_refused(&fine, &a, "a counter for 4 bytes");
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("merge");
	TCase *tcase = tcase_create("merge");

	tcase_set_timeout(tcase, 120);
	tcase_add_test(
		tcase,
		every_tick_stays_with_its_function_wherever_files_put_it);
	tcase_add_test(tcase, the_order_of_files_does_not_matter);
	tcase_add_test(tcase, sums_of_sums_are_the_sum_of_all);
	tcase_add_test(tcase, counters_and_arcs_go_beyond_16_and_32_bits);
	tcase_add_test(tcase, what_gprof_could_not_add_is_not_written);
	tcase_add_test(tcase, another_rate_is_refused);
	tcase_add_loop_test(tcase,
			    another_program_is_refused_and_both_are_named, 0,
			    sizeof programs / sizeof *programs);
	tcase_add_test(tcase, a_damaged_list_is_refused_with_its_line);
	tcase_add_test(tcase,
		       a_file_without_a_list_does_not_go_with_one_that_has_it);
	tcase_add_test(tcase, ticks_that_are_in_no_object_are_refused);
	tcase_add_test(tcase, histograms_keep_their_range_and_scale);
	tcase_add_test(tcase, ranges_that_overlap_and_other_scales_are_refused);
	suite_add_tcase(suite, tcase);
	return suite;
}
