#include "legacy_file.h"
#include "tensor_loader.h"
#include "xlac/formats/zip_file.h"

#include "xlac/tensor/access.h"

#include <fstream>
#include <iterator>

namespace xlac {

using namespace formats;
using namespace serialize;

namespace {

/// Returns "archive/" for the record "archive/data.pkl".
std::string folder_of(const ZipReader &zip) {
  for (const std::string &name : zip.names()) {
    size_t slash = name.find('/');
    if (slash != std::string::npos && name.substr(slash) == "/data.pkl")
      return name.substr(0, slash + 1);
  }
  raise<UserError>("the file has no data.pkl: torch.save did not write it");
}

} // namespace

static Value load_zip(std::istream &is, const LoadOptions &options) {
  ZipReader zip(is);
  std::string folder = folder_of(zip);
  if (zip.contains(folder + "byteorder") &&
      zip.read(folder + "byteorder") != "little")
    raise<UnsupportedError>("the file's numbers have their high bytes first");
  TensorLoader tensors(
      [&](const std::string &key) { return zip.read(folder + "data/" + key); },
      zip.file_size(), options);
  UnpickleOptions unpickle;
  unpickle.load = [&](const TensorRecord &record) {
    return tensors.load(record);
  };
  return read_pickle(zip.read(folder + "data.pkl"), unpickle);
}

Value load(std::istream &is, LoadOptions options) {
  XLAC_CALL("load");
  auto start = is.tellg();
  bool is_legacy = is.peek() == kPickleStart;
  is.clear();
  is.seekg(start);
  if (is_legacy) {
    std::string bytes(std::istreambuf_iterator<char>(is), {});
    return load_legacy(bytes, options);
  }
  return load_zip(is, options);
}

Value load(const std::filesystem::path &path, LoadOptions options) {
  XLAC_CALL("load");
  std::ifstream file(path, std::ios::binary);
  if (!file || std::filesystem::is_directory(path))
    raise<RuntimeError>(path.string() + ": cannot be read");
  return load(file, options);
}

} // namespace xlac
