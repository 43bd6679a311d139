/* unwound - makes stacks of registers and memory that gdb has written down, and
 * compares them with gdb's own.
 *
 *	unwound <STOPS
 *
 * STOPS are lines of bench/gdb_stacks.py: "maps FILE", "regs PC REGISTER...",
 * "memory ADDR BYTES", "frames PC...", the last of which ends a stop; all numbers
 * are hexadecimal.  Prints "stops N identical N complete N", and each stack that
 * differs on stderr. */
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/scope.h"
#include "support/copied_stack.h"
#include "support/sample_sink.h"
#include "unwind/stacks.h"

enum { PID = 1, COPY_MAX = 1 << 20, FRAMES_MAX = 1024 };

static struct {
	struct prf_sink next, *stacks;
	uint64_t want[FRAMES_MAX];
	size_t n_want;
	unsigned n_stops, n_identical, n_complete;
	size_t copy_bytes;
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
		.pid = PID, .path = "", .command = "", .addr_bytes = 8};
	struct prf_error err;

	rest[strcspn(rest, "\n")] = '\0';
	PRF_AUTO(prf_auto_fclose) FILE *file = fopen(rest, "r");
	if (!file)
		return;
	size_t size = fread(text, 1, sizeof text, file);
	run.stacks->ops->exec(run.stacks, &exec);
	prf_copied_stack_maps(run.stacks, PID, text, size, &err);
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
	struct prf_stack_range *range = &run.copy.head.ranges[0];
	unsigned byte;

	run.copy.head.n_ranges = 1;
	range->addr = strtoull(rest, &rest, 16);
	range->n_bytes = 0;
	for (rest++; sscanf(rest, "%2x", &byte) == 1 &&
		     run.copy_bytes < sizeof run.copy;
	     rest += 2) {
		run.copy.room[run.copy_bytes++] = (char)byte;
		range->n_bytes++;
	}
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
	prf_copied_stack_sample(run.stacks, PID, run.copy.head.registers.pc,
				&run.copy, run.copy_bytes);
}

int
main(void)
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
	if (prf_stacks_sink_new(&run.next, PRF_STACKS_BY_AUTO, &run.stacks,
				&err) != 0)
		return 1;
	while (getline(&line, &room, stdin) > 0)
		for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
			size_t n = strlen(kinds[i].begin);

			if (strncmp(line, kinds[i].begin, n) == 0)
				kinds[i].read(line + n);
		}
	printf("stops %u identical %u complete %u\n", run.n_stops,
	       run.n_identical, run.n_complete);
	run.stacks->ops->free(run.stacks);
	return 0;
}
