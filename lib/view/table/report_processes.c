#include "view/table/report_processes.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>

#include "core/scope.h"
#include "view/table/plain.h"

/* Columns before the command, and what deep children leave of its own. */
enum { BEFORE_COMMAND = 38, INDENT = 2, MIN_COMMAND = 20 };

static const char *
plural(uint64_t n, const char *one, const char *many)
{
	return n == 1 ? one : many;
}

static void
print_count(const struct prf_count *count, const struct prf_count *all,
	    FILE *out)
{
	fprintf(out, "  %6.2f  ±%5.2f  %9" PRIu64 "  ",
		100 * (double)count->ticks / (double)all->ticks,
		100 * prf_count_error(count, all), count->ticks);
}

/* N more, with REST of ALL ticks. */
static void
print_rest(uint64_t rest, uint64_t n, const char *what, uint64_t all, FILE *out)
{
	if (n)
		fprintf(out,
			"  %6.2f          %9" PRIu64 "  in %" PRIu64
			" more %s\n",
			100 * (double)rest / (double)all, rest, n, what);
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
		    size_t max, FILE *out)
{
	uint64_t n_processes = n_idle;
	struct prf_count all = sum_programs(programs, &n_processes);
	size_t n = programs->n < max ? programs->n : max;
	uint64_t rest = all.ticks;

	if (!n || n_processes < 2)
		return;
	fputs("\n  self %  ± 95 %      ticks  processes  program\n", out);
	for (size_t i = 0; i < n; i++) {
		const struct prf_program_row *row = &programs->rows[i];

		print_count(&row->count, &all, out);
		fprintf(out, "%9" PRIu64 "  ", row->n_processes);
		prf_plain_print(prf_programs_name(row), out);
		fputc('\n', out);
		rest -= row->count.ticks;
	}
	print_rest(rest, programs->n - n,
		   plural(programs->n - n, "program", "programs"), all.ticks,
		   out);
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
	     size_t depth, size_t width, FILE *out)
{
	size_t most = width - BEFORE_COMMAND - MIN_COMMAND;
	size_t indent = INDENT * depth < most ? INDENT * depth : most;

	print_count(&branch->count, all, out);
	fprintf(out, "%7d  %*s", (int)branch->pid, (int)indent, "");
	prf_plain_print_cut(prf_program_command(branch->program),
			    width - BEFORE_COMMAND - indent, out);
	fputc('\n', out);
}

int
prf_report_tree(const struct prf_tree *tree, uint64_t n_idle, size_t max,
		size_t width, FILE *out)
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
	fputs("\n  self %  ± 95 %      ticks      PID  process\n", out);
	for (struct prf_branch *branch = prf_tree_next(tree, NULL); branch;
	     branch = prf_tree_next(tree, branch)) {
		if (!is_shown(&shown, branch))
			continue;
		print_branch(branch, &all, depth_of(&shown, branch), width,
			     out);
		rest -= branch->count.ticks;
	}
	uint64_t n_more = tree->n_programs - shown.n;
	print_rest(rest, n_more, plural(n_more, "process", "processes"),
		   all.ticks, out);
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
	     FILE *out)
{
	print_count(&thread->count, all, out);
	fprintf(out, "%7d  %7d  ", (int)thread->pid, (int)thread->tid);
	prf_plain_print(*thread->name ? thread->name : "?", out);
	fputc('\n', out);
}

void
prf_report_threads(const struct prf_thread_rows *threads, size_t max, FILE *out)
{
	struct prf_count all = sum_threads(threads);
	size_t n = threads->n < max ? threads->n : max;
	uint64_t rest = all.ticks;
	uint64_t n_more = threads->n - n + threads->n_folded;

	if (!threads->n)
		return;
	fputs("\n  self %  ± 95 %      ticks      PID      TID  thread\n", out);
	for (size_t i = 0; i < n; i++) {
		print_thread(&threads->rows[i], &all, out);
		rest -= threads->rows[i].count.ticks;
	}
	print_rest(rest, n_more, plural(n_more, "thread", "threads"), all.ticks,
		   out);
}
