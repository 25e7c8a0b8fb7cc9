#!/usr/bin/env python3
"""latency_worker.cpp's programs in another library: latency_worker.py jax|torch|torch_compile|mlx

Prints the same line of JSON. Libraries that run each op at once have no time to compile, and
nothing that launches a program without ops.
"""
import json
import statistics
import sys
import time

CALLS, ELEMENTS = 2000, 16


def chain(ops):
    def function(x, y):
        for i in range(ops):
            x = x * y if i % 2 else x + y
        return x
    return function


def jax():
    import jax as library
    import jax.numpy as jnp

    def inputs(elements):
        return [library.block_until_ready(jnp.full(elements, value, jnp.float32))
                for value in (1.0, 0.5)]
    return library.jit, inputs, library.block_until_ready, None


def torch():
    import torch as library
    library.set_grad_enabled(False)
    return None, lambda elements: [library.full((elements,), value) for value in (1.0, 0.5)], \
        lambda result: result, None


def torch_compile():
    import torch as library
    _, inputs, wait, _ = torch()
    # Each size is a program of its own, as for the other compilers. After a few recompilations
    # of one function, torch.compile runs it without compiling it.
    return lambda function: library.compile(function, dynamic=False), inputs, wait, \
        library.compiler.reset


def mlx():
    import mlx.core as library
    library.set_default_device(library.cpu)

    def inputs(elements):
        made = [library.full((elements,), value) for value in (1.0, 0.5)]
        library.eval(*made)
        return made
    return library.compile, inputs, library.eval, None


def timed(work):
    start = time.perf_counter_ns()
    work()
    return time.perf_counter_ns() - start


def main():
    build, inputs, wait, forget = {"jax": jax, "torch": torch, "torch_compile": torch_compile,
                                   "mlx": mlx}[sys.argv[1]]()
    figures = {}
    for name, ops in (("empty_ns", 0), ("one_ns", 1), ("hundred_ns", 100)):
        if ops == 0 and not build:
            continue
        if forget:
            forget()
        function, made = (build or (lambda plain: plain))(chain(ops)), inputs(ELEMENTS)
        wait(function(*made))
        figures[name] = statistics.median(
            timed(lambda: wait(function(*made))) for _ in range(CALLS))
    if build:
        times = []
        # torch.compile takes seconds for each.
        for elements in range(1000, 1003 if forget else 1020):
            made = inputs(elements)
            if forget:
                forget()
            times.append(timed(lambda: wait(build(chain(1))(*made))))
        figures["compile_ms"] = statistics.median(times) / 1e6
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
