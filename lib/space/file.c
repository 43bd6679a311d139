#include "space/file.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/scope.h"
#include "image/buildid.h"
#include "image/vdso.h"
#include "space/objectfile.h"

const char *
prf_file_last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

struct prf_file *
prf_file_new(const struct prf_mapping *map)
{
	struct prf_file *file = calloc(1, sizeof *file);

	if (!file)
		return NULL;
	file->fd = -ENOENT;
	file->is_vdso = map->kind == PRF_MAPPING_VDSO;
	file->path = strdup(file->is_vdso ? "" : map->path);
	if (!file->path) {
		free(file);
		return NULL;
	}
	file->name = file->is_vdso ? "[vdso]" : prf_file_last_part(file->path);
	file->vdso_bytes = file->is_vdso ? map->size : 0;
	file->dev = map->dev;
	file->inode = map->inode;
	if (!map->build_id_bytes)
		return file;
	file->build_id = malloc(map->build_id_bytes);
	if (!file->build_id) {
		prf_file_free(file);
		return NULL;
	}
	memcpy(file->build_id, map->build_id, map->build_id_bytes);
	file->build_id_bytes = map->build_id_bytes;
	return file;
}

static void
close_file(struct prf_file *file)
{
	if (file->fd >= 0)
		close(file->fd);
	file->fd = -ENOENT;
}

static void
forget_names(struct prf_file *file)
{
	for (size_t i = 0; i < file->n_made_names; i++)
		free(file->made_names[i]);
	free(PRF_TAKE(file->made_names));
	file->n_made_names = file->n_functions = file->n_pieces = 0;
	free(PRF_TAKE(file->functions));
	free(PRF_TAKE(file->pieces));
	free(PRF_TAKE(file->runs));
	file->n_runs = 0;
	prf_hist_free(PRF_TAKE(file->model));
	prf_image_close(PRF_TAKE(file->image));
}

void
prf_file_free(struct prf_file *file)
{
	if (!file)
		return;
	forget_names(file);
	prf_code_close(file->code);
	close_file(file);
	free(file->build_id);
	free(file->path);
	free(file);
}

/* --- Which file it is */

static int
find_file(const struct prf_file *file, const struct prf_mapping *map,
	  struct stat *st)
{
	if (!file->way.open)
		return prf_objectfile_open(file->way.finder, map, st);
	int fd = file->way.open(file->way.arg, map);
	if (fd < 0 || !fstat(fd, st))
		return fd;
	close(fd);
	return -ENOENT;
}

/* Has FD other numbers than ST, which tells of the file? */
static bool
is_copy(int fd, const struct stat *st)
{
	struct stat own;

	return fstat(fd, &own) || own.st_ino != st->st_ino ||
	       own.st_dev != st->st_dev;
}

void
prf_file_open(struct prf_file *file, const struct prf_mapping *map)
{
	struct stat st;

	if (file->is_vdso || file->is_read || file->fd >= 0)
		return;
	file->fd = find_file(file, map, &st);
	if (file->fd < 0)
		return;
	file->seen.size_bytes = st.st_size;
	file->seen.mtime = st.st_mtim;
	file->seen.ctime = st.st_ctim;
	file->seen.is_copy = is_copy(file->fd, &st);
}

static bool
is_same_time(const struct timespec *left, const struct timespec *right)
{
	return left->tv_sec == right->tv_sec && left->tv_nsec == right->tv_nsec;
}

bool
prf_file_has_changed(const struct prf_file *file, const struct prf_mapping *map)
{
	struct stat st;

	if (file->is_vdso || !file->seen.size_bytes || file->seen.is_copy)
		return false;
	/* What is not at its path is as it was. */
	return !prf_objectfile_stat_path(file->way.finder, map, &st) &&
	       st.st_ino == map->inode &&
	       (st.st_size != file->seen.size_bytes ||
		!is_same_time(&st.st_mtim, &file->seen.mtime));
}

static bool
is_as_seen(const struct prf_file *file, const struct stat *st)
{
	return st->st_size == file->seen.size_bytes &&
	       is_same_time(&st->st_mtim, &file->seen.mtime) &&
	       is_same_time(&st->st_ctim, &file->seen.ctime);
}

bool
prf_file_is_same(const struct prf_file *file, const struct prf_mapping *map)
{
	struct stat st;

	if (file->is_vdso)
		return true;
	if (!file->way.open)
		return !prf_objectfile_stat(file->way.finder, map, &st) &&
		       is_as_seen(file, &st);
	PRF_AUTO(prf_auto_close) int fd = file->way.open(file->way.arg, map);
	return fd >= 0 && !fstat(fd, &st) && is_as_seen(file, &st);
}

/* --- Its functions */

static int
by_symbol(const void *a, const void *b)
{
	const struct prf_text *left = *(const struct prf_text *const *)a;
	const struct prf_text *right = *(const struct prf_text *const *)b;

	if (left->vaddr != right->vaddr)
		return left->vaddr < right->vaddr ? -1 : 1;
	int rc = strcmp(left->name, right->name);
	return rc ? rc : (left->lo > right->lo) - (left->lo < right->lo);
}

static bool
is_same_symbol(const struct prf_text *left, const struct prf_text *right)
{
	return left->kind != PRF_TEXT_GAP && right->kind != PRF_TEXT_GAP &&
	       left->vaddr == right->vaddr && !strcmp(left->name, right->name);
}

/* As most files have them: inner functions that interrupt others are rare. */
static bool
is_sorted(const struct prf_text *const *texts, size_t n)
{
	for (size_t i = 1; i < n; i++)
		if (by_symbol(&texts[i - 1], &texts[i]) > 0)
			return false;
	return true;
}

/* For each text the first one of the same symbol: another, where an inner
 * function interrupts an outer one.  To be free()d; NULL: out of memory. */
static size_t *
find_firsts(const struct prf_text *texts, size_t n)
{
	PRF_AUTO(prf_auto_free)
	const struct prf_text **sorted = calloc(n, sizeof *sorted);
	size_t *firsts = calloc(n, sizeof *firsts);

	if (!sorted || !firsts) {
		free(firsts);
		return NULL;
	}
	for (size_t i = 0; i < n; i++)
		sorted[i] = &texts[i];
	if (!is_sorted(sorted, n))
		qsort(sorted, n, sizeof *sorted, by_symbol);
	const struct prf_text *first = sorted[0];
	for (size_t i = 0; i < n; i++) {
		if (!is_same_symbol(first, sorted[i]))
			first = sorted[i];
		firsts[sorted[i] - texts] = (size_t)(first - texts);
	}
	return firsts;
}

/* Text without a symbol is called by its place: "[libc.so.6+0x2a1b0]".  NULL:
 * out of memory. */
static const char *
text_name(struct prf_file *file, const struct prf_text *text)
{
	char **made = &file->made_names[file->n_made_names];

	if (text->kind != PRF_TEXT_GAP && text->kind != PRF_TEXT_UNNAMED)
		return text->name;
	if (asprintf(made, "[%s+0x%" PRIx64 "]", file->name, text->lo) < 0)
		return NULL;
	file->n_made_names++;
	return *made;
}

/* FIRSTS becomes the texts' functions. */
static int
name_texts(struct prf_file *file, const struct prf_text *texts, size_t n,
	   size_t *firsts)
{
	for (size_t i = 0; i < n; i++) {
		if (firsts[i] != i) {
			firsts[i] = firsts[firsts[i]];
		} else {
			const char *name = text_name(file, &texts[i]);

			if (!name)
				return -ENOMEM;
			firsts[i] = file->n_functions++;
			file->functions[firsts[i]] =
				(struct prf_named){name, texts[i].lo};
		}
		file->pieces[file->n_pieces++] =
			(struct prf_piece){texts[i].lo, texts[i].hi, firsts[i]};
	}
	return 0;
}

static int
find_runs(struct prf_file *file, const struct prf_text *texts, size_t n)
{
	size_t n_runs = 0;

	for (size_t i = 0; i < n; i++)
		n_runs += i == 0 || texts[i].lo != texts[i - 1].hi;
	file->runs = calloc(n_runs, sizeof *file->runs);
	if (!file->runs)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++) {
		if (i == 0 || texts[i].lo != texts[i - 1].hi)
			file->runs[file->n_runs++].lo = texts[i].lo;
		file->runs[file->n_runs - 1].hi = texts[i].hi;
	}
	return 0;
}

static int
make_functions(struct prf_file *file, const struct prf_text *texts, size_t n)
{
	PRF_AUTO(prf_auto_free) size_t *firsts = find_firsts(texts, n);

	file->functions = calloc(n, sizeof *file->functions);
	file->pieces = calloc(n, sizeof *file->pieces);
	file->made_names = calloc(n, sizeof *file->made_names);
	if (!firsts || !file->functions || !file->pieces || !file->made_names)
		return -ENOMEM;
	file->lo = texts[0].lo;
	file->hi = texts[n - 1].hi;
	int rc = name_texts(file, texts, n, firsts);
	return rc ? rc : find_runs(file, texts, n);
}

/* Regions for histograms: the image's texts, one for one. */
static int
make_model(struct prf_file *file, const struct prf_text *texts, size_t n,
	   struct prf_error *err)
{
	PRF_AUTO(prf_auto_free)
	struct prf_span *spans = calloc(n, sizeof *spans);

	if (!spans)
		return prf_error_set(err, -ENOMEM, "out of memory");
	for (size_t i = 0; i < n; i++)
		spans[i] = (struct prf_span){texts[i].lo, texts[i].hi};
	return prf_hist_new(spans, n, &file->model, err);
}

/* --- Reading it */

/* Is the vDSO of this process, of SIZE bytes, the one in FILE?  That of a program
 * that runs here and now needs no build-id. */
static bool
is_our_vdso(const struct prf_file *file, size_t size)
{
	uint8_t id[PRF_BUILDID_MAX_BYTES];

	if (!file->build_id_bytes)
		return !file->way.open && size == file->vdso_bytes;
	return prf_buildid_of_vdso(id) == file->build_id_bytes &&
	       !memcmp(id, file->build_id, file->build_id_bytes);
}

/* That vDSO; NULL: it is another. */
static const void *
find_vdso(const struct prf_file *file, size_t *size)
{
	const void *vdso = prf_vdso(size);

	return vdso && is_our_vdso(file, *size) ? vdso : NULL;
}

static int
open_vdso(struct prf_file *file, struct prf_error *err)
{
	size_t size;
	const void *vdso = find_vdso(file, &size);

	if (!vdso)
		return prf_error_set(err, -ENOENT,
				     "[vdso]: not the one that is here, too; "
				     "its time has no names");
	return prf_image_open_memory(vdso, size, "[vdso]", &file->image, err);
}

/* The file is gone, or another by now: perhaps a server has what was mapped. */
static void
ask_for_file(struct prf_file *file, struct prf_error *warning)
{
	uint8_t id[PRF_BUILDID_MAX_BYTES];
	PRF_AUTO(prf_auto_close)
	int fd = prf_debuginfod_find(file->servers, PRF_DEBUGINFOD_EXECUTABLE,
				     file->build_id, file->build_id_bytes,
				     warning);

	if (fd < 0 || prf_buildid_read(fd, id) != file->build_id_bytes ||
	    memcmp(id, file->build_id, file->build_id_bytes) != 0)
		return;
	file->fd = fd;
	fd = -1; /* it is the file's */
}

static const char *
reason(int code)
{
	switch (code) {
	case ENOENT:
		return "cannot be opened any more, or is another file by now";
	case ESTALE:
		return "is not the file that was recorded";
	case ETIMEDOUT:
		return "the file system does not answer";
	case ETIME:
		return "the file system answers too slowly";
	case EFBIG:
		return "is too large to be copied from a file system that may "
		       "not answer";
	default:
		return strerror(code);
	}
}

/* Why FILE, which is not open, has no names. */
static int
explain(const struct prf_file *file, const struct prf_error *warning,
	struct prf_error *err)
{
	return prf_error_set(err, file->fd, "%s: %s; its time has no names%s%s",
			     file->path, reason(-file->fd),
			     warning->code ? "; " : "",
			     warning->code ? warning->text : "");
}

/* How what belongs to FILE is looked for. */
static struct prf_debug_way
debug_way_of(const struct prf_file *file)
{
	return (struct prf_debug_way){
		.servers = file->servers,
		.may_be_silent = prf_objectfile_path_may_be_silent,
		.arg = file->way.finder,
	};
}

static int
open_image(struct prf_file *file, struct prf_error *err)
{
	struct prf_error warning = {0};

	if (file->is_vdso)
		return open_vdso(file, err);
	if (file->fd < 0)
		ask_for_file(file, &warning);
	if (file->fd < 0)
		return explain(file, &warning, err);
	const struct prf_debug_way way = debug_way_of(file);
	return prf_image_open_fd(file->fd, file->path, &way, &file->image, err);
}

static int
read_names(struct prf_file *file, struct prf_error *err)
{
	size_t n;
	int rc = open_image(file, err);

	if (rc)
		return rc;
	const struct prf_text *texts = prf_image_texts(file->image, &n);
	if (!n)
		return prf_error_set(err, -ENOEXEC,
				     "%s: has no executable text", file->path);
	rc = make_model(file, texts, n, err);
	if (rc)
		return rc;
	rc = make_functions(file, texts, n);
	return rc ? prf_error_set(err, rc, "out of memory") : 0;
}

void
prf_file_read(struct prf_file *file, const struct prf_mapping *map,
	      struct prf_error *warning)
{
	warning->code = 0;
	if (file->is_read)
		return;
	prf_file_open(file, map);
	file->is_read = true;
	if (read_names(file, warning))
		forget_names(file);
	else if (prf_image_warning(file->image))
		prf_error_set(warning, -EINVAL, "%s",
			      prf_image_warning(file->image));
	close_file(file);
}

/* --- Its code */

/* Who asks for names says why a file has none. */
static int
open_code(struct prf_file *file, const struct prf_mapping *map)
{
	struct prf_error ignored;
	size_t size;

	if (file->is_vdso) {
		const void *vdso = find_vdso(file, &size);

		return vdso ? prf_code_open_memory(vdso, size, "[vdso]",
						   file->rows, &file->code,
						   &ignored)
			    : -ENOENT;
	}
	prf_file_open(file, map);
	if (file->fd < 0)
		return file->fd;
	const struct prf_debug_way way = debug_way_of(file);
	return prf_code_open_fd(file->fd, file->path, &way, file->rows,
				&file->code, &ignored);
}

struct prf_code *
prf_file_code(struct prf_file *file, const struct prf_mapping *map)
{
	if (!file->code_is_read && open_code(file, map) != 0)
		file->code = NULL;
	file->code_is_read = true;
	return file->code;
}

/* --- What it says */

const struct prf_piece *
prf_file_piece_at(const struct prf_file *file, uint64_t vaddr)
{
	size_t lo = 0, hi = file->n_pieces;

	while (lo < hi) {
		size_t middle = lo + (hi - lo) / 2;

		if (file->pieces[middle].lo <= vaddr)
			lo = middle + 1;
		else
			hi = middle;
	}
	return lo && vaddr < file->pieces[lo - 1].hi ? &file->pieces[lo - 1]
						     : NULL;
}

bool
prf_file_has(const struct prf_file *file, uint64_t vaddr)
{
	size_t lo = 0, hi = file->n_runs;

	while (lo < hi) {
		size_t middle = lo + (hi - lo) / 2;

		if (file->runs[middle].hi <= vaddr)
			lo = middle + 1;
		else
			hi = middle;
	}
	return lo < file->n_runs && file->runs[lo].lo <= vaddr;
}
