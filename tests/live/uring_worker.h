/* uring_worker.h - a process with a thread that is the kernel's: io_uring's. */
#ifndef PRF_TESTS_URING_WORKER_H
#define PRF_TESTS_URING_WORKER_H

#include <dirent.h>
#include <linux/io_uring.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

/* This process, which has one thread, has another from now on, if it may: one that is
 * the kernel's, and waits for requests in a ring. */
static inline void
prf_uring_begin_worker(void)
{
	struct io_uring_params parameters = {
		.flags = IORING_SETUP_SQPOLL,
		.sq_thread_idle = 1,
	};

	/* The ring lives as long as the process. */
	if (syscall(SYS_io_uring_setup, 1, &parameters) < 0)
		perror("io_uring_setup");
}

/* That thread of process PID; 0: the kernel has refused it, or shows none. */
static inline pid_t
prf_uring_worker_of(pid_t pid)
{
	char path[64];
	struct dirent *entry;
	pid_t worker = 0;

	snprintf(path, sizeof path, "/proc/%d/task", pid);
	DIR *dir = opendir(path);
	while (dir && (entry = readdir(dir))) {
		pid_t tid = (pid_t)atoi(entry->d_name);

		worker = tid > 0 && tid != pid ? tid : worker;
	}
	if (dir)
		closedir(dir);
	return worker;
}

#endif
