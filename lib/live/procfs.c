#include "live/procfs.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/sample.h"
#include "core/scope.h"

/* More than any line-oriented file about one thread has. */
enum { SMALL_FILE_BYTES = 8192 };

/* Reads at most SIZE - 1 bytes of a small file of a thread. */
static int
read_small(pid_t pid, pid_t tid, const char *name, char *text, size_t size)
{
	char path[64];

	snprintf(path, sizeof path, "/proc/%d/task/%d/%s", pid, tid, name);
	PRF_AUTO(prf_auto_close) int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	ssize_t n = read(fd, text, size - 1);
	if (n < 0)
		return -errno;
	text[n] = '\0';
	return n > 0 ? 0 : -ENOENT;
}

/* The value of "NAME:" at the start of a line; NULL if there is none. */
static const char *
field(const char *text, const char *name)
{
	size_t length = strlen(name);

	for (const char *line = text; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (!strncmp(line, name, length) && line[length] == ':')
			return line + length + 1;
	}
	return NULL;
}

int
prf_thread_status_parse(const char *text, struct prf_thread_status *status)
{
	const struct {
		const char *name;
		uint64_t *value;
	} masks[] = {
		{"SigBlk", &status->signals_blocked},
		{"SigIgn", &status->signals_ignored},
		{"SigCgt", &status->signals_caught},
		{"SigPnd", &status->signals_pending},
	};

	for (size_t i = 0; i < sizeof masks / sizeof *masks; i++) {
		const char *value = field(text, masks[i].name);

		if (!value)
			return -EINVAL;
		*masks[i].value = strtoull(value, NULL, 16);
	}

	/* A kernel without seccomp has neither line. */
	const char *mode = field(text, "Seccomp");
	const char *filters = field(text, "Seccomp_filters");

	status->seccomp_mode = mode ? (unsigned)strtoul(mode, NULL, 10) : 0;
	status->seccomp_filters =
		filters ? (unsigned)strtoul(filters, NULL, 10) : 0;
	return 0;
}

int
prf_thread_status_read(pid_t pid, pid_t tid, struct prf_thread_status *status)
{
	char text[SMALL_FILE_BYTES];
	int rc = read_small(pid, tid, "status", text, sizeof text);

	return rc ? rc : prf_thread_status_parse(text, status);
}

static long
number_of(const char *text, const char *name)
{
	const char *value = field(text, name);

	return value ? strtol(value, NULL, 10) : 0;
}

int
prf_kin_parse(const char *text, struct prf_kin *kin)
{
	const char *state = field(text, "State");
	const char *capabilities = field(text, "CapEff");

	*kin = (struct prf_kin){
		.pid = (pid_t)number_of(text, "Tgid"),
		.parent = (pid_t)number_of(text, "PPid"),
		.tracer = (pid_t)number_of(text, "TracerPid"),
		.uid = (uid_t)number_of(text, "Uid"),
		.n_threads = (int)number_of(text, "Threads"),
		.is_zombie = state && strchr("ZX", state[strspn(state, "\t ")]),
		.capabilities =
			capabilities ? strtoull(capabilities, NULL, 16) : 0,
	};
	kin->is_kernel = !kin->is_zombie && !field(text, "VmSize");
	return kin->pid > 0 && kin->parent >= 0 ? 0 : -EINVAL;
}

int
prf_kin_read(pid_t tid, struct prf_kin *kin)
{
	char text[SMALL_FILE_BYTES];
	int rc = read_small(tid, tid, "status", text, sizeof text);

	return rc ? rc : prf_kin_parse(text, kin);
}

void
prf_thread_name_read(pid_t pid, pid_t tid, char name[PRF_THREAD_NAME_BYTES])
{
	char text[PRF_THREAD_NAME_BYTES + 1];

	name[0] = '\0';
	if (read_small(pid, tid, "comm", text, sizeof text))
		return;
	/* It ends with a newline, and may hold others. */
	size_t n = strlen(text);
	if (n > 0 && text[n - 1] == '\n')
		text[n - 1] = '\0';
	snprintf(name, PRF_THREAD_NAME_BYTES, "%s", text);
}

int
prf_thread_times_parse(const char *text, struct prf_thread_times *times)
{
	if (sscanf(text, "%" SCNu64 " %" SCNu64 " %" SCNu64, &times->cpu_ns,
		   &times->waited_ns, &times->n_slices) != 3)
		return -EINVAL;
	return 0;
}

int
prf_thread_times_read(pid_t pid, pid_t tid, struct prf_thread_times *times)
{
	char text[128];
	int rc = read_small(pid, tid, "schedstat", text, sizeof text);

	return rc ? rc : prf_thread_times_parse(text, times);
}

/* A thread's file NAME, to be read often. */
static int
open_small(pid_t pid, pid_t tid, const char *name)
{
	char path[64];

	snprintf(path, sizeof path, "/proc/%d/task/%d/%s", pid, tid, name);
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

static int
pread_small(int fd, char *text, size_t size)
{
	ssize_t n = pread(fd, text, size - 1, 0);

	if (n < 0)
		return -errno;
	text[n] = '\0';
	return n > 0 ? 0 : -ESRCH;
}

int
prf_thread_times_open(pid_t pid, pid_t tid)
{
	return open_small(pid, tid, "schedstat");
}

int
prf_thread_times_pread(int fd, struct prf_thread_times *times)
{
	char text[128];
	int rc = pread_small(fd, text, sizeof text);

	return rc ? rc : prf_thread_times_parse(text, times);
}

int
prf_thread_cpu_read(pid_t pid, pid_t tid, uint64_t *cpu_ns)
{
	struct prf_thread_times times;
	int rc = prf_thread_times_read(pid, tid, &times);

	if (!rc)
		*cpu_ns = times.cpu_ns;
	return rc;
}

/* Field NUMBER (from 1) of a stat file.  The second, the command's name, is
 * in parentheses and can hold anything, blanks and parentheses too. */
static const char *
stat_field(const char *text, int number)
{
	const char *at = strrchr(text, ')');

	for (int i = 2; at && i < number; i++) {
		at = strchr(at, ' ');
		at = at ? at + 1 : NULL;
	}
	return at && *at ? at : NULL;
}

int
prf_process_times_parse(const char *text, long clk_tck_hz,
			struct prf_process_times *times)
{
	enum { UTIME = 14 };
	const char *at = stat_field(text, UTIME);
	uint64_t user, system;

	if (!at || clk_tck_hz <= 0 ||
	    sscanf(at, "%" SCNu64 " %" SCNu64, &user, &system) != 2)
		return -EINVAL;
	times->user_us = user * (uint64_t)(1000000 / clk_tck_hz);
	times->system_us = system * (uint64_t)(1000000 / clk_tck_hz);
	return 0;
}

int
prf_process_times_read(pid_t pid, struct prf_process_times *times)
{
	char path[64];

	snprintf(path, sizeof path, "/proc/%d/stat", pid);
	PRF_AUTO(prf_auto_free) char *text = prf_procfs_slurp(path, NULL);
	if (!text)
		return -errno;
	return prf_process_times_parse(text, sysconf(_SC_CLK_TCK), times);
}

int
prf_yama_scope_read(void)
{
	PRF_AUTO(prf_auto_free)
	char *text =
		prf_procfs_slurp("/proc/sys/kernel/yama/ptrace_scope", NULL);

	return text ? atoi(text) : -1;
}

char *
prf_process_command_read(pid_t pid)
{
	char path[64];
	size_t size = 0;

	snprintf(path, sizeof path, "/proc/%d/cmdline", pid);
	char *command = prf_procfs_slurp(path, &size);
	if (!command)
		return NULL;
	if (size > PRF_COMMAND_BYTES)
		size = PRF_COMMAND_BYTES;
	for (size_t i = 0; i + 1 < size; i++)
		if (!command[i])
			command[i] = ' ';
	command[size] = '\0';
	return command;
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
prf_process_auxv_find(pid_t pid, uint8_t addr_bytes, uint64_t type,
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
prf_thread_cpu_of_stat(const char *text, int *cpu)
{
	enum { PROCESSOR = 39 };
	const char *at = stat_field(text, PROCESSOR);

	if (!at || sscanf(at, "%d", cpu) != 1 || *cpu < 0)
		return -EINVAL;
	return 0;
}

int
prf_thread_processor_read(pid_t pid, pid_t tid, int *cpu)
{
	char text[SMALL_FILE_BYTES];
	int rc = read_small(pid, tid, "stat", text, sizeof text);

	return rc ? rc : prf_thread_cpu_of_stat(text, cpu);
}

int
prf_thread_syscall_open(pid_t pid, pid_t tid)
{
	return open_small(pid, tid, "syscall");
}

int
prf_thread_syscall_read(pid_t pid, pid_t tid, char *text, size_t size)
{
	return read_small(pid, tid, "syscall", text, size);
}

char
prf_thread_state_of_stat(const char *text)
{
	enum { STATE = 3 };
	const char *at = stat_field(text, STATE);

	return at ? *at : '\0';
}

bool
prf_thread_is_running(pid_t pid, pid_t tid, int fd)
{
	char text[SMALL_FILE_BYTES];

	if (fd >= 0 && pread(fd, text, 1, 0) == 1)
		return *text == 'r';
	return !read_small(pid, tid, "stat", text, sizeof text) &&
	       prf_thread_state_of_stat(text) == 'R';
}

/* "running"; or a number and, if it is not -1, the six arguments of the call;
 * then SP and PC. */
int
prf_thread_place_parse(const char *text, struct prf_thread_place *place)
{
	int64_t number;
	int n;

	if (!strncmp(text, "running", 7))
		return -EAGAIN;
	if (sscanf(text, "%" SCNd64 "%n", &number, &n) != 1)
		return -EINVAL;
	text += n;
	for (int i = 0; number != -1 && i < 6 && *text == ' '; i++)
		text += 1 + strcspn(text + 1, " ");
	if (sscanf(text, "%" SCNx64 " %" SCNx64, &place->sp, &place->pc) != 2)
		return -EINVAL;
	/* A program can ask for any number; those below zero are no call. */
	place->syscall = number < 0 || number > INT32_MAX ? PRF_NO_SYSCALL
							  : (int32_t)number;
	return 0;
}

int
prf_thread_place_pread(int fd, struct prf_thread_place *place)
{
	char text[256];
	int rc = pread_small(fd, text, sizeof text);

	return rc ? rc : prf_thread_place_parse(text, place);
}

char *
prf_procfs_slurp(const char *path, size_t *size)
{
	PRF_AUTO(prf_auto_close) int fd = open(path, O_RDONLY | O_CLOEXEC);

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
			room = room ? room * 2 : 4096;
			char *grown = realloc(text, room);
			if (!grown)
				return NULL;
			text = grown;
		}
		ssize_t n = read(fd, text + used, room - used - 1);
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
