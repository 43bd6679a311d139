#include "view/annotate/annotation_heading.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/scope.h"
#include "view/table/name_columns.h"
#include "view/table/plain.h"
#include "view/table/share.h"

enum { MOST_INTO = 5, NAME_MIN = 16, BINARY_MIN = 8 };

static const char function_begins[] = "  function  ",
		  into_begins[] = "  into      ",
		  more_begins[] = "            ";

static size_t
width_of(size_t line, size_t others, size_t least)
{
	return line > others + least ? line - others : least;
}

static void
print_cut(const char *text, size_t width, const struct prf_style *style,
	  FILE *out)
{
	if (style->width)
		prf_plain_print_middle_cut(text, width, out);
	else
		prf_plain_print(text, out);
}

/* BEGINS NAME IN BINARY BEHIND, with less of the binary's name, and then of NAME,
 * where the line has no room for it; BINARY may be NULL. */
static void
print_line(const char *begins, const char *name, const char *in,
	   const char *binary, const char *behind,
	   const struct prf_style *style, FILE *out)
{
	size_t others = strlen(begins) + strlen(in) + strlen(behind);
	size_t n_binary = prf_plain_width(binary);
	size_t room = width_of(style->width, others, NAME_MIN);
	size_t n_name = prf_plain_width(name);

	if (n_name > NAME_MIN && n_name + n_binary > room)
		n_name = width_of(room, n_binary, NAME_MIN);
	n_binary = width_of(room, n_name, BINARY_MIN);
	fputs(begins, out);
	print_cut(name, n_name, style, out);
	fputs(in, out);
	print_cut(binary, n_binary, style, out);
	fprintf(out, "%s\n", behind);
}

static int
print_into(const struct prf_annotation *annotation, const struct prf_count *all,
	   const struct prf_style *style, FILE *out)
{
	const struct prf_functions *into = &annotation->into;

	for (size_t i = 0; i < into->n && i < MOST_INTO; i++) {
		PRF_AUTO(prf_auto_free)
		char *name = prf_name_columns_name(into->all[i].name, style);
		char behind[32];

		if (!name)
			return -ENOMEM;
		snprintf(behind, sizeof behind, ", %.2f %%",
			 prf_share_percent(&into->all[i].count, all));
		print_line(i == 0 ? into_begins : more_begins, name, "", "",
			   behind, style, out);
	}
	if (into->n > MOST_INTO)
		fprintf(out, "%sand %zu more\n", more_begins,
			into->n - MOST_INTO);
	return 0;
}

int
prf_annotation_heading_print(const struct prf_annotation *annotation,
			     const char *shown, const struct prf_count *all,
			     const struct prf_style *style, FILE *out)
{
	char behind[80];

	if (!annotation->function)
		return 0;
	snprintf(behind, sizeof behind, ", %.2f %% of the ticks%s",
		 prf_share_percent(&annotation->count, all),
		 annotation->is_inlined ? " in all" : " are its own");
	print_line(function_begins, shown,
		   annotation->is_inlined ? " (inlined) in " : " in ",
		   annotation->binary->name, behind, style, out);
	int rc = print_into(annotation, all, style, out);
	fputc('\n', out);
	return rc;
}
