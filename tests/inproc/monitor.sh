#!/bin/sh
# prf_monitor leaves a gmon.out however the process ends that it can know of;
# and a child leaves its own.
set -eu
. "$abs_top_srcdir/tests/inproc/installed.sh"

cat >program.c <<'END'
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <profrun/monitor.h>

extern char __executable_start[], etext[];

static volatile unsigned long sink;

#define SPIN(name, hundredths)                                                     \
	__attribute__((noinline)) static void name(void)                       \
	{                                                                      \
		clock_t end = clock() + CLOCKS_PER_SEC * hundredths / 100;       \
		while (clock() < end)                                          \
			for (int i = 0; i < 100000; i++)                       \
				sink += i;                                     \
	}
SPIN(in_parent, 20)
SPIN(in_child, 20)

int
main(int argc, char **argv)
{
	const char *how = argv[1];

	(void)argc;
	if (prf_monitor(__executable_start, etext, "profile") < 0) {
		perror("prf_monitor");
		return 2;
	}
	if (chdir("/") < 0)
		return 2;
	in_parent();
	if (strcmp(how, "fork") == 0) {
		if (fork() == 0) {
			in_child();
			exit(0);
		}
		wait(NULL);
	}
	if (strcmp(how, "idle_child") == 0) {
		if (fork() == 0)
			exit(0);
		wait(NULL);
	}
	if (strcmp(how, "segv") == 0)
		*(volatile int *)8 = 1;
	if (strcmp(how, "abort") == 0)
		abort();
	if (strcmp(how, "term") == 0)
		kill(getpid(), SIGTERM);
	if (strcmp(how, "_exit") == 0)
		_exit(0);
	if (strcmp(how, "now") == 0) {
		if (prf_monitor(NULL, NULL, NULL) < 0)
			return 3;
		_exit(0);
	}
	return 0;
}
END
for pie in -pie -no-pie; do
	case $pie in
	-pie) code=-fPIE ends='exit fork idle_child segv abort term now' ;;
	*) code=-fno-pie ends=exit ;;
	esac
	compile program program.c $code $pie || exit 1
	for how in $ends; do
		rm -f profile profile.*
		# The status of a crash is the crash's; that there was none of
		# our own making (2, 3) is what counts.
		status=0
		# shellcheck disable=SC3045
		(ulimit -c 0 && exec ./program $how) 2>/dev/null || status=$?
		case $how:$status in
		segv:139 | abort:134 | term:143) ;;
		segv:1 | abort:1) ;; # a sanitizer's
		*:0) ;;
		*)
			echo "$pie $how: status $status" >&2
			bad=1
			;;
		esac
		[ -z "${SAN_CFLAGS-}" ] || [ $how != segv ] || continue
		if [ ! -e profile ]; then
			echo "$pie $how: no profile" >&2
			bad=1
			continue
		fi
		s=$(seconds in_parent program profile)
		holds "$pie $how" "$s > 0.1 && $s < 0.3"
		n=$(find . -name 'profile.*' | wc -l)
		case $how in
		fork) holds "$pie $how: files of children" "$n == 1" ;;
		*) holds "$pie $how: files of children" "$n == 0" ;;
		esac
	done
done
rm -f profile profile.*
./program fork
s=$(seconds in_child program profile.*)
holds "the child's own" "$s > 0.1 && $s < 0.3"
s=$(seconds in_parent program profile.*)
holds "the parent's in the child's" "$s == 0"
rm -f profile profile.*
./program _exit
if [ -e profile ]; then
	echo "_exit writes a profile" >&2
	bad=1
fi
exit "$bad"
