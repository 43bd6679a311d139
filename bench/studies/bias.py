"""A loop of work and one system call, whose share is known: A12."""

from harness import figures, tools
from harness.bench import Report
from harness.pairs import in_turn
from harness.tables import Table

TITLE = "the share of a system call"
BUDGET_S = 60

SECONDS = 2
CALLS = ("getpid", "zero")


def subjects(bench):
    return [
        *(tools.profrun(bench.places, t, r) for t in tools.TRIGGERS for r in (250, 1000)),
        tools.perf_record(1000, tools.QUICK_PERF),
        tools.gperftools(100),
    ]


def at_the_call(profile):
    """Percent of the ticks in the call's own function or in the kernel."""
    ticks = profile.ticks.get("the_call", 0) + profile.kernel_ticks()
    return 100 * ticks / max(1, profile.n)


def run(bench, deadline):
    report = Report()
    present = bench.present(subjects(bench), report)

    def found_and_true(tool, call):
        run = bench.run(tool, "callshare", call, SECONDS)
        return at_the_call(run.profile), run.values["the_call"], run.profile.looks

    taken = in_turn(
        {
            (call, tool.label): lambda tool=tool, call=call: found_and_true(tool, call)
            for call in CALLS
            for tool in present
        },
        deadline,
    )
    n_rounds = len(next(iter(taken.values())))
    columns = [column for call in CALLS for column in (call, "true", "± 95 %")]
    table = Table(
        f"Percent of the ticks at a system call; {n_rounds} runs of {SECONDS} s",
        ["", *columns],
        notes=[
            "getpid: 1 us of work and getpid().  zero: 3 us of work and 64 KiB read from",
            "/dev/zero.  Counted are the function that calls and the kernel.",
        ],
    )
    for tool in present:
        cells = []
        for call in CALLS:
            rows = taken[call, tool.label]
            found, true = (figures.median([row[i] for row in rows]) for i in (0, 1))
            looks = sum(row[2] for row in rows)
            error = 1.96 * figures.binomial_error(true, looks)
            cells += [f"{found:.1f}", f"{true:.1f}", f"{error:.1f}"]
            off = abs(found - true)
            report.figures[f"bias.{call}.{tool.key}.off"] = figures.Figure(
                off, max(0.0, off - error), off + error
            )
        table.add(tool.label, *cells)
    report.tables.append(table)
    report.raw["found, true, looks"] = {" ".join(k): v for k, v in taken.items()}
    return report
