"""What a result was measured on: without that it means nothing."""

import os
import platform
import time


def _first_line(path, key=None):
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            for line in file:
                if key is None or line.startswith(key):
                    return line.split(":", 1)[-1].strip()
    except OSError:
        pass
    return "?"


def kernel_hz():
    """How often a second the kernel's tick comes: a clock that steps with it
    says so, to anybody."""
    return round(1 / time.clock_getres(6))  # CLOCK_MONOTONIC_COARSE


def describe():
    """Facts, in the order in which one reads them."""
    memory = _first_line("/proc/meminfo", "MemTotal").split()
    return {
        "processor": _first_line("/proc/cpuinfo", "model name"),
        "processors": len(os.sched_getaffinity(0)),
        "memory": f"{int(memory[0]) / 1e6:.0f} GB" if memory[0].isdigit() else "?",
        "virtual": "yes" if _is_virtual() else "no",
        "system": _system_name(),
        "kernel": platform.release(),
        "kernel's tick": f"{kernel_hz()} Hz",
        "clock": _first_line(
            "/sys/devices/system/clocksource/clocksource0/current_clocksource"
        ),
        "perf_event_paranoid": _first_line("/proc/sys/kernel/perf_event_paranoid"),
        "load before": f"{os.getloadavg()[0]:.1f}",
    }


def _is_virtual():
    return " hypervisor" in _first_line("/proc/cpuinfo", "flags")


def _system_name():
    return _first_line("/etc/os-release", "PRETTY_NAME").split("=")[-1].strip('"')


def today():
    return time.strftime("%Y-%m-%d", time.gmtime())
