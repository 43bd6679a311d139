"""Results, for people: the verdicts on the bars, and the table for README.md."""

from . import tables

# Columns of the digest, by the names that tools have in figures.
_TOOLS = (
    ("profrun timer", "profrun-timer"),
    ("profrun perf", "profrun-perf"),
    ("profrun interrupt", "profrun-interrupt"),
    ("perf record", "perf-record"),
    ("gperftools", "gperftools"),
    ("gcc -pg", "gcc--pg"),
)

# Rows: what it is, digits, and the figure with {} for the tool; a tool that has no
# figure of its own at that rate has it at the next in the list.
_ROWS = (
    ("start and end, wall ms", 1, ["cost.start.{}.100.wall_ms", "cost.start.{}.1000.wall_ms"]),
    ("CPU ratio, 100 Hz", 4, ["overhead.parts.{}.100.cpu"]),
    ("CPU ratio, 1000 Hz", 4, ["overhead.parts.{}.1000.cpu"]),
    ("us lost for a look, 1000 Hz", 1, ["overhead.lost.same.{}.1000.us"]),
    ("us for making a thread", 0, ["threads.spawn.thread.{}.1000.us"]),
    ("peak MiB", 1, ["cost.peak.{}.100.mib", "cost.peak.{}.1000.mib"]),
    ("A1 serial, max error, points", 2, ["shares.serial.{}.1000.max_error",
                                         "shares.serial.{}.100.max_error"]),
    ("A1 in short turns", 2, ["shares.mixed.{}.1000.max_error",
                              "shares.mixed.{}.100.max_error"]),
    ("A2 ten threads", 2, ["shares.equal.{}.1000.max_error", "shares.equal.{}.100.max_error"]),
    ("A2 a hundred, asleep", 2, ["shares.idle.{}.1000.max_error",
                                 "shares.idle.{}.100.max_error"]),
    ("A5 libraries", 2, ["shares.libraries.{}.1000.max_error",
                         "shares.libraries.{}.100.max_error"]),
    ("A3 steady beat, sigmas", 1, ["aliasing.{}.100.sigmas"]),
    ("A4 threads of 0.5 ms, % off", 0, ["lives.thread.0.5.{}.100.off"]),
    ("A4 threads of 7 ms, % off", 0, ["lives.thread.7.{}.100.off"]),
    ("A4 processes of 2 ms, % off", 0, ["lives.process.2.{}.100.off"]),
    ("A7 slope", 3, ["causality.{}.1000.slope", "causality.{}.100.slope"]),
    ("A8 runs of 30 wrong", 0, ["stability.{}.1000.wrong", "stability.{}.100.wrong"]),
    ("A9 one thread, % off", 2, ["accounts.1-thread.{}.1000.off",
                                 "accounts.1-thread.{}.100.off"]),
    ("A10 EINTR", 0, ["unchanged.eintr.{}.1000", "unchanged.eintr.{}.100"]),
    ("A10 short", 0, ["unchanged.short.{}.1000", "unchanged.short.{}.100"]),
    ("A12 getpid, points off", 1, ["bias.getpid.{}.1000.off", "bias.getpid.{}.100.off"]),
    ("A13 programs changed", 0, ["unchanged.output.{}.1000", "unchanged.output.{}.100"]),
    ("real programs, below perf", 1, ["programs.all.{}.{hz}.below_perf"]),
)  # fmt: skip


def _number(value):
    return f"{value:.4g}"


def verdicts_table(verdicts):
    table = tables.Table(
        "Bars",
        ["", "figure", "range", "bar", "", "what is asked"],
        notes=["~: the range of the figure has the bar in it."],
        text_columns=(0, 5),
    )
    for verdict in verdicts:
        figure = verdict.figure
        table.add(
            verdict.name,
            _number(figure.value) if figure else None,
            f"{_number(figure.low)} .. {_number(figure.high)}" if figure else None,
            f"{verdict.bar.relation} {_number(verdict.bar.limit)}",
            ("~" if verdict.is_close else "") + verdict.word,
            verdict.bar.meaning,
        )
    return table


def _cell(measured, patterns, key, digits, hz):
    for pattern in patterns:
        figure = measured.get(pattern.format(key, hz=hz))
        if figure:
            return f"{figure[0]:.{digits}f}"
    return None


def text(results):
    """One table of all results, with the machine and the day."""
    if not results:
        return "no results: run make bench"
    machine = results[0]["machine"]
    days = sorted({result["date"] for result in results})
    measured = {k: v for result in results for k, v in result["figures"].items()}
    hz = machine["kernel's tick"].split()[0]
    table = tables.Table(
        f"{' to '.join(dict.fromkeys((days[0], days[-1])))}",
        ["", *(name for name, _ in _TOOLS)],
        notes=[f"{key}: {value}" for key, value in machine.items()],
    )
    for title, digits, patterns in _ROWS:
        table.add(
            title, *(_cell(measured, patterns, key, digits, hz) for _, key in _TOOLS)
        )
    return table.text()
