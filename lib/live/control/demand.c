#include "live/control/demand.h"

#include <string.h>

/* Nobody presses a key twice in so short a time. */
enum { APART_NS = 20000000 };

bool
prf_demand_is_another(uint64_t last_ns, uint64_t now_ns)
{
	return !last_ns || now_ns - last_ns >= APART_NS;
}

bool
prf_demand_asked(struct prf_demand *demand, uint64_t now_ns)
{
	uint64_t *asked_ns = demand->asked_ns;

	if (!prf_demand_is_another(asked_ns[PRF_DEMAND_TIMES - 1], now_ns))
		return false;
	memmove(asked_ns, asked_ns + 1,
		(PRF_DEMAND_TIMES - 1) * sizeof *asked_ns);
	asked_ns[PRF_DEMAND_TIMES - 1] = now_ns;
	return asked_ns[0] && now_ns - asked_ns[0] <= PRF_DEMAND_WITHIN_NS;
}
