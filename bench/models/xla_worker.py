#!/usr/bin/env python3
"""Times one StableHLO module through JAX; prints one JSON object.

    xla_worker.py MODULE.mlir INPUT_DIR ITERATIONS

Needs jax from PyPI. Runs on the platform that JAX_PLATFORMS names, by default JAX's own CPU
backend. Compiles without any cache; inputs stay on the device.
"""
import json
import os
import pathlib
import sys
import time

os.environ.setdefault("JAX_PLATFORMS", "cpu")


def main():
    import jax
    import numpy
    from jax._src import compiler
    from jax._src.interpreters import mlir as jax_mlir
    from jax._src.lib import xla_client
    from jax._src.lib.mlir import ir

    path, inputs, iterations = sys.argv[1], pathlib.Path(sys.argv[2]), int(sys.argv[3])
    jax.config.update("jax_enable_compilation_cache", False)
    device = jax.devices()[0]
    arrays = [jax.device_put(numpy.load(file), device) for file in sorted(inputs.glob("in_*.npy"))]
    start = time.perf_counter()
    module = ir.Module.parse(pathlib.Path(path).read_text(), jax_mlir.make_ir_context())
    options = compiler.get_compile_options(num_replicas=1, num_partitions=1, backend=device.client)
    program = compiler.backend_compile_and_load(device.client, module,
                                                xla_client.DeviceList((device,)), options, [])
    compile_ms = (time.perf_counter() - start) * 1e3

    def run():
        results = program.execute_sharded(arrays).disassemble_into_single_device_arrays()
        for result in results:
            result[0].block_until_ready()

    run()
    times = []
    for _ in range(iterations):
        start = time.perf_counter()
        run()
        times.append((time.perf_counter() - start) * 1e3)
    times.sort()
    print(json.dumps({"compile_ms": compile_ms, "run_ms_median": times[len(times) // 2],
                      "run_ms_min": times[0], "version": jax.__version__}))


if __name__ == "__main__":
    main()
