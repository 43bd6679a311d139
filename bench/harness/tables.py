"""Plain text tables, for a terminal and for README.md."""

import unicodedata
from dataclasses import dataclass, field

MISSING = "-"


@dataclass
class Table:
    title: str
    columns: list
    rows: list = field(default_factory=list)
    notes: list = field(default_factory=list)
    text_columns: tuple = (0,)  # these begin at the left, the others end at the right

    def add(self, *cells):
        if len(cells) != len(self.columns):
            raise ValueError(f"{self.title}: a row of {len(cells)} cells")
        self.rows.append([MISSING if cell is None else str(cell) for cell in cells])

    def text(self):
        lines = [self.columns] + self.rows
        widths = [max(_width(line[i]) for line in lines) for i in range(len(self.columns))]
        out = [self.title, ""]
        for line in lines:
            cells = [
                _padded(cell, width, i in self.text_columns)
                for i, (cell, width) in enumerate(zip(line, widths))
            ]
            out.append("  " + "  ".join(cells).rstrip())
        if self.notes:
            out += [""] + [f"  {note}" for note in self.notes]
        return "\n".join(out) + "\n"


def _padded(text, width, at_left):
    blanks = " " * (width - _width(text))
    return text + blanks if at_left else blanks + text


def _width(text):
    return sum(not unicodedata.combining(char) for char in text)


def with_range(figure, digits, unit=""):
    """ "1.04 (1.02 .. 1.05)"; of a single value there is no range."""
    value = f"{figure.value:.{digits}f}{unit}"
    if figure.low == figure.high:
        return f"{value} (once)"
    return f"{value} ({figure.low:.{digits}f} .. {figure.high:.{digits}f})"


def kilobytes(size):
    return f"{size / 1000:.1f}"
