"""The same program again and again: is the same function the hottest? A8."""

from collections import Counter

from harness import figures, tools
from harness.bench import Report
from harness.pairs import Deadline, in_turn
from harness.tables import Table

TITLE = "the hottest function, run after run"
BUDGET_S = 100

RUNS = 30
UNIT_US = 100
WEIGHTS = (6, 4, 3, 2, 1)  # of 16
RUN_SHARE = 0.85  # of the time; the rest is for what is around them
SHORTEST_S = 0.3


def subjects(bench):
    return [
        tools.profrun(bench.places, "timer", 1000),
        tools.profrun(bench.places, "ring", 1000),
        tools.perf_record(1000, tools.QUICK_PERF),
        tools.gperftools(100),
    ]


def run(bench, deadline):
    report = Report()
    present = bench.present(subjects(bench), report)
    # All the runs are made, as long as there is time for.
    seconds = max(SHORTEST_S, RUN_SHARE * deadline.left_s() / RUNS / len(present))

    def hottest(tool):
        shares = bench.run(tool, "ratios", seconds, UNIT_US, *WEIGHTS).profile.shares()
        return max(shares, key=shares.get), shares.get("part_1", 0.0)

    taken = in_turn(
        {tool.label: lambda tool=tool: hottest(tool) for tool in present},
        Deadline(float("inf")),
        is_settled=lambda _: True,
        least=RUNS,
    )
    n = len(taken[present[0].label])
    table = Table(
        f"{n} runs of {seconds:.1f} s; the truth: part_1, with {100 * 6 / 16:.1f} %",
        ["", "named hottest", "percent of part_1"],
        text_columns=(0, 1),
    )
    for tool in present:
        names = Counter(name for name, _ in taken[tool.label])
        shares = figures.middle([share for _, share in taken[tool.label]])
        lowest, highest = (f(s for _, s in taken[tool.label]) for f in (min, max))
        table.add(
            tool.label,
            ", ".join(f"{name} {times}" for name, times in names.most_common()),
            f"{shares.value:.1f} ({lowest:.1f} .. {highest:.1f})",
        )
        report.figures[f"stability.{tool.key}.wrong"] = figures.Figure.exact(
            n - names["part_1"]
        )
    report.figures["stability.runs"] = figures.Figure.exact(n)
    report.tables.append(table)
    report.raw["found"] = taken
    return report
