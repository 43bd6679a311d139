#include "src/output/progress.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "core/clock_ns.h"
#include "core/scope.h"
#include "core/worker.h"
#include "src/output/terminal.h"
#include "view/table/plain.h"

#define PATIENCE_NS UINT64_C(1000000000) /* nobody wonders before */
#define PAUSE_NS UINT64_C(250000000)     /* between two lines */

struct prf_progress {
	FILE *out;
	struct prf_progress_state state;
	int fd;
	uint64_t begun_ns;
	pthread_t thread;
	pthread_mutex_t lock; /* of what follows */
	pthread_cond_t changed;
	bool has_ended;
};

/* --- The line (pure) */

/* "37 %, 12 s". */
static void
put_far(const struct prf_progress_state *state, char *text, size_t size)
{
	uint64_t done = state->done < state->size ? state->done : state->size;

	if (state->size)
		snprintf(text, size, "%.0f %%, %" PRIu64 " s",
			 (double)done / (double)state->size * 100,
			 state->seconds);
	else
		snprintf(text, size, "%" PRIu64 " s", state->seconds);
}

char *
prf_progress_line(const struct prf_progress_state *state, size_t width)
{
	char far[64], *line = NULL;
	size_t size;
	FILE *out = open_memstream(&line, &size);

	if (!out)
		return NULL;
	put_far(state, far, sizeof far);
	size_t taken = strlen("profrun: ") + strlen(state->what) +
		       strlen(" : ") + strlen(far);
	fprintf(out, "profrun: %s", state->what);
	if (state->name && taken + 1 < width) {
		putc(' ', out);
		prf_plain_print_middle_cut(state->name, width - taken, out);
	}
	fprintf(out, ": %s", far);
	if (!fclose(out))
		return line;
	free(line);
	return NULL;
}

/* --- Its thread */

/* The name of the file, and so its size, may be of a pipe. */
static void
look(struct prf_progress *progress)
{
	struct prf_progress_state *state = &progress->state;
	struct stat st;
	off_t at = progress->fd < 0 ? -1 : lseek(progress->fd, 0, SEEK_CUR);

	state->seconds = (prf_clock_ns(CLOCK_MONOTONIC) - progress->begun_ns) /
			 1000000000;
	if (at < 0 || fstat(progress->fd, &st) < 0 || st.st_size <= 0)
		return;
	state->done = (uint64_t)at;
	state->size = (uint64_t)st.st_size;
}

/* A line that reached the last column might go on in the next one. */
static void
show(struct prf_progress *progress)
{
	size_t width = prf_terminal_style(progress->out, 0, false).width;

	look(progress);
	PRF_AUTO(prf_auto_free)
	char *line = prf_progress_line(&progress->state, width - 1);

	if (!line)
		return;
	fprintf(progress->out, "\r%s\033[K", line);
	fflush(progress->out);
}

/* Waits until UNTIL_NS, or until the end: true. */
static bool
has_ended_by(struct prf_progress *progress, uint64_t until_ns)
{
	const struct timespec until = {
		.tv_sec = (time_t)(until_ns / 1000000000),
		.tv_nsec = (long)(until_ns % 1000000000),
	};

	while (!progress->has_ended)
		if (pthread_cond_timedwait(&progress->changed, &progress->lock,
					   &until))
			break;
	return progress->has_ended;
}

static void *
keep(void *arg)
{
	struct prf_progress *progress = arg;
	uint64_t next_ns = progress->begun_ns + PATIENCE_NS;
	bool is_shown = false;

	pthread_mutex_lock(&progress->lock);
	for (; !has_ended_by(progress, next_ns);
	     next_ns = prf_clock_ns(CLOCK_MONOTONIC) + PAUSE_NS) {
		show(progress);
		is_shown = true;
	}
	pthread_mutex_unlock(&progress->lock);
	if (is_shown) {
		fputs("\r\033[K", progress->out);
		fflush(progress->out);
	}
	return NULL;
}

/* --- Begin and end */

static bool
is_wanted(const struct prf_messages *messages)
{
	const char *term = getenv("TERM");
	int fd = messages->stream ? fileno(messages->stream) : -1;

	return messages->verbosity >= 0 && fd >= 0 && isatty(fd) && term &&
	       strcmp(term, "dumb") != 0;
}

/* Signals are for the thread that works. */
static int
start(struct prf_progress *progress)
{
	pthread_condattr_t monotonic;

	pthread_mutex_init(&progress->lock, NULL);
	pthread_condattr_init(&monotonic);
	pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
	pthread_cond_init(&progress->changed, &monotonic);
	pthread_condattr_destroy(&monotonic);
	return prf_worker_begin(&progress->thread, keep, progress);
}

static void
drop(struct prf_progress *progress)
{
	pthread_cond_destroy(&progress->changed);
	pthread_mutex_destroy(&progress->lock);
	free(progress);
}

struct prf_progress *
prf_progress_begin(const struct prf_messages *messages, const char *what,
		   const char *name, int fd)
{
	struct prf_progress *progress =
		is_wanted(messages) ? calloc(1, sizeof *progress) : NULL;

	if (!progress)
		return NULL;
	progress->out = messages->stream;
	progress->state.what = what;
	progress->state.name = name;
	progress->fd = fd;
	progress->begun_ns = prf_clock_ns(CLOCK_MONOTONIC);
	if (!start(progress))
		return progress;
	drop(progress);
	return NULL;
}

void
prf_progress_end(struct prf_progress *progress)
{
	if (!progress)
		return;
	pthread_mutex_lock(&progress->lock);
	progress->has_ended = true;
	pthread_mutex_unlock(&progress->lock);
	pthread_cond_signal(&progress->changed);
	pthread_join(progress->thread, NULL);
	drop(progress);
}
