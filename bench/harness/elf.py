"""As much of ELF files as names for addresses take.  64-bit, little-endian: what
profrun itself runs on."""

import bisect
import functools
import os
import struct
import subprocess

_HEADER = struct.Struct("<16sHHIQQQIHHHHHH")
_SEGMENT = struct.Struct("<IIQQQQQQ")
_PT_LOAD, _PF_X = 1, 1


@functools.lru_cache(maxsize=None)
def _text_segments(path):
    """(offset, vaddr, size) of the executable segments of a file."""
    found = []
    try:
        with open(path, "rb") as file:
            header = _HEADER.unpack(file.read(_HEADER.size))
            if header[0][:6] != b"\x7fELF\x02\x01":
                return ()
            file.seek(header[5])
            for _ in range(header[10]):
                kind, flags, off, vaddr, _, size, _, _ = _SEGMENT.unpack(
                    file.read(_SEGMENT.size)
                )
                if kind == _PT_LOAD and flags & _PF_X:
                    found.append((off, vaddr, size))
    except (OSError, struct.error):
        return ()
    return tuple(found)


def vaddr_of(path, offset):
    """The address that a place in a file was linked for, or None."""
    for off, vaddr, size in _text_segments(path):
        if off <= offset < off + size:
            return vaddr + offset - off
    return None


@functools.lru_cache(maxsize=None)
def _functions(path):
    done = subprocess.run(
        ["nm", "-n", "--defined-only", path], capture_output=True, check=False
    )
    found = []
    for line in done.stdout.decode(errors="replace").splitlines():
        address, kind, name = line.split(" ", 2)
        if kind in "tTwW":
            found.append((int(address, 16), name))
    return tuple(found)


def function_at(path, vaddr):
    """The name of the function that begins last before VADDR; the file's own
    where there is none."""
    functions = _functions(path)
    i = bisect.bisect_right(functions, (vaddr, "\x7f")) - 1
    return functions[i][1] if i >= 0 else os.path.basename(path)


@functools.lru_cache(maxsize=64)
def _bytes_of(path):
    with open(path, "rb") as file:
        return file.read()


def is_behind_syscall(path, offset):
    """Whether the instruction before this place of a file is x86-64's syscall."""
    try:
        return _bytes_of(path)[offset - 2 : offset] == b"\x0f\x05"
    except OSError:
        return False
