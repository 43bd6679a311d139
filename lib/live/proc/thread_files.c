#include "live/proc/thread_files.h"

#include <stdlib.h>
#include <unistd.h>

#include "live/proc/descriptor.h"
#include "live/proc/position.h"
#include "live/proc/procfs.h"
#include "live/proc/stat.h"

struct prf_thread_files {
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

struct prf_thread_files *
prf_thread_files_new(pid_t pid, pid_t tid)
{
	struct prf_thread_files *files = malloc(sizeof *files);

	if (files)
		*files = (struct prf_thread_files){
			.pid = pid,
			.tid = tid,
			.syscall_fd = kept(prf_position_open(pid, tid)),
			.stat_fd = kept(prf_procfs_open(pid, tid, "stat")),
			.times_fd = kept(prf_schedstat_open(pid, tid)),
		};
	return files;
}

static void
close_kept(int fd)
{
	if (fd >= 0)
		close(fd);
}

void
prf_thread_files_free(struct prf_thread_files *files)
{
	if (!files)
		return;
	close_kept(files->syscall_fd);
	close_kept(files->stat_fd);
	close_kept(files->times_fd);
	free(files);
}

bool
prf_thread_files_is_running(const struct prf_thread_files *files)
{
	return prf_position_is_running(files->pid, files->tid,
				       files->syscall_fd);
}

int
prf_thread_files_processor(const struct prf_thread_files *files, int *cpu)
{
	char text[PRF_PROCFS_BYTES];
	int rc = files->stat_fd < 0
			 ? prf_procfs_read(files->pid, files->tid, "stat", text,
					   sizeof text)
			 : prf_procfs_pread(files->stat_fd, text, sizeof text);

	return rc ? rc : prf_stat_parse_processor(text, cpu);
}

int
prf_thread_files_times(const struct prf_thread_files *files,
		       struct prf_schedstat *times)
{
	return files->times_fd < 0
		       ? prf_schedstat_read(files->pid, files->tid, times)
		       : prf_schedstat_pread(files->times_fd, times);
}
