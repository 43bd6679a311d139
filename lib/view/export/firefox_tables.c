#include "view/export/firefox_tables.h"

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

void
prf_firefox_put_categories(struct prf_firefox *firefox)
{
	struct prf_json *json = &firefox->json;

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

/* --- Tables: a list for each column */

static void
put_false(struct prf_json *json, const char *name)
{
	prf_json_bool(json, name, false);
}

static void
put_stack_table(struct prf_firefox *firefox)
{
	const struct prf_stack_table *stacks = firefox->stacks;
	struct prf_json *json = &firefox->json;

	prf_json_object(json, "stackTable");
	prf_json_list(json, "frame");
	for (size_t i = 1; i < stacks->n_nodes; i++) {
		uint32_t frame = stacks->nodes[i].frame;

		for (size_t j = 0; j <= stacks->frames[frame].n_inlined; j++)
			prf_json_number(json, NULL,
					firefox->frame_rows[frame] + j);
	}
	prf_json_end(json);
	prf_json_list(json, "prefix");
	for (size_t i = 1; i < stacks->n_nodes; i++) {
		uint32_t parent = stacks->nodes[i].parent;
		size_t n = stacks->frames[stacks->nodes[i].frame].n_inlined;

		prf_json_number_or_null(json, NULL,
					firefox->node_rows[parent] - 1, parent);
		for (size_t j = n; j > 0; j--)
			prf_json_number(json, NULL,
					firefox->node_rows[i] - 1 - j);
	}
	prf_json_end(json);
	prf_json_number(json, "length",
			firefox->node_rows[stacks->n_nodes - 1]);
	prf_json_end(json);
}

/* What is in one column for each row of a frame. */
typedef void put_cell(struct prf_firefox *firefox, size_t frame, size_t depth);

static const struct prf_arc_end *
end_of(const struct prf_firefox *firefox, size_t frame)
{
	return &firefox->stacks->frames[frame].end;
}

static bool
has_addr(const struct prf_binary *binary)
{
	return binary && prf_firefox_is_lib(binary) &&
	       binary->form != PRF_BINARY_BY_NAME;
}

static void
put_address(struct prf_firefox *firefox, size_t frame, size_t depth)
{
	const struct prf_arc_end *end = end_of(firefox, frame);

	(void)depth;
	if (has_addr(end->binary))
		prf_json_number(&firefox->json, NULL, end->vaddr);
	else
		prf_json_signed(&firefox->json, NULL, -1);
}

static void
put_depth(struct prf_firefox *firefox, size_t frame, size_t depth)
{
	(void)frame;
	prf_json_number(&firefox->json, NULL, depth);
}

static void
put_category(struct prf_firefox *firefox, size_t frame, size_t depth)
{
	(void)depth;
	prf_json_number(&firefox->json, NULL,
			category_of(end_of(firefox, frame)->binary));
}

static void
put_no_subcategory(struct prf_firefox *firefox, size_t frame, size_t depth)
{
	(void)frame;
	(void)depth;
	prf_json_number(&firefox->json, NULL, 0);
}

static void
put_frame_function(struct prf_firefox *firefox, size_t number, size_t depth)
{
	const struct prf_stack_table_frame *frame =
		&firefox->stacks->frames[number];

	prf_json_number(&firefox->json, NULL,
			depth ? firefox->inlined_function[frame->first_inlined +
							  depth - 1]
			      : frame->function);
}

/* A native symbol has the number of its function. */
static void
put_symbol(struct prf_firefox *firefox, size_t frame, size_t depth)
{
	(void)depth;
	prf_json_number_or_null(&firefox->json, NULL,
				firefox->stacks->frames[frame].function,
				has_addr(end_of(firefox, frame)->binary));
}

static void
put_no_window(struct prf_firefox *firefox, size_t frame, size_t depth)
{
	(void)frame;
	(void)depth;
	prf_json_null(&firefox->json, NULL);
}

/* Of an inlined call the line in the file of its function; 0: as of frames. */
static uint32_t
inlined_line(const struct prf_firefox *firefox, size_t number)
{
	const struct prf_stack_table_inlined *inlined =
		&firefox->stacks->inlined[number];
	uint32_t function = firefox->inlined_function[number];

	return inlined->file == firefox->functions[function].file
		       ? inlined->line
		       : 0;
}

static void
put_line(struct prf_firefox *firefox, size_t number, size_t depth)
{
	const struct prf_stack_table *stacks = firefox->stacks;
	const struct prf_stack_table_frame *frame = &stacks->frames[number];
	uint32_t line =
		depth ? inlined_line(firefox, frame->first_inlined + depth - 1)
		      : prf_stack_table_line(stacks, frame);

	prf_json_number_or_null(&firefox->json, NULL, line, line);
}

static void
put_frame_table(struct prf_firefox *firefox)
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
	const struct prf_stack_table *stacks = firefox->stacks;
	struct prf_json *json = &firefox->json;

	prf_json_object(json, "frameTable");
	for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
		prf_json_list(json, columns[i].name);
		for (size_t j = 0; j < stacks->n_frames; j++)
			for (size_t k = 0; k <= stacks->frames[j].n_inlined;
			     k++)
				columns[i].put(firefox, j, k);
		prf_json_end(json);
	}
	prf_json_number(json, "length", firefox->frame_rows[stacks->n_frames]);
	prf_json_end(json);
}

static void
put_function_table(struct prf_firefox *firefox)
{
	struct prf_json *json = &firefox->json;
	size_t n = firefox->n_functions;

	prf_json_object(json, "funcTable");
	prf_json_list(json, "name");
	for (size_t i = 0; i < n; i++)
		prf_json_number(json, NULL, firefox->functions[i].name);
	prf_json_end(json);
	prf_json_repeat(json, "isJS", n, put_false);
	prf_json_repeat(json, "relevantForJS", n, put_false);
	prf_json_list(json, "resource");
	for (size_t i = 0; i < n; i++)
		prf_json_number(json, NULL, firefox->functions[i].binary);
	prf_json_end(json);
	prf_json_list(json, "source");
	for (size_t i = 0; i < n; i++)
		prf_json_number_or_null(json, NULL,
					firefox->functions[i].file - 1,
					firefox->functions[i].file);
	prf_json_end(json);
	prf_json_repeat(json, "lineNumber", n, prf_json_null);
	prf_json_repeat(json, "columnNumber", n, prf_json_null);
	prf_json_number(json, "length", n);
	prf_json_end(json);
}

/* One for each binary, and one for what was pruned. */
static int
put_resource_table(struct prf_firefox *firefox)
{
	enum { IS_LIBRARY = 1 };
	const struct prf_stack_table *stacks = firefox->stacks;
	struct prf_json *json = &firefox->json;
	size_t n = stacks->profile->n_binaries + 1;
	int rc = 0;

	prf_json_object(json, "resourceTable");
	prf_json_list(json, "lib");
	for (size_t i = 0; i < n; i++)
		prf_json_number_or_null(json, NULL, firefox->libs[i] - 1,
					firefox->libs[i]);
	prf_json_end(json);
	prf_json_list(json, "name");
	for (size_t i = 0; !rc && i < n; i++) {
		uint32_t name;

		rc = prf_firefox_intern(
			firefox, prf_stack_table_binary_name(stacks, i), &name);
		prf_json_number(json, NULL, name);
	}
	prf_json_end(json);
	prf_json_repeat(json, "host", n, prf_json_null);
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
put_symbol_table(struct prf_firefox *firefox)
{
	const struct prf_stack_table *stacks = firefox->stacks;
	struct prf_json *json = &firefox->json;
	size_t n = stacks->functions.n;

	prf_json_object(json, "nativeSymbols");
	prf_json_list(json, "libIndex");
	for (size_t i = 0; i < n; i++) {
		size_t lib =
			firefox->libs[prf_stack_table_binary_of(stacks, i)];

		prf_json_number(json, NULL, lib ? lib - 1 : 0);
	}
	prf_json_end(json);
	prf_json_list(json, "address");
	for (size_t i = 0; i < n; i++)
		prf_json_number(json, NULL, stacks->functions.all[i].lo);
	prf_json_end(json);
	prf_json_list(json, "name");
	for (size_t i = 0; i < n; i++)
		prf_json_number(json, NULL, firefox->functions[i].name);
	prf_json_end(json);
	prf_json_repeat(json, "functionSize", n, prf_json_null);
	prf_json_number(json, "length", n);
	prf_json_end(json);
}

static int
put_source_table(struct prf_firefox *firefox)
{
	const struct prf_named_counts *paths = &firefox->stacks->paths;
	struct prf_json *json = &firefox->json;
	size_t n = paths->n;
	int rc = 0;

	prf_json_object(json, "sources");
	prf_json_repeat(json, "id", n, prf_json_null);
	prf_json_list(json, "filename");
	for (size_t i = 0; !rc && i < n; i++) {
		uint32_t name;

		rc = prf_firefox_intern(firefox, paths->all[i].text, &name);
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
	prf_json_repeat(json, "sourceMapURL", n, prf_json_null);
	prf_json_number(json, "length", n);
	prf_json_end(json);
	return rc;
}

/* --- All of them */

int
prf_firefox_put_tables(struct prf_firefox *firefox)
{
	struct prf_json *json = &firefox->json;

	prf_json_object(json, "shared");
	put_stack_table(firefox);
	put_frame_table(firefox);
	put_function_table(firefox);
	int rc = put_resource_table(firefox);
	put_symbol_table(firefox);
	if (!rc)
		rc = put_source_table(firefox);
	prf_json_list(json, "stringArray");
	for (size_t i = 0; i < firefox->strings.n; i++)
		prf_json_text(json, NULL, firefox->strings.all[i].text);
	prf_json_end(json);
	prf_json_end(json);
	return rc;
}
