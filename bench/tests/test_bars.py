import unittest
from pathlib import Path

from harness import bars
from harness.figures import Figure


class Bars(unittest.TestCase):
    def test_a_line_is_a_name_a_relation_a_limit_and_a_meaning(self):
        found = bars.parse("# first\na.*.cpu <= 1.05 what it is # why\n\n")
        self.assertEqual(found, [bars.Bar("a.*.cpu", "<=", 1.05, "what it is")])

    def test_a_line_that_says_less_is_refused(self):
        self.assertRaises(ValueError, bars.parse, "a <= 1")
        self.assertRaises(ValueError, bars.parse, "a is 1 meaning")

    def test_a_pattern_judges_all_figures_that_it_names(self):
        bar = bars.Bar("x.*.cpu", "<=", 2, "")
        figures = {"x.a.cpu": Figure(1, 1, 1), "x.b.cpu": Figure(3, 3, 3),
                   "x.b.wall": Figure(9, 9, 9)}  # fmt: skip
        words = {v.name: v.word for v in bars.judge([bar], figures)}
        self.assertEqual(words, {"x.a.cpu": "pass", "x.b.cpu": "miss"})

    def test_a_bar_without_a_figure_is_neither_passed_nor_missed(self):
        (verdict,) = bars.judge([bars.Bar("x", "<=", 2, "")], {})
        self.assertEqual(verdict.word, "no figure")

    def test_a_range_on_both_sides_of_the_bar_is_close(self):
        bar = bars.Bar("x", "<=", 2, "")
        (near,) = bars.judge([bar], {"x": Figure(1.9, 1.5, 2.5)})
        (far,) = bars.judge([bar], {"x": Figure(1.0, 0.9, 1.1)})
        self.assertTrue(near.is_close)
        self.assertFalse(far.is_close)

    def test_the_bars_of_this_folder_can_be_read(self):
        path = Path(__file__).resolve().parent.parent / "bars"
        self.assertGreater(len(bars.parse(path.read_text())), 20)


if __name__ == "__main__":
    unittest.main()
