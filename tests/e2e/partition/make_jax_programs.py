#!/usr/bin/env python3
"""Writes jax_*.mlir and jax_*.npz beside itself.

Needs JAX. One program as JAX's two partitioners annotate it, for 2 x 4 devices:
products, a constraint, argmax, sort, a running sum, a shard_map and a scan. And
a training step of a pipeline: each of 8 devices has one stage, and a loop passes
microbatches from stage to stage. With each, its inputs and outputs as XLA
computes them.
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


def mixed():
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

    return program, mesh, ((16, 32), (32, 64), (64, 32)), (P("data"), P(None, "model"), P("model"))


def pipeline():
    stages, width, count = 8, 16, 5

    def loss(weights, biases, x, y):
        def step(state, x):
            state = jnp.roll(state, 1, 0).at[0].set(x)
            state = state + jnp.tanh(jnp.einsum("smi,sio->smo", state, weights) + biases[:, None])
            return state, state[-1]
        rest = jnp.zeros((stages - 1, *x.shape[1:]))
        made = jax.lax.scan(step, jnp.zeros((stages, *x.shape[1:])), jnp.concatenate([x, rest]))[1]
        return jnp.mean((made[stages - 1:] - y) ** 2)

    def program(weights, biases, x, y):
        value, slopes = jax.value_and_grad(loss, (0, 1))(weights, biases, x, y)
        return weights - slopes[0], biases - slopes[1], value

    batch = (count, 4, width)
    return (program, Mesh(np.array(jax.devices()), ("stage",)),
            ((stages, width, width), (stages, width), batch, batch),
            (P("stage"), P("stage"), P(), P()))


PROGRAMS = {"jax_gspmd": (mixed, "jax_values"), "jax_shardy": (mixed, "jax_values"),
            "jax_pipeline": (pipeline, "jax_pipeline")}


def main(name):
    jax.config.update("jax_use_shardy_partitioner", name == "jax_shardy")
    make, values_name = PROGRAMS[name]
    program, mesh, shapes, specs = make()
    random = np.random.default_rng(0)
    inputs = [random.standard_normal(shape).astype(np.float32) / 4 for shape in shapes]
    places = [NamedSharding(mesh, spec) for spec in specs]
    step = jax.jit(program, in_shardings=places)
    (HERE / f"{name}.mlir").write_text(step.lower(*inputs).as_text())
    values = {f"in_{i}": value for i, value in enumerate(inputs)}
    values |= {f"out_{i}": np.asarray(value) for i, value in enumerate(step(*inputs))}
    np.savez_compressed(HERE / f"{values_name}.npz", **values)


if len(sys.argv) > 1:
    main(sys.argv[1])
else:
    for name in PROGRAMS:
        subprocess.run([sys.executable, __file__, name], check=True)
