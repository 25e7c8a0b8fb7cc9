#include "xlac/support/read_file.h"

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

constexpr size_t kPiece = size_t(1) << 20;

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

int64_t memory_of_machine() {
  return static_cast<int64_t>(::sysconf(_SC_PHYS_PAGES)) *
         ::sysconf(_SC_PAGESIZE);
}

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
    if (filled == bytes.size())
      bytes.resize(std::max(filled + std::max(kPiece, filled),
                            static_cast<size_t>(expected) + 1));
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

} // namespace

static Descriptor open_to_read(const std::string &path) {
  return {path == "-" ? STDIN_FILENO
                      : ::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
}

Result<std::string> read_file(const std::string &path) {
  Descriptor file = open_to_read(path);
  struct stat facts{};
  if (file.number < 0 || ::fstat(file.number, &facts) != 0)
    return unreadable(path, errno);
  if (S_ISDIR(facts.st_mode))
    return failure(FailureKind::User, path + ": is a directory");
  bool is_file = S_ISREG(facts.st_mode);
  int64_t most = is_file ? memory_of_machine() : kMaxStreamBytes;
  if (is_file && facts.st_size > most)
    return failure(FailureKind::User,
                   fmt::format("{}: has {} bytes, more than the memory of "
                               "this machine",
                               path, static_cast<int64_t>(facts.st_size)));
  try {
    return read_all(file.number, path, is_file ? facts.st_size : 0, most);
  } catch (const std::bad_alloc &) {
    return failure(FailureKind::OutOfMemory,
                   path + ": is larger than the memory there is");
  }
}

SharedBytes bytes_of_text(std::string text) {
  auto owner = std::make_shared<const std::string>(std::move(text));
  return {std::as_bytes(std::span(owner->data(), owner->size())), owner};
}

Result<SharedBytes> map_file(const std::string &path) {
  {
    Descriptor file = open_to_read(path);
    struct stat facts{};
    if (file.number >= 0 && ::fstat(file.number, &facts) == 0 &&
        S_ISREG(facts.st_mode) && facts.st_size > 0) {
      auto size = static_cast<size_t>(facts.st_size);
      void *memory =
          ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.number, 0);
      if (memory == MAP_FAILED)
        return unreadable(path, errno);
      std::shared_ptr<const void> owner(memory, [size](const void *mapped) {
        ::munmap(const_cast<void *>(mapped), size);
      });
      return SharedBytes({static_cast<const std::byte *>(memory), size},
                         std::move(owner));
    }
  }
  auto text = read_file(path);
  if (!text)
    return text.error();
  return bytes_of_text(std::move(*text));
}

} // namespace xlac
