#!/usr/bin/env python3
"""Trains models beside PyTorch, run eagerly and by torch.compile, torch_xla and JAX, on its own
CPU backend and on xlac: steps per second, and whether the losses are the same.

    ./dev bench training [--models NAMES] [--peers NAMES] [--size small|full] [--json FILE]

Each model starts from the same weights everywhere and sees the same batches. All
processes stay up, train 50 steps of which the losses are compared, and then take
turns: a round is some steps of each, one after the other, in changing order. What
counts are ratios of one run. $XLAC_TORCH_PYTHON and $XLAC_JAX_PYTHON name
interpreters; else build/venv-torch and build/venv-jax are made. The small size is
for trying the bench itself.
"""
import argparse
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(HERE.parent / "peers"))

import environments  # noqa: E402
from worker_process import Worker  # noqa: E402

MODELS = ("mnist_cnn", "char_gpt", "resnet18")
# Steps of a round, about a second each at full size.
STEPS = {"mnist_cnn": 50, "char_gpt": 20, "resnet18": 2}
# Among a million activations of a step some are so close to zero, or to another one
# in their window, that rounding decides where the gradient goes. The difference then
# grows with the rate: at 0.01 one such window makes 2e-3 after 50 steps of the
# convnet, and PyTorch's and JAX's own losses for ResNet-18 are 10 % apart.
LEARNING_RATES = {"mnist_cnn": 1e-3, "char_gpt": 0.01, "resnet18": 1e-4}
TOLERANCE = 1e-3
# The environment and module that each needs, its script, and how that is to run.
PEERS = {"torch": ("torch", "torch", "torch_worker.py", "eager"),
         "torch.compile": ("torch", "torch", "torch_worker.py", "compile"),
         "torch_xla": ("torch", "torch_xla", "torch_worker.py", "xla"),
         "jax": ("jax", "jax", "jax_worker.py"),
         "jax on xlac": ("jax", "jax", "jax_worker.py")}
REQUIREMENTS = {"torch": ["torch==2.9.0", "torch_xla==2.9.0", "numpy"], "jax": ["jax==0.10.2"]}


def largest_difference(losses, wanted):
    """Relative where losses are large."""
    return max(abs(a - b) / max(1.0, abs(b)) for a, b in zip(losses, wanted, strict=True))


def measure(model, options, peers, folder):
    """Steps per second and curves of all, by name."""
    subprocess.run([options.worker, "make", model, options.size, folder], check=True)
    which = [model, options.size, folder, LEARNING_RATES[model]]
    workers = {"xlac": Worker([options.worker, "train", *which])}
    workers |= {name: Worker([python, HERE / script, *which, *words],
                             **(environments.plugin() if name == "jax on xlac" else {}))
                for name, (python, script, *words) in peers.items()}
    try:
        curves = {name: worker.ask(f"curve {options.curve}") for name, worker in workers.items()}
        steps = max(1, round(STEPS[model] * options.scale))
        rates = {name: [] for name in workers}
        for turn in range(options.rounds):
            names = list(workers)
            for name in names[turn % len(names):] + names[:turn % len(names)]:
                rates[name].append(steps / workers[name].ask(f"time {steps}"))
    finally:
        for worker in workers.values():
            worker.end()
    return {"curves": curves, "rates": rates,
            "differences": {name: largest_difference(curves["xlac"], curves[name])
                            for name in peers}}


def show(model, result):
    print(f"\n{model}")
    own = statistics.median(result["rates"]["xlac"])
    for name, rates in result["rates"].items():
        line = f"  {name:13} {statistics.median(rates):9.2f} steps/s"
        if name != "xlac":
            line += (f"   xlac is {own / statistics.median(rates):5.2f} times as fast"
                     f"   losses differ by {result['differences'][name]:.1e}")
        print(line, flush=True)


def main():
    parser = argparse.ArgumentParser(prog="./dev bench training", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--worker", type=pathlib.Path,
                        default=ROOT / "build/release/bin/training_worker")
    parser.add_argument("--models", type=lambda text: text.split(","), default=list(MODELS))
    parser.add_argument("--peers", type=lambda text: text.split(","), default=list(PEERS))
    parser.add_argument("--size", choices=("small", "full"), default="full")
    parser.add_argument("--curve", type=int, default=50, help="steps whose losses are compared")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--scale", type=float, default=1, help="of the steps of a round")
    parser.add_argument("--json", type=pathlib.Path, help="file for all numbers")
    options = parser.parse_args()
    notes, peers = [], {}
    for peer in options.peers:
        name, module, *rest = PEERS[peer]
        if python := environments.environment(name, module, REQUIREMENTS[name], notes):
            peers[peer] = (python, *rest)
    for note in notes:
        print(f"left out: {note}")
    results = {}
    for model in options.models:
        with tempfile.TemporaryDirectory(prefix="xlac-training-") as folder:
            results[model] = measure(model, options, peers, folder)
        show(model, results[model])
    if options.json:
        options.json.write_text(json.dumps(results, indent=1))
    worst = max((difference for result in results.values()
                 for difference in result["differences"].values()), default=0)
    if worst > TOLERANCE:
        print(f"losses differ by more than {TOLERANCE}")
    return worst > TOLERANCE


if __name__ == "__main__":
    sys.exit(main())
