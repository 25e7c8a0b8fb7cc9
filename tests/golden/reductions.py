from golden import *  # noqa: F403

inf, nan = math.inf, math.nan


def W(values):
    """Integers."""
    return T(values=values, dtype=i64)


SPECIAL = T(values=[[1.0, nan, 3.0], [-inf, 2.0, inf], [4.0, 4.0, -1.0]], grad=False)

# --- sums and tests ---

for name in ("sum", "mean", "prod"):
    for dtype in (*FLOATS, c64):
        case(name, T(3, 4, dtype=dtype))
        case(name, T(3, 4, dtype=dtype), 1)
    case(name, T(2, 3, 4), -2, True)
    case(name, T(3, 4, transposed=True), 0)
    case(name, T(3, 4, sliced=True), 1)
    case(name, T())
    case(name, T(), 0, True)
    case(name, T(0, 3), 0)
    case(name, T(3, 0), 1)
    case(name, T(2, 3), 2, raises="IndexError")
for name in ("sum", "prod"):
    for dtype in (b1, *INTEGERS):
        case(name, T(5, dtype=dtype))
        case(name, T(2, 5, dtype=dtype), 1)
    case(name, T(0, dtype=i32))
for name in ("sum", "mean"):
    case(name, T(2, 3, 4), [0, 2])
    case(name, T(2, 3, 4), [-1, 0], True)
    case(name, T(2, 3, 4), [])
    case(name, T(2, 3), [0, 0], raises="ValueError")
    case(name, T(2, 3, dtype=i64), [1], False, dtype=f32)
    case(name, T(2, 3, dtype=i64), dtype=f64)
    case(name, T(300, dtype=f16, low=100, high=130))
case("mean", T(3, dtype=i64), raises="DtypeError")
case("mean", T(3, dtype=b1), raises="DtypeError")
case("prod", T(2, 3), 1, False, dtype=f64)
case("prod", T(values=[[2.0, 0.0, 3.0], [0.0, 0.0, 5.0], [1.0, 2.0, 4.0]]), 1)
case("prod", T(values=[2.0, 0.0, 3.0]))
case("nansum", SPECIAL)
case("nansum", T(values=[[1.0, nan], [2.0, 3.0]]), 1)
case("nansum", T(2, 3, dtype=i32), [0], True)
case("nansum", T(2, dtype=c64), raises="DtypeError")
case("nanmean", T(values=[[1.0, nan], [nan, nan]], grad=False), 1)
case("nanmean", T(2, 3), [0, 1], True)
case("nanmean", T(2, 3, dtype=i32), raises="DtypeError")
for name in ("any", "all"):
    for dtype in (b1, u8, i64, f32, c64):
        case(name, T(3, 4, dtype=dtype))
        case(name, T(3, 4, dtype=dtype), 1)
    case(name, T(2, 3, 4, dtype=b1), [0, 2], True)
    case(name, SPECIAL, 0)
    case(name, T(0, 2, dtype=b1), 0)
    case(name, T(0, dtype=b1))
    case(name, T(2, dtype=b1), 1, raises="IndexError")
for dtype in EACH_CATEGORY:
    case("count_nonzero", T(3, 4, dtype=dtype, low=-1, high=1))
case("count_nonzero", T(2, 3, 4, dtype=i32, low=0, high=1), [0, 2])
case("count_nonzero", T(2, 3), 1)
case("count_nonzero", SPECIAL)

# --- the greatest and the least ---

TIES = T(values=[[3.0, 1.0, 3.0], [2.0, 2.0, 1.0], [0.0, 0.0, 0.0]])
for name in ("max", "min", "amax", "amin", "argmax", "argmin"):
    for dtype in (u8, i64, *FLOATS):
        case(name, T(3, 4, dtype=dtype, low=-9, high=9))
        case(name, T(3, 4, dtype=dtype, low=-9, high=9), 1)
    case(name, T(2, 3, 4), -2, True)
    case(name, T(3, 4, transposed=True), 0)
    case(name, TIES, 1)
    case(name, SPECIAL, 0)
    case(name, SPECIAL, 1)
    case(name, T(), 0)
    case(name, T(2, 0), 0)
    case(name, T(2, 0), 1, raises="IndexError")
    case(name, T(2, 3), 5, raises="IndexError")
    case(name, T(2, dtype=c64), raises="DtypeError")
for name in ("max", "min"):
    case(name, T(3, dtype=b1))
    case(name, T(2, 3, dtype=b1), 1)
    case(name, T(2, 3), T(3, seed=1))
    case(name, SPECIAL)
    case(name, T(0), raises="IndexError")
for name in ("amax", "amin"):
    case(name, TIES)
    case(name, T(2, 3, 4), [0, 2], True)
    case(name, T(3, dtype=b1))
for name in ("argmax", "argmin"):
    case(name, T(0), raises="IndexError")
    case(name, T(2, 3), None, True)
    case(name, SPECIAL)
case("aminmax", T(2, 3))
case("aminmax", T(2, 3), dim=1, keepdim=True)
case("aminmax", T(2, 3, dtype=i32), dim=0)
case("aminmax", T(0), raises="IndexError")

# --- variances, norms, logarithms of sums ---


def moment(name):
    function = getattr(torch, name)
    return lambda x, dims=None, correction=1, keepdim=False: function(
        x, dim=dims or None, correction=correction, keepdim=keepdim)


for name in ("var", "std", "var_mean", "std_mean"):
    for dtype in (*FLOATS, c64):
        case(name, T(3, 4, dtype=dtype), reference=moment(name))
        case(name, T(3, 4, dtype=dtype), [1], reference=moment(name))
    case(name, T(2, 3, 4), [0, -1], 0, True, reference=moment(name))
    case(name, T(2, 6), [1], 2.5, reference=moment(name))
    case(name, T(1), gradient=False, reference=moment(name))
    case(name, T(3, dtype=i64), raises="DtypeError", reference=moment(name))
    case(name, T(3, 4, transposed=True), [0], reference=moment(name))
case("std", T(values=[[2.0, 2.0], [1.0, 3.0]]), [1], reference=moment("std"))
for dtype in FLOATS:
    case("logsumexp", T(3, 4, dtype=dtype), 1)
case("logsumexp", T(2, 3, 4), [0, 2], True)
case("logsumexp", T(2, 3, dtype=i64), 1)
case("logsumexp", T(values=[[-inf, -inf], [inf, 1.0], [500.0, 501.0], [nan, 1.0]], grad=False), 1)
case("logsumexp", T(), 0)
for p in (0, 1, 2, 3, 2.5, 0.5, inf, -inf, -1):
    case("norm", T(3, 4, low=0.25), p, reference=lambda x, p: torch.linalg.vector_norm(x, p))
    case("norm", T(3, 4), p, [1], gradient=p >= 1)
case("norm", T(2, 3, dtype=c64), 2)
case("norm", T(2, 3, dtype=c64), 1, [0], True)
case("norm", T(2, 3, dtype=f16))
case("norm", T(values=[0.0, 0.0]))
case("norm", T(3, dtype=i64), raises="DtypeError")
case("dist", T(2, 3), T(2, 3, seed=1))
case("dist", T(2, 3), T(3, seed=1), 1)
case("dist", T(2, 3), T(2, 3, seed=1), inf)

# --- scans ---

for name in ("cumsum", "cumprod"):
    for dtype in (b1, i32, *FLOATS, c64):
        case(name, T(7, dtype=dtype), 0)
    case(name, T(2, 5, 3), 1)
    case(name, T(5, 2, transposed=True), -2)
    case(name, T(), 0)
    case(name, T(0, 3), 0)
    case(name, T(2, 3), 2, raises="IndexError")
    case(name, T(3, dtype=i32), 0, dtype=f32)
case("cumprod", T(values=[2.0, 0.0, 3.0, 0.0, 4.0]), 0)
for name in ("cummax", "cummin"):
    for dtype in (u8, i64, *FLOATS):
        case(name, T(2, 7, dtype=dtype, low=-3, high=3), 1)
    case(name, T(values=[1.0, 3.0, 3.0, nan, 4.0, nan, 2.0], grad=False), 0)
    case(name, T(3, 2), 0)
    case(name, T(6, dtype=b1), 0)
    case(name, T(), 0)
    case(name, T(2, dtype=c64), 0, raises="DtypeError")
for dtype in FLOATS:
    case("logcumsumexp", T(2, 6, dtype=dtype), 1)
case("logcumsumexp", T(values=[-inf, -inf, 1.0, 600.0, inf], grad=False), 0)
case("logcumsumexp", T(3, dtype=i64), 0, raises="DtypeError")
case("diff", T(6))
case("diff", T(6, 2), 2, 0)
case("diff", T(3, 4), 1, -1, T(3, 1, seed=1), T(3, 2, seed=2))
case("diff", T(4, dtype=b1))
case("diff", T(4, dtype=i32), 5)
case("diff", T(4), 0)
case("diff", T(), raises="ShapeError")
case("diff", T(3), -1, raises="ValueError")

# --- order ---

for dtype in (b1, u8, i64, *FLOATS):
    case("sort", T(2, 6, dtype=dtype, low=-2, high=2))
case("sort", T(2, 6, dtype=i32, low=-1, high=1), -1, True)
case("sort", T(3, 4, transposed=True), 0)
case("sort", T(4, 3), 0, True)
case("sort", SPECIAL, 1, False)
case("sort", SPECIAL, 1, True)
case("sort", T())
case("sort", T(0, 3), 0)
case("sort", T(3), 1, raises="IndexError")
case("sort", T(3, dtype=c64), raises="DtypeError")
case("argsort", T(2, 5))
case("argsort", T(5, 2), 0, True)
case("msort", T(4, 2))
case("topk", T(2, 6), 3)
case("topk", T(6, 2), 2, 0, False)
case("topk", T(6, dtype=i64, low=0, high=100), 4)
case("topk", T(values=[1.0, nan, 3.0, inf], grad=False), 3)
case("topk", T(3), 0)
case("topk", T(), 1)
case("topk", T(3), 4, raises="ValueError")
case("kthvalue", T(2, 5), 2)
case("kthvalue", T(5, 2), 5, 0, True)
case("kthvalue", T(), 1)
case("kthvalue", T(3), 0, raises="ValueError")
for name in ("median", "nanmedian"):
    for dtype in (i64, *FLOATS):
        case(name, T(3, 4, dtype=dtype, low=-9, high=9))
        case(name, T(2, 6, dtype=dtype, low=-99, high=99), 1)
    case(name, T(5, 3), 0, True)
    case(name, T(values=[[1.0, nan, 3.0, 2.0], [nan, nan, 5.0, 4.0]], grad=False), 1)
    case(name, T(values=[nan, nan], grad=False))
    case(name, T(values=[5.0, nan, 3.0, 2.0], grad=False))
    case(name, T(0))
    case(name, T(), 0)
    case(name, T(2, 0), 1, raises="IndexError")
case("mode", W([[3, 1, 3, 2, 1], [5, 5, 4, 4, 4]]))
case("mode", T(values=[[3.0, 3.0], [1.0, 3.0]]), 0, True)
case("mode", T(), 0)
case("mode", T(2, 0), 1, raises="IndexError")
for how in ("linear", "lower", "higher", "midpoint", "nearest"):
    case("quantile", T(3, 6), T(values=[0.0, 0.3, 0.5, 1.0], grad=False), 1, interpolation=how)
case("quantile", T(2, 3, 4), 0.25, 1, True)
case("quantile", T(2, 5), 0.6)
case("quantile", T(2, 5, dtype=f64), T(values=0.6, dtype=f64, grad=False), 0)
case("quantile", SPECIAL, 0.5, 1)
case("quantile", T(3, dtype=i64), 0.5, raises="DtypeError")
case("quantile", T(3), 1.5, raises="ValueError")
case("quantile", T(3), 0.5, 0, interpolation="cubic", raises="ValueError")
case("quantile", T(0), 0.5, raises="ValueError")

# --- sets and histograms ---




case("unique", W([3, 1, 2, 3, 1]), True, True, True)
case("unique", T(values=[[3.0, 1.0], [1.0, nan], [nan, 3.0]]), True, True, True, gradient=False)
case("unique", T(values=[[1, 2], [0, 5], [1, 2]], dtype=i32), True, True, True, 0)
case("unique", W([[1, 2, 1], [0, 5, 0]]), True, True, True, 1)
case("unique", T(0, dtype=i64), True, True, True)
case("unique", T(values=[True, False, True], dtype=b1), True, True, True)
case("unique_consecutive", W([1, 1, 2, 2, 1, 3]), True, True)
case("unique_consecutive", W([[1, 2], [1, 2], [3, 4]]), True, True, 0)
case("bincount", W([1, 3, 1, 0]))
case("bincount", T(values=[1, 3, 1, 0], dtype=u8), minlength=6)
case("bincount", W([1, 3, 1]), T(3, seed=1, grad=False))
case("bincount", W([1, 3, 1]), T(3, dtype=i32, seed=1))
case("bincount", T(0, dtype=i64))
case("bincount", W([1, -3]), raises="ValueError")
case("bincount", T(3), raises="ValueError")
case("histc", T(20), 5, gradient=False)
case("histc", T(20), 4, -1.0, 1.0, gradient=False)
case("histc", T(values=[0.0, 1.0, 2.0, 2.0]), 4, 0, 2, gradient=False)
case("histc", T(values=[3.0, 3.0]), 3, gradient=False)
case("histc", T(3), 0, raises="ValueError")
case("histc", T(3), 4, 2.0, 1.0, raises="ValueError")
EDGES = T(values=[1.0, 2.0, 2.0, 4.0], grad=False)
for right in (False, True):
    case("searchsorted", EDGES, T(values=[[0.0, 2.0], [4.0, nan]], grad=False), right=right)
    case("bucketize", T(values=[0.0, 2.0, 3.0, 9.0], grad=False), EDGES, right=right)
case("searchsorted", W([[1, 3, 5], [2, 4, 6]]), W([[3, 3], [3, 7]]), out_int32=True)
case("searchsorted", EDGES, 2.0, side="right")
case("searchsorted", T(values=[4.0, 1.0, 2.0], grad=False), T(values=[3.0], grad=False),
     sorter=W([1, 2, 0]))
case("searchsorted", T(0, grad=False), T(2, grad=False))
case("searchsorted", EDGES, T(2, dtype=i64))
case("searchsorted", T(2, 3, grad=False), T(3, 3, grad=False), raises="ShapeError")
case("bucketize", T(2, grad=False), T(2, 2, grad=False), raises="ShapeError")
