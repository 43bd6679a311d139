#!/bin/sh
# Makes objects for bench/replay and runs it on them:
#	replay.sh REPLAY [SAMPLES [OBJECTS [FUNCTIONS-OF-EACH]]]
# at first without stacks, then with them and a tenth of the samples.  With
# COMMAND set, instead of both that is run, with a trace of the latter as its last
# argument, while the objects are there.
set -eu
replay=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
i=0
while [ $i -lt "${3:-50}" ]; do
	awk -v object=$i -v n="${4:-4000}" 'BEGIN {
		print ".text"
		for (i = 0; i < n; i++) {
			name = "function_" i "_of_object_" object
			printf ".globl %s\n.type %s, @function\n", name, name
			printf "%s: .skip 128\n.size %s, 128\n", name, name
		}
	}' >"$work/object.s"
	${CC:-cc} -shared -nostdlib -o "$work/object$i.so" "$work/object.s"
	i=$((i + 1))
done
if [ "${COMMAND-}" ]; then
	"$replay" -o "$work/trace" -g "$((${2:-10000000} / 10))" "$work"/object*.so
	# shellcheck disable=SC2086
	$COMMAND "$work/trace"
	exit
fi
"$replay" "${2:-10000000}" "$work"/object*.so
echo 'with stacks:'
"$replay" -g "$((${2:-10000000} / 10))" "$work"/object*.so
