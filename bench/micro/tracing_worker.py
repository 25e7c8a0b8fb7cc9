#!/usr/bin/env python3
"""tracing_bench's program in another library: tracing_worker.py torch_xla|mlx|torch

Prints a line of JSON: recording one operation, and launching 1,000 of them. For
libraries that compute at once, torch here, recording is computing.
"""
import json
import os
import statistics
import sys
import time

OPERATIONS, ROUNDS = 1000, 30


def torch_xla():
    os.environ.setdefault("PJRT_DEVICE", "CPU")
    import torch
    import torch_xla as library
    device = library.device()
    x, y = (torch.ones(16, device=device) for _ in range(2))
    library.sync(wait=True)
    import torch_xla.core.xla_model as xm
    return x, y, lambda z: library.sync(), lambda z: xm.wait_device_ops()


def mlx():
    import mlx.core as mx
    mx.set_default_device(mx.cpu)
    x, y = mx.ones(16), mx.ones(16)
    mx.eval(x, y)
    return x, y, mx.async_eval, mx.eval


def torch():
    import torch as library
    library.set_num_threads(1)
    return library.ones(16), library.ones(16), lambda z: None, lambda z: None


def main():
    x, y, launch, wait = {"torch_xla": torch_xla, "mlx": mlx, "torch": torch}[sys.argv[1]]()
    recording, launching = [], []
    for _ in range(ROUNDS):
        z = x
        start = time.perf_counter_ns()
        for _ in range(OPERATIONS // 2):
            z = (z + y) * y
        recorded = time.perf_counter_ns()
        launch(z)
        launched = time.perf_counter_ns()
        wait(z)
        recording.append((recorded - start) / OPERATIONS)
        launching.append((launched - recorded) / 1e3)
    print(json.dumps({"record_ns": statistics.median(recording),
                      "launch_us": statistics.median(launching)}))


if __name__ == "__main__":
    main()
