#include "byte_file.h"

#include "xlac/support/raise.h"

#include <algorithm>
#include <zlib.h>

namespace xlac::data {

static std::filesystem::path found(const std::filesystem::path &path) {
  std::filesystem::path compressed = path;
  compressed += ".gz";
  if (std::filesystem::exists(path))
    return path;
  if (std::filesystem::exists(compressed))
    return compressed;
  raise<RuntimeError>("there is neither " + path.string() + " nor " +
                      compressed.string());
}

// zlib reads uncompressed files unchanged.
ByteFile::ByteFile(const std::filesystem::path &path)
    : path_(found(path)), file_(gzopen(path_.c_str(), "rb")) {
  if (!file_)
    raise<RuntimeError>("cannot read " + path_.string());
}

ByteFile::~ByteFile() { gzclose(file_); }

/// Grows the result while reading, since the size in a damaged header may have
/// any value.
Bytes ByteFile::read(size_t count) {
  constexpr size_t kBlock = 1 << 20;
  Bytes bytes;
  while (bytes.size() < count) {
    size_t done = bytes.size(), wanted = std::min(kBlock, count - done);
    bytes.resize(done + wanted);
    int got = gzread(file_, bytes.data() + done, static_cast<unsigned>(wanted));
    if (got != static_cast<int>(wanted))
      damaged("it ends early");
  }
  return bytes;
}

Bytes ByteFile::read_rest() {
  constexpr size_t kBlock = 1 << 20;
  Bytes bytes;
  for (int got = 1; got > 0;) {
    size_t done = bytes.size();
    bytes.resize(done + kBlock);
    got = gzread(file_, bytes.data() + done, kBlock);
    if (got < 0)
      damaged("it cannot be decompressed");
    bytes.resize(done + static_cast<size_t>(got));
  }
  return bytes;
}

void ByteFile::damaged(const std::string &what) const {
  raise<RuntimeError>(path_.string() + " is damaged: " + what);
}

} // namespace xlac::data
