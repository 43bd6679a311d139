/* What is written as a gmon.out and its list is read again, whatever it is. */
#include "view/gmon/gmon_files.h"

#include <stdlib.h>
#include <string.h>

#include "core/gmon_read.h"
#include "core/random.h"
#include "support/made_run.h"
#include "support/suite.h"
#include "view/made_gmon.h"
#include "view/gmon/gmon_source.h"

#define JIT 0x7f0001000000

/* --- Is it the same? */

/* A function, or an end of an arc, as a list names it. */
struct named {
	char path[5000];
	char name[1000];
	uint64_t vaddr; /* of an end that has an address */
};

static void
copy_name(char *to, const char *name)
{
	size_t n = strnlen(name, 960);

	for (size_t i = 0; i < n; i++)
		to[i] = (unsigned char)name[i] <= ' ' || name[i] == 0x7f
				? '_'
				: name[i];
	to[n] = '\0';
	if (!n)
		strcpy(to, "?");
	if (strcmp(name, "[end]") == 0)
		strcpy(to, "[end]_");
}

static void
name_function(const struct prf_binary *binary, const char *name,
	      struct named *named)
{
	snprintf(named->path, sizeof named->path, "%s",
		 *binary->path   ? binary->path
		 : *binary->name ? binary->name
				 : "?");
	copy_name(named->name, name);
}

/* The ticks of all functions that a list calls as NAMED says. */
static uint64_t
ticks_named(const struct prf_functions *functions, const struct named *named)
{
	uint64_t ticks = 0;

	for (size_t i = 0; i < functions->n; i++) {
		struct named own;

		name_function(functions->all[i].binary, functions->all[i].name,
			      &own);
		if (strcmp(own.path, named->path) == 0 &&
		    strcmp(own.name, named->name) == 0)
			ticks += functions->all[i].count.ticks;
	}
	return ticks;
}

static void
check_functions(const struct prf_profile *one, const struct prf_profile *two)
{
	struct prf_functions ours, theirs;

	ck_assert_int_eq(prf_functions_of(one, &ours), 0);
	ck_assert_int_eq(prf_functions_of(two, &theirs), 0);
	for (size_t i = 0; i < ours.n; i++) {
		struct named named;

		name_function(ours.all[i].binary, ours.all[i].name, &named);
		uint64_t ticks = ticks_named(&theirs, &named);
		ck_assert_msg(ticks == ticks_named(&ours, &named),
			      "%s of %s: %lu", named.name, named.path,
			      (unsigned long)ticks);
	}
	prf_functions_clear(&ours);
	prf_functions_clear(&theirs);
}

static void
name_end(const struct prf_arc_end *end, struct named *named)
{
	bool by_name = end->binary->form == PRF_BINARY_BY_NAME;

	name_function(end->binary,
		      by_name ? end->binary->names.all[end->vaddr].text : "",
		      named);
	named->vaddr = by_name ? 0 : end->vaddr;
}

static bool
is_same_end(const struct prf_arc_end *left, const struct prf_arc_end *right)
{
	struct named a, b;

	name_end(left, &a);
	name_end(right, &b);
	return a.vaddr == b.vaddr && strcmp(a.path, b.path) == 0 &&
	       strcmp(a.name, b.name) == 0;
}

/* How often all arcs between the ends of ARC were seen. */
static uint64_t
calls_of(const struct prf_arcs *arcs, const struct prf_arc *arc)
{
	uint64_t calls = 0;

	for (size_t i = 0; i < arcs->n; i++)
		if (is_same_end(&arcs->all[i].from, &arc->from) &&
		    is_same_end(&arcs->all[i].to, &arc->to))
			calls += arcs->all[i].count;
	return calls;
}

static void
check_arcs(const struct prf_profile *one, const struct prf_profile *two)
{
	for (size_t i = 0; i < one->arcs.n; i++)
		ck_assert_uint_eq(calls_of(&one->arcs, &one->arcs.all[i]),
				  calls_of(&two->arcs, &one->arcs.all[i]));
}

static struct prf_profile *
read_back(const struct prf_profile *written, bool all)
{
	struct prf_gmon_layout *layout = made_layout(written);
	struct made_file ticks = made_write_ticks(layout);
	struct made_file syms = made_write_syms(layout, all);
	struct prf_gmon *gmon = NULL;
	struct prf_profile *read = prf_profile_new();
	struct prf_gmon_source *source = prf_gmon_source_new(read, NULL, NULL);
	struct prf_error err = {0};
	int rc = prf_gmon_parse(ticks.bytes, ticks.size, NULL, &gmon, &err);

	if (!rc)
		rc = prf_gmon_source_add(source, gmon, syms.bytes, syms.size,
					 &err);
	ck_assert_msg(!rc, "%s\n%s", err.text, syms.bytes);
	prf_gmon_free(gmon);
	prf_gmon_source_free(source);
	prf_gmon_layout_free(layout);
	free(ticks.bytes);
	free(syms.bytes);
	return read;
}

static void
check_round_trip(const struct prf_profile *written, bool all)
{
	struct prf_profile *read = read_back(written, all);

	made_check_sums(read, written->total.ticks);
	check_functions(written, read);
	check_functions(read, written);
	ck_assert_uint_eq(read->unit.rate_hz, written->unit.rate_hz);
	check_arcs(written, read);
	check_arcs(read, written);
	prf_profile_free(read);
}

/* --- What is in them */

static struct prf_profile *profile;

static void
begin_profile(void)
{
	profile = made_profile();
}

static void
end_profile(void)
{
	prf_profile_free(profile);
}

static const char *const hostile[] = {
	"f",
	"operator new(unsigned long)",
	"[end]",
	"[kernel]",
	"[kernel]:read",
	"[jit]",
	"#",
	"# object 0 1 0 - x",
	"%41%",
	"a\nb\t\177",
	"x\n00000001 T evil",
	"gr\303\266\303\237e\377",
	"-",
	" ",
};

enum { N_HOSTILE = sizeof hostile / sizeof *hostile };

static const char *
any_name(struct random *random)
{
	return hostile[random_below(random, N_HOSTILE)];
}

/* All the ways in which a binary counts, at random. */
static void
fill_at_random(struct random *random)
{
	char path[64];

	for (int i = 0; i < 5; i++) {
		if (i && random_below(random, 3) == 0)
			continue;
		snprintf(path, sizeof path, "/%d/%s", i, any_name(random));
		uint64_t lo = random_below(random, 0x3000);
		struct prf_binary *binary =
			made_add_binary(profile, path, lo, lo + 0x1000);

		binary->is_program = i == 0;
		for (uint64_t at = lo; at < lo + 0x1000;
		     at += 1 + random_below(random, 0x300))
			made_name_address(binary, at, any_name(random));
		for (int j = 0; j < 6; j++)
			made_count(profile, binary,
				   lo + random_below(random, 0xfff),
				   1 + (uint32_t)random_below(random, 100000));
	}
	struct prf_binary *kernel = made_add_binary(profile, "[kernel]", 0, 0);
	struct prf_binary *code = made_add_binary(profile, "[jit]", 0, 0);
	for (int j = 0; j < 6; j++) {
		made_count_name(profile, kernel, any_name(random),
				1 + random_below(random, 1 << 20));
		made_count_name(profile, code, any_name(random),
				1 + random_below(random, 1 << 20));
	}
}

static struct prf_arc_end
any_end(struct random *random)
{
	struct prf_binary *binary =
		profile->binaries[random_below(random, profile->n_binaries)];
	uint64_t vaddr =
		binary->form == PRF_BINARY_BY_NAME
			? random_below(random, binary->names.n)
			: binary->lo +
				  random_below(random, binary->hi - binary->lo);

	return (struct prf_arc_end){binary, vaddr};
}

START_TEST(any_profile_is_read_as_it_was_written)
{
	struct random random = random_begin();

	for (int round = 0; round < 60; round++) {
		fill_at_random(&random);
		for (int i = 0; i < 8; i++) {
			const struct prf_arc arc = {
				any_end(&random), any_end(&random),
				1 + random_below(&random, UINT64_C(1) << 33)};

			ck_assert_int_eq(prf_arcs_add(&profile->arcs, &arc), 0);
		}
		check_round_trip(profile, round % 2);
		end_profile();
		begin_profile();
	}
}
END_TEST

/* A file that is there, with any names, and mapped somewhere. */
static void
map_at_random(struct random *random, struct prf_collector *run, int i)
{
	struct elf_symbol symbols[6];
	uint64_t at = 0x1000, addr = 0x7f0000001000 + (uint64_t)i * 0x10000;
	char name[64];

	for (size_t s = 0; s < 6; s++) {
		uint64_t size = 2 + random_below(random, 0x100) * 2;

		symbols[s] = (struct elf_symbol){
			any_name(random), at, size, STB_GLOBAL, STT_FUNC, 1};
		at += random_below(random, 3) ? size : size + 0x40;
	}
	/* A slash would need a directory. */
	snprintf(name, sizeof name, "%d %s", i, any_name(random));
	made_elf(name, symbols, 6);
	if (i == 0)
		made_exec(run, name);
	made_map(run, name, addr);
	for (int j = 0; j < 6; j++)
		made_ticks(run, addr + random_below(random, 0x1000),
			   1 + (uint32_t)random_below(random, 100000));
}

START_TEST(any_run_is_read_as_it_was_written)
{
	const struct prf_collector_config config = {.kernel_apart = true};
	struct random random = random_begin();

	for (int round = 0; round < 20; round++) {
		struct prf_collector *run = made_run(&config);
		const struct prf_mapping gone = {
			.kind = PRF_MAPPING_FILE,
			.addr = 0x10000,
			.size = 0x2000,
			.file_off = 0x3000,
			.inode = 1,
			.path = any_name(&random),
		};

		for (int i = 0; i < 3; i++)
			map_at_random(&random, run, i);
		made_map_as(run, &gone);
		made_map_kind(run, PRF_MAPPING_ANON, JIT, 0x1000);
		made_ticks(run, gone.addr + random_below(&random, 0x2000), 7);
		made_ticks(run, JIT, 11);
		made_ticks(run, 0x10, 13);
		made_call(run, 0, (int32_t)random_next(&random), 17);
		check_round_trip(made_finish(run), round % 2);
		made_run_free(run);
	}
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("gmon_round_trip");
	TCase *runs = tcase_create("runs");
	TCase *profiles = tcase_create("profiles");

	tcase_set_timeout(runs, 60);
	tcase_add_checked_fixture(runs, made_begin, made_end);
	tcase_add_test(runs, any_run_is_read_as_it_was_written);
	suite_add_tcase(suite, runs);

	tcase_set_timeout(profiles, 60);
	tcase_add_checked_fixture(profiles, begin_profile, end_profile);
	tcase_add_test(profiles, any_profile_is_read_as_it_was_written);
	suite_add_tcase(suite, profiles);
	return suite;
}
