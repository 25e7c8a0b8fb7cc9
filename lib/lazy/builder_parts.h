// Shared helpers of the builders in build.h: values of nodes, and regions.
#pragma once

#include "xlac/lazy/emit.h"
#include "xlac/types.h"

namespace xlac::build {

TensorType tensor_type(ElementType element, const Shape &dims);

/// The values as a vector; an initializer list would copy each.
template <class... Values> std::vector<Value> operand_list(Values... values) {
  std::vector<Value> list;
  list.reserve(sizeof...(values));
  (list.push_back(std::move(values)), ...);
  return list;
}

/// The first result of `node`.
Value single(graph::NodeRef node);
/// All results of `node`.
std::vector<Value> results_of(const graph::NodeRef &node);

const Shape &dims_of(const Value &value);

/// An argument of rank 0 for the body of a region.
Value parameter(ElementType element);

/// The region with these arguments that computes `results`. Nodes that do not
/// depend on the arguments stay outside and are captured.
graph::Block block(const std::vector<Value> &arguments,
                   std::vector<Value> results);

/// The region without arguments that computes `results` from the results of
/// `first`, its first node.
graph::Block block_from(const graph::NodeRef &first,
                        std::vector<Value> results);

/// The region (a, b) -> op(a, b) of reductions.
graph::Block folding_block(OpKind op, ElementType type);

} // namespace xlac::build
