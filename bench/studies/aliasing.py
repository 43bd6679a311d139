"""Programs with a beat near that of the profiler: A3."""

from harness import figures, tools
from harness.bench import Report
from harness.pairs import in_turn
from harness.tables import Table

TITLE = "a program in step with its profiler"
BUDGET_S = 90

SECONDS = 2.5
HOT_PERCENT = 10
RATE_HZ = 100

# The beat's rate over the profiler's, and whether the beat is steady.
BEATS = (("1/1", 10000, "steady"), ("1/2", 20000, "steady"), ("2/1", 5000, "steady"),
         ("1/1 unsteady", 10000, "unsteady"))  # fmt: skip


def subjects(bench):
    return [
        *(tools.profrun(bench.places, t, RATE_HZ) for t in tools.TRIGGERS),
        tools.perf_record(RATE_HZ, tools.QUICK_PERF),
        tools.perf_record(RATE_HZ - 1, tools.QUICK_PERF),
        tools.gperftools(RATE_HZ),
        tools.gcc_pg(),
    ]


class Beat:
    """All runs of one tool with one beat."""

    def __init__(self):
        self.found = []
        self.true = []
        self.scaled = []  # error / standard error

    def add(self, run):
        # What falls in neither, such as in the clock, is in no truth.
        hot, cold = (run.profile.ticks.get(name, 0) for name in ("hot", "cold"))
        true = run.values["hot"]
        found = 100 * hot / max(1, hot + cold)
        self.found.append(found)
        self.true.append(true)
        self.scaled.append(
            (found - true) / figures.binomial_error(true, max(1, run.profile.looks))
        )


def run(bench, deadline):
    report = Report()
    present = bench.present(subjects(bench), report)
    taken = {(beat[0], tool.label): Beat() for beat in BEATS for tool in present}

    def add_run(beat, tool):
        name, period_us, way = beat
        taken[name, tool.label].add(
            bench.run(tool, "beat", SECONDS, period_us, HOT_PERCENT, way)
        )

    rounds = in_turn(
        {
            (beat[0], tool.label): lambda beat=beat, tool=tool: add_run(beat, tool)
            for beat in BEATS
            for tool in present
        },
        deadline,
    )
    n_rounds = len(next(iter(rounds.values())))
    table = Table(
        f"hot() has {HOT_PERCENT} % of each period; what {n_rounds} runs found",
        ["", *(f"beat {beat[0]}" for beat in BEATS), "sigmas, steady"],
        notes=[
            "Beats in times of the rate asked for; percent, of each run.  sigmas: the",
            "root of the mean square of error / binomial standard error over all runs",
            "with a steady beat: 1 by chance.  An unsteady beat has periods of half to",
            "one and a half times the length.",
        ],
    )
    for tool in present:
        beats = {beat[0]: taken[beat[0], tool.label] for beat in BEATS}
        steady = [
            error
            for name, _, way in BEATS
            if way == "steady"
            for error in beats[name].scaled
        ]
        sigmas = figures.root_mean_square(steady)
        table.add(
            tool.label,
            *(
                " ".join(f"{found:.0f}" for found in beats[beat[0]].found)
                for beat in BEATS
            ),
            f"{sigmas:.1f}",
        )
        report.figures[f"aliasing.{tool.key}.sigmas"] = figures.Figure.exact(sigmas)
    report.tables.append(table)
    report.raw["found"] = {
        f"{name} {label}": list(zip(beat.found, beat.true))
        for (name, label), beat in taken.items()
    }
    return report
