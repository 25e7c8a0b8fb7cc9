// sort: computes one permutation per row with the comparator region.
#include "op_context.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

namespace xlac::host {

namespace {

/// Results of the comparator, and its first failure.
class Comparator {
public:
  explicit Comparator(OpContext &context) : context_(context) {}

  bool before(int64_t a, int64_t b) {
    if (failure_)
      return false;
    Literals arguments;
    for (const Literal &input : context_.operands) {
      arguments.push_back(element(input, a));
      arguments.push_back(element(input, b));
    }
    Result<Literals> answer =
        context_.regions.run_lifted(context_.node.regions()[0], arguments, 1);
    if (!answer) {
      failure_ = answer.error();
      return false;
    }
    return as_integer((*answer)[0]) != 0;
  }
  const std::optional<Failure> &error() const { return failure_; }

private:
  OpContext &context_;
  std::optional<Failure> failure_;
};

/// Whether `x` comes before `y` in descending order: NaN first, then +0 before
/// -0.
template <class Wide> bool greater(Wide x, Wide y) {
  if constexpr (std::is_floating_point_v<Wide>) {
    if (std::isnan(x) || std::isnan(y))
      return std::isnan(x) && !std::isnan(y);
    if (x == y)
      return std::signbit(y) && !std::signbit(x);
  }
  return x > y;
}

template <class Wide> Result<Literals> top_k_as(OpContext &context) {
  const Literal &from = context.operand(0);
  int64_t k = context.attributes<ops::ChloTopKAttributes>().k;
  int64_t length = from.type().dims.back();
  Result<Literal> values = Literal::allocate(context.results[0]);
  Result<Literal> places = Literal::allocate(context.results[1]);
  if (!values || !places)
    return values ? places.error() : values.error();
  std::vector<Wide> row(length);
  std::vector<int64_t> order(length);
  for (int64_t r = 0; length > 0 && r < from.count() / length; ++r) {
    load(from, r * length, length, row.data());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
      return greater(row[a], row[b]);
    });
    for (int64_t i = 0; i < k; ++i) {
      store(*values, r * k + i, 1, &row[order[i]]);
      store(*places, r * k + i, 1, &order[i]);
    }
  }
  return Literals{std::move(*values), std::move(*places)};
}

Result<Literals> top_k(OpContext &context) {
  ElementType type = context.operand(0).type().element;
  if (is_float(type))
    return top_k_as<double>(context);
  if (is_complex(type) || type == ElementType::UI64)
    return failure(FailureKind::Unsupported,
                   "of " + std::string(element_type_name(type)));
  return top_k_as<int64_t>(context);
}

} // namespace

Result<Literals> evaluate_sort(OpContext &context) {
  if (context.node.op() == ops::OpKind::ChloTopK)
    return top_k(context);
  const auto &attributes = context.attributes<ops::SortAttributes>();
  Literals results;
  for (const TensorType &type : context.results) {
    Result<Literal> to = Literal::allocate(type);
    if (!to)
      return to.error();
    results.push_back(std::move(*to));
  }
  const Dims &dims = context.result().dims;
  if (dims.empty() || product(dims) == 0) {
    for (size_t i = 0; i < results.size(); ++i)
      results[i] = context.operand(i);
    return results;
  }
  int64_t dim = attributes.dimension;
  if (dim < 0)
    dim += static_cast<int64_t>(dims.size());
  Dims strides = row_major_strides(dims), outer = dims;
  int64_t length = dims[dim], step = strides[dim];
  outer[dim] = 1;
  Dims index(dims.size(), 0);
  std::vector<int64_t> order(length);
  Comparator comparator(context);
  do {
    int64_t base = offset_of(index, strides);
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
      return comparator.before(base + a * step, base + b * step);
    });
    if (comparator.error())
      return *comparator.error();
    for (size_t i = 0; i < results.size(); ++i) {
      size_t size = byte_size(context.results[i].element);
      for (int64_t k = 0; k < length; ++k)
        std::memcpy(results[i].mutable_data() + (base + k * step) * size,
                    context.operand(i).data() + (base + order[k] * step) * size,
                    size);
    }
  } while (next_index(index, outer));
  return results;
}

} // namespace xlac::host
