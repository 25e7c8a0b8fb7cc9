#include "xlac/ops/op.h"

#include <algorithm>
#include <array>

namespace xlac::ops {
namespace {

#include "op_facts.inc"

/// Kinds, sorted by name.
const std::array<OpKind, kOpKindCount> &kinds_by_name() {
  static const std::array<OpKind, kOpKindCount> kinds = [] {
    std::array<OpKind, kOpKindCount> list;
    for (size_t i = 0; i < list.size(); ++i)
      list[i] = static_cast<OpKind>(i);
    std::ranges::sort(list, {}, op_name);
    return list;
  }();
  return kinds;
}

} // namespace

const OpFacts &facts(OpKind kind) { return kFacts[static_cast<size_t>(kind)]; }

std::string_view short_name(OpKind kind) {
  std::string_view name = op_name(kind);
  return name.substr(name.find('.') + 1);
}

std::optional<OpKind> find_op(std::string_view name) {
  const auto &kinds = kinds_by_name();
  auto found = std::ranges::lower_bound(kinds, name, {}, op_name);
  if (found == kinds.end() || op_name(*found) != name)
    return std::nullopt;
  return *found;
}

} // namespace xlac::ops
