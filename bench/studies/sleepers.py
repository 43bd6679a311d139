"""Stacks of many threads: of 200 that wait, by the wall clock, and of 8 that work;
what profrun takes of a processor for them, beside the same without stacks."""

import os
import re
import subprocess
import time

from harness import figures
from harness.bench import Report
from harness.tables import Table

TITLE = "stacks of many threads (-g), profrun attached"
BUDGET_S = 120

RATE_HZ = 100
START_S = 1.0  # more than the program's threads need to begin, and profrun its end
ATTACH_S = 2.0  # profrun is attached to all threads, and has read the files

# What is run, the options of profrun, and what it is called in figures.
CASES = (
    ("200 waiting", (200, 0), ("-w",), "waiting.flat"),
    ("200 waiting", (200, 0), ("-w", "-g"), "waiting.stacks"),
    ("8 working", (1, 8), (), "working.flat"),
    ("8 working", (1, 8), ("-g",), "working.stacks"),
)


def thread_times(pid):
    """The CPU time in s of each thread of a process; 0 of those that are gone."""
    found = {}
    for tid in os.listdir(f"/proc/{pid}/task"):
        try:
            with open(f"/proc/{pid}/task/{tid}/schedstat", encoding="ascii") as file:
                found[int(tid)] = int(file.read().split()[0]) / 1e9
        except (OSError, ValueError, IndexError):
            continue
    return found


def wait_for_threads(pid, n):
    """Until the program has so many, or ten seconds have gone."""
    until = time.monotonic() + 10
    while time.monotonic() < until:
        if len(os.listdir(f"/proc/{pid}/task")) >= n:
            return
        time.sleep(0.02)


class Watched:
    """profrun beside a program for so long: the part of a processor that it takes while
    it watches, and the CPU time in which it begins and ends, both by the kernel's
    count, and what it says of stacks."""

    def __init__(self, bench, program_pid, options, seconds):
        trace = os.path.join(bench.work, "sleepers.trace")
        argv = [
            bench.places.profrun, *options, "-F", str(RATE_HZ), "-f", "pcsample", "-o", trace,
            "-d", str(seconds), "-p", str(program_pid),
        ]  # fmt: skip
        begin = time.monotonic()
        with subprocess.Popen(argv, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as tool:
            first, times = {}, {}
            while (now := time.monotonic()) - begin < seconds:
                time.sleep(0.1)
                times.update(thread_times(tool.pid))
                if not first and now - begin >= ATTACH_S:
                    first, since = dict(times), now
            until = now
            said = tool.stderr.read().decode(errors="replace")
            _, _, used = os.wait4(tool.pid, 0)
            tool.returncode = 0
        grown = {tid: s - first.get(tid, 0) for tid, s in times.items()}
        self.cpu = sum(grown.values()) / (until - since)
        # The first thread takes samples; of the others the one that counts them,
        # and makes their stacks, has the most to do.
        self.counting = max((s for tid, s in grown.items() if tid != tool.pid), default=0)
        self.counting /= until - since
        self.rest_s = used.ru_utime + used.ru_stime - sum(grown.values())
        whole = re.search(r"^  stacks +([0-9.]+) % complete", said, re.M)
        self.complete = float(whole.group(1)) if whole else None


def watch(bench, counts, options, seconds):
    """A program with that many threads, and profrun beside it."""
    sleepers, burners = counts
    argv = [bench.places.program("waiters")]
    argv += map(str, (seconds + 2 * START_S, sleepers, burners))
    with subprocess.Popen(argv, stdout=subprocess.PIPE) as program:
        wait_for_threads(program.pid, 1 + sleepers + burners)
        watched = Watched(bench, program.pid, options, seconds)
        out, _ = program.communicate()
    values = dict(line.split() for line in out.decode().splitlines())
    return watched, sum(int(values[name]) for name in ("early", "eintr", "woken"))


def run(bench, deadline):
    report = Report()
    seconds = max(2 * ATTACH_S, min(20.0, deadline.left_s() / len(CASES) - 2 * START_S))
    table = Table(
        f"{RATE_HZ} Hz, {seconds:.0f} s each; percent of one processor",
        ["threads", "options", "profrun", "its counting thread", "begin and end, s",
         "whole stacks, %", "disturbed"],
        notes=[
            f"profrun, its counting thread: from {ATTACH_S:.0f} s after the begin on.",
            "begin and end: all other CPU time, of the first seconds and of what is written.",
            "disturbed: calls that ended early, with EINTR, or that had no end before.",
        ],
        text_columns=(0, 1),
    )
    for name, counts, options, key in CASES:
        watched, disturbed = watch(bench, counts, options, seconds)
        cpu, counting = 100 * watched.cpu, 100 * watched.counting
        table.add(
            name, " ".join(options), f"{cpu:.2f}", f"{counting:.2f}", f"{watched.rest_s:.2f}",
            None if watched.complete is None else f"{watched.complete:.1f}", disturbed,
        )  # fmt: skip
        for what, value in (
            ("cpu_percent", cpu),
            ("counting_percent", counting),
            ("begin_and_end_s", watched.rest_s),
            ("complete_percent", watched.complete),
            ("disturbed", disturbed),
        ):
            if value is not None:
                report.figures[f"sleepers.{key}.{what}"] = figures.Figure(value, value, value)
    report.tables.append(table)
    return report
