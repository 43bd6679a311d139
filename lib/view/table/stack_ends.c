#include "view/table/stack_ends.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/scope.h"
#include "image/syscalls.h"
#include "profile/call_cycles.h"
#include "profile/calls.h"
#include "view/table/name_columns.h"
#include "view/table/plain.h"
#include "view/table/wrapped.h"

enum { INDENT = 12 };

/* What is said of an end, if there is any. */
static const struct {
	enum prf_stack_end end;
	const char *about;
} reasons[] = {
	{PRF_STACK_NO_CFI, "end in code without CFI"},
	{PRF_STACK_MEMORY, "cut"},
	{PRF_STACK_LIMIT, "too deep"},
	{PRF_STACK_LOOP, "end in a loop"},
	{PRF_STACK_NONE, "without a stack"},
};

enum {
	N_REASONS = sizeof reasons / sizeof *reasons,
	MUCH_CUT_PERCENT = 1, /* more than that is not passed over */
};

static uint64_t
sum_of(const struct prf_calls *calls)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < PRF_N_STACK_ENDS; i++)
		sum += calls->ended[i];
	return sum;
}

static double
percent(uint64_t ticks, uint64_t sum)
{
	return 100 * (double)ticks / (double)sum;
}

/* The ticks in PLACE, which is the kernel's. */
static uint64_t
place_ticks(const struct prf_profile *profile, int32_t place)
{
	const char *name = prf_syscall_name(0, place);
	uint64_t ticks = 0;

	for (size_t i = 0; i < profile->n_binaries; i++) {
		const struct prf_binary *binary = profile->binaries[i];

		if (binary->kind != PRF_BINARY_KERNEL)
			continue;
		for (size_t k = 0; k < binary->names.n; k++)
			if (!strcmp(binary->names.all[k].text, name))
				ticks += binary->names.all[k].count.ticks;
	}
	return ticks;
}

/* The one with the most ticks of those that have LESS; NULL: there is none. */
static const struct prf_binary *
most_below(const struct prf_profile *profile, uint64_t less)
{
	const struct prf_binary *most = NULL;

	for (size_t i = 0; i < profile->n_binaries; i++) {
		const struct prf_binary *binary = profile->binaries[i];

		if (binary->no_cfi_ticks && binary->no_cfi_ticks < less &&
		    (!most || binary->no_cfi_ticks > most->no_cfi_ticks))
			most = binary;
	}
	return most;
}

/* Of those with as many ticks one is as good as the other. */
static void
print_binaries(const struct prf_profile *profile, uint64_t sum, FILE *out)
{
	enum { MOST = 3 };
	const struct prf_binary *binary = most_below(profile, UINT64_MAX);

	if (!binary)
		return; /* a file of another tool's format does not tell */
	for (size_t i = 0; i < MOST && binary; i++) {
		fputs(i ? ", " : " (", out);
		prf_plain_print(binary->name, out);
		fprintf(out, " %.1f %%", percent(binary->no_cfi_ticks, sum));
		binary = most_below(profile, binary->no_cfi_ticks);
	}
	fputs(binary ? ", ...)" : ")", out);
}

/* What threads that waited for a processor had on their stacks is not known; and
 * the kernel switches to a thread, and ends it, by no call of the program. */
static void
print_ends(const struct prf_profile *profile, FILE *out)
{
	const struct prf_calls *calls = profile->calls;
	uint64_t none = calls->ended[PRF_STACK_NONE], sum = sum_of(calls);
	uint64_t waiting = place_ticks(profile, PRF_NO_PROCESSOR);
	uint64_t uncalled = place_ticks(profile, PRF_SWITCHING) +
			    place_ticks(profile, PRF_ENDING);

	if (uncalled <= none) {
		none -= uncalled;
		sum -= uncalled;
	}
	if (waiting <= none)
		none -= waiting;
	fprintf(out, "  stacks    %.1f %% complete",
		percent(calls->ended[PRF_STACK_COMPLETE], sum));
	for (size_t i = 0; i < N_REASONS; i++) {
		uint64_t ticks = reasons[i].end == PRF_STACK_NONE
					 ? none
					 : calls->ended[reasons[i].end];

		if (!ticks)
			continue;
		fprintf(out, ", %.1f %% %s", percent(ticks, sum),
			reasons[i].about);
		if (reasons[i].end == PRF_STACK_NO_CFI)
			print_binaries(profile, sum, out);
	}
	if (waiting)
		fprintf(out, ", %.1f %% waiting for a processor",
			percent(waiting, sum));
	if (calls->guessed_ticks)
		fprintf(out, "; %.1f %% with a guess",
			percent(calls->guessed_ticks, sum));
	if (percent(calls->ended[PRF_STACK_MEMORY], sum) >= MUCH_CUT_PERCENT)
		fputs("; callers of those that are cut have more than their "
		      "total %",
		      out);
	fputc('\n', out);
}

/* Prints TEXT, which must be a stream of open_memstream(3), in lines that are not
 * too long. */
static int
print_wrapped(FILE *whole, char *const *text, const struct prf_style *style,
	      FILE *out)
{
	if (fclose(whole) || !*text)
		return -ENOMEM;
	prf_wrapped_print(*text, INDENT, style->width, out);
	return 0;
}

int
prf_stack_ends_print(const struct prf_profile *profile,
		     const struct prf_style *style, FILE *out)
{
	PRF_AUTO(prf_auto_free) char *text = NULL;
	size_t size;

	if (!prf_calls_has_stacks(profile->calls) || !sum_of(profile->calls))
		return 0;
	FILE *whole = open_memstream(&text, &size);
	if (!whole)
		return -ENOMEM;
	print_ends(profile, whole);
	return print_wrapped(whole, &text, style, out);
}

/* --- What gprof cannot divide */

enum { MOST_PERCENT = 50 };

int
prf_stack_ends_print_cycle(const struct prf_call_graph *graph,
			   const struct prf_count *all,
			   const struct prf_style *style, FILE *out)
{
	PRF_AUTO(prf_auto_free) char *text = NULL;
	struct prf_call_cycle cycle;
	size_t size;
	int rc = prf_call_cycle_largest(graph, &cycle);

	if (rc || !cycle.n_functions ||
	    percent(cycle.total.ticks, all->ticks) < MOST_PERCENT)
		return rc;
	PRF_AUTO(prf_auto_free)
	char *name = prf_name_columns_name(graph->functions[cycle.first].name,
					   style);
	FILE *whole = name ? open_memstream(&text, &size) : NULL;
	if (!whole)
		return -ENOMEM;
	fprintf(whole,
		"  cycle     %.1f %% of the time is in %zu functions "
		"that call each other, such as ",
		percent(cycle.total.ticks, all->ticks), cycle.n_functions);
	prf_plain_print(name, whole);
	fputs(": gprof cannot divide it among them, profrun report --tree "
	      "does\n",
	      whole);
	return print_wrapped(whole, &text, style, out);
}
