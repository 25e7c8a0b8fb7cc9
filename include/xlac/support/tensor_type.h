// Shapes and types of StableHLO values as plain data, for the ops component,
// the graph and compiler.h.
#pragma once

#include "xlac/support/element_type.h"

#include <cassert>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace xlac {

/// A dimension of unknown size.
inline constexpr int64_t kDynamic = INT64_MIN;

/// Parameters of a quantized element type (StableHLO specification,
/// "Quantized types"). `scales` and `zero_points` have one entry per tensor, or
/// one per slice of `quantization_dimension`, or (with block sizes) one per
/// block.
struct Quantization {
  ElementType storage_type = ElementType::I8;
  ElementType expressed_type = ElementType::F32;
  int64_t storage_min = -128, storage_max = 127;
  std::optional<int64_t> quantization_dimension;
  std::vector<int64_t> block_dimensions, block_sizes;
  std::vector<double> scales;
  std::vector<int64_t> zero_points;
  bool operator==(const Quantization &) const = default;
};

/// A ranked tensor. If `dims[i]` is kDynamic, `bounds[i]` is its upper bound,
/// or kDynamic for none; `bounds` may be empty.
struct TensorType {
  ElementType element = ElementType::F32;
  std::vector<int64_t> dims;
  std::vector<int64_t> bounds = {};
  std::shared_ptr<const Quantization> quantization = {};

  int64_t rank() const { return static_cast<int64_t>(dims.size()); }
  bool is_static() const;
  /// Product of the dims; empty if dynamic or above 2^63 - 1.
  std::optional<int64_t> element_count() const;
  /// element_count() times byte_size(element); empty in the same cases.
  std::optional<int64_t> byte_count() const;
  bool operator==(const TensorType &) const;
};

struct TokenType {
  bool operator==(const TokenType &) const = default;
};
struct TupleType;
/// The result type of async_start: a future of a list of values.
struct FutureType;

/// Any StableHLO value type.
class Type {
public:
  Type() : Type(TensorType{}) {}
  Type(TensorType tensor);
  Type(TokenType token);
  static Type tuple(std::vector<Type> elements);
  static Type future(std::vector<Type> elements);

  bool is_tensor() const { return kind_ == Kind::Tensor; }
  bool is_token() const { return kind_ == Kind::Token; }
  bool is_tuple() const { return kind_ == Kind::Tuple; }
  bool is_future() const { return kind_ == Kind::Future; }
  const TensorType &tensor() const {
    assert(is_tensor());
    return *tensor_;
  }
  /// Elements of a tuple or a future.
  const std::vector<Type> &elements() const;
  bool operator==(const Type &) const;

private:
  enum class Kind : uint8_t { Tensor, Token, Tuple, Future };
  Kind kind_;
  std::shared_ptr<const TensorType> tensor_;
  std::shared_ptr<const std::vector<Type>> elements_;
};

/// A result that may reuse an argument's buffer if the caller donates it.
struct AliasPair {
  uint32_t result = 0, argument = 0;
  bool operator==(const AliasPair &) const = default;
};

/// MLIR's text: "tensor<2x?xf32>", "!stablehlo.token", "tuple<…>".
std::string to_string(const Type &type);
std::string to_string(const TensorType &type);

} // namespace xlac
