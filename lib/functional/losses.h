// Shared code of losses: checks of operands and the reduction of the result.
#pragma once

#include "xlac/tensor/formulas.h"

namespace xlac::frontend {

enum class Reduction { None, Mean, Sum };
/// Throws ValueError for an unknown name.
Reduction parse_reduction(std::string_view text);
Value reduced(const Value &loss, Reduction reduction);

/// Operands that broadcast to one shape; otherwise ShapeError.
struct LossOperands {
  Setting setting;
  Value input, target;
};
LossOperands loss_operands(const Tensor &input, const Tensor &target);

/// True where the class along dimension `dim` equals `target`, which has the
/// input's sizes without that dimension. The result has the input's sizes.
Value is_target_class(const Value &target, const Shape &input, int64_t dim);

/// On the cpu throws IndexError for a target that is neither a class nor
/// `ignore_index`.
void check_classes(const Tensor &target, int64_t classes, int64_t ignore_index);

} // namespace xlac::frontend
