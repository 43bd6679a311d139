/* rows.h - where ticks fell, as a flat table: by function, source line, binary,
 * program, process, thread or MPI rank; for people, and as CSV. */
#ifndef PRF_VIEW_TABLE_ROWS_H
#define PRF_VIEW_TABLE_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "core/attr.h"
#include "core/error.h"
#include "profile/binary_lines.h"
#include "profile/call_graph.h"
#include "profile/count.h"
#include "profile/profile.h"
#include "view/table/style.h"

struct prf_row {
	char *name;
	char *binary; /* "" where the table has no such column */
	struct prf_count count;
	struct prf_count total; /* with all that it has called */
	uint64_t calls;         /* of the function */
	size_t place;           /* among all, once they are sorted by name */
	bool is_demangled;      /* its name; then it may be shortened */
	bool inlined;           /* the function, in those that call it */
	bool is_path;           /* the end of its name is what tells */
};

/* All zero: none. */
struct prf_rows {
	struct prf_row *rows;
	size_t n, room;
	struct prf_count all;
	double doubt;                   /* see share.h */
	struct prf_binary_lines *lines; /* for rows by line; the caller's */
	bool has_totals;
	bool has_calls;
	bool has_inlined; /* functions may be inlined: CSV tells which are */
	/* Totals are to be added up: those of a function, its clones and its
	 * parts (clones.h) have each sample once together. */
	bool joins_clones;
};

enum prf_rows_by {
	PRF_ROWS_BY_FUNCTION,
	PRF_ROWS_BY_LINE,
	PRF_ROWS_BY_BINARY,
	PRF_ROWS_BY_PROGRAM,
	PRF_ROWS_BY_PROCESS,
	PRF_ROWS_BY_THREAD,
	PRF_ROWS_BY_RANK, /* of an MPI program: of a profile by thread */
	PRF_N_ROWS_BY,
};

/* What a row is, in a word; does it have a binary besides? */
const char *prf_rows_heading(enum prf_rows_by by);
bool prf_rows_has_binary(enum prf_rows_by by);

/* Adds what PROFILE has counted; names of functions are demangled.  What has no
 * line is in rows by line under its function's name.  -ENOMEM. */
int prf_rows_add(struct prf_rows *rows, const struct prf_profile *profile,
		 enum prf_rows_by by) PRF_MUST_CHECK;
/* Adds the functions of GRAPH, which may be inlined, with their own ticks.
 * -ENOMEM. */
int prf_rows_add_graph(struct prf_rows *rows,
		       const struct prf_call_graph *graph) PRF_MUST_CHECK;
/* Gives the rows of functions, which become one where they have one name and
 * binary, their totals by GRAPH, of the same profile; functions of which only
 * callees have ticks are rows, too.  A sample counts once in a row, whatever
 * recursion it is in.  -ENOMEM. */
int prf_rows_add_totals(struct prf_rows *rows,
			const struct prf_call_graph *graph) PRF_MUST_CHECK;
/* *NUMBER: of FUNCTION's row, when they have totals and were not sorted since.
 * -ENOMEM. */
int prf_rows_find(const struct prf_rows *rows,
		  const struct prf_call_function *function,
		  size_t *number) PRF_MUST_CHECK;
/* Gives the rows of functions, or new ones without ticks, how often each was
 * called, itself by itself too: the arcs of PROFILE are counted calls.  To be
 * sorted then.  -ENOMEM. */
int prf_rows_add_calls(struct prf_rows *rows,
		       const struct prf_profile *profile) PRF_MUST_CHECK;
void prf_rows_clear(struct prf_rows *rows);

/* The most ticks first; rows of one name and binary become one. */
void prf_rows_sort(struct prf_rows *rows);
/* The largest total first.  They were sorted before. */
void prf_rows_sort_by_total(struct prf_rows *rows);
/* A line each: shares, seconds, name, binary; see
 * share_columns.h.  -ENOMEM: perhaps a part. */
int prf_rows_print(const struct prf_rows *rows, enum prf_rows_by by,
		   uint64_t period_ns, const struct prf_style *style,
		   FILE *out) PRF_MUST_CHECK;
/* The same for programs, with ticks, a line of headings and whole names; totals
 * and calls are the last columns.  RFC 4180, but lines end in a newline alone. */
void prf_rows_print_csv(const struct prf_rows *rows, enum prf_rows_by by,
			uint64_t period_ns, FILE *out);

#endif
