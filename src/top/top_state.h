/* top_state.h - what a user of "profrun top" has chosen, and what keys do to it.
 * Pure. */
#ifndef PRF_SRC_TOP_TOP_STATE_H
#define PRF_SRC_TOP_TOP_STATE_H

#include <stdbool.h>
#include <stddef.h>

#include "view/table/rows.h"

/* Beside characters, which are themselves. */
enum prf_top_key {
	PRF_TOP_KEY_TAB = '\t',
	PRF_TOP_KEY_ENTER = '\n',
	PRF_TOP_KEY_ESCAPE = 27,
	PRF_TOP_KEY_UP = 0x200000, /* there are no such characters */
	PRF_TOP_KEY_DOWN,
	PRF_TOP_KEY_PAGE_UP,
	PRF_TOP_KEY_PAGE_DOWN,
	PRF_TOP_KEY_HOME,
	PRF_TOP_KEY_END,
	PRF_TOP_KEY_BACKSPACE,
	PRF_TOP_KEY_SUSPEND,
	PRF_TOP_KEY_INTERRUPT,
};

/* What is left to be done. */
enum prf_top_action {
	PRF_TOP_NOTHING,
	PRF_TOP_DRAW,
	PRF_TOP_QUIT,
	PRF_TOP_COUNT,   /* counting is to go on, or to pause */
	PRF_TOP_RESET,   /* what was counted is to be forgotten */
	PRF_TOP_SUSPEND, /* as by ^Z */
};

enum { PRF_TOP_FILTER_BYTES = 64 };

/* All zero: functions by their own time, of late. */
struct prf_top_state {
	enum prf_rows_by by;
	bool by_total;    /* sorted by it */
	bool since_begin; /* all that was counted, not only of late */
	bool is_frozen;   /* the picture is; counting goes on */
	bool shows_help;
	bool is_typing;   /* the filter */
	bool is_expanded; /* callers and callees of the selected row */
	char filter[PRF_TOP_FILTER_BYTES];
	size_t selected; /* row, of those that pass the filter */
	size_t first;    /* row in sight */
};

/* KEY was pressed while N_ROWS passed the filter, of which N_IN_SIGHT fit. */
enum prf_top_action prf_top_state_press(struct prf_top_state *state, int key,
					size_t n_rows, size_t n_in_sight);
/* There are N_ROWS now, of which N_IN_SIGHT fit: selects one that there is, and
 * brings it into sight. */
void prf_top_state_settle(struct prf_top_state *state, size_t n_rows,
			  size_t n_in_sight);
/* Does a row of NAME and BINARY pass the filter?  Case does not matter. */
bool prf_top_state_passes(const struct prf_top_state *state, const char *name,
			  const char *binary);

/* Lines of help, the last one NULL. */
extern const char *const prf_top_help[];

#endif
