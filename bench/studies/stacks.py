"""Stacks: how many are whole on real programs, beside perf's by copies of stacks;
what they cost beside the same without; and how large and how slow their files are."""

import os
import re
import shutil
import subprocess

from harness import figures, tools
from harness.bench import Report
from harness.pairs import Pairs, cpu_of
from harness.tables import Table, with_range
from studies import programs

TITLE = "stacks (-g), beside perf record --call-graph dwarf"
BUDGET_S = 280

RATE_HZ = 250

NODE = """
function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2) }
let s = 0; for (let i = 0; i < 60; i++) { s += fib(20);
  const a = []; for (let j = 0; j < 20000; j++) a.push(j * 7919 % 10007);
  s += a.sort((x, y) => x - y)[7]; s += JSON.parse(JSON.stringify(a)).length }
console.log(s)
"""
SQL = """
with recursive t(i) as (select 1 union all select i + 1 from t where i < 300000)
select count(distinct i * 7919 % 10007), sum(length(hex(i))) from t;
"""

# Where stacks begin: a program, a thread, what Go runs.  What calls it may have no
# name.
OUTERMOST = re.compile(
    r"_start|__libc_start_main.*|__libc_start_call_main|_dl_start.*|_dl_runtime.*"
    r"|(__)?clone3?|start_thread|runtime\.(goexit|mstart|rt0_go|clone).*"
)


def candidates(folder):
    """(name, path or None, arguments): ten of these, with deep stacks and flat."""
    more = [
        ("sqlite3", shutil.which("sqlite3"), [":memory:", SQL]),
        ("node", shutil.which("node"), ["-e", NODE]),
        ("openssl", shutil.which("openssl"), ["speed", "-seconds", "1", "sha256", "rsa2048"]),
    ]
    return [*more, *programs.candidates(folder)][:10]


def perf_dwarf(rate_hz):
    return tools.perf_record(rate_hz, tools.QUICK_PERF, "--call-graph", "dwarf")


def profrun(bench, rate_hz, *options):
    return tools.profrun(bench.places, "auto", rate_hz, *options)


def timed(argv, folder):
    """What it prints, and the CPU time that it took."""
    before = os.times()
    done = subprocess.run(
        argv, cwd=folder, capture_output=True, text=True, errors="replace", check=False
    )
    after = os.times()
    cpu_s = after.children_user - before.children_user
    return done.stdout, cpu_s + after.children_system - before.children_system


def percent(part, whole):
    return 100 * part / whole if whole else 0.0


def is_outermost(line):
    """Of perf script: an address, and what it is in."""
    return OUTERMOST.fullmatch(line.split(None, 1)[-1].strip())


class Ours:
    """One program under profrun -g, into a trace."""

    def __init__(self, bench, command):
        tool = profrun(bench, RATE_HZ, "-g", "-f", "pcsample", "-o", "trace")
        run = bench.run(tool, *command, wants_profile=False, status=None)
        trace = os.path.join(bench.folder, "trace")
        said = re.search(r"^  stacks +([0-9.]+) % complete", run.outcome.err, re.M)
        looks = re.search(r"^  samples +([0-9]+)", run.outcome.err, re.M)
        self.complete = float(said.group(1)) if said else 0.0
        self.samples = int(looks.group(1)) if looks else 0
        self.bytes = os.path.getsize(trace) / max(1, self.samples)
        _, self.report_s = timed(
            [bench.places.profrun, "report", "--tree", "trace"], bench.folder
        )


class Theirs:
    """The same under perf record --call-graph dwarf."""

    def __init__(self, bench, command):
        bench.run(perf_dwarf(RATE_HZ), *command, wants_profile=False, status=None)
        data = os.path.join(bench.folder, "perf.data")
        script = ["perf", "script", "-F", "comm,ip,sym", "--no-inline", "-i", "perf.data"]
        text, _ = timed(script, bench.folder)
        stacks = [s.splitlines() for s in text.split("\n\n") if "\n" in s.strip("\n")]
        whole = [s for s in stacks if any(map(is_outermost, s[-2:]))]
        self.samples = len(stacks)
        self.complete = percent(len(whole), len(stacks))
        self.bytes = os.path.getsize(data) / max(1, self.samples)
        argv = ["perf", "report", "--stdio", "--no-inline", "--no-children", "-i", "perf.data"]
        _, self.report_s = timed(argv, bench.folder)


def compare(bench, report, deadline):
    has_perf = bool(bench.present([perf_dwarf(RATE_HZ)], report))
    table = Table(
        f"whole stacks, {RATE_HZ} Hz; bytes of a sample; s of CPU time for the report",
        ["", "samples", "whole, %", "perf's", "bytes", "perf's", "report", "perf's"],
        notes=[
            "profrun report --tree; perf report without inlined calls, which take it longer.",
        ],
    )
    for name, path, arguments in candidates(bench.work):
        if not path:
            report.left_out[name] = "not installed"
            continue
        if deadline.left_s() == 0:
            report.left_out[name] = "no time"
            continue
        ours = Ours(bench, (path, *arguments))
        theirs = Theirs(bench, (path, *arguments)) if has_perf else None
        report.figures[f"stacks.complete.{name}.percent"] = figures.Figure(
            ours.complete, ours.complete, ours.complete
        )
        table.add(
            name, ours.samples,
            f"{ours.complete:.1f}", theirs and f"{theirs.complete:.1f}",
            f"{ours.bytes:.0f}", theirs and f"{theirs.bytes:.0f}",
            f"{ours.report_s:.2f}", theirs and f"{theirs.report_s:.2f}",
        )  # fmt: skip
    report.tables.append(table)


def cpu_table(bench, report, deadline):
    """CPU time beside that of the bare program: cc1 has stacks of 20 to 40 frames."""
    found = [c for c in programs.candidates(bench.work) if c[0] == "cc1" and c[1]]
    if not found:
        report.left_out["cc1"] = "not installed"
        return
    _, path, arguments = found[0]
    subjects = [
        profrun(bench, 100), profrun(bench, 100, "-g"),
        profrun(bench, 1000), profrun(bench, 1000, "-g"), perf_dwarf(1000),
    ]  # fmt: skip
    subjects = [
        tools.replace(tool, name=f"{tool.name}{suffix}", read=None)
        for tool, suffix in zip(subjects, ("", " -g", "", " -g", " dwarf"))
    ]
    present = bench.present(subjects, report)
    pairs = Pairs(bench, present, lambda _: (path, *arguments), deadline)
    table = Table(
        f"CPU time of cc1 and the tool beside the bare run's; {pairs.n_rounds} pairs",
        ["", "Hz", "ratio"],
    )
    for tool in pairs.tools:
        ratio = pairs.cpu_ratio(tool)
        table.add(tool.name, tool.rate_hz, with_range(ratio, 4))
        report.figures[f"stacks.ratio.{tool.key}"] = ratio
    report.tables.append(table)
    flat, with_stacks = (pairs.cpu_ratio(tool).value for tool in present[:2])
    table.notes.append(f"-g at 100 Hz: {with_stacks - flat:+.4f}")
    report.raw["seconds"] = pairs.raw(cpu_s=cpu_of)


def run(bench, deadline):
    report = Report()
    compare(bench, report, deadline.part(0.6))
    cpu_table(bench, report, deadline)
    return report
