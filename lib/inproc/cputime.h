/* cputime.h - whose the CPU time of the process is, and how much of it is told:
 * numbers alone.
 *
 * What a thread with a clock has used is its own, whether its ticks have come
 * or not.  The rest is of threads that have no clock: not yet, or not any more.
 * Of that a thread is charged no more than it has used itself, and what is
 * nobody's is unseen.  All are ns of CPU time. */
#ifndef PRF_INPROC_CPUTIME_H
#define PRF_INPROC_CPUTIME_H

#include <stdint.h>

struct prf_cputime {
	int64_t tick_ns;
	int64_t told_ns; /* in ticks, of threads that have no clock */
};

/* What one look at all clocks finds. */
struct prf_cputime_rest {
	int64_t unknown_ns; /* not told, and of no thread with a clock */
	int64_t lost_ns;    /* of these: whole ticks of threads that had one;
			     * part of a tick is chance */
};

/* A thread that had a clock has ended: it has used USED_NS, when last seen,
 * and TICKS of it were told. */
void prf_cputime_end(struct prf_cputime *cputime, struct prf_cputime_rest *rest,
		     int64_t used_ns, uint64_t ticks);

/* The process has used PROCESS_NS, all threads with a clock KNOWN_NS. */
void prf_cputime_balance(const struct prf_cputime *cputime,
			 struct prf_cputime_rest *rest, int64_t process_ns,
			 int64_t known_ns);

/* The ticks that a thread without a clock is charged, which has used USED_NS.
 * One that has begun is one: else those that end before were never seen. */
uint64_t prf_cputime_charge(struct prf_cputime *cputime,
			    struct prf_cputime_rest *rest, int64_t used_ns);

/* The ticks of nobody.  For new threads that are met later so many are kept of
 * those that were of none with a clock; and what is less than one. */
uint64_t prf_cputime_unseen(struct prf_cputime *cputime,
			    struct prf_cputime_rest *rest, uint32_t kept_ticks);

/* Where each new thread is charged its one tick, and looks are late. */
#define PRF_KEPT_TICKS 4

/* --- When to look again. */

enum prf_cputime_news {
	PRF_CPUTIME_NEWS_NONE,   /* all is explained */
	PRF_CPUTIME_NEWS_THREAD, /* one that will tick from now on */
	PRF_CPUTIME_NEWS_VAIN,   /* time of threads that ticks cannot reach */
};

/* After so many ticks of CPU time that nobody has told of, at first;
 * threads that run side by side are seldom that much further. */
#define PRF_LOOK_TICKS 3
/* Where threads come and go it is to see each of their ticks. */
#define PRF_LOOK_TICKS_BUSY 1
/* In vain twice as late each time, to a minute. */
#define PRF_LOOK_TICKS_MAX 6000

/* TICKS for the next look, if they were TICKS for this one. */
uint32_t prf_cputime_patience(uint32_t ticks, enum prf_cputime_news news);

#endif
