"""The program cannot tell: no call fails or is cut short, nothing it writes
differs.  A10 and A13."""

import hashlib
import os
import shlex
import shutil

from harness import figures, process, tools
from harness.bench import Report
from harness.tables import Table

TITLE = "programs that must not notice"
BUDGET_S = 60

# Workloads that count what was done to them, with arguments.
WITNESSES = (
    ("blocked", (0.5,)),
    ("evloop", (1,)),
    ("longsys", (0.05,)),
    ("ignored", (2,)),
    ("lostwake", (0.5,)),
    ("signals", (0.3,)),
)
# What they count, by the first word of its name, and where it is shown.
DAMAGE = {
    "eintr": "eintr",
    "woken": "eintr",
    "spurious": "eintr",
    "short": "short",
    "returned": "other",
    "lost": "other",
    "changed": "other",
    "extra": "other",
    "disordered": "other",
}
SLEEPS = ("poll", "nanosleep", "futex")
SLEEP_SECONDS = 0.5


def naive(bench):
    """How not to do it: every thread is stopped at every tick.  With it one sees
    that the witnesses can see."""
    path = bench.places.build / "tests" / "support" / "sampled"
    return tools.Tool(
        "naive ptrace",
        1000,
        lambda argv: [str(path), "naive", "1000", *argv],
        why_not=lambda _: None if path.exists() else "not built",
    )


def subjects(bench):
    return [
        *(tools.profrun(bench.places, t, r) for t in tools.TRIGGERS for r in (100, 1000)),
        tools.perf_record(1000, tools.QUICK_PERF),
        tools.gperftools(100),
        naive(bench),
    ]


def damage_of(values):
    """{where it is shown: how often}, of what a witness says of itself."""
    found = dict.fromkeys(DAMAGE.values(), 0)
    for name, value in values.items():
        what, _, which = name.partition(" ")
        if what in DAMAGE and which in ("", "total"):
            found[DAMAGE[what]] += int(value)
    return found


def witness(bench, tool, program, arguments):
    run = bench.run(tool, program, *arguments, wants_profile=False, status=None)
    if run.outcome.status:
        return None, f"status {run.outcome.status}"
    found = damage_of(run.values)
    return found, "/".join(str(n) for n in found.values())


def add_witnesses(bench, present, report):
    table = Table(
        "Calls that failed with EINTR / came back short / anything else",
        ["", *(program for program, _ in WITNESSES)],
        notes=["All are 0 in a bare run.  status: the program did not end as it should."],
    )
    for tool in present:
        sums, cells = dict.fromkeys(DAMAGE.values(), 0), []
        for program, arguments in WITNESSES:
            found, cell = witness(bench, tool, program, arguments)
            cells.append(cell)
            if not found:
                sums["other"] += 1
                continue
            for what, n in found.items():
                sums[what] += n
        table.add(tool.label, *cells)
        for what, n in sums.items():
            report.figures[f"unchanged.{what}.{tool.key}"] = figures.Figure.exact(n)
    report.tables.append(table)


def add_sleepers(bench, present, report):
    """Sleep gets no ticks, is not cut short, and not made longer."""
    table = Table(
        f"A sleep of {SLEEP_SECONDS} s: calls it took, ms longer than bare, ticks",
        ["", *SLEEPS],
    )
    bare_s = {
        way: bench.run(tools.BARE, "idle", SLEEP_SECONDS, way).values["wall_seconds"]
        for way in SLEEPS
    }
    for tool in present:
        cells = []
        for way in SLEEPS:
            run = bench.run(tool, "idle", SLEEP_SECONDS, way, status=None)
            if run.outcome.status:
                cells.append(f"status {run.outcome.status}")
                continue
            longer_ms = 1e3 * (run.values["wall_seconds"] - bare_s[way])
            ticks = run.profile.n if run.profile else "-"
            cells.append(f"{run.values['calls']:.0f}, {longer_ms:+.1f}, {ticks}")
        table.add(tool.label, *cells)
    report.tables.append(table)


# --- What programs write.


def programs(bench):
    """(name, command, what their output goes through or None)"""
    words = os.path.join(bench.work, "words.txt")
    with open(words, "w", encoding="ascii") as file:
        for i in range(200000):
            file.write(f"{i * 2654435761 % 1000003} {i % 977}\n")
    source = bench.places.source_of("burn")
    include = f"-I{bench.places.source}/tests/workloads"
    folder = str(bench.places.source / "lib")
    loop = "i=0; while [ $i -lt 200 ]; do i=$((i + 1)); /bin/echo $i; done"
    threads = (
        "import threading\nfound = {}\n"
        "def work(n): found[n] = sum(i * i % (n + 7) for i in range(200000))\n"
        "ts = [threading.Thread(target=work, args=(n,)) for n in range(6)]\n"
        "[t.start() for t in ts]; [t.join() for t in ts]; print(sorted(found.items()))"
    )
    return [
        ("dd, 64 MiB", ["dd", "if=/dev/zero", "bs=64M", "count=12"], "md5sum"),
        ("dd, random", ["dd", "if=/dev/urandom", "bs=32M", "count=6"], "wc -c"),
        ("tar", ["tar", "-cf", "-", "--sort=name", folder], "gzip -n | md5sum"),
        ("sort", ["sort", "-k2n", "-k1n", words], None),
        ("perl", ["perl", "-ne", "$n{$1}++ if /(\\d+)$/; END { print scalar %n }", words],
         None),
        ("python3", ["python3", "-c", threads], None),
        ("cc", ["gcc", "-O2", "-S", include, "-o", "-", source], None),
        ("sh, forking", ["sh", "-c", loop], None),
        ("false", ["false"], None),
    ]  # fmt: skip


def what_comes_out(bench, tool, command, through):
    """A hash of what a program writes, and its exit status."""
    shutil.rmtree(bench.folder, ignore_errors=True)
    os.mkdir(bench.folder)
    argv = tool.wrap(command)
    if through:
        line = f"{{ {shlex.join(argv)}; echo $? >status; }} | {through}; exit $(cat status)"
        argv = ["sh", "-c", line]
    outcome = process.run(bench.places.program("measure"), argv, bench.folder)
    return hashlib.sha256(outcome.out.encode()).hexdigest(), outcome.status


def add_outputs(bench, present, report):
    runnable = [p for p in programs(bench) if shutil.which(p[1][0])]
    table = Table(
        "Is the output, and the exit status, that of a bare run?",
        ["", *(name for name, _, _ in runnable)],
        notes=["changed: what was written is not what it should be."],
    )
    bare = {}
    for name, command, through in runnable:
        first, again = (
            what_comes_out(bench, tools.BARE, command, through) for _ in range(2)
        )
        if first == again:
            bare[name] = first
        else:
            report.left_out[name] = "two bare runs differ"
    for tool in present:
        cells, n_changed = [], 0
        for name, command, through in runnable:
            if name not in bare:
                cells.append(None)
                continue
            found = what_comes_out(bench, tool, command, through)
            n_changed += found != bare[name]
            same = found[0] == bare[name][0]
            cells.append(
                "same"
                if found == bare[name]
                else f"status {found[1]}" if same else "changed"
            )
        table.add(tool.label, *cells)
        report.figures[f"unchanged.output.{tool.key}"] = figures.Figure.exact(n_changed)
    report.tables.append(table)


def run(bench, _deadline):
    """The same whatever time there is: it counts, and does not time."""
    report = Report()
    present = bench.present(subjects(bench), report)
    add_witnesses(bench, present, report)
    add_sleepers(bench, present, report)
    add_outputs(bench, present, report)
    return report
