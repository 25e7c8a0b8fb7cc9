#!/usr/bin/env python3
"""Compares xlac with XLA:CPU on the exported models in interleaved rounds.

    bench_models.py --xlac PATH --peer-python PYTHON [--rounds N] [--json F] [MODEL…]

PYTHON is an interpreter that has jax. Each round starts one process a peer and
a model, one after another; a figure is the median over the rounds of the
process's own median (run) or of its single compile. Prints a table of ratios.
"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]


def last_json(command, **environment):
    result = subprocess.run([str(word) for word in command], text=True, capture_output=True,
                            env={**os.environ, **environment})
    if result.returncode != 0:
        return {"error": (result.stderr or result.stdout).strip()[-300:]}
    return json.loads(result.stdout.strip().splitlines()[-1])


def measure(options, folder, inputs, cache):
    files = sorted(inputs.glob("in_*.npy"))
    cold = last_json([options.xlac, "bench", folder / "module.mlir", "--iters", options.iters,
                      "--json", "--no-cache", "--inputs", *files])
    peer = last_json([options.peer_python, HERE / "xla_worker.py", folder / "module.mlir",
                      inputs, options.iters])
    return {"xlac": cold, "xla_cpu": peer}


def median(rounds, who, key):
    return statistics.median(entry[who][key] for entry in rounds)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--xlac", type=pathlib.Path, default=ROOT / "build/release/bin/xlac")
    parser.add_argument("--peer-python", required=True)
    parser.add_argument("--models", type=pathlib.Path, default=ROOT.parent / "shared/models")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--iters", type=int, default=15)
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    report = {}
    print(f"{'model':22} {'xlac run':>10} {'XLA run':>10} {'ratio':>6} "
          f"{'xlac compile':>13} {'XLA compile':>12} {'ratio':>6}")
    for folder in sorted(options.models.iterdir()):
        if not (folder / "module.mlir").exists() or (options.names and folder.name not in options.names):
            continue
        with tempfile.TemporaryDirectory(prefix="xlac-bench-") as scratch:
            inputs = pathlib.Path(scratch) / "in"
            subprocess.run([sys.executable, options.models / "make_inputs.py", folder, inputs], check=True)
            rounds = [measure(options, folder, inputs, scratch) for _ in range(options.rounds)]
        report[folder.name] = rounds
        problems = [entry[who]["error"] for entry in rounds for who in entry if "error" in entry[who]]
        if problems:
            print(f"{folder.name:22} {problems[0]}")
            continue
        run, peer_run = (median(rounds, who, "run_ms_median") for who in ("xlac", "xla_cpu"))
        compiled, peer_compiled = (median(rounds, who, "compile_ms") for who in ("xlac", "xla_cpu"))
        print(f"{folder.name:22} {run:10.2f} {peer_run:10.2f} {run / peer_run:6.2f} "
              f"{compiled:13.1f} {peer_compiled:12.1f} {compiled / peer_compiled:6.2f}", flush=True)
    if options.json:
        options.json.write_text(json.dumps(report, indent=1))


if __name__ == "__main__":
    main()
