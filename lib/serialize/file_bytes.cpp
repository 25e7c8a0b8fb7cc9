#include "file_bytes.h"

#include "files.h"

#include "xlac/lazy/host_values.h"
#include "xlac/support/raise.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace xlac::serialize {

[[noreturn]] static void fail(const std::filesystem::path &path,
                              const std::string &reason) {
  raise<RuntimeError>(path.string() + ": cannot be read: " + reason);
}

static std::string reason_of(int error) {
  return std::error_code(error, std::generic_category()).message();
}

InputFile::InputFile(const std::filesystem::path &path) : path_(path) {
  // O_NONBLOCK, since opening a pipe without a writer would block.
  int file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0)
    fail(path, reason_of(errno));
  struct stat facts{};
  int error = fstat(file, &facts) == 0 ? 0 : errno;
  if (error || !S_ISREG(facts.st_mode)) {
    close(file);
    fail(path, error ? reason_of(error) : "it is not a plain file");
  }
  file_ = file;
  size_ = static_cast<uint64_t>(facts.st_size);
}

InputFile::~InputFile() { close(file_); }

void InputFile::read(uint64_t offset, void *to, uint64_t size) const {
  auto *at = static_cast<char *>(to);
  while (size > 0) {
    ssize_t count = pread(file_, at, size, static_cast<off_t>(offset));
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0)
      fail(path_, reason_of(errno));
    if (count == 0)
      fail(path_, "it became shorter while it was read");
    at += count;
    offset += static_cast<uint64_t>(count);
    size -= static_cast<uint64_t>(count);
  }
}

std::string InputFile::read_at_most(uint64_t offset, uint64_t size) const {
  std::string bytes(std::min(size, size_ - std::min(size_, offset)), '\0');
  read(offset, bytes.data(), bytes.size());
  return bytes;
}

FileMap::FileMap(const InputFile &file) : size_(file.size()) {
  if (size_ == 0)
    return;
  void *memory = mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE,
                      file.descriptor(), 0);
  if (memory == MAP_FAILED)
    fail(file.path(), reason_of(errno));
  data_ = static_cast<char *>(memory);
}

FileMap::~FileMap() {
  if (data_)
    munmap(data_, size_);
}

Tensor tensor_of_file(const InputFile &file,
                      const std::shared_ptr<FileMap> &map, uint64_t offset,
                      Dtype dtype, const Shape &sizes,
                      int64_t byte_order_size) {
  TensorType type{lazy::element_type(dtype), sizes, {}, {}};
  if (map) {
    char *elements = map->data() + offset;
    swap_bytes(elements, static_cast<uint64_t>(type.byte_count().value()),
               byte_order_size);
    return tensor_over(map, elements, dtype, sizes);
  }
  host::Literal copy = unwrap(host::Literal::allocate(type));
  auto *elements = reinterpret_cast<char *>(copy.mutable_data());
  auto size = static_cast<uint64_t>(copy.byte_count());
  file.read(offset, elements, size);
  swap_bytes(elements, size, byte_order_size);
  if (dtype == kBool)
    make_booleans(elements, size);
  return frontend::finish(lazy::host_value(copy), Device(kCPU), dtype);
}

} // namespace xlac::serialize
