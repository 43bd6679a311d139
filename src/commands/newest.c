#include "src/commands/newest.h"

#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/gmon/gmon_format.h"
#include "core/pctrace/pctrace_format.h"
#include "core/scope.h"
#include "src/commands/recording.h"
#include "src/output/outname.h"

/* A pprof file is compressed. */
#define GZIP_MAGIC "\x1f\x8b"

/* What is told by how it begins alone, or by its name, too; what keeps most
 * comes first. */
static const struct {
	const char *pattern, *begin;
	size_t n_bytes;
	bool has_list; /* its names are beside it */
} kinds[] = {
	{"*", PRF_PCTRACE_MAGIC, PRF_PCTRACE_MAGIC_BYTES, false},
	{"*.pb.gz*", GZIP_MAGIC, sizeof GZIP_MAGIC - 1, false},
	{"gmon.out*", PRF_GMON_COOKIE, PRF_GMON_COOKIE_BYTES, false},
	{"gmon.*.out", PRF_GMON_COOKIE, PRF_GMON_COOKIE_BYTES, false},
	{"*", PRF_GMON_COOKIE, PRF_GMON_COOKIE_BYTES, true},
};

enum { TRACE = 0, N_KINDS = sizeof kinds / sizeof *kinds };

static bool
has_list(const char *name)
{
	PRF_AUTO(prf_auto_free) char *list = prf_outname_symbols(name);

	return list && access(list, F_OK) == 0;
}

static bool
is_of_kind(const char *name, size_t i)
{
	return fnmatch(kinds[i].pattern, name, FNM_PERIOD) == 0 &&
	       prf_input_begins(name, kinds[i].begin, kinds[i].n_bytes) &&
	       (!kinds[i].has_list || has_list(name));
}

/* The first of the N_WANTED first kinds that NAME is of; N_WANTED: of none. */
static size_t
kind_of(const char *name, size_t n_wanted)
{
	size_t i = 0;

	while (i < n_wanted && !is_of_kind(name, i))
		i++;
	return i;
}

/* The newest so far. */
struct newest {
	size_t n_wanted; /* of the kinds */
	char *name;      /* NULL: none */
	size_t kind;
	struct timespec written;
};

/* Greater than 0: A was later. */
static int
compare_times(const struct timespec *a, const struct timespec *b)
{
	return a->tv_sec != b->tv_sec
		       ? (a->tv_sec > b->tv_sec) - (a->tv_sec < b->tv_sec)
		       : (a->tv_nsec > b->tv_nsec) - (a->tv_nsec < b->tv_nsec);
}

/* A run writes several in one tick of the clock. */
static bool
is_before(const struct newest *newest, const char *name, size_t kind)
{
	return kind != newest->kind ? kind < newest->kind
				    : strcmp(name, newest->name) < 0;
}

static int
consider(struct newest *newest, const char *name)
{
	struct stat st;

	if (stat(name, &st) < 0 || !S_ISREG(st.st_mode))
		return 0;
	int later =
		newest->name ? compare_times(&st.st_mtim, &newest->written) : 1;
	size_t kind =
		later < 0 ? newest->n_wanted : kind_of(name, newest->n_wanted);
	if (kind == newest->n_wanted ||
	    (later == 0 && !is_before(newest, name, kind)))
		return 0;
	char *copy = strdup(name);
	if (!copy)
		return -ENOMEM;
	free(newest->name);
	newest->name = copy;
	newest->kind = kind;
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
	struct newest newest = {.n_wanted = kind == PRF_NEWEST_TRACE ? TRACE + 1
								     : N_KINDS};
	struct dirent *entry;
	DIR *dir = opendir(".");
	int rc = 0;

	if (!dir)
		return prf_error_set(err, -errno, "directory .: %m");
	while (!rc && (entry = readdir(dir)))
		/* A directory may be a mount that never answers. */
		if (entry->d_type != DT_DIR)
			rc = consider(&newest, entry->d_name);
	closedir(dir);
	*name = newest.name;
	if (rc)
		return prf_error_set(err, rc, "out of memory");
	return newest.name ? 0 : complain_of_none(kind, err);
}
