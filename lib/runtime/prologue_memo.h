// Memoizes prologue values by program and by the identity and version of the
// buffers they depend on. The numbers of entries and of bytes are limited;
// entries whose buffers were freed are removed first. Not thread-safe.
#pragma once

#include "xlac/runtime/buffer.h"
#include "xlac/runtime/executable.h"

#include <list>
#include <memory>
#include <vector>

namespace xlac::runtime {

class PrologueMemo {
public:
  /// The values for these arguments of the program, or null.
  const std::vector<BufferRef> *find(const Executable &executable,
                                     const std::vector<BufferRef> &arguments);

  /// Stores `values` and watches the buffers they depend on, so that
  /// `allocator` records their end. Then removes the least recently used
  /// values, but not these, until the others and these have at most `limit`
  /// bytes.
  void insert(const std::shared_ptr<const Executable> &executable,
              const std::vector<BufferRef> &arguments,
              std::vector<BufferRef> values,
              const std::shared_ptr<Allocator> &allocator, int64_t limit);

  /// Removes values derived from these buffers, and those of programs that no
  /// longer exist.
  void purge(const std::vector<uint64_t> &dead);
  void clear();

  int64_t bytes() const { return bytes_; }
  int64_t entries() const { return static_cast<int64_t>(entries_.size()); }

private:
  struct Source {
    uint64_t buffer, version;
    bool operator==(const Source &) const = default;
  };
  struct Entry {
    uint64_t executable_id;
    std::weak_ptr<const Executable> executable;
    std::vector<Source> sources;
    std::vector<BufferRef> values;
    int64_t bytes;
  };

  static std::vector<Source> sources_of(const Executable &executable,
                                        const std::vector<BufferRef> &buffers);
  std::list<Entry>::iterator drop(std::list<Entry>::iterator entry);

  std::list<Entry> entries_; ///< most recently used first
  int64_t bytes_ = 0;
};

} // namespace xlac::runtime
