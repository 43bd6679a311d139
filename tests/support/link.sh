#!/bin/sh
# link.sh - what "libtool --mode=link" does for a program that is made of archives
# alone.  There are hundreds of tests, and libtool takes longer than the linker.
#
#	link.sh ARGUMENT...	libtool's
set -eu
for argument; do
	shift
	case $argument in
	--silent | --quiet | --tag=* | --mode=link) ;;
	*.la)
		name=${argument##*/}
		set -- "$@" "${argument%/*}/.libs/${name%.la}.a" -lm
		;;
	*) set -- "$@" "$argument" ;;
	esac
done
exec "$@"
