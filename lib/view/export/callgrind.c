#include "view/export/callgrind.h"

#include <config.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/scope.h"
#include "profile/pairs.h"
#include "view/export/stack_table.h"
#include "view/table/plain.h"

/* Samples in which something at a FRAME calls FUNCTION. */
struct call {
	uint32_t frame, function;
	uint64_t ticks;
};

struct writing {
	struct prf_stack_table stacks;
	FILE *out;
	uint64_t *frame_ticks; /* of samples that end there, by frame */
	uint32_t *order;       /* all frames, by function and address */
	struct call *calls;    /* by caller and address; those of [all] last */
	size_t n_calls, calls_room;
	struct prf_pairs numbers; /* of the calls: frame and function */
	bool *has_place; /* functions that are told with what they are in */
	/* Names that were written, and are numbers from then on. */
	bool *has_object, *has_path, *has_function;
};

/* The frame of [all], behind the others. */
static uint32_t
no_frame(const struct writing *writing)
{
	return (uint32_t)writing->stacks.n_frames;
}

static void
clear(struct writing *writing)
{
	prf_stack_table_clear(&writing->stacks);
	prf_pairs_clear(&writing->numbers);
	free(writing->frame_ticks);
	free(writing->order);
	free(writing->calls);
	free(writing->has_place);
	free(writing->has_object);
	free(writing->has_path);
	free(writing->has_function);
}

/* --- What is called */

static int
add_call(struct writing *writing, uint32_t frame, uint32_t function,
	 uint64_t ticks)
{
	size_t number;

	if (prf_pairs_intern(&writing->numbers, frame, function, &number))
		return -ENOMEM;
	if (number == writing->calls_room) {
		size_t room = 2 * writing->calls_room + 64;
		struct call *grown =
			reallocarray(writing->calls, room, sizeof *grown);

		if (!grown)
			return -ENOMEM;
		writing->calls = grown;
		writing->calls_room = room;
	}
	if (number == writing->n_calls)
		writing->calls[writing->n_calls++] =
			(struct call){frame, function, 0};
	writing->calls[number].ticks += ticks;
	return 0;
}

static int
find_call(void *arg, uint32_t node, const struct prf_count *below,
	  bool is_first)
{
	struct writing *writing = arg;
	const struct prf_stack_table *stacks = &writing->stacks;
	uint32_t parent = stacks->nodes[node].parent;

	if (!is_first || !below->ticks)
		return 0;
	return add_call(
		writing,
		parent ? stacks->nodes[parent].frame : no_frame(writing),
		prf_stack_table_function_of(stacks, node), below->ticks);
}

/* --- In order */

static int
compare_numbers(uint64_t left, uint64_t right)
{
	return (left > right) - (left < right);
}

static int
by_address(const struct prf_stack_table *stacks, uint32_t left, uint32_t right)
{
	const struct prf_stack_table_frame *a = &stacks->frames[left];
	const struct prf_stack_table_frame *b = &stacks->frames[right];
	int rc = compare_numbers(a->function, b->function);

	return rc ? rc : compare_numbers(a->end.vaddr, b->end.vaddr);
}

static int
compare_frames(const void *a, const void *b, void *stacks)
{
	return by_address(stacks, *(const uint32_t *)a, *(const uint32_t *)b);
}

static int
compare_calls(const void *a, const void *b, void *arg)
{
	const struct prf_stack_table *stacks = arg;
	const struct call *left = a, *right = b;
	size_t n = stacks->n_frames;
	int rc = compare_numbers(left->frame == n, right->frame == n);

	if (!rc && left->frame < n)
		rc = by_address(stacks, left->frame, right->frame);
	return rc ? rc : compare_numbers(left->function, right->function);
}

static int
sum_frames(struct writing *writing)
{
	struct prf_stack_table *stacks = &writing->stacks;
	size_t n = stacks->n_frames;

	writing->frame_ticks = calloc(n + 1, sizeof *writing->frame_ticks);
	writing->order = calloc(n + 1, sizeof *writing->order);
	if (!writing->frame_ticks || !writing->order)
		return -ENOMEM;
	for (size_t i = 0; i < stacks->n_samples; i++) {
		uint32_t node = stacks->samples[i].node;

		writing->frame_ticks[node ? stacks->nodes[node].frame : n] +=
			stacks->samples[i].count.ticks;
	}
	for (size_t i = 0; i < n; i++)
		writing->order[i] = (uint32_t)i;
	qsort_r(writing->order, n, sizeof *writing->order, compare_frames,
		stacks);
	if (writing->n_calls)
		qsort_r(writing->calls, writing->n_calls,
			sizeof *writing->calls, compare_calls, stacks);
	return 0;
}

/* --- Functions that readers would take for one: callgrind_annotate knows them by file
 * and name, whatever they are in */

static int
compare_names(const void *a, const void *b, void *arg)
{
	const struct prf_stack_table *stacks = arg;
	uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
	int rc = compare_numbers(stacks->files[left], stacks->files[right]);

	return rc ? rc : strcmp(stacks->names[left], stacks->names[right]);
}

static bool
is_of_kernel(const struct prf_stack_table *stacks, uint32_t function)
{
	const struct prf_binary *binary =
		stacks->functions.all[function].binary;

	return binary && binary->kind == PRF_BINARY_KERNEL;
}

/* Of functions in ORDER's places from FIRST on that are called alike; returns the
 * place behind them. */
static size_t
mark_alike(struct writing *writing, uint32_t *order, size_t first)
{
	struct prf_stack_table *stacks = &writing->stacks;
	size_t binary = prf_stack_table_binary_of(stacks, order[first]);
	bool are_apart = is_of_kernel(stacks, order[first]);
	size_t end = first + 1;

	while (end < stacks->functions.n &&
	       compare_names(&order[first], &order[end], stacks) == 0)
		are_apart |= prf_stack_table_binary_of(stacks, order[end++]) !=
			     binary;
	for (size_t i = first; i < end; i++)
		writing->has_place[order[i]] = are_apart;
	return end;
}

static int
mark_functions(struct writing *writing)
{
	size_t n = writing->stacks.functions.n;
	PRF_AUTO(prf_auto_free) uint32_t *order = calloc(n + 1, sizeof *order);

	writing->has_place = calloc(n + 1, sizeof *writing->has_place);
	if (!order || !writing->has_place)
		return -ENOMEM;
	for (uint32_t i = 0; i < n; i++)
		order[i] = i;
	qsort_r(order, n, sizeof *order, compare_names, &writing->stacks);
	for (size_t at = 0; at < n;)
		at = mark_alike(writing, order, at);
	return 0;
}

/* --- Lines */

/* NAME, in PLACE (or NULL), has NUMBER; it is written in full once. */
static void
put_name(FILE *out, const char *key, size_t number, bool *is_known,
	 const char *place, const char *name)
{
	fprintf(out, "%s=(%zu)", key, number + 1);
	if (!*is_known) {
		putc(' ', out);
		if (place) {
			prf_plain_print_utf8(place, out);
			putc(':', out);
		}
		prf_plain_print_utf8(name, out);
	}
	*is_known = true;
	putc('\n', out);
}

/* The keys are the words for what FUNCTION is in, and for itself; [all] is in a
 * binary of its own. */
static void
put_function(struct writing *writing, size_t function, const char *object_key,
	     const char *file_key, const char *function_key)
{
	const struct prf_stack_table *stacks = &writing->stacks;
	size_t n = stacks->functions.n;
	size_t binary = function < n
				? prf_stack_table_binary_of(stacks, function)
				: stacks->profile->n_binaries + 1;
	uint32_t file = function < n ? stacks->files[function] : 0;

	put_name(writing->out, object_key, binary, &writing->has_object[binary],
		 NULL,
		 function < n ? prf_stack_table_binary_path(stacks, binary)
			      : "[all]");
	put_name(writing->out, file_key, file, &writing->has_path[file], NULL,
		 file ? prf_stack_table_path(stacks, file) : "???");
	put_name(writing->out, function_key, function,
		 &writing->has_function[function],
		 writing->has_place[function]
			 ? prf_stack_table_binary_name(stacks, binary)
			 : NULL,
		 function < n ? stacks->names[function] : "[all]");
}

/* What counts by name has no addresses. */
static uint64_t
addr_of(const struct prf_arc_end *end)
{
	return end->binary && end->binary->form != PRF_BINARY_BY_NAME
		       ? end->vaddr
		       : 0;
}

static void
put_position(const struct writing *writing, uint32_t number)
{
	const struct prf_stack_table *stacks = &writing->stacks;
	const struct prf_stack_table_frame *frame = &stacks->frames[number];
	bool is_known = number < stacks->n_frames;

	fprintf(writing->out, "0x%" PRIx64 " %" PRIu32,
		is_known ? addr_of(&frame->end) : 0,
		is_known ? prf_stack_table_line(stacks, frame) : 0);
}

static void
put_self(const struct writing *writing, uint32_t frame)
{
	if (!writing->frame_ticks[frame])
		return;
	put_position(writing, frame);
	fprintf(writing->out, " %" PRIu64 "\n", writing->frame_ticks[frame]);
}

static void
put_call(struct writing *writing, const struct call *call)
{
	const struct prf_call_function *callee =
		&writing->stacks.functions.all[call->function];
	bool has_addr =
		callee->binary && callee->binary->form != PRF_BINARY_BY_NAME;

	put_function(writing, call->function, "cob", "cfi", "cfn");
	fprintf(writing->out, "calls=%" PRIu64 " 0x%" PRIx64 " 0\n",
		call->ticks, has_addr ? callee->lo : 0);
	put_position(writing, call->frame);
	fprintf(writing->out, " %" PRIu64 "\n", call->ticks);
}

static uint32_t
caller_of(const struct writing *writing, const struct call *call)
{
	const struct prf_stack_table *stacks = &writing->stacks;

	return call->frame < stacks->n_frames
		       ? stacks->frames[call->frame].function
		       : (uint32_t)stacks->functions.n;
}

/* All functions, in the order of their numbers; [all] is the last. */
static void
put_functions(struct writing *writing)
{
	const struct prf_stack_table *stacks = &writing->stacks;
	size_t frame = 0, call = 0;

	for (uint32_t i = 0; i <= stacks->functions.n; i++) {
		putc('\n', writing->out);
		put_function(writing, i, "ob", "fl", "fn");
		for (; frame < stacks->n_frames &&
		       stacks->frames[writing->order[frame]].function == i;
		     frame++)
			put_self(writing, writing->order[frame]);
		if (i == stacks->functions.n)
			put_self(writing, no_frame(writing));
		for (; call < writing->n_calls &&
		       caller_of(writing, &writing->calls[call]) == i;
		     call++)
			put_call(writing, &writing->calls[call]);
	}
}

/* --- What stands above */

static void
put_event(const struct prf_profile *profile, const struct prf_export_way *way,
	  FILE *out)
{
	unsigned rate_hz = profile->unit.rate_hz;

	if (rate_hz)
		fprintf(out, "event: ns = %u Ticks : %s time in nanoseconds\n",
			(1000000000 + rate_hz / 2) / rate_hz,
			prf_export_is_wall(way) ? "wall" : "CPU");
	fputs("event: Ticks : samples", out);
	if (rate_hz)
		fprintf(out, " of 1/%u s", rate_hz);
	putc('\n', out);
}

static void
put_head(const struct prf_profile *profile, const struct prf_export_way *way,
	 FILE *out)
{
	fputs("# callgrind format\nversion: 1\ncreator: " PACKAGE_STRING "\n",
	      out);
	if (way->command) {
		fputs("cmd: ", out);
		prf_plain_print_utf8(way->command, out);
		putc('\n', out);
	}
	if (profile->n_processes == 1 && profile->threads.n)
		fprintf(out, "pid: %d\n", (int)profile->threads.rows[0].pid);
	if (profile->unit.rate_hz)
		fprintf(out,
			"desc: Samples of %s time at %u Hz; calls are samples, "
			"too\n",
			prf_export_is_wall(way) ? "wall" : "CPU",
			(unsigned)profile->unit.rate_hz);
	if (way->lost_ticks)
		fprintf(out, "desc: Lost: %" PRIu64 " ticks\n",
			way->lost_ticks);
	fputs("positions: instr line\n", out);
	put_event(profile, way, out);
	fprintf(out, "events: Ticks\nsummary: %" PRIu64 "\n",
		profile->total.ticks);
}

static int
prepare(struct writing *writing)
{
	const struct prf_stack_table *stacks = &writing->stacks;

	writing->has_object = calloc(stacks->profile->n_binaries + 2,
				     sizeof *writing->has_object);
	writing->has_path =
		calloc(stacks->paths.n + 1, sizeof *writing->has_path);
	writing->has_function =
		calloc(stacks->functions.n + 1, sizeof *writing->has_function);
	if (!writing->has_object || !writing->has_path ||
	    !writing->has_function)
		return -ENOMEM;
	int rc = prf_stack_table_each_node(stacks, find_call, writing);
	if (!rc)
		rc = mark_functions(writing);
	return rc ? rc : sum_frames(writing);
}

int
prf_callgrind_write(const struct prf_profile *profile,
		    const struct prf_export_way *way, FILE *out,
		    struct prf_error *err)
{
	PRF_AUTO(clear) struct writing writing = {.out = out};
	int rc = prf_stack_table_of(profile, way, &writing.stacks);

	if (!rc)
		rc = prepare(&writing);
	if (rc)
		return prf_error_set(err, rc, "out of memory");
	put_head(profile, way, out);
	put_functions(&writing);
	fprintf(out, "\ntotals: %" PRIu64 "\n", profile->total.ticks);
	return 0;
}
