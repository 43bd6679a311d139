#include "src/options/format.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/options/pattern.h"
#include "view/export/export_format.h"

struct row {
	const char *name;
	enum prf_format format;
	const char *usual;  /* the name of the file */
	const char *rank;   /* the same: ranks of MPI share a directory */
	const char *suffix; /* beside others */
	const char *about;
};

static const struct row own_rows[] = {
	{"gmon", PRF_FORMAT_GMON, "gmon.out", "gmon.out.%r", "",
	 "gmon.out, default"},
	{"pcsample", PRF_FORMAT_PCSAMPLE, "profrun.trace", "profrun.trace.%r",
	 ".trace", "a trace of all samples"},
	{"raw", PRF_FORMAT_RAW, "pcsamples.raw", "pcsamples.raw.%r", ".raw",
	 "only program counters"},
};

enum { N_OWN = sizeof own_rows / sizeof *own_rows };

/* Row INDEX: our own, then those of other tools.  Its name is NULL: there are no
 * more. */
static struct row
row_at(size_t index)
{
	if (index < N_OWN)
		return own_rows[index];
	const struct prf_export_format *export =
		prf_export_format(index - N_OWN);
	return export ? (struct row){export->name,
				     prf_format_export(index - N_OWN),
				     export->usual,
				     export->rank,
				     export->suffix,
				     export->about}
		      : (struct row){0};
}

/* The row whose name is the LENGTH bytes at WORD; the name is NULL: none is. */
static struct row
find(const char *word, size_t length)
{
	size_t i = 0;
	struct row row = row_at(i);

	while (row.name && (strlen(row.name) != length ||
			    strncmp(row.name, word, length) != 0))
		row = row_at(++i);
	return row;
}

/* The first row that is one of FORMATS. */
static struct row
first_of(unsigned formats)
{
	size_t i = 0;

	while (!(formats & (unsigned)row_at(i).format))
		i++;
	return row_at(i);
}

static const char *
usual_name(const struct row *row)
{
	return prf_pattern_rank() ? row->rank : row->usual;
}

/* "gmon, pcsample or raw". */
static void
list_names(char *text, size_t size)
{
	size_t used = 0;

	text[0] = '\0';
	for (size_t i = 0; row_at(i).name && used < size; i++) {
		bool is_last = !row_at(i + 1).name;

		used += (size_t)snprintf(text + used, size - used, "%s%s",
					 !i        ? ""
					 : is_last ? " or "
						   : ", ",
					 row_at(i).name);
	}
}

static int
refuse(const char *list, struct prf_error *err)
{
	char names[200];

	list_names(names, sizeof names);
	return prf_error_set(err, -EINVAL,
			     "-f %s: unknown; give %s, or several with commas "
			     "between them",
			     list, names);
}

unsigned
prf_formats_usual(bool has_stacks)
{
	static const char keeper[] = "pprof";
	const struct row row = find(keeper, strlen(keeper));

	return PRF_FORMAT_GMON | (has_stacks ? (unsigned)row.format : 0);
}

int
prf_formats_parse(const char *list, unsigned *formats, struct prf_error *err)
{
	const char *word = list;

	*formats = 0;
	for (;; word++) {
		size_t length = strcspn(word, ",");
		const struct row row = find(word, length);

		if (!row.name)
			return refuse(list, err);
		*formats |= (unsigned)row.format;
		word += length;
		if (!*word)
			return 0;
	}
}

bool
prf_formats_are_by_thread(unsigned formats)
{
	const struct prf_export_format *export;

	for (size_t i = 0; (export = prf_export_format(i)); i++)
		if (formats & (unsigned)prf_format_export(i) &&
		    export->by_thread)
			return true;
	return false;
}

bool
prf_formats_need_stacks(unsigned formats)
{
	const struct prf_export_format *export;

	for (size_t i = 0; (export = prf_export_format(i)); i++)
		if (formats & (unsigned)prf_format_export(i) &&
		    export->needs_stacks)
			return true;
	return false;
}

const char *
prf_format_word(size_t index)
{
	return row_at(index).name;
}

char *
prf_formats_describe(void)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	fputs("What to write: ", out);
	for (size_t i = 0; row_at(i).name; i++)
		fprintf(out, "%s (%s), ", row_at(i).name, row_at(i).about);
	fputs("or several with commas between them", out);
	if (!fclose(out))
		return text;
	free(text);
	return NULL;
}

struct prf_format_name
prf_format_name(enum prf_format format, unsigned formats, const char *output)
{
	const struct row row = first_of((unsigned)format);

	if (!output)
		return (struct prf_format_name){usual_name(&row), ""};
	return (struct prf_format_name){
		output, formats == (unsigned)format ? "" : row.suffix};
}

const char *
prf_formats_pattern(unsigned formats, const char *output)
{
	const struct row row = first_of(formats);

	return output ? output : usual_name(&row);
}
