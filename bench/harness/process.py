"""One run of one command: what it took, what it printed, how it ended."""

import os
import signal
import subprocess
from dataclasses import dataclass

LIMIT_S = 300


@dataclass(frozen=True)
class Outcome:
    status: int  # as a shell counts: 128 + the signal
    wall_s: float
    cpu_s: float  # with all descendants that were waited for
    peak_kib: int  # of the largest process among them
    out: str
    err: str

    def values(self):
        """Of a workload's lines "name value" and "what name value"."""
        found = {}
        for line in self.out.splitlines():
            *name, value = line.split() or [""]
            try:
                found[" ".join(name)] = float(value)
            except ValueError:
                continue
        return found


class Failed(Exception):
    """A run that says nothing: it did not end as it should."""


def run(measure, argv, cwd, cpus=None):
    """Runs argv by way of bench/programs/measure, in the directory cwd, without
    input; cpus, a set, is what it may run on."""
    paths = [os.path.join(cwd, name) for name in (".used", ".out", ".err")]
    bind = (lambda: os.sched_setaffinity(0, cpus)) if cpus else None
    with open(paths[1], "wb") as out, open(paths[2], "wb") as err:
        child = subprocess.Popen(
            [measure, paths[0], *argv],
            cwd=cwd,
            env=dict(os.environ, LC_ALL="C"),
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=err,
            start_new_session=True,
            preexec_fn=bind,
        )
        try:
            child.wait(LIMIT_S)
        except BaseException:
            os.killpg(child.pid, signal.SIGKILL)
            child.wait()
            raise
    used, out, err = map(_take, paths)
    if child.returncode or not used:
        raise Failed(f"{' '.join(argv)}: not measured: {err[-500:]}")
    wall_ns, cpu_us, peak_kib, status = map(int, used.split())
    return Outcome(status, wall_ns / 1e9, cpu_us / 1e6, peak_kib, out, err)


def _take(path):
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            text = file.read()
    except FileNotFoundError:
        return ""
    os.unlink(path)
    return text
