#include "view/pprof/pprof_read.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "core/scope.h"
#include "profile/call_graph.h"
#include "profile/calls.h"
#include "support/made_run.h"
#include "support/suite.h"
#include "view/pprof/gzip.h"
#include "view/pprof/pprof_binaries.h"
#include "view/pprof/pprof_write.h"
#include "view/pprof/profile.pb-c.h"

PRF_DEFINE_AUTO(prf_profile, prf_profile_free);

/* No file is found. */
static int
open_none(void *arg, const struct prf_mapping *map)
{
	(void)arg;
	(void)map;
	return -ENOENT;
}

static const struct prf_objectfile_way no_files = {.open = open_none};

/* --- A file that is made up: main calls leaf, at once and through "inlined" */

enum {
	S_NONE,
	S_SAMPLES,
	S_COUNT,
	S_CPU,
	S_NANOSECONDS,
	S_PATH,
	S_ID,
	S_MAIN,
	S_INLINED,
	S_LEAF,
	S_SPACE,
	S_BYTES,
	S_PID,
	S_TID,
	S_THREAD,
	N_STRINGS,
};

enum { N_LOCATIONS = 4, N_FUNCTIONS = 3, N_SAMPLES = 3, N_LABELS = 3 };

/* What is broken for a test is broken here, before it is written. */
static struct {
	PrfPprof__Profile profile;
	PrfPprof__ValueType types[2], *type_list[2], period;
	PrfPprof__Mapping mapping, *mapping_list[1];
	PrfPprof__Function functions[N_FUNCTIONS], *function_list[N_FUNCTIONS];
	PrfPprof__Line lines[N_LOCATIONS][2], *line_lists[N_LOCATIONS][2];
	PrfPprof__Location locations[N_LOCATIONS], *location_list[N_LOCATIONS];
	PrfPprof__Sample samples[N_SAMPLES], *sample_list[N_SAMPLES];
	uint64_t stacks[N_SAMPLES][3];
	int64_t values[N_SAMPLES][2];
	PrfPprof__Label labels[N_SAMPLES][N_LABELS],
		*label_lists[N_SAMPLES][N_LABELS];
	int64_t comment;
} made;

static char *strings[N_STRINGS];

static void
make_type(size_t i, int64_t type, int64_t unit)
{
	prf_pprof__value_type__init(&made.types[i]);
	made.types[i].type = type;
	made.types[i].unit = unit;
	made.type_list[i] = &made.types[i];
}

static void
make_function(size_t i, int64_t name)
{
	prf_pprof__function__init(&made.functions[i]);
	made.functions[i].id = 100 + i;
	made.functions[i].name = name;
	made.function_list[i] = &made.functions[i];
}

/* At ADDRESS: FIRST, which was inlined into SECOND unless that is 0. */
static void
make_location(size_t i, uint64_t address, uint64_t first, uint64_t second)
{
	PrfPprof__Location *location = &made.locations[i];
	const uint64_t ids[] = {first, second};

	prf_pprof__location__init(location);
	location->id = 7 * i + 1;
	location->mapping_id = 5;
	location->address = address;
	location->n_line = !first ? 0 : !second ? 1 : 2;
	location->line = made.line_lists[i];
	for (size_t n = 0; n < 2; n++) {
		prf_pprof__line__init(&made.lines[i][n]);
		made.lines[i][n].function_id = ids[n];
		made.line_lists[i][n] = &made.lines[i][n];
	}
	made.location_list[i] = location;
}

static void
make_sample(size_t i, size_t n, uint64_t leaf, uint64_t caller, int64_t ticks)
{
	PrfPprof__Sample *sample = &made.samples[i];

	prf_pprof__sample__init(sample);
	made.stacks[i][0] = leaf;
	made.stacks[i][1] = caller;
	sample->n_location_id = n;
	sample->location_id = made.stacks[i];
	made.values[i][0] = ticks;
	made.values[i][1] = ticks * 10000000;
	sample->n_value = 2;
	sample->value = made.values[i];
	made.sample_list[i] = sample;
}

static void
make_profile(void)
{
	static const char *const texts[N_STRINGS] = {
		"",    "samples", "count", "cpu",  "nanoseconds", "/bin/made",
		"0a0", "main",    "in",    "leaf", "inuse_space", "bytes",
		"pid", "tid",     "thread"};

	memcpy(strings, texts, sizeof texts);
	prf_pprof__profile__init(&made.profile);
	prf_pprof__mapping__init(&made.mapping);
	make_type(0, S_SAMPLES, S_COUNT);
	make_type(1, S_CPU, S_NANOSECONDS);
	made.period = made.types[1];
	made.mapping.id = 5;
	made.mapping.memory_start = 0x400000;
	made.mapping.memory_limit = 0x500000;
	made.mapping.filename = S_PATH;
	made.mapping_list[0] = &made.mapping;
	make_function(0, S_MAIN);
	make_function(1, S_INLINED);
	make_function(2, S_LEAF);
	make_location(0, 0x401000, 100, 0);
	make_location(1, 0x402000, 102, 0);
	make_location(2, 0x401010, 100, 0);
	make_location(3, 0x403001, 0, 0);
	make_sample(0, 2, 8, 1, 3);
	make_sample(1, 2, 8, 15, 4);
	make_sample(2, 1, 15, 0, 5);
	made.profile.n_sample_type = 2;
	made.profile.sample_type = made.type_list;
	made.profile.period_type = &made.period;
	made.profile.period = 10000000;
	made.profile.n_mapping = 1;
	made.profile.mapping = made.mapping_list;
	made.profile.n_location = N_LOCATIONS;
	made.profile.location = made.location_list;
	made.profile.n_function = N_FUNCTIONS;
	made.profile.function = made.function_list;
	made.profile.n_sample = N_SAMPLES;
	made.profile.sample = made.sample_list;
	made.profile.n_string_table = N_STRINGS;
	made.profile.string_table = strings;
}

/* The file; to be free()d. */
static uint8_t *
pack(size_t *n)
{
	uint8_t *bytes =
		malloc(prf_pprof__profile__get_packed_size(&made.profile) + 1);

	ck_assert_ptr_nonnull(bytes);
	*n = prf_pprof__profile__pack(&made.profile, bytes);
	return bytes;
}

static char *
compress(const void *bytes, size_t n, size_t *n_out)
{
	char *text;
	FILE *out = open_memstream(&text, n_out);
	struct prf_gzip *gzip = prf_gzip_new(out);

	ck_assert_ptr_nonnull(gzip);
	prf_gzip_write(gzip, bytes, n);
	ck_assert_int_eq(prf_gzip_finish(gzip, NULL), 0);
	ck_assert_int_eq(fclose(out), 0);
	return text;
}

/* --- What is read */

static struct prf_profile *
read_made(const struct prf_objectfile_way *way)
{
	struct prf_profile *profile = NULL;
	struct prf_error err = {0};
	size_t n;
	PRF_AUTO(prf_auto_free) uint8_t *bytes = pack(&n);

	ck_assert(prf_pprof_read_is_it(bytes, n));
	ck_assert_msg(!prf_pprof_read(bytes, n, way, &profile, &err), "%s",
		      err.text);
	return profile;
}

static char text[8192];

static void PRF_PRINTF(1, 2) put(const char *format, ...)
{
	va_list args;
	size_t used = strlen(text);

	va_start(args, format);
	vsnprintf(text + used, sizeof text - used, format, args);
	va_end(args);
}

static int
by_name(const void *a, const void *b)
{
	const struct prf_call_function *left = a, *right = b;

	return strcmp(left->name, right->name);
}

/* TEXT: each function, "name self/total ", by name; then the sum of flat counts
 * and that of stacks. */
static const char *
describe(const struct prf_profile *profile)
{
	struct prf_call_graph graph;
	struct prf_functions flat;
	uint64_t ticks = 0;

	text[0] = '\0';
	ck_assert_int_eq(prf_call_graph_of(profile, &graph), 0);
	ck_assert_int_eq(prf_functions_of(profile, &flat), 0);
	qsort(graph.functions, graph.n_functions, sizeof *graph.functions,
	      by_name);
	for (size_t i = 0; i < graph.n_functions; i++)
		put("%s %" PRIu64 "/%" PRIu64 " ", graph.functions[i].name,
		    graph.functions[i].self.ticks,
		    graph.functions[i].total.ticks);
	for (size_t i = 0; i < flat.n; i++)
		ticks += flat.all[i].count.ticks;
	put("= %" PRIu64, ticks);
	ck_assert_uint_eq(ticks, profile->total.ticks);
	prf_functions_clear(&flat);
	prf_call_graph_clear(&graph);
	return text;
}

START_TEST(self_and_total_are_those_of_the_file)
{
	PRF_AUTO(prf_profile_auto)
	struct prf_profile *profile = read_made(&no_files);

	ck_assert_str_eq(describe(profile), "leaf 7/7 main 5/12 = 12");
	ck_assert_uint_eq(profile->unit.rate_hz, 100);
	ck_assert_str_eq(profile->program->path, "/bin/made");
	ck_assert_int_eq(profile->program->form, PRF_BINARY_BY_ADDRESS);
	ck_assert_uint_eq(profile->calls->ended[PRF_STACK_COMPLETE], 7);
}
END_TEST

START_TEST(inlined_calls_are_functions_of_their_own)
{
	make_location(1, 0x402000, 102, 101);
	PRF_AUTO(prf_profile_auto)
	struct prf_profile *profile = read_made(&no_files);

	ck_assert_str_eq(describe(profile), "in 0/7 leaf 7/7 main 5/12 = 12");
	ck_assert_int_eq(profile->program->form, PRF_BINARY_BY_NAME);
}
END_TEST

START_TEST(a_location_without_a_mapping_or_an_address_has_its_name)
{
	make_location(0, 0, 100, 0);
	made.locations[1].mapping_id = 0;
	PRF_AUTO(prf_profile_auto)
	struct prf_profile *profile = read_made(&no_files);

	ck_assert_str_eq(describe(profile), "leaf 7/7 main 5/12 = 12");
}
END_TEST

START_TEST(a_sample_without_locations_is_counted)
{
	made.samples[0].n_location_id = 0;
	PRF_AUTO(prf_profile_auto)
	struct prf_profile *profile = read_made(&no_files);

	ck_assert_str_eq(describe(profile),
			 "[unknown] 3/3 leaf 4/4 main 5/9 = 12");
}
END_TEST

static int
open_made(void *arg, const struct prf_mapping *map)
{
	(void)map;
	return open(made_path(arg), O_RDONLY | O_CLOEXEC);
}

START_TEST(names_that_are_missing_are_read_from_the_binary)
{
	static const struct elf_symbol symbols[] = {
		{"real", 0x1000, 0x100, STB_GLOBAL, STT_FUNC, 1},
		{"other", 0x1100, 0xf00, STB_GLOBAL, STT_FUNC, 1},
	};
	const struct prf_objectfile_way way = {.open = open_made,
					       .arg = (void *)"made"};

	made_begin();
	made_elf("made", symbols, 2);
	made.mapping.file_offset = MADE_TEXT;
	made.mapping.build_id = _i ? S_ID : S_NONE;
	make_location(1, 0x400010, 0, 0);
	make_location(2, 0x400110, 0, 0);
	PRF_AUTO(prf_profile_auto)
	struct prf_profile *profile = read_made(&way);
	/* Without a build-id nothing shows that it is the same file. */
	ck_assert_str_eq(describe(profile),
			 _i ? "main 0/3 other 5/9 real 7/7 = 12"
			    : "[made] 12/12 main 0/3 = 12");
	ck_assert_uint_eq(profile->program->is_offsets, !_i);
	made_end();
}
END_TEST

/* --- Which value counts */

static const struct {
	int64_t types[2][2], period_unit, period;
	uint64_t ticks; /* 0: it is refused */
	uint32_t rate_hz;
} units[] = {
	{{{S_SAMPLES, S_COUNT}, {S_CPU, S_NANOSECONDS}},
	 S_NANOSECONDS,
	 2000000,
	 12,
	 500},
	{{{S_SAMPLES, S_COUNT}, {S_CPU, S_NANOSECONDS}},
	 S_NANOSECONDS,
	 3333333,
	 12,
	 300},
	{{{S_SAMPLES, S_COUNT}, {S_CPU, S_NANOSECONDS}},
	 S_NONE,
	 0,
	 120000000,
	 1000000000},
	{{{S_SAMPLES, S_COUNT}, {S_MAIN, S_NANOSECONDS}},
	 S_COUNT,
	 1000,
	 120000000,
	 1000000000},
	{{{S_MAIN, S_NANOSECONDS}, {S_CPU, S_NANOSECONDS}},
	 S_NANOSECONDS,
	 -1,
	 120000000,
	 1000000000},
	{{{S_CPU, S_NANOSECONDS}, {S_SPACE, S_BYTES}},
	 S_SPACE,
	 1,
	 12,
	 1000000000},
	{{{S_SAMPLES, S_COUNT}, {S_SPACE, S_BYTES}}, S_BYTES, 512, 0, 0},
};

START_TEST(the_value_that_is_time_is_counted)
{
	struct prf_profile *profile = NULL;
	struct prf_error err = {0};
	size_t n;

	for (size_t i = 0; i < 2; i++)
		make_type(i, units[_i].types[i][0], units[_i].types[i][1]);
	made.period.unit = units[_i].period_unit;
	made.profile.period = units[_i].period;
	PRF_AUTO(prf_auto_free) uint8_t *bytes = pack(&n);
	int rc = prf_pprof_read(bytes, n, &no_files, &profile, &err);
	ck_assert_int_eq(rc, units[_i].ticks ? 0 : -EINVAL);
	if (rc) {
		ck_assert_ptr_nonnull(strstr(err.text, "inuse_space (bytes)"));
		return;
	}
	ck_assert_uint_eq(profile->total.ticks, units[_i].ticks);
	ck_assert_uint_eq(profile->unit.rate_hz, units[_i].rate_hz);
	prf_profile_free(profile);
}
END_TEST

START_TEST(a_sample_of_many_nanoseconds_is_one_sample)
{
	/* No number of samples, but a period. */
	make_type(0, S_MAIN, S_COUNT);
	PRF_AUTO(prf_profile_auto)
	struct prf_profile *profile = read_made(&no_files);

	ck_assert_uint_eq(profile->total.ticks, 120000000);
	ck_assert_double_eq_tol(prf_count_samples(&profile->total), 12, 1e-6);
}
END_TEST

/* --- What cannot be read */

static void
refuse(const void *bytes, size_t n, int code)
{
	struct prf_profile *profile = NULL;
	struct prf_error err = {0};
	int rc = prf_pprof_read(bytes, n, &no_files, &profile, &err);

	ck_assert_msg(rc == code, "%d: %s", rc, err.text);
	ck_assert_ptr_null(profile);
	ck_assert_uint_gt(strlen(err.text), 0);
	ck_assert_int_eq(err.code, code);
}

static void
break_string(void)
{
	made.functions[1].name = N_STRINGS;
}
static void
break_string_sign(void)
{
	made.types[0].unit = -1;
}
static void
break_function(void)
{
	made.lines[1][0].function_id = 99;
}
static void
break_mapping(void)
{
	made.locations[3].mapping_id = 6;
}
static void
break_location(void)
{
	made.stacks[2][0] = 2;
}
static void
break_no_id(void)
{
	made.functions[0].id = 0;
}
static void
break_same_id(void)
{
	made.locations[1].id = 1;
}
static void
break_values(void)
{
	made.samples[1].n_value = 1;
}
static void
break_types(void)
{
	made.profile.n_sample_type = 0;
}
static void
break_sign(void)
{
	made.values[1][0] = -4;
}
static void
break_sum(void)
{
	made.values[0][0] = made.values[1][0] = made.values[2][0] = INT64_MAX;
}
static void
break_stack(void)
{
	enum { N = 2 << 20 };
	static uint64_t stack[N];

	made.samples[0].n_location_id = N;
	made.samples[0].location_id = stack;
}

static const struct {
	void (*breaks)(void);
	int code;
} broken[] = {
	{break_string, -EBADMSG},   {break_string_sign, -EBADMSG},
	{break_function, -EBADMSG}, {break_mapping, -EBADMSG},
	{break_location, -EBADMSG}, {break_no_id, -EBADMSG},
	{break_same_id, -EBADMSG},  {break_values, -EBADMSG},
	{break_types, -EBADMSG},    {break_sign, -EINVAL},
	{break_sum, -EOVERFLOW},    {break_stack, -EFBIG},
};

START_TEST(what_does_not_fit_is_refused)
{
	size_t n;

	broken[_i].breaks();
	PRF_AUTO(prf_auto_free) uint8_t *bytes = pack(&n);
	refuse(bytes, n, broken[_i].code);
}
END_TEST

START_TEST(a_file_that_was_cut_is_refused)
{
	size_t n, n_packed;
	PRF_AUTO(prf_auto_free) uint8_t *bytes = pack(&n);
	PRF_AUTO(prf_auto_free) char *packed = compress(bytes, n, &n_packed);

	for (size_t i = 2; i < n_packed; i++)
		refuse(packed, i, -EBADMSG);
	packed[n_packed - 8] ^= 1; /* the checksum */
	refuse(packed, n_packed, -EBADMSG);
}
END_TEST

START_TEST(damage_is_no_crash)
{
	size_t n;
	PRF_AUTO(prf_auto_free) uint8_t *bytes = pack(&n);

	for (size_t i = 0; i < 8 * n; i++) {
		PRF_AUTO(prf_profile_auto) struct prf_profile *profile = NULL;
		struct prf_error err = {0};

		bytes[i / 8] ^= (uint8_t)(1 << i % 8);
		int rc = prf_pprof_read(bytes, n, &no_files, &profile, &err);
		bytes[i / 8] ^= (uint8_t)(1 << i % 8);
		ck_assert_int_eq(rc, err.code);
		ck_assert_int_eq(!rc, profile != NULL);
		if (profile)
			describe(profile);
	}
	for (size_t i = 0; i < n; i++) {
		PRF_AUTO(prf_profile_auto) struct prf_profile *profile = NULL;

		if (!prf_pprof_read(bytes, i, &no_files, &profile, NULL))
			describe(profile);
	}
}
END_TEST

START_TEST(what_expands_too_far_is_refused)
{
	enum { N_ZEROS = 1 << 26 };
	size_t n;
	PRF_AUTO(prf_auto_free) uint8_t *zeros = calloc(1, N_ZEROS);

	ck_assert_ptr_nonnull(zeros);
	PRF_AUTO(prf_auto_free) char *packed = compress(zeros, N_ZEROS, &n);
	refuse(packed, n, -EFBIG);
}
END_TEST

START_TEST(very_many_binaries_are_refused)
{
	enum { N = PRF_PPROF_BINARIES_MAX };
	PRF_AUTO(prf_auto_free)
	PrfPprof__Mapping *all = calloc(N, sizeof *all);
	PRF_AUTO(prf_auto_free)
	PrfPprof__Mapping **list = calloc(N, sizeof *list);
	PRF_AUTO(prf_auto_free)
	char **texts = calloc(N_STRINGS + N, sizeof *texts);
	PRF_AUTO(prf_auto_free) char(*paths)[8] = calloc(N, sizeof *paths);
	size_t n;

	memcpy(texts, strings, sizeof strings);
	for (int i = 0; i < N; i++) {
		all[i] = made.mapping;
		all[i].id += (uint64_t)i;
		all[i].filename = N_STRINGS + i;
		snprintf(paths[i], sizeof paths[i], "/%d", i);
		texts[N_STRINGS + i] = paths[i];
		list[i] = &all[i];
	}
	made.profile.n_mapping = N;
	made.profile.mapping = list;
	made.profile.n_string_table = N_STRINGS + N;
	made.profile.string_table = texts;
	PRF_AUTO(prf_auto_free) uint8_t *bytes = pack(&n);
	refuse(bytes, n, -EFBIG);
}
END_TEST

/* --- Whose samples are */

/* Sample I is of thread TID of process 7, called NAME; 0: it is not told. */
static void
make_labels(size_t i, int64_t tid, int64_t name)
{
	static const int64_t keys[N_LABELS] = {S_PID, S_TID, S_THREAD};
	const int64_t numbers[N_LABELS] = {7, tid, 0};

	for (size_t k = 0; k < N_LABELS; k++) {
		PrfPprof__Label *label = &made.labels[i][k];

		prf_pprof__label__init(label);
		label->key = keys[k];
		label->num = numbers[k];
		made.label_lists[i][k] = label;
	}
	made.labels[i][2].str = name;
	made.samples[i].n_label = N_LABELS;
	made.samples[i].label = made.label_lists[i];
}

START_TEST(a_thread_is_one_by_its_number)
{
	make_labels(0, 8, S_MAIN);
	make_labels(1, 9, S_LEAF);
	make_labels(2, 8, S_MAIN);
	PRF_AUTO(prf_profile_auto)
	struct prf_profile *profile = read_made(&no_files);
	ck_assert_uint_eq(profile->threads.n, 2);
	ck_assert_str_eq(profile->threads.rows[0].name, "main");
	ck_assert_uint_eq(profile->threads.rows[0].count.ticks, 8);
	ck_assert_str_eq(profile->threads.rows[1].name, "leaf");
}
END_TEST

START_TEST(threads_without_numbers_have_no_name_in_common)
{
	make_labels(0, 0, S_MAIN);
	make_labels(1, 0, S_LEAF);
	PRF_AUTO(prf_profile_auto)
	struct prf_profile *profile = read_made(&no_files);
	const struct prf_owners *owners = &profile->calls->owners;
	ck_assert_uint_eq(profile->threads.n, 0);
	ck_assert_uint_eq(owners->n, 1);
	ck_assert_int_eq(owners->all[0].pid, 7);
	ck_assert_str_eq(owners->all[0].name, "");
}
END_TEST

START_TEST(other_files_are_none)
{
	static const char *const others[] = {
		"",          "gmon\1",      "\177ELF\2\1\1",
		"samples\n", "\x89pctrace", "# gmon.syms 2\n"};

	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		ck_assert(!prf_pprof_read_is_it(others[i], strlen(others[i])));
	ck_assert(prf_pprof_read_is_it("\x1f\x8b", 2));
}
END_TEST

/* --- Written, and read again */

#define AT 0x555555555000
#define LIB 0x7f0000000000
#define JIT 0x7f0001000000

static struct prf_collector *run;
static char command[] = "./prog 'a b'";

static void
begin_run(bool has_stacks)
{
	static const struct elf_symbol program[] = {
		{"main", 0x1000, 0x100, STB_GLOBAL, STT_FUNC, 1},
		{"_ZN1a1bEv", 0x1100, 0xf00, STB_GLOBAL, STT_FUNC, 1},
	};
	static const struct elf_symbol library[] = {
		{"sort", 0x1000, 0x1000, STB_GLOBAL, STT_FUNC, 1},
	};

	made_begin();
	run = made_run(&(struct prf_collector_config){
		.kernel_apart = true,
		.call_graph = has_stacks,
		.origin = {.command = command, .is_told = true}});
	made_elf("prog", program, 2);
	made_elf("lib\xff", library, 1);
	made_exec(run, "prog");
	made_map(run, "prog", AT);
	made_map(run, "lib\xff", LIB);
	made_map_kind(run, PRF_MAPPING_ANON, JIT, 0x10000);
}

static void
end_run(void)
{
	made_run_free(run);
	made_end();
}

/* A stack of the N ADDRS, the outermost first. */
static void
sample(uint32_t ticks, int32_t syscall, enum prf_stack_end end, size_t n,
       const uint64_t *addrs)
{
	struct prf_frame frames[8];
	const struct prf_sample made_up = {
		.pid = MADE_PID,
		.tid = MADE_PID,
		.ticks = ticks,
		.syscall = syscall,
		.end = end,
		.n_frames = (uint32_t)n,
		.frames = frames,
	};

	for (size_t i = 0; i < n; i++)
		frames[i] = (struct prf_frame){
			addrs[n - 1 - i], i ? PRF_FRAME_RETURN : PRF_FRAME_PC};
	made_sample(run, &made_up);
}

#define SAMPLE(ticks, syscall, end, ...)                                       \
	sample(ticks, syscall, end,                                            \
	       sizeof((uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t),           \
	       (uint64_t[]){__VA_ARGS__})

static void
add_samples(void)
{
	SAMPLE(1, PRF_NO_SYSCALL, PRF_STACK_COMPLETE, AT + 0x10, AT + 0x110,
	       LIB + 0x20);
	SAMPLE(2, PRF_NO_SYSCALL, PRF_STACK_COMPLETE, AT + 0x10, AT + 0x120,
	       AT + 0x13, AT + 0x130);
	SAMPLE(4, 0, PRF_STACK_COMPLETE, AT + 0x10, LIB + 0x40);
	SAMPLE(8, PRF_NO_SYSCALL, PRF_STACK_NO_CFI, JIT + 0x10, 0x1234,
	       AT + 0x1f1);
	SAMPLE(16, PRF_NO_SYSCALL, PRF_STACK_NONE, LIB + 0x21);
	SAMPLE(32, PRF_NO_SYSCALL, PRF_STACK_COMPLETE, AT + 0x10, JIT + 0x20);
}

static struct prf_profile *
write_and_read(const struct prf_profile *profile)
{
	const struct prf_export_way way = {.begin_ns = 1700000000999999999};
	struct prf_profile *again = NULL;
	struct prf_error err = {0};
	PRF_AUTO(prf_auto_free) char *file = NULL;
	size_t n;
	FILE *out = open_memstream(&file, &n);

	ck_assert_int_eq(prf_pprof_write(profile, &way, out, &err), 0);
	ck_assert_int_eq(fclose(out), 0);
	ck_assert(prf_pprof_read_is_it(file, n));
	ck_assert_msg(!prf_pprof_read(file, n, &no_files, &again, &err), "%s",
		      err.text);
	return again;
}

START_TEST(what_is_written_is_read_the_same)
{
	begin_run(true);
	add_samples();
	const struct prf_profile *profile = made_finish(run);
	PRF_AUTO(prf_profile_auto)
	struct prf_profile *again = write_and_read(profile);
	PRF_AUTO(prf_auto_free) char *before = strdup(describe(profile));

	ck_assert_str_eq(describe(again), before);
	ck_assert_uint_eq(again->total.ticks, 63);
	ck_assert_uint_eq(again->unit.rate_hz, profile->unit.rate_hz);
	ck_assert_str_eq(again->program->path, made_path("prog"));
	ck_assert_str_eq(again->origin.command, command);
	ck_assert_uint_eq(again->origin.begun_s, 1700000000);
	for (int end = 0; end < PRF_N_STACK_ENDS; end++)
		ck_assert_uint_eq(again->calls->ended[end],
				  profile->calls->ended[end]);
	PRF_AUTO(prf_profile_auto)
	struct prf_profile *twice = write_and_read(again);
	ck_assert_str_eq(describe(twice), before);
	end_run();
}
END_TEST

START_TEST(what_is_read_can_be_added_to_its_run)
{
	struct prf_error err = {0};

	begin_run(true);
	add_samples();
	struct prf_profile *profile = made_finish(run);
	PRF_AUTO(prf_profile_auto)
	struct prf_profile *again = write_and_read(profile);
	PRF_AUTO(prf_profile_auto) struct prf_profile *sum = prf_profile_new();
	size_t n = 0;

	ck_assert_int_eq(prf_profile_add(sum, profile, &err), 0);
	n = sum->n_binaries;
	ck_assert_int_eq(prf_profile_add(sum, again, &err), 0);
	ck_assert_uint_eq(sum->total.ticks, 126);
	/* A name that was no UTF-8 is another binary's now. */
	ck_assert_uint_eq(sum->n_binaries, n + 1);
	ck_assert_uint_eq(made_ticks_of(sum, "prog", "_ZN1a1bEv"), 20);
	ck_assert_uint_eq(made_ticks_of(sum, "[kernel]", "read"), 8);
	ck_assert_int_eq(prf_profile_detach(sum), 0);
	end_run();
}
END_TEST

START_TEST(ticks_without_stacks_are_stacks_of_one_frame)
{
	struct prf_error err = {0};

	begin_run(false);
	add_samples();
	struct prf_profile *profile = made_finish(run);
	PRF_AUTO(prf_profile_auto)
	struct prf_profile *again = write_and_read(profile);
	ck_assert_str_eq(describe(again),
			 "[jit] 32/32 _ZN1a1bEv 10/10 read 4/4 sort 17/17 "
			 "= 63");

	/* Half of them have stacks. */
	PRF_AUTO(prf_profile_auto) struct prf_profile *sum = prf_profile_new();
	end_run();
	begin_run(true);
	add_samples();
	ck_assert_int_eq(prf_profile_add(sum, made_finish(run), &err), 0);
	ck_assert_int_eq(prf_profile_add(sum, again, &err), 0);
	PRF_AUTO(prf_profile_auto)
	struct prf_profile *mixed = write_and_read(sum);
	ck_assert_uint_eq(mixed->total.ticks, 126);
	ck_assert_uint_eq(made_ticks_of(mixed, "prog", "_ZN1a1bEv"), 20);
	ck_assert_uint_eq(made_ticks_of(mixed, "prog", "main"), 0);
	ck_assert_uint_eq(made_ticks_of(mixed, "[jit]", "[jit]"), 64);
	ck_assert_int_eq(prf_profile_detach(sum), 0);
	end_run();
}
END_TEST

START_TEST(a_profile_of_nothing_is_a_file)
{
	PRF_AUTO(prf_profile_auto)
	struct prf_profile *nothing = prf_profile_new();
	PRF_AUTO(prf_profile_auto)
	struct prf_profile *again = write_and_read(nothing);

	ck_assert_str_eq(describe(again), "= 0");
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("pprof_read");
	TCase *tcase = tcase_create("pprof_read");

	tcase_add_checked_fixture(tcase, make_profile, NULL);
	tcase_add_test(tcase, self_and_total_are_those_of_the_file);
	tcase_add_test(tcase, inlined_calls_are_functions_of_their_own);
	tcase_add_test(tcase,
		       a_location_without_a_mapping_or_an_address_has_its_name);
	tcase_add_test(tcase, a_sample_without_locations_is_counted);
	tcase_add_loop_test(
		tcase, names_that_are_missing_are_read_from_the_binary, 0, 2);
	tcase_add_loop_test(tcase, the_value_that_is_time_is_counted, 0,
			    sizeof units / sizeof *units);
	tcase_add_test(tcase, a_sample_of_many_nanoseconds_is_one_sample);
	tcase_add_loop_test(tcase, what_does_not_fit_is_refused, 0,
			    sizeof broken / sizeof *broken);
	tcase_add_test(tcase, a_file_that_was_cut_is_refused);
	tcase_add_test(tcase, damage_is_no_crash);
	tcase_add_test(tcase, what_expands_too_far_is_refused);
	tcase_add_test(tcase, very_many_binaries_are_refused);
	tcase_add_test(tcase, a_thread_is_one_by_its_number);
	tcase_add_test(tcase, threads_without_numbers_have_no_name_in_common);
	tcase_add_test(tcase, other_files_are_none);
	tcase_add_test(tcase, what_is_written_is_read_the_same);
	tcase_add_test(tcase, what_is_read_can_be_added_to_its_run);
	tcase_add_test(tcase, ticks_without_stacks_are_stacks_of_one_frame);
	tcase_add_test(tcase, a_profile_of_nothing_is_a_file);
	suite_add_tcase(suite, tcase);
	return suite;
}
