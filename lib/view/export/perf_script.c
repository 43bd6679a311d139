#include "view/export/perf_script.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>

#include "core/scope.h"
#include "view/export/stack_table.h"
#include "view/table/plain.h"

enum { NS_PER_S = 1000000000, NS_PER_US = 1000 };

/* Frames come up again and again: their lines are made once, of so many bytes at
 * most, and those of the others whenever they are printed. */
enum { LINES_BYTES_MAX = 64 << 20 };

struct lines {
	const struct prf_stack_table *stacks;
	char *text;
	size_t size; /* of the text */
	size_t *end; /* of those of each frame, in the text */
	size_t n;    /* frames that have theirs there */
};

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
clear(struct lines *lines)
{
	free(lines->text);
	free(lines->end);
}

static int
make_lines(struct lines *lines)
{
	const struct prf_stack_table *stacks = lines->stacks;
	FILE *out = open_memstream(&lines->text, &lines->size);
	bool has_failed;

	lines->end = calloc(stacks->n_frames + 1, sizeof *lines->end);
	while (out && lines->end && lines->n < stacks->n_frames) {
		long end;

		print_frame(stacks, &stacks->frames[lines->n], out);
		end = ftell(out);
		if (end < 0 || end > LINES_BYTES_MAX)
			break;
		lines->end[lines->n++] = (size_t)end;
	}
	has_failed = !out || !lines->end || ferror(out);
	if (out && fclose(out))
		has_failed = true;
	return has_failed || !lines->text ? -ENOMEM : 0;
}

static void
put_frame(const struct lines *lines, uint32_t frame, FILE *out)
{
	if (frame >= lines->n) {
		print_frame(lines->stacks, &lines->stacks->frames[frame], out);
		return;
	}
	size_t begin = frame ? lines->end[frame - 1] : 0;
	fwrite_unlocked(lines->text + begin, 1, lines->end[frame] - begin, out);
}

static void
print_sample(const struct lines *lines,
	     const struct prf_stack_table_sample *sample, const char *event,
	     FILE *out)
{
	const struct prf_stack_table_node *nodes = lines->stacks->nodes;

	print_head(lines->stacks, sample, event, out);
	for (uint32_t at = sample->node; at; at = nodes[at].parent)
		put_frame(lines, nodes[at].frame, out);
	fputc('\n', out);
}

int
prf_perf_script_write_stacks(const struct prf_stack_table *stacks,
			     const struct prf_export_way *way, FILE *out,
			     struct prf_error *err)
{
	PRF_AUTO(clear) struct lines lines = {.stacks = stacks};
	PRF_AUTO(prf_auto_free)
	const struct prf_stack_table_sample **samples = in_order(stacks);

	if (!samples || make_lines(&lines))
		return prf_error_set(err, -ENOMEM, "out of memory");
	for (size_t i = 0; i < stacks->n_samples; i++)
		print_sample(&lines, samples[i],
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
