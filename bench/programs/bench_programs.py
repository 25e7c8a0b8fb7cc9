#!/usr/bin/env python3
"""Times many small programs beside XLA:CPU, to find those for which xlac is slow.

    ./dev bench programs [FOLDER | --patterns] [--only REGEX] [--rounds N] [--json FILE]

FOLDER has a folder for each program, with module.mlir and in_NNN.npy. The default is the archive
$XLAC_SHARED/programs/programs.tar.zst of programs that JAX and PyTorch/XLA exported from public
libraries, unpacked in build/programs. --patterns measures the common computations of patterns.py.
Both sides take turns; what counts is the ratio of their least times. $XLAC_JAX_PYTHON names an
interpreter that has jax; else build/venv-jax is made.
"""
import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(HERE.parent / "peers"))

import environments  # noqa: E402
import figures  # noqa: E402
from worker_process import Worker  # noqa: E402

SHARED = pathlib.Path(os.environ.get("XLAC_SHARED", ROOT.parent / "shared"))
# A program above this ratio is listed as slow.
SLOW = 1.05


def unpack():
    archive, folder = SHARED / "programs/programs.tar.zst", ROOT / "build/programs"
    if not folder.exists() and archive.exists():
        folder.mkdir(parents=True)
        subprocess.run(["tar", "--zstd", "-xf", archive, "-C", folder], check=True)
    return folder


def export_patterns(python):
    folder = ROOT / "build/patterns"
    subprocess.run([python, HERE / "patterns.py", folder], check=True,
                   env=os.environ | {"JAX_PLATFORMS": "cpu"})
    return folder


def run_xlac(xlac, folder, iterations, cache):
    """The report of `xlac bench` in a new process with an empty cache."""
    inputs = sorted(folder.glob("in_*.npy"))
    command = [xlac, "bench", folder / "module.mlir", "--iters", iterations, "--json",
               "--cache-dir", cache, *(["--inputs", *inputs] if inputs else [])]
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True,
                          timeout=300, check=False)
    if done.returncode:
        raise RuntimeError((done.stderr or done.stdout).strip()[-200:])
    return json.loads(done.stdout)


def measure(xlac, python, folder, rounds, seconds):
    """Least times of runs and of compilations in milliseconds, by side."""
    with tempfile.TemporaryDirectory(prefix="xlac-bench-") as scratch:
        own = [run_xlac(xlac, folder, 3, pathlib.Path(scratch) / "first")]
        iterations = int(min(max(seconds * 1e3 / max(own[0]["run_ms_min"], 1e-3), 3), 20000))
        peer = Worker([python, HERE / "xla_worker.py", folder])
        try:
            compiled = json.loads(peer.process.stdout.readline() or "{}")
            if not compiled:
                raise RuntimeError("XLA:CPU ends")
            peers = []
            for turn in range(rounds):
                peers.append(peer.ask(str(seconds))["run_ms"])
                own.append(run_xlac(xlac, folder, iterations, pathlib.Path(scratch) / str(turn)))
        finally:
            peer.end()
    return {"xlac": {"run_ms": min(one["run_ms_min"] for one in own),
                     "compile_ms": min(one["compile_ms"] for one in own)},
            "xla_cpu": {"run_ms": min(peers), **compiled}}


def ratio(result, what):
    return result["xlac"][what] / result["xla_cpu"][what]


def summarize(results):
    measured = {name: one for name, one in results.items() if "error" not in one}
    for what, verb in (("run_ms", "run"), ("compile_ms", "compile")):
        mean = figures.geometric_mean(ratio(one, what) for one in measured.values())
        if mean is not None:
            print(f"{len(measured)} programs {verb} in {mean:.3f} of XLA:CPU's time "
                  "(geometric mean)")
    slow = {name: ratio(one, "run_ms") for name, one in measured.items()
            if ratio(one, "run_ms") > SLOW}
    print(f"{len(slow)} run longer than {SLOW} of it: " + ", ".join(
        f"{name} {value:.2f}" for name, value in sorted(slow.items(), key=lambda s: -s[1])))
    failed = [name for name, one in results.items() if "error" in one]
    print(f"{len(failed)} were not measured: {', '.join(failed)}")


def main():
    parser = argparse.ArgumentParser(prog="./dev bench programs", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path, nargs="?")
    parser.add_argument("--patterns", action="store_true",
                        help="common computations, exported by jax to build/patterns")
    parser.add_argument("--only", type=re.compile, default=re.compile(""), metavar="REGEX")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=0.25, help="length of a turn")
    parser.add_argument("--xlac", type=pathlib.Path, default=ROOT / "build/release/bin/xlac")
    parser.add_argument("--json", type=pathlib.Path, help="file for all numbers")
    options = parser.parse_args()
    notes = []
    python = environments.environment("jax", "jax", ["jax==0.10.2"], notes)
    if not python:
        print("\n".join(notes))
        return 1
    base = options.folder or (export_patterns(python) if options.patterns else unpack())
    folders = [one.parent for one in sorted(base.glob("*/module.mlir"))
               if options.only.search(one.parent.name)]
    if not folders:
        print(f"{base} has no programs of that name")
        return 1
    results = {}
    for folder in folders:
        try:
            one = measure(options.xlac, python, folder, options.rounds, options.seconds)
            print(f"{folder.name:36} xlac {one['xlac']['run_ms']:10.4f} ms, XLA:CPU "
                  f"{one['xla_cpu']['run_ms']:10.4f} ms: {ratio(one, 'run_ms'):.2f}, compile "
                  f"{ratio(one, 'compile_ms'):.2f}", flush=True)
        except (RuntimeError, subprocess.TimeoutExpired) as problem:
            one = {"error": str(problem)}
            print(f"{folder.name:36} {problem}", flush=True)
        results[folder.name] = one
        if options.json:
            options.json.write_text(json.dumps(results, indent=1))
    summarize(results)
    return 0


if __name__ == "__main__":
    sys.exit(main())
