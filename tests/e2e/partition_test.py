#!/usr/bin/env python3
"""A transformer's training step, cut over 8 devices, equals the whole one.

    partition_test.py XLAC

The program (partition/transformer.mlir) gets Megatron's shardings on meshes of
data and model parallel devices; every result must agree with the run on one
device within 1e-4, and no collective may bring a weight together. Then programs
with JAX's own annotations, of both its partitioners, against XLA's results.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

import numpy as np

HERE = pathlib.Path(__file__).parent / "partition"
LAYER = ["q", "k", "v", "out", "up", "up_bias", "down", "down_bias"]
NAMES = ["embedding", "positions", *LAYER, *LAYER, "ids", "targets"]
# Which dimension the model axis cuts; ids and targets are cut by the data axis.
MODEL = {"embedding": 0, "q": 1, "k": 1, "v": 1, "out": 0, "up": 1, "up_bias": 0, "down": 0}


def sharding(rank, dim, by_model, data, model):
    """HLO's text: devices are an array of data x model."""
    tiles = [1] * (rank + 1)
    tiles[dim], tiles[rank] = (model, data) if by_model else (data, model)
    order = f"<=[{data},{model}]T(1,0)" if by_model else f"<=[{data * model}]"
    sizes = ",".join(map(str, tiles))
    return f"{{devices=[{sizes}]{order} last_tile_dim_replicate}}"


def annotate(text, data, model):
    """The program for data x model devices."""
    start = text.index("@main(")
    end = text.index(") -> (", start)

    def add(match):
        number, dims = int(match[1]), match[2].split("x")[:-1]
        name = NAMES[number]
        if name in ("ids", "targets"):
            chosen = sharding(len(dims), 0, False, data, model)
        elif name in MODEL:
            chosen = sharding(len(dims), MODEL[name], True, data, model)
        else:
            return match[0]
        return f'{match[0]} {{mhlo.sharding = "{chosen}"}}'

    arguments = re.sub(r"%arg(\d+): tensor<([^>]*)>", add, text[start:end])
    text = text[:start] + arguments + text[end:]
    return text.replace("mhlo.num_partitions = 1", f"mhlo.num_partitions = {data * model}")


def write_inputs(folder, text):
    """One array for each argument, the same each time."""
    random = np.random.default_rng(7)
    head = text[text.index("@main("):text.index(") -> (")]
    files = []
    for number, (dims, element) in enumerate(re.findall(r": tensor<([\dx]*)x(\w+)>", head)):
        shape = [int(size) for size in dims.split("x")]
        if element == "i32":
            array = random.integers(0, 256, shape, dtype=np.int32)
        else:
            array = (random.standard_normal(shape) * 0.2).astype(np.float32)
        files.append(folder / f"in_{number:03}.npy")
        np.save(files[-1], array)
    return files


def run(xlac, program, inputs, outputs):
    subprocess.run([xlac, "run", program, "--inputs", *inputs, "--outputs", outputs,
                    "--no-cache"], check=True, capture_output=True, text=True)
    return [np.load(file) for file in sorted(outputs.glob("out_*.npy"))]


def check_mesh(xlac, folder, text, inputs, expected, data, model):
    program = folder / f"mesh_{data}x{model}.mlir"
    program.write_text(annotate(text, data, model))
    found = run(xlac, program, inputs, folder / f"out_{data}x{model}")
    assert len(found) == len(expected) == 1 + len(NAMES) - 2
    for number, (mine, whole) in enumerate(zip(found, expected)):
        error = np.max(np.abs(mine - whole) / (1 + np.abs(whole)))
        assert error <= 1e-4, f"{data}x{model}: result {number} differs by {error}"
    dumps = folder / f"dump_{data}x{model}"
    dumps.mkdir()
    subprocess.run([xlac, "compile", program, "--dump-dir", dumps, "-o", folder / "step.xlax"],
                   check=True)
    dump = (dumps / "02-partition.mlir").read_text()
    weights = {tuple(array.shape) for name, array in zip(NAMES, map(np.load, inputs))
               if name in MODEL and array.ndim == 2}
    kinds = {}
    for kind, result in re.findall(
            r'"stablehlo\.(all_gather|all_to_all|all_reduce|reduce_scatter|collective_permute)"'
            r"(?:.*?)-> tensor<([\dx]*)x?\w+>", dump, re.S):
        kinds[kind] = kinds.get(kind, 0) + 1
        shape = tuple(int(size) for size in result.split("x") if size)
        assert kind != "all_gather" or shape not in weights, f"{shape} is gathered"
    assert model == 1 or kinds.get("all_reduce"), "nothing is summed over devices"
    shards = re.search(r"func\.func @main\((.*?)\) -> ", dump)[1]
    cut = "64x%d" % (256 // model)
    assert f"tensor<{cut}xf32>" in shards, f"no shard of {cut}"
    print(f"{data}x{model}: {kinds}")


def check_jax(xlac, folder, name, values_name):
    values = np.load(HERE / f"{values_name}.npz")
    inputs = []
    while f"in_{len(inputs)}" in values:
        inputs.append(folder / f"{name}_{len(inputs)}.npy")
        np.save(inputs[-1], values[f"in_{len(inputs) - 1}"])
    found = run(xlac, HERE / f"{name}.mlir", inputs, folder / name)
    assert len(inputs) + len(found) == len(values.files)
    for number, mine in enumerate(found):
        theirs = values[f"out_{number}"]
        assert mine.shape == theirs.shape and np.allclose(mine, theirs, rtol=1e-4, atol=1e-5), (
            f"{name}: result {number} differs")
    print(name)


def main():
    xlac = sys.argv[1]
    text = (HERE / "transformer.mlir").read_text()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        whole = folder / "whole.mlir"
        whole.write_text(text)
        inputs = write_inputs(folder, text)
        expected = run(xlac, whole, inputs, folder / "whole")
        for data, model in ((2, 4), (4, 2), (1, 2), (8, 1)):
            check_mesh(xlac, folder, text, inputs, expected, data, model)
        for program, values in (("jax_gspmd", "jax_values"), ("jax_shardy", "jax_values"),
                                ("jax_pipeline", "jax_pipeline")):
            check_jax(xlac, folder, program, values)


if __name__ == "__main__":
    main()
