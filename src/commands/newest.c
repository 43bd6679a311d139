#include "src/commands/newest.h"

#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/gmon/gmon_format.h"
#include "core/scope.h"
#include "src/commands/recording.h"

/* A pprof file is compressed. */
#define GZIP_MAGIC "\x1f\x8b"

static const struct {
	const char *pattern;
	bool keeps_stacks;
} kinds[] = {
	{"gmon.out*", false},      {"gmon.*.out", false},
	{"profrun.trace*", true},  {"*.trace", true},
	{"profrun*.pb.gz*", true},
};

enum { N_KINDS = sizeof kinds / sizeof *kinds };

/* The index of what NAME is called after; N_KINDS: of none. */
static size_t
kind_of(const char *name)
{
	size_t i = 0;

	while (i < N_KINDS && fnmatch(kinds[i].pattern, name, FNM_PERIOD))
		i++;
	return i;
}

static bool
is_profile(const char *name, enum prf_newest kind)
{
	return prf_recording_is_trace(name) ||
	       (kind == PRF_NEWEST_PROFILE &&
		(prf_input_begins(name, PRF_GMON_COOKIE,
				  PRF_GMON_COOKIE_BYTES) ||
		 prf_input_begins(name, GZIP_MAGIC, strlen(GZIP_MAGIC))));
}

/* The newest so far. */
struct newest {
	enum prf_newest kind;
	char *name; /* NULL: none */
	bool keeps_stacks;
	struct timespec written;
};

static bool
is_newer(const struct newest *newest, const char *name, bool keeps_stacks,
	 const struct timespec *written)
{
	const struct timespec *before = &newest->written;

	if (!newest->name || written->tv_sec != before->tv_sec)
		return !newest->name || written->tv_sec > before->tv_sec;
	if (written->tv_nsec != before->tv_nsec)
		return written->tv_nsec > before->tv_nsec;
	/* A run writes several in one tick of the clock. */
	return keeps_stacks != newest->keeps_stacks
		       ? keeps_stacks
		       : strcmp(name, newest->name) < 0;
}

static int
consider(struct newest *newest, const char *name)
{
	size_t kind = kind_of(name);
	struct stat st;

	if (kind == N_KINDS || stat(name, &st) < 0 ||
	    !is_newer(newest, name, kinds[kind].keeps_stacks, &st.st_mtim) ||
	    !is_profile(name, newest->kind))
		return 0;
	char *copy = strdup(name);
	if (!copy)
		return -ENOMEM;
	free(newest->name);
	newest->name = copy;
	newest->keeps_stacks = kinds[kind].keeps_stacks;
	newest->written = st.st_mtim;
	return 0;
}

static int
complain_of_none(enum prf_newest kind, struct prf_error *err)
{
	return prf_error_set(
		err, -ENOENT,
		kind == PRF_NEWEST_TRACE
			? "no trace here (profrun.trace); name a file, or make "
			  "one: profrun -f pcsample PROGRAM"
			: "no profile here (gmon.out, profrun.trace, "
			  "profrun.pb.gz); name a "
			  "file, or make one: profrun PROGRAM");
}

int
prf_newest_find(enum prf_newest kind, char **name, struct prf_error *err)
{
	struct newest newest = {.kind = kind};
	struct dirent *entry;
	DIR *dir = opendir(".");
	int rc = 0;

	if (!dir)
		return prf_error_set(err, -errno, "directory .: %m");
	while (!rc && (entry = readdir(dir)))
		rc = consider(&newest, entry->d_name);
	closedir(dir);
	*name = newest.name;
	if (rc)
		return prf_error_set(err, rc, "out of memory");
	return newest.name ? 0 : complain_of_none(kind, err);
}
