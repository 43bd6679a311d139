"""More work in a function is more in its profile, by as much: A7."""

from harness import figures, tools
from harness.bench import Report
from harness.pairs import in_turn
from harness.tables import Table

TITLE = "work put in, and work found"
BUDGET_S = 80

# Percent of work that part_1 adds to that of the others.
ADDED = (0, 5, 10, 20, 40)
BASE_SECONDS = 1.2
UNIT_US = 100
BASE_WEIGHTS = (30, 20, 30, 20)  # 100 in all


def subjects(bench):
    return [
        *(tools.profrun(bench.places, t, 1000) for t in tools.TRIGGERS),
        tools.perf_record(1000, tools.QUICK_PERF),
        tools.gperftools(100),
        tools.gcc_pg(),
    ]


def point(bench, tool, added):
    """Share of part_1: the true one, the one found."""
    run = bench.run(
        tool,
        "ratios",
        BASE_SECONDS * (1 + added / 100),
        UNIT_US,
        added,
        *BASE_WEIGHTS,
    )
    return run.values["part_1"], run.profile.shares().get("part_1", 0.0)


def run(bench, deadline):
    report = Report()
    present = bench.present(subjects(bench), report)
    taken = in_turn(
        {
            (tool.label, added): lambda tool=tool, added=added: point(bench, tool, added)
            for added in ADDED
            for tool in present
        },
        deadline,
    )
    n_rounds = len(next(iter(taken.values())))
    table = Table(
        f"Share found by share put in, {len(ADDED)} amounts of 0 to {ADDED[-1]} % more "
        f"work, {n_rounds} runs of each",
        ["", "slope", "± 95 %", "intercept"],
        notes=["1 is right: what is put in is found.  Shares in percent points."],
    )
    for tool in present:
        points = [point for added in ADDED for point in taken[tool.label, added]]
        line = figures.line_through(points)
        error = 1.96 * line.slope_error
        table.add(
            tool.label, f"{line.slope:.3f}", f"{error:.3f}", f"{line.intercept:+.2f}"
        )
        off = abs(line.slope - 1)
        report.figures[f"causality.{tool.key}.slope_off"] = figures.Figure(
            off, max(0.0, off - error), off + error
        )
        report.figures[f"causality.{tool.key}.slope"] = figures.Figure(
            line.slope, line.slope - error, line.slope + error
        )
        report.raw[tool.label] = points
    report.tables.append(table)
    return report
