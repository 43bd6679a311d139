"""What stops take of a program, and how much of that its profile still has: two
threads whose work is three to one, against the same work when nobody watches."""

from harness import figures, tools
from harness.bench import Report
from harness.pairs import Pairs
from harness.tables import Table, with_range

TITLE = "what stops cost, and what the profile has of it"
BUDGET_S = 120

RATES = (1000, 4000, 10000)
MILLION_TURNS = 500
HEAVY = 75  # percent of the work


def subjects(bench):
    return [tools.profrun(bench.places, t, r) for r in RATES for t in tools.TRIGGERS]


def used_s(run):
    return run.values["cpu_seconds"]


def shown_s(run):
    """Of a bare run: what it has used."""
    return run.profile.cpu_s if run.profile else used_s(run)


def heavy_percent(run):
    ticks = run.profile.ticks
    heavy, light = ticks.get("heavy", 0), ticks.get("light", 0)
    return 100 * heavy / max(1, heavy + light)


def percent_more(ratio):
    """A ratio as what is above 1."""
    return figures.Figure(*(100 * (x - 1) for x in (ratio.value, ratio.low, ratio.high)))


def run(bench, deadline):
    report = Report()
    present = bench.present(subjects(bench), report)
    pairs = Pairs(bench, present, lambda _: ("uneven", MILLION_TURNS), deadline)
    table = Table(
        f"CPU time above the bare run's, in percent; {pairs.n_rounds} pairs",
        ["", "used", "shown", "heavy, of 75"],
        notes=[
            "Used by the program, by its own clock; shown by the summary, from which",
            "stops are left out; and the share of the thread with three quarters.",
        ],
    )
    for tool in pairs.tools:
        used = percent_more(pairs.ratio(tool, used_s))
        shown = percent_more(pairs.ratio(tool, shown_s))
        if tool not in present:
            table.add(tool.label, with_range(used, 1), None, None)
            continue
        heavy = figures.middle([heavy_percent(r) for r in pairs.runs(tool)])
        table.add(tool.label, with_range(used, 1), with_range(shown, 1), with_range(heavy, 1))
        report.figures[f"stops.used.{tool.key}.percent"] = used
        report.figures[f"stops.shown.{tool.key}.percent"] = shown
        report.figures[f"stops.heavy.{tool.key}.percent"] = heavy
    report.tables.append(table)
    report.raw["seconds"] = pairs.raw(used_s=used_s, shown_s=shown_s)
    return report
