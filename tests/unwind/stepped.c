/* stepped - runs a program instruction by instruction, and compares the stacks
 * that are made of copies with the truth.
 *
 *	stepped BY EVERY PROGRAM [ARG...]
 *
 * BY is "auto" or "cfi"; each EVERYth instruction is compared.  The truth is a
 * stack of what calls have pushed and returns have not yet taken.  Prints a line
 * "compared N identical N complete N guessed N": stacks, of which so many are the
 * truth to the last frame; so many of these are said to be complete; and so many
 * of all have frames that were guessed.  With STEPPED_SHOW
 * in its environment it shows so many that differ.  Exits with 77 where it
 * cannot step. */
#include <elf.h>
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
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/scope.h"
#include "support/copied_stack.h"
#include "support/sample_sink.h"
#include "unwind/callsite.h"
#include "unwind/stacks.h"

#if defined(__x86_64__)

enum { COPY_MAX = 1 << 20, RED_ZONE = 128, CALLS_MAX = 4096 };
enum { SKIP = 77, HARD = 99 };

/* What a call has pushed, and where. */
struct call {
	uint64_t slot, to;
};

static struct {
	pid_t pid;
	struct prf_sink next, *stacks;
	struct user_regs_struct regs;
	uint64_t stack_end;
	struct call calls[CALLS_MAX];
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

static size_t
read_memory(uint64_t addr, void *to, size_t n)
{
	const struct iovec local = {to, n};
	const struct iovec remote = {(void *)addr, n};
	ssize_t n_read = process_vm_readv(run.pid, &local, 1, &remote, 1, 0);

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
		uint64_t seen = 0, want = run.regs.rip;

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
	unsigned long lo, hi;

	for (const char *line = run.maps; line && *line;
	     line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL)
		if (sscanf(line, "%lx-%lx", &lo, &hi) == 2 &&
		    run.regs.rsp >= lo && run.regs.rsp < hi)
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

static struct prf_registers
registers(void)
{
	const struct user_regs_struct *r = &run.regs;
	const uint64_t values[] = {
		r->rax, r->rdx, r->rcx, r->rbx, r->rsi, r->rdi, r->rbp, r->rsp,
		r->r8,  r->r9,  r->r10, r->r11, r->r12, r->r13, r->r14, r->r15};
	struct prf_registers all = {.pc = r->rip};

	for (unsigned i = 0; i < 16; i++)
		prf_registers_set(&all, i, values[i]);
	return all;
}

static void
compare(void)
{
	struct prf_stack_range *range = &run.copy.head.ranges[0];
	uint64_t from = run.regs.rsp - RED_ZONE;

	run.copy.head.machine = EM_X86_64;
	run.copy.head.registers = registers();
	run.copy.head.n_ranges = 1;
	range->addr = from;
	range->n_bytes = (uint32_t)read_memory(from, run.copy.head.memory,
					       run.stack_end - from < COPY_MAX
						       ? run.stack_end - from
						       : COPY_MAX);
	prf_copied_stack_sample(run.stacks, run.pid, run.regs.rip, &run.copy,
				sizeof run.copy.head + range->n_bytes);
}

/* Steps; false: it has ended. */
static bool
step(void)
{
	int status;

	if (ptrace(PTRACE_SINGLESTEP, run.pid, 0, 0) != 0 ||
	    waitpid(run.pid, &status, 0) != run.pid)
		fail("step");
	if (WIFEXITED(status) || WIFSIGNALED(status))
		return false;
	if (WSTOPSIG(status) != SIGTRAP) {
		errno = 0;
		fail("a signal came");
	}
	if (ptrace(PTRACE_GETREGS, run.pid, 0, &run.regs) != 0)
		fail("registers");
	return true;
}

static bool
is_system_call(const uint8_t *bytes)
{
	return bytes[0] == 0x0f && bytes[1] == 0x05;
}

/* A call is an instruction that pushes the address behind it and goes on where
 * it says. */
static void
note_call(const struct user_regs_struct *before)
{
	const struct prf_machine *machine = prf_machine_of(EM_X86_64);
	uint8_t bytes[PRF_CALLSITE_BYTES];
	uint64_t to, target;

	if (run.regs.rsp != before->rsp - 8 ||
	    read_memory(run.regs.rsp, &to, sizeof to) != sizeof to ||
	    to <= before->rip || to > before->rip + 9 ||
	    read_memory(to - sizeof bytes, bytes, sizeof bytes) !=
		    sizeof bytes ||
	    prf_callsite_before(machine, bytes, to, &target) ==
		    PRF_CALLSITE_NONE)
		return;
	if (run.n_calls == CALLS_MAX)
		fail("too many calls");
	run.calls[run.n_calls++] = (struct call){run.regs.rsp, to};
}

static void
step_on(unsigned every)
{
	uint8_t bytes[2] = {0};

	look_at_maps();
	for (unsigned n = 0;; n++) {
		struct user_regs_struct before = run.regs;

		if (n % every == 0)
			compare();
		read_memory(run.regs.rip, bytes, sizeof bytes);
		if (!step())
			return;
		while (run.n_calls > 0 &&
		       run.calls[run.n_calls - 1].slot < run.regs.rsp)
			run.n_calls--;
		note_call(&before);
		if (is_system_call(bytes))
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
		.machine = EM_X86_64,
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
	if (ptrace(PTRACE_GETREGS, run.pid, 0, &run.regs) != 0)
		fail("registers");
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

#else

int
main(void)
{
	return 77;
}

#endif
