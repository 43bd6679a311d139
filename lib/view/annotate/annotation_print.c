#include "view/annotate/annotation_print.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/scope.h"
#include "view/annotate/source_text.h"
#include "view/table/name_columns.h"
#include "view/table/plain.h"
#include "view/table/share.h"

enum { CONTEXT = 3, TAB = 8, NUMBER_WIDTH = 8 };

/* Parts with less than this of the function's ticks are left out. */
static const double part_min = 0.01;

/* Rows [LO, HI] of a list, in one piece. */
struct part {
	uint64_t lo, hi;
	uint64_t ticks;
};

struct parts {
	struct part *all;
	size_t n, n_shown;
	uint64_t left_out; /* ticks */
};

/* --- Which parts */

static int
by_ticks(const void *a, const void *b)
{
	const struct part *left = a, *right = b;

	if (left->ticks != right->ticks)
		return left->ticks > right->ticks ? -1 : 1;
	return left->lo > right->lo ? 1 : -1;
}

/* A row with TICKS, with what stands around it; rows come ascending. */
static void
add_part(struct parts *parts, uint64_t row, uint64_t ticks)
{
	uint64_t lo = row > CONTEXT ? row - CONTEXT : 0;
	struct part *last = parts->n ? &parts->all[parts->n - 1] : NULL;

	if (!last || lo > last->hi + 1) {
		last = &parts->all[parts->n++];
		*last = (struct part){.lo = lo};
	}
	last->hi = row + CONTEXT;
	last->ticks += ticks;
}

/* The hottest come first; those with next to nothing are left out. */
static void
choose_parts(struct parts *parts, const struct prf_annotation *annotation,
	     const struct prf_annotation_look *look)
{
	double least = part_min * (double)annotation->count.ticks;

	parts->n_shown = parts->n;
	if (look->is_whole || !parts->n)
		return;
	qsort(parts->all, parts->n, sizeof *parts->all, by_ticks);
	while (parts->n_shown > 1 &&
	       (double)parts->all[parts->n_shown - 1].ticks < least)
		parts->left_out += parts->all[--parts->n_shown].ticks;
}

static void
print_left_out(const struct parts *parts,
	       const struct prf_annotation_look *look, FILE *out)
{
	size_t n = parts->n - parts->n_shown;

	if (!n)
		return;
	prf_share_print_rest(parts->left_out, &look->all, out);
	fprintf(out, "  in %zu more part%s; --all shows them\n", n,
		n == 1 ? "" : "s");
}

/* --- Rows */

static void
print_share(const struct prf_count *count,
	    const struct prf_annotation_look *look, FILE *out)
{
	if (count && count->ticks)
		prf_share_print(count, &look->all, look->doubt, look->style,
				out);
	else
		fprintf(out, "%*s", PRF_SHARE_WIDTH, "");
}

/* TEXT without tabs.  NULL: out of memory. */
static char *
without_tabs(const char *text)
{
	size_t n = 0, n_tabs = 0, column = 0, from = 0;

	for (const char *at = text; *at; at++)
		n_tabs += *at == '\t';
	char *plain = malloc(strlen(text) + n_tabs * TAB + 1);
	if (!plain)
		return NULL;
	for (const char *at = text; *at; at++) {
		if (*at == '\t') {
			plain[n] = '\0';
			column += prf_plain_width(plain + from);
			do
				plain[n++] = ' ';
			while (++column % TAB);
			from = n;
		} else if (*at != '\r') {
			plain[n++] = *at;
		}
	}
	plain[n] = '\0';
	return plain;
}

/* TEXT behind the columns; nothing at all where there is none. */
static int
print_rest(const char *text, const struct prf_annotation_look *look, FILE *out)
{
	enum { BEFORE = PRF_SHARE_WIDTH + NUMBER_WIDTH + 2 };
	PRF_AUTO(prf_auto_free) char *plain = without_tabs(text);

	if (!plain)
		return -ENOMEM;
	fputs(*plain ? "  " : "", out);
	if (look->style->width > BEFORE + TAB)
		prf_plain_print_cut(plain, look->style->width - BEFORE, out);
	else
		prf_plain_print(plain, out);
	fputc('\n', out);
	return 0;
}

static int
print_source_row(uint32_t number, const char *text,
		 const struct prf_count *count,
		 const struct prf_annotation_look *look, FILE *out)
{
	print_share(count, look, out);
	fprintf(out, "%*" PRIu32, NUMBER_WIDTH, number);
	return print_rest(text, look, out);
}

static int
print_code_row(const struct prf_annotated_code *code, int indent,
	       const struct prf_annotation_look *look, FILE *out)
{
	PRF_AUTO(prf_auto_free) char *text = NULL;

	if (asprintf(&text, "%*s%" PRIx64 ":  %s", indent, "", code->vaddr,
		     code->text) < 0)
		return -ENOMEM;
	print_share(&code->count, look, out);
	fprintf(out, "%*s", NUMBER_WIDTH, "");
	return print_rest(text, look, out);
}

/* --- Source */

/* An annotation, and its instructions by line: those of line I are ORDER[BEGINS[I]]
 * to ORDER[BEGINS[I + 1] - 1]; those of none stand behind the others. */
struct listing {
	const struct prf_annotation *annotation;
	size_t *order, *begins;
};

static void
clear_listing(struct listing *listing)
{
	free(listing->order);
	free(listing->begins);
}

/* Which line CODE stands below. */
static size_t
line_of(const struct listing *listing, const struct prf_annotated_code *code)
{
	size_t n = listing->annotation->n_lines;

	return code->line < n ? code->line : n;
}

static int
sort_code(struct listing *listing)
{
	const struct prf_annotation *annotation = listing->annotation;
	size_t n = annotation->n_lines, n_code = annotation->n_code;
	PRF_AUTO(prf_auto_free) size_t *next = calloc(n + 1, sizeof *next);

	listing->order = calloc(n_code + 1, sizeof *listing->order);
	listing->begins = calloc(n + 2, sizeof *listing->begins);
	if (!next || !listing->order || !listing->begins)
		return -ENOMEM;
	for (size_t i = 0; i < n_code; i++)
		listing->begins[line_of(listing, &annotation->code[i]) + 1]++;
	for (size_t i = 0; i <= n; i++) {
		next[i] = listing->begins[i];
		listing->begins[i + 1] += listing->begins[i];
	}
	for (size_t i = 0; i < n_code; i++)
		listing->order[next[line_of(listing, &annotation->code[i])]++] =
			i;
	return 0;
}

/* The instructions of LINE that have ticks, or all of them. */
static int
print_code_of(const struct listing *listing, size_t line,
	      const struct prf_annotation_look *look, FILE *out)
{
	int rc = 0;

	for (size_t i = listing->begins[line];
	     rc == 0 && i < listing->begins[line + 1]; i++) {
		const struct prf_annotated_code *code =
			&listing->annotation->code[listing->order[i]];

		if (look->is_whole || code->count.ticks)
			rc = print_code_row(code, 4, look, out);
	}
	return rc;
}

/* Lines LO to HI of TEXT; those of LINES, of one file, from FIRST to BEHIND. */
static int
print_part(const struct listing *listing, size_t first, size_t behind,
	   const struct part *part, const struct prf_source_text *text,
	   const struct prf_annotation_look *look, FILE *out)
{
	const struct prf_annotated_line *lines = listing->annotation->lines;
	size_t at = first;
	int rc = 0;

	for (uint64_t number = part->lo; rc == 0 && number <= part->hi;
	     number++) {
		const char *line = prf_source_text_line(text, (uint32_t)number);
		const struct prf_annotated_line *annotated = NULL;

		while (at < behind && lines[at].line < number)
			at++;
		if (at < behind && lines[at].line == number)
			annotated = &lines[at];
		if (!line &&
		    (!annotated || !(annotated->count.ticks || look->is_whole)))
			continue;
		rc = print_source_row((uint32_t)number, line ? line : "",
				      annotated ? &annotated->count : NULL,
				      look, out);
		if (rc == 0 && annotated)
			rc = print_code_of(listing, at, look, out);
	}
	return rc;
}

/* What stands behind the path of the file of N LINES. */
static const char *
file_remark(const struct prf_annotated_line *lines, size_t n,
	    const struct prf_source_text *text,
	    const struct prf_annotation_look *look)
{
	if (!text->path)
		return "  (not found)";
	return prf_source_supply_is_newer(&look->supply, text, lines, n)
		       ? "  (newer than the program: lines may be others)"
		       : "";
}

static int
print_file_heading(const struct prf_annotated_line *lines, size_t n,
		   const struct prf_source_text *text,
		   const struct prf_annotation_look *look, FILE *out)
{
	enum { INDENT = 2 };
	const char *remark = file_remark(lines, n, text, look);
	size_t width = look->style->width;
	PRF_AUTO(prf_auto_free)
	char *whole = text->path ? strdup(text->path)
				 : prf_annotated_line_path(lines);

	if (!whole)
		return -ENOMEM;
	PRF_AUTO(prf_auto_free)
	char *path = width ? prf_name_columns_path_end(whole, width,
						       INDENT + strlen(remark))
			   : strdup(whole);
	if (!path)
		return -ENOMEM;
	fprintf(out, "\n%*s", INDENT, "");
	prf_plain_print(path, out);
	fprintf(out, "%s\n", remark);
	return 0;
}

static int
read_supplied(struct prf_source_text *text,
	      const struct prf_annotated_line *line,
	      const struct prf_annotation_look *look)
{
	PRF_AUTO(prf_auto_free) char *path = prf_annotated_line_path(line);

	if (!path)
		return -ENOMEM;
	PRF_AUTO(prf_auto_close)
	int fd = look->supply.find && *path == '/'
			 ? look->supply.find(look->supply.arg, line, path)
			 : -ENOENT;
	return fd < 0 ? -ENOENT : prf_source_text_read_fd(text, fd, path);
}

static int
read_source(struct prf_source_text *text, const struct prf_annotated_line *line,
	    const struct prf_annotation_look *look)
{
	int rc = prf_source_text_read(text, look->source_root, line->directory,
				      line->file);

	return rc == 0 || rc == -ENOMEM ? rc : read_supplied(text, line, look);
}

/* All lines of one file: [FIRST, BEHIND) of the annotation's; one that is not
 * found adds to *N_MISSING. */
static int
print_file(const struct listing *listing, size_t first, size_t behind,
	   const struct prf_annotation_look *look, size_t *n_missing, FILE *out)
{
	const struct prf_annotated_line *lines = listing->annotation->lines;
	PRF_AUTO(prf_source_text_clear) struct prf_source_text text = {0};
	PRF_AUTO(prf_auto_free)
	struct part *room = calloc(behind - first, sizeof *room);
	struct parts parts = {.all = room};
	int rc = read_source(&text, &lines[first], look);

	if (!room || rc == -ENOMEM)
		return -ENOMEM;
	for (size_t i = first; i < behind; i++)
		if (lines[i].count.ticks || look->is_whole)
			add_part(&parts, lines[i].line, lines[i].count.ticks);
	choose_parts(&parts, listing->annotation, look);
	*n_missing += !text.path;
	rc = print_file_heading(&lines[first], behind - first, &text, look,
				out);
	for (size_t i = 0; rc == 0 && i < parts.n_shown; i++) {
		if (i > 0)
			fprintf(out, "%*s...\n",
				PRF_SHARE_WIDTH + NUMBER_WIDTH - 3, "");
		rc = print_part(listing, first, behind, &parts.all[i], &text,
				look, out);
	}
	print_left_out(&parts, look, out);
	return rc;
}

/* Lines [FIRST, BEHIND) are of one file. */
struct file {
	size_t first, behind;
	uint64_t ticks;
};

static int
by_file_ticks(const void *a, const void *b)
{
	const struct file *left = a, *right = b;

	if (left->ticks != right->ticks)
		return left->ticks > right->ticks ? -1 : 1;
	return left->first > right->first ? 1 : -1;
}

static size_t
find_files(const struct prf_annotation *annotation, struct file *files)
{
	const struct prf_annotated_line *lines = annotation->lines;
	size_t n = 0;

	for (size_t i = 0; i < annotation->n_lines; i++) {
		if (i == 0 ||
		    prf_annotated_line_by_file(&lines[i], &lines[i - 1]))
			files[n++] = (struct file){.first = i};
		files[n - 1].behind = i + 1;
		files[n - 1].ticks += lines[i].count.ticks;
	}
	qsort(files, n, sizeof *files, by_file_ticks);
	return n;
}

/* The instructions that are of no line, behind those of all lines: nothing that is of
 * the function is missing. */
static int
print_no_line(const struct listing *listing,
	      const struct prf_annotation_look *look, FILE *out)
{
	const struct prf_annotation *annotation = listing->annotation;
	size_t n = annotation->n_lines;
	bool is_there = listing->begins[n] < listing->begins[n + 1];
	struct prf_count count = annotation->count;

	for (size_t i = 0; i < n; i++)
		prf_count_subtract(&count, &annotation->lines[i].count);
	if (!count.ticks && !(is_there && look->is_whole))
		return 0;
	fprintf(out, "\n  no line: %.2f %%\n",
		prf_share_percent(&count, &look->all));
	return print_code_of(listing, n, look, out);
}

static int
print_source(const struct prf_annotation *annotation,
	     const struct prf_annotation_look *look, FILE *out)
{
	PRF_AUTO(prf_auto_free)
	struct file *files = calloc(annotation->n_lines, sizeof *files);
	PRF_AUTO(clear_listing)
	struct listing listing = {annotation, NULL, NULL};
	int rc = files ? sort_code(&listing) : -ENOMEM;

	if (rc != 0)
		return rc;
	size_t n = find_files(annotation, files), n_missing = 0;
	for (size_t i = 0; rc == 0 && i < n; i++)
		if (files[i].ticks || look->is_whole)
			rc = print_file(&listing, files[i].first,
					files[i].behind, look, &n_missing, out);
	if (rc == 0)
		rc = print_no_line(&listing, look, out);
	if (rc == 0 && n_missing)
		fputs("\n--source=DIR tells where files are that were not "
		      "found.\n",
		      out);
	return rc;
}

/* --- Instructions alone */

static int
print_code(const struct prf_annotation *annotation,
	   const struct prf_annotation_look *look, FILE *out)
{
	size_t n = annotation->n_code;
	PRF_AUTO(prf_auto_free) struct part *room = calloc(n, sizeof *room);
	struct parts parts = {.all = room};
	int rc = room ? 0 : -ENOMEM;

	if (rc != 0)
		return rc;
	for (size_t i = 0; i < n; i++)
		if (annotation->code[i].count.ticks || look->is_whole)
			add_part(&parts, i, annotation->code[i].count.ticks);
	choose_parts(&parts, annotation, look);
	fputc('\n', out);
	for (size_t i = 0; rc == 0 && i < parts.n_shown; i++) {
		if (i > 0)
			fprintf(out, "%*s...\n", PRF_SHARE_WIDTH + NUMBER_WIDTH,
				"");
		for (uint64_t at = parts.all[i].lo;
		     rc == 0 && at <= parts.all[i].hi && at < n; at++)
			rc = print_code_row(&annotation->code[at], 0, look,
					    out);
	}
	print_left_out(&parts, look, out);
	return rc;
}

int
prf_annotation_print(const struct prf_annotation *annotation,
		     const struct prf_annotation_look *look, FILE *out)
{
	int rc = 0;

	if (annotation->n_lines > 0 && !look->no_source) {
		fputs(PRF_SHARE_HEADING "    line  source\n", out);
		rc = print_source(annotation, look, out);
	} else if (annotation->n_code > 0) {
		fputs(PRF_SHARE_HEADING "          instruction\n", out);
		rc = print_code(annotation, look, out);
	}
	if (rc == 0 && annotation->n_code > 0)
		fputs("\nSkid: a thread is seen a little behind the "
		      "instruction "
		      "that took the time.\nNo single instruction is to blame: "
		      "read it with its neighbours.\n",
		      out);
	return rc;
}
