#include "view/export/firefox_numbers.h"

#include <errno.h>
#include <stdlib.h>

#include "profile/large.h"

void
prf_firefox_clear(struct prf_firefox *firefox)
{
	prf_named_counts_clear(&firefox->strings);
	prf_pairs_clear(&firefox->inlined);
	free(firefox->functions);
	free(firefox->inlined_function);
	free(firefox->frame_rows);
	free(firefox->node_rows);
	free(firefox->libs);
	prf_pairs_clear(&firefox->mains);
}

int
prf_firefox_intern(struct prf_firefox *firefox, const char *text,
		   uint32_t *number)
{
	size_t at;
	int rc = prf_named_counts_intern(&firefox->strings, text, &at);

	*number = (uint32_t)at;
	return rc;
}

static int
add_function(struct prf_firefox *firefox, const char *name, size_t binary,
	     uint32_t file)
{
	struct prf_firefox_function function = {.binary = (uint32_t)binary,
						.file = file};
	int rc = prf_firefox_intern(firefox, name, &function.name);

	if (rc)
		return rc;
	struct prf_firefox_function *grown =
		prf_large_reserve(firefox->functions, firefox->n_functions,
				  &firefox->functions_room, sizeof *grown);
	if (!grown)
		return -ENOMEM;
	firefox->functions = grown;
	firefox->functions[firefox->n_functions++] = function;
	return 0;
}

/* What was inlined at FRAME. */
static int
add_inlined(struct prf_firefox *firefox,
	    const struct prf_stack_table_frame *frame)
{
	const struct prf_stack_table *stacks = firefox->stacks;
	size_t binary = prf_stack_table_binary_of(stacks, frame->function);
	int rc = 0;

	for (size_t i = 0; !rc && i < frame->n_inlined; i++) {
		size_t at = frame->first_inlined + i, number;
		const struct prf_stack_table_inlined *inlined =
			&stacks->inlined[at];

		rc = prf_pairs_intern(&firefox->inlined, inlined->name, binary,
				      &number);
		if (rc)
			return rc;
		number += stacks->functions.n;
		if (number == firefox->n_functions)
			rc = add_function(
				firefox,
				stacks->inlined_names.all[inlined->name].text,
				binary, inlined->file);
		firefox->inlined_function[at] = (uint32_t)number;
	}
	return rc;
}

static int
number_functions(struct prf_firefox *firefox)
{
	const struct prf_stack_table *stacks = firefox->stacks;
	int rc = 0;

	for (size_t i = 0; !rc && i < stacks->functions.n; i++)
		rc = add_function(firefox, stacks->names[i],
				  prf_stack_table_binary_of(stacks, i),
				  stacks->files[i]);
	for (size_t i = 0; !rc && i < stacks->n_frames; i++)
		rc = add_inlined(firefox, &stacks->frames[i]);
	return rc;
}

/* A frame has a row for each call that was inlined in it, too, and a node a row
 * for each of its frame's. */
static void
number_rows(struct prf_firefox *firefox)
{
	const struct prf_stack_table *stacks = firefox->stacks;
	size_t row = 0;

	for (size_t i = 0; i < stacks->n_frames; i++) {
		firefox->frame_rows[i] = row;
		row += 1 + stacks->frames[i].n_inlined;
	}
	firefox->frame_rows[stacks->n_frames] = row;
	row = 0;
	for (size_t i = 1; i < stacks->n_nodes; i++) {
		row += 1 + stacks->frames[stacks->nodes[i].frame].n_inlined;
		firefox->node_rows[i] = row;
	}
}

bool
prf_firefox_is_lib(const struct prf_binary *binary)
{
	return binary->kind == PRF_BINARY_FILE;
}

int
prf_firefox_number(struct prf_firefox *firefox)
{
	const struct prf_stack_table *stacks = firefox->stacks;
	size_t n_libs = 0;

	firefox->inlined_function = calloc(stacks->n_inlined + 1,
					   sizeof *firefox->inlined_function);
	firefox->frame_rows =
		calloc(stacks->n_frames + 1, sizeof *firefox->frame_rows);
	firefox->node_rows =
		prf_large_new(stacks->n_nodes, sizeof *firefox->node_rows);
	firefox->libs =
		calloc(stacks->profile->n_binaries + 1, sizeof *firefox->libs);
	if (!firefox->inlined_function || !firefox->frame_rows ||
	    !firefox->node_rows || !firefox->libs)
		return -ENOMEM;
	for (size_t i = 0; i < stacks->profile->n_binaries; i++)
		if (prf_firefox_is_lib(stacks->profile->binaries[i]))
			firefox->libs[i] = ++n_libs;
	number_rows(firefox);
	return number_functions(firefox);
}
