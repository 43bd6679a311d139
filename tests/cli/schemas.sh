#!/bin/sh
# What other tests hold JSON to its schema with refuses what is not as that says, also
# where Python has no package for it, and a schema with a word that it does not know.
# "what" is for complain, in measure.sh.
# shellcheck disable=SC2034
set -euf
. "$abs_top_srcdir/tests/cli/measure.sh"
command -v python3 >/dev/null || skip 'no python3'
what='check_schema.py'

# Is value as schema says?  (-S: without packages.)
is_as_said() {
	python3 -S "$abs_top_srcdir/tests/cli/check_schema.py" schema value 2>why
}

# A schema, values that it refuses, and values that it takes.
while read -r schema refused taken; do
	echo "$schema" >schema
	for value in $(echo "$refused" | tr ';' ' '); do
		echo "$value" >value
		! is_as_said || complain "$schema takes $value"
		grep -q '^AssertionError' why || complain "$schema: $(cat why)"
	done
	for value in $(echo "$taken" | tr ';' ' '); do
		echo "$value" >value
		is_as_said || complain "$schema refuses $value: $(cat why)"
	done
done <<'END'
{"type":"integer"} 1.5;true;"1";null 1;-1
{"type":"number"} false;"1" 1;1.5
{"type":["string","null"]} 1 "a";null
{"const":1} 2;true 1
{"enum":["a",0]} "b";false "a";0
{"minimum":1,"maximum":2} 0;3 1;2
{"pattern":"^0x[0-9a-f]+$"} "0x";"1f" "0x1f"
{"maxLength":1} "ab" "";"a"
{"minItems":1,"items":{"type":"integer"}} [];["a"];[1,"a"] [1]
{"required":["a"]} {};{"b":2} {"a":1,"b":2}
{"properties":{"a":{"const":1}}} {"a":2} {"a":1,"b":2}
{"properties":{"a":{}},"additionalProperties":false} {"b":1} {"a":1};{}
{"additionalProperties":{"const":1}} {"a":2} {"a":1}
{"$ref":"#/$defs/one","$defs":{"one":{"const":1}}} 2 1
{"items":{"oneOf":[]}} 1;[]
END
exit "$bad"
