"""perf's samples by the names that profrun gives: of two profilers that name a
stripped function differently, one must do the naming.

perf tells where the processor was; profrun, where the program was.  They differ
for what the kernel does for the program.  So perf is asked for the user's program
counter, too: a sample in the kernel is a system call's if that stands behind a
syscall instruction, and else a page fault's or an interrupt's, at that place.
"""

import os
import re
import subprocess

from . import elf, profiles
from .profiles import KERNEL, Unreadable

OPTIONS = ("--user-regs=ip",)

_MAP = re.compile(
    r"PERF_RECORD_MMAP2? .*: \[(0x[0-9a-f]+)\((0x[0-9a-f]+)\) @ (0x[0-9a-f]+|0)[^]]*\]: "
    r"\S+ (.*)$"
)
_SAMPLE = re.compile(r"^ *([0-9a-f]+) +ABI:\d +IP:(0x[0-9a-f]+)")
_LOWEST_KERNEL_ADDRESS = 1 << 63


class Maps:
    """What is mapped where, the newest first."""

    def __init__(self):
        self._maps = []

    def add(self, low, size, offset, path):
        self._maps.insert(0, (low, low + size, offset, path))

    def find(self, address):
        """(path, offset), or None"""
        for low, high, offset, path in self._maps:
            if low <= address < high:
                return path, address - low + offset
        return None


class Names:
    """profrun's names for places in files."""

    def __init__(self, folder):
        self._symbols = [symbols for _, symbols in profiles.gmon_pairs(folder)]

    def of(self, path, offset):
        vaddr = elf.vaddr_of(path, offset)
        if vaddr is None:
            return path
        for symbols in self._symbols:
            place = symbols.place_of(path, vaddr)
            if place is not None:
                return symbols.name_at(place)
        return path


def collapse(ticks):
    """profrun's ticks with the kernel as one, and objects without a file, too."""
    one = {}
    for name, n in ticks.items():
        profiles.add(one, KERNEL if name.startswith(KERNEL) else name, n)
    return one


def _name_of_sample(maps, names, address, user_address):
    in_kernel = address >= _LOWEST_KERNEL_ADDRESS
    place = maps.find(user_address if in_kernel else address)
    if not place:
        return KERNEL if in_kernel else "?"
    if in_kernel and elf.is_behind_syscall(*place):
        return KERNEL
    return names.of(*place)


def script_of(folder):
    """perf's own account of a perf.data, as text."""
    done = subprocess.run(
        ["perf", "script", "-i", os.path.join(folder, "perf.data")]
        + ["-F", "ip,uregs", "--show-mmap-events"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        env=dict(os.environ, LC_ALL="C"),
        check=False,
    )
    if done.returncode:
        raise Unreadable(done.stderr.decode(errors="replace")[-300:])
    return done.stdout.decode(errors="replace")


def ticks_of(script, names):
    maps, ticks = Maps(), {}
    for line in script.splitlines():
        sample = _SAMPLE.match(line)
        if sample:
            address, user_address = (int(text, 16) for text in sample.groups())
            name = _name_of_sample(maps, names, address, user_address)
            profiles.add(ticks, name, 1)
            continue
        mapped = _MAP.search(line)
        if mapped:
            *numbers, path = mapped.groups()
            maps.add(*(int(text, 16) for text in numbers), path)
    return ticks
