#!/bin/sh
# prf_monitor writes through links, and into FIFOs and devices: what is there
# and is no regular file is still there afterwards.
set -eu
. "$abs_top_srcdir/tests/inproc/installed.sh"

compile monitored "$abs_top_srcdir/tests/inproc/monitored.c" || exit 1
mkdir elsewhere

# ends STATUS PATH HOW
ends() {
	status=0
	./monitored "$2" "$3" 2>messages || status=$?
	[ $status = "$1" ] && return
	cat messages >&2
	echo "$2 $3: status $status, not $1" >&2
	bad=1
}

# is WHAT-OF-TEST PATH
is() {
	test "$1" "$2" && return
	echo "not $1: $2" >&2
	bad=1
}

spins_in() {
	s=$(seconds in_parent monitored "$1")
	holds "in_parent in $1" "$s > 0.1 && $s < 0.3"
}

# No file is left beside PATH.
alone() {
	n=$(find . -path "./$1?*" | wc -l)
	holds "files beside $1" "$n == 0"
}

# says MESSAGE
says() {
	grep -q "$1" messages && return
	cat messages >&2
	echo "no '$1'" >&2
	bad=1
}

echo 'what was there' >behind
ln -s behind link
ends 0 link return
is -h link
is -f behind
spins_in behind
alone link
alone behind

ln -s begun dangling
ends 143 dangling term
is -h dangling
is -f begun
spins_in begun
alone dangling

ln -s nowhere/file lost
ends 3 lost now
says 'No such file'
is -h lost

mkfifo fifo
cat fifo >copy &
exec 9>fifo # waits for cat
ends 0 fifo return
exec 9>&-
wait
is -p fifo
spins_in copy
alone fifo

# Without a reader it does not wait for one.
ends 3 fifo now
says 'No such device or address'
is -p fifo

mkdir directory
ends 3 directory now
says 'Is a directory'

# As a full disk: no end of the process, and no half of a file.
echo 'what was there' >limited
ends 0 limited limit
ends 3 limited now_at_limit
says 'File too large'
holds limited "\"$(cat limited)\" == \"what was there\""
alone limited

# Our own: nobody else's device is put at risk.
if (mknod full c 1 7 && : >full) 2>mknod.err; then
	ends 3 full now
	says 'No space left'
	is -c full
	alone full
	ends 0 full return
	is -c full
	mknod null c 1 3
	ends 0 null now
	is -c null
	alone null
fi
exit "$bad"
