// A memory pool for small objects that are created and destroyed in large
// numbers. Each thread keeps freed blocks for later objects of the same size. A
// block may be freed by another thread than the one that allocated it.
#pragma once

#include <cstddef>
#include <new>

namespace xlac {

// Sanitizers must see each allocation and deallocation.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kKeepsBlocks = false;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
inline constexpr bool kKeepsBlocks = false;
#else
inline constexpr bool kKeepsBlocks = true;
#endif
#else
inline constexpr bool kKeepsBlocks = true;
#endif

template <size_t Size> class BlockPool {
public:
  static void *take() {
    Block *block = free_;
    if (!block)
      return ::operator new(Size);
    free_ = block->next;
    --count_;
    return block;
  }

  static void give(void *memory) {
    if (!kKeepsBlocks || count_ == kMost) {
      ::operator delete(memory);
      return;
    }
    if (!free_)
      sweep_at_thread_exit();
    free_ = new (memory) Block{free_};
    ++count_;
  }

private:
  struct Block {
    Block *next;
  };
  static_assert(Size >= sizeof(Block));

  /// Maximum number of blocks that a thread keeps.
  static constexpr size_t kMost = 4096;

  struct Sweeper {
    ~Sweeper() {
      while (free_)
        ::operator delete(take());
      count_ = kMost; // do not keep blocks that are freed later
    }
  };
  static void sweep_at_thread_exit() {
    static thread_local Sweeper sweeper;
    static_cast<void>(sweeper);
  }

  // Trivially destructible, so that they are usable while a thread ends.
  static inline thread_local Block *free_ = nullptr;
  static inline thread_local size_t count_ = 0;
};

/// Allocates single objects from a BlockPool, for std::allocate_shared.
template <class T> class PoolAllocator {
public:
  using value_type = T;

  PoolAllocator() = default;
  template <class Other> PoolAllocator(const PoolAllocator<Other> &) {}

  T *allocate(size_t count) {
    static_assert(alignof(T) <= __STDCPP_DEFAULT_NEW_ALIGNMENT__);
    return static_cast<T *>(count == 1 ? BlockPool<sizeof(T)>::take()
                                       : ::operator new(count * sizeof(T)));
  }
  void deallocate(T *memory, size_t count) {
    if (count == 1)
      BlockPool<sizeof(T)>::give(memory);
    else
      ::operator delete(memory);
  }
  bool operator==(const PoolAllocator &) const { return true; }
};

} // namespace xlac
