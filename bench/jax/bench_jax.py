#!/usr/bin/env python3
"""Times small programs and training through JAX: xlac's plugin beside JAX's own CPU backend.

    ./dev bench jax [--cases NAMES] [--models NAMES] [--rounds N] [--json FILE]

Both processes stay up and take turns; what counts is the ratio of their medians. The losses of
training are compared too. $XLAC_JAX_PYTHON names an interpreter that has jax, flax and optax; else
build/venv-jax is made.
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
MODELS = ("flax_convnet", "flax_gpt")
REQUIREMENTS = ["jax==0.10.2", "flax==0.12.8", "optax==0.2.8"]
# Of which losses are compared, and of a round.
CURVE_STEPS, ROUND_STEPS = 50, 10


def names(text):
    return [name for name in text.split(",") if name]


def start(command, plugin):
    return {"xlac": Worker(command, **environments.plugin(plugin)),
            "stock": Worker(command, JAX_PLATFORMS="cpu")}


def end(workers):
    for worker in workers.values():
        worker.end()


def take_turns(workers, line, rounds):
    """The answers of each round, by worker."""
    answers = {name: [] for name in workers}
    for turn in range(rounds):
        for name in list(workers)[::1 if turn % 2 else -1]:
            answers[name].append(workers[name].ask(line))
    return answers


def measure(workers, cases, rounds):
    """Seconds of each round, by case and worker."""
    times = {}
    for case in cases:
        for worker in workers.values():
            worker.ask(case)
        times[case] = take_turns(workers, case, rounds)
    return times


def train(workers, rounds):
    """Losses of the first steps and seconds per step of each round, by worker."""
    losses = {name: worker.ask(f"curve {CURVE_STEPS}") for name, worker in workers.items()}
    seconds = take_turns(workers, f"time {ROUND_STEPS}", rounds)
    return {"losses": losses,
            "seconds": {name: [each / ROUND_STEPS for each in all_rounds]
                        for name, all_rounds in seconds.items()}}


def show(times):
    print(f"{'case':24} {'xlac':>11} {'stock':>11} {'ratio':>6}")
    for case, of_workers in times.items():
        own, stock = (statistics.median(of_workers[name]) for name in ("xlac", "stock"))
        print(f"{case:24} {own * 1e6:8.1f} us {stock * 1e6:8.1f} us {own / stock:6.2f}")


def show_training(model, result):
    own, stock = (result["losses"][name] for name in ("xlac", "stock"))
    apart = max(abs(a - b) / max(1.0, abs(b)) for a, b in zip(own, stock, strict=True))
    print(f"{model:24} losses of {CURVE_STEPS} steps are apart by at most {apart:.1e}")


def main():
    parser = argparse.ArgumentParser(prog="./dev bench jax", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", type=names, default=CASES)
    parser.add_argument("--models", type=names, default=MODELS)
    parser.add_argument("--rounds", type=int, default=11)
    parser.add_argument("--plugin", type=pathlib.Path,
                        default=ROOT / "build/release/lib/libpjrt_xlac.so")
    parser.add_argument("--json", type=pathlib.Path, help="file for all numbers")
    options = parser.parse_args()
    notes = []
    python = environments.environment("jax", "jax, flax, optax", REQUIREMENTS, notes)
    if not python:
        print("\n".join(notes))
        return 1
    workers = start([python, HERE / "jax_worker.py"], options.plugin)
    try:
        times = measure(workers, options.cases, options.rounds)
    finally:
        end(workers)
    trained = {}
    for model in options.models:
        workers = start([python, HERE / "training_worker.py", model], options.plugin)
        try:
            trained[model] = train(workers, options.rounds)
        finally:
            end(workers)
    show(times | {f"step of {model}": result["seconds"] for model, result in trained.items()})
    for model, result in trained.items():
        show_training(model, result)
    if options.json:
        options.json.write_text(json.dumps({"cases": times, "models": trained}, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
