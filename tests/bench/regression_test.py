"""The statistics of bench/regression on made-up times, and the whole script on
made-up builds."""
import argparse
import contextlib
import io
import json
import pathlib
import random
import stat
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "bench/regression/compare.py"
sys.path.insert(0, str(SCRIPT.parent))

import guard  # noqa: E402
import verdict  # noqa: E402


def noisy(random_numbers, factor, spread=0.05, rounds=16):
    """Ratios of a build that takes `factor` times as long, on a machine where now
    and then a neighbour doubles a time."""
    def time(of):
        disturbed = 2 if random_numbers.random() < 0.08 else 1
        return of * disturbed * random_numbers.lognormvariate(0, spread)
    return [time(factor) / time(1) for _ in range(rounds)]


class Statistics(unittest.TestCase):
    def test_sign_test_counts_rounds(self):
        self.assertAlmostEqual(verdict.sign_test([1.1] * 10), 2 ** -10)
        self.assertAlmostEqual(verdict.sign_test([0.9] * 10), 2 ** -10)
        self.assertAlmostEqual(verdict.sign_test([1.1] * 9 + [0.9]), 11 / 1024)
        self.assertEqual(verdict.sign_test([1.1, 0.9]), 0.75)
        self.assertEqual(verdict.sign_test([1.0] * 12), 1.0)

    def test_interval_holds_the_median_and_narrows(self):
        numbers = random.Random(5)
        few, many = noisy(numbers, 1, rounds=10), noisy(numbers, 1, rounds=200)
        widths = []
        for ratios in (few, many):
            low, high = verdict.median_interval(ratios)
            self.assertLessEqual(low, high)
            widths.append(high - low)
        self.assertLess(widths[1], widths[0] / 2)
        self.assertEqual(verdict.median_interval(few), verdict.median_interval(few))

    def test_equal_builds_are_not_accused(self):
        numbers = random.Random(11)
        wrong = sum(verdict.compare(noisy(numbers, 1), lambda: noisy(numbers, 1),
                                    0.02).confirmed != "same" for _ in range(300))
        self.assertEqual(wrong, 0)

    def test_a_slower_build_is_found(self):
        numbers = random.Random(13)
        found = sum(verdict.compare(noisy(numbers, 1.25), lambda: noisy(numbers, 1.25),
                                    0.05).confirmed == "slower" for _ in range(100))
        self.assertGreaterEqual(found, 85)

    def test_a_faster_build_is_no_regression(self):
        finding = verdict.compare([0.8] * 12, lambda: [0.8] * 12, 0.05)
        self.assertEqual(finding.confirmed, "faster")

    def test_less_than_the_threshold_is_the_same_however_sure(self):
        self.assertEqual(verdict.judge([1.03] * 100, 0.05).direction, "same")
        self.assertEqual(verdict.judge([1.03] * 100, 0.02).direction, "slower")

    def test_one_bad_set_is_not_enough(self):
        finding = verdict.compare([1.5] * 12, lambda: [1.0, 0.99, 1.01] * 4, 0.05)
        self.assertEqual(finding.first.direction, "slower")
        self.assertEqual(finding.confirmed, "same")
        finding = verdict.compare([1.5] * 12, lambda: [0.7] * 12, 0.05)
        self.assertEqual(finding.confirmed, "same")

    def test_a_second_set_is_measured_only_to_confirm(self):
        def never():
            raise AssertionError("measured again without need")
        self.assertIsNone(verdict.compare([1.0, 0.98, 1.02] * 4, never, 0.05).second)

    def test_a_few_bad_rounds_accuse_nobody(self):
        self.assertEqual(verdict.judge([1.01, 0.99] * 4 + [3.0] * 4, 0.05).direction, "same")


class Script(unittest.TestCase):
    """Builds are scripts that print the figures of their names."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = pathlib.Path(self.folder.name)
        (self.path / "program.mlir").write_text("")

    def build(self, name, run, first_run=None, calls=0):
        """Takes `run` ms, for its first `calls` calls `first_run` instead."""
        script, count = self.path / name, self.path / f"{name}.count"
        script.write_text(f"""#!{sys.executable}
import json, pathlib, sys
count = pathlib.Path({str(count)!r})
calls = int(count.read_text()) if count.exists() else 0
count.write_text(str(calls + 1))
run = {first_run if first_run is not None else run} if calls < {calls} else {run}
print(json.dumps({{"run_ms_median": run, "compile_ms": 5}}))
""")
        script.chmod(script.stat().st_mode | stat.S_IXUSR)
        return script

    def compare(self, old, new):
        report = self.path / "report.json"
        done = subprocess.run([sys.executable, SCRIPT, "--old", old, "--new", new, "--rounds", "8",
                               "--json", report, self.path / "program.mlir"],
                              capture_output=True, text=True)
        return done, json.loads(report.read_text()) if report.exists() else {}

    def test_a_regression_ends_with_1(self):
        done, report = self.compare(self.build("old", 10), self.build("new", 12))
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn("1 confirmed regressions: program.mlir: run", done.stdout)
        self.assertEqual(report["program.mlir/run"]["confirmed"], "slower")
        self.assertIsNone(report["program.mlir/compile"]["second"])

    def test_equal_and_faster_builds_end_with_0(self):
        old = self.build("old", 10)
        for time in (10, 8):
            done, _ = self.compare(old, self.build(f"new{time}", time))
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            self.assertIn("0 confirmed regressions", done.stdout)

    def test_what_was_slow_once_is_not_accused(self):
        done, report = self.compare(self.build("old", 10),
                                    self.build("new", 10, first_run=20, calls=8))
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(report["program.mlir/run"]["first"]["direction"], "slower")
        self.assertIn("not confirmed", done.stdout)

    def test_builds_that_fail_are_no_regression(self):
        broken = self.path / "broken"
        broken.write_text(f"#!{sys.executable}\nraise SystemExit('cannot run')\n")
        broken.chmod(broken.stat().st_mode | stat.S_IXUSR)
        done, _ = self.compare(self.build("old", 10), broken)
        self.assertEqual(done.returncode, 2)
        self.assertIn("cannot run", done.stdout)


class Guard(unittest.TestCase):
    """The guard on a made-up xlac, which says how long its run took."""

    WORK = {"flops": 2_000_000, "bytes": 8_000_000}  # 2 ms at 4 GB/s

    def run_guard(self, milliseconds):
        with tempfile.TemporaryDirectory() as folder:
            fake = pathlib.Path(folder) / "xlac"
            fake.write_text(f"#!{sys.executable}\nprint('"
                            + json.dumps({"run_ms_min": milliseconds, "peak_gflops": 4,
                                          "peak_gbytes": 4}) + "')\n")
            fake.chmod(fake.stat().st_mode | stat.S_IXUSR)
            options = argparse.Namespace(xlac=fake, target="avx2", write=False, factor=3)
            return guard.check(options, [pathlib.Path("program.mlir")],
                               {"quotients": {"avx2": {"program": 1.5}},
                                "work": {"program": self.WORK}})

    def test_divides_by_the_tighter_bound(self):
        self.assertAlmostEqual(guard.quotient(
            {"run_ms_min": 3, "peak_gflops": 4, "peak_gbytes": 4}, self.WORK), 1.5)
        self.assertAlmostEqual(guard.quotient(
            {"run_ms_min": 3, "peak_gflops": 0.5, "peak_gbytes": 4}, self.WORK), 0.75)

    def test_finds_a_program_beyond_the_factor(self):
        with contextlib.redirect_stdout(io.StringIO()) as said:
            self.assertEqual(self.run_guard(8.9), ({"program": 4.45}, 0))
            self.assertEqual(self.run_guard(9.1), ({"program": 4.55}, 1))
        self.assertIn("3.0 times slower than the baseline", said.getvalue())

    def test_every_program_has_a_baseline(self):
        baseline = json.loads((SCRIPT.parent / "baseline.json").read_text())
        names = {path.stem for path in (SCRIPT.parent / "programs").glob("*.mlir")}
        self.assertEqual(names, set(baseline["work"]))
        for target in guard.PROFILES:
            self.assertEqual(names, set(baseline["quotients"][target]))


if __name__ == "__main__":
    unittest.main()
