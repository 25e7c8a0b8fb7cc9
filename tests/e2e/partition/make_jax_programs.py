#!/usr/bin/env python3
"""Writes jax_shardy.mlir, jax_gspmd.mlir and jax_values.npz beside itself.

Needs JAX. One program as JAX's two partitioners annotate it, for 2 x 4 devices:
products, a constraint, argmax, sort, a running sum, a shard_map and a scan;
and its inputs and outputs as XLA computes them.
"""
import os
import pathlib
import subprocess
import sys

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=8"
import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

HERE = pathlib.Path(__file__).parent


def main(name, shardy):
    jax.config.update("jax_use_shardy_partitioner", shardy)
    mesh = Mesh(np.array(jax.devices()).reshape(2, 4), ("data", "model"))

    def program(x, w, v):
        h = jax.nn.gelu(x @ w)
        h = jax.lax.with_sharding_constraint(h, NamedSharding(mesh, P("data", "model")))
        y = h @ v
        doubled = jax.shard_map(lambda part: jax.lax.psum(part * 2, "data"), mesh=mesh,
                                in_specs=P("data", None), out_specs=P(None, None))(y)
        last, sums = jax.lax.scan(lambda c, _: (jnp.tanh(c @ v @ w), jnp.sum(c)), h, None, length=3)
        return (y, jnp.argmax(y, -1), jnp.sort(y, axis=-1), jnp.cumsum(y, axis=0), doubled, last,
                sums)

    random = np.random.default_rng(0)
    inputs = [random.standard_normal(shape).astype(np.float32) / 4
              for shape in ((16, 32), (32, 64), (64, 32))]
    places = [NamedSharding(mesh, spec) for spec in (P("data"), P(None, "model"), P("model"))]
    step = jax.jit(program, in_shardings=places)
    (HERE / f"{name}.mlir").write_text(step.lower(*inputs).as_text())
    values = {f"in_{i}": value for i, value in enumerate(inputs)}
    values |= {f"out_{i}": np.asarray(value) for i, value in enumerate(step(*inputs))}
    np.savez_compressed(HERE / "jax_values.npz", **values)


if len(sys.argv) > 1:
    main(sys.argv[1], sys.argv[1] == "jax_shardy")
else:
    for name in ("jax_gspmd", "jax_shardy"):
        subprocess.run([sys.executable, __file__, name], check=True)
