/* sampler_config.h - what a sampler is told: how often, by which clock, of which
 * processes, and when. */
#ifndef PRF_LIVE_SAMPLER_CONFIG_H
#define PRF_LIVE_SAMPLER_CONFIG_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "live/trigger/trigger.h"

struct prf_kallsyms;
struct prf_stack_needs;

enum prf_follow {
	PRF_FOLLOW_ALL,  /* all descendants, through all their programs */
	PRF_FOLLOW_EXEC, /* this process alone, through its programs */
	PRF_FOLLOW_NONE, /* this process alone, until it is another program */
};

enum prf_sampler_change {
	PRF_SAMPLER_STOPS,   /* this process is about to, as the program has */
	PRF_SAMPLER_GOES_ON, /* both do */
	PRF_SAMPLER_PAUSES,  /* by the toggle signal */
	PRF_SAMPLER_COUNTS,
};

struct prf_sampler_config {
	uint64_t period_ns; /* of one tick; >= 1000 */
	enum prf_clock clock;
	enum prf_follow follow;
	/* What makes a thread stop: a row of prf_triggers, or a test's own.
	 * NULL chooses for each thread. */
	const struct prf_trigger_ops *trigger;
	/* Ticks count after DELAY_NS, for DURATION_NS (0: to the end), and not
	 * between two TOGGLE_SIGNALs (0: none) that this process gets. */
	uint64_t delay_ns, duration_ns;
	int toggle_signal;
	/* Threads that had no tick end with their names and CPU times, too: two
	 * files of /proc for each. */
	bool every_thread;
	/* Each sample brings what its stack can be made of. */
	bool call_graph;
	/* What the one who makes them tells; NULL: nothing. */
	const struct prf_stack_needs *stack_needs;
	/* Samples tell where in the kernel a thread was, by these names; NULL:
	 * they do not. */
	const struct prf_kallsyms *kernel;
	/* Programs are told with their MPI ranks: a file of /proc for each. */
	bool ranks;
	/* The signals that the program begins with blocked; NULL: those that
	 * are here. */
	const sigset_t *blocked;
	/* It begins with signal 33 ignored (prf_launch_ignores_setxid()). */
	bool ignores_setxid;
	/* Called with one line that cannot wait, and does not wait itself: this and
	 * what follows by the thread that takes signals and stops; may be NULL. */
	void (*tell)(void *arg, const char *line);
	void *tell_arg;
	bool tell_more; /* when counting begins and ends, too */
	/* If not 0: the seed of all random choices, so that a test can repeat
	 * them. */
	uint64_t seed;
	/* Called once, when exec has succeeded and the program is about to run
	 * its first instruction, or when all processes have been attached to;
	 * may be NULL.  If it returns not 0, a program is killed, a process let
	 * go, and that value returned. */
	int (*started)(void *arg, pid_t pid);
	void *started_arg;
	/* Called as it happens; may be NULL. */
	void (*changed)(void *arg, enum prf_sampler_change change);
	void *changed_arg;
};

#endif
