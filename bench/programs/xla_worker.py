"""Times one StableHLO program on JAX's own CPU backend.

    xla_worker.py FOLDER

FOLDER has module.mlir and in_NNN.npy. Prints {"compile_ms": …} as a line of JSON. Then reads a
number of seconds a line, runs the program for that long, and answers with {"run_ms": …}, the least
time of a run.
"""
import json
import os
import pathlib
import re
import sys
import time

folder = pathlib.Path(sys.argv[1])
text = (folder / "module.mlir").read_text()
os.environ["JAX_PLATFORMS"] = "cpu"
# JAX refuses such arrays otherwise.
os.environ["JAX_ENABLE_X64"] = str(bool(re.search(r"(?:[x<](?:f64|u?i64)|complex<f64>)>", text)))

import jax  # noqa: E402
import ml_dtypes  # noqa: E402
import numpy  # noqa: E402
from jax._src import compiler  # noqa: E402
from jax._src.interpreters import mlir as jax_mlir  # noqa: E402
from jax._src.lib import xla_client  # noqa: E402
from jax._src.lib.mlir import ir  # noqa: E402


def argument_types():
    main = re.search(r"@main\((.*?)\) *->", text, re.DOTALL)
    return re.findall(r"%arg\d+: tensor<(?:\d+x)*([\w<>]+?)>[,) {]", main[1] + ")") if main else []


def load(file, element):
    """NumPy knows no bfloat16 and no narrow floats; files hold their bytes."""
    array = numpy.load(file)
    names = {"bf16": "bfloat16", "i4": "int4", "ui4": "uint4"}
    name = names.get(element, "float8_" + element[2:].lower() if element.startswith("f8") else "")
    return array.view(getattr(ml_dtypes, name)) if array.dtype.kind == "V" and name else array


def compile_program(device):
    if "@lapack_" in text:
        from jaxlib import lapack
        lapack._lapack.initialize()  # JAX does so when it lowers such a call
    module = ir.Module.parse(text, jax_mlir.make_ir_context())
    options = compiler.get_compile_options(num_replicas=1, num_partitions=1, backend=device.client)
    return compiler.backend_compile_and_load(device.client, module,
                                             xla_client.DeviceList((device,)), options, [])


def main():
    jax.config.update("jax_enable_compilation_cache", False)
    device = jax.devices("cpu")[0]
    files = sorted(folder.glob("in_*.npy"))
    arguments = [jax.device_put(load(file, element), device)
                 for file, element in zip(files, argument_types(), strict=True)]
    start = time.perf_counter()
    program = compile_program(device)
    print(json.dumps({"compile_ms": (time.perf_counter() - start) * 1e3}), flush=True)

    def run():
        start = time.perf_counter()
        results = program.execute_sharded(arguments).disassemble_into_single_device_arrays()
        for result in results:
            result[0].block_until_ready()
        return time.perf_counter() - start

    run()
    for line in sys.stdin:
        end = time.perf_counter() + float(line)
        least = run()
        while time.perf_counter() < end:
            least = min(least, run())
        print(json.dumps({"run_ms": least * 1e3}), flush=True)


if __name__ == "__main__":
    main()
