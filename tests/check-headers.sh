#!/bin/sh
# Every header compiles alone, and none of a lower folder includes a higher, or one
# that includes it; no tag and no prefix belongs to two of them; and what one declares
# is not for tests alone.
set -eu
cd "$top_srcdir"
bad=0
# compile [FLAG] HEADER...: the compiler names those that it refuses.
compile() {
	# shellcheck disable=SC2086
	$CC -std=gnu11 -Wall -Wextra -Werror -Wno-unused-function -fsyntax-only \
		-I"$abs_top_builddir" -D_GNU_SOURCE -DPACKAGE=1 -Ilib -x c "$@" || {
		echo 'a header does not compile alone' >&2
		bad=1
	}
}
compile lib/*/*.h lib/*/*/*.h
compile -I. src/*.h src/*/*.h
compile -Itests tests/support/*.h
# folder: the folders it may include
awk '
FILENAME == "-" { allowed[$1] = $0 " "; next }
/^[ \t]*#[ \t]*include "[a-z]+\// {
	used = $0
	sub(/^[^"]*"/, "", used)
	sub(/\/.*/, "", used)
	split(FILENAME, part, "/")
	if (!index(allowed[part[2]], " " used " ")) {
		print FILENAME " includes " used "/" > "/dev/stderr"
		bad = 1
	}
}
END { exit bad }' - lib/*/*.[ch] lib/*/*/*.[ch] <<EOF || bad=1
core core
inproc core inproc
image core image
space core image space
unwind core image space unwind
live core image space unwind live
profile core image space profile
view core image space unwind profile view
EOF
# No file includes one that includes it, directly or through others; a file is a .c
# with the .h beside it.  (An installed header of lib/core is alone: it promises
# what files of the rooms there keep.)
awk '
/^[ \t]*#[ \t]*include "/ {
	own = FILENAME
	sub(/^lib\//, "", own)
	sub(/[.][ch]$/, "", own)
	used = $0
	sub(/^[^"]*"/, "", used)
	sub(/[.][a-z]*".*/, "", used)
	if (used !~ /\//) { # it is in the same folder
		folder = own
		sub(/[^\/]*$/, "", folder)
		used = folder used
	}
	if (used != own)
		print own, used
}' lib/*/*.[ch] lib/*/*/*.[ch] src/*.[ch] src/*/*.[ch] | sort -u |
	tsort >/dev/null || {
	echo 'files include each other in a circle' >&2
	bad=1
}
# A tag is defined in one header.  No two headers have the same name.  Function
# prf_foo_bar() is declared in foo_bar.h if there is one, else in foo.h, or in one
# of the same subject: gmon_read.h may declare prf_gmon_free() beside gmon.h.  If
# there is none of these, all functions prf_foo_...() are in one header.  (prf_foos_
# counts as prf_foo_.)
#
# Exceptions: prf_pcsample() is the call, which inproc/profil.h offers;
# core/pcsample.h has its arithmetic.
exceptions='function prf_pcsample'
for header in lib/*/*.h lib/*/*/*.h src/*.h src/*/*.h; do
	[ -e "$header" ] || continue
	name=${header##*/}
	echo "header ${name%.h} $header"
	sed -nE -e "s#^(struct|enum|union) (prf_[a-z0-9_]+) [{].*#tag \2 $header#p" \
		-e "s#^([a-z_][^(]*[ *])?(prf_[a-z0-9_]+)[(].*#function \2 $header#p" \
		"$header"
done | awk -v exceptions="$exceptions" '
function name_of(header) {
	sub(".*/", "", header)
	sub("[.]h$", "", header)
	return header
}
function starts(text, part) { return index(text "_", part "_") == 1 }
# The header that function prf_NAME is to be declared in; "": there is none.
function owner_of(name) {
	for (; name != ""; sub("_?[^_]*$", "", name)) {
		if (name in headers)
			return name
		if (sub("s$", "", name) && name in headers)
			return name
	}
	return ""
}
function complain(what, text) {
	if (index("\n" exceptions "\n", "\n" what "\n"))
		return
	print what ": " text > "/dev/stderr"
	bad = 1
}
# WHAT can be claimed by one header alone.
function claim(what, header) {
	if (what in claimed && claimed[what] != header)
		complain(what, "in " claimed[what] " and " header)
	claimed[what] = header
}
$1 == "header" { headers[$2] = 1 }
$1 == "function" { declared[$2 " " $3] = 1 }
$1 != "function" { claim($1 " " $2, $3) }
END {
	for (pair in declared) {
		split(pair, part, " ")
		owner = owner_of(substr(part[1], length("prf_") + 1))
		name = name_of(part[2])
		split(part[1], words, "_")
		if (owner == "")
			claim("prefix prf_" words[2], part[2])
		else if (!starts(name, owner) && !starts(owner, name))
			complain("function " part[1],
				 "in " part[2] ", not in " owner ".h")
	}
	exit bad
}' || bad=1
# A function that others may call, and that is not installed, is called by lib or src;
# and from another file, if that be a test.
#
# Exceptions: what timers send, which tests send in their place; lines of bytes that a
# test has damaged; and how many units were read for a line, which nothing else tells.
exceptions='prf_ticker_value
prf_ticker_scout_value
prf_lines_open_memory
prf_lines_stats'
awk -v exceptions="$exceptions" '
# LINE without its comments.
function code_of(line) {
	if (in_comment && !sub(/^.*[*]\//, "", line))
		return ""
	gsub(/\/[*]([^*]|[*]+[^*\/])*[*]+\//, "", line)
	in_comment = sub(/\/[*].*/, "", line)
	return line
}
function complain(name, text) {
	if (index("\n" exceptions "\n", "\n" name "\n"))
		return
	print "function " name " of " owner[name] ": " text > "/dev/stderr"
	bad = 1
}
FNR == 1 { is_ours = FILENAME ~ /^(lib|src)\//; is_installed = 0 }
/PRF_BEGIN_DECLS|^extern "C"/ { is_installed = 1 }
{
	line = code_of($0)
	gsub(/(struct|enum|union) prf_[a-z0-9_]+/, "", line)
	begins = is_ours && line ~ /^prf_[a-z0-9_]+[(]/
	declares = FILENAME ~ /[.]h$/ && line ~ /^[a-z][^(]*[ *]prf_[a-z0-9_]+[(]/
	for (; match(line, /prf_[a-z0-9_]+/); line = rest) {
		name = substr(line, RSTART, RLENGTH)
		rest = substr(line, RSTART + RLENGTH)
		if (begins) {
			if (!(name in owner) || FILENAME ~ /[.]c$/)
				owner[name] = FILENAME
		} else if (!declares) {
			if (is_ours)
				ours[name]
			uses[name, FILENAME]
		}
		if ((begins || declares) && is_installed)
			installed[name]
		begins = declares = 0
	}
}
END {
	for (use in uses) {
		split(use, part, SUBSEP)
		if (part[1] in owner && part[2] != owner[part[1]])
			elsewhere[part[1]]
	}
	for (name in owner) {
		if (name in installed || owner[name] ~ /[.]h$/)
			continue
		if (!(name in ours))
			complain(name, "only tests use it")
		else if (!(name in elsewhere))
			complain(name, "no other file uses it")
	}
	exit bad
}' lib/*/*.[ch] lib/*/*/*.[ch] src/*.[ch] src/*/*.[ch] tests/*/*.[ch] bench/*.[ch] ||
	bad=1
exit "$bad"
