#!/bin/sh
# profrun is killed outright at any moment: what it has launched dies with it, for
# a timer of ours would kill it later, at a moment of its own.
# "what" is for complain, in measure.sh.
# shellcheck disable=SC2034
set -eu
. "$abs_top_srcdir/tests/cli/measure.sh"
careless=$abs_top_builddir/tests/support/careless
mkfifo begun

# lives PID: it is there, and no zombie that nobody has waited for.
lives() {
	state=$(sed -n 's/^State:[[:space:]]*\(.\).*/\1/p' "/proc/$1/status" 2>/dev/null) || :
	[ -n "$state" ] && [ "$state" != Z ]
}

# Runs threads that come and go under COMMAND..., and kills that after DELAY
# seconds; the program's id in $pid.
kill_after() {
	delay=$1
	shift
	# shellcheck disable=SC2016
	"$@" sh -c 'echo $$ >begun; exec "$0" 1000 0.2 3' "$workloads/churn" \
		>/dev/null 2>&1 &
	tracer=$!
	read -r pid <begun
	sleep "$delay"
	kill -KILL $tracer
	wait $tracer 2>/dev/null || :
}

# dies PID: the kernel sees to it, in a moment.
dies() {
	tries=0
	while lives "$1"; do
		tries=$((tries + 1))
		[ $tries -lt 500 ] || return 1
		sleep 0.01
	done
}

"$PROFRUN" -q true 2>err || { cat err >&2; exit 77; }
what='a careless tracer'
kill_after 0.05 "$careless" survivor
if lives "$pid"; then
	kill -KILL "$pid"
else
	complain 'takes the program with it: this test cannot fail'
fi
i=0
while [ $i -lt 20 ]; do
	i=$((i + 1))
	delay=$(awk -v i=$i 'BEGIN { srand(i); print rand() * 0.1 }')
	rate=$((100 + 900 * (i % 2)))
	what="profrun -F $rate killed after $delay s"
	kill_after "$delay" "$PROFRUN" -q --trigger=timer -F $rate
	dies "$pid" || complain "leaves $pid alive"
	rm -f .profrun*
done
exit "$bad"
