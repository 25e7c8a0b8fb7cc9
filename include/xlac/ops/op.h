// The kinds of ops in programs and their properties from the op table:
// StableHLO, CHLO, and function calls and returns.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace xlac::ops {

// enum class OpKind, with one value per op ("Add", "DotGeneral", "ChloErf",
// "FuncCall"), and kOpKindCount.
#include "xlac/ops/op_kinds.inc"

/// The category of an op, used by fusion and scheduling.
enum class OpClass : uint8_t {
  Elementwise,
  Reduction,
  Movement,
  Contraction,
  Random,
  Collective,
  Control,
  Other,
};

/// The category of an operand or result. Any: a tensor, token, tuple or future.
enum class OperandCategory : uint8_t { Tensor, Token, Any };

struct OperandFacts {
  std::string_view name; ///< empty for most single results
  OperandCategory category;
  bool variadic; ///< stands for any number of values
  bool sizes;    ///< integers that give sizes of the result
};

struct OpFacts {
  std::string_view name; ///< "stablehlo.add"
  OpClass op_class;
  bool commutative;
  /// The result types follow from operands, attributes and regions.
  bool inferable;
  bool side_effects;
  bool terminator;
  bool has_attributes;
  int regions;
  bool variadic_regions;
  std::span<const OperandFacts> operands, results;
};

const OpFacts &facts(OpKind kind);

/// "stablehlo.add".
inline std::string_view op_name(OpKind kind) { return facts(kind).name; }
/// "add": the name without its dialect, as in messages.
std::string_view short_name(OpKind kind);

/// The kind with the name `name` ("stablehlo.add"); empty for other names.
std::optional<OpKind> find_op(std::string_view name);

} // namespace xlac::ops
