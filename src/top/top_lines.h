/* top_lines.h - the picture of "profrun top", line by line.  Pure. */
#ifndef PRF_SRC_TOP_TOP_LINES_H
#define PRF_SRC_TOP_TOP_LINES_H

#include <stdbool.h>
#include <stddef.h>

#include "core/attr.h"
#include "src/top/top_data.h"
#include "src/top/top_state.h"
#include "view/table/style.h"

enum prf_top_line_kind {
	PRF_TOP_LINE_TITLE,
	PRF_TOP_LINE_STATE,
	PRF_TOP_LINE_HEADING,
	PRF_TOP_LINE_ROW,
	PRF_TOP_LINE_SELECTED,
	PRF_TOP_LINE_RELATIVE, /* a caller or a callee of the selected one */
	PRF_TOP_LINE_NOTE,
};

struct prf_top_line {
	char *text;
	enum prf_top_line_kind kind;
	double percent; /* of a row */
};

/* All zero: none. */
struct prf_top_lines {
	struct prf_top_line *all;
	size_t n, room;
	size_t n_rows, n_in_sight; /* that pass the filter; that fit */
};

/* What is known of the run beside what it has counted. */
struct prf_top_title {
	const char *what; /* is watched */
	double seconds;   /* since the begin */
	double window_s;  /* that the data are of */
	bool since_begin; /* the data are, not only of late */
	bool is_wall;     /* the clock: ticks of threads that wait, too */
	bool is_paused;   /* counting is */
	bool has_ended;
};

/* In HEIGHT lines of STYLE's width; STATE is settled.  -ENOMEM. */
int prf_top_lines_of(const struct prf_top_data *data,
		     struct prf_top_state *state,
		     const struct prf_top_title *title,
		     const struct prf_style *style, size_t height,
		     struct prf_top_lines *lines) PRF_MUST_CHECK;
void prf_top_lines_clear(struct prf_top_lines *lines);

#endif
