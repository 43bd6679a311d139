#include "view/merge_list.h"

#include <errno.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "core/scope.h"
#include "view/merge_objects.h"

/* How many lists are kept: as many as there are kinds of ranks, mostly. */
enum { MAX_LISTS = 8 };

static int
no_memory(struct prf_error *err)
{
	return prf_error_set(err, -ENOMEM, "out of memory");
}

static void
clear(struct prf_merge_list *list)
{
	free(list->text);
	prf_syms_free(list->syms);
	free(list->objects);
	free(list->functions);
	free(list->ticks);
	*list = (struct prf_merge_list){0};
}

void
prf_merge_lists_free(struct prf_merge *merge)
{
	for (size_t i = 0; i < merge->n_lists; i++)
		clear(&merge->lists[i]);
	free(merge->lists);
}

/* --- Functions */

static int
by_object_and_name(const void *a, const void *b)
{
	const struct prf_merged_function *left = a, *right = b;

	if (left->object != right->object)
		return left->object < right->object ? -1 : 1;
	return strcmp(left->name, right->name);
}

static struct prf_merged_function *
new_function(struct prf_merge *merge, const struct prf_merged_function *key)
{
	PRF_AUTO(prf_auto_free)
	struct prf_merged_function *function = malloc(sizeof *function);
	struct prf_merged_function **grown = merge->functions;

	/* Room for as many again whenever their number is a power of 2. */
	if ((merge->n_functions & (merge->n_functions - 1)) == 0)
		grown = reallocarray(grown, merge->n_functions * 2 + 1,
				     sizeof(*grown));
	if (!function || !grown)
		return NULL;
	merge->functions = grown;
	*function = *key;
	function->id = merge->n_functions;
	function->name = strdup(key->name);
	if (!function->name)
		return NULL;
	if (!tsearch(function, &merge->function_tree, by_object_and_name)) {
		free(function->name);
		return NULL;
	}
	merge->functions[merge->n_functions++] = function;
	return PRF_TAKE(function);
}

/* -EBADMSG: a system call that is elsewhere in another list. */
static int
take_function(struct prf_merge *merge, struct prf_merge_list *list, size_t i,
	      struct prf_error *err)
{
	const struct prf_syms_symbol *symbol = &list->syms->symbols[i];
	struct prf_merged_function key = {
		.object = list->objects[symbol->object],
		.name = (char *)symbol->name,
		.place = symbol->addr -
			 list->syms->objects[symbol->object].shift,
	};
	void *node = tfind(&key, &merge->function_tree, by_object_and_name);
	struct prf_merged_function *function =
		node ? *(struct prf_merged_function **)node
		     : new_function(merge, &key);

	if (!function)
		return no_memory(err);
	if (function->place != key.place &&
	    prf_merge_objects_has_fixed_place(key.object->path, key.name))
		return prf_error_set(err, -EBADMSG,
				     "%s has two places in lists of symbols",
				     key.name);
	if (key.place < function->place)
		function->place = key.place;
	list->functions[i] = function;
	return 0;
}

/* --- Symbols */

/* The N symbols from FIRST on, and those that OBJECT has already.  Where they
 * disagree about a name, the lesser one stays: the order of files does not
 * matter. */
static int
take_symbols(struct prf_merged_object *object,
	     const struct prf_merge_list *list, size_t first, size_t n,
	     uint64_t shift, struct prf_error *err)
{
	const struct prf_merged_symbol *old = object->symbols;
	const struct prf_syms_symbol *new = list->syms->symbols + first;
	size_t n_old = object->n_symbols, n_all = 0, i = 0, k = 0;
	struct prf_merged_symbol *all = calloc(n_old + n + 1, sizeof *all);

	if (!all)
		return no_memory(err);
	while (i < n_old || k < n) {
		struct prf_merged_symbol fresh = {0};

		if (k < n)
			fresh = (struct prf_merged_symbol){
				new[k].addr - shift,
				list->functions[first + k]};
		if (k == n || (i < n_old && old[i].vaddr < fresh.vaddr)) {
			all[n_all++] = old[i++];
			continue;
		}
		k++;
		if (i < n_old && old[i].vaddr == fresh.vaddr &&
		    strcmp(old[i++].function->name, fresh.function->name) < 0)
			fresh = old[i - 1];
		all[n_all++] = fresh;
	}
	free(object->symbols);
	object->symbols = all;
	object->n_symbols = n_all;
	return 0;
}

/* Symbols stand object by object. */
static int
take_all_symbols(struct prf_merge_list *list, struct prf_error *err)
{
	const struct prf_syms *syms = list->syms;
	int rc = 0;

	for (size_t first = 0, n; !rc && first < syms->n_symbols; first += n) {
		size_t at = syms->symbols[first].object;
		struct prf_merged_object *object = list->objects[at];

		for (n = 1; first + n < syms->n_symbols; n++)
			if (syms->symbols[first + n].object != at)
				break;
		if (!object->by_name)
			rc = take_symbols(object, list, first, n,
					  syms->objects[at].shift, err);
	}
	return rc;
}

/* --- A list */

static int
read_list(struct prf_merge *merge, struct prf_merge_list *list,
	  const char *text, size_t n_bytes, struct prf_error *err)
{
	int rc = prf_syms_parse(text, n_bytes, &list->syms, err);

	if (rc)
		return rc;
	const struct prf_syms *syms = list->syms;
	list->text = malloc(n_bytes + 1);
	list->n_bytes = n_bytes;
	list->objects = calloc(syms->n_objects + 1, sizeof(*list->objects));
	list->functions = calloc(syms->n_symbols + 1, sizeof(*list->functions));
	list->ticks = calloc(syms->n_symbols + 1, sizeof *list->ticks);
	if (!list->text || !list->objects || !list->functions || !list->ticks)
		return no_memory(err);
	memcpy(list->text, text, n_bytes);
	rc = prf_merge_objects_take(merge, list, err);
	for (size_t i = 0; !rc && i < syms->n_symbols; i++)
		rc = take_function(merge, list, i, err);
	return rc ? rc : take_all_symbols(list, err);
}

int
prf_merge_list_find(struct prf_merge *merge, const char *text, size_t n_bytes,
		    const struct prf_merge_list **out, struct prf_error *err)
{
	if (!merge->lists)
		merge->lists = calloc(MAX_LISTS, sizeof *merge->lists);
	if (!merge->lists)
		return no_memory(err);
	for (size_t i = 0; i < merge->n_lists; i++) {
		const struct prf_merge_list *list = &merge->lists[i];

		if (list->n_bytes == n_bytes && list->text &&
		    memcmp(list->text, text, n_bytes) == 0) {
			*out = list;
			return 0;
		}
	}
	struct prf_merge_list *list = &merge->lists[merge->next_list];
	clear(list);
	merge->next_list = (merge->next_list + 1) % MAX_LISTS;
	if (merge->n_lists < MAX_LISTS)
		merge->n_lists++;
	*out = list;
	return read_list(merge, list, text, n_bytes, err);
}
