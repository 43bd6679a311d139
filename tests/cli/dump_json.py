"""dump_json.py DUMP PID...: is it of these processes, the first of them a circle?"""

import json
import sys

with open(sys.argv[1]) as file:
    dump = json.load(file)

assert [p["pid"] for p in dump["processes"]] == [int(pid) for pid in sys.argv[2:]]
circle = dump["processes"][0]
assert len(circle["threads"]) == 6, circle
by_tid = {thread["tid"]: thread for thread in circle["threads"]}
waiting = [t for t in circle["threads"] if "mutex_holder" in t]
assert len(waiting) == 2, waiting
for thread in waiting:
    assert by_tid[thread["mutex_holder"]]["mutex_holder"] == thread["tid"]
    names = [frame.get("function") for frame in thread["stack"]]
    assert "lock_both" in names, names
    assert thread["stack_end"] == "complete", thread
assert [t["how"] for t in circle["threads"]].count("running") == 1
(joins,) = [t["joins"] for t in circle["threads"] if "joins" in t]
assert joins in [t["tid"] for t in waiting]
readers = [t for t in circle["threads"] if t.get("syscall") == "read"]
assert len(readers) == 2 and all(t["stopped_ns"] == 0 for t in readers)
