"""Profiles as the tools leave them, read to one form: ticks by function."""

import bisect
import glob
import os
import re
import struct
import subprocess
from dataclasses import dataclass

from . import elf

KERNEL = "[kernel]"


@dataclass(frozen=True)
class Profile:
    ticks: dict  # by function; what is in the kernel begins with KERNEL
    looks: int  # how often the program was looked at: ticks less late ones
    late: int = 0
    lost: int = 0
    cpu_s: float = 0  # of the program, as the summary has it: without stops
    stops_s: float = 0  # that those have taken, if it is 1 % or more
    times: tuple = ()  # of the looks, where they were asked for: see moments

    @property
    def n(self):
        return sum(self.ticks.values())

    def shares(self):
        n = self.n
        return {name: 100 * ticks / n for name, ticks in self.ticks.items()} if n else {}

    def kernel_ticks(self):
        return sum(
            ticks for name, ticks in self.ticks.items() if name.startswith(KERNEL)
        )


class Unreadable(Exception):
    """A profile that is not there, or not what it should be."""


def add(ticks, name, n):
    ticks[name] = ticks.get(name, 0) + n


# --- gmon.out and gmon.syms, as gmon.out(5) and gmon.syms(5) tell them.

_GMON_HEADER = struct.Struct("<4sI12x")
_GMON_HIST = struct.Struct("<QQII15sc")


def gmon_bins(data):
    """Yields (address, ticks) of each counter of a gmon.out that is not 0."""
    magic, version = _GMON_HEADER.unpack_from(data)
    if magic != b"gmon" or version != 1:
        raise Unreadable("not a gmon.out")
    at = _GMON_HEADER.size
    while at < len(data):
        if data[at] != 0:
            raise Unreadable(f"gmon.out: a record of kind {data[at]}")
        low, high, n, _, _, _ = _GMON_HIST.unpack_from(data, at + 1)
        at += 1 + _GMON_HIST.size
        width = (high - low) / n
        for i, (ticks,) in enumerate(struct.iter_unpack("<H", data[at : at + 2 * n])):
            if ticks:
                yield int(low + i * width), ticks
        at += 2 * n


@dataclass(frozen=True)
class Symbols:
    """Of gmon.syms: names by address, and the objects they belong to."""

    starts: list
    names: list
    objects: list  # (low, high, shift, path)

    def name_at(self, address):
        i = bisect.bisect_right(self.starts, address) - 1
        return self.names[i] if i >= 0 else "?"

    def place_of(self, path, vaddr):
        """Where gmon.out has an address of a file; None if the object is not
        in it."""
        for low, high, shift, name in self.objects:
            if name == path and low <= vaddr + shift < high:
                return vaddr + shift
        return None


def gmon_symbols(text):
    starts, names, objects = [], [], []
    for line in text.splitlines():
        if line.startswith("# object "):
            low, high, shift, _, path = line.split(" ")[2:7]
            objects.append((int(low, 16), int(high, 16), int(shift, 16), path))
        elif line and line[0] != "#":
            address, _, name = line.split(" ", 2)
            starts.append(int(address, 16))
            names.append(name)
    return Symbols(starts, names, objects)


def gmon_pairs(folder):
    """The gmon.out files in a folder, each with its symbols: gmon.syms is that of
    gmon.out, gmon.out.PID.syms that of gmon.out.PID."""
    for syms in sorted(glob.glob(os.path.join(glob.escape(folder), "*.syms"))):
        name = syms[: -len(".syms")]
        gmon = name if os.path.exists(name) else name + ".out"
        if os.path.exists(gmon):
            with open(gmon, "rb") as file:
                data = file.read()
            with open(syms, encoding="utf-8", errors="replace") as file:
                yield data, gmon_symbols(file.read())


_COUNTER = re.compile(r"^ +(\d+)  (\S.*)$", re.MULTILINE)


def profrun_counters(summary):
    """What -v has accounted for, of all the processes in the summary."""
    counters = {}
    for value, name in _COUNTER.findall(summary):
        add(counters, name, int(value))
    return counters


_CPU = re.compile(r"^  time .* CPU (\d+\.\d+) s ", re.MULTILINE)
_STOPS = re.compile(r"^  stops +took (\d+\.\d+) s ", re.MULTILINE)


def seconds_in(summary, pattern):
    """Of all the lines that match."""
    return sum(map(float, pattern.findall(summary)))


_LOST = (
    "ticks of threads that were gone",
    "ticks at the ends of threads",
    "ticks refused",
    "ticks in full counters",
)


def read_profrun(folder, outcome, _argv):
    ticks, n_files = {}, 0
    for data, symbols in gmon_pairs(folder):
        n_files += 1
        for address, n in gmon_bins(data):
            add(ticks, symbols.name_at(address), n)
    if not n_files:
        raise Unreadable("profrun has left no gmon.out: " + outcome.err[-300:])
    counters = profrun_counters(outcome.err)
    return Profile(
        ticks,
        looks=counters.get("samples they came with", sum(ticks.values())),
        late=counters.get("ticks that came late", 0),
        lost=sum(counters.get(name, 0) for name in _LOST),
        cpu_s=seconds_in(outcome.err, _CPU),
        stops_s=seconds_in(outcome.err, _STOPS),
    )


# --- Others.


def output_of(argv):
    """What a tool says that reads a profile."""
    done = subprocess.run(
        argv,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        env=dict(os.environ, LC_ALL="C"),
        check=False,
    )
    if done.returncode:
        raise Unreadable(f"{argv[0]}: {done.stderr.decode(errors='replace')[-300:]}")
    return done.stdout.decode(errors="replace")


def read_perf(folder, _outcome, _argv):
    text = output_of(
        ["perf", "report", "-i", os.path.join(folder, "perf.data"), "--stdio", "-q"]
        + ["-F", "sample,dso,sym", "-t", ";"]
    )
    ticks = {}
    for line in text.splitlines():
        parts = [part.strip() for part in line.split(";")]
        if len(parts) != 3 or not parts[0].isdigit():
            continue
        kind, _, name = parts[2].partition(" ")
        add(ticks, f"{KERNEL}:{name}" if kind == "[k]" else name, int(parts[0]))
    return Profile(ticks, looks=sum(ticks.values()))


def _in_which_map(maps, address):
    """(path, offset) of a line of /proc/PID/maps, or None."""
    for line in maps.splitlines():
        words = line.split(None, 5)
        if len(words) < 6 or "x" not in words[1]:
            continue
        low, high = (int(word, 16) for word in words[0].split("-"))
        if low <= address < high:
            return words[5], address - low + int(words[2], 16)
    return None


def gperftools_ticks(data):
    """Ticks by function of a profile of gperftools: words of the machine, a
    header of five, then records of ticks, depth and that many addresses, the
    innermost first; a record for address 0 is the last, and the mappings
    follow."""
    words = memoryview(data[: len(data) // 8 * 8]).cast("Q")
    at, samples = 2 + words[1], []
    while at + 2 < len(words) and not (words[at + 1] == 1 and words[at + 2] == 0):
        samples.append((words[at + 2], words[at]))
        at += 2 + words[at + 1]
    maps = data[(at + 3) * 8 :].decode(errors="replace")
    ticks = {}
    for address, n in samples:
        path, offset = _in_which_map(maps, address) or ("?", 0)
        vaddr = elf.vaddr_of(path, offset)
        add(ticks, path if vaddr is None else elf.function_at(path, vaddr), n)
    return ticks


def read_gperftools(folder, _outcome, _argv):
    path = os.path.join(folder, "cpu.prof")
    if not os.path.exists(path) or not os.path.getsize(path):
        raise Unreadable("gperftools has left no profile")
    with open(path, "rb") as file:
        ticks = gperftools_ticks(file.read())
    return Profile(ticks, looks=sum(ticks.values()))


_GPROF = re.compile(r"^ *[\d.]+ +[\d.]+ +([\d.]+) .*?(\S+)$", re.MULTILINE)


def read_gprof(folder, _outcome, argv, rate_hz=100):
    text = output_of(
        ["gprof", "-b", "-p", argv[0], os.path.join(folder, "gmon.out")]
    )
    ticks = {}
    for seconds, name in _GPROF.findall(text):
        add(ticks, name, round(float(seconds) * rate_hz))
    return Profile(ticks, looks=sum(ticks.values()))
