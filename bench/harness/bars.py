"""What is asked of the figures: bench/bars, read and judged."""

import operator
from dataclasses import dataclass
from fnmatch import fnmatchcase

_RELATIONS = {"<=": operator.le, ">=": operator.ge, "==": operator.eq}


@dataclass(frozen=True)
class Bar:
    pattern: str  # of figures' names, with * for any part
    relation: str
    limit: float
    meaning: str

    def is_met(self, value):
        return _RELATIONS[self.relation](value, self.limit)


@dataclass(frozen=True)
class Verdict:
    bar: Bar
    name: str  # of the figure; the pattern, if there is none
    figure: object  # None: not measured, or hidden by the noise

    @property
    def study(self):
        """The first part of a figure's name."""
        return self.name.split(".", 1)[0]

    @property
    def word(self):
        if self.figure is None:
            return "no figure"
        return "pass" if self.bar.is_met(self.figure.value) else "miss"

    @property
    def is_close(self):
        """The range of the figure lies on both sides of the bar."""
        if self.figure is None:
            return False
        ends = (self.figure.low, self.figure.high)
        return len({self.bar.is_met(end) for end in ends}) == 2


def parse(text):
    """Lines "NAME RELATION LIMIT MEANING..."; # begins a comment."""
    bars = []
    for number, line in enumerate(text.splitlines(), 1):
        words = line.split("#", 1)[0].split(None, 3)
        if not words:
            continue
        if len(words) < 4 or words[1] not in _RELATIONS:
            raise ValueError(f"bars, line {number}: not NAME RELATION LIMIT MEANING")
        bars.append(Bar(words[0], words[1], float(words[2]), words[3].strip()))
    return bars


def judge(bars, figures):
    """A verdict for each bar and each of figures, {name: Figure}, it is about."""
    verdicts = []
    for bar in bars:
        names = [name for name in figures if fnmatchcase(name, bar.pattern)]
        if not names:
            verdicts.append(Verdict(bar, bar.pattern, None))
        verdicts += [Verdict(bar, name, figures[name]) for name in names]
    return verdicts
