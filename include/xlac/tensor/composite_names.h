// Names of the composites that front-end functions record and that have
// gradient rules of their own.
#pragma once

namespace xlac::frontend {

inline constexpr char kSoftmaxComposite[] = "xlac.softmax";
inline constexpr char kLogSoftmaxComposite[] = "xlac.log_softmax";
/// Returns the first operand; its gradient is multiplied by the second operand.
inline constexpr char kScaleGradientComposite[] = "xlac.scale_gradient";
/// Cumulative ops along `dim`. The maximum or minimum also returns the index.
inline constexpr char kCumprodComposite[] = "xlac.cumprod";
inline constexpr char kCumulativeExtremeComposite[] = "xlac.cumulative_extreme";
inline constexpr char kLogcumsumexpComposite[] = "xlac.logcumsumexp";
/// y[i] = a[i] y[i - 1] + b[i] along `dim`, with operands a and b and y[-1] =
/// 0; from the end if `reverse`: y[i] = a[i] y[i + 1] + b[i].
inline constexpr char kLinearRecurrenceComposite[] = "xlac.linear_recurrence";

} // namespace xlac::frontend
