// CHLO's broadcasting ops: broadcasts the operands to the result's shape, then
// evaluates the base op.
#include "op_context.h"

#include <string>

namespace xlac::ops {
namespace {
#include "xlac/ops/op_dispatch.inc"
} // namespace
} // namespace xlac::ops

namespace xlac::host {

using ops::OpKind;

std::optional<OpKind> without_broadcasting(OpKind op) {
  constexpr std::string_view prefix = "chlo.broadcast_";
  std::string_view name = ops::op_name(op);
  if (name.substr(0, prefix.size()) != prefix)
    return std::nullopt;
  std::string base(name.substr(prefix.size()));
  auto found = ops::find_op("stablehlo." + base);
  return found ? found : ops::find_op("chlo." + base);
}

/// The `broadcast_dimensions` of any op.
static std::optional<Dims> dimensions_of(const OpContext &context) {
  std::optional<Dims> found;
  ops::dispatch(context.node.op(), [&](auto type) {
    const auto &attributes =
        context.attributes<typename decltype(type)::type>();
    if constexpr (requires { attributes.broadcast_dimensions; })
      found = attributes.broadcast_dimensions;
  });
  return found;
}

Result<Literals> evaluate_broadcasting(OpContext &context) {
  std::optional<Dims> dimensions = dimensions_of(context);
  const Dims &dims = context.result().dims;
  Literals operands;
  for (const Literal &from : context.operands) {
    size_t rank = from.type().dims.size();
    Dims mapping;
    if (dimensions && rank < dims.size())
      mapping = *dimensions;
    else
      for (size_t i = 0; i < rank; ++i)
        mapping.push_back(static_cast<int64_t>(dims.size() - rank + i));
    Result<Literal> repeated =
        broadcast_to(from, {from.type().element, dims, {}, {}}, mapping);
    if (!repeated)
      return repeated.error();
    operands.push_back(std::move(*repeated));
  }
  ops::OpAttributes attributes;
  if (context.node.op() == OpKind::ChloBroadcastCompare) {
    const auto &own = context.attributes<ops::ChloBroadcastCompareAttributes>();
    ops::CompareAttributes plain;
    plain.comparison_direction = own.comparison_direction;
    plain.compare_type = own.compare_type;
    attributes = plain;
  }
  graph::NodeRef plain = graph::Node::make_op(
      *without_broadcasting(context.node.op()), attributes, {},
      {context.node.types().begin(), context.node.types().end()});
  OpContext inner{*plain, operands, context.results, context.regions};
  return evaluate_elementwise(inner);
}

} // namespace xlac::host
