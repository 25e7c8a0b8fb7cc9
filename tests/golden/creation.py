from golden import *  # noqa: F403
import torch

inf, nan = float("inf"), float("nan")


# --- filled --------------------------------------------------------------------

for name in ("zeros", "ones"):
    case(name, [2, 3])
    case(name, [])
    case(name, [0, 3])
    for dtype in (b1, i64, u8, bf16, f64, c64):
        case(name, [2], dtype=dtype)
    case(name, [-1], raises="ShapeError")
case("full", [2, 3], 1.5)
case("full", [2], 7)
case("full", [2], True)
case("full", [2], 7, dtype=f32)
case("full", [], 2.5, dtype=f64)
case("full", [-2], 7, raises="ShapeError")
for name in ("zeros_like", "ones_like"):
    for dtype in (b1, i32, f16, c64):
        case(name, T(2, 3, dtype=dtype))
    case(name, T(2, 3), dtype=i64)
    case(name, T(0, 3, transposed=True))
case("full_like", T(2, 3), 2.5)
case("full_like", T(2, 3, dtype=i64), 2)
case("full_like", T(2, 3, dtype=i64), 2.5, dtype=f64)
case("scalar_tensor", 3)
case("scalar_tensor", 2.5, dtype=f64)
case("scalar_tensor", 3, dtype=i64)

# --- rows ------------------------------------------------------------------------

case("arange", 5)
case("arange", 5.0)
case("arange", 0)
case("arange", 2, 9)
case("arange", 2, 9, 3)
case("arange", 9, 2, -2)
case("arange", 0.0, 1.0, 0.3)
case("arange", 0.0, 1.0, 0.3, dtype=f64)
case("arange", 1, 6, dtype=f32)
case("arange", 1, 6, dtype=u8)
case("arange", 1, 6, dtype=bf16)
case("arange", -5, nan, raises="ValueError")
case("arange", -5, inf, raises="ValueError")
case("arange", 5, 1, raises="ValueError")
case("arange", 1, 5, 0, raises="ValueError")
for dtype in (f32, f64, f16, bf16, i64, i32, u8):
    case("linspace", 0, 10, 5, dtype=dtype)
    case("linspace", 1, 9, 6, dtype=dtype)
case("linspace", -3.0, 10.0, 7)
case("linspace", 3.0, 10.0, 1)
case("linspace", 3.0, 10.0, 0)
case("linspace", 5.0, -5.0, 4)
case("linspace", 0.0, 1.0, 3, dtype=c64)
case("linspace", 0.0, 1.0, -1, raises="ValueError")
case("logspace", 0, 2, 5)
case("logspace", -1.0, 1.0, 4, 2.0, dtype=f64)
case("logspace", 0.0, 1.0, -1, raises="ValueError")

# --- matrices and grids ------------------------------------------------------------

case("eye", 3)
case("eye", 0)
case("eye", 2, 4)
case("eye", 4, 2, dtype=i64)
case("eye", 3, dtype=b1)
case("eye", -1, raises="ValueError")
for name in ("tril_indices", "triu_indices"):
    case(name, 3, 3)
    case(name, 4, 3, -1)
    case(name, 3, 5, 2, dtype=i32)
    case(name, 0, 3)
    case(name, -1, 3, raises="ValueError")
case("meshgrid", [T(3), T(2, seed=1)], indexing="ij")
case("meshgrid", [T(3), T(2, seed=1), T(4, seed=2)], indexing="xy")
case("meshgrid", [T(3, dtype=i64)], indexing="ij")
case("meshgrid", [T(), T(2, seed=1)], indexing="xy")
case("meshgrid", [T(3), T(2, dtype=f64)], indexing="ij", raises="DtypeError")
case("meshgrid", [T(3, 2), T(2)], indexing="ij", raises="ShapeError")
case("meshgrid", [T(3), T(2)], indexing="yx", raises="ValueError")
case("cartesian_prod", [T(3), T(2, seed=1)], reference=lambda tensors: torch.cartesian_prod(*tensors))
case("cartesian_prod", [T(3)], reference=lambda tensors: torch.cartesian_prod(*tensors))
case("cartesian_prod", [T(2), T(2, seed=1), T(2, seed=2)],
     reference=lambda tensors: torch.cartesian_prod(*tensors))
case("cartesian_prod", [T(2, 2), T(2)], reference=lambda tensors: torch.cartesian_prod(*tensors),
     raises="ShapeError")

# --- complex numbers -----------------------------------------------------------------

for name in ("complex", "polar"):
    case(name, T(2, 3, low=0.2), T(3, seed=1))
    case(name, T(2, 3, dtype=f64, transposed=True, low=0.2), T(2, 1, seed=1, dtype=f64))
    case(name, T(0), T(0))
    case(name, T(2), T(2, dtype=f64), raises="DtypeError")
    case(name, T(2, dtype=i64), T(2, dtype=i64), raises="DtypeError")

# --- windows -----------------------------------------------------------------------

for name in ("hann_window", "hamming_window", "blackman_window", "bartlett_window", "kaiser_window"):
    for length in (0, 1, 2, 5, 8):
        case(name, length, tolerance=1e-5)
        case(name, length, False, dtype=f64)
    case(name, 4, dtype=i64, raises="DtypeError")
    case(name, -1, raises="ValueError")
case("hamming_window", 6, True, 0.6, 0.4)
case("kaiser_window", 6, True, 5.0)
