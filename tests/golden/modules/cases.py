"""What the lists of modules beside this file are written with."""
import torch


class Input:
    """A tensor argument of forward.

    Element k of input number n of a floating one is ((29 k + 7 n) mod 61 - 30) / 8
    + 1 / 64: few digits, no ties within windows, and no values where functions
    have kinks. Integers are (29 k + 7 n) mod `below`. `values` may be given. A
    gradient is taken of floating ones without values, unless `grad` is false.
    """

    def __init__(self, *shape, below=None, values=None, grad=True):
        self.shape = list(shape)
        self.below, self.values = below, values
        self.grad = grad and below is None and values is None

    def make(self, number):
        if self.values is not None:
            return torch.tensor(self.values)
        count = 1
        for size in self.shape:
            count *= size
        k = 29 * torch.arange(count) + 7 * number
        if self.below is not None:
            return (k % self.below).reshape(self.shape)
        drawn = (k % 61 - 30).double() / 8 + 1 / 64
        return drawn.float().reshape(self.shape)


CASES = []


def case(name, module, *inputs, train=True, run=None):
    """A module under a name that the C++ test knows it by, and what its forward
    is called with; nothing for those that are not called. run(module, *inputs) is
    called in its place where more is to be said. Parameters and running statistics
    are set to fill()'s values first."""
    CASES.append({"name": name, "module": module, "inputs": inputs, "train": train,
                  "run": run or (lambda module, *inputs: module(*inputs))})


def fill(entry, count, positive):
    """Element k of the state's entry: ((37 k + 11 entry + 5) mod 17 - 8) / 16; for
    variances its size and a half more."""
    k = torch.arange(count)
    values = ((37 * k + 11 * entry + 5) % 17 - 8).double() / 16
    return values.abs() + 0.5 if positive else values


def weights(count, salt):
    """What results are weighed with before gradients are taken."""
    k = torch.arange(count)
    return ((37 * k + 11 * salt) % 17 - 8).double() / 8
