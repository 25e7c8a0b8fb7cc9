"""JAX programs that call Python, and foreign functions. Prints "passed".

Run by jax_test.py, on a platform named xlac and on one named cpu, with two devices.
"""
import functools
import os
import threading
import time

import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import checkify, io_callback
from jax.sharding import NamedSharding, PartitionSpec as P

PLATFORM = os.environ.get("XLAC_PJRT_PLATFORM", "xlac")
assert jax.default_backend() == PLATFORM, jax.default_backend()
assert "PJRT C API" in jax.devices()[0].client.platform_version
assert len(jax.devices()) == 2


def like(x):
    return jax.ShapeDtypeStruct(x.shape, x.dtype)


# Values, of every type and shape.
def swap(a, b):
    return b, a


def swapped(a, b):
    return jax.pure_callback(swap, (like(b), like(a)), a, b)


for name in ("bool int4 uint4 int8 int16 int32 uint8 uint16 uint32 float16 bfloat16 float32 "
             "complex64 float8_e5m2 float8_e4m3fn").split():
    a = jnp.array([[0, 1, 1], [1, 0, 1]], jnp.dtype(name))
    for b in (jnp.float32(3), jnp.zeros((0, 4), jnp.dtype(name)), a.T):
        first, second = jax.jit(swapped)(a, b)
        assert first.dtype == b.dtype and second.dtype == a.dtype
        np.testing.assert_array_equal(np.asarray(first), np.asarray(b))
        np.testing.assert_array_equal(np.asarray(second), np.asarray(a))


# What a callback gets may be kept, and cannot be written to.
kept = []
keeps = jax.jit(lambda x: io_callback(kept.append, None, x))
for i in range(3):
    keeps(jnp.full(100, i))
jax.effects_barrier()
assert sorted(int(x[0]) for x in kept) == [0, 1, 2]
assert all((np.asarray(x) == np.asarray(x)[0]).all() for x in kept)

# Transformations and control flow.
def sine(x):
    return jax.pure_callback(lambda x: np.sin(x).astype(x.dtype), like(x), x,
                             vmap_method="expand_dims")


@jax.custom_vjp
def smooth(x):
    return sine(x)


smooth.defvjp(lambda x: (sine(x), x), lambda x, g: (g * jnp.cos(x),))
x = jnp.arange(6.).reshape(2, 3)
np.testing.assert_allclose(jax.jit(jax.vmap(sine))(x), np.sin(x), rtol=1e-6)
np.testing.assert_allclose(jax.jit(jax.grad(lambda x: smooth(x).sum()))(x), np.cos(x), rtol=1e-6)
total, each = jax.jit(lambda x: jax.lax.scan(lambda c, x: (c + sine(x), c), jnp.zeros(3), x))(x)
np.testing.assert_allclose(total, np.sin(x).sum(0), rtol=1e-6)
np.testing.assert_allclose(
    jax.jit(lambda n: jax.lax.while_loop(lambda c: c[0] < n,
                                         lambda c: (c[0] + 1, sine(c[1])), (0, 1.)))(3)[1],
    np.sin(np.sin(np.sin(1.))), rtol=1e-6)
for flag in (True, False):
    np.testing.assert_allclose(
        jax.jit(lambda p, x: jax.lax.cond(p, sine, jnp.cos, x))(flag, x),
        np.sin(x) if flag else np.cos(x), rtol=1e-6)

# Effects: ordered ones come in order, over loops and programs.
log = []


@jax.jit
def logs(start):
    def body(i, _):
        io_callback(lambda i: log.append(int(i)), None, start + i, ordered=True)
        return _
    jax.lax.fori_loop(0, 5, body, 0)


for start in range(0, 50, 5):
    logs(start)
jax.effects_barrier()
assert log == list(range(50)), log

printed = []
jax.jit(jax.vmap(lambda x: jax.debug.callback(lambda x: printed.append(float(x)), x)))(
    jnp.arange(4.))
jax.effects_barrier()
assert sorted(printed) == [0, 1, 2, 3], printed

error, _ = checkify.checkify(jax.jit(lambda x: checkify.check(x > 0, "negative: {}", x)))(-1.)
assert "negative" in error.get()

# An exception fails the run that it comes from, and no other.
def fails(x):
    raise ValueError("no such number")


for _ in range(3):
    try:
        jax.block_until_ready(jax.jit(lambda x: jax.pure_callback(fails, like(x), x) + 1)(x))
        raise SystemExit("a failing callback passed")
    except jax.errors.JaxRuntimeError as error:
        assert "ValueError: no such number" in str(error), error
    np.testing.assert_allclose(jax.jit(sine)(x), np.sin(x), rtol=1e-6)
for wrong in (lambda x: np.zeros(7, np.float32), lambda x: np.zeros(x.shape, np.int32),
              lambda x: (x, x)):
    try:
        jax.block_until_ready(jax.jit(lambda x: jax.pure_callback(wrong, like(x), x))(x))
        raise SystemExit("a callback with wrong results passed")
    except jax.errors.JaxRuntimeError:
        pass

# Callbacks that run JAX themselves, on the device that waits for them.
step = jax.jit(lambda x: jnp.tanh(x) * 2)


def runs_jax(x):
    return np.asarray(step(step(jnp.asarray(x))))


nested = jax.jit(lambda x: jax.pure_callback(runs_jax, like(x), x) + 1)
expected = np.asarray(step(step(x))) + 1
for _ in range(20):
    np.testing.assert_allclose(nested(x), expected, rtol=1e-6)
twice = jax.jit(lambda x: jax.pure_callback(lambda x: np.asarray(nested(x)), like(x), x))
np.testing.assert_allclose(twice(x), expected, rtol=1e-6)

# Several threads at once.
def work():
    for _ in range(10):
        np.testing.assert_allclose(nested(x), expected, rtol=1e-6)


threads = [threading.Thread(target=work) for _ in range(4)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]

# Several devices: each calls for its shard, and all callbacks use the first device.
mesh = jax.make_mesh((2,), ("d",), axis_types=(jax.sharding.AxisType.Auto,))
rows = jax.device_put(np.arange(8.).reshape(4, 2).astype(np.float32), NamedSharding(mesh, P("d")))


@jax.jit
@functools.partial(jax.shard_map, mesh=mesh, in_specs=P("d"), out_specs=P())
def summed(x):
    y = jax.pure_callback(lambda x: np.asarray(step(jnp.asarray(x))), like(x), x)
    return jax.lax.psum(y, "d")


doubled = np.asarray(step(np.asarray(rows)))
for _ in range(10):
    np.testing.assert_allclose(summed(rows), doubled[:2] + doubled[2:], rtol=1e-6)
np.testing.assert_allclose(jax.jit(lambda x: sine(x) + x)(rows), np.sin(rows) + rows, rtol=1e-6)
np.testing.assert_allclose(jax.pmap(sine)(np.arange(4.).reshape(2, 2).astype(np.float32)),
                           np.sin(np.arange(4.).reshape(2, 2)), rtol=1e-6)
local = []
jax.jit(jax.shard_map(lambda x: jax.debug.callback(lambda x: local.append(np.asarray(x)), x),
                      mesh=mesh, in_specs=P("d"), out_specs=P()))(rows)
jax.effects_barrier()
np.testing.assert_array_equal(np.concatenate(sorted(local, key=lambda x: x[0, 0])), rows)

# Foreign functions: jaxlib's, under a name that xlac does not know.
from jaxlib import lapack
lapack.prepare_lapack_call("getrf_ffi", np.float32)
handlers = {name: handler for name, handler, _ in lapack.registrations()["cpu"]}[
    "lapack_sgetrf_ffi"]
jax.ffi.register_ffi_target("test_getrf", handlers, platform=PLATFORM)
matrix = jax.random.normal(jax.random.key(0), (4, 4))
columns = dict(input_layouts=[(1, 0)], output_layouts=[(1, 0), (0,), ()])
lu, pivots, info = jax.jit(lambda a: jax.ffi.ffi_call(
    "test_getrf", [like(a), jax.ShapeDtypeStruct((4,), jnp.int32),
                   jax.ShapeDtypeStruct((), jnp.int32)], **columns)(a))(matrix)
lu2, pivots2, _ = jax.lax.linalg.lu(matrix)
assert info == 0
np.testing.assert_allclose(lu, lu2, rtol=1e-4)
np.testing.assert_array_equal(pivots - 1, pivots2)
jax.ffi.register_ffi_target("test_getrf_of_cpu", handlers)
assert jax.jit(lambda a: jax.ffi.ffi_call(
    "test_getrf_of_cpu", [like(a), jax.ShapeDtypeStruct((4,), jnp.int32),
                          jax.ShapeDtypeStruct((), jnp.int32)], **columns)(a))(matrix)[2] == 0
try:
    jax.jit(lambda x: jax.ffi.ffi_call("test_nobody", like(x))(x))(x)
    raise SystemExit("an unknown foreign function was called")
except Exception as error:
    assert "test_nobody" in str(error), error

# The process ends while a program is in Python and others wait behind it.
slow = jax.jit(lambda x: jax.pure_callback(lambda x: (time.sleep(0.2), x)[1], like(x), x))
pending = [slow(jnp.ones(4)) for _ in range(5)]
print("passed")
