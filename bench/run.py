#!/usr/bin/env python3
"""run.py - what profrun costs and how true it is, beside its peers.

    run.py [--time FACTOR] [STUDY...]   runs studies, all without a name
    run.py --bars                       judges the results that are there
    run.py --digest                     prints them for README.md

make bench gives it the folders and the compiler.  Each study prints its tables
and leaves bench/results/STUDY.json in the build tree.
"""

import argparse
import json
import os
import sys
import time
from pathlib import Path

sys.dont_write_bytecode = True  # the source tree may be read-only

# pylint: disable=wrong-import-position
import studies
from harness import bars, digest, machine
from harness.bench import Bench
from harness.figures import Figure
from harness.pairs import Deadline
from harness.places import Places, work_directory
from harness.process import Failed
from harness.profiles import Unreadable


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--source", type=Path, default=Path("."))
    parser.add_argument("--build", type=Path, default=Path("."))
    parser.add_argument("--cc", default=os.environ.get("CC", "cc"))
    parser.add_argument(
        "--time", type=float, default=1.0, help="of the usual time, such as 0.2 or 3"
    )
    parser.add_argument("--bars", action="store_true")
    parser.add_argument("--digest", action="store_true")
    parser.add_argument("study", nargs="*", help=", ".join(studies.ALL))
    arguments = parser.parse_args()
    unknown = set(arguments.study) - set(studies.ALL)
    if unknown:
        parser.error(f"no study is called {', '.join(sorted(unknown))}")
    return arguments


def print_report(report):
    for table in report.tables:
        print(table.text())
    for what, why in sorted(report.left_out.items()):
        print(f"  left out: {what}: {why}")
    sys.stdout.flush()


def save(places, name, report, took_s, facts):
    places.results.mkdir(parents=True, exist_ok=True)
    path = places.results / f"{name}.json"
    content = {
        "study": name,
        "date": machine.today(),
        "seconds": round(took_s, 1),
        "machine": facts,
        "figures": {
            key: [figure.value, figure.low, figure.high]
            for key, figure in sorted(report.figures.items())
        },
        "left_out": report.left_out,
        "tables": [table.text() for table in report.tables],
        "raw": report.raw,
    }
    part = path.with_suffix(".part")
    part.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n")
    part.rename(path)
    return content


def load(places):
    """All results that are there, in the order of the studies."""
    found = []
    for name in studies.ALL:
        path = places.results / f"{name}.json"
        if path.exists():
            found.append(json.loads(path.read_text()))
    return found


def run_study(bench, name, factor, facts):
    """What it found; None if it could not be carried through."""
    study = studies.ALL[name]
    print(f"== {name}: {study.TITLE}\n", flush=True)
    start = time.monotonic()
    try:
        report = study.run(bench, Deadline(study.BUDGET_S * factor))
    except (Failed, Unreadable, OSError) as error:
        print(f"  FAILED: {error}\n", flush=True)
        return None
    print_report(report)
    took_s = time.monotonic() - start
    print(f"  took {took_s:.0f} s\n", flush=True)
    return save(bench.places, name, report, took_s, facts)


def print_verdicts(places, results):
    text = (places.source / "bench" / "bars").read_text()
    measured = {
        key: Figure(*values)
        for result in results
        for key, values in result["figures"].items()
    }
    ran = {result["study"] for result in results}
    verdicts = bars.judge(bars.parse(text), measured)
    print(digest.verdicts_table([v for v in verdicts if v.study in ran]).text())


def main():
    arguments = parse_arguments()
    places = Places(
        arguments.source.resolve(), arguments.build.resolve(), arguments.cc
    )
    if arguments.digest:
        print(digest.text(load(places)))
        return 0
    if arguments.bars:
        print_verdicts(places, load(places))
        return 0
    facts = machine.describe()
    for key, value in facts.items():
        print(f"  {key:20} {value}")
    print()
    with work_directory() as work:
        bench = Bench(places, work)
        names = arguments.study or list(studies.ALL)
        results = [run_study(bench, name, arguments.time, facts) for name in names]
    print_verdicts(places, [result for result in results if result])
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
