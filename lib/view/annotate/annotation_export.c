#include "view/annotate/annotation_export.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/scope.h"
#include "image/demangle.h"
#include "view/export/share_export.h"
#include "view/table/plain.h"

/* A line, or an instruction, which may have a line, too. */
struct item {
	const struct prf_annotated_line *line; /* NULL: none */
	const struct prf_annotated_code *code; /* NULL: it is the line itself */
	const struct prf_count *count;
};

typedef int put_item(const struct item *item, const struct prf_share_export *of,
		     void *to);

/* --- Which items */

static bool
is_wanted(const struct prf_count *count, const struct prf_annotation_look *look)
{
	return look->is_whole || count->ticks;
}

static int
walk_lines(const struct prf_annotation *annotation,
	   const struct prf_annotation_look *look,
	   const struct prf_share_export *of, put_item *put, void *to)
{
	size_t n = look->no_source ? 0 : annotation->n_lines;
	int rc = 0;

	for (size_t i = 0; !rc && i < n; i++) {
		const struct prf_annotated_line *line = &annotation->lines[i];
		const struct item item = {.line = line, .count = &line->count};

		if (is_wanted(item.count, look))
			rc = put(&item, of, to);
	}
	return rc;
}

static int
walk_code(const struct prf_annotation *annotation,
	  const struct prf_annotation_look *look,
	  const struct prf_share_export *of, put_item *put, void *to)
{
	int rc = 0;

	for (size_t i = 0; !rc && i < annotation->n_code; i++) {
		const struct prf_annotated_code *code = &annotation->code[i];
		struct item item = {.code = code, .count = &code->count};

		if (code->line < annotation->n_lines)
			item.line = &annotation->lines[code->line];
		if (is_wanted(item.count, look))
			rc = put(&item, of, to);
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

int
prf_annotation_export(const struct prf_annotation *annotation,
		      const struct prf_annotation_look *look,
		      uint64_t period_ns, struct prf_json *json)
{
	const struct prf_share_export of = {look->all, look->doubt, period_ns};
	int rc = put_function(annotation, json);

	if (!rc)
		rc = put_into(annotation, &of, json);
	if (rc)
		return rc;
	prf_share_export_json(&of, "self", &annotation->count, json);
	prf_json_list(json, "lines");
	rc = walk_lines(annotation, look, &of, put_json, json);
	prf_json_end(json);
	prf_json_list(json, "instructions");
	if (!rc)
		rc = walk_code(annotation, look, &of, put_json, json);
	prf_json_end(json);
	return rc;
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
	fputc('\n', out);
	return 0;
}

int
prf_annotation_export_csv(const struct prf_annotation *annotation,
			  const struct prf_annotation_look *look,
			  uint64_t period_ns, FILE *out)
{
	const struct prf_share_export of = {look->all, look->doubt, period_ns};

	fputs("kind,ticks,percent,low,high,seconds,file,line,vaddr,"
	      "instruction\n",
	      out);
	int rc = walk_lines(annotation, look, &of, print_csv, out);
	return rc ? rc : walk_code(annotation, look, &of, print_csv, out);
}
