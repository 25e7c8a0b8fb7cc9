"""Models of bench_sizes.py in JAX.

    jax_worker.py export MODEL FILE   writes the model with unknown sizes: FILE of jax.export,
                                      and FILE.mlir, its StableHLO
    jax_worker.py run MODEL           answers lines of sizes; JAX compiles for each of them
    jax_worker.py iree MODEL FILE     the same with IREE, from FILE.mlir
"""
import sys

import arrays
import jax
import jax.numpy as jnp
import numpy as np


def mlp(x, first, second, third):
    return jax.nn.relu(jax.nn.relu(x @ first) @ second) @ third


def mlp_step(x, *weights):
    """One step of SGD that makes the results small."""
    loss = lambda weights: jnp.mean(mlp(x, *weights) ** 2)  # noqa: E731
    return tuple(old - 0.1 * step for old, step in zip(weights, jax.grad(loss)(weights)))


def convnet(x, first, second, third, last):
    for weight, stride in ((first, 1), (second, 2), (third, 2)):
        x = jax.nn.relu(jax.lax.conv_general_dilated(x, weight, (stride, stride),
                                                     ((1, 1), (1, 1))))
    return jnp.mean(x, (2, 3)) @ last


def lstm(x, of_input, of_state):
    def step(state, now):
        h, c = state
        i, f, g, o = jnp.split(now @ of_input + h @ of_state, 4, -1)
        c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
        return (jax.nn.sigmoid(o) * jnp.tanh(c), c), None
    zero = jnp.zeros(x.shape[1:], x.dtype)
    (h, _), _ = jax.lax.scan(step, (zero, zero), x)
    return h


def normalized(x):
    x = x - jnp.mean(x, -1, keepdims=True)
    return x * jax.lax.rsqrt(jnp.mean(x * x, -1, keepdims=True) + 1e-5)


def transformer(x, *weights):
    batch, length, width = x.shape
    past = jnp.arange(length)[:, None] >= jnp.arange(length)[None, :]
    for layer in range(arrays.LAYERS):
        qkv, out, up, down = weights[4 * layer:4 * layer + 4]
        split = (normalized(x) @ qkv).reshape(batch, length, 3, arrays.HEADS,
                                              width // arrays.HEADS)
        q, k, v = (split[:, :, part].transpose(0, 2, 1, 3) for part in range(3))
        scores = q @ k.swapaxes(-1, -2) / np.sqrt(width // arrays.HEADS).astype(np.float32)
        scores = jnp.where(past, scores, jnp.float32(-1e9))
        mixed = (jax.nn.softmax(scores, -1) @ v).transpose(0, 2, 1, 3)
        x = x + mixed.reshape(batch, length, width) @ out
        x = x + jax.nn.relu(normalized(x) @ up) @ down
    return x


MODELS = {"mlp": mlp, "mlp_step": mlp_step, "convnet": convnet, "lstm": lstm,
          "transformer": transformer}


def export(model, path):
    sizes = jax.export.symbolic_shape("batch, length")
    shapes = [arrays.input_shape(model, sizes)] + [each.shape for each in arrays.weights(model)]
    exported = jax.export.export(jax.jit(MODELS[model]), platforms=["cpu"])(
        *(jax.ShapeDtypeStruct(shape, jnp.float32) for shape in shapes))
    with open(path, "wb") as file:
        file.write(exported.serialize())
    with open(path + ".mlir", "w") as file:
        file.write(str(exported.mlir_module()))


def first_of(results):
    return results[0] if isinstance(results, (tuple, list)) else results


def make_run(model):
    def make(weights):
        function, held = jax.jit(MODELS[model]), [jnp.asarray(each) for each in weights]
        return lambda x: np.asarray(first_of(jax.block_until_ready(function(x, *held))))
    return make


def make_iree(path):
    import iree.compiler
    import iree.runtime

    def make(weights):
        code = iree.compiler.compile_file(
            path + ".mlir", input_type="stablehlo", target_backends=["llvm-cpu"],
            extra_args=["--iree-llvmcpu-target-cpu=host"])
        module = iree.runtime.load_vm_flatbuffer(code, driver="local-task")
        device = iree.runtime.get_device("local-task")
        held = [iree.runtime.asdevicearray(device, each) for each in weights]
        return lambda x: np.asarray(first_of(
            module.main(iree.runtime.asdevicearray(device, x), *held)).to_host())
    return make


if __name__ == "__main__":
    command, name = sys.argv[1:3]
    if command == "export":
        export(name, sys.argv[3])
    else:
        arrays.serve(name, make_run(name) if command == "run" else make_iree(sys.argv[3]))
