import random
import unittest

from harness import looks
from harness.figures import Figure
from harness.looks import Gap, Watch

TICK = 4_000_000
PHASE = 3_990_000  # near the tick's end, so that what is near it goes round


def watch(gaps):
    return Watch(0, 1000 * TICK, sorted(gaps))


def ticks(n, length, every=1):
    """Gaps at the kernel's tick, a little late at times."""
    return [
        Gap(start, start + length, length)
        for start in (i * TICK + PHASE + 1000 * (i % 7) for i in range(0, n, every))
    ]


def background(n, beside=()):
    """What else there is, anywhere but where others are."""
    chance = random.Random(1)
    starts = {chance.randrange(0, 100 * TICK, 10_000) for _ in range(n)}
    lengths = ((start, chance.randrange(1000, 9000)) for start in starts)
    found = [Gap(start, start + length, length) for start, length in lengths]
    return [
        gap
        for gap in found
        if all(gap.end < other.start or gap.start > other.end for other in beside)
    ]


def apart(n, length):
    """Gaps in step with nothing."""
    starts = (500_000 + i * 1_234_567 for i in range(n))
    return [Gap(start, start + length, length) for start in starts]


def inside(gaps):
    return [gap.start + 900 for gap in gaps]


class WhatAProgramWrites(unittest.TestCase):
    def test_gaps_are_read_from_among_other_lines(self):
        text = "gaps 2\n\nbegan 10\nended 99\ngap 20 30 8\ngap 40 55 15\ncpu_seconds 0.1\n"
        self.assertEqual(
            looks.read_watch(text), Watch(10, 99, [Gap(20, 30, 8), Gap(40, 55, 15)])
        )


class TheKernelsTick(unittest.TestCase):
    def test_times_at_one_place_of_it_have_that_as_their_phase(self):
        phase = looks.tick_phase([gap.start for gap in ticks(50, 9000)], TICK)
        self.assertAlmostEqual(phase, PHASE + 3000, delta=1000)

    def test_a_place_that_goes_round_its_end_is_one(self):
        times = [i * TICK + (i % 5 - 2) * 4000 for i in range(1, 51)]
        phase = looks.tick_phase(times, TICK)
        self.assertIn(phase, (0, TICK))

    def test_some_elsewhere_do_not_hide_it(self):
        times = [gap.start for gap in ticks(60, 9000)] + [7 * i * 100_003 for i in range(40)]
        self.assertIsNotNone(looks.tick_phase(times, TICK))

    def test_times_in_step_with_nothing_have_no_phase(self):
        self.assertIsNone(
            looks.tick_phase([gap.start for gap in apart(200, 9000)], TICK)
        )

    def test_without_times_there_is_no_phase(self):
        self.assertIsNone(looks.tick_phase([], TICK))


class WhatALookTakes(unittest.TestCase):
    def test_it_is_the_length_of_the_gap_that_holds_it_whatever_else_there_is(self):
        mine = apart(100, 20_000)
        taken = looks.taken(
            watch(background(5000)),
            watch(mine + background(5000, beside=mine)),
            inside(mine),
            TICK,
        )
        self.assertEqual((taken.n, taken.n_matched, taken.tick), (100, 100, 0))
        self.assertEqual(looks.lost_ns([taken]).value, 20_000)

    def test_of_looks_at_the_kernels_tick_the_bare_tick_is_taken_off(self):
        mine = ticks(100, 15_000)
        taken = looks.taken(watch(ticks(100, 6000)), watch(mine), inside(mine), TICK)
        self.assertEqual(taken.tick, 6000)
        self.assertEqual(looks.lost_ns([taken]), Figure.exact(9000))

    def test_it_is_what_the_clock_that_was_read_lost_not_the_wall_clock(self):
        mine = [Gap(gap.start, gap.end, 2500) for gap in apart(20, 9000)]
        found = looks.taken(watch([]), watch(mine), inside(mine), TICK)
        self.assertEqual(looks.lost_ns([found]).value, 2500)

    def test_a_tick_that_became_anothers_turn_is_no_bare_tick(self):
        mine, bare = ticks(100, 15_000), ticks(100, 6000)
        turns = [Gap(gap.start, gap.start + 3_000_000, 3_000_000) for gap in bare[:70]]
        taken = looks.taken(watch(turns + bare[70:]), watch(mine), inside(mine), TICK)
        self.assertEqual(taken.tick, 6000)

    def test_the_tick_is_not_taken_off_looks_that_come_at_another_time(self):
        late, other = ticks(30, 15_000), apart(20, 10_000)
        taken = looks.taken(
            watch(ticks(100, 6000)), watch(late + other), inside(late + other), TICK
        )
        self.assertEqual(sorted(set(taken.lost)), [9000, 10_000])

    def test_a_tick_that_is_too_short_to_be_a_gap_takes_nothing(self):
        mine = ticks(100, 5000)
        taken = looks.taken(watch([]), watch(mine), inside(mine), TICK)
        self.assertEqual(looks.lost_ns([taken]), Figure.exact(5000))

    def test_two_looks_in_one_gap_have_it_in_common(self):
        one = Gap(500_000, 530_000, 30_000)
        taken = looks.taken(watch([]), watch([one]), [510_000, 520_000], TICK)
        self.assertEqual(taken.lost, [15_000, 15_000])

    def test_the_ends_of_a_gap_belong_to_it(self):
        one = Gap(500_000, 530_000, 30_000)
        taken = looks.taken(watch([]), watch([one]), [500_000, 530_000, 530_001], TICK)
        self.assertEqual((taken.n, taken.n_matched), (3, 2))

    def test_looks_before_and_after_the_watch_are_not_asked_for(self):
        taken = looks.taken(
            watch([]), Watch(100, 200, []), [50, 99, 201, 1000], TICK
        )
        self.assertEqual((taken.n, taken.n_matched), (0, 0))

    def test_another_programs_turn_is_matched_but_not_what_a_look_takes(self):
        turns, mine = apart(10, looks.AWAY_NS), ticks(100, 8000)
        taken = looks.taken(
            watch([]), watch(turns + mine), inside(turns + mine), TICK
        )
        self.assertEqual(taken.n_matched, 110)
        self.assertEqual(set(taken.lost), {8000})


class WhatIsNotKnown(unittest.TestCase):
    def test_where_gaps_hold_too_few_of_the_looks_there_is_no_figure(self):
        mine = apart(100, 20_000)
        for n_elsewhere, is_known in ((25, True), (26, False)):
            elsewhere = [gap.end + 500_000 for gap in mine[:n_elsewhere]]
            taken = looks.taken(watch([]), watch(mine), inside(mine) + elsewhere, TICK)
            self.assertEqual(looks.lost_ns([taken]) is not None, is_known)

    def test_looks_by_another_clock_have_no_figure(self):
        mine = apart(100, 20_000)
        times = [time + 777_777 for time in inside(mine)]
        taken = looks.taken(watch([]), watch(mine), times, TICK)
        self.assertIsNone(looks.lost_ns([taken]))

    def test_without_looks_there_is_no_figure(self):
        taken = looks.taken(watch([]), watch(background(50)), [], TICK)
        self.assertEqual(looks.matched_percent([taken]), 0)
        self.assertIsNone(looks.lost_ns([taken]))

    def test_few_looks_are_a_figure_only_with_those_of_other_rounds(self):
        mine = apart(looks.LEAST_LOOKS - 1, 20_000)
        taken = looks.taken(watch([]), watch(mine), inside(mine), TICK)
        self.assertIsNone(looks.lost_ns([taken]))
        self.assertIsNotNone(looks.lost_ns([taken, taken]))


if __name__ == "__main__":
    unittest.main()
