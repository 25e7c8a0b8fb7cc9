#include "xlac/support/read_file.h"

#include "xlac/support/machine_memory.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <new>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace xlac {

namespace {

/// Bytes that are first read of a file whose size is not known.
constexpr int64_t kPiece = 64 << 10;

/// An open file; standard input is not closed.
struct Descriptor {
  int number;
  Descriptor(int number) : number(number) {}
  Descriptor(const Descriptor &) = delete;
  Descriptor &operator=(const Descriptor &) = delete;
  ~Descriptor() {
    if (number > STDIN_FILENO)
      ::close(number);
  }
};

Failure unreadable(const std::string &path, int error) {
  return failure(FailureKind::User, fmt::format("{}: cannot be opened: {}",
                                                path, std::strerror(error)));
}

/// Reads to the end, also beyond `expected` bytes, but at most `most`.
Result<std::string> read_all(int descriptor, const std::string &path,
                             int64_t expected, int64_t most) {
  std::string bytes;
  size_t filled = 0;
  while (true) {
    // One byte more than expected, to notice the end.
    if (filled == bytes.size())
      bytes.resize(filled > 0 ? 2 * filled
                              : static_cast<size_t>(expected > 0 ? expected + 1
                                                                 : kPiece));
    ssize_t count =
        ::read(descriptor, bytes.data() + filled, bytes.size() - filled);
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0)
      return unreadable(path, errno);
    if (count == 0)
      break;
    filled += static_cast<size_t>(count);
    if (static_cast<int64_t>(filled) > most)
      return failure(FailureKind::User,
                     fmt::format("{}: gives more than the {} bytes that are "
                                 "read of a stream",
                                 path, most));
  }
  bytes.resize(filled);
  return bytes;
}

/// An open file with what is known about it.
struct OpenFile {
  Descriptor descriptor;
  struct stat facts{};
  bool is_regular() const { return S_ISREG(facts.st_mode); }

  explicit OpenFile(const std::string &path)
      : descriptor(path == "-" ? STDIN_FILENO
                               : ::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}
  Status check(const std::string &path) {
    if (descriptor.number < 0 || ::fstat(descriptor.number, &facts) != 0)
      return unreadable(path, errno);
    if (S_ISDIR(facts.st_mode))
      return failure(FailureKind::User, path + ": is a directory");
    return {};
  }
};

} // namespace

static Result<std::string> read_open(const OpenFile &file,
                                     const std::string &path) {
  int64_t most = file.is_regular() ? memory_of_machine() : kMaxStreamBytes;
  int64_t size = file.is_regular() ? file.facts.st_size : 0;
  if (size > most)
    return failure(FailureKind::User,
                   fmt::format("{}: has {} bytes, more than the memory of "
                               "this machine",
                               path, size));
  try {
    return read_all(file.descriptor.number, path, size, most);
  } catch (const std::bad_alloc &) {
    return failure(FailureKind::OutOfMemory,
                   path + ": is larger than the memory there is");
  }
}

Result<std::string> read_file(const std::string &path) {
  OpenFile file(path);
  XLAC_RETURN_IF_ERROR(file.check(path));
  return read_open(file, path);
}

SharedBytes bytes_of_text(std::string text) {
  auto owner = std::make_shared<const std::string>(std::move(text));
  return {std::as_bytes(std::span(owner->data(), owner->size())), owner};
}

Result<SharedBytes> read_shared(const std::string &path) {
  auto text = read_file(path);
  if (!text)
    return text.error();
  return bytes_of_text(std::move(*text));
}

Result<SharedBytes> map_file(const std::string &path) {
  OpenFile file(path);
  XLAC_RETURN_IF_ERROR(file.check(path));
  // Standard input may be read from its middle on.
  if (!file.is_regular() || file.facts.st_size == 0 || path == "-") {
    auto text = read_open(file, path);
    if (!text)
      return text.error();
    return bytes_of_text(std::move(*text));
  }
  auto size = static_cast<size_t>(file.facts.st_size);
  void *memory =
      ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.descriptor.number, 0);
  if (memory == MAP_FAILED)
    return unreadable(path, errno);
  std::shared_ptr<const void> owner(memory, [size](const void *mapped) {
    ::munmap(const_cast<void *>(mapped), size);
  });
  return SharedBytes({static_cast<const std::byte *>(memory), size},
                     std::move(owner));
}

} // namespace xlac
