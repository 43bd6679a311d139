#include "space/program.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/scope.h"

/* When process PID, which may have run for long, was made; now, if that is not
 * to be had. */
static time_t
start_of(pid_t pid)
{
	enum { START = 20 }; /* th field behind the name */
	char path[64], text[1024];
	struct timespec since_boot;
	unsigned long long ticks;

	snprintf(path, sizeof path, "/proc/%d/stat", pid);
	PRF_AUTO(prf_auto_close) int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
	text[n > 0 ? n : 0] = '\0';
	const char *at = strrchr(text, ')'); /* it may be in the name, too */
	for (int i = 0; at && i < START; i++)
		at = strchr(at + 1, ' ');
	if (!at || sscanf(at, "%llu", &ticks) != 1 ||
	    clock_gettime(CLOCK_BOOTTIME, &since_boot))
		return time(NULL);
	return time(NULL) - since_boot.tv_sec +
	       (time_t)(ticks / (unsigned long long)sysconf(_SC_CLK_TCK));
}

struct prf_program *
prf_program_new(const struct prf_exec *exec)
{
	static const struct prf_exec unknown = {
		.path = "",
		.command = "",
		.addr_bytes = sizeof(void *),
		.rank = -1,
		.uid = PRF_NO_USER,
	};
	struct prf_program *program = calloc(1, sizeof *program);

	if (!program)
		return NULL;
	if (!exec)
		exec = &unknown;
	program->n_users = 1;
	program->path = strdup(exec->path);
	program->command = strdup(exec->command);
	program->inode = exec->inode;
	program->addr_bytes = exec->addr_bytes;
	program->machine = exec->machine;
	program->rank = exec->rank;
	program->uid = exec->uid;
	program->pid = exec->pid;
	program->begun = start_of(exec->pid);
	if (program->path && program->command)
		return program;
	prf_program_drop(program);
	return NULL;
}

struct prf_program *
prf_program_hold(struct prf_program *program)
{
	program->n_users++;
	return program;
}

void
prf_program_drop(struct prf_program *program)
{
	if (!program || --program->n_users > 0)
		return;
	free(program->path);
	free(program->command);
	free(program);
}

/* /proc/PID/exe says so where the file is gone. */
static bool
is_path_of_exe(const char *path, const char *exe)
{
	size_t n = strlen(path);

	return !strncmp(exe, path, n) &&
	       (!exe[n] || !strcmp(exe + n, " (deleted)"));
}

bool
prf_program_is(const struct prf_program *program, const struct prf_file *file)
{
	return !file->is_vdso && *program->path &&
	       file->inode == program->inode &&
	       is_path_of_exe(file->path, program->path);
}

const char *
prf_program_name(const struct prf_program *program)
{
	const char *slash = strrchr(program->path, '/');

	return slash ? slash + 1 : program->path;
}

const char *
prf_program_command(const struct prf_program *program)
{
	const char *command =
		*program->command ? program->command : program->path;
	size_t n_first = strcspn(command, " ");
	const char *slash = memrchr(command, '/', n_first);

	if (!*command)
		return "?";
	return slash && slash + 1 < command + n_first ? slash + 1 : command;
}
