#include "view/gmon/gmon_list.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/scope.h"

PRF_DEFINE_AUTO(prf_binary, prf_binary_free);

/* More than any run has. */
enum { MAX_OBJECTS = 1 << 18 };

static const char kernel_prefix[] = "[kernel]:";

static int
no_memory(struct prf_error *err)
{
	return prf_error_set(err, -ENOMEM, "out of memory");
}

void
prf_gmon_list_clear(struct prf_gmon_list *list)
{
	free(list->text);
	prf_syms_free(list->syms);
	free(list->binaries);
	free(list->ticks);
	*list = (struct prf_gmon_list){0};
}

const char *
prf_gmon_list_name(const struct prf_gmon_list *list, size_t i)
{
	const struct prf_syms_symbol *symbol = &list->syms->symbols[i];
	size_t n = sizeof kernel_prefix - 1;

	return list->binaries[symbol->object]->kind == PRF_BINARY_KERNEL &&
			       strncmp(symbol->name, kernel_prefix, n) == 0
		       ? symbol->name + n
		       : symbol->name;
}

/* --- Binaries */

/* The parser has seen that they are hexadecimal digits, or "-". */
static void
read_build_id(struct prf_binary *binary, const char *digits)
{
	unsigned byte;

	while (binary->build_id_bytes < sizeof binary->build_id &&
	       sscanf(digits, "%2x", &byte) == 1) {
		binary->build_id[binary->build_id_bytes++] = (uint8_t)byte;
		digits += 2;
	}
}

/* The symbols of object number OBJECT, from *NEXT on. */
static int
take_symbols(const struct prf_syms *syms, size_t object, size_t *next,
	     struct prf_binary *binary)
{
	uint64_t shift = syms->objects[object].shift;
	int rc = 0;

	for (; !rc && *next < syms->n_symbols &&
	       syms->symbols[*next].object == object;
	     ++*next)
		rc = prf_symbol_list_append(&binary->symbols,
					    syms->symbols[*next].addr - shift,
					    syms->symbols[*next].name);
	return rc;
}

/* Does TEXT of a list begin with the N bytes of NAME?  What would end a word has
 * become '_' there. */
static bool
begins_with(const char *text, const char *name, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		bool is_blank =
			(unsigned char)name[i] <= ' ' || name[i] == 0x7f;

		if (text[i] != (is_blank ? '_' : name[i]))
			return false;
	}
	return true;
}

/* A file that could not be read is one function, called as the file is; its
 * addresses are offsets. */
static bool
is_one_name(const struct prf_binary *binary)
{
	const struct prf_symbol_list *symbols = &binary->symbols;
	const char *name = binary->name;
	size_t n = strlen(name);

	if (binary->build_id_bytes || symbols->n != 1)
		return false;
	const char *only = symbols->all[0].name;
	return binary->kind == PRF_BINARY_VDSO
		       ? strcmp(only, name) == 0
		       : only[0] == '[' && begins_with(only + 1, name, n) &&
				 strcmp(only + 1 + n, "]") == 0;
}

static struct prf_binary *
read_binary(const struct prf_syms *syms, size_t i, size_t *next)
{
	const struct prf_syms_object *object = &syms->objects[i];
	PRF_AUTO(prf_auto_free) char *path = prf_syms_decode_path(object);
	PRF_AUTO(prf_binary_auto)
	struct prf_binary *binary =
		path ? prf_binary_new(prf_binary_kind_of(path), path) : NULL;

	if (!binary)
		return NULL;
	if (binary->form == PRF_BINARY_BY_NAME) {
		while (*next < syms->n_symbols &&
		       syms->symbols[*next].object == i)
			++*next;
		return PRF_TAKE(binary);
	}
	binary->lo = object->lo - object->shift;
	binary->hi = object->hi - object->shift;
	binary->is_program = object->is_program;
	read_build_id(binary, object->build_id);
	if (take_symbols(syms, i, next, binary))
		return NULL;
	binary->is_offsets = is_one_name(binary);
	/* However much of it was mapped: it is one function in all runs. */
	if (binary->is_offsets)
		binary->symbols.all[0].vaddr = 0;
	return PRF_TAKE(binary);
}

static int
take_binaries(struct prf_gmon_list *list, struct prf_profile *profile)
{
	size_t next = 0; /* symbol */

	for (size_t i = 0; i < list->syms->n_objects; i++) {
		struct prf_binary *binary = read_binary(list->syms, i, &next);

		if (!binary)
			return -ENOMEM;
		list->binaries[i] = prf_profile_take(profile, binary);
		if (!list->binaries[i])
			return -ENOMEM;
	}
	return 0;
}

int
prf_gmon_list_read(struct prf_gmon_list *list, struct prf_profile *profile,
		   const char *text, size_t n_bytes, struct prf_error *err)
{
	struct prf_error why = {0};
	int rc = prf_syms_parse(text, n_bytes, &list->syms, &why);

	if (rc)
		return prf_error_set(err, rc, "its list of symbols: %s",
				     why.text);
	if (list->syms->n_objects > MAX_OBJECTS)
		return prf_error_set(
			err, -EFBIG,
			"its list of symbols: more than %d objects",
			MAX_OBJECTS);
	list->text = malloc(n_bytes + 1);
	list->n_bytes = n_bytes;
	list->binaries =
		calloc(list->syms->n_objects + 1, sizeof(*list->binaries));
	list->ticks = calloc(list->syms->n_symbols + 1, sizeof *list->ticks);
	if (!list->text || !list->binaries || !list->ticks)
		return no_memory(err);
	memcpy(list->text, text, n_bytes);
	return take_binaries(list, profile) ? no_memory(err) : 0;
}

/* --- Ends of arcs */

static int
find_name(const struct prf_gmon_list *list, uint64_t addr,
	  struct prf_arc_end *end)
{
	const struct prf_syms_symbol *symbol = prf_syms_at(list->syms, addr);
	size_t number;

	if (!symbol)
		return -ENOENT;
	int rc = prf_named_counts_intern(
		&end->binary->names,
		prf_gmon_list_name(list,
				   (size_t)(symbol - list->syms->symbols)),
		&number);
	end->vaddr = number;
	return rc;
}

/* The number of the object that ADDR is in; behind the last: it is in none. */
static size_t
object_at(const struct prf_syms *syms, uint64_t addr)
{
	size_t lo = 0, hi = syms->n_objects;

	while (lo < hi) {
		size_t middle = lo + (hi - lo) / 2;

		if (syms->objects[middle].hi <= addr)
			lo = middle + 1;
		else
			hi = middle;
	}
	return lo < syms->n_objects && syms->objects[lo].lo <= addr
		       ? lo
		       : syms->n_objects;
}

int
prf_gmon_list_end(const struct prf_gmon_list *list, uint64_t addr,
		  struct prf_arc_end *end, struct prf_error *err)
{
	size_t i = object_at(list->syms, addr);
	int rc = -ENOENT;

	if (i < list->syms->n_objects) {
		*end = (struct prf_arc_end){
			list->binaries[i], addr - list->syms->objects[i].shift};
		rc = end->binary->form == PRF_BINARY_BY_NAME
			     ? find_name(list, addr, end)
			     : 0;
	}
	return rc == -ENOENT ? prf_error_set(err, -EBADMSG,
					     "an arc at 0x%" PRIx64
					     ", where its list of symbols has "
					     "nothing",
					     addr)
	       : rc          ? no_memory(err)
			     : 0;
}
