"""Kinks, ties, bounds and singular points: values and gradients exactly there."""
from golden import *  # noqa: F403
import torch

F = "nn.functional."
inf, nan = float("inf"), float("nan")
KINDS = ("none", "mean", "sum")


def at(*values, dtype=f32, grad=True, **kwargs):
    return T(values=list(values), dtype=dtype, grad=grad, **kwargs)


def kept(*values, dtype=f32):
    """An operand without a gradient."""
    return at(*values, dtype=dtype, grad=False)


def each_dtype(name, values, *args, **kwargs):
    for dtype in FLOATS:
        case(name, at(*values, dtype=dtype), *args, **kwargs)


# --- bounds ----------------------------------------------------------------------

AROUND = [-1.0, 0.0, 0.5, 1.0, 2.0, -0.0, nan, inf, -inf]
for low, high in ((0.0, 1.0), (0, 1), (1.0, 1.0), (1.0, 0.0), (-inf, inf), (nan, 1.0), (0.0, nan)):
    each_dtype("clamp", AROUND, low, high)
each_dtype("clamp", AROUND, 0.0)
each_dtype("clamp", AROUND, None, 1.0)
each_dtype("clamp", AROUND, None, 0.0)
each_dtype("clamp_min", AROUND, 0.0)
each_dtype("clamp_min", AROUND, 1)
each_dtype("clamp_max", AROUND, 1.0)
each_dtype("clamp_max", AROUND, 0)
for dtype in (f32, f64):
    x = at(*AROUND, dtype=dtype)
    low = at(-1.0, 0.0, 0.5, 0.0, 3.0, 0.0, 0.0, 0.0, 0.0, dtype=dtype)
    high = at(-1.0, 1.0, 0.5, 1.0, 3.0, -1.0, 1.0, 1.0, 1.0, dtype=dtype)
    bounds = kept(nan, 1.0, 0.5, nan, 0.0, nan, 1.0, nan, nan, dtype=dtype)
    case("clamp", kept(*AROUND, dtype=dtype), bounds, kept(*[1.0] * 9, dtype=dtype))
    case("clamp", kept(*AROUND, dtype=dtype), kept(*[1.0] * 9, dtype=dtype), bounds)
    case("clamp_min", kept(*AROUND, dtype=dtype), bounds)
    case("clamp_max", kept(*AROUND, dtype=dtype), bounds)
    case("clamp", x, low, high)
    case("clamp", x, low)
    case("clamp", at(*AROUND[:6], dtype=dtype), at(*[1.0] * 6, dtype=dtype),
         at(*[0.0] * 6, dtype=dtype))
    case("clamp_min", x, low)
    case("clamp_max", x, high)
    case("clamp", at([0.0, 1.0], [0.5, 2.0], dtype=dtype), at(0.0, 1.0, dtype=dtype),
         at([1.0], [0.5], dtype=dtype))
    case("clamp_min", at([0.0, 1.0], [0.5, 2.0], dtype=dtype), at([0.0], [0.5], dtype=dtype))
    case("clamp_max", at(0.0, 1.0, dtype=dtype), T(values=1.0, dtype=dtype))
case("clamp", at(0, 1, 2, 3, dtype=i64), 1, 2)
case("clamp_min", at(0, 1, 2, dtype=i32), kept(1, 1, 1, dtype=i32))

# --- activations -----------------------------------------------------------------

NEAR = [-3.0, -2.0, -1.0, -0.5, -0.0, 0.0, 0.5, 1.0, 2.0, 3.0, 6.0, 7.0, nan, inf, -inf]
for name in ("relu", "relu6", "leaky_relu", "hardtanh", "hardsigmoid", "hardswish", "elu", "selu",
             "celu", "hardshrink", "softshrink", "abs", "sign", "sgn", "square", "softsign",
             "tanhshrink", "logsigmoid"):
    each_dtype(name, NEAR[:-3])
for name in ("relu", "relu6", "leaky_relu", "hardtanh", "elu", "selu", "celu", "hardshrink",
             "softshrink", "abs", "sign", "sgn"):
    case(name, at(*NEAR))
for name in ("round", "floor", "ceil", "trunc", "frac", "signbit", "sinc"):
    each_dtype(name, [-2.5, -1.5, -1.0, -0.5, -0.0, 0.0, 0.5, 1.0, 1.5, 2.5])
each_dtype("hardtanh", NEAR[:-3], -0.5, 3.0)
each_dtype("hardtanh", NEAR[:-3], 1.0, 1.0)
each_dtype("threshold", NEAR[:-3], 1.0, 5.0)
each_dtype("threshold", NEAR[:-3], 0.0, 0.0)
each_dtype("hardshrink", NEAR[:-3], 1.0)
each_dtype("hardshrink", NEAR[:-3], 0.0)
each_dtype("softshrink", NEAR[:-3], 1.0)
each_dtype("softshrink", NEAR[:-3], 0.0)
each_dtype("leaky_relu", NEAR[:-3], 0.25)
each_dtype("leaky_relu", NEAR[:-3], 0.0)
each_dtype("elu", NEAR[:-3], 0.5)
each_dtype("celu", NEAR[:-3], 0.5)
each_dtype("softplus", [-1.0, 0.0, 0.5, 10.0, 20.0, 20.5, 30.0])
each_dtype("softplus", [-1.0, 0.0, 0.5, 1.0, 2.0], 2.0, 1.0)
case("prelu", at(-1.0, -0.0, 0.0, 1.0), at(0.25))
case("prelu", at([0.0, -1.0], [1.0, 0.0], dtype=f64), at(0.25, 0.5, dtype=f64))
case("logit", at(0.0, 0.25, 0.5, 0.75, 1.0, dtype=f64), 0.25)
case("logit", at(0.0, 0.5, 1.0))

# --- one operand where the slope is not finite ------------------------------------

for name, values in (("sqrt", [0.0, -0.0, 1.0, -1.0]), ("rsqrt", [0.0, 1.0, -1.0]),
                     ("log", [0.0, -0.0, 1.0]), ("log2", [0.0, 1.0]), ("log10", [0.0, 1.0]),
                     ("log1p", [-1.0, 0.0]), ("reciprocal", [0.0, -0.0, 1.0]),
                     ("asin", [-1.0, 0.0, 1.0]), ("acos", [-1.0, 0.0, 1.0]),
                     ("atanh", [-1.0, 0.0, 1.0]), ("acosh", [1.0, 2.0]),
                     ("erfinv", [-1.0, 0.0, 1.0]), ("lgamma", [1.0, 2.0, 3.0]),
                     ("exp", [0.0, -inf]), ("nan_to_num", [0.0, nan, inf, -inf])):
    each_dtype(name, values)
for exponent in (0.0, 0.5, 1.0, 1.5, 2.0, 3.0, -1.0, 0, 1, 2, 3, -1):
    each_dtype("pow", [0.0, 1.0, -1.0, 2.0], exponent)
    case("pow", at(-0.0, 1.0), exponent)
    case("pow", at(-0.0, 1.0, dtype=f64), exponent)
for base in (0.0, 1.0, 2.0):
    case("pow", base, at(0.0, 1.0, 2.0, 0.5, -1.0))
case("pow", at(0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 2.0, -1.0), at(0.0, 1.0, 2.0, -1.0, 0.0, 1.0, 0.0, 2.0))
case("pow", at(0.0, 0.0, 0.0, 1.0, dtype=f64), at(0.5, 1.0, 0.0, 0.0, dtype=f64))

# --- two operands -----------------------------------------------------------------

A, B = [0.0, 1.0, -1.0, 0.0, 2.0, 1.0, -0.0, 0.0], [0.0, 1.0, -1.0, 1.0, 1.0, 2.0, 0.0, -0.0]
for name in ("maximum", "minimum", "fmax", "fmin", "atan2", "hypot", "copysign", "fmod",
             "remainder", "xlogy", "logaddexp", "logaddexp2", "heaviside", "floor_divide", "div",
             "isclose", "nextafter"):
    for dtype in (f32, f64):
        case(name, at(*A, dtype=dtype), at(*B, dtype=dtype))
for name in ("maximum", "minimum", "fmax", "fmin"):
    for dtype in (f16, bf16):
        case(name, at(*A, dtype=dtype), at(*B, dtype=dtype))
    case(name, at(nan, 1.0, nan, inf), at(1.0, nan, nan, inf))
for name in ("max", "min"):
    case(name, at(*A), at(*B))
for name in ("fmod", "remainder"):
    case(name, at(-3.0, -2.0, 2.0, 3.0, 4.5), 1.5)
    case(name, at(-4.0, -2.0, 2.0, 4.0, 3.0), at(2.0, 2.0, -2.0, 2.0, 1.5))
for mode in ("trunc", "floor"):
    case("div", at(-3.0, -2.0, 2.0, 3.0), at(2.0, 2.0, -2.0, 1.5), rounding_mode=mode)
case("xlogy", 0.0, at(0.0, 1.0, 2.0))
case("xlogy", at(0.0, 1.0), 0.0)
case("xlog1py", at(0.0, 0.0, 1.0), at(-1.0, 0.0, 0.0), reference=torch.special.xlog1py)
case("logaddexp", at(0.0, -inf), at(-inf, 1.0))
case("logaddexp", kept(-inf), kept(-inf))
case("lerp", at(0.0, 1.0), at(1.0, 1.0), at(0.5, 1.0))
case("where", kept(True, False, True, dtype=b1), at(0.0, 1.0, inf), at(nan, 0.0, 1.0))

# --- reductions with ties ---------------------------------------------------------

TIES = ([1.0, 3.0, 3.0], [3.0, 0.0, -1.0])
for dtype in FLOATS:
    x = at(*TIES, dtype=dtype)
    for name in ("max", "min", "amax", "amin", "median", "nanmedian"):
        case(name, x)
    for name in ("max", "min", "median", "nanmedian"):
        for dim in (0, 1):
            case(name, x, dim)
    for name in ("amax", "amin"):
        for dim in (0, 1, (0, 1)):
            case(name, x, dim)
    case("aminmax", x)
    case("aminmax", x, dim=1)
    case("cummax", x, 1)
    case("cummin", x, 1)
    case("cummax", x, 0)
    case("logcumsumexp", x, 1)
    case("logsumexp", x, 1)
    case("sort", x, stable=True, dim=1, descending=False)
    case("sort", x, stable=True, dim=1, descending=True)
    case("kthvalue", x, 2, 1)
    case("quantile" if dtype in (f32, f64) else "sum", x, *([0.5] if dtype in (f32, f64) else []))
case("max", kept(nan, 1.0, nan))
case("amax", at(nan, 1.0, nan))
case("min", at(1.0, nan, 0.0), 0)
case("msort", at(2.0, 1.0, 3.0))
case("topk", at(3.0, 1.0, 2.0), 2)
case("logsumexp", at([-inf, -inf], [0.0, -inf]), 1)
case("logsumexp", at(inf, 0.0), 0)
case("logsumexp", T(0, 2), 0)
case("logcumsumexp", kept(-inf, -inf, 0.0, 0.0), 0)
case("softmax", at([-inf, 0.0], [1.0, 1.0]), 1)
case("log_softmax", at([-inf, 0.0], [1.0, 1.0]), 1)
for rows in (([1.0, 2.0, 3.0], [4.0, 5.0, 6.0]), ([0.0, 2.0, 3.0], [4.0, 5.0, 6.0]),
             ([0.0, 2.0, 0.0], [0.0, 5.0, 6.0]), ([0.0, 0.0, 0.0], [0.0, 0.0, 2.0])):
    for dtype in (f32, f64):
        case("prod", at(*rows, dtype=dtype))
        for dim in (0, 1):
            case("prod", at(*rows, dtype=dtype), dim)
            case("cumprod", at(*rows, dtype=dtype), dim)
for correction in (0, 1):
    for name in ("std", "var", "std_mean", "var_mean"):
        case(name, at(2.0, 2.0, 2.0), correction=correction)
        case(name, at([2.0, 2.0], [1.0, 3.0]), dim=1, correction=correction)
case("std", at(2.0, 2.0, dtype=f64), correction=0)

# --- norms and distances at 0 and at ties -----------------------------------------

ROWS = ([0.0, 0.0], [3.0, 4.0], [0.0, 2.0], [-2.0, 2.0])
ORDERS = (0, 0.5, 1, 1.5, 2, 2.5, 3, inf, -inf, -1, -2)
for p in ORDERS:
    for dtype in (f32, f64):
        case("norm", at(0.0, 0.0, dtype=dtype), p)
        case("norm", at(*ROWS, dtype=dtype), p, 1)
        case("linalg.vector_norm", at(*ROWS, dtype=dtype), p, 1)
case("norm", at(0.0, 0.0, dtype=bf16), 2)
case("linalg.norm", at([0.0, 0.0], [0.0, 0.0]))
case("linalg.matrix_norm", at([0.0, 0.0], [0.0, 0.0]), "fro")
for p in (1, -1, inf, -inf):
    case("linalg.matrix_norm", at([1.0, -1.0], [0.0, 2.0]), p)
POINTS, OTHERS = ([0.0, 0.0], [1.0, 0.0], [1.0, 2.0]), ([0.0, 0.0], [1.0, 1.0])
for p in (0.0, 0.5, 1.0, 1.5, 2.0, 3.0, inf):
    for dtype in (f32, f64):
        case("cdist", at(*POINTS, dtype=dtype), at(*OTHERS, dtype=dtype), p)
        case("pdist", at([0.0, 0.0], [0.0, 0.0], [1.0, 2.0], [2.0, 2.0], dtype=dtype), p)
    case("pairwise_distance", at(*POINTS[:2]), at(*OTHERS), p)
    case("pairwise_distance", at(*POINTS[:2]), at(*OTHERS), p, 0.0)
for p in (1.0, 2.0, 3.0):
    case(F + "normalize", at([0.0, 0.0], [3.0, 4.0], [0.0, 1.0], dtype=f64), p)
case("cosine_similarity", at([0.0, 0.0], [1.0, 0.0], dtype=f64),
     at([0.0, 0.0], [0.0, 0.0], dtype=f64))
case("cosine_similarity", at([0.0, 0.0], [1.0, 2.0]), at([1.0, 2.0], [1.0, 2.0]))
case("dist", at(1.0, 2.0), at(1.0, 2.0))
for p in (0, 1, 2, 3, inf):
    case("dist", at(1.0, 2.0, 3.0), at(1.0, 2.0, 2.0), p)

# --- losses -----------------------------------------------------------------------

for kind in KINDS:
    for p in (0.0, 1.0, 1e-13, 1 - 1e-13, 1e-30, 2 ** -24, 1 - 2 ** -24, 0.5):
        for target in (0.0, 0.5, 1.0):
            for dtype in (f32, f64):
                case(F + "binary_cross_entropy", at(p, dtype=dtype), kept(target, dtype=dtype),
                     reduction=kind)
    case(F + "binary_cross_entropy", at(0.0, 1.0), kept(0.0, 1.0), kept(0.5, 2.0), reduction=kind)
    case(F + "binary_cross_entropy", at(0.25, 0.5), at(0.0, 1.0), reduction=kind)
    case(F + "binary_cross_entropy", kept(0.0, 1.0), at(0.0, 1.0), reduction=kind)
    case(F + "binary_cross_entropy", at(0.0, 1.0, 0.5, dtype=f16), kept(1.0, 0.0, 1.0, dtype=f16),
         reduction=kind)
    case(F + "binary_cross_entropy", at(0.0, 1.0, 0.5, dtype=bf16),
         kept(1.0, 0.0, 1.0, dtype=bf16), reduction=kind)
    case(F + "binary_cross_entropy_with_logits", at(0.0, -0.0, 50.0, -50.0),
         kept(0.0, 1.0, 0.0, 1.0), reduction=kind)
    near, far = at(0.0, 1.0, -1.0, 2.0, 0.5, -0.5, 3.0), at(0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0)
    case(F + "l1_loss", near, far, reduction=kind)
    case(F + "mse_loss", near, far, reduction=kind)
    for beta in (0.0, 0.5, 1.0):
        case(F + "smooth_l1_loss", near, far, reduction=kind, beta=beta)
    for delta in (0.5, 1.0):
        case(F + "huber_loss", near, far, reduction=kind, delta=delta)
    signs = kept(1.0, -1.0, 1.0, -1.0, 1.0, -1.0, 1.0)
    case(F + "hinge_embedding_loss", at(0.0, 1.0, -1.0, 2.0, 0.5, 0.0, 1.0), signs,
         reduction=kind)
    for margin in (0.0, 1.0):
        case(F + "margin_ranking_loss", near, far, signs, margin, reduction=kind)
    case(F + "soft_margin_loss", near, signs, reduction=kind)
    case(F + "cosine_embedding_loss", at([1.0, 0.0], [0.0, 0.0], [1.0, 1.0], dtype=f64),
         at([1.0, 0.0], [1.0, 0.0], [1.0, -1.0], dtype=f64), kept(1.0, -1.0, -1.0, dtype=f64),
         0.0, reduction=kind)
    case(F + "triplet_margin_loss", at([0.0, 0.0], [1.0, 0.0]), at([0.0, 0.0], [1.0, 1.0]),
         at([1.0, 0.0], [1.0, 0.0]), reduction=kind)
    for p in (1, 2):
        case(F + "multi_margin_loss", at([0.0, 1.0, 0.0], [2.0, 1.0, 2.0]),
             kept(1, 0, dtype=i64), p, reduction=kind)
    case(F + "multilabel_margin_loss", at([0.0, 1.0, 0.0], [2.0, 1.0, 2.0]),
         kept([1, -1, -1], [0, 2, -1], dtype=i64), reduction=kind)
    case(F + "kl_div", at(0.0, -1.0, -inf), at(0.0, 1.0, 0.0), reduction=kind)
    case(F + "kl_div", at(0.0, -1.0), at(0.0, -1.0), reduction=kind, log_target=True)
    case(F + "poisson_nll_loss", at(0.0, 1.0, 2.0), kept(0.0, 1.0, 2.0), full=True, reduction=kind)
    case(F + "poisson_nll_loss", at(0.0, 1.0), kept(0.0, 1.0), log_input=False, reduction=kind)
    case(F + "gaussian_nll_loss", at(0.0, 1.0), at(0.0, 0.0), at(1e-6, 0.0), reduction=kind)
    case(F + "nll_loss", at([0.0, -inf], [-inf, 0.0]), kept(0, 1, dtype=i64), reduction=kind)
    case(F + "cross_entropy", at([0.0, -inf], [1.0, 1.0]), kept(0, 1, dtype=i64), reduction=kind)

# --- windows and grids ------------------------------------------------------------

PLANE = T(values=[[[[1.0, 1.0, 0.0, 2.0], [1.0, 1.0, 2.0, 2.0], [3.0, 0.0, 3.0, 3.0],
                    [0.0, 3.0, 3.0, -1.0]]]])
LINE = T(values=[[[1.0, 1.0, 0.0, 0.0, 2.0, 2.0]]])
case("max_pool1d", LINE, 2)
case("max_pool1d", LINE, 3, 1, 1)
case("max_pool1d", LINE, 2, 1, 0, 2)
case("max_pool2d", PLANE, 2)
case("max_pool2d", PLANE, 3, 1, 1)
case("max_pool2d", PLANE, 2, 1, 0, 2)
case(F + "adaptive_max_pool1d", LINE, 4)
case(F + "adaptive_max_pool2d", PLANE, (3, 2))
GRID = [[[[-1.0, -1.0], [1.0, 1.0], [0.0, 0.0]], [[-1.0, 1.0], [1.5, 0.5], [-2.0, 2.0]]]]
for mode in ("bilinear", "nearest"):
    for padding in ("zeros", "border", "reflection"):
        for corners in (False, True):
            case(F + "grid_sample", PLANE, T(values=GRID, dtype=f32), mode, padding, corners)
for mode in ("linear", "nearest"):
    case(F + "interpolate", LINE, size=[4], mode=mode)
    case(F + "interpolate", LINE, scale_factor=[2.0], mode=mode)
for corners in (False, True):
    case(F + "interpolate", PLANE, size=(3, 7), mode="bilinear", align_corners=corners)
    case(F + "interpolate", PLANE, size=(3, 7), mode="bicubic", align_corners=corners)

# --- complex numbers at 0 ---------------------------------------------------------

for name in ("abs", "sgn", "angle", "sqrt", "log"):
    case(name, T(values=[0j, 1 + 0j, 1j, -1 + 0j, 3 + 4j], dtype=c128))
case("pow", T(values=[0j, 1 + 1j], dtype=c128), 2)
case("pow", T(values=[0j, 1 + 1j], dtype=c128), 0)
case("prod", T(values=[0j, 1 + 1j, 2j], dtype=c128))
