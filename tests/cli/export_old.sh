#!/bin/sh
# export keeps what has the name of its file already, as FILE.old.
# "what" is for complain, in measure.sh.
# shellcheck disable=SC2034
set -eu
. "$abs_top_srcdir/tests/cli/measure.sh"

profile -q -f pcsample "$workloads/shares" 0.2
ends_with 0
mkdir two
cp profrun.trace two/profrun.trace
cd two

# export_twice FILE OPTION...: the first FILE is there afterwards, with another
# name.
export_twice() {
	file=$1
	shift
	what="export $*"
	echo precious >"$file"
	"$PROFRUN" export -q "$@" profrun.trace || complain "fails"
	[ "$(cat "$file.old")" = precious ] || complain "$file.old: $(cat "$file.old")"
	grep -q precious "$file" && complain "$file is the old one"
	"$PROFRUN" export -q "$@" profrun.trace || complain "fails again"
	cmp -s "$file" "$file.old" || complain "$file is not as the one before"
}
export_twice text -f text -o text
export_twice x.json -f samples -o x.json
export_twice pcsamples.raw -f raw
# What was mapped belongs to the samples.
cmp -s pcsamples.raw.maps pcsamples.raw.old.maps || complain 'keeps no mappings'
export_twice gmon.out
# The old one has its list.
what='report of the old gmon.out'
"$PROFRUN" report gmon.out.old >out 2>err || complain "$(cat err)"
grep -q ' four ' out || complain "$(cat out)"

# A device is no file to be kept.
ln -s /dev/null null
"$PROFRUN" export -q -f text -o null profrun.trace
[ ! -e null.old ] || complain 'keeps a device'
# What was made read-only is kept where it is (but root may write all), the older one,
# too.
if [ "$(id -u)" != 0 ]; then
	what='export beside what is read-only'
	for format in gmon text folded; do
		rm -f kept*
		echo new >kept
		echo old >kept.old
		chmod 444 kept.old
		status=0
		"$PROFRUN" export -f $format -o kept profrun.trace 2>err ||
			status=$?
		ends_with 125
		grep -q 'kept: cannot be kept as kept.old: Permission denied' err ||
			complain "-f $format: $(cat err)"
		[ "$(cat kept kept.old)" = "new
old" ] || complain "-f $format: replaces it"
	done
	what='export to what is read-only'
	for format in text samples folded; do
		rm -f kept*
		echo kept >kept
		chmod 444 kept
		status=0
		"$PROFRUN" export -f $format -o kept profrun.trace 2>err ||
			status=$?
		ends_with 125
		[ "$(cat err)" = 'profrun: kept: Permission denied' ] ||
			complain "-f $format: $(cat err)"
		[ "$(cat kept)" = kept ] && [ ! -e kept.old ] ||
			complain "-f $format: replaces it"
	done
fi
# What fails leaves all as it was.
"$PROFRUN" export -f text -o text nosuch 2>/dev/null && complain 'reads nothing'
cmp -s text text.old || complain 'replaces the old one in vain'
exit "$bad"
