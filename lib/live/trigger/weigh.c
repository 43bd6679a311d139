#include "live/trigger/weigh.h"

#include <math.h>

/* What is missing is spread over so many samples.  The CPU time, which takes a
 * file of /proc, is told after 1, 2, 4 samples and then after each so many. */
enum { SPREAD = 8 };

/* A thread that runs on is right to within a tick, and is left as it is: so many
 * ticks, of ours or of the kernel's, are no reason to do anything. */
enum { SLACK = 2 };

struct prf_weigh
prf_weigh_begin(uint64_t from_ns)
{
	return (struct prf_weigh){
		.from_ns = from_ns,
		.next_check = 1,
		.scale = 1,
	};
}

bool
prf_weigh_is_to_be_told(const struct prf_weigh *weigh)
{
	return weigh->n_samples == weigh->next_check;
}

void
prf_weigh_tell(struct prf_weigh *weigh, uint64_t cpu_ns, uint64_t period_ns,
	       uint64_t tick_ns)
{
	double period = (double)period_ns, tick = (double)tick_ns;
	double slack = SLACK * fmax(1, tick / period);
	double due = ((double)cpu_ns - (double)weigh->from_ns) / period;
	double periods = (double)weigh->periods;
	double owed = due - (double)weigh->ticks;
	double ahead = SPREAD * periods / (double)weigh->n_samples;

	weigh->next_check +=
		weigh->n_samples < SPREAD ? weigh->n_samples : SPREAD;
	weigh->scale = 1;
	/* What comes will be as what was (the less is known of that, the more
	 * it is taken for right), and pays for it, too. */
	if (fabs(due - periods) > slack || fabs(owed) > slack)
		weigh->scale = fmax(0, (due + ahead) / (periods + ahead) +
					       owed / ahead);
}

uint32_t
prf_weigh_take(struct prf_weigh *weigh, uint32_t periods, double u)
{
	double ticks = fmin(periods * weigh->scale + u, UINT32_MAX);

	weigh->n_samples++;
	weigh->periods += periods;
	weigh->ticks += (uint32_t)ticks;
	return (uint32_t)ticks;
}
