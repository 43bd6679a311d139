#include "profile/binary.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/scope.h"
#include "space/files.h"

static const char *const kind_names[PRF_N_BINARY_KINDS] = {
	[PRF_BINARY_FILE] = "[file]",       [PRF_BINARY_VDSO] = "[vdso]",
	[PRF_BINARY_JIT] = "[jit]",         [PRF_BINARY_KERNEL] = "[kernel]",
	[PRF_BINARY_UNKNOWN] = "[unknown]",
};

static const enum prf_binary_form kind_forms[PRF_N_BINARY_KINDS] = {
	[PRF_BINARY_FILE] = PRF_BINARY_BY_ADDRESS,
	[PRF_BINARY_VDSO] = PRF_BINARY_BY_ADDRESS,
	[PRF_BINARY_JIT] = PRF_BINARY_BY_NAME,
	[PRF_BINARY_KERNEL] = PRF_BINARY_BY_NAME,
	[PRF_BINARY_UNKNOWN] = PRF_BINARY_BY_NAME,
};

enum prf_binary_kind
prf_binary_kind_of(const char *name)
{
	for (int kind = PRF_BINARY_VDSO; kind < PRF_N_BINARY_KINDS; kind++)
		if (strcmp(kind_names[kind], name) == 0)
			return (enum prf_binary_kind)kind;
	return PRF_BINARY_FILE;
}

struct prf_binary *
prf_binary_new(enum prf_binary_kind kind, const char *path)
{
	struct prf_binary *binary = calloc(1, sizeof *binary);

	if (!binary)
		return NULL;
	binary->kind = kind;
	binary->form = kind_forms[kind];
	binary->path = strdup(kind == PRF_BINARY_FILE ? path : "");
	if (!binary->path) {
		free(binary);
		return NULL;
	}
	const char *slash = strrchr(binary->path, '/');
	binary->name = kind != PRF_BINARY_FILE ? kind_names[kind]
		       : slash && slash[1]     ? slash + 1
					       : binary->path;
	return binary;
}

/* A file without names is one function as a whole. */
static int
name_as_one(struct prf_binary *binary)
{
	PRF_AUTO(prf_auto_free) char *name = NULL;

	if (binary->kind == PRF_BINARY_FILE &&
	    asprintf(&name, "[%s]", binary->name) < 0)
		return -ENOMEM;
	binary->is_offsets = true;
	binary->lo = binary->file->off_lo;
	binary->hi = binary->file->off_hi;
	return prf_symbol_list_append(&binary->symbols, 0,
				      name ? name : binary->name);
}

static int
take_image(struct prf_binary *binary)
{
	const struct prf_file *file = binary->file;
	const struct prf_image_info *info = prf_image_info(file->image);

	binary->form = PRF_BINARY_BY_TEXT;
	binary->lo = file->lo;
	binary->hi = file->hi;
	binary->entry = info->entry;
	binary->build_id_bytes = info->build_id_size;
	memcpy(binary->build_id, info->build_id, info->build_id_size);
	return prf_hist_new_like(file->model, &binary->hist, NULL);
}

struct prf_binary *
prf_binary_new_file(struct prf_file *file)
{
	struct prf_binary *binary = prf_binary_new(
		file->is_vdso ? PRF_BINARY_VDSO : PRF_BINARY_FILE, file->path);

	if (!binary)
		return NULL;
	binary->dev = file->dev;
	binary->inode = file->inode;
	binary->file = prf_files_hold(file);
	if (!(file->image ? take_image(binary) : name_as_one(binary)))
		return binary;
	prf_binary_free(binary);
	return NULL;
}

struct prf_binary *
prf_binary_new_like(const struct prf_binary *other)
{
	struct prf_binary *binary = prf_binary_new(other->kind, other->path);

	if (!binary)
		return NULL;
	/* A file counts by address, but for one with inlined calls. */
	if (other->form == PRF_BINARY_BY_NAME)
		binary->form = other->form;
	memcpy(binary->build_id, other->build_id, other->build_id_bytes);
	binary->build_id_bytes = other->build_id_bytes;
	binary->dev = other->dev;
	binary->inode = other->inode;
	binary->is_offsets = other->is_offsets;
	binary->pid = other->pid;
	binary->lo = other->lo;
	binary->hi = other->hi;
	return binary;
}

void
prf_binary_free(struct prf_binary *binary)
{
	if (!binary)
		return;
	prf_tally_clear(&binary->lumps);
	prf_tally_clear(&binary->addrs);
	prf_perfmap_drop(binary->map);
	prf_hist_free(binary->hist);
	prf_blocks_clear(&binary->blocks);
	prf_symbol_list_clear(&binary->symbols);
	prf_named_counts_clear(&binary->names);
	prf_files_drop(binary->file);
	free(binary->path);
	free(binary);
}

/* --- Which it is */

static bool
is_same_inode(const struct prf_binary *left, const struct prf_binary *right)
{
	return !left->inode || !right->inode ||
	       (left->inode == right->inode && left->dev == right->dev);
}

bool
prf_binary_is_same(const struct prf_binary *left,
		   const struct prf_binary *right)
{
	if (left->kind != right->kind || left->pid != right->pid ||
	    left->is_offsets != right->is_offsets ||
	    left->build_id_bytes != right->build_id_bytes)
		return false;
	/* Where a function is inlined, no address says which one it is: text
	 * may be counted by name, too. */
	if ((left->kind == PRF_BINARY_FILE || left->kind == PRF_BINARY_VDSO) &&
	    (left->form == PRF_BINARY_BY_NAME) !=
		    (right->form == PRF_BINARY_BY_NAME))
		return false;
	if (left->build_id_bytes)
		return memcmp(left->build_id, right->build_id,
			      left->build_id_bytes) == 0;
	return strcmp(left->path, right->path) == 0 &&
	       is_same_inode(left, right) &&
	       (left->is_offsets ||
		(left->lo == right->lo && left->hi == right->hi));
}

/* --- Counting */

void
prf_binary_widen(struct prf_binary *binary, uint64_t lo, uint64_t hi)
{
	if (lo >= hi)
		return;
	if (binary->lo == binary->hi)
		binary->lo = binary->hi = lo;
	binary->lo = lo < binary->lo ? lo : binary->lo;
	binary->hi = hi > binary->hi ? hi : binary->hi;
}

/* More of a file without names may have been mapped since; and VADDR may be in another
 * of its path, of which no numbers are known. */
static void
extend_by_file(struct prf_binary *binary, uint64_t vaddr)
{
	uint64_t lo = vaddr - vaddr % PRF_HIST_BIN_BYTES;

	if (!binary->file)
		return;
	prf_binary_widen(binary, binary->file->off_lo, binary->file->off_hi);
	prf_binary_widen(binary, lo, lo + PRF_HIST_BIN_BYTES);
}

bool
prf_binary_has(struct prf_binary *binary, uint64_t vaddr)
{
	if (binary->form == PRF_BINARY_BY_TEXT)
		return prf_file_has(binary->file, vaddr);
	if (binary->form == PRF_BINARY_BY_ADDRESS &&
	    !prf_blocks_have_room(&binary->blocks, vaddr))
		return false;
	extend_by_file(binary, vaddr);
	return true;
}

/* A symbol that begins in the middle of a counter has all of it, see
 * functions.c. */
static uint64_t
symbol_begin(const struct prf_symbol_list *list, uint64_t vaddr)
{
	size_t at = prf_symbol_list_at(list, vaddr | 1);

	return at == (size_t)-1 ? 0 : list->all[at].vaddr;
}

uint64_t
prf_binary_begin_of(const struct prf_binary *binary, uint64_t vaddr)
{
	const struct prf_piece *piece;

	switch (binary->form) {
	case PRF_BINARY_BY_TEXT:
		piece = prf_file_piece_at(binary->file, vaddr);
		return piece ? piece->lo : vaddr;
	case PRF_BINARY_BY_ADDRESS:
		return symbol_begin(&binary->symbols, vaddr);
	case PRF_BINARY_BY_NAME:
		break;
	}
	return vaddr;
}

/* A sample that stands for several ticks is remembered with its text. */
static int
count_lump(struct prf_binary *binary, uint64_t vaddr, uint32_t ticks,
	   uint32_t certain)
{
	int rc = prf_tally_reserve(&binary->lumps);

	if (rc)
		return rc;
	size_t text = prf_hist_add(binary->hist, vaddr, ticks);
	return text == PRF_HIST_OUTSIDE
		       ? -ERANGE
		       : prf_tally_add(&binary->lumps, text, ticks, certain);
}

static int
count_in_text(struct prf_binary *binary, uint64_t vaddr, uint32_t ticks,
	      uint32_t certain)
{
	if (ticks - certain > 1)
		return count_lump(binary, vaddr, ticks, certain);
	return prf_hist_count(binary->hist, vaddr, ticks) ? 0 : -ERANGE;
}

static int
count_in_block(struct prf_binary *binary, uint64_t vaddr, uint32_t ticks,
	       uint32_t certain)
{
	if (!prf_blocks_have_room(&binary->blocks, vaddr))
		return -EFBIG;
	struct prf_block *block = prf_blocks_at(&binary->blocks, vaddr);
	int rc = block ? 0 : -ENOMEM;
	if (!rc && ticks - certain > 1)
		rc = prf_tally_add(&binary->lumps, vaddr, ticks, certain);
	if (rc)
		return rc;
	block->counts[(vaddr - block->vaddr) / PRF_HIST_BIN_BYTES] += ticks;
	extend_by_file(binary, vaddr);
	return 0;
}

int
prf_binary_count(struct prf_binary *binary, uint64_t vaddr, uint32_t ticks,
		 uint32_t certain)
{
	int rc;

	if (binary->form == PRF_BINARY_BY_TEXT)
		rc = count_in_text(binary, vaddr, ticks, certain);
	else if (binary->form == PRF_BINARY_BY_ADDRESS)
		rc = count_in_block(binary, vaddr, ticks, certain);
	else
		rc = prf_tally_add(&binary->addrs, vaddr, ticks, certain);
	if (!rc)
		prf_count_add(&binary->total, ticks, certain);
	return rc;
}

int
prf_binary_count_name(struct prf_binary *binary, const char *name,
		      const struct prf_count *count)
{
	int rc = prf_named_counts_add(&binary->names, name, count);

	if (!rc)
		prf_count_merge(&binary->total, count);
	return rc;
}

/* --- Going through it */

static int
walk_texts(const struct prf_binary *binary,
	   int (*visit)(void *arg, const struct prf_tick_range *run), void *arg)
{
	int rc = 0;

	for (size_t text = prf_hist_next(binary->hist, 0);
	     !rc && text != PRF_HIST_OUTSIDE;
	     text = prf_hist_next(binary->hist, text + 1)) {
		struct prf_tick_range run = {
			.vaddr = binary->file->pieces[text].lo};

		run.narrow = prf_hist_bins(binary->hist, text, &run.n);
		rc = visit(arg, &run);
	}
	return rc;
}

static int
walk_blocks(const struct prf_binary *binary,
	    int (*visit)(void *arg, const struct prf_tick_range *run),
	    void *arg)
{
	PRF_AUTO(prf_auto_free)
	const struct prf_block **sorted = prf_blocks_sorted(&binary->blocks);
	int rc = sorted ? 0 : -ENOMEM;

	for (size_t i = 0; !rc && i < binary->blocks.n; i++) {
		const struct prf_tick_range run = {
			.vaddr = sorted[i]->vaddr,
			.wide = sorted[i]->counts,
			.n = PRF_BLOCK_BINS,
		};

		rc = visit(arg, &run);
	}
	return rc;
}

int
prf_binary_walk(const struct prf_binary *binary,
		int (*visit)(void *arg, const struct prf_tick_range *run),
		void *arg)
{
	switch (binary->form) {
	case PRF_BINARY_BY_TEXT:
		return walk_texts(binary, visit, arg);
	case PRF_BINARY_BY_ADDRESS:
		return walk_blocks(binary, visit, arg);
	case PRF_BINARY_BY_NAME:
		break;
	}
	return 0;
}

uint64_t
prf_binary_saturated(const struct prf_binary *binary)
{
	return binary->saturated +
	       (binary->hist ? prf_hist_stats(binary->hist).saturated : 0);
}
