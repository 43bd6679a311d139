"""A test's name is a sentence that can be false."""

import math
import random
import unittest

from harness import figures
from harness.figures import Figure


class Medians(unittest.TestCase):
    def test_the_median_of_an_even_number_is_between_the_two_in_the_middle(self):
        self.assertEqual(figures.median([4, 1, 3, 2]), 2.5)

    def test_of_nothing_there_is_no_median(self):
        self.assertRaises(ValueError, figures.median, [])

    def test_five_values_are_too_few_to_leave_any_off(self):
        self.assertEqual(figures.middle([5, 1, 4, 2, 3]), Figure(3, 1, 5))

    def test_of_nine_values_one_is_left_off_at_each_end(self):
        # 2 * (C(9,0) + C(9,1)) / 512 = 0.039; one more would be 0.18.
        self.assertEqual(figures.middle(range(9)), Figure(4, 1, 7))

    def test_the_interval_holds_the_true_median_95_times_in_100(self):
        chance = random.Random(1)
        held = 0
        for _ in range(2000):
            middle = figures.middle([chance.expovariate(1) for _ in range(20)])
            held += middle.low <= math.log(2) <= middle.high
        self.assertGreater(held / 2000, 0.945)
        self.assertLess(held / 2000, 0.985)


class Quartiles(unittest.TestCase):
    def test_a_quarter_of_the_values_is_below_and_a_quarter_above(self):
        self.assertEqual(figures.quartiles(range(1, 9)), Figure(4.5, 2.5, 6.5))

    def test_the_value_in_the_middle_is_in_neither_half(self):
        self.assertEqual(figures.quartiles([9, 1, 5, 7, 3]), Figure(5, 2, 8))

    def test_one_value_has_no_spread(self):
        self.assertEqual(figures.quartiles([3]), Figure.exact(3))


class Noise(unittest.TestCase):
    def test_what_is_nearer_to_nothing_than_the_noise_is_hidden(self):
        noise = Figure(1.0, 0.98, 1.02)
        self.assertTrue(figures.is_hidden(Figure(1.015, 1.01, 1.03), noise, 1))

    def test_what_stands_clear_of_the_noise_is_not_hidden(self):
        noise = Figure(1.0, 0.98, 1.02)
        self.assertFalse(figures.is_hidden(Figure(1.05, 1.03, 1.07), noise, 1))

    def test_what_may_be_nothing_is_hidden_whatever_the_noise(self):
        noise = Figure(1.0, 0.999, 1.001)
        self.assertTrue(figures.is_hidden(Figure(1.05, 0.99, 1.2), noise, 1))


class Chance(unittest.TestCase):
    def test_a_tenth_among_900_looks_has_an_error_of_one_point(self):
        self.assertAlmostEqual(figures.binomial_error(10, 900), 1.0)

    def test_without_looks_nothing_is_known(self):
        self.assertEqual(figures.binomial_error(10, 0), math.inf)

    def test_the_95_percent_quantile_of_chi_square_is_that_of_the_tables(self):
        for freedom, expected in ((3, 7.815), (10, 18.307), (30, 43.773)):
            found = figures.chi_square_quantile(freedom)
            self.assertAlmostEqual(found / expected, 1, delta=0.01)

    def test_95_of_100_fair_samplers_are_within_chance(self):
        chance = random.Random(2)
        within = 0
        for _ in range(1000):
            errors = []
            for share in (10, 20, 30, 40):
                hits = sum(chance.random() * 100 < share for _ in range(200))
                sigma = figures.binomial_error(share, 200)
                errors.append((hits / 2 - share, sigma))
            within += figures.of_chance(errors) <= 1
        self.assertGreater(within / 1000, 0.93)
        self.assertLess(within / 1000, 0.97)

    def test_a_function_that_is_not_found_is_an_error_of_its_whole_share(self):
        self.assertEqual(figures.max_error({"a": 60}, {"a": 70, "b": 30}), 30)

    def test_rmse_is_the_root_of_the_mean_square(self):
        found, true = {"a": 53.0, "b": 46.0}, {"a": 50.0, "b": 50.0}
        self.assertAlmostEqual(figures.rmse(found, true), math.sqrt(12.5))


class Overlaps(unittest.TestCase):
    def test_a_profile_overlaps_wholly_with_itself_and_with_twice_itself(self):
        self.assertAlmostEqual(figures.overlap({"a": 1, "b": 3}, {"a": 2, "b": 6}), 100)

    def test_profiles_of_different_functions_do_not_overlap(self):
        self.assertEqual(figures.overlap({"a": 5}, {"b": 5}), 0)

    def test_the_overlap_is_the_same_both_ways(self):
        one, other = {"a": 1, "b": 2, "c": 7}, {"b": 5, "c": 5}
        self.assertAlmostEqual(figures.overlap(one, other), 70)
        self.assertAlmostEqual(figures.overlap(other, one), 70)

    def test_thinning_leaves_the_number_asked_for_and_invents_nothing(self):
        whole = {"a": 30, "b": 70}
        left = figures.thinned(whole, 10, 1)
        self.assertEqual(sum(left.values()), 10)
        self.assertTrue(all(n <= whole[name] for name, n in left.items()))

    def test_a_profile_that_is_small_enough_is_left_as_it_is(self):
        self.assertEqual(figures.thinned({"a": 3}, 5, 1), {"a": 3})


class Lines(unittest.TestCase):
    def test_points_on_a_line_give_that_line_without_error(self):
        line = figures.line_through([(x, 3 * x - 1) for x in range(5)])
        self.assertAlmostEqual(line.slope, 3)
        self.assertAlmostEqual(line.intercept, -1)
        self.assertAlmostEqual(line.slope_error, 0)

    def test_the_error_of_the_slope_is_that_of_the_textbook(self):
        # Residuals 1/3, -2/3, 1/3 over a spread of 2, one degree of freedom.
        line = figures.line_through([(0, 0), (1, 0), (2, 2)])
        self.assertAlmostEqual(line.slope, 1)
        self.assertAlmostEqual(line.slope_error, math.sqrt(6 / 9 / 2))

    def test_two_points_have_no_error_and_points_above_each_other_no_slope(self):
        self.assertRaises(ValueError, figures.line_through, [(0, 0), (1, 1)])
        self.assertRaises(ValueError, figures.line_through, [(1, 0), (1, 1), (1, 2)])


if __name__ == "__main__":
    unittest.main()
