"""Trains a model of flax with optax on the platform that JAX_PLATFORMS names.

    training_worker.py MODEL

Reads lines and answers each with a line of JSON: `curve N` with the losses of the first N steps,
`time N` with the seconds of N more. Weights and batches are the same on every platform.
"""
import json
import sys
import time

import jax
import numpy as np
import optax
from flax import linen as nn
from jax import numpy as jnp

# Adam amplifies the last bits of gradients that are nearly zero; SGD with a small rate does not.
RATE = 1e-3


class Convnet(nn.Module):
    """For images of 28 x 28 in ten classes."""

    @nn.compact
    def __call__(self, x):
        for features in (32, 64):
            x = nn.relu(nn.Conv(features, (3, 3))(x))
            x = nn.avg_pool(x, (2, 2), (2, 2))
        x = nn.relu(nn.Dense(256)(x.reshape(len(x), -1)))
        return nn.Dense(10)(x)


class Block(nn.Module):
    heads: int

    @nn.compact
    def __call__(self, x):
        mask = nn.make_causal_mask(x[..., 0])
        x = x + nn.MultiHeadDotProductAttention(self.heads)(nn.LayerNorm()(x), mask=mask)
        y = nn.gelu(nn.Dense(4 * x.shape[-1])(nn.LayerNorm()(x)))
        return x + nn.Dense(x.shape[-1])(y)


class Gpt(nn.Module):
    """For characters."""
    characters: int = 96
    width: int = 192
    layers: int = 4
    heads: int = 6

    @nn.compact
    def __call__(self, tokens):
        x = nn.Embed(self.characters, self.width)(tokens)
        x = x + nn.Embed(tokens.shape[1], self.width)(jnp.arange(tokens.shape[1]))
        for _ in range(self.layers):
            x = Block(self.heads)(x)
        return nn.Dense(self.characters)(nn.LayerNorm()(x))


def images(random):
    return (random.standard_normal((64, 28, 28, 1), np.float32),
            random.integers(0, 10, 64, np.int32))


def texts(random):
    text = random.integers(0, 96, (8, 129), np.int32)
    return text[:, :-1], text[:, 1:]


MODELS = {"flax_convnet": (Convnet, images), "flax_gpt": (Gpt, texts)}


class Training:
    def __init__(self, name):
        model, batch = MODELS[name]
        self.model, random = model(), np.random.default_rng(1)
        self.batches = [batch(random) for _ in range(8)]
        self.optimizer = optax.sgd(RATE, momentum=0.9)
        self.step = jax.jit(self.traced_step, donate_argnums=(0, 1))
        self.restart()

    def restart(self):
        shapes = jax.eval_shape(self.model.init, jax.random.key(0), self.batches[0][0])
        random = np.random.default_rng(2)

        def start(path, of):
            name = path[-1].key
            if name in ("scale", "bias"):
                return jnp.full(of.shape, float(name == "scale"))
            return jnp.asarray(random.standard_normal(of.shape, np.float32) * 0.05)

        self.params = jax.tree_util.tree_map_with_path(start, shapes)
        self.state, self.done = self.optimizer.init(self.params), 0

    def traced_step(self, params, state, inputs, targets):
        def loss_of(params):
            scores = self.model.apply(params, inputs)
            return optax.softmax_cross_entropy_with_integer_labels(scores, targets).mean()

        loss, gradients = jax.value_and_grad(loss_of)(params)
        updates, state = self.optimizer.update(gradients, state)
        return optax.apply_updates(params, updates), state, loss

    def run(self, steps):
        losses = []
        for _ in range(steps):
            batch = self.batches[self.done % len(self.batches)]
            self.params, self.state, loss = self.step(self.params, self.state, *batch)
            self.done += 1
            losses.append(loss)
        jax.block_until_ready(self.params)
        return losses

    def curve(self, steps):
        self.restart()
        return [float(loss) for loss in self.run(steps)]

    def time(self, steps):
        start = time.perf_counter()
        self.run(steps)
        return time.perf_counter() - start


def main():
    training = Training(sys.argv[1])
    for line in sys.stdin:
        action, steps = line.split()
        print(json.dumps(getattr(training, action)(int(steps))), flush=True)


if __name__ == "__main__":
    main()
