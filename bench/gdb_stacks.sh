#!/bin/sh
# gdb_stacks.sh [PROGRAM...] - stacks of real programs at random moments, ours and
# gdb's: how many of STOPS (200) each are identical to the last frame, how many are
# complete, and with PASSES (none) the CPU time of a frame.  make bench-gdb runs it;
# bench/README.md has the results.
set -eu
# shellcheck disable=SC2154 # set by make
unwound=$abs_top_builddir/bench/programs/unwound
# shellcheck disable=SC2154
source=$abs_top_srcdir/bench
stops=${STOPS:-200}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

cat >program.py <<'EOP'
import json, random, re
random.seed(1)
def tree(n):
    return [tree(n - 1), tree(n - 1)] if n else 1
numbers = {i: str(i) for i in range(5000)}
while True:
    text = json.dumps(numbers)
    json.loads(text)
    re.findall(r"(\d+)7(\d)", text)
    tree(12)
    sorted([random.random() for _ in range(20000)], key=lambda x: -x)
EOP
cat >program.pl <<'EOP'
sub fib { my $n = shift; return $n < 2 ? $n : fib($n - 1) + fib($n - 2) }
while (1) {
	my %seen;
	for my $i (1 .. 20000) {
		my $word = "key $i";
		$word =~ s/(\d)(\d)/$2$1/g;
		$seen{$word} = [split //, $word];
	}
	my @sorted = sort { $seen{$a}[4] cmp $seen{$b}[4] or $a cmp $b } keys %seen;
	fib(18);
}
EOP
cat >program.cc <<'EOP'
#include <algorithm>
#include <functional>
#include <iostream>
#include <map>
#include <regex>
#include <string>
#include <vector>
int
main()
{
	std::map<std::string, std::vector<std::string>> words;
	std::regex word("([a-z]+)([0-9]+)");
	std::smatch parts;
	std::string line;
	while (std::getline(std::cin, line))
		if (std::regex_match(line, parts, word))
			words[parts[1]].push_back(parts[2]);
	std::vector<std::function<std::string()>> made;
	for (auto &entry : words) {
		std::sort(entry.second.begin(), entry.second.end());
		made.push_back([&] { return entry.first; });
	}
	for (auto &make : made)
		std::cout << make() << '\n';
}
EOP
sql="with recursive t(i) as (select 1 union all select i + 1 from t where i < 30000000)
	select count(distinct i * 7919 % 10007), sum(length(hex(i))) from t;"
head -c 30000000 /dev/zero | openssl enc -aes-128-ctr -pass pass:x -nosalt \
	-pbkdf2 2>openssl.log >numbers || head -c 30000000 /dev/urandom >numbers
wanted=" $* "
bad=0

is_wanted() {
	[ "$wanted" = "  " ] || case $wanted in *" $1 "*) ;; *) false ;; esac
}

# study NAME COMMAND...
study() {
	name=$1
	shift
	is_wanted "$name" || return 0
	command -v "$1" >/dev/null || {
		echo "$name: $1 is not installed"
		return 0
	}
	rm -f maps.* stops.txt
	STOPS=$stops OUT=$work/stops.txt gdb -q -batch -x "$source/gdb_stacks.py" \
		--args "$@" >gdb.log 2>&1 || {
		tail -3 gdb.log >&2
		echo "$name: gdb cannot run it" >&2
		bad=1
		return 0
	}
	# shellcheck disable=SC2086 # none or one
	"$unwound" ${PASSES:-} <stops.txt >told 2>"$name.differ"
	echo "$name: $(tr '\n' ' ' <told)"
	[ -z "${KEEP:-}" ] || cp "$name.differ" stops.txt maps.* "$KEEP"
	case $name in
	# Of musl, which has no CFI, gdb is no judge: its stacks end there.
	*-musl) ;;
	*) awk '$1 == "stops" && $4 * 1000 < $2 * 999 { exit 1 }' told || bad=1 ;;
	esac
}

built() {
	name=$1
	shift
	is_wanted "$name" || return 0
	"$@" -O2 -o "$name" "$source/programs/handlers.c" 2>"$name.log" || {
		echo "$name: it cannot be built"
		return 0
	}
	study "$name" "./$name" 300
}

all() {
	study python3 "$(python3 -c 'import sys; print(sys.executable)')" program.py
	study perl perl program.pl
	study sqlite3 sqlite3 :memory: "$sql"
	study xz xz -T1 -9e -c numbers
	# Without g++ it would not find the headers.
	g++ -E -o program.ii program.cc 2>program.log || :
	study cc1plus "$(g++ -print-prog-name=cc1plus)" -quiet -fpreprocessed -O2 \
		program.ii -o /dev/null
	study clang clang -fintegrated-cc1 -O2 -c program.cc -o /dev/null
	study openssl openssl speed -seconds 1 sha256 aes-256-gcm rsa2048 ecdsap256
	built handlers "${CC:-cc}"
	built handlers-static "${CC:-cc}" -static
	built handlers-musl musl-gcc -static
}

all
exit "$bad"
