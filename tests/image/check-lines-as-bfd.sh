#!/bin/sh
# Lines and inlined functions are those that libdw and bfd find, wherever the
# debug information is and whoever wrote it.
set -eu
# shellcheck disable=SC2154 # set by make
# libbfd loses some memory when it is closed.
export ASAN_OPTIONS=detect_leaks=0
judge=$abs_top_builddir/tests/image/judge_lines
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

cat >code.h <<'EOF'
static inline __attribute__((always_inline)) int twice(int n)
{
	return n * 2 +
	       (n > 7);
}
static inline __attribute__((always_inline)) int more(int n)
{
	int sum = 0;
	for (int i = 0; i < n; i++)
		sum += twice(n ^ i);
	return sum;
}
EOF
for i in 1 2 3 4; do
	cat >code$i.c <<EOF
#include "code.h"
int f$i(int n);
__attribute__((noinline)) int f$i(int n)
{
	volatile int sink = more(n) + twice(n);
	if (n < 0) {
		sink += more(sink);
		__builtin_abort();
	}
	return sink;
}
EOF
done
echo 'int f1(int), f2(int), f3(int), f4(int);
int main(int argc, char **argv)
{ (void)argv; return f1(argc) + f2(argc) + f3(argc) + f4(argc); }' >main.c

cat >templates.cpp <<'EOF'
#include <algorithm>
#include <map>
#include <string>
#include <vector>
int main(int argc, char **)
{
	std::map<std::string, std::vector<int>> map;
	for (int i = 0; i < 1000 * argc; i++) {
		auto &list = map[std::to_string(i % 97)];
		list.push_back(i * 7919 % 1000);
		std::sort(list.begin(), list.end());
	}
	return static_cast<int>(map.size());
}
EOF
cat >sorted.rs <<'EOF'
use std::collections::HashMap;
fn main() {
    let mut map: HashMap<String, Vec<u64>> = HashMap::new();
    for i in 0..20000u64 {
        let list = map.entry((i % 97).to_string()).or_default();
        list.push(i * 7919 % 1000);
        list.sort();
    }
    println!("{}", map.len());
}
EOF
cat >hello.go <<'EOF'
package main

import "fmt"

func main() { fmt.Println("hello") }
EOF

n_judged=0
n_by_bfd=0
judge()
{ # WHAT FILE [DEBUGFILE]
	what=$1
	shift
	"$judge" "$@" >said 2>differences || {
		echo "$what:" >&2
		cat said differences >&2
		exit 1
	}
	sed "s/^/$what: /" said
	if grep -q '^0 lines' said; then
		echo "$what: no line was found" >&2
		cat differences >&2
		exit 1
	fi
	# bfd leaves out functions of what clang and its like have compiled, and has
	# lines of its own; else it stands alone with less than a twentieth of them.
	case $what in
	clang* | rust | go) ;;
	*) awk '{ n = $10 + $12 }
			!/ 0 have more functions$/ || $19 * 20 > n { exit 1 }' said || {
		echo "$what: neither of them has all functions, or bfd disagrees" >&2
		cat said >&2
		exit 1
	} ;;
	esac
	awk '{ exit !$10 }' said && n_by_bfd=$((n_by_bfd + 1))
	n_judged=$((n_judged + 1))
}
compile()
{ # COMPILER AND FLAGS
	$1 -o code main.c code1.c code2.c code3.c code4.c >/dev/null 2>&1
}

for cc in "$CC" clang; do
	for how in '-O2 -g' '-O2 -g -gdwarf-4' '-O0 -g -gdwarf-3' \
		'-O2 -g -gz' '-O2 -g -flto' '-O2 -g -gsplit-dwarf' \
		'-O2 -g -gsplit-dwarf -gdwarf-4' \
		'-O2 -g -ffunction-sections -Wl,--gc-sections'; do
		rm -f code ./*.dwo
		compile "$cc $how" || continue
		judge "$cc $how" code
	done
done

rm -f ./*.dwo
compile "$CC -O2 -g -Wl,--build-id"
cp code whole
if command -v objcopy >/dev/null; then
	objcopy --only-keep-debug whole code.debug
	strip -g -o code whole
	objcopy --add-gnu-debuglink=code.debug code
	judge "$CC, a separate file" code whole
	cp whole code
	if objcopy --compress-debug-sections=zlib-gnu code 2>/dev/null; then
		judge "$CC, compressed as of old" code
	fi
fi
if command -v dwz >/dev/null; then
	cp whole one
	cp whole two
	if dwz -m shared.dwz one two 2>/dev/null; then
		judge "$CC, shared by dwz" one
	fi
fi
for cxx in g++ clang++; do
	for how in '-O2 -g' '-O1 -g -gdwarf-4'; do
		# shellcheck disable=SC2086
		$cxx $how -o templates templates.cpp 2>/dev/null || continue
		judge "$cxx $how" templates
	done
done
if rustc -O -g -o sorted sorted.rs >/dev/null 2>&1; then
	judge rust sorted
fi
if HOME=$work go build -o hello hello.go >/dev/null 2>&1; then
	judge go hello
fi
[ "$n_judged" -ge 5 ]
# (It reads neither all split nor all compressed sections.)
[ "$n_by_bfd" -ge 3 ]
