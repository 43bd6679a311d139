#include "view/table/call_tree_print.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/scope.h"
#include "view/table/distinct_names.h"
#include "view/table/name_columns.h"
#include "view/table/plain.h"
#include "view/table/share.h"

enum {
	MAX_LEVELS = 8, /* a further branch moves nothing to the right */
	FEW_LEVELS = 4, /* the same, where lines are shorter than WIDE */
	WIDE = 75,
	LEVEL_WIDTH = 3, /* of a level, in characters */
	NAME_MIN = 12,   /* so much of a name is seen */
	BINARY_MAX = 16, /* a longer one is cut */
	BINARY_MIN = 6,
	SELF_WIDTH = 8,
	GAP = 2,
};

/* What is drawn before a name. */
static const struct lines {
	const char *past;   /* a branch that goes on below */
	const char *branch; /* to a function, and on */
	const char *last;   /* to the last one */
	const char *blank;
} ascii = {"|  ", "|- ", "`- ", "   "},
  unicode = {"\u2502  ", "\u251c\u2500 ", "\u2514\u2500 ", "   "};

/* --- Where a line stands */

struct drawing {
	const struct prf_call_tree *tree;
	const struct prf_call_graph *graph;
	const struct prf_call_tree_look *look;
	const struct prf_style *style;
	const struct lines *lines;
	uint64_t min_ticks;
	size_t max_levels;
	struct prf_distinct_name *names; /* of the functions that are shown */
	size_t n_names;
	size_t *name_numbers; /* of each function, plus 1; 0: it has none */
	size_t *levels; /* of each node that is shown: the branches before it */
	/* Of the path at hand: does the branch of level I + 1 go on? */
	bool *goes_on;
	size_t n_lines, n_left_out;
	bool is_cut_short, has_guesses;
};

/* Does another stand beside node I, behind it? */
static bool
has_next(const struct drawing *drawing, size_t i)
{
	return prf_call_tree_sibling(drawing->tree, i, drawing->min_ticks) !=
	       PRF_CALL_NONE;
}

/* Is it one of several that are called from the same? */
static bool
is_branch(const struct drawing *drawing, size_t i)
{
	size_t parent = drawing->tree->nodes[i].parent;
	size_t first = drawing->tree->nodes[parent].child;

	return parent && has_next(drawing, first);
}

static void
enter(struct drawing *drawing, size_t i)
{
	size_t parent = drawing->tree->nodes[i].parent;
	bool is_one_of_several = is_branch(drawing, i);
	size_t level = drawing->levels[parent] + is_one_of_several;

	drawing->levels[i] = level;
	if (is_one_of_several)
		drawing->goes_on[level - 1] = has_next(drawing, i);
}

/* --- A line */

/* The branches that go past, and the last one, which may lead here.  Returns its
 * width. */
static size_t
print_indent(const struct drawing *drawing, size_t i, FILE *out)
{
	const struct lines *lines = drawing->lines;
	size_t level = drawing->levels[i];
	size_t n = level < drawing->max_levels ? level : drawing->max_levels;
	int number = 0;

	if (!n)
		return 0;
	for (size_t j = 0; j + 1 < n; j++)
		fputs(drawing->goes_on[j] ? lines->past : lines->blank, out);
	if (level > n)
		number = fprintf(out, "%zu: ", level);
	bool goes_on = drawing->goes_on[level - 1];
	fputs(is_branch(drawing, i) ? goes_on ? lines->branch : lines->last
	      : goes_on             ? lines->past
				    : lines->blank,
	      out);
	return n * LEVEL_WIDTH + (number > 0 ? (size_t)number : 0);
}

static const char *
binary_name(const struct prf_call_function *function)
{
	return function->binary ? function->binary->name : "";
}

/* The binary of node I, if it is another than its neighbour's above. */
static const char *
new_binary(const struct drawing *drawing, size_t i)
{
	const struct prf_call_function *functions = drawing->graph->functions;
	const struct prf_call_tree_node *node = &drawing->tree->nodes[i];
	const struct prf_call_function *own = &functions[node->function];
	size_t above = drawing->tree->nodes[node->parent].function;

	return (above != PRF_CALL_NONE &&
		functions[above].binary == own->binary) ||
			       strcmp(binary_name(own), own->name) == 0
		       ? ""
		       : binary_name(own);
}

static void
print_cut(const char *text, size_t width, bool cut, FILE *out)
{
	if (cut)
		prf_plain_print_middle_cut(text, width, out);
	else
		prf_plain_print(text, out);
}

/* What a library is called is put into brackets, as the kernel is. */
static void
print_binary(const char *binary, size_t width, bool cut, FILE *out)
{
	bool has_brackets = binary[0] == '[';

	fputs(has_brackets ? " " : " [", out);
	print_cut(binary, width, cut, out);
	fputs(has_brackets ? "" : "]", out);
}

/* How many characters of NAME and BINARY are seen where a line has ROOM for so
 * many; at least some. */
struct widths {
	size_t name, binary;
};

static struct widths
widths_of(size_t room, const char *binary)
{
	size_t most = room / 3 < BINARY_MAX ? room / 3 : BINARY_MAX;
	size_t width = prf_plain_width(binary);
	struct widths widths = {.binary = width < most ? width : most};

	if (widths.binary && widths.binary < BINARY_MIN)
		widths.binary = width < BINARY_MIN ? width : BINARY_MIN;
	size_t beside = widths.binary ? widths.binary + strlen(" []") : 0;
	widths.name = room > beside + NAME_MIN ? room - beside : NAME_MIN;
	return widths;
}

static int
name_function(struct drawing *drawing, size_t i)
{
	const struct prf_call_function *function =
		&drawing->graph->functions[i];
	struct prf_distinct_name *name = &drawing->names[drawing->n_names];

	drawing->name_numbers[i] = ++drawing->n_names;
	return prf_distinct_name_begin(
		name, function->name, function->inlined,
		function->binary ? function->binary->name : "", drawing->style);
}

/* Of all nodes that are shown. */
static int
name_functions(struct drawing *drawing)
{
	const struct prf_call_tree *tree = drawing->tree;
	uint64_t least = drawing->min_ticks;
	size_t max = drawing->look->max_lines, n = 0;
	int rc = 0;

	for (size_t i = prf_call_tree_next(tree, 0, least);
	     !rc && i != PRF_CALL_NONE && (!max || n < max);
	     i = prf_call_tree_next(tree, i, least), n++)
		if (!drawing->name_numbers[tree->nodes[i].function])
			rc = name_function(drawing, tree->nodes[i].function);
	return rc ? rc
		  : prf_distinct_names_make(drawing->names, drawing->n_names,
					    drawing->style);
}

/* USED characters of the line are gone. */
static void
print_name(struct drawing *drawing, size_t i, size_t used, FILE *out)
{
	const struct prf_call_tree_node *node = &drawing->tree->nodes[i];
	size_t number = drawing->name_numbers[node->function];
	const char *mark = node->recursive ? " (recursive)" : "";
	const char *guess = node->guessed ? " ?" : "";
	const char *binary = new_binary(drawing, i);
	size_t width = drawing->style->width;

	used += strlen(mark) + strlen(guess);
	const struct widths widths =
		widths_of(width > used ? width - used : 0, binary);
	print_cut(drawing->names[number - 1].shown, widths.name, width > 0,
		  out);
	fprintf(out, "%s%s", mark, guess);
	if (*binary)
		print_binary(binary, widths.binary, width > 0, out);
	fputc('\n', out);
	drawing->has_guesses |= node->guessed;
}

static bool
has_self(const struct drawing *drawing)
{
	return drawing->look->kind != PRF_CALL_TREE_ABOVE;
}

static void
print_node(struct drawing *drawing, size_t i, FILE *out)
{
	const struct prf_call_tree_node *node = &drawing->tree->nodes[i];
	const struct prf_count *all = &drawing->look->all;
	size_t used = PRF_SHARE_RANGE_WIDTH + GAP;

	prf_share_print_range(&node->total, all, drawing->look->doubt,
			      drawing->style, out);
	if (has_self(drawing)) {
		fprintf(out, "  %6.2f", prf_share_percent(&node->self, all));
		used += SELF_WIDTH;
	}
	fprintf(out, "%*s", GAP, "");
	print_name(drawing, i, used + print_indent(drawing, i, out), out);
}

/* --- All of it */

static const char *const headings[] = {
	[PRF_CALL_TREE_WHOLE] = "  self %  function",
	[PRF_CALL_TREE_BELOW] = "  self %  function, and what it calls",
	[PRF_CALL_TREE_ABOVE] = "  function, and who calls it",
};

static void
print_left_out(const struct drawing *drawing, FILE *out)
{
	size_t n = drawing->n_left_out;

	if (n)
		fprintf(out, "  %zu more line%s", n, n == 1 ? "" : "s");
	if (n && !drawing->is_cut_short)
		fprintf(out, " below %g %% of this tree",
			drawing->look->min_percent);
	if (n)
		fputc('\n', out);
	if (drawing->has_guesses)
		fputs("  ? was found without unwind information, and may not "
		      "belong there\n",
		      out);
}

static void
print_nodes(struct drawing *drawing, FILE *out)
{
	const struct prf_call_tree *tree = drawing->tree;
	uint64_t least = drawing->min_ticks;
	size_t max = drawing->look->max_lines;

	for (size_t i = prf_call_tree_next(tree, 0, least); i != PRF_CALL_NONE;
	     i = prf_call_tree_next(tree, i, least)) {
		drawing->is_cut_short = max && drawing->n_lines == max;
		if (drawing->is_cut_short)
			break;
		/* What stands below an outermost call is called by it. */
		if (drawing->n_lines && !drawing->tree->nodes[i].parent)
			fputc('\n', out);
		enter(drawing, i);
		print_node(drawing, i, out);
		drawing->n_lines++;
	}
}

int
prf_call_tree_print(const struct prf_call_tree *tree,
		    const struct prf_call_graph *graph,
		    const struct prf_call_tree_look *look,
		    const struct prf_style *style, FILE *out)
{
	PRF_AUTO(prf_auto_free)
	size_t *levels = calloc(tree->n, sizeof *levels);
	PRF_AUTO(prf_auto_free)
	size_t *name_numbers =
		calloc(graph->n_functions + 1, sizeof *name_numbers);
	PRF_AUTO(prf_auto_free)
	bool *goes_on = calloc(tree->n, sizeof *goes_on);
	struct drawing drawing = {
		.tree = tree,
		.graph = graph,
		.look = look,
		.style = style,
		.lines = style->has_lines ? &unicode : &ascii,
		.min_ticks = prf_call_tree_least(tree, look->min_percent),
		.max_levels = style->width && style->width < WIDE ? FEW_LEVELS
								  : MAX_LEVELS,
		.names = calloc(graph->n_functions + 1,
				sizeof(struct prf_distinct_name)),
		.name_numbers = name_numbers,
		.levels = levels,
		.goes_on = goes_on,
	};

	bool has_room = levels && goes_on && name_numbers && drawing.names;
	int rc = has_room ? name_functions(&drawing) : -ENOMEM;
	if (rc == 0) {
		fprintf(out, "%s%s\n", PRF_SHARE_TOTAL_HEADING,
			headings[look->kind]);
		print_nodes(&drawing, out);
		drawing.n_left_out = tree->n - 1 - drawing.n_lines;
		print_left_out(&drawing, out);
	}
	prf_distinct_names_free(drawing.names, drawing.n_names);
	return rc;
}
