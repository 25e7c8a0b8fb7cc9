// How losses end: reduced over all elements, or not.
#pragma once

#include "xlac/tensor/formulas.h"

namespace xlac::frontend {

enum class Reduction { None, Mean, Sum };
/// ValueError for another text.
Reduction parse_reduction(std::string_view text);
Value reduced(const Value &loss, Reduction reduction);

/// Operands that broadcast to one shape, else ShapeError.
struct LossOperands {
  Setting setting;
  Value input, target;
};
LossOperands loss_operands(const Tensor &input, const Tensor &target);

/// True where the class of dimension `dim` is `target`, whose sizes are those
/// of the input without that dimension. The result has the input's sizes.
Value is_target_class(const Value &target, const Shape &input, int64_t dim);

/// On the cpu: IndexError for a target that is no class and not
/// `ignore_index`.
void check_classes(const Tensor &target, int64_t classes, int64_t ignore_index);

} // namespace xlac::frontend
