#!/bin/sh
# Kernel time outside of system calls: it is with the functions that ran, and one
# line says how much there is of it; unless samples are taken in the kernel, too.
# "what" is for complain, in measure.sh.
# shellcheck disable=SC2034
set -eu
. "$abs_top_srcdir/tests/cli/measure.sh"

# outside: seconds in no system call, 0 if the summary does not speak of them.
outside() { awk '$1 == "kernel" { s = $2 } END { print s + 0 }' err; }

# A program that enters the kernel for each page: most of its system time is in
# no call, and no more is told than there is.
for trigger in $(silent_triggers); do
	profile -F 250 --trigger="$trigger" "$workloads/faults" 1
	ends_with 0
	system=$(value system_seconds)
	if [ "$trigger" = ring ]; then
		[ "$(outside)" = 0 ] || complain "does not see: $(cat out err)"
		continue
	fi
	awk -v outside="$(outside)" -v kernel="$system" -v cpu="$(value cpu_seconds)" \
		'BEGIN { exit !(outside < 1.1 * kernel &&
			(outside > 0.3 * kernel || kernel < 0.5 * cpu)) }' ||
		complain "$(outside) s of $system s: $(cat out err)"
	share touch | awk '$1 < 50 { exit 1 }' || complain "touch: $(cat err)"
done

# In calls, and computing: there is none.
for program in 'syscalls 1' 'shares 1'; do
	# shellcheck disable=SC2086
	profile "$workloads/"$program
	[ "$(outside)" = 0 ] || complain "says: $(cat err)"
done
exit "$bad"
