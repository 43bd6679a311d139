#include "live/processes.h"

#include <stdlib.h>

#include "live/kept.h"
#include "live/proc/memory.h"
#include "live/stopped/mapwatch.h"

struct prf_process *
prf_processes_add(struct prf_processes *processes, pid_t pid)
{
	struct prf_process *process = calloc(1, sizeof *process);

	if (!process)
		return NULL;
	process->pid = pid;
	process->next = processes->first;
	process->link = &processes->first;
	if (process->next)
		process->next->link = &process->next;
	processes->first = process;
	processes->n++;
	return process;
}

struct prf_process *
prf_processes_find(const struct prf_processes *processes, pid_t pid)
{
	struct prf_process *process = processes->first;

	while (process && process->pid != pid)
		process = process->next;
	return process;
}

struct prf_usage
prf_processes_usage(const struct prf_process *process)
{
	struct prf_usage usage = prf_usage_read(process->pid);

	usage.cpu_ns -= usage.cpu_ns < process->stops_ns ? usage.cpu_ns
							 : process->stops_ns;
	return usage;
}

void
prf_processes_remove(struct prf_processes *processes,
		     struct prf_process *process)
{
	*process->link = process->next;
	if (process->next)
		process->next->link = process->link;
	processes->n--;
	prf_kept_clear(&process->kept);
	prf_mapwatch_free(process->maps);
	prf_memory_free(process->memory);
	free(process);
}

void
prf_processes_clear(struct prf_processes *processes)
{
	while (processes->first)
		prf_processes_remove(processes, processes->first);
}
