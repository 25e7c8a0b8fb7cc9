#!/usr/bin/env python3
"""Writes <family>.txt for the modules in <family>.py: how PyTorch prints them, the
keys and sizes of their state, what forward gives and leaves in running statistics,
and the gradients of the sum of results * weights.

  generate.py [FAMILY…]     all families without arguments

The lines of a case are
  = name            and "eval" behind it where the module is not in training
  s text            a line of str()
  k key sizes       an entry of state_dict(), in order; sizes "-" for none
  i f sizes         an input of floats, "i p sizes" one without gradient,
                    "i i sizes below" one of integers, "i v sizes : values" one of
                    given integers, "i w sizes : values" of given floats, "i n" None
  o sizes : values  a result
  b name : values   a running statistic afterwards
  g name : values   the gradient of a parameter, or of "input0", …
"""
import importlib
import pathlib
import sys

import torch

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE))
import cases  # noqa: E402


def sizes_text(shape):
    return ",".join(map(str, shape)) or "-"


def numbers_text(tensor):
    return " ".join(f"{x:.6g}" for x in tensor.detach().double().reshape(-1).tolist())


def input_line(spec):
    if spec is None:
        return "i n"
    if spec.values is not None:
        values = torch.tensor(spec.values)
        flat = " ".join(map(str, values.reshape(-1).tolist()))
        kind = "w" if values.dtype.is_floating_point else "v"
        return f"i {kind} {sizes_text(values.shape)} : {flat}"
    if spec.below is not None:
        return f"i i {sizes_text(spec.shape)} {spec.below}"
    return f"i {'f' if spec.grad else 'p'} {sizes_text(spec.shape)}"


def is_running(key):
    return "running_" in key or key.endswith("num_batches_tracked")


def flatten(made):
    """The tensors among what a module gives, in order."""
    if isinstance(made, torch.Tensor):
        return [made]
    if isinstance(made, torch.nn.utils.rnn.PackedSequence):
        return [made.data]
    return [tensor for each in made or () for tensor in flatten(each)]


def lines_of(case):
    module = case["module"].train(case["train"])
    yield f"= {case['name']}" + ("" if case["train"] else " eval")
    for line in repr(module).split("\n"):
        yield f"s {line}"
    fixed = {key for key, _ in module.named_buffers() if not is_running(key)}
    with torch.no_grad():
        for number, (key, tensor) in enumerate(module.state_dict().items()):
            yield f"k {key} {sizes_text(tensor.shape)}"
            if tensor.dtype.is_floating_point and key not in fixed:
                values = cases.fill(number, tensor.numel(), key.endswith("running_var"))
                tensor.copy_(values.reshape(tensor.shape))
    if not case["inputs"]:
        return
    inputs = [spec and spec.make(n) for n, spec in enumerate(case["inputs"])]
    for spec, tensor in zip(case["inputs"], inputs):
        yield input_line(spec)
        if spec and spec.grad:
            tensor.requires_grad_()
    results = flatten(case["run"](module, *inputs))
    for result in results:
        yield f"o {sizes_text(result.shape)} : {numbers_text(result)}"
    for key, tensor in module.named_buffers():
        if is_running(key):
            yield f"b {key} : {numbers_text(tensor)}"
    leaves = [(f"input{n}", x) for n, x in enumerate(inputs)
              if x is not None and x.requires_grad]
    leaves += list(module.named_parameters())
    weights = [cases.weights(result.numel(), n).reshape(result.shape).to(result.dtype)
               for n, result in enumerate(results)]
    grads = torch.autograd.grad(results, [leaf for _, leaf in leaves], weights,
                                allow_unused=True)
    for (name, _), grad in zip(leaves, grads):
        if grad is not None:
            yield f"g {name} : {numbers_text(grad)}"


def main():
    families = sys.argv[1:] or sorted(
        p.stem for p in HERE.glob("*.py") if p.stem not in ("cases", "generate"))
    for family in families:
        cases.CASES.clear()
        importlib.import_module(family)
        text = "".join(line + "\n" for case in cases.CASES for line in lines_of(case))
        (HERE / f"{family}.txt").write_text(text)
        print(f"{family}: {len(cases.CASES)} modules")


if __name__ == "__main__":
    main()
