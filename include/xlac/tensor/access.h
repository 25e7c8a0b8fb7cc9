// How front-end functions see tensors: operands brought to one device, dtype
// and shape as graph values, results wrapped into new tensors.
#pragma once

#include "xlac/lazy/build.h"
#include "xlac/lazy/dtypes.h"
#include "xlac/lazy/execute.h"
#include "xlac/lazy/tensor_impl.h"
#include "xlac/lazy/view_step.h"
#include "xlac/ops.h"
#include "xlac/support/raise.h"
#include "xlac/tensor/recorder.h"
#include "xlac/tensor/tensor_access.h"

#include <initializer_list>

namespace xlac::frontend {

using detail::TensorAccess;
using detail::TensorImpl;
using graph::Value;
using ops::OpKind;

/// The implementation; ValueError for an undefined tensor.
TensorImpl &impl_of(const Tensor &tensor);

/// "[2, 3]".
std::string to_text(const Shape &sizes);
/// "f32[2,3]", as broadcasting errors name a tensor.
std::string describe(const Tensor &tensor);

/// `dim` counted from the front; IndexError when out of range. A tensor of rank
/// 0 takes dims as if it had rank 1.
int64_t wrap_dim(int64_t dim, int64_t rank);

/// Finds the device that an operation on several tensors runs on.
class DeviceJoin {
public:
  /// ValueError for an undefined tensor; DeviceError when it is on another xla
  /// device than those before.
  void add(const Tensor &tensor);
  /// DeviceError when a cpu tensor with dimensions is among xla ones.
  Device get() const;

private:
  const TensorImpl *on_xla_ = nullptr, *on_cpu_ = nullptr;
};

/// The device that an operation on `tensors` runs on; DeviceError when they do
/// not fit. Undefined ones are skipped.
Device common_device(std::initializer_list<const Tensor *> tensors);
Device common_device(const std::vector<Tensor> &tensors);

/// The tensor's value on `device`, to which a cpu tensor of rank 0 is carried.
Value value_on(const Tensor &tensor, Device device);
/// The same, converted.
Value value_on(const Tensor &tensor, Device device, Dtype dtype);

/// The tensor's elements in host memory, row-major; runs what they need, once.
host::Literal elements_of(const Tensor &tensor);
/// The same of a tensor with one element. Of a view on an xla device the whole
/// base is computed, once, and the element is taken on the host: reading
/// x[0], x[1], … compiles no program for each, and in the bf16 modes only what
/// is read is converted.
host::Literal element_of(const Tensor &tensor);
/// The values of tensors of xla device `device`, computed in one program.
std::vector<Value> computed_values(int device,
                                   const std::vector<Tensor> &tensors);

/// The elements of an operand whose values tell the result's shape. On xla they
/// are computed now, and the running call is listed by executed_fallback_ops.
template <class T> std::vector<T> shaping_elements(const Tensor &tensor) {
  if (impl_of(tensor).device().type == kXLA)
    lazy::record_fallback();
  return tensor.to_vector<T>();
}

/// A number as a value of rank 0: 0 and ±1 are part of the program, others its
/// arguments (but see ConstantNumbers).
Value number_value(const Scalar &number, Dtype dtype, Device device);

/// A new tensor that holds `value`: computed now on the cpu, pending on xla.
/// What the running call fetched are its operands.
Tensor finish(Value value, Device device, Dtype dtype);
/// The same for a call of several results, one dtype each.
std::vector<Tensor> finish_all(std::vector<Value> values, Device device,
                               const std::vector<Dtype> &dtypes);
/// As finish_all, but nothing is recorded.
std::vector<Tensor> wrap_all(const std::vector<Value> &values, Device device,
                             const std::vector<Dtype> &dtypes);
/// Every view is made here: a tensor that sees `base` through `step`. `strides`
/// and `offset` are those of cpu memory.
Tensor make_view(const Tensor &base, lazy::ViewStep step, Shape strides,
                 int64_t offset);
/// What unbind, split and chunk end with: views made by one call.
std::vector<Tensor> views_of_one_call(std::vector<Tensor> views);
/// In-place operations end here.
void overwrite(const Tensor &target, Value value);

/// ShapeError unless the shapes broadcast.
Shape broadcast_shapes(const Tensor &a, const Tensor &b);

/// Device that a factory's options ask for, resolved.
Device device_of(const TensorOptions &options);

} // namespace xlac::frontend
