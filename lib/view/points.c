#include "view/points.h"

/* Goes to the first text from NEXT_TEXT on that may have ticks. */
static bool
enter_text(struct prf_points *points)
{
	const struct prf_hist *hist = points->object->hist;
	size_t text = prf_hist_next(hist, points->next_text);

	if (text == PRF_HIST_OUTSIDE)
		return false;
	points->bins = prf_hist_bins(hist, text, &points->n_bins);
	points->bin = 0;
	points->lo = points->object->pieces[text].lo;
	points->next_text = text + 1;
	return true;
}

static bool
next_in_hist(struct prf_points *points, struct prf_point *point)
{
	do {
		for (; points->bin < points->n_bins; points->bin++) {
			uint64_t off = points->bin * PRF_HIST_BIN_BYTES;
			uint32_t ticks = points->bins[points->bin];

			if (!ticks)
				continue;
			*point = (struct prf_point){points->lo + off, ticks};
			points->bin++;
			return true;
		}
	} while (enter_text(points));
	return false;
}

bool
prf_points_next_text(struct prf_points *points, struct prf_points_text *text)
{
	if (!points->object->hist || !enter_text(points))
		return false;
	*text = (struct prf_points_text){points->lo, points->bins,
					 points->n_bins};
	points->bin = points->n_bins;
	return true;
}

bool
prf_points_next(struct prf_points *points, struct prf_point *point)
{
	const struct prf_object *object = points->object;

	if (object->hist)
		return next_in_hist(points, point);
	if (points->next == object->n_points)
		return false;
	*point = object->points[points->next++];
	return true;
}
