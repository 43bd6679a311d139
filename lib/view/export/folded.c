#include "view/export/folded.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/scope.h"
#include "view/table/name_columns.h"
#include "view/table/plain.h"

/* --- What the frames are called */

static const char *
suffix_of(const struct prf_binary *binary)
{
	return !binary                             ? ""
	       : binary->kind == PRF_BINARY_KERNEL ? "_[k]"
	       : binary->kind == PRF_BINARY_JIT    ? "_[j]"
						   : "";
}

/* NAME, which is changed, and SUFFIX, so that they fit into a line.  NULL: out
 * of memory. */
static char *
as_frame(char *name, const char *suffix)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	for (char *at = strchr(name, ';'); at; at = strchr(at, ';'))
		*at = ':';
	prf_plain_print_utf8(*name ? name : "[unknown]", out);
	fputs(suffix, out);
	if (!fclose(out))
		return text;
	free(text);
	return NULL;
}

static char *
frame_of(const struct prf_call_function *function,
	 const struct prf_export_way *way)
{
	const struct prf_style style = {.full_names = way->full_names};
	PRF_AUTO(prf_auto_free)
	char *name = prf_name_columns_name(function->name, &style);

	return name ? as_frame(name, suffix_of(function->binary)) : NULL;
}

static void
free_frames(char **frames, size_t n)
{
	for (size_t i = 0; frames && i < n; i++)
		free(frames[i]);
	free(frames);
}

/* By the number of the function; NULL: out of memory. */
static char **
frames_of(const struct prf_call_graph *graph, const struct prf_export_way *way)
{
	char **frames = calloc(graph->n_functions + 1, sizeof *frames);

	for (size_t i = 0; frames && i < graph->n_functions; i++) {
		frames[i] = frame_of(&graph->functions[i], way);
		if (!frames[i]) {
			free_frames(frames, i);
			return NULL;
		}
	}
	return frames;
}

/* --- The lines */

/* "PROGRAM;THREAD;FRAME;FRAME". */
struct path {
	char *text;
	size_t n, room;
};

static int
append(struct path *path, const char *text)
{
	size_t n = strlen(text);

	if (path->n + n + 1 > path->room) {
		size_t room = 2 * (path->n + n + 1);
		char *grown = realloc(path->text, room);

		if (!grown)
			return -ENOMEM;
		path->text = grown;
		path->room = room;
	}
	memcpy(path->text + path->n, text, n + 1);
	path->n += n;
	return 0;
}

/* Of a program or a thread. */
static int
append_name(struct path *path, const char *name)
{
	PRF_AUTO(prf_auto_free) char *copy = strdup(name);
	PRF_AUTO(prf_auto_free) char *frame = copy ? as_frame(copy, "") : NULL;

	return frame ? append(path, frame) : -ENOMEM;
}

static int
go_down(struct path *path, const char *frame)
{
	int rc = append(path, ";");

	return rc ? rc : append(path, frame);
}

static void
go_up(struct path *path, const char *frame)
{
	path->n -= strlen(frame) + 1;
}

static void
print_line(const struct path *path, const struct prf_call_node *node, FILE *out)
{
	if (!node->self.ticks)
		return;
	fwrite(path->text, 1, path->n, out);
	fprintf(out, " %" PRIu64 "\n", node->self.ticks);
}

static int
print_lines(const struct prf_call_graph *graph, char *const *frames,
	    struct path *path, FILE *out)
{
	const struct prf_call_node *nodes = graph->nodes;
	size_t at = graph->n_nodes ? nodes[0].child : PRF_CALL_NONE;
	int rc = 0;

	if (graph->n_nodes)
		print_line(path, &nodes[0], out);
	while (!rc && at != PRF_CALL_NONE) {
		rc = go_down(path, frames[nodes[at].function]);
		if (!rc)
			print_line(path, &nodes[at], out);
		size_t next = nodes[at].child;
		while (next == PRF_CALL_NONE && at) {
			go_up(path, frames[nodes[at].function]);
			next = nodes[at].sibling;
			at = nodes[at].parent;
		}
		at = next;
	}
	return rc;
}

int
prf_folded_print(const struct prf_call_graph *graph,
		 const struct prf_folded_root *root,
		 const struct prf_export_way *way, FILE *out)
{
	char **frames = frames_of(graph, way);
	struct path path = {0};
	int rc = frames ? append_name(&path, root->program) : -ENOMEM;

	if (!rc && *root->thread)
		rc = append(&path, ";");
	if (!rc && *root->thread)
		rc = append_name(&path, root->thread);
	if (!rc)
		rc = print_lines(graph, frames, &path, out);
	free(path.text);
	free_frames(frames, graph->n_functions);
	return rc;
}

/* The stacks of those owners whose root is the one with NUMBER; OTHERS has room for
 * all owners. */
static int
write_root(const struct prf_profile *profile,
	   const struct prf_folded_roots *roots, size_t number, bool *others,
	   const struct prf_export_way *way, FILE *out)
{
	const struct prf_call_graph_way tree = {.is_tree = true,
						.others = others};
	PRF_AUTO(prf_call_graph_clear) struct prf_call_graph graph = {0};

	for (size_t i = 0; i < roots->n_owners; i++)
		others[i] = roots->root[i] != number;
	int rc = prf_call_graph_make(profile, &tree, &graph);
	return rc ? rc
		  : prf_folded_print(&graph, &roots->all[number], way, out);
}

int
prf_folded_write(const struct prf_profile *profile,
		 const struct prf_export_way *way, FILE *out,
		 struct prf_error *err)
{
	PRF_AUTO(prf_folded_roots_clear) struct prf_folded_roots roots;
	int rc = prf_folded_roots_of(profile, &roots);
	PRF_AUTO(prf_auto_free)
	bool *others = calloc(roots.n_owners, sizeof *others);

	if (!rc && !others)
		rc = -ENOMEM;
	for (size_t i = 0; !rc && i < roots.n; i++)
		rc = write_root(profile, &roots, i, others, way, out);
	return rc ? prf_error_set(err, rc, "out of memory") : 0;
}
