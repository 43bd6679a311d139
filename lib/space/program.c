#include "space/program.h"

#include <stdlib.h>
#include <string.h>

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
	program->begun = time(NULL);
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
