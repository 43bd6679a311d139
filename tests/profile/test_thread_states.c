#include "profile/thread_states.h"

#include <string.h>

#include "core/scope.h"
#include "support/made_run.h"
#include "support/suite.h"

#define AT 0x555555555000
#define LIB 0x7f0000000000
#define PROG(i) (AT + 0x100 * (uint64_t)(i) + 0x10)
#define LIBC(i) (LIB + 0x100 * (uint64_t)(i) + 0x10)

enum { READ = 0, FUTEX = 202, X86_64 = 62 };

static const struct elf_symbol prog[] = {
	{"main", 0x1000, 0x100, STB_GLOBAL, STT_FUNC, 1},
	{"work", 0x1100, 0xf00, STB_GLOBAL, STT_FUNC, 1},
};
static const struct elf_symbol libc[] = {
	{"wait", 0x1000, 0x100, STB_GLOBAL, STT_FUNC, 1},
	{"sleep", 0x1100, 0xf00, STB_GLOBAL, STT_FUNC, 1},
};

static struct prf_collector *run;
static struct prf_thread_states states;

static void
begin(void)
{
	const struct prf_collector_config config = {
		.kernel_apart = true,
		.call_graph = true,
		.by_thread = true,
		.flat_calls = true,
	};

	made_begin();
	run = made_run(&config);
	made_elf("prog", prog, 2);
	made_elf("libc", libc, 2);
	made_exec_as(run, &(const struct prf_exec){.pid = MADE_PID,
						   .path = made_path("prog"),
						   .command = "prog",
						   .addr_bytes = 8,
						   .machine = X86_64,
						   .rank = -1});
	made_map(run, "prog", AT);
	made_map(run, "libc", LIB);
}

static void
end(void)
{
	prf_thread_states_clear(&states);
	made_run_free(run);
	made_end();
}

/* TICKS of thread TID in STATE and in SYSCALL; of the N addresses the innermost
 * comes first. */
static void
add(pid_t tid, enum prf_sample_state state, int32_t syscall, uint32_t ticks,
    const uint64_t *addrs, uint32_t n)
{
	struct prf_frame frames[4];
	const struct prf_sample sample = {
		.pid = MADE_PID,
		.tid = tid,
		.ticks = ticks,
		.certain = ticks,
		.syscall = syscall,
		.state = state,
		.end = n > 1 ? PRF_STACK_COMPLETE : PRF_STACK_NONE,
		.n_frames = n,
		.frames = frames,
	};

	for (uint32_t i = 0; i < n; i++)
		frames[i] = (struct prf_frame){addrs[i], i ? PRF_FRAME_RETURN
							   : PRF_FRAME_PC};
	made_sample(run, &sample);
}

static void
finish(void)
{
	ck_assert_int_eq(prf_thread_states_of(made_finish(run), &states), 0);
}

static const char *
name(size_t function)
{
	return function == PRF_CALL_NONE ? "-"
					 : states.functions.all[function].name;
}

START_TEST(each_thread_has_its_time_by_state)
{
	const uint64_t in_main[] = {PROG(0)}, in_wait[] = {LIBC(0)};

	add(10, PRF_SAMPLE_RUNNING, PRF_NO_SYSCALL, 2, in_main, 1);
	add(10, PRF_SAMPLE_BLOCKED, FUTEX, 5, in_wait, 1);
	add(10, PRF_SAMPLE_RUNNABLE, PRF_NO_PROCESSOR, 1, in_main, 1);
	add(11, PRF_SAMPLE_RUNNING, FUTEX, 3, in_wait, 1);
	finish();
	ck_assert_uint_eq(states.n, 2);
	ck_assert_uint_eq(states.all.ticks, 11);
	ck_assert(prf_thread_states_differ(&states));
	const struct prf_thread_doing *thread = &states.threads[0];
	ck_assert_int_eq(thread->tid, 10);
	ck_assert_uint_eq(thread->all.ticks, 8);
	ck_assert_uint_eq(thread->states[PRF_SAMPLE_RUNNING].ticks, 2);
	ck_assert_uint_eq(thread->states[PRF_SAMPLE_RUNNABLE].ticks, 1);
	ck_assert_uint_eq(thread->states[PRF_SAMPLE_BLOCKED].ticks, 5);
	ck_assert_uint_eq(thread->process_ticks, 11);
	ck_assert_uint_eq(thread->process_threads, 2);
	/* In a call, but not blocked. */
	ck_assert_uint_eq(thread[1].states[PRF_SAMPLE_RUNNING].ticks, 3);
	ck_assert_uint_eq(thread[1].n_waits, 0);
	ck_assert(prf_thread_states_same_process(thread, thread + 1));
}
END_TEST

START_TEST(who_waits_is_behind_the_library)
{
	const uint64_t by_work[] = {LIBC(0), LIBC(1), PROG(1), PROG(0)};
	const uint64_t by_main[] = {LIBC(0), PROG(0)};
	const uint64_t flat[] = {LIBC(0)};

	add(10, PRF_SAMPLE_BLOCKED, FUTEX, 1, flat, 1);
	add(10, PRF_SAMPLE_BLOCKED, FUTEX, 4, by_work, 4);
	add(10, PRF_SAMPLE_BLOCKED, FUTEX, 2, by_main, 2);
	add(10, PRF_SAMPLE_BLOCKED, READ, 3, by_work, 4);
	add(10, PRF_SAMPLE_BLOCKED, FUTEX, 4, by_work, 4);
	finish();
	const struct prf_thread_wait *waits = states.threads[0].waits;
	ck_assert_uint_eq(states.threads[0].n_waits, 4);
	ck_assert_str_eq(name(waits[0].call), "futex");
	ck_assert_str_eq(name(waits[0].from), "work");
	ck_assert_uint_eq(waits[0].count.ticks, 8);
	ck_assert_str_eq(name(waits[1].call), "read");
	ck_assert_str_eq(name(waits[2].from), "main");
	ck_assert_str_eq(name(waits[3].from), "wait");
}
END_TEST

START_TEST(without_states_all_have_run)
{
	const uint64_t in_main[] = {PROG(0)};

	add(10, PRF_SAMPLE_RUNNING, PRF_NO_SYSCALL, 2, in_main, 1);
	add(11, PRF_SAMPLE_RUNNING, PRF_NO_SYSCALL, 1, in_main, 1);
	finish();
	ck_assert_uint_eq(states.n, 2);
	ck_assert(!prf_thread_states_differ(&states));
	states.n = 1; /* of which one is shown */
	ck_assert(!prf_thread_states_differ(&states));
}
END_TEST

START_TEST(a_profile_without_threads_is_nobodys)
{
	made_ticks(run, PROG(0), 3);
	finish();
	prf_thread_states_clear(&states);
	struct prf_profile *empty = prf_profile_new();
	ck_assert_int_eq(prf_thread_states_of(empty, &states), 0);
	ck_assert_uint_eq(states.n, 0);
	prf_thread_states_clear(&states);
	prf_profile_free(empty);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("profile/thread_states");
	TCase *threads = tcase_create("threads");

	tcase_add_checked_fixture(threads, begin, end);
	tcase_add_test(threads, each_thread_has_its_time_by_state);
	tcase_add_test(threads, who_waits_is_behind_the_library);
	tcase_add_test(threads, without_states_all_have_run);
	tcase_add_test(threads, a_profile_without_threads_is_nobodys);
	suite_add_tcase(suite, threads);
	return suite;
}
