// The interface between the evaluator and the functions of op families.
#pragma once

#include "xlac/graph/program.h"
#include "xlac/host/literal.h"
#include "xlac/support/result.h"

#include <array>
#include <complex>
#include <span>
#include <vector>

namespace xlac::host {

using Literals = std::vector<Literal>;
using Dims = std::vector<int64_t>;

/// The run-time value of a StableHLO value.
struct Datum {
  Literal literal;             ///< of a tensor
  std::vector<Datum> elements; ///< of a tuple; empty also for a token
};

/// Evaluates the regions of ops.
class RegionRunner {
public:
  virtual ~RegionRunner() = default;
  /// Evaluates `block` on whole values.
  virtual Result<std::vector<Datum>> run(const graph::Block &block,
                                         std::vector<Datum> arguments) = 0;
  /// Evaluates a block over scalars on arrays of `count` elements. An argument
  /// or result with one element is repeated.
  virtual Result<Literals> run_lifted(const graph::Block &block,
                                      const Literals &arguments,
                                      int64_t count) = 0;
};

struct OpContext {
  const graph::Node &node;
  std::span<const Literal> operands;
  std::vector<TensorType> results; ///< static types
  RegionRunner &regions;

  const Literal &operand(size_t i) const { return operands[i]; }
  const TensorType &result() const { return results[0]; }
  template <class T> const T &attributes() const {
    return node.attributes().get<T>();
  }
};

/// Each evaluates the ops of its family and fails with FailureKind::Unsupported
/// for others.
Result<Literals> evaluate_elementwise(OpContext &context);
Result<Literals> evaluate_convert(OpContext &context);
Result<Literals> evaluate_movement(OpContext &context);
Result<Literals> evaluate_gather(OpContext &context);
Result<Literals> evaluate_scatter(OpContext &context);
Result<Literals> evaluate_sort(OpContext &context);
Result<Literals> evaluate_reduction(OpContext &context);
Result<Literals> evaluate_window(OpContext &context);
Result<Literals> evaluate_contraction(OpContext &context);
Result<Literals> evaluate_linear_algebra(OpContext &context);
Result<Literals> evaluate_batch_norm(OpContext &context);
Result<Literals> evaluate_broadcasting(OpContext &context);
Result<Literals> evaluate_einsum(OpContext &context);
Result<Literals> evaluate_scan(OpContext &context);
/// Requires can_run_custom_calls().
Result<Literals> evaluate_custom_call(OpContext &context);
bool can_run_custom_calls();
/// uniform_quantize and uniform_dequantize. The evaluator itself converts
/// operands and results, so this function only passes the operand on.
Result<Literals> evaluate_quantization(OpContext &context);

bool is_elementwise(ops::OpKind op);

/// "add" for "broadcast_add"; empty for an op that does not broadcast.
std::optional<ops::OpKind> without_broadcasting(ops::OpKind op);

/// Broadcasts `from` to `type`; `mapping` lists the result dimensions of its
/// dimensions.
Result<Literal> broadcast_to(const Literal &from, const TensorType &type,
                             const Dims &mapping);

/// Converts elements of a quantized tensor to expressed values, and back.
Result<Literal> dequantized(const Literal &from);
Result<Literal> quantized(const Literal &from, const TensorType &type);

/// The binary op, if `block` only applies one op to its two arguments, in order
/// or swapped.
std::optional<ops::OpKind> simple_reducer(const graph::Block &block);

/// One element of `from` as a tensor of rank 0 that shares its bytes.
Literal element(const Literal &from, int64_t index);

/// Integers as unsigned ones, whose sums and products wrap.
inline void load(const Literal &from, int64_t begin, int64_t count,
                 uint64_t *to) {
  load(from, begin, count, reinterpret_cast<int64_t *>(to));
}
inline void store(Literal &to, int64_t begin, int64_t count,
                  const uint64_t *from) {
  store(to, begin, count, reinterpret_cast<const int64_t *>(from));
}

//===- Indices ------------------------------------------------------------===//

Dims row_major_strides(const Dims &dims);
int64_t product(const Dims &dims);

/// Advances `index` within `dims`; false after the last one.
bool next_index(Dims &index, const Dims &dims);

inline int64_t offset_of(const Dims &index, const Dims &strides) {
  int64_t offset = 0;
  for (size_t i = 0; i < index.size(); ++i)
    offset += index[i] * strides[i];
  return offset;
}

/// Calls visit(to, from) for every position of `dims`: `to` counts up, `from`
/// is base + the dot product of position and `strides`.
template <class Visit>
void for_each_strided(const Dims &dims, const Dims &strides, int64_t base,
                      Visit visit) {
  if (product(dims) == 0)
    return;
  Dims index(dims.size(), 0);
  int64_t inner = dims.empty() ? 1 : dims.back();
  int64_t step = dims.empty() ? 0 : strides.back();
  int64_t to = 0;
  do {
    int64_t from = base + offset_of(index, strides);
    for (int64_t i = 0; i < inner; ++i)
      visit(to++, from + i * step);
    if (!dims.empty())
      index.back() = inner - 1;
  } while (next_index(index, dims));
}

/// Calls f with the element size as a constant: 1, 2, 4, 8 or 16.
template <class F> void with_element_size(ElementType type, F f) {
  switch (byte_size(type)) {
  case 1:
    return f(std::integral_constant<int, 1>());
  case 2:
    return f(std::integral_constant<int, 2>());
  case 4:
    return f(std::integral_constant<int, 4>());
  case 8:
    return f(std::integral_constant<int, 8>());
  default:
    return f(std::integral_constant<int, 16>());
  }
}

} // namespace xlac::host
