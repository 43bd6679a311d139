#!/bin/bash
# What bash, zsh and fish complete, as they say themselves: options before the
# program and none after it, commands with their own, words, lists and files.
[ -n "${BASH_VERSION-}" ] || exec bash "$0" || exit 77
set -eu
data=$abs_top_builddir/data
[ -e "$data/bash/profrun" ] || data=$abs_top_srcdir/data
! grep -q '^# There are no completions' "$data/bash/profrun" || {
	echo 'it was built on another machine, without completions' >&2
	exit 77
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
touch gmon.out
mkdir folder
bad=0

# same SHELL LINE FOUND EXPECTED
same() {
	[ "$3" = "$4" ] && return
	echo "$1: profrun $2: '$3' instead of '$4'" >&2
	bad=1
}

# What all of them complete: the words, a colon, and what becomes of the last.
# There is but one way to complete it, so that all show it alike.
lines='--fr : --frequency
--us : --usage
-F 100 --spl : --split
--clock u : user
--trigger i : interrupt
--follow e : exec
-F 100 --trigger auto --thr : --threads
-g --thr : --threads
--call-graph --thr : --threads
-vg nosuchprogram --fr : --fr
-qf pc : pcsample
--format gmon,r : gmon,raw
-o gmo : gmon.out
-vo gmo : gmon.out
-o --split --thr : --threads
nosuchprogram --fr : --fr
nosuchprogram gmo : gmon.out
-F 100 -qvo x nosuchprogram --fr : --fr
-- nosuchprogram --fr : --fr
-- report --so : --so
record --fr : --frequency
-v record -F 100 --clock u : user
record -o gmo : gmon.out
record nosuchprogram --fr : --fr
record nosuchprogram gmo : gmon.out
export -f js : json
export --format t : text
export --sy : --symfs
export --symfs fol : folder/
export gmo : gmon.out
report -s fu : function
report --sort proc : process
report --cl : --cl
report --csv gmo : gmon.out
report -S gmo : gmon.out
report --foc : --focus
diff gmo : gmon.out
annotate main gmo : gmon.out
dump --cs : --csv
--summary-file gmo : gmon.out
--max : --max-size
-v report --so : --sort
merge -o gmo : gmon.out
merge x.1 gmo : gmon.out
check --fr : --fr
check --he : --help'

# each SHELL: complete_SHELL reads the words of a line, and prints what becomes
# of the last one, line by line.
each() {
	local line found
	sed 's/ : .*//' <<<"$lines" | "complete_$1" >found
	while read -r line && read -r found <&3; do
		same "$1" "${line% : *}" "$found" "${line##* : }"
	done <<<"$lines" 3<found
	[ "$(wc -l <found)" = "$(wc -l <<<"$lines")" ] || {
		echo "$1: $(wc -l <found) answers" >&2
		bad=1
	}
}

# --- bash

# shellcheck source=data/bash/profrun.in
. "$data/bash/profrun"

# The words that bash offers for the last of "$@".
offer() {
	COMP_WORDS=(profrun "$@")
	COMP_CWORD=$#
	_profrun
}

complete_bash() {
	local words word
	while read -ra words; do
		offer "${words[@]}"
		word=${COMPREPLY[0]-${words[-1]}}
		[ ! -d "$word" ] || word=$word/ # as readline has it
		echo "$word"
	done
}

each bash

# expect WORDS... : EXPECTED...
expect() {
	local words=()
	while [ "$1" != : ]; do
		words+=("$1")
		shift
	done
	shift
	offer "${words[@]}"
	same bash "${words[*]}" "${COMPREPLY[*]-}" "$*"
}

expect --clock = : cpu user wall
expect --clock = u : user
expect --trigger = auto --cl : --clock
expect --follow = e : exec
expect --call-graph = : auto cfi fp none
expect --call-graph = c : cfi
expect --call-graph = cfi --cl : --clock
expect --output = gmo : gmon.out
expect -p $$ : $$
expect -p 1,$$ : 1,$$
expect report --sort = t : thread
expect -f '' : gmon pcsample raw folded flame pprof speedscope firefox callgrind perf-script json
path=$PATH
# shellcheck disable=SC2123
PATH=/nowhere
expect chec : check
expect recor : record
expect -v repo : report
expect -- chec :
expect record chec :
PATH=$path

# --- fish: what it offers is a line each, with what it means behind a tab; and also,
# in newer versions, what has the letters of the word somewhere.

# Where it has nothing to offer the word stays.
complete_fish() {
	XDG_CONFIG_HOME=$work/none HOME=$work/none fish -N -c "
		source $data/fish/profrun.fish
		while read line
			set word (string split -- ' ' \$line)[-1]
			set offered (complete -C \"profrun \$line\" | cut -f1)
			set offered (string match -- \"\$word*\" \$offered)
			test -n \"\$offered\"
			or set offered \$word
			echo \$offered
		end"
}

# --- zsh: it runs on a terminal of its own, where a line and a tab are typed;
# the key ^T makes it print what the line is then.

# It puts a = or a comma where one can follow, and takes it back if none does.
complete_zsh() {
	ZDOTDIR=$work timeout 60 zsh -f "$work/ask.zsh" | sed 's/[=,]$//'
}
cat >.zshrc <<'END'
PS1= RPS1=
fpath=($DATA/zsh $fpath)
autoload -Uz compinit
compinit -u -D
show() { print -r -- "<$BUFFER>"; BUFFER= }
zle -N show
bindkey '^T' show
zle-line-init() { print "<ready>" }
zle -N zle-line-init
END
cat >ask.zsh <<'END'
zmodload zsh/zpty || exit
zpty asked "TERM=dumb zsh -d -i"
zpty -r asked got '*<ready>*'
while read -r line; do
	zpty -n -w asked "profrun $line"$'\t\x14'
	zpty -r asked got '*<*>*' || exit
	got=${${got##*<}%%>*}
	print -r -- ${${(z)got}[-1]}
done
END
export DATA=$data

skipped=
for shell in fish zsh; do
	if command -v "$shell" >/dev/null; then
		each "$shell"
	else
		skipped="$skipped $shell"
	fi
done
[ "$bad" = 0 ] || exit 1
[ -z "$skipped" ] || {
	echo "not asked:$skipped"
	exit 77
}
