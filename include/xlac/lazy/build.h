// Makes graph nodes: one function a StableHLO op, with result types worked out
// and the origin of the running public call attached. Callers have checked
// shapes; what slips through fails in the op's shape rule, as an exception.
#pragma once

#include "xlac/graph/node.h"
#include "xlac/types.h"

#include <functional>

namespace xlac::build {

using graph::Value;
using ops::OpKind;

/// Any op: its shape rule checks the operands; results have the `declared`
/// types where the caller gives them, else those of the rule.
graph::NodeRef emit(OpKind op, ops::OpAttributes attributes,
                    std::vector<Value> operands,
                    std::vector<Type> declared = {},
                    std::vector<graph::Block> regions = {},
                    std::vector<graph::FunctionRef> callees = {});

/// A splat of `number` converted to the element type.
Value constant(ElementType type, const Shape &dims, const Scalar &number);
/// A list of whole numbers.
Value constant(const std::vector<int64_t> &numbers);
Value iota(ElementType type, const Shape &dims, int64_t dim);

Value unary(OpKind op, Value operand);
Value binary(OpKind op, Value lhs, Value rhs);
Value compare(ops::ComparisonDirection direction, Value lhs, Value rhs);
Value select(Value predicate, Value on_true, Value on_false);
/// `operand` itself when it has the type already; to i1 means "is not 0".
Value convert(Value operand, ElementType type);

Value reshape(Value operand, const Shape &dims);
Value transpose(Value operand, const Shape &permutation);
Value broadcast_in_dim(Value operand, const Shape &dims, const Shape &mapping);
/// Trailing dimensions meet, size 1 stretches, as PyTorch broadcasts.
Value broadcast_to(Value operand, const Shape &dims);
Value slice(Value operand, const Shape &starts, const Shape &limits,
            const Shape &steps);
Value pad(Value operand, Value filler, const Shape &low, const Shape &high,
          const Shape &interior);
Value dynamic_update_slice(Value operand, Value update, const Shape &starts);
Value concatenate(std::vector<Value> operands, int64_t dim);

/// Folds `dims` with one op, starting from `init`.
Value reduce(OpKind op, Value operand, Value init, const Shape &dims);
/// The greatest elements along `dim` and where they stand: the first of equal
/// ones, NaN before all.
std::pair<Value, Value> reduce_max_with_index(Value operand, int64_t dim);
Value dot_general(Value lhs, Value rhs, const Shape &lhs_batch,
                  const Shape &rhs_batch, const Shape &lhs_contracting,
                  const Shape &rhs_contracting);

/// A stablehlo.composite `name` with the whole-number attribute `dim`, whose
/// decomposition `body` computes from the operands.
Value composite(const std::string &name, int64_t dim,
                std::vector<Value> operands,
                const std::function<Value(const std::vector<Value> &)> &body);

} // namespace xlac::build
