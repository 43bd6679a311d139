/* stepped - runs a program instruction by instruction, and compares the stacks
 * that are made of copies with the truth.
 *
 *	stepped BY EVERY PROGRAM [ARG...]
 *
 * BY is "auto" or "cfi"; each EVERYth instruction is compared.  The truth is a
 * stack of where calls lead back to that have not yet returned.  Prints a line
 * "compared N identical N complete N guessed N": stacks, of which so many are the
 * truth to the last frame; so many of these are said to be complete; and so many
 * of all have frames that were guessed.  With STEPPED_SHOW
 * in its environment it shows so many that differ.  Exits with 77 where it
 * cannot step. */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/scope.h"
#include "support/copied_stack.h"
#include "support/sample_sink.h"
#include "unwind/callsite.h"
#include "unwind/machine.h"
#include "unwind/stacks.h"
#include "unwind/stepped.h"

enum { COPY_MAX = 1 << 20, CALLS_MAX = 4096 };
enum { SKIP = 77, HARD = 99 };

static struct {
	const struct prf_machine *machine;
	pid_t pid;
	struct prf_sink next, *stacks;
	struct prf_registers registers;
	uint64_t signature, stack_end;
	struct prf_stepped_call calls[CALLS_MAX];
	size_t n_calls;
	unsigned n_compared, n_identical, n_complete, n_guessed, n_to_show;
	char maps[1 << 20], new_maps[1 << 20];
	PRF_COPIED_STACK_ROOM(COPY_MAX) copy;
} run;

static _Noreturn void
fail(const char *what)
{
	perror(what);
	exit(HARD);
}

static uint64_t
stack_pointer(const struct prf_registers *registers)
{
	return registers->values[run.machine->stack_pointer];
}

static void
read_registers(void)
{
	if (!prf_stepped_registers(run.pid, &run.registers, &run.signature))
		fail("registers");
}

size_t
prf_stepped_read(pid_t pid, uint64_t addr, void *to, size_t n)
{
	const struct iovec local = {to, n};
	const struct iovec remote = {(void *)addr, n};
	ssize_t n_read = process_vm_readv(pid, &local, 1, &remote, 1, 0);

	return n_read > 0 ? (size_t)n_read : 0;
}

/* --- The sink that is given frames */

static bool
is_true(const struct prf_sample *sample)
{
	if (sample->n_frames != run.n_calls + 1)
		return false;
	for (size_t i = 0; i < run.n_calls; i++)
		if (sample->frames[1 + i].addr !=
		    run.calls[run.n_calls - 1 - i].to)
			return false;
	return true;
}

static void
show(const struct prf_sample *sample)
{
	fprintf(stderr, "end %d\n", sample->end);
	for (size_t i = 0; i < sample->n_frames || i <= run.n_calls; i++) {
		uint64_t seen = 0, want = run.registers.pc;

		if (i < sample->n_frames)
			seen = sample->frames[i].addr;
		if (i > 0)
			want = i <= run.n_calls ? run.calls[run.n_calls - i].to
						: 0;
		fprintf(stderr, "  %16lx %16lx %s%s\n", (unsigned long)seen,
			(unsigned long)want, seen == want ? "" : "<",
			i < sample->n_frames && sample->frames[i].kind ==
							PRF_FRAME_GUESSED
				? " guessed"
				: "");
	}
}

static int
take_sample(struct prf_sink *sink, const struct prf_sample *sample)
{
	bool is_guessed = false;

	(void)sink;
	for (uint32_t i = 0; i < sample->n_frames; i++)
		is_guessed |= sample->frames[i].kind == PRF_FRAME_GUESSED;
	run.n_compared++;
	run.n_guessed += is_guessed;
	if (is_true(sample)) {
		run.n_identical++;
		run.n_complete += sample->end == PRF_STACK_COMPLETE;
	} else if (run.n_to_show > 0) {
		run.n_to_show--;
		show(sample);
	}
	return 0;
}

/* --- What is mapped */

static void
find_stack_end(void)
{
	uint64_t sp = stack_pointer(&run.registers);
	unsigned long lo, hi;

	for (const char *line = run.maps; line && *line;
	     line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL)
		if (sscanf(line, "%lx-%lx", &lo, &hi) == 2 && sp >= lo &&
		    sp < hi)
			run.stack_end = hi;
}

static void
look_at_maps(void)
{
	struct prf_error err;
	char path[64];
	size_t size = 0;
	ssize_t n;

	snprintf(path, sizeof path, "/proc/%d/maps", run.pid);
	PRF_AUTO(prf_auto_close) int fd = open(path, O_RDONLY | O_CLOEXEC);
	while (size < sizeof run.new_maps - 1 &&
	       (n = read(fd, run.new_maps + size,
			 sizeof run.new_maps - 1 - size)) > 0)
		size += (size_t)n;
	run.new_maps[size] = '\0';
	if (strcmp(run.maps, run.new_maps) == 0)
		return;
	memcpy(run.maps, run.new_maps, size + 1);
	if (prf_copied_stack_maps(run.stacks, run.pid, run.maps, size, &err))
		fail(err.text);
	find_stack_end();
}

/* --- Stop after stop */

static void
compare(void)
{
	struct prf_stack_range *range = &run.copy.head.ranges[0];
	uint64_t from =
		stack_pointer(&run.registers) - prf_stepped_red_zone_bytes;
	uint64_t n_bytes = run.stack_end - from;

	run.copy.head.machine = run.machine->elf_machine;
	run.copy.head.signature = run.signature;
	run.copy.head.registers = run.registers;
	run.copy.head.n_ranges = 1;
	range->addr = from;
	range->n_bytes = (uint32_t)prf_stepped_read(
		run.pid, from, run.copy.head.memory,
		n_bytes < COPY_MAX ? n_bytes : COPY_MAX);
	prf_copied_stack_sample(run.stacks, run.pid, run.registers.pc,
				&run.copy,
				sizeof run.copy.head + range->n_bytes);
}

/* Steps; false: it has ended. */
static bool
step(void)
{
	int status;

	if (!prf_stepped_go_on(run.pid, run.registers.pc, &status))
		fail("step");
	if (WIFEXITED(status) || WIFSIGNALED(status))
		return false;
	if (WSTOPSIG(status) != SIGTRAP) {
		errno = 0;
		fail("a signal came");
	}
	read_registers();
	return true;
}

/* Does a call end where it returns to? */
static bool
is_call(uint64_t to)
{
	uint8_t bytes[PRF_CALLSITE_BYTES];
	uint64_t target, from = to - sizeof bytes;

	return prf_stepped_read(run.pid, from, bytes, sizeof bytes) ==
		       sizeof bytes &&
	       prf_callsite_before(run.machine, bytes, to, &target) !=
		       PRF_CALLSITE_NONE;
}

static void
note_calls(const struct prf_registers *before)
{
	struct prf_stepped_call call;

	while (run.n_calls > 0 &&
	       prf_stepped_has_returned(&run.calls[run.n_calls - 1],
					&run.registers))
		run.n_calls--;
	if (!prf_stepped_may_call(run.pid, before, &run.registers, &call) ||
	    !is_call(call.to))
		return;
	if (run.n_calls == CALLS_MAX)
		fail("too many calls");
	run.calls[run.n_calls++] = call;
}

static void
step_on(unsigned every)
{
	look_at_maps();
	for (unsigned n = 0;; n++) {
		struct prf_registers before = run.registers;
		bool is_system_call =
			prf_stepped_is_system_call(run.pid, before.pc);

		if (n % every == 0)
			compare();
		if (!step())
			return;
		note_calls(&before);
		if (is_system_call)
			look_at_maps();
	}
}

/* This process and the one that it forks take turns: on one processor that is a
 * switch, on two each turn wakes one that sleeps. */
static void
stay_on_one_processor(void)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(sched_getcpu(), &set);
	if (sched_setaffinity(0, sizeof set, &set))
		fail("processor");
}

static void
begin(char **argv)
{
	const struct prf_exec exec = {
		.path = "",
		.command = "",
		.addr_bytes = 8,
		.machine = prf_stepped_machine,
	};
	struct prf_exec its = exec;
	int status;

	run.pid = fork();
	if (run.pid == 0) {
		if (ptrace(PTRACE_TRACEME, 0, 0, 0) != 0)
			_exit(SKIP);
		execv(argv[0], argv);
		_exit(HARD);
	}
	if (run.pid < 0 || waitpid(run.pid, &status, 0) != run.pid)
		fail("fork");
	if (WIFEXITED(status))
		exit(WEXITSTATUS(status));
	read_registers();
	its.pid = run.pid;
	run.stacks->ops->exec(run.stacks, &its);
}

int
main(int argc, char **argv)
{
	static const struct prf_sink_ops ops = PRF_SAMPLE_SINK_OPS(take_sample);
	const char *to_show = getenv("STEPPED_SHOW");
	struct prf_error err;

	if (argc < 4)
		return HARD;
	run.machine = prf_machine_of(prf_stepped_machine);
	run.n_to_show = to_show ? (unsigned)atoi(to_show) : 0;
	run.next.ops = &ops;
	if (prf_stacks_sink_new(&run.next,
				strcmp(argv[1], "cfi") == 0
					? PRF_STACKS_BY_CFI
					: PRF_STACKS_BY_AUTO,
				NULL, &run.stacks, &err) != 0)
		return HARD;
	stay_on_one_processor();
	begin(argv + 3);
	step_on((unsigned)atoi(argv[2]));
	printf("compared %u identical %u complete %u guessed %u\n",
	       run.n_compared, run.n_identical, run.n_complete, run.n_guessed);
	run.stacks->ops->free(run.stacks);
	return 0;
}
