#include "src/options/format.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "src/options/pattern.h"

struct row {
	const char *name;
	enum prf_format format;
	const char *usual;  /* the name of the file */
	const char *rank;   /* the same: ranks of MPI share a directory */
	const char *suffix; /* beside others */
};

static const struct row rows[] = {
	{"gmon", PRF_FORMAT_GMON, "gmon.out", "gmon.out.%r", ""},
	{"pcsample", PRF_FORMAT_PCSAMPLE, "profrun.trace", "profrun.trace.%r",
	 ".trace"},
	{"raw", PRF_FORMAT_RAW, "pcsamples.raw", "pcsamples.raw.%r", ".raw"},
};

enum { N_ROWS = sizeof rows / sizeof *rows };

/* The row whose name is the LENGTH bytes at WORD. */
static const struct row *
find(const char *word, size_t length)
{
	for (size_t i = 0; i < N_ROWS; i++)
		if (strlen(rows[i].name) == length &&
		    !strncmp(rows[i].name, word, length))
			return &rows[i];
	return NULL;
}

static const char *
usual_name(const struct row *row)
{
	return prf_pattern_rank() ? row->rank : row->usual;
}

int
prf_formats_parse(const char *list, unsigned *formats, struct prf_error *err)
{
	const char *word = list;

	*formats = 0;
	for (;; word++) {
		size_t length = strcspn(word, ",");
		const struct row *row = find(word, length);

		if (!row)
			return prf_error_set(
				err, -EINVAL,
				"-f %s: unknown; give gmon, pcsample or raw, "
				"or several with commas between them",
				list);
		*formats |= row->format;
		word += length;
		if (!*word)
			return 0;
	}
}

const char *
prf_format_word(size_t index)
{
	return index < N_ROWS ? rows[index].name : NULL;
}

struct prf_format_name
prf_format_name(enum prf_format format, unsigned formats, const char *output)
{
	const struct row *row = rows;

	while (row->format != format)
		row++;
	if (!output)
		return (struct prf_format_name){usual_name(row), ""};
	return (struct prf_format_name){
		output, formats == (unsigned)format ? "" : row->suffix};
}

const char *
prf_formats_pattern(unsigned formats, const char *output)
{
	const struct row *row = rows;

	while (!(formats & row->format))
		row++;
	return output ? output : usual_name(row);
}
