#!/bin/sh
# Every header compiles alone, and none of a lower folder includes a higher.
set -eu
cd "$top_srcdir"
bad=0
for header in lib/*/*.h src/*.h tests/support/*.h; do
	[ -e "$header" ] || continue
	case $header in
	tests/*) extra=-Itests ;;
	src/*) extra=-Isrc ;;
	*) extra= ;;
	esac
	# shellcheck disable=SC2086
	if ! $CC -std=gnu11 -Wall -Wextra -Werror -Wno-unused-function \
		-fsyntax-only -Ilib \
		-I"$abs_top_builddir" $extra -D_GNU_SOURCE -DPACKAGE=1 \
		-x c "$header"; then
		echo "does not compile alone: $header" >&2
		bad=1
	fi
done
# folder: the folders it may include
while read -r folder allowed; do
	for file in "lib/$folder"/*.[ch] "lib/$folder"/*/*.[ch]; do
		[ -e "$file" ] || continue
		sed -n 's/^[[:space:]]*#[[:space:]]*include "\([a-z]*\)\/.*/\1/p' "$file" |
			sort -u | while read -r used; do
			case " $allowed " in
			*" $used "*) ;;
			*)
				echo "$file includes $used/: only $allowed may be" >&2
				exit 1
				;;
			esac
		done || bad=1
	done
done <<EOF
core core
inproc core inproc
image core image
live core image live
view core image view
EOF
exit "$bad"
