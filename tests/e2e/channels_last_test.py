#!/usr/bin/env python3
"""Random networks of images with channels second, against numpy.

    channels_last_test.py XLAC [--count N] [--seed N]

Each program has depthwise convolutions, so that the compiler may lay its images
out with channels last, and ops around them: products, windows, pads, slices,
concatenations, biases, gates of channels and sums. All values are small
integers, so results must be equal. Closes with `N passed, N failed`.
"""
import argparse
import pathlib
import random
import subprocess
import sys
import tempfile

import numpy as np


def type_of(shape):
    return "tensor<" + "".join(f"{size}x" for size in shape) + "f32>"


def listed(numbers):
    return "array<i64: " + ", ".join(map(str, numbers)) + ">"


def pad_places(x, pads, fill=0.0):
    return np.pad(x, [(0, 0), (0, 0), *pads], constant_values=fill)


def windows(x, sizes, strides):
    """Views of the elements under each place of a window."""
    spans = [(x.shape[2 + d] - sizes[d]) // strides[d] + 1 for d in range(2)]
    for i in range(sizes[0]):
        for j in range(sizes[1]):
            yield (i, j), x[:, :, i:i + spans[0] * strides[0]:strides[0],
                            j:j + spans[1] * strides[1]:strides[1]][:, :, :spans[0], :spans[1]]


class Program:
    """Text and numpy values, built together."""

    def __init__(self, dice):
        self.dice, self.lines, self.count, self.arguments = dice, [], 0, []
        self.random = np.random.default_rng(dice.randrange(1 << 30))

    def add(self, text, value):
        name = f"%v{self.count}"
        self.count += 1
        self.lines.append(f"    {name} = {text}")
        return name, value.astype(np.float32)

    def argument(self, shape):
        value = self.random.integers(-2, 3, shape).astype(np.float32)
        self.arguments.append(value)
        return f"%arg{len(self.arguments) - 1}", value

    def scalar(self, number):
        return self.add(f"stablehlo.constant dense<{number:.1f}> : tensor<f32>",
                        np.float32(number))

    def constant(self, number, shape):
        return self.add(f"stablehlo.constant dense<{number:.1f}> : {type_of(shape)}",
                        np.full(shape, number, np.float32))

    def binary(self, op, a, b):
        compute = {"add": np.add, "multiply": np.multiply, "maximum": np.maximum,
                   "minimum": np.minimum}[op]
        return self.add(f"stablehlo.{op} {a[0]}, {b[0]} : {type_of(a[1].shape)}",
                        compute(a[1], b[1]))

    def bounded(self, x):
        x = self.binary("maximum", x, self.constant(-3, x[1].shape))
        return self.binary("minimum", x, self.constant(3, x[1].shape))

    def convolution(self, x, made=None):
        """Depthwise if `made` is None, else a product with `made` channels."""
        channels = x[1].shape[1]
        groups = 1 if made else channels
        sizes = [self.dice.choice([1, 2, 3, 5]) for _ in range(2)] if not made else (
            self.dice.choice([[1, 1], [3, 3]]))
        strides = [self.dice.choice([1, 1, 2]) for _ in range(2)]
        pads = [[self.dice.randrange(0, 3) for _ in range(2)] for _ in range(2)]
        if any(x[1].shape[2 + d] + sum(pads[d]) < sizes[d] for d in range(2)):
            return x
        w = self.argument((made or channels, channels // groups, *sizes))
        padded, value = pad_places(x[1], pads), 0
        for (i, j), part in windows(padded, sizes, strides):
            if made:
                value = value + np.einsum("bchw,oc->bohw", part, w[1][:, :, i, j])
            else:
                value = value + part * w[1][:, 0, i, j][:, None, None]
        window = f"stride = {strides}, pad = {pads}"
        return self.bounded(self.convolve(x, w, window, groups, value))

    def convolve(self, x, w, window, groups, value):
        return self.add(f"stablehlo.convolution({x[0]}, {w[0]}) dim_numbers = "
                        f"[b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {{{window}}} "
                        f"{{batch_group_count = 1 : i64, feature_group_count = {groups} : i64}} : "
                        f"({type_of(x[1].shape)}, {type_of(w[1].shape)}) -> "
                        f"{type_of(value.shape)}", value)

    def spread(self, vector, shape, dims):
        places = [None] * len(shape)
        for d in dims:
            places[d] = slice(None)
        return self.add(f"stablehlo.broadcast_in_dim {vector[0]}, dims = {list(dims)} : "
                        f"({type_of(vector[1].shape)}) -> {type_of(shape)}",
                        np.broadcast_to(vector[1][tuple(places)], shape))

    def bias(self, x):
        given = self.argument((x[1].shape[1],))
        return self.binary("add", x, self.spread(given, x[1].shape, [1]))

    def sum(self, x, dims):
        zero = self.scalar(0)
        value = x[1].sum(tuple(dims))
        return self.add(f"stablehlo.reduce({x[0]} init: {zero[0]}) applies stablehlo.add across "
                        f"dimensions = {dims} : ({type_of(x[1].shape)}, tensor<f32>) -> "
                        f"{type_of(value.shape)}", value)

    def gate(self, x):
        """Multiplies channels by what the sum over places says of them."""
        batch, channels = x[1].shape[:2]
        total = self.bounded(self.sum(x, [2, 3]))
        if self.dice.random() < 0.5:
            return self.binary("multiply", x, self.spread(total, x[1].shape, [0, 1]))
        point = (batch, channels, 1, 1)
        total = self.add(f"stablehlo.reshape {total[0]} : ({type_of((batch, channels))}) -> "
                         f"{type_of(point)}", total[1].reshape(point))
        whole = self.add(f"stablehlo.broadcast_in_dim {total[0]}, dims = [0, 1, 2, 3] : "
                         f"({type_of(point)}) -> {type_of(x[1].shape)}",
                         np.broadcast_to(total[1], x[1].shape))
        return self.binary("multiply", x, whole)

    def window(self, x):
        sizes, strides = [2, self.dice.choice([1, 2, 3])], [self.dice.choice([1, 2]), 1]
        pads = [[self.dice.randrange(0, 2) for _ in range(2)] for _ in range(2)]
        if any(x[1].shape[2 + d] + sum(pads[d]) < sizes[d] for d in range(2)):
            return x
        least = self.scalar(-9)
        value = None
        for _, part in windows(pad_places(x[1], pads, -9), sizes, strides):
            value = part if value is None else np.maximum(value, part)
        flat = ", ".join(str(pair) for pair in [[0, 0], [0, 0], *pads])
        return self.add(
            f'"stablehlo.reduce_window"({x[0]}, {least[0]}) <{{window_dimensions = '
            f"{listed([1, 1, *sizes])}, window_strides = {listed([1, 1, *strides])}, padding = "
            f"dense<[{flat}]> : tensor<4x2xi64>}}> ({{\n    ^bb0(%a: tensor<f32>, %b: "
            "tensor<f32>):\n      %m = stablehlo.maximum %a, %b : tensor<f32>\n      "
            f"stablehlo.return %m : tensor<f32>\n    }}) : ({type_of(x[1].shape)}, tensor<f32>) -> "
            f"{type_of(value.shape)}", value)

    def pad(self, x):
        low = [0, self.dice.choice([0, 16]), self.dice.randrange(0, 2), 1]
        high = [0, 0, 1, self.dice.randrange(0, 2)]
        value = np.pad(x[1], list(zip(low, high)), constant_values=1.0)
        one = self.scalar(1)
        return self.add(f"stablehlo.pad {x[0]}, {one[0]}, low = {low}, high = {high}, interior = "
                        f"[0, 0, 0, 0] : ({type_of(x[1].shape)}, tensor<f32>) -> "
                        f"{type_of(value.shape)}", value)

    def slice(self, x):
        starts, limits = [0, 0, 0, 0], list(x[1].shape)
        d = self.dice.choice([1, 2, 3])
        kept = 16 if d == 1 else (limits[d] + 1) // 2
        if limits[d] > kept:
            starts[d] = self.dice.choice([0, limits[d] - kept])
            limits[d] = starts[d] + kept
        places = ", ".join(f"{a}:{b}" for a, b in zip(starts, limits))
        value = x[1][tuple(slice(a, b) for a, b in zip(starts, limits))]
        return self.add(f"stablehlo.slice {x[0]} [{places}] : ({type_of(x[1].shape)}) -> "
                        f"{type_of(value.shape)}", value)

    def join(self, x):
        d = self.dice.choice([1, 1, 2])
        value = np.concatenate([x[1], x[1]], d)
        return self.add(f"stablehlo.concatenate {x[0]}, {x[0]}, dim = {d} : "
                        f"({type_of(x[1].shape)}, {type_of(x[1].shape)}) -> "
                        f"{type_of(value.shape)}", value)

    def step(self, x):
        steps = [self.convolution, self.convolution, self.bias, self.gate, self.window, self.pad,
                 self.slice, self.join,
                 lambda x: self.convolution(x, self.dice.choice([16, 24, 40])),
                 lambda x: self.binary("add", x, self.convolution_like(x))]
        if max(x[1].shape) > 120 or x[1].size > 60000:
            steps = [self.slice]
        return self.bounded(self.dice.choice(steps)(x))

    def convolution_like(self, x):
        """A product whose result has the shape of `x`."""
        w = self.argument((x[1].shape[1], x[1].shape[1], 1, 1))
        value = np.einsum("bchw,oc->bohw", x[1], w[1][:, :, 0, 0])
        return self.convolve(x, w, "", 1, value)

    def make(self):
        shape = (self.dice.choice([1, 2]), self.dice.choice([16, 20, 33]),
                 self.dice.randrange(5, 20), self.dice.randrange(5, 20))
        x = self.convolution(self.argument(shape))
        values = []
        for _ in range(self.dice.randrange(2, 9)):
            x = self.step(x)
            if self.dice.random() < 0.1:
                values.append(x)
        x = self.convolution(x)
        values.append(self.sum(x, self.dice.choice([[2, 3], [1], [1, 2, 3], [0, 2]])))
        if self.dice.random() < 0.5:
            values.append(x)
        return values

    def text(self, values):
        arguments = ", ".join(f"%arg{i}: {type_of(value.shape)}"
                              for i, value in enumerate(self.arguments))
        types = ", ".join(type_of(value.shape) for _, value in values)
        names = ", ".join(name for name, _ in values)
        return (f"func.func @main({arguments}) -> ({types}) {{\n" + "\n".join(self.lines) +
                f"\n    return {names} : {types}\n}}\n")


def passes(xlac, seed, folder):
    program = Program(random.Random(seed))
    values = program.make()
    (folder / "program.mlir").write_text(program.text(values))
    inputs = []
    for i, value in enumerate(program.arguments):
        inputs.append(folder / f"in_{i:03}.npy")
        np.save(inputs[-1], value)
    made = subprocess.run([xlac, "run", folder / "program.mlir", "--inputs", *inputs, "--outputs",
                           folder / "out", "--no-cache", "--target",
                           "avx2" if seed % 2 else "native"], capture_output=True, text=True)
    if made.returncode:
        print(f"seed {seed}: {made.stderr[:500]}")
        return False
    for i, (_, value) in enumerate(values):
        found = np.load(folder / "out" / f"out_{i:03}.npy")
        if found.shape != value.shape or not np.array_equal(found, value):
            print(f"seed {seed}: result {i} of {value.shape} differs")
            return False
    return True


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("xlac")
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    failed = 0
    for seed in range(options.seed, options.seed + options.count):
        with tempfile.TemporaryDirectory() as name:
            failed += not passes(options.xlac, seed, pathlib.Path(name))
    print(f"{options.count - failed} passed, {failed} failed")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
