"""Threads that work for a moment and sleep: is all of a burst seen alike?"""

from harness import figures, tools
from harness.bench import Report
from harness.pairs import in_turn
from harness.tables import Table

TITLE = "short bursts of work"
BUDGET_S = 170

# A burst's first 60 % are in head().  Sleeps are in times of the work.
WORKS_MS = (0.2, 1, 2, 5, 9, 30)
SLEEPS = (0.6, 1.1, 3.1)
THREADS = (1, 8)
CPU_SECONDS = 0.5

# Bursts of which much is in the kernel: work, sleep, and CPU time.
NAPS = (0.05, 0.1, 4)

CASES = [(n, work, sleep) for n in THREADS for work in WORKS_MS for sleep in SLEEPS]


def subjects(bench):
    return [
        tools.profrun(bench.places, "timer", 100),
        tools.profrun(bench.places, "ring", 100),
        tools.perf_record(100, tools.QUICK_PERF),
        tools.gperftools(100),
    ]


class Found:
    """All runs of one tool with bursts of one kind."""

    def __init__(self):
        self.head = self.both = self.samples = 0
        self.scaled = []  # (error, standard error) of each run
        self.waited = []

    def add(self, run):
        ticks = run.profile.ticks
        head = ticks.get("head", 0)
        both = head + ticks.get("tail", 0)
        true = run.values["head"]
        # What is in neither is in no truth.
        samples = max(1, run.profile.looks * both // max(1, run.profile.n))
        self.head += head
        self.both += both
        self.samples += samples
        self.waited.append(run.values["waited"])
        self.scaled.append(
            (100 * head / max(1, both) - true, figures.binomial_error(true, samples))
        )

    def text(self):
        return f"{100 * self.head / max(1, self.both):.1f}"


def add_heads(bench, present, deadline, report):
    found = {(case, tool.label): Found() for case in CASES for tool in present}

    def add_run(case, tool):
        n, work_ms, sleep = case
        found[case, tool.label].add(
            bench.run(tool, "bursts", CPU_SECONDS, work_ms, sleep * work_ms, n)
        )

    rounds = in_turn(
        {
            (case, tool.label): lambda case=case, tool=tool: add_run(case, tool)
            for case in CASES
            for tool in present
        },
        deadline,
    )
    n_rounds = len(next(iter(rounds.values())))
    table = Table(
        f"head() has 60 % of each burst: what {n_rounds} runs of {CPU_SECONDS} s found",
        ["threads", "work ms", "sleep ms", *(tool.label for tool in present), "±", "waited %"],
        notes=[
            "Percent of the ticks in head() and tail().  ±: what chance makes of so many",
            "samples (95 %).  waited: for a processor, of the CPU time, median.",
        ],
    )
    for case in CASES:
        n, work_ms, sleep = case
        of_case = [found[case, tool.label] for tool in present]
        samples = min(tally.samples for tally in of_case)
        waited = figures.median([w for tally in of_case for w in tally.waited])
        table.add(
            n,
            f"{work_ms:g}",
            f"{sleep * work_ms:.2f}",
            *(tally.text() for tally in of_case),
            f"{1.96 * figures.binomial_error(60, samples):.1f}",
            f"{waited:.0f}",
        )
    for n in THREADS:
        of_chance = {
            tool: figures.of_chance(
                [s for c in CASES if c[0] == n for s in found[c, tool.label].scaled]
            )
            for tool in present
        }
        for tool, value in of_chance.items():
            report.figures[f"bursts.{n}.{tool.key}.of_chance"] = figures.Figure.exact(value)
        table.add(n, "all, of chance", "", *(f"{v:.2f}" for v in of_chance.values()), "", "")
    report.tables.append(table)
    report.raw["errors"] = {
        f"{case} {label}": tally.scaled for (case, label), tally in found.items()
    }


def add_kernel(bench, present, deadline, report):
    work_ms, sleep_ms, seconds = NAPS

    def true():
        run = bench.run(tools.BARE, "bursts", seconds, work_ms, sleep_ms, 1, "clocked")
        return run.values["asleep"]

    def share(tool):
        profile = bench.run(tool, "bursts", seconds, work_ms, sleep_ms).profile
        return 100 * profile.kernel_ticks() / max(1, profile.n)

    taken = in_turn(
        {"true": true, **{t.label: lambda t=t: share(t) for t in present}}, deadline
    )
    table = Table(
        f"The kernel's part of bursts of {1000 * work_ms:g} us: {len(taken['true'])} runs",
        ["", "percent"],
        notes=["true: by the thread's own clock, around each sleep."],
    )
    middle = figures.middle(taken["true"])
    table.add("true", f"{middle.value:.1f}")
    for tool in present:
        value = figures.median(taken[tool.label])
        off = abs(value - middle.value)
        table.add(tool.label, f"{value:.1f}")
        report.figures[f"bursts.kernel.{tool.key}.off"] = figures.Figure.exact(off)
    report.tables.append(table)
    report.raw["kernel"] = taken


def run(bench, deadline):
    report = Report()
    present = bench.present(subjects(bench), report)
    add_kernel(bench, present, deadline.part(0.15), report)
    add_heads(bench, present, deadline, report)
    return report
