// Values and ops for the host tests.
#pragma once

#include "xlac/host/evaluate.h"

#include <gtest/gtest.h>

namespace xlac::host {

using Numbers = std::vector<double>;

inline TensorType tensor(ElementType element, std::vector<int64_t> dims) {
  return {element, std::move(dims), {}, {}};
}

/// Makes a parameter with these elements.
inline graph::Value argument(Literal literal) {
  return {graph::Node::make_parameter(Type(literal.type()),
                                      std::make_shared<HostData>(literal)),
          0};
}

inline graph::Value floats(TensorType type, const Numbers &values) {
  Literal literal = *Literal::allocate(std::move(type));
  store(literal, 0, literal.count(), values.data());
  return argument(std::move(literal));
}

inline graph::Value integers(TensorType type,
                             const std::vector<int64_t> &values) {
  Literal literal = *Literal::allocate(std::move(type));
  store(literal, 0, literal.count(), values.data());
  return argument(std::move(literal));
}

inline graph::Value make(ops::OpKind op, std::vector<graph::Value> operands,
                         TensorType type, ops::OpAttributes attributes = {},
                         std::vector<graph::Block> regions = {}) {
  return {graph::Node::make_op(op, std::move(attributes), std::move(operands),
                               {Type(std::move(type))}, std::move(regions)),
          0};
}

/// Returns the elements of `value`; empty if it cannot be evaluated.
inline Numbers run(const graph::Value &value) {
  Result<std::vector<Literal>> results = evaluate(std::span(&value, 1));
  EXPECT_TRUE(results) << (results ? "" : results.error().message);
  if (!results)
    return {};
  Numbers values((*results)[0].count());
  load((*results)[0], 0, (*results)[0].count(), values.data());
  return values;
}

} // namespace xlac::host
