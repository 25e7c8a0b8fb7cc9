// Layouts that are requested for tensors under SPMD.
#pragma once

#include "xlac/lazy/layout.h"

namespace xlac::detail {
class TensorImpl;
}

namespace xlac::lazy {

/// The layout that is requested for a tensor; null without one.
Layout requested_layout(const detail::TensorImpl &impl);
/// Requests `layout`, which is not null, for a tensor, and moves its data there
/// if they are computed.
void request_layout(detail::TensorImpl &impl, const Layout &layout);

} // namespace xlac::lazy
