// Converts shardings and shapes to XLA's OpSharding and ShapeProto, serialized,
// and back.
#pragma once

#include "xlac/support/sharding.h"
#include "xlac/support/tensor_type.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace xlac::pjrt {

/// Returns the OpSharding. Tiled shardings list their devices.
std::string serialize_sharding(const Sharding &sharding);
/// Parses an OpSharding. Throws Error for malformed bytes, for invalid
/// shardings, and for subgroups that Sharding cannot express.
Sharding parse_op_sharding(std::string_view bytes);

/// Returns the ShapeProto. Throws Error for element types that XLA does not
/// have.
std::string serialize_shape(const TensorType &type);
/// The same for the results of an op: if there are several, or none, a tuple.
std::string serialize_result_shape(std::span<const TensorType> types);
/// Return the sharding of such results as one OpSharding, and its elements.
/// The second throws Error as parse_op_sharding, and if there are not `count`.
std::string serialize_result_shardings(std::span<const Sharding> shardings);
std::vector<Sharding> parse_result_shardings(std::string_view bytes,
                                             size_t count);

} // namespace xlac::pjrt
