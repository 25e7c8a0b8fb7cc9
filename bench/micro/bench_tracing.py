#!/usr/bin/env python3
"""Compares what tracing costs in xlac and in libraries like it, in interleaved rounds.

    bench_tracing.py --peer-python PYTHON [--bench PATH] [--rounds N]

PYTHON is an interpreter that has some of torch_xla, mlx and torch; those that
it lacks are named and left out. The program is 1,000 operations on 16 numbers.
torch, which computes at once, is what a user pays without laziness.
"""
import argparse
import json
import pathlib
import statistics
import subprocess

HERE = pathlib.Path(__file__).resolve().parent
PEERS = ("torch_xla", "mlx", "torch")


def last_json(command):
    result = subprocess.run([str(word) for word in command], text=True, capture_output=True)
    if result.returncode != 0:
        return None
    return json.loads(result.stdout.strip().splitlines()[-1])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bench", type=pathlib.Path,
                        default=HERE.parents[1] / "build/release/bin/tracing_bench")
    parser.add_argument("--peer-python", required=True)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    commands = {"xlac": [options.bench]}
    commands |= {peer: [options.peer_python, HERE / "tracing_worker.py", peer] for peer in PEERS}
    rounds = {who: [] for who in commands}
    for _ in range(options.rounds):
        for who, command in commands.items():
            if rounds[who] is not None:
                figures = last_json(command)
                rounds[who] = rounds[who] + [figures] if figures else None
    ours = rounds.pop("xlac")
    if not ours:
        raise SystemExit(f"bench_tracing: {options.bench} failed")

    def median(figures, key):
        return statistics.median(entry[key] for entry in figures)

    print(f"{'':10} {'record one':>12} {'ratio':>6} {'launch 1,000':>13} {'ratio':>6}")
    for who, figures in [("xlac", ours), *rounds.items()]:
        if not figures:
            print(f"{who:10} not installed")
            continue
        record, launch = (median(figures, key) for key in ("record_ns", "launch_us"))
        print(f"{who:10} {record:9.0f} ns {record / median(ours, 'record_ns'):6.2f} "
              f"{launch:10.1f} us {launch / median(ours, 'launch_us'):6.2f}")
    print(f"xlac: a node with its shape rule and hash {median(ours, 'node_ns'):.0f} ns")


if __name__ == "__main__":
    main()
