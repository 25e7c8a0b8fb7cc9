#include "rule.h"

#include "xlac/support/size_limit.h"

#include <algorithm>
#include <limits>

namespace xlac::ops {

//===- Rule ---------------------------------------------------------------===//

std::vector<const TensorType *> Rule::operands(size_t first,
                                               size_t count) const {
  std::vector<const TensorType *> types;
  types.reserve(count);
  for (size_t i = first; i < first + count; ++i)
    types.push_back(&operand(i));
  return types;
}

const std::vector<int64_t> *Rule::constant(size_t i) const {
  if (i >= context_.constants.size() || !context_.constants[i])
    return nullptr;
  return &*context_.constants[i];
}

Failure Rule::fail(FailureKind failure_kind, std::string_view label,
                   const std::string &message) const {
  // CHLO may share a rule, but has no numbered constraints.
  if (label.empty() || op_name(kind_).starts_with("chlo."))
    return failure(failure_kind, message);
  return failure(failure_kind, fmt::format("{} ({})", message, label));
}

Inferred Rule::as_declared() const {
  if (!declares())
    return needs_declared();
  std::vector<Type> types;
  for (size_t i = 0; i < declared_count(); ++i)
    types.push_back(declared_type(i));
  return results("", std::move(types));
}

Failure Rule::needs_declared() const {
  return failure(
      FailureKind::User,
      "operands and attributes do not determine the result types, which "
      "must be given");
}

Inferred Rule::result(ResultLabels labels, Type type) const {
  std::vector<Type> types;
  types.push_back(std::move(type));
  return results(labels, std::move(types));
}

Inferred Rule::results(ResultLabels labels, std::vector<Type> types) const {
  result_labels_ = labels;
  return types;
}

//===- Sizes --------------------------------------------------------------===//

Dim dim_of(const TensorType &type, int64_t axis) {
  size_t i = static_cast<size_t>(axis);
  Dim dim{type.dims[i], kDynamic};
  if (dim.is_dynamic() && i < type.bounds.size())
    dim.bound = type.bounds[i];
  return dim;
}

void append_dim(TensorType &type, Dim dim) {
  type.dims.push_back(dim.size);
  bool bounded = dim.is_dynamic() && dim.bound != kDynamic;
  if (bounded || !type.bounds.empty()) {
    type.bounds.resize(type.dims.size(), kDynamic);
    type.bounds.back() = bounded ? dim.bound : kDynamic;
  }
}

void set_dim(TensorType &type, int64_t axis, Dim dim) {
  size_t i = static_cast<size_t>(axis);
  type.dims[i] = dim.size;
  bool bounded = dim.is_dynamic() && dim.bound != kDynamic;
  if (bounded)
    type.bounds.resize(type.dims.size(), kDynamic);
  if (i < type.bounds.size())
    type.bounds[i] = bounded ? dim.bound : kDynamic;
  if (std::ranges::all_of(type.bounds, [](int64_t b) { return b == kDynamic; }))
    type.bounds.clear();
}

TensorType scalar_like(const TensorType &like) {
  TensorType type;
  type.element = like.element;
  type.quantization = like.quantization;
  return type;
}

TensorType tensor_of(ElementType element, std::vector<int64_t> dims) {
  TensorType type;
  type.element = element;
  type.dims = std::move(dims);
  return type;
}

bool sizes_agree(int64_t a, int64_t b) {
  return a == b || a == kDynamic || b == kDynamic;
}

bool shapes_agree(const TensorType &a, const TensorType &b) {
  return a.dims.size() == b.dims.size() &&
         std::ranges::equal(a.dims, b.dims, sizes_agree);
}

Dim merge(Dim a, Dim b) {
  if (!a.is_dynamic())
    return a;
  if (!b.is_dynamic())
    return b;
  if (a.bound == kDynamic || b.bound == kDynamic)
    return {kDynamic, a.bound == kDynamic ? b.bound : a.bound};
  return {kDynamic, std::min(a.bound, b.bound)};
}

void merge_shape(TensorType &into, const TensorType &other) {
  for (int64_t i = 0; i < into.rank(); ++i)
    if (into.dims[static_cast<size_t>(i)] == kDynamic)
      set_dim(into, i, merge(dim_of(into, i), dim_of(other, i)));
}

int64_t add_sizes(int64_t a, int64_t b) {
  int64_t sum = 0;
  if (a == kDynamic || b == kDynamic)
    return kDynamic;
  if (__builtin_add_overflow(a, b, &sum))
    return std::numeric_limits<int64_t>::max();
  return sum;
}

int64_t multiply_sizes(int64_t a, int64_t b) {
  int64_t product = 0;
  if (a == kDynamic || b == kDynamic)
    return kDynamic;
  if (__builtin_mul_overflow(a, b, &product))
    return std::numeric_limits<int64_t>::max();
  return product;
}

Status check_extents(const Rule &rule, std::string_view name,
                     std::span<const int64_t> numbers, std::string_view label) {
  constexpr auto most = static_cast<int64_t>(kMaxElements);
  for (int64_t number : numbers)
    XLAC_SHAPE(-most <= number && number <= most, label,
               "{} has {}, which is beyond 2^56", name, number);
  return {};
}

/// 0, or the extent of `size` elements `dilation` apart.
static int64_t dilated(int64_t size, int64_t dilation) {
  return size == 0 ? 0 : add_sizes(multiply_sizes(size - 1, dilation), 1);
}

int64_t window_count(int64_t size, int64_t low, int64_t high,
                     int64_t base_dilation, int64_t window,
                     int64_t window_dilation, int64_t stride) {
  int64_t padded =
      add_sizes(add_sizes(low, dilated(size, base_dilation)), high);
  int64_t extent = dilated(window, window_dilation);
  if (padded <= 0 || extent > padded)
    return 0;
  // Sums above the limit may be saturated, so the result is the maximum.
  if (static_cast<uint64_t>(padded) > kMaxElements)
    return std::numeric_limits<int64_t>::max();
  return (padded - extent) / stride + 1;
}

//===- Lists --------------------------------------------------------------===//

bool is_unique(std::span<const int64_t> values) {
  Dims sorted(values.begin(), values.end());
  std::ranges::sort(sorted);
  return std::ranges::adjacent_find(sorted) == sorted.end();
}

bool is_sorted(std::span<const int64_t> values) {
  return std::ranges::is_sorted(values);
}

bool in_range(std::span<const int64_t> values, int64_t limit) {
  return std::ranges::all_of(
      values, [limit](int64_t value) { return 0 <= value && value < limit; });
}

bool contains(std::span<const int64_t> values, int64_t value) {
  return std::ranges::find(values, value) != values.end();
}

Dims joined(std::initializer_list<std::span<const int64_t>> lists) {
  Dims all;
  for (std::span<const int64_t> list : lists)
    all.insert(all.end(), list.begin(), list.end());
  return all;
}

std::string list_text(std::span<const int64_t> values) {
  std::string text = "[";
  for (size_t i = 0; i < values.size(); ++i) {
    if (i)
      text += ", ";
    text += values[i] == kDynamic ? "?" : fmt::format("{}", values[i]);
  }
  return text + "]";
}

//===- Element types ------------------------------------------------------===//

bool is_quantized(const TensorType &type) {
  return type.quantization != nullptr;
}

bool is_per_axis_quantized(const TensorType &type) {
  return type.quantization && type.quantization->quantization_dimension;
}

ElementType expressed_type(const TensorType &type) {
  return type.quantization ? type.quantization->expressed_type : type.element;
}

bool same_baseline_element(const TensorType &a, const TensorType &b) {
  if (is_quantized(a) != is_quantized(b))
    return false;
  if (!is_quantized(a))
    return a.element == b.element;
  return a.quantization->storage_type == b.quantization->storage_type &&
         a.quantization->expressed_type == b.quantization->expressed_type;
}

bool is_promotable(const TensorType &from, const TensorType &to) {
  if (is_quantized(from) || is_quantized(to))
    return is_quantized(from) && is_quantized(to) &&
           expressed_type(from) == expressed_type(to) &&
           bit_width(from.quantization->storage_type) <=
               bit_width(to.quantization->storage_type);
  auto category = [](ElementType type) {
    return is_boolean(type) ? 0 : is_integer(type) ? 1 : is_float(type) ? 2 : 3;
  };
  return category(from.element) == category(to.element) &&
         bit_width(from.element) <= bit_width(to.element);
}

bool is_integral(const TensorType &type, bool booleans) {
  return !is_quantized(type) &&
         (is_integer(type.element) || (booleans && is_boolean(type.element)));
}

bool is_scalar(const TensorType &type, ElementType element) {
  return type.rank() == 0 && type.element == element && !is_quantized(type);
}

//===- Regions ------------------------------------------------------------===//

/// Whether `sizes` is a subsequence of `from`.
static bool is_part_of(std::span<const int64_t> sizes,
                       std::span<const int64_t> from) {
  size_t next = 0;
  for (int64_t size : from)
    if (next < sizes.size() && sizes_agree(sizes[next], size))
      ++next;
  return next == sizes.size();
}

Result<std::vector<TensorType>>
check_reducer(const Rule &rule, const RegionSignature &region,
              std::span<const TensorType *const> inputs, std::string_view name,
              std::string_view label, std::span<const int64_t> kept) {
  std::vector<TensorType> elements;
  if (!region.known) {
    for (const TensorType *input : inputs)
      elements.push_back(scalar_like(*input));
    return elements;
  }
  size_t count = inputs.size();
  XLAC_SHAPE(region.arguments.size() == 2 * count, label,
             "{} takes {} arguments, {} expected", name,
             region.arguments.size(), 2 * count);
  XLAC_SHAPE(region.results.size() == count, label,
             "{} returns {} values, {} expected", name, region.results.size(),
             count);
  for (size_t i = 0; i < count; ++i) {
    const Type &given = region.results[i];
    XLAC_SHAPE(given.is_tensor() && is_part_of(given.tensor().dims, kept),
               label, "{} returns {}, a scalar expected", name,
               short_text(given));
    const TensorType &element = given.tensor();
    for (size_t argument : {i, count + i}) {
      const Type &type = region.arguments[argument];
      XLAC_SHAPE(type.is_tensor() && shapes_agree(type.tensor(), element),
                 label, "argument {} of {} is {}, but result {} is {}",
                 argument, name, short_text(type), i, short_text(given));
      XLAC_DTYPE(same_baseline_element(type.tensor(), element), label,
                 "argument {} of {} is {}, but result {} is {}", argument, name,
                 short_text(type), i, short_text(given));
    }
    XLAC_DTYPE(is_promotable(*inputs[i], element), label,
               "{} works on {}, to which {} cannot be promoted", name,
               element_text(element), element_text(*inputs[i]));
    elements.push_back(element);
  }
  return elements;
}

} // namespace xlac::ops
