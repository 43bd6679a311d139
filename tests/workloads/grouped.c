/* grouped - becomes a program that is in very many groups.
 *
 *	grouped N PROGRAM [ARG...]
 *
 * PROGRAM runs with N supplementary groups of seven digits each, which makes
 * /proc/PID/status as long as 8 N bytes.  77: that is not allowed here. */
#include "work.h"

#include <grp.h>

enum { FIRST = 1000000, MOST = 65536 };

int
main(int argc, char **argv)
{
	static gid_t groups[MOST];
	size_t n = (size_t)number(argc, argv, 1, 0);

	if (argc < 3 || n > MOST)
		usage(argv[0], "N PROGRAM [ARG...]");
	for (size_t i = 0; i < n; i++)
		groups[i] = FIRST + (gid_t)i;
	if (setgroups(n, groups)) {
		perror("setgroups");
		return 77;
	}
	execvp(argv[2], argv + 2);
	die(argv[2]);
}
