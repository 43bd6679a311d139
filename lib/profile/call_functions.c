#include "profile/call_functions.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/scope.h"
#include "profile/large.h"

struct prf_call_names {
	size_t *functions; /* + 1; 0: not yet; by their number in the binary */
	/* Of a list of symbols: the first that has the same name. */
	size_t *firsts;
};

int
prf_call_functions_init(struct prf_call_functions *functions,
			const struct prf_profile *profile, bool pieces)
{
	*functions = (struct prf_call_functions){
		.profile = profile,
		.pieces = pieces,
		.names = calloc(profile->n_binaries + 1,
				sizeof *functions->names),
		.pruned = PRF_CALL_NONE,
	};
	return functions->names ? 0 : -ENOMEM;
}

void
prf_call_functions_clear(struct prf_call_functions *functions)
{
	for (size_t i = 0;
	     functions->names && i < functions->profile->n_binaries; i++) {
		free(functions->names[i].functions);
		free(functions->names[i].firsts);
	}
	free(functions->names);
	free(functions->all);
	prf_pairs_clear(&functions->places);
	prf_pairs_clear(&functions->inlined);
	prf_named_counts_clear(&functions->inlined_names);
	free(functions->all_places);
	free(functions->place_functions);
	free(functions->inlined_functions);
	*functions = (struct prf_call_functions){0};
}

static int
append(struct prf_call_functions *functions,
       const struct prf_call_function *function, size_t *number)
{
	if (functions->n == functions->room) {
		size_t room = functions->room * 2 + 64;
		struct prf_call_function *grown =
			reallocarray(functions->all, room, sizeof *grown);

		if (!grown)
			return -ENOMEM;
		functions->all = grown;
		functions->room = room;
	}
	*number = functions->n++;
	functions->all[*number] = *function;
	return 0;
}

/* --- A binary by address: a symbol is good up to the next */

struct named {
	const char *name;
	size_t symbol; /* the list's n: what is below the first */
};

static const char *
symbol_name(const struct prf_symbol_list *list, size_t symbol)
{
	return symbol < list->n ? list->all[symbol].name : "[unknown]";
}

static int
by_name(const void *a, const void *b)
{
	const struct named *left = a, *right = b;
	int rc = strcmp(left->name, right->name);

	return rc ? rc
		  : (left->symbol > right->symbol) -
			       (left->symbol < right->symbol);
}

static int
find_firsts(struct prf_call_names *names, const struct prf_symbol_list *list)
{
	size_t n = list->n + 1;
	PRF_AUTO(prf_auto_free)
	struct named *sorted = calloc(n, sizeof *sorted);

	names->firsts = calloc(n, sizeof *names->firsts);
	if (!sorted || !names->firsts)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		sorted[i] = (struct named){symbol_name(list, i), i};
	qsort(sorted, n, sizeof *sorted, by_name);
	for (size_t i = 0, first = 0; i < n; i++) {
		if (strcmp(sorted[i].name, sorted[first].name) != 0)
			first = i;
		names->firsts[sorted[i].symbol] = sorted[first].symbol;
	}
	return 0;
}

/* --- Any binary */

static size_t
n_names(const struct prf_binary *binary)
{
	switch (binary->form) {
	case PRF_BINARY_BY_TEXT: /* no more functions than pieces */
		return binary->file->n_pieces;
	case PRF_BINARY_BY_ADDRESS:
		return binary->symbols.n + 1;
	case PRF_BINARY_BY_NAME:
		break;
	}
	return binary->pid ? 1 : binary->names.n;
}

static int
learn(const struct prf_call_functions *functions,
      const struct prf_binary *binary, struct prf_call_names *names)
{
	bool has_list = binary->form == PRF_BINARY_BY_ADDRESS;

	if (names->functions)
		return 0;
	if (has_list && !functions->pieces && !names->firsts &&
	    find_firsts(names, &binary->symbols))
		return -ENOMEM;
	names->functions =
		calloc(n_names(binary) + 1, sizeof *names->functions);
	return names->functions ? 0 : -ENOMEM;
}

/* Whatever is in the call tree is in a piece. */
static size_t
text_at(const struct prf_file *file, uint64_t vaddr, bool pieces,
	struct prf_call_function *found)
{
	const struct prf_piece *piece = prf_file_piece_at(file, vaddr);
	const struct prf_named *function = &file->functions[piece->function];

	found->name = function->name;
	found->lo = pieces ? piece->lo : function->lo;
	return pieces ? (size_t)(piece - file->pieces) : piece->function;
}

/* A symbol that begins in the middle of a counter has all of it, see
 * functions.c. */
static size_t
symbol_at(const struct prf_symbol_list *list, uint64_t vaddr,
	  struct prf_call_function *found)
{
	size_t at = prf_symbol_list_at(list, vaddr | 1);

	at = at == (size_t)-1 ? list->n : at;
	found->name = symbol_name(list, at);
	found->lo = at < list->n ? list->all[at].vaddr : 0;
	return at;
}

/* JIT code of a process that lives has no names yet. */
static size_t
name_at(const struct prf_binary *binary, uint64_t number, bool pieces,
	struct prf_call_function *found)
{
	if (binary->pid) {
		found->name = binary->name;
		return 0;
	}
	found->name = binary->names.all[number].text;
	found->lo = pieces ? number : 0;
	return (size_t)number;
}

/* *FOUND: what END is in; returns its number in the binary. */
static size_t
look_up(const struct prf_call_functions *functions,
	const struct prf_arc_end *end, struct prf_call_function *found)
{
	const struct prf_binary *binary = end->binary;

	found->binary = binary;
	switch (binary->form) {
	case PRF_BINARY_BY_TEXT:
		return text_at(binary->file, end->vaddr, functions->pieces,
			       found);
	case PRF_BINARY_BY_ADDRESS:
		return symbol_at(&binary->symbols, end->vaddr, found);
	case PRF_BINARY_BY_NAME:
		break;
	}
	return name_at(binary, end->vaddr, functions->pieces, found);
}

static int
find_pruned(struct prf_call_functions *functions, size_t *number)
{
	const struct prf_call_function pruned = {.name = "[pruned]"};

	if (functions->pruned == PRF_CALL_NONE &&
	    append(functions, &pruned, &functions->pruned))
		return -ENOMEM;
	*number = functions->pruned;
	return 0;
}

/* *FOUND: what is at END. */
static int
find(struct prf_call_functions *functions, const struct prf_arc_end *end,
     struct prf_call_function *found, size_t *number)
{
	struct prf_call_names *names = &functions->names[end->binary->number];
	int rc = learn(functions, end->binary, names);

	if (rc)
		return rc;
	size_t at = look_up(functions, end, found);
	size_t *known =
		&names->functions[names->firsts ? names->firsts[at] : at];
	if (*known) {
		*number = *known - 1;
		return 0;
	}
	rc = append(functions, found, number);
	if (!rc)
		*known = *number + 1;
	return rc;
}

int
prf_call_functions_count(struct prf_call_functions *functions,
			 const struct prf_arc_end *end,
			 const struct prf_count *self, size_t *number)
{
	struct prf_call_function found = {0};
	int rc = end->binary ? find(functions, end, &found, number)
			     : find_pruned(functions, number);

	if (rc)
		return rc;
	/* Of several pieces of one name the first that has ticks. */
	struct prf_call_function *function = &functions->all[*number];
	bool is_first_with_ticks = self->ticks && !function->self.ticks;
	if (is_first_with_ticks ||
	    (found.lo < function->lo && (self->ticks || !function->self.ticks)))
		function->lo = found.lo;
	prf_count_merge(&function->self, self);
	return 0;
}

/* --- What is inlined */

/* *NUMBER: the function of BINARY that is inlined under LINE's name. */
static int
find_inlined(struct prf_call_functions *functions,
	     const struct prf_binary *binary, const struct prf_line *line,
	     size_t *number)
{
	const struct prf_call_function found = {
		.name = line->function ? line->function : "[unknown]",
		.binary = binary,
		.inlined = true,
	};
	size_t name, at, n = functions->inlined.n;
	int rc = prf_named_counts_intern(&functions->inlined_names, found.name,
					 &name);

	if (!rc)
		rc = prf_pairs_intern(&functions->inlined, binary->number, name,
				      &at);
	if (rc)
		return rc;
	if (at == n) {
		size_t *all = prf_large_reserve(functions->inlined_functions,
						at, &functions->inlined_room,
						sizeof *all);

		if (!all)
			return -ENOMEM;
		functions->inlined_functions = all;
		if (append(functions, &found, &all[at]))
			return -ENOMEM;
	}
	*number = functions->inlined_functions[at];
	return 0;
}

static int
append_to_place(struct prf_call_functions *functions,
		struct prf_call_place *place, size_t function)
{
	size_t *all = prf_large_reserve(
		functions->place_functions, functions->n_place_functions,
		&functions->place_functions_room, sizeof *all);

	if (!all)
		return -ENOMEM;
	functions->place_functions = all;
	all[functions->n_place_functions++] = function;
	place->n++;
	return 0;
}

/* *PLACE: the functions at END, of which none is counted yet. */
static int
find_place(struct prf_call_functions *functions, const struct prf_arc_end *end,
	   struct prf_call_place *place)
{
	static const struct prf_count nothing;
	const struct prf_line *at;
	size_t n = end->binary
			   ? prf_binary_lines_at(functions->inlines,
						 end->binary, end->vaddr,
						 functions->in_counters, &at)
			   : 0;
	size_t function;
	int rc = prf_call_functions_count(functions, end, &nothing, &function);

	*place = (struct prf_call_place){functions->n_place_functions, 0};
	if (!rc)
		rc = append_to_place(functions, place, function);
	/* The last is not inlined, and has its name from its symbol. */
	for (size_t i = n ? n - 1 : 0; !rc && i > 0; i--) {
		rc = find_inlined(functions, end->binary, &at[i - 1],
				  &function);
		if (!rc)
			rc = append_to_place(functions, place, function);
	}
	return rc;
}

/* *NUMBER: that of the place of END. */
static int
place_of(struct prf_call_functions *functions, const struct prf_arc_end *end,
	 size_t *number)
{
	size_t n = functions->places.n;
	size_t binary = end->binary ? end->binary->number
				    : functions->profile->n_binaries;
	int rc = prf_pairs_intern(&functions->places, binary, end->vaddr,
				  number);

	if (rc || *number < n)
		return rc;
	struct prf_call_place *all = prf_large_reserve(
		functions->all_places, n, &functions->places_room, sizeof *all);
	if (!all)
		return -ENOMEM;
	functions->all_places = all;
	return find_place(functions, end, &all[n]);
}

int
prf_call_functions_count_all(struct prf_call_functions *functions,
			     const struct prf_arc_end *end,
			     const struct prf_count *self,
			     const size_t **numbers, size_t *n)
{
	static const struct prf_count nothing;
	size_t place, outermost;
	int rc = functions->inlines ? place_of(functions, end, &place) : 0;

	if (rc)
		return rc;
	*n = functions->inlines ? functions->all_places[place].n : 1;
	rc = prf_call_functions_count(functions, end, *n > 1 ? &nothing : self,
				      &outermost);
	if (rc)
		return rc;
	functions->outermost = outermost;
	*numbers = *n == 1 ? &functions->outermost
			   : functions->place_functions +
				     functions->all_places[place].first;
	if (*n > 1)
		prf_count_merge(&functions->all[(*numbers)[*n - 1]].self, self);
	return 0;
}

size_t
prf_call_functions_depth(const struct prf_call_functions *functions,
			 const struct prf_arc_end *end)
{
	size_t place;

	return functions->inlines && end->binary &&
			       prf_pairs_find(&functions->places,
					      end->binary->number, end->vaddr,
					      &place)
		       ? functions->all_places[place].n
		       : 1;
}
