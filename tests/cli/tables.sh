#!/bin/sh
# The tables as a person sees them: their width, names, characters and colours.
# "what" is for complain, in measure.sh.
# shellcheck disable=SC2034
set -eu
. "$abs_top_srcdir/tests/cli/measure.sh"
typed=$abs_top_builddir/tests/support/typed
CC=${CC:-cc}

cat >named.c <<'END'
#include <stdlib.h>
#include <time.h>
void work(long n) __asm__("_ZN5space4workISt6vectorIiSaIiEEEEvT_");
volatile long count;
__attribute__((noinline)) void work(long n) { while (n--) count += n; }
int main(int argc, char **argv)
{
	clock_t end = argc > 1 ? strtod(argv[1], NULL) * CLOCKS_PER_SEC : 0;
	while (clock() < end)
		work(100000);
	return 0;
}
END
# shellcheck disable=SC2086
$CC -O1 -o named named.c || exit 77
whole='void space::work<std::vector<int, std::allocator<int> > >(std::vector<int, std::allocator<int> >)'

# fits FILE: has it no line of more than 80 characters, but commands to be pasted?
fits() {
	! awk 'length($0) > 80 && $1 != "gprof"' "$1" | grep . ||
		complain 'has lines of more than 80 characters'
}
# is_ascii FILE: but for commands, which have the names of files as they are.
is_ascii() {
	! sed 's/^  gprof .* #//' "$1" | tr -d ' -~\n' | grep -q . ||
		complain "is not ASCII: $(cat "$1")"
}

# --- Names and lines of a summary that goes to a file.
profile -v ./named 0.5 "$(printf '%0120d' 7)"
grep -q '  space::work  *named$' err || complain "no short name: $(cat err)"
fits err
is_ascii err
profile --full-names ./named 0.5
grep -q '  void spa.*\.\.\..*>)  *named$' err || complain "no full name: $(cat err)"
fits err

# --- A report that goes to a file is not cut, and a program gets whole names.
"$PROFRUN" report gmon.out >table
grep -q '  space::work  *named$' table || complain "report: $(cat table)"
"$PROFRUN" report --full-names gmon.out >table
grep -qF "  $whole  named" table || complain "report --full-names: $(cat table)"
"$PROFRUN" report --csv gmon.out >rows
head -n 1 rows | grep -qx 'ticks,percent,low,high,seconds,function,binary' ||
	complain "report --csv: $(cat rows)"
grep -qF ",\"$whole\",\"named\"" rows || complain "report --csv: $(cat rows)"
awk -F, 'NR > 1 && !($3 >= 0 && $3 < $2 && $2 <= $4 && $4 <= 100)' rows |
	grep . && complain 'has shares outside of their intervals'

# --- What a locale has no characters for.
name=$(printf 'gr\303\266\303\237e')
cp named "$name"
profile "./$name" 0.3
grep -q '  gr??e$' err || complain "the name in C: $(cat err)"
is_ascii err
if [ "$(LC_ALL=C.UTF-8 locale charmap 2>/dev/null)" = UTF-8 ]; then
	LC_ALL=C.UTF-8 "$PROFRUN" "./$name" 0.3 2>err
	grep -q "  $name\$" err || complain "the name in UTF-8: $(cat err)"
fi

# --- Few samples say so.
profile ./named 0.1
samples=$(awk '$1 == "samples" { print $2 }' err)
if [ "$samples" -gt 0 ] && [ "$samples" -lt 20 ]; then
	grep -q "^  few       $samples sample.* -F 1000 " err ||
		complain "says nothing of $samples samples: $(cat err)"
fi
profile -F 1000 ./named 0.5
! grep -q '^  few ' err || complain "too few: $(cat err)"

# --- On a terminal: its width, and colours unless they are not wanted.
cat >session <<'END'
stty cols "$1"
shift
exec "$@"
END
red=$(printf '\033[31m')
on_terminal() {
	what="on a terminal, $*"
	status=0
	"$typed" env "$@" >out || status=$?
	[ "$status" != 77 ] || exit 77
	[ "$status" = 0 ] || complain "status $status: $(cat out)"
}
on_terminal TERM=xterm sh session 140 "$PROFRUN" report --full-names gmon.out
grep -qF "$red" out || complain "has no red: $(cat out)"
grep -q '  void space::work<.*\.\.\..*>)  named' out ||
	complain "does not fill its width: $(cat out)"
awk '{ gsub(/\033\[[0-9]*m/, "") } length($0) > 140' out | grep . &&
	complain 'is wider than the terminal'
on_terminal TERM=xterm sh session 80 "$PROFRUN" -o null ./named 0.3
grep -qF "$red" out || complain "has no red: $(cat out)"
awk '{ gsub(/\033\[[0-9]*m/, "") } length($0) > 80' out | grep . &&
	complain 'is wider than the terminal'
for none in NO_COLOR=1 TERM=dumb; do
	on_terminal TERM=xterm "$none" sh session 80 "$PROFRUN" report gmon.out
	! grep -qF "$red" out || complain "has colours: $(cat out)"
done
profile ./named 0.2
! grep -qF "$red" err || complain "has colours in a file: $(cat err)"
exit "$bad"
