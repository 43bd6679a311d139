/* cputime.h - which thread has used the CPU time of the process, and how much
 * of it is counted in ticks: arithmetic alone.
 *
 * What a thread with a clock has used is its own, whether its ticks have come
 * or not.  The rest was used by threads that have no clock: not yet, or not any
 * more.  Of the rest a thread is charged no more than it has used itself, and
 * what nobody can be charged is unseen.  All numbers are ns of CPU time. */
#ifndef PRF_INPROC_CPUTIME_H
#define PRF_INPROC_CPUTIME_H

#include <stdint.h>

struct prf_cputime {
	int64_t tick_ns;
	int64_t told_ns; /* counted in ticks, of threads without a clock */
};

/* What one comparison of all clocks finds. */
struct prf_cputime_rest {
	int64_t unknown_ns; /* not counted, and of no thread with a clock */
	int64_t lost_ns;    /* of these: whole ticks of threads that had one;
			     * part of a tick is chance */
};

/* A thread that had a clock has ended: it had used USED_NS when last seen, and
 * TICKS of it were counted. */
void prf_cputime_end(struct prf_cputime *cputime, struct prf_cputime_rest *rest,
		     int64_t used_ns, uint64_t ticks);

/* The process has used PROCESS_NS, and all threads with a clock together
 * KNOWN_NS. */
void prf_cputime_balance(const struct prf_cputime *cputime,
			 struct prf_cputime_rest *rest, int64_t process_ns,
			 int64_t known_ns);

/* The ticks that a thread without a clock is charged, which has used USED_NS.
 * A tick that has begun counts: otherwise threads that end earlier would never
 * be seen. */
uint64_t prf_cputime_charge(struct prf_cputime *cputime,
			    struct prf_cputime_rest *rest, int64_t used_ns);

/* The ticks that no thread can be charged.  KEPT_TICKS of the time of threads
 * without a clock are kept for new threads that are found later, and so is what
 * is less than a tick. */
uint64_t prf_cputime_unseen(struct prf_cputime *cputime,
			    struct prf_cputime_rest *rest, uint32_t kept_ticks);

/* KEPT_TICKS where each new thread is charged one tick and is found late. */
#define PRF_KEPT_TICKS 4

/* --- When to compare the clocks again. */

enum prf_cputime_news {
	PRF_CPUTIME_NEWS_NONE,   /* all is explained */
	PRF_CPUTIME_NEWS_THREAD, /* one that will tick from now on */
	PRF_CPUTIME_NEWS_VAIN,   /* time of threads that ticks cannot reach */
};

/* At first, after so many ticks of CPU time that no tick accounts for; threads
 * that run side by side are seldom that far ahead. */
#define PRF_LOOK_TICKS 3
/* Where threads begin and end, so that each of their ticks is seen. */
#define PRF_LOOK_TICKS_BUSY 1
/* After a comparison in vain the next is twice as late, up to a minute. */
#define PRF_LOOK_TICKS_MAX 6000
/* Meanwhile ticks compare them, which wakes nobody: for each tick the clocks of
 * about so many threads. */
#define PRF_LOOK_THREADS 16

/* TICKS until the next comparison, if this one came after TICKS. */
uint32_t prf_cputime_patience(uint32_t ticks, enum prf_cputime_news news);

#endif
