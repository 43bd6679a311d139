#!/bin/bash
# The bash completion offers options before the program, and none after it.
[ -n "${BASH_VERSION-}" ] || exec bash "$0" || exit 77
set -eu
# shellcheck source=data/bash/profrun
. "$abs_top_srcdir/data/bash/profrun"
bad=0

# expect WORDS... : EXPECTED...   completes the last of WORDS
expect() {
	COMP_WORDS=(profrun)
	while [ "$1" != : ]; do
		COMP_WORDS+=("$1")
		shift
	done
	shift
	COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
	_profrun
	if [ "${COMPREPLY[*]-}" != "$*" ]; then
		echo "${COMP_WORDS[*]}: '${COMPREPLY[*]-}' instead of '$*'" >&2
		bad=1
	fi
}

cd "$abs_top_srcdir"
expect --fr : --frequency
expect -v --us : --usage
expect -F 100 --spl : --split
expect --clock c : cpu
expect --clock = : cpu user wall
expect --clock = u : user
expect --trigger = i : interrupt
expect --trigger = auto --cl : --clock
expect --trigger = p : perf
expect --format = p : pcsample
expect -f raw --cl : --clock
path=$PATH
# shellcheck disable=SC2123
PATH=/nowhere
expect chec : check
expect -v chec : check
expect -- chec :
PATH=$path
expect --follow = e : exec
expect -p $$ : $$
expect -p 1,$$ : 1,$$
expect -p 1 -d 5 --tog : --toggle-signal
expect -o COPYI : COPYING
expect --output = COPYI : COPYING
expect -o --split --cl : --clock
expect nosuchprogram --fr :
expect nosuchprogram COPYI : COPYING
expect -F 100 -qvo x nosuchprogram --fr :
expect -- nosuchprogram --fr :
expect -- --fr :
exit "$bad"
