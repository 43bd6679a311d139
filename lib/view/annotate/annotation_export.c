#include "view/annotate/annotation_export.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/scope.h"
#include "image/demangle.h"
#include "view/export/share_export.h"
#include "view/table/plain.h"

/* What is told, and how. */
struct telling {
	const struct prf_annotation *annotation;
	const struct prf_annotation_look *look;
	struct prf_share_export of;
	bool *newer; /* by line: its file is newer than a binary */
};

/* A line, or an instruction, which may have a line, too. */
struct item {
	const struct prf_annotated_line *line; /* NULL: none */
	const struct prf_annotated_code *code; /* NULL: it is the line itself */
	const struct prf_count *count;
	bool is_newer; /* the file of its line */
};

typedef int put_item(const struct item *item, const struct prf_share_export *of,
		     void *to);

/* --- Files that are newer */

/* Behind which line the file of line FIRST ends. */
static size_t
end_of_file(const struct prf_annotation *annotation, size_t first)
{
	const struct prf_annotated_line *lines = annotation->lines;
	size_t end = first + 1;

	while (end < annotation->n_lines &&
	       !prf_annotated_line_by_file(&lines[first], &lines[end]))
		end++;
	return end;
}

/* Servers are not asked for it: what they have is not newer. */
static int
look_at_file(struct telling *telling, size_t first, size_t end)
{
	const struct prf_annotation_look *look = telling->look;
	const struct prf_annotated_line *lines =
		&telling->annotation->lines[first];
	PRF_AUTO(prf_source_text_clear) struct prf_source_text text = {0};
	int rc = prf_source_text_find(&text, look->source_root,
				      lines->directory, lines->file);

	if (rc)
		return rc == -ENOMEM ? rc : 0;
	bool is_newer = prf_source_supply_is_newer(&look->supply, &text, lines,
						   end - first);
	for (size_t i = first; i < end; i++)
		telling->newer[i] = is_newer;
	return 0;
}

static int
begin(struct telling *telling, const struct prf_annotation *annotation,
      const struct prf_annotation_look *look, uint64_t period_ns)
{
	size_t n = annotation->n_lines;
	int rc = 0;

	*telling = (struct telling){
		.annotation = annotation,
		.look = look,
		.of = {look->all, look->doubt, period_ns},
		.newer = calloc(n + 1, sizeof *telling->newer),
	};
	if (!telling->newer)
		return -ENOMEM;
	for (size_t first = 0, end; !rc && first < n; first = end) {
		end = end_of_file(annotation, first);
		rc = look_at_file(telling, first, end);
	}
	return rc;
}

static void
end_telling(struct telling *telling)
{
	free(telling->newer);
}

/* --- Which items */

static bool
is_wanted(const struct prf_count *count, const struct prf_annotation_look *look)
{
	return look->is_whole || count->ticks;
}

static void
give_line(struct item *item, const struct telling *telling, size_t line)
{
	if (line >= telling->annotation->n_lines)
		return;
	item->line = &telling->annotation->lines[line];
	item->is_newer = telling->newer[line];
}

static int
walk_lines(const struct telling *telling, put_item *put, void *to)
{
	const struct prf_annotation *annotation = telling->annotation;
	size_t n = telling->look->no_source ? 0 : annotation->n_lines;
	int rc = 0;

	for (size_t i = 0; !rc && i < n; i++) {
		struct item item = {.count = &annotation->lines[i].count};

		give_line(&item, telling, i);
		if (is_wanted(item.count, telling->look))
			rc = put(&item, &telling->of, to);
	}
	return rc;
}

static int
walk_code(const struct telling *telling, put_item *put, void *to)
{
	const struct prf_annotation *annotation = telling->annotation;
	int rc = 0;

	for (size_t i = 0; !rc && i < annotation->n_code; i++) {
		const struct prf_annotated_code *code = &annotation->code[i];
		struct item item = {.code = code, .count = &code->count};

		give_line(&item, telling, code->line);
		if (is_wanted(item.count, telling->look))
			rc = put(&item, &telling->of, to);
	}
	return rc;
}

/* --- JSON */

static int
put_json(const struct item *item, const struct prf_share_export *of, void *to)
{
	PRF_AUTO(prf_auto_free)
	char *file = item->line ? prf_annotated_line_path(item->line) : NULL;
	struct prf_json *json = to;

	if (item->line && !file)
		return -ENOMEM;
	prf_json_object(json, NULL);
	if (item->code) {
		prf_json_hex(json, "vaddr", item->code->vaddr);
		prf_json_number(json, "bytes", item->code->n_bytes);
		prf_json_text(json, "text", item->code->text);
		prf_json_text(json, "binary", item->code->binary->path);
	}
	prf_json_text(json, "file", file);
	if (item->line)
		prf_json_number(json, "line", item->line->line);
	else
		prf_json_null(json, "line");
	prf_share_export_json(of, "self", item->count, json);
	prf_json_end(json);
	return 0;
}

static int
put_function(const struct prf_annotation *annotation, struct prf_json *json)
{
	PRF_AUTO(prf_auto_free)
	char *name = annotation->function ? prf_demangle(annotation->function)
					  : NULL;

	if (annotation->function && !name)
		return -ENOMEM;
	prf_json_text(json, "function", name);
	prf_json_text(json, "binary",
		      annotation->binary ? annotation->binary->path : NULL);
	return 0;
}

static int
put_into(const struct prf_annotation *annotation,
	 const struct prf_share_export *of, struct prf_json *json)
{
	if (!annotation->is_inlined) {
		prf_json_null(json, "inlined_into");
		return 0;
	}
	prf_json_list(json, "inlined_into");
	for (size_t i = 0; i < annotation->into.n; i++) {
		const struct prf_function *outer = &annotation->into.all[i];
		PRF_AUTO(prf_auto_free) char *name = prf_demangle(outer->name);

		if (!name)
			return -ENOMEM;
		prf_json_object(json, NULL);
		prf_json_text(json, "function", name);
		prf_share_export_json(of, "self", &outer->count, json);
		prf_json_end(json);
	}
	prf_json_end(json);
	return 0;
}

static int
put_newer(const struct telling *telling, struct prf_json *json)
{
	const struct prf_annotation *annotation = telling->annotation;

	prf_json_list(json, "newer");
	for (size_t i = 0; i < annotation->n_lines;
	     i = end_of_file(annotation, i)) {
		if (!telling->newer[i])
			continue;
		PRF_AUTO(prf_auto_free)
		char *path = prf_annotated_line_path(&annotation->lines[i]);

		if (!path)
			return -ENOMEM;
		prf_json_text(json, NULL, path);
	}
	prf_json_end(json);
	return 0;
}

int
prf_annotation_export(const struct prf_annotation *annotation,
		      const struct prf_annotation_look *look,
		      uint64_t period_ns, struct prf_json *json)
{
	PRF_AUTO(end_telling) struct telling telling;
	int rc = begin(&telling, annotation, look, period_ns);

	if (!rc)
		rc = put_function(annotation, json);
	if (!rc)
		rc = put_into(annotation, &telling.of, json);
	if (rc)
		return rc;
	prf_share_export_json(&telling.of, "self", &annotation->count, json);
	prf_json_list(json, "lines");
	rc = walk_lines(&telling, put_json, json);
	prf_json_end(json);
	prf_json_list(json, "instructions");
	if (!rc)
		rc = walk_code(&telling, put_json, json);
	prf_json_end(json);
	return rc ? rc : put_newer(&telling, json);
}

/* --- CSV */

static int
print_csv(const struct item *item, const struct prf_share_export *of, void *to)
{
	PRF_AUTO(prf_auto_free)
	char *file = item->line ? prf_annotated_line_path(item->line) : NULL;
	FILE *out = to;

	if (item->line && !file)
		return -ENOMEM;
	fputs(item->code ? "instruction," : "line,", out);
	prf_share_export_csv(of, item->count, out);
	fprintf(out, ",%.6f,", prf_share_export_seconds(of, item->count));
	if (item->line) {
		prf_plain_print_quoted(file, "\"", '"', out);
		fprintf(out, ",%" PRIu32 ",", item->line->line);
	} else {
		fputs(",,", out);
	}
	if (item->code) {
		fprintf(out, "0x%" PRIx64 ",", item->code->vaddr);
		prf_plain_print_quoted(item->code->text, "\"", '"', out);
	} else {
		fputc(',', out);
	}
	fprintf(out, ",%s,", item->line ? item->is_newer ? "1" : "0" : "");
	if (item->code)
		prf_plain_print_quoted(item->code->binary->path, "\"", '"',
				       out);
	fputc('\n', out);
	return 0;
}

int
prf_annotation_export_csv(const struct prf_annotation *annotation,
			  const struct prf_annotation_look *look,
			  uint64_t period_ns, FILE *out)
{
	PRF_AUTO(end_telling) struct telling telling;
	int rc = begin(&telling, annotation, look, period_ns);

	fputs("kind,ticks,percent,low,high,seconds,file,line,vaddr,"
	      "instruction,newer,binary\n",
	      out);
	if (!rc)
		rc = walk_lines(&telling, print_csv, out);
	return rc ? rc : walk_code(&telling, print_csv, out);
}
