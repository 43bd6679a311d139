#include "view/table/report_processes.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>

#include "core/scope.h"
#include "view/table/command_line.h"
#include "view/table/plain.h"
#include "view/table/share.h"

/* A column of ticks. */
#define TICKS_HEADING "    ticks"
enum { TICKS_WIDTH = sizeof TICKS_HEADING - 1 };

/* Columns before the command, and what deep children leave of its own. */
enum {
	BEFORE_COMMAND = PRF_SHARE_WIDTH + TICKS_WIDTH + 11,
	INDENT = 2,
	MIN_COMMAND = 20
};

static const char *
plural(uint64_t n, const char *one, const char *many)
{
	return n == 1 ? one : many;
}

static void
print_count(const struct prf_count *count, const struct prf_count *all,
	    const struct prf_style *style, FILE *out)
{
	prf_share_print(count, all, 0, style, out);
	fprintf(out, "  %7" PRIu64 "  ", count->ticks);
}

/* N more, with REST of ALL ticks. */
static void
print_rest(uint64_t rest, uint64_t n, const char *what,
	   const struct prf_count *all, FILE *out)
{
	if (!n)
		return;
	prf_share_print_rest(rest, all, out);
	fprintf(out, "  %7" PRIu64 "  in %" PRIu64 " more %s\n", rest, n, what);
}

/* What is left of a line for TEXT, behind BEFORE. */
static void
print_last(const char *text, size_t before, const struct prf_style *style,
	   FILE *out)
{
	if (style->width)
		prf_plain_print_cut(text, style->width - before, out);
	else
		prf_plain_print(text, out);
	fputc('\n', out);
}

/* --- The programs */

static struct prf_count
sum_programs(const struct prf_programs *programs, uint64_t *n_processes)
{
	struct prf_count sum = {0};

	for (size_t i = 0; i < programs->n; i++) {
		prf_count_merge(&sum, &programs->rows[i].count);
		*n_processes += programs->rows[i].n_processes;
	}
	return sum;
}

void
prf_report_programs(const struct prf_programs *programs, uint64_t n_idle,
		    size_t max, const struct prf_style *style, FILE *out)
{
	enum { BEFORE = PRF_SHARE_WIDTH + TICKS_WIDTH + 13 };
	uint64_t n_processes = n_idle;
	struct prf_count all = sum_programs(programs, &n_processes);
	size_t n = programs->n < max ? programs->n : max;
	uint64_t rest = all.ticks;

	if (!n || n_processes < 2)
		return;
	fputs("\n" PRF_SHARE_HEADING TICKS_HEADING "  processes  program\n",
	      out);
	for (size_t i = 0; i < n; i++) {
		const struct prf_program_row *row = &programs->rows[i];

		print_count(&row->count, &all, style, out);
		fprintf(out, "%9" PRIu64 "  ", row->n_processes);
		print_last(prf_programs_name(row), BEFORE, style, out);
		rest -= row->count.ticks;
	}
	print_rest(rest, programs->n - n,
		   plural(programs->n - n, "program", "programs"), &all, out);
	if (n_idle)
		fprintf(out, "  and %" PRIu64 " process%s without ticks\n",
			n_idle, plural(n_idle, "", "es"));
}

/* --- The tree */

/* Those that are shown. */
struct shown {
	const struct prf_branch **branches;
	size_t n;
};

static int
by_ticks(const void *a, const void *b)
{
	const struct prf_branch *left = *(const struct prf_branch *const *)a;
	const struct prf_branch *right = *(const struct prf_branch *const *)b;

	return (left->count.ticks < right->count.ticks) -
	       (left->count.ticks > right->count.ticks);
}

/* The MAX with the most ticks; to be free()d. */
static int
choose(const struct prf_tree *tree, size_t max, struct shown *shown)
{
	size_t n = 0, room = tree->n_ended;

	shown->branches = calloc(room + 1, sizeof(*shown->branches));
	if (!shown->branches)
		return -ENOMEM;
	for (struct prf_branch *branch = prf_tree_next(tree, NULL);
	     branch && n < room; branch = prf_tree_next(tree, branch))
		if (branch->count.ticks)
			shown->branches[n++] = branch;
	qsort(shown->branches, n, sizeof *shown->branches, by_ticks);
	shown->n = n < max ? n : max;
	return 0;
}

static bool
is_shown(const struct shown *shown, const struct prf_branch *branch)
{
	for (size_t i = 0; i < shown->n; i++)
		if (shown->branches[i] == branch)
			return true;
	return false;
}

/* How many of its ancestors are shown. */
static size_t
depth_of(const struct shown *shown, const struct prf_branch *branch)
{
	size_t depth = 0;

	while ((branch = branch->parent))
		depth += is_shown(shown, branch);
	return depth;
}

static void
print_branch(const struct prf_branch *branch, const struct prf_count *all,
	     size_t depth, const struct prf_style *style, FILE *out)
{
	const char *command = prf_program_command(branch->program);
	size_t room = style->width ? style->width - BEFORE_COMMAND : SIZE_MAX;
	size_t indent = INDENT * depth;

	if (indent + MIN_COMMAND > room)
		indent = room > MIN_COMMAND ? room - MIN_COMMAND : 0;
	print_count(&branch->count, all, style, out);
	fprintf(out, "%7d  %*s", (int)branch->pid, (int)indent, "");
	prf_command_line_print(command, room - indent, out);
	fputc('\n', out);
}

int
prf_report_tree(const struct prf_tree *tree, uint64_t n_idle, size_t max,
		const struct prf_style *style, FILE *out)
{
	PRF_AUTO(prf_auto_free) const struct prf_branch **branches = NULL;
	struct prf_count all = prf_tree_sum(tree);
	struct shown shown = {0};
	uint64_t rest = all.ticks;

	if (!tree->n_programs || tree->n_programs + n_idle < 2)
		return 0;
	int rc = choose(tree, max, &shown);
	branches = shown.branches;
	if (rc)
		return rc;
	fputs("\n" PRF_SHARE_HEADING TICKS_HEADING "      PID  process\n", out);
	for (struct prf_branch *branch = prf_tree_next(tree, NULL); branch;
	     branch = prf_tree_next(tree, branch)) {
		if (!is_shown(&shown, branch))
			continue;
		print_branch(branch, &all, depth_of(&shown, branch), style,
			     out);
		rest -= branch->count.ticks;
	}
	uint64_t n_more = tree->n_programs - shown.n;
	print_rest(rest, n_more, plural(n_more, "process", "processes"), &all,
		   out);
	return 0;
}

/* --- The threads */

static struct prf_count
sum_threads(const struct prf_thread_rows *threads)
{
	struct prf_count sum = threads->folded;

	for (size_t i = 0; i < threads->n; i++)
		prf_count_merge(&sum, &threads->rows[i].count);
	return sum;
}

static void
print_thread(const struct prf_thread_row *thread, const struct prf_count *all,
	     const struct prf_style *style, FILE *out)
{
	print_count(&thread->count, all, style, out);
	fprintf(out, "%7d  %7d  ", (int)thread->pid, (int)thread->tid);
	prf_plain_print(*thread->name ? thread->name : "?", out);
	fputc('\n', out);
}

void
prf_report_threads(const struct prf_thread_rows *threads, size_t max,
		   const struct prf_style *style, FILE *out)
{
	struct prf_count all = sum_threads(threads);
	size_t n = threads->n < max ? threads->n : max;
	uint64_t rest = all.ticks;
	uint64_t n_more = threads->n - n + threads->n_folded;

	if (!threads->n)
		return;
	fputs("\n" PRF_SHARE_HEADING TICKS_HEADING
	      "      PID      TID  thread\n",
	      out);
	for (size_t i = 0; i < n; i++) {
		print_thread(&threads->rows[i], &all, style, out);
		rest -= threads->rows[i].count.ticks;
	}
	print_rest(rest, n_more, plural(n_more, "thread", "threads"), &all,
		   out);
}
