"""The studies, each a file with a TITLE, a BUDGET_S, and run(bench, deadline)."""

from . import (
    accounts,
    aliasing,
    bias,
    bursts,
    causality,
    cost,
    lives,
    overhead,
    programs,
    shares,
    sleepers,
    stacks,
    stability,
    stops,
    threads,
    unchanged,
)

ALL = {
    "cost": cost,
    "overhead": overhead,
    "threads": threads,
    "shares": shares,
    "aliasing": aliasing,
    "bursts": bursts,
    "lives": lives,
    "causality": causality,
    "stability": stability,
    "accounts": accounts,
    "stops": stops,
    "stacks": stacks,
    "sleepers": sleepers,
    "bias": bias,
    "unchanged": unchanged,
    "programs": programs,
}
