#!/bin/sh
# Whichever block of a trace is damaged, all ticks in the others belong to the
# process, file and function that they belonged to before, and what is lost is
# said.
set -eu
: "${abs_top_srcdir:?}" "${abs_top_builddir:?}" "${PROFRUN:?}"
command -v python3 >/dev/null || exit 77
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# Processes that fork, exec, map files and load libraries, over some blocks.
cat >busy.py <<'END'
import os
import time


def busy(seconds):
    end = time.process_time() + seconds
    while time.process_time() < end:
        sum(i * i for i in range(1000))


busy(0.3)
import ctypes, decimal, json, sqlite3  # noqa: libraries are loaded
busy(0.5)
child = os.fork()
json.loads(json.dumps(list(range(100000))))
busy(1.2)
if child:
    os.waitpid(child, 0)
    os.execvp("sh", ["sh", "-c", "i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done"])
END
"$PROFRUN" -q -f pcsample -o whole.trace -- \
	sh -c 'python3 busy.py & python3 busy.py; wait' 2>err || {
	cat err >&2
	grep -q 'ptrace is refused' err && exit 77
	exit 1
}
"$PROFRUN" export -q -f text -o whole.txt whole.trace

# damage.py TRACE READER: for each block N, another byte in its payload, in
# damaged.N; prints how many samples each of them has.
cat >damage.py <<'END'
import io
import runpy
import struct
import sys

whole = open(sys.argv[1], "rb").read()
reader = runpy.run_path(sys.argv[2], run_name="reader")
at, number = 16, 0
while at < len(whole):
    size = struct.unpack_from("<I", whole, at + 4)[0]
    text = io.BytesIO()
    reader["Block"](whole[at + 40:at + 40 + size], 0).play(text)
    print(text.getvalue().count(b"sample "))
    data = bytearray(whole)
    data[at + 40 + size // 2] ^= 0xff
    open(f"damaged.{number}", "wb").write(data)
    at += 40 + size
    number += 1
END
export LC_ALL=C PYTHONDONTWRITEBYTECODE=1
python3 damage.py whole.trace "$abs_top_srcdir/tests/core/read_pctrace.py" \
	>blocks
# Lines that begin with a digit are samples.
grep '^ *[0-9]' whole.txt | sort >want
n=0
n_events=0
while read -r in_block; do
	"$PROFRUN" export -f text -o damaged.txt damaged.$n 2>messages || :
	grep '^ *[0-9]' damaged.txt | sort >got
	if [ -n "$(comm -13 want got)" ]; then
		echo "without block $n samples change:" >&2
		comm -13 want got | head >&2
		exit 1
	fi
	[ $(($(wc -l <want) - $(wc -l <got))) -eq "$in_block" ]
	grep -q 'damage\|checksum\|cut' messages
	rm -f damaged.txt damaged.$n
	n=$((n + 1))
	n_events=$((n_events + in_block))
done <blocks
[ $n -gt 4 ]
[ "$n_events" -eq "$(wc -l <want)" ]
