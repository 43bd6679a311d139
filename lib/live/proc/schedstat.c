#include "live/proc/schedstat.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "live/proc/procfs.h"

int
prf_schedstat_parse(const char *text, struct prf_schedstat *times)
{
	if (sscanf(text, "%" SCNu64 " %" SCNu64 " %" SCNu64, &times->cpu_ns,
		   &times->waited_ns, &times->n_slices) != 3)
		return -EINVAL;
	return 0;
}

int
prf_schedstat_read(pid_t pid, pid_t tid, struct prf_schedstat *times)
{
	char text[128];
	int rc = prf_procfs_read(pid, tid, "schedstat", text, sizeof text);

	return rc ? rc : prf_schedstat_parse(text, times);
}

int
prf_schedstat_open(pid_t pid, pid_t tid)
{
	return prf_procfs_open(pid, tid, "schedstat");
}

int
prf_schedstat_pread(int fd, struct prf_schedstat *times)
{
	char text[128];
	int rc = prf_procfs_pread(fd, text, sizeof text);

	return rc ? rc : prf_schedstat_parse(text, times);
}

int
prf_schedstat_read_cpu(pid_t pid, pid_t tid, uint64_t *cpu_ns)
{
	struct prf_schedstat times;
	int rc = prf_schedstat_read(pid, tid, &times);

	if (!rc)
		*cpu_ns = times.cpu_ns;
	return rc;
}
