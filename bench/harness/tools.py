"""profrun and its peers: how each is run, and how its profile is read.

A tool that is not installed, or that this machine refuses, is left out, and the
reason said.
"""

import ctypes.util
import shutil
import subprocess
from dataclasses import dataclass, replace
from functools import partial
from typing import Callable, Optional

from . import moments, profiles


@dataclass(frozen=True)
class Tool:
    name: str
    rate_hz: Optional[int] = None
    wrap: Callable = lambda argv: argv  # the program's command to the tool's
    why_not: Callable = lambda bench: None  # a reason, or None
    read: Optional[Callable] = None  # (folder, outcome, argv) -> Profile
    is_compiled_in: bool = False  # wants a program built with -pg
    slowness: int = 1  # how much less work it is given, so that it ends

    @property
    def label(self):
        return f"{self.name} {self.rate_hz}" if self.rate_hz else self.name

    @property
    def key(self):
        """Its name in figures."""
        name = self.name.replace(" ", "-")
        return f"{name}.{self.rate_hz}" if self.rate_hz else name


BARE = Tool("bare")
BARE_AGAIN = Tool("bare again")


def _not_installed(command, _bench):
    return None if shutil.which(command) else "not installed"


def _fails(argv):
    """A reason if a command that should work does not."""
    done = subprocess.run(
        argv,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        cwd="/",
        check=False,
    )
    if not done.returncode:
        return None
    lines = done.stderr.decode(errors="replace").strip().splitlines()
    return lines[0].strip() if lines else f"exit status {done.returncode}"


# --- profrun, by trigger.


def _refused_trigger(trigger, bench):
    return _fails(
        [bench.places.profrun, "-o", "/dev/null", f"--trigger={trigger}", "true"]
    )


def profrun(places, trigger, rate_hz, *options):
    return Tool(
        f"profrun {trigger}",
        rate_hz,
        lambda argv: [places.profrun, "-v", f"--trigger={trigger}"]
        + ["-F", str(rate_hz), *options, "--", *argv],
        why_not=partial(_refused_trigger, trigger),
        read=profiles.read_profrun,
    )


TRIGGERS = ("timer", "ring", "interrupt")
# Those that stop threads.
STOPPING = ("timer", "interrupt")


def timed_profrun(places, trigger, rate_hz):
    """It writes down when it looks."""
    return replace(
        profrun(places, trigger, rate_hz, *moments.PROFRUN_OPTIONS),
        read=partial(moments.read_profrun, places.profrun),
    )


BARE_STOP = "bare stop"


def bare_stop(places, source, rate_hz):
    """The least that a look by profrun can be: a tracer that does nothing.  The
    program is its own, and is gaps; of the command it takes what that is told."""
    stops = [places.program("stops"), source, str(rate_hz)]
    return Tool(
        f"{BARE_STOP} {source}",
        rate_hz,
        lambda argv: [*stops, *argv[1:]],
        why_not=lambda bench: _fails([*stops, "0"]),
        read=moments.read_stops,
    )


def bare_births(places, calls):
    """The least that making a thread can take beside a tracer: it has each begin
    with so many system calls, and does nothing else."""
    newborns = [places.program("newborns"), str(calls)]
    return Tool(
        f"bare births with {calls} calls",
        wrap=lambda argv: [*newborns, *argv],
        why_not=lambda bench: _fails([*newborns, "true"]),
    )


# --- The others.


def _perf_refused(_bench):
    if not shutil.which("perf"):
        return "not installed"
    return _fails(["perf", "record", "-q", "-o", "/dev/null", "true"])


# Without it perf waits a second at its start, for programs of BPF to be listed.
QUICK_PERF = "--no-bpf-event"


def perf_record(rate_hz, *options):
    return Tool(
        "perf record",
        rate_hz,
        lambda argv: ["perf", "record", "-q", "-o", "perf.data", "-F", str(rate_hz)]
        + [*options, "--", *argv],
        why_not=_perf_refused,
        read=profiles.read_perf,
    )


def timed_perf_record(rate_hz, *options):
    """It writes down when it looks, by a clock that others have, too."""
    return replace(
        perf_record(rate_hz, *moments.PERF_OPTIONS, *options), read=moments.read_perf
    )


def _no_gperftools(_bench):
    return None if ctypes.util.find_library("profiler") else "not installed"


def gperftools(rate_hz):
    return Tool(
        "gperftools",
        rate_hz,
        lambda argv: [
            "env",
            f"LD_PRELOAD={ctypes.util.find_library('profiler')}",
            "CPUPROFILE=cpu.prof",
            f"CPUPROFILE_FREQUENCY={rate_hz}",
            *argv,
        ],
        why_not=_no_gperftools,
        read=profiles.read_gperftools,
    )


def _cannot_compile_in(bench):
    if not shutil.which("gprof"):
        return "gprof is not installed"
    return bench.why_no_pg()


def gcc_pg():
    return Tool(
        "gcc -pg",
        100,
        why_not=_cannot_compile_in,
        read=profiles.read_gprof,
        is_compiled_in=True,
    )


def callgrind():
    return Tool(
        "callgrind",
        wrap=lambda argv: ["valgrind", "-q", "--tool=callgrind"]
        + ["--callgrind-out-file=callgrind.out", *argv],
        why_not=partial(_not_installed, "valgrind"),
        slowness=30,
    )


def strace_count():
    return Tool(
        "strace -c",
        wrap=lambda argv: ["strace", "-c", "-f", "-o", "strace.out", *argv],
        why_not=partial(_not_installed, "strace"),
        slowness=20,
    )


def _no_uftrace(bench):
    return _not_installed("uftrace", bench) or bench.why_no_pg()


def uftrace():
    return Tool(
        "uftrace",
        wrap=lambda argv: ["uftrace", "record", "-d", "uftrace.data", *argv],
        why_not=_no_uftrace,
        is_compiled_in=True,
        slowness=100,
    )
