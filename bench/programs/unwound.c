/* unwound - makes stacks of registers and memory that gdb has written down, and
 * compares them with gdb's own.
 *
 *	unwound [PASSES] <STOPS
 *
 * STOPS are lines of bench/gdb_stacks.py: "maps FILE", "regs PC REGISTER...",
 * "memory ADDR BYTES", "frames PC...", the last of which ends a stop; all numbers
 * are hexadecimal.  Prints "stops N identical N complete N", and each stack that
 * differs on stderr.  PASSES: then makes all stacks so many times more, and prints
 * the CPU time of a frame, "ns N", in the lower quartile of the passes. */
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "core/scope.h"
#include "support/copied_stack.h"
#include "support/sample_sink.h"
#include "unwind/stacks.h"

enum { COPY_MAX = 1 << 20, FRAMES_MAX = 1024, STOPS_MAX = 4096 };

/* A stop that was read, to be unwound again. */
struct stop {
	pid_t pid;
	void *copy;
	size_t copy_bytes;
};

static struct {
	struct prf_sink next, *stacks;
	uint64_t want[FRAMES_MAX];
	size_t n_want;
	unsigned n_stops, n_identical, n_complete;
	uint64_t n_frames; /* of all passes */
	bool is_judged;
	pid_t pid; /* each list of mappings is a process's of its own */
	size_t copy_bytes;
	struct stop stops[STOPS_MAX];
	PRF_COPIED_STACK_ROOM(COPY_MAX) copy;
} run;

static void
show(const struct prf_sample *sample)
{
	fprintf(stderr, "end %d\n", sample->end);
	for (size_t i = 0; i < sample->n_frames || i < run.n_want; i++)
		fprintf(stderr, "  %16lx %16lx\n",
			(unsigned long)(i < sample->n_frames
						? sample->frames[i].addr
						: 0),
			(unsigned long)(i < run.n_want ? run.want[i] : 0));
}

static int
take_sample(struct prf_sink *sink, const struct prf_sample *sample)
{
	bool same = sample->n_frames == run.n_want;

	(void)sink;
	run.n_frames += sample->n_frames;
	if (run.is_judged)
		return 0;
	for (size_t i = 0; same && i < run.n_want; i++)
		same = sample->frames[i].addr == run.want[i];
	run.n_stops++;
	run.n_identical += same;
	run.n_complete += sample->end == PRF_STACK_COMPLETE;
	if (!same)
		show(sample);
	return 0;
}

/* --- A line of each kind */

static void
read_maps(char *rest)
{
	static char text[1 << 20];
	const struct prf_exec exec = {
		.pid = ++run.pid, .path = "", .command = "", .addr_bytes = 8};
	struct prf_error err;

	rest[strcspn(rest, "\n")] = '\0';
	PRF_AUTO(prf_auto_fclose) FILE *file = fopen(rest, "r");
	if (!file)
		return;
	size_t size = fread(text, 1, sizeof text, file);
	run.stacks->ops->exec(run.stacks, &exec);
	prf_copied_stack_maps(run.stacks, run.pid, text, size, &err);
}

static void
read_registers(char *rest)
{
	struct prf_stack_copy *head = &run.copy.head;

	memset(head, 0, sizeof *head);
	run.copy_bytes = sizeof *head;
	head->machine = EM_X86_64;
	head->registers.pc = strtoull(rest, &rest, 16);
	for (unsigned i = 0; i < 16; i++)
		prf_registers_set(&head->registers, i,
				  strtoull(rest, &rest, 16));
}

static void
read_memory(char *rest)
{
	struct prf_stack_copy *head = &run.copy.head;

	if (head->n_ranges == PRF_STACK_COPY_RANGES)
		return;
	struct prf_stack_range *range = &head->ranges[head->n_ranges++];
	range->addr = strtoull(rest, &rest, 16);
	range->n_bytes = 0;
	for (rest++; rest[0] && rest[1] && run.copy_bytes < sizeof run.copy;
	     rest += 2) {
		const char byte[] = {rest[0], rest[1], '\0'};

		run.copy.room[run.copy_bytes++] = (char)strtoul(byte, NULL, 16);
		range->n_bytes++;
	}
}

static void
unwind_stop(const struct stop *stop)
{
	const struct prf_stack_copy *head = stop->copy;

	prf_copied_stack_sample(run.stacks, stop->pid, head->registers.pc,
				stop->copy, stop->copy_bytes);
}

static void
read_frames(char *rest)
{
	for (run.n_want = 0; run.n_want < FRAMES_MAX; run.n_want++) {
		char *end;

		run.want[run.n_want] = strtoull(rest, &end, 16);
		if (end == rest)
			break;
		rest = end;
	}
	if (run.n_stops == STOPS_MAX)
		return;
	struct stop *stop = &run.stops[run.n_stops];
	*stop = (struct stop){run.pid, malloc(run.copy_bytes), run.copy_bytes};
	if (!stop->copy)
		abort();
	memcpy(stop->copy, &run.copy, run.copy_bytes);
	unwind_stop(stop);
}

/* --- How long it takes */

static int
by_time(const void *a, const void *b)
{
	const double *left = a, *right = b;

	return (*left > *right) - (*left < *right);
}

/* The ns of CPU time that a frame takes in one pass over all stops. */
static double
time_pass(void)
{
	struct timespec from, to;

	run.n_frames = 0;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &from);
	for (unsigned i = 0; i < run.n_stops; i++)
		unwind_stop(&run.stops[i]);
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &to);
	return ((double)(to.tv_sec - from.tv_sec) * 1e9 +
		(double)(to.tv_nsec - from.tv_nsec)) /
	       (double)(run.n_frames ? run.n_frames : 1);
}

static void
time_passes(size_t n)
{
	PRF_AUTO(prf_auto_free) double *ns = calloc(n, sizeof *ns);

	if (!ns)
		return;
	run.is_judged = true;
	for (size_t i = 0; i < n; i++)
		ns[i] = time_pass();
	qsort(ns, n, sizeof *ns, by_time);
	printf("frames %llu ns %.1f\n", (unsigned long long)run.n_frames,
	       ns[n / 4]);
}

int
main(int argc, char **argv)
{
	static const struct prf_sink_ops ops = PRF_SAMPLE_SINK_OPS(take_sample);
	static const struct {
		const char *begin;
		void (*read)(char *rest);
	} kinds[] = {
		{"maps ", read_maps},
		{"regs ", read_registers},
		{"memory ", read_memory},
		{"frames ", read_frames},
	};
	PRF_AUTO(prf_auto_free) char *line = NULL;
	struct prf_error err;
	size_t room = 0;

	run.next.ops = &ops;
	if (prf_stacks_sink_new(&run.next, PRF_STACKS_BY_AUTO, NULL,
				&run.stacks, &err) != 0)
		return 1;
	while (getline(&line, &room, stdin) > 0)
		for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
			size_t n = strlen(kinds[i].begin);

			if (strncmp(line, kinds[i].begin, n) == 0)
				kinds[i].read(line + n);
		}
	printf("stops %u identical %u complete %u\n", run.n_stops,
	       run.n_identical, run.n_complete);
	if (argc > 1)
		time_passes(strtoul(argv[1], NULL, 10));
	for (unsigned i = 0; i < run.n_stops; i++)
		free(run.stops[i].copy);
	run.stacks->ops->free(run.stacks);
	return 0;
}
