#!/usr/bin/env python3
"""How long small programs take to launch and to compile: xlac beside JAX on XLA:CPU, PyTorch
(eager and torch.compile) and MLX.

    ./dev bench latency [--peers NAMES] [--rounds N] [--json FILE]

A call waits for its result. The programs compute nothing, one op, and a chain of 100 ops on 16
numbers. "compile" is the time until the first result of a new program of one op in a process
that has compiled before, with caches on disk off. Processes take turns; the table has medians of
rounds. $XLAC_TORCH_PYTHON and $XLAC_JAX_PYTHON name interpreters; else build/venv-torch and
build/venv-jax are made. MLX is measured where the interpreter of PyTorch has it.
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
sys.path.insert(0, str(HERE.parent / "peers"))

import environments  # noqa: E402

PEERS = {"jax": "jax", "torch": "torch", "torch_compile": "torch", "mlx": "torch"}
REQUIREMENTS = {"torch": ["torch==2.9.0", "numpy>=2"], "jax": ["jax==0.10.2", "numpy>=2"]}
COLUMNS = ("empty_ns", "one_ns", "hundred_ns", "compile_ms")


def ask(command, scratch):
    """One worker's figures, or the last line of its error."""
    # Else programs that differ only in sizes share code.
    own = {"XLAC_CACHE": "off", "XLAC_SHARE_KERNELS": "off", "JAX_PLATFORMS": "cpu",
           "TORCHINDUCTOR_FORCE_DISABLE_CACHES": "1", "TORCHINDUCTOR_CACHE_DIR": str(scratch)}
    result = subprocess.run([str(word) for word in command], text=True, capture_output=True,
                            env=os.environ | own)
    if result.returncode != 0:
        return None, (result.stderr.strip().splitlines() or ["it failed"])[-1]
    return json.loads(result.stdout.strip().splitlines()[-1]), None


def measure(options, notes):
    pythons = {module: environments.environment(module, module, REQUIREMENTS[module], notes)
               for module in {PEERS[name] for name in options.peers}}
    commands = {"xlac": [options.worker]}
    commands |= {name: [pythons[PEERS[name]], HERE / "latency_worker.py", name]
                 for name in options.peers if pythons[PEERS[name]]}
    rounds = {name: [] for name in commands}
    with tempfile.TemporaryDirectory() as scratch:
        for _ in range(options.rounds):
            for name in list(rounds):
                figures, problem = ask(commands[name], scratch)
                if figures:
                    rounds[name].append(figures)
                    continue
                notes.append(f"{name} is left out: {problem}")
                del rounds[name]
    if "xlac" not in rounds:
        raise SystemExit(f"bench_latency: {notes[-1]}")
    return {name: {column: statistics.median(each[column] for each in figures)
                   for column in COLUMNS if column in figures[0]}
            for name, figures in rounds.items()}


def show(rows):
    print(f"{'':14} {'empty':>12} {'one op':>12} {'100 ops':>12} {'compile':>12}")
    for name, row in rows.items():
        cells = [f"{row[column]:9.0f} ns" if column.endswith("ns") else f"{row[column]:9.2f} ms"
                 for column in COLUMNS if column in row]
        blanks = [""] * (len(COLUMNS) - len(cells))
        if blanks and "empty_ns" not in row:
            cells = [""] + cells + blanks[1:]
        print(f"{name:14} " + " ".join(f"{cell:>12}" for cell in cells), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--peers", default=",".join(PEERS))
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--worker", default=ROOT / "build/release/bin/latency_worker")
    options = parser.parse_args()
    options.peers = [name for name in options.peers.split(",") if name]
    if unknown := set(options.peers) - set(PEERS):
        parser.error(f"no such peers: {', '.join(sorted(unknown))}")
    notes = []
    rows = measure(options, notes)
    show(rows)
    for note in notes:
        print(f"note: {note}")
    if options.json:
        options.json.write_text(json.dumps({"figures": rows, "notes": notes}, indent=1))


if __name__ == "__main__":
    main()
