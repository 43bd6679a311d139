#include "inproc/ledger.h"

void
prf_ledger_end(struct prf_ledger *ledger, struct prf_ledger_rest *rest,
	       int64_t used_ns, uint64_t ticks)
{
	int64_t told_ns = (int64_t)ticks * ledger->tick_ns;

	int64_t lost_ns = used_ns - told_ns;

	ledger->told_ns += told_ns;
	if (lost_ns > 0)
		rest->lost_ns += lost_ns - lost_ns % ledger->tick_ns;
}

void
prf_ledger_balance(const struct prf_ledger *ledger,
		   struct prf_ledger_rest *rest, int64_t process_ns,
		   int64_t known_ns)
{
	rest->unknown_ns = process_ns - known_ns - ledger->told_ns;
}

/* Of N ticks as many as are there. */
static uint64_t
tell(struct prf_ledger *ledger, struct prf_ledger_rest *rest, int64_t ns,
     int64_t n)
{
	int64_t ticks = ns / ledger->tick_ns;

	if (ticks > n)
		ticks = n;
	if (ticks <= 0)
		return 0;
	ledger->told_ns += ticks * ledger->tick_ns;
	rest->unknown_ns -= ticks * ledger->tick_ns;
	return (uint64_t)ticks;
}

uint64_t
prf_ledger_charge(struct prf_ledger *ledger, struct prf_ledger_rest *rest,
		  int64_t used_ns)
{
	return tell(ledger, rest, rest->unknown_ns - rest->lost_ns,
		    (used_ns + ledger->tick_ns - 1) / ledger->tick_ns);
}

uint64_t
prf_ledger_unseen(struct prf_ledger *ledger, struct prf_ledger_rest *rest,
		  uint32_t kept_ticks)
{
	int64_t max_kept_ns = (int64_t)kept_ticks * ledger->tick_ns;
	int64_t kept_ns = rest->unknown_ns - rest->lost_ns;

	if (kept_ns > max_kept_ns)
		kept_ns = max_kept_ns;
	if (kept_ns < 0)
		kept_ns = 0;
	rest->lost_ns = 0;
	return tell(ledger, rest, rest->unknown_ns - kept_ns, INT64_MAX);
}

uint32_t
prf_ledger_patience(uint32_t ticks, enum prf_ledger_news news)
{
	if (news == PRF_NEWS_THREAD)
		return PRF_LOOK_TICKS_BUSY;
	if (news == PRF_NEWS_NONE || ticks < PRF_LOOK_TICKS)
		return PRF_LOOK_TICKS;
	return 2 * ticks < PRF_LOOK_TICKS_MAX ? 2 * ticks : PRF_LOOK_TICKS_MAX;
}
