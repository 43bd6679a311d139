"""Statistics of small samples.  Pure: numbers in, numbers out.

Times are in seconds, shares in percent points unless a name says otherwise.
"""

import math
import random
from dataclasses import dataclass


@dataclass(frozen=True)
class Figure:
    """A value, and the range that it lies in for all we know."""

    value: float
    low: float
    high: float

    @staticmethod
    def exact(value):
        """One that has no spread, such as a count."""
        return Figure(value, value, value)

    def scaled(self, by):
        ends = sorted((self.low * by, self.high * by))
        return Figure(self.value * by, *ends)

    def half_width(self):
        return (self.high - self.low) / 2


def median(values):
    ordered = sorted(values)
    n = len(ordered)
    if not n:
        raise ValueError("no values have no median")
    return (ordered[(n - 1) // 2] + ordered[n // 2]) / 2


def rank_below_median(n):
    """How many of n sorted values can be left off at each end, so that what is
    left still holds the median of what they were drawn from, 95 times in 100.
    Below six values none can, and the range itself holds it less often."""
    below, chance, cut = 0.0, 0.5**n, 0
    for k in range(n // 2):
        below += math.comb(n, k) * chance
        if 2 * below > 0.05:
            break
        cut = k
    return cut


def middle(values):
    """The median, with its interval of confidence (95 %; see
    rank_below_median).  It assumes nothing of how the values are spread."""
    ordered = sorted(values)
    cut = rank_below_median(len(ordered))
    return Figure(median(ordered), ordered[cut], ordered[-1 - cut])


def quartiles(values):
    """The median, between what a quarter of the values are below and a quarter
    above: how they are spread, not how well the median is known."""
    ordered = sorted(values)
    half = len(ordered) // 2
    if not half:
        return Figure.exact(median(ordered))
    return Figure(median(ordered), median(ordered[:half]), median(ordered[-half:]))


def ratios(values, bases):
    """One ratio for each pair of runs that stood side by side."""
    return [value / base for value, base in zip(values, bases) if base > 0]


def is_hidden(figure, noise, neutral):
    """Whether the noise hides it: its distance from neutral (1 for a ratio, 0
    for a difference) is less than that of the same thing measured against
    itself, or its own interval holds neutral."""
    if figure.low <= neutral <= figure.high:
        return True
    reach = max(abs(noise.low - neutral), abs(noise.high - neutral))
    return abs(figure.value - neutral) < reach


# --- Shares, against the truth.


def binomial_error(share, n):
    """The standard error of a share (in percent) among n independent looks."""
    part = min(max(share / 100, 0.0), 1.0)
    return 100 * math.sqrt(part * (1 - part) / n) if n > 0 else math.inf


def max_error(found, true):
    return max(abs(found.get(name, 0.0) - share) for name, share in true.items())


def rmse(found, true):
    squares = [(found.get(name, 0.0) - share) ** 2 for name, share in true.items()]
    return math.sqrt(sum(squares) / len(squares))


def binomial_rmse(true, n):
    """What chance alone makes of rmse(), for n looks."""
    squares = [binomial_error(share, n) ** 2 for share in true.values()]
    return math.sqrt(sum(squares) / len(squares))


def chi_square_quantile(freedom, z=1.6449):
    """By Wilson and Hilferty; good to a percent from three degrees on."""
    part = 2 / (9 * freedom)
    return freedom * (1 - part + z * math.sqrt(part)) ** 3


def of_chance(errors):
    """How far errors are from those of chance: the root of the mean square of
    error / standard error, over what 95 of 100 fair samplers stay below.  1 is
    the limit of what chance explains.  errors are pairs of both."""
    scaled = [(error / sigma) ** 2 for error, sigma in errors if sigma > 0]
    n = len(scaled)
    if not n:
        raise ValueError("no errors to judge")
    return math.sqrt(sum(scaled) / chi_square_quantile(n))


def root_mean_square(values):
    return math.sqrt(sum(value * value for value in values) / len(values))


def overlap(one, other):
    """Of two profiles, {name: ticks}: the sum of the smaller shares, in percent.
    100 if they say the same."""
    n_one, n_other = sum(one.values()), sum(other.values())
    if not n_one or not n_other:
        return 0.0
    return 100 * sum(
        min(ticks / n_one, other.get(name, 0) / n_other)
        for name, ticks in one.items()
    )


def thinned(profile, n, seed):
    """n of a profile's ticks, chosen at random: two profiles agree less the
    fewer ticks they have, so only those of the same size can be compared."""
    ticks = [name for name, count in sorted(profile.items()) for _ in range(count)]
    if n >= len(ticks):
        return dict(profile)
    left = {}
    for name in random.Random(seed).sample(ticks, n):
        left[name] = left.get(name, 0) + 1
    return left


# --- A line through points.


@dataclass(frozen=True)
class Line:
    slope: float
    intercept: float
    slope_error: float  # standard error


def line_through(points):
    """The line of least squares through points (x, y), at least three."""
    n = len(points)
    if n < 3:
        raise ValueError("a line with an error takes three points")
    mean_x = sum(x for x, _ in points) / n
    mean_y = sum(y for _, y in points) / n
    spread = sum((x - mean_x) ** 2 for x, _ in points)
    if spread == 0:
        raise ValueError("all points are above each other")
    slope = sum((x - mean_x) * (y - mean_y) for x, y in points) / spread
    intercept = mean_y - slope * mean_x
    left = sum((y - intercept - slope * x) ** 2 for x, y in points)
    return Line(slope, intercept, math.sqrt(left / (n - 2) / spread))
