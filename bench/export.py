# export.py PROFRUN TRACE - what each format costs that a trace is exported to: the
# time of the whole command, its CPU time, the most memory that it had at a time, and
# the bytes of the file.
import os
import subprocess
import sys
import tempfile
import time

FORMATS = ["folded", "flame", "pprof", "speedscope", "firefox", "callgrind", "json",
           "perf-script"]


def run(profrun, trace, name, path):
    begin = time.monotonic()
    child = subprocess.Popen([profrun, "export", "-q", "-f", name, "-o", path, trace])
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        sys.exit("export.py: -f %s ends with %d" % (name, child.returncode))
    return time.monotonic() - begin, usage


def main():
    profrun, trace = sys.argv[1:]
    print("%-12s %10s %10s %12s %12s" % ("format", "wall", "CPU", "memory", "file"))
    with tempfile.TemporaryDirectory() as directory:
        for name in FORMATS:
            path = os.path.join(directory, name)
            wall_s, usage = run(profrun, trace, name, path)
            print("%-12s %8.2f s %8.2f s %9.1f MB %9.1f MB"
                  % (name, wall_s, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024,
                     os.stat(path).st_size / 1e6), flush=True)


main()
