#include "view/export/perf_script.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "core/scope.h"
#include "view/export/stack_table.h"
#include "view/table/plain.h"

enum { NS_PER_S = 1000000000, NS_PER_US = 1000 };

static int
by_time(const void *a, const void *b)
{
	const struct prf_stack_table_sample *const *left = a, *const *right = b;
	uint64_t one = (*left)->time_ns, other = (*right)->time_ns;

	/* Of one time: as they are in the table. */
	return one != other ? (one > other) - (one < other)
			    : (*left > *right) - (*left < *right);
}

/* NULL: out of memory. */
static const struct prf_stack_table_sample **
in_order(const struct prf_stack_table *stacks)
{
	const struct prf_stack_table_sample **samples =
		calloc(stacks->n_samples + 1, sizeof *samples);

	for (size_t i = 0; samples && i < stacks->n_samples; i++)
		samples[i] = &stacks->samples[i];
	if (samples)
		qsort(samples, stacks->n_samples, sizeof *samples, by_time);
	return samples;
}

static void
print_head(const struct prf_stack_table *stacks,
	   const struct prf_stack_table_sample *sample, const char *event,
	   FILE *out)
{
	const struct prf_stack_table_thread *thread =
		&stacks->threads[sample->thread];
	uint64_t period_ns = prf_stack_table_period_ns(stacks);

	prf_plain_print_utf8(*thread->name      ? thread->name
			     : *thread->program ? thread->program
						: "[unknown]",
			     out);
	fprintf(out, " %d/%d %" PRIu64 ".%06" PRIu64 ": %" PRIu64 " %s: \n",
		(int)thread->pid, (int)thread->tid, sample->time_ns / NS_PER_S,
		sample->time_ns % NS_PER_S / NS_PER_US,
		sample->count.ticks * (period_ns ? period_ns : 1), event);
}

static void
print_line(uint64_t vaddr, const char *name, const char *binary, FILE *out)
{
	fprintf(out, "\t%16" PRIx64 " ", vaddr);
	prf_plain_print_utf8(*name ? name : "[unknown]", out);
	fputs(" (", out);
	prf_plain_print_utf8(binary, out);
	fputs(")\n", out);
}

/* What was inlined at the place first, as it is called last. */
static void
print_frame(const struct prf_stack_table *stacks,
	    const struct prf_stack_table_frame *frame, FILE *out)
{
	size_t binary = prf_stack_table_binary_of(stacks, frame->function);

	for (size_t i = frame->n_inlined; i-- > 0;) {
		const struct prf_stack_table_inlined *inlined =
			&stacks->inlined[frame->first_inlined + i];

		print_line(frame->end.vaddr,
			   stacks->inlined_names.all[inlined->name].text,
			   "inlined", out);
	}
	print_line(frame->end.vaddr, stacks->names[frame->function],
		   prf_stack_table_binary_path(stacks, binary), out);
}

static void
print_sample(const struct prf_stack_table *stacks,
	     const struct prf_stack_table_sample *sample, const char *event,
	     FILE *out)
{
	print_head(stacks, sample, event, out);
	for (uint32_t at = sample->node; at; at = stacks->nodes[at].parent)
		print_frame(stacks, &stacks->frames[stacks->nodes[at].frame],
			    out);
	fputc('\n', out);
}

int
prf_perf_script_write_stacks(const struct prf_stack_table *stacks,
			     const struct prf_export_way *way, FILE *out,
			     struct prf_error *err)
{
	PRF_AUTO(prf_auto_free)
	const struct prf_stack_table_sample **samples = in_order(stacks);

	if (!samples)
		return prf_error_set(err, -ENOMEM, "out of memory");
	for (size_t i = 0; i < stacks->n_samples; i++)
		print_sample(stacks, samples[i],
			     prf_export_is_wall(way) ? "wall-clock"
						     : "cpu-clock",
			     out);
	return 0;
}

int
prf_perf_script_write(const struct prf_profile *profile,
		      const struct prf_export_way *way, FILE *out,
		      struct prf_error *err)
{
	PRF_AUTO(prf_stack_table_clear) struct prf_stack_table stacks = {0};
	int rc = prf_stack_table_of(profile, way, &stacks);

	return rc ? prf_error_set(err, rc, "out of memory")
		  : prf_perf_script_write_stacks(&stacks, way, out, err);
}
