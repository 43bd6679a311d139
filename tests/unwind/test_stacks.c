/* Stacks of this program itself, from copies of its registers and its memory:
 * each function on the way has noted where it will return to. */
#include "unwind/stacks.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/scope.h"
#include "support/copied_stack.h"
#include "support/suite.h"
#include "unwind/here.h"
#include "unwind/machine.h"
#include "unwind/stack_needs.h"

enum { COPY_MAX = 1 << 18, FRAMES_MAX = 64, DEPTH = 20, OTHER = 4712 };
enum { RED_ZONE = 128 };

#define APART __attribute__((noinline))

/* --- The next sink: it notes what it was given last */

static struct {
	struct prf_sink base;
	struct prf_sample sample;
	struct prf_frame frames[PRF_STACKS_MAX_FRAMES];
	unsigned n_samples, n_others;
	bool is_freed;
} next;

static int
next_exec(struct prf_sink *sink, const struct prf_exec *exec)
{
	(void)sink;
	(void)exec;
	next.n_others++;
	return 0;
}

static int
next_mapping(struct prf_sink *sink, const struct prf_mapping *map)
{
	(void)sink;
	(void)map;
	next.n_others++;
	return 0;
}

static int
next_sample(struct prf_sink *sink, const struct prf_sample *sample)
{
	(void)sink;
	next.n_samples++;
	next.sample = *sample;
	ck_assert_uint_le(sample->n_frames, PRF_STACKS_MAX_FRAMES);
	memcpy(next.frames, sample->frames,
	       sample->n_frames * sizeof *next.frames);
	return 0;
}

static int
next_life(struct prf_sink *sink, const struct prf_life *life)
{
	(void)sink;
	(void)life;
	next.n_others++;
	return 0;
}

static int
next_finish(struct prf_sink *sink, struct prf_error *err)
{
	(void)sink;
	return prf_error_set(err, -EDOM, "as asked");
}

static void
next_free(struct prf_sink *sink)
{
	(void)sink;
	next.is_freed = true;
}

static const struct prf_sink_ops next_ops = {
	.exec = next_exec,
	.mapping = next_mapping,
	.sample = next_sample,
	.life = next_life,
	.finish = next_finish,
	.free = next_free,
};

/* --- The sink, and this process as it is told of it */

static struct prf_sink *sink;

static void
give_exec(void)
{
	const struct prf_exec exec = {
		.pid = getpid(),
		.path = "",
		.command = "",
		.addr_bytes = sizeof(void *),
		.machine = THIS_MACHINE,
	};

	ck_assert_int_eq(sink->ops->exec(sink, &exec), 0);
}

static void
give_mappings(void)
{
	static char text[1 << 20];
	struct prf_error err;
	PRF_AUTO(prf_auto_fclose) FILE *file = fopen("/proc/self/maps", "r");

	ck_assert_ptr_nonnull(file);
	size_t size = fread(text, 1, sizeof text, file);
	ck_assert_int_eq(
		prf_copied_stack_maps(sink, getpid(), text, size, &err), 0);
}

static int
give_life(enum prf_life_kind kind, pid_t pid, pid_t parent)
{
	const struct prf_life life = {
		.kind = kind,
		.pid = pid,
		.tid = pid,
		.parent = parent,
		.name = "",
	};

	return prf_sink_life(sink, &life);
}

static void
begin_by(enum prf_stacks_by by)
{
	struct prf_error err;

	memset(&next, 0, sizeof next);
	next.base.ops = &next_ops;
	ck_assert_int_eq(prf_stacks_sink_new(&next.base, by, NULL, &sink, &err),
			 0);
}

static void
begin(void)
{
	begin_by(PRF_STACKS_BY_AUTO);
	give_exec();
	give_mappings();
}

static void
end(void)
{
	sink->ops->free(sink);
	ck_assert(next.is_freed);
}

/* --- Copies of this thread */

/* Where the stack ends that functions here have, without a signal. */
static const char *stack_top;
/* That of a handler, another one or a part of it. */
static char other_stack[0x10000];
static const char *own_stack, *own_end;

static PRF_COPIED_STACK_ROOM(COPY_MAX) copy;
static size_t copy_bytes;

/* Adds the memory in [from, to) to the copy, as it is, whoever's it is. */
static __attribute__((no_sanitize("address"))) void
add_range(const char *from, const char *to)
{
	struct prf_stack_range *range = &copy.head.ranges[copy.head.n_ranges++];

	range->addr = (uint64_t)from;
	range->n_bytes = (uint32_t)(to - from);
	ck_assert_uint_le(copy_bytes + range->n_bytes, sizeof copy);
	for (const volatile char *at = from; at < to; at++)
		copy.room[copy_bytes++] = *at;
}

static void
begin_copy(const ucontext_t *context)
{
	memset(&copy, 0, sizeof copy);
	copy.head.machine = THIS_MACHINE;
	copy.head.registers = registers_of(context);
	copy_bytes = sizeof copy.head;
}

static const char *
stack_pointer(void)
{
	uint64_t sp = 0;
	const struct prf_machine *machine = prf_machine_of(THIS_MACHINE);

	ck_assert_ptr_nonnull(machine);
	ck_assert(prf_registers_get(&copy.head.registers,
				    machine->stack_pointer, &sp));
	return (const char *)sp;
}

static void
give_sample_of(pid_t pid)
{
	const struct prf_frame pc = {copy.head.registers.pc, PRF_FRAME_PC};
	const struct prf_sample sample = {
		.pid = pid,
		.tid = pid,
		.time_ns = 17,
		.ticks = 3,
		.certain = 2,
		.syscall = PRF_NO_SYSCALL,
		.n_frames = 1,
		.frames = &pc,
		.stack_copy = &copy,
		.stack_copy_bytes = copy_bytes,
	};

	ck_assert_int_eq(sink->ops->sample(sink, &sample), 0);
	ck_assert_ptr_null(next.sample.stack_copy);
	ck_assert_uint_eq(next.sample.stack_copy_bytes, 0);
	ck_assert_uint_eq(next.sample.time_ns, 17);
	ck_assert_uint_eq(next.sample.ticks, 3);
	ck_assert_uint_eq(next.sample.certain, 2);
	ck_assert_uint_eq(next.frames[0].addr, pc.addr);
	ck_assert_uint_eq(next.frames[0].kind, PRF_FRAME_PC);
}

static void
give_sample(void)
{
	give_sample_of(getpid());
}

/* --- The truth */

static uint64_t returns[FRAMES_MAX]; /* outermost first */
static size_t n_returns;

static uint64_t
return_address(void *address)
{
	return (uint64_t)__builtin_extract_return_addr(address);
}

#define NOTE_RETURN()                                                          \
	(returns[n_returns++] = return_address(__builtin_return_address(0)))

/* Keeps a call from being the last thing of its function. */
static volatile int kept;

/* Where the usual stack was when a signal came. */
static const char *interrupted_sp;

/* Copies the stack as it is here. */
static APART void
look(void)
{
	ucontext_t context;

	NOTE_RETURN();
	getcontext(&context);
	begin_copy(&context);
	const char *from = stack_pointer() - RED_ZONE, *to = stack_top;
	if (from >= own_stack && from < own_end) {
		bool is_above = from > interrupted_sp && from < stack_top;

		add_range(from, is_above ? stack_top : own_end);
		to = is_above ? from : stack_top;
		from = interrupted_sp - RED_ZONE;
	}
	add_range(from, to);
	kept++;
}

static APART void
recurse(int depth)
{
	volatile char space[40];

	NOTE_RETURN();
	space[depth % 40] = (char)depth;
	if (depth == 0)
		look();
	else
		recurse(depth - 1);
	kept += space[depth % 40];
}

/* Each of the returns is in the stack, in order. */
static void
check_truth(void)
{
	size_t left = n_returns;

	for (uint32_t i = 1; i < next.sample.n_frames && left > 0; i++)
		left -= next.frames[i].addr == returns[left - 1] &&
			next.frames[i].kind == PRF_FRAME_RETURN;
	ck_assert_msg(left == 0, "%zu of %zu are not in a stack of %u", left,
		      n_returns, next.sample.n_frames);
}

/* The end of the stack's mapping, or a page or two of what is above. */
static void
find_stack_top(void)
{
	const char *here = __builtin_frame_address(0);
	unsigned long lo, hi;
	char line[512];
	PRF_AUTO(prf_auto_fclose) FILE *file = fopen("/proc/self/maps", "r");

	ck_assert_ptr_nonnull(file);
	while (fgets(line, sizeof line, file))
		if (sscanf(line, "%lx-%lx", &lo, &hi) == 2 &&
		    (unsigned long)here >= lo && (unsigned long)here < hi)
			stack_top = (const char *)hi;
	ck_assert_ptr_nonnull(stack_top);
	own_end = own_stack;
	if (stack_top - here > COPY_MAX / 2)
		stack_top = here + COPY_MAX / 2;
	n_returns = 0;
}

START_TEST(a_copy_becomes_frames)
{
	find_stack_top();
	recurse(DEPTH);
	give_sample();
	ck_assert_int_eq(next.sample.end, PRF_STACK_COMPLETE);
	ck_assert_uint_eq(n_returns, DEPTH + 2);
	for (size_t i = 0; i < n_returns; i++) {
		ck_assert_uint_eq(next.frames[1 + i].addr,
				  returns[n_returns - 1 - i]);
		ck_assert_uint_eq(next.frames[1 + i].kind, PRF_FRAME_RETURN);
	}
}
END_TEST

static int
compare(const void *a, const void *b)
{
	if (n_returns == 1) {
		NOTE_RETURN();
		look();
	}
	return *(const int *)a - *(const int *)b;
}

static APART void
sort(void)
{
	int numbers[] = {3, 1, 2, 7, 5};

	NOTE_RETURN();
	qsort(numbers, 5, sizeof *numbers, compare);
	kept += numbers[0];
}

START_TEST(each_file_on_the_way_has_its_own)
{
	find_stack_top();
	sort();
	give_sample();
	ck_assert_int_eq(next.sample.end, PRF_STACK_COMPLETE);
	check_truth();
}
END_TEST

static void
handle(int number, siginfo_t *info, void *arg)
{
	(void)number;
	(void)info;
	begin_copy(arg);
	interrupted_sp = stack_pointer();
	look();
	kept++;
}

static APART void
interrupted(void)
{
	NOTE_RETURN();
	raise(SIGUSR1);
	kept++;
}

/* A signal comes, whose handler has the N_BYTES at STACK. */
static APART void
interrupt_on(char *stack, size_t n_bytes)
{
	const stack_t own = {.ss_sp = stack, .ss_size = n_bytes};
	const struct sigaction action = {.sa_sigaction = handle,
					 .sa_flags = SA_ONSTACK | SA_SIGINFO};

	NOTE_RETURN();
	own_stack = stack;
	own_end = stack + n_bytes;
	ck_assert_int_eq(sigaltstack(&own, NULL), 0);
	ck_assert_int_eq(sigaction(SIGUSR1, &action, NULL), 0);
	interrupted();
	kept++;
}

/* Both of its ranges are needed. */
static void
check_both_ranges(void)
{
	give_sample();
	ck_assert_int_eq(next.sample.end, PRF_STACK_COMPLETE);
	check_truth();
	ck_assert_uint_eq(copy.head.n_ranges, 2);
	copy.head.n_ranges = 1;
	give_sample();
	ck_assert_int_eq(next.sample.end, PRF_STACK_MEMORY);
	ck_assert_uint_gt(next.sample.n_frames, 2);
}

START_TEST(a_signal_on_another_stack_needs_two_ranges)
{
	find_stack_top();
	interrupt_on(other_stack, sizeof other_stack);
	check_both_ranges();
}
END_TEST

/* From the handler the stack goes down, once. */
START_TEST(so_does_one_above_what_it_has_interrupted)
{
	char above[0x8000];

	find_stack_top();
	interrupt_on(above, sizeof above);
	check_both_ranges();
}
END_TEST

START_TEST(what_has_no_copy_passes_as_it_is)
{
	const struct prf_frame frames[] = {{1, PRF_FRAME_PC},
					   {2, PRF_FRAME_RETURN}};
	const struct prf_sample sample = {
		.pid = getpid(),
		.ticks = 1,
		.end = PRF_STACK_LOOP,
		.n_frames = 2,
		.frames = frames,
	};

	ck_assert_int_eq(sink->ops->sample(sink, &sample), 0);
	ck_assert_int_eq(next.sample.end, PRF_STACK_LOOP);
	ck_assert_uint_eq(next.sample.n_frames, 2);
	ck_assert_ptr_eq(next.sample.frames, frames);
}
END_TEST

START_TEST(so_do_all_other_events)
{
	unsigned n_given = next.n_others;
	struct prf_error err;

	ck_assert_uint_ge(n_given, 3);
	ck_assert_int_eq(give_life(PRF_LIFE_FORK, OTHER, getpid()), 0);
	ck_assert_int_eq(give_life(PRF_LIFE_THREAD, OTHER, 0), 0);
	ck_assert_int_eq(give_life(PRF_LIFE_END, OTHER, 0), 0);
	ck_assert_int_eq(give_life(PRF_LIFE_EXIT, OTHER, 0), 0);
	ck_assert_int_eq(give_life(PRF_LIFE_EXIT, OTHER, 0), 0);
	ck_assert_uint_eq(next.n_others, n_given + 5);
	ck_assert_int_eq(sink->ops->finish(sink, &err), -EDOM);
}
END_TEST

/* Unwinds the copy for PID; how it ends. */
static enum prf_stack_end
end_for(pid_t pid)
{
	give_sample_of(pid);
	if (next.sample.end != PRF_STACK_COMPLETE)
		ck_assert_uint_eq(next.sample.n_frames, 1);
	return next.sample.end;
}

START_TEST(it_follows_what_processes_do)
{
	find_stack_top();
	recurse(DEPTH);
	ck_assert_int_eq(end_for(OTHER), PRF_STACK_NO_CFI);
	give_life(PRF_LIFE_FORK, OTHER, getpid());
	ck_assert_int_eq(end_for(OTHER), PRF_STACK_COMPLETE);
	give_exec();
	ck_assert_int_eq(end_for(getpid()), PRF_STACK_NO_CFI);
	ck_assert_int_eq(end_for(OTHER), PRF_STACK_COMPLETE);
	give_life(PRF_LIFE_EXIT, OTHER, 0);
	ck_assert_int_eq(end_for(OTHER), PRF_STACK_NO_CFI);
	give_mappings();
	ck_assert_int_eq(end_for(getpid()), PRF_STACK_COMPLETE);
}
END_TEST

START_TEST(memory_may_end_early)
{
	find_stack_top();
	recurse(DEPTH);
	const uint32_t all = copy.head.ranges[0].n_bytes;
	uint32_t n_bytes = 0;

	/* How much the innermost functions have there is the compiler's. */
	do {
		n_bytes += 64;
		ck_assert_uint_lt(n_bytes, all);
		copy.head.ranges[0].n_bytes = n_bytes;
		give_sample();
		ck_assert_int_eq(next.sample.end, PRF_STACK_MEMORY);
	} while (next.sample.n_frames == 1);
	ck_assert_uint_lt(next.sample.n_frames, DEPTH);
}
END_TEST

/* As far as the kernel was asked for, and the stack goes on; not where the memory
 * could not be read, nor where all is there. */
START_TEST(it_is_told_whose_copies_are_too_short)
{
	static struct prf_stack_needs needs;

	prf_stacks_sink_tell(sink, &needs);
	find_stack_top();
	recurse(DEPTH);
	copy.head.is_full = true;
	give_sample();
	ck_assert_int_eq(next.sample.end, PRF_STACK_COMPLETE);
	ck_assert_uint_eq(prf_stack_needs_short(&needs, next.sample.tid), 0);
	copy.head.ranges[0].n_bytes = 64;
	copy.head.is_full = false;
	give_sample();
	ck_assert_int_eq(next.sample.end, PRF_STACK_MEMORY);
	ck_assert_uint_eq(prf_stack_needs_short(&needs, next.sample.tid), 0);
	copy.head.is_full = true;
	give_sample();
	ck_assert_int_eq(next.sample.end, PRF_STACK_MEMORY);
	ck_assert_uint_eq(prf_stack_needs_short(&needs, next.sample.tid), 1);
}
END_TEST

START_TEST(a_copy_that_is_none_leaves_the_pc)
{
	find_stack_top();
	recurse(DEPTH);
	const struct prf_stack_copy good = copy.head;
	size_t good_bytes = copy_bytes;

	copy.head.n_ranges = PRF_STACK_COPY_RANGES + 1;
	ck_assert_int_eq(end_for(getpid()), PRF_STACK_MEMORY);
	copy.head = good;
	copy.head.ranges[0].n_bytes++;
	ck_assert_int_eq(end_for(getpid()), PRF_STACK_MEMORY);
	copy.head = good;
	copy.head.registers.known |= (uint64_t)1 << PRF_CFI_REGISTERS;
	ck_assert_int_eq(end_for(getpid()), PRF_STACK_MEMORY);
	copy.head = good;
	copy_bytes = sizeof copy.head - 1;
	ck_assert_int_eq(end_for(getpid()), PRF_STACK_MEMORY);
	copy_bytes = 1;
	ck_assert_int_eq(end_for(getpid()), PRF_STACK_MEMORY);
	copy_bytes = good_bytes;
	copy.head.machine = EM_NONE;
	ck_assert_int_eq(end_for(getpid()), PRF_STACK_NO_CFI);
	copy.head = good;
	copy.head.registers.known = 0;
	ck_assert_int_eq(end_for(getpid()), PRF_STACK_NO_CFI);
	copy.head = good;
	copy.head.ranges[0].addr = UINT64_MAX;
	ck_assert_int_eq(end_for(getpid()), PRF_STACK_MEMORY);
	copy.head = good;
	ck_assert_int_eq(end_for(getpid()), PRF_STACK_COMPLETE);
}
END_TEST

START_TEST(a_file_that_is_gone_has_no_cfi)
{
	struct prf_mapping map = {
		.pid = getpid(),
		.kind = PRF_MAPPING_FILE,
		.size = 0x1000,
		.inode = 1,
		.path = "/nonexistent/file",
	};

	end();
	begin_by(PRF_STACKS_BY_CFI);
	give_exec();
	give_mappings();
	find_stack_top();
	recurse(DEPTH);
	map.addr = copy.head.registers.pc & ~UINT64_C(0xfff);
	ck_assert_int_eq(sink->ops->mapping(sink, &map), 0);
	ck_assert_int_eq(end_for(getpid()), PRF_STACK_NO_CFI);
	ck_assert_int_eq(end_for(getpid()), PRF_STACK_NO_CFI);
}
END_TEST

/* A frame of code in it has a record, which says that more of that has called it;
 * whether there is a call nobody can tell. */
START_TEST(what_cannot_be_read_of_a_file_may_be_a_call)
{
	enum { GONE = 0x10000, STACK = 0x20000 };
	static const uint64_t record[] = {0, GONE + 0x100};
	const struct prf_machine *machine = prf_machine_of(THIS_MACHINE);
	const struct prf_mapping map = {
		.pid = getpid(),
		.kind = PRF_MAPPING_FILE,
		.addr = GONE,
		.size = 0x1000,
		.inode = 1,
		.path = "/nonexistent/file",
	};

	ck_assert_int_eq(sink->ops->mapping(sink, &map), 0);
	memset(&copy, 0, sizeof copy);
	copy.head.machine = THIS_MACHINE;
	copy.head.registers.pc = GONE + 0x500;
	prf_registers_set(&copy.head.registers, machine->stack_pointer, STACK);
	prf_registers_set(&copy.head.registers, machine->frame_pointer, STACK);
	copy.head.n_ranges = 1;
	copy.head.ranges[0].addr = STACK;
	copy.head.ranges[0].n_bytes = sizeof record;
	memcpy(copy.room + sizeof copy.head, record, sizeof record);
	copy_bytes = sizeof copy.head + sizeof record;
	give_sample();
	ck_assert_int_eq(next.sample.end, PRF_STACK_NO_CFI);
	ck_assert_uint_eq(next.sample.n_frames, 2);
	ck_assert_uint_eq(next.frames[1].addr, GONE + 0x100);
	ck_assert_int_eq(next.frames[1].kind, PRF_FRAME_GUESSED);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("stacks");
	TCase *tcase = tcase_create("stacks");

	tcase_add_checked_fixture(tcase, begin, end);
	tcase_add_test(tcase, what_has_no_copy_passes_as_it_is);
	tcase_add_test(tcase, so_do_all_other_events);
	if (HAVE_TRUTH) {
		tcase_add_test(tcase, a_copy_becomes_frames);
		tcase_add_test(tcase, each_file_on_the_way_has_its_own);
		tcase_add_test(tcase,
			       a_signal_on_another_stack_needs_two_ranges);
		tcase_add_test(tcase,
			       so_does_one_above_what_it_has_interrupted);
		tcase_add_test(tcase, it_follows_what_processes_do);
		tcase_add_test(tcase, memory_may_end_early);
		tcase_add_test(tcase, it_is_told_whose_copies_are_too_short);
		tcase_add_test(tcase, a_copy_that_is_none_leaves_the_pc);
		tcase_add_test(tcase, a_file_that_is_gone_has_no_cfi);
		tcase_add_test(tcase,
			       what_cannot_be_read_of_a_file_may_be_a_call);
	}
	suite_add_tcase(suite, tcase);
	return suite;
}
