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

# The same of every format, of the list, and of what is beside raw samples; a program
# that holds the FIFO need not read.
mkfifo held
exec 3<>held
# moves OPTIONS NAME LEFT: the program puts the FIFO at LEFT.
moves() {
	rm -f x x.*
	# shellcheck disable=SC2086
	profile $1 -o x timeout -s KILL 60 sh -c \
		'rm -f "$1"; ln held "$1"; exec "$2" 0.2' sh "$3" "$workloads/shares"
	ends_with 0
	[ "$(grep -c "$3: is no file any more, and is left alone; the profile is $2.profrun" err)" = 1 ] ||
		complain "says: $(cat err)"
	[ -p "$3" ] || complain "$3 is replaced"
	[ -s "$2.profrun" ] || complain "no $2.profrun: $(ls)"
}
for format in pprof folded flame callgrind json; do
	moves "-f $format" x x
done
for list in x x.syms; do
	moves '' x $list
	[ "$(ticks_of x.profrun)" -gt 0 ] || complain 'no ticks'
	[ -s x.profrun.syms ] || complain 'no list'
	answers
done
[ ! -e x ] || complain 'a profile without its list'
# The first of several is told; all are there.
rm -f x x.*
profile -f flame,folded -o x sh -c 'for file in x.html x.folded; do
	ln held $file; done; "$1" 0.2' sh "$workloads/shares"
ends_with 0
grep -q '^profrun: warning: x.*; so it is with 1 more file$' err ||
	complain "says: $(cat err)"
[ -s x.html.profrun ] && [ -s x.folded.profrun ] || complain "only $(echo x*)"
# A directory, and one more in the way of what would be instead.
rm -f x x.*
profile -f pprof -o x sh -c 'mkdir x; ln held x.profrun; "$1" 0.2' sh \
	"$workloads/shares"
ends_with 0
[ -s x.profrun.1 ] || complain "leaves $(echo x*): $(cat err)"
rmdir x
# Of each binary.
rm -f x x.*
profile --split -o x sh -c 'ln held x.shares; ln held x.libc.so.6.syms; "$1" 0.2' \
	sh "$workloads/shares"
ends_with 0
[ -s x.shares.profrun ] && [ -s x.shares.profrun.syms ] ||
	complain "leaves $(echo x*): $(cat err)"
# A FIFO that was there is meant, also if it is gone by then.
rm -f x x.*
mkfifo x
cat x >taken &
reader=$!
profile -f folded -o x "$workloads/shares" 0.2
ends_with 0
wait "$reader" || :
[ -s taken ] && ! grep -q 'left alone' err || complain "says: $(cat err)"
profile -f folded -o x sh -c 'rm x; "$1" 0.2' sh "$workloads/shares"
ends_with 0
[ -f x ] && [ -s x ] || complain "leaves $(echo x*): $(cat err)"
exec 3>&-
rm -f x x.* held taken

# --- profrun is killed in a long run: what was saved is a profile.
what='a run that is killed'
rm -f gmon.*
begin=$(date +%s)
"$PROFRUN" "$workloads/shares" 600 >out 2>err &
profrun=$!
await [ -e gmon.out ] || :
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
