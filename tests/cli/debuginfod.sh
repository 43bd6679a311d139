#!/bin/sh
# What a stripped or missing file is called comes from the servers that
# DEBUGINFOD_URLS names, checked by its build-id; without it nobody is asked.
# A directory in the servers' layout is asked as well as a server.
# shellcheck disable=SC2034
set -eu
. "$abs_top_srcdir/tests/cli/measure.sh"
for tool in objcopy strip readelf; do
	command -v $tool >/dev/null || exit 77
done
PATH=$PATH:/sbin:/usr/sbin
ldconfig -p 2>/dev/null | grep -q 'libdebuginfod\.so' || exit 77

unset DEBUGINFOD_VERBOSE DEBUGINFOD_PROGRESS
export DEBUGINFOD_CACHE_PATH="$work/cache"
urls=file://$work/served/

# serve NAME: builds NAME, stripped, and what a server has of it
serve() {
	${CC:-cc} -O1 -Wl,--build-id -o "$1" "$1.c"
	id=$(readelf -n "$1" | awk '/Build ID:/ { print $3 }')
	[ -n "$id" ] || exit 77
	mkdir -p "served/buildid/$id"
	cp "$1" "served/buildid/$id/executable"
	objcopy --only-keep-debug "$1" "served/buildid/$id/debuginfo"
	strip "$1"
}
cat >prog.c <<'END'
volatile long count;
static __attribute__((noinline)) void hidden(long n) { while (n--) count += n; }
int main(int argc, char **argv) { (void)argv; hidden(100000000L * argc); }
END
sed 's/hidden/another/' prog.c >other.c
serve prog
# names [COMMAND...]: those that report has, its warnings in err
names() {
	what="$*"
	status=0
	timeout 120 "$PROFRUN" report --csv "$@" profrun.trace >rows 2>err ||
		status=$?
	awk -F, 'NR > 1 { print $6 }' rows
}
# knows and is_ignorant: is "hidden" among them?
knows() {
	names "$@" | grep -q hidden || complain "no names: $(cat err)"
	[ ! -s err ] || complain "warns: $(cat err)"
}
is_ignorant() {
	names >named
	ends_with 0
	[ -s named ] || complain 'has no rows'
	if grep -q hidden named; then complain 'has names'; fi
}

lines() { timeout 120 "$PROFRUN" annotate hidden profrun.trace >out 2>err; }

# --- Not set: nobody is asked.
check() { "$PROFRUN" check | grep '^debuginfod' || true; }
case $(check) in *'is not set'*) ;; *) complain "check: $(check)" ;; esac
profile -f pcsample ./prog
ends_with 0
is_ignorant
DEBUGINFOD_URLS='' is_ignorant
[ ! -e cache ] || complain 'has asked'

# --- Set: for a run, and for its trace.
export DEBUGINFOD_URLS="$urls"
case $(check) in 'debuginfod   yes'*) ;; *) complain "check: $(check)" ;; esac
[ ! -e cache/"$id" ] || complain 'check asks'
knows
profile -f gmon,pcsample ./prog
ends_with 0
[ "$(share hidden prog)" != 0 ] || complain "the run has no names: $(cat err)"
mv gmon.out run.out
mv gmon.syms run.syms
"$PROFRUN" export -q profrun.trace
what='annotate with names from a server'
lines || complain "$(cat err)"
grep -q ':  *j.*hidden+0x' out || grep -q ':  *b.*hidden+0x' out ||
	complain "prints $(cat out)"
cmp run.out gmon.out || complain 'export differs'
cmp run.syms gmon.syms || complain 'export has another list'
"$PROFRUN" merge -q -o sum.out profrun.trace
grep -q ' T hidden$' sum.syms || complain 'merge has no names'

# --- The source is not here.
# A name with a space is one of a file, too.
mkdir 'a tree'
cp prog.c 'a tree/prog.c'
${CC:-cc} -g -O1 -Wl,--build-id -o lined "$PWD/a tree/prog.c"
id_of_lined=$(readelf -n lined | awk '/Build ID:/ { print $3 }')
sources=served/buildid/$id_of_lined/source
mkdir -p "$sources$PWD/a tree"
mv 'a tree/prog.c' "$sources$PWD/a tree/prog.c"
mv profrun.trace prog.trace
profile -f pcsample ./lined
ends_with 0
what='annotate without the source'
(unset DEBUGINFOD_URLS && lines) || complain "$(cat err)"
grep -q 'a tree/prog\.c  (not found' out || complain "prints $(cat out)"
[ ! -s err ] || complain "warns: $(cat err)"
what='annotate with the source from a server'
lines || complain "$(cat err)"
if grep -q 'that needs libdw 0.188' err; then
	echo 'libdw is too old for sources' >&2
else
	[ ! -s err ] || complain "warns: $(cat err)"
	grep -q '[0-9]  *2  .*while (n--)' out || complain "prints $(cat out)"
	what='a source that no server has'
	rm -rf "$sources" cache
	lines || complain "$(cat err)"
	grep -q 'a tree/prog\.c  (not found' out || complain "prints $(cat out)"
	[ ! -s err ] || complain "warns: $(cat err)"
fi
mv prog.trace profrun.trace

# --- On another machine: the program is not there, or another one is.
mv prog gone
knows
cp /bin/sh prog
knows
mkdir root # that has the libraries, not the program
ln -s /usr /lib* root
knows --symfs="$PWD/root"
"$PROFRUN" export -f text profrun.trace | grep -q 'hidden+0x' ||
	complain 'text has no names'
unset DEBUGINFOD_URLS
is_ignorant
[ "$(wc -l <err)" = 1 ] && grep -q 'prog: is not the file' err ||
	complain "says $(cat err)"

# --- A server that lies is not believed.
true_id=$id
serve other
mkdir true lying
mv served/buildid/"$true_id" true
cp -R served/buildid/"$id" served/buildid/"$true_id"
rm -rf cache
export DEBUGINFOD_URLS="$urls"
is_ignorant
mv gone prog
names >out
grep -q 'hidden\|another' out && complain "takes names of another: $(cat out)"
[ "$(wc -l <err)" = 1 ] && grep -q "another build" err || complain "says $(cat err)"
rm -rf served/buildid/"$true_id" cache
for file in debuginfo executable; do
	mkdir -p served/buildid/"$true_id"
	head -c 100 prog >served/buildid/"$true_id"/$file
done
is_ignorant
rm prog
is_ignorant
[ "$(wc -l <err)" = 1 ] || complain "says $(cat err)"

# --- Nobody answers: one line, and the rest goes on.
rm -rf cache
export DEBUGINFOD_URLS=http://127.0.0.1:1/
is_ignorant
[ "$(wc -l <err)" = 1 ] && grep -q 'DEBUGINFOD_URLS: nobody' err ||
	complain "says $(cat err)"
exit "$bad"
