#!/bin/sh
# What cannot be written to its end is told in one line, the status is 125, and
# nothing is left of it.
# "what" is for complain, in measure.sh.
# shellcheck disable=SC2034
set -eu
. "$abs_top_srcdir/tests/cli/measure.sh"

profile -q -F 1000 -f pcsample -o trace "$workloads/shares" 0.05
ends_with 0

# fails NAME WORDS...: profrun WORDS cannot finish NAME, and names it.
fails() {
	name=$1
	shift
	what="profrun $*"
	# Without its signal, a file that is too long is an error like others; what
	# is said goes through a pipe, which is no file.
	{
		status=0
		(trap '' XFSZ && exec prlimit --fsize="$most" "$PROFRUN" "$@") \
			2>&1 >/dev/null || status=$?
		echo "status $status"
	} | cat >err
	grep -qx 'status 125' err || complain "ends otherwise: $(cat err)"
	[ "$(grep '^profrun: ' err | grep -vc '^profrun: warning: ')" = 1 ] ||
		complain "says not one line: $(cat err)"
	grep -q "^profrun: .*$name" err || complain "does not say what: $(cat err)"
}

# Nothing is left of the file.
leaves_nothing() {
	left=$(find . -name 'left*' -o -name '.profrun*')
	[ -z "$left" ] || complain "leaves $left"
}

most=unlimited
if [ -w full ]; then
	for format in gmon raw; do
		fails full export -f $format -o full trace
	done
	for format in text samples; do
		fails 'No space left' export -f $format -o full trace
		what="profrun export -f $format to a full standard output"
		status=0
		"$PROFRUN" export -f $format trace >full 2>err || status=$?
		ends_with 125
	done
fi
for format in gmon raw text samples json; do
	most=unlimited
	fails nowhere export -f $format -o nowhere/left trace
	leaves_nothing
done
for format in gmon text samples json; do
	most=4
	fails 'too large' export -f $format -o left trace
	leaves_nothing
done

most=4
fails left merge -o left trace
leaves_nothing

# Samples are in their file as they come.  They fit, and the mappings beside
# them do not.
"$PROFRUN" export -q -f raw -o raw trace
most=$(wc -c <raw)
[ "$(wc -c <raw.maps)" -gt "$most" ] ||
	skip 'there are more samples than mappings'
fails left.maps export -f raw -o left trace
fails left.maps -q -f raw -o left "$workloads/deaths" exit 0.02 0
exit "$bad"
