#!/bin/sh
# --every: a profile for each interval of a run; each tick is in one of them, and
# where one ends the next begins.
# "what" is for complain, in measure.sh.
# shellcheck disable=SC2034
set -eu
. "$abs_top_srcdir/tests/cli/measure.sh"

refuses() {
	profile "$@"
	ends_with 125
	[ "$(wc -l <err)" = 1 ] || complain "says not one line: $(cat err)"
}

# --- What is refused

refuses --every=60s -f pcsample -o 't.%i' true
grep -q 'one file of the whole run' err || complain "says: $(cat err)"
refuses --every=60s -f gmon,raw -o 't.%i' true
refuses --every=60s -f pprof true
grep -q '%i' err || complain "says: $(cat err)"
refuses -f pprof -o 'p.%i.pb.gz' true
grep -q -e '--every' err || complain "says: $(cat err)"
refuses --every=60s -f pprof -o 'd%i/p' true
refuses --every=10ms -f pprof -o 'p.%i' true
refuses --every=x -f pprof -o 'p.%i' true
refuses --every=60s --split -o 'g.%i' true
refuses --every=60s --inherit-counts -o 'g.%i.%p' true
[ -z "$(ls ./*pb.gz 2>/dev/null)" ] || complain 'leaves files'

# --- The ticks and times of all files

# A short run has one.
profile --every=3600s -f pprof -o 'short.%i.pb.gz' true
ends_with 0
[ "$(echo short.*)" = short.1.pb.gz ] || complain "leaves $(echo short.*)"

# ticks FILE...: the sum of all of them.
ticks() {
	for file; do
		python3 "$abs_top_srcdir/tests/cli/pprof_sums.py" "$file"
	done | awk '$1 == "sums" { sum += $2 } END { print sum + 0 }'
}
# adjoin FILE...: does each begin where the one before it ends?
adjoin() {
	last=
	for file; do
		# shellcheck disable=SC2046
		set -- $(python3 "$abs_top_srcdir/tests/cli/pprof_sums.py" "$file" |
			sed -n 's/^time //p')
		[ -z "$last" ] || [ "$1" = "$last" ] ||
			complain "$file begins at $1, not at $last"
		last=$2
	done
}
# in_order PREFIX: its files, by their numbers.
in_order() {
	i=1
	while [ -e "$1.$i.pb.gz" ]; do
		echo "$1.$i.pb.gz"
		i=$((i + 1))
	done
}
command -v python3 >/dev/null || exit $((bad ? 1 : 77))

# sums_up PREFIX
sums_up() {
	files=$(in_order "$1")
	n=$(echo "$files" | wc -l)
	[ "$n" = "$(echo "$1".* | wc -w)" ] || complain "numbers leave a gap: $(echo "$1".*)"
	[ "$n" -ge 2 ] || complain "$n files"
	all=$(awk '$2 == "ticks" { print $1; exit }' err)
	# shellcheck disable=SC2086
	[ "$(ticks $files)" = "$all" ] || complain "$(ticks $files) ticks in files, not $all: $(cat err)"
	# shellcheck disable=SC2086
	adjoin $files
	grep -q "$1.1.pb.gz    # $n files of $n intervals of 1 s; the last one is $1.$n.pb.gz" err ||
		complain "the summary says: $(cat err)"
}
profile -v -g --every=1s -f pprof -o 'p.%i.pb.gz' "$workloads/shares" 3
ends_with 0
sums_up p
for trigger in $(silent_triggers); do
	# It has no stacks, which are what such a file has.
	[ "$trigger" != ring ] || continue
	profile -v --trigger="$trigger" --every=1 -f pprof -o "$trigger.%i.pb.gz" \
		"$workloads/shares" 2
	ends_with 0
	sums_up "$trigger"
done

# A program that sleeps has its intervals, too, as they pass.
sleep 60 &
sleeper=$!
"$PROFRUN" -p $sleeper --every=1s -f pprof,folded -o 's.%p.%i' 2>err &
watcher=$!
what='a sleeping program'
await [ -e "s.$sleeper.2.pb.gz" ] || :
[ -e "s.$sleeper.2.folded" ] || complain "has one format: $(ls)"
kill -INT $watcher
wait $watcher || complain "profrun ends with $?: $(cat err)"
kill $sleeper

# Samples of threads that rarely run are in the intervals in which they were taken,
# not in those in which there are enough of them.
cat >rarely.c <<'END'
#include <pthread.h>
#include <time.h>
#include <unistd.h>
static void *run_once(void *arg)
{
	struct timespec now;

	do
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	while (now.tv_nsec < 90000000);
	sleep(60);
	return arg;
}
int main(void)
{
	pthread_t threads[8];

	for (int i = 0; i < 8; i++)
		pthread_create(&threads[i], NULL, run_once, NULL);
	while (clock() < CLOCKS_PER_SEC * 8 * 9 / 100)
		usleep(10000);
	sleep(5);
	_exit(0);
}
END
if silent_triggers | grep -qx ring && $CC -O1 -pthread -o rarely rarely.c; then
	profile -v --trigger=ring --every=1s -f pprof -o 'rarely.%i.pb.gz' ./rarely
	ends_with 0
	n=$(in_order rarely | wc -l)
	[ "$n" -ge 4 ] || complain "has $n intervals: $(cat err)"
	# shellcheck disable=SC2046
	late=$(ticks $(in_order rarely | tail -n 2))
	# The little that it runs as it ends.
	[ "$late" -le 2 ] || complain "$late ticks are late: $(cat err)"
fi

# Each process has its own; together they are the run.
# shellcheck disable=SC2016
profile -v --every=1s -f pprof -o 'each.%i.%p.pb.gz' \
	sh -c '"$0" 1 & "$0" 2; wait' "$workloads/shares"
ends_with 0
all=$(awk '$2 == "ticks" { print $1; exit }' err)
# shellcheck disable=SC2046
[ "$(ticks $(echo each.*))" = "$all" ] || complain "$(ticks each.*) ticks in files, not $all"
[ "$(echo each.1.* | wc -w)" -ge 3 ] || complain "leaves $(echo each.*)"

# The summary has its name to itself.
profile -v --every=1s -f pprof -o 'z.%i.pb.gz' --summary-file=z.1.pb.gz \
	"$workloads/shares" 1.2
ends_with 0
cp z.1.pb.gz err
grep -q '^  command' err || complain "z.1.pb.gz is no summary: $(cat err)"
all=$(awk '$2 == "ticks" { print $1; exit }' err)
rm z.1.pb.gz
# shellcheck disable=SC2046
[ "$(ticks $(echo z.*))" = "$all" ] || complain "$(echo z.*) have $(ticks z.*) ticks, not $all"

# gmon.out is a format as another.
profile --every=1s -o 'gmon.%i' "$workloads/shares" 2
ends_with 0
for file in gmon.1 gmon.1.syms gmon.2; do
	[ -s $file ] || complain "leaves no $file: $(ls)"
done
"$PROFRUN" report gmon.1 >out 2>err || complain "report: $(cat err)"
[ ! -e gmon.out ] || complain 'leaves gmon.out, too'

# --- A server

# What the manual says is what one has to type.
what='the manual'
command -v curl >/dev/null || exit $bad
cat >receiver.py <<'END'
# Takes two profiles, as Pyroscope and Parca would, and writes them.
import base64
import email
import http.server
import json
import urllib.parse


class Receiver(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        url = urllib.parse.urlparse(self.path)
        if url.path == "/ingest":
            query = urllib.parse.parse_qs(url.query)
            assert query["format"] == ["pprof"], query
            assert query["name"] == ["program"], query
            assert int(query["from"][0]) <= int(query["until"][0]), query
            head = "Content-Type: %s\r\n\r\n" % self.headers["Content-Type"]
            parts = email.message_from_bytes(head.encode() + body).get_payload()
            names = [part.get_param("name", header="Content-Disposition")
                     for part in parts]
            assert names == ["profile"], names
            name, data = "pyroscope.pb.gz", parts[0].get_payload(decode=True)
        else:
            assert url.path == "/api/profiles/writeraw", url
            assert self.headers["Content-Type"] == "application/json"
            (series,) = json.loads(body)["series"]
            assert series["labels"]["labels"] == [
                {"name": "__name__", "value": "program"}], series
            name = "parca.pb.gz"
            data = base64.b64decode(series["samples"][0]["raw_profile"])
        with open(name, "wb") as out:
            out.write(data)
        self.send_response(200)
        self.end_headers()

    def log_message(self, *words):
        pass


server = http.server.HTTPServer(("127.0.0.1", 0), Receiver)
with open("port.new", "w") as out:
    print(server.server_port, file=out)
import os
os.rename("port.new", "port")
server.handle_request()
server.handle_request()
END
python3 receiver.py 2>receiver.err &
receiver=$!
tries=0
while [ ! -e port ] && [ $tries -lt 100 ]; do
	sleep 0.1
	tries=$((tries + 1))
done
[ -e port ] || skip "no server: $(cat receiver.err)"
cp p.1.pb.gz profrun.pb.gz
# The lines between .EX and .EE that have curl in them, as they are shown.
awk '/^\.EX/ { text = ""; next } /^\.EE/ { if (text ~ /curl/) print text; next }
	{ text = text $0 "\n" }' "$abs_top_srcdir/man/profrun-export.1" |
	sed -e 's/\\e/\\/g' -e 's/\\-/-/g' -e "s/\\\\(aq/'/g" \
		-e "s,http://[a-z]*:[0-9]*,http://127.0.0.1:$(cat port),g" >push
FROM=$(date +%s) UNTIL=$(date +%s) no_proxy=127.0.0.1 sh -e ./push >out 2>push.err ||
	complain "$(cat push): $(cat push.err)"
kill $receiver 2>/dev/null || true
for server in pyroscope parca; do
	cmp -s $server.pb.gz profrun.pb.gz ||
		complain "$server gets another profile: $(cat receiver.err push)"
done
exit $bad
