#include "view/export/firefox.h"

#include <config.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/scope.h"
#include "profile/large.h"
#include "profile/pairs.h"
#include "view/export/json.h"
#include "view/export/stack_table.h"

enum { FORMAT_VERSION = 61, GECKO_VERSION = 31 };

/* A function of the file: one of the stacks', or one that was inlined. */
struct function {
	uint32_t name;   /* string */
	uint32_t binary; /* the number of the resource */
	uint32_t file;   /* as in the stacks; 0: not known */
};

struct writing {
	const struct prf_stack_table *stacks;
	const struct prf_export_way *way;
	struct prf_json json;
	uint64_t period_ns;
	struct prf_named_counts strings;
	struct function *functions; /* the stacks' come first */
	size_t n_functions, functions_room;
	struct prf_pairs inlined;   /* name and binary */
	uint32_t *inlined_function; /* of each inlined call */
	size_t *frame_rows;         /* the first row of each frame */
	size_t *node_rows;          /* the last row of each node, + 1 */
	size_t *libs;               /* by binary, + 1; 0: it is none */
};

static void
clear(struct writing *writing)
{
	prf_named_counts_clear(&writing->strings);
	prf_pairs_clear(&writing->inlined);
	free(writing->functions);
	free(writing->inlined_function);
	free(writing->frame_rows);
	free(writing->node_rows);
	free(writing->libs);
}

/* --- Categories: by what the code is in */

enum category { OTHER, PROGRAM, LIBRARY, VDSO, JIT, KERNEL, N_CATEGORIES };

static const struct {
	const char *name, *colour;
} categories[N_CATEGORIES] = {
	[OTHER] = {"Other", "grey"},      [PROGRAM] = {"Program", "blue"},
	[LIBRARY] = {"Library", "green"}, [VDSO] = {"vDSO", "lightblue"},
	[JIT] = {"JIT", "yellow"},        [KERNEL] = {"Kernel", "orange"},
};

static enum category
category_of(const struct prf_binary *binary)
{
	static const enum category of_kind[PRF_N_BINARY_KINDS] = {
		[PRF_BINARY_FILE] = LIBRARY,  [PRF_BINARY_VDSO] = VDSO,
		[PRF_BINARY_JIT] = JIT,       [PRF_BINARY_KERNEL] = KERNEL,
		[PRF_BINARY_UNKNOWN] = OTHER,
	};

	if (!binary)
		return OTHER;
	return binary->is_program ? PROGRAM : of_kind[binary->kind];
}

static void
put_categories(struct prf_json *json)
{
	prf_json_list(json, "categories");
	for (int i = 0; i < N_CATEGORIES; i++) {
		prf_json_object(json, NULL);
		prf_json_text(json, "name", categories[i].name);
		prf_json_text(json, "color", categories[i].colour);
		prf_json_list(json, "subcategories");
		prf_json_text(json, NULL, "Other");
		prf_json_end(json);
		prf_json_end(json);
	}
	prf_json_end(json);
}

/* --- Numbers of things */

static int
intern(struct writing *writing, const char *text, uint32_t *number)
{
	size_t at;
	int rc = prf_named_counts_intern(&writing->strings, text, &at);

	*number = (uint32_t)at;
	return rc;
}

static int
add_function(struct writing *writing, const char *name, size_t binary,
	     uint32_t file)
{
	struct function function = {.binary = (uint32_t)binary, .file = file};
	int rc = intern(writing, name, &function.name);

	if (rc)
		return rc;
	if (writing->n_functions == writing->functions_room) {
		size_t room = 2 * writing->functions_room + 64;
		struct function *grown =
			reallocarray(writing->functions, room, sizeof *grown);

		if (!grown)
			return -ENOMEM;
		writing->functions = grown;
		writing->functions_room = room;
	}
	writing->functions[writing->n_functions++] = function;
	return 0;
}

/* What was inlined at FRAME. */
static int
add_inlined(struct writing *writing, const struct prf_stack_table_frame *frame)
{
	const struct prf_stack_table *stacks = writing->stacks;
	size_t binary = prf_stack_table_binary_of(stacks, frame->function);
	int rc = 0;

	for (size_t i = 0; !rc && i < frame->n_inlined; i++) {
		size_t at = frame->first_inlined + i, number;
		const struct prf_stack_table_inlined *inlined =
			&stacks->inlined[at];

		rc = prf_pairs_intern(&writing->inlined, inlined->name, binary,
				      &number);
		if (rc)
			return rc;
		number += stacks->functions.n;
		if (number == writing->n_functions)
			rc = add_function(
				writing,
				stacks->inlined_names.all[inlined->name].text,
				binary, inlined->file);
		writing->inlined_function[at] = (uint32_t)number;
	}
	return rc;
}

static int
number_functions(struct writing *writing)
{
	const struct prf_stack_table *stacks = writing->stacks;
	int rc = 0;

	for (size_t i = 0; !rc && i < stacks->functions.n; i++)
		rc = add_function(writing, stacks->names[i],
				  prf_stack_table_binary_of(stacks, i),
				  stacks->files[i]);
	for (size_t i = 0; !rc && i < stacks->n_frames; i++)
		rc = add_inlined(writing, &stacks->frames[i]);
	return rc;
}

/* A frame has a row for each call that was inlined in it, too, and a node a row
 * for each of its frame's. */
static void
number_rows(struct writing *writing)
{
	const struct prf_stack_table *stacks = writing->stacks;
	size_t row = 0;

	for (size_t i = 0; i < stacks->n_frames; i++) {
		writing->frame_rows[i] = row;
		row += 1 + stacks->frames[i].n_inlined;
	}
	writing->frame_rows[stacks->n_frames] = row;
	row = 0;
	for (size_t i = 1; i < stacks->n_nodes; i++) {
		row += 1 + stacks->frames[stacks->nodes[i].frame].n_inlined;
		writing->node_rows[i] = row;
	}
}

static bool
is_lib(const struct prf_binary *binary)
{
	return binary->kind == PRF_BINARY_FILE;
}

static int
prepare(struct writing *writing)
{
	const struct prf_stack_table *stacks = writing->stacks;
	size_t n_libs = 0;

	writing->inlined_function = calloc(stacks->n_inlined + 1,
					   sizeof *writing->inlined_function);
	writing->frame_rows =
		calloc(stacks->n_frames + 1, sizeof *writing->frame_rows);
	writing->node_rows =
		prf_large_new(stacks->n_nodes, sizeof *writing->node_rows);
	writing->libs =
		calloc(stacks->profile->n_binaries + 1, sizeof *writing->libs);
	if (!writing->inlined_function || !writing->frame_rows ||
	    !writing->node_rows || !writing->libs)
		return -ENOMEM;
	for (size_t i = 0; i < stacks->profile->n_binaries; i++)
		if (is_lib(stacks->profile->binaries[i]))
			writing->libs[i] = ++n_libs;
	number_rows(writing);
	return number_functions(writing);
}

/* --- What they have in common */

static void
put_schema(struct prf_json *json, const char *name, const char *label,
	   const char *description)
{
	static const char *const display[] = {"marker-chart", "marker-table",
					      "timeline-overview"};

	prf_json_object(json, NULL);
	prf_json_text(json, "name", name);
	prf_json_text(json, "tooltipLabel", label);
	prf_json_text(json, "tableLabel", "{marker.data.text}");
	prf_json_list(json, "display");
	for (size_t i = 0; i < sizeof display / sizeof *display; i++)
		prf_json_text(json, NULL, display[i]);
	prf_json_end(json);
	prf_json_list(json, "fields");
	prf_json_object(json, NULL);
	prf_json_text(json, "key", "text");
	prf_json_text(json, "label", "What");
	prf_json_text(json, "format", "string");
	prf_json_end(json);
	prf_json_end(json);
	prf_json_text(json, "description", description);
	prf_json_end(json);
}

static void
put_units(struct prf_json *json)
{
	prf_json_object(json, "sampleUnits");
	prf_json_text(json, "time", "ms");
	prf_json_text(json, "eventDelay", "ms");
	prf_json_text(json, "threadCPUDelta", "ns");
	prf_json_end(json);
}

static void
put_meta(struct writing *writing)
{
	const struct prf_binary *program = writing->stacks->profile->program;
	const struct prf_export_way *way = writing->way;
	struct prf_json *json = &writing->json;

	prf_json_object(json, "meta");
	prf_json_number(json, "version", GECKO_VERSION);
	prf_json_number(json, "preprocessedProfileVersion", FORMAT_VERSION);
	prf_json_decimal(json, "interval", writing->period_ns, 6);
	prf_json_decimal(json, "startTime", way->begin_ns / 1000, 3);
	prf_json_number(json, "processType", 0);
	prf_json_text(json, "product",
		      way->command ? way->command
		      : program    ? program->name
				   : "profrun");
	prf_json_text(json, "importedFrom", PACKAGE_STRING);
	prf_json_number(json, "stackwalk", 1);
	prf_json_bool(json, "debug", false);
	prf_json_bool(json, "symbolicated", true);
	prf_json_bool(json, "usesOnlyOneStackType", true);
	prf_json_bool(json, "sourceCodeIsNotOnSearchfox", true);
	prf_json_bool(json, "keepProfileThreadOrder", true);
	put_units(json);
	put_categories(json);
	prf_json_list(json, "markerSchema");
	put_schema(json, "Exec", "A program begins",
		   "The process has become another program");
	put_schema(json, "ThreadEnd", "A thread ends", "The thread has ended");
	prf_json_end(json);
	prf_json_end(json);
}

/* Of a build-id: as a GUID of Microsoft's, whose first three numbers are in the
 * order of bytes of their machines, with an age of 0. */
static void
put_breakpad_id(struct prf_json *json, const struct prf_binary *binary)
{
	enum { GUID_BYTES = 16 };
	static const unsigned char order[GUID_BYTES] = {
		3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15};
	char digits[2 * GUID_BYTES + 2] = "";

	for (size_t i = 0; i < GUID_BYTES; i++)
		sprintf(digits + 2 * i, "%02X",
			order[i] < binary->build_id_bytes
				? binary->build_id[order[i]]
				: 0);
	digits[2 * GUID_BYTES] = '0';
	prf_json_text(json, "breakpadId", binary->build_id_bytes ? digits : "");
}

static void
put_code_id(struct prf_json *json, const struct prf_binary *binary)
{
	char digits[2 * PRF_BUILD_ID_MAX + 1];

	for (size_t i = 0; i < binary->build_id_bytes; i++)
		sprintf(digits + 2 * i, "%02x", binary->build_id[i]);
	prf_json_text(json, "codeId", binary->build_id_bytes ? digits : NULL);
}

static void
put_libs(struct writing *writing)
{
	const struct prf_profile *profile = writing->stacks->profile;
	struct prf_json *json = &writing->json;

	prf_json_list(json, "libs");
	for (size_t i = 0; i < profile->n_binaries; i++) {
		const struct prf_binary *binary = profile->binaries[i];

		if (!is_lib(binary))
			continue;
		prf_json_object(json, NULL);
		prf_json_text(json, "arch", "");
		prf_json_text(json, "name", binary->name);
		prf_json_text(json, "path", binary->path);
		prf_json_text(json, "debugName", binary->name);
		prf_json_text(json, "debugPath", binary->path);
		put_breakpad_id(json, binary);
		put_code_id(json, binary);
		prf_json_end(json);
	}
	prf_json_end(json);
}

/* --- Tables: a list for each column */

static void
put_equal(struct prf_json *json, const char *name, size_t n,
	  void (*put)(struct prf_json *json, const char *name))
{
	prf_json_list(json, name);
	for (size_t i = 0; i < n; i++)
		put(json, NULL);
	prf_json_end(json);
}

static void
put_zero(struct prf_json *json, const char *name)
{
	prf_json_number(json, name, 0);
}

static void
put_false(struct prf_json *json, const char *name)
{
	prf_json_bool(json, name, false);
}

static void
put_index(struct prf_json *json, size_t number, bool is_known)
{
	if (is_known)
		prf_json_number(json, NULL, number);
	else
		prf_json_null(json, NULL);
}

static void
put_stack_table(struct writing *writing)
{
	const struct prf_stack_table *stacks = writing->stacks;
	struct prf_json *json = &writing->json;

	prf_json_object(json, "stackTable");
	prf_json_list(json, "frame");
	for (size_t i = 1; i < stacks->n_nodes; i++) {
		uint32_t frame = stacks->nodes[i].frame;

		for (size_t j = 0; j <= stacks->frames[frame].n_inlined; j++)
			prf_json_number(json, NULL,
					writing->frame_rows[frame] + j);
	}
	prf_json_end(json);
	prf_json_list(json, "prefix");
	for (size_t i = 1; i < stacks->n_nodes; i++) {
		uint32_t parent = stacks->nodes[i].parent;
		size_t n = stacks->frames[stacks->nodes[i].frame].n_inlined;

		put_index(json, writing->node_rows[parent] - 1, parent);
		for (size_t j = n; j > 0; j--)
			prf_json_number(json, NULL,
					writing->node_rows[i] - 1 - j);
	}
	prf_json_end(json);
	prf_json_number(json, "length",
			writing->node_rows[stacks->n_nodes - 1]);
	prf_json_end(json);
}

/* What is in one column for each row of a frame. */
typedef void put_cell(struct writing *writing, size_t frame, size_t depth);

static const struct prf_arc_end *
end_of(const struct writing *writing, size_t frame)
{
	return &writing->stacks->frames[frame].end;
}

static bool
has_addr(const struct prf_binary *binary)
{
	return binary && is_lib(binary) && binary->form != PRF_BINARY_BY_NAME;
}

static void
put_address(struct writing *writing, size_t frame, size_t depth)
{
	const struct prf_arc_end *end = end_of(writing, frame);

	(void)depth;
	if (has_addr(end->binary))
		prf_json_number(&writing->json, NULL, end->vaddr);
	else
		prf_json_signed(&writing->json, NULL, -1);
}

static void
put_depth(struct writing *writing, size_t frame, size_t depth)
{
	(void)frame;
	prf_json_number(&writing->json, NULL, depth);
}

static void
put_category(struct writing *writing, size_t frame, size_t depth)
{
	(void)depth;
	prf_json_number(&writing->json, NULL,
			category_of(end_of(writing, frame)->binary));
}

static void
put_no_subcategory(struct writing *writing, size_t frame, size_t depth)
{
	(void)frame;
	(void)depth;
	prf_json_number(&writing->json, NULL, 0);
}

static void
put_frame_function(struct writing *writing, size_t number, size_t depth)
{
	const struct prf_stack_table_frame *frame =
		&writing->stacks->frames[number];

	prf_json_number(&writing->json, NULL,
			depth ? writing->inlined_function[frame->first_inlined +
							  depth - 1]
			      : frame->function);
}

/* A native symbol has the number of its function. */
static void
put_symbol(struct writing *writing, size_t frame, size_t depth)
{
	(void)depth;
	put_index(&writing->json, writing->stacks->frames[frame].function,
		  has_addr(end_of(writing, frame)->binary));
}

static void
put_no_window(struct writing *writing, size_t frame, size_t depth)
{
	(void)frame;
	(void)depth;
	prf_json_null(&writing->json, NULL);
}

static void
put_line(struct writing *writing, size_t number, size_t depth)
{
	const struct prf_stack_table *stacks = writing->stacks;
	const struct prf_stack_table_frame *frame = &stacks->frames[number];
	uint32_t line =
		depth ? stacks->inlined[frame->first_inlined + depth - 1].line
		      : frame->line;

	put_index(&writing->json, line, line);
}

static void
put_frame_table(struct writing *writing)
{
	static const struct {
		const char *name;
		put_cell *put;
	} columns[] = {
		{"address", put_address},
		{"inlineDepth", put_depth},
		{"category", put_category},
		{"subcategory", put_no_subcategory},
		{"func", put_frame_function},
		{"nativeSymbol", put_symbol},
		{"innerWindowID", put_no_window},
		{"line", put_line},
		{"column", put_no_window},
	};
	const struct prf_stack_table *stacks = writing->stacks;
	struct prf_json *json = &writing->json;

	prf_json_object(json, "frameTable");
	for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
		prf_json_list(json, columns[i].name);
		for (size_t j = 0; j < stacks->n_frames; j++)
			for (size_t k = 0; k <= stacks->frames[j].n_inlined;
			     k++)
				columns[i].put(writing, j, k);
		prf_json_end(json);
	}
	prf_json_number(json, "length", writing->frame_rows[stacks->n_frames]);
	prf_json_end(json);
}

static void
put_function_table(struct writing *writing)
{
	struct prf_json *json = &writing->json;
	size_t n = writing->n_functions;

	prf_json_object(json, "funcTable");
	prf_json_list(json, "name");
	for (size_t i = 0; i < n; i++)
		prf_json_number(json, NULL, writing->functions[i].name);
	prf_json_end(json);
	put_equal(json, "isJS", n, put_false);
	put_equal(json, "relevantForJS", n, put_false);
	prf_json_list(json, "resource");
	for (size_t i = 0; i < n; i++)
		prf_json_number(json, NULL, writing->functions[i].binary);
	prf_json_end(json);
	prf_json_list(json, "source");
	for (size_t i = 0; i < n; i++)
		put_index(json, writing->functions[i].file - 1,
			  writing->functions[i].file);
	prf_json_end(json);
	put_equal(json, "lineNumber", n, prf_json_null);
	put_equal(json, "columnNumber", n, prf_json_null);
	prf_json_number(json, "length", n);
	prf_json_end(json);
}

/* One for each binary, and one for what was pruned. */
static int
put_resource_table(struct writing *writing)
{
	enum { IS_LIBRARY = 1 };
	const struct prf_stack_table *stacks = writing->stacks;
	struct prf_json *json = &writing->json;
	size_t n = stacks->profile->n_binaries + 1;
	int rc = 0;

	prf_json_object(json, "resourceTable");
	prf_json_list(json, "lib");
	for (size_t i = 0; i < n; i++)
		put_index(json, writing->libs[i] - 1, writing->libs[i]);
	prf_json_end(json);
	prf_json_list(json, "name");
	for (size_t i = 0; !rc && i < n; i++) {
		uint32_t name;

		rc = intern(writing, prf_stack_table_binary_name(stacks, i),
			    &name);
		prf_json_number(json, NULL, name);
	}
	prf_json_end(json);
	put_equal(json, "host", n, prf_json_null);
	prf_json_list(json, "type");
	for (size_t i = 0; i < n; i++)
		prf_json_number(json, NULL, IS_LIBRARY);
	prf_json_end(json);
	prf_json_number(json, "length", n);
	prf_json_end(json);
	return rc;
}

/* One for each function, though those that are in no file have no frame that
 * names theirs. */
static void
put_symbol_table(struct writing *writing)
{
	const struct prf_stack_table *stacks = writing->stacks;
	struct prf_json *json = &writing->json;
	size_t n = stacks->functions.n;

	prf_json_object(json, "nativeSymbols");
	prf_json_list(json, "libIndex");
	for (size_t i = 0; i < n; i++) {
		size_t lib =
			writing->libs[prf_stack_table_binary_of(stacks, i)];

		prf_json_number(json, NULL, lib ? lib - 1 : 0);
	}
	prf_json_end(json);
	prf_json_list(json, "address");
	for (size_t i = 0; i < n; i++)
		prf_json_number(json, NULL, stacks->functions.all[i].lo);
	prf_json_end(json);
	prf_json_list(json, "name");
	for (size_t i = 0; i < n; i++)
		prf_json_number(json, NULL, writing->functions[i].name);
	prf_json_end(json);
	put_equal(json, "functionSize", n, prf_json_null);
	prf_json_number(json, "length", n);
	prf_json_end(json);
}

static int
put_source_table(struct writing *writing)
{
	const struct prf_named_counts *paths = &writing->stacks->paths;
	struct prf_json *json = &writing->json;
	size_t n = paths->n;
	int rc = 0;

	prf_json_object(json, "sources");
	put_equal(json, "id", n, prf_json_null);
	prf_json_list(json, "filename");
	for (size_t i = 0; !rc && i < n; i++) {
		uint32_t name;

		rc = intern(writing, paths->all[i].text, &name);
		prf_json_number(json, NULL, name);
	}
	prf_json_end(json);
	prf_json_list(json, "startLine");
	for (size_t i = 0; i < n; i++)
		prf_json_number(json, NULL, 1);
	prf_json_end(json);
	prf_json_list(json, "startColumn");
	for (size_t i = 0; i < n; i++)
		prf_json_number(json, NULL, 1);
	prf_json_end(json);
	put_equal(json, "sourceMapURL", n, prf_json_null);
	prf_json_number(json, "length", n);
	prf_json_end(json);
	return rc;
}

/* --- Threads */

/* NS as milliseconds since the begin. */
static void
put_time(struct writing *writing, const char *name, uint64_t ns)
{
	uint64_t begin_ns = writing->stacks->begin_ns;

	prf_json_decimal(&writing->json, name,
			 ns > begin_ns ? ns - begin_ns : 0, 6);
}

static void
put_end_time(struct writing *writing, const char *name, uint64_t ns)
{
	if (ns)
		put_time(writing, name, ns);
	else
		prf_json_null(&writing->json, name);
}

static void
put_times(struct writing *writing, const struct prf_stack_table_sample *samples,
	  size_t n)
{
	const struct prf_stack_table *stacks = writing->stacks;
	uint64_t at = stacks->begin_ns;

	prf_json_list(&writing->json, "time");
	for (size_t i = 0; i < n; i++) {
		put_time(writing, NULL,
			 stacks->has_times ? samples[i].time_ns : at);
		at += samples[i].count.ticks * writing->period_ns;
	}
	prf_json_end(&writing->json);
}

static void
put_samples(struct writing *writing,
	    const struct prf_stack_table_thread *thread)
{
	const struct prf_stack_table_sample *samples =
		prf_stack_table_samples(writing->stacks, thread);
	struct prf_json *json = &writing->json;
	size_t n = thread->n_samples;

	prf_json_object(json, "samples");
	prf_json_list(json, "stack");
	for (size_t i = 0; i < n; i++)
		put_index(json, writing->node_rows[samples[i].node] - 1,
			  samples[i].node);
	prf_json_end(json);
	put_times(writing, samples, n);
	prf_json_list(json, "weight");
	for (size_t i = 0; i < n; i++)
		prf_json_number(json, NULL, samples[i].count.ticks);
	prf_json_end(json);
	prf_json_text(json, "weightType", "samples");
	if (writing->stacks->has_times && !writing->way->is_wall) {
		prf_json_list(json, "threadCPUDelta");
		for (size_t i = 0; i < n; i++)
			prf_json_number(json, NULL,
					samples[i].count.ticks *
						writing->period_ns);
		prf_json_end(json);
	}
	prf_json_number(json, "length", n);
	prf_json_end(json);
}

static int
put_marker_names(struct writing *writing,
		 const struct prf_stack_table_event *events, size_t n)
{
	int rc = 0;

	prf_json_list(&writing->json, "name");
	for (size_t i = 0; !rc && i < n; i++) {
		uint32_t name;

		rc = intern(writing, events[i].is_exec ? "exec" : "thread end",
			    &name);
		prf_json_number(&writing->json, NULL, name);
	}
	prf_json_end(&writing->json);
	return rc;
}

static void
put_marker_data(struct writing *writing,
		const struct prf_stack_table_event *event)
{
	struct prf_json *json = &writing->json;

	prf_json_object(json, NULL);
	prf_json_text(json, "type", event->is_exec ? "Exec" : "ThreadEnd");
	prf_json_text(json, "text", event->text);
	prf_json_end(json);
}

static int
put_markers(struct writing *writing,
	    const struct prf_stack_table_thread *thread)
{
	const struct prf_stack_table_event *events =
		prf_stack_table_events(writing->stacks, thread);
	struct prf_json *json = &writing->json;
	size_t n = thread->n_events;

	prf_json_object(json, "markers");
	int rc = put_marker_names(writing, events, n);
	prf_json_list(json, "data");
	for (size_t i = 0; i < n; i++)
		put_marker_data(writing, &events[i]);
	prf_json_end(json);
	prf_json_list(json, "startTime");
	for (size_t i = 0; i < n; i++)
		put_time(writing, NULL, events[i].time_ns);
	prf_json_end(json);
	put_equal(json, "endTime", n, prf_json_null);
	put_equal(json, "phase", n, put_zero); /* at a moment */
	put_equal(json, "category", n, put_zero);
	prf_json_number(json, "length", n);
	prf_json_end(json);
	return rc;
}

static int
put_thread(struct writing *writing, const struct prf_stack_table_thread *thread)
{
	const char *program = *thread->program ? thread->program : "[unknown]";
	struct prf_json *json = &writing->json;
	char pid[16];

	snprintf(pid, sizeof pid, "%d", (int)thread->pid);
	prf_json_object(json, NULL);
	prf_json_text(json, "name", *thread->name ? thread->name : program);
	prf_json_text(json, "processName", program);
	prf_json_text(json, "processType", "default");
	prf_json_bool(json, "isMainThread", thread->tid == thread->pid);
	prf_json_text(json, "pid", pid);
	prf_json_number(json, "tid", (uint64_t)thread->tid);
	put_time(writing, "processStartupTime", thread->begin_ns);
	prf_json_null(json, "processShutdownTime");
	put_time(writing, "registerTime", thread->begin_ns);
	put_end_time(writing, "unregisterTime", thread->end_ns);
	prf_json_list(json, "pausedRanges");
	prf_json_end(json);
	put_samples(writing, thread);
	int rc = put_markers(writing, thread);
	prf_json_end(json);
	return rc;
}

static int
put_threads(struct writing *writing)
{
	const struct prf_stack_table *stacks = writing->stacks;
	int rc = 0;

	prf_json_list(&writing->json, "threads");
	for (size_t i = 0; !rc && i < stacks->n_threads; i++)
		if (stacks->threads[i].n_samples || stacks->n_threads == 1)
			rc = put_thread(writing, &stacks->threads[i]);
	prf_json_end(&writing->json);
	return rc;
}

/* --- All of it */

static int
put_shared(struct writing *writing)
{
	struct prf_json *json = &writing->json;

	prf_json_object(json, "shared");
	put_stack_table(writing);
	put_frame_table(writing);
	put_function_table(writing);
	int rc = put_resource_table(writing);
	put_symbol_table(writing);
	if (!rc)
		rc = put_source_table(writing);
	prf_json_list(json, "stringArray");
	for (size_t i = 0; i < writing->strings.n; i++)
		prf_json_text(json, NULL, writing->strings.all[i].text);
	prf_json_end(json);
	prf_json_end(json);
	return rc;
}

/* Strings come last: all others have numbered theirs by then. */
static int
put_all(struct writing *writing)
{
	struct prf_json *json = &writing->json;
	int rc = prepare(writing);

	if (rc)
		return rc;
	prf_json_object(json, NULL);
	put_meta(writing);
	put_libs(writing);
	rc = put_threads(writing);
	if (!rc)
		rc = put_shared(writing);
	prf_json_end(json);
	return rc;
}

int
prf_firefox_write_stacks(const struct prf_stack_table *stacks,
			 const struct prf_export_way *way, FILE *out,
			 struct prf_error *err)
{
	enum { USUAL_PERIOD_NS = 10000000 };
	uint64_t period_ns = prf_stack_table_period_ns(stacks);
	PRF_AUTO(clear)
	struct writing writing = {
		.stacks = stacks,
		.way = way,
		.json.out = out,
		.period_ns = period_ns ? period_ns : USUAL_PERIOD_NS,
	};
	int rc = put_all(&writing);

	return rc ? prf_error_set(err, rc, "out of memory") : 0;
}

int
prf_firefox_write(const struct prf_profile *profile,
		  const struct prf_export_way *way, FILE *out,
		  struct prf_error *err)
{
	PRF_AUTO(prf_stack_table_clear) struct prf_stack_table stacks = {0};
	int rc = prf_stack_table_of(profile, way, &stacks);

	return rc ? prf_error_set(err, rc, "out of memory")
		  : prf_firefox_write_stacks(&stacks, way, out, err);
}
