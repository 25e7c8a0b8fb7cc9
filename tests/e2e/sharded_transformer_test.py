#!/usr/bin/env python3
"""Looks into the program of one device of a sharded transformer.

    sharded_transformer_test.py FEATURES_SPMD XLAC

Runs the transformer of features_spmd, whose weights are cut over an axis of the mesh
while batches are over the other, with its graphs kept; compiles the step's graph
and reads what the phase `partition` made of it. Weights must come in as shards,
gradients must be summed by all_reduce or reduce_scatter, and no collective may
give a whole weight. The table of embeddings has no annotation. Its update is
cheaper in shards, so the first step shards it, and the next ones gather it.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

# Of the transformer's Layer and its head: rows and columns of the cut weights.
WEIGHTS = {(32, 32), (128, 32), (32, 128), (48, 32)}
TABLE = "%arg0"


def fail(message):
    print(message)
    sys.exit(1)


def dims(text):
    """(32, 8) of "32x8xf32"."""
    return tuple(int(size) for size in text.split("x")[:-1])


def saved_graphs(features, folder):
    path = folder / "graphs"
    environment = dict(os.environ, XLA_SAVE_TENSORS_FILE=str(path), XLA_SAVE_TENSORS_FMT="hlo")
    done = subprocess.run([features, "--gtest_filter=Feature.SPMD_15_transformer"],
                          env=environment, text=True, capture_output=True)
    if done.returncode:
        fail(done.stdout + done.stderr)
    return re.findall(r"## BEGIN_GRAPH\n(.*?)## END_GRAPH", path.read_text(), re.S)


def partitioned(xlac, graph, folder):
    source, phases = folder / "step.mlir", folder / "phases"
    source.write_text(graph)
    phases.mkdir()
    subprocess.run([xlac, "compile", source, "-o", folder / "step.xlax", "--dump-dir", phases],
                   check=True, env=dict(os.environ, XLAC_CACHE="off"))
    files = list(phases.glob("*partition.mlir"))
    if len(files) != 1:
        fail(f"wanted one file of the phase, got {sorted(phases.iterdir())}")
    return files[0].read_text()


def main():
    features, xlac = (pathlib.Path(argument).resolve() for argument in sys.argv[1:])
    with tempfile.TemporaryDirectory(prefix="xlac-sharded-") as name:
        folder = pathlib.Path(name)
        graphs = saved_graphs(features, folder)
        step = graphs[-1]
        if "mhlo.num_partitions = 8" not in step:
            fail("the step is not a program of 8 partitions")
        if step != graphs[-2]:
            fail("the last two steps are not one program")
        text = partitioned(xlac, step, folder)
    arguments = [dims(shape) for shape in
                 re.findall(r"tensor<([\dx]+f32)>", re.search(r"@main\((.*)", text).group(1))]
    for rows, columns in WEIGHTS:
        if (rows // 4, columns) not in arguments and (rows, columns // 4) not in arguments:
            fail(f"no argument is a shard of {rows}x{columns}: {arguments}")
    gathered = re.findall(r"stablehlo\.all_gather\"\((%\w+)\).*?-> tensor<([\dx]+f32)>", text,
                          re.S)
    whole = [shape for operand, shape in gathered if operand != TABLE and
             (dims(shape) in WEIGHTS or dims(shape)[::-1] in WEIGHTS)]
    if whole:
        fail(f"whole weights are gathered: {whole}")
    sums = len(re.findall(r"stablehlo\.(all_reduce|reduce_scatter)\"", text))
    if sums < 8:
        fail(f"wanted sums over devices, found {sums}")
    print(f"{len(gathered)} all_gather, none of a whole weight; {sums} sums over devices")


if __name__ == "__main__":
    main()
