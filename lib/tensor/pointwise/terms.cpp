#include "xlac/tensor/terms.h"

#include "xlac/tensor/formulas.h"

#include <limits>

namespace xlac::frontend {

//===- Terms --------------------------------------------------------------===//

Term Term::like(const Scalar &number) const {
  return {build::constant(type(), dims(), number)};
}

Term Term::to(ElementType type) const { return {build::convert(value, type)}; }

Term apply(OpKind op, const Term &x) { return {build::unary(op, x.value)}; }

Term apply(OpKind op, const Term &x, const Term &y) {
  return {build::binary(op, x.value, y.value)};
}

Term compare(ops::ComparisonDirection direction, const Term &x, const Term &y) {
  return {build::compare(direction, x.value, y.value)};
}

Term select(const Term &condition, const Term &on_true, const Term &on_false) {
  return {build::select(condition.value, on_true.value, on_false.value)};
}

Term is_nan(const Term &x) { return x != x; }

Term held(const Term &x) { return {held(x.value)}; }

Term truncated(const Term &x) { return select(x < 0, ceil(x), floor(x)); }

Term has_sign_bit(const Term &x) {
  ElementType bits = byte_size(x.type()) == 2   ? ElementType::I16
                     : byte_size(x.type()) == 4 ? ElementType::I32
                                                : ElementType::I64;
  return Term{build::bitcast_convert(x.value, bits)} < 0;
}

//===- Operands -----------------------------------------------------------===//

namespace {

Shape joined_shape(std::initializer_list<Argument> operands) {
  Shape joined;
  for (const Argument *a = operands.begin(); a != operands.end(); ++a) {
    if (!a->tensor)
      continue;
    for (const Argument *b = operands.begin(); b != a; ++b)
      if (b->tensor)
        broadcast_shapes(*b->tensor, *a->tensor);
    const Shape &sizes = impl_of(*a->tensor).sizes;
    if (sizes.size() > joined.size())
      joined.insert(joined.begin(), sizes.size() - joined.size(), 1);
    size_t lead = joined.size() - sizes.size();
    for (size_t i = 0; i < sizes.size(); ++i)
      if (sizes[i] != 1)
        joined[lead + i] = sizes[i];
  }
  return joined;
}

/// Returns the sizes of the tensors among `operands`; null when they differ.
const Shape *shared_shape(std::initializer_list<Argument> operands) {
  const Shape *shared = nullptr;
  for (const Argument &operand : operands) {
    if (!operand.tensor)
      continue;
    const Shape &sizes = impl_of(*operand.tensor).sizes;
    if (shared && sizes != *shared)
      return nullptr;
    shared = &sizes;
  }
  return shared;
}

Device joined_device(std::initializer_list<Argument> operands) {
  DeviceJoin join;
  for (const Argument &operand : operands)
    if (operand.tensor)
      join.add(*operand.tensor);
  return join.get();
}

Dtype as_float(Dtype dtype) {
  return lazy::category(dtype) < 2 ? get_default_dtype() : dtype;
}

[[noreturn]] void reject(Dtype dtype) {
  raise<DtypeError>("not implemented for '" + lazy::legacy_name(dtype) + "'");
}

} // namespace

Dtype result_dtype(std::initializer_list<Argument> operands) {
  lazy::ResultType type;
  for (const Argument &operand : operands) {
    if (operand.number)
      type.add(*operand.number);
    else
      type.add(impl_of(*operand.tensor).dtype,
               !impl_of(*operand.tensor).sizes.empty());
  }
  return type.get();
}

Term Joined::number(const Scalar &number) const {
  const Term &first = terms.front();
  Dtype held = lazy::dtype_of_element(first.type()).value_or(dtype);
  return {
      build::broadcast_to(number_value(number, held, device), first.dims())};
}

Joined join_as(std::initializer_list<Argument> operands, Dtype dtype) {
  Joined joined{{}, joined_device(operands), dtype};
  Shape broadcast;
  const Shape *sizes = shared_shape(operands);
  if (!sizes) {
    broadcast = joined_shape(operands);
    sizes = &broadcast;
  }
  joined.terms.reserve(operands.size());
  for (const Argument &operand : operands) {
    Value value = operand.number
                      ? number_value(*operand.number, dtype, joined.device)
                      : value_on(*operand.tensor, joined.device, dtype);
    joined.terms.push_back({build::broadcast_to(std::move(value), *sizes)});
  }
  return joined;
}

Joined join(std::initializer_list<Argument> operands) {
  return join_as(operands, result_dtype(operands));
}

Joined join_floats(std::initializer_list<Argument> operands) {
  return join_as(operands, as_float(result_dtype(operands)));
}

Joined widened(Joined joined) {
  if (joined.dtype == kFloat16 || joined.dtype == kBFloat16)
    for (Term &term : joined.terms)
      term = term.to(ElementType::F32);
  return joined;
}

Joined join_wide(std::initializer_list<Argument> operands) {
  return widened(join_floats(operands));
}

Tensor finish(const Joined &joined, const Term &result) {
  return finish(joined, result, joined.dtype);
}

Tensor finish(const Joined &joined, const Term &result, Dtype dtype) {
  return finish(build::convert(result.value, lazy::element_type(dtype)),
                joined.device, dtype);
}

//===- Checks of operands -------------------------------------------------===//

void reject_complex(const Tensor &tensor) {
  if (is_complex(impl_of(tensor).dtype))
    reject(impl_of(tensor).dtype);
}

void reject_bool(const Tensor &tensor) {
  if (impl_of(tensor).dtype == kBool)
    reject(kBool);
}

void need_real_float(const Tensor &tensor) {
  if (!is_floating_point(impl_of(tensor).dtype))
    reject(impl_of(tensor).dtype);
}

void need_float(const Tensor &tensor) {
  if (lazy::category(impl_of(tensor).dtype) < 2)
    reject(impl_of(tensor).dtype);
}

} // namespace xlac::frontend
