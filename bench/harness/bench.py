"""What a study works with: programs and tools, and runs of one under the other."""

import os
import shlex
import shutil
import subprocess
from dataclasses import dataclass, field
from typing import Optional

from . import places as _places
from . import process, profiles


@dataclass(frozen=True)
class Run:
    outcome: process.Outcome
    values: dict  # what the program says of itself
    profile: Optional[profiles.Profile]
    bytes: int  # of the files it left


@dataclass
class Report:
    """What a study has found."""

    tables: list = field(default_factory=list)
    figures: dict = field(default_factory=dict)  # name: figures.Figure
    left_out: dict = field(default_factory=dict)  # what: why
    raw: dict = field(default_factory=dict)  # what was measured, for later


class Bench:
    def __init__(self, places, work):
        self.places = places
        self.work = work  # a directory for as long as this lives
        self.folder = os.path.join(work, "run")  # where the last run was
        self.cpus = os.sched_getaffinity(0)
        self._why_not = {}
        self._pg = {}

    def present(self, tools, report):
        """Those of tools that can be used here; the report names the others."""
        found = []
        for tool in tools:
            if tool.name not in self._why_not:
                self._why_not[tool.name] = tool.why_not(self)
            reason = self._why_not[tool.name]
            if reason is None:
                found.append(tool)
            else:
                report.left_out[tool.name] = reason
        return found

    def _compile_pg(self, name):
        """Path and None, or None and a reason."""
        if name not in self._pg:
            path = os.path.join(self.work, f"{name}_pg")
            done = subprocess.run(
                [*shlex.split(self.places.compiler), "-std=gnu11", "-O2", "-g", "-pg"]
                + ["-I", str(self.places.source / "tests" / "workloads")]
                + ["-o", path, self.places.source_of(name), "-pthread"],
                capture_output=True,
                check=False,
            )
            ok = done.returncode == 0
            self._pg[name] = (path, None) if ok else (None, "-pg does not compile")
        return self._pg[name]

    def why_no_pg(self):
        return self._compile_pg("gaps")[1]

    def command(self, tool, program, arguments):
        """The program's own command, built as the tool wants it.  PROGRAM is one
        of ours if it has no slash."""
        path = program
        if "/" not in program:
            path = (
                self._compile_pg(program)[0]
                if tool.is_compiled_in
                else self.places.program(program)
            )
        return [path, *map(str, arguments)]

    def run(self, tool, program, *arguments, cpus=None, wants_profile=True, status=0):
        """One run in an empty directory.  Raises process.Failed if it does not
        end with STATUS; None is any."""
        argv = self.command(tool, program, arguments)
        folder = self.folder
        shutil.rmtree(folder, ignore_errors=True)
        os.mkdir(folder)
        outcome = process.run(
            self.places.program("measure"), tool.wrap(argv), folder, cpus
        )
        if status is not None and outcome.status != status:
            raise process.Failed(
                f"{tool.label} {' '.join(argv)}: status {outcome.status}: "
                f"{outcome.err[-500:]}"
            )
        size = _places.bytes_below(folder)
        profile = None
        if wants_profile and tool.read:
            profile = tool.read(folder, outcome, argv)
        return Run(outcome, outcome.values(), profile, size)
