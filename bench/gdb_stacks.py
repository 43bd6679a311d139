"""Stops a program now and then under gdb, and writes down its registers, its
stack's memory and gdb's own backtrace, for bench/programs/unwound:

    STOPS=200 OUT=stops.txt gdb -q -batch -x bench/gdb_stacks.py --args PROGRAM...

Frames that gdb makes of inlined functions and of tail calls are left out: no
unwinder that has only registers and memory can know of them."""
import os
import random
import subprocess

import gdb

REGISTERS = ("rax rdx rcx rbx rsi rdi rbp rsp r8 r9 r10 r11 r12 r13 r14 r15").split()
RED_ZONE = 128
MOST = 1 << 20
# Interrupts the program when it has had NS more of a processor, or does not run:
# by the clock alone a busy machine would stop it again and again as it begins.
WAIT = """
read from _ </proc/{pid}/schedstat || exit
for i in $(seq 200); do
	sleep 0.01
	read now _ </proc/{pid}/schedstat && [ $((now - from)) -lt {ns} ] || break
done
kill -INT {pid}
"""


def number(name):
    return int(gdb.parse_and_eval(f"(unsigned long)${name}")) & (1 << 64) - 1


def stack_end(maps, sp):
    for line in maps.splitlines():
        low, high = (int(part, 16) for part in line.split()[0].split("-"))
        if low <= sp < high:
            return high
    return sp


def ranges(maps):
    """Where stacks lie: that of a signal's handler may be another one."""
    found = []
    frame = gdb.newest_frame()
    while frame is not None and len(found) < 2:
        sp = int(frame.read_register("rsp").cast(gdb.lookup_type("unsigned long")))
        if not any(low <= sp < low + size for low, size in found):
            size = min(stack_end(maps, sp) - sp + RED_ZONE, MOST // 2)
            found.append((sp - RED_ZONE, size))
        frame = frame.older()
    return found


def frames():
    """Behind the first frame of ld.so, which has no CFI, gdb goes on with argc."""
    frame = gdb.newest_frame()
    while frame is not None and frame.pc() > MOST:
        if frame.type() in (gdb.NORMAL_FRAME, gdb.SIGTRAMP_FRAME):
            yield frame.pc()
        frame = frame.older()


def write_stop(out, directory, last_maps):
    inferior = gdb.selected_inferior()
    with open(f"/proc/{inferior.pid}/maps", encoding="utf-8") as file:
        maps = file.read()
    if maps != last_maps:
        path = os.path.join(directory, f"maps.{random.getrandbits(40):x}")
        with open(path, "w", encoding="utf-8") as file:
            file.write(maps)
        out.write(f"maps {path}\n")
    registers = " ".join(f"{number(name):x}" for name in ["rip"] + REGISTERS)
    out.write(f"regs {registers}\n")
    for low, size in ranges(maps):
        memory = bytes(inferior.read_memory(low, size))
        out.write(f"memory {low:x} {memory.hex()}\n")
    out.write("frames " + " ".join(f"{pc:x}" for pc in frames()) + " \n")
    return maps


def main():
    path = os.environ["OUT"]
    for line in ("pagination off", "confirm off", "backtrace past-main on",
                 "debuginfod enabled off", "disable-randomization off",
                 "print thread-events off"):
        gdb.execute(f"set {line}")
    # Redirections among the arguments would have to be quoted with them.
    gdb.execute("set inferior-tty /dev/null")
    gdb.execute("handle SIGINT stop print nopass")
    gdb.execute("handle SIGALRM SIGPROF SIGUSR1 nostop noprint pass")
    maps = ""
    left = int(os.environ.get("STOPS", "200"))
    with open(path, "w", encoding="utf-8") as out:
        while left > 0:
            if not gdb.selected_inferior().pid:
                gdb.execute("starti", to_string=True)
                maps = ""
            pid = gdb.selected_inferior().pid
            wait = WAIT.format(pid=pid, ns=int(random.uniform(1e6, 6e7)))
            with subprocess.Popen(["sh", "-c", wait], stderr=subprocess.DEVNULL):
                gdb.execute("continue", to_string=True)
            if gdb.selected_inferior().pid:
                maps = write_stop(out, os.path.dirname(os.path.abspath(path)), maps)
                left -= 1
    if gdb.selected_inferior().pid:
        gdb.execute("kill")


main()
