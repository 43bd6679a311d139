#!/bin/sh
# A stack of a sleeper that went on while it was read is thrown away, and counted:
# no stack is made of two.
# shellcheck disable=SC2034
set -eu
. "$abs_top_srcdir/tests/cli/measure.sh"

# torn: how many stacks were thrown away.
torn() {
	awk '/of threads that went on meanwhile/ { print $1 }' err
}

# A reader is seldom so unlucky, but there are many reads.
for attempt in 1 2 3 4 5; do
	rm -f stacks
	profile -v -w -g -F 1000 -f folded -o stacks "$workloads/restless" 1 30
	ends_with 0
	if grep -q 'left_.*right_\|right_.*left_' stacks; then
		complain "are made of two: $(grep 'left_.*right_\|right_.*left_' stacks)"
	fi
	for way in 'left_outer;left_inner;doze' \
		'right_outer;right_middle;right_inner;doze'; do
		grep -q "$way" stacks || complain "no $way: $(head -5 stacks)"
	done
	[ -n "$(torn)" ] && exit "$bad"
done
skip "no stack was torn: $(cat err)"
