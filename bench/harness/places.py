"""Where things are: the sources, the build, what was built, work to throw away."""

import os
import shutil
import tempfile
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Places:
    source: Path
    build: Path
    compiler: str  # with its arguments, as make has it

    @property
    def profrun(self):
        return str(self.build / "src" / "profrun")

    @property
    def results(self):
        return self.build / "bench" / "results"

    def program(self, name):
        """One of bench/programs, or of tests/workloads."""
        for folder in ("bench/programs", "tests/workloads"):
            path = self.build / folder / name
            if path.is_file():
                return str(path)
        raise FileNotFoundError(f"{name} is not built: run make bench")

    def source_of(self, name):
        for folder in ("bench/programs", "tests/workloads"):
            path = self.source / folder / f"{name}.c"
            if path.is_file():
                return str(path)
        raise FileNotFoundError(name)

    def module(self, name):
        """A shared library for the workload dlopened."""
        return str(self.build / "tests" / "workloads" / ".libs" / f"{name}.so")


@contextmanager
def work_directory():
    path = tempfile.mkdtemp(prefix="profrun-bench.")
    try:
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)


def bytes_below(path):
    """What all files in a directory take."""
    return sum(
        os.lstat(os.path.join(folder, name)).st_size
        for folder, _, names in os.walk(path)
        for name in names
    )
