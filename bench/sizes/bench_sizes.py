#!/usr/bin/env python3
"""Programs of unknown sizes on many sizes: xlac beside torch.compile(dynamic=True), ONNX Runtime,
IREE and XLA:CPU, and beside xlac with code for each size.

    ./dev bench sizes [--models NAMES] [--peers NAMES] [--count N] [--json FILE]

All processes stay up and take turns: each gets the same sizes in the same order, the peers in
changing order. What counts is the waiting in all, which is the time of first results beyond that
of later runs, and the ratio of run times on equal sizes. Results of all peers are compared.
$XLAC_TORCH_PYTHON and $XLAC_JAX_PYTHON name interpreters; else build/venv-torch and
build/venv-jax are made.
"""
import argparse
import json
import math
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(HERE), str(HERE.parent / "peers")]

import arrays  # noqa: E402
import environments  # noqa: E402
from worker_process import Worker  # noqa: E402

# The largest batch and, for models of sequences, the largest length.
MODELS = {"mlp": (256,), "mlp_step": (256,), "convnet": (32,), "lstm": (32, 64),
          "transformer": (8, 256)}
PEERS = ("torch_compile", "torch_eager", "onnxruntime", "iree", "xla_cpu")
REQUIREMENTS = {"torch": ["torch==2.9.0", "onnx", "onnxruntime", "onnxscript", "numpy>=2"],
                "jax": ["jax==0.10.2", "iree-base-compiler==3.13.0",
                        "iree-base-runtime==3.13.0", "flatbuffers", "numpy>=2"]}
TOLERANCE = 2e-3


def sizes_of(model, count):
    """Distinct sizes: the largest first, then drawn ones."""
    draw = random.Random(3)
    chosen = [MODELS[model]]
    space = math.prod(most - 1 for most in MODELS[model])
    while len(chosen) < min(count, space):
        one = tuple(draw.randint(2, most) for most in MODELS[model])
        if one not in chosen:
            chosen.append(one)
    return chosen


def commands(model, options, work, pythons):
    """How each worker is started, with its environment, by name."""
    program, weights = work / f"{model}.jax_export", work / f"{model}.safetensors"
    subprocess.run([pythons["jax"], HERE / "jax_worker.py", "export", model, program], check=True)
    arrays.write_safetensors(
        weights, {f"w{i}": each for i, each in enumerate(arrays.weights(model))})
    own = [options.worker, program, weights, work / model]
    torch = [pythons["torch"], HERE / "torch_worker.py"]
    jax = [pythons["jax"], HERE / "jax_worker.py"]
    off = {"XLAC_CACHE": "off"}
    chosen = {"xlac": (own, off), "xlac_own_code": (own, off | {"XLAC_SHARE_KERNELS": "off"}),
              "torch_compile": (torch + ["compile", model], {}),
              "torch_eager": (torch + ["eager", model], {}),
              "onnxruntime": (torch + ["onnx", model, work / f"{model}.onnx"], {}),
              "iree": (jax + ["iree", model, program], {}),
              "xla_cpu": (jax + ["run", model], {"JAX_PLATFORMS": "cpu"})}
    return {name: how for name, how in chosen.items()
            if name.startswith("xlac") or name in options.peers}


def measure(model, options, work, pythons, notes):
    """The answers of each worker, one for each of the sizes."""
    all_sizes = sizes_of(model, options.count)
    (work / model).mkdir()
    for sizes in all_sizes:
        arrays.write_safetensors(work / model / ("_".join(map(str, sizes)) + ".safetensors"),
                                 {"x": arrays.input_of(model, sizes)})
    workers = {name: Worker(command, **environment) for name, (command, environment)
               in commands(model, options, work, pythons).items()}
    answers = {name: [] for name in workers}
    for turn, sizes in enumerate(all_sizes):
        for name in list(workers)[::1 if turn % 2 else -1]:
            try:
                answers[name].append(workers[name].ask(" ".join(map(str, sizes))))
            except (OSError, RuntimeError) as problem:
                notes.append(f"{model}: {name} failed with sizes {sizes}: {problem}")
                del workers[name], answers[name]
        wanted = answers["xlac_own_code"][-1]["sum"]
        for name in answers:
            if abs(answers[name][-1]["sum"] - wanted) > TOLERANCE * abs(wanted):
                notes.append(f"{model}: {name} differs with sizes {sizes}")
    for worker in workers.values():
        worker.end()
    return {"sizes": all_sizes, "answers": answers}


def summary(result):
    """By worker: milliseconds of waiting and ratios of run times to xlac's."""
    rows = {}
    own = result["answers"]["xlac"]
    volumes = [math.prod(sizes) for sizes in result["sizes"]]
    middle = statistics.median(volumes)
    for name, answers in result["answers"].items():
        ratios = [mine["run"] / each["run"] for mine, each in zip(own, answers)]

        def mean(of):
            return math.exp(statistics.mean(map(math.log, of)))
        rows[name] = {
            "waiting_ms": 1e3 * sum(max(0.0, each["first"] - each["run"]) for each in answers),
            "compiled": sum(each.get("compiled", 0) for each in answers),
            "ratio": mean(ratios),
            "large": mean([r for r, volume in zip(ratios, volumes) if volume >= middle]),
            "small": mean([r for r, volume in zip(ratios, volumes) if volume < middle]),
            "worst": max(ratios)}
    return rows


def show(model, rows, count):
    print(f"\n{model}, {count} sizes    (ratio: run time of xlac / run time of the peer)")
    print(f"{'':16} {'waiting':>11} {'compiled':>8} {'ratio':>6} {'large':>6} {'small':>6} "
          f"{'worst':>6}")
    for name, row in rows.items():
        compiled = row["compiled"] if name.startswith("xlac") else ""
        print(f"{name:16} {row['waiting_ms']:8.0f} ms {compiled:>8} {row['ratio']:6.2f} "
              f"{row['large']:6.2f} {row['small']:6.2f} {row['worst']:6.2f}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--models", default=",".join(MODELS))
    parser.add_argument("--peers", default=",".join(PEERS))
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--worker", default=ROOT / "build/release/bin/sizes_worker")
    options = parser.parse_args()
    options.peers = [name for name in options.peers.split(",") if name]
    notes = []
    pythons = {name: environments.environment(name, name, REQUIREMENTS[name], notes)
               for name in ("jax", "torch")}
    if not pythons["jax"]:
        raise SystemExit("JAX exports the programs, and it cannot be installed here")
    if not pythons["torch"]:
        options.peers = [name for name in options.peers if name in ("iree", "xla_cpu")]
    document = {}
    for model in options.models.split(","):
        with tempfile.TemporaryDirectory() as work:
            result = measure(model, options, pathlib.Path(work), pythons, notes)
        rows = summary(result)
        show(model, rows, len(result["sizes"]))
        document[model] = result | {"summary": rows}
    for note in notes:
        print(f"note: {note}")
    if options.json:
        options.json.write_text(json.dumps(document | {"notes": notes}, indent=1))


if __name__ == "__main__":
    main()
