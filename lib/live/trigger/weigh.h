/* weigh.h - how many ticks a sample of a timer stands for, so that all of a
 * thread's follow its CPU time.  Pure.
 *
 * A timer that counts the ticks of the kernel that meet its thread samples
 * all of its code alike.  But the number of these ticks is right only in the
 * mean, and not even there on a processor that sleeps between short bursts or
 * that is shared.  The thread's clock is exact.  What a sample stands for must
 * not depend on what has been run since the one before, or the ends of bursts
 * would have too much; so what is missing is spread over the samples that
 * follow, by chance where it is less than a tick for each. */
#ifndef PRF_LIVE_TRIGGER_WEIGH_H
#define PRF_LIVE_TRIGGER_WEIGH_H

#include <stdbool.h>
#include <stdint.h>

/* Of one thread. */
struct prf_weigh {
	uint64_t from_ns;    /* its CPU time, as counting began */
	uint64_t n_samples;  /* that came */
	uint64_t next_check; /* when there are so many */
	uint64_t periods;    /* that they came with */
	uint64_t ticks;      /* that they were given */
	double scale;        /* the mean of ticks for a period */
};

struct prf_weigh prf_weigh_begin(uint64_t from_ns);

/* Is the thread's CPU time to be told, before the next sample is weighed? */
bool prf_weigh_is_to_be_told(const struct prf_weigh *weigh);

/* It is CPU_NS. A tick is PERIOD_NS, one of the kernel's TICK_NS. */
void prf_weigh_tell(struct prf_weigh *weigh, uint64_t cpu_ns,
		    uint64_t period_ns, uint64_t tick_ns);

/* The ticks of a sample that has come with PERIODS; perhaps none.  U uniform in
 * [0, 1). */
uint32_t prf_weigh_take(struct prf_weigh *weigh, uint32_t periods, double u);

#endif
