#!/usr/bin/env python3
"""Inputs and checks of exported models; needs NumPy only.

    model_data.py inputs MODEL_DIR OUT_DIR     # in_000.npy …
    model_data.py check MODEL_DIR RUN_DIR      # out_000.npy …; N passed, N failed

A float input with seed s is lo + (hi - lo) * u with u = (z >> 40) * 2^-24, where
z is splitmix64's finalizer of s * 0x9E3779B97F4A7C15 + (k + 1) *
0xBF58476D1CE4E5B9 at flat position k; an integer is lo + z mod (hi - lo + 1).
An output passes where |got - want| <= atol + rtol |want| at the positions that
expected.npz lists, and the norm of the whole is within 10 rtol.
"""
import json
import pathlib
import sys

import numpy as np

DTYPES = {"f32": np.float32, "i32": np.int32, "i64": np.int64, "ui32": np.uint32}


def random_bits(seed, count):
    with np.errstate(over="ignore"):
        z = np.uint64(seed * 0x9E3779B97F4A7C15 & (1 << 64) - 1)
        z = z + np.arange(1, count + 1, dtype=np.uint64) * np.uint64(0xBF58476D1CE4E5B9)
        for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
            z = (z ^ (z >> np.uint64(shift))) * np.uint64(factor)
        return z ^ (z >> np.uint64(31))


def make(entry):
    shape, dtype = entry["shape"], DTYPES[entry["dtype"]]
    if "value" in entry:
        return np.full(shape, entry["value"], dtype)
    z = random_bits(entry["seed"], int(np.prod(shape, dtype=np.int64)))
    low, high = entry["lo"], entry["hi"]
    if dtype == np.float32:
        unit = (z >> np.uint64(40)).astype(np.float64) * 2.0**-24
        return (low + (high - low) * unit).astype(dtype).reshape(shape)
    return (low + (z % np.uint64(high - low + 1)).astype(np.int64)).astype(dtype).reshape(shape)


def problem(expected, i, entry, got):
    at, want, norm = (expected[f"{key}_{i:03d}"] for key in ("at", "want", "norm"))
    if list(got.shape) != entry["shape"]:
        return f"shape {list(got.shape)}, expected {entry['shape']}"
    flat = got.reshape(-1).astype(np.float64)
    wrong = ~(np.abs(flat[at] - want) <= entry["atol"] + entry["rtol"] * np.abs(want))
    drift = abs(np.linalg.norm(flat) - norm) / max(float(norm), 1e-30)
    if wrong.any() or not drift <= 10 * entry["rtol"]:
        return f"{wrong.sum()} of {len(at)} sampled elements differ, norm off by {drift:.1e}"
    return None


def check(model, run):
    expected, failed = np.load(model / "expected.npz"), 0
    outputs = json.loads((model / "spec.json").read_text())["outputs"]
    for i, entry in enumerate(outputs):
        why = problem(expected, i, entry, np.load(run / f"out_{i:03d}.npy"))
        if why:
            print(f"out_{i:03d} {entry['name']}: {why}")
            failed += 1
    print(f"{len(outputs) - failed} passed, {failed} failed")
    return failed != 0


def main():
    action, model, folder = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    if action == "check":
        return check(model, folder)
    folder.mkdir(parents=True, exist_ok=True)
    for i, entry in enumerate(json.loads((model / "spec.json").read_text())["inputs"]):
        np.save(folder / f"in_{i:03d}.npy", make(entry), allow_pickle=False)
    return 0


if __name__ == "__main__":
    sys.exit(main())
