#!/bin/bash
# x86_64.sh prepare|build|run COMMAND|check [TEST...]|programs - this machine's files under
# the kernel of Debian 12.  README.md here says what it is good for.
# machine.sh uses the variables.
# shellcheck disable=SC2034

machine=x86_64
# shellcheck source-path=SCRIPTDIR source=machine.sh
. "$(dirname "$0")/machine.sh"

root=/
modules=$cache/kernel/lib/modules
busybox=$cache/kernel/bin/busybox
kernel=$cache/vmlinuz
console=ttyS0
strip="strip"
qemu=(qemu-system-x86_64 -M q35 -smp 2 -m "${PRF_MACHINE_MB:-3072}")

# KVM can be there and not work, where this machine is one of that kind itself: it is
# tried once, for as long as a boot takes by emulation.
kvm_works() {
	local tried=$cache/kvm
	[ -w /dev/kvm ] || return
	if [ ! -e "$tried" ]; then
		echo no >"$tried"
		timeout -k 5 20 "${qemu[@]}" -accel kvm -cpu host -nodefaults \
			-display none -no-reboot -kernel "$kernel" \
			-initrd "$cache/initrd" -append panic=-1 \
			>"$cache/kvm.log" 2>&1 </dev/null && echo yes >"$tried"
	fi
	[ "$(cat "$tried")" = yes ]
}

choose_processor() {
	if kvm_works; then
		qemu+=(-accel kvm -cpu host)
	else
		qemu+=(-cpu max)
	fi
}

# The package that the package of the newest kernel stands for.
kernel_package() {
	apt-cache depends linux-image-amd64 |
		sed -n 's/^ *Depends: \(linux-image-[0-9].*-amd64\)$/\1/p' | tail -1
}

prepare() {
	local dir package deb
	need qemu-system-x86_64 qemu-system-x86 cpio cpio apt-get apt
	[ "$(uname -m)" = x86_64 ] || skip "this is no x86-64 machine"
	package=$(kernel_package)
	[ -n "$package" ] || skip 'APT knows no linux-image-amd64'
	case $(cat "$cache/stamp" 2>/dev/null) in
	"$package $(sha256sum <"$here/init")")
		choose_processor
		return
		;;
	esac
	rm -f "$cache/kvm"
	dir=$(mktemp -d)
	fetch_packages "$dir" "$package" busybox-static
	rm -rf "$cache/kernel"
	for deb in "$dir"/*.deb; do
		nice dpkg-deb -x "$deb" "$cache/kernel"
	done
	rm -rf "$dir"
	cp "$cache"/kernel/boot/vmlinuz-* "$kernel"
	make_initrd
	echo "$package $(sha256sum <"$here/init")" >"$cache/stamp"
	choose_processor
}

build() {
	mkdir -p "$work"
	cd "$work" || exit
	[ -x "$top/configure" ] || PRF_NO_CONFIGURE=1 "$top/bootstrap"
	[ "$work/Makefile" -nt "$top/configure" ] ||
		"$top/configure" -q --enable-werror CC="${CCACHE-ccache} gcc"
	make_all
}

main "$@"
