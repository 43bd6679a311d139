#!/bin/sh
# What configure does not find, it says at once, in a line each: by a compiler that does
# not know it.
# "CC" may be several words.
# shellcheck disable=SC2086
set -eu
: "${CC:=cc}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0
# Not in the source itself, which may be configured.
mkdir -p "$work/source/lib/core" "$work/build"
cp "$abs_top_srcdir/configure" "$work/source"
cp -R "$abs_top_srcdir/build-aux" "$work/source"
cp "$abs_top_srcdir/lib/core/sample.h" "$work/source/lib/core"
cd "$work/build"
# It fails for a source that has a header of $hidden, and where it is to link one of
# those libraries.
cat >../cc <<'END'
#!/bin/sh
for argument; do
	for name in $hidden; do
		case $argument in
		-l"$name" | -l:lib"$name".a) exit 1 ;;
		*.c) ! grep -q "include *<$name>" "$argument" || exit 1 ;;
		esac
	done
done
exec $real_cc "$@"
END
chmod +x ../cc
# lacks VARIABLE=VALUE...: where $hidden is not there, configure, with these variables,
# ends with the lines of the file expected.
lacks() {
	rm -rf ./*
	status=0
	real_cc=$CC hidden=$hidden CONFIG_SHELL=/bin/sh \
		sh ../source/configure -q --disable-dependency-tracking \
		CC="$work/cc" "$@" >out 2>err || status=$?
	[ "$status" = 1 ] || complain "ends with $status"
	sed -n 's/^  //p' err >found
	cmp -s found ../expected || complain "says: $(cat err)"
}
complain() {
	echo "configure without $hidden: $*" >&2
	bad=1
}

hidden='libelf.h gelf.h elfutils/libdwfl.h elfutils/libdwelf.h lzma.h zlib.h bfd.h
	sys/queue.h elf dw lzma z bfd'
cat >../expected <<'END'
libelf is missing: install libelf-dev (Debian) or elfutils-libelf-devel (Fedora)
libdw is missing: install libdw-dev (Debian) or elfutils-devel (Fedora)
liblzma is missing: install liblzma-dev (Debian) or xz-devel (Fedora)
zlib is missing: install zlib1g-dev (Debian) or zlib-devel (Fedora)
protobuf-c is missing: install libprotobuf-c-dev (Debian) or protobuf-c-devel (Fedora)
protoc-c is missing: install protobuf-c-compiler (Debian, Fedora)
ncursesw is missing: install libncurses-dev (Debian) or ncurses-devel (Fedora)
libbfd is missing: install binutils-dev (Debian) or binutils-devel (Fedora)
sys/queue.h is missing: with musl, install bsd-compat-headers (Alpine)
argp is missing: with musl, install argp-standalone
END
lacks PKG_CONFIG_LIBDIR=/nonexistent ac_cv_prog_PROTOC_C= ac_cv_search_argp_parse=no

hidden=opcodes
cat >../expected <<'END'
pkg-config is missing: install pkg-config (Debian) or pkgconf-pkg-config (Fedora)
libopcodes cannot be linked: install binutils-dev (Debian) or binutils-devel (Fedora)
END
# (A machine that runs what another has built need not have it.)
lacks ac_cv_path_PKG_CONFIG= ac_cv_path_ac_pt_PKG_CONFIG= \
	ac_cv_prog_PROTOC_C=protoc-c
exit "$bad"
