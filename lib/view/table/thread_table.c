#include "view/table/thread_table.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/scope.h"
#include "view/table/name_columns.h"
#include "view/table/plain.h"
#include "view/table/share.h"

#define HEADING "  time %    95 % interval    seconds"
#define STATES_HEADING "   run  wait block"

/* Of the time that a thread is blocked: a call that has less is not told, nor
 * more calls than so many. */
enum { LEAST_PERCENT = 2, MOST_WAITS = 4 };

/* The last part of the path of THREAD's program; "" where it is not known. */
static const char *
program_of(const struct prf_thread_doing *thread)
{
	const char *slash = strrchr(thread->program, '/');

	return slash && slash[1] ? slash + 1 : thread->program;
}

const char *
prf_thread_table_name(const struct prf_thread_doing *thread)
{
	return *thread->name      ? thread->name
	       : thread->tid      ? program_of(thread)
	       : thread->pid      ? "?"
	       : *thread->program ? "others"
				  : "of no thread that is known";
}

struct table {
	const struct prf_thread_states *states;
	double tick_s;
	bool has_states;
	const struct prf_style *style;
	FILE *out;
};

/* --- A process */

/* Threads of several processes? */
static bool
are_several(const struct prf_thread_states *states)
{
	for (size_t i = 1; i < states->n; i++)
		if (!prf_thread_states_same_process(&states->threads[0],
						    &states->threads[i]))
			return true;
	return false;
}

static void
print_process(const struct table *table, const struct prf_thread_doing *first)
{
	FILE *out = table->out;
	size_t n = first->process_threads;

	fputs("\n  process   ", out);
	if (first->pid)
		fprintf(out, "%d ", (int)first->pid);
	prf_plain_print(program_of(first), out);
	if (first->rank >= 0)
		fprintf(out, ", rank %d", (int)first->rank);
	fputs(": ", out);
	/* How many the others are is not known. */
	if (first->tid)
		fprintf(out, "%zu thread%s, ", n, n == 1 ? "" : "s");
	fprintf(out, "%.3f s\n", (double)first->process_ticks * table->tick_s);
}

/* --- A thread */

static void
print_states(const struct table *table, const struct prf_thread_doing *thread)
{
	for (int i = 0; table->has_states && i < PRF_N_SAMPLE_STATES; i++)
		fprintf(table->out, " %5.1f",
			100 * (double)thread->states[i].ticks /
				(double)thread->all.ticks);
}

/* "in futex, from worker"; NULL: out of memory. */
static char *
wait_text(const struct table *table, const struct prf_thread_wait *wait)
{
	const struct prf_call_function *all = table->states->functions.all;
	PRF_AUTO(prf_auto_free)
	char *call = prf_name_columns_name(all[wait->call].name, table->style);
	PRF_AUTO(prf_auto_free)
	char *from = wait->from == PRF_CALL_NONE
			     ? strdup("")
			     : prf_name_columns_name(all[wait->from].name,
						     table->style);
	char *text;

	if (!call || !from ||
	    asprintf(&text, "in %s%s%s", call, *from ? ", from " : "", from) <
		    0)
		return NULL;
	return text;
}

static int
print_wait(const struct table *table, const struct prf_thread_wait *wait)
{
	enum { BEFORE = sizeof HEADING - 1 + 2 };
	size_t width = table->style->width;
	PRF_AUTO(prf_auto_free) char *text = wait_text(table, wait);

	if (!text)
		return -ENOMEM;
	fprintf(table->out, "%*.3f  ", (int)sizeof HEADING - 1,
		(double)wait->count.ticks * table->tick_s);
	if (width > BEFORE)
		prf_plain_print_cut(text, width - BEFORE, table->out);
	else
		prf_plain_print(text, table->out);
	fputc('\n', table->out);
	return 0;
}

static int
print_waits(const struct table *table, const struct prf_thread_doing *thread)
{
	size_t n = 0;
	uint64_t blocked = thread->states[PRF_SAMPLE_BLOCKED].ticks;
	uint64_t rest = blocked;
	int rc = 0;

	while (n < thread->n_waits && n < MOST_WAITS &&
	       100 * thread->waits[n].count.ticks >= LEAST_PERCENT * blocked)
		n++;
	for (size_t i = 0; !rc && i < n; i++) {
		rc = print_wait(table, &thread->waits[i]);
		rest -= thread->waits[i].count.ticks;
	}
	if (!rc && n < thread->n_waits)
		fprintf(table->out, "%*.3f  in %zu more\n",
			(int)sizeof HEADING - 1, (double)rest * table->tick_s,
			thread->n_waits - n);
	return rc;
}

static int
print_thread(const struct table *table, const struct prf_thread_doing *thread)
{
	prf_share_print(&thread->all, &table->states->all, 0, table->style,
			table->out);
	fprintf(table->out, "  %9.3f",
		(double)thread->all.ticks * table->tick_s);
	print_states(table, thread);
	if (thread->tid)
		fprintf(table->out, "  %7d  ", (int)thread->tid);
	else
		fprintf(table->out, "  %7s  ", "");
	prf_plain_print(prf_thread_table_name(thread), table->out);
	fputc('\n', table->out);
	return table->has_states ? print_waits(table, thread) : 0;
}

/* --- All of them */

/* Is it the first that is shown of its process? */
static bool
is_first(const struct prf_thread_states *states, size_t i)
{
	return !i || !prf_thread_states_same_process(&states->threads[i - 1],
						     &states->threads[i]);
}

int
prf_thread_table_print(const struct prf_thread_states *states,
		       uint64_t period_ns, size_t n_more,
		       const struct prf_style *style, FILE *out)
{
	const struct table table = {
		.states = states,
		.tick_s = (double)period_ns / 1e9,
		.has_states = prf_thread_states_differ(states),
		.style = style,
		.out = out,
	};
	bool several = are_several(states);
	int rc = 0;

	fprintf(out, "%s%s      TID  thread\n", HEADING,
		table.has_states ? STATES_HEADING : "");
	for (size_t i = 0; !rc && i < states->n; i++) {
		if (several && is_first(states, i))
			print_process(&table, &states->threads[i]);
		rc = print_thread(&table, &states->threads[i]);
	}
	if (n_more)
		fprintf(out, "  %zu more thread%s\n", n_more,
			n_more == 1 ? "" : "s");
	return rc;
}
