#include "live/trigger/weigh.h"

#include <math.h>

/* The thread's times, which take a file of /proc, are told after 1, 2, 4 samples
 * and then after each so many, over which what is missing is spread. */
enum { CHECK_SAMPLES = 8 };

/* How long the kernel may have interrupts disabled to put a thread to sleep and
 * to wake it, on a virtual machine, too: what is missing beyond that is not
 * the kernel's. */
enum { SWITCH_NS = 30000 };

struct prf_weigh
prf_weigh_begin(const struct prf_schedstat *from)
{
	const struct prf_weigh_part part = {.scale = 1};

	return (struct prf_weigh){
		.from = *from,
		.next_check = 1,
		.user = part,
		.in_call = part,
	};
}

uint64_t
prf_weigh_samples(const struct prf_weigh *weigh)
{
	return weigh->user.n_samples + weigh->in_call.n_samples;
}

uint64_t
prf_weigh_periods(const struct prf_weigh *weigh)
{
	return weigh->user.periods + weigh->in_call.periods;
}

bool
prf_weigh_is_to_be_told(const struct prf_weigh *weigh)
{
	return prf_weigh_samples(weigh) == weigh->next_check;
}

/* DUE ticks are to be PART's by now, which has some of all N samples.  What comes
 * until the next check will be as what was (the less is known of that, the
 * more it is taken for right), and pays for it, too. */
static void
scale(struct prf_weigh_part *part, double due, uint64_t n)
{
	double periods = (double)part->periods,
	       samples = (double)part->n_samples;
	double each = samples > 0 ? periods / samples : 1;
	double ahead = each * fmax(1, CHECK_SAMPLES * samples / (double)n);
	double owed = due - (double)part->ticks;

	part->scale = fmax(0, (due + ahead) / (periods + ahead) + owed / ahead);
}

void
prf_weigh_tell(struct prf_weigh *weigh, const struct prf_schedstat *now,
	       uint64_t period_ns, uint64_t tick_ns)
{
	struct prf_weigh_part *user = &weigh->user, *in_call = &weigh->in_call;
	double period = (double)period_ns, tick = (double)tick_ns;
	/* A thread that runs on is right to within that, and left as it is. */
	double slack = 1 + tick / period;
	double due =
		((double)now->cpu_ns - (double)weigh->from.cpu_ns) / period;
	double periods = (double)prf_weigh_periods(weigh);
	double unseen = due - periods;
	double owed = due - (double)(user->ticks + in_call->ticks);
	uint64_t n = prf_weigh_samples(weigh);

	weigh->next_check = n + (n < CHECK_SAMPLES ? n : CHECK_SAMPLES);
	user->scale = in_call->scale = 1;
	if (fabs(unseen) <= slack && fabs(owed) <= slack)
		return;

	double slices = (double)now->n_slices - (double)weigh->from.n_slices;
	double switching = fmin(fmax(0, unseen), slices * SWITCH_NS / period);
	/* As long as there is no sample that could pay, the others do. */
	if (!in_call->n_samples)
		switching = 0;
	double due_in_call = switching + (due - switching) *
						 (double)in_call->periods /
						 periods;

	scale(in_call, due_in_call, n);
	scale(user, due - due_in_call, n);
}

uint32_t
prf_weigh_take(struct prf_weigh *weigh, bool in_call, uint32_t periods,
	       double u)
{
	struct prf_weigh_part *part = in_call ? &weigh->in_call : &weigh->user;
	double ticks = fmin(periods * part->scale + u, UINT32_MAX);

	part->n_samples++;
	part->periods += periods;
	part->ticks += (uint32_t)ticks;
	return (uint32_t)ticks;
}
