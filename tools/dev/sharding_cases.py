#!/usr/bin/env python3
"""Writes programs with shardings for eight devices as StableHLO.

    sharding_cases.py FOLDER [NAME…]

Needs JAX. Each case is a function, the shapes and shardings of its arguments,
and optionally those of its results. Programs contain `mhlo.sharding`, which
XLA's GSPMD and xlac both read. compare_gspmd.py compares what they send.
"""
import os
import pathlib
import sys

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=8"
import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import NamedSharding, PartitionSpec as P

jax.config.update("jax_use_shardy_partitioner", False)
LINE = jax.make_mesh((8,), ("d",), axis_types=(jax.sharding.AxisType.Auto,))
GRID = jax.make_mesh((4, 2), ("d", "m"), axis_types=(jax.sharding.AxisType.Auto,) * 2)
CASES = {}


def case(name, mesh, function, arguments, results=None):
    """`arguments` are trees of (shape, spec) or (shape, spec, dtype)."""
    CASES[name] = (mesh, function, arguments, results)


def is_leaf(node):
    return isinstance(node, tuple) and len(node) > 1 and isinstance(node[1], P)


def lower(mesh, function, arguments, results):
    def shape(leaf):
        return jax.ShapeDtypeStruct(leaf[0], leaf[2] if len(leaf) > 2 else np.float32)

    def sharding(leaf):
        return NamedSharding(mesh, leaf[1])

    shapes = jax.tree.map(shape, arguments, is_leaf=is_leaf)
    shardings = jax.tree.map(sharding, arguments, is_leaf=is_leaf)
    out = None
    if results is not None:
        out = jax.tree.map(lambda spec: NamedSharding(mesh, spec), results,
                           is_leaf=lambda node: isinstance(node, P))
    return jax.jit(function, in_shardings=shardings, out_shardings=out).lower(*shapes).as_text()


def specs(parameters):
    return jax.tree.map(lambda leaf: leaf[1], parameters, is_leaf=is_leaf)


def sgd(loss):
    """A training step. The new parameters are results, and so is the loss."""
    def step(parameters, *batch):
        value, slopes = jax.value_and_grad(loss)(parameters, *batch)
        return jax.tree.map(lambda p, g: p - 0.1 * g, parameters, slopes), value
    return step


def training(name, mesh, loss, parameters, *batch):
    case(name, mesh, sgd(loss), (parameters, *batch), (specs(parameters), P()))


def mlp(parameters, x, y):
    for w, b in parameters:
        x = jnp.tanh(x @ w + b)
    return jnp.mean((x - y) ** 2)


def add_mlps():
    def layer(weights, biases):
        return ((256, 256), weights), ((256,), biases)

    def both(even, odd=None):
        return [layer(*even), layer(*(odd or even))] * 2

    batch = [((512, 256), P("d", None))] * 2
    training("mlp_fsdp", LINE, mlp, both((P("d", None), P("d"))), *batch)
    training("mlp_fsdp_columns", LINE, mlp, both((P(None, "d"), P("d"))), *batch)
    training("mlp_fsdp_small_batch", LINE, mlp, both((P("d", None), P("d"))),
             *[((32, 256), P("d", None))] * 2)
    training("mlp_data", LINE, mlp, both((P(), P())), *batch)
    training("mlp_megatron", LINE, mlp, both((P(None, "d"), P("d")), (P("d", None), P())),
             *[((512, 256), P())] * 2)
    training("mlp_mixed", GRID, mlp, both((P(None, "m"), P("m")), (P("m", None), P())), *batch)
    training("mlp_mixed_fsdp", GRID, mlp, both((P("d", "m"), P("m")), (P("m", "d"), P())), *batch)
    training("mlp_small_batch_tp", LINE, mlp, both((P(None, "d"), P("d"))),
             *[((16, 256), P())] * 2)


def norm(x, scale, shift):
    x = x - jnp.mean(x, -1, keepdims=True)
    return x * jax.lax.rsqrt(jnp.mean(x * x, -1, keepdims=True) + 1e-5) * scale + shift


def attention(p, x, heads, inner):
    batch, length, width = x.shape
    q, k, v = (jnp.reshape(x @ p[n], (batch, length, heads, width // heads)) for n in "qkv")
    score = jax.nn.softmax(inner(jnp.einsum("bthd,bshd->bhts", q, k)) * (heads / width) ** 0.5)
    return jnp.reshape(jnp.einsum("bhts,bshd->bthd", score, v), x.shape) @ p["o"]


def gpt(heads=8, at_border=lambda x: x, inner=lambda x: x):
    def loss(parameters, ids):
        table, blocks = parameters
        x = at_border(table[ids])
        for p in blocks:
            x = at_border(x + attention(p, norm(x, p["g1"], p["b1"]), heads, inner))
            hidden = jax.nn.gelu(norm(x, p["g2"], p["b2"]) @ p["up"] + p["ub"])
            x = at_border(x + hidden @ p["down"] + p["db"])
        logits = jax.nn.log_softmax(x @ table.T)
        return -jnp.mean(jnp.take_along_axis(logits, ids[..., None], -1))
    return loss


WIDTH = 256


def gpt_parameters(square, up, down, out, vector, up_bias, table, count=2):
    block = {name: ((WIDTH, WIDTH), square) for name in "qkv"}
    block |= {"o": ((WIDTH, WIDTH), out), "up": ((WIDTH, 4 * WIDTH), up),
              "down": ((4 * WIDTH, WIDTH), down), "ub": ((4 * WIDTH,), up_bias)}
    block |= {name: ((WIDTH,), vector) for name in ("db", "g1", "b1", "g2", "b2")}
    return (((512, WIDTH), table), [block] * count)


def constrain(mesh, spec):
    return lambda x: jax.lax.with_sharding_constraint(x, NamedSharding(mesh, spec))


def add_gpts():
    rows = P("d", None)
    fsdp = gpt_parameters(rows, rows, rows, rows, P("d"), P("d"), rows)
    ids = ((32, 64), P("d", None), np.int32)
    training("gpt_fsdp", LINE, gpt(), fsdp, ids)
    training("gpt_fsdp_annotated", LINE, gpt(at_border=constrain(LINE, P("d", None, None))),
             fsdp, ids)
    columns = P(None, "d")
    training("gpt_fsdp_columns", LINE, gpt(), gpt_parameters(
        columns, columns, columns, columns, P("d"), P("d"), columns), ids)
    training("gpt_data", LINE, gpt(), gpt_parameters(*[P()] * 7), ids)
    megatron = gpt_parameters(columns, columns, rows, rows, P(), P("d"), rows)
    whole = ((32, 64), P(), np.int32)
    training("gpt_megatron", LINE, gpt(), megatron, whole)
    training("gpt_sequence", LINE, gpt(at_border=constrain(LINE, P(None, "d", None))),
             megatron, whole)
    m, dm = P(None, "m"), P("m", None)
    training("gpt_mixed", GRID, gpt(), gpt_parameters(m, m, dm, dm, P(), P("m"), P("m", None)), ids)
    training("gpt_mixed_fsdp", GRID, gpt(), gpt_parameters(
        P("d", "m"), P("d", "m"), P("m", "d"), P("m", "d"), P("d"), P("m"), P("m", "d")), ids)
    training("gpt_context", LINE, gpt(), gpt_parameters(*[P()] * 7),
             ((4, 256), P(None, "d"), np.int32))


def add_experts():
    def layer(parameters, x, y):
        gate, up, down = parameters
        tokens = x.reshape(-1, x.shape[-1])
        choice = jax.nn.one_hot(jnp.argmax(tokens @ gate, -1), 8)
        place = jnp.cumsum(choice, 0) * choice
        slots = jax.nn.one_hot(place - 1, 128) * choice[..., None]
        given = jnp.einsum("tec,tm->ecm", slots, tokens)
        made = jnp.einsum("ech,ehm->ecm", jax.nn.relu(jnp.einsum("ecm,emh->ech", given, up)), down)
        return jnp.mean((jnp.einsum("tec,ecm->tm", slots, made).reshape(x.shape) - y) ** 2)

    batch = [((16, 32, 128), P("d", None, None))] * 2
    experts = P("d", None, None)
    training("moe_experts", LINE, layer, (((128, 8), P()), ((8, 128, 256), experts),
                                          ((8, 256, 128), experts)), *batch)
    training("moe_fsdp", LINE, layer, (((128, 8), P("d", None)), ((8, 128, 256), P(None, "d", None)),
                                       ((8, 256, 128), P(None, "d", None))), *batch)


def convolve(x, w, stride=1):
    return jax.lax.conv_general_dilated(x, w, (stride, stride), "SAME",
                                        dimension_numbers=("NHWC", "HWIO", "NHWC"))


def convnet(parameters, x, y):
    for w, b in parameters[:-1]:
        x = convolve(x, w)
        x = x - jnp.mean(x, (0, 1, 2))
        x = jax.nn.relu(x * jax.lax.rsqrt(jnp.mean(x * x, (0, 1, 2)) + 1e-5) + b)
    return jnp.mean((jnp.mean(x, (1, 2)) @ parameters[-1] - y) ** 2)


def add_convnets():
    def parameters(weights, biases, last):
        sizes = [(16, 32), (32, 32), (32, 64)]
        return [(((3, 3, a, b), weights), ((b,), biases)) for a, b in sizes] + [((64, 16), last)]

    def batch(image, label):
        return ((32, 32, 32, 16), image), ((32, 16), label)

    rows = P("d", None, None, None)
    training("conv_data", LINE, convnet, parameters(P(), P(), P()), *batch(rows, P("d", None)))
    training("conv_fsdp", LINE, convnet, parameters(
        P(None, None, None, "d"), P("d"), P("d", None)), *batch(rows, P("d", None)))
    training("conv_fsdp_inputs", LINE, convnet, parameters(
        P(None, None, "d", None), P("d"), P("d", None)), *batch(rows, P("d", None)))
    training("conv_channels", LINE, convnet, parameters(
        P(None, None, None, "d"), P("d"), P("d", None)), *batch(P(), P()))
    training("conv_space", LINE, convnet, parameters(P(), P(), P()),
             *batch(P(None, "d", None, None), P()))
    case("conv_space_infer", LINE, lambda x, w: convolve(jax.nn.relu(convolve(x, w)), w),
         (((4, 64, 64, 16), P(None, "d", None, None)), ((3, 3, 16, 16), P())),
         P(None, "d", None, None))
    case("pool_space", LINE, lambda x: jax.lax.reduce_window(
        x, -jnp.inf, jax.lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "SAME"),
         (((4, 64, 64, 16), P(None, "d", None, None)),), P(None, "d", None, None))


def add_recurrent():
    def lstm(parameters, x):
        w, u, b = parameters

        def step(state, x):
            h, c = state
            i, f, g, o = jnp.split(x @ w + h @ u + b, 4, -1)
            c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
            h = jax.nn.sigmoid(o) * jnp.tanh(c)
            return (h, c), h
        zero = jnp.zeros((x.shape[1], u.shape[0]))
        return jnp.mean(jax.lax.scan(step, (zero, zero), x)[1] ** 2)

    def parameters(weights, biases):
        return ((128, 512), weights), ((128, 512), weights), ((512,), biases)

    x = ((16, 64, 128), P(None, "d", None))
    training("lstm_data", LINE, lstm, parameters(P(), P()), x)
    training("lstm_fsdp", LINE, lstm, parameters(P("d", None), P("d")), x)


def add_pipelines():
    stages, width = 8, 128

    def layer(weight, bias, x):
        return x + jnp.tanh(x @ weight + bias)

    def advance(state, x):
        """One microbatch enters the first stage; each stage passes its result on."""
        return jnp.roll(state, 1, 0).at[0].set(x)

    def pad(x):
        return jnp.concatenate([x, jnp.zeros((stages - 1, *x.shape[1:]), x.dtype)])

    def scanned(parameters, x):
        def step(state, x):
            state = jax.vmap(layer)(*parameters, advance(state, x))
            return state, state[-1]
        state = jnp.zeros((stages, *x.shape[1:]))
        return jax.lax.scan(step, state, pad(x))[1][stages - 1:]

    def counted(parameters, x):
        def step(i, carried):
            state, results = carried
            given = jax.lax.dynamic_index_in_dim(x, jnp.minimum(i, len(x) - 1), 0, False)
            state = jax.vmap(layer)(*parameters, advance(state, given))
            place = jnp.maximum(i - stages + 1, 0)
            return state, jax.lax.dynamic_update_index_in_dim(results, state[-1], place, 0)
        state = jnp.zeros((stages, *x.shape[1:]))
        return jax.lax.fori_loop(0, len(x) + stages - 1, step, (state, jnp.zeros_like(x)))[1]

    def loss(parameters, x, y):
        return jnp.mean((scanned(parameters, x) - y) ** 2)

    def manual(parameters, x):
        stage = jax.lax.axis_index("d")
        weight, bias = (parameter[0] for parameter in parameters)

        def step(state, x):
            made = layer(weight, bias, jnp.where(stage == 0, x, state))
            return jax.lax.ppermute(made, "d", [(i, i + 1) for i in range(stages - 1)]), made
        state = jax.lax.pcast(jnp.zeros(x.shape[1:]), "d", to="varying")
        made = jax.lax.scan(step, state, pad(x))[1][stages - 1:]
        return jax.lax.psum(jnp.where(stage == stages - 1, made, 0), "d")

    def of(*rest):
        return (((stages, width, width), P("d", *rest)), ((stages, width), P("d", *rest[1:])))

    batch = ((16, 32, width), P())
    case("pipeline_scan", LINE, scanned, (of(), batch), P())
    case("pipeline_loop", LINE, counted, (of(), batch), P())
    training("pipeline_train", LINE, loss, of(), batch, batch)
    rows = ((16, 32, width), P(None, "m"))
    training("pipeline_data", GRID, loss, of(), rows, rows)
    training("pipeline_megatron", GRID, loss, of(None, "m"), batch, batch)
    case("pipeline_manual", LINE, jax.shard_map(
        manual, mesh=LINE, in_specs=(specs(of()), P()), out_specs=P()), (of(), batch), P())


def add_idioms():
    rows, columns, sequence = P("d", None), P(None, "d"), P(None, "d", None)
    heads, batch = P(None, "d", None, None), ((4, 64, 512), P())
    tokens = ((4, 256, 128), sequence)
    wide = ((512, 256), rows)

    def fused_heads(x, w, out):
        h = (x @ w).reshape(4, 64, 3, 8, 64)
        score = jax.nn.softmax(jnp.einsum("bthd,bshd->bhts", h[:, :, 0], h[:, :, 1]))
        return jnp.einsum("bhts,bshd->bthd", score, h[:, :, 2]).reshape(4, 64, 512) @ out

    def gated(x, w, out):
        a, b = jnp.split(x @ w, 2, -1)
        return (jax.nn.silu(a) * b) @ out

    def vocabulary(x, table, y):
        logits = x @ table.T
        own = jnp.take_along_axis(logits, y[..., None], -1)[..., 0]
        return jnp.mean(jax.nn.logsumexp(logits, -1) - own)

    def decode(q, keys, values, key, value, i):
        keys = jax.lax.dynamic_update_slice(keys, key, (0, i, 0, 0))
        values = jax.lax.dynamic_update_slice(values, value, (0, i, 0, 0))
        score = jax.nn.softmax(jnp.einsum("bhd,bshd->bhs", q, keys))
        return jnp.einsum("bhs,bshd->bhd", score, values), keys, values

    def layers(x, w):
        step = jax.checkpoint(lambda x, w: (jnp.tanh(x @ w), None))
        return jnp.sum(jax.lax.scan(step, x, w)[0])

    out = ((512, 512), rows)
    case("fused_heads", LINE, fused_heads, (batch, ((512, 1536), columns), out), P())
    case("gated", LINE, gated, (batch, ((512, 1024), columns), out), P())
    case("vocabulary", LINE, jax.grad(vocabulary, 1),
         (((8, 64, 128), P()), ((4096, 128), rows), ((8, 64), P(), np.int32)), rows)
    cache, row = ((4, 512, 8, 64), heads), ((4, 1, 8, 64), P())
    case("decode_sequence", LINE, decode,
         (((4, 8, 64), P()), cache, cache, row, row, ((), P(), np.int32)), (P(), heads, heads))
    case("checkpointed_layers", LINE, jax.grad(layers, 1),
         (wide, ((8, 256, 256), sequence)), sequence)
    case("last_token", LINE, lambda x, w: x[:, -1] @ w, (tokens, ((128, 512), P())), P())
    case("first_token_slope", LINE, lambda x, w: jax.grad(
        lambda x: jnp.sum(jnp.tanh(x[:, 0] @ w)))(x), (tokens, ((128, 512), P())), sequence)
    case("shifted_sequence", LINE, lambda x: jnp.mean(x[:, 1:] * x[:, :-1]), (tokens,), P())
    case("even_and_odd", LINE, lambda x: x[:, ::2] + x[:, 1::2], (tokens,), sequence)
    case("segment_sum", LINE, lambda x, i: jax.ops.segment_sum(x, i, 256),
         (((2048, 64), rows), ((2048,), P("d"), np.int32)), rows)
    case("tile", LINE, lambda x: jnp.tile(x, (4, 1)), (wide,), rows)
    case("linear_recurrence", LINE, lambda a, b: jax.lax.associative_scan(
        lambda p, q: (p[0] * q[0], q[0] * p[1] + q[1]), (a, b))[1], (wide, wide), rows)
    case("cholesky", LINE, lambda x: jnp.linalg.cholesky(x @ x.mT + jnp.eye(32)),
         (((16, 32, 32), P("d")),), P("d"))
    case("random", LINE, lambda key: jax.random.normal(jax.random.wrap_key_data(key), (512, 256)),
         (((2,), P(), np.uint32),), rows)
    case("bilinear", LINE, lambda x: jax.image.resize(x, (4, 128, 128, 16), "bilinear"),
         (((4, 64, 64, 16), heads),), heads)


def add_single():
    rows = P("d", None)
    wide = ((512, 256), rows)
    both = ((1024, 1024), P("d", None))
    case("embedding_rows", LINE, lambda t, i: t[i],
         (((4096, 128), rows), ((64, 16), P(), np.int32)), P())
    case("embedding_both", LINE, lambda t, i: t[i],
         (((4096, 128), rows), ((64, 16), rows, np.int32)), P("d", None, None))
    case("embedding_columns", LINE, lambda t, i: t[i],
         (((4096, 128), P(None, "d")), ((64, 16), rows, np.int32)), P("d", None, None))
    case("embedding_slope", LINE, lambda t, i: t.at[i].add(1.0),
         (((4096, 128), rows), ((1024,), P("d"), np.int32)), rows)
    case("cumsum", LINE, lambda x: jnp.cumsum(x, 0), (wide,), rows)
    case("roll", LINE, lambda x: jnp.roll(x, 1, 0), (wide,), rows)
    case("shift", LINE, lambda x: jnp.pad(x, ((1, 0), (0, 0)))[:-1], (wide,), rows)
    case("difference", LINE, lambda x: x[1:] - x[:-1], (wide,), None)
    case("concatenate", LINE, lambda x, y: jnp.concatenate([x, y], 0), (wide, wide), rows)
    case("reverse", LINE, lambda x: jnp.flip(x, 0), (wide,), rows)
    case("sort", LINE, lambda x: jnp.sort(x, 0), (wide,), rows)
    case("argmax", LINE, lambda x: jnp.argmax(x, 0), (wide,), P())
    case("top_k", LINE, lambda x: jax.lax.top_k(x, 8)[0], (((64, 4096), P(None, "d")),), P())
    case("softmax", LINE, lambda x: jax.nn.softmax(x, 0), (wide,), rows)
    case("transpose", LINE, lambda x: x.T, (both,), rows)
    case("matmul_rows", LINE, lambda x, y: x @ y, (both, both), rows)
    case("matmul_contracted", LINE, lambda x, y: x @ y, (((1024, 1024), P(None, "d")), both), rows)
    case("matmul_grid", GRID, lambda x, y: x @ y,
         (((1024, 1024), P("d", "m")), ((1024, 1024), P("m", "d"))), P("d", "m"))
    case("bias_against_batch", LINE, lambda x, b: jnp.tanh(x + b) * 2, (wide, ((256,), P("d"))))
    case("layer_norm", LINE, norm, (wide, ((256,), P("d")), ((256,), P("d"))), rows)
    case("loop_matmul", LINE, lambda x, w: jax.lax.fori_loop(0, 8, lambda i, x: jnp.tanh(x @ w), x),
         (wide, ((256, 256), rows)), rows)


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for add in (add_mlps, add_gpts, add_experts, add_convnets, add_recurrent,
                add_pipelines, add_idioms, add_single):
        add()
    for name in sys.argv[2:] or CASES:
        (folder / f"{name}.mlir").write_text(lower(*CASES[name]))


if __name__ == "__main__":
    main()
