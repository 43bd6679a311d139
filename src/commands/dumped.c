#include "src/commands/dumped.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "image/syscalls.h"

void
prf_dumped_clear(struct prf_dumped *dumped)
{
	prf_dump_clear(&dumped->dump);
	prf_dump_stacks_free(dumped->stacks);
	free(dumped->command);
	*dumped = (struct prf_dumped){0};
}

const struct prf_dump_stack *
prf_dumped_stack(const struct prf_dumped *dumped,
		 const struct prf_dump_thread *thread)
{
	return prf_dump_stacks_of(dumped->stacks, thread->tid);
}

const char *
prf_dumped_call(const struct prf_dumped *dumped,
		const struct prf_dump_thread *thread)
{
	return thread->syscall == PRF_NO_SYSCALL
		       ? NULL
		       : prf_syscall_name(dumped->dump.machine,
					  thread->syscall);
}

const char *
prf_dumped_why(const struct prf_dumped *dumped,
	       const struct prf_dump_thread *thread)
{
	switch (-thread->code) {
	case EPERM:
		return dumped->dump.tracer ? "another program traces it"
					   : "it may not be traced";
	case ETIMEDOUT:
		return "it has not stopped in time";
	default:
		return strerror(-thread->code);
	}
}

bool
prf_dumped_is_stopped(const struct prf_dump_thread *thread)
{
	return thread->state == 'T' || thread->state == 't';
}

bool
prf_dumped_is_cut(const struct prf_dumped *dumped,
		  const struct prf_dump_thread *thread)
{
	const struct prf_dump_stack *stack = prf_dumped_stack(dumped, thread);

	return stack && stack->end == PRF_STACK_MEMORY && thread->cut_bytes;
}

/* --- Threads that wait for one another */

/* By a part of the name of a function that waits. */
static const struct {
	const char *function;
	bool is_end; /* of a thread; else for a mutex */
} waits[] = {
	{"pthread_mutex_lock", false},      {"pthread_mutex_timedlock", false},
	{"pthread_mutex_clocklock", false}, {"pthread_join", true},
	{"pthread_timedjoin", true},        {"pthread_clockjoin", true},
};

/* Which of them STACK is in, NULL: in none. */
static const bool *
wait_of(const struct prf_dump_stack *stack)
{
	enum { INNERMOST = 6 }; /* with what is inlined */
	const size_t n = sizeof waits / sizeof *waits;

	for (size_t i = 0; i < stack->n && i < INNERMOST; i++)
		for (size_t k = 0; stack->frames[i].function && k < n; k++)
			if (strstr(stack->frames[i].function,
				   waits[k].function))
				return &waits[k].is_end;
	return NULL;
}

static int
compare_tids(const void *a, const void *b)
{
	pid_t first = ((const struct prf_dump_thread *)a)->tid;
	pid_t second = ((const struct prf_dump_thread *)b)->tid;

	return (first > second) - (first < second);
}

static const struct prf_dump_thread *
find_thread(const struct prf_dump *dump, pid_t tid)
{
	const struct prf_dump_thread key = {.tid = tid};

	return dump->n_threads ? bsearch(&key, dump->threads, dump->n_threads,
					 sizeof key, compare_tids)
			       : NULL;
}

const struct prf_dump_thread *
prf_dumped_awaited(const struct prf_dumped *dumped,
		   const struct prf_dump_thread *thread, bool *for_end)
{
	const struct prf_dump_stack *stack = prf_dumped_stack(dumped, thread);
	const bool *is_end = stack ? wait_of(stack) : NULL;

	/* Where the function has no name, that it is the kernel which will change
	 * the id of a thread of ours tells as much. */
	if (!is_end && !thread->is_shared)
		return NULL;
	*for_end = !is_end || *is_end;
	return find_thread(&dumped->dump,
			   *for_end ? thread->awaited : thread->behind);
}
