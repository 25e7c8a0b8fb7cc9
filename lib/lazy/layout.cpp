#include "xlac/lazy/layout.h"

#include "xlac/support/raise.h"

#include <string_view>

namespace xlac::lazy {

using graph::Node;
using graph::NodeKind;

const Sharding &sharding_in(const Layout &layout) {
  static const Sharding replicated;
  return layout ? *layout : replicated;
}

/// The text before and after the sharding in a node's attributes.
static constexpr std::string_view kOpening = "{mhlo.sharding = \"",
                                  kClosing = "\"}";

std::optional<Sharding> asked_sharding(const Node &node) {
  if (node.kind() != NodeKind::Op || node.op() != ops::OpKind::CustomCall)
    return std::nullopt;
  std::string_view text = node.extra_attributes();
  if (!text.starts_with(kOpening) || !text.ends_with(kClosing))
    return std::nullopt;
  text.remove_prefix(kOpening.size());
  text.remove_suffix(kClosing.size());
  return unwrap(parse_sharding(text));
}

} // namespace xlac::lazy
