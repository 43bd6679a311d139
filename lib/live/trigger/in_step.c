#include "live/trigger/in_step.h"

#include <math.h>

/* --- The number of ticks that met it */

/* Fewer ticks tell nothing. */
enum { LEAST_DUE = 40 };
/* Standard errors. */
enum { CERTAIN = 5 };
/* Bursts that are much longer than a tick meet as many as they should in any
 * case. */
enum { LONG_BURST = 2 };
/* A processor that wakes has no tick at once, so that very short bursts meet
 * three quarters of theirs; and a busy one is a fifth off. */
#define FEW 0.5
#define MANY 1.4

static bool
has_odd_number(const struct prf_in_step_totals *totals)
{
	double due = totals->ticks_due, met = totals->ticks_met;
	double error = sqrt(due + totals->error * totals->error);

	return due >= LEAST_DUE && totals->wakes * LONG_BURST >= due &&
	       fabs(met - due) > CERTAIN * error &&
	       (met < FEW * due || met > MANY * due);
}

/* --- The wait for a processor */

/* The part of its CPU time that a thread may wait without a trace of it in what is
 * seen. */
#define OFTEN 0.5
/* Of shorter bursts, in ticks, there are several between two ticks: they begin
 * anywhere. */
#define SHORT_BURST 0.4

/* Who has waited is often given a processor when another's turn ends, and that is
 * at a tick. */
static bool
has_waited(const struct prf_in_step_totals *totals)
{
	return totals->ticks_due >= LEAST_DUE &&
	       totals->ticks_due >= totals->wakes * SHORT_BURST &&
	       totals->ticks_due <= totals->wakes * LONG_BURST &&
	       totals->ticks_waited > OFTEN * totals->ticks_due;
}

/* --- The rhythm in which it wakes */

/* The longer a pattern, the more bursts it takes to tell it from chance, and the
 * more alike it shows all of a burst. */
enum { MOST_WAKES = 8, LEAST_ROUNDS = 100, LEAST_MARKS = 6 };
/* The work in a burst is seen in so many places, or it is seen well enough. */
enum { ENOUGH_PLACES = 4 };
/* How far it may have come, of the distance from one of these places to the
 * next. */
#define STILL 0.4
/* How far a mark may be from where the rhythm has it, in the same distance,
 * besides the length of a burst. */
#define SWING 0.4

/* Time, in ticks, as a straight line of wakes; both from the first mark on. */
struct line {
	double slope, offset;
	double wakes; /* to the last mark */
};

static double
wakes_to(const struct prf_in_step *in_step, unsigned i)
{
	return (double)(in_step->marks[i].wakes - in_step->marks[0].wakes);
}

static double
ticks_to(const struct prf_in_step *in_step, unsigned i, double tick_ns)
{
	return (double)(in_step->marks[i].time_ns - in_step->marks[0].time_ns) /
	       tick_ns;
}

/* The line that is nearest to all marks, by least squares. */
static struct line
line_of(const struct prf_in_step *in_step, double tick_ns)
{
	double n = in_step->n, x = 0, y = 0, xx = 0, xy = 0;

	for (unsigned i = 0; i < in_step->n; i++) {
		double wakes = wakes_to(in_step, i),
		       ticks = ticks_to(in_step, i, tick_ns);

		x += wakes;
		y += ticks;
		xx += wakes * wakes;
		xy += wakes * ticks;
	}
	double slope = (n * xy - x * y) / (n * xx - x * x);

	return (struct line){
		.slope = slope,
		.offset = (y - slope * x) / n,
		.wakes = wakes_to(in_step, in_step->n - 1),
	};
}

/* How far the mark is from LINE that is the farthest, in ticks. */
static double
swing_of(const struct prf_in_step *in_step, const struct line *line,
	 double tick_ns)
{
	double most = 0;

	for (unsigned i = 0; i < in_step->n; i++)
		most = fmax(most,
			    fabs(ticks_to(in_step, i, tick_ns) - line->offset -
				 line->slope * wakes_to(in_step, i)));
	return most;
}

static bool
has_rhythm(const struct prf_in_step *in_step,
	   const struct prf_in_step_totals *totals, double tick_ns)
{
	if (in_step->n < LEAST_MARKS || totals->wakes <= 0)
		return false;
	const struct line line = line_of(in_step, tick_ns);
	double burst = totals->ticks_due / totals->wakes;
	double swing = swing_of(in_step, &line, tick_ns) - burst;
	/* To which the drift is known: marks are anywhere in their bursts. */
	double error = burst / sqrt(in_step->n);

	for (int wakes = 1; wakes <= MOST_WAKES; wakes++) {
		double ticks = line.slope * wakes; /* of the pattern */
		double drift = fabs(ticks - round(ticks)) / wakes * line.wakes;

		if (line.wakes >= LEAST_ROUNDS * wakes &&
		    burst * wakes < ENOUGH_PLACES &&
		    drift * wakes < STILL + error && swing * wakes < SWING)
			return true;
	}
	return false;
}

/* --- All */

/* Every second mark goes. */
static void
thin_out(struct prf_in_step *in_step)
{
	in_step->n /= 2;
	for (unsigned i = 0; i < in_step->n; i++)
		in_step->marks[i] = in_step->marks[2 * i];
	in_step->every *= 2;
}

void
prf_in_step_mark(struct prf_in_step *in_step,
		 const struct prf_in_step_mark *mark)
{
	in_step->every += in_step->every == 0;
	if (in_step->offered++ % in_step->every)
		return;
	in_step->marks[in_step->n++] = *mark;
	if (in_step->n == PRF_IN_STEP_MARKS)
		thin_out(in_step);
}

bool
prf_in_step_is(const struct prf_in_step *in_step,
	       const struct prf_in_step_totals *totals, uint64_t tick_ns)
{
	return has_odd_number(totals) || has_waited(totals) ||
	       has_rhythm(in_step, totals, (double)tick_ns);
}
