// Names of the composites that front-end functions record and that have
// gradient rules of their own.
#pragma once

namespace xlac::frontend {

inline constexpr char kSoftmaxComposite[] = "xlac.softmax";
inline constexpr char kLogSoftmaxComposite[] = "xlac.log_softmax";
/// Returns the first operand; its gradient is multiplied by the second operand.
inline constexpr char kScaleGradientComposite[] = "xlac.scale_gradient";

} // namespace xlac::frontend
