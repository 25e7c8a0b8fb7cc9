// Names of the composites that front-end functions record and for which
// autograd has a rule of their own.
#pragma once

namespace xlac::frontend {

inline constexpr char kSoftmaxComposite[] = "xlac.softmax";
inline constexpr char kLogSoftmaxComposite[] = "xlac.log_softmax";
/// The first operand, whose gradient is multiplied by the second.
inline constexpr char kScaleGradientComposite[] = "xlac.scale_gradient";

} // namespace xlac::frontend
