#!/usr/bin/env python3
"""Writes <family>.txt from the calls in <family>.py, with PyTorch's results.

  generate.py [FAMILY…]     all families without arguments

Each case holds its arguments, results and, where PyTorch has them, the
gradients of its operands for fixed weights of the results; or that PyTorch
throws. Numbers are the shortest that read back as the same bits. What every
line means stands in tests/unit/tensor/golden_file.h.
"""
import importlib
import pathlib
import sys

import torch

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE))
import golden  # noqa: E402
from golden import DTYPES, Dtype, T  # noqa: E402


# --- writing -----------------------------------------------------------------

def number(x, dtype):
    if dtype is torch.bool:
        return "1" if x else "0"
    if not dtype.is_floating_point:
        return str(x)
    if x != x:
        return "nan"
    if x in (float("inf"), float("-inf")):
        return "inf" if x > 0 else "-inf"
    for digits in range(1, 18):
        text = f"{x:.{digits}g}"
        if torch.tensor(float(text), dtype=dtype).item() == x:
            return text
    return repr(x)


def tensor_text(tensor, layout=""):
    tensor = tensor.detach().resolve_conj().resolve_neg()
    if tensor._is_zerotensor():  # a gradient of zeros that has no memory
        tensor = torch.zeros(tensor.shape, dtype=tensor.dtype)
    dtype = tensor.dtype
    flat = torch.view_as_real(tensor) if dtype.is_complex else tensor
    numbers = " ".join(number(x, flat.dtype) for x in flat.reshape(-1).tolist())
    shape = ",".join(map(str, tensor.shape)) or "-"
    return f"T {DTYPES[dtype].name} {layout + ' ' if layout else ''}{shape} : {numbers}".rstrip()


def argument_lines(prefix, value):
    if isinstance(value, T):
        return [f"{prefix} {tensor_text(value.tensor, value.layout)}"]
    if value is None:
        return [f"{prefix} n"]
    if isinstance(value, Dtype):
        return [f"{prefix} d {value.name}"]
    if isinstance(value, bool):
        return [f"{prefix} b {int(value)}"]
    if isinstance(value, int):
        return [f"{prefix} i {value}"]
    if isinstance(value, float):
        return [f"{prefix} f {value!r}"]
    if isinstance(value, complex):
        return [f"{prefix} c {value.real!r} {value.imag!r}"]
    if isinstance(value, str):
        return [f"{prefix} s {value}"]
    value = list(value)
    if value and isinstance(value[0], T):
        lines = [f"{prefix} L {len(value)}"]
        return lines + [f"- {tensor_text(each.tensor, each.layout)}" for each in value]
    kind = "F" if any(isinstance(x, float) for x in value) else "I"
    return [f"{prefix} {kind} {' '.join(map(repr, value))}".rstrip()]


# --- calling -----------------------------------------------------------------

def find(name):
    if "." in name:
        target = torch.nn.functional if name.startswith("nn.functional.") else torch
        for part in name.removeprefix("nn.functional.").split("."):
            target = getattr(target, part)
        return target
    for place in (torch, torch.nn.functional, torch._C._nn):
        if hasattr(place, name):
            return getattr(place, name)
    method = getattr(torch.Tensor, name)
    return lambda self, *args, **kwargs: method(self, *args, **kwargs)


def laid_out(tensor, layout):
    if layout == "t":
        order = tuple(reversed(range(tensor.dim())))
        return tensor.permute(order).contiguous().permute(order)
    return tensor


class Call:
    """A case with its operands as leaves, in the order of their lines."""

    def __init__(self, case, as_double=False):
        self.case, self.leaves = case, []
        self.as_double = as_double

    def operand(self, value):
        if isinstance(value, T):
            tensor = value.tensor.clone()
            if self.as_double and tensor.dtype.is_floating_point:
                tensor = tensor.double()
            if self.as_double and tensor.dtype.is_complex:
                tensor = tensor.to(torch.complex128)
            floating = tensor.dtype.is_floating_point or tensor.dtype.is_complex
            tensor = laid_out(tensor, value.layout).detach()
            if floating and value.grad and self.case["gradient"]:
                tensor.requires_grad_()
            self.leaves.append(tensor)
            return tensor
        if isinstance(value, Dtype):
            return value.torch
        if isinstance(value, (list, tuple)) and value and isinstance(value[0], T):
            return [self.operand(each) for each in value]
        return value

    def run(self):
        self.leaves = []
        case = self.case
        args = [self.operand(a) for a in case["args"]]
        kwargs = {k: self.operand(v) for k, v in case["kwargs"].items()}
        function = case["reference"] or find(case["name"])
        if case["name"].endswith("_"):
            args[0] = args[0].clone()
        return flat(function(*args, **kwargs))


def flat(result):
    if isinstance(result, torch.Tensor):
        return [result]
    if isinstance(result, bool):
        return [torch.tensor(result)]
    if isinstance(result, (int, float)):
        return [torch.tensor(result, dtype=torch.float64 if isinstance(result, float) else None)]
    if isinstance(result, (list, tuple)):
        return [t for each in result for t in flat(each)]
    return []


def weights(like, salt):
    """((37 i + 11 salt) mod 17 - 8) / 8 for the i-th element, turned a little where complex."""
    i = torch.arange(like.numel(), dtype=torch.float64)
    w = ((37 * i + 11 * salt) % 17 - 8) / 8
    if like.dtype.is_complex:
        w = torch.complex(w, w / 2)
    return w.reshape(like.shape).to(like.dtype)


def gradients(call, results, create_graph=False):
    """Pairs of a leaf's number and its gradient."""
    outputs = [r for r in results if r.requires_grad]
    inputs = [(i, leaf) for i, leaf in enumerate(call.leaves) if leaf.requires_grad]
    if not outputs or not inputs:
        return []
    grads = torch.autograd.grad(outputs, [leaf for _, leaf in inputs],
                                [weights(r, i) for i, r in enumerate(results) if r.requires_grad],
                                allow_unused=True, create_graph=create_graph)
    return [(i, g) for (i, _), g in zip(inputs, grads) if g is not None]


# --- where differences tell derivatives --------------------------------------

EPSILON = 1e-6


def total(tensors, salt=0):
    """What the gradients are of: the weighted sum of all results."""
    value = 0.0
    for i, tensor in enumerate(tensors):
        if tensor is not None and (tensor.dtype.is_floating_point or tensor.dtype.is_complex):
            product = tensor * weights(tensor, i + salt).conj()
            value = value + (product.real if product.dtype.is_complex else product).sum()
    return value


def operands_of(case):
    """The tensors of the case, in the order of a call's leaves."""
    return [t for a in [*case["args"], *case["kwargs"].values()]
            for t in (a if isinstance(a, (list, tuple)) else [a]) if isinstance(t, T)]


def slopes(operand, count, value):
    """Differences of value() for the first elements of the operand."""
    kept, found = operand.tensor, []
    try:
        for place in range(min(kept.numel(), count)):
            sides = []
            for sign in (1, -1):
                operand.tensor = kept.double().clone()
                operand.tensor.view(-1)[place] += sign * EPSILON
                sides.append(value().item())
            found.append((sides[0] - sides[1]) / (2 * EPSILON))
    finally:
        operand.tensor = kept
    return found


def gradients_by_differences(case):
    call = Call(case, as_double=True)

    def value():
        return total([r for r in call.run() if r.requires_grad])

    value()
    pairs = []
    for i, (operand, leaf) in enumerate(zip(operands_of(case), call.leaves)):
        if leaf.requires_grad:
            found = slopes(operand, leaf.numel(), value)
            pairs.append((i, torch.tensor(found).reshape(leaf.shape).to(operand.tensor.dtype)))
    return pairs


def is_smooth(case, order):
    """Whether PyTorch's own derivative in f64 is that of differences."""
    call = Call(case, as_double=True)

    def value():
        results = call.run()
        if order == 1:
            return total([r for r in results if r.requires_grad])
        pairs = gradients(call, results, create_graph=True)
        return total([g for _, g in pairs], salt=3)

    first = value()
    if not isinstance(first, torch.Tensor) or not first.requires_grad:
        return False
    leaves = [leaf for leaf in call.leaves if leaf.requires_grad]
    grads = torch.autograd.grad(first, leaves, allow_unused=True)
    operands = operands_of(case)
    numbers = [i for i, leaf in enumerate(call.leaves) if leaf.requires_grad]
    scale = 1 + max((g.abs().max().item() for g in grads if g is not None and g.numel()), default=0)
    for number_, grad in zip(numbers, grads):
        operand = operands[number_]
        if operand.tensor.dtype.is_complex or grad is None:
            continue
        for slope, told in zip(slopes(operand, 6, value), grad.reshape(-1)):
            if not abs(slope - told.item()) <= 1e-5 * scale:
                return False
    return True


def smooth_order(case):
    """0, 1 or 2: how many derivatives differences may check."""
    for order in (1, 2):
        try:
            if not is_smooth(case, order):
                return order - 1
        except Exception:  # PyTorch has no such derivative
            return order - 1
    return 2


# --- files -------------------------------------------------------------------

def case_lines(case):
    call, error = Call(case), None
    try:
        results = call.run()
    except Exception as thrown:
        error = thrown
    name = case["name"].removeprefix("nn.functional.").replace(".", "::")
    flags = []
    if case["devices"]:
        flags.append(case["devices"])
    if case["tolerance"]:
        flags.append(f"tolerance={case['tolerance']}")
    lines = []
    for value in case["args"]:
        lines += argument_lines("p", value)
    for key, value in case["kwargs"].items():
        lines += argument_lines(f"k {key}", value)
    if (error is None) != (case["raises"] is None):
        shown = ", ".join(lines)
        raise SystemExit(f"{name}({shown}): PyTorch says {error or 'nothing'}; the case says "
                         f"raises={case['raises']}")
    if error is not None:
        return [" ".join(["=", name, *flags]), *lines, f"e {case['raises']}"]
    grads = []
    if case["gradient"] == "differences":
        grads = gradients_by_differences(case)
        flags.append("smooth=1")
    elif case["gradient"]:
        try:
            grads = gradients(call, results)
        except (RuntimeError, NotImplementedError):
            pass  # PyTorch has no derivative
    if grads and case["gradient"] is True:
        order = smooth_order(case)
        if order:
            flags.append(f"smooth={order}")
    lines += [f"r {tensor_text(r)}" for r in results]
    lines += [f"g {i} {tensor_text(g)}" for i, g in grads]
    return [" ".join(["=", name, *flags]), *lines]


def main():
    torch.manual_seed(0)
    torch.set_num_threads(1)
    families = sys.argv[1:] or sorted(
        p.stem for p in HERE.glob("*.py") if p.stem not in ("golden", "generate"))
    for family in families:
        golden.CASES.clear()
        importlib.import_module(family)
        lines = [line for case in golden.CASES for line in case_lines(case)]
        (HERE / f"{family}.txt").write_text("\n".join(lines) + "\n")
        print(f"{family}: {len(golden.CASES)} cases")


if __name__ == "__main__":
    main()
