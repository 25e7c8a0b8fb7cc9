#!/usr/bin/env python3
"""Random programs of ops that move elements, against numpy.

    movement_test.py XLAC [--count N] [--seed N]

Each program pads, concatenates, slices, updates, scatters one window into and
adds arrays of a few thousand integers, so that loops divide their results into
boxes. Results must be equal. Closes with `N passed, N failed`.
"""
import random
import subprocess
import sys

import numpy as np

from random_program import check_seeds

SHAPES = [(71, 83), (4100,), (9, 30, 41), (130, 64), (64, 129), (3, 2, 17, 64)]


def type_of(shape):
    return "tensor<" + "".join(f"{size}x" for size in shape) + "i32>"


class Program:
    """Text and numpy values, built together."""

    def __init__(self, dice, shape):
        self.dice, self.lines, self.count = dice, [], 0
        self.inputs = [np.array(dice.choices(range(-999, 999), k=int(np.prod(shape))),
                                np.int32).reshape(shape) for _ in range(2)]
        self.pool = [(f"%x{i}", value) for i, value in enumerate(self.inputs)]

    def emit(self, text, value):
        name = f"%v{self.count}"
        self.count += 1
        self.lines.append(f"  {name} = {text} -> {type_of(value.shape)}")
        self.pool.append((name, value))
        return name, value

    def constant(self, number):
        name = f"%c{self.count}"
        self.count += 1
        self.lines.append(f"  {name} = stablehlo.constant dense<{number}> : tensor<i32>")
        return name

    def some(self):
        return self.dice.choice(self.pool[-4:])

    def fitted(self, shape):
        """A value of `shape`, made by slices and pads if there is none."""
        name, value = self.some()
        starts = [self.dice.randint(0, max(0, have - want))
                  for have, want in zip(value.shape, shape)]
        limits = [min(have, start + want)
                  for have, start, want in zip(value.shape, starts, shape)]
        name, value = self.slice(name, value, starts, limits, [1] * len(shape))
        missing = [want - have for have, want in zip(value.shape, shape)]
        low = [self.dice.randint(0, rest) for rest in missing]
        return self.pad(name, value, low, [rest - own for rest, own in zip(missing, low)])

    def slice(self, name, value, starts, limits, steps):
        window = ", ".join(f"{a}:{b}:{c}" for a, b, c in zip(starts, limits, steps))
        cut = value[tuple(map(slice, starts, limits, steps))]
        return self.emit(f"stablehlo.slice {name} [{window}] : ({type_of(value.shape)})", cut)

    def pad(self, name, value, low, high):
        """Negative amounts remove elements."""
        filler = self.dice.randint(-9, 9)
        padded = np.pad(value, [(max(a, 0), max(b, 0)) for a, b in zip(low, high)],
                        constant_values=filler)
        kept = padded[tuple(slice(max(-a, 0), size - max(-b, 0))
                            for a, b, size in zip(low, high, padded.shape))]
        zeros = [0] * value.ndim
        return self.emit(
            f"stablehlo.pad {name}, {self.constant(filler)}, low = {low}, high = {high}, "
            f"interior = {zeros} : ({type_of(value.shape)}, tensor<i32>)", kept)

    def random_pad(self):
        name, value = self.some()
        low, high = ([self.dice.choice([0, 0, 1, 2, 7, -1 if size > 2 else 0])
                      for size in value.shape] for _ in range(2))
        self.pad(name, value, low, high)

    def random_slice(self):
        name, value = self.some()
        starts = [self.dice.randint(0, size // 4) for size in value.shape]
        steps = [self.dice.choice([1, 1, 1, 2]) if size > 60 else 1 for size in value.shape]
        limits = [size - self.dice.randint(0, size // 4) for size in value.shape]
        self.slice(name, value, starts, limits, steps)

    def add(self):
        name, value = self.some()
        other, right = self.fitted(value.shape)
        self.emit(f"stablehlo.add {name}, {other} : ({type_of(value.shape)}, "
                  f"{type_of(value.shape)})", value + right)

    def concatenate(self):
        name, value = self.some()
        dim = self.dice.randrange(value.ndim)
        shape = list(value.shape)
        shape[dim] = self.dice.randint(0, 2 * shape[dim])
        other, right = self.fitted(shape)
        both = [(name, value), (other, right)]
        self.dice.shuffle(both)
        self.emit(f"stablehlo.concatenate {both[0][0]}, {both[1][0]}, dim = {dim} : "
                  f"({type_of(both[0][1].shape)}, {type_of(both[1][1].shape)})",
                  np.concatenate([both[0][1], both[1][1]], dim))

    def window(self):
        name, value = self.some()
        sizes = [self.dice.randint((size + 1) // 2, size) for size in value.shape]
        starts = [self.dice.randint(0, have - want) for have, want in zip(value.shape, sizes)]
        return name, value, starts, *self.fitted(sizes)

    def update(self):
        name, value, starts, other, part = self.window()
        # An update is moved until it fits.
        given = [self.dice.choice([start, start, -3 if start == 0 else start])
                 for start in starts]
        indices = ", ".join(self.constant(start) for start in given)
        result = value.copy()
        result[tuple(slice(a, a + n) for a, n in zip(starts, part.shape))] = part
        scalars = ", ".join(["tensor<i32>"] * value.ndim)
        self.emit(f"stablehlo.dynamic_update_slice {name}, {other}, {indices} : "
                  f"({type_of(value.shape)}, {type_of(part.shape)}, {scalars})", result)

    def scatter(self):
        name, value, starts, other, part = self.window()
        if self.dice.random() < 0.2:  # elements outside are dropped
            starts[0] = value.shape[0] - part.shape[0] + 1
        index = f"%c{self.count}"
        self.count += 1
        self.lines.append(f"  {index} = stablehlo.constant dense<{starts}> : "
                          f"tensor<{len(starts)}xi32>")
        result = value.copy()
        kept = [min(n, size - a) for a, n, size in zip(starts, part.shape, value.shape)]
        place = tuple(slice(a, a + n) for a, n in zip(starts, kept))
        inside = part[tuple(slice(0, n) for n in kept)]
        dims = list(range(value.ndim))
        body = self.dice.choice(["add", "subtract", None])
        result[place] = {"add": value[place] + inside, "subtract": value[place] - inside,
                         None: inside}[body]
        step = (f"%s = stablehlo.{body} %a, %b : tensor<i32>\n    stablehlo.return %s"
                if body else "stablehlo.return %b")
        self.emit(
            f'"stablehlo.scatter"({name}, {index}, {other}) <{{scatter_dimension_numbers = '
            f"#stablehlo.scatter<update_window_dims = {dims}, scatter_dims_to_operand_dims = "
            f"{dims}>}}> ({{\n  ^bb0(%a: tensor<i32>, %b: tensor<i32>):\n    {step} : "
            f"tensor<i32>\n  }}) : ({type_of(value.shape)}, tensor<{len(starts)}xi32>, "
            f"{type_of(part.shape)})", result)

    def text(self):
        name, value = self.pool[-1]
        arguments = ", ".join(f"%x{i}: {type_of(x.shape)}" for i, x in enumerate(self.inputs))
        return (f"func.func @main({arguments}) -> {type_of(value.shape)} {{\n"
                + "\n".join(self.lines) + f"\n  return {name} : {type_of(value.shape)}\n}}\n")


def check(xlac, folder, seed):
    dice = random.Random(seed)
    program = Program(dice, dice.choice(SHAPES))
    steps = [program.random_pad, program.random_slice, program.add, program.concatenate,
             program.update, program.scatter]
    for _ in range(dice.randint(2, 6)):
        dice.choice(steps)()
    module, wanted = folder / "module.mlir", folder / "wanted.npy"
    module.write_text(program.text())
    files = [folder / f"in_{i}.npy" for i in range(2)]
    for file, value in zip(files, program.inputs):
        np.save(file, value)
    np.save(wanted, program.pool[-1][1])
    ran = subprocess.run([xlac, "run", module, "--no-cache", "--inputs", *files, "--expected",
                          wanted], text=True, capture_output=True)
    if ran.returncode == 0:
        return True
    print(f"seed {seed}: {(ran.stderr or ran.stdout).strip()[:400]}\n{program.text()}")
    return False


if __name__ == "__main__":
    sys.exit(check_seeds(__doc__, 60, check))
