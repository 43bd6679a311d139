#!/bin/sh
# --kernel: the kernel's own functions, in tables, stacks, traces and gmon.syms;
# where they cannot be had, one line says so, and the program is profiled.
# "what" is for complain, in measure.sh.
# shellcheck disable=SC2034
set -eu
. "$abs_top_srcdir/tests/cli/measure.sh"

# Together with what makes no sense.
for option in --clock=user --trigger=timer --split; do
	what="profrun --kernel $option"
	status=0
	"$PROFRUN" --kernel "$option" touch ran 2>err || status=$?
	ends_with 125
	[ ! -e ran ] || complain 'has run the program'
	grep -q '^profrun: --kernel: ' err || complain "says: $(cat err)"
done

# Refused, and hidden from whoever may not see the kernel.
what='profrun --kernel, refused'
status=0
"$abs_top_builddir/tests/support/refusing" perf_event_open \
	"$PROFRUN" --kernel "$workloads/shares" 0.3 >out 2>err || status=$?
if [ "$status" != 77 ]; then
	ends_with 0
	grep -q '^profrun: warning: --kernel: .*ring: ' err ||
		complain "says: $(cat err)"
fi
status=0
if ! grep -q '[1-9a-f].* [tT] ' /proc/kallsyms; then
	profile --kernel "$workloads/shares" 0.1
	ends_with 0
	grep -q '^profrun: warning: --kernel: /proc/kallsyms: ' err ||
		complain "does not say that names are hidden: $(cat err)"
	exit "$bad"
fi
silent_triggers | grep -qx ring || exit "$bad"

# in_kernel: the names that [kernel] has in the table, those that are whole, and are
# not profrun's own for what no sample can fall in.
in_kernel() {
	awk '$3 == ".." && $7 == "[kernel]" && $6 !~ /[.][.][.]/ &&
		$6 !~ /^(switching|ending|execve)$/ { print $6 }' err
}
# are_functions: what stands there is a function, and not a system call.
are_functions() {
	cut -d ' ' -f 3 /proc/kallsyms | cut -f 1 | sort -u >functions
	in_kernel | sort >found
	[ -s found ] || complain "has no function of the kernel: $(cat err)"
	[ "$(comm -23 found functions | wc -l)" = 0 ] ||
		complain "no functions: $(comm -23 found functions)"
}
profile --kernel --full-names -F 1000 "$workloads/faults" 0.5
ends_with 0
are_functions
profile --kernel --full-names -F 1000 -f gmon,pcsample "$workloads/syscalls" 0.5
ends_with 0
are_functions

# gprof and a trace have the same ones.
name=$(in_kernel | head -n 1)
grep -q "\[kernel\]:$name\$" gmon.syms || complain "$name: not in gmon.syms"
gprof -S gmon.syms -b -p "$workloads/syscalls" gmon.out >flat 2>&1 ||
	complain "gprof: $(cat flat)"
grep -qF "[kernel]:$name" flat || complain "$name: $(cat flat)"
"$PROFRUN" report -n 200 profrun.trace >report
grep -q " $name *\[kernel\]" report || complain "$name: $(cat report)"
"$PROFRUN" export -f samples -o - profrun.trace >samples
grep -q "\"kernel\": *\[" samples || complain 'the samples have no function'

# Stacks: the program's, the system call, and what it calls.
profile -g --kernel -F 1000 -f folded "$workloads/syscalls" 0.5
ends_with 0
grep -q ';read;.*vfs_read' profrun.folded ||
	complain "no way into the kernel: $(cat profrun.folded)"
exit "$bad"
