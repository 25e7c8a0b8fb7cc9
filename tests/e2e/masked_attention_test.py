#!/usr/bin/env python3
"""Random attention with masks that hide parts of the scores, against numpy.

    masked_attention_test.py XLAC [--count N] [--seed N]

Masks compare positions, or are constants. The compiler computes the scores in
blocks of rows, without what the masks hide. Hidden scores are minus infinity or
any other number, and some values are infinite or NaN. Closes with `N passed, N
failed`, and fails also if the scores of less than half of the programs are
computed in blocks.
"""
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

from random_program import RandomProgram, parse_options, type_of


class Program(RandomProgram):
    def select(self, mask, left, right):
        return self.emit(f"stablehlo.select {mask[0]}, {left[0]}, {right[0]} : "
                         f"{type_of(mask[1].shape, 'i1')}, {type_of(left[1].shape)}",
                         np.where(mask[1], left[1], right[1]))

    def product(self, left, right, contracting):
        """Products of matrices of the same batch."""
        value = np.einsum({(2, 2): "bmk,bnk->bmn", (2, 1): "bmk,bkn->bmn",
                           (1, 1): "bkm,bkn->bmn"}[contracting], left[1], right[1])
        return self.emit(
            f"stablehlo.dot_general {left[0]}, {right[0]}, batching_dims = [0] x [0], "
            f"contracting_dims = [{contracting[0]}] x [{contracting[1]}] : "
            f"({type_of(left[1].shape)}, {type_of(right[1].shape)}) -> {type_of(value.shape)}",
            value)

    def positions(self, shape, dim):
        index = np.broadcast_to(np.arange(shape[dim]).reshape([-1, 1][:2 - dim]), shape)
        return self.emit(f"stablehlo.iota dim = {dim} : {type_of(shape, 'i32')}", index)

    def compare(self, direction, left, right, compute):
        types = type_of(left[1].shape, "i32")
        return self.emit(f"stablehlo.compare {direction}, {left[0]}, {right[0]} : "
                         f"({types}, {types}) -> {type_of(left[1].shape, 'i1')}",
                         compute(left[1], right[1]))

    def mask(self, shape, key_dim):
        """Which keys a query may attend to."""
        queries, keys = shape[1 - key_dim], shape[key_dim]
        shift = self.dice.choice([0, keys - queries, 17, -33, keys // 3])
        kind = self.dice.choice(["causal", "before", "window", "ends", "constant", "floats"])
        if kind == "constant":
            value = np.tril(np.ones((queries, keys), bool), shift)
            value = value if key_dim == 1 else value.T
            rows = ", ".join("[" + ", ".join("true" if one else "false" for one in row) + "]"
                             for row in value)
            return self.emit(f"stablehlo.constant dense<[{rows}]> : {type_of(shape, 'i1')}", value)
        query, key = self.positions(shape, 1 - key_dim), self.positions(shape, key_dim)
        moved = self.binary("add", query, self.constant(shift, shape, "i32"), np.add, "i32")
        if kind == "before":
            return self.compare("LT", key, moved, np.less)
        past = self.compare("GE", moved, key, np.greater_equal)
        if kind == "causal":
            return past
        if kind == "floats":
            one, zero = self.constant(1.0, shape), self.constant(0.0, shape)
            shown = self.select(past, one, zero)
            types = type_of(shape)
            return self.emit(f"stablehlo.compare NE, {shown[0]}, {zero[0]} : ({types}, {types}) -> "
                             f"{type_of(shape, 'i1')}", past[1])
        distance = self.binary("subtract", moved, key, np.subtract, "i32")
        limit = self.constant(self.dice.choice([1, 64, 150]), shape, "i32")
        if kind == "window":
            near = self.compare("LT", distance, limit, np.less)
            return self.binary("and", past, near, np.logical_and, "i1")
        first = self.compare("LT", key, limit, np.less)
        return self.binary("or", past, first, np.logical_or, "i1")

    def weights(self, scores, mask, key_dim):
        """From scores [heads, queries, keys], or with keys before queries."""
        shape = scores[1].shape
        every = self.broadcast(mask, shape, [1, 2], "i1")
        hidden = self.constant(self.dice.choice([-np.inf, -np.inf, -1e30, -2.0, 0.0]), shape)
        shown = self.select(every, scores, hidden)
        kept = [0, 3 - key_dim]
        if self.dice.random() < 0.2:
            return self.emit(f"stablehlo.logistic {shown[0]} : {type_of(shape)}",
                             1 / (1 + np.exp(-shown[1])))
        most = self.reduce("maximum", shown, key_dim)
        less = self.binary("subtract", shown, self.broadcast(most, shape, kept), np.subtract)
        powers = self.emit(f"stablehlo.exponential {less[0]} : {type_of(shape)}", np.exp(less[1]))
        total = self.broadcast(self.reduce("add", powers, key_dim), shape, kept)
        if self.dice.random() < 0.3:
            inverse = self.binary("divide", self.constant(1.0, shape), total, np.divide)
            return self.binary("multiply", inverse, powers, np.multiply)
        return self.binary("divide", powers, total, np.divide)

    def values(self, heads, keys, width):
        name, value = self.argument(heads, keys, width)
        for _ in range(self.dice.choice([0, 0, 1, 2])):
            value[0, self.dice.choice([0, keys // 2, keys - 3]), 0] = self.dice.choice(
                [np.inf, np.nan])
        return name, value

    def attention(self):
        queries = self.dice.choice([256, 300, 400, 700])
        keys = self.dice.choice([queries, 512, 513, 700])
        keys = max(keys, 512)
        heads = -(-(1 << 19) // (queries * keys)) + self.dice.randint(0, 1)
        depth, width = self.dice.choice([4, 9]), self.dice.choice([3, 8])
        query, key = self.argument(heads, queries, depth), self.argument(heads, keys, depth)
        value = self.values(heads, keys, width)
        if self.dice.random() < 0.7:
            mask = self.mask((queries, keys), 1)
            scores = self.product(query, key, (2, 2))
            return self.product(self.weights(scores, mask, 2), value, (2, 1))
        mask = self.mask((keys, queries), 0)
        scores = self.product(key, query, (2, 2))
        return self.product(value, self.weights(scores, mask, 1), (1, 1))


def check(xlac, folder, seed):
    """Returns whether the result is right, and whether there are blocks."""
    program = Program(seed)
    with np.errstate(all="ignore"):
        result = program.attention()
    wrong = program.differs(xlac, folder, [result], "1e-4")
    kernels = subprocess.run([xlac, "compile", folder / "module.mlir", "--emit", "kernels"],
                             text=True, capture_output=True, check=True).stdout
    if wrong:
        print(f"seed {seed}: {wrong}")
    return not wrong, kernels.count("stablehlo.dot_general") > 2


def main():
    options = parse_options(__doc__, 40)
    with tempfile.TemporaryDirectory(prefix="xlac-attention-") as scratch:
        checks = [check(options.xlac, pathlib.Path(scratch), options.seed + number)
                  for number in range(options.count)]
    passed = sum(right for right, _ in checks)
    blocks = sum(blocks for _, blocks in checks)
    print(f"{blocks} of {options.count} in blocks of rows")
    print(f"{passed} passed, {options.count - passed} failed")
    return passed < options.count or 2 * blocks < options.count


if __name__ == "__main__":
    sys.exit(main())
