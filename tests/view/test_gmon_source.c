#include "view/gmon/gmon_source.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/gmon/gmon_writer.h"
#include "core/random.h"
#include "core/scope.h"
#include "support/suite.h"
#include "profile/functions.h"
#include "view/gmon/gmon_files.h"

PRF_DEFINE_AUTO(prf_gmon, prf_gmon_free);
PRF_DEFINE_AUTO(prf_gmon_layout, prf_gmon_layout_free);

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

enum {
	N_PROGRAMS = 2, /* one of them is in a file, first */
	N_OBJECTS = 7,
	N_NAMES = 6,
	FUNCTION_BYTES = 0x300,
	GAP = 1 << 20,
};

static const struct world {
	const char *path, *build_id;
	uint64_t lo; /* own addresses; functions follow each other */
	bool by_name;
	const char *names[N_NAMES];
} world[N_OBJECTS] = {
	{"/bin/app", "abcd", 0x1100, false, {"a", "b", "c", "d", "e", "main"}},
	{"/bin/too", "ef", 0x1000, false, {"a", "b2", "c2", "d2", "e", "main"}},
	{"/lib/one", "01", 0x4080, false, {"a", "o2", "o3", "o4", "o5", "o6"}},
	{"/lib/two", "-", 0x10, false, {"t1", "t2", "t3", "t4", "t5", "t6"}},
	{"[unknown]",
	 "-",
	 0,
	 true,
	 {"[unknown]", "u2", "u3", "u4", "u5", "u6"}},
	{"[jit]", "-", 0, true, {"ja", "jb", "jc", "jd", "je", "jf"}},
	{"[kernel]",
	 "-",
	 0,
	 true,
	 {"[kernel]:read", "[kernel]:write", "[kernel]:futex",
	  "[kernel]:syscall_900", "[kernel]:syscall_1000",
	  "[kernel]:syscall_-1"}},
};

enum { NAME_BYTES = 16, N_ARCS = 6 };

struct truth {
	uint64_t ticks[N_OBJECTS][N_NAMES];
	uint64_t calls; /* of all arcs */
};

/* A file that is being made. */
struct making {
	struct random *random;
	struct truth *truth;
	uint64_t most;
	struct prf_gmon_writer *writer;
	FILE *symbols;
	uint64_t ends[N_OBJECTS * N_NAMES]; /* where arcs may end */
	size_t n_ends;
};

/* Writes OBJECT's symbols, and ticks for some, at BASE; returns its end. */
static uint64_t
make_object(struct making *making, int object, uint64_t base)
{
	struct random *random = making->random;
	bool by_name = world[object].by_name;
	uint64_t addr = base;

	for (int i = 0; i < N_NAMES; i++) {
		uint64_t many = random_below(random, making->most);
		uint64_t at =
			by_name ? 0
				: random_below(random, FUNCTION_BYTES) / 2 * 2;

		if (by_name && random_below(random, 2))
			continue; /* was not seen */
		fprintf(making->symbols, "%016" PRIx64 " T %s\n", addr,
			world[object].names[i]);
		ck_assert_int_eq(prf_gmon_writer_ticks(making->writer,
						       addr + at, many, NULL),
				 0);
		making->truth->ticks[object][i] += many;
		making->ends[making->n_ends++] = addr;
		addr += by_name ? NAME_BYTES : FUNCTION_BYTES;
	}
	return addr == base ? base + NAME_BYTES : addr;
}

static void
make_arcs(struct making *making)
{
	for (int i = 0; i < N_ARCS && making->n_ends; i++) {
		uint64_t calls = 1 + random_below(making->random, making->most);

		ck_assert_int_eq(
			prf_gmon_writer_arc(
				making->writer,
				making->ends[random_below(making->random,
							  making->n_ends)],
				making->ends[random_below(making->random,
							  making->n_ends)],
				calls, NULL),
			0);
		making->truth->calls += calls;
	}
}

/* A file of one of the programs and some of the other objects; TRUTH becomes
 * more by what is in it. */
static struct made
make(struct random *random, uint64_t most, struct truth *truth)
{
	const struct prf_gmon_target target = {.addr_bytes = 8, .rate_hz = 100};
	int program = (int)random_below(random, N_PROGRAMS);
	uint64_t end = 0;
	struct made made = {0};
	char *body = NULL, *head = NULL;
	size_t size;
	FILE *gmon = open_memstream(&made.gmon, &made.n_gmon);
	FILE *objects = open_memstream(&head, &size);
	struct making making = {random, truth, most, .symbols = NULL};

	making.symbols = open_memstream(&body, &size);
	fputs("# gmon.syms 1\n", objects);
	ck_assert_int_eq(
		prf_gmon_writer_new(gmon, &target, &making.writer, NULL), 0);
	for (int i = 0; i < N_OBJECTS; i++) {
		bool is_program = i < N_PROGRAMS;

		if (is_program ? i != program : random_below(random, 2))
			continue;
		uint64_t block = world[i].lo / 1024 * 1024;
		uint64_t shift =
			is_program ? 0 : (end + GAP) / GAP * GAP - block;
		uint64_t lo = world[i].lo + shift;

		end = make_object(&making, i, lo);
		fprintf(objects,
			"# object %" PRIx64 " %" PRIx64 " %" PRIx64 " %s %s\n",
			lo, end, shift, world[i].build_id, world[i].path);
	}
	make_arcs(&making);
	ck_assert_int_eq(prf_gmon_writer_finish(making.writer, NULL), 0);
	prf_gmon_writer_free(making.writer);
	fclose(gmon);
	fclose(making.symbols);
	fclose(objects);
	made.n_syms = (size_t)asprintf(
		&made.syms, "%s%s%016" PRIx64 " T [end]\n", head, body, end);
	free(head);
	free(body);
	return made;
}

/* --- Adding */

struct sum {
	struct prf_profile *profile;
	struct prf_gmon_source *source;
};

static void
sum_clear(struct sum *sum)
{
	prf_gmon_source_free(sum->source);
	prf_profile_free(sum->profile);
}

static struct sum
sum_new(void)
{
	struct sum sum = {.profile = prf_profile_new()};

	sum.source = prf_gmon_source_new(sum.profile, NULL, NULL);
	ck_assert_ptr_nonnull(sum.source);
	return sum;
}

static int
add(struct sum *sum, const struct made *made, struct prf_error *err)
{
	PRF_AUTO(prf_gmon_auto) struct prf_gmon *gmon = NULL;

	ck_assert_int_eq(
		prf_gmon_parse(made->gmon, made->n_gmon, NULL, &gmon, err), 0);
	return prf_gmon_source_add(sum->source, gmon, made->syms, made->n_syms,
				   err);
}

static struct made
written(const struct prf_profile *profile)
{
	PRF_AUTO(prf_gmon_layout_auto) struct prf_gmon_layout *layout = NULL;
	struct prf_error err = {0};
	struct made made = {0};
	FILE *gmon = open_memstream(&made.gmon, &made.n_gmon);
	FILE *syms = open_memstream(&made.syms, &made.n_syms);

	int rc = prf_gmon_layout_new(profile, &layout, &err);
	if (!rc)
		rc = prf_gmon_files_write_ticks(layout, gmon, &err);
	if (!rc)
		rc = prf_gmon_files_write_syms(layout, false, syms, &err);
	ck_assert_msg(!rc, "%s", err.text);
	fclose(gmon);
	fclose(syms);
	if (!layout->has_list)
		free(PRF_TAKE(made.syms));
	return made;
}

static struct made
sum_of(const struct made *const *files, size_t n)
{
	PRF_AUTO(sum_clear) struct sum sum = sum_new();
	struct prf_error err = {0};

	for (size_t i = 0; i < n; i++)
		ck_assert_msg(add(&sum, files[i], &err) == 0, "%s", err.text);
	return written(sum.profile);
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

/* The name in the world, as a profile has it: system calls by theirs alone. */
static const char *
name_of(int object, int name)
{
	const char *text = world[object].names[name];

	return strncmp(text, "[kernel]:", 9) == 0 ? text + 9 : text;
}

static void
count_function(const struct prf_function *function, struct truth *found)
{
	const struct prf_binary *binary = function->binary;
	const char *path = *binary->path ? binary->path : binary->name;

	for (int o = 0; o < N_OBJECTS; o++)
		for (int n = 0; n < N_NAMES; n++)
			if (strcmp(world[o].path, path) == 0 &&
			    strcmp(name_of(o, n), function->name) == 0)
				found->ticks[o][n] += function->count.ticks;
}

/* Reads MADE back as gprof -S does: by its own list. */
static void
count(const struct made *made, struct truth *found)
{
	PRF_AUTO(sum_clear) struct sum sum = sum_new();
	PRF_AUTO(prf_functions_clear) struct prf_functions functions = {0};
	struct prf_error err = {0};

	ck_assert_msg(add(&sum, made, &err) == 0, "%s", err.text);
	ck_assert_int_eq(prf_functions_of(sum.profile, &functions), 0);
	for (size_t i = 0; i < functions.n; i++)
		count_function(&functions.all[i], found);
	for (size_t i = 0; i < sum.profile->arcs.n; i++)
		found->calls += sum.profile->arcs.all[i].count;
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
	const struct prf_gmon_target target = {.addr_bytes = 8,
					       .rate_hz = rate_hz};
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
	PRF_AUTO(sum_clear) struct sum sum = sum_new();
	PRF_AUTO(prf_gmon_layout_auto) struct prf_gmon_layout *layout = NULL;
	struct prf_error err = {0};
	FILE *out = fopen("/dev/null", "w");

	ck_assert_int_eq(add(&sum, &a, &err), 0);
	ck_assert_int_eq(add(&sum, &b, &err), 0);
	ck_assert_uint_eq(sum.profile->total.ticks, UINT64_C(1) << 32);
	ck_assert_int_eq(prf_gmon_layout_new(sum.profile, &layout, &err), 0);
	ck_assert_int_eq(prf_gmon_files_write_ticks(layout, out, &err),
			 -EOVERFLOW);
	ck_assert_ptr_nonnull(strstr(err.text, "0x2000"));
	fclose(out);
}
END_TEST

/* --- What is refused */

static void
assert_refused(const struct made *a, const struct made *b, const char *why)
{
	PRF_AUTO(sum_clear) struct sum sum = sum_new();
	struct prf_error err = {0};

	ck_assert_msg(add(&sum, a, &err) == 0, "%s", err.text);
	ck_assert_int_lt(add(&sum, b, &err), 0);
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

static struct made
make_of(uint8_t addr_bytes, bool big_endian, const char *dimension)
{
	const struct prf_gmon_target target = {
		.addr_bytes = addr_bytes,
		.big_endian = big_endian,
		.rate_hz = 100,
		.dimension = dimension,
		.abbreviation = 'x',
	};
	struct prf_gmon_writer *writer;
	struct made made = {0};
	FILE *gmon = open_memstream(&made.gmon, &made.n_gmon);

	ck_assert_int_eq(prf_gmon_writer_new(gmon, &target, &writer, NULL), 0);
	ck_assert_int_eq(prf_gmon_writer_ticks(writer, 0x2000, 7, NULL), 0);
	ck_assert_int_eq(prf_gmon_writer_finish(writer, NULL), 0);
	prf_gmon_writer_free(writer);
	fclose(gmon);
	return made;
}

START_TEST(another_unit_or_machine_is_refused)
{
	PRF_AUTO(made_clear) struct made a = make_of(8, false, NULL);
	PRF_AUTO(made_clear) struct made b = make_of(8, false, "samples");
	PRF_AUTO(made_clear) struct made c = make_of(8, true, NULL);
	PRF_AUTO(made_clear) struct made d = make_of(4, false, NULL);

	assert_refused(&a, &b, "counts samples, before it was seconds");
	assert_refused(&a, &c, "of another machine");
	assert_refused(&a, &d, "of another machine");
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
	const struct prf_gmon_target target = {.addr_bytes = 8, .rate_hz = 100};
	uint64_t counts[64] = {1, 2, 70000};
	const struct prf_gmon_hist hist = {.lo_vaddr = lo,
					   .hi_vaddr = lo + n_bins * bin_bytes,
					   .counts = counts,
					   .n_bins = n_bins};
	struct prf_gmon_writer *writer;
	struct made made = {0};
	FILE *gmon = open_memstream(&made.gmon, &made.n_gmon);

	ck_assert_int_eq(prf_gmon_writer_new(gmon, &target, &writer, NULL), 0);
	ck_assert_int_eq(prf_gmon_writer_hist(writer, &hist, NULL), 0);
	ck_assert_int_eq(prf_gmon_writer_arc(writer, lo, 0x1000, 9, NULL), 0);
	ck_assert_int_eq(prf_gmon_writer_finish(writer, NULL), 0);
	prf_gmon_writer_free(writer);
	fclose(gmon);
	return made;
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
	/* And their arcs. */
	ck_assert_uint_eq(gmon->n_arcs, 2);
	ck_assert_uint_eq(gmon->arcs[0].from_vaddr, 0x1000);
	ck_assert_uint_eq(gmon->arcs[0].count, 18);
	ck_assert_uint_eq(gmon->arcs[1].from_vaddr, 0x8000);
	ck_assert_uint_eq(gmon->arcs[1].count, 9);
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

START_TEST(a_list_does_not_go_with_another_scale)
{
	PRF_AUTO(made_clear) struct made a = make_listed(0x2000, LIST("01"));
	PRF_AUTO(made_clear) struct made b = make_wide(0x2000, 40, 4);

	b.syms = strdup(a.syms);
	b.n_syms = a.n_syms;
	assert_refused(&a, &b, "a counter for 4 bytes, and a list");
}
END_TEST

/* --- Names */

/* Two files in which three objects that count by name are laid out otherwise,
 * and an arc from main to each function of theirs. */
#define NAMES_1                                                                \
	"# gmon.syms 1\n# object 1000 2000 0 01 /bin/app\n"                    \
	"# object 100000 100020 100000 - [jit]\n"                              \
	"# object 200000 200010 200000 - [kernel]\n"                           \
	"# object 300000 300010 300000 - [unknown]\n"                          \
	"0000000000001000 T main\n"                                            \
	"0000000000100000 T f\n0000000000100010 T g\n"                         \
	"0000000000200000 T [kernel]:read\n"                                   \
	"0000000000300000 T [unknown]\n0000000000300010 T [end]\n"
#define NAMES_2                                                                \
	"# gmon.syms 1\n# object 1000 2000 0 01 /bin/app\n"                    \
	"# object 100000 100010 100000 - [unknown]\n"                          \
	"# object 200000 200020 200000 - [jit]\n"                              \
	"# object 300000 300020 300000 - [kernel]\n"                           \
	"0000000000001000 T main\n0000000000100000 T [unknown]\n"              \
	"0000000000200000 T a\n0000000000200010 T f\n"                         \
	"0000000000300000 T [kernel]:futex\n"                                  \
	"0000000000300010 T [kernel]:read\n0000000000300020 T [end]\n"

static struct made
make_named(const char *syms, const uint64_t *ends, size_t n)
{
	const struct prf_gmon_target target = {.addr_bytes = 8, .rate_hz = 100};
	struct prf_gmon_writer *writer;
	struct made made = {.syms = strdup(syms), .n_syms = strlen(syms)};
	FILE *gmon = open_memstream(&made.gmon, &made.n_gmon);

	ck_assert_int_eq(prf_gmon_writer_new(gmon, &target, &writer, NULL), 0);
	for (size_t i = 0; i < n; i++)
		ck_assert_int_eq(
			prf_gmon_writer_ticks(writer, ends[i], i + 1, NULL), 0);
	for (size_t i = 0; i < n; i++)
		ck_assert_int_eq(prf_gmon_writer_arc(writer, 0x1004, ends[i],
						     10 * (i + 1), NULL),
				 0);
	ck_assert_int_eq(prf_gmon_writer_finish(writer, NULL), 0);
	prf_gmon_writer_free(writer);
	fclose(gmon);
	return made;
}

/* How often FUNCTION of BINARY was called, and its ticks. */
static void
check_named(const struct prf_profile *profile, const char *binary,
	    const char *function, uint64_t ticks, uint64_t calls)
{
	for (size_t i = 0; i < profile->arcs.n; i++) {
		const struct prf_arc_end *to = &profile->arcs.all[i].to;
		const struct prf_named_count *named =
			&to->binary->names.all[to->vaddr];

		if (strcmp(to->binary->name, binary) != 0 ||
		    strcmp(named->text, function) != 0)
			continue;
		ck_assert_uint_eq(named->count.ticks, ticks);
		ck_assert_uint_eq(profile->arcs.all[i].count, calls);
		return;
	}
	ck_abort_msg("no arc to %s of %s", function, binary);
}

START_TEST(what_has_no_addresses_adds_up_by_name)
{
	static const uint64_t ends_1[] = {0x100000, 0x100010, 0x200000,
					  0x300000};
	static const uint64_t ends_2[] = {0x100000, 0x200000, 0x200010,
					  0x300000, 0x300010};
	PRF_AUTO(made_clear) struct made a = make_named(NAMES_1, ends_1, 4);
	PRF_AUTO(made_clear) struct made b = make_named(NAMES_2, ends_2, 5);
	PRF_AUTO(sum_clear) struct sum sum = sum_new();
	struct prf_error err = {0};

	ck_assert_int_eq(add(&sum, _i ? &b : &a, &err), 0);
	ck_assert_msg(!add(&sum, _i ? &a : &b, &err), "%s", err.text);
	ck_assert_uint_eq(sum.profile->arcs.n, 6);
	check_named(sum.profile, "[jit]", "a", 2, 20);
	check_named(sum.profile, "[jit]", "f", 1 + 3, 10 + 30);
	check_named(sum.profile, "[jit]", "g", 2, 20);
	check_named(sum.profile, "[kernel]", "futex", 4, 40);
	check_named(sum.profile, "[kernel]", "read", 3 + 5, 30 + 50);
	check_named(sum.profile, "[unknown]", "[unknown]", 4 + 1, 40 + 10);
}
END_TEST

START_TEST(an_arc_to_where_the_list_has_nothing_is_refused)
{
	PRF_AUTO(made_clear) struct made a = make_listed(0x2ffe, LIST("01"));
	PRF_AUTO(made_clear)
	struct made b = make_named(LIST("01"), NULL, 0);

	free(b.gmon);
	b.gmon = malloc(a.n_gmon + 21);
	memcpy(b.gmon, a.gmon, a.n_gmon);
	memcpy(b.gmon + a.n_gmon, "\1\4 \0\0\0\0\0\0\0\0\x10\0\0\0\0\0\1\0\0",
	       21);
	b.n_gmon = a.n_gmon + 21;
	assert_refused(&a, &b, "an arc at 0x100000");
}
END_TEST

/* --- Programs */

#define PROGRAM(build_id, path, hi)                                            \
	"# gmon.syms 1\n# object 2000 " hi " 0 " build_id " " path             \
	"\n0000000000002000 T main\n000000000000" hi " T [end]\n"

static const struct {
	const char *first, *other;
	size_t n_binaries;
} programs[] = {
	/* A build-id says it all... */
	{PROGRAM("01", "/bin/a", "3000"), PROGRAM("01", "/bin/b", "4000"), 1},
	{PROGRAM("01", "/bin/a", "3000"), PROGRAM("02", "/bin/a", "3000"), 2},
	{PROGRAM("01", "/bin/a", "3000"), PROGRAM("-", "/bin/a", "3000"), 2},
	/* ...and without one the path and the text. */
	{PROGRAM("-", "/bin/a", "3000"), PROGRAM("-", "/bin/a", "3000"), 1},
	{PROGRAM("-", "/bin/a", "3000"), PROGRAM("-", "/bin/b", "3000"), 2},
	{PROGRAM("-", "/bin/a", "3000"), PROGRAM("-", "/bin/a", "4000"), 2},
};

START_TEST(files_of_different_programs_are_added_side_by_side)
{
	PRF_AUTO(made_clear)
	struct made a = make_listed(0x2000, programs[_i].first);
	PRF_AUTO(made_clear)
	struct made b = make_listed(0x2000, programs[_i].other);
	PRF_AUTO(made_clear) struct made ab = sum_of_two(&a, &b);
	PRF_AUTO(made_clear) struct made ba = sum_of_two(&b, &a);
	PRF_AUTO(sum_clear) struct sum sum = sum_new();
	struct prf_error err = {0};

	assert_same(&ab, &ba);
	ck_assert_msg(!add(&sum, &ab, &err), "%s", err.text);
	ck_assert_uint_eq(sum.profile->n_binaries, programs[_i].n_binaries);
	ck_assert_uint_eq(sum.profile->total.ticks, 2);
	for (size_t i = 0; i < sum.profile->n_binaries; i++)
		ck_assert_uint_eq(sum.profile->binaries[i]->total.ticks,
				  2 / programs[_i].n_binaries);
}
END_TEST

/* --- What each file has */

static int
note_share(void *arg, const struct prf_binary *binary, const char *name,
	   uint64_t ticks)
{
	FILE *out = arg;

	fprintf(out, "%s %s %" PRIu64 "\n", binary->name, name, ticks);
	return 0;
}

START_TEST(the_share_of_each_file_is_told)
{
	static const uint64_t ends[] = {0x100000, 0x200000};
	PRF_AUTO(made_clear) struct made a = make_named(NAMES_1, ends, 2);
	PRF_AUTO(made_clear) struct made b = make_named(NAMES_2, ends, 2);
	PRF_AUTO(sum_clear) struct sum sum = sum_new();
	struct prf_error err = {0};
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	prf_gmon_source_free(sum.source);
	sum.source = prf_gmon_source_new(sum.profile, note_share, out);
	ck_assert_int_eq(add(&sum, &a, &err), 0);
	ck_assert_int_eq(add(&sum, &b, &err), 0);
	ck_assert_int_eq(add(&sum, &a, &err), 0);
	fclose(out);
	ck_assert_str_eq(text, "[jit] f 1\n[kernel] read 2\n"
			       "[unknown] [unknown] 1\n[jit] a 2\n"
			       "[jit] f 1\n[kernel] read 2\n");
	free(text);
}
END_TEST

/* --- A file whose names could not be read */

#define BLOB(lo, hi, name)                                                     \
	"# gmon.syms 1\n# object " lo " " hi " 0 - /a/my%20blob\n"             \
	"000000000000" lo " T " name "\n000000000000" hi " T [end]\n"

START_TEST(a_file_without_names_is_one_however_much_was_mapped)
{
	PRF_AUTO(made_clear)
	struct made a = make_listed(0x2000, BLOB("2000", "3000", "[my_blob]"));
	PRF_AUTO(made_clear)
	struct made b = make_listed(0x4000, BLOB("4000", "5000", "[my_blob]"));
	PRF_AUTO(made_clear)
	struct made c = make_listed(0x1000, BLOB("1000", "5000", "[my_blob]"));
	PRF_AUTO(made_clear) struct made ab = sum_of_two(&a, &b);
	PRF_AUTO(made_clear) struct made abc = sum_of_two(&ab, &c);
	PRF_AUTO(made_clear) struct made bc = sum_of_two(&b, &c);
	PRF_AUTO(made_clear) struct made bca = sum_of_two(&bc, &a);
	PRF_AUTO(sum_clear) struct sum sum = sum_new();
	struct prf_error err = {0};

	assert_same(&abc, &bca);
	ck_assert_int_eq(add(&sum, &abc, &err), 0);
	ck_assert_uint_eq(sum.profile->n_binaries, 1);
	ck_assert(sum.profile->binaries[0]->is_offsets);
	ck_assert_uint_eq(sum.profile->binaries[0]->total.ticks, 3);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("gmon_source");
	TCase *tcase = tcase_create("gmon_source");

	tcase_set_timeout(tcase, 120);
	tcase_add_test(
		tcase,
		every_tick_stays_with_its_function_wherever_files_put_it);
	tcase_add_test(tcase, the_order_of_files_does_not_matter);
	tcase_add_test(tcase, sums_of_sums_are_the_sum_of_all);
	tcase_add_test(tcase, counters_and_arcs_go_beyond_16_and_32_bits);
	tcase_add_test(tcase, what_gprof_could_not_add_is_not_written);
	tcase_add_test(tcase, another_rate_is_refused);
	tcase_add_test(tcase, another_unit_or_machine_is_refused);
	tcase_add_test(tcase, a_damaged_list_is_refused_with_its_line);
	tcase_add_test(tcase,
		       a_file_without_a_list_does_not_go_with_one_that_has_it);
	tcase_add_test(tcase, ticks_that_are_in_no_object_are_refused);
	tcase_add_test(tcase, histograms_keep_their_range_and_scale);
	tcase_add_test(tcase, ranges_that_overlap_and_other_scales_are_refused);
	tcase_add_test(tcase, a_list_does_not_go_with_another_scale);
	tcase_add_loop_test(tcase, what_has_no_addresses_adds_up_by_name, 0, 2);
	tcase_add_test(tcase, an_arc_to_where_the_list_has_nothing_is_refused);
	tcase_add_loop_test(tcase,
			    files_of_different_programs_are_added_side_by_side,
			    0, sizeof programs / sizeof *programs);
	tcase_add_test(tcase, the_share_of_each_file_is_told);
	tcase_add_test(tcase,
		       a_file_without_names_is_one_however_much_was_mapped);
	suite_add_tcase(suite, tcase);
	return suite;
}
