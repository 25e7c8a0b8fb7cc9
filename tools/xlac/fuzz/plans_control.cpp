#include "fuzz/plans.h"

#include <algorithm>

namespace xlac::fuzz {

using ops::OpKind;

namespace {

/// Adds a few ops, then picks a value of each type.
std::optional<Terms> body_of(Builder &b, const std::vector<Type> &results) {
  for (int64_t count = b.random.below(4); count > 0; --count)
    add_random_op(b);
  Terms terms;
  for (const Type &type : results)
    terms.push_back(b.like(type.tensor()));
  return terms;
}

std::vector<Type> some_types(Builder &b) {
  std::vector<Type> types;
  for (int64_t count = 1 + b.random.below(2); count > 0; --count)
    types.push_back(b.any().type());
  return types;
}

bool branch(Builder &b, const Plan &plan) {
  bool is_if = plan.kind == OpKind::If;
  Term chosen =
      b.like({is_if ? ElementType::I1 : ElementType::I32, {}, {}, {}});
  std::vector<Type> types = some_types(b);
  std::vector<graph::Block> regions;
  int64_t count = is_if ? 2 : 1 + b.random.below(3);
  for (int64_t i = 0; i < count; ++i) {
    auto region =
        b.region({}, false, [&](const Terms &) { return body_of(b, types); });
    if (!region)
      return false;
    regions.push_back(std::move(*region));
  }
  return b.add(plan.kind, {}, {chosen}, {}, std::move(regions)).has_value();
}

/// The condition of a loop: the first carried value is less than `limit`.
std::optional<graph::Block>
counts_to(Builder &b, const std::vector<Type> &types, int64_t limit) {
  return b.region(types, false, [&](const Terms &state) {
    ops::CompareAttributes attributes;
    attributes.comparison_direction = ops::ComparisonDirection::LT;
    return b.add(OpKind::Compare, attributes,
                 {state[0], b.constant(state[0].type(), limit)});
  });
}

/// A loop with a small constant trip count.
bool loop(Builder &b, const Plan &plan) {
  TensorType counter{ElementType::I32, {}, {}, {}};
  Terms operands{b.constant(counter, 0)};
  for (const Type &type : some_types(b)) {
    Term state = b.like(type.tensor());
    if (!state.checked.exact())
      return false;
    operands.push_back(state);
  }
  std::vector<Type> types;
  for (const Term &operand : operands)
    types.push_back(operand.type());
  auto condition = counts_to(b, types, b.random.below(5));
  auto body = b.region(types, false, [&](const Terms &state) {
    auto next = b.add(OpKind::Add, {}, {state[0], b.constant(counter, 1)});
    auto results = body_of(b, {types.begin() + 1, types.end()});
    if (next && results)
      results->insert(results->begin(), (*next)[0]);
    return next ? results : std::nullopt;
  });
  if (!condition || !body)
    return false;
  return b.add(plan.kind, {}, operands, {}, {*condition, *body}).has_value();
}

/// A recurrent layer: each iteration multiplies another slice of the inputs by
/// weights, or the same one, and adds the product to the state. The weights may
/// be a product themselves, of values that no iteration changes.
struct Recurrence {
  TensorType type; ///< of all values; without dimensions
  int64_t steps, rows, depth, columns, dim;
  bool is_reverse, is_fixed, keeps_dim, weights_first, mixes;

  TensorType of(Dims dims) const {
    return {type.element, std::move(dims), {}, {}};
  }
  Dims state() const {
    if (weights_first)
      return {columns, rows};
    return keeps_dim ? Dims{1, rows, columns} : Dims{rows, columns};
  }
};

std::optional<Terms> multiply(Builder &b, const Terms &factors,
                              int64_t left_dim, int64_t right_dim,
                              TensorType result) {
  ops::DotGeneralAttributes attributes;
  attributes.dot_dimension_numbers.lhs_contracting_dimensions = {left_dim};
  attributes.dot_dimension_numbers.rhs_contracting_dimensions = {right_dim};
  return b.add(OpKind::DotGeneral, attributes, factors, {std::move(result)});
}

/// The product of the iteration that `counter` numbers.
std::optional<Terms> step_product(Builder &b, const Recurrence &r,
                                  const Term &counter, const Term &inputs,
                                  Term weights, const Term &mixing) {
  std::optional<Terms> index =
      Terms{r.is_fixed ? b.constant(counter.type(), 1) : counter};
  if (r.is_reverse)
    index = b.add(OpKind::Subtract, {},
                  {b.constant(counter.type(), r.steps - 1), index->front()});
  if (r.mixes) {
    auto mixed =
        multiply(b, {weights, mixing}, 1, 0, r.of({r.depth, r.columns}));
    if (!mixed)
      return std::nullopt;
    weights = mixed->front();
  }
  if (!index)
    return std::nullopt;
  Term zero = b.constant(counter.type(), 0);
  Terms operands{inputs, zero, zero, zero};
  operands[1 + static_cast<size_t>(r.dim)] = index->front();
  ops::DynamicSliceAttributes attributes;
  attributes.slice_sizes = inputs.type().dims;
  attributes.slice_sizes[static_cast<size_t>(r.dim)] = 1;
  auto slice = b.add(OpKind::DynamicSlice, attributes, operands);
  if (slice && !r.keeps_dim)
    slice = b.add(OpKind::Reshape, {}, *slice, {r.of({r.rows, r.depth})});
  if (!slice)
    return std::nullopt;
  Term x = slice->front();
  int64_t last = x.type().rank() - 1;
  return r.weights_first ? multiply(b, {weights, x}, 0, last, r.of(r.state()))
                         : multiply(b, {x, weights}, last, 0, r.of(r.state()));
}

bool recurrence(Builder &b, const Plan &plan) {
  static constexpr int64_t kSizes[] = {1, 3, 4, 8, 17, 40};
  TensorType counter{ElementType::I32, {}, {}, {}};
  ElementType element =
      b.random.chance(50) ? ElementType::I32 : ElementType::I64;
  Recurrence r{.type = {element, {}, {}, {}},
               .steps = 4 + b.random.below(5),
               .rows = b.random.pick(kSizes),
               .depth = b.random.pick(kSizes),
               .columns = b.random.pick(kSizes),
               .dim = b.random.below(3),
               .is_reverse = b.random.chance(30),
               .is_fixed = b.random.chance(20),
               .keeps_dim = false,
               .weights_first = b.random.chance(30),
               .mixes = b.random.chance(40)};
  r.keeps_dim = r.dim == 0 && !r.weights_first && b.random.chance(30);
  Dims shape{r.rows, r.depth};
  shape.insert(shape.begin() + r.dim, r.steps);
  Terms operands{b.constant(counter, 0)};
  std::vector<Type> types{counter};
  for (const Dims &dims : {shape, Dims{r.depth, r.columns},
                           Dims{r.columns, r.columns}, r.state()}) {
    operands.push_back(b.fresh(r.of(dims), ValueKind::SmallIntegers));
    types.emplace_back(r.of(dims));
  }
  auto condition = counts_to(b, types, r.steps - b.random.below(3));
  auto body =
      b.region(types, false, [&](const Terms &all) -> std::optional<Terms> {
        auto next = b.add(OpKind::Add, {}, {all[0], b.constant(counter, 1)});
        auto product = step_product(b, r, all[0], all[1], all[2], all[3]);
        auto sum = product ? b.add(OpKind::Add, {}, {all[4], product->front()})
                           : std::nullopt;
        if (!next || !sum)
          return std::nullopt;
        return Terms{next->front(), all[1], all[2], all[3], sum->front()};
      });
  return condition && body &&
         b.add(plan.kind, {}, operands, {}, {*condition, *body});
}

bool map(Builder &b, const Plan &plan) {
  Term x = b.any(kBooleans | kIntegers | kFloats);
  if (!x.checked.exact())
    return false;
  Terms operands{x};
  if (b.random.chance(50))
    operands.push_back(b.like(x.type()));
  std::vector<Type> arguments;
  for (const Term &operand : operands)
    arguments.push_back(TensorType{operand.element(), {}, {}, {}});
  ops::MapAttributes attributes;
  for (int64_t i = 0; i < x.type().rank(); ++i)
    attributes.dimensions.push_back(i);
  auto body = b.region(arguments, true, [&](const Terms &all) {
    static constexpr OpKind kKinds[] = {OpKind::Maximum, OpKind::Minimum,
                                        OpKind::Add};
    return b.add(b.random.pick(kKinds), {}, {all[0], all.back()});
  });
  if (!body)
    return false;
  return b.add(plan.kind, attributes, operands, {}, {*body}).has_value();
}

/// The body of a scan: each carried value is combined with a slice, and each
/// output is one of the values.
std::optional<Terms> scan_body(Builder &b, const Terms &all, size_t inputs) {
  Terms carries;
  for (size_t i = inputs; i < all.size(); ++i) {
    const Term &slice = all[i - inputs];
    OpKind kind = is_boolean(slice.element()) || b.random.chance(50)
                      ? OpKind::Maximum
                      : OpKind::Add;
    auto next = b.add(kind, {}, {all[i], slice});
    if (!next)
      return std::nullopt;
    carries.push_back((*next)[0]);
  }
  if (b.random.chance(30))
    add_random_op(b);
  Terms results;
  for (int64_t outputs = b.random.below(3); outputs > 0; --outputs)
    results.push_back(b.random.chance(60) ? b.random.pick(carries)
                                          : b.random.pick(all));
  results.insert(results.end(), carries.begin(), carries.end());
  return results;
}

bool scan(Builder &b, const Plan &plan) {
  Terms operands{b.any(plan.elements, 1)};
  TensorType type = operands[0].type();
  if (b.random.chance(40))
    operands.push_back(b.like({b.element(plan.elements), type.dims, {}, {}}));
  size_t inputs = operands.size(), carries = 1 + b.random.below(inputs);
  ops::ChloScanAttributes attributes;
  attributes.dimension = static_cast<int64_t>(b.random.below(type.dims.size()));
  attributes.is_reverse = b.random.chance(40);
  type.dims.erase(type.dims.begin() + attributes.dimension);
  std::vector<Type> arguments;
  for (size_t i = 0; i < inputs + carries; ++i) {
    type.element = operands[i % inputs].element();
    arguments.push_back(type);
    if (i >= inputs)
      operands.push_back(b.like(type));
  }
  for (const Term &operand : operands)
    if (!operand.checked.exact())
      return false;
  auto body = b.region(arguments, true, [&](const Terms &all) {
    return scan_body(b, all, inputs);
  });
  if (!body)
    return false;
  auto count = [](size_t size) { return static_cast<int32_t>(size); };
  attributes.operandSegmentSizes = {count(inputs), count(carries)};
  attributes.resultSegmentSizes = {count(body->results.size() - carries),
                                   count(carries)};
  return b.add(plan.kind, attributes, operands, {}, {*body}).has_value();
}

/// A function of a few ops. It is called once or several times, also from
/// regions and other functions. Alternatively it is the decomposition of a
/// composite that the compiler does not know.
bool call(Builder &b, const Plan &plan) {
  bool is_composite = b.random.chance(40);
  if (!is_composite && !b.callable.empty() && b.random.chance(40)) {
    graph::FunctionRef again = b.random.pick(b.callable);
    Terms operands;
    for (const graph::NodeRef &argument : again->body.arguments)
      operands.push_back(b.like(argument->types()[0].tensor()));
    return b.call(again, operands).has_value();
  }
  Terms operands{b.any(), b.any()};
  std::vector<Type> types, results;
  for (const Term &operand : operands) {
    if (!operand.checked.exact())
      return false;
    types.push_back(operand.type());
  }
  results.push_back(types[b.random.below(2)]);
  auto function =
      b.function(types, [&](const Terms &) { return body_of(b, results); });
  if (!function)
    return false;
  b.callable.push_back(*function);
  if (!is_composite)
    return b.call(*function, operands).has_value();
  ops::CompositeAttributes attributes;
  attributes.name = "fuzz.composite";
  attributes.decomposition.name = (*function)->name;
  return b.add(plan.kind, attributes, operands, results, {}, {*function})
      .has_value();
}

constexpr Plan kControlPlans[] = {
    {OpKind::If, 10, branch},
    {OpKind::Case, 10, branch},
    {OpKind::While, 12, loop},
    {OpKind::While, 4, recurrence},
    {OpKind::Map, 5, map},
    {OpKind::Composite, 14, call},
    {OpKind::ChloScan, 8, scan, kBooleans | kIntegers | kFloats},
};

} // namespace

std::span<const Plan> control_plans() { return kControlPlans; }

} // namespace xlac::fuzz
