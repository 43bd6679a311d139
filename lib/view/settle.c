/* Objects, settled: from counters to functions and points. */
#include "view/object.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
	object->points = calloc(n_points + 1, sizeof *object->points);
	return object->functions && object->points ? 0 : no_memory(err);
}

static struct prf_function *
add_function(struct prf_object *object, const char *name, uint64_t lo,
	     uint64_t hi, const struct prf_count *count)
{
	struct prf_function *function =
		&object->functions[object->n_functions++];

	*function = (struct prf_function){
		.name = name,
		.object = object,
		.lo = lo,
		.hi = hi,
		.count = *count,
	};
	return function;
}

static void
add_point(struct prf_object *object, uint64_t vaddr, uint64_t ticks)
{
	object->points[object->n_points++] = (struct prf_point){vaddr, ticks};
}

/* --- With a histogram: a function is a text */

/* Text without a symbol is called by its place: "[libc.so.6+0x2a1b0]". */
static const char *
text_name(struct prf_object *object, const struct prf_text *text)
{
	char *name;

	if (text->kind != PRF_TEXT_GAP && text->kind != PRF_TEXT_UNNAMED)
		return text->name;
	if (asprintf(&name, "[%s+0x%" PRIx64 "]", object->name, text->lo) < 0)
		return NULL;
	return keep_name(object, name);
}

static size_t
count_points(const struct prf_object *object, size_t n_texts)
{
	size_t n_points = 0, n_bins;

	for (size_t i = 0; i < n_texts; i++) {
		if (!object->text_counts[i].ticks)
			continue;
		const uint32_t *bins = prf_hist_bins(object->hist, i, &n_bins);
		for (size_t b = 0; b < n_bins; b++)
			n_points += bins[b] > 0;
	}
	return n_points;
}

static void
add_bins(struct prf_object *object, size_t text, uint64_t lo)
{
	size_t n_bins;
	const uint32_t *bins = prf_hist_bins(object->hist, text, &n_bins);

	for (size_t b = 0; b < n_bins; b++)
		if (bins[b])
			add_point(object, lo + b * PRF_HIST_BIN_BYTES, bins[b]);
}

static int
settle_hist(struct prf_object *object, struct prf_error *err)
{
	size_t n;
	const struct prf_text *texts = prf_image_texts(object->image, &n);
	int rc = make_room(object, n, count_points(object, n), err);

	for (size_t i = 0; !rc && i < n; i++) {
		const char *name = text_name(object, &texts[i]);

		if (!name)
			return no_memory(err);
		add_function(object, name, texts[i].lo, texts[i].hi,
			     &object->text_counts[i]);
		if (object->text_counts[i].ticks)
			add_bins(object, i, texts[i].lo);
	}
	return rc;
}

/* --- Without: what was tallied */

/* All of it is one function.  A file's offsets are kept; elsewhere addresses
 * mean nothing after the run. */
static int
settle_as_one(struct prf_object *object, const struct prf_tally_entry *entries,
	      size_t n, struct prf_error *err)
{
	bool keep = object->kind == PRF_OBJECT_FILE && n > 0;
	uint64_t lo = keep ? entries[0].key & ~1ULL : 0;
	uint64_t hi = keep ? (entries[n - 1].key & ~1ULL) + 2 : MADE_UP_BYTES;
	const char *name = object->name;
	char *bracketed;
	int rc = make_room(object, 1, keep ? n : 1, err);

	if (rc)
		return rc;
	if (name[0] != '[') {
		if (asprintf(&bracketed, "[%s]", name) < 0)
			return no_memory(err);
		name = keep_name(object, bracketed);
		if (!name)
			return no_memory(err);
	}
	add_function(object, name, lo, hi, &object->total);
	if (!keep && object->total.ticks)
		add_point(object, 0, object->total.ticks);
	for (size_t i = 0; keep && i < n; i++)
		add_point(object, entries[i].key & ~1ULL,
			  entries[i].count.ticks);
	return 0;
}

static const char *
syscall_name(struct prf_object *object, uint64_t number)
{
	const char *known = number < (uint64_t)prf_syscall_limit()
				    ? prf_syscall_name((int)number)
				    : NULL;
	char *made;

	if (known)
		return known;
	if (asprintf(&made, "syscall_%" PRIu64, number) < 0)
		return NULL;
	return keep_name(object, made);
}

/* Each system call is a function of its own, at its number. */
static int
settle_kernel(struct prf_object *object, const struct prf_tally_entry *entries,
	      size_t n, struct prf_error *err)
{
	int rc = make_room(object, n, n, err);

	for (size_t i = 0; !rc && i < n; i++) {
		uint64_t lo = entries[i].key * MADE_UP_BYTES;
		const char *name = syscall_name(object, entries[i].key);

		if (!name)
			return no_memory(err);
		add_function(object, name, lo, lo + MADE_UP_BYTES,
			     &entries[i].count);
		add_point(object, lo, entries[i].count.ticks);
	}
	return rc;
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
	qsort(seen, n, sizeof *seen, by_name);

	int rc = make_room(object, n, n, err);
	struct prf_function *last = NULL;
	for (size_t i = 0; !rc && i < n; i++) {
		if (last && !strcmp(last->name, seen[i].name)) {
			prf_count_merge(&last->count, &seen[i].count);
			continue;
		}
		const char *name = keep_name(object, strdup(seen[i].name));
		uint64_t lo = object->n_functions * MADE_UP_BYTES;

		if (!name)
			return no_memory(err);
		last = add_function(object, name, lo, lo + MADE_UP_BYTES,
				    &seen[i].count);
	}
	for (size_t i = 0; !rc && i < object->n_functions; i++)
		add_point(object, object->functions[i].lo,
			  object->functions[i].count.ticks);
	return rc;
}

int
prf_object_settle(struct prf_object *object, const char *perfmap_text,
		  size_t perfmap_bytes, struct prf_error *err)
{
	if (object->hist)
		return settle_hist(object, err);

	size_t n;
	PRF_AUTO(prf_auto_free)
	struct prf_tally_entry *entries = prf_tally_sorted(&object->tally, &n);
	if (n && !entries)
		return no_memory(err);
	if (object->kind == PRF_OBJECT_KERNEL)
		return settle_kernel(object, entries, n, err);
	if (object->kind != PRF_OBJECT_JIT || !perfmap_text)
		return settle_as_one(object, entries, n, err);

	PRF_AUTO(prf_perfmap_auto) struct prf_perfmap *map = NULL;
	int rc = prf_perfmap_parse(perfmap_text, perfmap_bytes, &map, err);
	return rc ? rc : settle_jit(object, entries, n, map, err);
}
