# pprof_sums.py FILE - what a pprof file says, read with nothing but the documented
# format of its bytes: "self total function" for each function, in ticks of its
# first value, by name; then the sums of all values, the nanoseconds since 1970 in
# which it begins and ends, the comments, the labels of all
# samples, and the lines of all locations.
import collections
import gzip
import sys


def number(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7f) << shift
        shift += 7
        if byte < 0x80:
            return value, at


def fields(data):
    at = 0
    while at < len(data):
        tag, at = number(data, at)
        if tag & 7 == 0:
            value, at = number(data, at)
        else:
            assert tag & 7 == 2, "wire type %d" % (tag & 7)
            n, at = number(data, at)
            assert at + n <= len(data), "cut"
            value, at = data[at:at + n], at + n
        yield tag >> 3, value


def numbers(value):
    if isinstance(value, int):
        return [value]
    found, at = [], 0
    while at < len(value):
        item, at = number(value, at)
        found.append(item)
    return found


def message(data):
    found = collections.defaultdict(list)
    for field, value in fields(data):
        found[field].append(value)
    return found


def all_numbers(part, field):
    return [n for value in part[field] for n in numbers(value)]


profile = message(gzip.open(sys.argv[1]).read())
strings = [text.decode("utf-8") for text in profile[6]]
assert strings[0] == ""
functions, locations, mappings = {}, {}, set()
files, seen, labels = {}, set(), set()
for part in map(message, profile[5]):
    functions[part[1][0]] = strings[part[2][0]]
    files[part[1][0]] = strings[part[4][0]] if part[4] else ""
for part in map(message, profile[3]):
    assert (part[2] or [0])[0] < part[3][0], "a mapping without bytes"
    mappings.add(part[1][0])
for part in map(message, profile[4]):
    assert not part[2] or part[2][0] in mappings
    lines = [functions[message(line)[1][0]] for line in part[4]]
    for line in map(message, part[4]):
        if line[2]:
            seen.add("%s %s:%d" % (functions[line[1][0]], files[line[1][0]],
                                   line[2][0]))
    assert part[1][0] not in locations
    locations[part[1][0]] = lines
own, total, sums = collections.Counter(), collections.Counter(), None
for part in map(message, profile[2]):
    values = all_numbers(part, 2)
    path = [name for id in all_numbers(part, 1) for name in locations[id]]
    assert len(values) == len(profile[1])
    sums = [a + b for a, b in zip(sums or [0] * len(values), values)]
    own[path[0]] += values[0]
    for label in map(message, part[3]):
        value = strings[label[2][0]] if label[2] else label[3][0]
        labels.add("%s %s" % (strings[label[1][0]], value))
    for name in set(path):
        total[name] += values[0]
for name in sorted(total):
    print(own[name], total[name], name)
print("sums", *sums or [])
begin = (profile[9] or [0])[0]
print("time", begin, begin + (profile[10] or [0])[0])
for text in all_numbers(profile, 13):
    print("comment", strings[text])
for text in sorted(labels):
    print("label", text)
for text in sorted(seen):
    print("line", text)
