#include "image/kallsyms.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/scope.h"

/* No function is larger: behind the last one, and behind a module, there is
 * nothing that has a name. */
#define MOST_BYTES (UINT64_C(1) << 20)

struct symbol {
	uint64_t addr;
	size_t name; /* where it begins, among all names */
};

struct prf_kallsyms {
	struct symbol *all; /* by addr, each once */
	size_t n, room;
	char *names;
	size_t n_bytes, room_bytes;
	bool any_hidden;
};

void
prf_kallsyms_free(struct prf_kallsyms *symbols)
{
	if (!symbols)
		return;
	free(symbols->all);
	free(symbols->names);
	free(symbols);
}

static void
kallsyms_auto(struct prf_kallsyms **symbols)
{
	prf_kallsyms_free(*symbols);
}

/* ARRAY of SIZE-byte items, *ROOM of them, with room for N. */
static void *
with_room(void *array, size_t *room, size_t n, size_t size)
{
	if (n <= *room)
		return array;
	size_t more = n > 2 * *room ? n + 1024 : 2 * *room;
	void *grown = reallocarray(array, more, size);

	if (grown)
		*room = more;
	return grown;
}

static int
add(struct prf_kallsyms *symbols, uint64_t addr, const char *name,
    size_t n_bytes)
{
	struct symbol *all = with_room(symbols->all, &symbols->room,
				       symbols->n + 1, sizeof *all);
	if (!all)
		return -ENOMEM;
	symbols->all = all;
	char *names = with_room(symbols->names, &symbols->room_bytes,
				symbols->n_bytes + n_bytes + 1, 1);
	if (!names)
		return -ENOMEM;
	symbols->names = names;
	all[symbols->n++] = (struct symbol){addr, symbols->n_bytes};
	memcpy(names + symbols->n_bytes, name, n_bytes);
	names[symbols->n_bytes + n_bytes] = '\0';
	symbols->n_bytes += n_bytes + 1;
	return 0;
}

/* Functions have the types t and w. */
static int
take_line(struct prf_kallsyms *symbols, const char *line)
{
	char *end;
	uint64_t addr = strtoull(line, &end, 16);

	if (end == line || end[0] != ' ' || !end[1] ||
	    !strchr("tTwW", end[1]) || end[2] != ' ')
		return 0;
	const char *name = end + 3;
	size_t n_bytes = strcspn(name, " \t\n");

	symbols->any_hidden |= !addr;
	return addr && n_bytes ? add(symbols, addr, name, n_bytes) : 0;
}

static size_t
n_underscores(const char *name)
{
	return strspn(name, "_");
}

/* Of names for one address the plainest comes first: that of a function before
 * those of sections and of machine-dependent entries. */
static int
by_addr(const void *a, const void *b, void *arg)
{
	const struct symbol *left = a, *right = b;
	const char *names = arg;

	if (left->addr != right->addr)
		return left->addr < right->addr ? -1 : 1;
	size_t n_left = n_underscores(names + left->name);
	size_t n_right = n_underscores(names + right->name);

	return n_left != n_right ? (n_left > n_right) - (n_left < n_right)
				 : (left->name > right->name) -
					   (left->name < right->name);
}

static void
sort(struct prf_kallsyms *symbols)
{
	size_t n = 0;

	qsort_r(symbols->all, symbols->n, sizeof *symbols->all, by_addr,
		symbols->names);
	for (size_t i = 0; i < symbols->n; i++)
		if (!n || symbols->all[n - 1].addr != symbols->all[i].addr)
			symbols->all[n++] = symbols->all[i];
	symbols->n = n;
}

int
prf_kallsyms_read(FILE *file, struct prf_kallsyms **out, struct prf_error *err)
{
	PRF_AUTO(kallsyms_auto)
	struct prf_kallsyms *symbols = calloc(1, sizeof *symbols);
	PRF_AUTO(prf_auto_free) char *line = NULL;
	size_t n_bytes;
	int rc = symbols ? 0 : -ENOMEM;

	while (!rc && getline(&line, &n_bytes, file) > 0)
		rc = take_line(symbols, line);
	if (rc)
		return prf_error_set(err, rc, "out of memory");
	if (!symbols->n)
		return symbols->any_hidden
			       ? prf_error_set(err, -EACCES,
					       "the kernel hides its addresses")
			       : prf_error_set(err, -ENOENT,
					       "it names no function");
	sort(symbols);
	*out = PRF_TAKE(symbols);
	return 0;
}

const char *
prf_kallsyms_at(const struct prf_kallsyms *symbols, uint64_t addr)
{
	size_t low = 0, high = symbols->n;

	/* The last one at ADDR or before. */
	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (symbols->all[mid].addr <= addr)
			low = mid + 1;
		else
			high = mid;
	}
	if (!low || addr - symbols->all[low - 1].addr >= MOST_BYTES)
		return NULL;
	return symbols->names + symbols->all[low - 1].name;
}
