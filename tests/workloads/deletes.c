/* deletes - deletes all timers, also those that it has not made.
 *
 *	deletes [SECONDS]
 *
 * As a program may that was given file descriptors, timers and the like by others:
 * deletes those with the ids 0 to 99, once, and takes SECONDS (1) of CPU
 * time in burn_deleting().  Prints
 *
 *	deleted N		timers that were there; 0
 *	cpu_seconds S */
#include "work.h"

static unsigned deleted;

static void
delete_all(void)
{
	for (int id = 0; id < 100; id++)
		deleted += !syscall(SYS_timer_delete, id);
}

static APART void
burn_deleting(uint64_t quota_ns)
{
	struct budget time = budget(quota_ns);

	while (is_left(&time))
		spend(100 * TURNS_PER_US, 2);
}

int
main(int argc, char **argv)
{
	uint64_t quota_ns = number_ns(argc, argv, 1, 1.0);

	delete_all();
	burn_deleting(quota_ns);
	printf("deleted %u\ncpu_seconds %.6f\n", deleted,
	       seconds(process_ns()));
	return 0;
}
