#include "unwind/stacks.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/sink/filter.h"
#include "space/procs.h"
#include "unwind/stack_copy.h"
#include "unwind/stack_needs.h"
#include "unwind/unwind.h"

struct stacks {
	struct prf_filter filter;
	enum prf_stacks_by by;
	struct prf_stack_needs *needs; /* lent; NULL: nobody asks */
	struct prf_procs procs;
	struct prf_frame frames[PRF_STACKS_MAX_FRAMES];
};

/* --- What a sample brings with it */

/* A copy as it came: nothing in it is believed. */
struct copy {
	const uint8_t *memory;
	bool is_short; /* something right behind the first range was needed */
	struct prf_stack_copy head;
};

/* Takes the copy of SAMPLE apart; false: it is not one. */
static bool
take_copy(const struct prf_sample *sample, struct copy *copy)
{
	size_t left = sample->stack_copy_bytes - sizeof copy->head;

	if (sample->stack_copy_bytes < sizeof copy->head)
		return false;
	memcpy(&copy->head, sample->stack_copy, sizeof copy->head);
	copy->is_short = false;
	copy->memory = (const uint8_t *)sample->stack_copy + sizeof copy->head;
	if (copy->head.n_ranges > PRF_STACK_COPY_RANGES ||
	    copy->head.registers.known >> PRF_CFI_REGISTERS)
		return false;
	for (uint32_t i = 0; i < copy->head.n_ranges; i++) {
		if (copy->head.ranges[i].n_bytes > left)
			return false;
		left -= copy->head.ranges[i].n_bytes;
	}
	return true;
}

static bool
read_copy(void *arg, uint64_t addr, void *to, size_t n_bytes)
{
	struct copy *copy = arg;
	const struct prf_stack_range *first = copy->head.ranges;
	const uint8_t *memory = copy->memory;

	for (uint32_t i = 0; i < copy->head.n_ranges; i++) {
		const struct prf_stack_range *range = &copy->head.ranges[i];
		uint64_t into = addr - range->addr;

		if (addr >= range->addr && into < range->n_bytes &&
		    n_bytes <= range->n_bytes - into) {
			memcpy(to, memory + into, n_bytes);
			return true;
		}
		memory += range->n_bytes;
	}
	if (copy->head.n_ranges > 0 && addr >= first->addr &&
	    addr - first->addr < first->n_bytes + PRF_STACK_NEEDS_MOST)
		copy->is_short = true;
	return false;
}

/* --- What is where */

/* A process, and where the latest frame was: most have their caller in the same
 * file. */
struct place {
	const struct prf_proc *proc;
	const struct prf_space_range *range;
};

/* The range of code that ADDR is in, or NULL. */
static const struct prf_space_range *
range_at(struct place *place, uint64_t addr)
{
	const struct prf_space_range *range = place->range;

	if (range && range->addr <= addr && addr <= range->last)
		return range;
	return place->range = prf_procs_code(place->proc, addr);
}

static struct prf_cfi *
find_cfi(void *arg, uint64_t addr, uint64_t *bias)
{
	const struct prf_space_range *range = range_at(arg, addr);

	if (!range)
		return NULL;
	*bias = range->bias;
	return prf_code_cfi(range->file->code);
}

static size_t
read_text(void *arg, uint64_t addr, void *to, size_t n)
{
	const struct prf_space_range *range = range_at(arg, addr);

	return range ? prf_code_text(range->file->code, addr - range->bias, to,
				     n)
		     : 0;
}

static bool
find_function(void *arg, uint64_t addr, uint64_t *start)
{
	const struct prf_space_range *range = range_at(arg, addr);

	if (!range ||
	    !prf_code_function(range->file->code, addr - range->bias, start))
		return false;
	*start += range->bias;
	return true;
}

static uint64_t
find_entry(void *arg, uint64_t addr)
{
	const struct prf_space_range *range = range_at(arg, addr);
	uint64_t entry = range ? prf_code_entry(range->file->code) : 0;

	return entry ? entry + range->bias : 0;
}

static bool
is_made(void *arg, uint64_t addr)
{
	struct place *place = arg;
	const struct prf_space_range *range =
		prf_space_at(&place->proc->mapped.space, addr);

	return range &&
	       (range->kind == PRF_MAPPING_ANON ||
		(range->kind == PRF_MAPPING_FILE && !range_at(place, addr)));
}

static bool
is_mapped(void *arg, uint64_t addr)
{
	const struct place *place = arg;

	return prf_space_at(&place->proc->mapped.space, addr);
}

static bool
kept_row(void *arg, uint64_t addr, const struct prf_cfi_row **row)
{
	const struct prf_space_range *range = range_at(arg, addr);

	return range &&
	       prf_code_kept_row(range->file->code, addr - range->bias, row);
}

static void
keep_row(void *arg, uint64_t addr, const struct prf_cfi_row *row)
{
	const struct prf_space_range *range = range_at(arg, addr);

	if (range)
		prf_code_keep_row(range->file->code, addr - range->bias, row);
}

static const struct prf_unwind_code code_ops = {
	.text = read_text,
	.function = find_function,
	.entry = find_entry,
	.is_made = is_made,
	.is_mapped = is_mapped,
	.kept_row = kept_row,
	.keep_row = keep_row,
};

/* The stack of SAMPLE began at SP, and has now come to the stack pointer of COPY's
 * registers. */
static void
tell_need(struct stacks *stacks, const struct prf_sample *sample,
	  const struct copy *copy, uint64_t sp)
{
	const struct prf_machine *machine = prf_machine_of(copy->head.machine);
	uint32_t had = copy->head.ranges[0].n_bytes, used = had;
	uint64_t outer;

	if (!stacks->needs || copy->head.n_ranges == 0)
		return;
	bool is_cut = copy->is_short && (sample->end == PRF_STACK_MEMORY ||
					 sample->end == PRF_STACK_NO_CFI);
	if (is_cut && copy->head.is_full)
		prf_stack_needs_tell_short(stacks->needs, sample->tid);
	if (!copy->head.goes_on)
		return;
	if (is_cut)
		used = had + 1;
	else if (prf_registers_get(&copy->head.registers,
				   machine->stack_pointer, &outer) &&
		 outer - sp < had)
		used = (uint32_t)(outer - sp);
	prf_stack_needs_tell(stacks->needs, sample->pid, had, used);
}

/* Makes the frames of SAMPLE from its copy.  The first one stays what it is:
 * with or without stacks, a profile has the same PCs. */
static void
make_frames(struct stacks *stacks, struct prf_sample *sample)
{
	struct place place = {prf_procs_find(&stacks->procs, sample->pid),
			      NULL};
	struct copy copy;

	sample->end = PRF_STACK_MEMORY;
	if (!take_copy(sample, &copy))
		return;
	sample->end = PRF_STACK_NO_CFI;
	const struct prf_unwind unwind = {
		.machine = prf_machine_of(copy.head.machine),
		.signature = copy.head.signature,
		.memory = {.read = read_copy,
			   .arg = &copy,
			   .bytes = copy.memory,
			   .addr = copy.head.ranges[0].addr,
			   .n_bytes = copy.head.n_ranges
					      ? copy.head.ranges[0].n_bytes
					      : 0},
		.find = find_cfi,
		.find_arg = &place,
		.code = stacks->by == PRF_STACKS_BY_CFI ? NULL : &code_ops,
		.records_only = stacks->by == PRF_STACKS_BY_FP,
	};
	uint64_t sp = 0;

	if (!place.proc || !unwind.machine)
		return;
	(void)prf_registers_get(&copy.head.registers,
				unwind.machine->stack_pointer, &sp);
	sample->end =
		prf_unwind_stack(&unwind, &copy.head.registers, stacks->frames,
				 PRF_STACKS_MAX_FRAMES, &sample->n_frames);
	tell_need(stacks, sample, &copy, sp);
	stacks->frames[0] = sample->frames[0];
	sample->frames = stacks->frames;
}

/* --- The sink */

static int
on_exec(struct prf_sink *sink, const struct prf_exec *exec)
{
	struct prf_procs *procs = &((struct stacks *)sink)->procs;
	bool is_known = prf_procs_become(procs, exec->pid,
					 prf_procs_program(procs, exec));
	int rc = prf_filter_exec(sink, exec);

	return rc == 0 && !is_known ? -ENOMEM : rc;
}

/* Of a process that is not known the next sink says so. */
static int
on_mapping(struct prf_sink *sink, const struct prf_mapping *map)
{
	int own = prf_procs_map(&((struct stacks *)sink)->procs, map);
	int rc = prf_filter_mapping(sink, map);

	return rc == 0 && own != -ESRCH ? own : rc;
}

static int
follow_fork(struct prf_procs *procs, const struct prf_life *life)
{
	return prf_procs_fork(procs, life) ? 0 : -ENOMEM;
}

static int
follow_end(struct prf_procs *procs, const struct prf_life *life)
{
	struct prf_proc *proc = prf_procs_find(procs, life->pid);

	if (proc)
		prf_procs_remove(procs, proc);
	return 0;
}

/* NULL: a thread's, which changes no mapping. */
static int (*const follow[PRF_N_LIFE_KINDS])(struct prf_procs *,
					     const struct prf_life *) = {
	[PRF_LIFE_FORK] = follow_fork,
	[PRF_LIFE_EXIT] = follow_end,
	[PRF_LIFE_LEAVE] = follow_end,
};

static int
on_life(struct prf_sink *sink, const struct prf_life *life)
{
	struct prf_procs *procs = &((struct stacks *)sink)->procs;
	int own = follow[life->kind] ? follow[life->kind](procs, life) : 0;
	int rc = prf_filter_life(sink, life);

	return rc != 0 ? rc : own;
}

static int
on_sample(struct prf_sink *sink, const struct prf_sample *sample)
{
	struct prf_sample with_frames = *sample;

	if (sample->stack_copy_bytes == 0)
		return prf_filter_sample(sink, sample);
	make_frames((struct stacks *)sink, &with_frames);
	with_frames.stack_copy = NULL;
	with_frames.stack_copy_bytes = 0;
	return prf_filter_sample(sink, &with_frames);
}

static void
free_sink(struct prf_sink *sink)
{
	prf_procs_clear(&((struct stacks *)sink)->procs);
	prf_filter_free(sink);
}

int
prf_stacks_sink_new(struct prf_sink *inner, enum prf_stacks_by by,
		    const struct prf_objectfile_way *way, struct prf_sink **out,
		    struct prf_error *err)
{
	static const struct prf_sink_ops ops = {
		.exec = on_exec,
		.mapping = on_mapping,
		.sample = on_sample,
		.life = on_life,
		.figure = prf_filter_figure,
		.finish = prf_filter_finish,
		.free = free_sink,
	};
	struct stacks *stacks = calloc(1, sizeof *stacks);

	if (!stacks || prf_procs_init(&stacks->procs, way) != 0) {
		free(stacks);
		return prf_error_set(err, -ENOMEM, "no memory for stacks");
	}
	stacks->filter = (struct prf_filter){{&ops}, inner};
	stacks->by = by;
	*out = &stacks->filter.base;
	return 0;
}

void
prf_stacks_sink_tell(struct prf_sink *sink, struct prf_stack_needs *needs)
{
	((struct stacks *)sink)->needs = needs;
}
