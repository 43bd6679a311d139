#!/bin/sh
# Each page's example is a program that does what the page says: taken from
# what a reader sees, built with the installed library, and run.
set -eu
. "$top_srcdir/tests/man/staged.sh"
bad=0

complain() {
	echo "$name: $*" >&2
	bad=1
}

# blocks PAGE: those of its EXAMPLES, into the files 1, 2 and so on
blocks() {
	sed -e 's/^\.EX.*/&\n@begin/' -e 's/^\.EE/@end\n&/' "$1" | rendered |
		awk '
		/^[^ ]/ { inside = /^EXAMPLES?$/ }
		inside && /^ *@begin$/ { n++; indent = index($0, "@"); next }
		/^ *@end$/ { indent = 0 }
		indent { print substr($0, indent) >n }'
}

# build: the program of example.c
build() {
	# shellcheck disable=SC2046,SC2086
	$CC -Wall -Wextra -Werror $SAN_CFLAGS -o example example.c \
		$(prf_pkg_config --cflags --libs) >build.log 2>&1
}

run() {
	LD_LIBRARY_PATH=$lib_dir timeout 120 ./example >output 2>errors
}

# check FILE NEXT: the program in FILE; NEXT is the block behind it, and if it
# is no program it is what the program prints
check() {
	cp "$1" example.c
	if ! build; then
		complain "its example does not compile"
		cat build.log >&2
		return
	fi
	if ! run; then
		complain "its example fails"
		cat output errors >&2
		return
	fi
	if [ -e "$2" ] && ! is_program "$2"; then
		diff -u "$2" output >&2 ||
			complain "its example prints something else"
	fi
}

is_program() { grep -Eq '(^|[ *])main\(' "$1"; }

for page in $(pages); do
	name=$(basename "$page")
	mkdir "$work/$name"
	cd "$work/$name"
	blocks "$page"
	n_programs=0
	i=1
	while [ -e "$i" ]; do
		if is_program "$i"; then
			n_programs=$((n_programs + 1))
			check "$i" $((i + 1))
		fi
		i=$((i + 1))
	done
	[ "$n_programs" -gt 0 ] || complain "has no example"
done
exit "$bad"
