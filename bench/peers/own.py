"""What is measured without the kit: the exported models against XLA:CPU, and
products and convolutions against oneDNN and Eigen."""
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

import environments

ROOT = pathlib.Path(__file__).resolve().parents[2]


def last_json(command):
    done = subprocess.run([str(word) for word in command], text=True, capture_output=True)
    if done.returncode != 0:
        raise RuntimeError((done.stderr or done.stdout).strip()[-300:])
    return json.loads(done.stdout.strip().splitlines()[-1])


def model_folders(shared):
    base = shared / "models"
    if not (base / "make_inputs.py").exists():
        base = ROOT / "tests/e2e/models"
    return base, sorted(one for one in base.iterdir() if (one / "module.mlir").exists())


def make_inputs(base, folder, to):
    tool = [base / "make_inputs.py"] if (base / "make_inputs.py").exists() else \
        [ROOT / "tools/dev/model_data.py", "inputs"]
    subprocess.run([sys.executable, *map(str, tool), str(folder), str(to)], check=True)


def middle(rounds):
    return {"run_ms": statistics.median(one["run_ms_median"] for one in rounds),
            "compile_ms": statistics.median(one["compile_ms"] for one in rounds)}


def models(shared, xlac, jax_python, only, rounds, iterations, notes):
    """Medians over rounds in which every model and peer has one process."""
    base, folders = model_folders(shared)
    results = {}
    for folder in folders:
        if only and folder.name not in only:
            continue
        with tempfile.TemporaryDirectory(prefix="xlac-bench-") as scratch:
            inputs = pathlib.Path(scratch) / "in"
            make_inputs(base, folder, inputs)
            commands = {"xlac": [xlac, "bench", folder / "module.mlir", "--iters", iterations,
                                 "--json", "--no-cache", "--inputs",
                                 *sorted(inputs.glob("in_*.npy"))]}
            if jax_python:
                through_jax = [jax_python, ROOT / "bench/models/xla_worker.py",
                               folder / "module.mlir", inputs, iterations]
                commands["xla_cpu"] = ["env", "JAX_PLATFORMS=cpu", *through_jax]
                plugin = environments.plugin() | {"XLAC_CACHE": "0"}
                commands["jax on xlac"] = ["env", *(f"{name}={value}" for name, value
                                                    in plugin.items()), *through_jax]
            seen = {who: [] for who in commands}
            try:
                for _ in range(rounds):
                    for who, command in commands.items():
                        seen[who].append(last_json(command))
            except RuntimeError as problem:
                notes.append(f"model {folder.name}: {problem}")
                continue
        results[folder.name] = {who: middle(every) for who, every in seen.items()}
        print(f"{folder.name}: " + ", ".join(
            f"{who} {one['run_ms']:.2f} ms, compile {one['compile_ms']:.0f} ms"
            for who, one in results[folder.name].items()), flush=True)
    return results


def parse_contractions(text):
    """Rates of contraction_bench's lines, by name: {"xlac": 120.1, "onednn": …}."""
    results = {}
    for line in text.splitlines():
        rates = re.findall(r"\b(xlac|ours|Eigen|oneDNN) +([0-9.]+) \(", line)
        if not rates:
            continue
        name = line[:line.index(rates[0][0])].strip()
        names = {"ours": "xlac", "Eigen": "eigen", "oneDNN": "onednn"}
        results[name] = {names.get(who, who): float(rate) for who, rate in rates}
    return results


def contractions(build, notes):
    program = build / "bin/contraction_bench"
    if not program.exists():
        notes.append("products against oneDNN: contraction_bench is not built (oneDNN is missing)")
        return {}
    done = subprocess.run([program], text=True, capture_output=True)
    print(done.stdout, end="", flush=True)
    if done.returncode != 0:
        notes.append(f"products against oneDNN: {done.stderr.strip()[-200:]}")
    return parse_contractions(done.stdout)
