#include "view/annotate/annotation.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/hist.h"
#include "core/scope.h"
#include "image/disassembly.h"
#include "image/image.h"
#include "view/annotate/inlined.h"
#include "view/table/line_ticks.h"
#include "view/table/name_columns.h"

PRF_DEFINE_AUTO(prf_image, prf_image_close);

struct making {
	struct prf_annotation *annotation;
	const char *file; /* that is wanted, or NULL */
	/* Ticks by binary, and then by address, ascending. */
	struct tick {
		const struct prf_binary *binary;
		uint64_t vaddr;
		struct prf_count count;
	} * ticks;
	size_t n_ticks, room;
	/* The binary at hand, and those that it has of them. */
	const struct prf_binary *binary;
	const struct tick *own;
	size_t n_own;
	struct prf_lines *lines;
	const struct prf_image *image; /* of its file, as it is now */
	char *operand; /* the name of the latest operand, for people */
};

static void
clear(struct making *making)
{
	free(making->ticks);
	free(making->operand);
}

/* --- Lines */

char *
prf_annotated_line_path(const struct prf_annotated_line *line)
{
	char *path;

	if (*line->file == '/' || !line->directory)
		return strdup(line->file);
	return asprintf(&path, "%s/%s", line->directory, line->file) < 0 ? NULL
									 : path;
}

/* What is left of a path that is read from its end. */
struct path_end {
	const char *begin, *end;
	const char *directory; /* that stands before it, or NULL */
};

static struct path_end
path_end_of(const char *directory, const char *file)
{
	return (struct path_end){
		.begin = file,
		.end = file + strlen(file),
		.directory = *file == '/' ? NULL : directory,
	};
}

/* Takes the last of PATH's names away, which is *NAME; returns its length, 0 if
 * there is none. */
static size_t
take_name(struct path_end *path, const char **name)
{
	for (;;) {
		while (path->end > path->begin && path->end[-1] == '/')
			path->end--;
		if (path->end > path->begin)
			break;
		if (!path->directory)
			return 0;
		*path = path_end_of(NULL, path->directory);
	}
	const char *end = path->end;
	while (path->end > path->begin && path->end[-1] != '/')
		path->end--;
	*name = path->end;
	return (size_t)(end - path->end);
}

/* The same without ".", and without ".." and what that leaves again: makefiles of
 * several directories name a header in as many ways. */
static size_t
take_plain_name(struct path_end *path, const char **name)
{
	size_t n, n_up = 0;

	while ((n = take_name(path, name)) > 0) {
		if (n == 1 && **name == '.')
			continue;
		if (n == 2 && memcmp(*name, "..", n) == 0)
			n_up++;
		else if (n_up > 0)
			n_up--;
		else
			break;
	}
	return n;
}

static int
compare_names(const char *left, size_t n_left, const char *right,
	      size_t n_right)
{
	int rc = memcmp(left, right, n_left < n_right ? n_left : n_right);

	return rc ? rc : (n_left > n_right) - (n_left < n_right);
}

int
prf_annotated_line_by_file(const struct prf_annotated_line *left,
			   const struct prf_annotated_line *right)
{
	struct path_end a = path_end_of(left->directory, left->file),
			b = path_end_of(right->directory, right->file);
	const char *name_a = "", *name_b = "";
	size_t n_a;
	int rc;

	if (left->file == right->file && left->directory == right->directory)
		return 0;
	do {
		n_a = take_plain_name(&a, &name_a);
		size_t n_b = take_plain_name(&b, &name_b);
		rc = compare_names(name_a, n_a, name_b, n_b);
	} while (rc == 0 && n_a > 0);
	return rc;
}

static bool
is_same_text(const char *left, const char *right)
{
	return left == right || (left && right && strcmp(left, right) == 0);
}

static int
by_place(const void *a, const void *b)
{
	const struct prf_annotated_line *left = a, *right = b;
	int rc = prf_annotated_line_by_file(left, right);

	return rc ? rc
		  : (left->line > right->line) - (left->line < right->line);
}

/* The index of LINE of BINARY, which is added unless it is the latest: what is then
 * there more than once becomes one in sort_lines().  -ENOMEM. */
static int
take_line(struct prf_annotation *annotation, const struct prf_binary *binary,
	  const struct prf_line *line, size_t *index)
{
	struct prf_annotated_line *lines = annotation->lines;

	*index = PRF_ANNOTATED_NO_LINE;
	if (!line || !line->file || !line->line)
		return 0;
	const struct prf_annotated_line taken = {
		.file = line->file,
		.directory = line->directory,
		.line = line->line,
		.binary = binary,
	};
	if (annotation->n_lines > 0 &&
	    by_place(&lines[annotation->n_lines - 1], &taken) == 0) {
		*index = annotation->n_lines - 1;
		return 0;
	}
	if (annotation->n_lines == annotation->lines_room) {
		size_t room = annotation->lines_room * 2 + 64;

		lines = reallocarray(lines, room, sizeof *lines);
		if (!lines)
			return -ENOMEM;
		annotation->lines = lines;
		annotation->lines_room = room;
	}
	lines[annotation->n_lines] = taken;
	*index = annotation->n_lines++;
	return 0;
}

/* Makes one of lines that are the same and stand together. */
static void
join_lines(struct prf_annotation *annotation)
{
	struct prf_annotated_line *lines = annotation->lines;
	size_t last = 0;

	for (size_t i = 1; i < annotation->n_lines; i++)
		if (by_place(&lines[last], &lines[i]) == 0)
			prf_count_merge(&lines[last].count, &lines[i].count);
		else
			lines[++last] = lines[i];
	annotation->n_lines = last + 1;
}

/* Sorts the lines, each of which is there once from now on; code keeps its own. */
static int
sort_lines(struct prf_annotation *annotation)
{
	size_t n = annotation->n_lines;
	PRF_AUTO(prf_auto_free)
	struct prf_annotated_line *before = calloc(n + 1, sizeof *before);

	if (!before)
		return -ENOMEM;
	if (n == 0)
		return 0;
	memcpy(before, annotation->lines, n * sizeof *before);
	qsort(annotation->lines, n, sizeof *annotation->lines, by_place);
	join_lines(annotation);
	for (size_t i = 0; i < annotation->n_code; i++) {
		struct prf_annotated_code *code = &annotation->code[i];

		if (code->line == PRF_ANNOTATED_NO_LINE)
			continue;
		const struct prf_annotated_line *line =
			bsearch(&before[code->line], annotation->lines,
				annotation->n_lines, sizeof *before, by_place);
		code->line = (size_t)(line - annotation->lines);
	}
	return 0;
}

/* --- Ticks */

static int
add_tick(struct making *making, const struct prf_line_ticks *ticks)
{
	if (making->n_ticks == making->room) {
		size_t room = making->room * 2 + 64;
		struct tick *grown =
			reallocarray(making->ticks, room, sizeof *grown);

		if (!grown)
			return -ENOMEM;
		making->ticks = grown;
		making->room = room;
	}
	making->ticks[making->n_ticks++] =
		(struct tick){ticks->binary, ticks->vaddr, ticks->count};
	return 0;
}

static int
add_to_line(struct prf_annotation *annotation,
	    const struct prf_line_ticks *ticks)
{
	size_t index;
	int rc = take_line(annotation, ticks->binary, ticks->line, &index);

	if (rc == 0 && index != PRF_ANNOTATED_NO_LINE)
		prf_count_merge(&annotation->lines[index].count, &ticks->count);
	if (rc == 0)
		prf_count_merge(&annotation->count, &ticks->count);
	return rc;
}

static int
take_of_function(void *arg, const struct prf_line_ticks *ticks)
{
	struct making *making = arg;
	struct prf_annotation *annotation = making->annotation;

	if (ticks->binary != annotation->binary ||
	    !is_same_text(ticks->function, annotation->function))
		return 0;
	int rc = add_to_line(annotation, ticks);
	return rc == 0 ? add_tick(making, ticks) : rc;
}

/* Adds what TICKS are of, which the function is inlined into. */
static int
add_outer(struct prf_functions *into, const struct prf_line_ticks *ticks)
{
	const struct prf_function outer = {
		.name = ticks->function,
		.binary = ticks->binary,
		.lo = ticks->vaddr,
		.count = ticks->count,
	};

	if (!outer.name)
		return 0;
	/* Ticks come by address: mostly it is the last. */
	for (size_t i = into->n; i-- > 0;)
		if (is_same_text(into->all[i].name, outer.name)) {
			prf_count_merge(&into->all[i].count, &outer.count);
			return 0;
		}
	return prf_functions_add(into, &outer);
}

static int
take_of_inlined(void *arg, const struct prf_line_ticks *ticks)
{
	struct making *making = arg;
	struct prf_annotation *annotation = making->annotation;

	if (ticks->binary != annotation->binary ||
	    !prf_inlined_is_there(ticks->line, ticks->n_lines,
				  annotation->function))
		return 0;
	int rc = add_to_line(annotation, ticks);
	if (rc == 0)
		rc = add_outer(&annotation->into, ticks);
	return rc == 0 ? add_tick(making, ticks) : rc;
}

/* Is LINE known, and in the FILE that is wanted, which may lack leading
 * directories? */
static bool
is_wanted(const struct prf_line *line, const char *file)
{
	struct path_end wanted = path_end_of(NULL, file), path;
	const char *left = "", *right = "";
	size_t n = take_plain_name(&wanted, &left);
	bool is_same = n > 0;

	if (!line || !line->file || !line->line)
		return false;
	path = path_end_of(line->directory, line->file);
	for (; is_same && n > 0; n = take_plain_name(&wanted, &left)) {
		size_t n_right = take_plain_name(&path, &right);

		is_same = compare_names(left, n, right, n_right) == 0;
	}
	return is_same;
}

static int
take_of_file(void *arg, const struct prf_line_ticks *ticks)
{
	struct making *making = arg;

	if (!is_wanted(ticks->line, making->file))
		return 0;
	int rc = add_to_line(making->annotation, ticks);
	return rc == 0 ? add_tick(making, ticks) : rc;
}

/* --- Instructions */

/* Is an instruction that is made of the N LINES, the innermost first, to be shown? */
static bool
is_shown(const struct making *making, const struct prf_line *lines, size_t n)
{
	const struct prf_annotation *annotation = making->annotation;

	if (making->file)
		return n > 0 && is_wanted(lines, making->file);
	return !annotation->is_inlined ||
	       prf_inlined_is_there(lines, n, annotation->function);
}

static int
add_code(void *arg, const struct prf_instruction *instruction)
{
	struct making *making = arg;
	struct prf_annotation *annotation = making->annotation;
	struct prf_annotated_code code = {
		.binary = making->binary,
		.vaddr = instruction->vaddr,
		.n_bytes = instruction->n_bytes,
	};
	const struct prf_line *line = NULL;
	size_t n = making->lines
			   ? prf_lines_at(making->lines, code.vaddr, &line)
			   : 0;

	if (!is_shown(making, line, n))
		return 0;
	if (n == 0)
		line = NULL;
	int rc = take_line(annotation, making->binary, line, &code.line);
	if (rc != 0)
		return rc;
	if (annotation->n_code == annotation->code_room) {
		size_t room = annotation->code_room * 2 + 64;
		struct prf_annotated_code *grown =
			reallocarray(annotation->code, room, sizeof *grown);

		if (!grown)
			return -ENOMEM;
		annotation->code = grown;
		annotation->code_room = room;
	}
	code.text = strdup(instruction->text);
	if (!code.text)
		return -ENOMEM;
	annotation->code[annotation->n_code++] = code;
	return 0;
}

/* The symbol that an operand is in. */
static const char *
name_of(void *arg, uint64_t vaddr, uint64_t *begin)
{
	static const struct prf_style brief;
	struct making *making = arg;
	size_t n, at = prf_image_text_at(making->image, vaddr);
	const struct prf_text *texts = prf_image_texts(making->image, &n);

	if (at >= n || vaddr < texts[at].vaddr ||
	    (texts[at].kind != PRF_TEXT_FUNCTION &&
	     texts[at].kind != PRF_TEXT_PLT))
		return NULL;
	*begin = texts[at].vaddr;
	free(making->operand);
	making->operand = prf_name_columns_name(texts[at].name, &brief);
	return making->operand;
}

/* Disassembles the part of [LO, HI) that is of one text.  A profile has even
 * addresses alone; the first instruction can begin at the odd one behind. */
static int
disassemble(struct making *making, int fd, uint64_t lo, uint64_t hi,
	    struct prf_error *err)
{
	const struct prf_disassembly wanted = {
		.visit = add_code,
		.name_of = name_of,
		.arg = making,
	};
	size_t n, at = prf_image_text_at(making->image, lo);
	const struct prf_text *texts = prf_image_texts(making->image, &n);

	if (at < n && texts[at].vaddr == lo + 1)
		lo++;
	if (at < n && texts[at].hi < hi)
		hi = texts[at].hi;
	return prf_disassemble(fd, making->binary->path, lo, hi, &wanted, err);
}

/* Did a tick fall in [LO, HI)?  It is of the last byte of its counter. */
static bool
has_ticks(const struct making *making, uint64_t lo, uint64_t hi)
{
	size_t at = 0, end = making->n_own;

	while (at < end) {
		size_t mid = at + (end - at) / 2;

		if (making->own[mid].vaddr + PRF_HIST_BIN_BYTES - 1 < lo)
			at = mid + 1;
		else
			end = mid;
	}
	return at < making->n_own &&
	       making->own[at].vaddr + PRF_HIST_BIN_BYTES - 1 < hi;
}

/* Is what is to be shown in [LO, HI), of the function that is called NAME? */
static bool
has_code(const struct making *making, uint64_t lo, uint64_t hi,
	 const char *name)
{
	const struct prf_annotation *annotation = making->annotation;

	if (making->file)
		return has_ticks(making, lo, hi);
	if (!annotation->is_inlined)
		return is_same_text(name, annotation->function);
	for (size_t i = 0; i < annotation->into.n; i++)
		if (is_same_text(name, annotation->into.all[i].name))
			return true;
	return false;
}

static int
disassemble_pieces(struct making *making, int fd, struct prf_error *err)
{
	const struct prf_file *file = making->binary->file;
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < file->n_pieces; i++) {
		const struct prf_piece *piece = &file->pieces[i];

		if (has_code(making, piece->lo, piece->hi,
			     file->functions[piece->function].name))
			rc = disassemble(making, fd, piece->lo, piece->hi, err);
	}
	return rc;
}

/* A symbol of a list is good up to the next. */
static int
disassemble_symbols(struct making *making, int fd, struct prf_error *err)
{
	const struct prf_binary *binary = making->binary;
	const struct prf_symbol_list *symbols = &binary->symbols;
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < symbols->n; i++) {
		uint64_t begin = symbols->all[i].vaddr;
		uint64_t end = i + 1 < symbols->n ? symbols->all[i + 1].vaddr
						  : binary->hi;

		if (has_code(making, begin, end, symbols->all[i].name))
			rc = disassemble(making, fd, begin, end, err);
	}
	return rc;
}

static int
add_all_code(struct making *making, struct prf_binary_lines *lines,
	     struct prf_error *err)
{
	const struct prf_binary *binary = making->binary;

	if (binary->form == PRF_BINARY_BY_NAME)
		return prf_error_set(err, -ENOENT,
				     "%s: its functions are known by their "
				     "names alone, not where in them ticks "
				     "fell",
				     binary->name);
	PRF_AUTO(prf_auto_close) int fd = prf_binary_lines_open(lines, binary);
	if (fd < 0)
		return prf_error_set(err, fd,
				     "%s: %s; its instructions are not known",
				     binary->path,
				     fd == -ESTALE ? "is another file by now"
						   : strerror(-fd));
	PRF_AUTO(prf_image_auto) struct prf_image *image = NULL;
	const struct prf_debug_way way = {
		.servers = prf_binary_lines_servers(lines)};
	int rc = prf_image_open_fd(fd, binary->path, &way, &image, err);
	if (rc != 0)
		return rc;
	making->image = image;
	return binary->form == PRF_BINARY_BY_TEXT
		       ? disassemble_pieces(making, fd, err)
		       : disassemble_symbols(making, fd, err);
}

/* Ticks of a counter are of the instruction that begins in it, the latter of
 * two, or of the one that goes on there.  Instructions of the binary at hand are
 * those from AT on. */
static void
count_code(struct making *making, size_t at)
{
	struct prf_annotation *annotation = making->annotation;

	for (size_t i = 0; i < making->n_own && at < annotation->n_code; i++) {
		uint64_t last = making->own[i].vaddr + PRF_HIST_BIN_BYTES - 1;

		while (at + 1 < annotation->n_code &&
		       annotation->code[at + 1].vaddr <= last)
			at++;
		prf_count_merge(&annotation->code[at].count,
				&making->own[i].count);
	}
}

/* The instructions of BINARY, which has N ticks from FIRST on. */
static int
add_code_of(struct making *making, const struct prf_binary *binary,
	    size_t first, size_t n, struct prf_binary_lines *lines,
	    struct prf_error *err)
{
	size_t first_code = making->annotation->n_code;

	making->binary = binary;
	making->own = making->ticks ? &making->ticks[first] : NULL;
	making->n_own = n;
	making->lines = prf_binary_lines_of(lines, binary);
	int rc = add_all_code(making, lines, err);
	count_code(making, first_code);
	return rc;
}

/* Those of all binaries that have ticks; ERR has what is wrong with one of them. */
static int
add_code_of_all(struct making *making, struct prf_binary_lines *lines,
		struct prf_error *err)
{
	int rc = 0;

	for (size_t i = 0, n; i < making->n_ticks && rc != -ENOMEM; i += n) {
		const struct prf_binary *binary = making->ticks[i].binary;
		struct prf_error why = {0};

		n = 1;
		while (i + n < making->n_ticks &&
		       making->ticks[i + n].binary == binary)
			n++;
		int code_rc = add_code_of(making, binary, i, n, lines, &why);
		if (code_rc) {
			rc = code_rc;
			*err = why;
		}
	}
	return rc;
}

/* --- All of it */

static int
refuse_by_function(const char *wanted, struct prf_error *err)
{
	return prf_error_set(err, -ENOENT,
			     "%s: the calls of this profile are by function, "
			     "and where in it ticks fell is not known",
			     wanted);
}

static bool
is_by_function(const struct prf_profile *profile)
{
	bool is = false;

	for (size_t i = 0; i < profile->n_binaries; i++)
		is |= profile->binaries[i]->by_function;
	return is;
}

/* What ANNOTATION says that it is of. */
static int
annotate(struct prf_annotation *annotation, const struct prf_profile *profile,
	 struct prf_binary_lines *lines, struct prf_error *err)
{
	PRF_AUTO(clear) struct making making = {.annotation = annotation};

	if (annotation->binary->by_function)
		return refuse_by_function(annotation->function, err);
	int rc = prf_line_ticks_walk(profile, lines,
				     annotation->is_inlined ? take_of_inlined
							    : take_of_function,
				     &making);

	int code_rc = rc == 0 ? add_code_of(&making, annotation->binary, 0,
					    making.n_ticks, lines, err)
			      : 0;
	if (rc == 0 && code_rc != -ENOMEM)
		rc = sort_lines(annotation);
	prf_functions_sort(&annotation->into);
	return rc ? prf_error_set(err, rc, "out of memory") : code_rc;
}

int
prf_annotate_function(struct prf_annotation *annotation,
		      const struct prf_profile *profile,
		      const struct prf_binary *binary, const char *function,
		      struct prf_binary_lines *lines, struct prf_error *err)
{
	*annotation =
		(struct prf_annotation){.binary = binary, .function = function};
	return annotate(annotation, profile, lines, err);
}

int
prf_annotate_inlined(struct prf_annotation *annotation,
		     const struct prf_profile *profile,
		     const struct prf_binary *binary, const char *function,
		     struct prf_binary_lines *lines, struct prf_error *err)
{
	*annotation = (struct prf_annotation){
		.binary = binary,
		.function = function,
		.is_inlined = true,
	};
	return annotate(annotation, profile, lines, err);
}

int
prf_annotate_file(struct prf_annotation *annotation,
		  const struct prf_profile *profile, const char *file,
		  struct prf_binary_lines *lines, struct prf_error *err)
{
	PRF_AUTO(clear)
	struct making making = {.annotation = annotation, .file = file};

	*annotation = (struct prf_annotation){0};
	int rc = prf_line_ticks_walk(profile, lines, take_of_file, &making);
	int code_rc = rc == 0 ? add_code_of_all(&making, lines, err) : 0;
	if (rc == 0 && code_rc != -ENOMEM)
		rc = sort_lines(annotation);
	if (rc != 0)
		return prf_error_set(err, rc, "out of memory");
	if (annotation->n_lines > 0)
		return code_rc;
	return is_by_function(profile)
		       ? refuse_by_function(file, err)
		       : prf_error_set(err, -ENOENT,
				       "%s: no function or source file of that "
				       "name has ticks",
				       file);
}

void
prf_annotation_clear(struct prf_annotation *annotation)
{
	for (size_t i = 0; i < annotation->n_code; i++)
		free(annotation->code[i].text);
	free(annotation->code);
	free(annotation->lines);
	prf_functions_clear(&annotation->into);
	*annotation = (struct prf_annotation){0};
}
