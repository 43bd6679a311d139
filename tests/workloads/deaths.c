/* deaths - takes CPU time, then ends in the way it is told.
 *
 *	deaths WAY [SECONDS [STATUS]]
 *
 * Takes SECONDS (0.1) of CPU time in before_death(), prints `cpu_seconds S` and
 * ends: by exit(), _exit() or return from main with STATUS (7); by SIGABRT, a
 * null pointer, SIGTERM or SIGKILL of itself; by pthread_exit() of the first
 * thread, after which another takes SECONDS in after_leader() and exits with
 * STATUS (leader) or execs itself as below (leader_exec); or by an exec of itself from its first or from another thread, after
 * which it takes SECONDS in after_exec() and exits with STATUS.  Leaves no core.
 * These ways print another line, `leader_seconds S` or `exec_seconds S`. */
#include "work.h"

#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>

struct order {
	char *program;
	uint64_t quota_ns;
	int status;
};

#define BURNER(name, seed)                                                     \
	static APART void name(uint64_t quota_ns)                              \
	{                                                                      \
		struct budget time = budget(quota_ns);                         \
                                                                               \
		while (is_left(&time))                                         \
			spend(50 * TURNS_PER_US, seed);                        \
	}
BURNER(before_death, 1)
BURNER(after_leader, 2)
BURNER(after_exec, 3)

static void
say_seconds(const char *name)
{
	printf("%s %.6f\n", name, seconds(process_ns()));
	fflush(stdout);
}

static int
by_return(struct order *order)
{
	return order->status;
}

static int
by_exit(struct order *order)
{
	exit(order->status);
}

static int
by__exit(struct order *order)
{
	_exit(order->status);
}

static int
by_abort(struct order *order)
{
	(void)order;
	abort();
}

static int
by_segv(struct order *order)
{
	int *volatile nowhere = NULL;

	(void)order;
	return *(volatile int *)nowhere;
}

static int
by_term(struct order *order)
{
	(void)order;
	return raise(SIGTERM);
}

static int
by_kill(struct order *order)
{
	(void)order;
	return raise(SIGKILL);
}

static void *
outlive_leader(void *arg)
{
	struct order *order = arg;

	after_leader(order->quota_ns);
	say_seconds("leader_seconds");
	exit(order->status);
}

static void
start(void *(*run)(void *), struct order *order)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, run, order))
		die("pthread_create");
}

static int
by_leader(struct order *order)
{
	start(outlive_leader, order);
	pthread_exit(NULL);
}

static int
by_exec(struct order *order)
{
	char way[] = "after_exec", quota[32], status[16];
	char *argv[] = {order->program, way, quota, status, NULL};

	snprintf(quota, sizeof quota, "%.6f", seconds(order->quota_ns));
	snprintf(status, sizeof status, "%d", order->status);
	execv("/proc/thread-self/exe", argv);
	die("execv");
	return 99;
}

static void *
exec_here(void *arg)
{
	by_exec(arg);
	return NULL;
}

static void *
outlive_and_exec(void *arg)
{
	struct order *order = arg;

	after_leader(order->quota_ns);
	say_seconds("leader_seconds");
	by_exec(order);
	return NULL;
}

static int
by_leader_exec(struct order *order)
{
	start(outlive_and_exec, order);
	pthread_exit(NULL);
}

/* The first thread is busy when another one takes its place. */
static int
by_thread_exec(struct order *order)
{
	start(exec_here, order);
	before_death(1000 * NS_PER_S);
	return 99;
}

static int
when_execed(struct order *order)
{
	after_exec(order->quota_ns);
	say_seconds("exec_seconds");
	return order->status;
}

static const struct {
	const char *name;
	int (*die)(struct order *order);
} ways[] = {
	{"return", by_return},
	{"exit", by_exit},
	{"_exit", by__exit},
	{"abort", by_abort},
	{"segv", by_segv},
	{"term", by_term},
	{"kill", by_kill},
	{"leader", by_leader},
	{"exec", by_exec},
	{"leader_exec", by_leader_exec},
	{"thread_exec", by_thread_exec},
};

int
main(int argc, char **argv)
{
	const struct rlimit no_core = {0, 0};
	const char *name = word(argc, argv, 1, "");
	static struct order order;

	order = (struct order){
		.program = argv[0],
		.quota_ns = number_ns(argc, argv, 2, 0.1),
		.status = (int)number(argc, argv, 3, 7),
	};
	if (!strcmp(name, "after_exec"))
		return when_execed(&order);
	setrlimit(RLIMIT_CORE, &no_core);
	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
		if (strcmp(ways[i].name, name))
			continue;
		before_death(order.quota_ns);
		say_seconds("cpu_seconds");
		return ways[i].die(&order);
	}
	usage(argv[0],
	      "return|exit|_exit|abort|segv|term|kill|leader|leader_exec|"
	      "exec|thread_exec [SECONDS [STATUS]]");
}
