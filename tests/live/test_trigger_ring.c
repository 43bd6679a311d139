#include "live/trigger/triggers.h"

#include <errno.h>
#include <linux/capability.h>
#include <linux/perf_event.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "core/sample.h"
#include "live/kept.h"
#include "live/proc/kernel.h"
#include "live/proc/schedstat.h"
#include "live/ring/ring_event.h"
#include "live/ring/ring_records.h"
#include "support/suite.h"
#include "traced.h"
#include "unwind/stack_needs.h"

enum { PERIOD_NS = 1000000, MANY = 100 };

static struct prf_trigger *trigger;
static struct prf_process process;
static struct prf_task task;
static struct prf_regs regs;
static struct prf_error err;
/* What has been handed on. */
static uint32_t ticks, n_samples, n_in_kernel, n_mappings, n_ending, n_lost;
static bool with_stacks; /* are to be */
static uint64_t period_ns = PERIOD_NS;
static struct prf_stack_needs needs;
static struct prf_ring_sample last;

static void
take(void *arg, struct prf_task *of, const struct prf_ring_record *record,
     uint32_t n_ticks)
{
	ck_assert_ptr_eq(arg, &err);
	ck_assert_ptr_eq(of, &task);
	ticks += n_ticks;
	n_mappings += record->kind == PRF_RING_MAPPING;
	n_ending += record->kind == PRF_RING_ENDING ? n_ticks : 0;
	n_lost += record->kind == PRF_RING_LOST ? n_ticks : 0;
	if (record->kind != PRF_RING_SAMPLE)
		return;
	ck_assert_uint_ge(record->sample.time_ns, last.time_ns);
	last = record->sample;
	n_in_kernel += record->sample.in_kernel;
	n_samples++;
}

static void
open_trigger(enum prf_clock clock)
{
	struct prf_trigger_config config = {
		.period_ns = period_ns,
		.clock = clock,
		.seed = 1,
		.call_graph = with_stacks,
		.stack_needs = &needs,
		.take = take,
		.take_arg = &err,
	};

	memset(&err, 0, sizeof err);
	ck_assert_int_eq(prf_trigger_ring.open(&config, &trigger, &err), 0);
}

static void
tear_down(void)
{
	prf_kept_clear(&task.kept);
	trigger->ops->close(trigger);
}

/* Half of what may be locked is enough for a ring with larger copies. */
static void
open_for_deep_stacks(void)
{
	enum { DEEP_RING_BYTES = 4 << 20 };

	if (prf_ring_event_most_bytes() / 2 < DEEP_RING_BYTES)
		prf_skip("too little memory may be locked");
	tear_down();
	with_stacks = true;
	open_trigger(PRF_CLOCK_CPU);
}

static void
set_up(void)
{
	open_trigger(PRF_CLOCK_CPU);
}

static uint64_t
cpu_ns_of_child(void)
{
	uint64_t cpu_ns;

	ck_assert_int_eq(prf_schedstat_read_cpu(task.tid, task.tid, &cpu_ns),
			 0);
	return cpu_ns;
}

static void
turn_deep(void)
{
	enum { LEAST_PAGE_BYTES = 4096 };
	volatile char room[100 << 10];

	/* A compiler that sees which of its bytes are used may keep those alone. */
	__asm__ volatile("" : : "r"(room) : "memory");
	/* All of it is there. */
	for (size_t i = 0; i < sizeof room; i += LEAST_PAGE_BYTES)
		room[i] = 1;
	for (;;)
		room[0]++;
}

/* Stopped; it is in turn_deep(), or will call RUN, and turn in a loop. */
static pid_t
start_child(void (*run)(void))
{
	if (run != turn_deep)
		return prf_traced_spinner(run, &regs);
	pid_t child = prf_traced_runner(run);

	ck_assert_int_eq(ptrace(PTRACE_INTERRUPT, child, NULL, NULL), 0);
	ck_assert(WIFSTOPPED(prf_traced_wait(child)));
	return child;
}

/* The child goes on to RUN when it is continued. */
static void
arm_child(void (*run)(void))
{
	pid_t child = start_child(run);

	process = (struct prf_process){.pid = child, .addr_bytes = 8};
	task = (struct prf_task){.tid = child, .process = &process};
	ck_assert_msg(trigger->ops->arm(trigger, &task, NULL, &err) == 0, "%s",
		      err.text);
}

static void
begin_child(void (*run)(void))
{
	arm_child(run);
	ptrace(PTRACE_CONT, task.tid, NULL, NULL);
}

static void
await(uint32_t n)
{
	struct pollfd polled = {trigger->ops->fd(trigger), POLLIN, 0};

	while (n_samples < n) {
		ck_assert_int_eq(poll(&polled, 1, -1), 1);
		trigger->ops->due(trigger);
	}
}

/* It ends by SIGKILL, and is not reaped. */
static void
end_child(void)
{
	siginfo_t info;

	kill(task.tid, SIGKILL);
	ck_assert_int_eq(waitid(P_PID, (id_t)task.tid, &info,
				WEXITED | WNOWAIT | __WALL),
			 0);
}

/* The child runs for so many periods more. */
static void
let_run(unsigned n)
{
	uint64_t until_ns = cpu_ns_of_child() + (uint64_t)n * PERIOD_NS;

	while (cpu_ns_of_child() < until_ns)
		usleep(1000);
}

static void
run_nothing(void)
{
}

static void
block_all(void)
{
	uint64_t all = UINT64_MAX;

	syscall(SYS_rt_sigprocmask, SIG_BLOCK, &all, NULL, sizeof all);
}

/* Also where the thread blocks all signals there are, which are 64, and where its
 * event is replaced by one that copies more of its stack.  Its last samples are handed
 * on when it has ended. */
static void (*const beginnings[])(void) = {run_nothing, block_all, turn_deep};

/* The ticks that children have, and should have.  While interrupts are served, and
 * while the host has taken the processor away, the clock of the event goes on, and
 * that of the thread does not: on a busy virtual machine that can be a third of the
 * time. */
struct found {
	double ticks, least, most;
};

/* An event that only counts, of the child's, by the same clock. */
static int
open_counter(void)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof attr,
		.config = PERF_COUNT_SW_TASK_CLOCK,
	};
	int fd = (int)syscall(SYS_perf_event_open, &attr, task.tid, -1, -1,
			      PERF_FLAG_FD_CLOEXEC);

	ck_assert_int_ge(fd, 0);
	return fd;
}

static void
tell_short(int n)
{
	while (n--)
		prf_stack_needs_tell_short(&needs, task.tid);
}

static bool
has_larger_copies(size_t n_bytes)
{
	enum { MOST = 10 * MANY };
	const uint32_t until = n_samples + MOST;

	while (last.stack_bytes <= n_bytes && n_samples < until)
		await(n_samples + 1);
	return last.stack_bytes > n_bytes;
}

static void
ask_for_larger_copies(void)
{
	const size_t n_bytes = last.stack_bytes;
	const uint64_t clock_ns = last.clock_ns;

	ck_assert(last.is_stack_full);
	tell_short(3);
	ck_assert(has_larger_copies(n_bytes));
	ck_assert(last.is_stack_full);
	ck_assert_uint_gt(last.clock_ns, clock_ns);
	await(n_samples + MANY);
}

static struct found
run_child(void (*beginning)(void))
{
	const double ticks_before = ticks;
	uint64_t counted_ns;

	arm_child(beginning);
	int counter = open_counter();
	uint64_t before_ns = cpu_ns_of_child();
	ptrace(PTRACE_CONT, task.tid, NULL, NULL);
	await(n_samples + MANY);
	if (with_stacks)
		ask_for_larger_copies();
	end_child();
	double cpu = (double)(cpu_ns_of_child() - before_ns) / PERIOD_NS;
	ck_assert_int_eq(read(counter, &counted_ns, sizeof counted_ns),
			 sizeof counted_ns);
	close(counter);
	double counted = (double)counted_ns / PERIOD_NS;
	trigger->ops->flush(trigger, &task);
	uint32_t n_unseen = trigger->ops->unseen(trigger, &task);
	/* By the same clock, its samples have the others. */
	ck_assert_uint_lt(n_unseen, MANY / 2);
	ticks += n_unseen;
	return (struct found){
		.ticks = ticks - ticks_before,
		.least = fmin(cpu, counted),
		.most = fmax(cpu, counted),
	};
}

static double
off(struct found found)
{
	return fmax(found.least - found.ticks, found.ticks - found.most);
}

static bool
is_right(struct found found)
{
	return off(found) < 8 + found.least * 0.05;
}

/* A host that takes the processor away disturbs one run.  Of several runs the worst
 * does not count. */
START_TEST(an_armed_thread_has_the_ticks_of_its_cpu_time)
{
	enum { MOST_RUNS = 5 };

	if (beginnings[_i] == turn_deep)
		open_for_deep_stacks();
	struct found all = run_child(beginnings[_i]), worst = all;

	if (is_right(all))
		return;
	for (int run = 2; run <= MOST_RUNS; run++) {
		prf_kept_clear(&task.kept);
		waitpid(task.tid, NULL, __WALL);
		struct found found = run_child(beginnings[_i]);

		all.ticks += found.ticks;
		all.least += found.least;
		all.most += found.most;
		if (off(found) > off(worst))
			worst = found;
	}
	all.ticks -= worst.ticks;
	all.least -= worst.least;
	all.most -= worst.most;
	ck_assert_msg(
		is_right(all),
		"%g ticks, not %g to %g; in the worst run %g, not %g to %g",
		all.ticks, all.least, all.most, worst.ticks, worst.least,
		worst.most);
}
END_TEST

START_TEST(samples_that_wait_are_collected_before_the_kernel_tells_of_them)
{
	begin_child(run_nothing);
	await(MANY);
	uint32_t before = n_samples;
	let_run(20);
	trigger->ops->collect(trigger, &task);
	ck_assert_uint_gt(n_samples, before);
	await(n_samples + MANY);
}
END_TEST

/* Neither by its samples nor as it is let go. */
START_TEST(an_armed_thread_never_stops)
{
	siginfo_t info = {0};

	begin_child(run_nothing);
	await(MANY);
	trigger->ops->forget(trigger, &task);
	ck_assert_int_eq(waitid(P_PID, (id_t)task.tid, &info,
				WSTOPPED | WEXITED | WNOHANG | __WALL),
			 0);
	ck_assert_int_eq(info.si_pid, 0);
}
END_TEST

START_TEST(a_sample_has_the_registers_that_are_asked_for)
{
	begin_child(run_nothing);
	await(1);
	ck_assert_int_eq(last.pid, task.tid);
	ck_assert_int_eq(last.tid, task.tid);
	prf_arch.view_noted(last.registers, false, last.in_kernel, &regs);
	ck_assert_uint_ne(regs.pc, 0);
	ck_assert_uint_ne(regs.sp, 0);
}
END_TEST

static void
call_for_ever(void)
{
	for (;;)
		syscall(SYS_getppid);
}

static const enum prf_clock clocks[] = {PRF_CLOCK_CPU, PRF_CLOCK_USER};

START_TEST(the_kernel_is_seen_unless_user_time_is_asked_for)
{
	tear_down();
	open_trigger(clocks[_i]);
	pid_t child = prf_traced_runner(call_for_ever);
	process = (struct prf_process){.pid = child, .addr_bytes = 8};
	task = (struct prf_task){.tid = child, .process = &process};
	ck_assert_int_eq(trigger->ops->arm(trigger, &task, NULL, &err), 0);
	await(MANY);
	ck_assert(!n_in_kernel == (clocks[_i] == PRF_CLOCK_USER));
}
END_TEST

START_TEST(a_thread_that_has_ended_cannot_be_armed)
{
	begin_child(run_nothing);
	trigger->ops->forget(trigger, &task);
	end_child();
	prf_traced_wait(task.tid);
	ck_assert_int_eq(trigger->ops->arm(trigger, &task, NULL, &err), -ESRCH);
}
END_TEST

static void
fill_memory(void)
{
	enum { N_BYTES = 64 << 20 };
	char *memory = mmap(NULL, N_BYTES, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (memory != MAP_FAILED)
		for (size_t i = 0; i < N_BYTES; i += 4096)
			((volatile char *)memory)[i] = 1;
}

static void
end_child_with_memory(void)
{
	begin_child(fill_memory);
	uint64_t before_ns = cpu_ns_of_child();
	await(n_samples + 1);
	end_child();
	trigger->ops->flush(trigger, &task);
	int64_t after_ns = (int64_t)(cpu_ns_of_child() - before_ns) -
			   (int64_t)last.clock_ns;

	ck_assert_int_le(n_ending, after_ns / PERIOD_NS + 8);
}

/* Before Linux 6.16 this has samples.  What interrupts have taken before it, on a
 * busy virtual machine, may be more than it takes. */
START_TEST(a_thread_that_gives_its_memory_back_has_ticks_of_that)
{
	enum { MOST_TRIES = 5 };

	end_child_with_memory();
	for (int i = 1; i < MOST_TRIES && n_ending == 0; i++) {
		tear_down();
		open_trigger(PRF_CLOCK_CPU);
		end_child_with_memory();
	}
	if (!prf_kernel_is_before(6, 16))
		ck_assert_uint_gt(n_ending, 0);
}
END_TEST

/* As far as it goes, or as was asked for. */
START_TEST(a_sample_has_the_stack_if_it_is_asked_for)
{
	tear_down();
	with_stacks = true;
	open_trigger(PRF_CLOCK_CPU);
	begin_child(run_nothing);
	await(1);
	ck_assert_ptr_nonnull(last.stack);
	ck_assert_uint_gt(last.stack_bytes, 0);
}
END_TEST

/* Some cut stacks may be chance, and others were of a thread that had the same number
 * before it. */
START_TEST(only_its_own_cut_stacks_make_copies_larger)
{
	open_for_deep_stacks();
	pid_t child = start_child(turn_deep);
	process = (struct prf_process){.pid = child, .addr_bytes = 8};
	task = (struct prf_task){.tid = child, .process = &process};
	tell_short(5);
	ck_assert_int_eq(trigger->ops->arm(trigger, &task, NULL, &err), 0);
	ptrace(PTRACE_CONT, task.tid, NULL, NULL);
	await(MANY);
	const size_t n_bytes = last.stack_bytes;
	tell_short(2);
	ck_assert(!has_larger_copies(n_bytes));
	tell_short(1);
	ck_assert(has_larger_copies(n_bytes));
}
END_TEST

/* The kernel writes that there was no room only when there is some again, and the
 * ring is gone by then. */
START_TEST(what_a_full_ring_has_lost_is_lost_where_another_follows)
{
	enum { ROOM = 65 };

	open_for_deep_stacks();
	begin_child(turn_deep);
	let_run(ROOM + 2 * MANY);
	ck_assert_int_eq(ptrace(PTRACE_INTERRUPT, task.tid, NULL, NULL), 0);
	prf_traced_wait(task.tid);
	tell_short(3);
	await(1);
	const size_t n_bytes = last.stack_bytes;
	ptrace(PTRACE_CONT, task.tid, NULL, NULL);
	await(n_samples + 1);
	ck_assert_uint_gt(last.stack_bytes, n_bytes);
	ck_assert_uint_gt(n_lost, MANY);
}
END_TEST

/* The kernel holds this process to so much memory for rings, beside what it lets
 * each user have. */
static void
limit_rings(rlim_t n_bytes)
{
	const struct rlimit limit = {n_bytes, n_bytes};
	struct __user_cap_header_struct header = {
		.version = _LINUX_CAPABILITY_VERSION_3,
	};
	struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3];
	int level;

	if ((prf_ring_event_paranoid(&level) && level < 0) ||
	    setrlimit(RLIMIT_MEMLOCK, &limit) ||
	    syscall(SYS_capget, &header, data))
		prf_skip("what may be locked cannot be limited");
	data[CAP_TO_INDEX(CAP_IPC_LOCK)].effective &=
		~CAP_TO_MASK(CAP_IPC_LOCK);
	ck_assert_int_eq(syscall(SYS_capset, &header, data), 0);
}

static const bool is_crowded[] = {false, true};

START_TEST(larger_copies_leave_half_of_what_may_be_locked)
{
	/* At 500 Hz a ring has 1 MiB, and twice that with larger copies. */
	enum { LIMIT_BYTES = 6 << 20, RING_BYTES = 1 << 20, MOST_OTHERS = 200 };
	static struct prf_task others[MOST_OTHERS];
	size_t n = 0;

	tear_down();
	limit_rings(LIMIT_BYTES);
	with_stacks = true;
	period_ns = 2 * PERIOD_NS;
	open_trigger(PRF_CLOCK_CPU);
	const pid_t idle = start_child(run_nothing);
	begin_child(turn_deep);
	if (is_crowded[_i])
		n = prf_ring_event_most_bytes() / 2 / RING_BYTES - 1;
	ck_assert_uint_lt(n, MOST_OTHERS);
	for (size_t i = 0; i < n; i++) {
		others[i] = (struct prf_task){.tid = idle, .process = &process};
		ck_assert_int_eq(
			trigger->ops->arm(trigger, &others[i], NULL, &err), 0);
	}
	await(1);
	tell_short(3);
	ck_assert(has_larger_copies(last.stack_bytes) != is_crowded[_i]);
	for (size_t i = 0; i < n; i++)
		trigger->ops->forget(trigger, &others[i]);
}
END_TEST

/* No thread has so much that the others have nothing. */
START_TEST(threads_with_stacks_have_only_so_much_memory)
{
	enum { THREADS = 5000 };
	static struct prf_task tasks[THREADS];
	unsigned n = 0;

	tear_down();
	with_stacks = true;
	open_trigger(PRF_CLOCK_CPU);
	begin_child(run_nothing);
	do {
		tasks[n].tid = task.tid;
		tasks[n].process = &process;
	} while (!trigger->ops->arm(trigger, &tasks[n], NULL, &err) &&
		 ++n < THREADS);
	ck_assert_uint_gt(n, 0);
	ck_assert_uint_lt(n, THREADS);
	ck_assert_msg(strstr(err.text, "too many") ||
			      strstr(err.text, "locked"),
		      "%s", err.text);
	/* One goes, and another has its memory. */
	trigger->ops->forget(trigger, &tasks[0]);
	ck_assert_int_eq(trigger->ops->arm(trigger, &tasks[n], NULL, &err), 0);
	for (unsigned i = 1; i <= n; i++)
		trigger->ops->forget(trigger, &tasks[i]);
}
END_TEST

Suite *
prf_suite(void)
{
	const struct prf_trigger_config any = {
		.period_ns = PERIOD_NS,
		.take = take,
	};
	Suite *suite = suite_create("trigger_ring");
	TCase *tcase = tcase_create("trigger_ring");
	struct prf_trigger *tried;

	/* Where it is refused, there is nothing to test. */
	if (prf_trigger_ring.open(&any, &tried, NULL))
		_exit(77);
	tried->ops->close(tried);
	tcase_add_checked_fixture(tcase, set_up, tear_down);
	tcase_add_loop_test(
		tcase, an_armed_thread_has_the_ticks_of_its_cpu_time, 0, 3);
	tcase_add_test(
		tcase,
		samples_that_wait_are_collected_before_the_kernel_tells_of_them);
	tcase_add_test(tcase, an_armed_thread_never_stops);
	tcase_add_test(tcase, a_sample_has_the_registers_that_are_asked_for);
	tcase_add_loop_test(
		tcase, the_kernel_is_seen_unless_user_time_is_asked_for, 0, 2);
	tcase_add_test(tcase, a_thread_that_has_ended_cannot_be_armed);
	tcase_add_test(tcase,
		       a_thread_that_gives_its_memory_back_has_ticks_of_that);
	tcase_add_test(tcase, a_sample_has_the_stack_if_it_is_asked_for);
	tcase_add_test(tcase, only_its_own_cut_stacks_make_copies_larger);
	tcase_add_test(tcase,
		       what_a_full_ring_has_lost_is_lost_where_another_follows);
	tcase_add_loop_test(
		tcase, larger_copies_leave_half_of_what_may_be_locked, 0, 2);
	tcase_add_test(tcase, threads_with_stacks_have_only_so_much_memory);
	suite_add_tcase(suite, tcase);
	return suite;
}
