#!/bin/sh
# prf_monitor leaves a gmon.out however the process ends that it can know of;
# and a child leaves its own.
set -eu
. "$abs_top_srcdir/tests/inproc/installed.sh"

source=$abs_top_srcdir/tests/inproc/monitored.c
compile monitored "$source" -fPIE -pie || exit 1
compile monitored_at_fixed_address "$source" -fno-pie -no-pie || exit 1
mkdir elsewhere

# ends PROGRAM PATH HOW: with what status, unless a sanitizer has the signal
ends() {
	rm -f profile profile.* elsewhere/second gmon.out
	status=0
	# shellcheck disable=SC3045
	(ulimit -c 0 && exec "$@") 2>/dev/null || status=$?
	case $3:$status in
	segv:139 | thread:139 | cancelled:139 | abort:134 | int:130 | term:143 | small_stack:143) ;;
	segv:1 | thread:1 | cancelled:1 | abort:1) [ -n "${SAN_CFLAGS-}" ] ;;
	*:0) ;;
	*) false ;;
	esac && return
	echo "$*: status $status" >&2
	bad=1
}

# spins NAME FILE: it has the 0.2 s that were spent there
spins() {
	if [ ! -f "$2" ]; then
		echo "$how: no $2" >&2
		bad=1
		return
	fi
	s=$(seconds "$1" monitored "$2")
	holds "$how: $1 in $2" "$s > 0.1 && $s < 0.3"
}

# lacks NAME FILE
lacks() {
	s=$(seconds "$1" monitored "$2")
	holds "$how: $1 in $2" "$s == 0"
}

# files N: so many besides the first
files() {
	n=$(find . -name 'profile.*' | wc -l)
	holds "$how: files of children" "$n == $1"
}

for how in return idle_child segv abort int term now; do
	ends ./monitored profile $how
	[ -z "${SAN_CFLAGS-}" ] || [ $how != segv ] || continue
	spins in_parent profile
	files 0
done

how='at a fixed address'
ends ./monitored_at_fixed_address profile return
s=$(seconds in_parent monitored_at_fixed_address profile)
holds "$how" "$s > 0.1 && $s < 0.3"

how=NULL
ends ./monitored NULL return
spins in_parent gmon.out

how=thread
ends ./monitored profile thread
if [ -z "${SAN_CFLAGS-}" ]; then
	spins in_parent profile
	spins in_thread profile
fi

how=cancelled
ends ./monitored profile cancelled
[ -n "${SAN_CFLAGS-}" ] || spins in_parent profile

# It ends as it would have, by the signal and not in our handler.
[ -n "${SAN_CFLAGS-}" ] || ends ./monitored profile small_stack

how=vfork
ends ./monitored profile vfork
files 0
spins in_parent profile
spins in_second profile

how=fork
ends ./monitored profile fork
files 1
spins in_parent profile
lacks in_child profile
spins in_child profile.*
lacks in_parent profile.*

how=grandchild
ends ./monitored profile grandchild
files 2
spins in_parent profile
for name in in_child in_grandchild; do
	n=0
	for file in profile.*; do
		s=$(seconds $name monitored "$file")
		! awk "BEGIN { exit !($s > 0.1 && $s < 0.3) }" || n=$((n + 1))
	done
	holds "$how: files with $name" "$n == 1"
done

how=second
ends ./monitored profile second
spins in_parent profile
lacks in_second profile
spins in_second elsewhere/second
lacks in_parent elsewhere/second

how=replaced
ends ./monitored profile replaced
spins in_parent profile
lacks in_second profile

for how in _exit flush; do
	ends ./monitored profile $how
	n=$(find . -name 'profile*' | wc -l)
	holds "$how: files" "$n == 0"
done
exit "$bad"
