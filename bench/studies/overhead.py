"""One busy thread at 100, 1000 and 10000 Hz: what it costs, and what one look at
it takes from it."""

from harness import figures, tools
from harness.bench import Report
from harness.pairs import Pairs, cpu_of, in_turn, own_cpu_of, wall_of
from harness.tables import Table, with_range

TITLE = "what one busy thread loses"
BUDGET_S = 150

RATES = (100, 1000, 10000)
WORK_UNITS = 500
SHORT_SECONDS = 0.1
LONG_SECONDS = 0.5
LEAST_RUNS = 9


def subjects(bench, *perf_options):
    """All triggers and perf record at each rate."""
    found = []
    for rate_hz in RATES:
        found += [tools.profrun(bench.places, t, rate_hz) for t in tools.TRIGGERS]
        found.append(tools.perf_record(rate_hz, *perf_options))
    return found


def looks_a_second(run):
    return run.profile.looks / run.values["cpu_seconds"]


def late_percent(run):
    return 100 * run.profile.late / max(1, run.profile.n)


def gap_of(run):
    return run.values["gap_seconds"]


def add_ratios(bench, subject_tools, deadline, report):
    """Fixed work: ratios of all that was used."""
    pairs = Pairs(
        bench, subject_tools, lambda _: ("burn", "loop", WORK_UNITS), deadline
    )
    bare_s = figures.median([cpu_of(p.bare) for p in pairs.of(tools.BARE_AGAIN)])
    table = Table(
        f"One busy thread, {bare_s:.2f} s of CPU time: {pairs.n_rounds} pairs",
        ["", "CPU ratio", "wall ratio"],
        notes=[
            "Program and tool together, from start to end, over the bare run before:",
            "median (its range).  '<': hidden by the noise, which the first row is.",
        ],
    )
    for tool in pairs.tools:
        table.add(
            tool.label, pairs.ratio_text(tool, cpu_of), pairs.ratio_text(tool, wall_of)
        )
        report.figures[f"overhead.direct.{tool.key}.cpu"] = pairs.cpu_ratio(tool)
    report.tables.append(table)
    report.raw["ratios"] = pairs.raw(cpu_s=cpu_of, wall_s=wall_of)


class Parts:
    """What a tool takes, counted instead of compared, so that a machine that
    changes its speed does not hide it.  By two lengths of run, what each second
    costs is told from what start and end do."""

    def __init__(self, short_runs, long_runs, bare_runs):
        gap_s_bare = figures.median([gap_of(run) / cpu_s(run) for run in bare_runs])
        self.own = figures.middle(
            [
                (own_cpu_of(long) - own_cpu_of(short)) / (cpu_s(long) - cpu_s(short))
                for short, long in zip(short_runs, long_runs)
            ]
        )
        self.inside = figures.middle(
            [gap_of(run) / cpu_s(run) - gap_s_bare for run in long_runs]
        )
        self.fixed = figures.middle(
            [own_cpu_of(run) - self.own.value * cpu_s(run) for run in short_runs]
        )
        self.ratio = figures.Figure(
            *(
                (1 + own) / (1 - inside)
                for own, inside in (
                    (self.own.value, self.inside.value),
                    (self.own.low, self.inside.low),
                    (self.own.high, self.inside.high),
                )
            )
        )


def cpu_s(run):
    return run.values["cpu_seconds"]


def add_parts(bench, subject_tools, deadline, report):
    row_tools = [tools.BARE, tools.BARE_AGAIN, *subject_tools]

    def both_lengths(tool):
        return [
            bench.run(tool, "gaps", seconds, "cpu")
            for seconds in (SHORT_SECONDS, LONG_SECONDS)
        ]

    taken = in_turn(
        {tool.label: lambda tool=tool: both_lengths(tool) for tool in row_tools},
        deadline,
    )
    bare_runs = [long for _, long in taken[tools.BARE.label]]
    table = Table(
        f"The same by its parts: {len(bare_runs)} rounds of {SHORT_SECONDS} and "
        f"{LONG_SECONDS} s",
        ["", "CPU ratio", "start and end, ms", "own ms / s", "in program ms / s"]
        + ["looks / s", "late %"],
        notes=[
            "own: CPU time of the tool for a second of the program's; what a run of no",
            "length would take is start and end.  in program: what the kernel took for",
            "it at the program's expense, as gaps in its CPU clock.  CPU ratio: of these",
            "two, without start and end.  A second is one of CPU time.  (perf record",
            f"with {tools.QUICK_PERF}, which saves it a second at its start.)",
        ],
    )
    for tool in row_tools[1:]:
        parts = Parts(*zip(*taken[tool.label]), bare_runs)
        profiled = [long for _, long in taken[tool.label] if long.profile]
        report.figures[f"overhead.parts.{tool.key}.cpu"] = parts.ratio
        report.figures[f"overhead.parts.{tool.key}.fixed_ms"] = parts.fixed.scaled(1e3)
        table.add(
            tool.label,
            with_range(parts.ratio, 4),
            f"{1e3 * parts.fixed.value:.1f}",
            f"{1e3 * parts.own.value:.2f}",
            f"{1e3 * parts.inside.value:.2f}",
            f"{figures.median(map(looks_a_second, profiled)):.0f}" if profiled else None,
            f"{figures.median(map(late_percent, profiled)):.0f}" if profiled else None,
        )
    report.tables.append(table)
    report.raw["parts"] = {
        label: [[[own_cpu_of(run), gap_of(run), cpu_s(run)] for run in both] for both in rows]
        for label, rows in taken.items()
    }


def lost_us(pairs, tool):
    """Microseconds that are taken from the program for a look."""
    return figures.middle(
        [
            1e6 * (gap_of(pair.tool) - gap_of(pair.bare)) / max(1, pair.tool.profile.looks)
            for pair in pairs.of(tool)
        ]
    )


def add_loss_rows(table, pairs, place, report):
    noise = pairs.difference(tools.BARE_AGAIN, gap_of)
    subject_tools = pairs.tools[1:]
    lost = {tool.label: lost_us(pairs, tool) for tool in subject_tools}
    for tool in subject_tools:
        looks = figures.median([run.profile.looks for run in pairs.runs(tool)])
        mine, noise_us = lost[tool.label], noise.scaled(1e6 / max(1, looks))
        hidden = figures.is_hidden(mine, noise_us, 0)
        key = f"overhead.lost.{place}.{tool.key}"
        report.figures[f"{key}.us"] = mine
        perf = lost.get(f"perf record {tool.rate_hz}")
        of_perf = None
        # Neither may be hidden, and one pair tells nothing of how sure it is.
        if perf and perf.low > 0 and not hidden and pairs.n_rounds > 1:
            of_perf = mine.scaled(1 / perf.value)
            report.figures[f"{key}.of_perf"] = of_perf
        table.add(
            tool.label,
            place,
            f"{looks:.0f}",
            f"< {max(mine.high, noise_us.high):.0f}" if hidden else with_range(mine, 1),
            f"{of_perf.value:.2f}" if of_perf else None,
        )


def add_losses(bench, subject_tools, deadline, report):
    def command(_):
        return ("gaps", LONG_SECONDS, "wall")

    free_tools = [tool for tool in subject_tools if tool.rate_hz == 1000]
    same = Pairs(
        bench, subject_tools, command, deadline.part(0.75), cpus={min(bench.cpus)}
    )
    free = Pairs(bench, free_tools, command, deadline)
    table = Table(
        f"Time lost for a look: {same.n_rounds} and {free.n_rounds} pairs of "
        f"{LONG_SECONDS} s",
        ["", "CPU", "looks", "us for a look", "of perf record's"],
        notes=[
            "Gaps of 1 us to 1 ms by the wall clock in a program that reads it without",
            "pause, less those of the bare run before, for each look.",
            "same: program and tool on one CPU.  free: where the kernel puts them.",
        ],
    )
    add_loss_rows(table, same, "same", report)
    add_loss_rows(table, free, "free", report)
    report.tables.append(table)
    report.raw["losses"] = {"same": same.raw(gap_s=gap_of), "free": free.raw(gap_s=gap_of)}


def add_least(bench, report):
    """A stop by a tracer that does nothing with it, beside which the others are to
    be seen."""
    cpu = {min(bench.cpus)}
    runs = [bench.run(tools.BARE, "stops", cpus=cpu, status=None) for _ in range(LEAST_RUNS)]
    stops = [run.values["stop_us"] for run in runs if "stop_us" in run.values]
    if not stops:
        report.left_out["a bare stop"] = "ptrace is refused"
        return
    least = figures.middle(stops)
    report.figures["overhead.least.stop.us"] = least
    table = Table(
        "The least that a stop under ptrace takes, on one CPU",
        ["", "us for a stop"],
        notes=["A tracer that lets its program go on at once, and makes no other request."],
    )
    table.add(f"{LEAST_RUNS} runs", with_range(least, 1))
    report.tables.append(table)


def run(bench, deadline):
    report = Report()
    present = bench.present(subjects(bench), report)
    add_ratios(bench, present, deadline.part(0.35), report)
    # Start and end are no part of what follows.
    present = bench.present(subjects(bench, tools.QUICK_PERF), report)
    add_parts(bench, present, deadline.part(0.5), report)
    add_least(bench, report)
    add_losses(bench, present, deadline, report)
    return report
