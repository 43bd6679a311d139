#include "view/export/share_export.h"

#include <inttypes.h>

#include "view/table/share.h"

enum { PERCENT_DIGITS = 4, SECOND_DIGITS = 6 };

static struct prf_interval
interval_of(const struct prf_share_export *of, const struct prf_count *count)
{
	return prf_interval_widen(prf_count_interval(count, &of->all),
				  of->doubt);
}

double
prf_share_export_seconds(const struct prf_share_export *of,
			 const struct prf_count *count)
{
	return (double)count->ticks * (double)of->period_ns / 1e9;
}

void
prf_share_export_csv(const struct prf_share_export *of,
		     const struct prf_count *count, FILE *out)
{
	const struct prf_interval interval = interval_of(of, count);

	fprintf(out, "%" PRIu64 ",%.*f,%.*f,%.*f", count->ticks, PERCENT_DIGITS,
		prf_share_percent(count, &of->all), PERCENT_DIGITS,
		100 * interval.lo, PERCENT_DIGITS, 100 * interval.hi);
}

void
prf_share_export_json(const struct prf_share_export *of, const char *name,
		      const struct prf_count *count, struct prf_json *json)
{
	const struct prf_interval interval = interval_of(of, count);

	prf_json_object(json, name);
	prf_json_number(json, "ticks", count->ticks);
	prf_json_real(json, "percent", prf_share_percent(count, &of->all),
		      PERCENT_DIGITS);
	prf_json_real(json, "low", 100 * interval.lo, PERCENT_DIGITS);
	prf_json_real(json, "high", 100 * interval.hi, PERCENT_DIGITS);
	prf_json_real(json, "seconds", prf_share_export_seconds(of, count),
		      SECOND_DIGITS);
	prf_json_end(json);
}
