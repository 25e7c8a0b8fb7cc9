"""Weights and inputs of bench_sizes.py, the same for all workers."""
import json
import pathlib
import sys
import time

import numpy as np

WIDTH, HEADS, LAYERS, HIDDEN, CLASSES = 256, 4, 4, 512, 10
ROUND_RUNS = 5


def weights(model):
    """The arrays of a model, in the order of its arguments."""
    generator = np.random.default_rng(7)

    def draw(*shape):
        fan_in = shape[0] if len(shape) == 2 else max(1, int(np.prod(shape[1:])))
        return (generator.standard_normal(shape) / np.sqrt(fan_in)).astype(np.float32)

    if model in ("mlp", "mlp_step"):
        return [draw(784, HIDDEN), draw(HIDDEN, HIDDEN), draw(HIDDEN, CLASSES)]
    if model == "convnet":
        return [draw(32, 3, 3, 3), draw(64, 32, 3, 3), draw(64, 64, 3, 3), draw(64, CLASSES)]
    if model == "lstm":
        return [draw(WIDTH, 4 * WIDTH), draw(WIDTH, 4 * WIDTH)]
    if model == "transformer":
        return [draw(*shape) for _ in range(LAYERS)
                for shape in ((WIDTH, 3 * WIDTH), (WIDTH, WIDTH), (WIDTH, 4 * WIDTH),
                              (4 * WIDTH, WIDTH))]
    raise ValueError(f"there is no model {model}")


def input_shape(model, sizes):
    """Of a batch, or of a batch and a length."""
    if model in ("mlp", "mlp_step"):
        return (sizes[0], 784)
    if model == "convnet":
        return (sizes[0], 3, 32, 32)
    return (sizes[1], sizes[0], WIDTH) if model == "lstm" else (sizes[0], sizes[1], WIDTH)


def input_of(model, sizes):
    shape = input_shape(model, sizes)
    return np.random.default_rng(sum(sizes)).standard_normal(shape).astype(np.float32)


def write_safetensors(path, arrays):
    """Named arrays of f32, for the worker in C++."""
    header, end = {}, 0
    for name, array in arrays.items():
        header[name] = {"dtype": "F32", "shape": list(array.shape),
                        "data_offsets": [end, end + array.nbytes]}
        end += array.nbytes
    text = json.dumps(header).encode()
    pathlib.Path(path).write_bytes(len(text).to_bytes(8, "little") + text +
                                   b"".join(array.tobytes() for array in arrays.values()))


def serve(model, make):
    """Answers each line of sizes with the seconds until the first result, those of the
    fastest further run, and the sum of the result's magnitudes. `make` returns a function that
    takes the input and returns an array after all work is done."""
    run = make(weights(model))
    for line in sys.stdin:
        x = input_of(model, [int(word) for word in line.split()])
        begin = time.perf_counter()
        result = run(x)
        answer = {"first": time.perf_counter() - begin,
                  "sum": float(np.abs(np.asarray(result, np.float64)).sum())}
        runs = []
        for _ in range(ROUND_RUNS):
            begin = time.perf_counter()
            run(x)
            runs.append(time.perf_counter() - begin)
        print(json.dumps(answer | {"run": min(runs)}), flush=True)
