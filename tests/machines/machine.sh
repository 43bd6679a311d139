# shellcheck shell=bash
# machine.sh - what aarch64.sh and x86_64.sh share; it is sourced.
#
# A machine is qemu with a kernel of Debian's.  Its root is a directory of this
# machine's, which it may not write to: what it writes is in its own memory.  One
# other directory, $work, it has at the same path, and may write to; and the sources,
# which it may only read.
#
# The one that sources this sets
#   machine     its name
#   root        the directory that is its root
#   kernel      the file of the kernel
#   modules     the directory with that kernel's modules
#   busybox     a static busybox that it can run
#   qemu        the array of the emulator and what it is told of the machine
#   console     the name of its serial console there
#   strip       the program that strips its modules
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
top=$(cd "$here/../.." && pwd)
cache=${XDG_CACHE_HOME:-$HOME/.cache}/profrun-machines/$machine
work=${PRF_MACHINE_WORK:-$cache/work}
# A machine that does not end is ended after so many seconds.
limit_s=${PRF_MACHINE_LIMIT_S:-600}
mkdir -p "$cache"

skip() {
	echo "$machine: $*" >&2
	exit 77
}

# need PROGRAM PACKAGE...: in pairs
need() {
	local missing=
	while [ $# -gt 0 ]; do
		command -v "$1" >/dev/null || missing+=" $2"
		shift 2
	done
	[ -z "$missing" ] || skip "not installed:$missing"
}

# Whatever APT says no to is a mirror that is not there.
fetch_packages() {
	(cd "$1" && apt-get -q download "${@:2}") >"$cache/fetch.log" 2>&1 ||
		skip "a package cannot be had, see $cache/fetch.log"
}

# --- The kernel's first root: busybox, modules, and init.

# The files of the named modules, each behind those that it needs.  (Debian's are
# not compressed.)
module_files() {
	local name file
	for name; do
		file=$(find "$modules" -name "${name//_/[-_]}.ko" -print -quit)
		[ -n "$file" ] || continue # it is in the kernel
		# shellcheck disable=SC2046 # a list of names
		module_files $(LC_ALL=C sed -zn 's/^depends=//p' "$file" |
			tr '\0,' '  ')
		echo "$file"
	done | awk '!seen[$0]++'
}

make_initrd() {
	local dir file
	dir=$(mktemp -d)
	mkdir -p "$dir"/{bin,dev,m,new,proc,ro,sys,tmp}
	cp "$busybox" "$dir/bin/busybox"
	install -m 755 "$here/init" "$dir/init"
	for file in $(module_files virtio_pci virtio_rng 9pnet_virtio 9p overlay); do
		"$strip" --strip-debug -o "$dir/m/${file##*/}" "$file"
		echo "${file##*/}"
	done >"$dir/m/list"
	(cd "$dir" && find . | cpio -o -H newc --quiet) >"$cache/initrd.new"
	mv "$cache/initrd.new" "$cache/initrd"
	rm -rf "$dir"
}

# What make check needs; of the programs of tests only PRF_MACHINE_PROGRAMS, if those
# are told.
make_all() {
	nice make -s -j"$(nproc)"
	nice make -s -j"$(nproc)" check TESTS= \
		${PRF_MACHINE_PROGRAMS+check_PROGRAMS="$PRF_MACHINE_PROGRAMS"}
}

# --- To run something.

# run COMMAND...: by a shell, in $work; the output and the status are the command's.
run() {
	local id status ended=0
	id=$work/.machine.$$
	mkdir -p "$id"
	cat >"$id/script" <<-END
		export PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
		export HOME=/root LC_ALL=C.UTF-8 TERM=dumb
		stty -opost -echo </dev/console
		date -s @$(date +%s) >/dev/null
		cd $work
		setsid -w bash -c $(printf %q "$*") </dev/null >/dev/console 2>&1
		echo \$? >$id/status
		sync
		/run/busybox poweroff -f
	END
	timeout -k 10 "$limit_s" nice "${qemu[@]}" -nodefaults -display none \
		-serial stdio -no-reboot -kernel "$kernel" -initrd "$cache/initrd" \
		-device virtio-rng-pci -append "console=$console quiet loglevel=0 \
panic=-1 mitigations=off source=$top share=$work script=$id/script" \
		-virtfs "local,path=$root,mount_tag=root,security_model=none,\
readonly=on,multidevs=remap" \
		-virtfs "local,path=$top,mount_tag=source,security_model=none,\
readonly=on,multidevs=remap" \
		-virtfs "local,path=$work,mount_tag=work,security_model=none,\
multidevs=remap" </dev/null || ended=$?
	status=$(cat "$id/status" 2>/dev/null) || status=125
	rm -rf "$id"
	case $ended in
	0) return "$status" ;;
	124 | 137)
		echo "$machine: ended at its limit, after $limit_s s" >&2
		return 124
		;;
	*)
		echo "$machine: qemu ended with $ended" >&2
		return 125
		;;
	esac
}

# check [TEST...]: tests of the build, by default all that are one program, and
# each for so many seconds.
check() {
	[ $# -gt 0 ] || {
		# shellcheck disable=SC2046 # a list of names
		set -- $(make -s -C "$work" list-tests | grep '^tests/.*/test_')
	}
	run "$here/run-tests" "$top" "${PRF_MACHINE_TEST_S:-120}" "$@"
}

# programs: programs that people run, see there.
programs() {
	run "$here/programs"
}

main() {
	local verb=${1-}
	shift || :
	case $verb in
	prepare) prepare ;;
	build) prepare && build ;;
	run) prepare && run "$@" ;;
	check) prepare && build && check "$@" ;;
	programs) prepare && build && programs ;;
	*)
		echo "usage: $0 prepare|build|run COMMAND|check [TEST...]|programs" >&2
		return 2
		;;
	esac
}
