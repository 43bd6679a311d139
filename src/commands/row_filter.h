/* row_filter.h - which rows of a table are shown. */
#ifndef PRF_SRC_COMMANDS_ROW_FILTER_H
#define PRF_SRC_COMMANDS_ROW_FILTER_H

#include <regex.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/attr.h"
#include "core/error.h"
#include "view/table/rows.h"

/* All zero: all of them. */
struct prf_row_filter {
	bool has_focus, has_ignore;
	regex_t focus, ignore; /* of a row's name or binary */
	size_t max;            /* 0: no limit */
};

/* WORD is an extended regular expression.  -EINVAL: ERR says why it is none. */
int prf_row_filter_focus(struct prf_row_filter *filter, const char *word,
			 struct prf_error *err) PRF_MUST_CHECK;
int prf_row_filter_ignore(struct prf_row_filter *filter, const char *word,
			  struct prf_error *err) PRF_MUST_CHECK;
void prf_row_filter_clear(struct prf_row_filter *filter);

/* Leaves out of ROWS what FILTER does not want; their sum stays that of all. */
void prf_row_filter_match(const struct prf_row_filter *filter,
			  struct prf_rows *rows);
/* Of what is left, leaves the first rows; returns how many went. */
size_t prf_row_filter_cut(const struct prf_row_filter *filter,
			  struct prf_rows *rows);

#endif
