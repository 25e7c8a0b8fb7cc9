"""Exports common computations of models and array programs as StableHLO programs with inputs.

    patterns.py FOLDER [REGEX]

They are what people write with JAX, in many shapes and layouts: each is a place where a compiler
can fall off its fast path. FOLDER gets a folder for each, as bench_programs.py reads them. Needs
jax.
"""
import pathlib
import re
import sys

import jax
import jax.numpy as jnp
import jax.scipy as jsp
import numpy
from jax import lax, nn

RANDOM = numpy.random.default_rng(0)
PATTERNS = {}


def pattern(name, function, *arguments):
    PATTERNS[name] = (function, arguments)


def normal(*shape):
    return RANDOM.standard_normal(shape).astype(numpy.float32)


def integers(limit, *shape):
    return RANDOM.integers(0, limit, shape).astype(numpy.int32)


def octets(*shape):
    return RANDOM.integers(0, 256, shape).astype(numpy.uint8)


def complex_normal(*shape):
    return (normal(*shape) + 1j * normal(*shape)).astype(numpy.complex64)


def half(array):
    return array.astype(jnp.bfloat16)


def gradient(function, *places):
    """The gradient of the sum of squares of what the function returns."""
    return jax.grad(lambda *values: (function(*values) ** 2).sum(), places or 0)


# Norms.

def standardize(x, axes):
    mean = x.mean(axes, keepdims=True)
    return (x - mean) * lax.rsqrt(x.var(axes, keepdims=True) + 1e-5)


def rms_norm(x, scale):
    return x * lax.rsqrt((x * x).mean(-1, keepdims=True) + 1e-6) * scale


def group_norm(x, scale, shift):
    y = standardize(x.reshape(x.shape[0], 32, -1), -1).reshape(x.shape)
    return y * scale[:, None, None] + shift[:, None, None]


def group_norm_last(x, scale):
    y = x.reshape(*x.shape[:3], 32, -1)
    return standardize(y, (1, 2, 4)).reshape(x.shape) * scale


def norms():
    rows, row = normal(4, 512, 768), normal(768)
    pattern("layer_norm", lambda x, g, b: standardize(x, -1) * g + b, rows, row, row)
    pattern("layer_norm_gradient",
            gradient(lambda x, g, b: standardize(x, -1) * g + b, 0, 1, 2), rows, row, row)
    pattern("layer_norm_bf16",
            lambda x: half(standardize(x.astype(jnp.float32), -1)), half(normal(2048, 768)))
    pattern("rms_norm", rms_norm, rows, row)
    pattern("rms_norm_gradient", gradient(rms_norm, 0, 1), rows, row)
    images, channels = normal(8, 128, 56, 56), normal(128)
    pattern("group_norm", group_norm, images, channels, channels)
    pattern("group_norm_gradient", gradient(group_norm, 0, 1, 2), images, channels, channels)
    pattern("instance_norm", lambda x: standardize(x, (2, 3)), images)
    pattern("batch_norm", lambda x: standardize(x, (0, 2, 3)), images)
    pattern("batch_norm_gradient", gradient(lambda x: standardize(x, (0, 2, 3))), images)
    last = normal(8, 56, 56, 128)
    pattern("group_norm_last", group_norm_last, last, channels)
    pattern("group_norm_last_gradient", gradient(group_norm_last, 0, 1), last, channels)
    pattern("batch_norm_last", lambda x: standardize(x, (0, 1, 2)), last)
    pattern("batch_norm_last_gradient", gradient(lambda x: standardize(x, (0, 1, 2))), last)
    pattern("normalize_rows", lambda x: x / jnp.linalg.norm(x, axis=-1, keepdims=True),
            normal(4096, 768))
    pattern("normalize_columns", lambda x: x / jnp.linalg.norm(x, axis=0), normal(2000, 500))


# Softmax and losses.

def cross_entropy(logits, labels):
    return -jnp.take_along_axis(nn.log_softmax(logits), labels[:, None], 1).mean()


def losses():
    logits, labels = normal(2048, 1000), integers(1000, 2048)
    for axis in (0, 1):
        pattern(f"softmax_axis_{axis}", lambda x, axis=axis: nn.softmax(x, axis), logits)
    pattern("softmax_channels", lambda x: nn.softmax(x, 1), normal(8, 21, 128, 128))
    pattern("softmax_bf16", nn.softmax, half(logits))
    pattern("softmax_gradient", gradient(nn.softmax), logits)
    pattern("log_sum_exp", lambda x: jsp.special.logsumexp(x, -1), logits)
    pattern("cross_entropy", cross_entropy, logits, labels)
    pattern("cross_entropy_gradient", jax.grad(cross_entropy), logits, labels)
    pattern("one_hot", lambda y: nn.one_hot(y, 1000), labels)
    a, b = normal(1000, 1000), normal(1000, 1000)
    pattern("binary_cross_entropy",
            lambda x, y: (jnp.maximum(x, 0) - x * y + jnp.log1p(jnp.exp(-jnp.abs(x)))).mean(), a, b)
    pattern("huber", lambda x, y: jnp.where(jnp.abs(x - y) < 1, 0.5 * (x - y) ** 2,
                                            jnp.abs(x - y) - 0.5).mean(), a, b)
    pattern("divergence", lambda x, y: (nn.softmax(x) * (nn.log_softmax(x) - nn.log_softmax(y)))
            .sum(-1).mean(), a, b)


# Attention and parts of transformers.

def attention(q, k, v, mask=None):
    scores = jnp.einsum("bhqd,bhkd->bhqk", q, k) / 8
    if mask is not None:
        scores = jnp.where(mask, scores, -jnp.inf)
    return jnp.einsum("bhqk,bhkd->bhqd", nn.softmax(scores), v)


def decode(q, k, v):
    """One query and a cache of keys and values by position, then head."""
    weights = nn.softmax(jnp.einsum("bhd,bkhd->bhk", q, k) / 8)
    return jnp.einsum("bhk,bkhd->bhd", weights, v)


def grouped_decode(q, k, v):
    weights = nn.softmax(jnp.einsum("bghd,bkgd->bghk", q, k) / 8)
    return jnp.einsum("bghk,bkgd->bghd", weights, v)


def rotate(x, interleaved):
    half_size = x.shape[-1] // 2
    rates = 10000 ** (-jnp.arange(half_size) / half_size)
    angles = (jnp.arange(x.shape[1])[:, None] * rates)[None, :, None]
    cosine, sine = jnp.cos(angles), jnp.sin(angles)
    a, b = (x[..., ::2], x[..., 1::2]) if interleaved else jnp.split(x, 2, -1)
    parts = [a * cosine - b * sine, a * sine + b * cosine]
    return jnp.stack(parts, -1).reshape(x.shape) if interleaved else jnp.concatenate(parts, -1)


def transformers():
    q = normal(2, 8, 256, 64)
    pattern("attention", attention, q, q, q)
    pattern("attention_gradient", gradient(attention, 0, 1, 2), q, q, q)
    long = normal(1, 8, 1024, 64)
    pattern("attention_causal",
            lambda q, k, v: attention(q, k, v, jnp.tril(jnp.ones((1024, 1024), bool))),
            long, long, long)
    keys = normal(4, 8, 1000, 64)
    pattern("attention_cross", attention, normal(4, 8, 64, 64), keys, keys)
    cache = normal(1, 2048, 12, 64)
    pattern("decode", decode, normal(1, 12, 64), cache, cache)
    grouped = normal(1, 2048, 4, 64)
    pattern("decode_grouped", grouped_decode, normal(1, 4, 8, 64), grouped, grouped)
    pattern("cache_update",
            lambda c, x, i: lax.dynamic_update_slice(c, x, (0, i, 0, 0)).sum((0, 1)),
            cache, normal(1, 1, 12, 64), numpy.int32(100))
    heads = normal(2, 512, 12, 64)
    pattern("rotate_halves", lambda x: rotate(x, False), heads)
    pattern("rotate_pairs", lambda x: rotate(x, True), heads)
    pattern("split_heads", lambda x: [y.reshape(4, 256, 12, 64).transpose(0, 2, 1, 3)
                                      for y in jnp.split(x, 3, -1)], normal(4, 256, 2304))
    pattern("repeat_heads",
            lambda x: jnp.broadcast_to(x[:, :, None], (2, 4, 4, 512, 64)).reshape(2, 16, 512, 64),
            normal(2, 4, 512, 64))
    pattern("gated_layer", lambda x, a, b, c: (nn.silu(x @ a) * (x @ b)) @ c, normal(64, 512),
            normal(512, 1376), normal(512, 1376), normal(1376, 512))
    pattern("low_rank_layer", lambda x, w, a, b: x @ w + (x @ a) @ b, normal(256, 768),
            normal(768, 768), normal(768, 8), normal(8, 768))


# Convolutions, pools and images.

def convolve(x, w, order="NCHW", **options):
    kernel = {"NCHW": "OIHW", "NHWC": "HWIO", "NCH": "OIH", "NHC": "HIO"}[order]
    strides = options.pop("strides", (1,) * (len(order) - 2))
    padding = options.pop("padding", "SAME")
    return lax.conv_general_dilated(x, w, strides, padding,
                                    dimension_numbers=(order, kernel, order), **options)


def pool(x, size, strides, order="NCHW"):
    window = (1, 1, size, size) if order == "NCHW" else (1, size, size, 1)
    steps = (1, 1, strides, strides) if order == "NCHW" else (1, strides, strides, 1)
    return lax.reduce_window(x, -jnp.inf, lax.max, window, steps, "SAME")


def convolutions():
    x, w = normal(4, 64, 28, 28), normal(64, 64, 3, 3)
    pattern("convolution_gradient", gradient(convolve, 0, 1), x, w)
    pattern("convolution_dilated", lambda x, w: convolve(x, w, rhs_dilation=(2, 2)), x, w)
    pattern("convolution_transposed",
            lambda x, w: convolve(x, w, padding=((2, 2), (2, 2)), lhs_dilation=(2, 2)), x,
            normal(32, 64, 4, 4))
    pattern("convolution_strided_gradient",
            gradient(lambda x, w: convolve(x, w, strides=(2, 2)), 0, 1), normal(4, 32, 56, 56),
            normal(64, 32, 3, 3))
    pattern("convolution_grouped", lambda x, w: convolve(x, w, feature_group_count=32),
            normal(4, 128, 56, 56), normal(128, 4, 3, 3))
    pattern("convolution_grouped_last",
            lambda x, w: convolve(x, w, "NHWC", feature_group_count=32), normal(4, 56, 56, 128),
            normal(3, 3, 4, 128))
    pattern("depthwise_gradient",
            gradient(lambda x, w: convolve(x, w, feature_group_count=64), 0, 1), x,
            normal(64, 1, 3, 3))
    pattern("depthwise_last_gradient",
            gradient(lambda x, w: convolve(x, w, "NHWC", feature_group_count=64), 0, 1),
            normal(4, 28, 28, 64), normal(3, 3, 1, 64))
    pattern("depthwise_causal",
            lambda x, w: convolve(jnp.pad(x, ((0, 0), (3, 0), (0, 0))), w, "NHC", padding="VALID",
                                  feature_group_count=768), normal(4, 512, 768), normal(4, 1, 768))
    pattern("depthwise_long", lambda x, w: convolve(x, w, "NCH", feature_group_count=64),
            normal(4, 64, 4000), normal(64, 1, 31))
    pattern("convolution_one_channel", convolve, normal(1, 1, 512, 512), normal(1, 1, 5, 5))
    pattern("patches", lambda x: lax.conv_general_dilated_patches(
        x, (3, 3), (1, 1), "SAME", dimension_numbers=("NCHW", "OIHW", "NCHW")), x)
    images = normal(8, 64, 56, 56)
    pattern("max_pool", lambda x: pool(x, 3, 2), images)
    pattern("max_pool_gradient", gradient(lambda x: pool(x, 3, 2)), images)
    pattern("max_pool_last", lambda x: pool(x, 2, 2, "NHWC"), normal(8, 112, 112, 64))
    pattern("mean_of_pixels", lambda x: x.mean((2, 3)), normal(16, 512, 28, 28))
    pattern("mean_of_pixels_last", lambda x: x.mean((1, 2)), normal(16, 28, 28, 512))
    pattern("squeeze_excite",
            lambda x, w, v: x * nn.sigmoid(nn.relu(x.mean((2, 3)) @ w) @ v)[:, :, None, None],
            normal(8, 256, 28, 28), normal(256, 16), normal(16, 256))


def images():
    photo = octets(1080, 1920)
    for mode in ("reflect", "symmetric", "edge", "wrap"):
        pattern(f"pad_{mode}",
                lambda x, mode=mode: jnp.pad(x, ((0, 0), (0, 0), (3, 3), (3, 3)), mode),
                normal(4, 32, 112, 112))
    pattern("pad_reflect_last", lambda x: jnp.pad(x, ((0, 0), (3, 3), (3, 3), (0, 0)), "reflect"),
            normal(8, 224, 224, 3))
    pattern("pad_reflect_signal", lambda x: jnp.pad(x, ((0, 0), (200, 200)), "reflect"),
            normal(16, 48000))
    pattern("resize_up", lambda x: jax.image.resize(x, (8, 16, 112, 112), "bilinear"),
            normal(8, 16, 56, 56))
    pattern("resize_down", lambda x: jax.image.resize(x, (8, 3, 112, 112), "bilinear"),
            normal(8, 3, 224, 224))
    pattern("repeat_pixels", lambda x: jnp.repeat(jnp.repeat(x, 2, 2), 2, 3), normal(4, 32, 56, 56))
    pattern("blur_bytes", lambda x: ((x[:-2, 1:-1].astype(jnp.int32) + x[2:, 1:-1] + x[1:-1, :-2]
                                      + x[1:-1, 2:] + 4 * x[1:-1, 1:-1]) // 8).astype(jnp.uint8),
            photo)
    pattern("gray", lambda x: x.astype(jnp.float32) @ jnp.array([0.299, 0.587, 0.114]),
            octets(1080, 1920, 3))
    pattern("colors", lambda x, m: jnp.einsum("hwc,cd->hwd", x, m), normal(512, 512, 3),
            normal(3, 3))
    pattern("normalize_bytes", lambda x: jnp.transpose((x / 255 - 0.45) / 0.22, (0, 3, 1, 2)),
            octets(8, 224, 224, 3))
    pattern("equalize", lambda x: jnp.take(jnp.cumsum(jnp.bincount(x.reshape(-1), length=256)), x),
            octets(512, 512))
    pattern("sample_grid", lambda x, g: jsp.ndimage.map_coordinates(
        x, [g[0] * 100 + 100, g[1] * 100 + 100], 1, mode="nearest"), normal(256, 256),
            normal(2, 300, 300))
    pattern("edges", lambda x: jnp.sqrt((x[2:, 1:-1] - x[:-2, 1:-1]) ** 2
                                        + (x[1:-1, 2:] - x[1:-1, :-2]) ** 2), normal(1024, 1024))


# Movement.

def movement():
    pattern("shuffle_pixels", lambda x: x.reshape(4, 16, 2, 2, 64, 64).transpose(0, 1, 4, 2, 5, 3)
            .reshape(4, 16, 128, 128), normal(4, 64, 64, 64))
    pattern("shuffle_channels",
            lambda x: x.reshape(4, 4, 32, 56, 56).swapaxes(1, 2).reshape(x.shape),
            normal(4, 128, 56, 56))
    pattern("windows", lambda x: jnp.roll(x, (-3, -3), (1, 2)).reshape(4, 8, 7, 8, 7, 96)
            .transpose(0, 1, 3, 2, 4, 5).reshape(-1, 49, 96), normal(4, 56, 56, 96))
    pattern("transpose", lambda x: x.T, normal(2048, 2048))
    pattern("transpose_heads", lambda x: x.transpose(0, 2, 1, 3), normal(8, 512, 12, 64))
    pattern("stack_last", lambda a, b: jnp.stack([a, b], -1), normal(1024, 1024),
            normal(1024, 1024))
    pattern("join_channels", lambda a, b: jnp.concatenate([a, b], 1), normal(4, 64, 56, 56),
            normal(4, 32, 56, 56))
    pattern("join_channels_last", lambda a, b: jnp.concatenate([a, b], -1),
            normal(4, 56, 56, 64), normal(4, 56, 56, 32))
    pattern("roll", lambda x: jnp.roll(x, (5, 7), (1, 2)), normal(16, 512, 512))
    pattern("reverse", lambda x: x[:, :, ::-1], normal(16, 512, 512))
    pattern("lower_triangle", jnp.tril, normal(16, 512, 512))
    pattern("differences", lambda x: jnp.diff(x, axis=1), normal(1000, 2001))
    pattern("laplacian", lambda x: sum(jnp.roll(x, step, axis) for axis in range(3)
                                       for step in (-1, 1)) - 6 * x, normal(100, 100, 100))


# Reductions, scans and sorting.

def reductions():
    cube = normal(64, 512, 100)
    for axis in range(3):
        pattern(f"sum_axis_{axis}", lambda x, axis=axis: x.sum(axis), cube)
        pattern(f"argmax_axis_{axis}", lambda x, axis=axis: x.argmax(axis), cube)
    pattern("sum_outer_and_inner", lambda x: x.sum((0, 2)), cube)
    pattern("sum_short_rows", lambda x: x.sum(1), normal(5000, 100, 3))
    pattern("argmin_columns", lambda x: x.argmin(0), normal(2000, 2000))
    pattern("any_in_rows", lambda x: (x > 3).any(-1), normal(4096, 1024))
    pattern("moments", lambda x: (x.mean(0), x.var(0)), normal(10000, 300))
    pattern("distances_l1", lambda a, b: jnp.abs(a[:, None] - b[None]).sum(-1), normal(500, 64),
            normal(500, 64))
    for axis in (0, 1):
        pattern(f"cumulative_axis_{axis}", lambda x, axis=axis: jnp.cumsum(x, axis),
                normal(1024, 2048))
    pattern("associative", lambda a, b: lax.associative_scan(
        lambda x, y: (x[0] * y[0], y[0] * x[1] + y[1]), (a, b), axis=1)[1], normal(4, 1024, 256),
            normal(4, 1024, 256))
    pattern("moving_average", lambda x: lax.scan(lambda c, t: (0.9 * c + 0.1 * t,) * 2, x[0], x)[1],
            normal(1000, 512))
    pattern("sort_rows", lambda x: jnp.sort(x, -1), normal(1000, 256))
    pattern("argsort_rows", lambda x: jnp.argsort(x, -1), normal(512, 1024))
    pattern("top_5", lambda x: lax.top_k(x, 5), normal(1024, 1000))
    pattern("top_1000", lambda x: lax.top_k(x, 1000), normal(64, 50000))
    pattern("quantiles", lambda x: jnp.quantile(x, jnp.array([0.1, 0.5, 0.9]), axis=0),
            normal(1000, 200))


# Gathers and scatters.

def indexing():
    table, rows = normal(10000, 128), integers(10000, 4096)
    pattern("take_rows", lambda t, i: t[i], table, rows)
    pattern("take_rows_gradient", gradient(lambda t, i: t[i]), table, rows)
    pattern("take_columns", lambda x, i: x[:, i], normal(2000, 1000), integers(1000, 300))
    pattern("take_along", lambda x, i: jnp.take_along_axis(x, i, 1), normal(1024, 1024),
            integers(1024, 1024, 1024))
    pattern("bag_of_rows", lambda t, i: t[i].sum(1), table, integers(10000, 512, 20))
    pattern("add_rows", lambda t, i, x: t.at[i].add(x), table, rows, normal(4096, 128))
    pattern("set_rows", lambda t, i, x: t.at[i].set(x), table, rows, normal(4096, 128))
    pattern("segments", lambda x, i: jax.ops.segment_sum(x, i, 1000), normal(20000, 64),
            numpy.sort(integers(1000, 20000)))
    pattern("largest_of_bins", lambda x, i, v: x.at[i].max(v), normal(10000),
            integers(10000, 100000), normal(100000))
    pattern("count_bins", lambda x: jnp.bincount(x, length=100), integers(100, 200000))
    pattern("histogram", lambda x: jnp.histogram(x, 50)[0], normal(200000))
    pattern("search", jnp.searchsorted, numpy.sort(normal(10000)), normal(100000))
    pattern("interpolate", jnp.interp, normal(100000), numpy.sort(normal(1000)), normal(1000))


# Products and linear algebra.

def products():
    pattern("vector_product", lambda a, x: a @ x, normal(2000, 2000), normal(2000))
    pattern("transposed_vector_product", lambda a, x: a.T @ x, normal(2000, 2000), normal(2000))
    pattern("small_products", lambda a, b: a @ b, normal(50000, 4, 4), normal(50000, 4, 4))
    pattern("tall_product", lambda a, b: a @ b, normal(10000, 16), normal(16, 16))
    pattern("deep_product", lambda a, b: a @ b, normal(16, 20000), normal(20000, 16))
    pattern("gram", lambda x: jnp.einsum("nci,nki->nck", x, x), normal(8, 64, 4096))
    pattern("covariance", lambda x: jnp.cov(x, rowvar=False), normal(5000, 128))
    pattern("bilinear_form", lambda a, w, b: jnp.einsum("bi,ijk,bk->bj", a, w, b), normal(64, 32),
            normal(32, 64, 32), normal(64, 32))
    pattern("product_bf16", lambda a, b: a @ b, half(normal(256, 768)), half(normal(768, 768)))
    signed = octets(768, 768).view(numpy.int8)
    pattern("product_int8", lambda a, b: lax.dot_general(
        a, b, (((1,), (0,)), ((), ())), preferred_element_type=jnp.int32), signed[:128], signed)
    pattern("product_of_quantized", lambda x, w, s: x @ (w.astype(jnp.float32) * s),
            normal(16, 768), signed, normal(768))
    pattern("product_complex", lambda a, b: a @ b, complex_normal(256, 256),
            complex_normal(256, 256))
    pattern("nearest", lambda a, b: lax.top_k(2 * a @ b.T - (b * b).sum(1), 5), normal(1000, 64),
            normal(2000, 64))
    square = normal(200, 16, 16)
    pattern("cholesky", lambda a: jnp.linalg.cholesky(a @ a.swapaxes(1, 2) + 8 * jnp.eye(16)),
            square)
    pattern("solve", jnp.linalg.solve, square, normal(200, 16, 1))
    pattern("inverse_of_3", jnp.linalg.inv, normal(10000, 3, 3) + 3 * numpy.eye(3, dtype="f4"))
    pattern("decompose_qr", jnp.linalg.qr, normal(512, 128))
    pattern("fourier_rows", jnp.fft.rfft, normal(64, 4096))
    pattern("fourier_images", jnp.fft.fft2, normal(16, 128, 128))


# Elementwise functions, quantization and random numbers.

def elements():
    square = normal(1024, 1024)
    for name, function in {
            "gelu": lambda x: nn.gelu(x, approximate=False), "gelu_tanh": nn.gelu,
            "silu": nn.silu, "softplus": nn.softplus, "tanh": jnp.tanh, "erf": lax.erf,
            "power": lambda x: jnp.abs(x) ** 1.7, "sine": jnp.sin,
            "log_gamma": lambda x: lax.lgamma(jnp.abs(x)),
            "digamma": lambda x: lax.digamma(jnp.abs(x)),
            "remainder": lambda x: (x // 0.7, x % 0.7)}.items():
        pattern(name, function, square)
    pattern("gelu_gradient", gradient(nn.gelu), square)
    pattern("gelu_bf16", nn.gelu, half(square))
    pattern("arctangent", jnp.arctan2, square, normal(1024, 1024))
    pattern("magnitude", jnp.abs, complex_normal(1000, 1000))
    pattern("integer_remainder", lambda x: (x // 7, x % 7), integers(1 << 30, 1000000))
    pattern("bits", lambda x: lax.population_count(x).sum(-1), integers(1 << 30, 4096, 256))
    pattern("polynomial", jnp.polyval, normal(10), normal(1000000))
    pattern("quantize", lambda x: jnp.clip(jnp.round(x / 0.05), -128, 127).astype(jnp.int8), square)
    for size in (32, 1024):
        pattern(f"quantize_blocks_of_{size}", lambda x: (lambda s: (
            jnp.round(x / s).astype(jnp.int8), s))(jnp.abs(x).max(-1, keepdims=True) / 127),
                square.reshape(-1, size))
    pattern("adam", lambda p, g, m, v: (
        p - 1e-3 * (0.9 * m + 0.1 * g) / (jnp.sqrt(0.999 * v + 0.001 * g * g) + 1e-8),
        0.9 * m + 0.1 * g, 0.999 * v + 0.001 * g * g), square, square, square, square ** 2)
    seed = numpy.array([0, 1], numpy.uint32)
    pattern("random_normal", lambda s: jax.random.normal(jax.random.wrap_key_data(s), (1000, 1000)),
            seed)
    pattern("dropout", lambda x, s: jnp.where(
        jax.random.bernoulli(jax.random.wrap_key_data(s), 0.9, x.shape), x / 0.9, 0), square, seed)
    pattern("categorical", lambda x, s: jax.random.categorical(jax.random.wrap_key_data(s), x),
            normal(256, 5000), seed)
    pattern("permutation", lambda s: jax.random.permutation(jax.random.wrap_key_data(s), 100000),
            seed)


def export(folder, name, function, arguments):
    place = folder / name
    place.mkdir(parents=True, exist_ok=True)
    lowered = jax.jit(function, keep_unused=True).lower(*arguments)
    (place / "module.mlir").write_text(lowered.as_text())
    for number, argument in enumerate(arguments):
        numpy.save(place / f"in_{number:03}.npy", numpy.asarray(argument))


def main():
    for add in (norms, losses, transformers, convolutions, images, movement, reductions, indexing,
                products, elements):
        add()
    folder, only = pathlib.Path(sys.argv[1]), re.compile(*sys.argv[2:3] or [""])
    for name, (function, arguments) in PATTERNS.items():
        if only.search(name):
            export(folder, name, function, arguments)


if __name__ == "__main__":
    main()
