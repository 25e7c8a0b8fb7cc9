// The JSON header of safetensors files. Headers are untrusted and fully
// checked.
#pragma once

#include "xlac/types.h"

#include <map>
#include <string>
#include <string_view>

namespace xlac::serialize {

/// The limit of the format; longer headers are rejected.
inline constexpr uint64_t kMaxSafetensorsHeader = 100'000'000;

struct SafetensorsEntry {
  std::string name;
  Dtype dtype = kFloat32;
  Shape sizes;
  uint64_t begin = 0, end = 0; ///< offsets after the header
};
struct SafetensorsHeader {
  std::vector<SafetensorsEntry> entries; ///< in the header's order
  std::map<std::string, std::string> metadata;
};

/// Parses the header `json` of a file with `data_size` bytes of elements. The
/// entries must cover them without gap or overlap. Throws UserError for an
/// invalid header and UnsupportedError for a dtype that tensors do not have.
SafetensorsHeader read_safetensors_header(std::string_view json,
                                          uint64_t data_size);
/// Formats a header. Throws ValueError for a name that is not UTF-8 or equals
/// the metadata key, and DtypeError for a dtype that the format lacks.
std::string write_safetensors_header(const SafetensorsHeader &header);

} // namespace xlac::serialize
