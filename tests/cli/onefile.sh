#!/bin/sh
# One run, one gmon.out: of a pipeline, of a pool of workers, beside the one that
# a program writes by itself, and of a run that is killed.  Each command that the
# summary prints can be pasted into a shell, and answers with all ticks.
# "what" is for complain, in measure.sh.
# shellcheck disable=SC2034
set -eu
. "$abs_top_srcdir/tests/cli/measure.sh"
command -v gprof >/dev/null || exit 77

# ticks_of GMON [BINARY]: all ticks in it, or those of the binary at that path.
ticks_of() {
	"$PROFRUN" report --csv -s binary "$1" | awk -F, -v name="${2-}" '
		NR > 1 && (name == "" || index($0, "\"" name "\"")) { n += $1 }
		END { print n + 0 }'
}

# has_one_file: the run has left that and its list, and nothing else.
has_one_file() {
	[ "$(echo gmon.*)" = 'gmon.out gmon.syms' ] ||
		complain "leaves $(echo gmon.*)"
}

# answers: each command of the summary gives a table: that with -S of the whole
# run, the plain one of its program.
answers() {
	sed -nE 's/^  (gprof [^#]*[^# ])( *#.*)?$/\1/p' err >commands
	grep -q -e ' -S ' commands || complain "no command: $(cat err)"
	while read -r command; do
		sh -c "$command" >table 2>gprof.err ||
			complain "$command: $(cat gprof.err)"
		found=$(hundredths <table)
		all=$(ticks)
		case $command in
		*' -S '*) wanted=$all most=$all ;;
		*)
			set -f
			# shellcheck disable=SC2086
			set -- $command
			set +f
			wanted=$(ticks_of "$5" "$(readlink -f "$4")")
			[ "$wanted" -ge "$((all / 25))" ] ||
				complain "$command is not worth it: $wanted"
			# Without a list gprof gives the program's last symbol
			# what lies behind it, of other binaries, too.
			most=$all
			;;
		esac
		[ "$found" -ge "$wanted" ] && [ "$found" -le "$most" ] ||
			complain "$command: $found of $wanted ticks"
	done <commands
}

# --- A pipeline.
profile sh -c '"$0" 0.5 | "$1" 0.5 >/dev/null; :' "$workloads/shares" \
	"$workloads/syscalls"
ends_with 0
has_one_file
answers
for name in four in_user; do
	grep -q " $name\$" table || gprof -b -p -S gmon.syms \
		"$workloads/shares" gmon.out | grep -q " $name\$" ||
		complain "no $name in gmon.out: $(cat err)"
done

# A program that has hardly a tick is not offered for a plain reading; one that
# was asked for and has its part, is.
profile "$workloads/shares" 0.5
[ "$(grep -c '^  gprof' err)" = 2 ] || complain "not two commands: $(cat err)"
answers
profile sh -c '"$0" 0.5; :' "$workloads/shares"
answers

# --- A pool of workers.
if command -v python3 >/dev/null &&
	python3 -c 'import multiprocessing' 2>/dev/null; then
	cat >pool.py <<'END'
import multiprocessing


def work(n):
    total = 0
    for i in range(n):
        total += i * i
    return total


if __name__ == "__main__":
    with multiprocessing.Pool(3) as pool:
        pool.map(work, [2000000] * 6)
END
	profile python3 pool.py
	ends_with 0
	has_one_file
	answers
	[ "$(awk '/ticks  processes  program$/ { inside = 1; next }
		inside && /python/ { print $6; exit }' err)" -ge 3 ] ||
		complain "not three workers with ticks: $(cat err)"
fi

# --- A name that a shell would take apart.
mkdir 'a dir'
cp "$workloads/shares" "a dir/it's \$0"
profile --trigger=timer -o 'a dir/x y.out' "a dir/it's \$0" 0.3
ends_with 0
sed -nE 's/^  (gprof [^#]*[^# ])( *#.*)?$/\1/p' err >commands
[ "$(grep -c . commands)" = 2 ] || complain "commands: $(cat err)"
while read -r command; do
	found=$(sh -c "$command" 2>gprof.err | hundredths)
	# The plain one has not what is in libc or the kernel.
	is_between "$(($(ticks) - 5))" "$(ticks)" "$found" ||
		complain "$command: $found: $(cat gprof.err)"
done <commands
rm -r 'a dir'

# --- A program that writes a gmon.out of its own.
cat >own.c <<'END'
volatile long count;
__attribute__((noinline)) void work(long n) { while (n--) count += n; }
int main(void) { work(200000000L); }
END
if ${CC:-cc} -pg -O1 -o own own.c 2>/dev/null && ./own && [ -e gmon.out ]; then
	for before in nothing old; do
		profile ./own
		ends_with 0
		[ "$before" = nothing ] || {
			cp mine gmon.out
			"$PROFRUN" ./own >out 2>err || complain 'fails'
		}
		[ "$(grep -c 'gmon.out: was written by something else' err)" = 1 ] ||
			complain "says: $(cat err)"
		gprof -b -q own gmon.out | grep -q 'work' ||
			complain "$before: gmon.out is not the program's"
		[ ! -e gmon.syms ] || complain "$before: it has a list"
		answers
		grep -q 'gmon\.out\.profrun' commands ||
			complain "commands: $(cat commands)"
		mv gmon.out mine
	done
	# It is left alone by others, too, and theirs is replaced.
	cp mine gmon.out
	for time in 1 2; do
		"$PROFRUN" "$workloads/shares" 0.2 >out 2>err ||
			complain "run $time fails"
		cmp gmon.out mine || complain "run $time changes another's gmon.out"
		answers
	done
	[ "$(echo gmon.*)" = 'gmon.out gmon.out.profrun gmon.out.profrun.syms' ] ||
		complain "leaves $(echo gmon.*)"
fi

# --- The program puts a FIFO, or a link to a file of the user's, there.
for kind in 'mkfifo gmon.out' 'ln -s precious gmon.out'; do
	what=$kind
	rm -f gmon.*
	echo old >precious
	profile sh -c '$1; "$2" 0.2' sh "$kind" "$workloads/shares"
	ends_with 0
	[ "$(grep -c 'profile is gmon.out.profrun' err)" = 1 ] ||
		complain "says: $(cat err)"
	[ "$(cat precious)" = old ] || complain 'writes through the link'
	[ "$(ticks_of gmon.out.profrun)" -gt 0 ] || complain 'no ticks'
done

# --- profrun is killed in a long run: what was saved is a profile.
what='a run that is killed'
rm -f gmon.*
begin=$(date +%s)
"$PROFRUN" "$workloads/shares" 600 >out 2>err &
profrun=$!
tries=0
until [ -e gmon.out ] || [ $tries = 600 ]; do
	sleep 0.2
	tries=$((tries + 1))
done
kill -KILL "$profrun"
wait "$profrun" 2>/dev/null || :
has_one_file
[ "$(($(date +%s) - begin))" -ge 9 ] || complain 'was saved before its time'
# However busy the machine was, the program had a tenth of a processor.
saved=$(ticks_of gmon.out)
[ "$saved" -ge 100 ] || complain "only $saved ticks were saved"
gprof -b -p "$workloads/shares" gmon.out >table 2>gprof.err ||
	complain "gprof: $(cat gprof.err)"
grep -q ' four$' table || complain "no table: $(cat table)"
[ "$(gprof -b -p -S gmon.syms "$workloads/shares" gmon.out | hundredths)" = \
	"$saved" ] || complain "gprof does not see $saved ticks"
exit "$bad"
