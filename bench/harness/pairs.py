"""Runs in turn: bare, tool, bare, tool; a noisy machine is noisy for both.

Machines drift by percents within seconds, so each run of a tool has a bare run of
the same work right before it, and what is compared is the two of a pair.  Which
tools there are is the study's; how often they run is decided here, by the spread
of what they show and by the time there is.
"""

import time
from dataclasses import dataclass

from . import figures
from .tables import with_range
from .tools import BARE, BARE_AGAIN

LEAST_ROUNDS = 5
MOST_ROUNDS = 100

# Rounds go on until the medians are known this well, or time is up.
RATIO_TOLERANCE = 0.002


class Deadline:
    """Time that runs out.  Parts of it can be given away."""

    def __init__(self, seconds):
        self.end = time.monotonic() + seconds

    def left_s(self):
        return max(0.0, self.end - time.monotonic())

    def part(self, share):
        """A share, from 0 to 1, of what is left."""
        return Deadline(self.left_s() * share)


def in_turn(contenders, deadline, is_settled=None, least=LEAST_ROUNDS):
    """Calls each of contenders, {name: function}, once a round.

    Rounds go on until is_settled(what there is so far) is true, at least `least`
    of them, or until the next would pass the deadline; one is always made.  What
    the functions return comes back as {name: [one for each round]}."""
    taken = {name: [] for name in contenders}
    longest_s = 0.0
    for n in range(1, MOST_ROUNDS + 1):
        start = time.monotonic()
        for name, contender in contenders.items():
            taken[name].append(contender())
        longest_s = max(longest_s, time.monotonic() - start)
        if n >= least and is_settled and is_settled(taken):
            break
        if deadline.left_s() < longest_s:
            break
    return taken


@dataclass(frozen=True)
class Pair:
    bare: object  # bench.Run
    tool: object


class Pairs:
    """Runs of some tools, each with its bare run; and of the bare program against
    itself, which is the noise."""

    def __init__(self, bench, tools, command, deadline, **options):
        """command(tool) is the program and its arguments, for the tool and for
        the bare run before it.  options go to bench.run()."""

        def pair(tool):
            program = command(tool)
            return Pair(
                bench.run(BARE, *program, **options), bench.run(tool, *program, **options)
            )

        self.tools = [BARE_AGAIN, *tools]
        self._pairs = in_turn(
            {tool.label: lambda tool=tool: pair(tool) for tool in self.tools},
            deadline,
            self._are_settled,
        )

    @property
    def n_rounds(self):
        return len(self._pairs[BARE_AGAIN.label])

    def of(self, tool):
        return self._pairs[tool.label]

    def runs(self, tool):
        return [pair.tool for pair in self.of(tool)]

    def ratios(self, tool, measure):
        """Of measure(run), one for each pair."""
        return _ratios(self.of(tool), measure)

    def ratio(self, tool, measure):
        """Their median."""
        return figures.middle(self.ratios(tool, measure))

    def difference(self, tool, measure):
        return figures.middle(
            [measure(pair.tool) - measure(pair.bare) for pair in self.of(tool)]
        )

    def cpu_ratio(self, tool):
        return self.ratio(tool, cpu_of)

    def ratio_text(self, tool, measure):
        """For a table; of a ratio that the noise hides only what it is below."""
        figure, noise = self.ratio(tool, measure), self.ratio(BARE_AGAIN, measure)
        if tool is BARE_AGAIN or self.n_rounds == 1:
            return with_range(figure, 3)
        if figures.is_hidden(figure, noise, 1):
            return f"< {max(figure.high, noise.high, 1.0):.3f}"
        return with_range(figure, 3)

    def raw(self, **measures):
        """What was measured, {tool: {measure: [[bare, tool] for each round]}}."""
        return {
            tool.label: {
                name: [[measure(pair.bare), measure(pair.tool)] for pair in self.of(tool)]
                for name, measure in measures.items()
            }
            for tool in self.tools
        }

    @staticmethod
    def _are_settled(taken):
        return all(
            figures.middle(_ratios(pairs, cpu_of)).half_width() <= RATIO_TOLERANCE
            for pairs in taken.values()
        )


def _ratios(pairs, measure):
    return figures.ratios(
        [measure(pair.tool) for pair in pairs], [measure(pair.bare) for pair in pairs]
    )


# --- What runs are compared by.


def cpu_of(run):
    """Of program and tool together."""
    return run.outcome.cpu_s


def wall_of(run):
    return run.outcome.wall_s
