from golden import *  # noqa: F403

nan, inf = math.nan, math.inf
ALL = (i64, *FLOATS, c64)

# --- products ---

for dtype in ALL:
    case("mm", T(2, 3, dtype=dtype), T(3, 4, dtype=dtype, seed=1))
    case("bmm", T(2, 2, 3, dtype=dtype), T(2, 3, 2, dtype=dtype, seed=1))
    case("mv", T(2, 3, dtype=dtype), T(3, dtype=dtype, seed=1))
    case("dot", T(3, dtype=dtype), T(3, dtype=dtype, seed=1))
    case("outer", T(2, dtype=dtype), T(3, dtype=dtype, seed=1))
    case("inner", T(2, 3, dtype=dtype), T(4, 3, dtype=dtype, seed=1))
    case("trace", T(3, 3, dtype=dtype))
case("mm", T(2, 3, transposed=True), T(3, 4, sliced=True))
case("mm", T(0, 3), T(3, 2))
case("mm", T(2, 0), T(0, 3))
case("mm", T(2, 3), T(4, 5), raises="ShapeError")
case("mm", T(2, 3), T(3), raises="ShapeError")
case("mm", T(2, 3), T(3, 2, dtype=f64), raises="DtypeError")
case("mm", T(3, 300, dtype=f16), T(300, 2, dtype=f16))
case("bmm", T(2, 2, 3), T(3, 3, 2), raises="ShapeError")
case("bmm", T(2, 3), T(2, 3, 2), raises="ShapeError")
case("mv", T(2, 3), T(2), raises="ShapeError")
case("dot", T(3), T(4), raises="ShapeError")
case("dot", T(1, 3), T(3), raises="ShapeError")
case("outer", T(2, dtype=i64), T(3))
case("inner", T(), T(2, 3))
case("inner", T(2, 3, 4), T(4))
case("inner", T(2, 3), T(2, 4), raises="ShapeError")
case("vdot", T(3), T(3, seed=1))
case("vdot", T(3, dtype=c64), T(3, dtype=c64, seed=1))
for a, b in (((3,), (3,)), ((2, 3), (3,)), ((3,), (3, 2)), ((2, 3), (3, 2)), ((4, 2, 3), (3,)),
             ((3,), (4, 3, 2)), ((4, 2, 3), (3, 2)), ((2, 3), (4, 3, 2)), ((4, 2, 3), (4, 3, 2)),
             ((5, 1, 2, 3), (4, 3, 2)), ((0, 2, 3), (3, 2)), ((2, 3, 0), (2, 0, 4))):
    case("matmul", T(*a), T(*b, seed=1))
case("matmul", T(), T(3), raises="ShapeError")
case("matmul", T(2, 3), T(4, 5), raises="ShapeError")
case("matmul", T(3), T(2), raises="ShapeError")
case("matmul", T(2, 2, 3), T(3, 3, 2), raises="ShapeError")
case("linear", T(2, 3), T(4, 3, seed=1), T(4, seed=2))
case("linear", T(2, 5, 3), T(4, 3, seed=1))
case("linear", T(3), T(4, 3, seed=1), T(4, seed=2))
case("linear", T(2, 3), T(4, 2), raises="ShapeError")
case("bilinear", T(5, 2), T(5, 3, seed=1), T(4, 2, 3, seed=2), T(4, seed=3))
case("bilinear", T(5, 2), T(5, 2, seed=1), T(4, 2, 3, seed=2), raises="ShapeError")
MATRIX_NAN = T(values=[[nan, 1.0], [2.0, nan]], grad=False)
for dtype in (i64, f32, bf16):
    case("addmm", T(2, 2, dtype=dtype), T(2, 3, dtype=dtype), T(3, 2, dtype=dtype, seed=1))
case("addmm", T(2), T(2, 3), T(3, 2, seed=1), beta=0.5, alpha=2)
case("addmm", MATRIX_NAN, T(2, 3), T(3, 2, seed=1), beta=0)
case("addmm", T(), T(2, 3), T(3, 2, seed=1))
case("addmm", T(3), T(2, 3), T(3, 2, seed=1), raises="ShapeError")
case("addmv", T(2), T(2, 3), T(3, seed=1), beta=2, alpha=3)
case("addmv", T(2), T(2, 3), T(2, seed=1), raises="ShapeError")
case("addr", T(2, 3), T(2), T(3, seed=1), beta=2, alpha=0.5)
case("addr", T(3), T(2), T(3, seed=1))
case("baddbmm", T(2, 2, 2), T(2, 2, 3), T(2, 3, 2, seed=1), beta=0.5, alpha=2)
case("baddbmm", T(2), T(2, 2, 3), T(2, 3, 2, seed=1), beta=0)
case("baddbmm", T(2, 2, 2), T(2, 2, 3), T(3, 3, 2), raises="ShapeError")
case("addbmm", T(2, 2), T(2, 2, 3), T(2, 3, 2, seed=1), beta=0.5, alpha=2)


def einsum(equation, operands):
    return torch.einsum(equation, *operands)


for equation, *shapes in (
        ("ij,jk->ik", (2, 3), (3, 4)), ("ij,jk", (2, 3), (3, 4)), ("ii", (3, 3)), ("ii->i", (3, 3)),
        ("ij->ji", (2, 3)), ("ba", (2, 3)), ("i,j->ij", (2,), (3,)), ("bij,bjk->bik", (2, 2, 3), (2, 3, 2)),
        ("...ij,...jk->...ik", (2, 1, 2, 3), (4, 3, 2)), ("...,...", (2, 3), (3,)), ("i...->...", (2, 3)),
        ("ij,ij->", (2, 3), (2, 3)), ("ijk->", (2, 3, 2)), ("ij,ik,il->jkl", (2, 3), (2, 2), (2, 3)),
        ("bhqd,bhkd->bhqk", (1, 2, 3, 4), (1, 2, 5, 4)), ("iji,j->ij", (2, 3, 2), (3,)),
        ("ab,b->a", (2, 3), (1,)), ("...ii->...i", (2, 3, 3)), ("i j , j -> i", (2, 3), (3,)),
        ("Aa,aB->AB", (2, 3), (3, 2))):
    case("einsum", equation, [T(*s, seed=i) for i, s in enumerate(shapes)], reference=einsum)
case("einsum", "ij,jk->ik", [T(2, 3, dtype=c64), T(3, 2, dtype=c64)], reference=einsum)
case("einsum", "ij,jk->ik", [T(2, 3, dtype=i64), T(3, 2, dtype=i64)], reference=einsum)
for equation in ("ij,jk->iz", "ij->ij", "i1,jk->ik", "ij,jk->iik", "ijk,jk->i"):
    case("einsum", equation, [T(2, 3), T(3, 4)], raises="ValueError", reference=einsum)
case("einsum", "ij,jk->ik", [T(2, 3), T(4, 5)], raises="ShapeError", reference=einsum)


def tensordot(a, b, first, last=None):
    return torch.tensordot(a, b, first if last is None else (first, last))


case("tensordot", T(2, 3, 4), T(3, 4, 2, seed=1), 2, reference=tensordot)
case("tensordot", T(2, 3), T(2, seed=1), 0, reference=tensordot)
case("tensordot", T(2, 3, 4), T(4, 2, seed=1), [0, -1], [1, 0], reference=tensordot)
case("tensordot", T(2, 3), T(4, 2), [0], [0], raises="ShapeError", reference=tensordot)
case("trace", T(2, 4))
case("trace", T(2, 2, 2), raises="ShapeError")
case("kron", T(2, 2), T(2, 3, seed=1))
case("kron", T(2), T(2, 3, seed=1))
case("kron", T(2, dtype=i64), T(3, dtype=f32, seed=1))
case("cross", T(4, 3), T(4, 3, seed=1), 1)
case("cross", T(3, 2), T(3, 2, seed=1), 0)
case("cross", T(1, 3), T(4, 3, seed=1), -1)
case("cross", T(4, 2), T(4, 2), 1, raises="ShapeError")
for n in (0, 1, 2, 5):
    case("matrix_power", T(2, 3, 3), n)
case("matrix_power", T(3, 3, low=1), -2, tolerance=1e-4, gradient=False)
case("matrix_power", T(2, 3), 2, raises="ShapeError")
case("linalg.multi_dot", [T(2, 3), T(3, 4, seed=1), T(4, 2, seed=2)])
case("linalg.multi_dot", [T(3), T(3, 4, seed=1), T(4, seed=2)])
case("linalg.multi_dot", [T(2, 3)], raises="ValueError")
case("chain_matmul", [T(2, 3), T(3, 4, seed=1), T(4, 2, seed=2)], reference=lambda x: torch.linalg.multi_dot(x))

# --- equations ---

SQUARE = [[4.0, 1.0, -0.5], [1.0, 3.0, 0.25], [-0.5, 0.25, 2.0]]
OTHER = [[1.0, 2.0, 0.5], [0.0, 2.5, 1.0], [3.0, -1.0, 0.75]]
LOWER = [[2.0, 0.0, 0.0], [1.0, 1.5, 0.0], [-0.5, 0.25, 1.0]]
BATCH = [OTHER, [[0.5, 1.0, -1.0], [2.0, 0.0, 1.0], [0.0, 1.0, 3.0]]]
for dtype in (f32, f64, c64):
    case("linalg.cholesky", T(values=SQUARE, dtype=dtype), gradient=dtype is not c64)
    case("linalg.solve", T(values=OTHER, dtype=dtype), T(3, 2, dtype=dtype), tolerance=1e-5)
    case("linalg.inv", T(values=OTHER, dtype=dtype), tolerance=1e-5)
    case("linalg.det", T(values=OTHER, dtype=dtype), tolerance=1e-5)
case("linalg.cholesky", T(values=[SQUARE, SQUARE]))
case("linalg.cholesky", T(values=SQUARE), upper=True)
case("linalg.cholesky", T(2, 3), raises="ShapeError")
case("linalg.cholesky", T(2, 2, dtype=i64), raises="DtypeError")
case("cholesky_solve", T(3, 2), T(values=LOWER))
case("cholesky_solve", T(3, 2), T(values=LOWER), upper=True, gradient=False)
case("cholesky_inverse", T(values=LOWER))
case("linalg.solve_triangular", T(values=LOWER), T(3, 2), upper=False)
case("linalg.solve_triangular", T(values=OTHER), T(3, 2), upper=True)
case("linalg.solve_triangular", T(values=OTHER), T(2, 3), upper=True, left=False)
case("linalg.solve_triangular", T(values=OTHER), T(3, 2), upper=False, unitriangular=True)
case("linalg.solve_triangular", T(values=LOWER), T(2, 2), upper=False, raises="ShapeError")
case("linalg.solve", T(values=OTHER), T(3), tolerance=1e-5)
case("linalg.solve", T(values=BATCH), T(2, 3, 2), tolerance=1e-5)
case("linalg.solve", T(values=BATCH), T(2, 3), tolerance=1e-5)
case("linalg.solve", T(values=OTHER), T(2, 3), left=False, tolerance=1e-5)
case("linalg.solve", T(2, 3), T(2, 3), raises="ShapeError")
case("linalg.inv", T(values=BATCH), tolerance=1e-5)
case("linalg.inv", T(values=OTHER, transposed=True), tolerance=1e-5)
case("linalg.inv", T(0, 0))
case("linalg.inv", T(2, 3), raises="ShapeError")
case("linalg.inv", T(3, 3, dtype=f16), raises="DtypeError")
case("linalg.det", T(values=BATCH), tolerance=1e-5)
case("linalg.det", T(values=[[1.0, 2.0], [2.0, 4.0]], grad=False))
case("linalg.slogdet", T(values=BATCH), tolerance=1e-5)
case("linalg.slogdet", T(values=[[1.0, 2.0], [2.0, 4.0]], grad=False))
case("logdet", T(values=SQUARE), tolerance=1e-5)
case("logdet", T(values=[[0.0, 1.0], [1.0, 0.0]], grad=False))

# --- what factorizations give whatever their signs ---

TALL = [[1.0, 2.0], [0.5, -1.0], [2.0, 0.25]]
case("linalg.qr", T(values=TALL), tolerance=1e-5)
case("linalg.qr", T(values=OTHER, dtype=f64), tolerance=1e-5)
case("linalg.qr", T(values=TALL), mode="complete", gradient=False)
case("linalg.qr", T(values=TALL), mode="r", gradient=False)
case("linalg.qr", T(values=TALL), mode="full", raises="ValueError")
for dtype in (f32, f64, c64):
    case("linalg.svdvals", T(values=TALL, dtype=dtype), tolerance=1e-5)
    case("linalg.eigvalsh", T(values=SQUARE, dtype=dtype), tolerance=1e-5)
    case("linalg.pinv", T(values=TALL, dtype=dtype), tolerance=1e-5)
case("linalg.svdvals", T(values=BATCH), tolerance=1e-5)
case("linalg.eigvalsh", T(values=OTHER, grad=False), "U", tolerance=1e-5)
case("linalg.eigvalsh", T(values=SQUARE), "X", raises="ValueError")
case("linalg.lu", T(values=OTHER), tolerance=1e-5)
case("linalg.lu", T(values=TALL), tolerance=1e-5)
case("linalg.lu", T(values=BATCH, dtype=f64), tolerance=1e-5)
case("linalg.pinv", T(values=[[1.0, 2.0], [2.0, 4.0]], grad=False), tolerance=1e-5)
case("linalg.pinv", T(values=SQUARE), hermitian=True, tolerance=1e-5)
case("linalg.matrix_rank", T(values=[[1.0, 2.0], [2.0, 4.0]]))
case("linalg.matrix_rank", T(values=BATCH))
case("linalg.lstsq", T(values=TALL), T(3, 2), tolerance=1e-4, gradient=False, reference=lambda a, b: [
    (r := torch.linalg.lstsq(a, b)).solution, r.residuals, r.rank, r.singular_values])
case("linalg.lstsq", T(values=TALL), T(3, 2), driver="gelsd", tolerance=1e-4, gradient=False)
case("linalg.lstsq", T(values=TALL), T(3, 2), driver="gels", tolerance=1e-4, gradient=False)
case("linalg.lstsq", T(values=TALL), T(3, 2), driver="other", raises="ValueError")
for p in (None, 2, -2, 1, inf):
    case("linalg.cond", T(values=OTHER), p, tolerance=1e-5)
case("linalg.cond", T(values=OTHER), "fro", tolerance=1e-5)
case("linalg.matrix_exp", T(values=OTHER), tolerance=1e-5)
case("linalg.matrix_exp", T(2, 2, 2, dtype=f64, low=-9, high=9), tolerance=1e-5)
case("linalg.matrix_exp", T(values=[[0.0, 0.0], [0.0, 0.0]]))

# --- norms and distances ---

for p in (0, 1, 2, 3, inf, -inf):
    case("linalg.vector_norm", T(2, 3), p, gradient=p >= 1)
case("linalg.vector_norm", T(2, 3), 2, [0], True)
case("linalg.vector_norm", T(2, 3, dtype=f16), dtype=f32)
case("linalg.vector_norm", T(2, 3, dtype=c64), 3)
case("linalg.vector_norm", T(2, dtype=i64), raises="DtypeError")
for p in ("fro", "nuc", 1, -1, 2, -2, inf, -inf):
    case("linalg.matrix_norm", T(2, 3, 4), p, tolerance=1e-5)
    case("linalg.norm", T(3, 4), p, tolerance=1e-5)
case("linalg.matrix_norm", T(2, 3, 4), "nuc", [0, 2], True, tolerance=1e-5)
case("linalg.matrix_norm", T(2, 3), 3, raises="ValueError")
case("linalg.matrix_norm", T(3), "fro", raises="ShapeError")
case("linalg.norm", T(2, 3, 4))
case("linalg.norm", T(4), 3)
case("linalg.norm", T(2, 3, 4), 2, raises="ShapeError")
for dtype in (f32, f64):
    case("cosine_similarity", T(3, 4, dtype=dtype), T(3, 4, dtype=dtype, seed=1))
case("cosine_similarity", T(3, 4), T(4, seed=1), 0)
for p in (1, 2, 3, inf):
    case("cdist", T(2, 3), T(4, 3, seed=1), float(p))
    case("pdist", T(4, 3), float(p))
    case("pairwise_distance", T(2, 3), T(2, 3, seed=1), float(p))
case("cdist", T(2, 2, 3), T(4, 3, seed=1))
case("cdist", T(2, 3), T(2, 4), raises="ShapeError")
case("pdist", T(3), raises="ShapeError")
case("pairwise_distance", T(2, 3), T(3, seed=1), keepdim=True)
