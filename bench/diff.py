#!/usr/bin/env python3
"""diff.py - how often profrun diff is wrong, with real runs.

    diff.py PROFRUN RATIOS [PAIRS]

Two figures: in how many of 100 comparisons of equal runs something seems to have
changed (none should in 95 of them), and in how many a function is found that takes
4 % of the whole run more, at some 5,000 samples a side (in 95 it should).  RATIOS is
bench/programs/ratios, whose functions have the shares that they are told; the other
programs are those of the machine.
"""

import csv
import itertools
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

SAMPLES = 5000
HZ = 5000
UNIT_US = "100"

# The shares of the old run, in percent; what is slower takes 4 more.
SHARES = [34, 24, 16, 10, 7, 4, 3, 2]
SLOWER = [7, 5, 4, 3]  # of them: with 2, 4, 7 and 10 %

PYTHON = """
import json, random, re
random.seed(1)
docs = [{"k%d" % i: [random.random() for _ in range(20)], "t": "w %d x" % i}
        for i in range(200)]
n = 0
for r in range(150):
    s = json.dumps(docs)
    docs = json.loads(s)
    n += len(re.findall(r"[0-9]+", s)) + len({w: 1 for w in s.split()})
"""

SQL = """
create table t(a, b);
with recursive c(x) as (select 1 union all select x + 1 from c where x < 600000)
insert into t select x * 7919 % 1000003, hex(x) from c;
create index i on t(a);
select count(*), sum(length(b)) from t where b like '%3A%';
"""


class Study:
    def __init__(self, profrun, folder):
        self.profrun = profrun
        self.folder = folder
        self.n = 0

    def record(self, *command):
        self.n += 1
        trace = self.folder / f"{self.n}.trace"
        subprocess.run(
            [self.profrun, "-q", "-F", str(HZ), "-f", "pcsample", "-o", trace, *command],
            check=True,
            stdout=subprocess.DEVNULL,
        )
        return trace

    def verdicts(self, old, new):
        text = subprocess.run(
            [self.profrun, "diff", "-q", "--csv", "--old", *old, "--new", *new],
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        return {
            row["function"]: row["verdict"]
            for row in csv.DictReader(text.splitlines())
            if row["verdict"] in ("slower", "faster")
        }


def ratios(program, more=None):
    """Its command: function number MORE takes 4 % of the run more."""
    weights = [w + (4 if i == more else 0) for i, w in enumerate(SHARES)]
    seconds = SAMPLES / HZ * sum(weights) / 100
    return [program, f"{seconds:.3f}", UNIT_US, *map(str, weights)]


def of_equal_runs(study, name, traces, n_runs, n_pairs):
    """Comparisons of N_RUNS on each side, among TRACES of the same command."""
    if n_runs == 1:
        pairs = [((a,), (b,)) for a, b in itertools.combinations(traces, 2)]
        random.shuffle(pairs)
        pairs = pairs[:n_pairs]
    else:
        pairs = []
        for _ in range(n_pairs):
            chosen = random.sample(traces, 2 * n_runs)
            pairs.append((chosen[:n_runs], chosen[n_runs:]))
    found = [study.verdicts(*pair) for pair in pairs]
    wrong = sum(bool(verdicts) for verdicts in found)
    names = Counter(name for verdicts in found for name in verdicts)
    most = "".join(f"  {name[:40]} in {n}" for name, n in names.most_common(1))
    print(f"  {name:10} {n_runs} : {n_runs}   {wrong:3} of {len(pairs)}{most}", flush=True)


def of_slower_runs(study, program, number, n_pairs):
    found = wrong = 0
    for _ in range(n_pairs):
        old = study.record(*ratios(program))
        new = study.record(*ratios(program, number))
        verdicts = study.verdicts([old], [new])
        found += verdicts.pop(f"part_{number + 1}", "") == "slower"
        wrong += bool(verdicts)
        os.unlink(old)
        os.unlink(new)
    print(
        f"  {SHARES[number]:3} %   found in {found:3} of {n_pairs}, "
        f"another than it in {wrong}",
        flush=True,
    )


def main():
    profrun, program = (Path(path).resolve() for path in sys.argv[1:3])
    n_pairs = int(sys.argv[3]) if len(sys.argv) > 3 else 100
    # Their pairs share runs, so that there need not be twice as many.
    n_runs = max(8, n_pairs // 5)
    random.seed(1)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        study = Study(profrun, folder)
        script = folder / "work.py"
        script.write_text(PYTHON)
        commands = {
            "ratios": ratios(program),
            "python3": [sys.executable, script],
            "sqlite3": ["sqlite3", ":memory:", SQL],
            "xz": ["xz", "-6", "-k", "-c", profrun],
        }
        print("equal runs in which something seems to have changed")
        for what, command in commands.items():
            if not shutil.which(command[0]):
                print(f"  {what}: left out, it is not here")
                continue
            traces = [study.record(*command) for _ in range(n_runs)]
            of_equal_runs(study, what, traces, 1, n_pairs)
            of_equal_runs(study, what, traces, 3, n_pairs)
        print("a function that takes 4 % of the run more, by its share before")
        for number in SLOWER:
            of_slower_runs(study, program, number, n_pairs)


if __name__ == "__main__":
    main()
