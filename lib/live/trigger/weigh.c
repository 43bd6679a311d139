#include "live/trigger/weigh.h"

#include <math.h>

/* The thread's times, which take a file of /proc, are told after 1, 2, 4 samples
 * and then after each so many, over which what is missing is spread. */
enum { CHECK_SAMPLES = 8 };

/* How long the kernel may have interrupts disabled to put a thread to sleep and
 * to wake it, on a virtual machine, too: what is missing beyond that is not
 * the kernel's. */
enum { SWITCH_NS = 30000 };

/* --- All threads */

/* So many periods are remembered, and tell something.  What is nearer to 1 than
 * LEAST_OFF is taken for 1, or each sample would have a tick more or fewer by
 * chance for nothing. */
enum { FEW_PERIODS = 100, MANY_PERIODS = 400 };
#define LEAST_OFF 0.03
/* Of its life a thread that works on and on runs, or waits for a processor; our
 * stops take some of it, too. */
#define MOSTLY 0.6

double
prf_weigh_pace_scale(const struct prf_weigh_pace *pace)
{
	double scale =
		pace->periods >= FEW_PERIODS ? pace->due / pace->periods : 1;

	return fabs(scale - 1) < LEAST_OFF ? 1 : scale;
}

/* --- One thread */

struct prf_weigh
prf_weigh_begin(const struct prf_schedstat *from,
		const struct prf_weigh_pace *pace)
{
	const struct prf_weigh_part part = {.scale =
						    prf_weigh_pace_scale(pace)};

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
	       uint64_t period_ns, uint64_t tick_ns,
	       const struct prf_weigh_pace *pace)
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
	user->scale = in_call->scale = prf_weigh_pace_scale(pace);
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

void
prf_weigh_end(const struct prf_weigh *weigh, const struct prf_schedstat *now,
	      uint64_t lived_ns, uint64_t period_ns,
	      struct prf_weigh_pace *pace)
{
	double cpu_ns = (double)now->cpu_ns - (double)weigh->from.cpu_ns;
	double waited_ns =
		(double)now->waited_ns - (double)weigh->from.waited_ns;

	/* One that has slept meets other ticks than all others. */
	if (cpu_ns + waited_ns < MOSTLY * (double)lived_ns)
		return;
	pace->due += cpu_ns / (double)period_ns;
	pace->periods += (double)prf_weigh_periods(weigh);
	if (pace->periods > MANY_PERIODS) {
		pace->due /= 2;
		pace->periods /= 2;
	}
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
