// The kinds of ops a program may hold and the facts that the op table gives of
// each: StableHLO, CHLO, and the calls and returns of functions.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace xlac::ops {

// enum class OpKind, one value an op ("Add", "DotGeneral", "ChloErf",
// "FuncCall"), and kOpKindCount.
#include "xlac/ops/op_kinds.inc"

/// What an op does to its data; what fusion and scheduling ask first.
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

/// What an operand or result may be. Any: a tensor, token, tuple or future.
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
  /// Operands, attributes and regions alone give the result types.
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
/// "add": the name without its dialect, as messages have it.
std::string_view short_name(OpKind kind);

/// The kind that `name` ("stablehlo.add") spells, or nothing.
std::optional<OpKind> find_op(std::string_view name);

} // namespace xlac::ops
