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

static const char *const patterns[] = {
	"gmon.out*", "gmon.*.out",      "profrun.trace*",
	"*.trace",   "profrun*.pb.gz*",
};

static bool
is_called_so(const char *name)
{
	size_t i = 0, n = sizeof patterns / sizeof *patterns;

	while (i < n && fnmatch(patterns[i], name, FNM_PERIOD))
		i++;
	return i < n;
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
	struct timespec written;
};

static bool
is_newer(const struct newest *newest, const char *name,
	 const struct timespec *written)
{
	const struct timespec *before = &newest->written;

	if (!newest->name || written->tv_sec != before->tv_sec)
		return !newest->name || written->tv_sec > before->tv_sec;
	return written->tv_nsec != before->tv_nsec
		       ? written->tv_nsec > before->tv_nsec
		       : strcmp(name, newest->name) < 0;
}

static int
consider(struct newest *newest, const char *name)
{
	struct stat st;

	if (!is_called_so(name) || stat(name, &st) < 0 ||
	    !is_newer(newest, name, &st.st_mtim) ||
	    !is_profile(name, newest->kind))
		return 0;
	char *copy = strdup(name);
	if (!copy)
		return -ENOMEM;
	free(newest->name);
	newest->name = copy;
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
