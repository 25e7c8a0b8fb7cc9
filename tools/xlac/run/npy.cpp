#include "npy.h"

#include "xlac/support/file_writer.h"
#include "xlac/support/npy_header.h"

#include <fmt/format.h>

#include <cstring>
#include <fstream>
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

/// Opens `file` and reads the header of its elements.
static Result<NpyHeader> open_npy(const std::filesystem::path &path,
                                  std::ifstream &file) {
  file.open(path, std::ios::binary);
  if (!file)
    return bad_file(path,
                    fmt::format("cannot be opened: {}", std::strerror(errno)));
  std::string start(kMaxNpyHeaderSize, '\0');
  file.read(start.data(), static_cast<std::streamsize>(start.size()));
  start.resize(static_cast<size_t>(file.gcount()));
  auto header = parse_npy_header(start);
  if (!header)
    return bad_file(path, header.error().message);
  if (header->is_column_major)
    return bad_file(path, "is in Fortran order; save it with "
                          "numpy.ascontiguousarray");
  if (header->is_big_endian)
    return bad_file(path, "has big-endian numbers; expected little-endian");
  return header;
}

Result<TensorType> read_npy_type(const std::filesystem::path &path) {
  std::ifstream file;
  auto header = open_npy(path, file);
  if (!header)
    return header.error();
  return std::move(header->type);
}

Result<HostArray> read_npy(const std::filesystem::path &path) {
  std::ifstream file;
  auto header = open_npy(path, file);
  if (!header)
    return header.error();
  HostArray array{std::move(header->type), {}};
  auto wanted = static_cast<uint64_t>(*array.type.byte_count());
  // clears the end-of-file state: the header is read with its maximum length
  file.clear();
  file.seekg(0, std::ios::end);
  auto available = static_cast<uint64_t>(file.tellg()) - header->size;
  if (available < wanted)
    return bad_file(path,
                    fmt::format("is truncated: {} needs {} bytes, the "
                                "file holds {}",
                                to_string(array.type), wanted, available));
  file.seekg(static_cast<std::streamoff>(header->size));
  array.bytes = make_bytes(wanted);
  file.read(reinterpret_cast<char *>(array.bytes.data()),
            static_cast<std::streamsize>(wanted));
  if (!file)
    return bad_file(path, "cannot be read");
  return array;
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
