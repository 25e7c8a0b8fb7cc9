#!/usr/bin/env python3
"""Times small programs through JAX: xlac's plugin beside JAX's own CPU backend.

    ./dev bench jax [--cases NAMES] [--rounds N] [--json FILE]

Both processes stay up and take turns; what counts is the ratio of their medians. $XLAC_JAX_PYTHON
names an interpreter that has jax; else build/venv-jax is made.
"""
import argparse
import json
import pathlib
import statistics
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(HERE.parent / "peers"))

import environments  # noqa: E402
from worker_process import Worker  # noqa: E402

CASES = ("call_of_one_op", "waited_call_of_one_op", "call_of_100_arguments", "calls_in_flight",
         "from_numpy_64_mib", "to_numpy_64_mib", "compile_one_op")


def measure(workers, cases, rounds):
    """Seconds of each round, by case and worker."""
    times = {}
    for case in cases:
        for worker in workers.values():
            worker.ask(case)
        times[case] = {name: [] for name in workers}
        for turn in range(rounds):
            for name in list(workers)[::1 if turn % 2 else -1]:
                times[case][name].append(workers[name].ask(case))
    return times


def show(times):
    print(f"{'case':24} {'xlac':>11} {'stock':>11} {'ratio':>6}")
    for case, of_workers in times.items():
        own, stock = (statistics.median(of_workers[name]) for name in ("xlac", "stock"))
        print(f"{case:24} {own * 1e6:8.1f} us {stock * 1e6:8.1f} us {own / stock:6.2f}")


def main():
    parser = argparse.ArgumentParser(prog="./dev bench jax", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", type=lambda text: text.split(","), default=CASES)
    parser.add_argument("--rounds", type=int, default=11)
    parser.add_argument("--plugin", type=pathlib.Path,
                        default=ROOT / "build/release/lib/libpjrt_xlac.so")
    parser.add_argument("--json", type=pathlib.Path, help="file for all numbers")
    options = parser.parse_args()
    notes = []
    python = environments.environment("jax", "jax", ["jax==0.10.2"], notes)
    if not python:
        print("\n".join(notes))
        return 1
    command = [python, HERE / "jax_worker.py"]
    workers = {"xlac": Worker(command, **environments.plugin(options.plugin)),
               "stock": Worker(command, JAX_PLATFORMS="cpu")}
    try:
        times = measure(workers, options.cases, options.rounds)
    finally:
        for worker in workers.values():
            worker.end()
    show(times)
    if options.json:
        options.json.write_text(json.dumps(times, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
