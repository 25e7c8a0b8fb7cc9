// Pooling to a given output size: window i of n over s elements is [floor(i s /
// n), ceil((i + 1) s / n)).
#include "xlac/tensor/formulas.h"

#include "xlac/lazy/size_check.h"

#include <algorithm>
#include <numeric>

namespace xlac {

using namespace frontend;
using ops::ComparisonDirection;

namespace {

/// The windows along one dimension, each padded to the longest one by repeating
/// its last element.
struct Windows {
  Shape elements; ///< their indices; count times longest
  Shape lengths;
  int64_t longest = 1;
};

Windows windows_over(int64_t size, int64_t count) {
  Windows windows;
  Shape starts;
  for (int64_t i = 0; i < count; ++i) {
    starts.push_back(i * size / count);
    windows.lengths.push_back(((i + 1) * size + count - 1) / count - starts[i]);
    windows.longest = std::max(windows.longest, windows.lengths[i]);
  }
  for (int64_t i = 0; i < count; ++i)
    for (int64_t j = 0; j < windows.longest; ++j)
      windows.elements.push_back(starts[i] +
                                 std::min(j, windows.lengths[i] - 1));
  return windows;
}

/// Splits dimension `dim` into windows and their elements.
Value windowed(const Value &x, int64_t dim, const Windows &windows) {
  Shape sizes = sizes_of(x);
  sizes[dim] = static_cast<int64_t>(windows.lengths.size());
  sizes.insert(sizes.begin() + dim + 1, windows.longest);
  return build::reshape(build::take(x, build::constant(windows.elements), dim),
                        sizes);
}

/// Returns the output sizes of the last `n` dimensions; -1 keeps the input's
/// size.
Shape wanted_sizes(const Tensor &input, size_t n, IntArrayRef output_size) {
  const Shape &sizes = impl_of(input).sizes;
  if (sizes.size() != n + 1 && sizes.size() != n + 2)
    raise<ShapeError>("input must have " + std::to_string(n + 1) + " or " +
                      std::to_string(n + 2) + " dimensions, got " +
                      to_text(sizes));
  Shape wanted = size_per_dim(output_size, n, "output_size");
  for (size_t i = 0; i < n; ++i) {
    int64_t size = sizes[sizes.size() - n + i];
    if (wanted[i] == -1)
      wanted[i] = size;
    if (wanted[i] < 0)
      raise<ValueError>("elements of output_size must not be negative, got " +
                        to_text(wanted));
    if (size == 0)
      raise<ShapeError>("expected non-zero sizes for non-batch dimensions, "
                        "got " +
                        to_text(sizes));
  }
  Shape result(sizes.begin(), sizes.end() - static_cast<ptrdiff_t>(n));
  result.insert(result.end(), wanted.begin(), wanted.end());
  lazy::require_holdable(input.dtype(), result);
  return wanted;
}

Value mean_of_windows(const Value &x, int64_t dim, int64_t count) {
  Windows windows = windows_over(sizes_of(x)[dim], count);
  Value parts = windowed(x, dim, windows);
  Value lengths = build::constant(windows.lengths);
  Value inside =
      build::compare(ComparisonDirection::LT,
                     build::broadcast_in_dim(
                         build::iota(ElementType::I64, {windows.longest}, 0),
                         sizes_of(parts), {dim + 1}),
                     build::broadcast_in_dim(lengths, sizes_of(parts), {dim}));
  Value total =
      sum_of(build::select(inside, parts, fill_like(parts, 0)), {dim + 1});
  Value divisor = build::convert(lengths, x.tensor().element);
  return total / along(divisor, dim, sizes_of(total).size());
}

Tensor adaptive_mean(size_t n, const Tensor &input, IntArrayRef output_size) {
  require_floating(input);
  Shape wanted = wanted_sizes(input, n, output_size);
  Setting setting = setting_of({&input});
  Value x = setting.of(input);
  for (size_t i = 0; i < n; ++i) {
    size_t dim = sizes_of(x).size() - n + i;
    int64_t size = sizes_of(x)[dim];
    if (wanted[i] == 0 || size % wanted[i] != 0) {
      x = mean_of_windows(x, static_cast<int64_t>(dim), wanted[i]);
      continue;
    }
    // Adjacent windows of equal size are one reshape.
    Shape split = sizes_of(x);
    split[dim] = wanted[i];
    split.insert(split.begin() + static_cast<long>(dim) + 1, size / wanted[i]);
    x = mean_of(build::reshape(x, split), {static_cast<int64_t>(dim) + 1});
  }
  return setting.finish(x);
}

/// Gathers the windows' elements into the last dimension: [lead…, counts…,
/// elements].
Value gathered(Value x, size_t n, const Shape &wanted) {
  size_t lead = sizes_of(x).size() - n;
  for (size_t i = n; i-- > 0;) {
    auto dim = static_cast<int64_t>(lead + i);
    x = windowed(x, dim, windows_over(sizes_of(x)[dim], wanted[i]));
  }
  Shape order(lead),
      sizes(sizes_of(x).begin(), sizes_of(x).begin() + static_cast<long>(lead));
  std::iota(order.begin(), order.end(), 0);
  int64_t elements = 1;
  for (size_t i = 0; i < n; ++i) {
    order.push_back(static_cast<int64_t>(lead + 2 * i));
    sizes.push_back(wanted[i]);
  }
  for (size_t i = 0; i < n; ++i) {
    order.push_back(static_cast<int64_t>(lead + 2 * i + 1));
    elements *= sizes_of(x)[order.back()];
  }
  sizes.push_back(elements);
  return build::reshape(build::transpose(x, order), sizes);
}

std::tuple<Tensor, Tensor> adaptive_max(size_t n, const Tensor &input,
                                        IntArrayRef output_size) {
  require_floating(input);
  Shape wanted = wanted_sizes(input, n, output_size);
  Device device = impl_of(input).device();
  Value x = value_on(input, device);
  const Shape sizes = sizes_of(x);
  Value parts = gathered(x, n, wanted);
  auto last = static_cast<int64_t>(sizes_of(parts).size()) - 1;
  // Selects the first of equal elements, which gets the gradient.
  auto [values, picked] = build::reduce_with_index(true, parts, last);
  Value numbers = build::broadcast_to(
      gathered(numbered(Shape(sizes.end() - static_cast<long>(n), sizes.end())),
               n, wanted),
      sizes_of(parts));
  Shape lead(sizes_of(values).size());
  std::iota(lead.begin(), lead.end(), 0);
  Value is_picked = build::compare(
      ComparisonDirection::EQ,
      build::iota(picked.tensor().element, sizes_of(parts), last),
      build::broadcast_in_dim(picked, sizes_of(parts), lead));
  Value first = sum_of(
      build::select(is_picked, numbers, fill_like(numbers, Scalar(0))), {last});
  std::vector<Tensor> made =
      finish_all({values, first}, device, {impl_of(input).dtype, kInt64});
  return {made[0], made[1]};
}

} // namespace

Tensor adaptive_avg_pool1d(const Tensor &input, IntArrayRef output_size) {
  XLAC_CALL("adaptive_avg_pool1d");
  return adaptive_mean(1, input, output_size);
}

Tensor adaptive_avg_pool2d(const Tensor &input, IntArrayRef output_size) {
  XLAC_CALL("adaptive_avg_pool2d");
  return adaptive_mean(2, input, output_size);
}

Tensor adaptive_avg_pool3d(const Tensor &input, IntArrayRef output_size) {
  XLAC_CALL("adaptive_avg_pool3d");
  return adaptive_mean(3, input, output_size);
}

Tensor adaptive_max_pool1d(const Tensor &input, IntArrayRef output_size) {
  XLAC_CALL("adaptive_max_pool1d");
  return std::get<0>(adaptive_max(1, input, output_size));
}

Tensor adaptive_max_pool2d(const Tensor &input, IntArrayRef output_size) {
  XLAC_CALL("adaptive_max_pool2d");
  return std::get<0>(adaptive_max(2, input, output_size));
}

std::tuple<Tensor, Tensor>
adaptive_max_pool1d_with_indices(const Tensor &input, IntArrayRef output_size) {
  XLAC_CALL("adaptive_max_pool1d_with_indices");
  return adaptive_max(1, input, output_size);
}

std::tuple<Tensor, Tensor>
adaptive_max_pool2d_with_indices(const Tensor &input, IntArrayRef output_size) {
  XLAC_CALL("adaptive_max_pool2d_with_indices");
  return adaptive_max(2, input, output_size);
}

} // namespace xlac
