#!/usr/bin/env python3
"""Writes transformer.mlir: a training step of a small causal transformer.

    make_transformer.py > transformer.mlir

Needs JAX. Two layers of 64 dimensions and 4 heads, 256 tokens, 16 long, batches
of 8; the loss and the parameters after a step of gradient descent. Arguments:
the parameters in the order of NAMES in partition_test.py, ids, targets.
"""
import jax
import jax.numpy as jnp

LAYERS, WIDTH, HEADS, VOCABULARY, LENGTH, BATCH = 2, 64, 4, 256, 16, 8


def shapes():
    yield (VOCABULARY, WIDTH)
    yield (LENGTH, WIDTH)
    for _ in range(LAYERS):
        for _ in range(3):
            yield (WIDTH, WIDTH)
        yield (WIDTH, WIDTH)
        yield (WIDTH, 4 * WIDTH)
        yield (4 * WIDTH,)
        yield (4 * WIDTH, WIDTH)
        yield (WIDTH,)


def normalize(x):
    mean = jnp.mean(x, axis=-1, keepdims=True)
    return (x - mean) * jax.lax.rsqrt(jnp.var(x, axis=-1, keepdims=True) + 1e-5)


def heads(x, weight):
    return (x @ weight).reshape(BATCH, LENGTH, HEADS, WIDTH // HEADS).transpose(0, 2, 1, 3)


def loss(parameters, ids, targets):
    embedding, positions, *rest = parameters
    x = embedding[ids] + positions
    mask = jnp.tril(jnp.ones((LENGTH, LENGTH), bool))
    for layer in range(LAYERS):
        q, k, v, out, up, up_bias, down, down_bias = rest[8 * layer:8 * layer + 8]
        h = normalize(x)
        scores = heads(h, q) @ heads(h, k).transpose(0, 1, 3, 2) / 4
        weights = jax.nn.softmax(jnp.where(mask, scores, -1e9))
        mixed = (weights @ heads(h, v)).transpose(0, 2, 1, 3).reshape(BATCH, LENGTH, WIDTH)
        x = x + mixed @ out
        x = x + jax.nn.gelu(normalize(x) @ up + up_bias) @ down + down_bias
    logits = normalize(x) @ embedding.T
    chosen = jnp.take_along_axis(jax.nn.log_softmax(logits), targets[..., None], axis=-1)
    return -jnp.mean(chosen)


def step(parameters, ids, targets):
    value, gradients = jax.value_and_grad(loss)(parameters, ids, targets)
    return value, [p - 0.1 * g for p, g in zip(parameters, gradients)]


parameters = [jax.ShapeDtypeStruct(shape, jnp.float32) for shape in shapes()]
tokens = jax.ShapeDtypeStruct((BATCH, LENGTH), jnp.int32)
print(jax.jit(step, keep_unused=True).lower(parameters, tokens, tokens).as_text(), end="")
