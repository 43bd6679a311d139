#!/bin/bash
# aarch64.sh prepare|build|run COMMAND|check [TEST...]|programs - an emulated aarch64 machine.
# README.md here says what it is good for.
# machine.sh uses the variables.
# shellcheck disable=SC2034

machine=aarch64
# shellcheck source-path=SCRIPTDIR source=machine.sh
. "$(dirname "$0")/machine.sh"

root=$cache/root
modules=$root/lib/modules
busybox=$root/bin/busybox
kernel=$cache/vmlinuz
console=ttyAMA0
strip=aarch64-linux-gnu-strip
# The clock of the machine counts its instructions: whatever else this computer
# does, a second there has as many of them.
qemu=(qemu-system-aarch64 -M "virt,gic-version=3" -smp 2 -m 2048
	-cpu "${PRF_MACHINE_CPU:-cortex-a72}" -icount "shift=2,sleep=on")

packages=base-files,base-passwd,bash,dash,coreutils,grep,sed,gawk,findutils,diffutils,make,gcc,\
libc6-dev,libelf-dev,libdw-dev,liblzma-dev,binutils,binutils-dev,libiberty-dev,libzstd-dev,\
zlib1g-dev,libprotobuf-c-dev,libncurses-dev,check,pkg-config,xz-utils,procps,busybox-static,\
file,util-linux,debianutils,libc-bin,ncurses-base,gzip,tar,hostname,python3,perl,sqlite3,\
libdebuginfod1,linux-image-arm64

# The sources of this machine's own APT.
list_sources() {
	apt-get indextargets --format '$(SITE) $(RELEASE) $(COMPONENT)' \
		'Created-By: Packages' | sort -u |
		while read -r site release component; do
			echo "deb $site $release $component"
		done
}

# What was extracted and never configured becomes a root, and a sysroot.
finish_root() {
	local dir link
	cd "$1" || exit
	for dir in bin sbin lib; do
		[ -L "$dir" ] && continue
		cp -a "$dir/." "usr/$dir/"
		rm -rf "$dir"
		ln -s "usr/$dir" "$dir"
	done
	# The linker on this machine follows them.
	find usr -type l -lname '/*' | while read -r link; do
		ln -sfnr ".$(readlink "$link")" "$link"
	done
	cp usr/share/base-passwd/passwd.master etc/passwd
	cp usr/share/base-passwd/group.master etc/group
	printf 'root:*:19000:0:99999:7:::\n' >etc/shadow
	printf '127.0.0.1 localhost\n' >etc/hosts
	ln -sf gawk usr/bin/awk
	ln -sf gcc usr/bin/cc
	ln -sf which.debianutils usr/bin/which
	mkdir -p proc sys dev run tmp root
}

make_root() (
	new=$cache/root.new
	rm -rf "$new"
	list_sources >"$cache/sources"
	nice mmdebstrap --quiet --architectures=arm64 --variant=extract --mode=root \
		--skip=check/qemu --aptopt='Apt::Install-Recommends "false"' \
		--include="$packages" \
		"$(. /etc/os-release && echo "$VERSION_CODENAME")" \
		"$new" "$cache/sources" >"$cache/fetch.log" 2>&1 ||
		skip "no packages for it can be had, see $cache/fetch.log"
	finish_root "$new"
	rm -rf "$root"
	mv "$new" "$root"
)

prepare() {
	local stamp
	need qemu-system-aarch64 qemu-system-arm mmdebstrap mmdebstrap cpio cpio \
		aarch64-linux-gnu-gcc gcc-aarch64-linux-gnu apt-get apt \
		arch-test arch-test
	[ "$(id -u)" = 0 ] || skip 'only root can extract its root'
	stamp=$(cat "$here"/{aarch64.sh,machine.sh,init} | sha256sum)
	[ "$(cat "$cache/stamp" 2>/dev/null)" != "$stamp" ] || return 0
	case $(cat "$cache/root-of" 2>/dev/null) in
	"$packages") ;;
	*)
		make_root
		echo "$packages" >"$cache/root-of"
		;;
	esac
	cp "$root"/boot/vmlinuz-* "$kernel"
	make_initrd
	echo "$stamp" >"$cache/stamp"
}

# Everything, tests included, for that machine.
build() {
	local triplet=aarch64-linux-gnu
	export PKG_CONFIG_SYSROOT_DIR=$root
	export PKG_CONFIG_LIBDIR=$root/usr/lib/$triplet/pkgconfig
	PKG_CONFIG_LIBDIR+=:$root/usr/share/pkgconfig
	mkdir -p "$work"
	cd "$work" || exit
	[ -x "$top/configure" ] || PRF_NO_CONFIGURE=1 "$top/bootstrap"
	[ "$work/Makefile" -nt "$top/configure" ] ||
		"$top/configure" -q --host=$triplet --enable-werror \
			CC="${CCACHE-ccache} $triplet-gcc --sysroot=$root"
	make_all
}

main "$@"
