from golden import *  # noqa: F403


def I(*values, dtype=i64):  # noqa: E743
    return T(values=list(values), dtype=dtype)


def bag(weight, indices, offsets, **kwargs):
    return torch.nn.functional.embedding_bag(indices, weight, offsets, **kwargs)


# --- by index tensors --------------------------------------------------------

for dtype in (*EACH_CATEGORY, f16, f64, i32, u8):
    low = 0 if dtype is u8 else -2
    x = T(3, 4, dtype=dtype, low=low)
    case("index_select", x, 1, I(3, 0, 3))
    case("gather", x, 0, T(values=[[0, 1, 2, 0], [2, 2, 1, 0]], dtype=i64))
    case("scatter", x, 1, T(values=[[0, 2], [3, 1]], dtype=i64), T(2, 2, dtype=dtype, low=low, seed=1))
    case("scatter_add", x, 0, T(values=[[0, 0], [0, 2]], dtype=i64), T(2, 2, dtype=dtype, low=low, seed=1))
    case("index_add", x, 0, I(2, 0, 2), T(3, 4, dtype=dtype, low=low, seed=1))
    case("index_copy", x, 1, I(2, 0), T(3, 2, dtype=dtype, low=low, seed=1))
    case("index_fill", x, 0, I(1), 1)
    case("take", x, T(values=[[0, 5], [-1, 5]], dtype=i64))
    case("masked_fill", x, T(3, 4, dtype=b1), 1)
    case("masked_select", x, T(3, 4, dtype=b1))
case("index_select", T(3, 2), 0, I(1, 2, dtype=i32))
case("index_select", T(3, 2), -1, T(values=1, dtype=i64))
case("index_select", T(), 0, I(0))
case("index_select", T(3, 2), 0, T(0, dtype=i64))
case("index_select", T(3, 2, transposed=True), 0, I(2, 0))
case("index_select", T(3), 0, I(3), raises="IndexError", devices="cpu")
case("index_select", T(3), 0, I(-1), raises="IndexError", devices="cpu")
case("index_select", T(3), 0, T(1, 1, dtype=i64), raises="IndexError")
case("index_select", T(3), 0, T(1, dtype=f32), raises="IndexError")
case("gather", T(2, 3), -1, T(values=[[2, 0, 1, 1]], dtype=i64))
case("gather", T(2, 3, 2, transposed=True), 1, T(values=[[[0], [2]], [[1], [1]]], dtype=i64))
case("gather", T(), 0, T(values=0, dtype=i64))
case("gather", T(2, 3), 0, T(0, 3, dtype=i64))
case("gather", T(2, 3), 0, I(1), raises="ShapeError")
case("gather", T(2, 3), 0, T(1, 4, dtype=i64, low=0, high=1), raises="ShapeError")
case("gather", T(3), 0, I(3), raises="IndexError", devices="cpu")
case("take", T(2, 3, transposed=True), I(0, 1, -6))
case("take", T(2, 3), I(6), raises="IndexError", devices="cpu")
case("take_along_dim", T(2, 3), T(values=[[2], [0]], dtype=i64), 1)
case("take_along_dim", T(2, 3), T(values=[[1, 0, 1]], dtype=i64), 0)
case("take_along_dim", T(2, 3), I(5, 0))
case("take_along_dim", T(2, 3), I(1), 0, raises="ShapeError")

# --- written by index tensors ------------------------------------------------

index = T(values=[[0, 1], [2, 0]], dtype=i64)
for source in (T(2, 2, seed=1), T(3, 3, seed=1), 2.5):
    case("scatter", T(3, 4), 0, index, source)
for reduce in ("add", "multiply"):
    case("scatter", T(3, 4), 1, index, T(2, 2, seed=1), reduce=reduce, gradient=False)
    case("scatter", T(3, 4), 1, index, 2.0, reduce=reduce, gradient=False)
case("scatter", T(3, 4), 1, index, 2.0, reduce="least", raises="ValueError")
case("scatter", T(3, 4), 1, T(0, 2, dtype=i64), 2.0)
case("scatter", T(3, 4), 1, index, T(2, 2, dtype=f64), raises="DtypeError")
case("scatter", T(3, 4), 1, index, T(1, 2), raises="ShapeError")
case("scatter", T(1, 4), 1, index, 1.0, raises="ShapeError")
case("scatter", T(3), 0, I(4), 1.0, raises="IndexError", devices="cpu")
case("scatter", T(), 0, T(values=0, dtype=i64), 3.0)
twice = T(values=[0, 2, 0, 0, 2], dtype=i64)
for reduce in ("sum", "prod", "mean", "amax", "amin"):
    for include in (True, False):
        case("scatter_reduce", T(4), 0, twice, T(5, seed=1), reduce, include_self=include)
        case("scatter_reduce", T(4, dtype=i64, low=-9, high=9), 0, twice,
             T(5, dtype=i64, low=-9, high=9, seed=1), reduce, include_self=include)
    case("scatter_reduce", T(3, 4), 1, index, T(2, 2, seed=1), reduce)
case("scatter_reduce", T(4), 0, twice, T(5), "most", raises="ValueError")
case("index_add", T(3, 4), 1, I(0, 0, 3), T(3, 3, seed=1), alpha=2)
case("index_add", T(3, 4), 1, I(0, 1), T(3, 3), raises="ShapeError")
case("index_add", T(3), 0, I(3), T(1), raises="IndexError", devices="cpu")
case("index_add", T(3), 0, I(0), T(1, dtype=f64), raises="DtypeError")
case("index_copy", T(3, 4), 0, I(1), T(1, 4, seed=1))
case("index_copy", T(3, 4), 0, I(1), T(4), raises="ShapeError")
case("index_fill", T(3, 4), -1, I(0, 2), -1.5)
case("index_fill", T(3, 4), 0, T(values=1, dtype=i64), T(seed=1))
case("index_fill", T(3, 4), 0, T(0, dtype=i64), 1.0)
case("index_fill", T(3), 0, I(0), T(2), raises="ShapeError")
put = lambda self, *args, **kwargs: self.clone().put_(*args, **kwargs)  # noqa: E731
case("put", T(2, 3), I(1, -1), T(2, seed=1), reference=put)
case("put", T(2, 3), I(1, 1), T(2, seed=1), accumulate=True, reference=put)
case("put", T(2, 3), I(1), T(2), reference=put, raises="ShapeError")
case("put", T(2, 3), I(6), T(1), reference=put, raises="IndexError", devices="cpu")


# --- what a view would show --------------------------------------------------

case("slice_scatter", T(4, 3), T(2, 3, seed=1), 0, 1, 3)
case("slice_scatter", T(4, 3), T(4, 2, seed=1), 1, 0, 3, 2)
case("slice_scatter", T(4, 3), T(4, 3, seed=1))
case("slice_scatter", T(4, 3), T(3), 0, 1, 3, raises="ShapeError")
case("select_scatter", T(2, 3), T(2, seed=1), 1, -1)
case("select_scatter", T(2, 3), T(3), 1, 0, raises="ShapeError")
case("diagonal_scatter", T(3, 4), T(3, seed=1), 1)
case("diagonal_scatter", T(3, 3, transposed=True), T(2, seed=1), -1)
case("diagonal_scatter", T(3, 3), T(2), raises="ShapeError")

# --- masks -------------------------------------------------------------------

case("masked_fill", T(2, 3), T(3, dtype=b1), float("-inf"))
case("masked_fill", T(2, 3), T(2, 1, dtype=b1), T(seed=1))
case("masked_fill", T(3), T(2, 3, dtype=b1), 1.0)
case("masked_fill", T(2), T(2, dtype=b1), T(2), raises="ShapeError")
case("masked_fill", T(2), T(2), 1.0, raises="DtypeError")
case("masked_fill", T(2, dtype=i64), T(2, dtype=b1), 1.5)
case("masked_fill", T(2), T(2, dtype=b1), 1j, raises="DtypeError")
case("masked_select", T(2, 3), T(3, dtype=b1))
case("masked_select", T(2, 3, transposed=True), T(2, 1, dtype=b1))
case("masked_select", T(0), T(0, dtype=b1))
case("masked_select", T(2), T(2), raises="DtypeError")
case("masked_scatter", T(2, 3), T(values=[[True, False, True], [False, True, False]], dtype=b1), T(5, seed=1))
case("masked_scatter", T(2, 3), T(values=[True, False, True], dtype=b1), T(2, 2, seed=1))
case("masked_scatter", T(3), T(values=[True, True, False], dtype=b1), T(1), raises="ShapeError", devices="cpu")
case("masked_scatter", T(3), T(3, dtype=b1), T(3, dtype=f64), raises="DtypeError")
for name in ("nonzero", "argwhere"):
    case(name, T(values=[[0.0, 1.0], [2.0, 0.0]], grad=False))
    case(name, T(5, dtype=b1))
    case(name, T(0, dtype=i64))
    case(name, T(values=3, dtype=i64))

# --- embeddings --------------------------------------------------------------

case("embedding", T(5, 3), I(0, 4, 0))
case("embedding", T(5, 3), T(values=[[1, 2], [2, 2]], dtype=i32))
case("embedding", T(5, 3), I(1, 2, 1), 1)
case("embedding", T(5, 3), I(5), raises="IndexError", devices="cpu")
case("embedding", T(5), I(0), raises="ShapeError")
for mode in ("sum", "mean", "max"):
    case("embedding_bag", T(5, 3), I(0, 4, 0, 2, 1), I(0, 2, 2), mode=mode, reference=bag)
    case("embedding_bag", T(5, 3), T(values=[[0, 4], [1, 1]], dtype=i64), None, mode=mode, reference=bag)
    case("embedding_bag", T(5, 3), I(0, 4, 0, 2), I(0, 3), mode=mode, padding_idx=0, reference=bag)
case("embedding_bag", T(5, 3), I(0, 4, 0, 2), I(0, 3, 4), mode="sum",
     per_sample_weights=T(4, seed=1), include_last_offset=True, reference=bag)
case("embedding_bag", T(5, 3), I(0, 4), None, reference=bag, raises="ValueError")
case("one_hot", T(values=[[0, 2], [1, 1]], dtype=i64), 4)
case("one_hot", I(0, 2, 1))
case("one_hot", T(0, dtype=i64), 3)
case("one_hot", I(3), 3, raises="ValueError", devices="cpu")
case("one_hot", I(0, dtype=i32), 3, raises="DtypeError")
