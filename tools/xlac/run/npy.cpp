#include "npy.h"

#include "xlac/support/file_writer.h"
#include "xlac/support/read_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>

#include <sys/mman.h>

namespace xlac::cli {
namespace {

Failure bad_file(const std::filesystem::path &path, std::string_view what) {
  return failure(FailureKind::User, fmt::format("{}: {}", path.string(), what));
}

} // namespace

std::vector<std::byte> make_bytes(size_t size) {
  constexpr uintptr_t page = 4096, huge = 2 << 20;
  std::vector<std::byte> bytes;
  bytes.reserve(size);
  auto begin = reinterpret_cast<uintptr_t>(bytes.data());
  uintptr_t first = (begin + page - 1) / page * page;
  uintptr_t end = (begin + size) / page * page;
  // Called before the first access. A failure is harmless.
  if (size >= 2 * huge)
    madvise(reinterpret_cast<void *>(first), end - first, MADV_HUGEPAGE);
  bytes.resize(size);
  return bytes;
}

Result<std::unique_ptr<std::istream>> open_stream(const std::string &path) {
  std::error_code error;
  if (path == "-" || (std::filesystem::exists(path, error) &&
                      !std::filesystem::is_regular_file(path, error))) {
    auto bytes = read_file(path);
    if (!bytes)
      return bytes.error();
    return std::unique_ptr<std::istream>(
        std::make_unique<std::istringstream>(std::move(*bytes)));
  }
  auto file = std::make_unique<std::ifstream>(path, std::ios::binary);
  if (!*file)
    return bad_file(path,
                    fmt::format("cannot be opened: {}", std::strerror(errno)));
  return std::unique_ptr<std::istream>(std::move(file));
}

Result<NpyHeader> read_npy_header(std::istream &stream,
                                  const std::string &name) {
  std::streamoff begin = stream.tellg();
  std::string start(kMaxNpyHeaderSize, '\0');
  stream.read(start.data(), static_cast<std::streamsize>(start.size()));
  start.resize(static_cast<size_t>(stream.gcount()));
  auto header = parse_npy_header(start);
  if (!header)
    return bad_file(name, header.error().message);
  // Clears the end-of-file state: the header is read with its maximum length.
  stream.clear();
  stream.seekg(begin + static_cast<std::streamoff>(header->size));
  return header;
}

/// Reverses the bytes of each number of `size` bytes.
static void swap_numbers(std::span<std::byte> bytes, size_t size) {
  for (size_t at = 0; at + size <= bytes.size(); at += size)
    std::reverse(bytes.begin() + at, bytes.begin() + at + size);
}

/// Returns the row-major elements of the column-major `from`.
static std::vector<std::byte> row_major(const TensorType &type,
                                        std::span<const std::byte> from) {
  std::vector<std::byte> to = make_bytes(from.size());
  auto size = static_cast<size_t>(byte_size(type.element));
  std::vector<int64_t> index(type.dims.size(), 0), strides(type.dims.size(), 1);
  for (size_t d = 1; d < strides.size(); ++d)
    strides[d] = strides[d - 1] * type.dims[d - 1];
  int64_t source = 0;
  for (size_t at = 0; at < to.size(); at += size) {
    std::memcpy(to.data() + at, from.data() + source * size, size);
    for (size_t d = index.size(); d-- > 0;) {
      source += strides[d];
      if (++index[d] < type.dims[d])
        break;
      source -= strides[d] * type.dims[d];
      index[d] = 0;
    }
  }
  return to;
}

HostArray in_native_order(const NpyHeader &header,
                          std::vector<std::byte> bytes) {
  ElementType element = header.type.element;
  if (header.is_big_endian)
    swap_numbers(bytes,
                 static_cast<size_t>(byte_size(real_part_type(element))));
  if (header.is_column_major && header.type.rank() > 1)
    bytes = row_major(header.type, bytes);
  // Compiled code relies on the two values of booleans.
  if (element == ElementType::I1)
    for (std::byte &each : bytes)
      each = std::byte(each != std::byte(0));
  return {header.type, std::move(bytes)};
}

Result<HostArray> read_npy(std::istream &stream, const std::string &name) {
  auto header = read_npy_header(stream, name);
  if (!header)
    return header.error();
  auto wanted = static_cast<uint64_t>(*header->type.byte_count());
  std::streamoff begin = stream.tellg();
  stream.seekg(0, std::ios::end);
  auto available = static_cast<uint64_t>(stream.tellg() - begin);
  if (available < wanted)
    return bad_file(name,
                    fmt::format("is truncated: {} needs {} bytes, the "
                                "file holds {}",
                                to_string(header->type), wanted, available));
  stream.seekg(begin);
  std::vector<std::byte> bytes = make_bytes(wanted);
  stream.read(reinterpret_cast<char *>(bytes.data()),
              static_cast<std::streamsize>(wanted));
  if (!stream)
    return bad_file(name, "cannot be read");
  return in_native_order(*header, std::move(bytes));
}

Result<HostArray> read_npy(const std::filesystem::path &path) {
  auto stream = open_stream(path.string());
  if (!stream)
    return stream.error();
  return read_npy(**stream, path.string());
}

Status write_npy(const std::filesystem::path &path, const TensorType &type,
                 std::span<const std::byte> bytes) {
  std::string header = make_npy_header(type);
  FileWriter file(path);
  file.write(header);
  file.write({reinterpret_cast<const char *>(bytes.data()), bytes.size()});
  return file.finish();
}

} // namespace xlac::cli
