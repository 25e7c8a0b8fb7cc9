#include "mapped_file.h"

#include "xlac/lazy/errors.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace xlac::serialize {

MappedFile::MappedFile(const std::filesystem::path &path) {
  auto fail = [&](const char *what) {
    lazy::raise<RuntimeError>(path.string() + ": cannot be read: " + what);
  };
  // A pipe without a writer must not stop the program here.
  int file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0)
    fail(std::strerror(errno));
  struct stat facts{};
  void *memory = nullptr;
  int error = fstat(file, &facts) == 0 ? 0 : errno;
  bool is_plain = error == 0 && S_ISREG(facts.st_mode);
  if (is_plain && facts.st_size > 0) {
    size_ = static_cast<uint64_t>(facts.st_size);
    memory = mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE, file, 0);
    error = memory == MAP_FAILED ? errno : 0;
  }
  close(file);
  if (error)
    fail(std::strerror(error));
  if (!is_plain)
    fail("it is no plain file");
  data_ = static_cast<char *>(memory);
}

MappedFile::~MappedFile() {
  if (data_)
    munmap(data_, size_);
}

} // namespace xlac::serialize
