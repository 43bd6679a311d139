#include "view/made_pprof.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/attr.h"
#include "core/scope.h"
#include "profile/call_graph.h"
#include "profile/functions.h"
#include "support/suite.h"
#include "view/pprof/pprof_read.h"

static int
open_none(void *arg, const struct prf_mapping *map)
{
	(void)arg;
	(void)map;
	return -ENOENT;
}

const struct prf_objectfile_way made_no_files = {.open = open_none};

struct made_pprof made;
char *made_strings[N_STRINGS];

void
made_type(size_t i, int64_t type, int64_t unit)
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

void
made_location(size_t i, uint64_t address, uint64_t first, uint64_t second)
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

void
made_pprof_begin(void)
{
	static const char *const texts[N_STRINGS] = {
		"",        "samples",     "count",
		"cpu",     "nanoseconds", "/bin/made",
		"0a0",     "main",        "in",
		"leaf",    "inuse_space", "bytes",
		"pid",     "tid",         "thread",
		"program", "state",       "blocked"};

	memcpy(made_strings, texts, sizeof texts);
	prf_pprof__profile__init(&made.profile);
	prf_pprof__mapping__init(&made.mapping);
	made_type(0, S_SAMPLES, S_COUNT);
	made_type(1, S_CPU, S_NANOSECONDS);
	made.period = made.types[1];
	made.mapping.id = 5;
	made.mapping.memory_start = 0x400000;
	made.mapping.memory_limit = 0x500000;
	made.mapping.filename = S_PATH;
	made.mapping_list[0] = &made.mapping;
	make_function(0, S_MAIN);
	make_function(1, S_INLINED);
	make_function(2, S_LEAF);
	made_location(0, 0x401000, 100, 0);
	made_location(1, 0x402000, 102, 0);
	made_location(2, 0x401010, 100, 0);
	made_location(3, 0x403001, 0, 0);
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
	made.profile.string_table = made_strings;
}

uint8_t *
made_pack(size_t *n)
{
	uint8_t *bytes =
		malloc(prf_pprof__profile__get_packed_size(&made.profile) + 1);

	ck_assert_ptr_nonnull(bytes);
	*n = prf_pprof__profile__pack(&made.profile, bytes);
	return bytes;
}

struct prf_profile *
made_read(const struct prf_objectfile_way *way)
{
	struct prf_profile *profile = NULL;
	struct prf_error err = {0};
	size_t n;
	PRF_AUTO(prf_auto_free) uint8_t *bytes = made_pack(&n);

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

const char *
made_describe(const struct prf_profile *profile)
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
