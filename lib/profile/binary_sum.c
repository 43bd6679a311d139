/* Binaries added to each other, and taken out again. */
#include "profile/binary.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/scope.h"
#include "space/files.h"

/* --- Adding */

static int
add_run(void *arg, const struct prf_tick_range *run)
{
	struct prf_blocks *blocks = arg;

	for (size_t i = 0; i < run->n; i++) {
		uint64_t ticks = prf_tick_range_at(run, i);
		uint64_t vaddr = run->vaddr + i * PRF_HIST_BIN_BYTES;
		struct prf_block *block =
			ticks ? prf_blocks_at(blocks, vaddr) : NULL;

		if (ticks && !block)
			return -ENOMEM;
		if (ticks)
			block->counts[(vaddr - block->vaddr) /
				      PRF_HIST_BIN_BYTES] += ticks;
	}
	return 0;
}

/* All names of OTHER's file. */
static int
list_symbols(const struct prf_binary *other, struct prf_symbol_list *symbols)
{
	const struct prf_file *file = other->file;
	int rc = 0;

	for (size_t i = 0; !rc && i < file->n_pieces; i++)
		rc = prf_symbol_list_append(
			symbols, file->pieces[i].lo,
			file->functions[file->pieces[i].function].name);
	return rc;
}

/* The lumps of OTHER, by address. */
static int
list_lumps(const struct prf_binary *other, struct prf_tally *lumps)
{
	size_t n;
	PRF_AUTO(prf_auto_free)
	struct prf_tally_entry *texts = prf_tally_sorted(&other->lumps, &n);
	int rc = n && !texts ? -ENOMEM : 0;

	for (size_t i = 0; !rc && i < n; i++)
		rc = prf_tally_add_count(lumps,
					 other->file->pieces[texts[i].key].lo,
					 &texts[i].count);
	return rc;
}

int
prf_binary_detach(struct prf_binary *binary)
{
	struct prf_binary listed = {
		.form = PRF_BINARY_BY_ADDRESS,
		.blocks.n_all = binary->blocks.n_all,
	};

	if (binary->form != PRF_BINARY_BY_TEXT) {
		prf_files_drop(PRF_TAKE(binary->file));
		return 0;
	}
	int rc = list_symbols(binary, &listed.symbols);
	if (!rc)
		rc = list_lumps(binary, &listed.lumps);
	if (!rc)
		rc = prf_binary_walk(binary, add_run, &listed.blocks);
	struct prf_binary *old = rc ? &listed : binary;
	prf_symbol_list_clear(&old->symbols);
	prf_tally_clear(&old->lumps);
	prf_blocks_clear(&old->blocks);
	if (rc)
		return rc;
	binary->saturated = prf_binary_saturated(binary);
	binary->form = listed.form;
	binary->symbols = listed.symbols;
	binary->lumps = listed.lumps;
	binary->blocks = listed.blocks;
	prf_hist_free(PRF_TAKE(binary->hist));
	prf_files_drop(PRF_TAKE(binary->file));
	return 0;
}

static int
merge_text(void *arg, const struct prf_tick_range *run)
{
	struct prf_binary *binary = arg;

	for (size_t i = 0; i < run->n; i++)
		if (run->narrow[i])
			prf_hist_add(binary->hist,
				     run->vaddr + i * PRF_HIST_BIN_BYTES,
				     run->narrow[i]);
	return 0;
}

/* Both of one file. */
static int
merge_texts(struct prf_binary *binary, const struct prf_binary *other)
{
	int rc = prf_tally_merge(&binary->lumps, &other->lumps);

	return rc ? rc : prf_binary_walk(other, merge_text, binary);
}

static int
merge_listed(struct prf_binary *binary, const struct prf_binary *other)
{
	int rc = prf_symbol_list_merge(&binary->symbols, &other->symbols);

	if (!rc)
		rc = prf_tally_merge(&binary->lumps, &other->lumps);
	return rc ? rc : prf_blocks_merge(&binary->blocks, &other->blocks);
}

/* OTHER is BY_TEXT. */
static int
merge_listing(struct prf_binary *binary, const struct prf_binary *other)
{
	PRF_AUTO(prf_symbol_list_clear) struct prf_symbol_list symbols = {0};
	int rc = list_symbols(other, &symbols);

	if (!rc)
		rc = prf_symbol_list_merge(&binary->symbols, &symbols);
	if (!rc)
		rc = list_lumps(other, &binary->lumps);
	return rc ? rc : prf_binary_walk(other, add_run, &binary->blocks);
}

static int
merge_addresses(struct prf_binary *binary, const struct prf_binary *other)
{
	int rc = prf_binary_detach(binary);

	if (rc)
		return rc;
	prf_binary_widen(binary, other->lo, other->hi);
	return other->form == PRF_BINARY_BY_TEXT ? merge_listing(binary, other)
						 : merge_listed(binary, other);
}

/* Of two paths of one binary the first one stays, so that the order of
 * additions does not matter. */
static int
merge_path(struct prf_binary *binary, const struct prf_binary *other)
{
	if (strcmp(binary->path, other->path) <= 0)
		return 0;
	char *path = strdup(other->path);
	if (!path)
		return -ENOMEM;
	free(binary->path);
	binary->path = path;
	const char *slash = strrchr(path, '/');
	binary->name = slash && slash[1] ? slash + 1 : path;
	return 0;
}

int
prf_binary_merge(struct prf_binary *binary, const struct prf_binary *other)
{
	int rc = merge_path(binary, other);

	if (rc)
		return rc;
	if (binary->form == PRF_BINARY_BY_NAME) {
		rc = prf_named_counts_merge(&binary->names, &other->names);
		if (!rc)
			rc = prf_tally_merge(&binary->addrs, &other->addrs);
	} else if (binary->form == PRF_BINARY_BY_TEXT &&
		   other->form == PRF_BINARY_BY_TEXT &&
		   binary->file == other->file) {
		rc = merge_texts(binary, other);
	} else {
		rc = merge_addresses(binary, other);
	}
	if (rc)
		return rc;
	binary->is_program |= other->is_program;
	binary->by_function |= other->by_function;
	if (!binary->entry)
		binary->entry = other->entry;
	binary->program_ticks += other->program_ticks;
	binary->saturated += prf_binary_saturated(other);
	binary->no_cfi_ticks += other->no_cfi_ticks;
	prf_count_merge(&binary->total, &other->total);
	return 0;
}

/* --- Taking out */

static int
take_range(void *arg, const struct prf_tick_range *range)
{
	struct prf_blocks *blocks = arg;

	for (size_t i = 0; i < range->n; i++) {
		uint64_t ticks = prf_tick_range_at(range, i);
		uint64_t vaddr = range->vaddr + i * PRF_HIST_BIN_BYTES;
		struct prf_block *block =
			ticks ? prf_blocks_at(blocks, vaddr) : NULL;

		if (!ticks)
			continue;
		if (!block)
			return -ENOMEM;
		uint64_t *counter = &block->counts[(vaddr - block->vaddr) /
						   PRF_HIST_BIN_BYTES];
		if (*counter < ticks)
			return -ERANGE;
		*counter -= ticks;
	}
	return 0;
}

static int
take_names(struct prf_named_counts *names,
	   const struct prf_named_counts *earlier)
{
	for (size_t i = 0; i < earlier->n; i++) {
		size_t number;
		int rc = prf_named_counts_intern(names, earlier->all[i].text,
						 &number);

		if (rc)
			return rc;
		if (names->all[number].count.ticks <
		    earlier->all[i].count.ticks)
			return -ERANGE;
		prf_count_subtract(&names->all[number].count,
				   &earlier->all[i].count);
	}
	return 0;
}

static int
take_counters(struct prf_binary *binary, const struct prf_binary *earlier)
{
	PRF_AUTO(prf_tally_clear) struct prf_tally listed = {0};
	const struct prf_tally *lumps = &earlier->lumps;
	int rc = 0;

	if (earlier->form == PRF_BINARY_BY_TEXT) {
		rc = list_lumps(earlier, &listed);
		lumps = &listed;
	}
	if (!rc)
		rc = prf_tally_subtract(&binary->lumps, lumps);
	return rc ? rc : prf_binary_walk(earlier, take_range, &binary->blocks);
}

int
prf_binary_subtract(struct prf_binary *binary, const struct prf_binary *earlier)
{
	int rc = prf_binary_detach(binary);

	if (!rc)
		rc = binary->form == PRF_BINARY_BY_NAME
			     ? take_names(&binary->names, &earlier->names)
			     : take_counters(binary, earlier);
	if (!rc)
		rc = prf_tally_subtract(&binary->addrs, &earlier->addrs);
	if (rc)
		return rc;
	binary->program_ticks -= earlier->program_ticks;
	binary->saturated -= prf_binary_saturated(earlier);
	binary->no_cfi_ticks -= earlier->no_cfi_ticks;
	prf_count_subtract(&binary->total, &earlier->total);
	return 0;
}
