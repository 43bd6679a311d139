#!/bin/sh
# Functions of one template, whose short names are the same: the tables tell them
# apart in 80 columns, and the names that they print are taken.
# "what" is for complain, in measure.sh.
# shellcheck disable=SC2034
set -eu
. "$abs_top_srcdir/tests/cli/measure.sh"
CC=${CC:-cc}

# space::table<std::pair<int const, T> >::insert(T), and f(int) and f(long).
cat >made.c <<'END'
#include <time.h>
void insert_int(long n) __asm__("_ZN5space5tableISt4pairIKiiEE6insertEi");
void insert_long(long n) __asm__("_ZN5space5tableISt4pairIKilEE6insertEl");
void insert_double(long n) __asm__("_ZN5space5tableISt4pairIKidEE6insertEd");
void f_int(long n) __asm__("_Z1fi");
void f_long(long n) __asm__("_Z1fl");
volatile long count;
#define BODY { while (n--) count += n; }
__attribute__((noinline)) void insert_int(long n) BODY
__attribute__((noinline)) void insert_long(long n) BODY
__attribute__((noinline)) void insert_double(long n) BODY
__attribute__((noinline)) void f_int(long n) BODY
__attribute__((noinline)) void f_long(long n) BODY
int main(void)
{
	while (clock() < CLOCKS_PER_SEC) {
		insert_int(MORE);
		insert_long(30000);
		insert_double(20000);
		f_int(20000);
		f_long(20000);
	}
	return 0;
}
END
# shellcheck disable=SC2086
$CC -g -O1 -DMORE=40000 -o templated made.c || exit 77
mkdir changed
# shellcheck disable=SC2086
$CC -g -O1 -DMORE=80000 -o changed/templated made.c

# has_rows FILE: one for each of the five, no two alike.
has_rows() {
	for name in 'insert .int' 'insert .long' 'insert .double' ' f .int' \
		' f .long'; do
		[ "$(grep -c "$name\]  *templated" "$1")" = 1 ] ||
			complain "has not one row of $name: $(cat "$1")"
	done
}
# fits FILE: has it lines of 80 characters at most?
fits() {
	! awk 'length($0) > 80 && $1 != "gprof"' "$1" | grep . ||
		complain 'has lines of more than 80 characters'
}

profile -o run ./templated
ends_with 0
has_rows err
fits err
profile -q -g -f pcsample -o run.trace ./templated
profile -q -f pcsample -o new.trace ./changed/templated
for file in run run.trace; do
	what="profrun report $file"
	"$PROFRUN" report "$file" >out 2>err || complain "$(cat err)"
	has_rows out
done
what='profrun report --tree'
"$PROFRUN" report --tree run.trace >out 2>err || complain "$(cat err)"
for name in 'insert .int' 'insert .long' 'insert .double' ' f .int' ' f .long'; do
	[ "$(grep -c "$name\]\$" out)" = 1 ] ||
		complain "has not one row of $name: $(cat out)"
done
# on_terminal ARG...: what profrun prints on one of 80 columns, in out
on_terminal() {
	what="profrun $* at 80 columns"
	TERM=dumb SHELL=/bin/sh script -q -e \
		-c "stty cols 80; '$PROFRUN' $*" >/dev/null </dev/null
	tr -d '\r' <typescript | grep -v '^Script ' >out
	fits out
}
if command -v script >/dev/null; then
	on_terminal report run
	has_rows out
	for words in 'report run.trace' 'diff run.trace new.trace'; do
		on_terminal "$words"
		for end in 't .int]' ' .long]' '.double]' 'f .int]' 'f .long]'; do
			grep -q "$end  *templ" out ||
				complain "has no row of $end: $(cat out)"
		done
	done
fi
what='profrun report --csv'
"$PROFRUN" report --csv run.trace >out
grep -qF '"space::table<std::pair<int const, double> >::insert(double)"' out ||
	complain "has no whole name: $(cat out)"

# A name as it was printed is that function's, without its arguments that of all.
what='profrun annotate of a name with arguments'
for type in int long double; do
	"$PROFRUN" annotate "space::table::insert [$type]" run.trace >out 2>err ||
		complain "$(cat err)"
	grep -q "^  function  space::table::insert \\[$type\\] in " out ||
		complain "$type: $(cat out)"
	[ ! -s err ] || complain "$type: says $(cat err)"
	"$PROFRUN" annotate --json "space::table::insert [$type]" run.trace |
		grep -qF "::insert($type)\"" || complain "$type is another"
	"$PROFRUN" report --callers="space::table::insert [$type]" run.trace \
		>out 2>err || complain "$(cat err)"
done
what='profrun annotate of a name that several have'
"$PROFRUN" annotate space::table::insert run.trace >out 2>err ||
	complain "$(cat err)"
grep -q '^profrun: 3 functions match space::table::insert; space::table::insert \[.*\] has the most ticks; also space' err ||
	complain "says: $(cat err)"
[ "$(grep -c "\[int\].*\[double\]\|\[double\].*\[int\]" err)" = 1 ] || complain "says: $(cat err)"
grep -q '^  function  space::table::insert \[.*\] in ' out ||
	complain "$(cat out)"

# What is inlined is marked, and named as it was printed, too.
cat >inlined.cc <<'END'
#include <ctime>
#include <utility>
#define INLINE inline __attribute__((always_inline))
static volatile unsigned long count;
template <class T> struct table {
	INLINE void operator[](T n) const { while (n-- > 0) count += n; }
};
template <class T> static INLINE void spin(long n)
{
	while (n-- > 0) count += n ^ sizeof(T);
}
int main()
{
	while (std::clock() < CLOCKS_PER_SEC / 2) {
		table<int>()[40000];
		table<long>()[40000];
		spin<int>(40000);
		spin<std::pair<int, int> >(60000);
	}
}
END
# shellcheck disable=SC2086 # it may have words
if ! ${CXX:-c++} -g -O1 -o inlined inlined.cc; then
	skip 'no compiler for C++'
fi
profile -q -g -f pcsample -o inlined.trace ./inlined
what='profrun report --inlines'
"$PROFRUN" report --inlines inlined.trace >table
sed -n 's/^.*[0-9]  *\(.* (inlined) \[.*\]\)  *inlined$/\1/p' table >names
[ "$(wc -l <names)" -ge 4 ] || complain "has not four names: $(cat table)"
while read -r name; do
	what="profrun annotate $name"
	"$PROFRUN" annotate "$name" inlined.trace >out 2>err ||
		complain "$(cat err)"
	[ ! -s err ] || complain "says $(cat err)"
	what="profrun report --inlines --callers=$name"
	"$PROFRUN" report --inlines --callers="$name" inlined.trace >out 2>err ||
		complain "$(cat err)"
	[ "$(grep -c '(inlined)' out)" = 1 ] || complain "is not one: $(cat out)"
done <names
if command -v script >/dev/null; then
	on_terminal report --inlines inlined.trace
	awk '/ inlined$/ { sub(/^.*[0-9]  */, ""); n += !seen[$0]++; rows++ }
		END { exit n < 4 || n < rows }' out ||
		complain "has not four, or two alike: $(cat out)"
fi
exit "$bad"
