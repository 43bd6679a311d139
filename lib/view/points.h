/* points.h - where the ticks of an object fell, one place after the other. */
#ifndef PRF_VIEW_POINTS_H
#define PRF_VIEW_POINTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "view/object.h"

/* Begun as {.object = OBJECT}, which is settled. */
struct prf_points {
	const struct prf_object *object;
	size_t next; /* of the points that were made up */
	/* With a histogram: the text at hand, and the one to look at next. */
	const uint32_t *bins;
	size_t bin, n_bins;
	uint64_t lo;
	size_t next_text;
};

/* The points of a text, side by side: one for each PRF_HIST_BIN_BYTES from LO
 * on, but for those without ticks. */
struct prf_points_text {
	uint64_t lo;
	const uint32_t *ticks;
	size_t n;
};

/* The next one, ascending and each in a piece; false: that was all.  They add
 * up to the object's total, but for what a full counter could not take
 * (prf_hist_stats). */
bool prf_points_next(struct prf_points *points, struct prf_point *point);

/* The same, all points of the next text at once.  False also where there are
 * none but those that were made up, one after the other. */
bool prf_points_next_text(struct prf_points *points,
			  struct prf_points_text *text);

#endif
