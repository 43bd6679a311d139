/* blocked - threads asleep in every system call one can sleep in.
 *
 *	blocked [SECONDS [BURNERS]]
 *
 * A thread for each wait of the tables in blocked_*.c sits in it while BURNERS
 * (1) other threads take CPU time for SECONDS (0.5) of wall time.  Nothing
 * happens that these threads wait for and nobody sends a signal, so none may
 * wake.  Prints for each wait, and the sums:
 *
 *	eintr NAME N	times the wait ended with EINTR; 0
 *	returned NAME ERROR	instead, if it ended otherwise; never
 *	refused NAME ERROR	instead, if the machine does not allow it
 *	calls total N	waits, with those refused
 *	asleep total N	of these asleep at the end; calls - refused
 *	refused total N
 *	returned total N	0
 *	eintr total N	0 */
#include "blocked.h"

#include "task.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>

#define MOST 128
#define PATIENCE_NS (20 * NS_PER_S)

int
seat_needs(struct seat *seat, int result)
{
	if (result < 0) {
		seat->refused = errno;
		pthread_exit(NULL);
	}
	return result;
}

int
seat_leaves(struct seat *seat, int left, void (*remove)(int left))
{
	if (seat_needs(seat, left) >= 0) {
		seat->left = left;
		seat->remove = remove;
	}
	return left;
}

int
seat_again(struct seat *seat, long result)
{
	int code = result < 0 ? errno : 0;

	if (code == EINTR) {
		seat->eintr++;
		return 1;
	}
	if (code == ENOSYS || code == EPERM || code == EACCES)
		seat->refused = code;
	else
		seat->returned = code ? code : -1;
	return 0;
}

static void *
run_seat(void *arg)
{
	struct seat *seat = arg;

	seat->tid = syscall(SYS_gettid);
	seat->place->sit(seat);
	return NULL;
}

static size_t
seat_all(struct seat seats[MOST], const struct place *place, size_t n)
{
	for (; place->name; place++, n++) {
		pthread_t thread;

		if (n == MOST)
			die("too many places");
		seats[n].place = place;
		if (pthread_create(&thread, NULL, run_seat, &seats[n]))
			die("pthread_create");
		pthread_detach(thread);
	}
	return n;
}

static int
is_asleep(const struct seat *seat)
{
	return seat->tid && !seat->refused && !seat->returned &&
	       task_is_asleep(seat->tid);
}

/* Waits for each to be asleep, or refused; the number of those asleep. */
static unsigned
let_settle(const struct seat *seats, size_t n)
{
	uint64_t limit = wall_ns() + PATIENCE_NS;
	unsigned asleep = 0;

	for (size_t i = 0; i < n; i++) {
		while (!is_asleep(&seats[i]) && !seats[i].refused &&
		       !seats[i].returned && wall_ns() < limit)
			sched_yield();
		asleep += (unsigned)is_asleep(&seats[i]);
	}
	return asleep;
}

static void *
burn(void *end_ns)
{
	while (wall_ns() < *(uint64_t *)end_ns)
		spend(100 * TURNS_PER_US, 1);
	return NULL;
}

static void
burn_with(unsigned n, uint64_t end_ns)
{
	pthread_t burners[MOST];

	for (unsigned i = 0; i < n; i++) {
		if (pthread_create(&burners[i], NULL, burn, &end_ns))
			die("pthread_create");
	}
	for (unsigned i = 0; i < n; i++)
		pthread_join(burners[i], NULL);
}

static void
report(const struct seat *seats, size_t n, unsigned asleep)
{
	unsigned refused = 0, returned = 0, eintr = 0;

	for (size_t i = 0; i < n; i++) {
		const struct seat *seat = &seats[i];
		const char *name = seat->place->name;

		refused += seat->refused != 0;
		returned += seat->returned != 0;
		eintr += seat->eintr;
		if (seat->refused)
			printf("refused %s %d\n", name, seat->refused);
		else if (seat->returned)
			printf("returned %s %d\n", name, seat->returned);
		else
			printf("eintr %s %u\n", name, seat->eintr);
	}
	printf("calls total %zu\nasleep total %u\n", n, asleep);
	printf("refused total %u\nreturned total %u\neintr total %u\n", refused,
	       returned, eintr);
}

int
main(int argc, char **argv)
{
	static struct seat seats[MOST];
	uint64_t quota_ns = number_ns(argc, argv, 1, 0.5);
	unsigned n_burners = (unsigned)number(argc, argv, 2, 1);
	sigset_t waited_for;
	size_t n;

	if (n_burners > MOST)
		usage(argv[0], "[SECONDS [BURNERS<=128]]");
	/* Those that the waits for signals name; nobody sends them. */
	sigemptyset(&waited_for);
	for (int i = 0; i < 5; i++)
		sigaddset(&waited_for, SIGRTMIN + i);
	sigprocmask(SIG_BLOCK, &waited_for, NULL);

	n = seat_all(seats, blocked_times, 0);
	n = seat_all(seats, blocked_files, n);
	n = seat_all(seats, blocked_sockets, n);
	n = seat_all(seats, blocked_others, n);
	let_settle(seats, n);
	burn_with(n_burners, wall_ns() + quota_ns);
	report(seats, n, let_settle(seats, n));
	/* Those that are asleep end with the process. */
	for (size_t i = 0; i < n; i++) {
		if (seats[i].remove)
			seats[i].remove(seats[i].left);
	}
	return 0;
}
