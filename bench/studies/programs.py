"""Real programs: does profrun's profile agree with perf's as perf's with itself?"""

import os
import random
import shutil
import subprocess
import sys

from harness import figures, machine, perf_places, tools
from harness.bench import Report
from harness.pairs import in_turn
from harness.tables import Table

TITLE = "real programs, beside perf"
BUDGET_S = 110

N_PROGRAMS = 6
THINNINGS = 10

PERL = r"""
my %n; my @w;
while (<>) { for my $w (split) { $n{$w}++; push @w, lc reverse $w if length $w > 6 } }
my @s = sort { $n{$b} <=> $n{$a} || $a cmp $b } keys %n;
@w = sort @w; my $t = 0; for (@w) { $t += /([aeiou])[^aeiou]+\1/ } print "$t @s[0..5]\n";
"""
PYTHON = r"""
import collections, json, re, sys
text = open(sys.argv[1]).read()
words = collections.Counter(re.findall(r"[a-z]+ing|[a-m]\w+", text))
table = [{"word": w, "n": n, "tail": w[::-1]} for w, n in words.items()]
for _ in range(20): table = json.loads(json.dumps(table, sort_keys=True))
print(len(sorted(table, key=lambda row: (row["tail"], row["n"]))))
"""
AWK = r"{ for (i = 1; i <= NF; i++) n[$i] += length($i) } END { for (w in n) t += n[w]; print t }"


def write_words(path, megabytes):
    """Words of a made-up language: few that are frequent, many that are rare."""
    chance = random.Random(1)
    words = [
        "".join(chance.choice("bcdfghklmnprst") + chance.choice("aeiou")
                for _ in range(chance.randint(1, 5)))
        for _ in range(20000)
    ]  # fmt: skip
    with open(path, "w", encoding="ascii") as file:
        for _ in range(megabytes * 16000):
            line = (words[int(len(words) * chance.random() ** 3)] for _ in range(8))
            file.write(" ".join(line) + "\n")


def write_c(path, n):
    with open(path, "w", encoding="ascii") as file:
        for i in range(n):
            file.write(
                f"int f{i}(int a, int *p) {{ int s = {i}; for (int i = 0; i < a; i++)"
                f" {{ if (p[i] % {i + 2}) s += p[i] * {i}; else s ^= a << (i & 7);"
                f" switch (s & 3) {{ case 0: s += {i}; break; case 1: s -= a; break;"
                f" default: s *= 3; }} }} return s; }}\n"
            )


def _cc1():
    """The compiler proper: gcc only starts it."""
    if not shutil.which("gcc"):
        return None
    done = subprocess.run(
        ["gcc", "-print-prog-name=cc1"], capture_output=True, text=True, check=False
    )
    return shutil.which(done.stdout.strip())


def candidates(folder):
    """(name, path or None, arguments); the first that are there are taken."""
    words, words_c = os.path.join(folder, "words"), os.path.join(folder, "words.c")
    write_words(words, 14)
    write_c(words_c, 400)
    python = os.path.realpath(sys.executable)
    return [
        ("perl", shutil.which("perl"), ["-e", PERL, words]),
        ("python3", python, ["-c", PYTHON, words]),
        ("cc1", _cc1(), ["-quiet", "-O2", "-o", "/dev/null", words_c]),
        ("sort", shutil.which("sort"), ["--parallel=1", "-k2", "-o", "/dev/null"] + 5 * [words]),
        ("xz", shutil.which("xz"), ["-T1", "-2", "-c", "-k", words]),
        ("gzip", shutil.which("gzip"), ["-c", "-9", words]),
        ("awk", shutil.which("awk"), [AWK, words]),
        ("bzip2", shutil.which("bzip2"), ["-c", words]),
        ("objdump", shutil.which("objdump"), ["-d", "/proc/self/exe"]),
    ]


class Comparison:
    """One program under perf twice and under profrun once for each trigger."""

    def __init__(self, bench, rate_hz, profrun_tools, path, arguments):
        self.bench = bench
        self.perf = tools.perf_record(rate_hz, tools.QUICK_PERF, *perf_places.OPTIONS)
        self.profrun_tools = profrun_tools
        self.command = (path, *arguments)

    def perf_script(self):
        self.bench.run(self.perf, *self.command, wants_profile=False)
        return perf_places.script_of(self.bench.folder)

    def round(self):
        """{tool: overlap with perf}, and perf's with itself as None."""
        scripts = [self.perf_script()]
        found = {}
        names = None
        for tool in self.profrun_tools:
            run = self.bench.run(tool, *self.command)
            names = perf_places.Names(self.bench.folder)
            found[tool.label] = perf_places.collapse(run.profile.ticks)
        scripts.append(self.perf_script())
        both = [perf_places.ticks_of(script, names) for script in scripts]
        n = min(sum(ticks.values()) for ticks in [*both, *found.values()])
        result = {None: overlap_of_size(*both, n)}
        for label, ticks in found.items():
            result[label] = sum(overlap_of_size(ticks, perf, n) for perf in both) / 2
        return result, n


def overlap_of_size(one, other, n):
    """Overlap of two profiles of n ticks each, the mean of some thinnings."""
    return sum(
        figures.overlap(
            figures.thinned(one, n, 2 * seed), figures.thinned(other, n, 2 * seed + 1)
        )
        for seed in range(THINNINGS)
    ) / THINNINGS  # fmt: skip


def run(bench, deadline):
    report = Report()
    # The rate at which each look of the timer's is one tick.
    rate_hz = machine.kernel_hz()
    triggers = bench.present(
        [tools.profrun(bench.places, t, rate_hz) for t in ("timer", "ring")], report
    )
    if not bench.present([tools.perf_record(rate_hz)], report) or not triggers:
        return report
    chosen = [c for c in candidates(bench.work) if c[1]][:N_PROGRAMS]
    comparisons = {
        name: Comparison(bench, rate_hz, triggers, path, arguments)
        for name, path, arguments in chosen
    }
    taken = in_turn(
        {name: comparison.round for name, comparison in comparisons.items()}, deadline
    )
    table = Table(
        f"Overlap of profiles, percent, at {rate_hz} Hz; "
        f"{len(taken[chosen[0][0]])} runs",
        ["", "ticks", "perf with perf", *(tool.label for tool in triggers)],
        notes=[
            "The sum over all functions of the smaller share; all at the same number of",
            "ticks.  System calls are one function.  profrun: with perf, the mean of two.",
        ],
    )
    below = {tool.label: [] for tool in triggers}
    for name, rounds in taken.items():
        of_perf = [overlaps[None] for overlaps, _ in rounds]
        cells = []
        for tool in triggers:
            mine = [overlaps[tool.label] for overlaps, _ in rounds]
            cells.append(f"{figures.median(mine):.1f}")
            less = figures.middle([p - m for p, m in zip(of_perf, mine)])
            below[tool.label].append(less.value)
            report.figures[f"programs.{name}.{tool.key}.below_perf"] = less
        n = figures.median([n for _, n in rounds])
        table.add(name, f"{n:.0f}", f"{figures.median(of_perf):.1f}", *cells)
    for tool in triggers:
        report.figures[f"programs.all.{tool.key}.below_perf"] = figures.Figure(
            sum(below[tool.label]) / len(below[tool.label]),
            min(below[tool.label]),
            max(below[tool.label]),
        )
    report.tables.append(table)
    report.raw["overlaps"] = {
        name: [[{str(k): v for k, v in overlaps.items()}, n] for overlaps, n in rounds]
        for name, rounds in taken.items()
    }
    return report
