"""Results, for people: the verdicts on the bars, and the table for README.md."""

from . import tables

# Columns of the digest, by the names that tools have in figures.
_TOOLS = (
    ("profrun timer", "profrun-timer"),
    ("profrun ring", "profrun-ring"),
    ("profrun interrupt", "profrun-interrupt"),
    ("perf record", "perf-record"),
    ("gperftools", "gperftools"),
    ("gcc -pg", "gcc--pg"),
)

# Rows: what it is, digits, what it is if there is nothing (or None), and its figures
# with {} for the tool: a tool without the first, at that rate, has the second.
_ROWS = (
    ("start and end, wall ms", 1, 0,
     "cost.start.{}.100.wall_ms", "cost.start.{}.1000.wall_ms"),
    ("CPU ratio, 100 Hz", 4, 1, "overhead.parts.{}.100.cpu"),
    ("of a bare stop, 100 Hz", 4, 1, "overhead.least.{}.100.cpu"),
    ("CPU ratio, 1000 Hz", 4, 1, "overhead.parts.{}.1000.cpu"),
    ("us lost for a look, 1000 Hz", 1, 0, "overhead.lost.same.{}.1000.us"),
    ("of these a bare stop", 1, None, "overhead.least.{}.1000.us"),
    ("CPU of a thread beside 1000", 3, 1, "threads.idle.1000.{}.100.work"),
    ("us for making a thread", 0, 0, "threads.spawn.thread.{}.1000.us"),
    ("peak MiB", 1, None, "cost.peak.{}.100.mib", "cost.peak.{}.1000.mib"),
    ("A1 serial, max error, points", 2, None,
     "shares.serial.{}.1000.max_error", "shares.serial.{}.100.max_error"),
    ("A1 in short turns", 2, None,
     "shares.mixed.{}.1000.max_error", "shares.mixed.{}.100.max_error"),
    ("A2 ten threads", 2, None,
     "shares.equal.{}.1000.max_error", "shares.equal.{}.100.max_error"),
    ("A2 a hundred, asleep", 2, None,
     "shares.idle.{}.1000.max_error", "shares.idle.{}.100.max_error"),
    ("A5 libraries", 2, None,
     "shares.libraries.{}.1000.max_error", "shares.libraries.{}.100.max_error"),
    ("A3 steady beat, sigmas", 1, None, "aliasing.{}.100.sigmas"),
    ("A4 0.5 ms, 100 Hz, % off", 0, None, "lives.thread.0.5.{}.100.off"),
    ("A4 0.5 ms, 1000 Hz, % off", 0, None, "lives.thread.0.5.{}.1000.off"),
    ("A4 7 ms, 100 Hz, % off", 0, None, "lives.thread.7.{}.100.off"),
    ("A4 processes of 2 ms, % off", 0, None, "lives.process.2.{}.100.off"),
    ("A7 slope", 3, None, "causality.{}.1000.slope", "causality.{}.100.slope"),
    ("A8 runs wrong", 0, None, "stability.{}.1000.wrong", "stability.{}.100.wrong"),
    ("A9 one thread, % off", 2, None,
     "accounts.1-thread.{}.1000.off", "accounts.1-thread.{}.100.off"),
    ("A10 EINTR", 0, None, "unchanged.eintr.{}.1000", "unchanged.eintr.{}.100"),
    ("A10 short", 0, None, "unchanged.short.{}.1000", "unchanged.short.{}.100"),
    ("A12 getpid, points off", 1, None, "bias.getpid.{}.1000.off", "bias.getpid.{}.100.off"),
    ("A13 programs changed", 0, None,
     "unchanged.output.{}.1000", "unchanged.output.{}.100"),
    ("real programs, below perf", 1, None, "programs.all.{}.{hz}.below_perf"),
)  # fmt: skip


def _number(value):
    return f"{value:.4g}"


def verdicts_table(verdicts):
    table = tables.Table(
        "Bars",
        ["", "figure", "range", "bar", "", "what is asked"],
        notes=[
            "~: the range of the figure has the bar in it.  no figure: not measured here,",
            "or hidden by the noise.",
        ],
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


def _cell(measured, patterns, key, digits, neutral, hz):
    for pattern in patterns:
        if pattern.format(key, hz=hz) not in measured:
            continue
        value, low, high = measured[pattern.format(key, hz=hz)]
        if neutral is not None and low <= neutral:
            return f"< {high:.{digits}f}" if high > neutral else "hidden"
        return f"{value:.{digits}f}"
    return None


def text(results):
    """One table of all results, with the machine and the day."""
    if not results:
        return "no results: run make bench"
    machine = results[0]["machine"]
    facts = list(machine.items())
    days = sorted({result["date"] for result in results})
    measured = {k: v for result in results for k, v in result["figures"].items()}
    hz = machine["kernel's tick"].split()[0]
    table = tables.Table(
        f"{' to '.join(dict.fromkeys((days[0], days[-1])))}",
        ["", *(name for name, _ in _TOOLS)],
        notes=[
            "At 1000 Hz, but for A3, processes, and where it says so; gperftools, gcc -pg: 100 Hz.",
            *(
                "; ".join(f"{key}: {value}" for key, value in facts[i : i + 4])
                for i in range(0, len(facts), 4)
            ),
        ],
    )
    for title, digits, neutral, *patterns in _ROWS:
        table.add(
            title,
            *(
                _cell(measured, patterns, key, digits, neutral, hz)
                for _, key in _TOOLS
            ),
        )
    return table.text()
