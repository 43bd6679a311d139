/* death.h - threads and processes that end, or that are let go: their time
 * is accounted for, the sink is told, and they are forgotten. */
#ifndef PRF_LIVE_LIFE_DEATH_H
#define PRF_LIVE_LIFE_DEATH_H

#include "live/stop.h"
#include "live/tasks.h"
#include "live/watch.h"

/* TASK's samples end here: what they have not seen of it is counted. */
void prf_death_note_unseen(struct prf_watch *watch,
			   const struct prf_task *task);
/* TID is dead, but has not been reaped: reads what the kernel still knows of
 * it. */
void prf_death_account(struct prf_watch *watch, pid_t tid);
/* It has been reaped. */
void prf_death_on_end(struct prf_watch *watch, struct prf_task *task,
		      const struct prf_stop *stop);

/* Lets TASK, which is stopped, run on without us; nothing of ours may be
 * left in it.  If it is the last of its process, the process is forgotten. */
void prf_death_let_go(struct prf_watch *watch, struct prf_task *task);
/* Forgets PROCESS and its tasks.  (The kernel lets go of what is still traced
 * when this thread ends.) */
void prf_death_leave(struct prf_watch *watch, struct prf_process *process);
/* The same where they cannot be forgotten, and no memory of PROCESS is read. */
void prf_death_abandon(struct prf_watch *watch, struct prf_process *process);

/* Tells TASK's trigger, and removes TASK from all tables. */
void prf_death_forget(struct prf_watch *watch, struct prf_task *task);

#endif
