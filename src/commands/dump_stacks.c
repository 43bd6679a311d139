#include "src/commands/dump_stacks.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/scope.h"
#include "image/lines.h"
#include "profile/hash_index.h"
#include "space/perfmapfile.h"
#include "space/procs.h"
#include "unwind/stacks.h"

/* The source lines of one file. */
struct file_lines {
	const struct prf_file *file;
	struct prf_lines *lines; /* or NULL */
};

/* It unwinds first, and gets the samples with their frames. */
struct prf_dump_stacks {
	struct prf_sink base;
	struct prf_sink *unwinding; /* before it */
	struct prf_objectfile_finder *finder;
	struct prf_procs procs;
	pid_t pid; /* of the process, once it was told */
	struct prf_dump_stack *all;
	size_t n, room;

	bool asked_for_map;
	struct prf_perfmap *map; /* of its JIT code; NULL: none */
	struct file_lines *lines;
	size_t n_lines;
};

/* --- The sink */

static int
on_exec(struct prf_sink *sink, const struct prf_exec *exec)
{
	struct prf_dump_stacks *stacks = (struct prf_dump_stacks *)sink;

	stacks->pid = exec->pid;
	return prf_procs_become(&stacks->procs, exec->pid,
				prf_procs_program(&stacks->procs, exec))
		       ? 0
		       : -ENOMEM;
}

static int
on_mapping(struct prf_sink *sink, const struct prf_mapping *map)
{
	return prf_procs_map(&((struct prf_dump_stacks *)sink)->procs, map);
}

static int
on_sample(struct prf_sink *sink, const struct prf_sample *sample)
{
	struct prf_dump_stacks *stacks = (struct prf_dump_stacks *)sink;

	if (stacks->n == stacks->room) {
		size_t room = stacks->room ? stacks->room * 2 : 16;
		struct prf_dump_stack *grown =
			reallocarray(stacks->all, room, sizeof *grown);

		if (!grown)
			return -ENOMEM;
		stacks->all = grown;
		stacks->room = room;
	}
	size_t n_bytes = sample->n_frames * sizeof *sample->frames;
	struct prf_frame *raw = malloc(n_bytes);
	if (!raw)
		return -ENOMEM;
	memcpy(raw, sample->frames, n_bytes);
	stacks->all[stacks->n++] = (struct prf_dump_stack){
		.tid = sample->tid,
		.raw = raw,
		.n_raw = sample->n_frames,
		.end = sample->end,
	};
	return 0;
}

static int
on_finish(struct prf_sink *sink, struct prf_error *err)
{
	(void)sink;
	(void)err;
	return 0;
}

/* It is freed with the rest. */
static void
on_free(struct prf_sink *sink)
{
	(void)sink;
}

int
prf_dump_stacks_new(struct prf_dump_stacks **out, struct prf_error *err)
{
	static const struct prf_sink_ops ops = {
		.exec = on_exec,
		.mapping = on_mapping,
		.sample = on_sample,
		.finish = on_finish,
		.free = on_free,
	};
	struct prf_dump_stacks *stacks = calloc(1, sizeof *stacks);

	if (!stacks)
		return prf_error_set(err, -ENOMEM, "out of memory");
	stacks->base.ops = &ops;
	stacks->finder = prf_objectfile_finder_new();
	const struct prf_objectfile_way way = {.finder = stacks->finder};
	if (!stacks->finder || prf_procs_init(&stacks->procs, &way) ||
	    prf_stacks_sink_new(&stacks->base, PRF_STACKS_BY_AUTO, &way,
				&stacks->unwinding, err)) {
		prf_dump_stacks_free(stacks);
		return prf_error_set(err, -ENOMEM, "out of memory");
	}
	*out = stacks;
	return 0;
}

void
prf_dump_stacks_free(struct prf_dump_stacks *stacks)
{
	if (!stacks)
		return;
	for (size_t i = 0; i < stacks->n; i++) {
		free(stacks->all[i].raw);
		free(stacks->all[i].frames);
	}
	free(stacks->all);
	for (size_t i = 0; i < stacks->n_lines; i++)
		prf_lines_close(stacks->lines[i].lines);
	free(stacks->lines);
	prf_perfmap_drop(stacks->map);
	if (stacks->unwinding)
		stacks->unwinding->ops->free(stacks->unwinding);
	prf_procs_clear(&stacks->procs);
	prf_objectfile_finder_free(stacks->finder);
	free(stacks);
}

struct prf_sink *
prf_dump_stacks_sink(struct prf_dump_stacks *stacks)
{
	return stacks->unwinding;
}

/* --- Names */

struct naming {
	struct prf_dump_stacks *stacks;
	const struct prf_proc *proc;
	bool with_lines;
	struct prf_warnings *warnings;
};

static void
name_in_file(const struct prf_file *file, uint64_t vaddr,
	     struct prf_dump_frame *frame)
{
	frame->binary = file->is_vdso ? file->name : file->path;
	if (!file->image)
		return;
	frame->vaddr = vaddr;
	size_t at = prf_image_text_at(file->image, vaddr);
	if (at >= file->n_pieces)
		return;
	const struct prf_named *function =
		&file->functions[file->pieces[at].function];
	frame->function = function->name;
	frame->off = vaddr - function->lo;
}

static void
read_map(struct naming *naming)
{
	struct prf_dump_stacks *stacks = naming->stacks;
	const struct prf_program *program = naming->proc->program;
	const struct prf_jit jit = {naming->proc->pid, program->uid,
				    program->begun};
	struct prf_error err = {0};

	stacks->asked_for_map = true;
	int rc =
		prf_perfmapfile_find("/proc", "/tmp", &jit, &stacks->map, &err);
	if (rc && rc != -ENOENT)
		prf_warnings_add(naming->warnings, err.text);
}

static void
name_jit(struct naming *naming, uint64_t addr, struct prf_dump_frame *frame)
{
	if (!naming->stacks->asked_for_map)
		read_map(naming);
	const struct prf_perfmap_entry *entry =
		naming->stacks->map ? prf_perfmap_at(naming->stacks->map, addr)
				    : NULL;

	frame->binary = "[jit]";
	if (!entry)
		return;
	frame->function = entry->name;
	frame->off = addr - entry->addr;
}

static struct prf_lines *
open_lines(const struct naming *naming, const struct prf_file *file)
{
	const struct prf_mapping map = {
		.pid = naming->proc->pid,
		.kind = PRF_MAPPING_FILE,
		.path = file->path,
		.dev = file->dev,
		.inode = file->inode,
	};
	const struct prf_debug_way way = {
		.unpack_max = UINT64_MAX,
		.may_be_silent = prf_objectfile_path_may_be_silent,
		.arg = naming->stacks->finder,
	};
	struct prf_lines *lines = NULL;
	struct prf_error err = {0};
	struct stat st;

	/* Debug information leads to other files, which may not answer either. */
	if (file->is_vdso || file->seen.is_copy)
		return NULL;
	PRF_AUTO(prf_auto_close)
	int fd = prf_objectfile_open(file->way.finder, &map, &st);
	if (fd >= 0 && prf_lines_open_fd(fd, file->path, &way, &lines, &err))
		prf_warnings_add(naming->warnings, err.text);
	return lines;
}

/* NULL: it has none, or out of memory. */
static struct prf_lines *
lines_of(const struct naming *naming, const struct prf_file *file)
{
	struct prf_dump_stacks *stacks = naming->stacks;

	for (size_t i = 0; i < stacks->n_lines; i++)
		if (stacks->lines[i].file == file)
			return stacks->lines[i].lines;
	struct file_lines *grown =
		reallocarray(stacks->lines, stacks->n_lines + 1, sizeof *grown);
	if (!grown)
		return NULL;
	stacks->lines = grown;
	grown[stacks->n_lines] =
		(struct file_lines){file, open_lines(naming, file)};
	return grown[stacks->n_lines++].lines;
}

/* One more frame of STACK, which has room. */
static void
add_frame(struct prf_dump_stack *stack, const struct prf_dump_frame *frame)
{
	stack->frames[stack->n++] = *frame;
}

static int
make_room(struct prf_dump_stack *stack, size_t n_more)
{
	struct prf_dump_frame *grown =
		reallocarray(stack->frames, stack->n + n_more, sizeof *grown);

	if (!grown)
		return -ENOMEM;
	stack->frames = grown;
	return 0;
}

/* The functions that were inlined at FRAME come before it, each with its line;
 * FRAME has the line that calls the first of them. */
static int
add_with_lines(const struct naming *naming, const struct prf_file *file,
	       const struct prf_dump_frame *frame, struct prf_dump_stack *stack)
{
	struct prf_lines *lines = lines_of(naming, file);
	const struct prf_line *line = NULL;
	size_t n = lines ? prf_lines_at(lines, frame->vaddr, &line) : 0;
	int rc = make_room(stack, n ? n : 1);

	for (size_t i = 0; rc == 0 && i < n; i++) {
		struct prf_dump_frame one = *frame;

		one.file = line[i].file;
		one.line = line[i].line;
		one.is_inlined = i + 1 < n;
		if (one.is_inlined) {
			one.function = line[i].function;
			one.off = 0;
		}
		add_frame(stack, &one);
	}
	if (rc == 0 && n == 0)
		add_frame(stack, frame);
	return rc;
}

static int
name_frame(struct naming *naming, const struct prf_frame *raw,
	   struct prf_dump_stack *stack)
{
	uint64_t addr = prf_frame_lookup_addr(*raw);
	struct prf_dump_frame frame = {
		.addr = raw->addr,
		.is_guessed = raw->kind == PRF_FRAME_GUESSED,
		.binary = "[unknown]",
		.vaddr = addr,
	};
	const struct prf_location location =
		prf_procs_locate(&naming->stacks->procs, naming->proc, addr);

	if (location.file)
		name_in_file(location.file, location.vaddr, &frame);
	else if (location.kind == PRF_MAPPING_ANON)
		name_jit(naming, addr, &frame);
	if (frame.function)
		frame.off += raw->addr - addr;
	if (naming->with_lines && location.file && location.file->image)
		return add_with_lines(naming, location.file, &frame, stack);
	int rc = make_room(stack, 1);
	if (rc == 0)
		add_frame(stack, &frame);
	return rc;
}

static void
warn(void *arg, const char *line)
{
	prf_warnings_add(arg, line);
}

int
prf_dump_stacks_name(struct prf_dump_stacks *stacks, bool wanted,
		     struct prf_warnings *warnings)
{
	struct naming naming = {
		.stacks = stacks,
		.proc = prf_procs_find(&stacks->procs, stacks->pid),
		.with_lines = wanted,
		.warnings = warnings,
	};
	int rc = 0;

	stacks->procs.warn = warn;
	stacks->procs.warn_arg = warnings;
	if (!naming.proc)
		return 0;
	for (size_t i = 0; i < stacks->n; i++)
		for (size_t k = 0; rc == 0 && k < stacks->all[i].n_raw; k++)
			rc = name_frame(&naming, &stacks->all[i].raw[k],
					&stacks->all[i]);
	for (size_t i = 0; i < stacks->n_lines; i++) {
		const char *text =
			stacks->lines[i].lines
				? prf_lines_warning(stacks->lines[i].lines)
				: NULL;
		if (text)
			prf_warnings_add(warnings, text);
	}
	return rc;
}

/* --- What is asked */

/* Samples came in this order. */
static int
compare_tids(const void *a, const void *b)
{
	pid_t first = ((const struct prf_dump_stack *)a)->tid;
	pid_t second = ((const struct prf_dump_stack *)b)->tid;

	return (first > second) - (first < second);
}

const struct prf_dump_stack *
prf_dump_stacks_of(const struct prf_dump_stacks *stacks, pid_t tid)
{
	const struct prf_dump_stack key = {.tid = tid};

	return stacks->n ? bsearch(&key, stacks->all, stacks->n,
				   sizeof *stacks->all, compare_tids)
			 : NULL;
}

static bool
is_same_text(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

static bool
is_same_frame(const struct prf_dump_frame *a, const struct prf_dump_frame *b)
{
	if (!a->function && !b->function)
		return a->addr == b->addr;
	if (!a->function || !b->function)
		return false;
	return strcmp(a->function, b->function) == 0 &&
	       strcmp(a->binary, b->binary) == 0 &&
	       is_same_text(a->file, b->file) && a->line == b->line;
}

bool
prf_dump_stack_is_same(const struct prf_dump_stack *a,
		       const struct prf_dump_stack *b)
{
	if (a->n != b->n || a->end != b->end)
		return false;
	for (size_t i = 0; i < a->n; i++)
		if (!is_same_frame(&a->frames[i], &b->frames[i]))
			return false;
	return true;
}

/* As FNV-1a does. */
static uint32_t
hash_text(const char *text)
{
	uint32_t hash = 0x811c9dc5;

	while (*text)
		hash = (hash ^ (unsigned char)*text++) * 0x01000193;
	return hash;
}

/* Of what is_same_frame() compares that which mostly differs. */
static uint32_t
hash_frame(const struct prf_dump_frame *frame)
{
	return frame->function
		       ? prf_hash_index_hash(hash_text(frame->function),
					     frame->line)
		       : prf_hash_index_hash((uint32_t)frame->addr,
					     (uint32_t)(frame->addr >> 32));
}

uint32_t
prf_dump_stack_hash(const struct prf_dump_stack *stack)
{
	uint32_t hash = stack->end;

	for (size_t i = 0; i < stack->n; i++)
		hash = prf_hash_index_hash(hash, hash_frame(&stack->frames[i]));
	return hash;
}
