#include "profile/profile.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/random.h"
#include "core/scope.h"
#include "profile/functions.h"
#include "space/files.h"
#include "support/made_run.h"
#include "support/suite.h"

PRF_DEFINE_AUTO(prf_profile, prf_profile_free);

static const struct elf_symbol fg[] = {
	{"f", 0x1000, 0x800, STB_GLOBAL, STT_FUNC, 1},
	{"g", 0x1800, 0x800, STB_GLOBAL, STT_FUNC, 1},
};
static const struct elf_symbol hk[] = {
	{"h", 0x1000, 0x800, STB_GLOBAL, STT_FUNC, 1},
	{"k", 0x1800, 0x800, STB_GLOBAL, STT_FUNC, 1},
};

static const uint64_t prog = 0x555555555000, lib = 0x7f0000001000,
		      jit = 0x7f0001000000;

/* --- A world of binaries, some of which each random profile has */

enum { N_LISTED = 3, N_NAMES = 6, FUNCTION_BYTES = 0x300 };

static const struct {
	const char *path, *build_id;
	uint64_t lo; /* functions follow each other */
	const char *names[N_NAMES];
} listed[N_LISTED] = {
	{"/bin/app", "abcd", 0x1100, {"a", "b", "c", "d", "e", "main"}},
	{"/lib/one", "1", 0x4080, {"a", "o2", "o3", "o4", "o5", "o6"}},
	{"/lib/two", "", 0x10, {"t1", "t2", "t3", "t4", "t5", "t6"}},
};

static const char *const jit_names[N_NAMES] = {"ja", "jb", "jc",
					       "jd", "je", "jf"};

static struct prf_binary *
new_listed(size_t which)
{
	struct prf_binary *binary =
		prf_binary_new(PRF_BINARY_FILE, listed[which].path);

	binary->build_id_bytes = strlen(listed[which].build_id);
	memcpy(binary->build_id, listed[which].build_id,
	       binary->build_id_bytes);
	binary->lo = listed[which].lo;
	binary->hi = binary->lo + N_NAMES * FUNCTION_BYTES;
	for (uint64_t i = 0; i < N_NAMES; i++)
		ck_assert_int_eq(
			prf_symbol_list_append(&binary->symbols,
					       binary->lo + i * FUNCTION_BYTES,
					       listed[which].names[i]),
			0);
	return binary;
}

/* Ticks and arcs for a random address of BINARY. */
static void
add_random(struct prf_profile *profile, struct prf_binary *binary,
	   struct random *random)
{
	uint64_t size = binary->hi - binary->lo;
	uint32_t ticks = 1 + (uint32_t)random_below(random, 70000);
	uint32_t certain = (uint32_t)random_below(random, ticks);
	struct prf_arc arc = {.count = random_below(random, UINT32_MAX)};
	size_t to = random_below(random, profile->n_binaries);

	arc.from.binary = binary;
	arc.to.binary = profile->binaries[to];
	arc.to.vaddr = arc.to.binary->lo;
	if (binary->form == PRF_BINARY_BY_NAME) {
		const char *name = jit_names[random_below(random, N_NAMES)];
		struct prf_count count = {0};

		prf_count_add(&count, ticks, certain);
		ck_assert_int_eq(prf_binary_count_name(binary, name, &count),
				 0);
		ck_assert_int_eq(prf_named_counts_intern(&binary->names, name,
							 &arc.from.vaddr),
				 0);
	} else {
		uint64_t vaddr = binary->lo + random_below(random, size);

		ck_assert_int_eq(
			prf_binary_count(binary, vaddr, ticks, certain), 0);
		arc.from.vaddr = vaddr;
	}
	prf_count_add(&profile->total, ticks, certain);
	if (arc.to.binary->form != PRF_BINARY_BY_NAME || arc.to.binary->names.n)
		ck_assert_int_eq(prf_arcs_add(&profile->arcs, &arc), 0);
}

static void
add_rows(struct prf_profile *profile, struct random *random)
{
	static const char *const paths[] = {"/bin/app", "/bin/sh", ""};
	struct prf_count count = {0};
	struct prf_program *program = prf_program_new(NULL);
	pid_t pid = 1 + (pid_t)random_below(random, 100);

	prf_count_add(&count, 1 + (uint32_t)random_below(random, 9), 0);
	ck_assert_int_eq(prf_programs_add(&profile->programs,
					  paths[random_below(random, 3)], 1,
					  &count),
			 0);
	const struct prf_thread_row row = {
		.pid = pid, .tid = pid, .name = "x", .count = count};
	prf_thread_rows_add(&profile->threads, &row);
	struct prf_branch *branch =
		prf_tree_add(&profile->tree.root, pid, program);
	branch->count = count;
	prf_tree_end(&profile->tree, branch);
	prf_program_drop(program);
	profile->n_processes++;
	profile->n_idle += random_below(random, 2);
	profile->n_bbs += random_below(random, 2);
}

/* Of each binary, unless it was not seen. */
static struct prf_profile *
random_profile(struct random *random)
{
	struct prf_profile *profile = prf_profile_new();
	struct prf_file *file = made_file("lib"), *blob = made_file("blob");

	blob->off_hi = 0x1000;
	profile->unit = (struct prf_profile_unit){100, "seconds", 's'};
	profile->addr_bytes = 8;
	if (random_below(random, 2))
		prf_profile_binary_of(profile, file);
	if (random_below(random, 2))
		prf_profile_binary_of(profile, blob);
	prf_files_drop(file);
	prf_files_drop(blob);
	if (random_below(random, 2))
		ck_assert_int_eq(prf_profile_detach(profile), 0);
	for (size_t i = 0; i < N_LISTED; i++)
		if (random_below(random, 2))
			prf_profile_take(profile, new_listed(i));
	prf_profile_binary(profile, PRF_BINARY_JIT);
	if (random_below(random, 2))
		prf_profile_binary(profile, PRF_BINARY_KERNEL);
	for (int i = 0; i < 60; i++)
		add_random(profile,
			   profile->binaries[random_below(random,
							  profile->n_binaries)],
			   random);
	add_rows(profile, random);
	return profile;
}

/* --- A profile as text that does not depend on any order */

static int
by_line(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static char *
sorted_lines(char *text)
{
	size_t n = 0, size, at = 0;
	char *lines[4096], *sorted = NULL;
	FILE *out = open_memstream(&sorted, &size);

	for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
		if (n < 4096)
			lines[n++] = line;
	qsort(lines, n, sizeof *lines, by_line);
	while (at < n)
		fprintf(out, "%s\n", lines[at++]);
	fclose(out);
	free(text);
	return sorted;
}

static void
put_end(FILE *out, const struct prf_arc_end *end)
{
	if (end->binary->form == PRF_BINARY_BY_NAME)
		fprintf(out, " %s:%s", end->binary->name,
			end->binary->names.all[end->vaddr].text);
	else
		fprintf(out, " %s+%" PRIx64, end->binary->path, end->vaddr);
}

static void
put_functions(FILE *out, const struct prf_profile *profile)
{
	struct prf_functions functions;

	ck_assert_int_eq(prf_functions_of(profile, &functions), 0);
	for (size_t i = 0; i < functions.n; i++) {
		const struct prf_function *f = &functions.all[i];

		fprintf(out,
			"%s%s %" PRIx64 "-%" PRIx64 " %s %" PRIu64 " %.0f\n",
			f->binary->name, f->binary->path, f->binary->lo,
			f->binary->hi, f->name, f->count.ticks,
			f->count.squares);
	}
	prf_functions_clear(&functions);
}

/* To be free()d. */
static char *
text_of(const struct prf_profile *profile)
{
	const struct prf_count in_tree = prf_tree_sum(&profile->tree);
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	put_functions(out, profile);
	for (size_t i = 0; i < profile->arcs.n; i++) {
		fprintf(out, "arc %" PRIu64, profile->arcs.all[i].count);
		put_end(out, &profile->arcs.all[i].from);
		put_end(out, &profile->arcs.all[i].to);
		fputc('\n', out);
	}
	for (size_t i = 0; i < profile->programs.n; i++)
		fprintf(out, "program %s %" PRIu64 " %" PRIu64 "\n",
			profile->programs.rows[i].path,
			profile->programs.rows[i].n_processes,
			profile->programs.rows[i].count.ticks);
	for (size_t i = 0; i < profile->threads.n; i++)
		fprintf(out, "thread %d %" PRIu64 "\n",
			(int)profile->threads.rows[i].tid,
			profile->threads.rows[i].count.ticks);
	fprintf(out,
		"total %" PRIu64 " %.0f tree %" PRIu64 " in %" PRIu64
		"; %" PRIu64 " processes, %" PRIu64 " idle, %" PRIu64 " bbs; "
		"%" PRIu32 " Hz\n",
		profile->total.ticks, profile->total.squares, in_tree.ticks,
		profile->tree.n_programs, profile->n_processes, profile->n_idle,
		profile->n_bbs, profile->unit.rate_hz);
	fclose(out);
	return sorted_lines(text);
}

static void
check_same(const struct prf_profile *left, const struct prf_profile *right)
{
	PRF_AUTO(prf_auto_free) char *of_left = text_of(left);
	PRF_AUTO(prf_auto_free) char *of_right = text_of(right);

	ck_assert_str_eq(of_left, of_right);
}

static struct prf_profile *
sum_of(const struct prf_profile *const *profiles, size_t n)
{
	struct prf_profile *sum = prf_profile_new();
	struct prf_error err = {0};

	for (size_t i = 0; i < n; i++)
		ck_assert_msg(!prf_profile_add(sum, profiles[i], &err), "%s",
			      err.text);
	made_check_sums(sum, sum->total.ticks);
	return sum;
}

static struct prf_profile *
sum_of_two(const struct prf_profile *a, const struct prf_profile *b)
{
	return sum_of((const struct prf_profile *const[]){a, b}, 2);
}

/* --- Adding */

enum { N_ROUNDS = 60 };

static void
make_world(void)
{
	made_elf("lib", hk, 2);
	elf_write(made_path("blob"), "blob", 4);
}

START_TEST(a_sum_of_one_is_the_same)
{
	struct random random = random_begin();

	make_world();
	for (int round = 0; round < N_ROUNDS; round++) {
		PRF_AUTO(prf_profile_auto)
		struct prf_profile *a = random_profile(&random);
		const struct prf_profile *const only = a;
		PRF_AUTO(prf_profile_auto)
		struct prf_profile *sum = sum_of(&only, 1);

		made_check_sums(a, a->total.ticks);
		check_same(a, sum);
	}
}
END_TEST

START_TEST(the_order_of_profiles_does_not_matter)
{
	struct random random = random_begin();

	make_world();
	for (int round = 0; round < N_ROUNDS; round++) {
		PRF_AUTO(prf_profile_auto)
		struct prf_profile *a = random_profile(&random);
		PRF_AUTO(prf_profile_auto)
		struct prf_profile *b = random_profile(&random);
		PRF_AUTO(prf_auto_free) char *before = text_of(b);
		PRF_AUTO(prf_profile_auto)
		struct prf_profile *ab = sum_of_two(a, b);
		PRF_AUTO(prf_profile_auto)
		struct prf_profile *ba = sum_of_two(b, a);
		PRF_AUTO(prf_auto_free) char *after = text_of(b);

		check_same(ab, ba);
		ck_assert_str_eq(before, after);
		ck_assert_uint_eq(ab->total.ticks,
				  a->total.ticks + b->total.ticks);
	}
}
END_TEST

START_TEST(sums_of_sums_are_the_sum_of_all)
{
	struct random random = random_begin();

	make_world();
	for (int round = 0; round < N_ROUNDS; round++) {
		PRF_AUTO(prf_profile_auto)
		struct prf_profile *a = random_profile(&random);
		PRF_AUTO(prf_profile_auto)
		struct prf_profile *b = random_profile(&random);
		PRF_AUTO(prf_profile_auto)
		struct prf_profile *c = random_profile(&random);
		PRF_AUTO(prf_profile_auto)
		struct prf_profile *ab = sum_of_two(a, b);
		PRF_AUTO(prf_profile_auto)
		struct prf_profile *bc = sum_of_two(b, c);
		PRF_AUTO(prf_profile_auto)
		struct prf_profile *left = sum_of_two(ab, c);
		PRF_AUTO(prf_profile_auto)
		struct prf_profile *right = sum_of_two(a, bc);
		PRF_AUTO(prf_profile_auto)
		struct prf_profile *all =
			sum_of((const struct prf_profile *const[]){c, a, b}, 3);

		check_same(left, right);
		check_same(left, all);
	}
}
END_TEST

/* To be free()d. */
static char *
functions_text(const struct prf_profile *profile)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	put_functions(out, profile);
	fclose(out);
	return sorted_lines(text);
}

/* A run of a program "prog" with "lib"; both mapped. */
static struct prf_collector *
begin(const struct prf_collector_config *config)
{
	struct prf_collector *run = made_run(config);

	made_elf("prog", fg, 2);
	made_elf("lib", hk, 2);
	made_exec(run, "prog");
	made_map(run, "prog", prog);
	made_map(run, "lib", lib);
	return run;
}

/* What was counted in two runs and added is as if it had been one. */
START_TEST(added_runs_are_as_if_all_had_been_one)
{
	const struct prf_collector_config config = {.kernel_apart = true};
	struct prf_collector *both = begin(&config);
	struct prf_collector *parts[2] = {begin(&config), begin(&config)};
	PRF_AUTO(prf_profile_auto) struct prf_profile *sum = NULL;

	made_map_kind(both, PRF_MAPPING_ANON, jit, 0x1000);
	made_map_kind(parts[1], PRF_MAPPING_ANON, jit, 0x1000);
	for (uint32_t i = 0; i < 40; i++) {
		struct prf_collector *part = parts[i % 2];
		uint64_t addr = (i % 3 ? prog : lib) + i * 0x40;

		made_ticks(both, addr, i + 1);
		made_ticks(part, addr, i + 1);
		made_ticks(both, jit + i, 1);
		made_ticks(parts[1], jit + i, 1);
		made_call(both, 0, (int32_t)i % 4, 2);
		made_call(part, 0, (int32_t)i % 4, 2);
	}
	const struct prf_profile *one = made_finish(parts[0]);
	const struct prf_profile *two = made_finish(parts[1]);
	sum = sum_of_two(one, two);
	const struct prf_profile *all = made_finish(both);
	made_check_sums(all, 940);
	made_check_sums(sum, 940);
	PRF_AUTO(prf_auto_free) char *of_sum = functions_text(sum);
	PRF_AUTO(prf_auto_free) char *of_all = functions_text(all);
	ck_assert_str_eq(of_sum, of_all);
	made_run_free(parts[0]);
	made_run_free(parts[1]);
	made_run_free(both);
}
END_TEST

/* --- Arcs */

static struct prf_binary *
take_listed(struct prf_profile *profile, const char *path, uint64_t vaddr,
	    uint32_t ticks)
{
	struct prf_binary *binary = prf_binary_new(PRF_BINARY_FILE, path);

	binary->lo = 0x1000;
	binary->hi = 0x2000;
	ck_assert_int_eq(prf_binary_count(binary, vaddr, ticks, 0), 0);
	prf_count_add(&profile->total, ticks, 0);
	binary = prf_profile_take(profile, binary);
	ck_assert_ptr_nonnull(binary);
	return binary;
}

static size_t
number_of(struct prf_binary *binary, const char *name)
{
	size_t number;

	ck_assert_int_eq(prf_named_counts_intern(&binary->names, name, &number),
			 0);
	return number;
}

/* From the function at 0x1000 of /a to NAME, as one of KIND. */
static struct prf_profile *
with_arc_to(enum prf_binary_kind kind, const char *before, const char *name,
	    uint64_t count)
{
	struct prf_profile *profile = prf_profile_new();
	struct prf_binary *from = take_listed(profile, "/a", 0x1000, 1);
	struct prf_binary *to = prf_profile_binary(profile, kind);

	number_of(to, before); /* so that numbers differ */
	const struct prf_arc arc = {
		{from, 0x1000}, {to, number_of(to, name)}, count};
	ck_assert_int_eq(prf_arcs_add(&profile->arcs, &arc), 0);
	return profile;
}

START_TEST(arcs_into_what_has_names_go_by_the_name)
{
	static const enum prf_binary_kind kinds[] = {PRF_BINARY_KERNEL,
						     PRF_BINARY_JIT};
	PRF_AUTO(prf_profile_auto)
	struct prf_profile *a = with_arc_to(kinds[_i], "read", "write", 2);
	PRF_AUTO(prf_profile_auto)
	struct prf_profile *b = with_arc_to(kinds[_i], "write", "read", 3);
	PRF_AUTO(prf_profile_auto)
	struct prf_profile *c = with_arc_to(kinds[_i], "x", "write", 4);
	PRF_AUTO(prf_profile_auto)
	struct prf_profile *sum =
		sum_of((const struct prf_profile *const[]){a, b, c}, 3);
	uint64_t to_write = 0, to_read = 0;

	ck_assert_uint_eq(sum->arcs.n, 2);
	for (size_t i = 0; i < 2; i++) {
		const struct prf_arc *arc = &sum->arcs.all[i];
		const char *name =
			arc->to.binary->names.all[arc->to.vaddr].text;

		ck_assert_ptr_eq(arc->from.binary, made_binary(sum, "a"));
		ck_assert_int_eq(arc->to.binary->kind, kinds[_i]);
		*(strcmp(name, "read") ? &to_write : &to_read) += arc->count;
	}
	ck_assert_uint_eq(to_read, 3);
	ck_assert_uint_eq(to_write, 6);
}
END_TEST

START_TEST(more_calls_than_64_bits_hold_are_refused)
{
	PRF_AUTO(prf_profile_auto)
	struct prf_profile *a =
		with_arc_to(PRF_BINARY_KERNEL, "x", "read", UINT64_MAX);
	PRF_AUTO(prf_profile_auto)
	struct prf_profile *b = with_arc_to(PRF_BINARY_KERNEL, "x", "read", 1);
	struct prf_error err = {0};

	ck_assert_int_eq(prf_profile_add(a, b, &err), -EOVERFLOW);
	ck_assert_ptr_nonnull(strstr(err.text, "64 bits"));
}
END_TEST

/* --- What does not fit */

START_TEST(profiles_of_other_units_are_refused_and_unknown_ones_are_not)
{
	static const struct {
		struct prf_profile_unit one, two;
		const char *error;
	} units[] = {
		{{100, "seconds", 's'}, {100, "seconds", 's'}, NULL},
		{{100, "seconds", 's'}, {0, "", '\0'}, NULL},
		{{0, "", '\0'}, {100, "seconds", 's'}, NULL},
		{{100, "seconds", 's'},
		 {1000, "seconds", 's'},
		 "rate 1000, 100 before"},
		{{100, "seconds", 's'},
		 {100, "events", 's'},
		 "counts events, before it was seconds"},
		{{100, "seconds", 's'},
		 {100, "seconds", 'm'},
		 "counts seconds, before it was seconds"},
	};
	PRF_AUTO(prf_profile_auto) struct prf_profile *one = prf_profile_new();
	PRF_AUTO(prf_profile_auto) struct prf_profile *two = prf_profile_new();
	struct prf_error err = {0};

	one->unit = units[_i].one;
	two->unit = units[_i].two;
	take_listed(one, "/a", 0x1000, 1);
	take_listed(two, "/a", 0x1000, 2);
	ck_assert_int_eq(prf_profile_add(one, two, &err),
			 units[_i].error ? -EINVAL : 0);
	if (units[_i].error)
		ck_assert_msg(strstr(err.text, units[_i].error), "%s",
			      err.text);
	else
		ck_assert_uint_eq(one->unit.rate_hz, 100);
	/* What was refused is in no part of it. */
	made_check_sums(one, units[_i].error ? 1 : 3);
}
END_TEST

START_TEST(profiles_of_other_machines_are_refused_and_unknown_ones_are_not)
{
	static const struct {
		uint8_t bytes_of_one, bytes_of_two;
		bool one_is_big, two_is_big;
		const char *error;
	} machines[] = {
		{8, 8, false, false, NULL},
		{8, 0, false, false, NULL},
		{0, 4, false, true, NULL},
		{8, 4, false, false, "4-byte little-endian addresses, 8-byte"},
		{8, 8, false, true, "8-byte big-endian addresses, 8-byte"},
	};
	PRF_AUTO(prf_profile_auto) struct prf_profile *one = prf_profile_new();
	PRF_AUTO(prf_profile_auto) struct prf_profile *two = prf_profile_new();
	struct prf_error err = {0};

	one->addr_bytes = machines[_i].bytes_of_one;
	one->big_endian = machines[_i].one_is_big;
	two->addr_bytes = machines[_i].bytes_of_two;
	two->big_endian = machines[_i].two_is_big;
	take_listed(one, "/a", 0x1000, 1);
	take_listed(two, "/a", 0x1000, 2);
	ck_assert_int_eq(prf_profile_add(one, two, &err),
			 machines[_i].error ? -EINVAL : 0);
	if (machines[_i].error)
		ck_assert_msg(strstr(err.text, machines[_i].error), "%s",
			      err.text);
	made_check_sums(one, machines[_i].error ? 1 : 3);
	if (_i == 2)
		ck_assert(one->addr_bytes == 4 && one->big_endian);
}
END_TEST

START_TEST(more_ticks_than_63_bits_hold_are_refused)
{
	PRF_AUTO(prf_profile_auto) struct prf_profile *one = prf_profile_new();
	PRF_AUTO(prf_profile_auto) struct prf_profile *two = prf_profile_new();
	struct prf_error err = {0};

	one->total.ticks = PRF_TICKS_MAX - 1;
	two->total.ticks = 1;
	ck_assert_int_eq(prf_profile_add(one, two, &err), 0);
	ck_assert_int_eq(prf_profile_add(one, two, &err), -EOVERFLOW);
	ck_assert_ptr_nonnull(strstr(err.text, "63 bits"));
	ck_assert_uint_eq(one->total.ticks, PRF_TICKS_MAX);
}
END_TEST

/* --- What else is added */

START_TEST(the_program_of_a_sum_is_that_of_the_first_that_has_one)
{
	PRF_AUTO(prf_profile_auto) struct prf_profile *none = prf_profile_new();
	PRF_AUTO(prf_profile_auto) struct prf_profile *one = prf_profile_new();
	PRF_AUTO(prf_profile_auto) struct prf_profile *two = prf_profile_new();

	one->program = take_listed(one, "/a", 0x1000, 1);
	two->program = take_listed(two, "/b", 0x1000, 1);
	two->program->is_program = true;
	PRF_AUTO(prf_profile_auto)
	struct prf_profile *sum =
		sum_of((const struct prf_profile *const[]){none, one, two}, 3);
	ck_assert_ptr_eq(sum->program, made_binary(sum, "a"));
	ck_assert_ptr_ne(sum->program, one->program);
	ck_assert(made_binary(sum, "b")->is_program);
}
END_TEST

/* Files that were replaced, and JIT code of processes that live. */
START_TEST(binaries_that_are_two_stay_two)
{
	PRF_AUTO(prf_profile_auto) struct prf_profile *one = prf_profile_new();

	for (int i = 1; i < 3; i++) {
		struct prf_binary *file = prf_binary_new(PRF_BINARY_FILE, "/a");
		struct prf_binary *jits = prf_binary_new(PRF_BINARY_JIT, "");

		file->dev = 1;
		file->inode = (uint64_t)i;
		jits->pid = i;
		ck_assert_ptr_eq(prf_profile_take(one, file), file);
		ck_assert_ptr_eq(prf_profile_take(one, jits), jits);
	}
	PRF_AUTO(prf_profile_auto)
	struct prf_profile *sum = sum_of_two(one, one);
	ck_assert_uint_eq(sum->n_binaries, 4);
	ck_assert(prf_profile_has_jit(sum, 1));
	ck_assert(prf_profile_has_jit(sum, 2));
}
END_TEST

static struct prf_profile *
of_inode(uint64_t inode, uint32_t ticks)
{
	struct prf_profile *profile = prf_profile_new();
	struct prf_binary *binary = take_listed(profile, "/a", 0x1000, ticks);

	binary->dev = inode ? 1 : 0;
	binary->inode = inode;
	prf_profile_forget_inodes(profile);
	return profile;
}

/* The third is of a gmon.out. */
START_TEST(without_inodes_a_path_is_one_binary_in_any_order)
{
	static const size_t orders[][3] = {{0, 1, 2}, {2, 0, 1}, {1, 2, 0},
					   {2, 1, 0}, {0, 2, 1}, {1, 0, 2}};
	PRF_AUTO(prf_profile_auto) struct prf_profile *one = of_inode(1, 1);
	PRF_AUTO(prf_profile_auto) struct prf_profile *two = of_inode(2, 2);
	PRF_AUTO(prf_profile_auto) struct prf_profile *none = of_inode(0, 4);
	const struct prf_profile *all[] = {one, two, none};
	const size_t *order = orders[_i];
	PRF_AUTO(prf_profile_auto)
	struct prf_profile *sum = sum_of(
		(const struct prf_profile *const[]){
			all[order[0]], all[order[1]], all[order[2]]},
		3);

	ck_assert_uint_eq(sum->n_binaries, 1);
	ck_assert_uint_eq(sum->binaries[0]->total.ticks, 7);
}
END_TEST

START_TEST(folded_threads_stay_folded)
{
	PRF_AUTO(prf_profile_auto) struct prf_profile *one = prf_profile_new();

	one->threads.folded = (struct prf_count){5, 7};
	one->threads.n_folded = 3;
	PRF_AUTO(prf_profile_auto)
	struct prf_profile *sum = sum_of_two(one, one);
	ck_assert_uint_eq(sum->threads.folded.ticks, 10);
	ck_assert_double_eq(sum->threads.folded.squares, 14);
	ck_assert_uint_eq(sum->threads.n_folded, 6);
}
END_TEST

/* Such as glibc's, with a counter for 4 bytes. */
static int
add_hist(struct prf_profile *profile, uint64_t lo, uint32_t n_bins,
	 unsigned bin_bytes, struct prf_error *err)
{
	static const uint64_t counts[64] = {1, 2, 70000};
	const struct prf_gmon_hist hist = {
		.lo_vaddr = lo,
		.hi_vaddr = lo + n_bins * bin_bytes,
		.counts = counts,
		.n_bins = n_bins,
		.off = 99,
	};

	return prf_profile_add_hist(profile, &hist, err);
}

START_TEST(histograms_keep_their_range_and_scale)
{
	PRF_AUTO(prf_profile_auto) struct prf_profile *one = prf_profile_new();
	struct prf_error err = {0};

	ck_assert_int_eq(add_hist(one, 0x8000, 8, 4, &err), 0);
	ck_assert_int_eq(add_hist(one, 0x1000, 40, 4, &err), 0);
	ck_assert_int_eq(add_hist(one, 0x10a0, 8, 4, &err), 0);
	PRF_AUTO(prf_profile_auto)
	struct prf_profile *sum = sum_of_two(one, one);
	ck_assert_uint_eq(sum->n_hists, 3);
	ck_assert_uint_eq(sum->hists[0].lo_vaddr, 0x1000);
	ck_assert_uint_eq(sum->hists[0].hi_vaddr, 0x10a0);
	ck_assert_uint_eq(sum->hists[0].n_bins, 40);
	ck_assert_uint_eq(sum->hists[0].counts[2], 140000);
	ck_assert_uint_eq(sum->hists[1].lo_vaddr, 0x10a0);
	ck_assert_uint_eq(sum->hists[2].lo_vaddr, 0x8000);
	ck_assert_uint_eq(one->hists[0].counts[2], 70000); /* as it was */
}
END_TEST

/* So many that none can be searched for from the first one on. */
START_TEST(very_many_histograms_are_added)
{
	enum { N = 1 << 20 };
	PRF_AUTO(prf_profile_auto) struct prf_profile *one = prf_profile_new();

	for (uint64_t i = 0; i < 2 * (uint64_t)N; i++)
		ck_assert_int_eq(add_hist(one, i % N * 8, 1, 4, NULL), 0);
	ck_assert_uint_eq(one->n_hists, N);
	for (uint64_t i = 0; i < N; i++) {
		ck_assert_uint_eq(one->hists[i].lo_vaddr, i * 8);
		ck_assert_uint_eq(one->hists[i].counts[0], 2);
	}
}
END_TEST

START_TEST(histograms_that_overlap_or_of_another_scale_are_refused)
{
	static const struct {
		uint64_t lo;
		uint32_t n_bins;
		unsigned bin_bytes;
	} others[] = {
		{0x1000, 41, 4}, {0x1000, 20, 8}, {0x1000, 39, 4},
		{0xffc, 40, 4},  {0x1004, 1, 4},  {0x109c, 40, 4},
	};
	PRF_AUTO(prf_profile_auto) struct prf_profile *one = prf_profile_new();
	struct prf_error err = {0};

	ck_assert_int_eq(add_hist(one, 0x1000, 40, 4, &err), 0);
	ck_assert_int_eq(add_hist(one, others[_i].lo, others[_i].n_bins,
				  others[_i].bin_bytes, &err),
			 -EINVAL);
	ck_assert_ptr_nonnull(strstr(err.text, "offset 99: "));
	ck_assert_ptr_nonnull(strstr(err.text, "overlaps"));
	ck_assert_uint_eq(one->n_hists, 1);
	ck_assert_uint_eq(one->hists[0].counts[2], 70000);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("profile_add");
	TCase *tcase = tcase_create("profile_add");

	tcase_set_timeout(tcase, 120);
	tcase_add_checked_fixture(tcase, made_begin, made_end);
	tcase_add_test(tcase, a_sum_of_one_is_the_same);
	tcase_add_test(tcase, the_order_of_profiles_does_not_matter);
	tcase_add_test(tcase, sums_of_sums_are_the_sum_of_all);
	tcase_add_test(tcase, added_runs_are_as_if_all_had_been_one);
	tcase_add_loop_test(tcase, arcs_into_what_has_names_go_by_the_name, 0,
			    2);
	tcase_add_test(tcase, more_calls_than_64_bits_hold_are_refused);
	tcase_add_loop_test(
		tcase,
		profiles_of_other_units_are_refused_and_unknown_ones_are_not, 0,
		6);
	tcase_add_loop_test(
		tcase,
		profiles_of_other_machines_are_refused_and_unknown_ones_are_not,
		0, 5);
	tcase_add_test(tcase, more_ticks_than_63_bits_hold_are_refused);
	tcase_add_test(tcase,
		       the_program_of_a_sum_is_that_of_the_first_that_has_one);
	tcase_add_test(tcase, binaries_that_are_two_stay_two);
	tcase_add_loop_test(
		tcase, without_inodes_a_path_is_one_binary_in_any_order, 0, 6);
	tcase_add_test(tcase, folded_threads_stay_folded);
	tcase_add_test(tcase, histograms_keep_their_range_and_scale);
	tcase_add_test(tcase, very_many_histograms_are_added);
	tcase_add_loop_test(
		tcase, histograms_that_overlap_or_of_another_scale_are_refused,
		0, 6);
	suite_add_tcase(suite, tcase);
	return suite;
}
