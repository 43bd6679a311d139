/* diff.h - the tables of several profiles, old and new ones, side by side: the
 * rows that are called the same are one, and what has changed is told. */
#ifndef PRF_VIEW_TABLE_DIFF_H
#define PRF_VIEW_TABLE_DIFF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/attr.h"
#include "profile/change.h"
#include "profile/count.h"
#include "profile/named_counts.h"
#include "view/table/rows.h"
#include "view/table/run_course.h"

/* A path of functions in a run; parents come first. */
struct prf_diff_node {
	size_t parent;
	size_t row; /* of the run; its key, when the diff is made */
	uint64_t self;
};

/* One profile. */
struct prf_diff_run {
	const char *path, *command; /* the caller's; NULL: not known */
	const char *clock;          /* "cpu", "user", "wall"; "": not known */
	const char *program; /* the name of its main binary; NULL: not known */
	uint64_t samples;
	uint32_t rate_hz;
	double seconds;               /* of the whole run */
	struct prf_rows rows;         /* the diff's; clones are joined */
	struct prf_run_course course; /* the same; empty: not known */
	struct prf_diff_node *nodes;  /* the same; [0] is the root; NULL: they
				      * are not wanted */
	size_t n_nodes;

	/* Made by prf_diff_make(): the newest run has no binary that is called
	 * as its program, which has another name there. */
	bool is_renamed;
};

struct prf_diff_row {
	const char *binary; /* "" where there is no such column */
	char *name;         /* its own; mostly the binary's text is behind it */
	bool is_demangled;
	bool is_path; /* the end of its name is what tells */
	const struct prf_change *change;
	bool is_new, is_gone; /* without a sample on the other side */
};

/* All zero: nothing yet. */
struct prf_diff {
	enum prf_rows_by by;
	bool by_total;             /* of functions with all that they call */
	bool has_nodes;            /* the runs; it has both changes, then */
	struct prf_diff_run *runs; /* the old ones first; the caller's */
	size_t n_old, n_new;

	/* Made by prf_diff_make(): what matters most comes first. */
	struct prf_diff_row *rows;
	size_t n;
	struct prf_changes self, total; /* total: where it is by total, or has
					 * nodes */
	struct prf_named_counts keys;   /* "name, newline, binary" */
};

/* Compares the runs.  Functions are the same if they and their binaries have
 * one name, but for what compilers add to those of clones; where the programs
 * that were run are called differently, these are taken for one.  Processes and
 * threads have no numbers here.  -ENOMEM. */
int prf_diff_make(struct prf_diff *diff) PRF_MUST_CHECK;
/* Also the rows of its runs. */
void prf_diff_clear(struct prf_diff *diff);

/* The changes that its rows show. */
const struct prf_changes *prf_diff_changes(const struct prf_diff *diff);
/* The number of ROW's key, which both changes are in the order of. */
size_t prf_diff_key(const struct prf_diff *diff,
		    const struct prf_diff_row *row);
/* Seconds of a run, in the mean of one side. */
double prf_diff_seconds(const struct prf_diff *diff, bool is_new);
/* What a row is, and several are; and do they have a binary, too? */
const char *prf_diff_heading(const struct prf_diff *diff); /* "function" */
const char *prf_diff_plural(const struct prf_diff *diff);  /* "functions" */
bool prf_diff_has_binary(const struct prf_diff *diff);

#endif
