"""dump_csv.py CSV JSON: do both tell the same of processes that stand still?"""

import csv
import json
import sys

FRAME = ["function", "offset", "binary", "file", "line", "inlined", "guessed"]
FRAME += ["addr", "vaddr"]
THREAD = ["tid", "name", "state", "how", "why", "syscall_number", "syscall"]
THREAD += ["syscall_text", "mutex_holder", "joins", "cpu_ns", "stack_end"]
PROCESS = ["pid", "tracer", "stopped", "command"]


def cells(members, names):
    values = [members.get(name, "") for name in names]
    return [str(int(v) if isinstance(v, bool) else v) for v in values]


def expected(dump):
    for process in dump["processes"]:
        for thread in process["threads"]:
            # To be stopped it had to run a little.
            if thread["stopped_ns"]:
                del thread["cpu_ns"]
            shared = cells(process, PROCESS) + cells(thread, THREAD)
            for number, frame in enumerate(thread["stack"]):
                yield shared + [str(number)] + cells(frame, FRAME)
            if not thread["stack"]:
                yield shared + [""] + cells({}, FRAME)


with open(sys.argv[1], encoding="utf-8", newline="") as file:
    rows = list(csv.DictReader(file, strict=True))
with open(sys.argv[2], encoding="utf-8") as file:
    wanted = list(expected(json.load(file)))

columns = PROCESS + THREAD + ["frame"] + FRAME
assert set(rows[0]) == set(columns) | {"stopped_ns"}, rows[0].keys()
assert all(row["stopped_ns"].isdigit() for row in rows)
for row in rows:
    if row["stopped_ns"] != "0":
        row["cpu_ns"] = ""
found = [[row[name] for name in columns] for row in rows]
for row, other in zip(found, wanted):
    assert row == other, f"{row} is not {other}"
assert len(found) == len(wanted), f"{len(found)} rows, not {len(wanted)}"
