#!/usr/bin/env python3
"""Runs JAX programs through the PJRT plugin and compares them with JAX's own CPU.

    jax_test.py PLUGIN COMPILER PACKAGE FOLDER PYTHON…

The first PYTHON that can import jax 0.10.2 runs the programs; without one, jax is installed
into FOLDER. Exits 77, saying why, where that is not possible.
"""
import os
import pathlib
import subprocess
import sys

VERSION = "0.10.2"
PROGRAMS = r"""
import gc, os, threading
import numpy as np
import jax, jax.numpy as jnp

assert jax.default_backend() == "xlac", jax.default_backend()
assert len(jax.devices()) == 2
assert "PJRT C API" in jax.devices()[0].client.platform_version

# Values, against NumPy and against JAX's own CPU.
x = jnp.arange(4.)
np.testing.assert_array_equal(jax.jit(lambda x: x * 2 + 1)(x), [1, 3, 5, 7])
cpu = jax.local_devices(backend="cpu")[0]
key = np.array([0, 7], np.uint32)
def net(key):
    w = jax.random.normal(jax.random.wrap_key_data(key), (64, 32))
    return jax.nn.softmax(jnp.tanh(w @ w.T), -1)
np.testing.assert_allclose(jax.jit(net)(key), jax.jit(net, device=cpu)(key), rtol=2e-5)
values, vectors = jnp.linalg.eigh(jnp.diag(jnp.array([3., 1., 2.])))
np.testing.assert_allclose(values, [1, 2, 3], rtol=1e-6)

# Every type, and strides of all kinds.
for name in ("bool int4 uint4 int8 int16 int32 uint8 uint16 uint32 float16 bfloat16 float32 "
             "complex64 float8_e5m2 float8_e4m3fn").split():
    host = np.array([[0, 1, 2], [3, 4, 5]]).astype(jnp.dtype(name))
    for given in (host, host.T, host[::-1], host[:, ::2], np.broadcast_to(host[0], (4, 3))):
        back = np.asarray(jax.device_put(given))
        assert back.dtype == given.dtype
        np.testing.assert_array_equal(back, given)
        np.testing.assert_array_equal(np.asarray(jnp.asarray(given) + jnp.zeros_like(given)), given)
assert np.asarray(jnp.zeros((0, 3))).shape == (0, 3)

# Donation: the argument is deleted, but the memory that NumPy views stays.
add = jax.jit(lambda a, b: a + b, donate_argnums=0)
a, b = jnp.ones(1000), jnp.ones(1000)
view = np.asarray(a)
c = add(a, b)
assert a.is_deleted() and not b.is_deleted()
assert view[0] == 1 and c[0] == 2
try:
    a + 1
    raise SystemExit("a deleted array was read")
except RuntimeError as error:
    assert "deleted" in str(error), error

# Errors.
try:
    jax.jit(lambda x: x, compiler_options={"invalid_key": 1}).lower(1.).compile()
    raise SystemExit("an unknown option was accepted")
except Exception as error:
    assert "No such compile option: 'invalid_key'" in str(error), error

# Analyses, text, serialization, devices.
from jax.experimental import serialize_executable
compiled = jax.jit(lambda x: jnp.sin(x) @ x).lower(jnp.ones((8, 8))).compile()
assert "stablehlo" in compiled.as_text() or "HloModule" in compiled.as_text()
assert compiled.memory_analysis().output_size_in_bytes == 256
assert compiled.cost_analysis()["flops"] > 0
again = serialize_executable.deserialize_and_load(
    *serialize_executable.serialize(compiled), execution_devices=jax.devices()[:1])
np.testing.assert_allclose(again(jnp.ones((8, 8))), compiled(jnp.ones((8, 8))))
other = jax.device_put(x, jax.devices()[1])
assert (other + 1).devices() == {jax.devices()[1]}
np.testing.assert_array_equal(jax.device_put(other + 1, jax.devices()[0]) + x, [1, 3, 5, 7])

# Programs of two devices: shardings that the compiler chooses come back.
from jax.sharding import NamedSharding, PartitionSpec as P
mesh = jax.make_mesh((2,), ("d",), axis_types=(jax.sharding.AxisType.Auto,))
rows = jax.device_put(np.arange(16.).reshape(4, 4), NamedSharding(mesh, P("d")))
doubled = jax.jit(lambda x: x * 2)(rows)
assert doubled.sharding.shard_shape((4, 4)) == (2, 4), doubled.sharding
np.testing.assert_array_equal(np.asarray(jax.jit(lambda x: x @ x.T)(doubled)),
                              4 * np.asarray(rows) @ np.asarray(rows).T)
many = jax.device_put(np.ones((1024, 64)), NamedSharding(mesh, P("d")))
total = jax.jit(lambda x: (x.sum(), x[0])).lower(many).compile()
assert "all-reduce" in total.as_text()
np.testing.assert_array_equal(total(many)[0], 65536)
sums = jax.shard_map(lambda x: jax.lax.psum(x, "d"), mesh=mesh, in_specs=P("d"), out_specs=P())
np.testing.assert_array_equal(jax.jit(sums)(rows), np.asarray(rows[:2]) + np.asarray(rows[2:]))

# A chain of launches from several threads.
step = jax.jit(lambda x: jnp.tanh(x @ x))
def chain():
    y = jnp.eye(128)
    for _ in range(50):
        y = step(y)
    y.block_until_ready()
threads = [threading.Thread(target=chain) for _ in range(4)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
pending = [step(jnp.eye(256)) for _ in range(20)]  # the process ends while these run
print("passed")
"""


def can_run(python):
    probe = f"import jax, jaxlib; assert jax.__version__ == jaxlib.__version__ == '{VERSION}'"
    try:
        return subprocess.run([python, "-c", probe], capture_output=True,
                              timeout=120).returncode == 0
    except OSError:
        return False


def install(folder):
    python = str(folder / "bin/python")
    if not can_run(python):
        commands = ([sys.executable, "-m", "venv", str(folder)],
                    [python, "-m", "pip", "install", "-q", "--no-input",
                     f"jax=={VERSION}", f"jaxlib=={VERSION}"])
        for command in commands:
            try:
                done = subprocess.run(command, capture_output=True, text=True, timeout=300)
                why = (f"exit code {done.returncode}: {done.stderr.strip()[-300:]}"
                       if done.returncode else "")
            except subprocess.TimeoutExpired:
                why = "it took more than 5 minutes"
            if why:
                print(f"skipped: jax {VERSION} cannot be installed: {why}")
                sys.exit(77)
    return python


def main():
    plugin, compiler, package, folder, *pythons = sys.argv[1:]
    python = next(filter(can_run, pythons), None) or install(pathlib.Path(folder))
    environment = dict(os.environ, PYTHONPATH=package, XLAC_PJRT_PLUGIN=plugin,
                       XLAC_COMPILER_LIBRARY=compiler, XLAC_PJRT_DEVICES="2",
                       JAX_PLATFORMS="xlac,cpu", XLAC_CACHE="off")
    callbacks = str(pathlib.Path(__file__).parent / "jax_callbacks.py")
    as_cpu = dict(XLAC_PJRT_PLATFORM="cpu", JAX_PLATFORMS="xlac")
    for program, changes in ((["-c", PROGRAMS], {}), ([callbacks], {}), ([callbacks], as_cpu)):
        done = subprocess.run([python, *program], env=environment | changes, capture_output=True,
                              text=True, timeout=400)
        if done.returncode or done.stdout.strip() != "passed":
            print(done.stdout, done.stderr[-4000:],
                  f"exit status {done.returncode} of {program[-1][-60:]} {changes}", sep="\n")
            sys.exit(1)
    print("passed")


if __name__ == "__main__":
    main()
