"""One busy thread at 100, 1000 and 10000 Hz: what it costs, and what one look at
it takes from it."""

from functools import partial

from harness import figures, looks, machine, tools
from harness.bench import Report
from harness.pairs import Pairs, cpu_of, in_turn, wall_of
from harness.tables import Table, with_range

TITLE = "what one busy thread loses"
BUDGET_S = 170

RATES = (100, 1000, 10000)
WORK_UNITS = 500
LONG_SECONDS = 0.5
WATCHED_SECONDS = 0.2  # short: many rounds, as one may fall into a bad moment


def subjects(bench, *perf_options):
    """All triggers and perf record at each rate."""
    found = []
    for rate_hz in RATES:
        found += [tools.profrun(bench.places, t, rate_hz) for t in tools.TRIGGERS]
        found.append(tools.perf_record(rate_hz, *perf_options))
    return found


def timed_subjects(bench):
    """The same, as they write down when they looked; and the least that a stop can
    take, by each trigger."""
    places, found = bench.places, []
    for rate_hz in RATES:
        found += [tools.timed_profrun(places, t, rate_hz) for t in tools.TRIGGERS]
        found.append(tools.timed_perf_record(rate_hz, tools.QUICK_PERF))
        found += [tools.bare_stop(places, t, rate_hz) for t in tools.STOPPING]
    return found


def is_profiler(tool):
    return not tool.name.startswith(tools.BARE_STOP)


def figure_name(tool, kind):
    if is_profiler(tool):
        return f"overhead.{kind}.{tool.key}"
    source = tool.name.removeprefix(tools.BARE_STOP + " ")
    return f"overhead.least.profrun-{source}.{tool.rate_hz}"


def late_percent(run):
    return 100 * run.profile.late / max(1, run.profile.n)


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


# --- Time lost for a look.


class Watched:
    """Runs in turn of a program that watches the clock: bare, then under each of
    the tools of a rate, and so on; and what each look has taken from it."""

    def __init__(self, bench, subject_tools, deadline, clock, **options):
        self.tools = subject_tools
        self._bench = bench
        self._clock = clock  # "wall" or "cpu"
        self._options = options
        self._tick_ns = round(1e9 / machine.kernel_hz())
        self._bare = None
        turns = {}
        for rate_hz in RATES:
            at_rate = [tool for tool in subject_tools if tool.rate_hz == rate_hz]
            if at_rate:
                turns[f"bare {rate_hz}"] = self._watch_bare
            for tool in at_rate:
                turns[tool.label] = partial(self._watch, tool)
        self._taken = in_turn(turns, deadline)

    def _run(self, tool):
        run = self._bench.run(
            tool, "gaps", WATCHED_SECONDS, self._clock, **self._options
        )
        return looks.read_watch(run.outcome.out), run.profile

    def _watch_bare(self):
        self._bare, _ = self._run(tools.BARE)

    def _watch(self, tool):
        watch, profile = self._run(tool)
        return looks.taken(self._bare, watch, profile.times, self._tick_ns)

    @property
    def n_rounds(self):
        return max(map(len, self._taken.values()), default=0)

    def of(self, tool):
        """looks.Taken, of each round."""
        return self._taken[tool.label]

    def lost_us(self, tool):
        lost_ns = looks.lost_ns(self.of(tool))
        return lost_ns and lost_ns.scaled(1e-3)

    def raw(self):
        """{tool: [looks, matched, the tick's ns, the looks' median ns] by round}"""
        return {
            tool.label: [
                [r.n, r.n_matched, r.tick, figures.median(r.lost) if r.lost else None]
                for r in self.of(tool)
            ]
            for tool in self.tools
        }


# --- Ratios by the parts.


def cpu_s(run):
    return run.values["cpu_seconds"]


def own_share(run):
    """CPU time of the tool, while the program ran, for a second of the program's."""
    return run.values["parent_cpu_seconds"] / cpu_s(run)


class Parts:
    """What a tool takes, counted instead of compared, so that a machine that
    changes its speed does not hide it: its own CPU time, by its own clock, and
    what the kernel does for it at the program's expense, look by look."""

    def __init__(self, runs, watched):
        self.own = figures.middle([own_share(run) for run in runs])
        self.looks = sum(run.n for run in watched) / len(watched) / WATCHED_SECONDS
        self.late = figures.median([late_percent(run) for run in runs])
        lost_ns = looks.lost_ns(watched)
        self.inside = lost_ns and lost_ns.scaled(1e-9 * self.looks)
        self.ratio = self.inside and figures.Figure(
            *(
                (1 + own) / (1 - inside)
                for own, inside in (
                    (self.own.value, self.inside.value),
                    (self.own.low, self.inside.low),
                    (self.own.high, self.inside.high),
                )
            )
        )


def add_parts(bench, subject_tools, timed_tools, deadline, report):
    """Each tool as a user runs it, and as it writes down when it looked."""
    timed = Watched(bench, timed_tools, deadline.part(0.5), "cpu")
    plain = in_turn(
        {
            tool.label: partial(bench.run, tool, "gaps", LONG_SECONDS, "cpu")
            for tool in subject_tools
        },
        deadline,
    )
    table = Table(
        f"The same by its parts: {min(map(len, plain.values()))} rounds of "
        f"{LONG_SECONDS} s, {timed.n_rounds} of {WATCHED_SECONDS} s",
        ["", "CPU ratio", "own ms / s", "in program ms / s", "looks / s", "late %"],
        notes=[
            "own: CPU time of the tool for a second of the program's, by the tool's own",
            "clock, without start and end.  in program: what the kernel took at the",
            "program's expense, as the gaps in its CPU clock that hold a look.  CPU ratio:",
            "of these two.  A second is one of CPU time.  bare stop: as below.",
        ],
    )
    for tool in subject_tools:
        parts = Parts(plain[tool.label], timed.of(tool))
        if parts.ratio:
            report.figures[f"{figure_name(tool, 'parts')}.cpu"] = parts.ratio
        table.add(
            tool.label,
            with_range(parts.ratio, 4) if parts.ratio else None,
            f"{1e3 * parts.own.value:.2f}",
            f"{1e3 * parts.inside.value:.2f}" if parts.inside else None,
            f"{parts.looks:.0f}",
            f"{parts.late:.0f}",
        )
    report.tables.append(table)
    report.raw["parts"] = {
        "own": {
            label: [[run.values["parent_cpu_seconds"], cpu_s(run)] for run in runs]
            for label, runs in plain.items()
        },
        "in program": timed.raw(),
    }


# --- The table of what is lost.


def add_loss_rows(table, watched, place, report):
    lost = {tool.label: watched.lost_us(tool) for tool in watched.tools}
    for tool in watched.tools:
        runs, mine = watched.of(tool), lost[tool.label]
        perf = lost.get(f"perf record {tool.rate_hz}")
        name = figure_name(tool, f"lost.{place}")
        of_perf = None
        if mine:
            report.figures[f"{name}.us"] = mine
        if mine and perf and perf.value > 0:
            of_perf = mine.scaled(1 / perf.value)
            report.figures[f"{name}.of_perf"] = of_perf
        ticks = [run.tick for run in runs if run.tick]
        table.add(
            tool.label,
            place,
            f"{sum(run.n for run in runs)}",
            f"{looks.matched_percent(runs):.0f}",
            f"{figures.median(ticks) / 1e3:.1f}" if ticks else None,
            with_range(mine, 1) if mine else None,
            f"{of_perf.value:.2f}" if of_perf else None,
        )


def add_losses(bench, subject_tools, deadline, report):
    at_1000 = [t for t in subject_tools if t.rate_hz == 1000 and is_profiler(t)]
    one_cpu = {min(bench.cpus)}
    same = Watched(bench, subject_tools, deadline.part(0.8), "wall", cpus=one_cpu)
    free = Watched(bench, at_1000, deadline, "wall")
    table = Table(
        f"Time lost for a look: {same.n_rounds} and {free.n_rounds} rounds of "
        f"{WATCHED_SECONDS} s",
        ["", "CPU", "looks", "matched %", "less tick, us"]
        + ["us for a look", "of perf record's"],
        notes=[
            "The gap in which a program that reads the wall clock without pause was as",
            "it was looked at: median (quartiles) of all looks for which there is one.",
            "less tick: what the bare program loses at that place in the kernel's tick,",
            "taken off where the looks come with it.  bare stop: a tracer that lets its",
            "program go on at once, and makes no other request.",
            "same: program and tool on one CPU.  free: where the kernel puts them.",
        ],
    )
    add_loss_rows(table, same, "same", report)
    add_loss_rows(table, free, "free", report)
    report.tables.append(table)
    report.raw["losses"] = {"same": same.raw(), "free": free.raw()}


def run(bench, deadline):
    report = Report()
    present = bench.present(subjects(bench), report)
    add_ratios(bench, present, deadline.part(0.2), report)
    # Start and end are no part of what follows.
    present = bench.present(subjects(bench, tools.QUICK_PERF), report)
    timed = bench.present(timed_subjects(bench), report)
    profilers = [tool for tool in timed if is_profiler(tool)]
    seldom = [tool for tool in timed if tool.rate_hz == min(RATES)]
    least = [tool for tool in seldom if not is_profiler(tool)]
    add_parts(bench, present + least, profilers + least, deadline.part(0.5), report)
    add_losses(bench, timed, deadline, report)
    return report
