#include "xlac/tensor/access.h"

#include "xlac/host/evaluate.h"
#include "xlac/lazy/device_data.h"
#include "xlac/lazy/devices.h"
#include "xlac/lazy/execute.h"
#include "xlac/lazy/host_values.h"
#include "xlac/lazy/storage.h"
#include "xlac/lazy/view_step.h"
#include "xlac/lazy/view_write.h"
#include "xlac/support/block_pool.h"
#include "xlac/tensor/constant_numbers.h"
#include "xlac/tensor/operand_values.h"
#include "xlac/tensor/traced_body.h"

#include <algorithm>
#include <sstream>
#include <tuple>

namespace xlac::frontend {

TensorImpl &impl_of(const Tensor &tensor) {
  if (!tensor.defined())
    raise<ValueError>("tensor is undefined");
  return *TensorAccess::impl(tensor);
}

std::string to_text(const Shape &sizes) {
  std::ostringstream text;
  text << sizes;
  return text.str();
}

/// XLA's short names: "pred", "s64", "c64".
static std::string short_name(Dtype dtype) {
  switch (dtype) {
  case kBool:
    return "pred";
  case kUInt8:
    return "u8";
  case kUInt16:
    return "u16";
  case kUInt32:
    return "u32";
  case kUInt64:
    return "u64";
  case kFloat16:
    return "f16";
  case kBFloat16:
    return "bf16";
  case kFloat32:
    return "f32";
  case kFloat64:
    return "f64";
  case kComplex64:
    return "c64";
  case kComplex128:
    return "c128";
  case kFloat8_e5m2:
  case kFloat8_e4m3fn:
  case kFloat8_e5m2fnuz:
  case kFloat8_e4m3fnuz:
  case kFloat8_e8m0fnu:
    return std::string(element_type_name(lazy::element_type(dtype)));
  default:
    return "s" + std::to_string(8 * element_size(dtype));
  }
}

static std::string describe(const TensorImpl &impl) {
  std::string text = short_name(impl.dtype) + "[";
  for (size_t i = 0; i < impl.sizes.size(); ++i)
    text += (i ? "," : "") + std::to_string(impl.sizes[i]);
  return text + "]";
}

std::string describe(const Tensor &tensor) { return describe(impl_of(tensor)); }

int64_t wrap_dim(int64_t dim, int64_t rank) {
  int64_t range = std::max<int64_t>(rank, 1);
  if (dim < -range || dim >= range)
    raise<IndexError>("Dimension out of range (expected to be in range of [" +
                      std::to_string(-range) + ", " +
                      std::to_string(range - 1) + "], but got " +
                      std::to_string(dim) + ")");
  return dim < 0 ? dim + range : dim;
}

//===- Devices ------------------------------------------------------------===//

void DeviceJoin::add(const Tensor &tensor) {
  const TensorImpl &impl = impl_of(tensor);
  if (impl.device().type == kCPU) {
    if (!impl.sizes.empty() && !on_cpu_)
      on_cpu_ = &impl;
    return;
  }
  if (on_xla_ && !(on_xla_->device() == impl.device()))
    raise<DeviceError>("expected all tensors to be on the same device, found " +
                       on_xla_->device().str() + " and " + impl.device().str());
  on_xla_ = &impl;
}

Device DeviceJoin::get() const {
  if (!on_xla_)
    return Device(kCPU);
  if (on_cpu_)
    raise<DeviceError>("Input tensor is not an XLA tensor: torch." +
                       lazy::legacy_name(on_cpu_->dtype) + "Tensor (" +
                       describe(*on_cpu_) + " on cpu, others on " +
                       on_xla_->device().str() + ")");
  return on_xla_->device();
}

Device common_device(std::initializer_list<const Tensor *> tensors) {
  DeviceJoin join;
  for (const Tensor *tensor : tensors)
    if (tensor->defined())
      join.add(*tensor);
  return join.get();
}

Device common_device(const std::vector<Tensor> &tensors) {
  DeviceJoin join;
  for (const Tensor &tensor : tensors)
    join.add(tensor);
  return join.get();
}

Device device_of(const TensorOptions &options) {
  return lazy::resolve(options.device());
}

//===- Values -------------------------------------------------------------===//

/// Records that the running call fetched `value` for `tensor`. Returns the
/// value that the call uses; no other tensor of the call has it.
static Value add_operand(const std::shared_ptr<TensorImpl> &tensor,
                         Value value) {
  if (!is_recording())
    return value;
  value = value_in_bodies(tensor, std::move(value));
  if (!is_call_running())
    return value;
  for (const Operand &noted : recorded_operands()) {
    if (!(noted.value == value))
      continue;
    if (noted.tensor == tensor)
      return value;
    // Two tensors, such as x and x.detach(), may hold one value.
    value = make_distinct(value);
    break;
  }
  note_exactly({tensor, value});
  return value;
}

Value value_on(const Tensor &tensor, Device device) {
  TensorImpl &impl = impl_of(tensor);
  Value value = impl.value();
  if (!(impl.device() == device))
    value =
        lazy::device_value(device.index, lazy::evaluate_on_host({value})[0]);
  return add_operand(TensorAccess::impl(tensor), std::move(value));
}

Value value_on(const Tensor &tensor, Device device, Dtype dtype) {
  return build::convert(value_on(tensor, device), lazy::element_type(dtype));
}

host::Literal elements_of(const Tensor &tensor) {
  TensorImpl &impl = impl_of(tensor);
  Value value = impl.value(), computed;
  if (impl.device().type == kCPU)
    return lazy::host_literal(value);
  host::Literal literal =
      lazy::materialize(impl.device().index, value, &computed);
  if (!(computed == value))
    impl.materialize_into(value, std::move(computed));
  return literal;
}

host::Literal element_of(const Tensor &tensor) {
  TensorImpl &impl = impl_of(tensor);
  bool is_view = impl.device().type == kXLA && !impl.steps.empty();
  if (!is_view || impl.storage->layout())
    return elements_of(tensor);
  // Steps that reinterpret bytes need the bytes of the tensor's own type.
  bool stored = std::none_of(impl.steps.begin(), impl.steps.end(),
                             [](const auto &step) { return step.dtype; });
  Value whole = impl.storage->value(), computed;
  auto *read = stored ? lazy::materialize_stored : lazy::materialize;
  host::Literal literal = read(impl.device().index, whole, &computed);
  if (!(computed == whole))
    impl.storage->materialize_into(whole, std::move(computed));
  Value value = lazy::host_value(std::move(literal));
  for (const lazy::ViewStep &step : impl.steps)
    value = step.apply(value);
  value = build::convert(value, lazy::element_type(impl.dtype));
  return unwrap(host::evaluate({&value, 1}))[0];
}

std::vector<Value> computed_values(int device,
                                   const std::vector<Tensor> &tensors) {
  std::vector<Value> asked;
  for (const Tensor &tensor : tensors)
    asked.push_back(impl_of(tensor).value());
  std::vector<Value> computed = lazy::compute(device, asked);
  for (size_t i = 0; i < computed.size(); ++i)
    if (!(computed[i] == asked[i]))
      impl_of(tensors[i]).materialize_into(asked[i], computed[i]);
  return computed;
}

static thread_local bool numbers_are_constants = false;

ConstantNumbers::ConstantNumbers()
    : before_(std::exchange(numbers_are_constants, true)) {}
ConstantNumbers::~ConstantNumbers() { numbers_are_constants = before_; }

static bool is_part_of_program(const Scalar &number) {
  if (numbers_are_constants)
    return true;
  auto value = number.to<std::complex<double>>();
  return value == 0.0 || value == 1.0 || value == -1.0;
}

Value number_value(const Scalar &number, Dtype dtype, Device device) {
  ElementType type = lazy::element_type(dtype);
  Value constant = build::constant(type, {}, number);
  if (device.type == kCPU || is_part_of_program(number))
    return constant;
  return lazy::device_value(device.index,
                            lazy::evaluate_on_host({constant})[0]);
}

static Tensor wrap(Value held, Device device, Dtype dtype) {
  Shape sizes = held.tensor().dims;
  return TensorAccess::wrap(std::allocate_shared<TensorImpl>(
      PoolAllocator<TensorImpl>(), lazy::Storage::make(device, std::move(held)),
      dtype, std::move(sizes)));
}

std::vector<Tensor> wrap_all(const std::vector<Value> &values, Device device,
                             const std::vector<Dtype> &dtypes) {
  std::vector<Value> held = values;
  if (device.type == kCPU) {
    std::vector<host::Literal> computed = lazy::evaluate_on_host(values);
    for (size_t i = 0; i < held.size(); ++i)
      held[i] = lazy::host_value(std::move(computed[i]));
  }
  std::vector<Tensor> results;
  std::vector<std::shared_ptr<lazy::Storage>> storages;
  for (size_t i = 0; i < held.size(); ++i) {
    results.push_back(wrap(std::move(held[i]), device, dtypes[i]));
    storages.push_back(impl_of(results.back()).storage);
  }
  if (device.type == kXLA)
    lazy::count_recorded(storages);
  return results;
}

/// Whether the results of the running call require a gradient.
static bool is_followed() {
  return is_recording() && recorder() && any_requires_grad(recorded_operands());
}

std::vector<Tensor> finish_all(std::vector<Value> values, Device device,
                               const std::vector<Dtype> &dtypes) {
  std::vector<Tensor> results = wrap_all(values, device, dtypes);
  if (is_followed())
    recorder()->record(recorded_operands(), values, results);
  return results;
}

Tensor finish(Value value, Device device, Dtype dtype) {
  // Almost every operation ends here, so a single result allocates no lists.
  Value recorded = is_followed() ? value : Value();
  if (device.type == kCPU)
    value = lazy::host_value(lazy::evaluate_on_host({value})[0]);
  Tensor result = wrap(std::move(value), device, dtype);
  if (device.type == kXLA)
    lazy::count_recorded({&impl_of(result).storage, 1});
  if (recorded)
    recorder()->record(recorded_operands(), {&recorded, 1}, {&result, 1});
  return result;
}

Tensor make_view(const Tensor &base, lazy::ViewStep step, Shape strides,
                 int64_t offset) {
  Tensor view =
      TensorAccess::wrap(impl_of(base).view(step, std::move(strides), offset));
  if (is_recording() && recorder())
    recorder()->record_view(base, step, view);
  return view;
}

std::vector<Tensor> views_of_one_call(std::vector<Tensor> views) {
  if (is_recording() && recorder() && !views.empty() &&
      impl_of(views[0]).needs_grad())
    recorder()->add_operands(views);
  return views;
}

static bool are_same(const lazy::ViewStep &a, const lazy::ViewStep &b) {
  auto fields = [](const lazy::ViewStep &s) {
    return std::tie(s.kind, s.before, s.after, s.permutation, s.starts,
                    s.limits, s.steps, s.strides, s.dim, s.other_dim, s.offset,
                    s.length, s.dtype);
  };
  return fields(a) == fields(b);
}

/// Returns the view steps from `whole` to its view `impl`.
static std::span<const lazy::ViewStep> steps_from(const TensorImpl &whole,
                                                  const TensorImpl &impl) {
  if (impl.steps.size() < whole.steps.size() ||
      !std::equal(whole.steps.begin(), whole.steps.end(), impl.steps.begin(),
                  are_same))
    raise<UnsupportedError>("writing with gradients through a view whose base "
                            "was itself made a view since is not implemented");
  return std::span(impl.steps).subspan(whole.steps.size());
}

/// Returns `value` after replacing operands that share `memory` by copies,
/// since `memory` is about to be overwritten.
static Value kept_value(std::vector<Operand> &operands, Value value,
                        const host::Literal &memory) {
  SavedValues kept(memory);
  std::vector<Value> values;
  for (const Operand &operand : operands) {
    values.push_back(operand.value);
    kept(undistinguished(operand.value));
  }
  graph::Replacements changed = distinct_operands(values, kept.copies());
  if (changed.empty())
    return value;
  for (Operand &operand : operands)
    operand.value = changed.at(operand.value);
  return graph::substitute({&value, 1}, std::move(changed))[0];
}

/// Writes, and reports the write to the recorder if it needs a gradient.
static void write_recorded(const Tensor &target, Value value) {
  TensorImpl &impl = impl_of(target);
  bool recording = is_recording() && recorder();
  bool recorded = recording && (impl.needs_grad() ||
                                (impl.base && impl.base->requires_grad) ||
                                any_requires_grad(recorded_operands()));
  if (recording)
    recorder()->check_write(target, recorded);
  if (!recorded) {
    impl.write(std::move(value));
    return;
  }
  TensorImpl &whole = impl.base ? *impl.base : impl;
  std::span<const lazy::ViewStep> steps = steps_from(whole, impl);
  std::vector<Operand> operands(recorded_operands().begin(),
                                recorded_operands().end());
  if (impl.device().type == kXLA) {
    Value before = whole.value();
    if (std::any_of(operands.begin(), operands.end(), [&](const Operand &o) {
          return o.value == before && o.tensor.get() != &whole;
        }))
      before = make_distinct(before);
    Value after = lazy::replace_through(steps, before, value);
    impl.store(whole.steps.empty()
                   ? after
                   : impl.placed(impl.storage->value(), std::move(value)));
    recorder()->record_write(operands, target, before, after);
    return;
  }
  Value memory = impl.storage->value();
  value = kept_value(operands, std::move(value), lazy::host_literal(memory));
  // The locations of the written elements do not depend on the other elements,
  // so a parameter without data stands for the old value.
  TensorType type{lazy::element_type(whole.dtype), whole.sizes, {}, {}};
  Value before = {graph::Node::make_parameter(Type(std::move(type))), 0};
  Value after = lazy::replace_through(steps, before, value);
  impl.write(std::move(value));
  recorder()->record_write(operands, target, before, after);
}

void overwrite(const Tensor &target, Value value) {
  write_recorded(target, std::move(value));
  TensorImpl &impl = impl_of(target);
  if (impl.device().type == kXLA)
    lazy::count_recorded({&impl.storage, 1});
}

/// Throws ShapeError: dimension `i` of `a` and dimension `j` of `b` do not
/// broadcast.
[[noreturn]] static void reject_broadcast(const Tensor &a, size_t i,
                                          const Tensor &b, size_t j) {
  auto sized = [](const Tensor &tensor, size_t dim) {
    return "dimension " + std::to_string(dim) + " of shape " +
           describe(tensor) + " (" +
           std::to_string(impl_of(tensor).sizes[dim]) + ")";
  };
  raise<ShapeError>(
      "Shapes are not compatible for broadcasting: " + describe(a) + " vs. " +
      describe(b) + ". Expected " + sized(a, i) + " to match " + sized(b, j) +
      ". Either that or that any of them is either 1 or unbounded. Try "
      "reshaping one of the tensors to match the other.");
}

Shape broadcast_shapes(const Tensor &a, const Tensor &b) {
  const Shape &x = impl_of(a).sizes, &y = impl_of(b).sizes;
  Shape result = x.size() < y.size() ? y : x;
  size_t common = std::min(x.size(), y.size());
  for (size_t k = 0; k < common; ++k) {
    size_t i = x.size() - common + k, j = y.size() - common + k;
    if (x[i] != y[j] && x[i] != 1 && y[j] != 1)
      reject_broadcast(a, i, b, j);
    result[result.size() - common + k] = x[i] == 1 ? y[j] : x[i];
  }
  return result;
}

} // namespace xlac::frontend
