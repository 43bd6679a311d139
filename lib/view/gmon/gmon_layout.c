#include "view/gmon/gmon_layout.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/gmon.h"
#include "core/scope.h"

/* Places begin at round addresses, so that a person can tell binaries apart;
 * and at multiples of gmon.out's blocks, so that no block has two of them. */
enum { ROUND_BYTES = 1 << 20 };
_Static_assert(ROUND_BYTES % PRF_GMON_BLOCK_BYTES == 0, "whole blocks");

PRF_DEFINE_AUTO(prf_gmon_layout, prf_gmon_layout_free);

void
prf_gmon_layout_free(struct prf_gmon_layout *layout)
{
	if (!layout)
		return;
	for (size_t i = 0; i < layout->n; i++) {
		free(layout->places[i].sorted);
		free(layout->places[i].positions);
	}
	free(layout->places);
	free(layout->found);
	free(layout->ends);
	prf_call_graph_clear(&layout->calls);
	prf_binary_free(layout->made_root);
	free(layout);
}

static int
no_memory(struct prf_error *err)
{
	return prf_error_set(err, -ENOMEM, "out of memory");
}

/* --- Which binaries, in which order */

static int
compare_numbers(uint64_t left, uint64_t right)
{
	return (left > right) - (left < right);
}

static int
compare_binaries(const struct prf_binary *left, const struct prf_binary *right)
{
	size_t n = left->build_id_bytes < right->build_id_bytes
			   ? left->build_id_bytes
			   : right->build_id_bytes;
	int rc = compare_numbers(left->kind, right->kind);

	if (!rc)
		rc = strcmp(left->path, right->path);
	if (!rc && n)
		rc = memcmp(left->build_id, right->build_id, n);
	if (!rc)
		rc = compare_numbers(left->build_id_bytes,
				     right->build_id_bytes);
	if (!rc)
		rc = compare_numbers(left->lo, right->lo);
	if (!rc)
		rc = compare_numbers(left->hi, right->hi);
	if (!rc)
		rc = compare_numbers(left->dev, right->dev);
	return rc ? rc : compare_numbers(left->inode, right->inode);
}

static int
in_order(const void *a, const void *b)
{
	const struct prf_gmon_layout_place *left = a, *right = b;

	return compare_binaries(left->binary, right->binary);
}

/* Is LEFT, an executed one, rather the program than RIGHT (NULL: none)? */
static bool
comes_first(const struct prf_binary *left, const struct prf_binary *right)
{
	if (!right || left->program_ticks != right->program_ticks)
		return !right || left->program_ticks > right->program_ticks;
	return compare_binaries(left, right) < 0;
}

const struct prf_binary *
prf_gmon_layout_program(const struct prf_profile *profile)
{
	const struct prf_binary *most = NULL;

	if (profile->program && profile->program->program_ticks)
		return profile->program;
	for (size_t i = 0; i < profile->n_binaries; i++) {
		const struct prf_binary *binary = profile->binaries[i];

		if (binary->is_program && comes_first(binary, most))
			most = binary;
	}
	return most && (most->program_ticks || !profile->program)
		       ? most
		       : profile->program;
}

static struct prf_gmon_layout *
make_room(const struct prf_profile *profile, const struct prf_binary *program,
	  size_t n)
{
	PRF_AUTO(prf_gmon_layout_auto)
	struct prf_gmon_layout *layout = calloc(1, sizeof *layout);
	const struct prf_image_info *info =
		program && program->form == PRF_BINARY_BY_TEXT
			? prf_image_info(program->file->image)
			: NULL;

	if (!layout)
		return NULL;
	layout->profile = profile;
	layout->program = program;
	layout->addr_bytes = info                  ? info->addr_bytes
			     : profile->addr_bytes ? profile->addr_bytes
						   : sizeof(void *);
	layout->big_endian = info ? info->big_endian : profile->big_endian;
	layout->has_list = !program || *program->path;
	layout->places = calloc(n + 2, sizeof *layout->places);
	return layout->places ? PRF_TAKE(layout) : NULL;
}

static bool
has_arcs(const struct prf_gmon_layout *layout, const struct prf_binary *binary)
{
	size_t n;

	prf_gmon_layout_ends(layout, binary, &n);
	return n > 0;
}

static void
choose(struct prf_gmon_layout *layout)
{
	const struct prf_profile *profile = layout->profile;

	if (layout->program)
		layout->places[layout->n++].binary = layout->program;
	for (size_t i = 0; i < profile->n_binaries; i++) {
		const struct prf_binary *binary = profile->binaries[i];

		if (binary != layout->program &&
		    (binary->total.ticks || has_arcs(layout, binary)))
			layout->places[layout->n++].binary = binary;
	}
	size_t first = layout->program ? 1 : 0;
	qsort(layout->places + first, layout->n - first, sizeof *layout->places,
	      in_order);
	/* Above all, so that nothing moves for it. */
	if (layout->made_root)
		layout->places[layout->n++].binary = layout->made_root;
}

/* --- Calls */

/* Where the symbol begins that VADDR is in; 0: in none. */
static uint64_t
start_of(const struct prf_binary *binary, uint64_t vaddr)
{
	const struct prf_piece *piece;
	size_t at;

	if (binary->form == PRF_BINARY_BY_TEXT) {
		piece = prf_file_piece_at(binary->file, vaddr);
		return piece ? piece->lo : 0;
	}
	at = prf_symbol_list_at(&binary->symbols, vaddr);
	return at == (size_t)-1 ? 0 : binary->symbols.all[at].vaddr;
}

struct prf_arc_end
prf_gmon_layout_end(const struct prf_gmon_layout *layout, size_t function)
{
	const struct prf_call_function *called =
		&layout->calls.functions[function];
	struct prf_arc_end end = {(struct prf_binary *)called->binary,
				  called->lo};

	/* A file that could not be read is one function as a whole. */
	if (end.binary && end.binary->is_offsets && end.vaddr < end.binary->lo)
		end.vaddr = end.binary->lo;
	return end;
}

/* Is anything seen to call END? */
static bool
is_called(const struct prf_gmon_layout *layout, const struct prf_arc_end *end)
{
	const struct prf_call_graph *calls = &layout->calls;

	for (size_t i = 0; i < calls->n_arcs; i++) {
		const struct prf_call_function *callee =
			&calls->functions[calls->arcs[i].callee];

		if (callee->binary == end->binary && callee->lo == end->vaddr)
			return true;
	}
	return false;
}

/* The program's entry, if it is known.  What is called itself is no root: that
 * would make a cycle of all. */
static bool
find_entry(const struct prf_gmon_layout *layout, struct prf_arc_end *root)
{
	const struct prf_binary *program = layout->program;

	if (!program || !program->is_program || program->is_offsets ||
	    program->entry < program->lo || program->entry >= program->hi)
		return false;
	*root = (struct prf_arc_end){(struct prf_binary *)program,
				     start_of(program, program->entry)};
	return root->vaddr >= program->lo && !is_called(layout, root);
}

static int
make_root(struct prf_gmon_layout *layout)
{
	struct prf_binary *made = prf_binary_new(PRF_BINARY_UNKNOWN, "");
	size_t number = 0;

	layout->made_root = made;
	if (!made || prf_named_counts_intern(&made->names, "[root]", &number))
		return -ENOMEM;
	layout->root = (struct prf_arc_end){made, number};
	return 0;
}

static int
take_calls(struct prf_gmon_layout *layout, const struct prf_binary *only)
{
	const struct prf_call_graph_way way = {.pieces = true, .only = only};

	if (!prf_calls_has_stacks(layout->profile->calls))
		return 0;
	int rc = prf_call_graph_make(layout->profile, &way, &layout->calls);
	if (rc || !layout->calls.n_functions ||
	    find_entry(layout, &layout->root))
		return rc;
	return make_root(layout);
}

/* Where a binary is in memory tells it from the others, no more. */
static int
compare_places(const void *left, const void *right)
{
	return compare_numbers((uintptr_t)left, (uintptr_t)right);
}

static int
ends_by_binary(const void *a, const void *b)
{
	const struct prf_arc_end *left = a, *right = b;

	return compare_places(left->binary, right->binary);
}

static int
list_ends(struct prf_gmon_layout *layout)
{
	const struct prf_arcs *arcs = &layout->profile->arcs;
	size_t n = 0;

	layout->ends = calloc(2 * arcs->n + layout->calls.n_functions + 1,
			      sizeof *layout->ends);
	if (!layout->ends)
		return -ENOMEM;
	for (size_t i = 0; i < arcs->n; i++) {
		layout->ends[n++] = arcs->all[i].from;
		layout->ends[n++] = arcs->all[i].to;
	}
	for (size_t i = 0; i < layout->calls.n_functions; i++)
		layout->ends[n++] = prf_gmon_layout_end(layout, i);
	layout->ends[n++] = layout->root;
	qsort(layout->ends, n, sizeof *layout->ends, ends_by_binary);
	layout->n_ends = n;
	return 0;
}

/* The first end in BINARY, or in one behind it. */
static size_t
first_end(const struct prf_gmon_layout *layout, const struct prf_binary *binary)
{
	size_t lo = 0, hi = layout->n_ends; /* [lo, hi] */

	while (lo < hi) {
		size_t middle = lo + (hi - lo) / 2;

		if (compare_places(layout->ends[middle].binary, binary) < 0)
			lo = middle + 1;
		else
			hi = middle;
	}
	return lo;
}

const struct prf_arc_end *
prf_gmon_layout_ends(const struct prf_gmon_layout *layout,
		     const struct prf_binary *binary, size_t *n)
{
	size_t first = first_end(layout, binary);
	size_t end = first;

	while (end < layout->n_ends && layout->ends[end].binary == binary)
		end++;
	*n = end - first;
	return &layout->ends[first];
}

/* --- Where they are */

/* Of one that counts by name: a place of its own for each, in their order. */
static int
place_names(struct prf_gmon_layout_place *place)
{
	const struct prf_binary *binary = place->binary;

	/* JIT code of a process that lives has no names yet, but ticks. */
	place->n_names = binary->pid ? 1 : binary->names.n;
	place->sorted = prf_named_counts_sorted(&binary->names);
	place->positions = calloc(place->n_names + 1, sizeof *place->positions);
	if (!place->sorted || !place->positions)
		return -ENOMEM;
	for (size_t i = 0; i < binary->names.n; i++)
		place->positions[place->sorted[i]] = i;
	place->hi = place->n_names * PRF_GMON_LAYOUT_NAME_BYTES;
	return 0;
}

static int
measure(const struct prf_gmon_layout *layout,
	struct prf_gmon_layout_place *place)
{
	if (place->binary->form == PRF_BINARY_BY_NAME)
		return place_names(place);
	place->lo = place->binary->lo;
	place->hi = place->binary->hi;
	/* One that was mapped nowhere that is known is there all the same. */
	if (place->lo == place->hi &&
	    (place->binary->total.ticks || has_arcs(layout, place->binary)))
		place->hi = place->lo + PRF_HIST_BIN_BYTES;
	return 0;
}

/* Puts PLACE above what is there. */
static int
put_above(const struct prf_gmon_layout *layout,
	  struct prf_gmon_layout_place *place, uint64_t limit,
	  struct prf_error *err)
{
	uint64_t first = place->lo - place->lo % PRF_GMON_BLOCK_BYTES;
	uint64_t bytes = place->hi - first;

	if (layout->end > limit - ROUND_BYTES ||
	    bytes > limit - ROUND_BYTES - layout->end)
		return prf_error_set(
			err, -EOVERFLOW,
			"%s: no room for it above the program; use --split",
			place->binary->name);
	uint64_t base = layout->end + ROUND_BYTES;

	place->shift = base - base % ROUND_BYTES - first;
	place->lo += place->shift;
	place->hi += place->shift;
	return 0;
}

static int
put_all(struct prf_gmon_layout *layout, struct prf_error *err)
{
	/* gprof reads addresses as signed on some machines: the upper half is
	 * left alone. */
	uint64_t limit = layout->addr_bytes == 4 ? 1ULL << 31 : 1ULL << 62;
	size_t n = 0;

	for (size_t i = 0; i < layout->n; i++) {
		struct prf_gmon_layout_place *place = &layout->places[i];
		int rc = 0;

		if (place->lo < place->hi && place->binary != layout->program)
			rc = put_above(layout, place, limit, err);
		if (rc)
			return rc;
		if (place->lo == place->hi) { /* nothing is known of its text */
			free(PRF_TAKE(place->sorted));
			free(PRF_TAKE(place->positions));
			continue;
		}
		layout->end = place->hi;
		if (n != i) {
			layout->places[n] = *place;
			*place = (struct prf_gmon_layout_place){0};
		}
		n++;
	}
	layout->n = n;
	return 0;
}

static int
places_by_binary(const void *a, const void *b)
{
	const struct prf_gmon_layout_place *const *left = a, *const *right = b;

	return compare_places((*left)->binary, (*right)->binary);
}

static int
end_in_place(const void *key, const void *member)
{
	const struct prf_gmon_layout_place *const *place = member;
	const struct prf_arc_end *end = key;

	return compare_places(end->binary, (*place)->binary);
}

static int
index_places(struct prf_gmon_layout *layout)
{
	layout->found = calloc(layout->n + 1, sizeof(*layout->found));
	if (!layout->found)
		return -ENOMEM;
	for (size_t i = 0; i < layout->n; i++)
		layout->found[i] = &layout->places[i];
	qsort(layout->found, layout->n, sizeof(*layout->found),
	      places_by_binary);
	return 0;
}

int
prf_gmon_layout_new(const struct prf_profile *profile,
		    struct prf_gmon_layout **out, struct prf_error *err)
{
	PRF_AUTO(prf_gmon_layout_auto)
	struct prf_gmon_layout *layout = make_room(
		profile, prf_gmon_layout_program(profile), profile->n_binaries);

	if (!layout || take_calls(layout, NULL) || list_ends(layout))
		return no_memory(err);
	choose(layout);
	for (size_t i = 0; i < layout->n; i++)
		if (measure(layout, &layout->places[i]))
			return no_memory(err);
	int rc = put_all(layout, err);
	if (!rc && index_places(layout))
		rc = no_memory(err);
	if (!rc)
		*out = PRF_TAKE(layout);
	return rc;
}

int
prf_gmon_layout_new_single(const struct prf_profile *profile,
			   const struct prf_binary *binary,
			   struct prf_gmon_layout **out, struct prf_error *err)
{
	PRF_AUTO(prf_gmon_layout_auto)
	struct prf_gmon_layout *layout = make_room(profile, binary, 1);

	if (!layout || take_calls(layout, binary) || list_ends(layout))
		return no_memory(err);
	layout->places[layout->n++].binary = binary;
	if (layout->made_root)
		layout->places[layout->n++].binary = layout->made_root;
	for (size_t i = 0; i < layout->n; i++)
		if (measure(layout, &layout->places[i]))
			return no_memory(err);
	int rc = put_all(layout, err);
	if (!rc && index_places(layout))
		rc = no_memory(err);
	if (!rc)
		*out = PRF_TAKE(layout);
	return rc;
}

int
prf_gmon_layout_addr(const struct prf_gmon_layout *layout,
		     const struct prf_arc_end *end, uint64_t *addr)
{
	struct prf_gmon_layout_place *const *found =
		bsearch(end, layout->found, layout->n, sizeof(*layout->found),
			end_in_place);

	if (!found)
		return -ENOENT;
	*addr = (*found)->shift + ((*found)->positions
					   ? (*found)->positions[end->vaddr] *
						     PRF_GMON_LAYOUT_NAME_BYTES
					   : end->vaddr);
	return 0;
}
