#include "view/table/share.h"

#include <math.h>

/* From this share on a number has this colour, as in perf report. */
static const struct heat {
	double percent;
	const char *begin, *end;
} heats[] = {
	{5, "\033[31m", "\033[m"},
	{0.5, "\033[32m", "\033[m"},
	{0, "", ""},
};

static const struct heat *
heat_of(double percent, const struct prf_style *style)
{
	const struct heat *heat = heats;

	while (heat->percent > (style->has_colours ? percent : 0))
		heat++;
	return heat;
}

double
prf_share_percent(const struct prf_count *count, const struct prf_count *all)
{
	return 100 * (double)count->ticks / (double)all->ticks;
}

static void
print_percent(const struct prf_count *count, const struct prf_count *all,
	      const struct prf_style *style, FILE *out)
{
	double percent = prf_share_percent(count, all);
	const struct heat *heat = heat_of(percent, style);

	fprintf(out, "  %s%6.2f%s", heat->begin, percent, heat->end);
}

/* In per cent, rounded outwards to STEPS for each; but not for the last bit of a
 * double. */
static struct prf_interval
interval_of(const struct prf_count *count, const struct prf_count *all,
	    double doubt, double steps)
{
	const struct prf_interval interval =
		prf_interval_widen(prf_count_interval(count, all), doubt);

	return (struct prf_interval){
		floor(100 * steps * interval.lo + 1e-6) / steps,
		ceil(100 * steps * interval.hi - 1e-6) / steps,
	};
}

void
prf_share_print(const struct prf_count *count, const struct prf_count *all,
		double doubt, const struct prf_style *style, FILE *out)
{
	const struct prf_interval interval =
		interval_of(count, all, doubt, 100);

	print_percent(count, all, style, out);
	fprintf(out, "  %5.2f .. %6.2f", interval.lo, interval.hi);
}

void
prf_share_print_range(const struct prf_count *count,
		      const struct prf_count *all, double doubt,
		      const struct prf_style *style, FILE *out)
{
	const struct prf_interval interval = interval_of(count, all, doubt, 10);

	print_percent(count, all, style, out);
	fprintf(out, "  %4.1f-%-5.1f", interval.lo, interval.hi);
}

void
prf_share_print_rest(uint64_t rest, const struct prf_count *all, FILE *out)
{
	fprintf(out, "  %6.2f%*s", 100 * (double)rest / (double)all->ticks,
		PRF_SHARE_WIDTH - 8, "");
}
