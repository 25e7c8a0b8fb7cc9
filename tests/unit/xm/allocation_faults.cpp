#include "allocation_faults.h"

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

// The C library's own names of the functions that this file replaces.
extern "C" {
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
}

namespace xlac::allocation_faults {

namespace {

constinit std::atomic<bool> is_armed{false};
constinit std::atomic<bool> fails_on{false}; ///< also requests after the Nth
constinit std::atomic<int64_t> left{0};      ///< requests before the Nth
constinit std::atomic<int64_t> failed{0};

/// Counts a request. Returns whether it must fail.
bool is_to_fail() {
  if (!is_armed.load(std::memory_order_relaxed))
    return false;
  int64_t before = left.fetch_sub(1) - 1;
  bool fails = before == 0 || (before < 0 && fails_on);
  failed += fails;
  return fails;
}

struct Range {
  uintptr_t begin = 0, end = 0;
  bool holds(const void *place) const {
    auto address = reinterpret_cast<uintptr_t>(place);
    return begin <= address && address < end;
  }
};

/// Returns the code range of the dynamic linker, which allocates thread-local
/// data.
Range linker_code() {
  Range range;
  dl_iterate_phdr(
      [](dl_phdr_info *library, size_t, void *into) {
        if (!std::strstr(library->dlpi_name, "/ld-linux"))
          return 0;
        for (int i = 0; i < library->dlpi_phnum; ++i) {
          const ElfW(Phdr) &part = library->dlpi_phdr[i];
          uintptr_t begin = library->dlpi_addr + part.p_vaddr;
          if (part.p_type == PT_LOAD && (part.p_flags & PF_X))
            *static_cast<Range *>(into) = {begin, begin + part.p_memsz};
        }
        return 1;
      },
      &range);
  return range;
}

/// Returns the range of the C library function that registers a thread's
/// destructor.
Range registration_code() {
  auto begin = reinterpret_cast<uintptr_t>(
      dlsym(RTLD_DEFAULT, "__cxa_thread_atexit_impl"));
  return {begin, begin + 256};
}

constinit Range linker, registration;

/// Whether the process ends if `caller` gets no memory.
bool is_exempt(const void *caller) {
  return linker.holds(caller) || registration.holds(caller);
}

/// Fails, or returns the result of `make`.
template <class Make> void *request(const void *caller, Make make) {
  if (is_armed && !is_exempt(caller) && is_to_fail()) {
    errno = ENOMEM;
    return nullptr;
  }
  return make();
}

} // namespace

void arm(FailureKind kind, int64_t number) {
  linker = linker_code();
  registration = registration_code();
  fails_on = kind == FailureKind::All;
  left = number;
  failed = 0;
  is_armed = true;
}

int64_t disarm() {
  is_armed = false;
  return failed;
}

} // namespace xlac::allocation_faults

using namespace xlac::allocation_faults;

// The C++ library's requests are only intercepted if the names are exported.
#pragma GCC visibility push(default)

extern "C" {

void *malloc(size_t size) {
  return request(__builtin_return_address(0),
                 [&] { return __libc_malloc(size); });
}

void *calloc(size_t count, size_t size) {
  return request(__builtin_return_address(0),
                 [&] { return __libc_calloc(count, size); });
}

void *realloc(void *memory, size_t size) {
  return request(__builtin_return_address(0),
                 [&] { return __libc_realloc(memory, size); });
}

void *memalign(size_t alignment, size_t size) {
  return request(__builtin_return_address(0),
                 [&] { return __libc_memalign(alignment, size); });
}

void *aligned_alloc(size_t alignment, size_t size) {
  return memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size) {
  int before = errno;
  *memory = memalign(alignment, size);
  errno = before;
  return *memory ? 0 : ENOMEM;
}

void *mmap(void *where, size_t size, int protection, int flags, int file,
           off_t offset) {
  if ((flags & MAP_ANONYMOUS) && is_to_fail()) {
    errno = ENOMEM;
    return MAP_FAILED;
  }
  return reinterpret_cast<void *>(
      syscall(SYS_mmap, where, size, protection, flags, file, offset));
}

} // extern "C"

#pragma GCC visibility pop
