#!/bin/sh
# Each option does what the manual says of it.
set -eu
. "$abs_top_srcdir/tests/cli/measure.sh"
command -v gprof >/dev/null || exit 77

# between LOW HIGH VALUE
# has_rate LOW HIGH [CLOCK]: are there so many ticks in a second of CPU time, or of
# what else the program says?
has_rate() {
	rate_seconds=$(if [ $# = 3 ]; then value "$3"; else own_seconds; fi)
	rate_found=$(sum ticks "$(ticks)" |
		quotient "$(sum seconds "$rate_seconds")")
	echo "$what: $rate_found ticks a second"
	is_between "$1" "$2" "$rate_found"
}

# -F and -i: that many ticks for each second of CPU time (some less on a machine
# that is very busy, where the end of the run is seen late).
has_rate_of_option() {
	profile -F "$1" "$workloads/shares" 1
	has_rate "$(($1 * 70 / 100 - 2))" "$(($1 * 110 / 100 + 2))"
}
for rate in 10 50 250 1000 4000; do once_more has_rate_of_option $rate; done
has_rate_of_interval() {
	profile -i 4ms "$workloads/shares" 0.5
	has_rate 170 275
}
once_more has_rate_of_interval
gprof -b -p "$workloads/shares" gmon.out | grep -q 'counts as 0.004 seconds' ||
	complain 'gprof says another rate'

# What stands before record is of the run, too.
what='profrun -g record'
profile -q -g record "$workloads/shares" 0.3
ends_with 0
"$PROFRUN" report --tree >out 2>err || complain "has no stacks: $(cat err)"

# --trigger: both find the shares; the summary says which it was.
for trigger in timer interrupt; do
	right_by_trigger() {
		profile --trigger=$trigger -F 250 "$workloads/shares" 0.8
		ends_with 0
		are_near shares one two three four
	}
	once_more right_by_trigger
done

# --clock=user: no ticks for the kernel's time.
profile --clock=user dd if=/dev/zero of=/dev/null bs=1M count=4000
is_between 0 20 "$(ticks)" || complain "$(ticks) ticks in system calls"
# (The kernel has user time in whole ticks of its own; where its processor was
# taken from it for a while, whoever runs then is given those that it missed.)
has_user_ticks() {
	profile --clock=user "$workloads/shares" 1
	has_rate 70 120 user_seconds
}
once_more has_user_ticks
profile --clock=cpu dd if=/dev/zero of=/dev/null bs=1M count=5000
share read '[kernel]' >kernel
is_between 50 100 "$(cat kernel)" || complain "$(cat kernel) % in read"

# --split: a file for each object, each read by gprof alone, the sum is all.
profile --split -o prof "$workloads/dlopened" \
	"$workloads/.libs/in_first.so" "$workloads/.libs/in_second.so" 1
ends_with 0
[ ! -e prof ] || complain 'also writes one for all'
sum=0
for file in prof.*; do
	case $file in
	*.syms) continue ;;
	prof.dlopened) image=$workloads/dlopened ;;
	prof.in_*) image=$workloads/.libs/${file#prof.} ;;
	*) continue ;;
	esac
	gprof -b -p "$image" "$file" >flat 2>gprof.err ||
		complain "gprof of $file: $(cat gprof.err)"
	gprof -b -p -S "$file.syms" "$image" "$file" >flat.syms 2>gprof.err ||
		complain "gprof -S of $file: $(cat gprof.err)"
	case $file in
	prof.in_*)
		name=${file#prof.}
		grep -q " ${name%.so}\$" flat || complain "$file has no ${name%.so}"
		;;
	esac
	hundredths=$(awk '$1 ~ /^[0-9.]+$/ && NF >= 3 { s += $3 } END { printf "%d", s * 100 + 0.5 }' flat.syms)
	sum=$((sum + hundredths))
done
is_between "$(($(ticks) - 10))" "$(ticks)" "$sum" ||
	complain "files have $sum of $(ticks) ticks"

# -v: every tick is accounted for, and nothing that is not there.
profile -v "$workloads/threads" 4 0.2
for row in 'ticks in the profile' 'samples they came with' 'process' 'threads'; do
	grep -q "^ *[1-9][0-9]*  $row\$" err || complain "no row '$row': $(cat err)"
done
! grep '^ *0  ' err || complain 'has rows of 0'
exit "$bad"
