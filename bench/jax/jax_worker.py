"""Small programs through JAX, on the platform that JAX_PLATFORMS names.

Reads a case of CASES a line and answers with seconds per call as a line of JSON. Each case is
warm when it is timed.
"""
import functools
import itertools
import json
import sys
import time

import jax
import numpy as np
from jax import numpy as jnp

MEBIBYTE = 2**20


def seconds_of(call, count):
    start = time.perf_counter()
    for _ in range(count):
        result = call()
    jax.block_until_ready(result)
    return (time.perf_counter() - start) / count


@functools.cache
def one_op():
    return jax.jit(lambda x: x + 1), jnp.zeros(8, jnp.float32)


def call_of_one_op():
    function, x = one_op()
    return seconds_of(lambda: function(x), 2000)


def waited_call_of_one_op():
    """With the wait for its result."""
    function, x = one_op()
    return seconds_of(lambda: function(x).block_until_ready(), 2000)


@functools.cache
def many_arguments():
    return (jax.jit(lambda *xs: sum(xs[1:], xs[0])),
            [jnp.full(8, i, jnp.float32) for i in range(100)])


def call_of_100_arguments():
    function, xs = many_arguments()
    return seconds_of(lambda: function(*xs), 300)


@functools.cache
def product():
    return jax.jit(lambda x: jnp.tanh(x @ x)), jnp.full((128, 128), 0.01, jnp.float32)


def calls_in_flight():
    """1,000 calls, each of which needs the one before; the host waits for the last alone."""
    function, x = product()

    def chain():
        y = x
        for _ in range(1000):
            y = function(y)
        return y

    return seconds_of(chain, 1) / 1000


@functools.cache
def large():
    host = np.ones(64 * MEBIBYTE // 4, np.float32)
    return host, jax.block_until_ready(jax.device_put(host))


def from_numpy_64_mib():
    host, _ = large()
    return seconds_of(lambda: jax.device_put(host), 20)


def to_numpy_64_mib():
    _, device = large()
    # np.asarray of one array is kept by JAX; each call makes another array of the same buffer.
    shards = [jax.make_array_from_single_device_arrays(
        device.shape, device.sharding, [device]) for _ in range(20)]
    start = time.perf_counter()
    for shard in shards:
        np.asarray(shard)
    return (time.perf_counter() - start) / len(shards)


NUMBERS = itertools.count(2)


def compile_one_op():
    """A new program each time, from lowered to loaded."""
    x = jax.ShapeDtypeStruct((8,), np.float32)
    lowered = [jax.jit(lambda x, n=next(NUMBERS): x * n + 1).lower(x) for _ in range(10)]
    start = time.perf_counter()
    for program in lowered:
        program.compile()
    return (time.perf_counter() - start) / len(lowered)


CASES = {function.__name__: function for function in (
    call_of_one_op, waited_call_of_one_op, call_of_100_arguments, calls_in_flight,
    from_numpy_64_mib, to_numpy_64_mib, compile_one_op)}


def main():
    for line in sys.stdin:
        print(json.dumps(CASES[line.strip()]()), flush=True)


if __name__ == "__main__":
    main()
