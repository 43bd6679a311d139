"""Programs that know the shares of their functions: A1, A2 and A5."""

from harness import tools
from harness.bench import Report
from harness.pairs import in_turn
from harness.score import COLUMNS, NOTES, Score
from harness.tables import Table

TITLE = "shares of functions, against the truth"
BUDGET_S = 110

TEN = [f"part_{n}" for n in range(1, 11)]


def cases(bench):
    """(key, title, program, arguments, names)"""
    modules = [bench.places.module(name) for name in ("in_first", "in_second")]
    return [
        ("serial", "ten functions, 1 to 10 parts of 55, in turns of ms", "ratios",
         (2, 500), TEN),
        ("mixed", "the same in turns of tens of us", "ratios", (1, 20), TEN),
        ("equal", "ten threads of equal work", "equal", (10, 2), TEN),
        ("idle", "a hundred threads, mostly asleep", "equal", (100, 1, 2000), TEN),
        ("libraries", "two libraries, loaded one after the other", "dlopened",
         (*modules, 1), ["in_first", "in_second"]),
    ]  # fmt: skip


def subjects(bench):
    return [
        *(tools.profrun(bench.places, t, r) for t in tools.TRIGGERS for r in (100, 1000)),
        tools.perf_record(100, tools.QUICK_PERF),
        tools.perf_record(1000, tools.QUICK_PERF),
        tools.gperftools(100),
        tools.gcc_pg(),
    ]


def run_case(bench, case, present, deadline, report):
    key, title, program, arguments, names = case
    scores = {tool.label: Score() for tool in present}

    def add_run(tool):
        scores[tool.label].add(bench.run(tool, program, *arguments), names)

    rounds = in_turn(
        {tool.label: lambda tool=tool: add_run(tool) for tool in present}, deadline
    )
    n_rounds = len(rounds[present[0].label])
    table = Table(f"{title}: {n_rounds} runs", ["", *COLUMNS])
    for tool in present:
        score = scores[tool.label]
        table.add(tool.label, *score.cells())
        score.put(report, f"shares.{key}.{tool.key}")
    report.tables.append(table)
    report.raw[key] = {label: score.scaled for label, score in scores.items()}


def run(bench, deadline):
    report = Report()
    present = bench.present(subjects(bench), report)
    all_cases = cases(bench)
    for i, case in enumerate(all_cases):
        run_case(
            bench, case, present, deadline.part(1 / (len(all_cases) - i)), report
        )
    report.tables[-1].notes += NOTES
    return report
