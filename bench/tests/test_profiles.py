import pathlib
import struct
import tempfile
import unittest

from harness import perf_places, profiles


def gmon(low, counts):
    """A gmon.out with one record of counters of two bytes."""
    head = struct.pack("<4sI12x", b"gmon", 1)
    record = struct.pack(
        "<BQQII15sc", 0, low, low + 2 * len(counts), len(counts), 100, b"seconds", b"s"
    )
    return head + record + struct.pack(f"<{len(counts)}H", *counts)


SYMS = """# gmon.syms 2
# object 1000 2000 0 abc /bin/it 2a
# object 100000 200000 f0000 - /lib/a%20b.so
0000000000001000 T one
0000000000001004 T two
0000000000100000 T operator new(unsigned long)
"""


class GmonOut(unittest.TestCase):
    def test_each_counter_is_told_with_its_address(self):
        found = list(profiles.gmon_bins(gmon(0x1000, [1, 0, 5])))
        self.assertEqual(found, [(0x1000, 1), (0x1004, 5)])

    def test_records_that_repeat_are_all_told(self):
        data = gmon(0x1000, [65535])
        found = list(profiles.gmon_bins(data + data[20:]))
        self.assertEqual(sum(ticks for _, ticks in found), 2 * 65535)

    def test_what_is_no_gmon_out_is_refused(self):
        with self.assertRaises(profiles.Unreadable):
            list(profiles.gmon_bins(b"nomg" + bytes(40)))


class GmonSyms(unittest.TestCase):
    def test_an_address_has_the_name_that_begins_last_before_it(self):
        symbols = profiles.gmon_symbols(SYMS)
        self.assertEqual(symbols.name_at(0x1003), "one")
        self.assertEqual(symbols.name_at(0x1004), "two")

    def test_names_and_paths_may_have_blanks(self):
        symbols = profiles.gmon_symbols(SYMS)
        self.assertEqual(symbols.name_at(0x100000), "operator new(unsigned long)")
        self.assertEqual(symbols.place_of("/lib/a%20b.so", 0x10010), 0x100010)

    def test_a_file_that_is_not_in_it_has_no_place(self):
        self.assertIsNone(profiles.gmon_symbols(SYMS).place_of("/lib/c.so", 0x10))


class Pairs(unittest.TestCase):
    def test_each_process_has_its_gmon_out_with_its_symbols(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in ("gmon.out", "gmon.out.12", "other"):
                pathlib.Path(folder, name).write_bytes(gmon(0x1000, [len(name)]))
            for name in ("gmon.syms", "gmon.out.12.syms", "nobody.syms"):
                pathlib.Path(folder, name).write_text(SYMS, encoding="utf-8")
            found = [list(profiles.gmon_bins(data)) for data, _ in profiles.gmon_pairs(folder)]
        self.assertEqual(sorted(found), [[(0x1000, 8)], [(0x1000, 11)]])


class Summary(unittest.TestCase):
    def test_counters_of_several_processes_are_added(self):
        text = "       255  samples they came with\n         5  samples they came with\n"
        self.assertEqual(profiles.profrun_counters(text)["samples they came with"], 260)


    def test_the_time_of_stops_is_not_the_programs(self):
        text = (
            "  time      wall 0.7 s, CPU 0.421 s (user 0.47, system 0.06), 1 thread\n"
            "  stops     took 0.122 s more, 28.9 %, which user and system include\n"
        )
        self.assertEqual(profiles.seconds_in(text, profiles._CPU), 0.421)
        self.assertEqual(profiles.seconds_in(text, profiles._STOPS), 0.122)


class Gperftools(unittest.TestCase):
    def test_ticks_are_those_of_the_innermost_address(self):
        words = [0, 3, 0, 10000, 0, 7, 2, 0x10, 0x20, 1, 1, 0x10, 0, 1, 0]
        data = struct.pack(f"<{len(words)}Q", *words) + b"00-99 r-xp 0 0 0 /none\n"
        self.assertEqual(profiles.gperftools_ticks(data), {"/none": 8})


class PerfScript(unittest.TestCase):
    SCRIPT = """
PERF_RECORD_MMAP2 7/7: [0x5000(0x1000) @ 0x1000 fe:00 5 0]: r-xp /none
             5010 ABI:2    IP:0x5010
 ffffffff81d33df7 ABI:2    IP:0x5020
 ffffffff81d33df7 ABI:2    IP:0x9000
"""

    def test_a_sample_in_the_kernel_is_at_the_users_place_if_it_is_no_call(self):
        class Names:
            def of(self, path, offset):
                return f"{path}+{offset:x}"

        # A file that cannot be read has no syscall instruction.
        found = perf_places.ticks_of(self.SCRIPT, Names())
        self.assertEqual(
            found, {"/none+1010": 1, "/none+1020": 1, profiles.KERNEL: 1}
        )

    def test_system_calls_are_one_function(self):
        ticks = {"[kernel]:read": 2, "[kernel]:write": 3, "main": 1}
        self.assertEqual(
            perf_places.collapse(ticks), {profiles.KERNEL: 5, "main": 1}
        )


if __name__ == "__main__":
    unittest.main()
