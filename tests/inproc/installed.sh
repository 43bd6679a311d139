# Sourced: the library as a program meets it that is built against what is
# installed, found by pkg-config.  Leaves the shell in a directory of its own.
# shellcheck shell=sh disable=SC2034
LC_ALL=C
export LC_ALL
: "${abs_top_builddir:?}" "${abs_top_srcdir:?}" "${CC:?}"
for tool in gprof pkg-config; do
	command -v $tool >/dev/null || {
		echo "$tool is missing" >&2
		exit 77
	}
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit

# The headers as they are installed, and the library as it is built.
(cd "$abs_top_builddir" && unset MAKEFLAGS MFLAGS MAKELEVEL &&
	${MAKE:-make} -s prefix="$work/usr" install-profrunincludeHEADERS \
		install-dist_prfcompatHEADERS \
		install-dist_prfcompatsysHEADERS) >install.log 2>&1 || {
	cat install.log >&2
	exit 99
}
PKG_CONFIG_PATH=$abs_top_builddir/data
export PKG_CONFIG_PATH
# Of the build, as the library needs them where it is built with sanitizers.
flags_of() {
	pkg-config --define-variable=prefix="$work/usr" --cflags "$1"
}
cflags=$(flags_of profrun-compat)
library=$abs_top_builddir/lib/core/.libs/libprofrun.a

# compile PROGRAM SOURCE... [FLAGS]: without a warning
compile() {
	program=$1
	shift
	# shellcheck disable=SC2086
	$CC ${SAN_CFLAGS-} -O1 -g -Wall -Wextra -Werror $cflags -o "$program" \
		"$@" "$library" -lpthread
}

# flat PROGRAM FILE: "NAME SECONDS" of the flat profile
flat() { gprof -b -p "$@" | awk 'NF >= 4 && $1 ~ /^[0-9.]+$/ {
	print $NF, $3 }'; }

# seconds NAME PROGRAM FILE
seconds() {
	name=$1
	shift
	flat "$@" | awk -v name="$name" '$1 == name { s += $2 }
		END { printf "%.2f\n", s }'
}

bad=0
# holds WHAT EXPRESSION-OF-AWK
holds() {
	awk "BEGIN { exit !($2) }" && return
	echo "$1: not $2" >&2
	bad=1
}
