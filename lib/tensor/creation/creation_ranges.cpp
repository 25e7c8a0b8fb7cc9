// Factories of ranges, signal windows and grids.
#include "pointwise/bessel.h"
#include "xlac/tensor/factories.h"
#include "xlac/tensor/terms.h"

#include "xlac/host/literal.h"
#include "xlac/lazy/size_check.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace xlac {

using namespace frontend;
using detail::OptionsAccess;

namespace {

/// A range of numbers and the dtype in which it is computed: half floats in
/// f32, integers in f64; the result is rounded at the end.
struct Row {
  Row(int64_t count, const TensorOptions &given, Dtype fallback)
      : options(given), dtype(OptionsAccess::dtype(options).value_or(fallback)),
        device(device_of(options)), sizes{count} {
    if (lazy::category(dtype) < 2)
      wide = kFloat64;
    else if (dtype == kFloat16 || dtype == kBFloat16)
      wide = kFloat32;
    else
      wide = dtype;
  }

  /// 0, 1, 2, …
  Term positions() const {
    return {build::iota(lazy::element_type(wide), sizes, 0)};
  }
  Term number(const Scalar &number) const {
    return {build::broadcast_to(number_value(number, wide, device), sizes)};
  }
  Tensor finish(const Term &term) const {
    Term row = term;
    // Conversion to integers must drop the fraction.
    if (lazy::category(dtype) < 2)
      row = truncated(row);
    return made(
        frontend::finish(build::convert(row.value, lazy::element_type(dtype)),
                         device, dtype),
        options);
  }

  TensorOptions options;
  Dtype dtype, wide;
  Device device;
  Shape sizes;
};

void check_steps(int64_t steps) {
  if (steps < 0)
    raise<ValueError>("number of steps must be non-negative");
}

/// Computes each half from its own end, so that the last number is exactly
/// `end`.
Term evenly_spaced(const Row &row, const Scalar &start, const Scalar &end) {
  int64_t steps = row.sizes[0];
  Term first = row.number(start), last = row.number(end);
  if (steps < 2)
    return first;
  Term step = (last - first) / Scalar(steps - 1);
  Term i = row.positions();
  Term rest = Scalar(steps - 1) - i;
  // Compares the positions as integers, since complex numbers have no order.
  Term early =
      Term{build::iota(ElementType::I64, row.sizes, 0)} < Scalar(steps / 2);
  return select(early, first + step * i, last - step * rest);
}

/// A window of `length` points: formula(k, n) of the indices k and the number n
/// of steps in a period.
template <class Formula>
Tensor window(int64_t length, bool periodic, const TensorOptions &options,
              Formula formula) {
  if (length < 0)
    raise<ValueError>(
        "requires non-negative window_length, got window_length=" +
        std::to_string(length));
  Row row(length, options, get_default_dtype());
  if (!is_floating_point(row.dtype))
    raise<DtypeError>("expects floating point dtypes, got torch." +
                      std::string(name(row.dtype)));
  if (length == 1)
    return row.finish(row.positions().like(1));
  auto steps = static_cast<double>(periodic ? length : length - 1);
  return row.finish(formula(row.positions(), steps));
}

Term cosine(const Term &x) { return apply(OpKind::Cosine, x); }

/// a - b * cos(2πk / n) + c * cos(4πk / n).
Term cosine_sum(const Term &k, double steps, double a, double b, double c) {
  Term angle = k * (2 * std::numbers::pi / steps);
  Term sum = a - b * cosine(angle);
  return c == 0 ? sum : sum + c * cosine(angle * 2);
}

void check_matrix(int64_t rows, int64_t columns) {
  if (rows < 0 || columns < 0)
    raise<ValueError>("row and col must be non-negative, got " +
                      std::to_string(rows) + " and " + std::to_string(columns));
}

/// Counts the elements of a matrix that lie at most `offset` to the right of
/// the diagonal.
__int128 count_lower(__int128 rows, __int128 columns, __int128 offset) {
  __int128 first = std::max<__int128>(0, -offset), count = rows - first;
  if (count <= 0 || columns == 0)
    return 0;
  __int128 width = first + offset + 1; // of the first row that has any
  __int128 growing = std::min(std::max<__int128>(columns - width, 0), count);
  return growing * width + growing * (growing - 1) / 2 +
         (count - growing) * columns;
}

/// Row and column indices of the lower triangle up to diagonal `offset`, or of
/// the upper triangle from that diagonal.
Tensor triangle_indices(int64_t rows, int64_t columns, int64_t offset,
                        bool upper, const TensorOptions &options) {
  check_matrix(rows, columns);
  __int128 wide = offset;
  __int128 wanted = count_lower(rows, columns, upper ? wide - 1 : wide);
  if (upper)
    wanted = __int128(rows) * columns - wanted;
  auto count = static_cast<int64_t>(std::min<__int128>(wanted, INT64_MAX));
  lazy::require_holdable(kInt64, {2, count});
  host::Literal indices = unwrap(host::Literal::allocate(
      TensorType{ElementType::I64, {2, count}, {}, {}}));
  auto *down = reinterpret_cast<int64_t *>(indices.mutable_data());
  int64_t *across = down + count;
  // Rows without elements come first in the lower triangle and last in the
  // upper one.
  __int128 first = upper ? 0 : std::max<__int128>(0, -wide);
  for (__int128 i = first; i < rows && count > 0; ++i) {
    __int128 begin = upper ? std::max<__int128>(0, i + wide) : 0;
    __int128 end = upper ? columns : std::min<__int128>(columns, i + wide + 1);
    if (begin >= end)
      break;
    for (__int128 j = begin; j < end; ++j) {
      *down++ = static_cast<int64_t>(i);
      *across++ = static_cast<int64_t>(j);
    }
  }
  return detail::from_memory(indices.data(), kInt64, {2, count}, options,
                             kInt64);
}

} // namespace

//===- Ranges -------------------------------------------------------------===//

Tensor linspace(Scalar start, Scalar end, int64_t steps,
                TensorOptions options) {
  XLAC_CALL("linspace");
  check_steps(steps);
  Row row(steps, options, get_default_dtype());
  return row.finish(evenly_spaced(row, start, end));
}

Tensor logspace(Scalar start, Scalar end, int64_t steps, double base,
                TensorOptions options) {
  XLAC_CALL("logspace");
  check_steps(steps);
  Row row(steps, options, get_default_dtype());
  return row.finish(
      apply(OpKind::Power, row.number(base), evenly_spaced(row, start, end)));
}

Tensor scalar_tensor(Scalar value, TensorOptions options) {
  XLAC_CALL("scalar_tensor");
  return full(Shape(), value, options.dtype(options.dtype()));
}

//===- Matrices and grids -------------------------------------------------===//

Tensor eye(int64_t n, int64_t m, TensorOptions options) {
  XLAC_CALL("eye");
  if (n < 0 || m < 0)
    raise<ValueError>("n must be greater or equal to 0, got " +
                      std::to_string(n < 0 ? n : m));
  Shape sizes = checked_sizes(Shape{n, m});
  Term down{build::iota(ElementType::I64, sizes, 0)};
  Term across{build::iota(ElementType::I64, sizes, 1)};
  Dtype dtype = options.dtype();
  return made(
      finish(build::convert((down == across).value, lazy::element_type(dtype)),
             device_of(options), dtype),
      options);
}
Tensor eye(int64_t n, TensorOptions options) {
  XLAC_CALL("eye");
  return eye(n, n, options);
}

Tensor tril_indices(int64_t row, int64_t col, int64_t offset,
                    TensorOptions options) {
  XLAC_CALL("tril_indices");
  return triangle_indices(row, col, offset, /*upper=*/false, options);
}

Tensor triu_indices(int64_t row, int64_t col, int64_t offset,
                    TensorOptions options) {
  XLAC_CALL("triu_indices");
  return triangle_indices(row, col, offset, /*upper=*/true, options);
}

std::vector<Tensor> meshgrid(const std::vector<Tensor> &tensors,
                             std::string indexing) {
  XLAC_CALL("meshgrid");
  if (tensors.empty())
    raise<ValueError>("expects a non-empty TensorList");
  if (indexing != "ij" && indexing != "xy")
    raise<ValueError>(
        "indexing must be one of \"xy\" or \"ij\", but received: " + indexing);
  Shape sizes;
  for (const Tensor &tensor : tensors) {
    if (tensor.dim() > 1)
      raise<ShapeError>(
          "Expected 0D or 1D tensor in the tensor list but got: " +
          describe(tensor));
    if (tensor.dtype() != tensors[0].dtype())
      raise<DtypeError>("expects all tensors to have the same dtype");
    sizes.push_back(tensor.numel());
  }
  common_device(tensors);
  bool swapped = indexing == "xy" && tensors.size() > 1;
  if (swapped)
    std::swap(sizes[0], sizes[1]);
  std::vector<Tensor> grids;
  for (size_t i = 0; i < tensors.size(); ++i) {
    size_t dim = swapped && i < 2 ? 1 - i : i;
    Shape line(sizes.size(), 1);
    line[dim] = sizes[dim];
    grids.push_back(tensors[i].reshape(line).expand(sizes));
  }
  return grids;
}

Tensor cartesian_prod(const std::vector<Tensor> &tensors) {
  XLAC_CALL("cartesian_prod");
  for (const Tensor &tensor : tensors)
    if (tensor.dim() != 1)
      raise<ShapeError>("Expect a 1D vector, but got shape " +
                        to_text(tensor.sizes()));
  if (tensors.size() == 1)
    return tensors[0];
  std::vector<Tensor> columns;
  for (const Tensor &grid : meshgrid(tensors, "ij"))
    columns.push_back(grid.reshape({-1}));
  return stack(columns, 1);
}

//===- Complex numbers ----------------------------------------------------===//

/// Joins two real tensors of one dtype as the parts of complex numbers.
static Joined join_parts(const Tensor &first, const Tensor &second) {
  for (const Tensor *part : {&first, &second})
    if (part->dtype() != kFloat32 && part->dtype() != kFloat64)
      raise<DtypeError>("Expected both inputs to be Float or Double tensors "
                        "but got " +
                        lazy::legacy_name(first.dtype()) + " and " +
                        lazy::legacy_name(second.dtype()));
  if (first.dtype() != second.dtype())
    raise<DtypeError>(
        "Expected object of scalar type " + lazy::legacy_name(first.dtype()) +
        " but got scalar type " + lazy::legacy_name(second.dtype()) +
        " for second argument");
  return join({first, second});
}

static Dtype complex_of(Dtype part) {
  return part == kFloat64 ? kComplex128 : kComplex64;
}

Tensor complex(const Tensor &real, const Tensor &imag) {
  XLAC_CALL("complex");
  Joined joined = join_parts(real, imag);
  return finish(joined, apply(OpKind::Complex, joined[0], joined[1]),
                complex_of(joined.dtype));
}

Tensor polar(const Tensor &abs, const Tensor &angle) {
  XLAC_CALL("polar");
  Joined joined = join_parts(abs, angle);
  const Term &size = joined[0], &turn = joined[1];
  return finish(joined,
                apply(OpKind::Complex, size * cosine(turn),
                      size * apply(OpKind::Sine, turn)),
                complex_of(joined.dtype));
}

//===- Windows ------------------------------------------------------------===//

Tensor hann_window(int64_t window_length, bool periodic,
                   TensorOptions options) {
  XLAC_CALL("hann_window");
  return window(window_length, periodic, options, [](const Term &k, double n) {
    return cosine_sum(k, n, 0.5, 0.5, 0);
  });
}

Tensor hamming_window(int64_t window_length, bool periodic, double alpha,
                      double beta, TensorOptions options) {
  XLAC_CALL("hamming_window");
  return window(window_length, periodic, options, [=](const Term &k, double n) {
    return cosine_sum(k, n, alpha, beta, 0);
  });
}

Tensor blackman_window(int64_t window_length, bool periodic,
                       TensorOptions options) {
  XLAC_CALL("blackman_window");
  return window(window_length, periodic, options, [](const Term &k, double n) {
    return cosine_sum(k, n, 0.42, 0.5, 0.08);
  });
}

Tensor bartlett_window(int64_t window_length, bool periodic,
                       TensorOptions options) {
  XLAC_CALL("bartlett_window");
  return window(window_length, periodic, options, [](const Term &k, double n) {
    return 1 - abs(k * (2 / n) - 1);
  });
}

Tensor kaiser_window(int64_t window_length, bool periodic, double beta,
                     TensorOptions options) {
  XLAC_CALL("kaiser_window");
  return window(window_length, periodic, options, [=](const Term &k, double n) {
    Term x = k * (2 / n) - 1;
    Term inside = 1 - x * x;
    Term root = sqrt(select(inside < 0, x.like(0), inside));
    return bessel_i0(root * beta) / bessel_i0(x.like(beta));
  });
}

} // namespace xlac
