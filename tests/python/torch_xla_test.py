"""Compares PyTorch/XLA programs on xlac with the same programs on PyTorch/XLA's CPU device.

Requires torch and torch_xla 2.9.0 and the installed package `xlac`.
"""
import json
import os
import pathlib
import subprocess
import sys
import unittest

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
# The largest difference of numbers after some training steps, relative to the largest number.
TOLERANCE = 1e-3
ON_FOUR_DEVICES = ("launch", "spmd", "tensor_parallel")


def run(name, device):
    count = "4" if name in ON_FOUR_DEVICES else "1"
    environment = {**os.environ, "PJRT_DEVICE": device, "XLAC_PJRT_DEVICES": count,
                   "CPU_NUM_DEVICES": count}
    done = subprocess.run([sys.executable, HERE / "torch_xla_programs.py", name],
                          env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise AssertionError(f"{name} on {device}:\n{done.stderr[-3000:]}")
    return np.array(json.loads(done.stdout.splitlines()[-1]))


class TorchXla(unittest.TestCase):
    def compare(self, name):
        ours, expected = run(name, "XLAC"), run(name, "CPU")
        self.assertEqual(ours.shape, expected.shape)
        self.assertLessEqual(np.abs(ours - expected).max(), TOLERANCE * np.abs(expected).max(),
                             (ours, expected))

    def test_mnist(self):
        self.compare("mnist")

    def test_resnet50(self):
        self.compare("resnet50")

    def test_launch_in_this_process(self):
        self.compare("launch_here")

    def test_launch_over_devices(self):
        self.compare("launch")

    def test_spmd(self):
        self.compare("spmd")

    def test_tensor_parallel(self):
        self.compare("tensor_parallel")

    def test_checkpointing(self):
        self.compare("checkpointing")

    def test_export(self):
        self.compare("export")

    def test_export_with_unknown_sizes(self):
        self.compare("export_symbolic")

    def test_eager(self):
        self.compare("eager")


if __name__ == "__main__":
    unittest.main()
