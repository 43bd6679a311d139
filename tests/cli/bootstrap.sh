#!/bin/sh
# bootstrap installs only as root with apt-get, and else says what to do.  Every
# tool that it knows is a stand-in here.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$abs_top_srcdir/bootstrap" "$work/bootstrap"
cd "$work"
unset CC PRF_NO_INSTALL PRF_NO_CONFIGURE || :
bad=0

complain() {
	echo "$what: $*" >&2
	bad=1
}

# stand_in NAME writes bin/NAME, a script that is on stdin, and that first notes
# how it was called.
stand_in() {
	{
		echo '#!/bin/sh'
		echo 'echo "${0##*/} $*" >>called'
		cat
	} >"bin/$1"
	chmod +x "bin/$1"
}

# A system with nothing but the shell's own tools: user_id, package tools...
system() {
	user_id=$1
	shift
	rm -rf bin called installed
	mkdir bin
	for tool in sh dirname tr cat; do
		ln -s "$(command -v "$tool")" "bin/$tool"
	done
	printf '#!/bin/sh\necho %s\n' "$user_id" >bin/id
	chmod +x bin/id
	for tool; do stand_in "$tool" </dev/null; done
	: >called
}

# All that bootstrap asks for.  The compiler knows each header.
equip() {
	for tool in cc make autoreconf automake libtoolize pkg-config protoc-c gprof xz; do
		stand_in "$tool" <<'END'
case $0 in */cc) cat >/dev/null ;; esac
END
	done
}

run() {
	status=0
	env PATH="$work/bin" "$@" >out 2>err || status=$?
	# What the compiler was asked is of no interest.
	grep -v '^cc ' called >calls || :
}

ends_with() { [ "$status" = "$1" ] || complain "status $status: $(cat err)"; }
says() { grep -q -e "$1" err || complain "does not say '$1': $(cat err)"; }
calls() {
	printf '%s\n' "$@" >expected
	cmp -s expected calls || complain "called: $(cat calls)"
}
calls_nothing() { [ ! -s calls ] || complain "called: $(cat calls)"; }

printf '#!/bin/sh\necho "configure $*" >>called\n' >configure
chmod +x configure

what='nothing known'
system 0
run ./bootstrap
ends_with 1
says 'missing: cc make autoreconf automake libtoolize pkg-config protoc-c gprof xz'
says 'apt-get install .*libdw-dev .*binutils-dev .*check'
says 'dnf install .*elfutils-devel .*check-devel'
says 'apk add .*argp-standalone'
says 'pacman -S .*libelf'
calls_nothing

for tool in dnf apk pacman; do
	what="root with $tool"
	system 0 "$tool"
	run ./bootstrap
	ends_with 1
	says "$tool .*autoconf automake"
	grep -q 'Debian' err && complain 'speaks of other systems'
	calls_nothing
done

what='a user with apt-get'
system 1000 apt-get
run ./bootstrap
ends_with 1
says 'run as root'
says 'apt-get install -y --no-install-recommends gcc make .*xz-utils$'
calls_nothing

what='root who wants no installation'
system 0 apt-get
run PRF_NO_INSTALL=1 ./bootstrap
ends_with 1
calls_nothing

lock='-q -o DPkg::Lock::Timeout=300'
packages="gcc make autoconf automake libtool pkg-config libc6-dev libelf-dev\
 libdw-dev liblzma-dev binutils binutils-dev libiberty-dev libzstd-dev zlib1g-dev libprotobuf-c-dev protobuf-c-compiler libncurses-dev check xz-utils"
install="apt-get $lock install -y --no-install-recommends $packages"

what='root with apt-get'
system 0
equip
mkdir later
mv bin/make bin/gprof bin/cc later
stand_in apt-get <<'END'
[ "$DEBIAN_FRONTEND" = noninteractive ] || exit 9
case $* in *' install '*) for f in later/*; do cat "$f" >"bin/${f#*/}"; chmod +x "bin/${f#*/}"; done ;; esac
END
ln -s "$(command -v chmod)" bin/chmod
run ./bootstrap --prefix=/x 'a b'
ends_with 0
calls "apt-get $lock update" "$install" 'autoreconf --install --force' \
	'configure --prefix=/x a b'

what='a release that has a part of binutils-dev apart'
system 0 apt-get
printf '#!/bin/sh\n[ "$*" = "show libsframe-dev" ]\n' >bin/apt-cache
chmod +x bin/apt-cache
run ./bootstrap
ends_with 1
calls "apt-get $lock update" "$install libsframe-dev"

what='an installation that does not help'
system 0 apt-get
run ./bootstrap
ends_with 1
says 'still missing after the installation: cc make'
calls "apt-get $lock update" "$install"

what='no network'
system 0
stand_in apt-get <<'END'
exit 100
END
run ./bootstrap
ends_with 1
says 'apt-get update failed'
calls "apt-get $lock update"

what='a package that is not there'
system 0
stand_in apt-get <<'END'
case $* in *' install '*) exit 100 ;; esac
END
run ./bootstrap
ends_with 1
says 'the installation failed'

what='nothing missing'
system 1000 apt-get
equip
run ./bootstrap --enable-werror
ends_with 0
calls 'autoreconf --install --force' 'configure --enable-werror'
[ ! -s err ] || complain "says $(cat err)"

what='a compiler with arguments'
system 1000
equip
run CC='cc -m64' ./bootstrap
ends_with 0

what='a header missing'
system 1000
equip
stand_in cc <<'END'
case $(cat) in *bfd.h*) exit 1 ;; esac
END
run ./bootstrap
ends_with 1
says 'missing: bfd.h $'

what='no configure wanted'
system 1000
equip
run PRF_NO_CONFIGURE=1 ./bootstrap
ends_with 0
calls 'autoreconf --install --force'

what='autoreconf fails'
system 1000
equip
stand_in autoreconf <<'END'
exit 1
END
run ./bootstrap
ends_with 1
says 'autoreconf failed'
exit "$bad"
