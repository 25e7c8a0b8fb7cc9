// How often loops run.
#ifndef XLAC_LIB_TRANSFORMS_TRIPCOUNT_H
#define XLAC_LIB_TRANSFORMS_TRIPCOUNT_H

#include "xlac/Dialect/Stablehlo/StablehloDialect.h"

#include <optional>

namespace xlac::transforms {

/// Returns the trip count of a loop whose counter starts at a constant, grows
/// by a constant and ends below a constant; nothing for other loops.
std::optional<int64_t> tripCount(stablehlo::WhileOp loop);

} // namespace xlac::transforms

#endif
