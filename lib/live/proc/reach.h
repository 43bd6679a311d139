/* reach.h - where the thread that traces reaches into a program: it reads memory of
 * it, or a file of /proc that the kernel makes of that.
 *
 * A program can make such a read wait for ever: one of its threads takes a page
 * away that was there when it was looked for (pagemap.h), and has nobody bring
 * another.  So does a thread that calls exec, if it then has to close a file of a file
 * system that does not answer.  Nothing but the end of this process ends that wait.
 * So another thread can see that it lasts, and take over: then the one that reads
 * never comes back, and all else that the two share is as it was before the read. */
#ifndef PRF_LIVE_PROC_REACH_H
#define PRF_LIVE_PROC_REACH_H

#include <stdatomic.h>
#include <stdbool.h>

/* All zero: it reads nothing. */
struct prf_reach {
	atomic_uint turn; /* odd: it reads; another number each time */
};

/* What this thread reads from now on is seen in REACH, which is to be there for
 * as long as the thread; NULL, or never called: nobody looks. */
void prf_reach_show(struct prf_reach *reach);

/* Around a read, which holds no lock, and changes nothing that another thread
 * looks at; not one within another.  If the run has been taken over, the end does
 * not return. */
void prf_reach_begin(void);
void prf_reach_end(void);

/* --- For the other thread */

/* Which read it is in; 0: in none. */
unsigned prf_reach_now(const struct prf_reach *reach);
/* It is not to come back from TURN, a read that it is in.  False: it has. */
bool prf_reach_take_over(struct prf_reach *reach, unsigned turn);

#endif
