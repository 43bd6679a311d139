#!/bin/sh
# What dump, top, annotate, diff and export print of a program steers no terminal,
# whatever its parts are called; processes that end meanwhile, files that are cut
# and places where nothing can be written are told in a line.
# "what" is for complain, in measure.sh.
# shellcheck disable=SC2034
set -eu
. "$abs_top_srcdir/tests/cli/measure.sh"

# is_plain FILE: there are no control characters in it, of ASCII or of Unicode,
# and none that turn lines around.
is_plain() {
	LC_ALL=C awk '/[\001-\010\013-\037\177]|\302[\200-\237]|\330\234|\342\200[\216\217\250-\256]|\342\201[\246-\251]/ { print; bad = 1 }
		END { exit bad }' "$1" >controls ||
		complain "prints $(od -c controls | head -20)"
}
# run ARGUMENT...: for a minute at most; what it prints is plain.
run() {
	what="profrun $*"
	status=0
	timeout -s KILL 60 "$PROFRUN" "$@" >out 2>err || status=$?
	case $1:$status in
	*:[01] | diff:2 | *:125) ;;
	*) complain "status $status: $(cat err)" ;;
	esac
	is_plain out
	is_plain err
}
says_one_line() {
	[ "$(wc -l <err)" = 1 ] || complain "says: $(cat err)"
}

# --- Names that would clear the screen, end a line, ring, turn it around.
nasty=$(printf 'a\033[2J\nb\007\302\233m\342\200\256\342\200\216\342\200\217\330\234z')
cat >nasty.c <<'EOF'
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <unistd.h>
static volatile unsigned turns;
__attribute__((noinline)) void hot(void)
{
	for (unsigned i = 0; i < 1000000; i++)
		turns++;
}
static void *wait_for_more(void *name)
{
	char byte;
	int fd = open(name, O_RDWR);
	if (read(fd, &byte, 1) != 1)
		perror("read");
	return NULL;
}
int main(int argc, char **argv)
{
	pthread_t thread;
	alarm(argc > 3 ? 1800 : 1);
	prctl(PR_SET_NAME, "c\033[2J\nd\302\233e");
	if (pthread_create(&thread, NULL, wait_for_more, argv[1]))
		return 1;
	for (;;)
		hot();
}
EOF
# shellcheck disable=SC2086 # CC may have words
${CC:-cc} -g -O1 -pthread -o plain nasty.c || {
	echo 'no compiler'
	exit 77
}
mkdir "$nasty"
objcopy --redefine-sym "hot=$nasty" plain "$nasty/$nasty" 2>/dev/null ||
	cp plain "$nasty/$nasty"
mkfifo "$nasty/fifo$nasty"

profile -g -f gmon,pcsample,pprof -o of "$nasty/$nasty" "$nasty/fifo$nasty" "$nasty"
is_plain err
[ -s of.trace ] || complain "makes no trace: $(cat err)"
"$nasty/$nasty" "$nasty/fifo$nasty" "$nasty" long &
pid=$!
trap 'kill -KILL $pid 2>/dev/null || true; rm -rf "$work"' EXIT
until grep -q '^State:.S' "/proc/$pid/task"/*/status; do sleep 0.05; done

for locale in C C.UTF-8; do
	export LC_ALL=$locale
	for option in --each --lines --full-names --csv --json; do
		run dump $option $pid
		ends_with 0
		[ -s out ] || complain 'prints nothing'
	done
	run top -d 1.5 -o top.out -p $pid
	ends_with 0
	run -d 0.3 -p $pid -o "at$nasty"
	ends_with 0
	run -q -d 0.1 -g -f flame,pcsample -p $pid -o "at$nasty"
	ends_with 0
	rm -f at*
	for option in '' --tree '-s line' '-s thread' '-s process' '-s binary' \
		--csv --json "--callers=$nasty" "--focus=$nasty"; do
		# shellcheck disable=SC2086
		run report ${option:+"$option"} of.trace
	done
	run annotate "$nasty" of.trace
	run annotate hot of.trace
	for option in '' --csv --json; do
		run diff ${option:+"$option"} of.trace of.trace
		ends_with 0
	done
	for format in text samples; do
		run export -f $format of.trace
		ends_with 0
	done
done
export LC_ALL=C
kill -KILL $pid

# --- Processes that end while they are looked at.
for ms in 0 1 2 4 8 16 32; do
	"$workloads/crowd" 300 threads 60 >/dev/null &
	crowd=$!
	until [ "$(find /proc/$crowd/task -maxdepth 1 | wc -l)" -gt 250 ]; do
		sleep 0.05
	done
	(
		sleep "$(awk "BEGIN { print $ms / 1000 }")"
		kill -KILL $crowd
	) &
	run dump $crowd
	case $status in
	0) ;;
	1) says_one_line ;;
	*) complain "status $status" ;;
	esac
	wait $crowd 2>/dev/null || :
done

# --- Files that are cut.
for file in of.trace of.pb.gz of; do
	[ -s $file ] || complain "no $file"
	size=$(wc -c <$file)
	for part in 1 8 20 $((size / 3)) $((size / 2)) $((size - 1)); do
		head -c "$part" $file >part.of
		rm -f part.of.syms
		[ $file != of ] || cp of.syms part.of.syms
		for command in "annotate hot" "diff $file" "export -q -f folded -o -" \
			"export -q -f pprof -o left" "export -q -f flame -o left" \
			"export -q -f speedscope -o left" "export -q -f firefox -o left" \
			"export -q -f callgrind -o left" "export -q -f json -o left" \
			"export -q -f perf-script -o left"; do
			# shellcheck disable=SC2086
			run $command part.of
			[ "$(wc -l <err)" -le 6 ] || complain "says: $(cat err)"
			[ "$status" = 0 ] || [ ! -e left ] || complain "leaves a file"
			rm -f left
		done
	done
done

# --- A place where nobody reads, and one where somebody does.
mkfifo fifo
for format in gmon raw text samples folded pprof flame speedscope firefox \
	callgrind perf-script json; do
	run export -q -f $format -o fifo of.trace
	ends_with 125
	says_one_line
	cat fifo >taken &
	reader=$!
	until run export -q -f $format -o fifo of.trace && [ "$status" = 0 ]; do
		kill -0 $reader 2>/dev/null || {
			complain "is not written: $(cat err)"
			break
		}
		sleep 0.05
	done
	wait $reader || :
	[ -s taken ] || complain 'writes nothing'
	[ -p fifo ] || complain 'replaces the FIFO'
done
exit "$bad"
