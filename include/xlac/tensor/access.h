// Access of front-end functions to tensors: brings operands to one device,
// dtype and shape as graph values, and wraps results into new tensors.
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

/// Returns the implementation. Throws ValueError for an undefined tensor.
TensorImpl &impl_of(const Tensor &tensor);

/// Formats sizes as "[2, 3]".
std::string to_text(const Shape &sizes);
/// Formats dtype and sizes as "f32[2,3]", as broadcasting errors name a tensor.
std::string describe(const Tensor &tensor);

/// Returns `dim` counted from the front. Throws IndexError when it is out of
/// range. A tensor of rank 0 accepts the dims of rank 1.
int64_t wrap_dim(int64_t dim, int64_t rank);

/// Finds the device that an operation on several tensors runs on.
class DeviceJoin {
public:
  /// Throws ValueError for an undefined tensor, and DeviceError when the tensor
  /// is on another xla device than the tensors before it.
  void add(const Tensor &tensor);
  /// Throws DeviceError when a cpu tensor that has dimensions was added
  /// together with xla tensors.
  Device get() const;

private:
  const TensorImpl *on_xla_ = nullptr, *on_cpu_ = nullptr;
};

/// Returns the device that an operation on `tensors` runs on. Throws
/// DeviceError as DeviceJoin does. The first overload skips undefined tensors;
/// the second one throws ValueError for them.
Device common_device(std::initializer_list<const Tensor *> tensors);
Device common_device(const std::vector<Tensor> &tensors);

/// Returns the tensor's value on `device`. A cpu tensor of rank 0 is copied
/// there.
Value value_on(const Tensor &tensor, Device device);
/// As above; the value is converted to `dtype`.
Value value_on(const Tensor &tensor, Device device, Dtype dtype);

/// Returns the tensor's elements in host memory, row-major. Runs the pending
/// graph of the tensor and keeps the result.
host::Literal elements_of(const Tensor &tensor);
/// As elements_of, for a tensor with one element. For a view on an xla device
/// it computes the whole base once and takes the element on the host. So x[0],
/// x[1], … share one program, and in the bf16 modes only the element is
/// converted.
host::Literal element_of(const Tensor &tensor);
/// Computes the values of tensors of xla device `device` in one program.
std::vector<Value> computed_values(int device,
                                   const std::vector<Tensor> &tensors);

/// Returns the elements of an operand that determine the result's shape. On xla
/// devices they are computed now, and executed_fallback_ops lists the running
/// call.
template <class T> std::vector<T> shaping_elements(const Tensor &tensor) {
  if (impl_of(tensor).device().type == kXLA)
    lazy::record_fallback();
  return tensor.to_vector<T>();
}

/// Returns a number as a value of rank 0. On xla devices 0 and ±1 are constants
/// of the program, and other numbers are arguments (but see ConstantNumbers).
/// On the cpu all are constants.
Value number_value(const Scalar &number, Dtype dtype, Device device);

/// Makes a new tensor that holds `value`: computed now on the cpu, pending on
/// xla. Records the call with the operands that it has fetched.
Tensor finish(Value value, Device device, Dtype dtype);
/// As finish, for a call with several results, each with its dtype.
std::vector<Tensor> finish_all(std::vector<Value> values, Device device,
                               const std::vector<Dtype> &dtypes);
/// As finish_all, without recording the call.
std::vector<Tensor> wrap_all(const std::vector<Value> &values, Device device,
                             const std::vector<Dtype> &dtypes);
/// Makes the view of `base` that `step` describes. `strides` and `offset` apply
/// to cpu memory. All views are made here.
Tensor make_view(const Tensor &base, lazy::ViewStep step, Shape strides,
                 int64_t offset);
/// Records `views` as the results of one call, such as unbind, split or chunk.
std::vector<Tensor> views_of_one_call(std::vector<Tensor> views);
/// Writes `value` to `target` and records the write. In-place operations end
/// with this call.
void overwrite(const Tensor &target, Value value);

/// Throws ShapeError unless the shapes broadcast.
Shape broadcast_shapes(const Tensor &a, const Tensor &b);

/// Returns the device that a factory's options ask for, with its index
/// resolved.
Device device_of(const TensorOptions &options);

} // namespace xlac::frontend
