#!/bin/sh
# Formats that have one file for each function tell no line of another: of a function
# whose body includes a file.
# "what" is for complain, in measure.sh.
# shellcheck disable=SC2034
set -eu
. "$abs_top_srcdir/tests/cli/measure.sh"
if ! command -v python3 >/dev/null; then
	echo 'there is no python3' >&2
	exit 77
fi

# Lines below 100 are of program.c, others of body.h.
cat >program.c <<'END'
static volatile unsigned sink;
static void __attribute__((noinline)) work(unsigned n)
{
	for (unsigned i = 0; i < n; i++) sink += i;
#include "body.h"
}
int main(void)
{
	for (int i = 0; i < 4; i++)
		work(50000000);
	return 0;
}
END
{
	awk 'BEGIN { for (i = 1; i < 100; i++) print "" }'
	echo '	for (unsigned i = 0; i < n; i++) sink += i;'
} >body.h
# shellcheck disable=SC2086 # CC may have words
${CC:-cc} -g -O1 -Wl,--build-id -o program program.c || {
	echo 'no compiler'
	exit 77
}
profile -q -F 250 -g -f pcsample ./program
ends_with 0
for format in json firefox flame; do
	"$PROFRUN" export -q -f $format -o "f.$format" profrun.trace ||
		complain "no $format"
done

# Each line with the file that a reader takes it for.
cat >placed.py <<'END'
import json, sys
def of_json(file):
    tree, functions = file["tree"], file["functions"]
    return [(functions[function]["file"], line)
            for function, line in list(zip(tree["function"], tree["line"]))[1:]]
def of_firefox(file):
    shared = file["shared"]
    frames, functions = shared["frameTable"], shared["funcTable"]
    names = [shared["stringArray"][name] for name in shared["sources"]["filename"]]
    sources = [functions["source"][function] for function in frames["func"]]
    return [(None if source is None else names[source], line)
            for source, line in zip(sources, frames["line"])]
def of_flame(file):
    nodes, functions = file["nodes"], file["functions"]
    return [(file["files"][functions[fn][7] - 1] if len(functions[fn]) > 7 else None, line)
            for fn, line in list(zip(nodes["fn"], nodes["line"]))[1:]]
text = open(sys.argv[2], encoding="utf-8").read()
if sys.argv[1] == "flame":
    text = text.split('id="profile">')[1].split("</script>")[0]
for path, line in {"json": of_json, "firefox": of_firefox, "flame": of_flame}[sys.argv[1]](json.loads(text)):
    if path and line:
        print(path.split("/")[-1], line)
END
for format in json firefox flame; do
	what="-f $format"
	python3 placed.py $format "f.$format" >placed || complain 'cannot be read'
	[ -s placed ] || complain 'has no lines'
	awk '$1 == "program.c" && $2 >= 100 || $1 == "body.h" && $2 < 100' placed >wrong
	[ ! -s wrong ] || complain "has lines of another file: $(cat wrong)"
done
exit "$bad"
