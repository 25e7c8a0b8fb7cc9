from golden import *  # noqa: F403
import torch

inf, nan = float("inf"), float("nan")
SPECIALS = [0.0, -0.0, 1.0, -1.0, inf, -inf, nan]


def layouts(name, **kwargs):
    """The forms every function of one operand is tried in."""
    case(name, T(2, 3, **kwargs))
    case(name, T(4, 3, transposed=True, dtype=f64, **kwargs))
    case(name, T(3, 4, sliced=True, **kwargs))
    case(name, T(dtype=f64, **kwargs))
    case(name, T(0, 2, **kwargs))


def specials(name, *args):
    case(name, T(values=SPECIALS, grad=False), *args)


# --- one operand ---------------------------------------------------------------

EVERYWHERE = ("exp", "exp2", "expm1", "sin", "cos", "atan", "sinh", "cosh", "tanh", "asinh",
              "erf", "erfc", "sigmoid", "square", "deg2rad", "rad2deg", "sinc", "i0")
ABOVE_ZERO = ("log", "log2", "log10", "log1p", "sqrt", "rsqrt", "reciprocal", "lgamma")
WITHIN_ONE = ("asin", "acos", "atanh", "erfinv", "tan")
for name in EVERYWHERE:
    layouts(name)
for name in ABOVE_ZERO:
    layouts(name, low=0.2, high=4)
for name in WITHIN_ONE:
    layouts(name, low=-0.9, high=0.9)
layouts("acosh", low=1.2, high=5)
case("digamma", T(2, 3, low=0.2, high=4))
case("digamma", T(0, 2))
layouts("logit", low=0.1, high=0.9)
for name in (*EVERYWHERE, *ABOVE_ZERO, *WITHIN_ONE, "acosh", "digamma", "logit"):
    if name not in ("digamma", "lgamma", "i0"):
        specials(name)
    case(name, T(3, dtype=i32, low=1, high=1))
    case(name, T(2, dtype=b1))
    for dtype in (f16, bf16):
        case(name, T(5, dtype=dtype, low=1.1 if name == "acosh" else 0.2,
                     high=0.8 if name != "acosh" else 3.0))
for name in ("exp", "log", "sin", "cos", "tan", "tanh", "sinh", "cosh", "asin", "acos", "atan",
             "asinh", "acosh", "atanh", "sqrt", "rsqrt", "reciprocal", "square", "sigmoid",
             "log2", "log10", "neg", "abs", "sgn", "conj", "angle", "logical_not"):
    for dtype in (c64, c128):
        case(name, T(2, 3, dtype=dtype, low=0.2, high=1.6), tolerance=3e-5, gradient=False)
for name in ("erf", "erfc", "erfinv", "lgamma", "digamma", "i0", "logit", "deg2rad", "ceil",
             "floor", "trunc", "frac", "round", "sign", "signbit", "isposinf", "isneginf"):
    case(name, T(2, dtype=c64), raises="DtypeError")
for name in ("abs", "neg", "sign", "sgn"):
    layouts(name)
    specials(name)
    for dtype in (*INTEGERS, f16, bf16):
        case(name, T(2, 3, dtype=dtype, low=-5, high=5))
for name in ("abs", "neg", "positive", "ceil", "floor", "trunc", "round", "frac"):
    case(name, T(2, dtype=b1), raises="DtypeError")
for name in ("sign", "sgn"):
    case(name, T(3, dtype=b1))
for name in ("ceil", "floor", "trunc", "round"):
    layouts(name, low=-7, high=7)
    specials(name)
    case(name, T(4, dtype=i16, low=-5, high=5))
    case(name, T(4, dtype=bf16))
layouts("frac")
case("frac", T(2, dtype=i64), raises="DtypeError")
case("round", T(values=[0.5, 1.5, 2.5, -0.5, -1.5]))
case("round", T(2, 3, low=-50, high=50), decimals=1)
case("round", T(2, 3, low=-900, high=900, dtype=f64), decimals=-2)
for name in ("signbit", "isnan", "isinf", "isfinite", "isposinf", "isneginf", "logical_not"):
    specials(name)
    for dtype in (b1, i64, u8, f64, bf16):
        case(name, T(2, 2, dtype=dtype))
for name in ("isnan", "isinf", "isfinite"):
    case(name, T(values=[complex(1, nan), complex(inf, 0), 1j], dtype=c64, grad=False))
for dtype in FLOATS:
    case("nan_to_num", T(values=[1.5, nan, inf, -inf], dtype=dtype))
case("nan_to_num", T(values=[1.5, nan, inf, -inf]), nan=2.0, posinf=7.0, neginf=-7.0)
case("nan_to_num", T(3, dtype=i32))
case("nan_to_num", T(values=[complex(nan, inf), complex(1, -inf)], dtype=c64), gradient=False)
for dtype in (b1, i8, u8, i64):
    case("bitwise_not", T(2, 3, dtype=dtype))
case("bitwise_not", T(2), raises="DtypeError")
for name in ("positive", "conj", "angle"):
    case(name, T(2, 3))
case("angle", T(values=[1.0, -1.0, nan, 0.0], grad=False))
case("angle", T(3, dtype=i64))
case("cbrt", T(2, 3), reference=lambda x: x.sign() * x.abs().pow(1 / 3))
case("i1e", T(2, 3), reference=torch.special.i1e)
case("i1e", T(4, dtype=f64, low=-40, high=40), reference=torch.special.i1e)
case("i0", T(6, dtype=f64, low=-30, high=30))
for n in (0, 1, 2, 3):
    # PyTorch's trigamma has nine digits.
    case("polygamma", n, T(2, 3, low=0.3, high=6, dtype=f64), tolerance=1e-8)
    case("polygamma", n, T(3, low=0.3, high=6))
case("polygamma", -1, T(2), raises="ValueError")
case("mvlgamma", T(2, 3, low=2, high=6), 3)
case("mvlgamma", T(4, low=1, high=6, dtype=f64), 2)
case("mvlgamma", T(2, low=2, high=4), 0, raises="ValueError")
case("logit", T(values=[0.0, 0.02, 0.5, 1.0]), 0.1)
case("logit", T(2, 2, low=0.1, high=0.9), eps=1e-3)
case("lgamma", T(values=[-1.5, 0.5, 30.0, 100.25], dtype=f64))
# PyTorch's trigamma, the derivative, has nine digits.
case("digamma", T(values=[-1.5, 0.5, 30.0], dtype=f64), tolerance=1e-8)
case("digamma", T(4, 3, transposed=True, dtype=f64, low=0.2, high=4), tolerance=1e-8)

# --- two operands ----------------------------------------------------------------

for name in ("add", "sub", "mul", "div", "true_divide", "maximum", "minimum", "fmax", "fmin",
             "atan2", "hypot", "rsub", "eq", "ne", "lt", "le", "gt", "ge", "remainder", "fmod",
             "floor_divide", "copysign", "logaddexp", "logaddexp2", "nextafter", "isclose"):
    case(name, T(2, 3), T(2, 3, seed=1))
    case(name, T(2, 3, transposed=True), T(3, seed=2))
    case(name, T(2, 1, 3, dtype=f64), T(4, 1, seed=3, dtype=f64))
    case(name, T(3, 4, sliced=True), T(seed=4))
    case(name, T(0, 3), T(3))
    case(name, T(2, 3), T(4), raises="ShapeError")
for name in ("add", "sub", "mul", "div", "maximum", "eq", "lt", "atan2", "remainder"):
    for dtype in (*INTEGERS, *FLOATS):
        case(name, T(2, 2, dtype=dtype, low=0, high=9), T(2, dtype=dtype, low=1, high=9, seed=1))
    if name != "atan2":
        case(name, T(2, 3, dtype=i32, low=-5, high=5), T(3, dtype=i64, low=1, high=5))
    # PyTorch negates the bytes for a gradient of atan2.
    case(name, T(2, 3, dtype=u8, low=0, high=5), T(3, low=1, high=3), gradient=name != "atan2")
    case(name, T(2, dtype=f16), T(2, dtype=bf16, seed=1))
    # Computed in f32, also for the gradient of the f64 number.
    case(name, T(2, 3), T(dtype=f64, low=1, high=2), tolerance=1e-5)
    case(name, T(2, 3, dtype=i32, low=1, high=4), T(dtype=f64, low=1, high=2))
for name in ("add", "sub", "mul", "div", "eq", "ne"):
    case(name, T(2, 3, dtype=c64), T(3, dtype=c64, seed=1), gradient=False, tolerance=2e-5)
    case(name, T(2, 3, dtype=c64), T(3, dtype=f64, seed=1), gradient=False, tolerance=2e-5)
    case(name, T(2, dtype=u32, low=0, high=5), T(2, dtype=i32), raises="DtypeError")
    case(name, T(2, dtype=u32, low=1, high=5), T(2))
for name in ("lt", "maximum", "clamp_min", "floor_divide", "remainder", "fmax", "logaddexp2"):
    case(name, T(2, dtype=c64), T(2, dtype=c64), raises="DtypeError")
for name in ("add", "mul", "eq", "lt", "maximum", "logical_and", "logical_or", "logical_xor",
             "bitwise_and", "bitwise_or", "bitwise_xor"):
    case(name, T(2, 3, dtype=b1), T(2, 3, dtype=b1, seed=1))
for number in (2, 2.5, True):
    for name in ("add", "mul", "div", "eq", "ge"):
        for dtype in (b1, i32, f32, bf16):
            case(name, T(2, 3, dtype=dtype), number)
for name in ("add", "sub", "rsub"):
    case(name, T(2, 3), T(2, 3, seed=1), alpha=2)
    case(name, T(2, 3, dtype=f16), T(2, 3, dtype=f16, seed=1), alpha=0.3)
    case(name, T(2, 3), 2.5, alpha=2)
    case(name, T(2, 3, dtype=i64), T(3, dtype=i64), alpha=3)
    case(name, T(2, dtype=i64), T(2, dtype=i64), alpha=1.5, raises="DtypeError")
case("sub", T(2, dtype=b1), T(2, dtype=b1), raises="DtypeError")
case("sub", T(2, dtype=b1), T(2), raises="DtypeError")
case("rsub", T(2, dtype=b1), 1, raises="DtypeError")
case("sub", T(2, 3, dtype=i32), 2.5)

# division
for mode in ("trunc", "floor", None):
    case("div", T(2, 3, low=-9, high=9), T(3, low=1, high=3, seed=1), rounding_mode=mode)
    case("div", T(2, 3, dtype=i64, low=-9, high=9), T(values=[2, -3, 4], dtype=i64),
         rounding_mode=mode)
    case("div", T(2, 3, low=-9, high=9), 2.5, rounding_mode=mode)
    case("div", T(values=[1.0, -1.0, 0.0, inf, nan, 3.0], grad=False),
         T(values=[0.0, 0.0, 0.0, 2.0, 2.0, -inf], grad=False), rounding_mode=mode)
case("div", T(2), T(2), rounding_mode="up", raises="ValueError")
for name in ("floor_divide", "remainder", "fmod"):
    case(name, T(2, 4, dtype=i64, low=-9, high=9), T(values=[2, -3, 4, -5], dtype=i64))
    case(name, T(2, 4, dtype=u8, low=0, high=9), T(values=[2, 3, 4, 5], dtype=u8))
    case(name, T(2, 3, dtype=i32, low=-9, high=9), 4)
    case(name, T(2, 3, low=-9, high=9), -2.5)
    case(name, T(values=[1.0, -1.0, 0.0, inf, nan, 3.0, -3.0], grad=False),
         T(values=[0.0, 0.0, 0.0, 2.0, 2.0, -inf, inf], grad=False))
case("remainder", 7, T(3, dtype=i64, low=2, high=5))
case("remainder", T(2, dtype=b1), T(2, dtype=b1), raises="DtypeError")

# powers
for exponent in (0, 1, 2, 3, 4, 5, 0.0, 0.5, 1.0, 2.0, 2.5, -0.5, -1, -2, -3):
    case("pow", T(2, 3, low=0.3, high=3), exponent)
    case("pow", T(3, low=0.3, high=3, dtype=f64), exponent)
    case("pow", T(3, low=0.3, high=2, dtype=bf16), exponent)
    if isinstance(exponent, int) and exponent >= 0:
        case("pow", T(2, 3, dtype=i64, low=-4, high=4), exponent)
        case("pow", T(2, 3), exponent)
case("pow", T(3, dtype=i64), -1, raises="ValueError")
case("pow", T(3, dtype=i64, low=1, high=3), 0.5)
case("pow", T(2, 3, low=0.3, high=3), T(3, seed=1))
case("pow", T(values=[-2, 0, 3, 1, -1], dtype=i64), T(values=[3, 2, 4, -2, -3], dtype=i64))
case("pow", T(2, 3, dtype=f64, low=0.3, high=3), T(3, dtype=i64))
case("pow", 2, T(2, 3))
case("pow", 2.5, T(2, 3, dtype=f64))
case("pow", 3, T(2, 3, dtype=i32, low=0, high=4))
case("pow", T(2, dtype=b1), T(2, dtype=b1), raises="DtypeError")
case("pow", T(values=[0.0, 2.0]), T(values=[0.0, 0.0]))
case("pow", T(3, dtype=c64, low=0.3), T(3, dtype=c64, seed=1), gradient=False, tolerance=1e-4)
case("float_power", T(2, 3, low=0.3, high=3), 2.5)
case("float_power", T(2, 3, dtype=i64, low=1, high=3), T(3, dtype=i64, seed=1))
case("float_power", 2, T(3))
case("ldexp", T(2, 3), T(3, dtype=i64))
case("ldexp", T(3, dtype=f64), T(3))

# neighbours of logarithms
case("xlogy", T(2, 3), T(3, low=0.2, high=3, seed=1))
case("xlogy", T(values=[0.0, 0.0, 0.0, 2.0]), T(values=[0.0, 3.0, nan, 0.5]), gradient=False)
case("xlogy", T(2, 3), 2.5)
case("xlogy", 2, T(3, low=0.2, high=3))
case("xlogy", T(3, dtype=i64), T(3, dtype=i64, low=1, high=4))
case("xlog1py", T(2, 3), T(3, low=0.2, high=3, seed=1), reference=torch.special.xlog1py)
case("xlog1py", T(2, 3), 2.5, reference=torch.special.xlog1py)
case("xlog1py", 2, T(3, low=0.2, high=3), reference=torch.special.xlog1py)
for name in ("logaddexp", "logaddexp2"):
    case(name, T(values=[inf, -inf, nan, 1.0, 3.0], grad=False),
         T(values=[inf, -inf, 1.0, nan, inf], grad=False))
    case(name, T(values=[1.0, -2.0]), T(values=[1.0, -2.0]))
    case(name, T(3, dtype=bf16), T(3, dtype=bf16, seed=1))
case("heaviside", T(values=[-1.5, 0.0, 2.0, nan], grad=False), T(4, grad=False))
case("heaviside", T(3, dtype=i64), T(3, dtype=i64, seed=1))
case("heaviside", T(2), T(2, dtype=f64), raises="DtypeError")
for name in ("gcd", "lcm"):
    case(name, T(2, 3, dtype=i64, low=-40, high=40), T(3, dtype=i64, low=-30, high=30))
    case(name, T(values=[0, 12, 200], dtype=u8), T(values=[0, 18, 75], dtype=u8))
    case(name, T(2, dtype=i32), T(2), raises="DtypeError")
    case(name, T(0, dtype=i32), T(0, dtype=i32))
case("copysign", T(2, 3), -2.0)
case("copysign", T(values=[1.5, 0.0, -2.0, nan], grad=False), T(values=[-0.0, -1.0, 0.0, -1.0], grad=False))
case("copysign", T(3, dtype=i64), T(3))
case("nextafter", T(values=[1.0, 0.0]), T(values=[2.0, -1.0]))
case("nextafter", T(values=[1.0, -1.0], grad=False), T(values=[1.0, -1.0], grad=False))
case("nextafter", T(2, dtype=i64), T(2, dtype=i64), raises="DtypeError")
case("hypot", T(values=[3e30, 0.0, inf]), T(values=[4e30, 0.0, nan]), gradient=False)
case("hypot", T(3, dtype=f16), T(3, dtype=f16, seed=1))

# bounds
case("clamp", T(2, 3), -0.7, 0.9)
case("clamp", T(2, 3), None, 0.9)
case("clamp", T(2, 3), -0.7)
case("clamp", T(values=[-1.0, 0.0, 1.0, 2.0]), 0.0, 1.0)
case("clamp", T(2, 3), 1.0, -1.0)
case("clamp", T(2, 3, dtype=i64, low=-9, high=9), -2, 5)
case("clamp", T(2, 3, dtype=i32, low=-9, high=9), -2.5)
case("clamp", T(2, 3), T(3, seed=1), T(2, 1, seed=2))
case("clamp", T(2, 3), None, T(3, seed=1))
case("clamp", T(2, 3), T(3, seed=1))
case("clamp", T(2, 3), None, None, raises="ValueError")
case("clamp", T(3, dtype=bf16), -0.5, 0.5)
case("clamp", T(values=[nan, 1.0], grad=False), 0.0, 0.5)
for name in ("clamp_min", "clamp_max"):
    case(name, T(2, 3), 0.3)
    case(name, T(values=[-1.0, 0.3, 1.0]), 0.3)
    case(name, T(2, 3), T(3, seed=1))
    case(name, T(2, 3, dtype=u8, low=0, high=9), 4)
    case(name, T(0, 3), 0.3)
for name in ("maximum", "minimum", "fmax", "fmin"):
    case(name, T(values=[nan, 1.0, nan, 2.0], grad=False), T(values=[1.0, nan, nan, 2.0], grad=False))
    case(name, T(values=[1.0, 2.0, 3.0]), T(values=[1.0, 3.0, 2.0]))

# comparisons, logic, bits
for name in ("eq", "ne", "lt", "le", "gt", "ge"):
    case(name, T(values=[nan, 1.0, 2.0, inf], grad=False), T(values=[nan, 1.0, 1.0, inf], grad=False))
    case(name, T(2, 3, dtype=i64), T(3))
    case(name, T(2, 3, dtype=i64), 0.5)
case("isclose", T(values=[1.0, inf, nan, 1.0], grad=False), T(values=[1.000001, inf, nan, 1.1], grad=False))
case("isclose", T(values=[1.0, nan], grad=False), T(values=[1.05, nan], grad=False), rtol=0.1,
     atol=0.0, equal_nan=True)
case("isclose", T(4, dtype=i64), T(4, dtype=i64, seed=1))
case("isclose", T(2), T(2, dtype=f64), raises="DtypeError")
case("allclose", T(3), T(3))
case("allclose", T(3), T(3, seed=1))
case("allclose", T(3), T(3, seed=1), atol=10.0)
case("allclose", T(0), T(0))
case("equal", T(3), T(3))
case("equal", T(3), T(3, seed=1))
case("equal", T(3), T(2))
for name in ("logical_and", "logical_or", "logical_xor"):
    case(name, T(2, 3), T(3, dtype=i64, low=0, high=1))
    case(name, T(values=[0.0, nan, 1.0], grad=False), T(values=[0.0, 0.0, 2.0], grad=False))
for name in ("bitwise_and", "bitwise_or", "bitwise_xor"):
    for dtype in INTEGERS:
        case(name, T(2, 3, dtype=dtype, low=-100, high=100), T(3, dtype=dtype, low=-100, high=100))
    case(name, T(2, 3, dtype=i32, low=-100, high=100), 12)
    case(name, 12, T(2, 3, dtype=i32, low=-100, high=100))
    case(name, T(2), T(2), raises="DtypeError")
for name in ("bitwise_left_shift", "bitwise_right_shift"):
    for dtype in INTEGERS:
        case(name, T(2, 3, dtype=dtype, low=-9, high=9), T(values=[0, 1, 3], dtype=dtype))
    case(name, T(2, 3, dtype=i32, low=-9, high=9), 2)
    case(name, 9, T(3, dtype=i32, low=0, high=2))
    case(name, T(2), T(2), raises="DtypeError")

# --- three operands ----------------------------------------------------------------

for weight in (0.25, 0.75, 1.0):
    case("lerp", T(2, 3), T(2, 3, seed=1), weight)
case("lerp", T(2, 3), T(3, seed=1), T(2, 1, seed=2, low=-1, high=2))
case("lerp", T(3, dtype=bf16), T(3, dtype=bf16, seed=1), 0.3)
case("lerp", T(2), T(2, dtype=f64), 0.5, raises="DtypeError")
case("lerp", T(2, dtype=i64), T(2, dtype=i64), 0.5, raises="DtypeError")
for name in ("addcmul", "addcdiv"):
    case(name, T(2, 3), T(2, 3, seed=1), T(3, low=0.3, seed=2))
    case(name, T(2, 3), T(2, 1, seed=1), T(3, low=0.3, seed=2), value=0.5)
    case(name, T(2, 3, dtype=f16), T(2, 1, seed=1, dtype=f16), T(3, low=0.3, seed=2, dtype=f16), value=0.5)
case("addcmul", T(3, dtype=i64), T(3, dtype=i64, seed=1), T(3, dtype=i64, seed=2), value=2)
case("addcdiv", T(3, dtype=i64), T(3, dtype=i64, seed=1), T(3, dtype=i64, low=1), raises="DtypeError")
case("where", T(2, 3, dtype=b1), T(2, 3), T(3, seed=1))
case("where", T(2, 3, dtype=b1), T(2, 3, dtype=i64), T(3, seed=1))
case("where", T(2, 3, dtype=b1), 1.5, T(3, seed=1))
case("where", T(2, 3, dtype=b1), T(3, seed=1), 2)
case("where", T(2, 3, dtype=b1), 1.5, 2)
case("where", T(2, 3), T(2, 3), T(3), raises="DtypeError")
case("where", T(2, dtype=b1), T(3), T(3), raises="ShapeError")
