#include "live/proc/procfs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/scope.h"
#include "live/proc/reach.h"

int
prf_procfs_check(struct prf_error *err)
{
	char self[16] = "";

	if (readlink("/proc/self", self, sizeof self - 1) < 0 &&
	    access("/proc/1", F_OK) < 0)
		return prf_error_set(err, -ENOENT,
				     "/proc is not mounted, and tells of no "
				     "process; mount it (mount -t proc proc "
				     "/proc)");
	if (atoi(self) != getpid())
		return prf_error_set(err, -ENOENT,
				     "/proc is of another PID namespace; mount "
				     "this one's (mount -t proc proc /proc)");
	return 0;
}

int
prf_procfs_open_path(const char *path)
{
	prf_reach_begin();
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	prf_reach_end();

	return fd < 0 ? -errno : fd;
}

int
prf_procfs_open(pid_t pid, pid_t tid, const char *name)
{
	char path[64];

	snprintf(path, sizeof path, "/proc/%d/task/%d/%s", pid, tid, name);
	return prf_procfs_open_path(path);
}

/* pread(2), or a negative errno value. */
static ssize_t
read_at(int fd, char *to, size_t n_bytes, off_t at)
{
	prf_reach_begin();
	ssize_t n = pread(fd, to, n_bytes, at);
	prf_reach_end();

	return n < 0 ? -errno : n;
}

int
prf_procfs_read(pid_t pid, pid_t tid, const char *name, char *text, size_t size)
{
	PRF_AUTO(prf_auto_close) int fd = prf_procfs_open(pid, tid, name);

	if (fd < 0)
		return fd;
	ssize_t n = read_at(fd, text, size - 1, 0);
	if (n < 0)
		return (int)n;
	text[n] = '\0';
	return n > 0 ? 0 : -ENOENT;
}

int
prf_procfs_pread(int fd, char *text, size_t size)
{
	ssize_t n = read_at(fd, text, size - 1, 0);

	if (n < 0)
		return (int)n;
	text[n] = '\0';
	return n > 0 ? 0 : -ESRCH;
}

/* Cuts long lines in the N bytes at TEXT, which begin *COLUMN bytes after the
 * beginning of a line.  Returns how many bytes are left. */
static size_t
cut_lines(char *text, size_t n, size_t *column)
{
	size_t kept = 0;

	for (size_t i = 0; i < n; i++) {
		bool ends = text[i] == '\n';

		if (ends || *column < PRF_PROCFS_LINE_BYTES)
			text[kept++] = text[i];
		*column = ends ? 0 : *column + 1;
	}
	return kept;
}

/* What does not fill the room is the whole file: mostly one read is enough. */
int
prf_procfs_pread_lines(int fd, char *text, size_t size)
{
	size_t used = 0, room, column = 0;
	off_t at = 0;
	ssize_t n;

	do {
		room = size - 1 - used;
		n = read_at(fd, text + used, room, at);
		if (n < 0)
			return (int)n;
		at += n;
		used += at < (off_t)size - 1
				? (size_t)n
				: cut_lines(text + used, (size_t)n, &column);
	} while ((size_t)n == room && used < size - 1);
	text[used] = '\0';
	return used > 0 ? 0 : -ESRCH;
}

int
prf_procfs_read_lines(pid_t pid, pid_t tid, const char *name, char *text,
		      size_t size)
{
	PRF_AUTO(prf_auto_close) int fd = prf_procfs_open(pid, tid, name);

	if (fd < 0)
		return fd;
	int rc = prf_procfs_pread_lines(fd, text, size);
	return rc == -ESRCH ? -ENOENT : rc;
}

char *
prf_procfs_slurp(const char *path, size_t *size)
{
	PRF_AUTO(prf_auto_close) int fd = prf_procfs_open_path(path);

	return fd < 0 ? NULL : prf_procfs_slurp_fd(fd, size);
}

char *
prf_procfs_slurp_fd(int fd, size_t *size)
{
	PRF_AUTO(prf_auto_free) char *text = NULL;
	size_t room = 0, used = 0;

	if (lseek(fd, 0, SEEK_SET))
		return NULL;

	for (;;) {
		if (room - used < 2) {
			if (room >= PRF_PROCFS_MAX_BYTES) {
				errno = EFBIG;
				return NULL;
			}
			room = room ? room * 2 : 4096;
			char *grown = realloc(text, room);
			if (!grown)
				return NULL;
			text = grown;
		}
		prf_reach_begin();
		ssize_t n = read(fd, text + used, room - used - 1);
		prf_reach_end();
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return NULL;
		if (n == 0)
			break;
		used += (size_t)n;
	}
	text[used] = '\0';
	if (size)
		*size = used;
	return PRF_TAKE(text);
}

void
prf_procfs_read_name(pid_t pid, pid_t tid, char name[PRF_THREAD_NAME_BYTES])
{
	char text[PRF_THREAD_NAME_BYTES + 1];

	name[0] = '\0';
	if (prf_procfs_read(pid, tid, "comm", text, sizeof text))
		return;
	/* It ends with a newline, and may hold others. */
	size_t n = strlen(text);
	if (n > 0 && text[n - 1] == '\n')
		text[n - 1] = '\0';
	text[PRF_THREAD_NAME_BYTES - 1] = '\0';
	memcpy(name, text, strlen(text) + 1);
}

/* The word at AT, as long as an address. */
static uint64_t
word_at(const char *at, uint8_t addr_bytes)
{
	uint64_t word64;
	uint32_t word32;

	memcpy(&word64, at, sizeof word64);
	memcpy(&word32, at, sizeof word32);
	return addr_bytes == sizeof word32 ? word32 : word64;
}

int
prf_procfs_find_auxv(pid_t pid, uint8_t addr_bytes, uint64_t type,
		     uint64_t *value)
{
	char path[64];
	size_t size;

	snprintf(path, sizeof path, "/proc/%d/auxv", pid);
	PRF_AUTO(prf_auto_free) char *bytes = prf_procfs_slurp(path, &size);
	if (!bytes)
		return -errno;
	for (size_t at = 0; at + 2 * sizeof(uint64_t) <= size;
	     at += 2 * (size_t)addr_bytes)
		if (word_at(bytes + at, addr_bytes) == type) {
			*value = word_at(bytes + at + addr_bytes, addr_bytes);
			return 0;
		}
	return -ENOENT;
}

int
prf_procfs_read_yama_scope(void)
{
	PRF_AUTO(prf_auto_free)
	char *text =
		prf_procfs_slurp("/proc/sys/kernel/yama/ptrace_scope", NULL);

	return text ? atoi(text) : -1;
}
