"""When a profiler looked at its program: what it has written of that itself, as
times in ns of CLOCK_MONOTONIC."""

import json
import os
import re

from .profiles import Profile, Unreadable, output_of

PROFRUN_OPTIONS = ("-f", "pcsample", "-o", "profrun.trace")
PERF_OPTIONS = ("-k", "CLOCK_MONOTONIC")


def of_samples(text):
    """Of what profrun export has written as JSON: a sample is made as the program
    stands still."""
    try:
        return [sample["time_ns"] for sample in json.loads(text)["samples"]]
    except (ValueError, KeyError, TypeError) as error:
        raise Unreadable(f"profrun export: {error!r}") from error


_SECONDS = re.compile(r"^ *(\d+)\.(\d{9}): *$", re.MULTILINE)


def of_script(text):
    """Of what perf script -F time --ns has written: "1234.567890123:"."""
    return [int(seconds + ns) for seconds, ns in _SECONDS.findall(text)]


_LOOK = re.compile(r"^look (\d+)$", re.MULTILINE)


def of_stops(text):
    """Of what bench/programs/stops has written."""
    return [int(ns) for ns in _LOOK.findall(text)]


# --- Of a run, as its profile (see tools.Tool.read).


def _profile(times):
    return Profile({}, looks=len(times), times=times)


def read_profrun(profrun, folder, _outcome, _argv):
    trace = os.path.join(folder, "profrun.trace")
    return _profile(
        of_samples(output_of([profrun, "export", "-q", "-f", "samples", "-o", "-", trace]))
    )


def read_perf(folder, _outcome, _argv):
    data = os.path.join(folder, "perf.data")
    return _profile(
        of_script(output_of(["perf", "script", "-i", data, "-F", "time", "--ns"]))
    )


def read_stops(_folder, outcome, _argv):
    return _profile(of_stops(outcome.out))
