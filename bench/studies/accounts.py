"""Ticks times their length is the CPU time that the program used: A9."""

from harness import figures, tools
from harness.bench import Report
from harness.pairs import in_turn
from harness.tables import Table

TITLE = "ticks against the kernel's account"
BUDGET_S = 80

# Title, program, arguments.
PROGRAMS = (
    ("1 thread", "ratios", (1,)),
    ("8 threads", "threads", (8, 1, "equal")),
    ("100, mostly asleep", "equal", (100, 2, 2000)),
    ("in system calls", "syscalls", (1,)),
    ("short threads", "churn", (1, 2)),
)


def subjects(bench):
    return [
        *(tools.profrun(bench.places, t, r) for t in tools.TRIGGERS for r in (100, 1000)),
        tools.perf_record(1000, tools.QUICK_PERF),
        tools.gperftools(100),
        tools.gcc_pg(),
    ]


def account(bench, tool, program, arguments):
    """Seconds by ticks, and by the process's own clock less what stops took."""
    run = bench.run(tool, program, *arguments)
    return run.profile.n / tool.rate_hz, run.values["cpu_seconds"] - run.profile.stops_s


def run(bench, deadline):
    report = Report()
    present = bench.present(subjects(bench), report)
    taken = in_turn(
        {
            (title, tool.label): lambda tool=tool, program=program, arguments=arguments: (
                account(bench, tool, program, arguments)
            )
            for title, program, arguments in PROGRAMS
            for tool in present
        },
        deadline,
    )
    n_rounds = len(next(iter(taken.values())))
    table = Table(
        f"CPU time by ticks, percent of the true one; {n_rounds} runs of 1 or 2 s",
        ["", *(title for title, _, _ in PROGRAMS)],
        notes=[
            "All runs of a cell together.  The program's CPU clock is the truth; user",
            "and system time as the kernel accounts for them add up to the same.",
        ],
    )
    for tool in present:
        cells = []
        for title, _, _ in PROGRAMS:
            pairs = taken[title, tool.label]
            percent = 100 * sum(p[0] for p in pairs) / sum(p[1] for p in pairs)
            each = [100 * by_ticks / true for by_ticks, true in pairs]
            cells.append(f"{percent:.1f}")
            key = title.replace(",", "").replace(" ", "-")
            report.figures[f"accounts.{key}.{tool.key}.off"] = figures.Figure(
                abs(percent - 100),
                min(abs(p - 100) for p in each),
                max(abs(p - 100) for p in each),
            )
        table.add(tool.label, *cells)
    report.tables.append(table)
    report.raw["seconds"] = {" ".join(key): value for key, value in taken.items()}
    return report
