"""What ./dev bench makes of a made-up run: ratios, aims, table and plot."""
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bench/peers"))

import figures  # noqa: E402
import own  # noqa: E402
import plot  # noqa: E402
import table  # noqa: E402

MIB = 1 << 20


def workload(times, compiles=None, size=MIB, wrong=(), rss=None):
    """A workload of the kit's document; `times` by peer."""
    compiles, rss = compiles or {}, rss or {}
    return {"meta": {"flops": 1e9, "bytes": size, "io_bytes": size},
            "peers": {peer: {"ok": True, "check": {"ok": peer not in wrong},
                             "cold": {"compile_ms": compiles.get(peer, 50)},
                             "warm": {"total_less_inputs_ms": 700}} for peer in times},
            "run": {**{peer: {"min_ms": time, "peak_rss_mb": rss.get(peer, 100)}
                       for peer, time in times.items()},
                    "xla_cpu@1": {"min_ms": 0.001}, "iree": {"why": "it failed"}}}


def document():
    return {"workloads": {
        "small": workload({"xlac": 1, "xla_cpu": 4, "torch_eager": 2}, {"xlac": 10}),
        "large": workload({"xlac": 8, "xla_cpu": 10, "torch_eager": 4},
                          {"xlac": 30, "xla_cpu": 300}, size=64 * MIB),
        "resnet50_train": workload({"xlac": 3, "xla_cpu": 6}, {"xlac": 500, "xla_cpu": 1000},
                                   rss={"xlac": 60, "xla_cpu": 120})},
        "warm_starts": {"small": {"total_ms": 14, "start_ms": 12}}}


def bound(name, meta):
    return None if name == "small" else (2.0, "byte" if name == "large" else "flop")


def aim(aims, start):
    return next(one for one in aims if one.what.startswith(start))


class Figures(unittest.TestCase):
    def setUp(self):
        self.rows = figures.rows_of(document(), bound, 64 * MIB / 7.2e-3)
        self.aims = figures.aims(self.rows, {"a": 1.0, "b": 0.81})

    def test_geometric_mean(self):
        self.assertAlmostEqual(figures.geometric_mean([0.5, 2.0]), 1)
        self.assertAlmostEqual(figures.geometric_mean([2, 4, 8]), 4)
        self.assertIsNone(figures.geometric_mean([]))

    def test_ratios_of_each_workload(self):
        small, large, _ = self.rows
        self.assertEqual(small.fastest(), ("torch_eager", 2))
        self.assertEqual(small.to_fastest(), 0.5)
        self.assertEqual(small.ratio("xla_cpu"), 0.25)
        self.assertIsNone(small.ratio("iree"))
        self.assertIsNone(small.to_bound())
        self.assertEqual(large.to_bound(), 4)
        self.assertAlmostEqual(large.stream, 0.9)
        self.assertIsNone(small.stream)

    def test_wrong_results_of_peers_do_not_count(self):
        rows = figures.rows_of({"workloads": {
            "one": workload({"xlac": 1, "xla_cpu": 4, "torch_eager": 0.1}, wrong=("torch_eager",)),
            "two": workload({"xlac": 1, "xla_cpu": 4}, wrong=("xlac",))}})
        self.assertEqual(rows[0].fastest(), ("xla_cpu", 4))
        self.assertFalse(rows[0].wrong)
        self.assertTrue(rows[1].wrong)
        self.assertIn("1.00 ✗", table.run_table(rows))

    def test_means_and_worst_against_the_aims(self):
        fastest = aim(self.aims, "run / fastest")
        self.assertEqual(fastest.values, {"small": 0.5, "large": 2.0, "resnet50_train": 0.5})
        self.assertAlmostEqual(fastest.mean(), 0.5 ** (1 / 3))
        self.assertEqual(fastest.worst(), ("large", 2.0))
        self.assertFalse(fastest.is_met())
        self.assertAlmostEqual(aim(self.aims, "run / roofline").mean(), 6 ** 0.5)
        self.assertEqual(aim(self.aims, "cold compile / XLA:CPU, where").values,
                         {"large": 0.1, "resnet50_train": 0.5})
        self.assertEqual(aim(self.aims, "cold compile / XLA:CPU, elsewhere").values, {"small": 0.2})
        self.assertTrue(aim(self.aims, "cold compile / XLA:CPU, elsewhere").is_met())
        self.assertTrue(aim(self.aims, "fresh process with warm cache, less").is_met())
        self.assertAlmostEqual(aim(self.aims, "fresh process with warm cache /").mean(), 0.02)
        memory = aim(self.aims, "peak memory")
        self.assertEqual(memory.values, {"resnet50_train": 0.5})
        self.assertTrue(memory.is_met())
        products = aim(self.aims, "GEMM")
        self.assertAlmostEqual(products.mean(), 0.9)
        self.assertEqual(products.worst(), ("b", 0.81))
        self.assertFalse(products.is_met())

    def test_limits_count(self):
        self.assertTrue(figures.Aim("x", {"a": 0.9}, 0.9, 1.1).is_met())
        self.assertFalse(figures.Aim("x", {"a": 0.91}, 0.9, 1.1).is_met())
        self.assertFalse(figures.Aim("x", {"a": 0.5, "b": 1.2}, 0.9, 1.1).is_met())
        self.assertFalse(figures.Aim("x", {"a": 0.94}, 0.95, at_least=True).is_met())
        self.assertIsNone(figures.Aim("x", {}, 0.9).is_met())

    def test_the_report_names_what_is_missed_and_left_out(self):
        text = table.report({**document(), "notes": ["torch: cannot be installed"]},
                            self.rows, self.aims)
        self.assertIn("| run / fastest peer | 0.79 | 2.00 (large) | ≤ 0.55, each ≤ 1.05 | no | 3 |",
                      text)
        self.assertIn("| small | 1.00 | 4.00 | **2.00** | 0.50 | 0.25 | – |", text)
        self.assertIn("| large | 8.00 | 10.0 | **4.00** | 2.00 | 0.80 | 25% |", text)
        self.assertIn("Left out: torch: cannot be installed.", text)
        self.assertEqual(len({line.count("|") for line in table.run_table(self.rows).splitlines()}),
                         1)

    def test_the_plot_puts_faster_left_of_slower(self):
        svg = xml.etree.ElementTree.fromstring(plot.draw(self.rows))
        place = {}
        for circle in svg.iter("{http://www.w3.org/2000/svg}circle"):
            for title in circle:
                place.setdefault(title.text, float(circle.get("cx")))
        ratios = [float(re.search(r"[0-9.]+$", title).group()) for title in place]
        self.assertEqual(sorted(place.values()),
                         [x for _, x in sorted(zip(ratios, place.values()))])
        # A logarithmic axis: equal factors are equal distances.
        self.assertAlmostEqual(place["XLA:CPU: 0.50"] - place["XLA:CPU: 0.25"],
                               (place["PyTorch: 2.00"] - place["PyTorch: 0.50"]) / 2, delta=0.2)

    def test_reads_the_lines_of_contraction_bench(self):
        text = ("GFLOP/s, median (best); ratio against the better peer\n"
                "1024 x 1024 x 1024                  xlac  115.0 (120.0)  Eigen   99.5 (100.0)"
                "  oneDNN  125.0 (126.0)  ratio 0.92\n"
                "conv 3x3 64                         xlac   90.0 ( 95.0)  oneDNN  100.0 (101.0)"
                "  ratio 0.90\n")
        self.assertEqual(own.parse_contractions(text), {
            "1024 x 1024 x 1024": {"xlac": 115.0, "eigen": 99.5, "onednn": 125.0},
            "conv 3x3 64": {"xlac": 90.0, "onednn": 100.0}})


class Script(unittest.TestCase):
    def test_draws_an_earlier_run_again(self):
        import json
        with tempfile.TemporaryDirectory() as folder:
            saved = pathlib.Path(folder) / "run.json"
            saved.write_text(json.dumps({**document(), "command": "./dev bench"}))
            done = subprocess.run([sys.executable, ROOT / "bench/run_bench.py", "--render", saved,
                                   "--shared", folder, "--out", folder, "--name", "again"],
                                  capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("| run / fastest peer |", done.stdout)
            self.assertTrue((pathlib.Path(folder) / "again.svg").exists())

    def test_refuses_unknown_parts(self):
        done = subprocess.run([sys.executable, ROOT / "bench/run_bench.py", "--parts", "all"],
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 2)


if __name__ == "__main__":
    unittest.main()
