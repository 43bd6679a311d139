/* terminal.h - what a table is printed on. */
#ifndef PRF_SRC_OUTPUT_TERMINAL_H
#define PRF_SRC_OUTPUT_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "view/table/style.h"

/* As wide as a terminal usually is. */
enum { PRF_TERMINAL_USUAL_WIDTH = 80 };

/* Does neither NO_COLOR nor TERM speak against them? */
bool prf_terminal_wants_colours(void);

/* The style for STREAM.  On a terminal lines are as wide as that, and shares
 * have colours, unless NO_COLOR is set or TERM is dumb, and trees are drawn with
 * lines if the locale is UTF-8; elsewhere lines have ELSEWHERE characters (0: they are whole). */
struct prf_style prf_terminal_style(FILE *stream, size_t elsewhere,
				    bool full_names);

#endif
