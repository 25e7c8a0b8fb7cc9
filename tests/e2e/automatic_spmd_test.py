#!/usr/bin/env python3
"""Compares programs of automatic SPMD with the compiler's search.

    automatic_spmd_test.py AUTOMATIC_SPMD_TEST XLAC

Runs the training loops of automatic_spmd_test with their graphs kept. All steps must
be one program that leaves its arguments open. What the compiler makes of it must be
the best plan of `xlac explain --auto`, and devices must receive fewer bytes than if
each large argument were cut along its longest dimension.
"""
import itertools
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

DEVICES = 8
LARGE = 64 * 1024  # bytes
# The rates that the compiler assumes.
RATES = ["--device-gflops", "1000", "--device-bandwidth", "200"]


def fail(message):
    print(message)
    sys.exit(1)


def saved_graphs(test, name, folder):
    path = folder / f"{name}.graphs"
    environment = dict(os.environ, XLA_SAVE_TENSORS_FILE=str(path), XLA_SAVE_TENSORS_FMT="hlo")
    done = subprocess.run([test, f"--gtest_filter=AutomaticSpmd.{name}"], env=environment,
                          text=True, capture_output=True)
    if done.returncode:
        fail(done.stdout + done.stderr)
    return re.findall(r"## BEGIN_GRAPH\n(.*?)## END_GRAPH", path.read_text(), re.S)


def explain(xlac, file, *words):
    done = subprocess.run([xlac, "explain", file, "--json", "--mesh", str(DEVICES), *RATES, *words],
                          text=True, capture_output=True)
    if done.returncode:
        fail(done.stderr)
    return json.loads(done.stdout)


def tiles(mesh, spec):
    """The HLO text of the value of --shard, such as x,- on the mesh (8,)."""
    axes = dict(zip("xyz", range(len(mesh))))
    dims = [[axes[name] for name in dim.split("+")] if dim != "-" else []
            for dim in spec.split(",")]
    used = sum(dims, [])
    order = used + [axis for axis in range(len(mesh)) if axis not in used]
    counts = [1] * len(dims)
    for i, dim in enumerate(dims):
        for axis in dim:
            counts[i] *= mesh[axis]
    strides = [1] * len(mesh)
    for axis in range(len(mesh) - 2, -1, -1):
        strides[axis] = strides[axis + 1] * mesh[axis + 1]
    devices = [sum(place * strides[axis] for place, axis in zip(places, order))
               for places in itertools.product(*(range(mesh[axis]) for axis in order))]
    copies = DEVICES
    for count in counts:
        copies //= count
    return ("{devices=[" + ",".join(map(str, counts + [copies] * (copies > 1))) + "]" +
            ",".join(map(str, devices)) + " last_tile_dim_replicate" * (copies > 1) + "}")


def planned(plan, count):
    """The shardings of all arguments of a plan of `xlac explain --auto`."""
    mesh = [int(size) for size in plan["mesh"].split("x")]
    shardings = ["{replicated}"] * count
    for word in plan["shard"]:
        numbers, spec = word.split("=")
        for number in numbers.split(","):
            shardings[int(number)] = tiles(mesh, spec)
    return shardings


def compiled(xlac, file, folder):
    """The shardings of arguments in the program of one device."""
    phases = folder / f"{file.stem}.phases"
    phases.mkdir()
    subprocess.run([xlac, "compile", file, "-o", folder / "step.xlax", "--dump-dir", phases],
                   check=True, env=dict(os.environ, XLAC_CACHE="off"))
    text = next(phases.glob("*partition.mlir")).read_text()
    return re.findall(r'"([^"]*)"', re.search(r"xlac\.argument_shardings = \[(.*?)\]\s*[,}]\s*"
                                              r"(?:xlac|mhlo|\w+\.|\})", text, re.S)[1])


def longest(arguments):
    """The options that cut each large argument along its longest dimension and no other."""
    options = []
    for number, (shape, bits) in enumerate(arguments):
        size = int(bits) // 8
        for dim in shape:
            size *= dim
        whole = [dim for dim in shape if dim % DEVICES == 0]
        cut = shape.index(max(whole)) if whole and size >= LARGE else None
        if shape:
            spec = ",".join("x" if i == cut else "-" for i in range(len(shape)))
            options += ["--shard", f"{number}={spec}"]
    return options


def check(test, xlac, name, folder):
    graphs = saved_graphs(test, name, folder)
    if len(graphs) < 4 or any(graph != graphs[-1] for graph in graphs[-4:]):
        fail(f"{name}: the last four steps are not one program")
    head = re.search(r"@main\((.*?)\) -> ", graphs[-1], re.S)[1]
    if "mhlo.sharding" in head:
        fail(f"{name}: an argument has a sharding: {head}")
    arguments = [([int(size) for size in re.findall(r"\d+(?=x)", text)],
                  re.search(r"[a-z]+(\d+)$", text)[1])
                 for text in re.findall(r"%arg\d+: tensor<([\dxa-z]+)>", head)]
    step = folder / f"{name}.mlir"
    step.write_text(graphs[-1])
    found = compiled(xlac, step, folder)
    plans = explain(xlac, step, "--auto")["plans"]
    best = planned(plans[0], len(arguments))
    if found != best:
        fail(f"{name}: compiled with\n{found}, explain --auto gives\n{best}")
    if all(sharding == "{replicated}" for sharding in found):
        fail(f"{name}: nothing is sharded")
    old = explain(xlac, step, *longest(arguments))
    old_bytes = sum(row["bytes_sent"] for row in old["collectives"])
    if not plans[0]["bytes_sent"] < old_bytes:
        fail(f"{name}: a device sends {plans[0]['bytes_sent']} bytes, with the longest "
             f"dimensions cut {old_bytes}")
    print(f"{name}: a device sends {plans[0]['bytes_sent']:.0f} bytes, with the longest "
          f"dimensions cut {old_bytes:.0f}")


def main():
    test, xlac = (pathlib.Path(argument).resolve() for argument in sys.argv[1:])
    with tempfile.TemporaryDirectory(prefix="xlac-automatic-") as folder:
        for name in ("TrainsAnMlp", "TrainsAGpt"):
            check(test, xlac, name, pathlib.Path(folder))


if __name__ == "__main__":
    main()
