/* syscalls - CPU time in three system calls, and some outside of them.
 *
 *	syscalls [SECONDS]
 *
 * Takes SECONDS (1) of CPU time in short slices in random order: reads of
 * /dev/zero, getrandom(), getdents64() of /proc, and work in user mode.  The
 * functions are in_read, in_getrandom, in_getdents64 and in_user.  Prints the
 * share of each in the CPU time of the process, in percent, and that time:
 *
 *	read, getrandom, getdents64, user P
 *	cpu_seconds S */
#include "work.h"

#include <fcntl.h>
#include <sys/random.h>

static char buffer[1 << 20];

static APART void
in_read(int fd)
{
	if (read(fd, buffer, sizeof buffer) < 0)
		die("read");
}

static APART void
in_getrandom(int fd)
{
	(void)fd;
	if (getrandom(buffer, 16384, 0) < 0)
		die("getrandom");
}

/* The directory from its beginning, as much as the buffer takes. */
static APART void
in_getdents64(int fd)
{
	if (lseek(fd, 0, SEEK_SET) < 0 ||
	    syscall(SYS_getdents64, fd, buffer, sizeof buffer) < 0)
		die("getdents64");
}

static APART void
in_user(int fd)
{
	spend(30 * TURNS_PER_US, (uint64_t)fd);
}

struct part {
	const char *name;
	void (*work)(int fd);
	const char *path; /* what it works on */
	int fd;
	uint64_t ns; /* of CPU time, so far */
};

int
main(int argc, char **argv)
{
	struct part parts[] = {
		{"read", in_read, "/dev/zero", -1, 0},
		{"getrandom", in_getrandom, NULL, -1, 0},
		{"getdents64", in_getdents64, "/proc", -1, 0},
		{"user", in_user, NULL, -1, 0},
	};
	const size_t n_parts = sizeof parts / sizeof *parts;
	uint64_t random = 88172645463, then, end, all_ns;

	for (size_t i = 0; i < n_parts; i++) {
		if (!parts[i].path)
			continue;
		parts[i].fd = open(parts[i].path, O_RDONLY);
		if (parts[i].fd < 0)
			die(parts[i].path);
	}
	then = thread_ns();
	end = then + number_ns(argc, argv, 1, 1.0);
	while (then < end) {
		struct part *part = &parts[draw(&random) % n_parts];
		uint64_t now;

		for (uint64_t times = 1 + draw(&random) % 8; times; times--)
			part->work(part->fd);
		now = thread_ns();
		part->ns += now - then;
		then = now;
	}
	all_ns = process_ns();
	for (size_t i = 0; i < n_parts; i++)
		printf("%s %.3f\n", parts[i].name,
		       percent(parts[i].ns, all_ns));
	printf("cpu_seconds %.6f\n", seconds(all_ns));
	return 0;
}
