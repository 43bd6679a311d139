# format_sums.py REPORT FORMAT FILE - do the functions of FILE, in FORMAT, have the
# same self and total as in REPORT, what "report --children --csv --full-names"
# prints?  Compared are the twenty with the most of each, where a name is of one
# function alone.  What a reader relies on is checked besides.
import collections
import csv
import json
import re
import struct
import subprocess
import sys
import tempfile


class Sums:
    """Ticks by function, of stacks that are told one by one."""

    def __init__(self):
        self.own, self.total = collections.Counter(), collections.Counter()

    def add(self, path, ticks):
        if path:
            self.own[path[-1]] += ticks
        for name in set(path):
            self.total[name] += ticks

    def by_name(self, names):
        own, total = collections.Counter(), collections.Counter()
        for key, ticks in self.own.items():
            own[names[key]] += ticks
        for key, ticks in self.total.items():
            total[names[key]] += ticks
        return own, total


def of_folded(path):
    sums = Sums()
    for line in open(path, encoding="utf-8"):
        stack, ticks = line.rsplit(" ", 1)
        frames = [re.sub(r"_\[[kj]\]$", "", name) for name in stack.split(";")[1:]]
        sums.add(frames, int(ticks))
    return sums.own, sums.total


def speedscope_sums(profiles, frames):
    sums = Sums()
    for profile in profiles:
        assert profile["type"] == "sampled"
        assert len(profile["samples"]) == len(profile["weights"])
        assert sum(profile["weights"]) == profile["endValue"] - profile["startValue"]
        for stack, weight in zip(profile["samples"], profile["weights"]):
            assert all(frame < len(frames) for frame in stack)
            sums.add(stack, weight)
    return sums


def of_speedscope(path):
    file = json.load(open(path, encoding="utf-8"))
    frames, profiles = file["shared"]["frames"], file["profiles"]
    has_all = profiles[0]["name"] == "all threads"
    sums = speedscope_sums(profiles[has_all:], frames)
    if has_all:
        all_threads = speedscope_sums(profiles[:1], frames)
        assert len(profiles) > 2
        assert (all_threads.own, all_threads.total) == (sums.own, sums.total)
    # A tick is what all weights of stacks have in common.
    unit = 1000000000 // rate_of_report if profiles[0]["unit"] == "nanoseconds" else 1
    own, total = sums.by_name([frame["name"] for frame in frames])
    return ({name: ticks / unit for name, ticks in own.items()},
            {name: ticks / unit for name, ticks in total.items()})


def check_table(table, columns):
    for name, limit in columns.items():
        assert len(table[name]) == table["length"], name
        for index in table[name]:
            assert index is None or -1 <= index < limit, (name, index, limit)


def of_firefox(path):
    file, sums = json.load(open(path, encoding="utf-8")), Sums()
    meta, shared = file["meta"], file["shared"]
    assert meta["preprocessedProfileVersion"] == 61 and meta["interval"] > 0
    strings, stacks, frames = shared["stringArray"], shared["stackTable"], shared["frameTable"]
    functions, resources = shared["funcTable"], shared["resourceTable"]
    symbols, sources = shared["nativeSymbols"], shared["sources"]
    many = 1 << 64
    assert len(set(strings)) == len(strings)
    check_table(stacks, {"frame": frames["length"], "prefix": stacks["length"]})
    assert all(prefix is None or prefix < i for i, prefix in enumerate(stacks["prefix"]))
    check_table(frames, {
        "address": many, "inlineDepth": many, "category": len(meta["categories"]), "subcategory": 1,
        "func": functions["length"], "nativeSymbol": symbols["length"], "innerWindowID": 1,
        "line": many, "column": many})
    check_table(functions, {
        "name": len(strings), "isJS": 2, "relevantForJS": 2, "resource": resources["length"],
        "source": sources["length"], "lineNumber": many, "columnNumber": many})
    check_table(resources, {
        "lib": len(file["libs"]), "name": len(strings), "host": len(strings), "type": 6})
    check_table(symbols, {
        "libIndex": max(1, len(file["libs"])), "address": many, "name": len(strings),
        "functionSize": many})
    check_table(sources, {"filename": len(strings), "startLine": many, "startColumn": many})
    paths = []
    for frame, prefix in zip(stacks["frame"], stacks["prefix"]):
        own = [] if frames["inlineDepth"][frame] else [frames["func"][frame]]
        paths.append((paths[prefix] if prefix is not None else []) + own)
    for thread in file["threads"]:
        samples, markers = thread["samples"], thread["markers"]
        check_table(samples, {"stack": stacks["length"], "time": many, "weight": many})
        assert samples["time"] == sorted(samples["time"])
        cpu = samples.get("threadCPUDelta")
        assert len(cpu or samples["time"]) == samples["length"]
        # A tick of each sample, and no more than the time since the row before.
        assert cpu is None or sum(cpu) == sum(samples["weight"]) * \
            ((1000000000 + rate_of_report // 2) // rate_of_report)
        for used, begin, end in zip((cpu or [])[1:], samples["time"], samples["time"][1:]):
            assert used / 1000000 < end - begin + 0.001, (used, begin, end)
        check_table(markers, {
            "name": len(strings), "startTime": many, "endTime": many, "phase": 4, "category": 1})
        assert len(markers["data"]) == markers["length"]
        for stack, weight in zip(samples["stack"], samples["weight"]):
            sums.add(paths[stack] if stack is not None else [], weight)
    return sums.by_name([strings[name] for name in functions["name"]])


def of_perf_script(path):
    """Blocks of lines: a head with the period in ns, and frames, the innermost first."""
    sums, stack, period = Sums(), [], None
    for line in open(path, encoding="utf-8"):
        frame = re.match(r"\t +[0-9a-f]+ (.*) \((.*)\)$", line)
        head = re.match(r"(\S.*) \d+/\d+ \d+\.\d{6}: (\d+) (cpu|wall)-clock: $", line)
        assert bool(head) + bool(frame) + (line == "\n") == 1, line
        assert (period is None) == bool(head), line
        if head:
            period = int(head.group(2))
        elif not frame:
            sums.add(stack[::-1], period * rate_of_report / 1000000000)
            stack, period = [], None
        elif frame.group(2) != "inlined":
            stack.append(frame.group(1))
    assert period is None
    return sums.own, sums.total


def of_json(path):
    file, sums = json.load(open(path, encoding="utf-8")), Sums()
    assert (file["format"], file["version"]) == ("profrun-profile", 1)
    tree, functions = file["tree"], file["functions"]
    assert sum(tree["ticks"]) == file["run"]["ticks"]
    paths = [[]]
    for parent, function in list(zip(tree["parent"], tree["function"]))[1:]:
        paths.append(paths[parent] + [function])
    for stack, ticks in zip(paths, tree["ticks"]):
        sums.add(stack, ticks)
    for i, function in enumerate(functions):
        for key, ticks in (("self", sums.own[i]), ("total", sums.total[i])):
            count = function[key]
            assert count["ticks"] == ticks, (function, ticks)
            assert 0 <= count["low"] <= count["high"] <= 1
    return sums.by_name([function["name"] for function in functions])


def check_parts(parts, n_owners, by_node, are_distances):
    found, i = collections.Counter(), 0
    assert len(parts["n"]) == n_owners
    for n in parts["n"]:
        node = 0
        for k in range(i, i + n):
            node = parts["node"][k] + (node if are_distances else 0)
            found[node] += parts["ticks"][k]
        i += n
    assert i == len(parts["node"]) == len(parts["ticks"])
    assert +found == +by_node


def of_table(path):
    """Tables of a page, as a browser shows them: self %, total %, limits, name, binary."""
    own, total = {}, {}
    for line in open(path, encoding="utf-8"):
        words = line.rstrip("\n").split("\t")
        if len(words) == 5:
            own[words[3]] = float(words[0]) * ticks_of_report / 100
            total[words[3]] = float(words[1]) * ticks_of_report / 100
    return own, total


def of_flame(path):
    text = open(path, encoding="utf-8").read()
    begin = '<script type="application/json" id="profile">'
    page = json.loads(text.split(begin)[1].split("</script>")[0])
    nodes, sums = page["nodes"], Sums()
    paths = [[]]
    for i, (up, function) in list(enumerate(zip(nodes["up"], nodes["fn"])))[1:]:
        paths.append(paths[i - up] + [function])
    for path, ticks in zip(paths, nodes["self"]):
        sums.add(path, ticks)
    # Its parts are those of all.
    by_node = collections.Counter(dict(enumerate(nodes["self"])))
    if "sums" in page:
        check_parts(page["sums"], len(page["owners"]), by_node, True)
    if "times" in page and page["times"]["in_one"] == 1:
        check_parts(page["times"], len(page["owners"]), by_node, False)
    for i, function in enumerate(page["functions"]):
        assert (function[2], function[3]) == (sums.own[i], sums.total[i]), function
    own, total = collections.Counter(), collections.Counter()
    for function in page["functions"]:
        own[function[0]] += function[2]
        total[function[0]] += function[3]
    return own, total


def of_annotate(path):
    """What callgrind_annotate prints, a form feed, and that with --inclusive."""
    found = []
    for part in open(path, encoding="utf-8").read().split("\f")[:2]:
        sums = collections.Counter()
        for line in part.split("\n"):
            match = re.match(r"\s*([\d,]+) \([ \d.]+%\)\s+[^:]*:(.*) \[.*\]$", line)
            if match:
                name = re.sub(r"^\[kernel\]:", "", match.group(2))
                sums[name] += int(match.group(1).replace(",", ""))
        found.append(sums)
    return found


def of_top(path):
    """What go tool pprof -top -unit=ms prints: flat, flat%, sum%, cum, cum%, name."""
    own, total, begun = collections.Counter(), collections.Counter(), False
    for line in open(path, encoding="utf-8"):
        words = line.split(None, 5)
        if begun:
            name = re.sub(r"^\[kernel\]:", "", words[5].rstrip("\n"))
            own[name] += float(words[0].removesuffix("ms")) * rate_of_report / 1000
            total[name] += float(words[3].removesuffix("ms")) * rate_of_report / 1000
        begun |= words[:1] == ["flat"]
    return own, total


def at_100_hz(gmon):
    """The file GMON at that rate: two decimals of a second are then ticks."""
    parts, at = [gmon[:20]], 20
    while at < len(gmon):
        if gmon[at] == 0:
            low, high, n_bins, _ = struct.unpack_from("=QQii", gmon, at + 1)
            end = at + 41 + 2 * n_bins
            parts += [gmon[at:at + 1], struct.pack("=QQii", low, high, n_bins, 100),
                      gmon[at + 25:end]]
        else:
            assert gmon[at] == 1, "gmon.out has a record of kind %d" % gmon[at]
            end = at + 21
            parts.append(gmon[at:end])
        at = end
    return b"".join(parts)


def of_gprof(path):
    """What gprof prints of a gmon.out and the gmon.syms beside it: of functions that
    call each other the self alone, for their total is a guess of its, and of the one
    that nobody calls: gmon.out has it call all outermost ones."""
    syms = re.sub(r"gmon\.out$", "gmon.syms", path)
    program = re.search(r"^# object (?:\S+ ){4}(/\S*)", open(syms).read(), re.M).group(1)
    with tempfile.NamedTemporaryFile() as hundredths:
        hundredths.write(at_100_hz(open(path, "rb").read()))
        hundredths.flush()
        text = subprocess.run(["gprof", "-b", "-q", "-S", syms, program, hundredths.name],
                              check=True, stdout=subprocess.PIPE, text=True).stdout
    own, total, guessed = collections.Counter(), collections.Counter(), set()
    lines = text.split("\n")
    for caller, line in zip([""] + [before.strip() for before in lines], lines):
        match = re.match(r"\[(\d+)\] +[\d.]+ +([\d.]+) +([\d.]+) +(?:\d+(?:\+\d+)? +)?"
                         r"(.*?)( <cycle \d+>| <cycle \d+ as a whole>)? \[\1\]$", line)
        if not match or (match.group(5) or "").endswith("whole>"):
            continue
        name = re.sub(r"^\[kernel\]:", "", match.group(4))
        self_ticks, below = [round(float(match.group(i)) * 100) for i in (2, 3)]
        own[name] += self_ticks
        total[name] += self_ticks + below
        if match.group(5) or caller == "<spontaneous>":
            guessed.add(name)
    return own, {name: None if name in guessed else total[name] for name in total}


READERS = {
    "folded": of_folded, "speedscope": of_speedscope, "firefox": of_firefox, "json": of_json,
    "perf-script": of_perf_script,
    "flame": of_flame, "table": of_table, "callgrind_annotate": of_annotate, "go tool pprof": of_top,
    "gprof": of_gprof,
}

report, reader, file_name = sys.argv[1:]
rows = list(csv.DictReader(open(report, encoding="utf-8")))
rate_of_report = round(max(int(row["ticks"]) for row in rows) /
                       max(float(row["seconds"]) for row in rows))
ticks_of_report = sum(int(row["ticks"]) for row in rows)
# Percentages have two digits.
error = 0.0051 * ticks_of_report / 100 if reader == "table" else 0.01
names = collections.Counter(row["function"] for row in rows)
own, total = READERS[reader](file_name)
wrong = compared = 0
for key, column, found in (("self", "ticks", own), ("total", "total_ticks", total)):
    rows.sort(key=lambda row: -int(row[column]))
    for row in rows[:20]:
        name, ticks = row["function"], int(row[column])
        if names[name] > 1 or found.get(name, 0) is None:
            continue
        compared += 1
        if abs(found.get(name, 0) - ticks) > error:
            print("%s of %s: %s, in the report %d" % (key, name, found.get(name), ticks))
            wrong += 1
if compared < 4:
    print("only %d figures were compared" % compared)
sys.exit(wrong > 0 or compared < 4)
