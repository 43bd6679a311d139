#include "live/trigger/triggers.h"

#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include "live/kept.h"
#include "live/proc/schedstat.h"
#include "support/suite.h"
#include "traced.h"

enum { PERIOD_NS = 10000000 };

static struct prf_trigger *trigger;
static struct prf_process process;
static struct prf_task task;

static void
set_up(void)
{
	struct prf_trigger_config config = {
		.period_ns = PERIOD_NS,
		.seed = 1,
	};
	struct prf_error err;

	ck_assert_int_eq(prf_trigger_interrupt.open(&config, &trigger, &err),
			 0);
}

static void
tear_down(void)
{
	prf_kept_clear(&task.kept);
	trigger->ops->close(trigger);
}

static void
arm_from(pid_t child, uint64_t owed_from_ns)
{
	struct prf_error err = {0};

	process = (struct prf_process){.pid = child};
	task = (struct prf_task){
		.tid = child,
		.process = &process,
		.owed_from_ns = owed_from_ns,
	};
	ck_assert_msg(trigger->ops->arm(trigger, &task, NULL, &err) == 0, "%s",
		      err.text);
}

static void
arm(pid_t child)
{
	arm_from(child, 0);
}

/* Until the trigger's descriptor is readable, and then what is to be done. */
static void
serve_once(void)
{
	struct pollfd polled = {trigger->ops->fd(trigger), POLLIN, 0};

	ck_assert_int_eq(poll(&polled, 1, 10000), 1);
	trigger->ops->due(trigger);
}

START_TEST(a_running_thread_is_stopped_and_charged_for_its_time)
{
	struct prf_regs regs;
	uint64_t cpu_ns, start_ns;
	uint32_t ticks = 0;
	pid_t child = prf_traced_spinner(NULL, &regs);

	arm(child);
	ck_assert_int_eq(prf_schedstat_read_cpu(child, child, &start_ns), 0);
	ck_assert_int_eq(ptrace(PTRACE_CONT, child, NULL, NULL), 0);
	for (int i = 0; i < 20; i++) {
		while (!task.interrupt_pending)
			serve_once();
		struct prf_stop stop =
			prf_stop_of_wait(child, prf_traced_wait(child));
		ck_assert_int_eq(stop.kind, PRF_STOP_TRAP);
		struct prf_claim claim =
			trigger->ops->claim(trigger, &task, &stop);
		ck_assert(claim.ours);
		ck_assert(!task.interrupt_pending);
		ticks += claim.ticks;
		ck_assert_int_eq(prf_schedstat_read_cpu(child, child, &cpu_ns),
				 0);
		ck_assert_int_eq(ptrace(PTRACE_CONT, child, NULL, NULL), 0);
	}
	/* It began with up to a period. */
	double periods = (double)(cpu_ns - start_ns) / PERIOD_NS;
	ck_assert_double_ge(ticks, periods - 1);
	ck_assert_double_le(ticks, periods + 1);
	trigger->ops->forget(trigger, &task);
}
END_TEST

static void
sleep_in_pause(void)
{
	pause();
}

START_TEST(a_sleeping_thread_is_let_alone)
{
	pid_t child = prf_traced_sleeper(sleep_in_pause);
	int status;

	arm(child);
	for (int i = 0; i < 10; i++)
		serve_once();
	ck_assert(!task.interrupt_pending);
	ck_assert_int_eq(waitpid(child, &status, WNOHANG | __WALL), 0);
}
END_TEST

static void
compute_in_real_time(void)
{
	const struct sched_param least = {.sched_priority = 1};

	/* It may not: then it is tried with a thread like others. */
	(void)!sched_setscheduler(0, SCHED_RR, &least);
}

static int
n_own_cpus(void)
{
	cpu_set_t cpus;

	ck_assert_int_eq(sched_getaffinity(0, sizeof cpus, &cpus), 0);
	return CPU_COUNT(&cpus);
}

START_TEST(the_tracer_does_not_wait_beside_a_thread_that_gives_no_way)
{
	struct prf_regs regs;
	const int n_cpus = n_own_cpus();
	pid_t child = prf_traced_spinner(compute_in_real_time, &regs);
	bool gives_way = sched_getscheduler(child) != SCHED_RR;

	arm(child);
	ck_assert_int_eq(ptrace(PTRACE_CONT, child, NULL, NULL), 0);
	while (!task.interrupt_pending) {
		serve_once();
		if (!gives_way)
			ck_assert_int_eq(n_own_cpus(), n_cpus);
	}
	prf_traced_wait(child);
	trigger->ops->forget(trigger, &task);
	ck_assert_int_eq(n_own_cpus(), n_cpus);
}
END_TEST

START_TEST(a_stop_that_was_not_asked_for_is_not_ours)
{
	struct prf_regs regs;
	pid_t child = prf_traced_spinner(NULL, &regs);
	struct prf_stop stop = {.tid = child, .kind = PRF_STOP_TRAP};

	arm(child);
	ck_assert(!trigger->ops->claim(trigger, &task, &stop).ours);
	task.interrupt_pending = true;
	stop.kind = PRF_STOP_SIGNAL;
	ck_assert(!trigger->ops->claim(trigger, &task, &stop).ours);
	ck_assert(!task.interrupt_pending);
}
END_TEST

/* A clock that went back has another thread's time: nothing is due. */
START_TEST(a_clock_behind_what_was_charged_makes_no_ticks)
{
	struct prf_regs regs;
	pid_t child = prf_traced_spinner(NULL, &regs);
	struct prf_stop stop = {.tid = child, .kind = PRF_STOP_TRAP};

	arm_from(child, 1000000000000);
	task.interrupt_pending = true;
	struct prf_claim claim = trigger->ops->claim(trigger, &task, &stop);
	ck_assert(claim.ours);
	ck_assert_uint_eq(claim.ticks, 0);
}
END_TEST

static cpu_set_t
own_processors(void)
{
	cpu_set_t set;

	ck_assert_int_eq(sched_getaffinity(0, sizeof set, &set), 0);
	return set;
}

/* Where it aims, it goes to the processor of a thread. */
START_TEST(the_tracer_is_not_bound_to_a_processor_for_good)
{
	struct prf_regs regs;
	const cpu_set_t before = own_processors();
	cpu_set_t now;

	if (CPU_COUNT(&before) < 2)
		prf_skip("there is one processor");
	pid_t child = prf_traced_spinner(NULL, &regs);
	arm(child);
	ck_assert_int_eq(ptrace(PTRACE_CONT, child, NULL, NULL), 0);
	do {
		serve_once();
		now = own_processors();
		if (!task.interrupt_pending)
			continue;
		struct prf_stop stop =
			prf_stop_of_wait(child, prf_traced_wait(child));
		trigger->ops->claim(trigger, &task, &stop);
		ck_assert_int_eq(ptrace(PTRACE_CONT, child, NULL, NULL), 0);
	} while (CPU_EQUAL(&now, &before));
	trigger->ops->forget(trigger, &task);
	now = own_processors();
	ck_assert(CPU_EQUAL(&now, &before));
}
END_TEST

/* As one that is about to be let go may be asked to. */
START_TEST(a_stop_that_was_asked_for_before_is_still_to_come)
{
	struct prf_error err = {0};
	struct prf_regs regs;
	pid_t child = prf_traced_spinner(NULL, &regs);

	process = (struct prf_process){.pid = child};
	task = (struct prf_task){
		.tid = child,
		.process = &process,
		.interrupt_pending = true,
	};
	ck_assert_int_eq(trigger->ops->arm(trigger, &task, NULL, &err), 0);
	ck_assert(task.interrupt_pending);
}
END_TEST

START_TEST(a_thread_that_is_gone_cannot_be_armed)
{
	struct prf_regs regs;
	struct prf_error err;
	pid_t child = prf_traced_spinner(NULL, &regs);

	kill(child, SIGKILL);
	prf_traced_wait(child);
	process = (struct prf_process){.pid = child};
	task = (struct prf_task){
		.tid = child,
		.process = &process,
	};
	ck_assert_int_eq(trigger->ops->arm(trigger, &task, NULL, &err), -ESRCH);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("trigger_interrupt");
	TCase *tcase = tcase_create("trigger_interrupt");

	tcase_add_checked_fixture(tcase, set_up, tear_down);
	tcase_set_timeout(tcase, 30);
	tcase_add_test(tcase,
		       a_running_thread_is_stopped_and_charged_for_its_time);
	tcase_add_test(tcase, a_sleeping_thread_is_let_alone);
	tcase_add_test(
		tcase,
		the_tracer_does_not_wait_beside_a_thread_that_gives_no_way);
	tcase_add_test(tcase, a_stop_that_was_not_asked_for_is_not_ours);
	tcase_add_test(tcase, a_clock_behind_what_was_charged_makes_no_ticks);
	tcase_add_test(tcase, the_tracer_is_not_bound_to_a_processor_for_good);
	tcase_add_test(tcase,
		       a_stop_that_was_asked_for_before_is_still_to_come);
	tcase_add_test(tcase, a_thread_that_is_gone_cannot_be_armed);
	suite_add_tcase(suite, tcase);
	return suite;
}
