#!/bin/sh
# report -t: what each thread did, as the program says itself, from a trace and from a
# pprof file; -s rank: what each rank of an MPI program has.
# "what" is for complain, in measure.sh.
# shellcheck disable=SC2034
set -eu
. "$abs_top_srcdir/tests/cli/measure.sh"

cat >waiters.c <<'END'
#define _GNU_SOURCE
#include <pthread.h>
#include <time.h>
#include <unistd.h>
static int ends[2];
__attribute__((noinline)) void sleeps_here(void)
{
	nanosleep(&(struct timespec){.tv_nsec = 600000000}, NULL);
	__asm__ volatile("");
}
__attribute__((noinline)) void reads_here(void)
{
	char byte;
	while (read(ends[0], &byte, 1) < 0) { }
	__asm__ volatile("");
}
static void *sleeper(void *arg)
{
	pthread_setname_np(pthread_self(), "sleeper");
	sleeps_here();
	return arg;
}
static void *reader(void *arg)
{
	pthread_setname_np(pthread_self(), "reader");
	reads_here();
	return arg;
}
int main(void)
{
	pthread_t threads[2];
	struct timespec now;
	(void)!pipe(ends);
	pthread_create(&threads[0], NULL, sleeper, NULL);
	pthread_create(&threads[1], NULL, reader, NULL);
	do
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	while (now.tv_nsec < 300000000);
	pthread_join(threads[0], NULL);
	(void)!write(ends[1], "x", 1);
	pthread_join(threads[1], NULL);
}
END
${CC:-cc} -O1 -pthread -o waiters waiters.c

# most THREAD COLUMN FILE: is it more than half of that thread's time?
most() {
	"$PROFRUN" report -t --csv "$3" 2>err | awk -F, -v thread="\"$1\"" \
		-v column="$2" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
		$6 == thread && $at["kind"] == "thread" {
			found = 1
			good = $at[column] > $5 / 2
		}
		END { exit !(found && good) }' ||
		complain "$1 is not mostly $2: $("$PROFRUN" report -t "$3" 2>&1)"
}

profile -q -w -g -F 250 -f pcsample,pprof -o trace ./waiters
ends_with 0
for file in trace trace.pb.gz; do
	[ -e "$file" ] || continue
	what="profrun report -t $file"
	most sleeper blocked_s $file
	most reader blocked_s $file
	"$PROFRUN" report -t "$file" >table 2>err || complain "$(cat err)"
	grep -q ' in clock_nanosleep, from sleeps_here$' table ||
		grep -q ' in nanosleep, from sleeps_here$' table ||
		complain "does not say who sleeps: $(cat table)"
	grep -q ' in read, from reads_here$' table ||
		complain "does not say who reads: $(cat table)"
	# (The lines above the table are whole where nobody reads them.)
	if sed '1,/^$/d' table | grep -q '.\{81\}'; then
		complain "lines are too long: $(cat table)"
	fi
	"$PROFRUN" report -t --json "$file" >out 2>err || complain "$(cat err)"
	is_valid report
	grep -q '"states":' out || complain "has no states: $(head -c 300 out)"
	# The same for programs: what a thread waits for is its time of being blocked.
	"$PROFRUN" report -t --csv "$file" >out 2>err || complain "$(cat err)"
	grep -q ',wait,"\(clock_\)\{0,1\}nanosleep","sleeps_here","waiters"$' out ||
		complain "--csv does not say who sleeps: $(cat out)"
	grep -q ',wait,"read","reads_here","waiters"$' out ||
		complain "--csv does not say who reads: $(cat out)"
	awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		{ blocked[$at["kind"]] += $at["blocked_s"]
			all[$at["kind"]] += $1 }
		END { differ = blocked["thread"] - blocked["wait"]
			exit !(differ > -0.001 && differ < 0.001 &&
				all["wait"] > 0 && all["wait"] < all["thread"]) }' out ||
		complain "--csv has other waits: $(cat out)"
	"$PROFRUN" report -t -n 1 "$file" | grep -q '2 more threads$' ||
		complain 'does not say what is left out'
	"$PROFRUN" report -t --focus='^read' "$file" >table || complain 'fails'
	grep -q reader table || complain "--focus leaves nothing: $(cat table)"
	! grep -q sleeper table || complain '--focus is not heard'
done
# What is left out belongs to its process all the same.
profile -q -w -F 250 -f pcsample -o two.trace sh -c './waiters & ./waiters; wait'
ends_with 0
what='profrun report -t two.trace'
"$PROFRUN" report -t -n 4 two.trace >table || complain 'fails'
[ "$(grep -c '^  process .* waiters: 3 threads, ' table)" = 2 ] ||
	complain "counts the threads that it shows: $(cat table)"
"$PROFRUN" report -t -n 1 --focus='^reader' two.trace >table || complain 'fails'
grep -q '^  1 more thread$' table ||
	complain "counts threads that do not match: $(cat table)"
ls >files

# By CPU time there are no states, and the table says nothing of them.
profile -q -F 250 -f pcsample -o cpu.trace ./waiters
"$PROFRUN" report -t cpu.trace >table
if grep -q block table; then complain "has states: $(cat table)"; fi
"$PROFRUN" report -t --csv cpu.trace >out
if grep -q ',wait,' out; then complain "--csv has waits: $(cat out)"; fi
for words in '--tree' '-s line' '--inlines'; do
	# shellcheck disable=SC2086
	"$PROFRUN" report -t $words trace >/dev/null 2>err && complain "takes $words"
	grep -q -e "leave .* out" err || complain "$words: $(cat err)"
done

# Ranks are those of the processes' environments.
what='profrun report -s rank'
profile -q -F 1000 -f pcsample -o ranks.trace sh -c '
	PMI_RANK=0 "$0" zero 0.1; PMI_RANK=1 "$0" zero 0.2' "$workloads/callshare"
"$PROFRUN" report -s rank ranks.trace >table 2>err || complain "$(cat err)"
awk '$6 == "rank" && $7 == 1 { one = $1 }
	$6 == "rank" && $7 == 0 { zero = $1 }
	END { exit !(one > zero && zero > 0) }' table ||
	complain "the ranks have: $(cat table)"
grep -q 'ranks  *2' table || complain "no spread: $(cat table)"
"$PROFRUN" report -s rank --json ranks.trace >out
is_valid report
grep -q '"spread":' out || complain "--json has no spread: $(cat out)"
"$PROFRUN" report -s rank --csv -n 50 ranks.trace >out
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	{ ticks[$at["kind"], $at["rank"]] += $1 }
	END { for (rank = 0; rank <= 1; rank++) {
			name = "\"rank " rank "\""
			all = ticks["rank", name]
			if (!all || ticks["function", name] != all)
				exit 1
		} }' out || complain "--csv has another spread: $(cat out)"
exit "$bad"
