/* task.h - what /proc says about the threads of this process. */
#ifndef PRF_WORKLOADS_TASK_H
#define PRF_WORKLOADS_TASK_H

#include "work.h"

#include <string.h>

/* Reads /proc/self/task/TID/NAME into TEXT, as a string; cuts it to fit. */
static inline void
task_read(long tid, const char *name, char *text, size_t size)
{
	char path[64];
	FILE *file;
	size_t n = 0;

	snprintf(path, sizeof path, "/proc/self/task/%ld/%s", tid, name);
	file = fopen(path, "r");
	if (file) {
		n = fread(text, 1, size - 1, file);
		fclose(file);
	}
	text[n] = '\0';
}

/* Whether thread TID sleeps in a wait that a signal could end. */
static inline int
task_is_asleep(long tid)
{
	char text[512], *state;

	task_read(tid, "stat", text, sizeof text);
	state = strrchr(text, ')'); /* behind the program's name */
	return state && !strncmp(state, ") S", 3);
}

/* Whether signal NUMBER waits to be taken by thread TID. */
static inline int
task_has_pending(long tid, int number)
{
	char text[4096], *line;

	task_read(tid, "status", text, sizeof text);
	line = strstr(text, "\nSigPnd:");
	return line && strtoull(line + 8, NULL, 16) >> (number - 1) & 1;
}

/* How many POSIX timers the kernel holds for this process; -1: it won't say. */
static inline int
task_count_timers(void)
{
	char line[256];
	int n = 0;
	FILE *file = fopen("/proc/self/timers", "r");

	if (!file)
		return -1;
	while (fgets(line, sizeof line, file))
		n += !strncmp(line, "ID:", 3);
	fclose(file);
	return n;
}

#endif
