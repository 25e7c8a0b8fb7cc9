// Custom calls as bytes: in images, and in objects for libxlac_rt.a.
#pragma once

#include "xlac/custom_call.h"
#include "xlac/support/byte_stream.h"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace xlac::library {

void write_attributes(ByteWriter &out, const CustomCallAttributes &attributes);
/// Rejects the input if it is malformed.
void read_attributes(ByteReader &in, CustomCallAttributes &attributes);

/// A call of a built-in target, with all that the target reads.
struct DescribedCall {
  std::string target;
  std::string source; ///< "file:line:column", or empty
  CustomCallAttributes attributes;
  std::vector<CustomCallTensor> operands, results; ///< without data
};

std::vector<std::byte> serialize(const DescribedCall &call);
/// False if the bytes are malformed. The element types of tensors refer to
/// names that live as long as the process.
bool deserialize(std::span<const std::byte> bytes, DescribedCall &call);

} // namespace xlac::library
