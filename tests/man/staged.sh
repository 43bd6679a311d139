# Sourced: the library as "make install" leaves it, below $stage, with its
# manual.  $work is a directory of the test's own.
# shellcheck shell=sh disable=SC2034
set -eu
export LC_ALL=C
for tool in groff pkg-config awk; do
	command -v "$tool" >/dev/null || {
		echo "$tool is missing" >&2
		exit 77
	}
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
stage=$work/stage

# The options of the make that runs the tests are not for this one.
if ! env -u MAKEFLAGS -u MFLAGS "$MAKE" -C "$abs_top_builddir" \
	DESTDIR="$stage" install-libLTLIBRARIES install-profrunincludeHEADERS \
	install-pkgconfigDATA install-man install-man-links \
	>"$work/install.log" 2>&1; then
	cat "$work/install.log" >&2
	exit 1
fi

# staged NAME: where the file of that name was put
staged() { find "$stage" -name "$1"; }

pc=$(staged profrun.pc)
lib_dir=$(dirname "$(staged libprofrun.so)")
include_dir=$(dirname "$(staged hist.h)")
man_dir=$(dirname "$(staged libprofrun.3)")

# prf_pkg_config OPTIONS...: as a user would say it, of the staged library
prf_pkg_config() {
	PKG_CONFIG_SYSROOT_DIR=$stage PKG_CONFIG_LIBDIR=$(dirname "$pc") \
		PKG_CONFIG_ALLOW_SYSTEM_CFLAGS=1 \
		PKG_CONFIG_ALLOW_SYSTEM_LIBS=1 pkg-config "$@" profrun
}

# The pages that say something; the other files are links to them.
pages() { grep -L '^\.so ' "$man_dir"/*.3; }

# rendered: the page on standard input as a terminal shows it, 80 columns wide
rendered() { groff -mandoc -Kutf8 -Tutf8 -P-cbou -rcR=1 -rLL=80n; }

# section NAME PAGE: one section of it, as it is shown, without its indentation
section() {
	rendered <"$2" | awk -v name="$1" '
		/^[^ ]/ { inside = $0 == name; next }
		inside { sub(/^       /, ""); print }'
}
