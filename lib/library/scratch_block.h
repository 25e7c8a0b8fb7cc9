// Memory for the duration of one call.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>

namespace xlac::library {

/// `size` bytes, 64-byte aligned, uninitialized. Blocks of up to 4 MiB are
/// cached per thread, since page faults on fresh pages cost more than the work
/// on them. Throws std::bad_alloc.
class ScratchBlock {
public:
  explicit ScratchBlock(int64_t size) {
    Kept &kept = thread_cache();
    if (kept.size < size) {
      kept.memory.reset();
      kept.size = 0;
      kept.memory.reset(allocate(size));
      kept.size = size;
    }
    size_ = kept.size;
    memory_ = std::move(kept.memory);
    kept.size = 0;
  }
  ~ScratchBlock() {
    constexpr int64_t most = int64_t(4) << 20;
    Kept &kept = thread_cache();
    if (size_ > most || size_ <= kept.size)
      return;
    kept.memory = std::move(memory_);
    kept.size = size_;
  }
  ScratchBlock(const ScratchBlock &) = delete;
  ScratchBlock &operator=(const ScratchBlock &) = delete;

  char *data() { return memory_.get(); }

private:
  static constexpr std::align_val_t kAlignment{64};
  struct Release {
    void operator()(char *memory) const {
      ::operator delete[](memory, kAlignment);
    }
  };
  using Memory = std::unique_ptr<char[], Release>;
  struct Kept {
    Memory memory;
    int64_t size = 0;
  };
  static char *allocate(int64_t size) {
    return static_cast<char *>(
        ::operator new[](static_cast<size_t>(size), kAlignment));
  }
  static Kept &thread_cache() {
    thread_local Kept kept;
    return kept;
  }

  Memory memory_;
  int64_t size_ = 0;
};

} // namespace xlac::library
