"""Many threads: more busy ones than processors, and idle ones that cost nothing."""

from harness import figures, tools
from harness.bench import Report
from harness.pairs import Pairs, cpu_of, wall_of
from harness.tables import Table, with_range

TITLE = "what many threads lose"
BUDGET_S = 120

BUSY = (2, 8)
IDLE = (10, 100, 1000, 5000)
WORK_UNITS = 400
SPAWNED = 2000
# As many as the timer trigger has a new thread make.
CALLS = 2


def subjects(bench, rates):
    return [
        tool
        for rate_hz in rates
        for tool in [tools.profrun(bench.places, t, rate_hz) for t in tools.TRIGGERS]
        + [tools.perf_record(rate_hz)]
    ]


def work_of(run):
    """CPU time of the threads that work, in their work."""
    return run.values["work_seconds"]


def looks_of(run):
    return run.profile.looks / run.values["cpu_seconds"]


def add_busy(bench, subject_tools, deadline, report):
    for i, n in enumerate(BUSY):
        pairs = Pairs(
            bench,
            subject_tools,
            lambda _, n=n: ("burn", "loop", WORK_UNITS, n),
            deadline.part(1 / (len(BUSY) - i)),
        )
        table = Table(
            f"{n} busy threads on {len(bench.cpus)} processors: {pairs.n_rounds} pairs",
            ["", "CPU ratio", "wall ratio", "looks / CPU s"],
        )
        for tool in pairs.tools:
            profiled = [run for run in pairs.runs(tool) if run.profile]
            table.add(
                tool.label,
                pairs.ratio_text(tool, cpu_of),
                pairs.ratio_text(tool, wall_of),
                f"{figures.median(map(looks_of, profiled)):.0f}" if profiled else None,
            )
            report.figures[f"threads.busy.{n}.{tool.key}.cpu"] = pairs.cpu_ratio(tool)
        report.tables.append(table)
        report.raw[f"busy {n}"] = pairs.raw(cpu_s=cpu_of, wall_s=wall_of)


def add_idle(bench, subject_tools, deadline, report):
    table = Table(
        "One busy thread beside idle ones",
        ["idle", "", "pairs", "CPU ratio", "CPU ratio of the work", "looks / CPU s"],
        notes=[
            "The first ratio has the making of all threads in it, the second only the",
            "CPU time of the busy thread at its work.",
        ],
        text_columns=(0, 1),
    )
    for i, n in enumerate(IDLE):
        pairs = Pairs(
            bench,
            subject_tools,
            lambda _, n=n: ("burn", "loop", WORK_UNITS, 1, n),
            deadline.part(1 / (len(IDLE) - i)),
        )
        for tool in pairs.tools:
            profiled = [run for run in pairs.runs(tool) if run.profile]
            table.add(
                n,
                tool.label,
                pairs.n_rounds,
                pairs.ratio_text(tool, cpu_of),
                pairs.ratio_text(tool, work_of),
                f"{figures.median(map(looks_of, profiled)):.0f}" if profiled else None,
            )
            key = f"threads.idle.{n}.{tool.key}"
            report.figures[f"{key}.cpu"] = pairs.cpu_ratio(tool)
            report.figures[f"{key}.work"] = pairs.ratio(tool, work_of)
        report.raw[f"idle {n}"] = pairs.raw(cpu_s=cpu_of, work_s=work_of)
    report.tables.append(table)


def add_spawning(bench, subject_tools, least, deadline, report):
    table = Table(
        f"Making a thread, or a process, and waiting for its end, {SPAWNED} times",
        ["what", "", "pairs", "wall us each", "more than bare"],
        notes=[
            "bare births: a tracer that has each thread begin with so many system calls,",
            "and does nothing else.",
        ],
        text_columns=(0, 1),
    )
    for what, which, part in (
        ("thread", subject_tools + least, 0.65),
        ("process", subject_tools, 1.0),
    ):
        pairs = Pairs(
            bench,
            which,
            lambda _, what=what: ("spawn", SPAWNED, what),
            deadline.part(part),
        )
        noise = pairs.difference(tools.BARE_AGAIN, wall_us_each)
        for tool in pairs.tools:
            more = pairs.difference(tool, wall_us_each)
            hidden = tool is not tools.BARE_AGAIN and figures.is_hidden(more, noise, 0)
            each = figures.middle(list(map(wall_us_each, pairs.runs(tool))))
            table.add(
                what,
                tool.label,
                pairs.n_rounds,
                with_range(each, 1),
                f"< {max(more.high, noise.high):.1f}" if hidden else with_range(more, 1),
            )
            report.figures[f"threads.spawn.{what}.{tool.key}.us"] = more
    report.tables.append(table)


def wall_us_each(run):
    return 1e6 * run.values["wall_seconds"] / run.values["spawned"]


def run(bench, deadline):
    report = Report()
    present = bench.present(subjects(bench, (100, 1000)), report)
    fast = [tool for tool in present if tool.rate_hz == 1000]
    slow = [tool for tool in present if tool.rate_hz == 100]
    add_busy(bench, present, deadline.part(0.45), report)
    add_idle(bench, slow, deadline.part(0.75), report)
    births = [tools.bare_births(bench.places, calls) for calls in (0, CALLS)]
    least = bench.present(births, report)
    add_spawning(bench, fast, least, deadline, report)
    return report
