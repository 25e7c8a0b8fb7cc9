"""One process of a distributed JAX program with four devices on xlac.

    distributed_worker.py ADDRESS PROCESS COUNT

Prints the results of the program as a line of JSON. With COUNT 1 one process has all devices, for
comparison.
"""
import json
import sys

import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import multihost_utils
from jax.sharding import NamedSharding, PartitionSpec as P

DEVICES = 4


def train(mesh):
    """Runs steps of data-parallel gradient descent and returns the losses. Each process has a part
    of the batch."""
    random = np.random.default_rng(0)
    batch = random.normal(size=(16, 8)).astype(np.float32)
    target = random.normal(size=(16, 4)).astype(np.float32)
    share = slice(16 // jax.process_count() * jax.process_index(),
                  16 // jax.process_count() * (jax.process_index() + 1))
    rows = NamedSharding(mesh, P("x"))
    x = jax.make_array_from_process_local_data(rows, batch[share])
    y = jax.make_array_from_process_local_data(rows, target[share])
    weights = jax.device_put(np.full((8, 4), 0.1, np.float32), NamedSharding(mesh, P()))

    @jax.jit
    def step(weights, x, y):
        loss, slope = jax.value_and_grad(lambda w: jnp.mean((jnp.tanh(x @ w) - y) ** 2))(weights)
        return weights - 0.1 * slope, loss

    losses = []
    for _ in range(10):
        weights, loss = step(weights, x, y)
        losses.append(float(loss))
    return losses


def collectives(mesh, name):
    """Runs collectives in shard_map and returns their results, gathered on every process."""
    value = jax.make_array_from_callback(
        (DEVICES, 8), NamedSharding(mesh, P(name)),
        lambda index: np.arange(DEVICES * 8, dtype=np.float32).reshape(DEVICES, 8)[index])
    following = [(i, (i + 1) % DEVICES) for i in range(DEVICES)]
    bodies = {
        "psum": lambda x: jax.lax.psum(x, name),
        "pmax": lambda x: jax.lax.pmax(x, name),
        "all_gather": lambda x: jax.lax.all_gather(x, name)[jax.lax.axis_index(name) - 1],
        "ppermute": lambda x: jax.lax.ppermute(x, name, following),
        "all_to_all": lambda x: jax.lax.all_to_all(x, name, 1, 0, tiled=True).reshape(1, -1),
        "psum_scatter": lambda x: jax.lax.psum_scatter(
            jnp.tile(x, (DEVICES, 1)), name, scatter_dimension=0, tiled=True),
    }
    results = {}
    for kind, body in bodies.items():
        function = jax.jit(jax.shard_map(body, mesh=mesh, in_specs=P(name), out_specs=P(name)))
        gathered = multihost_utils.process_allgather(function(value), tiled=True)
        results[kind] = np.asarray(gathered).tolist()
    return results


def grid_of_two_axes(devices):
    """Returns a matrix product whose operand is sharded over both axes of a mesh."""
    mesh = jax.sharding.Mesh(devices, ("a", "b"))
    a = jax.make_array_from_callback(
        (8, 8), NamedSharding(mesh, P("a", "b")),
        lambda index: np.arange(64, dtype=np.float32).reshape(8, 8)[index] / 64)
    product = jax.jit(lambda a: a @ a.T, out_shardings=NamedSharding(mesh, P("a", "b")))(a)
    return np.asarray(multihost_utils.process_allgather(product, tiled=True)).tolist()


def main():
    address, process, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    if count > 1:
        jax.distributed.initialize(address, count, process)
    devices = np.array(jax.devices())
    assert jax.process_count() == count, jax.process_count()
    assert [device.id for device in devices] == list(range(DEVICES))
    assert len(jax.local_devices()) == DEVICES // count
    assert all(device.process_index == process for device in jax.local_devices())
    mesh = jax.make_mesh((DEVICES,), ("x",), axis_types=(jax.sharding.AxisType.Auto,))
    shuffled = jax.sharding.Mesh(devices[[2, 0, 3, 1]], ("y",))
    results = {"losses": train(mesh), "collectives": collectives(mesh, "x"),
               "shuffled": collectives(shuffled, "y"),
               "grid": grid_of_two_axes(devices.reshape(2, 2)),
               "transposed": grid_of_two_axes(devices.reshape(2, 2).T)}
    multihost_utils.sync_global_devices("the end")
    print(json.dumps(results), flush=True)


if __name__ == "__main__":
    main()
