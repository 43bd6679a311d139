"""Threads and processes that live for less than a tick, or not much more: A4."""

import math

from harness import figures, machine, tools
from harness.bench import Report
from harness.pairs import in_turn
from harness.tables import Table

TITLE = "short lives"
BUDGET_S = 90

SECONDS = 1
LIVES = (("thread", 0.5), ("thread", 2), ("thread", 7), ("thread", 15), ("process", 2))


def subjects(bench):
    return [
        *(tools.profrun(bench.places, t, 100) for t in tools.TRIGGERS),
        tools.profrun(bench.places, "timer", 1000),
        tools.profrun(bench.places, "ring", 1000),
        tools.perf_record(100, tools.QUICK_PERF),
        tools.perf_record(1000, tools.QUICK_PERF),
        tools.gperftools(100),
        tools.gcc_pg(),
    ]


def found_and_due(run, rate_hz):
    """Ticks in live(), and how many should be there."""
    return run.profile.ticks.get("live", 0), rate_hz * run.values["life_seconds"]


def follows_children(bench):
    """Whether profrun's profiles have what children do: then, nearly all of it."""
    run = bench.run(
        tools.profrun(bench.places, "timer", 1000), "churn", 0.3, 10, 1, "process"
    )
    return run.profile.ticks.get("live", 0) > 100 * run.values["life_seconds"]


def run(bench, deadline):
    report = Report()
    present = bench.present(subjects(bench), report)
    follows = follows_children(bench)
    if not follows:
        report.left_out["profrun, processes"] = "children are not followed"

    def is_wanted(what, tool):
        return what == "thread" or follows or not tool.name.startswith("profrun")

    taken = in_turn(
        {
            (what, life_ms, tool.label): lambda what=what, life_ms=life_ms, tool=tool: (
                found_and_due(
                    bench.run(tool, "churn", SECONDS, life_ms, 1, what), tool.rate_hz
                )
            )
            for what, life_ms in LIVES
            for tool in present
            if is_wanted(what, tool)
        },
        deadline,
    )
    n_rounds = len(next(iter(taken.values())))
    table = Table(
        f"Ticks found of those that are due, percent; {n_rounds} runs of {SECONDS} s of CPU time",
        ["", *(f"{what} {life_ms:g} ms" for what, life_ms in LIVES)],
        notes=[
            "± is what chance makes of that many ticks (95 %), or of that many ticks of",
            "the kernel, where more are asked for than it has.",
        ],
    )
    for tool in present:
        cells = []
        for what, life_ms in LIVES:
            pairs = taken.get((what, life_ms, tool.label))
            if not pairs:
                cells.append(None)
                continue
            found = sum(n for n, _ in pairs)
            due = sum(n for _, n in pairs)
            chances = due * min(1, machine.kernel_hz() / tool.rate_hz)
            percent, error = 100 * found / due, 196 / math.sqrt(chances)
            cells.append(f"{percent:.0f} ± {error:.0f}")
            off = abs(percent - 100)
            report.figures[f"lives.{what}.{life_ms:g}.{tool.key}.off"] = figures.Figure(
                off, max(0.0, off - error), off + error
            )
        table.add(tool.label, *cells)
    report.tables.append(table)
    report.raw["found and due"] = {" ".join(map(str, key)): v for key, v in taken.items()}
    return report
