#include "src/commands/watching.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/scope.h"
#include "live/proc/status.h"

/* Of more processes only the numbers are told. */
enum { MOST = 4 };

static int
count_threads(const pid_t *pids, size_t n_pids)
{
	int n_threads = 0;

	for (size_t i = 0; i < n_pids; i++) {
		struct prf_process_status status;

		if (!prf_status_read_process(pids[i], &status))
			n_threads += status.n_threads;
	}
	return n_threads;
}

static void
print_targets(const struct prf_options *options, FILE *out)
{
	int n_threads = count_threads(options->pids, options->n_pids);

	size_t n_more = options->n_pids > MOST ? options->n_pids - MOST : 0;

	for (size_t i = 0; i < options->n_pids && i < MOST; i++)
		fprintf(out, "%s%d (%s)", i ? ", " : "", (int)options->pids[i],
			options->program[i]);
	if (n_more)
		fprintf(out, " and %zu more process%s", n_more,
			n_more == 1 ? "" : "es");
	fprintf(out, ", %d thread%s", n_threads, n_threads == 1 ? "" : "s");
}

static void
print_end(const struct prf_options *options, FILE *out)
{
	if (options->duration_ns)
		fprintf(out, "; it ends after %g s or by ^C",
			(double)options->duration_ns / 1e9);
	else
		fprintf(out, "; ^C ends it and writes %s",
			options->split || strchr(options->output, '%')
				? "the profile"
				: options->output);
}

char *
prf_watching_line(const struct prf_options *options)
{
	PRF_AUTO(prf_auto_free) char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	fputs("watching ", out);
	print_targets(options, out);
	print_end(options, out);
	return fclose(out) ? NULL : PRF_TAKE(text);
}
