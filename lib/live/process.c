#include "live/process.h"

#include <stdlib.h>

#include "live/clock.h"
#include "live/mapwatch.h"
#include "live/stat.h"

struct prf_usage
prf_usage_read(pid_t pid)
{
	struct prf_usage usage = {0};
	struct prf_process_times times;

	usage.unknown = prf_clock_of_process(pid, &usage.cpu_ns) != 0;
	if (!prf_process_times_read(pid, &times)) {
		usage.user_us = times.user_us;
		usage.system_us = times.system_us;
	}
	return usage;
}

static uint64_t
more_than(uint64_t value, uint64_t since)
{
	return value > since ? value - since : 0;
}

void
prf_usage_add(struct prf_usage *sum, const struct prf_usage *usage,
	      const struct prf_usage *since)
{
	sum->cpu_ns += more_than(usage->cpu_ns, since->cpu_ns);
	sum->user_us += more_than(usage->user_us, since->user_us);
	sum->system_us += more_than(usage->system_us, since->system_us);
	sum->unknown |= usage->unknown;
}

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

void
prf_processes_remove(struct prf_processes *processes,
		     struct prf_process *process)
{
	*process->link = process->next;
	if (process->next)
		process->next->link = process->link;
	processes->n--;
	prf_creator_clear(&process->creator);
	prf_mapwatch_free(process->maps);
	free(process->idle_timers);
	free(process);
}

void
prf_processes_clear(struct prf_processes *processes)
{
	while (processes->first)
		prf_processes_remove(processes, processes->first);
}
