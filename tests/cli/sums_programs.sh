#!/bin/sh
# Every format has the same figures, for programs that people run: make check-readers.
# PRF_PROGRAMS: only these of them.
# "what" is for complain, in measure.sh.
# shellcheck disable=SC2034
set -eu
. "$abs_top_srcdir/tests/cli/measure.sh"
. "$abs_top_srcdir/tests/cli/every_reader.sh"

# --- What they work on

cat "$PROFRUN" >data
head -c 1000000 data >less
awk 'BEGIN {
	for (i = 0; i < 150; i++)
		printf "int f%d(int *a, int n)\n{\n\tint s = %d;\n\tfor (int i = 0; i < n; i++)\n" \
			"\t\tif (a[i] > s)\n\t\t\ts += a[i] * %d;\n\treturn s;\n}\n", i, i, i
}' >source.c
cat >source.cc <<'END'
#include <algorithm>
#include <map>
#include <string>
#include <vector>
struct shape {
	virtual ~shape() {}
	virtual double area() const = 0;
};
template <int sides> struct polygon : shape {
	double area() const override
	{
		double sum = 0;
		for (int i = 0; i < 40 * sides; i++)
			sum += i * .5;
		return sum;
	}
};
int main()
{
	std::map<std::string, std::vector<double>> areas;
	const polygon<3> three;
	const polygon<4> four;
	for (int i = 0; i < 1000000; i++) {
		const shape &one = i & 1 ? static_cast<const shape &>(three) : four;
		areas[std::to_string(i % 997)].push_back(one.area());
	}
	for (auto &entry : areas)
		std::sort(entry.second.begin(), entry.second.end());
	return areas.size() != 997;
}
END
cat >work.py <<'END'
import json, re
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)
fib(22)
json.loads(json.dumps([{"a": i, "b": str(i)} for i in range(40000)]))
re.sub("[a-c]+", "", "abcd" * 100000)
END
cat >work.js <<'END'
const words = new Map();
for (let i = 0; i < 300000; i++) {
  const word = "w" + i * 7919 % 5003;
  words.set(word, (words.get(word) ?? 0) + 1);
}
JSON.parse(JSON.stringify([...words].sort()));
END
cat >work.pl <<'END'
my %n;
for my $i (1 .. 1000000) { $n{"k" . $i % 1009}++ if "$i" =~ /[13579]$/ }
print join(",", sort { $n{$a} <=> $n{$b} } keys %n), "\n";
END
cat >work.sql <<'END'
create table t(a integer primary key, b text);
with recursive c(i) as (select 1 union all select i + 1 from c where i < 120000)
	insert into t select i, hex(i * 7919 % 10007) from c;
create index i on t(b);
select count(*), max(n) from (select b, count(*) n from t group by b);
END
cat >work.bash <<'END'
n=0
for ((i = 0; i < 60000; i++)); do [[ $i == *7 ]] && n=$((n + i)); done
echo "$n" "${n//7/8}"
END

# --- The programs

# check NAME PROGRAM ARGUMENT...: the formats of a run, where the PROGRAM is there.
check() {
	name=$1
	shift
	case " ${PRF_PROGRAMS-$name} " in
	*" $name "*) ;;
	*) return 0 ;;
	esac
	if ! command -v "$1" >/dev/null; then
		echo "without $1 no profile of $name" >&2
		return 0
	fi
	profile -q -F 1000 -f pcsample -g -o "$name.trace" "$@"
	ends_with 0
	what=$name
	all_of "$name.trace"
	n_checked=$((n_checked + 1))
	echo "$name: $(awk -F, 'NR > 1 { n += $1 } END { print n }' report.csv) ticks" >&2
}

n_checked=0
# Not a profile of the tester's shell functions around it.
check python3 "$(python3 -c 'import sys; print(sys.executable)')" work.py
check gcc gcc -O2 -S -o source.s source.c
check g++ g++ -O1 -S -o source.s source.cc
command -v g++ >/dev/null && g++ -O1 -g -o compiled source.cc && check c++ ./compiled
check xz xz -3 -k -c less
check gzip gzip -c data
check bzip2 bzip2 -k -c less
check sqlite3 sqlite3 -init work.sql :memory: .quit
check perl perl work.pl
check node node work.js
check bash bash work.bash
check openssl openssl enc -aes-256-ctr -pbkdf2 -iter 300000 -pass pass:x -in less -out encrypted
check gofmt gofmt -l "$(go env GOROOT 2>/dev/null)/src/strconv"
if command -v git >/dev/null; then
	mkdir repository
	for i in $(seq 40); do
		sed "s/7/$i/" source.c >repository/$((i % 7)).c
		head -c $((i * 4000)) data >>repository/more
	done
	git -C repository init -q
	git -C repository add .
	check git git -C repository -c user.name=T -c user.email=t@localhost commit -q -m m
fi
[ "$n_checked" -gt 0 ] || complain 'of no program'
exit "$bad"
