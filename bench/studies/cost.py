"""Six kinds of work under profrun and every peer there is; starting; what they
leave behind."""

from harness import figures, tools
from harness.bench import Report
from harness.pairs import Pairs, cpu_of, wall_of
from harness.tables import Table, kilobytes, with_range

TITLE = "what profrun and its peers cost"
BUDGET_S = 150

# Name, arguments of burn: kind and threads.
WORK = (
    ("loop, 1 thread", "loop", 1),
    ("loop, 2 threads", "loop", 2),
    ("loop, 8 threads", "loop", 8),
    ("calls", "calls", 1),
    ("system calls", "syscalls", 1),
    ("page faults", "faults", 1),
    ("memory", "memory", 1),
)
WORK_UNITS = 200
RATES = (100, 1000, 10000)


def profrun_tools(bench):
    return [
        tools.profrun(bench.places, trigger, rate_hz)
        for trigger in ("timer", "ring")
        for rate_hz in RATES
    ]


def peers():
    return [
        tools.perf_record(1000),
        tools.gperftools(100),
        tools.gcc_pg(),
        tools.strace_count(),
        tools.callgrind(),
        tools.uftrace(),
    ]


def units_for(tool):
    return max(1, WORK_UNITS // tool.slowness)


def add_work(bench, subject_tools, deadline, report):
    taken = []
    for i, (_, kind, n) in enumerate(WORK):
        taken.append(
            Pairs(
                bench,
                subject_tools,
                lambda tool, kind=kind, n=n: ("burn", kind, units_for(tool), n),
                deadline.part(1 / (len(WORK) - i)),
                wants_profile=False,
            )
        )
    noise = [ratio for pairs in taken for ratio in pairs.ratios(tools.BARE_AGAIN, cpu_of)]
    reach = max(abs(ratio - 1) for ratio in noise)
    ratios = Table(
        f"CPU ratio by kind of work, {taken[0].n_rounds} pairs and more",
        ["", *(name for name, _, _ in WORK)],
        notes=[
            "CPU time of program and tool, from start to end, over the bare run before;",
            f"{WORK_UNITS} units of about 1 ms of work, less for slow tools.  Medians;",
            "<: no more than that, but hidden by the noise, the widest of all bare pairs:",
            f"± {reach:.2f}.  Ranges, and wall time, are in the results.",
        ],
    )
    for tool in taken[0].tools[1:]:
        ratios.add(tool.label, *(short_ratio(pairs, tool, reach) for pairs in taken))
    report.tables.append(ratios)
    add_left_behind(taken[0], report)
    for (name, _, _), pairs in zip(WORK, taken):
        for tool in pairs.tools:
            key = f"cost.{name.replace(',', '').replace(' ', '-')}.{tool.key}"
            report.figures[f"{key}.cpu"] = pairs.cpu_ratio(tool)
            report.figures[f"{key}.wall"] = pairs.ratio(tool, wall_of)
        report.raw[name] = pairs.raw(cpu_s=cpu_of, wall_s=wall_of)


def short_ratio(pairs, tool, reach):
    """A ratio without its range, for a table of many columns."""
    ratio = pairs.cpu_ratio(tool).value
    if abs(ratio - 1) <= reach:
        return f"<{1 + reach:.2f}"
    return f"{ratio:.2f}"


def add_left_behind(pairs, report):
    table = Table(
        f"What is left behind by {WORK[0][0]}, and the peak of memory",
        ["", "files kB", "peak MiB"],
        notes=["peak: of the largest process; the bare program's is in the first row."],
    )
    for tool in pairs.tools:
        size = figures.median([run.bytes for run in pairs.runs(tool)])
        peak = figures.median([run.outcome.peak_kib for run in pairs.runs(tool)])
        table.add(tool.label, kilobytes(size), f"{peak / 1024:.1f}")
        report.figures[f"cost.files.{tool.key}.kb"] = figures.Figure.exact(size / 1000)
        report.figures[f"cost.peak.{tool.key}.mib"] = figures.Figure.exact(peak / 1024)
    report.tables.append(table)


def add_start(bench, subject_tools, deadline, report):
    pairs = Pairs(bench, subject_tools, lambda _: ("/bin/true",), deadline)
    table = Table(
        f"Start and end: /bin/true, {pairs.n_rounds} pairs",
        ["", "wall ms more", "CPU ms more"],
    )
    for tool in pairs.tools:
        cells = []
        for name, measure in (("wall", wall_of), ("cpu", cpu_of)):
            more = pairs.difference(tool, measure).scaled(1e3)
            noise = pairs.difference(tools.BARE_AGAIN, measure).scaled(1e3)
            hidden = tool is not tools.BARE_AGAIN and figures.is_hidden(more, noise, 0)
            cells.append(f"< {more.high:.1f}" if hidden else with_range(more, 1))
            report.figures[f"cost.start.{tool.key}.{name}_ms"] = more
        table.add(tool.label, *cells)
    report.tables.append(table)
    report.raw["start"] = pairs.raw(cpu_s=cpu_of, wall_s=wall_of)


def run(bench, deadline):
    report = Report()
    present = bench.present([*profrun_tools(bench), *peers()], report)
    starters = [
        tool
        for tool in present
        if not tool.is_compiled_in and (tool.rate_hz == 100 or "profrun" not in tool.name)
    ]
    add_start(bench, starters, deadline.part(0.15), report)
    add_work(bench, present, deadline, report)
    return report
