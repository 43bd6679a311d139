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

static const char *const patterns[] = {
	"gmon.out*",
	"gmon.*.out",
	"profrun.trace*",
	"*.trace",
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
is_profile(const char *name)
{
	return is_called_so(name) &&
	       (prf_recording_is_trace(name) ||
		prf_input_begins(name, PRF_GMON_COOKIE, PRF_GMON_COOKIE_BYTES));
}

/* The newest so far. */
struct newest {
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
	    !is_newer(newest, name, &st.st_mtim) || !is_profile(name))
		return 0;
	char *copy = strdup(name);
	if (!copy)
		return -ENOMEM;
	free(newest->name);
	*newest = (struct newest){copy, st.st_mtim};
	return 0;
}

int
prf_newest_find(char **name, struct prf_error *err)
{
	struct newest newest = {0};
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
	return newest.name ? 0
			   : prf_error_set(err, -ENOENT,
					   "no profile here (gmon.out, "
					   "profrun.trace); name a file, or "
					   "make one: profrun PROGRAM");
}
