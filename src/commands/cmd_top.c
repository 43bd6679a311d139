#include "src/commands/cmd_top.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "core/scope.h"
#include "core/worker.h"
#include "live/proc/clock.h"
#include "live/proc/procfs.h"
#include "src/commands/cmd_record.h"
#include "src/exit_status.h"
#include "src/output/terminal.h"
#include "src/top/top_data.h"
#include "src/top/top_lines.h"
#include "src/top/top_marks.h"
#include "src/top/top_output.h"
#include "src/top/top_screen.h"
#include "src/top/top_state.h"
#include "src/top/top_writer.h"
#include "view/table/command_line.h"

#define LOOK_NS UINT64_C(1000000000)

struct top {
	const struct prf_options *options;
	char what[64]; /* is watched */
	uint64_t begun_ns;
	/* Of the run's thread and the one that draws; NULL: there is none, or
	 * none any more. */
	struct prf_top_screen *screen;
	bool prints; /* tables, by PRINTER, since there has been no terminal */
	struct prf_top_writer printer;
	struct prf_top_output output;
	pthread_t drawer;

	/* The thread that counts has these to itself. */
	struct prf_top_marks marks;
	struct prf_binary_lines lines;

	/* What passes between that one and the one that draws. */
	pthread_mutex_t lock;
	struct prf_top_data data;
	bool is_new, is_over;
	double window_s; /* of the data */
	bool has_all;    /* they are since the start */
	bool wants_lines, wants_all, wants_reset;
	bool is_frozen;  /* the data are to stay */
	bool is_paused;  /* counting is */
	int print_errno; /* why a table could not be printed; 0: all could */
};

/* --- In the thread that counts */

/* Threads that live have no name in the profile yet. */
static void
name_threads(struct prf_profile *profile)
{
	for (size_t i = 0; i < profile->threads.n; i++) {
		struct prf_thread_row *row = &profile->threads.rows[i];

		if (!row->name[0])
			prf_procfs_read_name(row->pid, row->tid, row->name);
	}
}

static void
hand_over(struct top *top, struct prf_top_data *data, double window_s, bool all)
{
	struct prf_top_data unused = *data;

	pthread_mutex_lock(&top->lock);
	if (!top->is_frozen) {
		unused = top->data;
		top->data = *data;
		top->window_s = window_s;
		top->has_all = all;
		top->is_new = true;
	}
	pthread_mutex_unlock(&top->lock);
	prf_top_data_clear(&unused);
}

static double
seconds_between(uint64_t from_ns, uint64_t to_ns)
{
	return (double)(to_ns - from_ns) / 1e9;
}

/* False: the last table has not been taken yet.  Samples do not wait for that. */
static bool
give(struct top *top)
{
	int rc = prf_top_writer_give(&top->printer, 0);

	if (rc && rc != -EAGAIN)
		top->print_errno = -rc;
	return rc != -EAGAIN;
}

/* A table in so many lines, for what is no terminal. */
static void
print(struct top *top)
{
	enum { HEIGHT = 24 };
	PRF_AUTO(prf_top_lines_clear) struct prf_top_lines lines = {0};
	const struct prf_style style = prf_terminal_style(
		stdout, PRF_TERMINAL_USUAL_WIDTH, top->options->full_names);
	uint64_t now_ns = prf_clock_ns(CLOCK_MONOTONIC);
	const struct prf_top_title title = {
		.what = top->what,
		.seconds = seconds_between(top->begun_ns, now_ns),
		.window_s = top->window_s,
		.is_wall = top->options->clock == PRF_CLOCK_WALL,
	};
	struct prf_top_state state = {0};

	if (prf_top_lines_of(&top->data, &state, &title, &style, HEIGHT,
			     &lines))
		return;
	for (size_t i = 0; i < lines.n; i++)
		if (lines.all[i].kind != PRF_TOP_LINE_STATE)
			dprintf(top->printer.kept, "%s\n", lines.all[i].text);
	dprintf(top->printer.kept, "\n");
	give(top);
}

static void
look(void *arg, struct prf_profile *so_far, uint32_t rate_hz)
{
	struct top *top = arg;
	struct prf_top_wanted wanted = {.binary_lines = &top->lines};
	struct prf_top_data data;
	uint64_t now_ns = prf_clock_ns(CLOCK_MONOTONIC);

	prf_top_screen_expect_crashes();
	pthread_mutex_lock(&top->lock);
	bool all = top->wants_all, resets = top->wants_reset;
	wanted.lines = top->wants_lines;
	top->wants_reset = false;
	pthread_mutex_unlock(&top->lock);
	name_threads(so_far);
	prf_top_marks_move(&top->marks, so_far, now_ns, resets);
	uint64_t since_ns = top->begun_ns;
	if (prf_top_marks_take(&top->marks, so_far, all, &since_ns))
		return; /* the next look will do, or may, if memory is short */
	int rc = prf_top_data_of(so_far, rate_hz, &wanted, &data);
	/* The next look has another profile, of the same binaries. */
	prf_binary_lines_let_go(&top->lines);
	if (rc)
		return;
	hand_over(top, &data, seconds_between(since_ns, now_ns), all);
	if (top->prints && give(top))
		print(top);
}

/* --- In the thread that draws */

/* Asks the run to end: what was attached to runs on, what was started is asked to
 * end, too. */
static void
quit(const struct top *top)
{
	kill(getpid(),
	     top->options->action == PRF_ACTION_ATTACH ? SIGINT : SIGTERM);
}

/* As ^Z does, which is a key here.  Where a program was started this process
 * stops when that has, see changed(); where not, at once. */
static void
suspend(const struct top *top)
{
	if (top->options->action == PRF_ACTION_ATTACH)
		prf_top_screen_leave(top->screen);
	kill(0, SIGTSTP);
}

static void
act(struct top *top, enum prf_top_action action)
{
	if (action == PRF_TOP_QUIT)
		quit(top);
	else if (action == PRF_TOP_SUSPEND)
		suspend(top);
	else if (action == PRF_TOP_COUNT)
		kill(getpid(), top->options->toggle_signal);
	else if (action == PRF_TOP_RESET)
		top->wants_reset = true;
}

/* Draws what is there; the lock is held. */
static void
draw(struct top *top, struct prf_top_state *state, size_t *n_rows,
     size_t *n_in_sight)
{
	PRF_AUTO(prf_top_lines_clear) struct prf_top_lines lines = {0};
	struct prf_style style = {.full_names = top->options->full_names};
	uint64_t now_ns = prf_clock_ns(CLOCK_MONOTONIC);
	const struct prf_top_title title = {
		.what = top->what,
		.seconds = seconds_between(top->begun_ns, now_ns),
		.window_s = top->window_s,
		.since_begin = top->has_all,
		.is_wall = top->options->clock == PRF_CLOCK_WALL,
		.is_paused = top->is_paused,
	};
	size_t height;

	prf_top_screen_size(top->screen, &style.width, &height);
	if (style.width < PRF_STYLE_MIN_WIDTH)
		style.width = PRF_STYLE_MIN_WIDTH;
	if (prf_top_lines_of(&top->data, state, &title, &style, height, &lines))
		return;
	*n_rows = lines.n_rows;
	*n_in_sight = lines.n_in_sight;
	prf_top_screen_draw(top->screen, &lines);
}

/* What the one who draws knows. */
struct drawing {
	struct prf_top_state state;
	size_t n_rows, n_in_sight;
	unsigned turn;
	bool is_due; /* another picture is */
};

/* Takes a key, if one was pressed, and draws; the lock is held. */
static void
take_turn(struct top *top, struct drawing *drawing)
{
	enum { TURNS = 10 };
	struct prf_top_state *state = &drawing->state;
	int key = prf_top_screen_key(top->screen);
	enum prf_top_action action =
		key < 0 ? PRF_TOP_NOTHING
			: prf_top_state_press(state, key, drawing->n_rows,
					      drawing->n_in_sight);

	top->wants_lines = state->by == PRF_ROWS_BY_LINE;
	top->wants_all = state->since_begin;
	top->is_frozen = state->is_frozen;
	drawing->is_due |=
		key >= 0 || drawing->turn++ % TURNS == 0 || top->is_new;
	top->is_new = false;
	if (prf_top_screen_is_ready(top->screen) && drawing->is_due) {
		draw(top, state, &drawing->n_rows, &drawing->n_in_sight);
		drawing->is_due = false;
	}
	act(top, action);
}

static void *
draw_on(void *arg)
{
	enum { KEY_MS = 100 };
	struct top *top = arg;
	struct drawing drawing = {.n_in_sight = 1};
	bool is_over = false;

	prf_top_screen_expect_crashes();
	/* The end of a terminal need not be that of the run: see nohup(1). */
	while (!is_over && !prf_top_screen_is_gone(top->screen)) {
		prf_top_screen_wait(top->screen, KEY_MS);
		pthread_mutex_lock(&top->lock);
		is_over = top->is_over;
		if (prf_top_screen_return(top->screen, &drawing.is_due))
			take_turn(top, &drawing);
		prf_top_output_trim(&top->output);
		pthread_mutex_unlock(&top->lock);
	}
	return NULL;
}

/* --- The run */

static void
begun(void *arg, pid_t pid)
{
	struct top *top = arg;
	char name[PRF_THREAD_NAME_BYTES];

	prf_top_screen_expect_crashes();
	prf_procfs_read_name(pid, pid, name);
	pthread_mutex_lock(&top->lock);
	snprintf(top->what, sizeof top->what, "%s, process %d",
		 name[0] ? name : "?", pid);
	top->begun_ns = prf_clock_ns(CLOCK_MONOTONIC);
	pthread_mutex_unlock(&top->lock);
}

/* While this process is stopped others have the terminal, and nothing is drawn:
 * the lock is held. */
static void
changed(void *arg, enum prf_sampler_change change)
{
	struct top *top = arg;

	if (change != PRF_SAMPLER_GOES_ON)
		pthread_mutex_lock(&top->lock);
	if (change == PRF_SAMPLER_STOPS && top->screen)
		prf_top_screen_leave(top->screen);
	if (change == PRF_SAMPLER_PAUSES || change == PRF_SAMPLER_COUNTS)
		top->is_paused = change == PRF_SAMPLER_PAUSES;
	if (change != PRF_SAMPLER_STOPS)
		pthread_mutex_unlock(&top->lock);
}

static void
ended(void *arg)
{
	struct top *top = arg;

	if (!top->screen)
		return;
	pthread_mutex_lock(&top->lock);
	top->is_over = true;
	pthread_mutex_unlock(&top->lock);
	pthread_join(top->drawer, NULL);
	if (prf_top_screen_close(PRF_TAKE(top->screen)))
		prf_top_output_release(&top->output);
	else
		prf_top_output_drop(&top->output);
}

/* Without a terminal there are tables. */
static void
take_terminal(struct top *top)
{
	struct prf_error err;

	if (!isatty(STDOUT_FILENO) || prf_top_screen_open(&top->screen, &err))
		return;
	if (prf_top_output_keep(&top->output, &err) ||
	    prf_worker_begin(&top->drawer, draw_on, top)) {
		prf_top_screen_close(PRF_TAKE(top->screen));
		prf_top_output_release(&top->output);
	}
}

int
prf_cmd_top(const struct prf_options *options,
	    const struct prf_messages *messages)
{
	struct prf_options own = *options;
	struct top top = {
		.options = &own,
		.what = "profrun top",
		.begun_ns = prf_clock_ns(CLOCK_MONOTONIC),
		.output = {.kept = -1, .before = {-1, -1, -1}},
		.lock = PTHREAD_MUTEX_INITIALIZER,
	};
	const struct prf_record_observer observer = {
		.every_ns = LOOK_NS,
		.look = look,
		.begun = begun,
		.changed = changed,
		.ended = ended,
		.arg = &top,
	};

	if (!own.toggle_signal)
		own.toggle_signal = SIGUSR2;
	take_terminal(&top);
	if (!top.screen)
		top.print_errno =
			-prf_top_writer_open(&top.printer, STDOUT_FILENO);
	top.prints = !top.screen && !top.print_errno;
	int status = prf_cmd_record_observed(&own, messages, &observer);
	/* It may have failed before the run. */
	ended(&top);
	prf_top_marks_clear(&top.marks);
	prf_binary_lines_clear(&top.lines);
	prf_top_data_clear(&top.data);
	prf_top_writer_close(&top.printer);
	if (!top.print_errno)
		return status;
	prf_message_error(messages, "standard output: %s",
			  strerror(top.print_errno));
	return PRF_EXIT_FAILED;
}
