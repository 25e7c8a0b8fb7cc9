#!/usr/bin/env python3
"""Writes the repository's own small models, for machines without ../shared.

    export_models.py [OUT_DIR]

Each folder holds module.mlir, spec.json (inputs by recipe, tolerances) and
expected.npz, as ../shared/models does; expected values come from NumPy in
double precision. model_data.py makes the inputs and checks the outputs.
"""
import json
import pathlib
import sys

import numpy as np

import model_data

ROOT = pathlib.Path(__file__).resolve().parents[2]


def kind(shape, element="f32"):
    return f"tensor<{''.join(f'{d}x' for d in shape)}{element}>"


class Module:
    """StableHLO text, an op a line; values are (name, shape)."""

    def __init__(self, name, shapes):
        self.name, self.lines, self.count = name, [], 0
        self.arguments = [(f"%arg{i}", tuple(shape)) for i, shape in enumerate(shapes)]

    def op(self, text, shape):
        name = f"%{self.count}"
        self.count += 1
        self.lines.append(f"{name} = {text}")
        return name, tuple(shape)

    def scalar(self, value):
        return self.op(f"stablehlo.constant dense<{float(value)!r}> : tensor<f32>", ())

    def broadcast(self, value, shape, dims):
        return self.op(f"stablehlo.broadcast_in_dim {value[0]}, dims = {list(dims)} : "
                       f"({kind(value[1])}) -> {kind(shape)}", shape)

    def same(self, op, *values):
        names = ", ".join(value[0] for value in values)
        return self.op(f"stablehlo.{op} {names} : {kind(values[0][1])}", values[0][1])

    def dot(self, a, b):
        shape = (a[1][0], b[1][1])
        return self.op(f"stablehlo.dot_general {a[0]}, {b[0]}, contracting_dims = [1] x [0] : "
                       f"({kind(a[1])}, {kind(b[1])}) -> {kind(shape)}", shape)

    def reduce(self, op, value, initial, dim):
        shape = value[1][:dim] + value[1][dim + 1:]
        start = self.scalar(initial) if np.isfinite(initial) else self.op(
            "stablehlo.constant dense<0xFF800000> : tensor<f32>", ())
        return self.op(f"stablehlo.reduce({value[0]} init: {start[0]}) applies stablehlo.{op} "
                       f"across dimensions = [{dim}] : ({kind(value[1])}, tensor<f32>) -> {kind(shape)}", shape)

    def text(self, results):
        arguments = ", ".join(f"{name}: {kind(shape)}" for name, shape in self.arguments)
        types = ", ".join(kind(shape) for _, shape in results)
        names = ", ".join(name for name, _ in results)
        body = "".join(f"    {line}\n" for line in self.lines)
        return (f"module @{self.name} {{\n  func.func public @main({arguments}) -> ({types}) {{\n"
                f"{body}    return {names} : {types}\n  }}\n}}\n")


def perceptron():
    """Softmax classifier with one hidden layer."""
    shapes = [(32, 24), (24, 40), (40,), (40, 10), (10,)]
    m = Module("perceptron_infer", shapes)
    x, w1, b1, w2, b2 = m.arguments
    hidden = m.same("add", m.dot(x, w1), m.broadcast(b1, (32, 40), [1]))
    hidden = m.same("maximum", hidden, m.broadcast(m.scalar(0), (32, 40), []))
    logits = m.same("add", m.dot(hidden, w2), m.broadcast(b2, (32, 10), [1]))
    top = m.broadcast(m.reduce("maximum", logits, -np.inf, 1), (32, 10), [0])
    weights = m.same("exponential", m.same("subtract", logits, top))
    total = m.broadcast(m.reduce("add", weights, 0, 1), (32, 10), [0])
    text = m.text([m.same("divide", weights, total), logits])

    def reference(x, w1, b1, w2, b2):
        logits = np.maximum(x @ w1 + b1, 0) @ w2 + b2
        weights = np.exp(logits - logits.max(1, keepdims=True))
        return weights / weights.sum(1, keepdims=True), logits
    return text, shapes, reference


def convolution():
    """A 3x3 convolution with stride 2, relu and a global mean, NCHW."""
    shapes = [(2, 3, 17, 19), (8, 3, 3, 3), (8,)]
    m = Module("convolution_infer", shapes)
    x, w, b = m.arguments
    out = (2, 8, 9, 10)
    y = m.op(f"stablehlo.convolution({x[0]}, {w[0]}) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], "
             "window = {stride = [2, 2], pad = [[1, 1], [1, 1]]} "
             "{batch_group_count = 1 : i64, feature_group_count = 1 : i64} : "
             f"({kind(x[1])}, {kind(w[1])}) -> {kind(out)}", out)
    y = m.same("add", y, m.broadcast(b, out, [1]))
    y = m.same("maximum", y, m.broadcast(m.scalar(0), out, []))
    total = m.reduce("add", m.reduce("add", y, 0, 3), 0, 2)
    mean = m.same("divide", total, m.broadcast(m.scalar(90), (2, 8), []))
    text = m.text([y, mean])

    def reference(x, w, b):
        padded = np.pad(x, ((0, 0), (0, 0), (1, 1), (1, 1)))
        y = np.zeros(out)
        for i in range(9):
            for j in range(10):
                patch = padded[:, :, 2 * i:2 * i + 3, 2 * j:2 * j + 3]
                y[:, :, i, j] = np.einsum("bckl,ockl->bo", patch, w)
        y = np.maximum(y + b[None, :, None, None], 0)
        return y, y.mean((2, 3))
    return text, shapes, reference


def recurrence():
    """A tanh recurrence in a while loop that writes every state."""
    steps, batch, width = 12, 4, 16
    shapes = [(steps, batch, width), (width, width), (batch, width)]
    text = f"""module @recurrence {{
  func.func public @main(%xs: {kind(shapes[0])}, %w: {kind(shapes[1])}, %h0: {kind(shapes[2])}) -> ({kind(shapes[0])}, {kind(shapes[2])}) {{
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %none = stablehlo.constant dense<0.0> : tensor<f32>
    %empty = stablehlo.broadcast_in_dim %none, dims = [] : (tensor<f32>) -> {kind(shapes[0])}
    %r:3 = stablehlo.while(%i = %zero, %h = %h0, %out = %empty) : tensor<i32>, {kind(shapes[2])}, {kind(shapes[0])}
    cond {{
      %n = stablehlo.constant dense<{steps}> : tensor<i32>
      %go = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %go : tensor<i1>
    }} do {{
      %c0 = stablehlo.constant dense<0> : tensor<i32>
      %c1 = stablehlo.constant dense<1> : tensor<i32>
      %x1 = stablehlo.dynamic_slice %xs, %i, %c0, %c0, sizes = [1, {batch}, {width}] : ({kind(shapes[0])}, tensor<i32>, tensor<i32>, tensor<i32>) -> {kind((1, batch, width))}
      %x = stablehlo.reshape %x1 : ({kind((1, batch, width))}) -> {kind(shapes[2])}
      %p = stablehlo.dot_general %h, %w, contracting_dims = [1] x [0] : ({kind(shapes[2])}, {kind(shapes[1])}) -> {kind(shapes[2])}
      %s = stablehlo.add %p, %x : {kind(shapes[2])}
      %next = stablehlo.tanh %s : {kind(shapes[2])}
      %row = stablehlo.reshape %next : ({kind(shapes[2])}) -> {kind((1, batch, width))}
      %more = stablehlo.dynamic_update_slice %out, %row, %i, %c0, %c0 : ({kind(shapes[0])}, {kind((1, batch, width))}, tensor<i32>, tensor<i32>, tensor<i32>) -> {kind(shapes[0])}
      %j = stablehlo.add %i, %c1 : tensor<i32>
      stablehlo.return %j, %next, %more : tensor<i32>, {kind(shapes[2])}, {kind(shapes[0])}
    }}
    return %r#2, %r#1 : {kind(shapes[0])}, {kind(shapes[2])}
  }}
}}
"""

    def reference(xs, w, h):
        states = []
        for x in xs:
            h = np.tanh(h @ w + x)
            states.append(h)
        return np.stack(states), h
    return text, shapes, reference


def export(folder, name, text, shapes, reference):
    folder = folder / name
    folder.mkdir(parents=True, exist_ok=True)
    spec = {"name": name, "inputs": [
        {"name": f"arg{i}", "dtype": "f32", "shape": list(shape), "seed": i + 1, "lo": -0.5, "hi": 0.5}
        for i, shape in enumerate(shapes)]}
    inputs = [model_data.make(entry).astype(np.float64) for entry in spec["inputs"]]
    results = reference(*inputs)
    spec["outputs"] = [{"name": f"result{i}", "dtype": "f32", "shape": list(result.shape),
                        "atol": 1e-5, "rtol": 1e-5} for i, result in enumerate(results)]
    expected = {}
    for i, result in enumerate(results):
        expected[f"at_{i:03d}"] = np.arange(result.size)
        expected[f"want_{i:03d}"] = result.reshape(-1)
        expected[f"norm_{i:03d}"] = np.linalg.norm(result)
    (folder / "module.mlir").write_text(text)
    (folder / "spec.json").write_text(json.dumps(spec, indent=1) + "\n")
    np.savez_compressed(folder / "expected.npz", **expected)


def main():
    folder = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "tests/e2e/models"
    for name, make in (("perceptron_infer", perceptron), ("convolution_infer", convolution),
                       ("recurrence", recurrence)):
        export(folder, name, *make())


if __name__ == "__main__":
    main()
