#include "live/status.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "live/procfs.h"

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
	status->own_tid = last_id(field(text, "NSpid"));
	return 0;
}

int
prf_thread_status_read(pid_t pid, pid_t tid, struct prf_thread_status *status)
{
	char text[PRF_PROCFS_BYTES];
	int rc = prf_procfs_read(pid, tid, "status", text, sizeof text);

	if (!rc)
		rc = prf_thread_status_parse(text, status);
	if (!rc && !status->own_tid)
		status->own_tid = tid;
	return rc;
}

static long
number_of(const char *text, const char *name)
{
	const char *value = field(text, name);

	return value ? strtol(value, NULL, 10) : 0;
}

static uint64_t
mask_of(const char *text, const char *name)
{
	const char *value = field(text, name);

	return value ? strtoull(value, NULL, 16) : 0;
}

static bool
is_state(const char *text, const char *letters)
{
	const char *state = field(text, "State");

	return state && strchr(letters, state[strspn(state, "\t ")]);
}

int
prf_process_status_parse(const char *text, struct prf_process_status *status)
{
	*status = (struct prf_process_status){
		.pid = (pid_t)number_of(text, "Tgid"),
		.parent = (pid_t)number_of(text, "PPid"),
		.tracer = (pid_t)number_of(text, "TracerPid"),
		.uid = (uid_t)number_of(text, "Uid"),
		.n_threads = (int)number_of(text, "Threads"),
		.is_zombie = is_state(text, "ZX"),
		.is_stopped = is_state(text, "Tt"),
		.signals_pending = mask_of(text, "ShdPnd"),
		.capabilities = mask_of(text, "CapEff"),
	};
	status->is_kernel = !status->is_zombie && !field(text, "VmSize");
	return status->pid > 0 && status->parent >= 0 ? 0 : -EINVAL;
}

int
prf_process_status_read(pid_t tid, struct prf_process_status *status)
{
	char text[PRF_PROCFS_BYTES];
	int rc = prf_procfs_read(tid, tid, "status", text, sizeof text);

	return rc ? rc : prf_process_status_parse(text, status);
}
