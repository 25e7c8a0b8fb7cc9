// Tensors that share memory with other libraries, by DLPack's struct.
#pragma once

#include "xlac/tensor.h"

struct DLManagedTensor; // of <dlpack/dlpack.h>

namespace xlac {

/// A description of a cpu tensor for other libraries, as at::toDLPack. It
/// shares the tensor's memory and keeps it alive until the receiver calls its
/// deleter. DeviceError for xla tensors: call cpu() first. UserError for
/// tensors that require a gradient, for conjugate views, and for dtypes that
/// DLPack does not have.
XLAC_API DLManagedTensor *to_dlpack(const Tensor &tensor);

/// A tensor over the memory that `managed` describes, as at::fromDLPack. It
/// takes ownership: the deleter is called when no tensor uses the memory any
/// more, and also if this function throws. DeviceError unless the memory is the
/// cpu's, UnsupportedError for types that xlac does not have.
XLAC_API Tensor from_dlpack(DLManagedTensor *managed);

} // namespace xlac
