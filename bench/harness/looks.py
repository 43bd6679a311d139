"""What one look takes from a program that reads a clock without pause: the gap in
its readings that holds the moment of the look.  Pure: lists in, numbers out.

Gaps are there without a profiler, too, a thousand a second on a virtual machine,
so their sum tells nothing of a look.  But the program writes down when each was,
and the profiler when it looked, by the same clock.  A look that comes with the
kernel's own tick is in one gap with it; then what the bare program loses there is
taken off.  All times are in ns of CLOCK_MONOTONIC.
"""

import bisect
from dataclasses import dataclass
from typing import NamedTuple

from . import figures

# From here on it was another program's turn: no look takes so long.
AWAY_NS = 1_000_000

# How far from the kernel's tick a gap may begin and be the tick's.
NEAR_NS = 20_000

# Fewer looks with a gap, in percent, mean that the clocks do not agree or that
# something else is wrong; fewer at all, that nothing is known.
LEAST_MATCHED = 80
LEAST_LOOKS = 10


class Gap(NamedTuple):
    start: int
    end: int
    taken: int  # of it, by the clock that was read: the same, or CPU time


@dataclass(frozen=True)
class Watch:
    """What a program has written that watched the clock."""

    began: int
    ended: int
    gaps: list  # of Gap, in order


def read_watch(text):
    """Of bench/programs/gaps.h's lines; others are passed over."""
    ends, gaps = {}, []
    for line in text.splitlines():
        word, *numbers = line.split() or [""]
        if word == "gap":
            gaps.append(Gap(*map(int, numbers)))
        elif word in ("began", "ended"):
            ends[word] = int(numbers[0])
    return Watch(ends["began"], ends["ended"], gaps)


# --- The kernel's tick.


def _distance(time, phase, tick_ns):
    """From the nearest moment of that phase."""
    off = (time - phase) % tick_ns
    return min(off, tick_ns - off)


def tick_phase(times, tick_ns):
    """Where in the kernel's tick of tick_ns more than half of times are, all
    within NEAR_NS; None if they keep to no place in it."""
    if not times:
        return None
    phases = sorted(time % tick_ns for time in times)
    n = len(phases)
    phases += [phase + tick_ns for phase in phases]  # after its end it begins

    def n_from(i):
        return bisect.bisect_right(phases, phases[i] + 2 * NEAR_NS) - i

    first = max(range(n), key=n_from)
    most = n_from(first)
    if 2 * most <= n:
        return None
    return figures.median(phases[first : first + most]) % tick_ns


def at_phase(gaps, phase, tick_ns):
    return [gap for gap in gaps if _distance(gap.start, phase, tick_ns) <= NEAR_NS]


def _tick_taken(gaps, phase, tick_ns):
    """What the tick takes by itself; 0 if it is too short to be a gap."""
    near = at_phase(gaps, phase, tick_ns)
    own = [gap.taken for gap in near if gap.taken < AWAY_NS]
    return figures.median(own) if own else 0


# --- Looks, and their gaps.


@dataclass(frozen=True)
class Taken:
    """By the looks of one run."""

    n: int  # looks while the clock was watched
    n_matched: int  # those that were in a gap
    lost: list  # by each, without those when it was another's turn
    tick: float  # what of their gaps was the kernel's tick; 0: not in step with it


def _held(watch, times):
    """The looks while the clock was watched, and [gap, looks in it]."""
    starts = [gap.start for gap in watch.gaps]
    n, found = 0, {}
    for time in times:
        if not watch.began <= time <= watch.ended:
            continue
        n += 1
        i = bisect.bisect_right(starts, time) - 1
        if i >= 0 and time <= watch.gaps[i].end:
            found[i] = found.get(i, 0) + 1
    return n, [(watch.gaps[i], count) for i, count in found.items()]


def taken(bare, watch, times, tick_ns):
    """By looks at these times from a program that has written watch; bare is the
    same without them, tick_ns the period of the kernel's tick."""
    n, held = _held(watch, times)
    own = {gap: count for gap, count in held if gap.taken < AWAY_NS}
    phase = tick_phase([gap.start for gap in own], tick_ns)
    tick, in_step = 0, set()
    if phase is not None:
        in_step = set(at_phase(own, phase, tick_ns))
        tick = _tick_taken(bare.gaps, phase, tick_ns)
    # Looks in one gap have it in common.
    lost = [
        (gap.taken - (tick if gap in in_step else 0)) / count
        for gap, count in own.items()
        for _ in range(count)
    ]
    return Taken(n, sum(count for _, count in held), lost, tick)


def matched_percent(runs):
    """Of Taken of some runs: looks that were in a gap."""
    return 100 * sum(run.n_matched for run in runs) / max(1, sum(run.n for run in runs))


def lost_ns(runs):
    """For a look, of Taken of some runs: the median and quartiles of all looks;
    None if too few are known."""
    lost = [ns for run in runs for ns in run.lost]
    if matched_percent(runs) < LEAST_MATCHED or len(lost) < LEAST_LOOKS:
        return None
    return figures.quartiles(lost)
