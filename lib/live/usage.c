#include "live/usage.h"

#include "live/proc/clock.h"
#include "live/proc/stat.h"

struct prf_usage
prf_usage_read(pid_t pid)
{
	struct prf_usage usage = {0};
	struct prf_stat_times times;

	usage.unknown = prf_clock_of_process(pid, &usage.cpu_ns) != 0;
	if (!prf_stat_read_times(pid, &times)) {
		usage.user_us = times.user_us;
		usage.system_us = times.system_us;
	}
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
	sum->user_us += more_than(usage->user_us, since->user_us);
	sum->system_us += more_than(usage->system_us, since->system_us);
	sum->unknown |= usage->unknown;
}
