// What prologues computed, by program and by the identity and version of the
// buffers they read. Bounded; entries whose buffers died go first. Used by one
// thread at a time.
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

  /// Keeps `values`, and has the allocator told when a buffer they came from
  /// dies. Returns the kept list.
  const std::vector<BufferRef> &
  insert(const std::shared_ptr<const Executable> &executable,
         const std::vector<BufferRef> &arguments,
         std::vector<BufferRef> values);

  /// Forgets what was derived from these buffers, or for programs that are no
  /// more.
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
