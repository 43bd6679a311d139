#include "live/stopped/copy_stack.h"

#include <alloca.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "live/proc/memory.h"
#include "live/stop.h"
#include "live/stopped/mapwatch.h"
#include "support/suite.h"
#include "support/unanswered.h"
#include "traced.h"

/* What the child says, in memory that it shares with the test. */
static volatile struct {
	uint64_t mark_addr;
	bool is_ready, is_refused;
} * said;

static struct prf_process process;
static struct prf_task task;
static struct prf_copier *copier;

static void
set_up(void)
{
	said = mmap(NULL, sizeof *said, PROT_READ | PROT_WRITE,
		    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ck_assert_ptr_ne((void *)said, MAP_FAILED);
	copier = prf_copier_new();
	ck_assert_ptr_nonnull(copier);
}

static void
tear_down(void)
{
	prf_copier_free(copier);
	prf_mapwatch_free(process.maps);
	prf_memory_free(process.memory);
}

static void
be_ready(void)
{
	said->is_ready = true;
	for (;;)
		;
}

/* Its own signals are passed on. */
static void
wait_until_ready(pid_t child)
{
	int status;

	while (!said->is_ready)
		if (!prf_stop_try(child, &status))
			ptrace(PTRACE_CONT, child, NULL,
			       (void *)(intptr_t)WSTOPSIG(status));
}

/* A child that calls RUN is stopped when that is ready. */
static void
stop_child(void (*run)(void), struct prf_regs *regs)
{
	struct prf_error err;
	pid_t child = prf_traced_runner(run);

	wait_until_ready(child);
	ck_assert_int_eq(ptrace(PTRACE_INTERRUPT, child, NULL, NULL), 0);
	prf_traced_wait(child);
	ck_assert_int_eq(prf_arch.read(child, regs), 0);
	process = (struct prf_process){
		.pid = child,
		.addr_bytes = sizeof(void *),
	};
	ck_assert_int_eq(prf_mapwatch_new(child, &process.maps, &err), 0);
	task = (struct prf_task){.tid = child, .process = &process};
}

static const struct prf_stack_copy *
copy_child(void (*run)(void), struct prf_regs *regs, size_t *n_bytes)
{
	stop_child(run, regs);
	return prf_copier_copy(copier, &task, regs, n_bytes);
}

/* The word that the child has at ADDR, by range number N. */
static uint64_t
word_at(const struct prf_stack_copy *copy, uint32_t n, uint64_t addr)
{
	const uint8_t *memory = copy->memory;
	uint64_t word;

	ck_assert_uint_lt(n, copy->n_ranges);
	for (uint32_t i = 0; i < n; i++)
		memory += copy->ranges[i].n_bytes;
	ck_assert_uint_ge(addr, copy->ranges[n].addr);
	ck_assert_uint_le(addr - copy->ranges[n].addr + sizeof word,
			  copy->ranges[n].n_bytes);
	memcpy(&word, memory + (addr - copy->ranges[n].addr), sizeof word);
	return word;
}

enum { MARK = 0x5eed5eed };

static void
mark_and_wait(void)
{
	volatile uint64_t mark = MARK;

	said->mark_addr = (uint64_t)(uintptr_t)&mark;
	be_ready();
}

START_TEST(it_has_the_registers_and_the_stack_up_to_its_end)
{
	struct prf_regs regs;
	struct prf_procmap map;
	char name[PRF_PROCMAP_NAME_BYTES];
	size_t n_bytes;
	const struct prf_stack_copy *copy =
		copy_child(mark_and_wait, &regs, &n_bytes);

	ck_assert_uint_eq(copy->registers.pc, regs.pc);
	ck_assert_uint_eq(copy->n_ranges, 1);
	ck_assert_uint_eq(copy->ranges[0].addr,
			  regs.sp - prf_arch.red_zone_bytes);
	ck_assert_int_eq(
		prf_mapwatch_find(process.maps, task.tid, regs.sp, &map, name),
		0);
	ck_assert_str_eq(name, "[stack]");
	ck_assert_uint_eq(copy->ranges[0].addr + copy->ranges[0].n_bytes,
			  map.addr + map.size);
	ck_assert_uint_eq(n_bytes, sizeof *copy + copy->ranges[0].n_bytes);
	ck_assert_uint_eq(word_at(copy, 0, said->mark_addr), MARK);
}
END_TEST

static void
go_deep_and_wait(void)
{
	enum { DEEP = 1 << 20, PAGE = 4096 };
	volatile char *room = alloca(DEEP);

	for (size_t at = 0; at < DEEP; at += PAGE)
		room[at] = 1;
	be_ready();
}

static long
page_faults(void)
{
	struct rusage usage;

	ck_assert_int_eq(getrusage(RUSAGE_THREAD, &usage), 0);
	return usage.ru_minflt;
}

START_TEST(a_thread_does_not_stand_until_a_warm_copier_has_memory)
{
	enum { FEW = 64 };
	struct prf_regs regs;
	size_t n_bytes;

	stop_child(go_deep_and_wait, &regs);
	/* (Not before that has forked: its pages would be shared again.) */
	prf_copier_warm(copier);
	long before = page_faults();
	prf_copier_copy(copier, &task, &regs, &n_bytes);
	long n = page_faults() - before;
	ck_assert_uint_ge(n_bytes, 1 << 20);
	ck_assert_int_lt(n, FEW);
}
END_TEST

static bool
has_value(const struct prf_registers *registers, uint64_t value)
{
	for (unsigned i = 0; i < PRF_CFI_REGISTERS; i++)
		if ((registers->known >> i & 1) &&
		    registers->values[i] == value)
			return true;
	return false;
}

START_TEST(the_stack_pointer_is_among_the_registers)
{
	struct prf_regs regs;
	size_t n_bytes;
	const struct prf_stack_copy *copy =
		copy_child(mark_and_wait, &regs, &n_bytes);

	ck_assert_uint_ne(copy->machine, 0);
	ck_assert(has_value(&copy->registers, regs.sp));
}
END_TEST

static void
wait_in_handler(int signal)
{
	(void)signal;
	be_ready();
}

static void
handle_on(char *stack, size_t n_bytes)
{
	struct sigaction action = {
		.sa_handler = wait_in_handler,
		.sa_flags = SA_ONSTACK,
	};

	sigaltstack(&(stack_t){.ss_sp = stack, .ss_size = n_bytes}, NULL);
	sigaction(SIGUSR1, &action, NULL);
}

static __attribute__((noinline)) void
mark_and_raise(void)
{
	volatile uint64_t mark = MARK;

	said->mark_addr = (uint64_t)(uintptr_t)&mark;
	raise(SIGUSR1);
}

static void
handle_elsewhere(void)
{
	static char other_stack[64 << 10];

	handle_on(other_stack, sizeof other_stack);
	mark_and_raise();
}

static void
handle_above(void)
{
	char above[64 << 10];

	handle_on(above, sizeof above);
	mark_and_raise();
}

/* It was not seen on its usual stack before; and it stays in handlers. */
START_TEST(behind_a_handlers_stack_the_usual_one_goes_on)
{
	struct prf_regs regs;
	size_t n_bytes;
	const struct prf_stack_copy *copy =
		copy_child(handle_elsewhere, &regs, &n_bytes);

	for (int i = 0; i < 50; i++) {
		ck_assert_uint_eq(copy->n_ranges, 2);
		ck_assert_uint_eq(copy->ranges[0].addr,
				  regs.sp - prf_arch.red_zone_bytes);
		ck_assert_uint_eq(word_at(copy, 1, said->mark_addr), MARK);
		ck_assert_uint_eq(n_bytes, sizeof *copy +
						   copy->ranges[0].n_bytes +
						   copy->ranges[1].n_bytes);
		copy = prf_copier_copy(copier, &task, &regs, &n_bytes);
	}
}
END_TEST

START_TEST(a_handlers_stack_may_be_above_what_it_has_interrupted)
{
	struct prf_regs regs;
	size_t n_bytes;
	const struct prf_stack_copy *copy =
		copy_child(handle_above, &regs, &n_bytes);

	ck_assert_uint_eq(copy->n_ranges, 2);
	ck_assert_uint_lt(said->mark_addr, copy->ranges[0].addr);
	ck_assert_uint_eq(copy->ranges[1].addr + copy->ranges[1].n_bytes,
			  copy->ranges[0].addr);
	ck_assert_uint_eq(word_at(copy, 1, said->mark_addr), MARK);
}
END_TEST

/* The stack pointer leads to memory that never comes. */
static void
stand_on_nothing(void)
{
	char *never = prf_unanswered_map(16 << 10);

	said->is_refused = !never;
	said->is_ready = true;
	if (!never)
		_exit(0);
#if defined(__x86_64__)
	__asm__ volatile(
		"mov %0, %%rsp\n1: pause\n\tjmp 1b" ::"r"(never + 8192));
#elif defined(__aarch64__)
	__asm__ volatile("mov sp, %0\n1: b 1b" ::"r"(never + 8192));
#endif
}

START_TEST(a_stack_that_never_comes_is_not_waited_for)
{
	struct prf_regs regs;
	size_t n_bytes;
	const struct prf_stack_copy *copy;

	if (!prf_unanswered_map(4096))
		prf_skip("no memory can be made that never comes");
	copy = copy_child(stand_on_nothing, &regs, &n_bytes);
	ck_assert_uint_eq(copy->registers.pc, regs.pc);
	ck_assert_uint_eq(copy->n_ranges, 0);
	ck_assert_uint_eq(n_bytes, sizeof *copy);
}
END_TEST

START_TEST(where_the_stack_pointer_leads_nowhere_there_are_registers)
{
	struct prf_regs regs;
	size_t n_bytes;

	copy_child(mark_and_wait, &regs, &n_bytes);
	regs.sp = 8;
	const struct prf_stack_copy *copy =
		prf_copier_copy(copier, &task, &regs, &n_bytes);
	ck_assert_uint_eq(copy->n_ranges, 0);
	ck_assert_uint_eq(copy->registers.pc, regs.pc);
}
END_TEST

#ifdef __aarch64__
/* All memory is where it was, by any tag. */
static void
mark_below_a_tag(void)
{
	volatile uint64_t mark = MARK;

	said->mark_addr = (uint64_t)(uintptr_t)&mark;
	said->is_ready = true;
	__asm__ volatile("mov x9, sp\n\torr x9, x9, #0x0f00000000000000\n\t"
			 "mov sp, x9\n1: b 1b" ::
				 : "x9", "memory");
}

START_TEST(a_tag_in_the_stack_pointer_is_not_its_address)
{
	struct prf_regs regs;
	size_t n_bytes;
	const struct prf_stack_copy *copy =
		copy_child(mark_below_a_tag, &regs, &n_bytes);

	ck_assert_uint_eq(copy->registers.values[31] >> 56, 0xf);
	ck_assert_uint_eq(copy->registers.values[31] & UINT64_MAX >> 8,
			  regs.sp);
	ck_assert_uint_eq(copy->n_ranges, 1);
	ck_assert_uint_eq(word_at(copy, 0, said->mark_addr), MARK);
}
END_TEST
#endif

static void
do_nothing(void)
{
}

/* With no thread that can be asked, as for what the kernel has noted. */
START_TEST(a_signature_has_all_bits_that_the_kernel_says_it_may_have)
{
	struct prf_regs regs;
	uint64_t told =
		prf_arch.signature(prf_traced_spinner(do_nothing, &regs));
	uint64_t code = (uint64_t)(uintptr_t)do_nothing;

	ck_assert_uint_eq(told & ~prf_arch.signature(0), 0);
	ck_assert_uint_eq(code & prf_arch.signature(0), 0);
	ck_assert_uint_eq(regs.sp & prf_arch.signature(0), 0);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("copy_stack");
	TCase *tcase = tcase_create("core");

	tcase_add_checked_fixture(tcase, set_up, tear_down);
	tcase_add_test(tcase, it_has_the_registers_and_the_stack_up_to_its_end);
	tcase_add_test(tcase,
		       a_thread_does_not_stand_until_a_warm_copier_has_memory);
	tcase_add_test(tcase, the_stack_pointer_is_among_the_registers);
	tcase_add_test(tcase, behind_a_handlers_stack_the_usual_one_goes_on);
	tcase_add_test(tcase,
		       a_handlers_stack_may_be_above_what_it_has_interrupted);
	tcase_add_test(tcase, a_stack_that_never_comes_is_not_waited_for);
	tcase_add_test(
		tcase,
		where_the_stack_pointer_leads_nowhere_there_are_registers);
	tcase_add_test(
		tcase,
		a_signature_has_all_bits_that_the_kernel_says_it_may_have);
#ifdef __aarch64__
	tcase_add_test(tcase, a_tag_in_the_stack_pointer_is_not_its_address);
#endif
	suite_add_tcase(suite, tcase);
	return suite;
}
