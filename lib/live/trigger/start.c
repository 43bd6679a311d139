#include "live/trigger/start.h"

uint64_t
prf_start_credit_ns(uint64_t period_ns, const struct prf_schedstat *times,
		    double u, double v)
{
	double runnable_ns = (double)times->cpu_ns + (double)times->waited_ns;
	double share =
		runnable_ns > 0 ? (double)times->cpu_ns / runnable_ns : 1;

	return u < share ? period_ns : (uint64_t)(v * (double)period_ns);
}
