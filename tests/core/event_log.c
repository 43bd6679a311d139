#include "core/event_log.h"

#include <check.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- Writing down */

static void
grow(struct event_log *log, size_t n_bytes)
{
	if (log->n_bytes + n_bytes > log->max_bytes) {
		log->max_bytes = 2 * (log->n_bytes + n_bytes);
		log->text = realloc(log->text, log->max_bytes);
	}
	if (log->n_events == log->max_events) {
		log->max_events = log->max_events ? 2 * log->max_events : 64;
		log->ends =
			realloc(log->ends, log->max_events * sizeof *log->ends);
	}
	if (!log->text || !log->ends)
		abort();
}

__attribute__((format(printf, 2, 3))) static void
add(struct event_log *log, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	size_t n = (size_t)vsnprintf(NULL, 0, format, args);
	va_end(args);
	grow(log, n + 1);
	va_start(args, format);
	vsnprintf(log->text + log->n_bytes, n + 1, format, args);
	va_end(args);
	log->n_bytes += n;
}

static int
end_line(struct event_log *log)
{
	add(log, "\n");
	log->ends[log->n_events++] = log->n_bytes;
	return log->answer;
}

static int
on_exec(struct prf_sink *sink, const struct prf_exec *exec)
{
	struct event_log *log = (struct event_log *)sink;

	add(log,
	    "exec %d %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64
	    " %d %s|%s %d %d",
	    exec->pid, exec->time_ns, exec->cpu_ns, exec->dev, exec->inode,
	    exec->addr_bytes, exec->path, exec->command, exec->machine,
	    exec->rank);
	return end_line(log);
}

static int
on_mapping(struct prf_sink *sink, const struct prf_mapping *map)
{
	struct event_log *log = (struct event_log *)sink;

	add(log,
	    "mapping %d %d %" PRIu64 " %" PRIx64 " %" PRIx64 " %" PRIx64
	    " %" PRIu64 " %" PRIu64 " %d %s|",
	    map->kind, map->pid, map->time_ns, map->addr, map->size,
	    map->file_off, map->dev, map->inode, map->deleted, map->path);
	for (unsigned i = 0; i < map->build_id_bytes; i++)
		add(log, "%02x", map->build_id[i]);
	return end_line(log);
}

static int
on_sample(struct prf_sink *sink, const struct prf_sample *sample)
{
	struct event_log *log = (struct event_log *)sink;

	add(log,
	    "sample %d %d %" PRIu64 " %" PRIu32 " %" PRIu32 " %" PRId32
	    " %d %d",
	    sample->pid, sample->tid, sample->time_ns, sample->ticks,
	    sample->certain, sample->syscall, sample->state, sample->end);
	for (uint32_t i = 0; i < sample->n_frames; i++)
		add(log, " %d:%" PRIx64, sample->frames[i].kind,
		    sample->frames[i].addr);
	for (uint32_t i = 0; sample->kernel && i < sample->kernel->n; i++)
		add(log, " %s", sample->kernel->names[i]);
	return end_line(log);
}

static int
on_life(struct prf_sink *sink, const struct prf_life *life)
{
	struct event_log *log = (struct event_log *)sink;

	add(log, "life %d %d %d %d %" PRIu64 " %s| %" PRIu64 " %d", life->kind,
	    life->pid, life->tid, life->parent, life->time_ns, life->name,
	    life->cpu_ns, life->wait_status);
	return end_line(log);
}

static int
on_figure(struct prf_sink *sink, const struct prf_figure *figure)
{
	struct event_log *log = (struct event_log *)sink;

	add(log, "figure %s %" PRIu64, figure->name, figure->value);
	return end_line(log);
}

static int
on_finish(struct prf_sink *sink, struct prf_error *err)
{
	struct event_log *log = (struct event_log *)sink;

	if (log->finished)
		*log->finished = true;
	return log->answer ? prf_error_set(err, log->answer, "finish: %d",
					   log->answer)
			   : 0;
}

static void
on_free(struct prf_sink *sink)
{
	struct event_log *log = (struct event_log *)sink;

	if (log->freed)
		*log->freed = true;
}

static const struct prf_sink_ops log_ops = {
	.exec = on_exec,
	.mapping = on_mapping,
	.sample = on_sample,
	.life = on_life,
	.figure = on_figure,
	.finish = on_finish,
	.free = on_free,
};

void
event_log_begin(struct event_log *log)
{
	*log = (struct event_log){.base.ops = &log_ops};
}

void
event_log_end(struct event_log *log)
{
	free(log->text);
	free(log->ends);
}

/* --- Comparing */

static size_t
line_begin(const struct event_log *log, size_t i)
{
	return i ? log->ends[i - 1] : 0;
}

static bool
same_line(const struct event_log *a, size_t i, const struct event_log *b,
	  size_t j)
{
	size_t n = a->ends[i] - line_begin(a, i);

	return n == b->ends[j] - line_begin(b, j) &&
	       !memcmp(a->text + line_begin(a, i), b->text + line_begin(b, j),
		       n);
}

void
event_log_check_begin(const struct event_log *part,
		      const struct event_log *whole)
{
	ck_assert_uint_le(part->n_events, whole->n_events);
	for (size_t i = 0; i < part->n_events; i++)
		if (!same_line(part, i, whole, i))
			ck_abort_msg(
				"event %zu is %.*s, not %.*s", i,
				(int)(part->ends[i] - line_begin(part, i) - 1),
				part->text + line_begin(part, i),
				(int)(whole->ends[i] - line_begin(whole, i) -
				      1),
				whole->text + line_begin(whole, i));
}

void
event_log_check_same(const struct event_log *a, const struct event_log *b)
{
	event_log_check_begin(a, b);
	ck_assert_uint_eq(a->n_events, b->n_events);
}

void
event_log_check_subset(const struct event_log *part,
		       const struct event_log *whole)
{
	size_t j = 0;

	for (size_t i = 0; i < part->n_events; i++, j++) {
		while (j < whole->n_events && !same_line(part, i, whole, j))
			j++;
		if (j == whole->n_events)
			ck_abort_msg(
				"event %zu was never given: %.*s", i,
				(int)(part->ends[i] - line_begin(part, i) - 1),
				part->text + line_begin(part, i));
	}
}

/* --- Events to give; not by Check alone */

static void
must(bool ok)
{
	if (!ok)
		abort();
}

static int32_t
any_int(struct random *random)
{
	return (int32_t)(uint32_t)random_of_any_size(random);
}

static const char *
any_string(struct random *random, char *room, size_t max_bytes)
{
	size_t n = random_below(random, max_bytes);

	for (size_t i = 0; i < n; i++)
		room[i] = (char)(1 + random_below(random, 255));
	room[n] = '\0';
	return room;
}

static void
give_any_mapping(struct random *random, struct prf_sink *sink)
{
	char path[300];
	uint8_t build_id[255];
	struct prf_mapping map = {
		.kind = (enum prf_mapping_kind)random_below(
			random, PRF_MAPPING_NONE + 1),
		.pid = any_int(random),
		.time_ns = random_of_any_size(random),
		.addr = random_of_any_size(random),
		.file_off = random_of_any_size(random),
		.dev = random_of_any_size(random),
		.inode = random_of_any_size(random),
		.deleted = (uint8_t)random_below(random, 2),
		.path = any_string(random, path, sizeof path),
		.build_id = build_id,
	};

	map.size = 1 + random_of_any_size(random) % (UINT64_MAX - map.addr);
	if (random_below(random, 2))
		map.build_id_bytes = (uint8_t)random_below(random, 256);
	for (size_t i = 0; i < sizeof build_id; i++)
		build_id[i] = (uint8_t)random_next(random);
	must(!sink->ops->mapping(sink, &map));
}

/* Kept, so that some samples share functions with those before; now and then of
 * a name that is as long as can be. */
static const struct prf_kernel_functions *
any_kernel(struct random *random)
{
	enum { N = 12, LONG_BYTES = 511 };
	static char names[N][LONG_BYTES + 1];
	static const char *all[N];
	static struct prf_kernel_functions kernel;
	size_t first = random_below(random, N);

	for (size_t i = 0; i < N; i++) {
		all[i] = names[i];
		if (names[i][0] && (i < first || random_below(random, 2)))
			continue;
		memset(names[i], 0, sizeof names[i]);
		memset(names[i], 'a' + (int)random_below(random, 26),
		       random_below(random, 50) ? 1 + random_below(random, 20)
						: LONG_BYTES);
	}
	kernel = (struct prf_kernel_functions){(uint32_t)(N - first),
					       all + first};
	return random_below(random, 3) ? NULL : &kernel;
}

static void
give_any_sample(struct random *random, struct prf_sink *sink)
{
	static const enum prf_frame_kind kinds[] = {
		PRF_FRAME_RETURN, PRF_FRAME_RETURN,  PRF_FRAME_RETURN,
		PRF_FRAME_PC,     PRF_FRAME_GUESSED,
	};
	/* Kept, so that some stacks share frames with those before. */
	static struct prf_frame frames[40];
	uint64_t near = random_below(random, 2);
	struct prf_sample sample = {
		.pid = near ? 7 : any_int(random),
		.tid = near ? (pid_t)random_below(random, 3) : any_int(random),
		.time_ns = random_of_any_size(random),
		.ticks = (uint32_t)random_of_any_size(random),
		.syscall = near ? PRF_NO_SYSCALL : any_int(random),
		.n_frames = 1,
	};
	uint64_t first = random_below(random, 40);

	if (sample.ticks == 0)
		sample.ticks = 1;
	if (sample.syscall == PRF_NO_PROCESSOR)
		sample.state = PRF_SAMPLE_RUNNABLE;
	else if (random_below(random, 4) == 0)
		sample.state = PRF_SAMPLE_BLOCKED;
	if (random_below(random, 2))
		sample.certain = (uint32_t)random_below(
			random, (uint64_t)sample.ticks + 1);
	else if (random_below(random, 2))
		sample.certain = sample.ticks;
	if (random_below(random, 2))
		sample.n_frames = (uint32_t)(40 - first);
	if (!near)
		sample.end = (enum prf_stack_end)random_below(random,
							      PRF_N_STACK_ENDS);
	for (uint64_t i = first; i < first + random_below(random, 40 - first);
	     i++)
		frames[i] = (struct prf_frame){
			random_of_any_size(random),
			kinds[random_below(random,
					   sizeof kinds / sizeof *kinds)],
		};
	frames[first].kind = PRF_FRAME_PC;
	sample.frames = &frames[first];
	sample.kernel = any_kernel(random);
	must(!sink->ops->sample(sink, &sample));
}

static void
give_any_life(struct random *random, struct prf_sink *sink)
{
	char name[20];
	const struct prf_life life = {
		.kind = (enum prf_life_kind)random_below(random,
							 PRF_N_LIFE_KINDS),
		.pid = any_int(random),
		.tid = any_int(random),
		.parent = any_int(random),
		.time_ns = random_of_any_size(random),
		.name = any_string(random, name, sizeof name),
		.cpu_ns = random_of_any_size(random),
		.wait_status = any_int(random),
	};

	must(!prf_sink_life(sink, &life));
}

static void
give_any_exec(struct random *random, struct prf_sink *sink)
{
	char path[200], command[2000];
	const struct prf_exec exec = {
		.pid = any_int(random),
		.time_ns = random_of_any_size(random),
		.cpu_ns = random_of_any_size(random),
		.path = any_string(random, path, sizeof path),
		.command = any_string(random, command, sizeof command),
		.dev = random_of_any_size(random),
		.inode = random_of_any_size(random),
		.addr_bytes = random_below(random, 2) ? 4 : 8,
		.machine = (uint16_t)random_of_any_size(random),
		.rank = (int32_t)random_below(random, INT32_MAX) - 1,
	};

	must(!sink->ops->exec(sink, &exec));
}

static void
give_any_figure(struct random *random, struct prf_sink *sink)
{
	char name[40];
	const struct prf_figure figure = {
		.name = any_string(random, name, sizeof name),
		.value = random_of_any_size(random),
	};

	must(!prf_sink_figure(sink, &figure));
}

void
event_log_give_any(struct random *random, size_t n, struct prf_sink *sink)
{
	static void (*const give[])(struct random *, struct prf_sink *) = {
		give_any_sample, give_any_sample, give_any_sample,
		give_any_sample, give_any_exec,   give_any_mapping,
		give_any_life,   give_any_figure,
	};

	while (n-- > 0)
		give[random_below(random, sizeof give / sizeof *give)](random,
								       sink);
}

/* --- A run */

enum { N_OBJECTS = 6, OBJECT_BYTES = 1 << 20 };

static void
give_mapping(uint64_t time_ns, unsigned object, struct prf_sink *sink)
{
	char path[40];
	uint8_t build_id[20] = {(uint8_t)object};
	const struct prf_mapping map = {
		.kind = PRF_MAPPING_FILE,
		.pid = 1000,
		.time_ns = time_ns,
		.addr = object ? 0x7f0000000000 + object * 16 * OBJECT_BYTES
			       : 0x555555554000,
		.size = OBJECT_BYTES,
		.dev = 0x801,
		.inode = 4711 + object,
		.path = path,
		.build_id = build_id,
		.build_id_bytes = sizeof build_id,
	};

	snprintf(path, sizeof path, "/usr/lib/libobject%u.so", object);
	must(!sink->ops->mapping(sink, &map));
}

static uint64_t
run_pc(struct random *random)
{
	unsigned object = (unsigned)random_below(random, N_OBJECTS);
	/* Most ticks in few functions. */
	uint64_t function = random_below(random, 4) == 0
				    ? random_below(random, 8000)
				    : random_below(random, 30);

	object = random_below(random, 8) ? object & 1 : object;
	return (object ? 0x7f0000000000 + object * 16 * OBJECT_BYTES
		       : 0x555555554000) +
	       function * 128 + random_below(random, 40);
}

void
event_log_give_run(struct random *random, size_t n, unsigned n_threads,
		   struct prf_sink *sink)
{
	uint64_t time_ns = UINT64_C(86400000000000);
	const struct prf_exec exec = {
		.pid = 1000,
		.time_ns = time_ns,
		.path = "/usr/bin/program",
		.command = "program --with arguments",
		.inode = 4711,
		.dev = 0x801,
		.addr_bytes = 8,
		.machine = 62,
		.rank = -1,
	};
	const struct prf_figure figure = {"cpu_ns", n * 10000000};

	must(!sink->ops->exec(sink, &exec));
	for (unsigned i = 0; i < N_OBJECTS; i++)
		give_mapping(time_ns, i, sink);
	for (size_t i = 0; i < n; i++) {
		const struct prf_frame pc = {run_pc(random), PRF_FRAME_PC};
		const struct prf_sample sample = {
			.pid = 1000,
			.tid = 1000 + (pid_t)(i % n_threads),
			/* CPU timers end at the kernel's ticks, of 4 ms. */
			.time_ns = time_ns + 4000000 * (5 * i / 2 / n_threads) +
				   random_below(random, 20000),
			.ticks = random_below(random, 50) ? 1 : 2,
			.syscall =
				random_below(random, 20) ? PRF_NO_SYSCALL : 1,
			.n_frames = 1,
			.frames = &pc,
		};

		must(!sink->ops->sample(sink, &sample));
		if (random_below(random, 500) == 0)
			give_mapping(sample.time_ns, 3, sink);
	}
	must(!prf_sink_figure(sink, &figure));
}
