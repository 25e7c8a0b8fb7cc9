// The JSON header of safetensors files, read from anywhere and checked in full.
#pragma once

#include "xlac/types.h"

#include <map>
#include <string>
#include <string_view>

namespace xlac::serialize {

/// Longer headers are refused, as every reader of the format does.
inline constexpr uint64_t kMaxSafetensorsHeader = 100'000'000;

struct SafetensorsEntry {
  std::string name;
  Dtype dtype = kFloat32;
  Shape sizes;
  uint64_t begin = 0, end = 0; ///< in the bytes behind the header
};
struct SafetensorsHeader {
  std::vector<SafetensorsEntry> entries; ///< in the header's order
  std::map<std::string, std::string> metadata;
};

/// The header of a file whose text is `json`, in front of `data_size` bytes,
/// which the entries divide among them without gap or overlap. UserError for
/// any other, UnsupportedError for a dtype that tensors do not have.
SafetensorsHeader read_safetensors_header(std::string_view json,
                                          uint64_t data_size);
/// The other way. ValueError for a name that is not UTF-8 or is the
/// metadata's, DtypeError for a dtype that the format does not have.
std::string write_safetensors_header(const SafetensorsHeader &header);

} // namespace xlac::serialize
