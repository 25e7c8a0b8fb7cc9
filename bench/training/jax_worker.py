"""training_worker in JAX, one compiled step: jax_worker.py MODEL SIZE FOLDER LR."""
import functools
import math
import time

import jax
import numpy as np
from jax import lax
from jax import numpy as jnp

import worker


def conv(x, weight, stride=1, padding=0):
    return lax.conv_general_dilated(x, weight, (stride, stride), [(padding, padding)] * 2,
                                    dimension_numbers=("NCHW", "OIHW", "NCHW"))


def max_pool(x, size):
    return lax.reduce_window(x, -jnp.inf, lax.max, (1, 1, size, size), (1, 1, size, size), "VALID")


def linear(params, name, x):
    return x @ params[f"{name}.weight"].T + params[f"{name}.bias"]


def batch_norm(params, buffers, name, x):
    """In training; `buffers` gets the new running statistics."""
    mean, var = x.mean((0, 2, 3)), x.var((0, 2, 3))
    count = x.size // x.shape[1]
    for key, value in (("running_mean", mean), ("running_var", var * count / (count - 1))):
        old = buffers[f"{name}.{key}"]
        buffers[f"{name}.{key}"] = 0.9 * old + 0.1 * lax.stop_gradient(value)
    shape = (1, -1, 1, 1)
    scale = params[f"{name}.weight"] * lax.rsqrt(var + 1e-5)
    return (x - mean.reshape(shape)) * scale.reshape(shape) + params[f"{name}.bias"].reshape(shape)


def mnist_cnn(params, buffers, x):
    for i in (1, 2):
        x = conv(x, params[f"conv{i}.weight"]) + params[f"conv{i}.bias"].reshape(1, -1, 1, 1)
        x = batch_norm(params, buffers, f"bn{i}", jax.nn.relu(max_pool(x, 2)))
    x = jax.nn.relu(linear(params, "fc1", x.reshape(len(x), -1)))
    return linear(params, "fc2", x)


def resnet18(params, buffers, x):
    norm = functools.partial(batch_norm, params, buffers)
    x = jax.nn.relu(norm("bn1", conv(x, params["conv1.weight"], 1, 1)))
    for layer in range(1, 5):
        for block in range(2):
            name = f"layer{layer}.{block}"
            stride = 2 if layer > 1 and block == 0 else 1
            y = jax.nn.relu(norm(f"{name}.bn1", conv(x, params[f"{name}.conv1.weight"], stride, 1)))
            y = norm(f"{name}.bn2", conv(y, params[f"{name}.conv2.weight"], 1, 1))
            if f"{name}.downsample.0.weight" in params:
                x = norm(f"{name}.downsample.1",
                         conv(x, params[f"{name}.downsample.0.weight"], stride))
            x = jax.nn.relu(x + y)
    return linear(params, "fc", x.mean((2, 3)))


def layer_norm(params, name, x):
    mean = x.mean(-1, keepdims=True)
    scaled = (x - mean) * lax.rsqrt(x.var(-1, keepdims=True) + 1e-5)
    return scaled * params[f"{name}.weight"] + params[f"{name}.bias"]


def attention(params, name, x, heads=4):
    batch, length, width = x.shape
    parts = x @ params[f"{name}.c_attn.weight"] + params[f"{name}.c_attn.bias"]
    q, k, v = (part.reshape(batch, length, heads, -1).transpose(0, 2, 1, 3)
               for part in jnp.split(parts, 3, axis=2))
    scores = q @ k.transpose(0, 1, 3, 2) / math.sqrt(width // heads)
    scores = jnp.where(jnp.tril(jnp.ones((length, length), bool)), scores, -jnp.inf)
    y = (jax.nn.softmax(scores) @ v).transpose(0, 2, 1, 3).reshape(x.shape)
    return y @ params[f"{name}.c_proj.weight"] + params[f"{name}.c_proj.bias"]


def char_gpt(params, buffers, tokens):
    wte = params["transformer.wte.weight"]
    x = wte[tokens] + params["transformer.wpe.weight"][:tokens.shape[1]]
    layers = sum(name.endswith("ln_1.weight") for name in params)
    for i in range(layers):
        name = f"transformer.h.{i}"
        x = x + attention(params, f"{name}.attn", layer_norm(params, f"{name}.ln_1", x))
        y = layer_norm(params, f"{name}.ln_2", x)
        y = y @ params[f"{name}.mlp.c_fc.weight"] + params[f"{name}.mlp.c_fc.bias"]
        y = jax.nn.gelu(y, approximate=True)
        x = x + y @ params[f"{name}.mlp.c_proj.weight"] + params[f"{name}.mlp.c_proj.bias"]
    return layer_norm(params, "transformer.ln_f", x) @ wte.T


def make_step(model, rate):
    def loss_of(params, buffers, inputs, targets):
        buffers = dict(buffers)
        scores = jax.nn.log_softmax(model(params, buffers, inputs))
        right = jnp.take_along_axis(scores, targets[..., None], axis=-1)
        return -right.mean(), buffers

    @functools.partial(jax.jit, donate_argnums=(0, 1, 2))
    def step(params, buffers, momenta, inputs, targets):
        (loss, buffers), gradients = jax.value_and_grad(loss_of, has_aux=True)(
            params, buffers, inputs, targets)
        momenta = jax.tree.map(lambda m, g: 0.9 * m + g, momenta, gradients)
        params = jax.tree.map(lambda p, m: p - rate * m, params, momenta)
        return params, buffers, momenta, loss

    return step


class Worker:
    def __init__(self, name, folder, rate):
        self.compiled = make_step(globals()[name], rate)
        self.state = dict(np.load(folder / "state.npz"))
        self.state.pop("lm_head.weight", None)  # the embedding's
        arrays = np.load(folder / "batches.npz")
        self.batches = [(arrays[f"inputs{i}"], arrays[f"targets{i}"])
                        for i in range(len(arrays.files) // 2)]
        self.restart()

    def restart(self):
        arrays = {key: jnp.array(array) for key, array in self.state.items()
                  if not key.endswith("num_batches_tracked")}
        self.buffers = {key: array for key, array in arrays.items() if ".running_" in key}
        self.params = {key: array for key, array in arrays.items() if ".running_" not in key}
        self.momenta = jax.tree.map(jnp.zeros_like, self.params)
        self.done = 0

    def step(self):
        batch = self.batches[self.done % len(self.batches)]
        self.done += 1
        self.params, self.buffers, self.momenta, loss = self.compiled(
            self.params, self.buffers, self.momenta, *batch)
        return loss

    def curve(self, steps):
        self.restart()
        return [float(self.step()) for _ in range(steps)]

    def time(self, steps):
        start = time.perf_counter()
        for _ in range(steps):
            loss = self.step()
        loss.block_until_ready()
        jax.block_until_ready(self.params)
        return time.perf_counter() - start


if __name__ == "__main__":
    worker.serve(Worker)
