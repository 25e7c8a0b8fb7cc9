// dlpack.h.
#include "xlac/dlpack.h"

#include "xlac/ops.h"
#include "xlac/support/call_scope.h"
#include "xlac/support/raise.h"
#include "xlac/tensor/access.h"

#include <dlpack/dlpack.h>

#include <algorithm>
#include <memory>

namespace xlac {

using namespace detail;
using namespace frontend;

namespace {

/// Later versions of DLPack name it kDLBool.
constexpr uint8_t kDlpackBool = 6;

struct DtypeForm {
  Dtype dtype;
  uint8_t code, bits;
};
constexpr DtypeForm kForms[] = {{kBool, kDlpackBool, 8},
                                {kUInt8, kDLUInt, 8},
                                {kInt8, kDLInt, 8},
                                {kInt16, kDLInt, 16},
                                {kInt32, kDLInt, 32},
                                {kInt64, kDLInt, 64},
                                {kUInt16, kDLUInt, 16},
                                {kUInt32, kDLUInt, 32},
                                {kUInt64, kDLUInt, 64},
                                {kFloat16, kDLFloat, 16},
                                {kBFloat16, kDLBfloat, 16},
                                {kFloat32, kDLFloat, 32},
                                {kFloat64, kDLFloat, 64},
                                {kComplex64, kDLComplex, 64},
                                {kComplex128, kDLComplex, 128}};

/// What an exported tensor refers to.
struct Exported {
  Tensor tensor;
  Shape sizes, strides;
  DLManagedTensor managed = {};
};

void end(DLManagedTensor *managed) {
  if (managed && managed->deleter)
    managed->deleter(managed);
}

} // namespace

DLManagedTensor *to_dlpack(const Tensor &tensor) {
  XLAC_CALL("to_dlpack");
  if (tensor.is_xla())
    raise<DeviceError>("xla tensors have no storage: call cpu() first");
  if (tensor.requires_grad())
    raise<UserError>("the tensor requires a gradient: detach() it first");
  const auto *form =
      std::ranges::find(kForms, tensor.dtype(), &DtypeForm::dtype);
  if (form == std::end(kForms))
    raise<UserError>("DLPack does not have the dtype " +
                     std::string(name(tensor.dtype())));
  auto exported = std::make_unique<Exported>();
  exported->tensor = tensor;
  exported->sizes = tensor.sizes();
  exported->strides = tensor.strides();
  DLTensor &described = exported->managed.dl_tensor;
  described.data = TensorAccess::raw_data(tensor, tensor.dtype());
  described.device = {kDLCPU, 0};
  described.ndim = static_cast<int>(exported->sizes.size());
  described.dtype = {form->code, form->bits, 1};
  described.shape = exported->sizes.data();
  described.strides = exported->strides.data();
  exported->managed.manager_ctx = exported.get();
  exported->managed.deleter = [](DLManagedTensor *self) {
    delete static_cast<Exported *>(self->manager_ctx);
  };
  return &exported.release()->managed;
}

Tensor from_dlpack(DLManagedTensor *managed) {
  XLAC_CALL("from_dlpack");
  if (!managed)
    raise<ValueError>("expected a DLManagedTensor, got a null pointer");
  std::shared_ptr<DLManagedTensor> owner(managed, end);
  const DLTensor &described = managed->dl_tensor;
  if (described.device.device_type != kDLCPU)
    raise<DeviceError>("memory can be shared with cpu tensors only, not with "
                       "those of DLPack's device type " +
                       std::to_string(described.device.device_type));
  const auto *form = std::ranges::find_if(kForms, [&](const DtypeForm &each) {
    return each.code == described.dtype.code &&
           each.bits == described.dtype.bits;
  });
  if (form == std::end(kForms) || described.dtype.lanes != 1)
    raise<UnsupportedError>("there is no dtype for DLPack's type code " +
                            std::to_string(described.dtype.code) + " with " +
                            std::to_string(described.dtype.bits) +
                            " bits and " +
                            std::to_string(described.dtype.lanes) + " lanes");
  Shape sizes(described.shape, described.shape + described.ndim);
  void *data = static_cast<char *>(described.data) + described.byte_offset;
  auto keep = [owner](void *) {};
  TensorOptions options(form->dtype);
  if (!described.strides)
    return from_blob(data, sizes, keep, options);
  return from_blob(data, sizes,
                   Shape(described.strides, described.strides + described.ndim),
                   keep, options);
}

} // namespace xlac
