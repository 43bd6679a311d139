/* watching.h - the state of a run, with a trigger that does nothing but count,
 * for tests of what is done to the threads of one. */
#ifndef PRF_TESTS_WATCHING_H
#define PRF_TESTS_WATCHING_H

#include <stdbool.h>

#include "live/watch.h"
#include "recorder.h"

/* Of the test that runs. */
struct prf_watching {
	struct prf_watch watch;
	struct prf_sampler_config config;
	struct prf_sampler_stats stats;
	struct prf_recorder recorder;
	struct prf_error err;
	/* What the trigger was called for. */
	unsigned n_armed, n_armed_stopped, n_forgotten, n_swept;
	int sweep_answer;
	uint32_t n_unseen; /* what it says of each thread */
	char told[256];    /* the last line */
};
extern struct prf_watching prf_watching;

void prf_watching_set_up(void);
void prf_watching_tear_down(void);

/* CHILD, which has been seized and runs, is watched from now on, with one
 * thread, as if it had been attached to. */
struct prf_task *prf_watching_add(pid_t child);
/* The trigger has TASK. */
void prf_watching_arm(struct prf_task *task);

/* Answers stops until IS_DONE(). */
void prf_watching_until(bool (*is_done)(void));
/* Until all that is watched has ended. */
void prf_watching_to_the_end(void);

/* Who traces process PID; 0: nobody. */
pid_t prf_watching_tracer_of(pid_t pid);
/* By its tracer or by job control. */
bool prf_watching_is_stopped(pid_t pid, pid_t tid);

#endif
