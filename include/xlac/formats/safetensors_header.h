// The JSON header of safetensors files. Headers are untrusted and fully
// checked.
#pragma once

#include "xlac/support/element_type.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace xlac::formats {

/// The limit of the format; longer headers are rejected.
inline constexpr uint64_t kMaxSafetensorsHeader = 100'000'000;

struct SafetensorsEntry {
  std::string name;
  ElementType element = ElementType::F32;
  std::vector<int64_t> sizes;
  uint64_t begin = 0, end = 0; ///< offsets after the header
};
struct SafetensorsHeader {
  std::vector<SafetensorsEntry> entries; ///< in the header's order
  std::map<std::string, std::string> metadata;
};

/// Parses the header `json` of a file with `data_size` bytes of elements. The
/// entries must cover them without gap or overlap. Throws UserError for an
/// invalid header and UnsupportedError for a dtype that xlac
/// does not have.
SafetensorsHeader read_safetensors_header(std::string_view json,
                                          uint64_t data_size);
/// Whether the format has a name for the element type.
bool has_safetensors_name(ElementType element);

/// Formats a header. Throws ValueError for a name that is not UTF-8 or equals
/// the metadata key, and DtypeError for an element type that the format lacks.
std::string write_safetensors_header(const SafetensorsHeader &header);

} // namespace xlac::formats
