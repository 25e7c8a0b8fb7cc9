#!/usr/bin/env python3
"""Random programs of many elementwise kernels and reductions, against numpy.

    joined_launches_test.py XLAC [--count N] [--seed N]

Kernels that follow one another run at the same time, unless one accesses what
another one writes: values, their memory in the arena, or donated arguments.
Arrays are large enough for several pieces. Closes with `N passed, N failed`.
"""
import sys

import numpy as np

from random_program import RandomProgram, check_seeds, type_of

SIZE = 1 << 16
SHAPES = [(256, 256), (64, 1024), (1024, 64), (SIZE,)]
OPS = [("add", np.add), ("multiply", np.multiply), ("subtract", np.subtract)]


class Program(RandomProgram):
    def shaped(self, value, shape):
        if value[1].shape == shape:
            return value
        return self.emit(f"stablehlo.reshape {value[0]} : ({type_of(value[1].shape)}) -> "
                         f"{type_of(shape)}", value[1].reshape(shape))

    def step(self, pool):
        """A value that no kernel computes again for a second reader."""
        shape = self.dice.choice(SHAPES)
        one, other = (self.shaped(self.dice.choice(pool), shape) for _ in range(2))
        if len(shape) == 2 and self.dice.random() < 0.4:
            dim = self.dice.randrange(2)
            other = self.broadcast(self.reduce("maximum", other, dim), shape, [1 - dim])
        op, compute = self.dice.choice(OPS)
        return self.unary("tanh", self.binary(op, one, other, compute), np.tanh)

    def results(self):
        """Computes layers of values, each from those of the layer before."""
        pool = [self.argument(*self.dice.choice(SHAPES)) for _ in range(4)]
        inputs, results = list(pool), []
        for _ in range(self.dice.randint(2, 5)):
            layer = [self.step(pool) for _ in range(self.dice.randint(2, 9))]
            results += self.dice.sample(layer, self.dice.randint(0, 2))
            pool = layer + self.dice.sample(inputs, 1)
        results.append(pool[0])
        for number, (_, value) in enumerate(inputs):
            fitting = [i for i, (_, result) in enumerate(results)
                       if result.shape == value.shape and i not in self.donated.values()]
            if fitting and self.dice.random() < 0.7:
                self.donated[number] = self.dice.choice(fitting)
        return results


def check(xlac, folder, seed):
    program = Program(seed)
    wrong = program.differs(xlac, folder, program.results(), "1e-4", "--threads", "4")
    if wrong:
        print(f"seed {seed}: {wrong}")
    return not wrong


if __name__ == "__main__":
    sys.exit(check_seeds(__doc__, 60, check))
