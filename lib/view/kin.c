#include "view/kin.h"

#include <search.h>
#include <stdlib.h>

/* Processes and threads both begin with their id. */
static int
by_id(const void *a, const void *b)
{
	const pid_t *left = a, *right = b;

	return (*left > *right) - (*left < *right);
}

struct prf_kin *
prf_kins_search(struct prf_kins *kins, pid_t pid)
{
	struct prf_kin *const *found = tfind(&pid, &kins->processes, by_id);
	if (!found)
		return NULL;
	kins->latest = *found;
	return *found;
}

struct prf_kin_thread *
prf_kins_find_thread(const struct prf_kins *kins, pid_t tid)
{
	struct prf_kin_thread *const *found =
		tfind(&tid, &kins->threads, by_id);

	return found ? *found : NULL;
}

/* A tree's node begins with what it holds, see tsearch(3). */
struct prf_kin *
prf_kins_any(const struct prf_kins *kins)
{
	return kins->processes ? *(struct prf_kin **)kins->processes : NULL;
}

struct prf_kin *
prf_kins_add(struct prf_kins *kins, pid_t pid)
{
	struct prf_kin *process = calloc(1, sizeof *process);

	if (!process)
		return NULL;
	process->pid = pid;
	LIST_INIT(&process->threads);
	if (tsearch(process, &kins->processes, by_id))
		return process;
	free(process);
	return NULL;
}

struct prf_kin_thread *
prf_kins_add_thread(struct prf_kins *kins, struct prf_kin *process, pid_t tid)
{
	struct prf_kin_thread *thread = calloc(1, sizeof *thread);

	if (!thread)
		return NULL;
	thread->tid = tid;
	thread->process = process;
	if (!tsearch(thread, &kins->threads, by_id)) {
		free(thread);
		return NULL;
	}
	LIST_INSERT_HEAD(&process->threads, thread, link);
	return thread;
}

void
prf_kins_remove_thread(struct prf_kins *kins, struct prf_kin_thread *thread)
{
	tdelete(thread, &kins->threads, by_id);
	LIST_REMOVE(thread, link);
	prf_profile_free(thread->profile);
	free(thread);
}

void
prf_kins_remove(struct prf_kins *kins, struct prf_kin *process)
{
	tdelete(process, &kins->processes, by_id);
	if (kins->latest == process)
		kins->latest = NULL;
	while (!LIST_EMPTY(&process->threads))
		prf_kins_remove_thread(kins, LIST_FIRST(&process->threads));
	prf_mapped_clear(&process->mapped);
	prf_program_drop(process->program);
	prf_profile_free(process->profile);
	prf_profile_free(process->inherited);
	free(process);
}
