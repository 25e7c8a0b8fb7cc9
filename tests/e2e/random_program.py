"""What tests of random programs have in common: their options, and for f32 arrays
the text, built together with the values that numpy computes, and the comparison
with a run.
"""
import argparse
import pathlib
import random
import subprocess
import tempfile

import numpy as np


def type_of(shape, element="f32"):
    return "tensor<" + "".join(f"{size}x" for size in shape) + f"{element}>"


def parse_options(about, count):
    """The options that tests of random programs have."""
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("xlac")
    parser.add_argument("--count", type=int, default=count)
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


def check_seeds(about, count, check):
    """Calls `check(xlac, folder, seed)` for each seed, prints how many passed, and returns
    whether one failed."""
    options = parse_options(about, count)
    with tempfile.TemporaryDirectory(prefix="xlac-random-") as scratch:
        passed = sum(check(options.xlac, pathlib.Path(scratch), options.seed + number)
                     for number in range(options.count))
    print(f"{passed} passed, {options.count - passed} failed")
    return passed < options.count


class RandomProgram:
    """Text and numpy values, built together. A value is its name and its array."""

    def __init__(self, seed):
        self.dice, self.lines, self.count, self.arguments = random.Random(seed), [], 0, []
        self.random = np.random.default_rng(self.dice.randrange(1 << 30))
        self.donated = {}  # numbers of arguments: those of the results in their place

    def emit(self, text, value):
        name = f"%v{self.count}"
        self.count += 1
        self.lines.append(f"  {name} = {text}")
        return name, value

    def argument(self, *shape):
        self.arguments.append(self.random.uniform(-1, 1, shape).astype(np.float32))
        return f"%arg{len(self.arguments) - 1}", self.arguments[-1]

    def constant(self, number, shape, element="f32"):
        text = f"{number:.1e}" if element == "f32" else f"{number}"
        if number == -np.inf:
            text = "0xFF800000"
        return self.emit(f"stablehlo.constant dense<{text}> : {type_of(shape, element)}",
                         np.full(shape, number))

    def unary(self, op, operand, compute):
        return self.emit(f"stablehlo.{op} {operand[0]} : {type_of(operand[1].shape)}",
                         compute(operand[1]))

    def binary(self, op, left, right, compute, element="f32"):
        return self.emit(f"stablehlo.{op} {left[0]}, {right[0]} : "
                         f"{type_of(left[1].shape, element)}", compute(left[1], right[1]))

    def broadcast(self, value, shape, dims, element="f32"):
        sizes = [1] * len(shape)
        for dim, size in zip(dims, value[1].shape):
            sizes[dim] = size
        return self.emit(f"stablehlo.broadcast_in_dim {value[0]}, dims = {list(dims)} : "
                         f"({type_of(value[1].shape, element)}) -> {type_of(shape, element)}",
                         np.broadcast_to(value[1].reshape(sizes), shape))

    def reduce(self, op, value, dim):
        start = self.constant(-np.inf if op == "maximum" else 0.0, ())
        compute = np.max if op == "maximum" else np.sum
        result = compute(value[1], axis=dim)
        return self.emit(f"stablehlo.reduce({value[0]} init: {start[0]}) applies stablehlo.{op} "
                         f"across dimensions = [{dim}] : ({type_of(value[1].shape)}, tensor<f32>)"
                         f" -> {type_of(result.shape)}", result)

    def text(self, results):
        place = {argument: f" {{tf.aliasing_output = {result} : i32}}"
                 for argument, result in self.donated.items()}
        arguments = ", ".join(f"%arg{i}: {type_of(x.shape)}{place.get(i, '')}"
                              for i, x in enumerate(self.arguments))
        types = ", ".join(type_of(value.shape) for _, value in results)
        names = ", ".join(name for name, _ in results)
        return (f"func.func @main({arguments}) -> ({types}) {{\n" + "\n".join(self.lines)
                + f"\n  return {names} : {types}\n}}\n")

    def differs(self, xlac, folder, results, rtol, *flags):
        """Compiles and runs the program. Returns what is wrong, or nothing."""
        (folder / "module.mlir").write_text(self.text(results))
        files = {"in": self.arguments, "wanted": [value for _, value in results]}
        for name, arrays in files.items():
            for i, array in enumerate(arrays):
                np.save(folder / f"{name}_{i}.npy", array.astype(np.float32))
        ran = subprocess.run(
            [xlac, "run", folder / "module.mlir", "--no-cache", "--rtol", rtol, *flags,
             "--inputs", *(folder / f"in_{i}.npy" for i in range(len(self.arguments))),
             "--expected", *(folder / f"wanted_{i}.npy" for i in range(len(results)))],
            text=True, capture_output=True)
        if ran.returncode == 0:
            return ""
        lines = [line[:200] for line in self.lines]
        return (ran.stderr or ran.stdout).strip()[:400] + "\n" + "\n".join(lines)
