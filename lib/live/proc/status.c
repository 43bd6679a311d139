#include "live/proc/status.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "live/proc/procfs.h"

/* A line "NAME:VALUE", or NULL: there is none. */
struct field {
	const char *name, *value;
};

/* The value in LINE, if that is FIELD's; else NULL. */
static const char *
value_in(const char *line, const struct field *field)
{
	if (*line != *field->name)
		return NULL;
	size_t length = strlen(field->name);

	return !strncmp(line, field->name, length) && line[length] == ':'
		       ? line + length + 1
		       : NULL;
}

/* Finds all N in one pass; of each the first line counts. */
static void
find_fields(const char *text, struct field *fields, size_t n)
{
	for (const char *line = text; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		for (size_t i = 0; i < n; i++)
			if (!fields[i].value)
				fields[i].value = value_in(line, &fields[i]);
	}
}

static long
number_of(const struct field *field)
{
	return field->value ? strtol(field->value, NULL, 10) : 0;
}

static uint64_t
mask_of(const struct field *field)
{
	return field->value ? strtoull(field->value, NULL, 16) : 0;
}

static char
letter_of(const struct field *field)
{
	return field->value ? field->value[strspn(field->value, "\t ")] : '\0';
}

static bool
is_any_of(const struct field *field, const char *letters)
{
	return field->value && strchr(letters, letter_of(field));
}

/* The thread's ids, from our PID namespace in to its own. */
static pid_t
last_id(const char *ids)
{
	long id = 0;
	char *end;

	for (const char *at = ids; at && *at != '\n'; at = end) {
		long next = strtol(at, &end, 10);

		if (end == at)
			break;
		id = next;
	}
	return (pid_t)id;
}

int
prf_status_parse_thread(const char *text, struct prf_thread_status *status)
{
	enum { BLOCKED, IGNORED, CAUGHT, PENDING, N_MASKS };
	enum { MODE = N_MASKS, FILTERS, IDS, SLEEPS, STATE, N };
	/* A kernel without seccomp has neither of its lines. */
	struct field fields[N] = {
		[BLOCKED] = {"SigBlk", NULL},
		[IGNORED] = {"SigIgn", NULL},
		[CAUGHT] = {"SigCgt", NULL},
		[PENDING] = {"SigPnd", NULL},
		[MODE] = {"Seccomp", NULL},
		[FILTERS] = {"Seccomp_filters", NULL},
		[IDS] = {"NSpid", NULL},
		[SLEEPS] = {"voluntary_ctxt_switches", NULL},
		[STATE] = {"State", NULL},
	};

	find_fields(text, fields, N);
	for (size_t i = 0; i < N_MASKS; i++)
		if (!fields[i].value)
			return -EINVAL;
	*status = (struct prf_thread_status){
		.state = letter_of(&fields[STATE]),
		.seccomp_mode = (unsigned)number_of(&fields[MODE]),
		.seccomp_filters = (unsigned)number_of(&fields[FILTERS]),
		.signals_blocked = mask_of(&fields[BLOCKED]),
		.signals_ignored = mask_of(&fields[IGNORED]),
		.signals_caught = mask_of(&fields[CAUGHT]),
		.signals_pending = mask_of(&fields[PENDING]),
		.own_tid = last_id(fields[IDS].value),
		.sleeps = (uint64_t)number_of(&fields[SLEEPS]),
	};
	return 0;
}

static int
parse_status_of(pid_t tid, const char *text, struct prf_thread_status *status)
{
	int rc = prf_status_parse_thread(text, status);

	if (!rc && !status->own_tid)
		status->own_tid = tid;
	return rc;
}

int
prf_status_read_thread(pid_t pid, pid_t tid, struct prf_thread_status *status)
{
	char text[PRF_PROCFS_BYTES];
	int rc = prf_procfs_read_lines(pid, tid, "status", text, sizeof text);

	return rc ? rc : parse_status_of(tid, text, status);
}

int
prf_status_open_thread(pid_t pid, pid_t tid)
{
	return prf_procfs_open(pid, tid, "status");
}

int
prf_status_pread_thread(int fd, pid_t tid, struct prf_thread_status *status)
{
	char text[PRF_PROCFS_BYTES];
	int rc = prf_procfs_pread_lines(fd, text, sizeof text);

	return rc ? rc : parse_status_of(tid, text, status);
}

int
prf_status_parse_process(const char *text, struct prf_process_status *status)
{
	enum {
		TGID,
		PPID,
		TRACER,
		UID,
		THREADS,
		STATE,
		PENDING,
		CAPABILITIES,
		MEMORY,
		N
	};
	struct field fields[N] = {
		[TGID] = {"Tgid", NULL},
		[PPID] = {"PPid", NULL},
		[TRACER] = {"TracerPid", NULL},
		[UID] = {"Uid", NULL},
		[THREADS] = {"Threads", NULL},
		[STATE] = {"State", NULL},
		[PENDING] = {"ShdPnd", NULL},
		[CAPABILITIES] = {"CapEff", NULL},
		[MEMORY] = {"VmSize", NULL},
	};

	find_fields(text, fields, N);
	*status = (struct prf_process_status){
		.pid = (pid_t)number_of(&fields[TGID]),
		.parent = (pid_t)number_of(&fields[PPID]),
		.tracer = (pid_t)number_of(&fields[TRACER]),
		.uid = (uid_t)number_of(&fields[UID]),
		.n_threads = (int)number_of(&fields[THREADS]),
		.is_zombie = is_any_of(&fields[STATE], "ZX"),
		.is_stopped = is_any_of(&fields[STATE], "Tt"),
		.signals_pending = mask_of(&fields[PENDING]),
		.capabilities = mask_of(&fields[CAPABILITIES]),
	};
	status->is_kernel = !status->is_zombie && !fields[MEMORY].value;
	return status->pid > 0 && status->parent >= 0 ? 0 : -EINVAL;
}

int
prf_status_read_process(pid_t tid, struct prf_process_status *status)
{
	char text[PRF_PROCFS_BYTES];
	int rc = prf_procfs_read_lines(tid, tid, "status", text, sizeof text);

	return rc ? rc : prf_status_parse_process(text, status);
}

bool
prf_status_has_ended(pid_t tid)
{
	struct prf_process_status status;
	int rc = prf_status_read_process(tid, &status);

	return rc ? rc == -ENOENT || rc == -ESRCH : status.is_zombie;
}

/* Of what is in directory PATH the first whose name is an id for which it HOLDS with
 * ARG; 0: there is none. */
static pid_t
find_id(const char *path, bool (*holds)(pid_t id, pid_t arg), pid_t arg)
{
	struct dirent *entry;
	pid_t found = 0;

	DIR *dir = opendir(path);
	while (!found && dir && (entry = readdir(dir))) {
		pid_t id = (pid_t)atoi(entry->d_name);

		if (id > 0 && holds(id, arg))
			found = id;
	}
	if (dir)
		closedir(dir);
	return found;
}

static bool
is_living(pid_t tid, pid_t arg)
{
	struct prf_process_status status;

	(void)arg;
	return !prf_status_read_process(tid, &status) && !status.is_zombie;
}

pid_t
prf_status_find_living(pid_t pid)
{
	char path[64];

	snprintf(path, sizeof path, "/proc/%d/task", pid);
	return find_id(path, is_living, 0);
}

static bool
is_traced_by(pid_t pid, pid_t tracer)
{
	pid_t living = prf_status_find_living(pid);
	struct prf_process_status status;

	return living && !prf_status_read_process(living, &status) &&
	       status.tracer == tracer;
}

pid_t
prf_status_find_traced(pid_t tracer)
{
	return find_id("/proc", is_traced_by, tracer);
}
