#include "profile/sides.h"

#include <math.h>

static void
add(struct prf_sampled *sum, const struct prf_sampled *sampled)
{
	sum->k += sampled->k;
	sum->n += sampled->n;
}

void
prf_sides_add(struct prf_sides *sides, const struct prf_sampled *sampled,
	      bool is_new)
{
	add(is_new ? &sides->new.seen : &sides->old.seen, sampled);
}

struct prf_sides
prf_sides_in(const struct prf_sides *sides, const struct prf_count *counts,
	     const struct prf_sides_runs *runs)
{
	struct prf_sides in = *sides;

	in.old.seen = in.new.seen = (struct prf_sampled){0};
	for (size_t run = 0; run < runs->n; run++) {
		struct prf_count all = runs->totals[run];

		if (runs->is_beside)
			prf_count_merge(&all, &counts[run]);
		const struct prf_sampled sampled =
			prf_count_sampled(&counts[run], &all);
		prf_sides_add(&in, &sampled, run >= runs->n_old);
	}
	return in;
}

struct prf_sampled
prf_side_worth(const struct prf_side *side)
{
	return (struct prf_sampled){
		.k = side->seen.k / side->times,
		.n = side->seen.n / side->times,
	};
}

static double
share_of(const struct prf_sampled *sampled)
{
	return sampled->n > 0 ? sampled->k / sampled->n : 0;
}

double
prf_side_share(const struct prf_side *side)
{
	return share_of(&side->seen);
}

double
prf_sides_share(const struct prf_sides *sides)
{
	return (share_of(&sides->old.seen) + share_of(&sides->new.seen)) / 2;
}

double
prf_sides_spread(const struct prf_sides *sides)
{
	const struct prf_sampled old = prf_side_worth(&sides->old),
				 new = prf_side_worth(&sides->new);
	double p = (share_of(&old) + share_of(&new)) / 2;

	return sqrt(p * (1 - p) * (1 / old.n + 1 / new.n));
}

double
prf_sides_deviation(const struct prf_sides *sides)
{
	const struct prf_sampled old = prf_side_worth(&sides->old),
				 new = prf_side_worth(&sides->new);
	double spread = prf_sides_spread(sides);

	return spread > 0 ? (share_of(&new) - share_of(&old)) / spread : 0;
}
