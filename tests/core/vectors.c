#include "core/vectors.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/suite.h"

static const char header[] =
	"id,kind,follows,width,base,size,offset,scale,regions,pc,result,"
	"lenient,region,index,byte,address,before,ticks,after,state,script,"
	"note,text_svr4_solaris,solaris_kernel,text_freebsd,bsd_kernel,"
	"text_hpux,glibc_profil,glibc_sprofil,glibc_sprofil_first_tick,papi,"
	"product_in_64_bits";

static void
give_up(const char *what, const char *line)
{
	fprintf(stderr, "vectors.csv: %s: %s\n", what, line);
	abort();
}

/* Ends the field that begins at TEXT, without its quotes; what follows it is
 * returned, NULL after the last. */
static char *
cut_field(char *text, char **field)
{
	char *to = text;
	bool quoted = *text == '"';

	*field = text;
	for (text += quoted; *text; text++) {
		if (quoted && *text == '"') {
			if (text[1] != '"')
				break;
			text++;
		} else if (!quoted && *text == ',') {
			break;
		}
		*to++ = *text;
	}
	if (quoted && *text++ != '"')
		give_up("a quote is open", *field);
	char end = *text;
	*to = '\0';
	return end == ',' ? text + 1 : NULL;
}

static void
cut_line(struct vector *vector)
{
	char *rest = vector->line;

	for (int i = 0; i < N_COLUMNS; i++) {
		if (!rest)
			give_up("too few fields", vector->line);
		rest = cut_field(rest, &vector->field[i]);
	}
	if (rest)
		give_up("too many fields", vector->line);
}

static bool
read_line(FILE *file, struct vector *vector)
{
	if (!fgets(vector->line, sizeof vector->line, file))
		return false;
	if (!strchr(vector->line, '\n'))
		give_up("a line is too long", vector->line);
	vector->line[strcspn(vector->line, "\r\n")] = '\0';
	return true;
}

const struct vector *
vectors_read(size_t *n)
{
	static struct vector vectors[1000];
	static size_t n_read;
	const char *name = prf_test_file("fixtures/vectors.csv");

	*n = n_read;
	if (n_read > 0)
		return vectors;

	FILE *file = fopen(name, "r");
	if (!file || !read_line(file, &vectors[0]))
		give_up("cannot be read", name);
	if (strcmp(vectors[0].line, header) != 0)
		give_up("other columns", vectors[0].line);
	while (read_line(file, &vectors[n_read])) {
		cut_line(&vectors[n_read]);
		if (++n_read == sizeof vectors / sizeof *vectors)
			give_up("too many rows", name);
	}
	fclose(file);
	*n = n_read;
	return vectors;
}

int
vectors_for_each(const char *kind, void (*test)(const struct vector *row))
{
	size_t n;
	const struct vector *rows = vectors_read(&n);
	int n_run = 0;

	for (size_t i = 0; i < n; i++) {
		if (strcmp(rows[i].field[COL_kind], kind) != 0)
			continue;
		test(&rows[i]);
		n_run++;
	}
	return n_run;
}

/* The rows that tell what somebody's code does, and that are not followed. */
static const struct deviation {
	const char *id;
	uint64_t theirs, ours;
	const char *why;
} deviations[] = {
	{"C015", 0, 65535,
	 "HP-UX's page has no counter incremented that would overflow, and "
	 "does not except the one of the overflow entry (row C012).  glibc's "
	 "sprofil keeps to that for all counters but this one, which wraps: "
	 "its mistake, not another document."},
};

uint64_t
vectors_count_after(const struct vector *row)
{
	uint64_t after = vectors_number(row->field[COL_after]);

	for (size_t i = 0; i < sizeof deviations / sizeof *deviations; i++) {
		if (strcmp(deviations[i].id, row->field[COL_id]) != 0)
			continue;
		ck_assert_msg(after == deviations[i].theirs,
			      "%s has changed; we deviate for: %s",
			      deviations[i].id, deviations[i].why);
		return deviations[i].ours;
	}
	return after;
}

uint64_t
vectors_number(const char *text)
{
	char *end;
	uint64_t n = strtoull(text, &end, 0);

	ck_assert_msg(*text && !*end, "\"%s\" is no number", text);
	return n;
}
