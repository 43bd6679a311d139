#include "profile/functions.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/scope.h"

int
prf_functions_add(struct prf_functions *functions,
		  const struct prf_function *function)
{
	if (functions->n == functions->room) {
		size_t room = functions->room * 2 + 64;
		struct prf_function *grown =
			reallocarray(functions->all, room, sizeof *grown);

		if (!grown)
			return -ENOMEM;
		functions->all = grown;
		functions->room = room;
	}
	functions->all[functions->n++] = *function;
	return 0;
}

void
prf_functions_clear(struct prf_functions *functions)
{
	free(functions->all);
	*functions = (struct prf_functions){0};
}

/* --- A binary by text: a run of counters is a piece of a function */

struct texts {
	const struct prf_file *file;
	struct prf_count *counts; /* by the number of the file's function */
	size_t piece;             /* the run at hand is of it, or a later one */
};

static int
count_text(void *arg, const struct prf_tick_range *run)
{
	struct texts *texts = arg;
	const struct prf_piece *pieces = texts->file->pieces;
	uint64_t ticks = 0;

	while (pieces[texts->piece].lo != run->vaddr)
		texts->piece++;
	for (size_t i = 0; i < run->n; i++)
		ticks += run->narrow[i];
	struct prf_count *count = &texts->counts[pieces[texts->piece].function];
	count->ticks += ticks;
	count->squares += (double)ticks;
	return 0;
}

/* The ticks that came as several with one sample. */
static int
count_lumps(const struct prf_binary *binary, const struct texts *texts)
{
	size_t n;
	PRF_AUTO(prf_auto_free)
	struct prf_tally_entry *lumps = prf_tally_sorted(&binary->lumps, &n);

	if (n && !lumps)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++) {
		const struct prf_piece *piece =
			&texts->file->pieces[lumps[i].key];

		texts->counts[piece->function].squares +=
			lumps[i].count.squares - (double)lumps[i].count.ticks;
	}
	return 0;
}

static int
add_by_text(struct prf_functions *functions, const struct prf_binary *binary)
{
	const struct prf_file *file = binary->file;
	PRF_AUTO(prf_auto_free)
	struct prf_count *counts =
		calloc(file->n_functions + 1, sizeof *counts);
	struct texts texts = {file, counts, 0};
	int rc = counts ? prf_binary_walk(binary, count_text, &texts) : -ENOMEM;

	if (!rc)
		rc = count_lumps(binary, &texts);
	for (size_t i = 0; !rc && i < file->n_functions; i++) {
		const struct prf_function function = {
			.name = file->functions[i].name,
			.binary = binary,
			.lo = file->functions[i].lo,
			.count = counts[i],
		};

		if (counts[i].ticks)
			rc = prf_functions_add(functions, &function);
	}
	return rc;
}

/* --- A binary by address: a symbol is good up to the next */

struct symbols {
	const struct prf_symbol_list *list;
	struct prf_count *counts; /* by symbol; [n]: below the first */
};

static struct prf_count *
count_at(const struct symbols *symbols, uint64_t vaddr)
{
	size_t at = prf_symbol_list_at(symbols->list, vaddr);

	return &symbols->counts[at == (size_t)-1 ? symbols->list->n : at];
}

/* A counter belongs where it begins; a symbol that begins in the middle of one
 * has all of it, as in gprof. */
static int
count_run(void *arg, const struct prf_tick_range *run)
{
	const struct symbols *symbols = arg;

	for (size_t i = 0; i < run->n; i++) {
		uint64_t ticks = prf_tick_range_at(run, i);

		if (!ticks)
			continue;
		struct prf_count *count =
			count_at(symbols, run->vaddr + i * PRF_HIST_BIN_BYTES +
						  PRF_HIST_BIN_BYTES - 1);

		count->ticks += ticks;
		count->squares += (double)ticks;
	}
	return 0;
}

static int
count_listed_lumps(const struct prf_binary *binary,
		   const struct symbols *symbols)
{
	size_t n;
	PRF_AUTO(prf_auto_free)
	struct prf_tally_entry *lumps = prf_tally_sorted(&binary->lumps, &n);

	if (n && !lumps)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		count_at(symbols, lumps[i].key)->squares +=
			lumps[i].count.squares - (double)lumps[i].count.ticks;
	return 0;
}

static int
compare_numbers(uint64_t left, uint64_t right)
{
	return (left > right) - (left < right);
}

static int
by_binary_name_and_address(const void *a, const void *b)
{
	const struct prf_function *left = a, *right = b;
	int rc = compare_numbers(left->binary->number, right->binary->number);

	if (!rc)
		rc = strcmp(left->name, right->name);
	return rc ? rc : compare_numbers(left->lo, right->lo);
}

static int
by_address(const void *a, const void *b)
{
	const struct prf_function *left = a, *right = b;

	return compare_numbers(left->lo, right->lo);
}

/* Of N functions those of one name in one binary become one; returns how many are
 * left. */
static size_t
unite(struct prf_function *all, size_t n)
{
	size_t kept = 0;

	if (n < 2)
		return n;
	qsort(all, n, sizeof *all, by_binary_name_and_address);
	for (size_t i = 1; i < n; i++)
		if (all[kept].binary == all[i].binary &&
		    strcmp(all[kept].name, all[i].name) == 0)
			prf_count_merge(&all[kept].count, &all[i].count);
		else
			all[++kept] = all[i];
	return kept + 1;
}

void
prf_functions_unite(struct prf_functions *functions)
{
	functions->n = unite(functions->all, functions->n);
}

/* Of the functions from FIRST on, those of one name become one. */
static void
unite_names(struct prf_functions *functions, size_t first)
{
	if (functions->n == first)
		return;
	struct prf_function *all = functions->all + first;
	size_t n = unite(all, functions->n - first);
	functions->n = first + n;
	qsort(all, n, sizeof *all, by_address);
}

static int
add_by_address(struct prf_functions *functions, const struct prf_binary *binary)
{
	const struct prf_symbol_list *list = &binary->symbols;
	PRF_AUTO(prf_auto_free)
	struct prf_count *counts = calloc(list->n + 1, sizeof *counts);
	const struct symbols symbols = {list, counts};
	size_t first = functions->n;
	int rc = counts ? prf_binary_walk(binary, count_run, (void *)&symbols)
			: -ENOMEM;

	if (!rc)
		rc = count_listed_lumps(binary, &symbols);
	for (size_t i = 0; !rc && i <= list->n; i++) {
		const struct prf_function function = {
			.name = i < list->n ? list->all[i].name : "[unknown]",
			.binary = binary,
			.lo = i < list->n ? list->all[i].vaddr : 0,
			.count = counts[i],
		};

		if (counts[i].ticks)
			rc = prf_functions_add(functions, &function);
	}
	if (!rc)
		unite_names(functions, first);
	return rc;
}

/* --- A binary by name */

static int
add_by_name(struct prf_functions *functions, const struct prf_binary *binary)
{
	PRF_AUTO(prf_auto_free)
	size_t *sorted = prf_named_counts_sorted(&binary->names);
	int rc = sorted ? 0 : -ENOMEM;

	for (size_t i = 0; !rc && i < binary->names.n; i++) {
		const struct prf_named_count *named =
			&binary->names.all[sorted[i]];
		const struct prf_function function = {
			.name = named->text,
			.binary = binary,
			.count = named->count,
		};

		if (named->count.ticks)
			rc = prf_functions_add(functions, &function);
	}
	return rc;
}

/* JIT code of a process that lives has no names yet. */
static int
add_nameless(struct prf_functions *functions, const struct prf_binary *binary)
{
	const struct prf_function function = {
		.name = binary->name,
		.binary = binary,
		.count = binary->total,
	};

	return binary->total.ticks ? prf_functions_add(functions, &function)
				   : 0;
}

static int
add_binary(struct prf_functions *functions, const struct prf_binary *binary)
{
	if (binary->form == PRF_BINARY_BY_TEXT)
		return add_by_text(functions, binary);
	if (binary->form == PRF_BINARY_BY_ADDRESS)
		return add_by_address(functions, binary);
	return binary->pid ? add_nameless(functions, binary)
			   : add_by_name(functions, binary);
}

int
prf_functions_of(const struct prf_profile *profile,
		 struct prf_functions *functions)
{
	int rc = 0;

	*functions = (struct prf_functions){.total = profile->total};
	for (size_t i = 0; !rc && i < profile->n_binaries; i++)
		rc = add_binary(functions, profile->binaries[i]);
	if (rc)
		prf_functions_clear(functions);
	return rc;
}

/* --- In order */

static int
by_ticks(const void *a, const void *b)
{
	const struct prf_function *left = a, *right = b;
	int rc = -compare_numbers(left->count.ticks, right->count.ticks);

	if (!rc)
		rc = compare_numbers(left->binary->kind, right->binary->kind);
	if (!rc)
		rc = strcmp(left->binary->path, right->binary->path);
	if (!rc)
		rc = compare_numbers(left->lo, right->lo);
	return rc ? rc : strcmp(left->name, right->name);
}

void
prf_functions_sort(struct prf_functions *functions)
{
	if (functions->n)
		qsort(functions->all, functions->n, sizeof *functions->all,
		      by_ticks);
}
