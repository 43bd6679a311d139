/* What files add up to, wherever each has its objects. */
#include "view/gmon/gmon_source.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/gmon/gmon_writer.h"
#include "core/random.h"
#include "core/scope.h"
#include "profile/functions.h"
#include "support/suite.h"
#include "view/made_sum.h"

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

	ck_assert_msg(sum_add(&sum, made, &err) == 0, "%s", err.text);
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

		made_assert_same(&ab, &ba);
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

		made_assert_same(&left, &right);
		made_assert_same(&left, &all);
	}
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
	struct made a = made_listed(0x2000, programs[_i].first);
	PRF_AUTO(made_clear)
	struct made b = made_listed(0x2000, programs[_i].other);
	PRF_AUTO(made_clear) struct made ab = sum_of_two(&a, &b);
	PRF_AUTO(made_clear) struct made ba = sum_of_two(&b, &a);
	PRF_AUTO(sum_clear) struct sum sum = sum_new();
	struct prf_error err = {0};

	made_assert_same(&ab, &ba);
	ck_assert_msg(!sum_add(&sum, &ab, &err), "%s", err.text);
	ck_assert_uint_eq(sum.profile->n_binaries, programs[_i].n_binaries);
	ck_assert_uint_eq(sum.profile->total.ticks, 2);
	for (size_t i = 0; i < sum.profile->n_binaries; i++)
		ck_assert_uint_eq(sum.profile->binaries[i]->total.ticks,
				  2 / programs[_i].n_binaries);
}
END_TEST

/* --- A file whose names could not be read */

#define BLOB(lo, hi, name)                                                     \
	"# gmon.syms 1\n# object " lo " " hi " 0 - /a/my%20blob\n"             \
	"000000000000" lo " T " name "\n000000000000" hi " T [end]\n"

START_TEST(a_file_without_names_is_one_however_much_was_mapped)
{
	PRF_AUTO(made_clear)
	struct made a = made_listed(0x2000, BLOB("2000", "3000", "[my_blob]"));
	PRF_AUTO(made_clear)
	struct made b = made_listed(0x4000, BLOB("4000", "5000", "[my_blob]"));
	PRF_AUTO(made_clear)
	struct made c = made_listed(0x1000, BLOB("1000", "5000", "[my_blob]"));
	PRF_AUTO(made_clear) struct made ab = sum_of_two(&a, &b);
	PRF_AUTO(made_clear) struct made abc = sum_of_two(&ab, &c);
	PRF_AUTO(made_clear) struct made bc = sum_of_two(&b, &c);
	PRF_AUTO(made_clear) struct made bca = sum_of_two(&bc, &a);
	PRF_AUTO(sum_clear) struct sum sum = sum_new();
	struct prf_error err = {0};

	made_assert_same(&abc, &bca);
	ck_assert_int_eq(sum_add(&sum, &abc, &err), 0);
	ck_assert_uint_eq(sum.profile->n_binaries, 1);
	ck_assert(sum.profile->binaries[0]->is_offsets);
	ck_assert_uint_eq(sum.profile->binaries[0]->total.ticks, 3);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("gmon_sums");
	TCase *tcase = tcase_create("gmon_sums");

	tcase_add_test(
		tcase,
		every_tick_stays_with_its_function_wherever_files_put_it);
	tcase_add_test(tcase, the_order_of_files_does_not_matter);
	tcase_add_test(tcase, sums_of_sums_are_the_sum_of_all);
	tcase_add_loop_test(tcase,
			    files_of_different_programs_are_added_side_by_side,
			    0, sizeof programs / sizeof *programs);
	tcase_add_test(tcase,
		       a_file_without_names_is_one_however_much_was_mapped);
	suite_add_tcase(suite, tcase);
	return suite;
}
