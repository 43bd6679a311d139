/* stack_table.h - stacks as tables of numbers: a tree of nodes, each of which is a
 * frame below its parent, and samples that end in a node.  Formats that have
 * such tables, or more than a tree of functions, are made of these.
 *
 * They are those of a profile, where a sample is all that ended in a node, or of
 * a recording, where each has its thread and its time (timeline.h). */
#ifndef PRF_VIEW_EXPORT_STACK_TABLE_H
#define PRF_VIEW_EXPORT_STACK_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "core/attr.h"
#include "core/sample.h"
#include "profile/arcs.h"
#include "profile/call_functions.h"
#include "profile/count.h"
#include "profile/hash_index.h"
#include "profile/named_counts.h"
#include "profile/pairs.h"
#include "profile/profile.h"
#include "view/export/export_way.h"

struct prf_stack_table_frame {
	struct prf_arc_end end; /* without a binary: it was pruned */
	uint32_t function;
	/* In the source of the function itself, whatever was inlined in it. */
	uint32_t file; /* the number of its path, + 1; 0: not known */
	uint32_t line; /* 0: not known */
	size_t n_inlined, first_inlined; /* there, the outermost first */
};

/* What the compiler has put there instead of a call. */
struct prf_stack_table_inlined {
	uint32_t name;       /* the number among their names */
	uint32_t file, line; /* as above */
};

struct prf_stack_table_node {
	uint32_t parent; /* a lower number; node 0 is the root, which is no
			  * frame, and its own parent */
	uint32_t frame : 31;
	uint32_t guessed : 1; /* it was found without unwind information */
};

struct prf_stack_table_thread {
	pid_t pid, tid; /* 0: of all, or it is not known of whom */
	char name[PRF_THREAD_NAME_BYTES]; /* "": not known */
	char *program;                    /* "": not known */
	uint64_t begin_ns, end_ns;        /* end 0: not known */
	size_t n_samples, first;          /* in the list, when it is sorted */
	size_t n_events, first_event;     /* the same */
};

struct prf_stack_table_sample {
	uint64_t time_ns; /* 0 where there are no times */
	struct prf_count count;
	uint32_t thread, node;
};

/* What has happened at a moment. */
struct prf_stack_table_event {
	uint64_t time_ns;
	uint32_t thread;
	bool is_exec; /* of TEXT; else the thread's end */
	char *text;
};

/* All zero: nothing. */
struct prf_stack_table {
	const struct prf_profile
		*profile; /* whose binaries the frames are in */
	struct prf_stack_table_frame *frames;
	size_t n_frames, frames_room;
	struct prf_stack_table_node *nodes;
	size_t n_nodes, nodes_room;
	struct prf_stack_table_thread *threads;
	size_t n_threads, threads_room;
	struct prf_stack_table_sample
		*samples; /* finished: by thread and time */
	size_t n_samples, samples_room;
	struct prf_stack_table_event *events; /* finished: by thread and time */
	size_t n_events, events_room;
	bool by_function;          /* of the frames no line is known */
	bool in_counters;          /* see prf_binary_lines_at() */
	bool has_times;            /* CLOCK_MONOTONIC */
	uint64_t begin_ns, end_ns; /* of the first and the last */
	uint64_t
		skipped_ns; /* of the run before the begin, which is not told */
	/* Ticks by why their stack ended. */
	uint64_t ended[PRF_N_STACK_ENDS];

	/* --- When it is finished. */
	struct prf_call_functions functions;
	char **names;                  /* of the functions, for people */
	uint32_t *files;               /* of the functions, see above */
	struct prf_named_counts paths; /* of sources */
	struct prf_stack_table_inlined *inlined;
	size_t n_inlined, inlined_room;
	struct prf_named_counts inlined_names; /* for people */

	/* --- Until then: to find what is there. */
	struct prf_pairs frame_numbers;
	struct prf_hash_index node_index;
	uint32_t *node_hashes; /* of the frames on the way to each */
	size_t n_node_hashes, node_hashes_room;
};

/* Without any; PROFILE must outlive it.  -ENOMEM. */
int prf_stack_table_init(struct prf_stack_table *stacks,
			 const struct prf_profile *profile) PRF_MUST_CHECK;
void prf_stack_table_clear(struct prf_stack_table *stacks);

enum {
	PRF_STACK_TABLE_NODES_MAX = 4 << 20,
	PRF_STACK_TABLE_SAMPLES_MAX = 1000000, /* of a recording */
	PRF_STACK_TABLE_AT_ONCE = 32,          /* nodes */
};

/* *NODE: the one of END below PARENT.  Where there are too many nodes new ones
 * are [pruned], which have none below them.  -ENOMEM. */
int prf_stack_table_enter(struct prf_stack_table *stacks, uint32_t parent,
			  const struct prf_arc_end *end,
			  uint32_t *node) PRF_MUST_CHECK;
/* NODES: those of N ENDS, no more than AT_ONCE, the first below PARENT, and each
 * other below the one before it.  They are far from each other in memory, which
 * is asked for all of them before the first is looked at.  -ENOMEM. */
int prf_stack_table_enter_all(struct prf_stack_table *stacks, uint32_t parent,
			      const struct prf_arc_end *ends, size_t n,
			      uint32_t *nodes) PRF_MUST_CHECK;
/* *NUMBER: a new thread, which is THREAD; it takes over the program.
 * -ENOMEM. */
int prf_stack_table_add_thread(struct prf_stack_table *stacks,
			       const struct prf_stack_table_thread *thread,
			       uint32_t *number) PRF_MUST_CHECK;
/* -ENOMEM. */
int prf_stack_table_add_sample(struct prf_stack_table *stacks,
			       const struct prf_stack_table_sample *sample)
	PRF_MUST_CHECK;
/* It takes over the text.  -ENOMEM. */
int prf_stack_table_add_event(struct prf_stack_table *stacks,
			      const struct prf_stack_table_event *event)
	PRF_MUST_CHECK;
/* THREAD's own, the first of those that it has; NULL: it has none. */
const struct prf_stack_table_sample *
prf_stack_table_samples(const struct prf_stack_table *stacks,
			const struct prf_stack_table_thread *thread);
const struct prf_stack_table_event *
prf_stack_table_events(const struct prf_stack_table *stacks,
		       const struct prf_stack_table_thread *thread);

/* Is the thread with NUMBER worth telling?  It has samples; where none has, it is
 * the first, since formats want a thread, also for nothing. */
static inline bool
prf_stack_table_shows_thread(const struct prf_stack_table *stacks,
			     size_t number)
{
	return stacks->threads[number].n_samples ||
	       (!stacks->n_samples && number == 0);
}

/* All were told: names the functions and finds the lines, as WAY has them.
 * -ENOMEM. */
int prf_stack_table_finish(struct prf_stack_table *stacks,
			   const struct prf_export_way *way) PRF_MUST_CHECK;

/* All stacks of PROFILE, of one thread for each whose they are known to be, and one
 * for those that are nobody's; finished.  -ENOMEM. */
int prf_stack_table_of(const struct prf_profile *profile,
		       const struct prf_export_way *way,
		       struct prf_stack_table *stacks) PRF_MUST_CHECK;

/* Calls VISIT with each node but the root, parents first, until it returns
 * something else than 0, which is returned.  BELOW is what the samples have that
 * end in the node or below; IS_FIRST: its function is not in the path to it, so
 * that the sum of BELOW over all such nodes has each sample once.  -ENOMEM. */
int prf_stack_table_each_node(const struct prf_stack_table *stacks,
			      int (*visit)(void *arg, uint32_t node,
					   const struct prf_count *below,
					   bool is_first),
			      void *arg) PRF_MUST_CHECK;
/* Which function NODE is in; not of the root. */
static inline uint32_t
prf_stack_table_function_of(const struct prf_stack_table *stacks, uint32_t node)
{
	return stacks->frames[stacks->nodes[node].frame].function;
}

/* The line of FRAME in the file of its function; 0: it is in another file, as where
 * the function's body includes one, or not known.  A format with one file for each
 * function tells no other line: there it would be one of the wrong source. */
static inline uint32_t
prf_stack_table_line(const struct prf_stack_table *stacks,
		     const struct prf_stack_table_frame *frame)
{
	return frame->file == stacks->files[frame->function] ? frame->line : 0;
}

/* What is said of the binary with NUMBER; that of what was pruned has the number
 * behind the last. */
const char *prf_stack_table_binary_name(const struct prf_stack_table *stacks,
					size_t number);
/* The same with its directory, where it has one. */
const char *prf_stack_table_binary_path(const struct prf_stack_table *stacks,
					size_t number);
/* The number of FUNCTION's binary. */
size_t prf_stack_table_binary_of(const struct prf_stack_table *stacks,
				 size_t function);
/* The path of the source with NUMBER, see above; NULL: 0. */
const char *prf_stack_table_path(const struct prf_stack_table *stacks,
				 uint32_t number);
/* How long a tick is; 0: not known. */
uint64_t prf_stack_table_period_ns(const struct prf_stack_table *stacks);

/* How long a sample lasts, which stands for what was before it, and how long before
 * that its thread did not run, or was not seen. */
struct prf_stack_table_step {
	uint64_t gap, weight;
};

/* *AT, where the last sample of the thread has ended, becomes the end of SAMPLE.  A
 * tick is PERIOD long. */
struct prf_stack_table_step
prf_stack_table_step(const struct prf_stack_table *stacks,
		     const struct prf_stack_table_sample *sample,
		     uint64_t period, uint64_t *at);

#endif
