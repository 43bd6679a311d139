import unittest

from harness import moments
from harness.profiles import Unreadable


class Moments(unittest.TestCase):
    def test_a_sample_of_profrun_has_its_time(self):
        text = '{"info":{"clock":"cpu"},"samples":[{"time_ns":49888732398157,"pid":1},\n'
        text += '{"time_ns":49888733346571,"pid":1}]}'
        self.assertEqual(moments.of_samples(text), [49888732398157, 49888733346571])

    def test_what_profrun_did_not_export_is_refused(self):
        for text in ("", "[]", '{"samples":[{"pid":1}]}', '{"samples":0}'):
            with self.assertRaises(Unreadable):
                moments.of_samples(text)

    def test_seconds_of_perf_are_nanoseconds_to_the_last_digit(self):
        text = "50067.205710981: \n  7.000000001: \n"
        self.assertEqual(moments.of_script(text), [50067205710981, 7000000001])

    def test_stops_tells_its_looks_among_the_gaps(self):
        self.assertEqual(moments.of_stops("gap 1 2\nlook 5\nlook 17\n"), [5, 17])


if __name__ == "__main__":
    unittest.main()
