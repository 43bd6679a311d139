/* style.h - how a table is printed, which depends on where it goes. */
#ifndef PRF_VIEW_TABLE_STYLE_H
#define PRF_VIEW_TABLE_STYLE_H

#include <stdbool.h>
#include <stddef.h>

enum { PRF_STYLE_MIN_WIDTH = 60 };

/* All zero: whole lines without colours. */
struct prf_style {
	size_t width;     /* of a line, in characters, at least the least;
			   * 0: nothing is cut */
	bool has_colours; /* the terminal obeys the codes of colours */
	bool has_lines;   /* it has the characters that boxes are drawn with */
	bool full_names;  /* with parameters and template arguments */
};

#endif
