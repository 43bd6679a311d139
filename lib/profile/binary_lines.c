#include "profile/binary_lines.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/hist.h"
#include "core/scope.h"
#include "space/objectfile.h"

/* What it takes to unpack a byte of DWARF, where it takes long. */
enum { UNPACK_BYTE_NS = 10 };

struct prf_binary_lines_entry {
	const struct prf_binary *binary; /* NULL: it may be gone */
	struct prf_binary *like;         /* the same, without ticks; or NULL */
	struct prf_lines *lines;         /* or NULL */
};

static struct prf_mapping
mapping_of(const struct prf_binary *binary)
{
	return (struct prf_mapping){
		.kind = PRF_MAPPING_FILE,
		.path = binary->path,
		.dev = binary->dev,
		.inode = binary->inode,
		.build_id = binary->build_id,
		.build_id_bytes = (uint8_t)binary->build_id_bytes,
	};
}

int
prf_binary_lines_open(const struct prf_binary_lines *all,
		      const struct prf_binary *binary)
{
	const struct prf_mapping map = mapping_of(binary);
	const char *root = all->symfs;

	if (binary->kind != PRF_BINARY_FILE || binary->is_offsets)
		return -ENOENT;
	/* A gmon.out tells no inode; the path is all there is to go by. */
	if (!root && !binary->inode)
		root = "";
	return prf_objectfile_open_recorded((char *)root, &map);
}

struct prf_debuginfod *
prf_binary_lines_servers(struct prf_binary_lines *all)
{
	if (!all->has_servers && prf_debuginfod_is_wanted())
		all->servers = prf_debuginfod_new();
	all->has_servers = true;
	return all->servers;
}

int
prf_binary_lines_find_source(struct prf_binary_lines *all,
			     const struct prf_binary *binary, const char *path,
			     struct prf_error *warning)
{
	return prf_debuginfod_find_source(
		prf_binary_lines_servers(all), binary->build_id,
		binary->build_id_bytes, path, warning);
}

static void
complain(struct prf_binary_lines *all, const struct prf_binary *binary,
	 int code)
{
	PRF_AUTO(prf_auto_free) char *text = NULL;

	if (asprintf(&text, "%s: %s; its source lines are not known",
		     binary->path,
		     code == -ESTALE   ? "is another file by now"
		     : code == -EAGAIN ? "its file system may not answer"
				       : strerror(-code)) >= 0)
		prf_warnings_add(&all->warnings, text);
}

static uint64_t
thread_cpu_ns(void)
{
	struct timespec now = {0};

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* How much debug information can be unpacked in the time that is left: it is
 * done at once, and cannot be stopped. */
static uint64_t
unpack_max(const struct prf_binary_lines *all)
{
	const uint64_t now_ns = thread_cpu_ns();

	if (!all->until_cpu_ns)
		return UINT64_MAX;
	return now_ns < all->until_cpu_ns
		       ? (all->until_cpu_ns - now_ns) / UNPACK_BYTE_NS
		       : 0;
}

static struct prf_lines *
open_lines(struct prf_binary_lines *all, const struct prf_binary *binary)
{
	struct prf_lines *lines = NULL;
	struct prf_error err = {0};

	/* Why a file could not be read was said where it was. */
	if (binary->kind != PRF_BINARY_FILE || binary->is_offsets ||
	    binary->by_function)
		return NULL;
	const struct prf_mapping map = mapping_of(binary);
	const struct prf_debug_way way = {
		.servers = prf_binary_lines_servers(all),
		.unpack_max = unpack_max(all),
		.may_be_silent = prf_objectfile_path_may_be_silent,
		.arg = all->finder,
	};
	PRF_AUTO(prf_auto_close)
	int fd = prf_objectfile_may_be_silent(all->finder, &map) ||
				 prf_objectfile_path_may_be_silent(all->finder,
								   map.path)
			 ? -EAGAIN
			 : prf_binary_lines_open(all, binary);
	if (fd < 0)
		complain(all, binary, fd);
	else if (prf_lines_open_fd(fd, binary->path, &way, &lines, &err))
		prf_warnings_add(&all->warnings, err.text);
	return lines;
}

void
prf_binary_lines_hurry(struct prf_binary_lines *all, uint64_t budget_ns)
{
	all->has_servers = true;
	all->until_cpu_ns = thread_cpu_ns() + budget_ns;
}

void
prf_binary_lines_avoid_silent(struct prf_binary_lines *all)
{
	all->finder = prf_objectfile_finder_new();
	all->is_short |= !all->finder;
}

void
prf_binary_lines_let_go(struct prf_binary_lines *all)
{
	size_t n = 0;

	for (size_t i = 0; i < all->n; i++) {
		struct prf_binary_lines_entry *entry = &all->all[i];

		if (!entry->like)
			entry->like = prf_binary_new_like(entry->binary);
		entry->binary = NULL;
		if (entry->like)
			all->all[n++] = *entry;
		else
			prf_lines_close(entry->lines);
	}
	all->n = n;
}

/* NULL: BINARY was not asked for. */
static struct prf_binary_lines_entry *
find(struct prf_binary_lines *all, const struct prf_binary *binary)
{
	for (size_t i = 0; i < all->n; i++)
		if (all->all[i].binary == binary)
			return &all->all[i];
	for (size_t i = 0; i < all->n; i++) {
		struct prf_binary_lines_entry *entry = &all->all[i];

		if (entry->binary || !prf_binary_is_same(entry->like, binary))
			continue;
		entry->binary = binary;
		return entry;
	}
	return NULL;
}

struct prf_lines *
prf_binary_lines_of(struct prf_binary_lines *all,
		    const struct prf_binary *binary)
{
	if (all->until_cpu_ns && thread_cpu_ns() >= all->until_cpu_ns)
		return NULL;
	const struct prf_binary_lines_entry *known = find(all, binary);
	if (known)
		return known->lines;

	struct prf_binary_lines_entry *grown =
		reallocarray(all->all, all->n + 1, sizeof *grown);
	if (!grown) {
		all->is_short = true;
		return NULL;
	}
	all->all = grown;
	grown[all->n] = (struct prf_binary_lines_entry){
		.binary = binary, .lines = open_lines(all, binary)};
	return grown[all->n++].lines;
}

size_t
prf_binary_lines_at(struct prf_binary_lines *all,
		    const struct prf_binary *binary, uint64_t vaddr,
		    bool in_counter, const struct prf_line **out)
{
	struct prf_lines *lines = binary->form != PRF_BINARY_BY_NAME
					  ? prf_binary_lines_of(all, binary)
					  : NULL;
	uint64_t last = vaddr | (PRF_HIST_BIN_BYTES - 1);

	return lines ? prf_lines_at(lines, in_counter ? last : vaddr, out) : 0;
}

void
prf_binary_lines_warn(struct prf_binary_lines *all)
{
	if (all->is_short)
		prf_warnings_add(&all->warnings,
				 "out of memory for source lines: those of a "
				 "binary are not told");
	for (size_t i = 0; i < all->n; i++) {
		const char *text =
			all->all[i].lines ? prf_lines_warning(all->all[i].lines)
					  : NULL;

		if (text)
			prf_warnings_add(&all->warnings, text);
	}
}

void
prf_binary_lines_clear(struct prf_binary_lines *all)
{
	for (size_t i = 0; i < all->n; i++) {
		prf_lines_close(all->all[i].lines);
		prf_binary_free(all->all[i].like);
	}
	free(all->all);
	prf_debuginfod_free(all->servers);
	prf_objectfile_finder_free(all->finder);
	prf_warnings_clear(&all->warnings);
	*all = (struct prf_binary_lines){0};
}

const char *
prf_binary_lines_function(const struct prf_binary *binary, uint64_t vaddr)
{
	if (binary->form == PRF_BINARY_BY_TEXT && binary->file->image) {
		const struct prf_file *file = binary->file;
		size_t at = prf_image_text_at(file->image, vaddr);

		return at < file->n_pieces
			       ? file->functions[file->pieces[at].function].name
			       : NULL;
	}
	if (binary->form == PRF_BINARY_BY_ADDRESS) {
		size_t at = prf_symbol_list_at(&binary->symbols, vaddr);

		return at < binary->symbols.n ? binary->symbols.all[at].name
					      : NULL;
	}
	return NULL;
}
