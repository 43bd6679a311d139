#include "inproc/cputime.h"

void
prf_cputime_end(struct prf_cputime *cputime, struct prf_cputime_rest *rest,
		int64_t used_ns, uint64_t ticks)
{
	int64_t told_ns = (int64_t)ticks * cputime->tick_ns;

	int64_t lost_ns = used_ns - told_ns;

	cputime->told_ns += told_ns;
	if (lost_ns > 0)
		rest->lost_ns += lost_ns - lost_ns % cputime->tick_ns;
}

void
prf_cputime_balance(const struct prf_cputime *cputime,
		    struct prf_cputime_rest *rest, int64_t process_ns,
		    int64_t known_ns)
{
	rest->unknown_ns = process_ns - known_ns - cputime->told_ns;
}

/* Counts as many of N ticks as there is time for. */
static uint64_t
tell(struct prf_cputime *cputime, struct prf_cputime_rest *rest, int64_t ns,
     int64_t n)
{
	int64_t ticks = ns / cputime->tick_ns;

	if (ticks > n)
		ticks = n;
	if (ticks <= 0)
		return 0;
	cputime->told_ns += ticks * cputime->tick_ns;
	rest->unknown_ns -= ticks * cputime->tick_ns;
	return (uint64_t)ticks;
}

uint64_t
prf_cputime_charge(struct prf_cputime *cputime, struct prf_cputime_rest *rest,
		   int64_t used_ns)
{
	return tell(cputime, rest, rest->unknown_ns - rest->lost_ns,
		    (used_ns + cputime->tick_ns - 1) / cputime->tick_ns);
}

uint64_t
prf_cputime_unseen(struct prf_cputime *cputime, struct prf_cputime_rest *rest,
		   uint32_t kept_ticks)
{
	int64_t max_kept_ns = (int64_t)kept_ticks * cputime->tick_ns;
	int64_t kept_ns = rest->unknown_ns - rest->lost_ns;

	if (kept_ns > max_kept_ns)
		kept_ns = max_kept_ns;
	if (kept_ns < 0)
		kept_ns = 0;
	rest->lost_ns = 0;
	return tell(cputime, rest, rest->unknown_ns - kept_ns, INT64_MAX);
}

uint32_t
prf_cputime_patience(uint32_t ticks, enum prf_cputime_news news)
{
	if (news == PRF_CPUTIME_NEWS_THREAD)
		return PRF_LOOK_TICKS_BUSY;
	if (news == PRF_CPUTIME_NEWS_NONE || ticks < PRF_LOOK_TICKS)
		return PRF_LOOK_TICKS;
	return 2 * ticks < PRF_LOOK_TICKS_MAX ? 2 * ticks : PRF_LOOK_TICKS_MAX;
}
