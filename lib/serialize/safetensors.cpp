// safetensors files: eight bytes with the length of a JSON header, the header,
// and the elements of all tensors.
#include "file_bytes.h"
#include "files.h"
#include "xlac/formats/safetensors_header.h"
#include "xlac/lazy/dtypes.h"

#include <algorithm>
#include <cstring>
#include <ostream>

namespace xlac {

using namespace formats;
using namespace serialize;

namespace {

constexpr uint64_t kLengthSize = 8, kAlignment = 8;

/// Assigns offsets after the header: tensors with the widest elements come
/// first, so that all are aligned.
SafetensorsHeader laid_out(const StateDict &tensors) {
  SafetensorsHeader header;
  for (const auto &[name, tensor] : tensors) {
    if (!tensor.defined())
      raise<ValueError>(name + " is undefined");
    ElementType element = lazy::element_type(tensor.dtype());
    if (!has_safetensors_name(element))
      raise<DtypeError>("safetensors files have no torch." +
                        std::string(xlac::name(tensor.dtype())) + ", which " +
                        name + " is");
    header.entries.push_back(
        {name, element, tensor.sizes(), 0,
         static_cast<uint64_t>(tensor.numel() * tensor.element_size())});
  }
  return header;
}

/// Returns the indices of the entries in the order of their elements; sets
/// their offsets.
std::vector<size_t> place_entries(std::vector<SafetensorsEntry> &entries) {
  std::vector<size_t> order(entries.size());
  for (size_t i = 0; i < order.size(); ++i)
    order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return byte_size(entries[a].element) > byte_size(entries[b].element);
  });
  uint64_t at = 0;
  for (size_t i : order) {
    entries[i].begin = at;
    at = entries[i].end += at;
  }
  return order;
}

std::string length_bytes(uint64_t length) {
  std::string bytes(kLengthSize, '\0');
  std::memcpy(bytes.data(), &length, kLengthSize);
  return bytes;
}

/// An open file, its header and the offset of the elements.
struct OpenFile {
  InputFile file;
  SafetensorsHeader header;
  uint64_t data_start = 0;

  explicit OpenFile(const std::filesystem::path &path) : file(path) {
    if (file.size() < kLengthSize)
      raise<UserError>(path.string() + ": it is too short for a safetensors "
                                       "file");
    uint64_t length = 0;
    file.read(0, &length, kLengthSize);
    if (length > kMaxSafetensorsHeader)
      raise<UserError>(path.string() + ": its header of " +
                       std::to_string(length) + " bytes is too long");
    if (length > file.size() - kLengthSize)
      raise<UserError>(path.string() + ": it ends inside its header");
    data_start = kLengthSize + length;
    header = read_safetensors_header(file.read_at_most(kLengthSize, length),
                                     file.size() - data_start);
  }
};

} // namespace

void save_safetensors(const StateDict &tensors,
                      const std::filesystem::path &path,
                      const std::map<std::string, std::string> &metadata) {
  XLAC_CALL("save_safetensors");
  SafetensorsHeader header = laid_out(tensors);
  header.metadata = metadata;
  std::vector<size_t> order = place_entries(header.entries);
  std::string json = write_safetensors_header(header);
  json.append((kAlignment - json.size() % kAlignment) % kAlignment, ' ');
  if (json.size() > kMaxSafetensorsHeader)
    raise<ValueError>("the names and the metadata are too long for a "
                      "safetensors file");
  Computed computed(to_value(tensors));
  write_atomically(path, [&](std::ostream &os) {
    os << length_bytes(json.size()) << json;
    for (size_t i : order)
      os << bytes_of(computed.elements_of((tensors.begin() + i)->second));
  });
}

StateDict load_safetensors(const std::filesystem::path &path,
                           LoadOptions options) {
  XLAC_CALL("load_safetensors");
  OpenFile open(path);
  auto map = options.map ? std::make_shared<FileMap>(open.file) : nullptr;
  StateDict tensors;
  for (const SafetensorsEntry &entry : open.header.entries)
    tensors[entry.name] =
        placed(tensor_of_file(open.file, map, open.data_start + entry.begin,
                              lazy::dtype_of_element(entry.element).value(),
                              entry.sizes),
               options);
  return tensors;
}

std::map<std::string, std::string>
safetensors_metadata(const std::filesystem::path &path) {
  XLAC_CALL("safetensors_metadata");
  return OpenFile(path).header.metadata;
}

} // namespace xlac
