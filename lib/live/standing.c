#include "live/standing.h"

#include <stdlib.h>
#include <unistd.h>

#include "live/descriptor.h"
#include "live/place.h"
#include "live/procfs.h"
#include "live/stat.h"

struct prf_standing {
	pid_t pid, tid;
	int syscall_fd, stat_fd, times_fd; /* or -1 */
};

static int
kept(int fd)
{
	if (fd < 0)
		return -1;
	if (!prf_descriptor_is_one_too_many(fd))
		return fd;
	close(fd);
	return -1;
}

struct prf_standing *
prf_standing_new(pid_t pid, pid_t tid)
{
	struct prf_standing *standing = malloc(sizeof *standing);

	if (standing)
		*standing = (struct prf_standing){
			.pid = pid,
			.tid = tid,
			.syscall_fd = kept(prf_thread_syscall_open(pid, tid)),
			.stat_fd = kept(prf_procfs_open(pid, tid, "stat")),
			.times_fd = kept(prf_thread_times_open(pid, tid)),
		};
	return standing;
}

static void
close_kept(int fd)
{
	if (fd >= 0)
		close(fd);
}

void
prf_standing_free(struct prf_standing *standing)
{
	if (!standing)
		return;
	close_kept(standing->syscall_fd);
	close_kept(standing->stat_fd);
	close_kept(standing->times_fd);
	free(standing);
}

bool
prf_standing_runs(const struct prf_standing *standing)
{
	return prf_thread_is_running(standing->pid, standing->tid,
				     standing->syscall_fd);
}

int
prf_standing_processor(const struct prf_standing *standing, int *cpu)
{
	char text[PRF_PROCFS_BYTES];
	int rc = standing->stat_fd < 0
			 ? prf_procfs_read(standing->pid, standing->tid, "stat",
					   text, sizeof text)
			 : prf_procfs_pread(standing->stat_fd, text,
					    sizeof text);

	return rc ? rc : prf_thread_cpu_of_stat(text, cpu);
}

int
prf_standing_times(const struct prf_standing *standing,
		   struct prf_thread_times *times)
{
	return standing->times_fd < 0
		       ? prf_thread_times_read(standing->pid, standing->tid,
					       times)
		       : prf_thread_times_pread(standing->times_fd, times);
}
