#include "live/usage.h"

#include "live/proc/clock.h"

struct prf_usage
prf_usage_read(pid_t pid)
{
	struct prf_usage usage = {0};

	usage.unknown = prf_clock_of_process(pid, &usage.cpu_ns) ||
			prf_clock_modes_of_process(pid, &usage.user_ns,
						   &usage.system_ns);
	return usage;
}

static uint64_t
more_than(uint64_t value, uint64_t since)
{
	return value > since ? value - since : 0;
}

void
prf_usage_add(struct prf_usage *sum, const struct prf_usage *usage,
	      const struct prf_usage *since)
{
	sum->cpu_ns += more_than(usage->cpu_ns, since->cpu_ns);
	sum->user_ns += more_than(usage->user_ns, since->user_ns);
	sum->system_ns += more_than(usage->system_ns, since->system_ns);
	sum->unknown |= usage->unknown;
}

struct prf_usage_modes
prf_usage_modes(const struct prf_usage *usage)
{
	double user = (double)usage->user_ns;
	double both = user + (double)usage->system_ns;
	struct prf_usage_modes modes = {0};

	if (both > 0) {
		modes.user_ns =
			(uint64_t)((double)usage->cpu_ns * (user / both));
		modes.system_ns = usage->cpu_ns - modes.user_ns;
	}
	return modes;
}
