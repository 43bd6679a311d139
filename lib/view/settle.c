/* Objects, settled: from counters to functions, pieces and points. */
#include "view/object.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/gmon.h"
#include "core/scope.h"
#include "image/perfmap.h"
#include "image/syscalls.h"

PRF_DEFINE_AUTO(prf_perfmap, prf_perfmap_free);

/* Made-up functions are this far apart. */
enum { MADE_UP_BYTES = 16 };

static int
no_memory(struct prf_error *err)
{
	return prf_error_set(err, -ENOMEM, "out of memory");
}

/* NAME becomes the object's; NULL (and freed) if memory is short. */
static const char *
keep_name(struct prf_object *object, char *name)
{
	char **grown =
		name ? reallocarray(object->made_names,
				    object->n_made_names + 1, sizeof *grown)
		     : NULL;

	if (!grown) {
		free(name);
		return NULL;
	}
	object->made_names = grown;
	object->made_names[object->n_made_names++] = name;
	return name;
}

static int
make_room(struct prf_object *object, size_t n_functions, size_t n_points,
	  struct prf_error *err)
{
	object->functions = calloc(n_functions + 1, sizeof *object->functions);
	object->made_pieces =
		calloc(n_functions + 1, sizeof *object->made_pieces);
	object->pieces = object->made_pieces;
	object->points = calloc(n_points + 1, sizeof *object->points);
	return object->functions && object->made_pieces && object->points
		       ? 0
		       : no_memory(err);
}

/* Returns its index. */
static size_t
add_function(struct prf_object *object, const char *name, uint64_t lo)
{
	object->functions[object->n_functions] = (struct prf_function){
		.name = name,
		.object = object,
		.lo = lo,
	};
	return object->n_functions++;
}

static void
add_piece(struct prf_object *object, size_t function, uint64_t lo, uint64_t hi,
	  const struct prf_count *count)
{
	object->made_pieces[object->n_pieces++] =
		(struct prf_piece){lo, hi, function};
	prf_count_merge(&object->functions[function].count, count);
}

static void
add_point(struct prf_object *object, uint64_t vaddr, uint64_t ticks)
{
	struct prf_point *last = &object->points[object->n_points];

	if (object->n_points > 0 && last[-1].vaddr == vaddr)
		last[-1].ticks += ticks;
	else
		object->points[object->n_points++] =
			(struct prf_point){vaddr, ticks};
}

/* --- With a histogram: a piece is a text */

/* The ticks of a text, each a look of its own so far. */
static void
settle_text(struct prf_object *object, size_t text)
{
	size_t function = object->pieces[text].function, n_bins;
	const uint32_t *bins = prf_hist_bins(object->hist, text, &n_bins);
	uint64_t ticks = 0;

	for (size_t b = 0; b < n_bins; b++)
		ticks += bins[b];
	object->functions[function].count.ticks += ticks;
	object->functions[function].count.squares += (double)ticks;
}

/* TEXTS have ticks that came as several with one look. */
static void
settle_looks(struct prf_object *object, const struct prf_tally_entry *texts,
	     size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct prf_count *count = &texts[i].count;
		size_t function = object->pieces[texts[i].key].function;

		object->functions[function].count.squares +=
			count->squares - (double)count->ticks;
	}
}

static int
settle_hist(struct prf_object *object, const struct prf_tally_entry *texts,
	    size_t n, struct prf_error *err)
{
	const struct prf_file *file = object->file;

	object->lo = file->lo;
	object->hi = file->hi;
	object->pieces = file->pieces;
	object->n_pieces = file->n_pieces;
	object->functions =
		calloc(file->n_functions, sizeof *object->functions);
	if (!object->functions)
		return no_memory(err);
	for (size_t i = 0; i < file->n_functions; i++)
		add_function(object, file->functions[i].name,
			     file->functions[i].lo);
	for (size_t text = prf_hist_next(object->hist, 0);
	     text != PRF_HIST_OUTSIDE;
	     text = prf_hist_next(object->hist, text + 1))
		settle_text(object, text);
	settle_looks(object, texts, n);
	return 0;
}

/* --- Without: what was tallied */

/* A made-up function has no addresses of its own to tell apart.  What one
 * counter of gmon.out cannot hold goes on in the next. */
enum { MADE_UP_POINTS = MADE_UP_BYTES / PRF_HIST_BIN_BYTES };

static void
add_made_up(struct prf_object *object, const char *name, uint64_t lo,
	    const struct prf_count *count)
{
	uint64_t left = count->ticks, at = lo;
	size_t function = add_function(object, name, lo);

	add_piece(object, function, lo, lo + MADE_UP_BYTES, count);
	for (int i = 1; i < MADE_UP_POINTS && left > PRF_GMON_MAX_TICKS; i++) {
		add_point(object, at, PRF_GMON_MAX_TICKS);
		at += PRF_HIST_BIN_BYTES;
		left -= PRF_GMON_MAX_TICKS;
	}
	if (left > 0)
		add_point(object, at, left);
	object->hi = lo + MADE_UP_BYTES;
}

/* Where nothing more is known than the object. */
static int
settle_as_one(struct prf_object *object, struct prf_error *err)
{
	int rc = make_room(object, 1, MADE_UP_POINTS, err);

	if (rc)
		return rc;
	object->lo = 0;
	add_made_up(object, object->name, 0, &object->total);
	return 0;
}

/* A file's offsets are kept: who has the file can look there. */
static int
settle_file(struct prf_object *object, const struct prf_tally_entry *entries,
	    size_t n, struct prf_error *err)
{
	char *made;

	if (object->lo == object->hi)
		object->hi = object->lo + PRF_HIST_BIN_BYTES;
	if (asprintf(&made, "[%s]", object->name) < 0)
		return no_memory(err);
	const char *name = keep_name(object, made);
	if (!name)
		return no_memory(err);
	int rc = make_room(object, 1, n, err);
	if (rc)
		return rc;
	size_t function = add_function(object, name, object->lo);
	add_piece(object, function, object->lo, object->hi, &object->total);
	for (size_t i = 0; i < n; i++)
		add_point(object, entries[i].key & ~1ULL,
			  entries[i].count.ticks);
	return 0;
}

/* As a number of the kernel's object: a place of its own, where a thread had no
 * processor. */
#define NO_PROCESSOR ((uint64_t)(uint32_t)PRF_NO_PROCESSOR)

static const char *
syscall_name(struct prf_object *object, uint64_t number, uint64_t limit)
{
	const char *known =
		number < limit ? prf_syscall_name((int)number) : NULL;
	char *made;

	if (known)
		return known;
	if (number == NO_PROCESSOR)
		return "waiting_for_a_processor";
	/* As a signed number: a program can ask for any. */
	if (asprintf(&made, "syscall_%" PRId32, (int32_t)number) < 0)
		return NULL;
	return keep_name(object, made);
}

static int
add_call(struct prf_object *object, const struct prf_tally_entry *entry,
	 uint64_t limit, uint64_t place)
{
	const char *name = syscall_name(object, entry->key, limit);

	if (!name)
		return -ENOMEM;
	add_made_up(object, name, place * MADE_UP_BYTES, &entry->count);
	return 0;
}

/* Each system call is a function of its own, at its number; behind them comes
 * the wait for a processor, and then those with numbers that no system call has,
 * one after the other. */
static int
settle_kernel(struct prf_object *object, const struct prf_tally_entry *entries,
	      size_t n, struct prf_error *err)
{
	const uint64_t limit = (uint64_t)prf_syscall_limit();
	uint64_t next = limit + 1;
	size_t i = 0;
	int rc = make_room(object, n, n * MADE_UP_POINTS, err);

	for (; !rc && i < n && entries[i].key < limit; i++)
		rc = add_call(object, &entries[i], limit, entries[i].key);
	for (size_t j = i; !rc && j < n; j++)
		if (entries[j].key == NO_PROCESSOR)
			rc = add_call(object, &entries[j], limit, limit);
	for (size_t j = i; !rc && j < n; j++)
		if (entries[j].key != NO_PROCESSOR)
			rc = add_call(object, &entries[j], limit, next++);
	object->lo = 0;
	object->hi = next * MADE_UP_BYTES;
	return rc ? no_memory(err) : 0;
}

/* A piece of JIT code that was seen, by its name. */
struct jit_seen {
	const char *name;
	struct prf_count count;
};

static int
by_name(const void *a, const void *b)
{
	const struct jit_seen *left = a, *right = b;

	return strcmp(left->name, right->name);
}

/* Those of one name become one; returns how many are left. */
static size_t
merge_names(struct jit_seen *seen, size_t n)
{
	size_t kept = 0;

	qsort(seen, n, sizeof *seen, by_name);
	for (size_t i = 0; i < n; i++)
		if (kept > 0 && !strcmp(seen[kept - 1].name, seen[i].name))
			prf_count_merge(&seen[kept - 1].count, &seen[i].count);
		else
			seen[kept++] = seen[i];
	return kept;
}

/* JIT code lies elsewhere in every run, and a function can be compiled more
 * than once: it is laid out anew, one place for each name, in their order. */
static int
settle_jit(struct prf_object *object, const struct prf_tally_entry *entries,
	   size_t n, const struct prf_perfmap *map, struct prf_error *err)
{
	PRF_AUTO(prf_auto_free)
	struct jit_seen *seen = calloc(n + 1, sizeof *seen);
	if (!seen)
		return no_memory(err);
	for (size_t i = 0; i < n; i++) {
		const struct prf_perfmap_entry *entry =
			prf_perfmap_at(map, entries[i].key);

		seen[i].name = entry ? entry->name : object->name;
		seen[i].count = entries[i].count;
	}
	n = merge_names(seen, n);
	int rc = make_room(object, n, n * MADE_UP_POINTS, err);
	for (size_t i = 0; !rc && i < n; i++) {
		const char *name = keep_name(object, strdup(seen[i].name));

		if (!name)
			return no_memory(err);
		add_made_up(object, name, i * MADE_UP_BYTES, &seen[i].count);
	}
	return rc;
}

int
prf_object_settle(struct prf_object *object, const char *perfmap_text,
		  size_t perfmap_bytes, struct prf_error *err)
{
	size_t n;
	PRF_AUTO(prf_auto_free)
	struct prf_tally_entry *entries = prf_tally_sorted(&object->tally, &n);
	if (n && !entries)
		return no_memory(err);
	if (object->hist)
		return settle_hist(object, entries, n, err);
	if (object->kind == PRF_OBJECT_KERNEL)
		return settle_kernel(object, entries, n, err);
	if (object->kind == PRF_OBJECT_FILE)
		return settle_file(object, entries, n, err);
	if (object->kind != PRF_OBJECT_JIT || !perfmap_text || !n)
		return settle_as_one(object, err);

	PRF_AUTO(prf_perfmap_auto) struct prf_perfmap *map = NULL;
	int rc = prf_perfmap_parse(perfmap_text, perfmap_bytes, &map, err);
	return rc ? rc : settle_jit(object, entries, n, map, err);
}
