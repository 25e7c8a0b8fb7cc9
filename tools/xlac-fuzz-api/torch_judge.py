#!/usr/bin/env python3
"""Runs programs that `xlac-fuzz-api --json FILE` wrote in PyTorch, and compares.

  torch_judge.py FILE…

Values, gradients and second gradients must be those that the file has. Numbers
that are not finite in PyTorch are not compared. Programs that PyTorch refuses
are counted: it does not differentiate what a later write has changed.
"""
import json
import math
import sys

import torch
import torch.utils.checkpoint

F = torch.nn.functional


BODIES = (lambda x: x.sin() * x, None, None, lambda x: (x * x).cos())


def no_grad_view(t):
    with torch.no_grad():
        return t.view(t.shape)


def captured_body(which, x, w):
    if which == 0:
        return x * w
    if which == 1:
        return x * w.detach() + w
    if which == 2:
        return x * no_grad_view(w) + w
    if which == 3:
        return x.detach() * w + x
    if which == 4:
        return (x * w).mul_(w.data)
    if which == 5:
        return torch.utils.checkpoint.checkpoint(lambda x: x * w, x, use_reentrant=False)
    if which == 6:
        return x * w
    return x * w.clone().detach() + no_grad_view(x)


def alike(made, carried):
    """Loops carry one dtype and shape."""
    if made.shape != carried.shape or made.dtype != carried.dtype:
        raise TypeError("a body gave another type")
    return made


def cond(t, n):
    made = captured_body(n[0], t[0], t[1])
    return made if n[1] > 0 else made.logical_not() if made.dtype == torch.bool else -made


def loop(t, n):
    carried = t[0]
    for _ in range(2):
        carried = alike(captured_body(n[0], carried, t[1]), carried)
    return carried


def scan(t, n):
    carried, outputs = t[0].select(0, 0), []
    for row in t[0].unbind(0):
        carried = alike(captured_body(n[0], carried, t[1]) + row, carried)
        outputs.append(carried * row.detach())
    return carried if n[1] else torch.stack(outputs)


def checkpoint_of_two(t, n):
    def body(x):
        if n[0] == 9:
            return no_grad_view(x)
        if n[0] == 10:
            return x * t[1]
        return captured_body(n[0], x, t[1])
    return torch.utils.checkpoint.checkpoint(body, t[0], use_reentrant=False)


def windows(t, n):
    parts = t[0].unfold(0, 2, 1)
    parts.select(0, 0).mul_(2)
    parts.select(0, -1).add_(parts.select(0, 0).clone())


# Functions with another name or other arguments in PyTorch.
CALLS = {
    "where": lambda t, n: torch.where(t[0] > 0, t[1], t[2]),
    "clamp_tensors": lambda t, n: torch.clamp(t[0], t[1], t[2]),
    "add_number": lambda t, n: t[0] + n[0],
    "mul_number": lambda t, n: t[0] * n[0],
    "pow_number": lambda t, n: torch.pow(t[0], n[0]),
    "bce_of_clamped": lambda t, n: F.binary_cross_entropy(
        t[0].clamp(0.0, 1.0), t[1].clamp(0.0, 1.0), reduction="sum"),
    "max_all": lambda t, n: torch.max(t[0]),
    "min_all": lambda t, n: torch.min(t[0]),
    "sum_all": lambda t, n: torch.sum(t[0]),
    "prod_all": lambda t, n: torch.prod(t[0]),
    "var": lambda t, n: torch.var(t[0], n[0], correction=0, keepdim=bool(n[1])),
    "std": lambda t, n: torch.std(t[0], n[0], correction=0, keepdim=bool(n[1])),
    "norm": lambda t, n: torch.norm(t[0], n[1], n[0]),
    "sort_stable": lambda t, n: torch.sort(t[0], stable=True, dim=n[0])[0],
    "cat": lambda t, n: torch.cat(t, n[0]),
    "stack": lambda t, n: torch.stack(t, n[0]),
    "slice_step": lambda t, n: t[0][(slice(None),) * n[0] + (slice(n[1], None, n[2]),)],
    "diagonal": lambda t, n: torch.diagonal(t[0], 0, n[0], n[1]),
    "unfold": lambda t, n: t[0].unfold(*n),
    "reshape_flat": lambda t, n: t[0].reshape(-1),
    "expand_front": lambda t, n: t[0].expand(2, *t[0].shape),
    "flip": lambda t, n: torch.flip(t[0], [n[0]]),
    "roll": lambda t, n: torch.roll(t[0], 1, n[0]),
    "index_rows": lambda t, n: t[0][torch.tensor([0, -1, 0])],
    "index_positive": lambda t, n: t[0][t[0].detach() > 0],
    "data": lambda t, n: t[0].data,
    "clone_detach": lambda t, n: t[0].clone().detach(),
    "checkpoint": lambda t, n: torch.utils.checkpoint.checkpoint(
        BODIES[n[0]], t[0], use_reentrant=False),
    "cond": cond,
    "fori_loop": loop,
    "while_loop": loop,
    "scan": scan,
    "checkpoint_of_two": checkpoint_of_two,
    "to_f32": lambda t, n: t[0].to(torch.float32),
    "windows_": windows,
    "window_copy_": lambda t, n: t[0].unfold(0, 2, 1).select(0, -1).copy_(t[1]),
    "mul_number_": lambda t, n: t[0].mul_(n[0]),
    "masked_fill_": lambda t, n: t[0].masked_fill_(t[0].detach() > 0, n[0]),
    "shift_add_": lambda t, n: t[0][:-1].add_(t[0][1:].clone()),
    "relu_": lambda t, n: F.relu_(t[0]),
    "sum": lambda t, n: torch.sum(t[0], n[0], bool(n[1])),
    "select": lambda t, n: t[0].select(n[0], n[1]),
}
# Calls whose numbers are C++'s doubles, whole or not.
REALS = ("add_number", "mul_number", "mul_number_", "pow_number", "pow_", "fill_", "clamp", "clamp_",
         "threshold", "masked_fill_", "cdist")
KEEPS = ("amax", "amin", "prod", "mean", "logsumexp", "argmax", "max", "min", "median")


def call(op, t, n):
    if op in REALS:
        n = [float(x) for x in n]
    if op in CALLS:
        return CALLS[op](t, n)
    if op in KEEPS:
        made = getattr(torch, op)(t[0], n[0], keepdim=bool(n[1]))
    elif hasattr(torch, op):
        made = getattr(torch, op)(*t, *n)
    elif hasattr(F, op):
        made = getattr(F, op)(*t, *n)
    else:
        made = getattr(t[0], op)(*t[1:], *n)
    return made if isinstance(made, torch.Tensor) else made[0]


def loss_of(pool):
    total = None
    for number, tensor in sorted(pool.items()):
        if not tensor.requires_grad:
            continue
        i = torch.arange(tensor.numel(), dtype=torch.float64)
        w = ((37 * i + 11 * number) % 17 - 7) / 8
        if tensor.is_complex():
            w = torch.complex(w, ((29 * i + 7 * number) % 13 - 6) / 8)
        part = (tensor * w.reshape(tensor.shape).to(tensor.dtype)).sum()
        part = (part.real if tensor.is_complex() else part).double()
        total = part if total is None else total + part
    return total


def run(program):
    pool, leaves = {}, {}
    for each in program["inputs"]:
        made = torch.tensor(each["values"], dtype=torch.float64)
        if each["dtype"].startswith("complex"):
            made = torch.view_as_complex(made.reshape(*each["sizes"], 2))
        made = made.reshape(each["sizes"])
        made = made.to(getattr(torch, each["dtype"])).clone()
        if each["leaf"]:
            leaves[each["id"]] = made.requires_grad_()
        pool[each["id"]] = made
    for step in program["steps"]:
        op, tensors = step["op"], [pool[i] for i in step["tensors"]]
        if op in ("sync", "read"):
            continue
        if op == "drop":
            del pool[step["tensors"][0]]
            continue
        with torch.set_grad_enabled(not step["no_grad"]):
            made = call(op, tensors, step["numbers"])
        if step["result"] >= 0:
            pool[step["result"]] = made
    return pool, leaves


def gradients(pool, leaves, second):
    found = [{}, {}]
    value = loss_of(pool)
    for order in range(2 if second else 1):
        if value is None or not value.requires_grad:
            break
        grads = torch.autograd.grad(value, list(leaves.values()), allow_unused=True,
                                    create_graph=second)
        found[order] = {i: g for i, g in zip(leaves, grads) if g is not None}
        value = loss_of(found[order])
    return found


def reals(tensor):
    tensor = tensor.detach()
    if tensor._is_zerotensor():  # a gradient of zeros that has no memory
        tensor = torch.zeros(tensor.shape, dtype=tensor.dtype)
    if tensor.dtype.is_complex:
        tensor = torch.view_as_real(tensor.resolve_conj())
    return tensor.reshape(-1).double().tolist()


def compare(what, program, told, found):
    kind = program["kind"]
    dtypes = {each["dtype"] for each in program["inputs"]}
    casts = any(step["op"] == "to_f32" for step in program["steps"])
    relative = (0 if kind == 0 else 2.0**-4 if "bfloat16" in dtypes else 2.0**-7 if "float16" in dtypes
                else 1e-3 if casts or dtypes & {"float32", "complex64"} else 1e-7)
    # PyTorch's gradient of logcumsumexp takes a NaN that arrives for nothing.
    drops_nan = any(step["op"] == "logcumsumexp" for step in program["steps"])
    for number in sorted({*map(int, told), *found}):
        wanted = reals(found[number]) if number in found else None
        actual = told.get(str(number))
        wanted = [0.0] * len(actual) if wanted is None else wanted
        actual = [0.0] * len(wanted) if actual is None else actual
        if len(actual) != len(wanted):
            return f"{what}t{number} has {len(actual)} elements, PyTorch {len(wanted)}"
        scale = max([1.0, *(abs(x) for x in wanted if math.isfinite(x))])
        for i, (x, y) in enumerate(zip(actual, wanted)):
            if math.isnan(x) and drops_nan:
                continue
            if math.isfinite(y) and not abs(x - y) <= relative * scale:
                return f"{what}t{number}[{i}] is {x}, PyTorch has {y}"
    return ""


def judge(program):
    """What differs, or None where PyTorch refuses the program."""
    try:
        pool, leaves = run(program)
        first, second = gradients(pool, leaves, program["second"]) if program["kind"] else ({}, {})
    except (RuntimeError, IndexError, NotImplementedError, TypeError) as error:
        return None, str(error).splitlines()[0]
    return (compare("", program, program["values"], pool)
            or compare("gradient of ", program, program["gradients"], first)
            or compare("second gradient of ", program, program["second_gradients"], second)), ""


def main():
    torch.set_num_threads(1)
    passed, failed, refused = 0, 0, {}
    for path in sys.argv[1:]:
        for line in open(path):
            program = json.loads(line)
            text, why = judge(program)
            if text is None:
                refused[why[:90]] = refused.get(why[:90], 0) + 1
            elif text:
                failed += 1
                print(f"seed {program['seed']}: {text}")
            else:
                passed += 1
    for why, count in sorted(refused.items(), key=lambda each: -each[1]):
        print(f"{count} refused: {why}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
