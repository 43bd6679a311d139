#include "image/perfmap.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/scope.h"

/* A part of the address space in which one entry is the latest. */
struct piece {
	uint64_t lo, hi;
	size_t entry;
};

struct prf_perfmap {
	char *text;                        /* the names point into it */
	struct prf_perfmap_entry *entries; /* in the order of the lines */
	size_t n, capacity;
	struct piece *pieces; /* ascending */
	size_t n_pieces;
	size_t n_text_bytes, n_holders;
};

PRF_DEFINE_AUTO(prf_perfmap, prf_perfmap_drop);

/* Entries that have begun where the sweep is, the latest line on top. */
struct heap {
	size_t *entries;
	size_t n;
};

static int
digit_value(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 0x20; /* lower case */
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* A hexadecimal number, with or without 0x, and the blank behind it. */
static bool
read_number(const char **at, uint64_t *number)
{
	const char *c = *at;
	const char *first;
	int digit;

	if (c[0] == '0' && (c[1] == 'x' || c[1] == 'X'))
		c += 2;
	*number = 0;
	for (first = c; (digit = digit_value(*c)) >= 0; c++) {
		if (*number >> 60)
			return false;
		*number = *number << 4 | (unsigned)digit;
	}
	if (c == first || *c != ' ')
		return false;
	*at = c + 1;
	return true;
}

static bool
parse_line(const char *line, struct prf_perfmap_entry *entry)
{
	const char *at = line;

	if (!read_number(&at, &entry->addr) ||
	    !read_number(&at, &entry->size) || entry->size == 0 ||
	    entry->size > UINT64_MAX - entry->addr || *at == '\0')
		return false;
	entry->name = at;
	return true;
}

static int
add_entry(struct prf_perfmap *map, const struct prf_perfmap_entry *entry)
{
	if (map->n == PRF_PERFMAP_ENTRIES_MAX)
		return -EFBIG;
	if (map->n == map->capacity) {
		size_t capacity = map->capacity * 2 + 64;
		struct prf_perfmap_entry *entries =
			reallocarray(map->entries, capacity, sizeof *entries);
		if (!entries)
			return -ENOMEM;
		map->entries = entries;
		map->capacity = capacity;
	}
	map->entries[map->n++] = *entry;
	return 0;
}

static int
parse_lines(struct prf_perfmap *map, char *end)
{
	char *next;

	for (char *line = map->text; line < end; line = next + 1) {
		struct prf_perfmap_entry entry;

		next = memchr(line, '\n', (size_t)(end - line));
		if (!next) /* still being written */
			return 0;
		*next = '\0';
		if (next > line && next[-1] == '\r')
			next[-1] = '\0';
		int rc = parse_line(line, &entry) ? add_entry(map, &entry) : 0;
		if (rc)
			return rc;
	}
	return 0;
}

static void
heap_push(struct heap *heap, size_t entry)
{
	size_t at = heap->n++;

	for (; at > 0 && heap->entries[(at - 1) / 2] < entry; at = (at - 1) / 2)
		heap->entries[at] = heap->entries[(at - 1) / 2];
	heap->entries[at] = entry;
}

static void
heap_pop(struct heap *heap)
{
	size_t last = heap->entries[--heap->n];
	size_t at = 0, child;

	while ((child = 2 * at + 1) < heap->n) {
		if (child + 1 < heap->n &&
		    heap->entries[child + 1] > heap->entries[child])
			child++;
		if (heap->entries[child] <= last)
			break;
		heap->entries[at] = heap->entries[child];
		at = child;
	}
	heap->entries[at] = last;
}

static uint64_t
entry_end(const struct prf_perfmap *map, size_t entry)
{
	return map->entries[entry].addr + map->entries[entry].size;
}

/* Gives [at, upto) to the latest of the entries in HEAP, piece by piece. */
static void
sweep_to(struct prf_perfmap *map, struct heap *heap, uint64_t at, uint64_t upto)
{
	while (heap->n > 0 && at < upto) {
		size_t entry = heap->entries[0];
		uint64_t end = entry_end(map, entry);

		if (end <= at) {
			heap_pop(heap);
			continue;
		}
		if (end > upto)
			end = upto;
		struct piece *last =
			&map->pieces[map->n_pieces - (map->n_pieces > 0)];
		if (map->n_pieces > 0 && last->hi == at && last->entry == entry)
			last->hi = end;
		else
			map->pieces[map->n_pieces++] =
				(struct piece){at, end, entry};
		at = end;
	}
}

static int
by_start(const void *a, const void *b)
{
	const struct piece *x = a, *y = b;

	if (x->lo != y->lo)
		return x->lo < y->lo ? -1 : 1;
	return (x->entry > y->entry) - (x->entry < y->entry);
}

/* Cuts the entries into pieces in which each address has one, the latest. */
static int
make_pieces(struct prf_perfmap *map)
{
	PRF_AUTO(prf_auto_free)
	struct piece *starts = calloc(map->n, sizeof *starts);
	PRF_AUTO(prf_auto_free)
	size_t *entries = calloc(map->n, sizeof *entries);
	struct heap heap = {.entries = entries};

	/* Each start and each end begins one piece at most. */
	map->pieces = calloc(map->n, 2 * sizeof *map->pieces);
	if (!starts || !entries || !map->pieces)
		return -ENOMEM;
	for (size_t i = 0; i < map->n; i++)
		starts[i] =
			(struct piece){.lo = map->entries[i].addr, .entry = i};
	qsort(starts, map->n, sizeof *starts, by_start);
	for (size_t i = 0; i < map->n; i++) {
		if (i > 0)
			sweep_to(map, &heap, starts[i - 1].lo, starts[i].lo);
		heap_push(&heap, starts[i].entry);
	}
	sweep_to(map, &heap, starts[map->n - 1].lo, UINT64_MAX);
	return 0;
}

int
prf_perfmap_parse(char *text, size_t size, struct prf_perfmap **out,
		  struct prf_error *err)
{
	PRF_AUTO(prf_perfmap_auto)
	struct prf_perfmap *map = calloc(1, sizeof *map);

	if (!map) {
		free(text);
		return prf_error_set(err, -ENOMEM, "perf map: %m");
	}
	map->text = text;
	map->n_text_bytes = size;
	map->n_holders = 1;
	int rc = parse_lines(map, map->text + size);
	if (rc == -EFBIG)
		return prf_error_set(err, rc,
				     "perf map: has more than %d entries, and "
				     "is not used",
				     PRF_PERFMAP_ENTRIES_MAX);
	if (!rc && map->n > 0)
		rc = make_pieces(map);
	if (rc)
		return prf_error_set(err, rc, "perf map: %s", strerror(-rc));
	*out = PRF_TAKE(map);
	return 0;
}

struct prf_perfmap *
prf_perfmap_hold(struct prf_perfmap *map)
{
	if (map)
		map->n_holders++;
	return map;
}

void
prf_perfmap_drop(struct prf_perfmap *map)
{
	if (!map || --map->n_holders)
		return;
	free(map->text);
	free(map->entries);
	free(map->pieces);
	free(map);
}

const struct prf_perfmap_entry *
prf_perfmap_at(const struct prf_perfmap *map, uint64_t addr)
{
	size_t lo = 0, hi = map->n_pieces;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		const struct piece *piece = &map->pieces[mid];

		if (addr < piece->lo)
			hi = mid;
		else if (addr >= piece->hi)
			lo = mid + 1;
		else
			return &map->entries[piece->entry];
	}
	return NULL;
}

size_t
prf_perfmap_bytes(const struct prf_perfmap *map)
{
	return map->n_text_bytes + map->capacity * sizeof *map->entries +
	       map->n * 2 * sizeof *map->pieces;
}
