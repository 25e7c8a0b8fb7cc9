#include "fuzz/bodies.h"

namespace xlac::fuzz {

using ops::OpKind;

static Type scalar(ElementType element) {
  return TensorType{element, {}, {}, {}};
}

/// Returns an op that may combine elements of that type in any order.
static OpKind combining_op(Builder &b, ElementType element,
                           bool floats_exactly) {
  using enum OpKind;
  static constexpr OpKind kOrdered[] = {Maximum, Minimum};
  static constexpr OpKind kFloat[] = {Add, Maximum, Minimum, Add, Multiply};
  static constexpr OpKind kBoolean[] = {Or, And, Xor, Maximum};
  static constexpr OpKind kInteger[] = {Add, Maximum, Minimum, Multiply,
                                        And, Or,      Xor};
  if (is_complex(element))
    return Add;
  if (is_float(element))
    return floats_exactly ? b.random.pick(kOrdered) : b.random.pick(kFloat);
  return is_boolean(element) ? b.random.pick(kBoolean)
                             : b.random.pick(kInteger);
}

std::optional<graph::Block> simple_body(Builder &builder, ElementType element) {
  OpKind kind = combining_op(builder, element, false);
  bool swapped = builder.random.chance(20);
  return builder.region({scalar(element), scalar(element)}, true,
                        [&](const Terms &arguments) {
                          Terms operands = arguments;
                          if (swapped)
                            std::swap(operands[0], operands[1]);
                          return builder.add(kind, {}, operands);
                        });
}

std::optional<graph::Block> sum_body(Builder &builder, ElementType element) {
  return builder.region({scalar(element), scalar(element)}, true,
                        [&](const Terms &arguments) {
                          return builder.add(OpKind::Add, {}, arguments);
                        });
}

/// Returns (value, index) of the larger value, or of the lower index for equal
/// values.
static std::optional<Terms> larger_with_place(Builder &b, const Terms &x,
                                              const Terms &y) {
  using ops::ComparisonDirection;
  auto compare = [&](const Term &a, const Term &c, ComparisonDirection how) {
    ops::CompareAttributes attributes;
    attributes.comparison_direction = how;
    return b.add(OpKind::Compare, attributes, {a, c});
  };
  auto larger = compare(x[0], y[0], ComparisonDirection::GT);
  auto equal = compare(x[0], y[0], ComparisonDirection::EQ);
  auto lower = compare(x[1], y[1], ComparisonDirection::LT);
  if (!larger || !equal || !lower)
    return std::nullopt;
  auto tie = b.add(OpKind::And, {}, {(*equal)[0], (*lower)[0]});
  auto first = b.add(OpKind::Or, {}, {(*larger)[0], (*tie)[0]});
  auto value = b.add(OpKind::Select, {}, {(*first)[0], x[0], y[0]});
  auto place = b.add(OpKind::Select, {}, {(*first)[0], x[1], y[1]});
  if (!value || !place)
    return std::nullopt;
  return Terms{(*value)[0], (*place)[0]};
}

std::optional<graph::Block>
several_body(Builder &builder, const std::vector<ElementType> &elements) {
  size_t count = elements.size();
  std::vector<Type> types;
  for (int side = 0; side < 2; ++side)
    for (ElementType element : elements)
      types.push_back(scalar(element));
  bool with_place = count == 2 && is_integer(elements[0]) &&
                    is_integer(elements[1]) && builder.random.chance(60);
  std::vector<OpKind> kinds;
  for (ElementType element : elements)
    kinds.push_back(combining_op(builder, element, true));
  return builder.region(
      types, true, [&](const Terms &all) -> std::optional<Terms> {
        if (with_place)
          return larger_with_place(builder, {all[0], all[1]}, {all[2], all[3]});
        Terms results;
        for (size_t i = 0; i < count; ++i) {
          auto one = builder.add(kinds[i], {}, {all[i], all[count + i]});
          if (!one)
            return std::nullopt;
          results.push_back((*one)[0]);
        }
        return results;
      });
}

std::optional<graph::Block> replacing_body(Builder &builder,
                                           ElementType element) {
  return builder.region({scalar(element), scalar(element)}, true,
                        [](const Terms &arguments) {
                          return std::optional(Terms{arguments[1]});
                        });
}

std::optional<graph::Block>
comparing_body(Builder &builder, const std::vector<ElementType> &arguments,
               ops::ComparisonDirection direction, bool total_order) {
  std::vector<Type> types;
  for (ElementType element : arguments)
    types.push_back(scalar(element));
  ops::CompareAttributes attributes;
  attributes.comparison_direction = direction;
  if (total_order)
    attributes.compare_type = ops::ComparisonType::TOTALORDER;
  return builder.region(types, true, [&](const Terms &all) {
    return builder.add(OpKind::Compare, attributes, {all[0], all[1]});
  });
}

} // namespace xlac::fuzz
