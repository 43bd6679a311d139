"""How near a profile comes to the truth, over several runs."""

from dataclasses import dataclass, field

from . import figures


@dataclass
class Score:
    """Runs of one tool on one program; shares are in percent of all ticks."""

    max_errors: list = field(default_factory=list)
    rmses: list = field(default_factory=list)
    chances: list = field(default_factory=list)  # what chance makes of rmse
    scaled: list = field(default_factory=list)  # (error, standard error)
    looks: list = field(default_factory=list)
    late: int = 0
    lost: int = 0
    ticks: int = 0

    def add(self, run, names):
        """A run of a program that prints the true share of each of names."""
        profile, shares = run.profile, run.profile.shares()
        true = {name: run.values[name] for name in names}
        looks = max(1, profile.looks)
        self.max_errors.append(figures.max_error(shares, true))
        self.rmses.append(figures.rmse(shares, true))
        self.chances.append(figures.binomial_rmse(true, looks))
        self.scaled += [
            (shares.get(name, 0.0) - share, figures.binomial_error(share, looks))
            for name, share in true.items()
        ]
        self.looks.append(profile.looks)
        self.late += profile.late
        self.lost += profile.lost
        self.ticks += profile.n

    @property
    def max_error(self):
        return figures.middle(self.max_errors)

    @property
    def rmse(self):
        return figures.root_mean_square(self.rmses)

    @property
    def chance(self):
        return figures.root_mean_square(self.chances)

    @property
    def of_chance(self):
        return figures.of_chance(self.scaled)

    def put(self, report, key):
        report.figures[f"{key}.max_error"] = self.max_error
        report.figures[f"{key}.rmse"] = figures.Figure.exact(self.rmse)
        report.figures[f"{key}.of_chance"] = figures.Figure.exact(self.of_chance)

    def cells(self):
        """For the columns below."""
        return [
            f"{figures.median(self.looks):.0f}",
            f"{self.max_error.value:.2f} ({max(self.max_errors):.2f})",
            f"{self.rmse:.2f}",
            f"{self.chance:.2f}",
            f"{self.of_chance:.2f}",
            f"{100 * self.late / max(1, self.ticks):.0f}",
            self.lost,
        ]


COLUMNS = ["looks", "max |error|", "RMSE", "by chance", "of chance", "late %", "lost"]
NOTES = [
    "Errors in percent points of all ticks: the largest of a run, median (worst) of",
    "the runs; RMSE; what the binomial distribution makes of it at that number of",
    "looks; and of chance, 1 or less for 95 of 100 fair samplers.  lost: ticks.",
]
